//! Tools for authors of plugins: a new project ([`stamp`]), the conformance suite of each role
//! ([`conformance()`]), and cases that are recorded once and compared byte for byte afterwards.
//!
//! Does not link a sandbox: the caller loads the component, without any grants, and passes it in.
//!
//! ```no_run
//! # use acreta_plugin_dev::*;
//! # fn run(plugin: Plugin, scratch: &acreta_fs::Directory) -> Result<(), Box<dyn std::error::Error>> {
//! let cases: Vec<Case> = cases("cases".into())?.into_iter().collect::<Result<_, _>>()?;
//! let report = conformance(&plugin, &cases, scratch, &acreta_types::Limits::for_role(plugin.role()))?;
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

mod conformance;
mod templates;

pub use conformance::{
    CASE_FILE, Case, CaseError, Check, Clock, Counts, Difference, Outside, Plugin, RECORDED,
    Recorded, Replayed, Report, Run, Verdict, cases, conformance, new_case, promises, record,
    replay,
};
pub use templates::{InvalidName, Language, StampedFile, stamp};
