//! Stats every known path once, on all workers. Opens nothing.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

use acreta_fs::Stamp;

use crate::answer::response::Skipped;
use crate::scan::node::{NodeKind, PathNode, ScanRoot};
use crate::scan::tree::{ArtifactTables, mark};

#[derive(Default)]
pub(crate) struct StatResult {
    pub(crate) touched: Vec<(u32, PathNode)>,
    pub(crate) missing: Vec<u32>,
    /// Folders whose entries changed.
    pub(crate) listed: Vec<u32>,
    pub(crate) gone: Vec<u32>,
    pub(crate) skipped: Vec<Skipped>,
}

/// Stats every known path once.
pub(crate) fn look(root: &ScanRoot, tables: ArtifactTables<'_>, workers: usize) -> StatResult {
    /// Number of folders a thread takes at once.
    const BATCH: usize = 32;
    let count = tables.folder_count() as usize;
    let workers = workers.min(count.div_ceil(BATCH)).max(1);
    let next = AtomicUsize::new(0);
    let run = || {
        let mut looked = StatResult::default();
        let mut path = String::new();
        loop {
            let start = next.fetch_add(BATCH, Ordering::Relaxed);
            if start >= count {
                return looked;
            }
            for folder in start..count.min(start + BATCH) {
                look_at(root, tables, folder as u32, &mut path, &mut looked);
            }
        }
    };
    let mut all = std::thread::scope(|scope| {
        let helpers: Vec<_> = (1..workers).map(|_| scope.spawn(run)).collect();
        let mut all = run();
        for helper in helpers {
            match helper.join() {
                Ok(part) => {
                    all.touched.extend(part.touched);
                    all.missing.extend(part.missing);
                    all.listed.extend(part.listed);
                    all.gone.extend(part.gone);
                    all.skipped.extend(part.skipped);
                }
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    });
    all.touched.sort_unstable_by_key(|(index, _)| *index);
    all.missing.sort_unstable();
    all.listed.sort_unstable();
    all.gone.sort_unstable();
    all.skipped.sort();
    all
}

/// Compares two folder nodes, ignoring the size, which is meaningless for folders.
pub(crate) fn same_folder(known: PathNode, now: PathNode) -> bool {
    let stamp = Stamp {
        bytes: 0,
        ..now.stamp
    };
    now.kind == known.kind && stamp == known.stamp
}

fn look_at(
    root: &ScanRoot,
    tables: ArtifactTables<'_>,
    index: u32,
    path: &mut String,
    looked: &mut StatResult,
) {
    let folder = tables.folder(index);
    path.clear();
    path.push_str(tables.text(folder.path));
    let files = folder.first_file..folder.first_file.saturating_add(folder.files);
    match root.node(path) {
        Ok(Some(node)) if node.kind == NodeKind::Directory => {
            let is_known = same_folder(folder.node, node) && folder.marks & mark::RACY == 0;
            if !is_known && folder.marks & mark::PARTIAL == 0 {
                looked.listed.push(index);
            }
        }
        Ok(_) => {
            looked.gone.push(index);
            looked.missing.extend(files);
            return;
        }
        Err(cause) => return unseen(path.clone(), &cause, looked),
    }
    if !path.is_empty() {
        path.push('/');
    }
    let length = path.len();
    for index in files {
        let file = tables.file(index);
        path.truncate(length);
        path.push_str(tables.text(file.name));
        match root.node(path) {
            Ok(Some(node)) if node == file.node => {
                if file.marks & mark::RACY != 0 {
                    looked.touched.push((index, node));
                }
            }
            Ok(Some(node)) if node.kind.is_content() => looked.touched.push((index, node)),
            Ok(_) => looked.missing.push(index),
            Err(cause) => unseen(path.clone(), &cause, looked),
        }
    }
}

/// Records a path that cannot be examined as skipped: neither changed nor removed.
fn unseen(path: String, cause: &io::Error, looked: &mut StatResult) {
    looked.skipped.push(Skipped::failed(path, cause));
}
