//! Providers that accept no calls until a certain time, such as the end of a plan's limit. Stored beside the ledger, so
//! that no process asks earlier; a success clears the block.

use std::collections::BTreeMap;

use acreta_fs::{Directory, FsError};
use serde::{Deserialize, Serialize};

use crate::{Code, LlmError};

/// The blocks of all providers. A file that cannot be read blocks none.
#[derive(Default, Serialize, Deserialize)]
struct ProviderBlocks {
    /// By provider: end of the block in milliseconds since 1970, and the provider's message.
    providers: BTreeMap<String, ProviderBlock>,
}

#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct ProviderBlock {
    pub(crate) until_ms: u64,
    pub(crate) reason: String,
}

/// Returns an error if the provider is blocked at this time.
pub(crate) fn check(directory: &Directory, provider: &str, now_ms: u64) -> Result<(), LlmError> {
    let Some(block) = read(directory).providers.remove(provider) else {
        return Ok(());
    };
    if block.until_ms <= now_ms {
        return Ok(());
    }
    Err(LlmError::new(
        Code::RateLimited,
        "it accepts no calls yet, so it was not asked",
    )
    .because(block.reason)
    .retryable()
    .retry_at(block.until_ms))
}

/// Blocks a provider for all processes until a time. `reason` must be redacted already.
pub(crate) fn block(directory: &Directory, provider: &str, until_ms: u64, reason: &str) {
    change(directory, |blocks| {
        let block = ProviderBlock {
            until_ms,
            reason: reason.to_owned(),
        };
        blocks.providers.insert(provider.to_owned(), block);
        true
    });
}

/// Removes a provider's block.
pub(crate) fn clear(directory: &Directory, provider: &str) {
    // Usually there is no block, and then nothing is written.
    if read(directory).providers.contains_key(provider) {
        change(directory, |blocks| {
            blocks.providers.remove(provider).is_some()
        });
    }
}

/// Returns the blocks in force at this time, by provider.
pub(crate) fn current(directory: &Directory, now_ms: u64) -> Vec<(String, ProviderBlock)> {
    let blocks = read(directory).providers.into_iter();
    blocks
        .filter(|(_, block)| block.until_ms > now_ms)
        .collect()
}

const FILE: &str = "blocked.json";
const LOCK: &str = "blocked.lock";
const LOCK_WAIT: std::time::Duration = std::time::Duration::from_secs(2);
const MOST_BYTES: u64 = 256 * 1024;

fn read(directory: &Directory) -> ProviderBlocks {
    match directory.read(FILE, MOST_BYTES) {
        Ok(text) => serde_json::from_slice(&text).unwrap_or_default(),
        Err(FsError::NotFound { .. }) => ProviderBlocks::default(),
        Err(cause) => {
            tracing::warn!(%cause, "the limits of providers could not be read");
            ProviderBlocks::default()
        }
    }
}

/// Updates the file. If that fails, a provider is asked once too often, which does no harm.
fn change(directory: &Directory, change: impl FnOnce(&mut ProviderBlocks) -> bool) {
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
        tracing::warn!(%cause, "a provider's limit could not be recorded");
    }
}
