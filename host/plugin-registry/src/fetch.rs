//! Fetches a plugin: manifest, component and signature, completely or not at all. Nothing is written and nothing is
//! trusted: the result is inspected before it is installed.

mod disk;
mod download;
mod http;
mod login;
mod oci;
mod push;

use std::time::Duration;

use acreta_fs::FsError;
use camino::Utf8PathBuf;
use semver::Version;

pub use download::{KnownFile, download};
pub use http::fetch_text;
pub use login::{Login, LoginSource, login_of};
pub use oci::{resolve, tags};
pub use push::{Pushed, push};

use crate::embedded::{Embedded, InvalidSections, embedded};
use crate::identity::Digest;
use crate::manifest::Manifest;
use crate::source::{InvalidSource, Source};
use crate::table::FileError;

/// Network timeouts, and the login at the registry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchOptions {
    pub connect_timeout: Duration,
    /// Timeout for one file.
    pub timeout: Duration,
    /// Used at the registry of the reference alone.
    pub login: Option<Login>,
}

impl Default for FetchOptions {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(10),
            timeout: Duration::from_secs(300),
            login: None,
        }
    }
}

/// A fetched plugin.
#[derive(Debug, Clone)]
pub struct Fetched {
    pub(crate) source: Source,
    /// Digest that the tag of a reference resolved to.
    pub(crate) resolved: Option<Digest>,
    /// The manifest in the component, or the one beside it if it has none.
    pub(crate) manifest: FetchedManifest,
    /// The manifest beside a component that has its own: both must say the same.
    pub(crate) beside: Option<FetchedManifest>,
    pub(crate) component: Vec<u8>,
    pub(crate) signature: Option<String>,
    pub(crate) kind: FetchedKind,
}

#[derive(Debug, Clone)]
pub(crate) struct FetchedManifest {
    /// Path or URL, for messages.
    pub(crate) place: Utf8PathBuf,
    pub(crate) text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FetchedKind {
    /// A local folder, or a component with its manifest inside: the manifest may lack the digest.
    SourceTree,
    /// Files at a URL: only the manifest's digest shows that they belong together.
    Published,
    /// A registry, which identifies each file by its digest.
    Registry,
}

/// A plugin could not be fetched completely.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    #[error(transparent)]
    Fs(#[from] FsError),
    #[error(transparent)]
    Manifest(#[from] FileError),
    #[error("no `plugin.toml` found at `{place}`, and none is in the component")]
    NoManifest { place: String },
    #[error("the component of `{place}` is refused: {cause}")]
    Sections {
        place: String,
        cause: InvalidSections,
    },
    #[error("the tag of `{reference}` exists and names {found}, not {pushed}")]
    TagTaken {
        reference: String,
        found: Digest,
        pushed: Digest,
    },
    #[error("`{reference}` cannot be pushed to: it names no tag")]
    NoTag { reference: String },
    #[error("`{place}` is for the component `{named}`, not for `{wanted}`")]
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
    #[error("the download of `{url}` was interrupted{}", of_bytes(.expected, .received))]
    HalfDownload {
        url: String,
        expected: Option<u64>,
        received: u64,
    },
    #[error("`{url}` is larger than {allowed} bytes")]
    TooLarge { url: String, allowed: u64 },
    #[error("`{url}` answered with status {status}")]
    Status { url: String, status: u16 },
    #[error("`{url}` redirects to an address that is not allowed: {problem}")]
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
        "{what} of `{reference}` does not match its digest: expected {expected}, found {found}"
    )]
    Digest {
        reference: String,
        what: &'static str,
        expected: Digest,
        found: Digest,
    },
    #[error("`{reference}` is not a plugin: {problem}")]
    NotPlugin { reference: String, problem: String },
    #[error("the registry of `{reference}` denied access: {problem}")]
    Denied { reference: String, problem: String },
    #[error(transparent)]
    Source(#[from] InvalidSource),
}

impl FetchError {
    /// Returns advice on how to resolve the error.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            FetchError::Fs(error) if error.is_not_found() => "check the path",
            FetchError::Fs(_) | FetchError::Unread { .. } => return None,
            FetchError::Manifest(error) => return Some(error.hint()),
            FetchError::NoManifest { .. } => {
                "a plugin is a component with its manifest inside, as `acreta plugin build` makes it, or with a `plugin.toml` beside it; `acreta plugin new` makes a project of one"
            }
            FetchError::Sections { .. } => {
                "its author builds it again with `acreta plugin build`; do not install this one"
            }
            FetchError::TagTaken { .. } => {
                "push a new version under a new tag; `--replace` moves the tag, and everybody who installed it is asked"
            }
            FetchError::NoTag { .. } => "write `oci://registry/name:tag`",
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
            FetchError::Redirect { .. } => "use the target address directly if you trust it",
            FetchError::NotText { .. } => "check the address",
            FetchError::Digest { .. } => {
                "nothing was installed; report this to the operator of the registry"
            }
            FetchError::NotPlugin { .. } => {
                "a plugin has one layer `application/wasm`, as `acreta plugin push` and `wkg oci push` make it; its manifest is in the component, or in a layer titled `plugin.toml`"
            }
            FetchError::Denied { .. } => {
                "log in with `docker login REGISTRY` (or `podman login`, `oras login`); acreta reads the same files and helpers"
            }
            FetchError::Source(error) => error.hint,
        };
        Some(hint.to_owned())
    }
}

/// Fetches a plugin from any kind of source.
pub fn fetch(source: &Source, options: &FetchOptions) -> Result<Fetched, FetchError> {
    match source {
        Source::File(path) => disk::file(path),
        Source::Folder(path) => disk::folder(path),
        Source::Url(address) => http::fetch(address, options),
        Source::Oci(reference) => oci::fetch(reference, options),
    }
}

/// Reads what a component from `place` says about itself.
fn embedded_in(component: &[u8], place: &str) -> Result<Embedded, FetchError> {
    embedded(component).map_err(|cause| FetchError::Sections {
        place: place.to_owned(),
        cause,
    })
}

/// Decides which manifest counts: the one in the component if it has one.
fn assembled(
    source: Source,
    component: Vec<u8>,
    beside: Option<FetchedManifest>,
    signature: Option<String>,
    kind: FetchedKind,
) -> Result<Fetched, FetchError> {
    let place = source.to_string();
    let embedded = embedded_in(&component, &place)?;
    let (manifest, beside, kind) = match (embedded.manifest, beside) {
        (Some(text), beside) => {
            let place = place.into();
            let manifest = FetchedManifest { place, text };
            (manifest, beside, FetchedKind::SourceTree)
        }
        (None, Some(beside)) => (beside, None, kind),
        (None, None) => return Err(FetchError::NoManifest { place }),
    };
    Ok(Fetched {
        source,
        resolved: None,
        manifest,
        beside,
        component,
        signature,
        kind,
    })
}

impl Fetched {
    /// Returns the version that its manifest says.
    pub fn version(&self) -> Result<Version, FileError> {
        let FetchedManifest { place, text } = &self.manifest;
        Ok(Manifest::parse(place, text)?.version)
    }

    pub fn signature(&self) -> Option<&str> {
        self.signature.as_deref()
    }

    pub fn source(&self) -> &Source {
        &self.source
    }

    pub fn component(&self) -> &[u8] {
        &self.component
    }
}

/// Maximum sizes of a component and a signature.
pub(crate) const COMPONENT_BYTES: u64 = crate::inspect::MAX_BYTES as u64;
pub(crate) const SIGNATURE_BYTES: u64 = 16 * 1024;

/// Returns the names that a component's signature may have: of minisign, and of cosign.
pub fn signature_names(component: &str) -> [String; 2] {
    ["minisig", "sigstore.json"].map(|kind| format!("{component}.{kind}"))
}

fn of_bytes(expected: &Option<u64>, received: &u64) -> String {
    match expected {
        Some(expected) => format!(" after {received} of {expected} bytes"),
        None => format!(" after {received} bytes"),
    }
}
