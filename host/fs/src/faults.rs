//! Looking over the shoulder of every operation: to make it fail, or to write it down and rebuild
//! what a crash would have left.

mod crash;
mod image;
mod record;

pub use crash::{Crash, Kept};
pub use image::{Image, Node};
pub use record::{Errno, Failure, Recorded, Recorder, Times};
