//! Replies that were paid for once. A reply is found by the digest of its question; a damaged or
//! missing file is a question asked again, and nothing is lost by deleting them all.

use acreta_fs::Directory;
use serde::{Deserialize, Serialize};

pub(crate) struct Cache {
    directory: Directory,
}

/// A reply that was checked and may be given again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Cached {
    digest: String,
    pub(crate) content: String,
    pub(crate) input_tokens: u64,
    pub(crate) output_tokens: u64,
}

impl Cache {
    pub(crate) fn new(directory: &Directory) -> Self {
        Self {
            directory: directory.private(),
        }
    }

    pub(crate) fn get(&self, digest: &str) -> Option<Cached> {
        let text = self.directory.read(path(digest), MOST_BYTES).ok()?;
        let cached: Cached = serde_json::from_slice(&text).ok()?;
        (cached.digest == digest).then_some(cached)
    }

    pub(crate) fn put(&self, digest: &str, content: &str, (input, output): (u64, u64)) {
        let cached = Cached {
            digest: digest.to_owned(),
            content: content.to_owned(),
            input_tokens: input,
            output_tokens: output,
        };
        let text = serde_json::to_vec(&cached).expect("text and numbers can be written as JSON");
        let path = path(digest);
        // A cache that cannot be written costs money later, but the reply is here now.
        let _ = self
            .directory
            .create_dir_all(folder(digest))
            .and_then(|()| self.directory.replace_unsynced(&path, &text));
    }
}

/// More than the longest reply that is taken.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// A folder for each first byte, so that none gets too full.
fn folder(digest: &str) -> &str {
    acreta_text::head(digest, 2)
}

fn path(digest: &str) -> String {
    format!("{}/{digest}.json", folder(digest))
}
