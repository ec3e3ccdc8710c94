//! The explorer `explorer-overlap`: compares candidates with memory by the words they share. Deterministic: equal
//! memory and candidates give equal findings, in the order of the candidates.

mod memories;
mod memory;
mod overlap;
#[cfg(test)]
mod tests;

use std::path::Path;

use acreta_sdk::explorer::{Candidate, Explorer, Failure, Finding, Host};

pub use memories::{MAX_FILE_BYTES, Memories, Warning};
pub use memory::Memory;
pub use overlap::{MATCH_FLOOR, MATCHES, UPDATE_FLOOR, explore};

/// Number of hits of the host's search that are examined.
const LOOKED_AT: u32 = 12;

/// The explorer.
pub struct Overlap;

#[cfg(feature = "component")]
acreta_sdk::explorer!(Overlap);

impl Explorer for Overlap {
    fn explore(batch: &[Candidate], host: &impl Host) -> Result<Vec<Finding>, Failure> {
        Self::within(Path::new("/memory"), batch, host)
    }
}

impl Overlap {
    /// Returns the findings for a batch, with memory at `root`.
    pub fn within(
        root: &Path,
        batch: &[Candidate],
        host: &impl Host,
    ) -> Result<Vec<Finding>, Failure> {
        let find = |candidate: &Candidate| {
            let query = format!("{}\n{}", candidate.title, candidate.body);
            let filter = [("type".to_owned(), candidate.category.clone())];
            let hits = host.find(&query, LOOKED_AT, &filter)?;
            Ok(hits.into_iter().map(|hit| hit.path).collect())
        };
        let (findings, warnings) = explore(root, &find, batch)?;
        for warning in warnings {
            host.log("warn", &warning.to_string());
        }
        Ok(findings)
    }
}
