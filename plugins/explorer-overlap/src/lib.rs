//! The explorer `explorer-overlap`: compares candidates with today's memory by the words they share.
//! The same memory and the same candidates give the same findings, in the order of the candidates.

mod memories;
mod memory;
mod overlap;
#[cfg(test)]
mod tests;

pub use memories::{MAX_FILE_BYTES, Warning};
pub use overlap::{MATCH_FLOOR, MATCHES, UPDATE_FLOOR, explore};

#[cfg(target_family = "wasm")]
mod component {
    use std::path::Path;

    use acreta_sdk::explorer::{Candidate, Failure, Finding, Guest, host};

    /// Of so many that the host finds, the nearest are told.
    const LOOKED_AT: u32 = 12;

    struct Overlap;

    impl Guest for Overlap {
        fn explore(batch: Vec<Candidate>) -> Result<Vec<Finding>, Failure> {
            let find = |candidate: &Candidate| {
                let query = format!("{}\n{}", candidate.title, candidate.body);
                let filter = [("type".to_owned(), candidate.category.clone())];
                let hits = host::search::find(&query, LOOKED_AT, &filter)?;
                Ok(hits.into_iter().map(|hit| hit.path).collect())
            };
            let (findings, warnings) = crate::explore(Path::new("/memory"), &find, &batch)?;
            for warning in warnings {
                host::log::write("warn", &warning.to_string());
            }
            Ok(findings)
        }
    }

    acreta_sdk::explorer::export!(Overlap);
}
