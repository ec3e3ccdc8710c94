//! Fetches from a local folder. Links that lead out of it are not followed.

use acreta_fs::{Directory, FsError, NoFaults, canonical};
use camino::Utf8Path;

use super::{
    COMPONENT_BYTES, FetchError, Fetched, FetchedKind, FetchedManifest, MANIFEST_BYTES,
    SIGNATURE_BYTES, signature_name,
};
use crate::manifest::{MANIFEST, Manifest};
use crate::source::Source;
use crate::state::split;

/// Reads a component with its manifest beside it.
pub(crate) fn file(path: &Utf8Path) -> Result<Fetched, FetchError> {
    let path = canonical(path)?;
    let (folder, name) = split(&path);
    let (directory, text, manifest) = open(folder)?;
    if manifest.component != name {
        return Err(FetchError::OtherComponent {
            place: folder.join(MANIFEST).into_string(),
            named: manifest.component,
            wanted: name.to_owned(),
        });
    }
    read(&directory, Source::File(path.clone()), text, name)
}

/// Reads a folder with a manifest.
pub(crate) fn folder(path: &Utf8Path) -> Result<Fetched, FetchError> {
    let path = canonical(path)?;
    let (directory, text, manifest) = open(&path)?;
    read(&directory, Source::Folder(path), text, &manifest.component)
}

fn open(folder: &Utf8Path) -> Result<(Directory, String, Manifest), FetchError> {
    let directory = Directory::open(folder, NoFaults::shared())?;
    let text = match directory.read_to_string(MANIFEST, MANIFEST_BYTES) {
        Err(error) if error.is_not_found() => {
            return Err(FetchError::NoManifest {
                place: folder.to_string(),
            });
        }
        other => other?,
    };
    let manifest = Manifest::parse(&folder.join(MANIFEST), &text)?;
    Ok((directory, text, manifest))
}

fn read(
    directory: &Directory,
    source: Source,
    text: String,
    component: &str,
) -> Result<Fetched, FetchError> {
    let signature = directory.read_to_string(signature_name(component), SIGNATURE_BYTES);
    Ok(Fetched {
        source,
        resolved: None,
        manifest: FetchedManifest {
            place: directory.path().join(MANIFEST),
            text,
        },
        component: directory.read(component, COMPONENT_BYTES)?,
        signature: present(signature)?,
        kind: FetchedKind::SourceTree,
    })
}

fn present(read: Result<String, FsError>) -> Result<Option<String>, FsError> {
    match read {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.is_not_found() => Ok(None),
        Err(error) => Err(error),
    }
}
