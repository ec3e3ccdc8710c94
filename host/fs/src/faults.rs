//! Observes every operation for tests: to inject failures, or to record them and reconstruct the disk after a crash.

mod crash;
mod image;
mod record;

pub use crash::{Crash, Kept};
pub use image::{Image, Node};
pub use record::{Errno, Failure, Recorded, Recorder, Times};
