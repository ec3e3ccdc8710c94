//! The explorer role: reports what memory already knows about a candidate.
//!
//! An explorer queries a [`Host`], and may read the files under `/memory`. Its findings are hints: the host decides. A
//! finding with the attribute `relation` (`same`, `update`, `contradiction` or `unrelated`) states how the candidate
//! relates to the matched memory; without it the host compares the texts by words.
//!
//! ```
//! use acreta_sdk::explorer::{Candidate, Explorer, Failure, Finding, Host};
//!
//! struct Nearest;
//!
//! acreta_sdk::explorer!(Nearest);
//!
//! impl Explorer for Nearest {
//!     fn explore(batch: &[Candidate], host: &impl Host) -> Result<Vec<Finding>, Failure> {
//!         let mut findings = Vec::new();
//!         for candidate in batch {
//!             let hits = host.find(&candidate.title, 1, &[])?;
//!             findings.push(match hits.first() {
//!                 Some(hit) => Finding::update(candidate, &hit.path, 0.6, &hit.snippet),
//!                 None => Finding::add(candidate),
//!             });
//!         }
//!         Ok(findings)
//!     }
//! }
//!
//! # #[cfg(feature = "testing")]
//! # {
//! use acreta_sdk::explorer::testing::{ScriptedHost, candidate};
//!
//! let findings = Nearest::explore(&[candidate("c1", "Use tabs")], &ScriptedHost::default())?;
//! assert_eq!(findings[0].action_hint, "add");
//! # }
//! # Ok::<(), Failure>(())
//! ```

#[doc(hidden)]
#[rustfmt::skip]
#[allow(unsafe_code, unreachable_pub, clippy::all, clippy::restriction, reason = "generated")]
pub mod bindings;

#[cfg(feature = "testing")]
pub mod testing;

pub use crate::bindings::acreta::host;
pub use crate::bindings::acreta::types::types::{Attrs, Candidate, Evidence, Failure};
pub use bindings::export;
pub use bindings::exports::acreta::explorer::explorer::{Finding, Guest};
pub use host::llm::{Budget, Message, Reply, Request};
pub use host::registry::MemoryType;
pub use host::search::Hit;

/// Looks candidates up in memory.
pub trait Explorer {
    /// Returns at least one finding for each candidate of the batch.
    fn explore(batch: &[Candidate], host: &impl Host) -> Result<Vec<Finding>, Failure>;
}

/// The host functions that an explorer may call.
pub trait Host {
    /// Searches memory; best hits first. Known keys of `filter`: `type`, `kind`, `tag`.
    fn find(
        &self,
        query: &str,
        limit: u32,
        filter: &[(String, String)],
    ) -> Result<Vec<Hit>, Failure>;
    /// Lists the types of memory.
    fn memory_types(&self) -> Vec<MemoryType>;
    /// Returns one of the plugin's own settings, as JSON text.
    fn setting(&self, key: &str) -> Option<String>;
    /// Writes to the run's log; `level` is `error`, `warn`, `info` or `debug`.
    fn log(&self, level: &str, message: &str);
    /// Returns the rest of the run's budget for models.
    fn left(&self) -> Budget;
    /// Sends all requests to models at once; returns replies in the order of the requests, `not-granted` without a
    /// grant.
    fn complete_all(&self, requests: &[Request]) -> Vec<Result<Reply, Failure>>;
}

/// The sandbox's host.
pub struct Sandbox;

impl Host for Sandbox {
    fn find(
        &self,
        query: &str,
        limit: u32,
        filter: &[(String, String)],
    ) -> Result<Vec<Hit>, Failure> {
        host::search::find(query, limit, filter)
    }

    fn memory_types(&self) -> Vec<MemoryType> {
        host::registry::memory_types()
    }

    fn setting(&self, key: &str) -> Option<String> {
        host::config::get(key)
    }

    fn log(&self, level: &str, message: &str) {
        host::log::write(level, message);
    }

    fn left(&self) -> Budget {
        host::llm::left()
    }

    fn complete_all(&self, requests: &[Request]) -> Vec<Result<Reply, Failure>> {
        host::llm::complete_all(requests)
    }
}

impl Finding {
    /// Builds a finding that the candidate is new to memory.
    pub fn add(candidate: &Candidate) -> Self {
        Self {
            candidate_id: candidate.id.clone(),
            action_hint: "add".to_owned(),
            matched_file: None,
            overlap: 0.0,
            evidence: String::new(),
            attrs: Attrs::new(),
        }
    }

    /// Builds a finding that the file at `path` under `/memory` covers the same subject, as `evidence` shows.
    pub fn update(candidate: &Candidate, path: &str, overlap: f32, evidence: &str) -> Self {
        Self {
            action_hint: "update".to_owned(),
            matched_file: Some(path.to_owned()),
            overlap,
            evidence: evidence.to_owned(),
            ..Self::add(candidate)
        }
    }

    /// Builds a finding that the file covers the same subject, and the candidate adds nothing.
    pub fn no_op(candidate: &Candidate, path: &str, overlap: f32, evidence: &str) -> Self {
        Self {
            action_hint: "no-op".to_owned(),
            ..Self::update(candidate, path, overlap, evidence)
        }
    }
}

/// Exports a type that implements [`explorer::Explorer`](crate::explorer::Explorer) as the
/// component's explorer.
#[macro_export]
macro_rules! explorer {
    ($explorer:ty) => {
        #[cfg(target_family = "wasm")]
        const _: () = {
            use $crate::explorer as role;

            struct AcretaExport;

            impl role::Guest for AcretaExport {
                fn explore(
                    batch: Vec<role::Candidate>,
                ) -> Result<Vec<role::Finding>, role::Failure> {
                    <$explorer as role::Explorer>::explore(&batch, &role::Sandbox)
                }
            }

    role::export!(AcretaExport with_types_in role::bindings);
        };
    };
}
