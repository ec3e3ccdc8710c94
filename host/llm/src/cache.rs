//! Cached replies. A reply is stored under the digest of its request; if the file is missing or damaged, the request is
//! sent again. Deleting the cache loses nothing else.

use acreta_fs::Directory;
use serde::{Deserialize, Serialize};

pub(crate) struct Cache {
    directory: Directory,
}

/// A checked reply that may be reused.
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
        // If the cache cannot be written, the request costs money again later, but the reply is valid.
        let _ = self
            .directory
            .create_dir_all(folder(digest))
            .and_then(|()| self.directory.replace_unsynced(&path, &text));
    }
}

/// Larger than the longest accepted reply.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// Returns the folder for a digest: one per first byte, which keeps folders small.
fn folder(digest: &str) -> &str {
    acreta_text::head(digest, 2)
}

fn path(digest: &str) -> String {
    format!("{}/{digest}.json", folder(digest))
}
