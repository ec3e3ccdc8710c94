//! The recorded state of a project: folders and files with stamps and hashes, in tables of fixed width that are used in
//! their encoded form. [`ArtifactDraft`] is the input for the next artifact.

use std::collections::HashMap;

use acreta_fs::Stamp;

use crate::artifact::bytes::{ByteReader, ByteWriter};
use crate::scan::node::{NodeKind, PathNode};

pub(crate) const FOLDER_BYTES: usize = 48;
pub(crate) const FILE_BYTES: usize = 72;

/// Flags of a file or folder.
pub(crate) mod mark {
    /// Its stamp was taken in the clock tick it names: content has to be compared again.
    pub(crate) const RACY: u16 = 1;
    /// Never opened.
    pub(crate) const SENSITIVE: u16 = 2;
    /// Its content is unknown: too large, or unreadable.
    pub(crate) const UNREAD: u16 = 4;
    pub(crate) const BINARY: u16 = 8;
    pub(crate) const TEST: u16 = 16;
    /// Included because git tracks it, although a rule ignores it.
    pub(crate) const FORCED: u16 = 32;
    /// An entry point.
    pub(crate) const ENTRY: u16 = 64;
    /// An ignored folder that is not listed but contains tracked files.
    pub(crate) const PARTIAL: u16 = 128;
    /// It declares almost nothing of its own: data, or re-exports.
    pub(crate) const HOLLOW: u16 = 256;
}

/// Position of the facts about a file's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct FactsAt {
    pub(crate) offset: u64,
    /// 0 if there are none.
    pub(crate) bytes: u32,
    pub(crate) check: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FolderRecord {
    pub(crate) path: (u32, u32),
    pub(crate) first_file: u32,
    pub(crate) files: u32,
    pub(crate) marks: u16,
    pub(crate) node: PathNode,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileRecord {
    pub(crate) folder: u32,
    pub(crate) name: (u32, u32),
    pub(crate) marks: u16,
    pub(crate) node: PathNode,
    pub(crate) hash: u64,
    pub(crate) facts: FactsAt,
}

/// The encoded tables of an artifact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ArtifactTables<'a> {
    pub(crate) folders: &'a [u8],
    pub(crate) files: &'a [u8],
    pub(crate) strings: &'a [u8],
}

impl<'a> ArtifactTables<'a> {
    pub(crate) fn folder_count(&self) -> u32 {
        (self.folders.len() / FOLDER_BYTES) as u32
    }

    pub(crate) fn file_count(&self) -> u32 {
        (self.files.len() / FILE_BYTES) as u32
    }

    pub(crate) fn folder(&self, index: u32) -> FolderRecord {
        let mut fields = ByteReader::record(self.folders, index, FOLDER_BYTES);
        let path = (fields.u32(), fields.u32());
        let (first_file, files) = (fields.u32(), fields.u32());
        let marks = fields.u16();
        let kind = NodeKind::from_byte(fields.u8());
        fields.skip(5);
        FolderRecord {
            path,
            first_file,
            files,
            marks,
            node: PathNode {
                kind,
                stamp: Stamp {
                    bytes: 0,
                    modified_ns: fields.i64(),
                    changed_ns: fields.i64(),
                    inode: fields.u64(),
                },
            },
        }
    }

    pub(crate) fn file(&self, index: u32) -> FileRecord {
        let mut fields = ByteReader::record(self.files, index, FILE_BYTES);
        let folder = fields.u32();
        let name = (fields.u32(), u32::from(fields.u16()));
        let marks = fields.u16();
        let kind = NodeKind::from_byte(fields.u8());
        fields.skip(3);
        FileRecord {
            folder,
            name,
            marks,
            node: PathNode {
                kind,
                stamp: Stamp {
                    bytes: fields.u64(),
                    modified_ns: fields.i64(),
                    changed_ns: fields.i64(),
                    inode: fields.u64(),
                },
            },
            hash: fields.u64(),
            facts: FactsAt {
                offset: fields.u64(),
                bytes: fields.u32(),
                check: fields.u32(),
            },
        }
    }

    pub(crate) fn text(&self, (offset, length): (u32, u32)) -> &'a str {
        let start = offset as usize;
        let bytes = self.strings.get(start..start + length as usize);
        std::str::from_utf8(bytes.unwrap_or_default()).unwrap_or_default()
    }

    pub(crate) fn folder_path(&self, index: u32) -> &'a str {
        self.text(self.folder(index).path)
    }

    pub(crate) fn path(&self, index: u32) -> String {
        let file = self.file(index);
        crate::scan::walk::joined(self.folder_path(file.folder), self.text(file.name))
    }

    /// Finds a folder by path.
    pub(crate) fn find_folder(&self, path: &str) -> Option<u32> {
        search(0, self.folder_count(), |index| {
            self.folder_path(index).cmp(path)
        })
    }

    /// Finds a file by path.
    pub(crate) fn find(&self, path: &str) -> Option<u32> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let folder = self.folder(self.find_folder(folder)?);
        search(
            folder.first_file,
            folder.first_file.saturating_add(folder.files),
            |index| self.text(self.file(index).name).cmp(name),
        )
    }
}

fn search(mut low: u32, mut high: u32, compare: impl Fn(u32) -> std::cmp::Ordering) -> Option<u32> {
    while low < high {
        let middle = low + (high - low) / 2;
        match compare(middle) {
            std::cmp::Ordering::Equal => return Some(middle),
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
        }
    }
    None
}

/// A file of the next artifact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ArtifactFile {
    pub(crate) path: String,
    pub(crate) node: PathNode,
    pub(crate) hash: u64,
    pub(crate) marks: u16,
    pub(crate) facts: FactsAt,
    /// Its index in the previous artifact, if its content is unchanged.
    pub(crate) before: Option<u32>,
    /// The index of the file at this path in the previous artifact, if its content differed.
    pub(crate) replaces: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ArtifactFolder {
    pub(crate) path: String,
    pub(crate) node: PathNode,
    pub(crate) marks: u16,
}

/// Input for writing the next artifact.
#[derive(Debug, Default)]
pub(crate) struct ArtifactDraft {
    pub(crate) folders: Vec<ArtifactFolder>,
    pub(crate) files: Vec<ArtifactFile>,
}

/// The encoded tables of a draft.
#[derive(Debug, Default)]
pub(crate) struct EncodedTables {
    pub(crate) folders: Vec<u8>,
    pub(crate) files: Vec<u8>,
    pub(crate) strings: Vec<u8>,
}

impl ArtifactDraft {
    /// Sorts folders and files in table order. Indexes are valid afterwards.
    pub(crate) fn arrange(&mut self) {
        self.folders
            .sort_by(|left, right| left.path.cmp(&right.path));
        self.folders
            .dedup_by(|later, earlier| later.path == earlier.path);
        self.files
            .sort_by(|left, right| parts(&left.path).cmp(&parts(&right.path)));
        self.files
            .dedup_by(|later, earlier| later.path == earlier.path);
    }

    pub(crate) fn encode(&self) -> EncodedTables {
        let mut strings = Vec::new();
        let mut text = |text: &str| {
            let at = strings.len() as u32;
            strings.extend_from_slice(text.as_bytes());
            (at, text.len() as u32)
        };
        let mut numbers: HashMap<&str, u32> = HashMap::with_capacity(self.folders.len());
        for (number, folder) in self.folders.iter().enumerate() {
            numbers.insert(&folder.path, number as u32);
        }
        let mut spans = vec![(0u32, 0u32); self.folders.len()];
        let mut files = ByteWriter::with_capacity(self.files.len() * FILE_BYTES);
        for (index, file) in self.files.iter().enumerate() {
            let (folder, name) = parts(&file.path);
            let folder = numbers.get(folder).copied().unwrap_or_default();
            if let Some(span) = spans.get_mut(folder as usize) {
                if span.1 == 0 {
                    span.0 = index as u32;
                }
                span.1 += 1;
            }
            let (at, length) = text(name);
            files.u32(folder);
            files.u32(at);
            files.u16(length as u16);
            files.u16(file.marks);
            files.u8(file.node.kind.to_byte());
            files.zeros(3);
            files.u64(file.node.stamp.bytes);
            files.i64(file.node.stamp.modified_ns);
            files.i64(file.node.stamp.changed_ns);
            files.u64(file.node.stamp.inode);
            files.u64(file.hash);
            files.u64(file.facts.offset);
            files.u32(file.facts.bytes);
            files.u32(file.facts.check);
        }
        let mut folders = ByteWriter::with_capacity(self.folders.len() * FOLDER_BYTES);
        for (folder, (first, count)) in self.folders.iter().zip(spans) {
            let (at, length) = text(&folder.path);
            folders.u32(at);
            folders.u32(length);
            folders.u32(first);
            folders.u32(count);
            folders.u16(folder.marks);
            folders.u8(folder.node.kind.to_byte());
            folders.zeros(5);
            folders.i64(folder.node.stamp.modified_ns);
            folders.i64(folder.node.stamp.changed_ns);
            folders.u64(folder.node.stamp.inode);
        }
        EncodedTables {
            folders: folders.done(),
            files: files.done(),
            strings,
        }
    }
}

/// Splits a path into folder and name.
pub(crate) fn parts(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}
