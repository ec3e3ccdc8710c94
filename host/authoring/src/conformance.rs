//! What every plugin has to hold, and what one plugin did before: the conformance suite of each
//! role, and cases that are recorded once and compared byte for byte afterwards.
//!
//! Works on the role traits alone and links no sandbox: whoever calls it loads the component, with no
//! grants at all, and hands it in. Prints nothing; results are values that can be shown.
//!
//! ```no_run
//! # use acreta_conformance::*;
//! # fn run(plugin: Plugin, scratch: &acreta_fs::Directory) -> Result<(), Box<dyn std::error::Error>> {
//! let cases: Vec<Case> = cases("cases".into())?.into_iter().collect::<Result<_, _>>()?;
//! let report = conformance(&plugin, &cases, scratch, &acreta_model::Limits::for_role(plugin.role()))?;
//! let all_well = report.is_passed();
//! for case in &cases {
//!     // The plugin of a case is loaded with `case.settings()`.
//!     let run = Run::new(scratch);
//!     match replay(case, &plugin, &run)? {
//!         Replayed::Same { .. } => {}
//!         Replayed::Different(difference) => panic!("{difference}"),
//!     }
//! }
//! # Ok(()) }
//! ```

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

pub use case::{CASE_FILE, Case, RECORDED, cases};
pub use error::CaseError;
pub use new_case::new_case;
pub use plugin::Plugin;
pub use record::{Clock, Outside, Run, record};
pub use recorded::Recorded;
pub use replay::{Difference, Replayed, replay};
pub use report::{Check, Counts, Report, Verdict};
pub use suite::{check_names, conformance};
