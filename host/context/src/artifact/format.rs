//! The file of one project: a header with a sum for each section, then the sections. What a hit
//! needs lies first and is read at once; the rest is read when it is asked for. A file of another
//! version, or one whose sums do not fit, is as good as none.

use std::io::{Read, Seek, SeekFrom};

use acreta_fs::{Reader, Stamp};
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::answer::response::Skipped;
use crate::artifact::bytes::{Fields, Writer};
use crate::scan::rules::RuleFile;
use crate::scan::tree::{Encoded, Tables};

/// Changes with everything that is stored, also with what facts are taken from a file.
pub(crate) const VERSION: u32 = 2;
const MAGIC: &[u8; 8] = b"acretacx";
const SECTIONS: usize = 8;
const HEADER_BYTES: usize = 16 + SECTIONS * 24 + 8;
/// The sections from the first to this one are read at once.
const HIT_SECTIONS: usize = 5;
/// More than any artifact within the limits has.
const MOST_BYTES: u64 = 4 * 1024 * 1024 * 1024;

/// A part of an artifact that only some answers need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
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
pub(crate) struct Meta {
    pub(crate) root: Utf8PathBuf,
    /// Grows with each writing.
    pub(crate) generation: u64,
    /// When everything was read last, in nanoseconds since 1970.
    pub(crate) built_ns: i64,
    /// What limits and patterns it was made with.
    pub(crate) settings: u64,
    pub(crate) head: Option<String>,
    pub(crate) index: Option<Stamp>,
    pub(crate) rules: Vec<RuleFile>,
    /// The file with the facts about contents.
    pub(crate) facts: String,
    pub(crate) facts_bytes: u64,
    /// How much of it is still referred to.
    pub(crate) facts_used: u64,
    pub(crate) skipped: Vec<Skipped>,
    pub(crate) skipped_count: u64,
    /// Bytes of all files.
    pub(crate) bytes: u64,
}

/// An artifact, open.
#[derive(Debug)]
pub(crate) struct Artifact {
    pub(crate) meta: Meta,
    bytes: Vec<u8>,
    places: [Place; SECTIONS],
    reader: Reader,
}

#[derive(Debug, Clone, Copy, Default)]
struct Place {
    offset: u64,
    bytes: u64,
    check: u64,
}

/// What an artifact is written from.
pub(crate) struct Contents<'a> {
    pub(crate) meta: &'a Meta,
    pub(crate) slice: &'a [u8],
    pub(crate) tables: &'a Encoded,
    pub(crate) edges: &'a [u8],
    pub(crate) keys: &'a [u8],
    pub(crate) churn: &'a [u8],
}

/// Why an artifact cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unusable;

impl Artifact {
    pub(crate) fn read(mut reader: Reader) -> Result<Self, Unusable> {
        let mut header = [0; HEADER_BYTES];
        reader.read_exact(&mut header).map_err(|_| Unusable)?;
        let places = places(&header).ok_or(Unusable)?;
        let last = places[HIT_SECTIONS - 1];
        let size = (last.offset + last.bytes)
            .checked_sub(HEADER_BYTES as u64)
            .filter(|size| *size <= reader.size())
            .ok_or(Unusable)?;
        let mut bytes = vec![0; size as usize];
        reader.read_exact(&mut bytes).map_err(|_| Unusable)?;
        let mut artifact = Self {
            meta: Meta::default(),
            bytes,
            places,
            reader,
        };
        for place in &places[..HIT_SECTIONS] {
            if xxh3_64(artifact.slice_of(*place)) != place.check {
                return Err(Unusable);
            }
        }
        let meta = artifact.slice_of(places[Section::Meta as usize]);
        artifact.meta = serde_json::from_slice(meta).map_err(|_| Unusable)?;
        Ok(artifact)
    }

    pub(crate) fn tables(&self) -> Tables<'_> {
        let section = |section: Section| self.slice_of(self.places[section as usize]);
        Tables {
            folders: section(Section::Folders),
            files: section(Section::Files),
            strings: section(Section::Strings),
        }
    }

    /// The slice as it was stored.
    pub(crate) fn stored_slice(&self) -> &[u8] {
        self.slice_of(self.places[Section::Slice as usize])
    }

    /// A section that lies behind those of a hit.
    pub(crate) fn section(&mut self, section: Section) -> Result<Vec<u8>, Unusable> {
        let place = self.places[section as usize];
        if place.offset + place.bytes > self.reader.size() {
            return Err(Unusable);
        }
        let mut bytes = vec![0; place.bytes as usize];
        self.reader
            .seek(SeekFrom::Start(place.offset))
            .and_then(|_| self.reader.read_exact(&mut bytes))
            .map_err(|_| Unusable)?;
        if xxh3_64(&bytes) == place.check {
            Ok(bytes)
        } else {
            Err(Unusable)
        }
    }

    fn slice_of(&self, place: Place) -> &[u8] {
        let start = place.offset.saturating_sub(HEADER_BYTES as u64) as usize;
        self.bytes
            .get(start..start.saturating_add(place.bytes as usize))
            .unwrap_or_default()
    }
}

/// The bytes of an artifact.
pub(crate) fn encode(contents: &Contents<'_>) -> Result<Vec<u8>, serde_json::Error> {
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
    let mut writer = Writer::with_capacity(HEADER_BYTES + size);
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

fn places(header: &[u8; HEADER_BYTES]) -> Option<[Place; SECTIONS]> {
    let (summed, check) = header.split_at(HEADER_BYTES - 8);
    let mut fields = Fields::new(summed);
    let is_ours = fields.raw(8) == MAGIC
        && fields.u32() == VERSION
        && fields.u32() == SECTIONS as u32
        && Fields::new(check).u64() == xxh3_64(summed);
    if !is_ours {
        return None;
    }
    let mut places = [Place::default(); SECTIONS];
    for place in &mut places {
        *place = Place {
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
