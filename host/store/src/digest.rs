//! SHA-256 in hex, the store's content id.

use sha2::{Digest, Sha256};

/// Returns the SHA-256 of `bytes` as 64 lower-case hex digits.
pub fn digest(bytes: impl AsRef<[u8]>) -> String {
    acreta_text::hex(&Sha256::digest(bytes.as_ref()))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_digest_of_nothing_is_well_known() {
        assert_eq!(
            super::digest(""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
    }
}
