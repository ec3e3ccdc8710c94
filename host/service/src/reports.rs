//! What runs left behind in their folders. A folder may be gone, and a report damaged: then there is
//! nothing to tell.

use acreta_catalog::Run;
use acreta_fs::{Directory, NoFaults};
use serde_json::Value;

/// Largest report that is read.
const REPORT_BYTES: u64 = 64 * 1024 * 1024;

/// Most of a log that is read.
const LOG_BYTES: u64 = 8 * 1024 * 1024;

/// Most artifacts that are listed.
const FILES: u64 = 10_000;

/// The run's own report: what it did to memory.
pub fn report(run: &Run) -> Option<Value> {
    json(run, "memory_actions.json").or_else(|| json(run, "maintain_actions.json"))
}

/// One of its JSON artifacts.
pub fn json(run: &Run, name: &str) -> Option<Value> {
    let folder = Directory::open(&run.folder, NoFaults::shared()).ok()?;
    serde_json::from_slice(&folder.read(name, REPORT_BYTES).ok()?).ok()
}

/// The lines of one of its logs.
pub fn lines(run: &Run, name: &str) -> Vec<String> {
    let text = Directory::open(&run.folder, NoFaults::shared())
        .and_then(|folder| folder.read(name, LOG_BYTES))
        .unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    text.lines().map(ToOwned::to_owned).collect()
}

/// The names of its artifacts.
pub fn artifacts(run: &Run) -> Vec<String> {
    let listed =
        Directory::open(&run.folder, NoFaults::shared()).and_then(|folder| folder.list(".", FILES));
    let entries = listed.unwrap_or_default();
    entries
        .into_iter()
        .map(|entry| entry.path.into_string())
        .collect()
}
