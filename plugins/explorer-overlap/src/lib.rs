//! The explorer `explorer-overlap`: compares candidates with today's memory by the words they share.
//! The same memory and the same candidates give the same findings, in the order of the candidates.

mod memories;
mod memory;
mod overlap;
#[cfg(test)]
mod tests;

pub use memories::{Folder, MAX_FILE_BYTES, Warning};
pub use overlap::{MATCH_FLOOR, UPDATE_FLOOR, explore};

#[cfg(target_family = "wasm")]
mod component {
    use std::path::Path;

    use acreta_sdk::explorer::{Candidate, Failure, Finding, Guest, host};

    use crate::Folder;

    struct Overlap;

    impl Guest for Overlap {
        fn explore(batch: Vec<Candidate>) -> Result<Vec<Finding>, Failure> {
            let folders: Vec<Folder> = host::registry::memory_types()
                .into_iter()
                .map(|entry| Folder {
                    category: entry.name,
                    folder: entry.folder,
                })
                .collect();
            let (findings, warnings) = crate::explore(Path::new("/memory"), &folders, &batch)?;
            for warning in warnings {
                host::log::write("warn", &warning.to_string());
            }
            Ok(findings)
        }
    }

    acreta_sdk::explorer::export!(Overlap);
}
