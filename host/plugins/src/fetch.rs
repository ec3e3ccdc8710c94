//! Bringing a plugin here: manifest, component and signature, whole or not at all. Nothing is
//! written and nothing is believed: what comes from here is looked at before it is installed.

mod disk;
mod download;
mod http;
mod oci;

use std::time::Duration;

use acreta_fs::FsError;
use camino::Utf8PathBuf;

pub use download::{KnownFile, download};

use crate::identity::Digest;
use crate::source::{InvalidSource, Source};

/// How long to wait for other machines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FetchOptions {
    pub connect_timeout: Duration,
    /// For one file.
    pub timeout: Duration,
}

impl Default for FetchOptions {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(10),
            timeout: Duration::from_secs(300),
        }
    }
}

/// A plugin as it was found.
#[derive(Debug, Clone)]
pub struct Fetched {
    pub(crate) source: Source,
    /// What the tag of a reference stood for.
    pub(crate) resolved: Option<Digest>,
    pub(crate) manifest: FetchedManifest,
    pub(crate) component: Vec<u8>,
    pub(crate) signature: Option<String>,
    pub(crate) kind: FetchedKind,
}

#[derive(Debug, Clone)]
pub(crate) struct FetchedManifest {
    /// Path or address, for messages.
    pub(crate) place: Utf8PathBuf,
    pub(crate) text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FetchedKind {
    /// Somebody works on it here: its manifest need not know the digest.
    SourceTree,
    /// Files at an address: only the manifest's digest says that they belong together.
    Published,
    /// From a registry, which vouches for each file by its digest.
    Registry,
}

/// A plugin that could not be brought here whole.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    #[error(transparent)]
    Fs(#[from] FsError),
    #[error(transparent)]
    Manifest(#[from] crate::table::FileError),
    #[error("there is no `plugin.toml` at `{place}`")]
    NoManifest { place: String },
    #[error("`{place}` is of the component `{named}`, not of `{wanted}`")]
    OtherComponent {
        place: String,
        named: String,
        wanted: String,
    },
    #[error("`{url}` could not be reached")]
    Unreached {
        url: String,
        #[source]
        cause: Box<ureq::Error>,
    },
    #[error("`{url}` took too long")]
    Timeout { url: String },
    #[error("the download of `{url}` broke off{}", of_bytes(.expected, .received))]
    HalfDownload {
        url: String,
        expected: Option<u64>,
        received: u64,
    },
    #[error("`{url}` is larger than {allowed} bytes")]
    TooLarge { url: String, allowed: u64 },
    #[error("`{url}` answered with status {status}")]
    Status { url: String, status: u16 },
    #[error("`{url}` leads elsewhere, and that is not followed: {problem}")]
    Redirect { url: String, problem: String },
    #[error("could not read `{path}`")]
    Unread {
        path: Utf8PathBuf,
        #[source]
        cause: std::io::Error,
    },
    #[error("`{url}` is not text")]
    NotText { url: String },
    #[error(
        "{what} of `{reference}` is not what its digest says: {expected} was promised, {found} came"
    )]
    Digest {
        reference: String,
        what: &'static str,
        expected: Digest,
        found: Digest,
    },
    #[error("`{reference}` is no plugin: {problem}")]
    NotPlugin { reference: String, problem: String },
    #[error("the registry of `{reference}` does not let us in: {problem}")]
    Denied { reference: String, problem: String },
    #[error(transparent)]
    Source(#[from] InvalidSource),
}

impl FetchError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            FetchError::Fs(error) if error.is_not_found() => "check the path",
            FetchError::Fs(_) | FetchError::Unread { .. } => return None,
            FetchError::Manifest(error) => return Some(error.hint()),
            FetchError::NoManifest { .. } => {
                "a plugin is a component with a `plugin.toml` beside it; `acreta plugin new` makes one"
            }
            FetchError::OtherComponent { .. } => {
                "install the file that `component` names, or correct it"
            }
            FetchError::Unreached { .. } => "check the address and the connection",
            FetchError::Timeout { .. } | FetchError::HalfDownload { .. } => {
                "nothing was installed; try again"
            }
            FetchError::TooLarge { .. } => {
                "a component has at most 128 MiB; strip its debug information"
            }
            FetchError::Status { .. } => "check the address; it must be readable without a login",
            FetchError::Redirect { .. } => "give the address that it leads to, if you trust it",
            FetchError::NotText { .. } => "check the address",
            FetchError::Digest { .. } => "nothing was installed; tell whoever runs the registry",
            FetchError::NotPlugin { .. } => {
                "a plugin has one layer `application/wasm` and one titled `plugin.toml`, as `oras push REFERENCE NAME.wasm:application/wasm plugin.toml:application/toml` makes it"
            }
            FetchError::Denied { .. } => {
                "only what can be pulled without a login can be installed; pull it yourself and install the folder"
            }
            FetchError::Source(error) => error.hint,
        };
        Some(hint.to_owned())
    }
}

/// Brings a plugin here from wherever it is.
pub fn fetch(source: &Source, options: &FetchOptions) -> Result<Fetched, FetchError> {
    match source {
        Source::File(path) => disk::file(path),
        Source::Folder(path) => disk::folder(path),
        Source::Url(address) => http::fetch(address, options),
        Source::Oci(reference) => oci::fetch(reference, options),
    }
}

impl Fetched {
    pub fn source(&self) -> &Source {
        &self.source
    }

    pub fn component(&self) -> &[u8] {
        &self.component
    }
}

/// Most bytes of a component, of a manifest and of a signature.
pub(crate) const COMPONENT_BYTES: u64 = crate::inspect::MAX_BYTES as u64;
pub(crate) const MANIFEST_BYTES: u64 = 256 * 1024;
pub(crate) const SIGNATURE_BYTES: u64 = 16 * 1024;

/// The name of a component's signature.
pub(crate) fn signature_name(component: &str) -> String {
    format!("{component}.minisig")
}

fn of_bytes(expected: &Option<u64>, received: &u64) -> String {
    match expected {
        Some(expected) => format!(" after {received} of {expected} bytes"),
        None => format!(" after {received} bytes"),
    }
}
