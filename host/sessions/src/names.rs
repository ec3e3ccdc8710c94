//! Names of files for ids: every id has one of its own, whatever its agent called it, and no name
//! leads out of the archive.

use sha2::{Digest, Sha256};

/// An id as a file name: itself when it is a plain one, otherwise `x-` and a digest of it.
pub(crate) fn safe_name(id: &str) -> String {
    if is_plain(id) {
        id.to_owned()
    } else {
        digest_name(id)
    }
}

/// `x-` and the first half of the id's SHA-256.
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
        && !is_device(id)
        && !is_digest_name(id)
}

/// Names that Windows gives to devices, with any extension.
fn is_device(id: &str) -> bool {
    let stem = id.split('.').next().unwrap_or(id).to_ascii_uppercase();
    match stem.as_str() {
        "CON" | "PRN" | "AUX" | "NUL" => true,
        _ => matches!(
            stem.as_bytes(),
            [b'C', b'O', b'M', b'0'..=b'9'] | [b'L', b'P', b'T', b'0'..=b'9']
        ),
    }
}

/// Reports whether an id looks like the digest of another, which it would then collide with.
fn is_digest_name(id: &str) -> bool {
    id.strip_prefix("x-")
        .is_some_and(|rest| rest.len() == 32 && rest.bytes().all(|byte| byte.is_ascii_hexdigit()))
}
