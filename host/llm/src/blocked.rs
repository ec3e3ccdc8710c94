//! Providers that take no calls until a certain time, such as the end of a plan's limit. Kept beside
//! the spending, so that no process asks one of them before; a success clears it.

use std::collections::BTreeMap;

use acreta_fs::{Directory, FsError};
use serde::{Deserialize, Serialize};

use crate::{Code, LlmError};

/// What is known of all providers. A file that cannot be read blocks nobody.
#[derive(Default, Serialize, Deserialize)]
struct Blocks {
    /// By provider: until when, in milliseconds since 1970, and what it said.
    providers: BTreeMap<String, Block>,
}

#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Block {
    pub(crate) until_ms: u64,
    pub(crate) reason: String,
}

/// Fails if the provider is blocked at this time.
pub(crate) fn check(directory: &Directory, provider: &str, now_ms: u64) -> Result<(), LlmError> {
    let Some(block) = read(directory).providers.remove(provider) else {
        return Ok(());
    };
    if block.until_ms <= now_ms {
        return Ok(());
    }
    Err(LlmError::new(
        Code::RateLimited,
        "it takes no calls yet, so it was not asked",
    )
    .because(block.reason)
    .retryable()
    .retry_at(block.until_ms))
}

/// Keeps everybody from asking the provider before a time. `reason` must be clean already.
pub(crate) fn block(directory: &Directory, provider: &str, until_ms: u64, reason: &str) {
    change(directory, |blocks| {
        let block = Block {
            until_ms,
            reason: reason.to_owned(),
        };
        blocks.providers.insert(provider.to_owned(), block);
        true
    });
}

/// Lets the provider be asked again.
pub(crate) fn clear(directory: &Directory, provider: &str) {
    // Mostly there is nothing to clear, and then nothing is written.
    if read(directory).providers.contains_key(provider) {
        change(directory, |blocks| {
            blocks.providers.remove(provider).is_some()
        });
    }
}

/// Those that are blocked at this time, by provider.
pub(crate) fn current(directory: &Directory, now_ms: u64) -> Vec<(String, Block)> {
    let blocks = read(directory).providers.into_iter();
    blocks
        .filter(|(_, block)| block.until_ms > now_ms)
        .collect()
}

const FILE: &str = "blocked.json";
const LOCK: &str = "blocked.lock";
const LOCK_WAIT: std::time::Duration = std::time::Duration::from_secs(2);
const MOST_BYTES: u64 = 256 * 1024;

fn read(directory: &Directory) -> Blocks {
    match directory.read(FILE, MOST_BYTES) {
        Ok(text) => serde_json::from_slice(&text).unwrap_or_default(),
        Err(FsError::NotFound { .. }) => Blocks::default(),
        Err(cause) => {
            tracing::warn!(%cause, "the limits of providers could not be read");
            Blocks::default()
        }
    }
}

/// Changes the file. If that fails, a provider is asked once too often, which it survives.
fn change(directory: &Directory, change: impl FnOnce(&mut Blocks) -> bool) {
    let directory = directory.private();
    let Ok(_lock) = directory.lock(LOCK, LOCK_WAIT) else {
        return;
    };
    let mut blocks = read(&directory);
    if !change(&mut blocks) {
        return;
    }
    let text = serde_json::to_string(&blocks).unwrap_or_default();
    if let Err(cause) = directory.replace(FILE, text.as_bytes()) {
        tracing::warn!(%cause, "the limit of a provider could not be written down");
    }
}
