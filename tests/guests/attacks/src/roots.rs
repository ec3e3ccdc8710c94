//! The directories passed to a guest, and their contents.

use std::fs;

use crate::raw::wasi::filesystem::preopens::get_directories;
use crate::raw::wasi::filesystem::types::{
    Descriptor, DescriptorFlags, DescriptorType, ErrorCode, OpenFlags, PathFlags,
};

/// A preopened directory.
pub(crate) struct Root {
    pub(crate) descriptor: Descriptor,
    /// Path as the guest sees it.
    pub(crate) name: String,
}

/// An entry of a root, at most two levels down.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    /// Relative to the root.
    pub(crate) path: String,
    pub(crate) kind: DescriptorType,
}

/// Returns every root, each with its own handle.
pub(crate) fn roots() -> Vec<Root> {
    get_directories()
        .into_iter()
        .map(|(descriptor, name)| Root { descriptor, name })
        .collect()
}

/// Returns the read-only roots: all except a writer's draft.
pub(crate) fn readonly_roots() -> Vec<Root> {
    roots()
        .into_iter()
        .filter(|root| !root.is_draft())
        .collect()
}

impl Root {
    pub(crate) fn is_draft(&self) -> bool {
        self.name == "/draft"
    }

    /// Returns an absolute guest path.
    pub(crate) fn at(&self, path: &str) -> String {
        format!("{}/{path}", self.name.trim_end_matches('/'))
    }

    /// Returns some entries, including links and pipes.
    pub(crate) fn entries(&self) -> Vec<Entry> {
        let mut entries = Vec::new();
        self.collect("", &mut entries);
        let folders: Vec<String> = entries
            .iter()
            .filter(|entry| entry.kind == DescriptorType::Directory)
            .map(|entry| entry.path.clone())
            .collect();
        for folder in folders.iter().take(5) {
            self.collect(folder, &mut entries);
        }
        entries
    }

    /// Returns a few regular files.
    pub(crate) fn files(&self) -> Vec<String> {
        self.entries()
            .into_iter()
            .filter(|entry| entry.kind == DescriptorType::RegularFile)
            .map(|entry| entry.path)
            .take(5)
            .collect()
    }

    /// Opens a path below the root without the standard library.
    pub(crate) fn open(
        &self,
        follow: bool,
        path: &str,
        open: OpenFlags,
        flags: DescriptorFlags,
    ) -> Result<Descriptor, ErrorCode> {
        self.descriptor
            .open_at(following(follow), path, open, flags)
    }

    fn collect(&self, folder: &str, entries: &mut Vec<Entry>) {
        let Ok(listing) = fs::read_dir(self.at(folder)) else {
            return;
        };
        for listed in listing.flatten().take(50) {
            let name = listed.file_name().to_string_lossy().into_owned();
            let path = if folder.is_empty() {
                name
            } else {
                format!("{folder}/{name}")
            };
            let stat = self.descriptor.stat_at(following(false), &path);
            let kind = stat.map_or(DescriptorType::Unknown, |stat| stat.type_);
            entries.push(Entry { path, kind });
        }
    }
}

pub(crate) fn following(follow: bool) -> PathFlags {
    if follow {
        PathFlags::SYMLINK_FOLLOW
    } else {
        PathFlags::empty()
    }
}
