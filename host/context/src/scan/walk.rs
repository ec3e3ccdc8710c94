//! Listing folders: their files with stamps, the folders beneath, and what was passed over and
//! why. Follows no link, and goes on past whatever cannot be read. The order is the same each time.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use acreta_model::Threads;

use crate::answer::response::{Reason, Skipped};
use crate::options::Limits;
use crate::scan::node::{Kind, Node, Root};
use crate::scan::rules::{Chain, Rules};

/// What a walk found. Paths are relative to the project; the project itself is the empty path.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    pub(crate) folders: Vec<Listed>,
    pub(crate) files: Vec<Listed>,
    pub(crate) skipped: Vec<Skipped>,
    /// More files than the limit allows.
    pub(crate) is_full: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Listed {
    pub(crate) path: String,
    pub(crate) node: Node,
}

/// How deep a walk goes from the folders it starts at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// The entries of the folders themselves; folders beneath are named and not entered.
    Entries,
    Everything,
}

/// Folders a thread takes at once.
const BATCH: usize = 16;

struct Start {
    path: String,
    chain: Arc<Chain>,
}

/// Lists the folders of `starts`, level by level, each level by all workers.
pub(crate) fn walk(
    root: &Root,
    rules: &Rules,
    limits: &Limits,
    starts: &[String],
    reach: Reach,
) -> Listing {
    let found = AtomicU64::new(0);
    let mut all = Listing::default();
    let mut level: Vec<Start> = starts
        .iter()
        .map(|path| Start {
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
                } else if reach == Reach::Entries {
                    all.folders.push(folder);
                } else {
                    next.push(Start {
                        chain: Arc::clone(&start.chain),
                        path: folder.path,
                    });
                }
            }
        }
        if all.is_full || reach == Reach::Entries {
            break;
        }
        level = threads.map(&next, |start| Start {
            chain: rules.enter(root, &start.path, Arc::clone(&start.chain)),
            path: start.path.clone(),
        });
    }
    all.folders
        .sort_by(|left, right| left.path.cmp(&right.path));
    all.files.sort_by(|left, right| left.path.cmp(&right.path));
    all
}

/// What one folder holds.
#[derive(Default)]
struct Part {
    own: Option<Listed>,
    folders: Vec<Listed>,
    files: Vec<Listed>,
    skipped: Vec<Skipped>,
    is_full: bool,
}

fn list(root: &Root, start: &Start, limits: &Limits, found: &AtomicU64) -> Part {
    let mut part = Part::default();
    // Looked at before it is listed: what comes after changes it again.
    let own = match root.node(&start.path) {
        Ok(Some(node)) if node.kind == Kind::Directory => node,
        // Gone or changed hands since it was seen.
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
        return Part {
            skipped: vec![skipped],
            ..Part::default()
        };
    }
    part.own = Some(Listed {
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
            Ok(Some(node)) if node.kind == Kind::Directory => {
                part.folders.push(Listed { path, node });
            }
            Ok(Some(node)) if node.kind.is_content() => {
                if found.fetch_add(1, Ordering::Relaxed) >= limits.files {
                    part.is_full = true;
                    break;
                }
                part.files.push(Listed { path, node });
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
