//! File format of an artifact: a header with a checksum for each section, then the sections. Sections needed for a
//! cache hit come first and are read at once; the others are read on demand. A file of another version, or with a wrong
//! checksum, is treated as missing.

use std::io::{Read, Seek, SeekFrom};

use acreta_fs::{Reader, Stamp};
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::answer::response::Skipped;
use crate::artifact::bytes::{ByteReader, ByteWriter};
use crate::scan::rules::IgnoreFile;
use crate::scan::tree::{ArtifactTables, EncodedTables};

/// Increase whenever the stored format changes, including which facts are gathered from a file.
pub(crate) const VERSION: u32 = 2;
const MAGIC: &[u8; 8] = b"acretacx";
const SECTIONS: usize = 8;
const HEADER_BYTES: usize = 16 + SECTIONS * 24 + 8;
/// Number of leading sections that are read at once.
const HIT_SECTIONS: usize = 5;
/// Larger than any artifact within the limits.
const MOST_BYTES: u64 = 4 * 1024 * 1024 * 1024;

/// A section of the artifact file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ArtifactSection {
    Meta = 0,
    Slice = 1,
    Folders = 2,
    Files = 3,
    Strings = 4,
    Edges = 5,
    Keys = 6,
    Churn = 7,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ArtifactMeta {
    pub(crate) root: Utf8PathBuf,
    /// Incremented on each write.
    pub(crate) generation: u64,
    /// Time of the last full read, in nanoseconds since 1970.
    pub(crate) built_ns: i64,
    /// Hash of the limits and patterns it was built with.
    pub(crate) settings: u64,
    pub(crate) head: Option<String>,
    pub(crate) index: Option<Stamp>,
    pub(crate) rules: Vec<IgnoreFile>,
    /// Name of the file with the facts about contents.
    pub(crate) facts: String,
    pub(crate) facts_bytes: u64,
    /// Bytes of that file still referred to.
    pub(crate) facts_used: u64,
    pub(crate) skipped: Vec<Skipped>,
    pub(crate) skipped_count: u64,
    /// Total size of all files.
    pub(crate) bytes: u64,
}

/// An open artifact.
#[derive(Debug)]
pub(crate) struct Artifact {
    pub(crate) meta: ArtifactMeta,
    bytes: Vec<u8>,
    places: [SectionSpan; SECTIONS],
    reader: Reader,
}

#[derive(Debug, Clone, Copy, Default)]
struct SectionSpan {
    offset: u64,
    bytes: u64,
    check: u64,
}

/// The sections to write.
pub(crate) struct ArtifactSections<'a> {
    pub(crate) meta: &'a ArtifactMeta,
    pub(crate) slice: &'a [u8],
    pub(crate) tables: &'a EncodedTables,
    pub(crate) edges: &'a [u8],
    pub(crate) keys: &'a [u8],
    pub(crate) churn: &'a [u8],
}

/// The artifact is damaged or of another version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UnusableArtifact;

impl Artifact {
    pub(crate) fn read(mut reader: Reader) -> Result<Self, UnusableArtifact> {
        let mut header = [0; HEADER_BYTES];
        reader
            .read_exact(&mut header)
            .map_err(|_| UnusableArtifact)?;
        let places = places(&header).ok_or(UnusableArtifact)?;
        let last = places[HIT_SECTIONS - 1];
        let size = (last.offset + last.bytes)
            .checked_sub(HEADER_BYTES as u64)
            .filter(|size| *size <= reader.size())
            .ok_or(UnusableArtifact)?;
        let mut bytes = vec![0; size as usize];
        reader
            .read_exact(&mut bytes)
            .map_err(|_| UnusableArtifact)?;
        let mut artifact = Self {
            meta: ArtifactMeta::default(),
            bytes,
            places,
            reader,
        };
        for place in &places[..HIT_SECTIONS] {
            if xxh3_64(artifact.slice_of(*place)) != place.check {
                return Err(UnusableArtifact);
            }
        }
        let meta = artifact.slice_of(places[ArtifactSection::Meta as usize]);
        artifact.meta = serde_json::from_slice(meta).map_err(|_| UnusableArtifact)?;
        Ok(artifact)
    }

    pub(crate) fn tables(&self) -> ArtifactTables<'_> {
        let section = |section: ArtifactSection| self.slice_of(self.places[section as usize]);
        ArtifactTables {
            folders: section(ArtifactSection::Folders),
            files: section(ArtifactSection::Files),
            strings: section(ArtifactSection::Strings),
        }
    }

    /// Returns the encoded slice.
    pub(crate) fn stored_slice(&self) -> &[u8] {
        self.slice_of(self.places[ArtifactSection::Slice as usize])
    }

    /// Reads a section that is not among the leading ones.
    pub(crate) fn section(
        &mut self,
        section: ArtifactSection,
    ) -> Result<Vec<u8>, UnusableArtifact> {
        let place = self.places[section as usize];
        if place.offset + place.bytes > self.reader.size() {
            return Err(UnusableArtifact);
        }
        let mut bytes = vec![0; place.bytes as usize];
        self.reader
            .seek(SeekFrom::Start(place.offset))
            .and_then(|_| self.reader.read_exact(&mut bytes))
            .map_err(|_| UnusableArtifact)?;
        if xxh3_64(&bytes) == place.check {
            Ok(bytes)
        } else {
            Err(UnusableArtifact)
        }
    }

    fn slice_of(&self, place: SectionSpan) -> &[u8] {
        let start = place.offset.saturating_sub(HEADER_BYTES as u64) as usize;
        self.bytes
            .get(start..start.saturating_add(place.bytes as usize))
            .unwrap_or_default()
    }
}

/// Encodes an artifact.
pub(crate) fn encode(contents: &ArtifactSections<'_>) -> Result<Vec<u8>, serde_json::Error> {
    let meta = serde_json::to_vec(contents.meta)?;
    let sections: [&[u8]; SECTIONS] = [
        &meta,
        contents.slice,
        &contents.tables.folders,
        &contents.tables.files,
        &contents.tables.strings,
        contents.edges,
        contents.keys,
        contents.churn,
    ];
    let size: usize = sections.iter().map(|section| section.len()).sum();
    let mut writer = ByteWriter::with_capacity(HEADER_BYTES + size);
    writer.raw(MAGIC);
    writer.u32(VERSION);
    writer.u32(SECTIONS as u32);
    let mut offset = HEADER_BYTES as u64;
    for section in sections {
        writer.u64(offset);
        writer.u64(section.len() as u64);
        writer.u64(xxh3_64(section));
        offset += section.len() as u64;
    }
    let mut bytes = writer.done();
    let check = xxh3_64(&bytes);
    bytes.extend(check.to_le_bytes());
    for section in sections {
        bytes.extend_from_slice(section);
    }
    Ok(bytes)
}

fn places(header: &[u8; HEADER_BYTES]) -> Option<[SectionSpan; SECTIONS]> {
    let (summed, check) = header.split_at(HEADER_BYTES - 8);
    let mut fields = ByteReader::new(summed);
    let is_ours = fields.raw(8) == MAGIC
        && fields.u32() == VERSION
        && fields.u32() == SECTIONS as u32
        && ByteReader::new(check).u64() == xxh3_64(summed);
    if !is_ours {
        return None;
    }
    let mut places = [SectionSpan::default(); SECTIONS];
    for place in &mut places {
        *place = SectionSpan {
            offset: fields.u64(),
            bytes: fields.u64(),
            check: fields.u64(),
        };
        if place.offset.checked_add(place.bytes)? > MOST_BYTES {
            return None;
        }
    }
    Some(places)
}
