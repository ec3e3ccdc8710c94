//! Artifacts of runs in their folders. If a folder is missing or a report is damaged, there is no result.

use acreta_fs::{Directory, NoFaults};
use acreta_state::Run;
use serde_json::Value;

/// Maximum size of a report.
const REPORT_BYTES: u64 = 64 * 1024 * 1024;

/// Maximum bytes of a log that are read.
const LOG_BYTES: u64 = 8 * 1024 * 1024;

/// Maximum number of artifacts that are listed.
const FILES: u64 = 10_000;

/// Returns the run's own report: its changes to memory.
pub fn report(run: &Run) -> Option<Value> {
    json(run, "memory_actions.json").or_else(|| json(run, "maintain_actions.json"))
}

/// Returns one of its JSON artifacts.
pub fn json(run: &Run, name: &str) -> Option<Value> {
    let folder = Directory::open(&run.folder, NoFaults::shared()).ok()?;
    serde_json::from_slice(&folder.read(name, REPORT_BYTES).ok()?).ok()
}

/// Returns the lines of one of its logs.
pub fn lines(run: &Run, name: &str) -> Vec<String> {
    let text = Directory::open(&run.folder, NoFaults::shared())
        .and_then(|folder| folder.read(name, LOG_BYTES))
        .unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    text.lines().map(ToOwned::to_owned).collect()
}

/// Returns the names of its artifacts.
pub fn artifacts(run: &Run) -> Vec<String> {
    let listed =
        Directory::open(&run.folder, NoFaults::shared()).and_then(|folder| folder.list(".", FILES));
    let entries = listed.unwrap_or_default();
    entries
        .into_iter()
        .map(|entry| entry.path.into_string())
        .collect()
}
