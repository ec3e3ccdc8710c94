//! The manifest inside a component, so that a plugin is one file: digest and signature of that file then cover all that
//! it says about itself.
//!
//! A component is a sequence of sections after a preamble of eight bytes. A custom section (id 0) has a name and bytes
//! that no engine interprets. Three kinds are written here, at the end of the outermost component:
//!
//! | section | content |
//! |---|---|
//! | `acreta:manifest` | the text of `plugin.toml`, without `digest`: a file cannot contain its own |
//! | `.dep-v0` | the packages it was built from, see [`crate::dependencies`] |
//! | `authors`, `description`, `homepage`, `licenses`, `revision`, `source`, `version` | the metadata that other tools for components read and show, one text each |
//!
//! Writing replaces earlier sections of these names, so building twice gives the same bytes.

use std::collections::BTreeMap;

use camino::Utf8Path;
use toml_edit::DocumentMut;

use crate::dependencies::{self, DEPENDENCIES_SECTION, Dependency};
use crate::manifest::MANIFEST_BYTES;
use crate::manifest::Manifest;
use crate::table::FileError;

/// Name of the custom section with the manifest.
pub const MANIFEST_SECTION: &str = "acreta:manifest";

/// Names of the standard metadata sections.
pub const METADATA_SECTIONS: [&str; 7] = [
    "authors",
    "description",
    "homepage",
    "licenses",
    "revision",
    "source",
    "version",
];

/// Maximum size of one metadata section.
const METADATA_BYTES: usize = 4 * 1024;

/// Maximum size of the section with dependencies, compressed.
const DEPENDENCIES_BYTES: usize = 256 * 1024;

/// What a component says about itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Embedded {
    /// Text of its manifest.
    pub manifest: Option<String>,
    /// Standard metadata, by section name.
    pub metadata: BTreeMap<&'static str, String>,
    /// The packages it was built from, if it says so.
    pub dependencies: Option<Vec<Dependency>>,
}

/// Reason why the sections of a component cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidSections {
    #[error("its sections cannot be read")]
    Malformed,
    #[error("it has several sections `{0}`")]
    Repeated(&'static str),
    #[error("its section `{0}` is not text")]
    NotText(&'static str),
    #[error("its section `{0}` is too long")]
    TooLong(&'static str),
    #[error("its section `{DEPENDENCIES_SECTION}` is not a list of packages")]
    NotPackages,
}

/// Reads manifest and metadata. Anything that is not a whole component has none.
pub fn embedded(component: &[u8]) -> Result<Embedded, InvalidSections> {
    let mut found = Embedded::default();
    if !is_component(component) {
        return Ok(found);
    }
    for section in sections(component) {
        // Inspection says what is damaged.
        let Ok(section) = section else {
            return Ok(Embedded::default());
        };
        let Section::Custom { name, data } = section.kind else {
            continue;
        };
        let Some(name) = known(name) else {
            continue;
        };
        let (most, is_repeated) = match name {
            MANIFEST_SECTION => (MANIFEST_BYTES as usize, found.manifest.is_some()),
            DEPENDENCIES_SECTION => (DEPENDENCIES_BYTES, found.dependencies.is_some()),
            _ => (METADATA_BYTES, found.metadata.contains_key(name)),
        };
        if is_repeated {
            return Err(InvalidSections::Repeated(name));
        }
        if data.len() > most {
            return Err(InvalidSections::TooLong(name));
        }
        if name == DEPENDENCIES_SECTION {
            let packages = dependencies::read(data).ok_or(InvalidSections::NotPackages)?;
            found.dependencies = Some(packages);
            continue;
        }
        let text = str::from_utf8(data).map_err(|_| InvalidSections::NotText(name))?;
        match name {
            MANIFEST_SECTION => found.manifest = Some(text.to_owned()),
            _ => {
                found.metadata.insert(name, text.to_owned());
            }
        }
    }
    Ok(found)
}

/// Returns the component with its manifest, metadata and dependencies inside. `path` is that of the manifest, for messages.
/// Without dependencies those that another tool wrote stay.
pub fn embed(
    component: &[u8],
    path: &Utf8Path,
    manifest: &str,
    revision: Option<&str>,
    dependencies: Option<&[Dependency]>,
) -> Result<Vec<u8>, EmbedError> {
    let mut metadata = Manifest::parse(path, manifest)?.metadata();
    metadata.extend(revision.map(|revision| ("revision", revision.to_owned())));
    if !is_component(component) {
        return Err(InvalidSections::Malformed.into());
    }
    let mut embedding = component[..PREAMBLE].to_vec();
    for section in sections(component) {
        let section = section?;
        match section.kind {
            Section::Custom {
                name: DEPENDENCIES_SECTION,
                ..
            } if dependencies.is_none() => embedding.extend(section.bytes),
            Section::Custom { name, .. } if known(name).is_some() => {}
            _ => embedding.extend(section.bytes),
        }
    }
    for (name, text) in &metadata {
        append(&mut embedding, name, text.as_bytes());
    }
    if let Some(packages) = dependencies {
        append(
            &mut embedding,
            DEPENDENCIES_SECTION,
            &dependencies::write(packages),
        );
    }
    let mut text: DocumentMut = manifest.parse().map_err(|_| InvalidSections::Malformed)?;
    text.remove("digest");
    append(
        &mut embedding,
        MANIFEST_SECTION,
        text.to_string().as_bytes(),
    );
    // Reads its own output: what is refused at installation is refused at the build.
    embedded(&embedding)?;
    Ok(embedding)
}

/// A manifest could not be written into a component.
#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    #[error(transparent)]
    Manifest(#[from] FileError),
    #[error("the component cannot hold its manifest: {0}")]
    Sections(#[from] InvalidSections),
}

const PREAMBLE: usize = 8;

/// Returns true if the bytes start like a component: magic, version 13, layer 1.
fn is_component(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\0asm\x0d\0\x01\0")
}

fn known(name: &str) -> Option<&'static str> {
    let own = [MANIFEST_SECTION, DEPENDENCIES_SECTION];
    let mut all = METADATA_SECTIONS.into_iter().chain(own);
    all.find(|known| *known == name)
}

enum Section<'a> {
    Custom { name: &'a str, data: &'a [u8] },
    Other,
}

struct Framed<'a> {
    /// The section with its id and length.
    bytes: &'a [u8],
    kind: Section<'a>,
}

/// Iterates over the sections of the outermost component. The first malformed one ends it with an error.
fn sections(component: &[u8]) -> impl Iterator<Item = Result<Framed<'_>, InvalidSections>> {
    let mut rest = &component[PREAMBLE..];
    std::iter::from_fn(move || {
        let (&id, after) = rest.split_first()?;
        let start = rest;
        let section = || {
            let (content, after) = sized(after)?;
            let kind = match id {
                0 => {
                    let (name, data) = sized(content)?;
                    let name = str::from_utf8(name).ok()?;
                    Section::Custom { name, data }
                }
                _ => Section::Other,
            };
            let bytes = &start[..start.len() - after.len()];
            Some((Framed { bytes, kind }, after))
        };
        Some(match section() {
            Some((framed, after)) => {
                rest = after;
                Ok(framed)
            }
            None => {
                rest = &[];
                Err(InvalidSections::Malformed)
            }
        })
    })
}

/// Splits bytes with a length in front from what follows them.
fn sized(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (mut length, mut rest) = (0u64, bytes);
    for shift in (0..35).step_by(7) {
        let (&byte, after) = rest.split_first()?;
        rest = after;
        length |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return rest.split_at_checked(usize::try_from(length).ok()?);
        }
    }
    None
}

fn append(component: &mut Vec<u8>, name: &str, data: &[u8]) {
    let mut content = Vec::new();
    push_length(&mut content, name.len());
    content.extend(name.as_bytes());
    content.extend(data);
    component.push(0);
    push_length(component, content.len());
    component.extend(content);
}

fn push_length(bytes: &mut Vec<u8>, mut length: usize) {
    loop {
        let low = (length & 0x7f) as u8;
        length >>= 7;
        if length == 0 {
            return bytes.push(low);
        }
        bytes.push(low | 0x80);
    }
}
