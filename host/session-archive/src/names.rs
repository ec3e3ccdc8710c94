//! File names for ids: every id has a unique one, whatever its agent called it, and no name leads out of the archive.

use sha2::{Digest, Sha256};

/// Returns the file name of an id: the id itself if it is plain, otherwise `x-` and a digest of it.
pub(crate) fn safe_name(id: &str) -> String {
    if is_plain(id) {
        id.to_owned()
    } else {
        digest_name(id)
    }
}

/// Returns `x-` and the first half of the id's SHA-256.
pub(crate) fn digest_name(id: &str) -> String {
    format!("x-{}", acreta_text::hex(&Sha256::digest(id)[..16]))
}

fn is_plain(id: &str) -> bool {
    id.len() <= 128
        && id.starts_with(|first: char| first.is_ascii_alphanumeric())
        && id
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
        && !id.contains("..")
        && !id.ends_with('.')
        && !acreta_fs::is_device_name(id)
        && !is_digest_name(id)
}

/// Returns true if an id looks like the digest of another, with which it would collide.
fn is_digest_name(id: &str) -> bool {
    id.strip_prefix("x-")
        .is_some_and(|rest| rest.len() == 32 && rest.bytes().all(|byte| byte.is_ascii_hexdigit()))
}
