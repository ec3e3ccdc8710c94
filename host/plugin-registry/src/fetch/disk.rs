//! Fetches from a local folder. Links that lead out of it are not followed.

use acreta_fs::{Directory, FsError, NoFaults, canonical};
use camino::Utf8Path;

use super::{
    COMPONENT_BYTES, FetchError, Fetched, FetchedKind, FetchedManifest, SIGNATURE_BYTES, assembled,
    embedded_in, signature_names,
};
use crate::manifest::MANIFEST_BYTES;
use crate::manifest::{MANIFEST, Manifest};
use crate::source::Source;
use crate::state::split;

/// Reads a component, with the manifest beside it if that is for it.
pub(crate) fn file(path: &Utf8Path) -> Result<Fetched, FetchError> {
    let path = canonical(path)?;
    let (folder, name) = split(&path);
    let directory = Directory::open(folder, NoFaults::shared())?;
    let component = directory.read(name, COMPONENT_BYTES)?;
    let has_own = embedded_in(&component, path.as_str())?.manifest.is_some();
    let beside = match manifest(&directory)? {
        Some((_, named)) if named != name && !has_own => {
            return Err(FetchError::OtherComponent {
                place: folder.join(MANIFEST).into_string(),
                named,
                wanted: name.to_owned(),
            });
        }
        // A file with a manifest of its own may lie in any folder.
        Some((beside, named)) => Some(beside).filter(|_| named == name),
        None => None,
    };
    if beside.is_none() && !has_own {
        return Err(FetchError::NoManifest {
            place: folder.to_string(),
        });
    }
    read(
        &directory,
        Source::File(path.clone()),
        component,
        beside,
        name,
    )
}

/// Reads a folder with a manifest.
pub(crate) fn folder(path: &Utf8Path) -> Result<Fetched, FetchError> {
    let path = canonical(path)?;
    let directory = Directory::open(&path, NoFaults::shared())?;
    let Some((beside, name)) = manifest(&directory)? else {
        return Err(FetchError::NoManifest {
            place: path.into_string(),
        });
    };
    let component = directory.read(&name, COMPONENT_BYTES)?;
    read(
        &directory,
        Source::Folder(path),
        component,
        Some(beside),
        &name,
    )
}

/// Returns the manifest of a folder, and the component that it names.
fn manifest(directory: &Directory) -> Result<Option<(FetchedManifest, String)>, FetchError> {
    let text = present(directory.read_to_string(MANIFEST, MANIFEST_BYTES))?;
    let Some(text) = text else {
        return Ok(None);
    };
    let place = directory.path().join(MANIFEST);
    let component = Manifest::parse(&place, &text)?.component;
    Ok(Some((FetchedManifest { place, text }, component)))
}

fn read(
    directory: &Directory,
    source: Source,
    component: Vec<u8>,
    beside: Option<FetchedManifest>,
    name: &str,
) -> Result<Fetched, FetchError> {
    let mut signature = None;
    for name in signature_names(name) {
        if signature.is_none() {
            signature = present(directory.read_to_string(name, SIGNATURE_BYTES))?;
        }
    }
    assembled(
        source,
        component,
        beside,
        signature,
        FetchedKind::SourceTree,
    )
}

fn present(read: Result<String, FsError>) -> Result<Option<String>, FsError> {
    match read {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.is_not_found() => Ok(None),
        Err(error) => Err(error),
    }
}
