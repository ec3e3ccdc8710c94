//! Lists folders: their files with stamps, their subfolders, and skipped entries with reasons. Follows no links,
//! continues past unreadable entries, and returns a deterministic order.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use acreta_types::Threads;

use crate::answer::response::{Reason, Skipped};
use crate::options::Limits;
use crate::scan::node::{NodeKind, PathNode, ScanRoot};
use crate::scan::rules::{FolderRules, IgnoreRules};

/// Result of a walk. Paths are relative to the project; the project itself is the empty path.
#[derive(Debug, Default)]
pub(crate) struct WalkListing {
    pub(crate) folders: Vec<ListedPath>,
    pub(crate) files: Vec<ListedPath>,
    pub(crate) skipped: Vec<Skipped>,
    /// The walk stopped at the limit of files.
    pub(crate) is_full: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListedPath {
    pub(crate) path: String,
    pub(crate) node: PathNode,
}

/// Depth of a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WalkDepth {
    /// Only the entries of the start folders; subfolders are listed but not entered.
    Entries,
    Everything,
}

/// Number of folders a thread takes at once.
const BATCH: usize = 16;

struct StartFolder {
    path: String,
    chain: Arc<FolderRules>,
}

/// Lists the folders of `starts` level by level, each level on all workers.
pub(crate) fn walk(
    root: &ScanRoot,
    rules: &IgnoreRules,
    limits: &Limits,
    starts: &[String],
    reach: WalkDepth,
) -> WalkListing {
    let found = AtomicU64::new(0);
    let mut all = WalkListing::default();
    let mut level: Vec<StartFolder> = starts
        .iter()
        .map(|path| StartFolder {
            path: path.clone(),
            chain: rules.chain(root, path),
        })
        .collect();
    let threads = Threads::at_most(limits.workers()).batch(BATCH);
    while !level.is_empty() {
        let mut next = Vec::new();
        for (start, mut part) in level
            .iter()
            .zip(threads.map(&level, |start| list(root, start, limits, &found)))
        {
            all.is_full |= part.is_full;
            all.skipped.append(&mut part.skipped);
            all.files.append(&mut part.files);
            if let Some(own) = part.own {
                all.folders.push(own);
            }
            for folder in part.folders {
                if folder.path.matches('/').count() >= limits.depth {
                    all.skipped.push(Skipped::new(folder.path, Reason::TooDeep));
                } else if reach == WalkDepth::Entries {
                    all.folders.push(folder);
                } else {
                    next.push(StartFolder {
                        chain: Arc::clone(&start.chain),
                        path: folder.path,
                    });
                }
            }
        }
        if all.is_full || reach == WalkDepth::Entries {
            break;
        }
        level = threads.map(&next, |start| StartFolder {
            chain: rules.enter(root, &start.path, Arc::clone(&start.chain)),
            path: start.path.clone(),
        });
    }
    all.folders
        .sort_by(|left, right| left.path.cmp(&right.path));
    all.files.sort_by(|left, right| left.path.cmp(&right.path));
    all
}

/// Content of one folder.
#[derive(Default)]
struct FolderListing {
    own: Option<ListedPath>,
    folders: Vec<ListedPath>,
    files: Vec<ListedPath>,
    skipped: Vec<Skipped>,
    is_full: bool,
}

fn list(root: &ScanRoot, start: &StartFolder, limits: &Limits, found: &AtomicU64) -> FolderListing {
    let mut part = FolderListing::default();
    // Stat before listing, so that a later change gives another stamp.
    let own = match root.node(&start.path) {
        Ok(Some(node)) if node.kind == NodeKind::Directory => node,
        // Removed or replaced since it was listed.
        Ok(_) => return part,
        Err(cause) => {
            part.skipped
                .push(Skipped::failed(start.path.clone(), &cause));
            return part;
        }
    };
    let entries = match std::fs::read_dir(root.absolute(&start.path)) {
        Ok(entries) => entries,
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return part,
        Err(cause) => {
            part.skipped
                .push(Skipped::failed(start.path.clone(), &cause));
            return part;
        }
    };
    let mut names = Vec::new();
    for entry in entries {
        let Ok(entry) = entry else { continue };
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        match entry.file_name().into_string() {
            Ok(name) => names.push((name, is_folder)),
            Err(name) => {
                let path = joined(&start.path, &name.to_string_lossy());
                part.skipped.push(Skipped::new(path, Reason::NameNotUtf8));
            }
        }
    }
    let is_nested = |name: &str| name == ".git" && !start.path.is_empty();
    if names.iter().any(|(name, _)| is_nested(name)) {
        let skipped = Skipped::new(start.path.clone(), Reason::NestedRepository);
        return FolderListing {
            skipped: vec![skipped],
            ..FolderListing::default()
        };
    }
    part.own = Some(ListedPath {
        path: start.path.clone(),
        node: own,
    });
    names.sort_unstable();
    for (name, is_folder) in names {
        if name == ".git" {
            continue;
        }
        let path = joined(&start.path, &name);
        if start.chain.ignores(&path, &name, is_folder) {
            continue;
        }
        match root.node(&path) {
            Ok(Some(node)) if node.kind == NodeKind::Directory => {
                part.folders.push(ListedPath { path, node });
            }
            Ok(Some(node)) if node.kind.is_content() => {
                if found.fetch_add(1, Ordering::Relaxed) >= limits.files {
                    part.is_full = true;
                    break;
                }
                part.files.push(ListedPath { path, node });
            }
            Ok(Some(_)) => part.skipped.push(Skipped::new(path, Reason::Special)),
            // Removed since it was listed.
            Ok(None) => {}
            Err(cause) => part.skipped.push(Skipped::failed(path, &cause)),
        }
    }
    part
}

pub(crate) fn joined(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
}
