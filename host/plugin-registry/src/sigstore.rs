//! Signatures of `cosign sign-blob --key`: bundles of sigstore, verified offline against pinned keys.
//!
//! Only what a pinned key can prove is checked: an ECDSA signature on P-256 over the component. Entries of transparency
//! logs are ignored, as they prove nothing more to whoever pinned the key. A bundle with a certificate instead of a key, or
//! with an attestation instead of a signature, counts as one by a key that nobody trusts.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::signature::{ECDSA_P256_SHA256_ASN1, UnparsedPublicKey};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

/// What a public key on P-256 begins with (`SubjectPublicKeyInfo` of RFC 5480): after it is the point, uncompressed.
const PREFIX: [u8; 26] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a,
    0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
];

/// Size of an uncompressed point on P-256.
const POINT_BYTES: usize = 65;

/// What the media type of every bundle begins with.
const MEDIA_TYPE: &str = "application/vnd.dev.sigstore.bundle";

/// A public key that `cosign generate-key-pair` makes.
#[derive(Debug, Clone)]
pub(crate) struct CosignKey {
    /// `SubjectPublicKeyInfo`.
    der: Vec<u8>,
}

impl CosignKey {
    /// Reads a `.pub` file, or its lines of base64 alone.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let lines = text.lines().map(str::trim);
        let base64: String = lines.filter(|line| !line.starts_with("-----")).collect();
        let der = STANDARD.decode(base64).ok()?;
        let is_p256 = der.starts_with(&PREFIX) && der.len() == PREFIX.len() + POINT_BYTES;
        is_p256.then_some(Self { der })
    }

    /// Returns the key in one line, as a setting or a lock has it.
    pub(crate) fn text(&self) -> String {
        STANDARD.encode(&self.der)
    }

    fn verifies(&self, component: &[u8], signature: &[u8]) -> bool {
        let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, &self.der[PREFIX.len()..]);
        key.verify(component, signature).is_ok()
    }

    /// Returns the name by which cosign refers to the key in a bundle.
    fn hint(&self) -> String {
        STANDARD.encode(Sha256::digest(&self.der))
    }
}

/// Result of checking a bundle with one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Checked {
    Verified,
    OtherKey,
    /// The key or the digest is named in the bundle, and the component is not the one that was signed.
    Wrong,
}

/// A bundle of sigstore, as far as it is read.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Bundle {
    media_type: String,
    verification_material: Material,
    message_signature: Option<MessageSignature>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Material {
    public_key: Option<KeyHint>,
}

#[derive(Debug, Deserialize)]
struct KeyHint {
    #[serde(default)]
    hint: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct MessageSignature {
    message_digest: Option<MessageDigest>,
    signature: String,
}

#[derive(Debug, Deserialize)]
struct MessageDigest {
    algorithm: String,
    digest: String,
}

impl Bundle {
    /// Reads a bundle; `None` if the text is none.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let bundle: Self = serde_json::from_str(text).ok()?;
        bundle.media_type.starts_with(MEDIA_TYPE).then_some(bundle)
    }

    /// Checks if the key signed the component.
    pub(crate) fn check(&self, component: &[u8], key: &CosignKey) -> Checked {
        let Some(signed) = &self.message_signature else {
            return Checked::OtherKey;
        };
        let is_other = |digest: &MessageDigest| {
            digest.algorithm == "SHA2_256"
                && digest.digest != STANDARD.encode(Sha256::digest(component))
        };
        if signed.message_digest.as_ref().is_some_and(is_other) {
            return Checked::Wrong;
        }
        let signature = STANDARD.decode(&signed.signature);
        if signature.is_ok_and(|signature| key.verifies(component, &signature)) {
            return Checked::Verified;
        }
        let named = self.verification_material.public_key.as_ref();
        match named.is_some_and(|named| named.hint == key.hint()) {
            true => Checked::Wrong,
            false => Checked::OtherKey,
        }
    }
}
