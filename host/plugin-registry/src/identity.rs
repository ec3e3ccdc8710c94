//! Plugin ids and digests. A [`PluginId`] is safe as a folder name, as a table name in a settings file and as a
//! command-line argument on every system; a [`Digest`] is always a SHA-256.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest as _, Sha256};

/// Id of a plugin: `[a-z0-9-]{2,64}`, except reserved words.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PluginId(String);

/// Reason why a text is not a valid plugin id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidId {
    #[error("`{}` is not a valid plugin id", shown(.0))]
    Malformed(String),
    #[error("the plugin id `{0}` is reserved")]
    Reserved(String),
}

/// A SHA-256 digest, written `sha256:` and 64 hex digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

/// A text that is not a valid digest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is not a digest", shown(.0))]
pub struct InvalidDigest(String);

impl PluginId {
    pub fn new(text: &str) -> Result<Self, InvalidId> {
        let plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
        let fits = (2..=64).contains(&text.len())
            && text.bytes().all(plain)
            // An argument that starts with `-` would be parsed as an option.
            && !text.starts_with('-');
        if !fits {
            return Err(InvalidId::Malformed(text.to_owned()));
        }
        if RESERVED.contains(&text) || is_device(text) {
            return Err(InvalidId::Reserved(text.to_owned()));
        }
        Ok(Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl InvalidId {
    /// Returns advice on how to resolve the error.
    pub fn hint(&self) -> String {
        match self {
            InvalidId::Malformed(_) => {
                "an id has 2 to 64 lower-case letters, digits and hyphens, such as `adapter-mine`"
            }
            InvalidId::Reserved(_) => "choose another one, such as `adapter-mine`",
        }
        .to_owned()
    }
}

/// Words with another meaning in settings, evidence or commands.
const RESERVED: &[&str] = &[
    "acreta", "all", "auto", "built-in", "builtin", "default", "global", "host", "import", "none",
    "person", "project",
];

/// Returns true for names that cannot be folders on Windows.
fn is_device(text: &str) -> bool {
    let numbered = |prefix: &str| {
        text.strip_prefix(prefix)
            .is_some_and(|number| matches!(number.as_bytes(), [b'0'..=b'9']))
    };
    matches!(text, "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt")
}

impl Digest {
    /// Computes the digest of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Wraps a digest that was computed incrementally.
    pub(crate) fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the 64 hex digits without a prefix.
    pub fn hex(&self) -> String {
        acreta_text::hex(&self.0)
    }

    /// Parses 64 lower-case hex digits.
    pub fn from_hex(text: &str) -> Result<Self, InvalidDigest> {
        let invalid = || InvalidDigest(text.to_owned());
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        if pairs.len() != 32 || !rest.is_empty() {
            return Err(invalid());
        }
        let mut bytes = [0; 32];
        for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
            let digits = digit(*high).zip(digit(*low));
            let (high, low) = digits.ok_or_else(invalid)?;
            *byte = high << 4 | low;
        }
        Ok(Self(bytes))
    }
}

fn digit(character: u8) -> Option<u8> {
    match character {
        b'0'..=b'9' => Some(character - b'0'),
        b'a'..=b'f' => Some(character - b'a' + 10),
        _ => None,
    }
}

impl FromStr for Digest {
    type Err = InvalidDigest;

    fn from_str(text: &str) -> Result<Self, InvalidDigest> {
        let hex = text.strip_prefix("sha256:");
        Self::from_hex(hex.ok_or_else(|| InvalidDigest(text.to_owned()))?)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "sha256:{}", self.hex())
    }
}

impl fmt::Display for PluginId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl AsRef<str> for PluginId {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

/// Returns the start of untrusted text, escaped for a message.
pub(crate) fn shown(text: &str) -> String {
    let head = acreta_text::head(text, 80);
    let visible = acreta_text::visible(head).replace('\n', "\\n");
    if head.len() < text.len() {
        format!("{visible}…")
    } else {
        visible
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_plain_short_and_free() {
        let longest = "x".repeat(64);
        for id in ["a1", "adapter-mine", "7zip", longest.as_str()] {
            assert_eq!(PluginId::new(id).unwrap().as_str(), id);
        }
        let too_long = "x".repeat(65);
        for id in [
            "",
            "a",
            "Adapter",
            "a_b",
            "a.b",
            "a/b",
            "..",
            "-x",
            "a b",
            "ä1",
            too_long.as_str(),
        ] {
            assert!(
                matches!(PluginId::new(id), Err(InvalidId::Malformed(_))),
                "{id}"
            );
        }
        for id in ["auto", "person", "con", "com1", "lpt9"] {
            assert!(
                matches!(PluginId::new(id), Err(InvalidId::Reserved(_))),
                "{id}"
            );
        }
    }

    #[test]
    fn a_digest_is_read_as_it_is_written() {
        let digest = Digest::of(b"");
        let text = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(digest.to_string(), text);
        assert_eq!(text.parse(), Ok(digest));
        for wrong in ["", "sha256:", &text[..70], &text[7..], &text.to_uppercase()] {
            assert!(wrong.parse::<Digest>().is_err(), "{wrong}");
        }
    }
}
