//! Measured savings. Each distinct answer is recorded once in a ledger with the files it replaces; tokens are counted
//! with the tokenizer when somebody asks. Nothing is estimated.

use std::collections::BTreeMap;
use std::time::Duration;

use acreta_text::count_tokens;
use camino::Utf8Path;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::ContextError;
use crate::answer::measures::{Latencies, Latency, reduction, share};
use crate::answer::response::{CacheStatus, Response};
use crate::artifact::store::ArtifactStore;

/// Maximum size of a ledger; a larger one is started over.
const LEDGER_BYTES: u64 = 512 * 1024;
/// Maximum size of a file that is counted.
const COUNTED_BYTES: u64 = 1024 * 1024;

/// Measured savings of one project.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Gain {
    pub project_root: String,
    /// Answers served.
    pub served: u64,
    /// Answers served from a usable artifact.
    pub hits: u64,
    pub hit_ratio: f64,
    /// Tokens of all answers.
    pub served_tokens: u64,
    /// Tokens of the files that the answers replace.
    pub file_tokens: u64,
    /// Saved tokens as a share of `file_tokens`.
    pub reduction: f64,
    /// Latency of answers from a usable artifact when nothing had changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hit_ms: Option<Latency>,
    /// Latency of answers from a usable artifact when files had changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delta_ms: Option<Latency>,
    /// Changed files as a share of all files, averaged over answers from a usable artifact.
    pub changed_ratio: f64,
}

#[derive(Debug, Serialize, Deserialize)]
struct LedgerLine {
    status: CacheStatus,
    /// Time the answer took; absent in ledgers of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    micros: Option<u64>,
    /// Number of changed files, and of all files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    changed: Option<(u64, u64)>,
    payload: u64,
    /// The answer itself, only the first time it is served.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    files: Vec<String>,
}

fn name(id: &str) -> String {
    format!("{id}.gain")
}

/// Records that an answer was served. Ignores failures: an answer must not fail because of its ledger.
pub(crate) fn record(store: &ArtifactStore, id: &str, response: &Response, took: Duration) {
    let ledger = store.directory().read(name(id), LEDGER_BYTES);
    let text = response.to_json();
    let payload = xxh3_64(text.as_bytes());
    let mark = format!("\"payload\":{payload},\"text\"");
    let is_known = match &ledger {
        Ok(bytes) => contains(bytes, mark.as_bytes()),
        Err(error) if error.is_not_found() => false,
        Err(_) => {
            // Too long or damaged: start over.
            let _ = store.directory().remove_file(name(id));
            false
        }
    };
    let delta = response.delta.as_ref();
    let line = LedgerLine {
        status: response.cache_status,
        micros: u64::try_from(took.as_micros()).ok(),
        changed: delta.map(|delta| (delta.changed(), response.stats.file_count)),
        payload,
        text: (!is_known).then_some(text),
        files: if is_known {
            Vec::new()
        } else {
            replaced_files(response)
        },
    };
    if let Ok(mut line) = serde_json::to_vec(&line) {
        line.push(b'\n');
        let _ = store.directory().append(name(id), &line);
    }
}

/// Computes the savings from the ledger.
pub(crate) fn measure(
    store: &ArtifactStore,
    id: &str,
    project: &Utf8Path,
    may_read: impl Fn(&str) -> bool,
) -> Result<Gain, ContextError> {
    let mut gain = Gain {
        project_root: project.to_string(),
        ..Gain::default()
    };
    let ledger = match store.directory().read(name(id), LEDGER_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if error.is_not_found() => return Ok(gain),
        Err(error) => return Err(error.into()),
    };
    let mut files: BTreeMap<String, u64> = BTreeMap::new();
    let mut payloads: BTreeMap<u64, (u64, u64)> = BTreeMap::new();
    let mut latencies = Latencies::default();
    for line in ledger.split(|byte| *byte == b'\n') {
        // Skip a line that a crash cut short.
        let Ok(line) = serde_json::from_slice::<LedgerLine>(line) else {
            continue;
        };
        if let Some(text) = &line.text {
            let of_files = line
                .files
                .iter()
                .map(|path| {
                    *files.entry(path.clone()).or_insert_with(|| {
                        if may_read(path) {
                            file_tokens(&project.join(path))
                        } else {
                            0
                        }
                    })
                })
                .sum();
            payloads.insert(line.payload, (count_tokens(text) as u64, of_files));
        }
        let Some((served, of_files)) = payloads.get(&line.payload) else {
            continue;
        };
        gain.served += 1;
        if line.status == CacheStatus::Hit {
            gain.hits += 1;
            latencies.add(line.changed, line.micros.map(Duration::from_micros));
        }
        gain.served_tokens += served;
        gain.file_tokens += of_files;
    }
    gain.reduction = reduction(gain.served_tokens, gain.file_tokens);
    gain.hit_ratio = share(gain.hits, gain.served);
    gain.hit_ms = latencies.hit();
    gain.delta_ms = latencies.delta();
    gain.changed_ratio = latencies.changed_ratio();
    Ok(gain)
}

/// Returns the files that an answer names, which an agent would otherwise have read.
pub(crate) fn replaced_files(response: &Response) -> Vec<String> {
    let mut files: Vec<String> = Vec::new();
    if let Some(slice) = &response.slice {
        files.extend(slice.entry_points.iter().map(|entry| entry.path.clone()));
        files.extend(slice.hot_paths.iter().map(|hot| hot.path.clone()));
        files.extend(slice.commands.iter().map(|command| command.path.clone()));
    }
    if let Some(matches) = &response.matches {
        files.extend(matches.iter().map(|found| found.path.clone()));
    }
    files.sort();
    files.dedup();
    files
}

pub(crate) fn file_tokens(path: &Utf8Path) -> u64 {
    let is_short = std::fs::symlink_metadata(path)
        .is_ok_and(|found| found.is_file() && found.len() <= COUNTED_BYTES);
    if !is_short {
        return 0;
    }
    std::fs::read(path).map_or(0, |bytes| {
        count_tokens(&String::from_utf8_lossy(&bytes)) as u64
    })
}

fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}
