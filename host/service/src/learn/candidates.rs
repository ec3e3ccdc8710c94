//! The candidates of a run with the gates' verdicts, from the run's artifact.

use acreta_fs::{Directory, NoFaults};
use camino::Utf8Path;
use serde::Deserialize;

use crate::Failure;

/// Maximum size of an artifact.
const ARTIFACT_BYTES: u64 = 64 * 1024 * 1024;

/// One candidate of a run.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct CandidateVerdict {
    #[serde(rename = "type")]
    pub memory_type: String,
    pub kind: String,
    pub title: String,
    pub body: String,
    pub confidence: f64,
    pub kept: bool,
    /// The gate that stopped it; `pending` for a candidate that waits to be said again.
    pub gate: String,
    pub reason: String,
}

impl CandidateVerdict {
    /// Returns whether a gate refused it.
    pub fn is_refused(&self) -> bool {
        !self.kept && self.gate != "pending"
    }
}

/// Reads the candidates of a run from its folder. A damaged artifact has none.
pub fn candidates(run_folder: &Utf8Path) -> Result<Vec<CandidateVerdict>, Failure> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Extract {
        candidates: Vec<CandidateVerdict>,
    }
    let folder = Directory::open(run_folder, NoFaults::shared())?;
    let text = folder.read("extract.json", ARTIFACT_BYTES)?;
    let extract: Extract = serde_json::from_slice(&text).unwrap_or_default();
    Ok(extract.candidates)
}
