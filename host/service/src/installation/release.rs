//! A folder of releases: `release.json` names the newest version and one archive for each target, with size and digest.
//! The folder is a URL (encrypted, or on this machine) or a `file://` path.

use std::collections::BTreeMap;

use acreta_fs::{Directory, NoFaults, is_relative_path};
use acreta_plugin_registry::{
    Address, Digest, FetchError, FetchOptions, KnownFile, download, fetch_text,
};
use camino::{Utf8Path, Utf8PathBuf};
use semver::Version;
use serde::Deserialize;

use crate::{Failure, Kind};

const MANIFEST: &str = "release.json";
const MANIFEST_BYTES: u64 = 256 * 1024;
/// The largest archive that is read.
const ARCHIVE_BYTES: u64 = 256 * 1024 * 1024;

/// The newest release.
#[derive(Debug, Deserialize)]
#[serde(try_from = "ReleaseFile")]
pub(super) struct Release {
    pub(super) version: Version,
    /// By target.
    pub(super) archives: BTreeMap<String, Archive>,
}

/// `release.json` as it is written.
#[derive(Deserialize)]
struct ReleaseFile {
    version: String,
    archives: BTreeMap<String, Archive>,
}

impl TryFrom<ReleaseFile> for Release {
    type Error = semver::Error;

    fn try_from(file: ReleaseFile) -> Result<Self, semver::Error> {
        Ok(Self {
            version: file.version.parse()?,
            archives: file.archives,
        })
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct Archive {
    pub(super) name: String,
    bytes: u64,
    sha256: String,
}

/// Where releases are.
#[derive(Debug)]
pub(super) enum Source {
    Url(String),
    Folder(Utf8PathBuf),
}

impl Source {
    pub(super) fn parse(url: &str) -> Result<Self, Failure> {
        let url = url.trim_end_matches('/');
        if let Some(path) = url.strip_prefix("file://") {
            return Ok(Source::Folder(path.into()));
        }
        let source = Source::Url(url.to_owned());
        source.address(MANIFEST)?;
        Ok(source)
    }

    fn address(&self, name: &str) -> Result<Address, Failure> {
        Address::parse(&self.shown(name))
            .map_err(|error| Failure::new(Kind::Usage, error.to_string()).hint(error.hint))
    }

    pub(super) fn shown(&self, name: &str) -> String {
        match self {
            Source::Url(url) => format!("{url}/{name}"),
            Source::Folder(folder) => format!("{folder}/{name}"),
        }
    }

    /// Returns the newest release.
    pub(super) fn newest(&self) -> Result<Release, Failure> {
        let text = match self {
            Source::Folder(folder) => {
                let folder = Directory::open(folder, NoFaults::shared())?;
                folder.read_to_string(MANIFEST, MANIFEST_BYTES)?
            }
            Source::Url(_) => {
                let address = self.address(MANIFEST)?;
                let options = FetchOptions::default();
                let text = fetch_text(&address, MANIFEST_BYTES, &options).map_err(failure)?;
                text.ok_or_else(|| {
                    let message = format!("there is no `{}`", address.as_str());
                    Failure::new(Kind::Missing, message).hint("check the address of the releases")
                })?
            }
        };
        let release: Release = serde_json::from_str(&text).map_err(|error| {
            let message = format!(
                "`{}` does not name a release: {error}",
                self.shown(MANIFEST)
            );
            Failure::saying(message).hint("check the address of the releases")
        })?;
        let is_plain = |archive: &Archive| {
            is_relative_path(Utf8Path::new(&archive.name)) && !archive.name.contains(['/', '\\'])
        };
        if !release.archives.values().all(is_plain) {
            let message = format!("`{}` names a file elsewhere", self.shown(MANIFEST));
            return Err(Failure::new(Kind::Refused, message));
        }
        Ok(release)
    }

    /// Puts an archive into a folder, if its size and digest are those of the release.
    pub(super) fn get(
        &self,
        archive: &Archive,
        into: &Directory,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<(), Failure> {
        let digest =
            Digest::from_hex(&archive.sha256).map_err(|error| Failure::from_error(&error))?;
        let file = KnownFile {
            name: &archive.name,
            bytes: archive.bytes.min(ARCHIVE_BYTES),
            digest,
        };
        match self {
            Source::Url(_) => {
                let address = self.address(&archive.name)?;
                let mut told = |bytes| progress(bytes, file.bytes);
                download(&address, &file, into, &FetchOptions::default(), &mut told)
                    .map_err(failure)
            }
            Source::Folder(folder) => {
                let folder = Directory::open(folder, NoFaults::shared())?;
                let bytes = folder.read(file.name, file.bytes)?;
                let found = Digest::of(&bytes);
                if found != digest {
                    return Err(failure(FetchError::Digest {
                        reference: self.shown(file.name),
                        what: "the content",
                        expected: digest,
                        found,
                    }));
                }
                into.write_synced_new(file.name, &bytes)?;
                Ok(())
            }
        }
    }
}

fn failure(error: FetchError) -> Failure {
    let (kind, hint) = match &error {
        FetchError::Unreached { .. } | FetchError::Status { .. } => (
            Kind::Failure,
            "check the connection and the address of the releases".to_owned(),
        ),
        FetchError::Digest { .. } | FetchError::TooLarge { .. } => (
            Kind::Refused,
            "nothing was replaced; the file is not the one that the release names".to_owned(),
        ),
        FetchError::HalfDownload { .. } | FetchError::Timeout { .. } => {
            (Kind::Failure, "nothing was replaced; try again".to_owned())
        }
        error => (Kind::Failure, error.hint().unwrap_or_default()),
    };
    let hint = Some(hint).filter(|hint| !hint.is_empty());
    Failure::of(kind, &error, hint)
}
