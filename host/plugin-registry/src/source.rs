//! Sources of plugins: a file, a folder, a URL, a registry reference. Written in one line, as a person types it and a
//! lock stores it; it never contains a secret.

use std::fmt;

use camino::Utf8PathBuf;
use ureq::http::Uri;

use crate::identity::{Digest, shown};
use crate::manifest::MANIFEST;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A `.wasm` file with its manifest beside it.
    File(Utf8PathBuf),
    /// A folder with a manifest.
    Folder(Utf8PathBuf),
    /// URL of a component or of a manifest, with the other file beside it.
    Url(Address),
    Oci(OciReference),
}

/// An allowed URL: encrypted, or on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address(String);

/// `oci://registry/name:tag` or `oci://registry/name@sha256:…`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OciReference {
    pub registry: String,
    pub name: String,
    pub version: OciVersion,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OciVersion {
    Tag(String),
    Digest(Digest),
}

/// A text that is not a valid source.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{}` {reason}", shown(.text))]
pub struct InvalidSource {
    pub text: String,
    pub reason: &'static str,
    pub hint: &'static str,
}

impl Source {
    /// Parses a source without accessing the disk.
    pub fn parse(text: &str) -> Result<Self, InvalidSource> {
        if text.starts_with("https://") || text.starts_with("http://") {
            let address = Address::parse(text)?;
            if !text.ends_with(".wasm") && !text.ends_with(&format!("/{MANIFEST}")) {
                return Err(invalid(text, "is not the address of a plugin", URL_HINT));
            }
            return Ok(Source::Url(address));
        }
        if let Some(reference) = text.strip_prefix("oci://") {
            let reference = reference_of(reference);
            let reference =
                reference.ok_or_else(|| invalid(text, "is not a reference", OCI_HINT))?;
            // Validates the host like that of any URL.
            Address::parse(&format!("{}/v2/", reference.base()))?;
            return Ok(Source::Oci(reference));
        }
        if text.contains("://") {
            return Err(invalid(text, "is not of a known kind", KINDS_HINT));
        }
        if text.is_empty() || text.contains(['\0', '\n']) {
            return Err(invalid(text, "is not a path", KINDS_HINT));
        }
        let path = Utf8PathBuf::from(text);
        if path.extension() == Some("wasm") {
            return Ok(Source::File(path));
        }
        if path.file_name() == Some(MANIFEST) {
            let folder = path.parent().filter(|folder| !folder.as_str().is_empty());
            return Ok(Source::Folder(folder.map_or(".".into(), ToOwned::to_owned)));
        }
        Ok(Source::Folder(path))
    }
}

impl Address {
    /// Parses `https`, or `http` to this machine; rejects a password, query or fragment.
    pub fn parse(text: &str) -> Result<Self, InvalidSource> {
        let address = Self::with_query(text)?;
        if text.contains(['?', '#']) {
            return Err(invalid(
                text,
                "has a query or a fragment",
                "give the plain address",
            ));
        }
        Ok(address)
    }

    /// Parses a URL that a server returned, which may have a query.
    pub(crate) fn with_query(text: &str) -> Result<Self, InvalidSource> {
        let uri: Option<Uri> = text.parse().ok();
        let uri = uri.filter(|uri| {
            matches!(uri.scheme_str(), Some("http" | "https"))
                && uri.host().is_some_and(|host| !host.is_empty())
        });
        let Some(uri) = uri else {
            return Err(invalid(text, "is not an address", URL_HINT));
        };
        if uri
            .authority()
            .is_some_and(|place| place.as_str().contains('@'))
        {
            let hint = "an address is written down in the lock; leave the password out";
            return Err(InvalidSource {
                text: uri.host().unwrap_or_default().to_owned(),
                reason: "is given with a user or a password",
                hint,
            });
        }
        let address = Self(text.to_owned());
        if uri.scheme_str() == Some("http") && !address.is_this_machine() {
            let hint = "use `https`; plain `http` is for this machine alone";
            return Err(invalid(text, "is not encrypted", hint));
        }
        Ok(address)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the URL of another file in the same folder.
    pub(crate) fn beside(&self, name: &str) -> Self {
        let folder = self.0.rsplit_once('/').map_or("", |(folder, _)| folder);
        Self(format!("{folder}/{name}"))
    }

    /// Returns the last component of its path.
    pub(crate) fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or_default()
    }

    /// Returns host and port.
    pub(crate) fn place(&self) -> String {
        let uri: Option<Uri> = self.0.parse().ok();
        let authority = uri.as_ref().and_then(Uri::authority);
        authority.map_or_else(String::new, |place| place.as_str().to_lowercase())
    }

    pub(crate) fn is_encrypted(&self) -> bool {
        self.0.starts_with("https://")
    }

    fn is_this_machine(&self) -> bool {
        is_this_machine(&self.place())
    }

    /// Resolves a redirect: to an encrypted URL, or from this machine to itself.
    pub(crate) fn redirected(&self, location: &str) -> Result<Self, InvalidSource> {
        let absolute = if location.starts_with('/') && !location.starts_with("//") {
            let scheme = if self.is_encrypted() { "https" } else { "http" };
            format!("{scheme}://{}{location}", self.place())
        } else {
            location.to_owned()
        };
        let next = Self::with_query(&absolute)?;
        if !next.is_encrypted() && self.is_encrypted() {
            let hint = "the server must redirect to `https` alone";
            return Err(invalid(&absolute, "is not encrypted", hint));
        }
        Ok(next)
    }
}

impl OciReference {
    /// Returns the registry's URL, without a trailing slash.
    pub(crate) fn base(&self) -> String {
        let scheme = if is_this_machine(&self.registry) {
            "http"
        } else {
            "https"
        };
        let host = match self.registry.as_str() {
            // The hub of Docker answers under another name than its references have.
            "docker.io" | "index.docker.io" => "registry-1.docker.io",
            host => host,
        };
        format!("{scheme}://{host}")
    }
}

const URL_HINT: &str = "give the `https` address of a `.wasm` file or of its `plugin.toml`";
const OCI_HINT: &str = "write `oci://registry/name:tag` or `oci://registry/name@sha256:…`";
const KINDS_HINT: &str =
    "a plugin is a `.wasm` file, a folder, an `https` address or an `oci://` reference";

fn invalid(text: &str, reason: &'static str, hint: &'static str) -> InvalidSource {
    InvalidSource {
        text: text.to_owned(),
        reason,
        hint,
    }
}

fn reference_of(text: &str) -> Option<OciReference> {
    let (registry, rest) = text.split_once('/')?;
    let (name, version) = match rest.split_once('@') {
        Some((name, digest)) => (name, OciVersion::Digest(digest.parse().ok()?)),
        None => {
            let (name, tag) = rest.rsplit_once(':')?;
            (
                name,
                OciVersion::Tag(Some(tag).filter(|tag| is_tag(tag))?.to_owned()),
            )
        }
    };
    let host = |byte: u8| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte);
    let is_host = !registry.is_empty() && registry.bytes().all(host);
    (is_host && is_repository(name)).then(|| OciReference {
        registry: registry.to_lowercase(),
        name: name.to_owned(),
        version,
    })
}

fn is_repository(name: &str) -> bool {
    let part = |part: &str| {
        let edge = |byte: Option<u8>| {
            byte.is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        };
        let inner =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"._-".contains(&byte);
        edge(part.bytes().next()) && edge(part.bytes().last()) && part.bytes().all(inner)
    };
    name.len() <= 255 && name.split('/').all(part)
}

fn is_tag(tag: &str) -> bool {
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    tag.len() <= 128
        && tag.bytes().next().is_some_and(word)
        && tag
            .bytes()
            .all(|byte| word(byte) || byte == b'.' || byte == b'-')
}

/// Returns true if a host, with or without a port, is this machine.
fn is_this_machine(place: &str) -> bool {
    let host = match place.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => place.split(':').next().unwrap_or_default(),
    };
    let address: Option<std::net::IpAddr> = host.parse().ok();
    host == "localhost" || address.is_some_and(|address| address.is_loopback())
}

impl fmt::Display for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::File(path) | Source::Folder(path) => formatter.write_str(path.as_str()),
            Source::Url(address) => formatter.write_str(address.as_str()),
            Source::Oci(reference) => reference.fmt(formatter),
        }
    }
}

impl fmt::Display for OciReference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "oci://{}/{}", self.registry, self.name)?;
        match &self.version {
            OciVersion::Tag(tag) => write!(formatter, ":{tag}"),
            OciVersion::Digest(digest) => write!(formatter, "@{digest}"),
        }
    }
}
