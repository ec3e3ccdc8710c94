//! Tests of plugins: the conformance suite of each role, and cases that are recorded once and compared byte for byte
//! afterwards.
//!
//! The suite of adapters is the SDK's, so that an adapter's own tests run the same checks natively.
//!
//! Works on the role traits alone and does not link a sandbox: the caller loads the component, without any grants, and
//! passes it in. Prints nothing; results are values that can be displayed.

mod adapter;
mod bench;
mod case;
mod case_file;
mod error;
mod explorer;
mod extractor;
mod input;
mod memory_writer;
mod new_case;
mod plugin;
mod ports;
mod record;
mod recorded;
mod recording;
mod replay;
mod report;
mod stage;
mod suite;

pub use acreta_sdk::conformance::{Check, Counts, Verdict};
pub use case::{CASE_FILE, Case, RECORDED, cases};
pub use error::CaseError;
pub use new_case::new_case;
pub use plugin::Plugin;
pub use record::{Clock, Outside, Run, record};
pub use recorded::Recorded;
pub use replay::{Difference, Replayed, replay};
pub use report::Report;
pub use suite::{conformance, promises};
