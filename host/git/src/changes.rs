//! Differences between a commit and the work tree: tracked files by stat and hash, untracked files, renames. Files that
//! only a filter could compare are reported as unknown.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use camino::Utf8Path;
use gix_hash::ObjectId;
use gix_object::tree::EntryKind;

use crate::attributes::Attributes;
use crate::config::Config;
use crate::index::{GitIndex, TrackedPath};
use crate::limits::{self, OBJECT_BYTES};
use crate::objects::Objects;
use crate::renames::{self, RenameSide};
use crate::repository::GitRepository;
use crate::tree::{self, TreeDifference, TreeFile};
use crate::untracked::Untracked;
use crate::worktree::{WorkTree, WorkTreeState};
use crate::{GitError, PathChange::*};

/// A path that differs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChangedPath {
    pub path: String,
    pub change: PathChange,
    /// Previous path of a renamed file.
    pub from: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PathChange {
    Added,
    Modified,
    Removed,
    Renamed,
    /// The bytes differ, and only a filter, which is not run, could decide whether the content does.
    Unknown,
}

/// Maximum size of a file that is compared for renames.
const RENAMED_BYTES: u64 = 16 * 1024 * 1024;

impl GitRepository {
    /// Returns the differences between a commit and the work tree within a folder (empty, or ending in `/`); paths are
    /// relative to that folder.
    pub fn changes_since(
        &self,
        commit: &str,
        within: &str,
        global_ignore: Option<&Utf8Path>,
    ) -> Result<Vec<ChangedPath>, GitError> {
        let work_tree = self.checkout()?;
        let objects = self.objects();
        let commit = self.object_id(commit)?;
        let root = tree::tree_of(&objects, &commit)?;
        let files = match tree::beneath(&objects, root, within)? {
            Some(tree) => tree::files(&objects, tree, within)?,
            None => Vec::new(),
        };
        let index = self.index()?;
        let config = Config::read(self.common_folder());
        let looked = TreeComparison {
            repository: self,
            work_tree,
            config: &config,
            index: &index,
            within,
        }
        .look(&objects, &files)?;
        let mut changed = looked.changed;
        changed.extend(renamed(looked.removed, looked.added, &objects, looked.tree));

        let tracked: HashSet<&str> = index.entries.iter().map(|entry| &*entry.path).collect();
        let untracked = Untracked {
            work_tree,
            exclude_file: self.exclude_file(),
            global_ignore,
            tracked: &tracked,
        };
        let plain = |path: String, change| ChangedPath {
            path,
            change,
            from: None,
        };
        changed.extend(
            untracked
                .list(within)?
                .into_iter()
                .map(|path| plain(path, Added)),
        );
        for change in &mut changed {
            shorten(&mut change.path, within);
            if let Some(from) = &mut change.from {
                shorten(from, within);
            }
        }
        changed.sort();
        changed.dedup();
        Ok(changed)
    }

    /// Returns every path that differs between two commits.
    pub fn changed_between(&self, from: &str, to: &str) -> Result<Vec<String>, GitError> {
        let objects = self.objects();
        let from = tree::tree_of(&objects, &self.object_id(from)?)?;
        let to = tree::tree_of(&objects, &self.object_id(to)?)?;
        let mut paths = Vec::new();
        let mut state = gix_diff::tree::State::default();
        let trees = (Some(from), Some(to));
        let most = limits::TREE_ENTRIES;
        tree::compare(
            &objects,
            &mut state,
            trees,
            most,
            &mut |path, _: TreeDifference| {
                paths.push(path.to_owned());
                ControlFlow::Continue(())
            },
        )?;
        paths.sort();
        paths.dedup();
        Ok(paths)
    }
}

fn shorten(path: &mut String, within: &str) {
    if let Some(below) = path.strip_prefix(within) {
        *path = below.to_owned();
    }
}

/// Input for comparing the tracked files.
struct TreeComparison<'a> {
    repository: &'a GitRepository,
    work_tree: &'a Utf8Path,
    config: &'a Config,
    index: &'a GitIndex,
    within: &'a str,
}

struct ComparisonResult<'a> {
    changed: Vec<ChangedPath>,
    removed: Vec<RenameSide>,
    added: Vec<RenameSide>,
    tree: WorkTree<'a>,
}

impl<'a> TreeComparison<'a> {
    fn look(
        &self,
        objects: &Objects,
        files: &[TreeFile],
    ) -> Result<ComparisonResult<'a>, GitError> {
        let wanted: HashMap<&str, &TreeFile> =
            files.iter().map(|file| (&*file.path, file)).collect();
        let entries = self.entries(objects)?;
        let mut looked = ComparisonResult {
            changed: Vec::new(),
            removed: Vec::new(),
            added: Vec::new(),
            tree: self.work_tree(),
        };
        let found = self.found(&entries, &wanted);
        for (entry, found) in entries.iter().zip(found) {
            looked.put(entry, wanted.get(&*entry.path).copied(), found);
        }
        let tracked: HashSet<&str> = entries.iter().map(|entry| &*entry.path).collect();
        let gone = files.iter().filter(|file| !tracked.contains(&*file.path));
        looked.removed.extend(gone.map(removed));
        Ok(looked)
    }

    /// Returns the index entries within the folder, with sparse folders expanded to their files.
    fn entries(&self, objects: &Objects) -> Result<Vec<TrackedPath>, GitError> {
        let mut entries = Vec::new();
        for entry in &self.index.entries {
            if !entry.path.ends_with('/') {
                if entry.path.starts_with(self.within) {
                    entries.push(entry.clone());
                }
                continue;
            }
            let beneath = tree::files(objects, entry.id, &entry.path)?;
            let beneath = beneath.into_iter().filter_map(|file| {
                let mode = gix_index::entry::Mode::from_bits(u32::from(file.mode.value()))?;
                file.path.starts_with(self.within).then_some(TrackedPath {
                    is_submodule: mode.is_submodule(),
                    path: file.path,
                    id: file.id,
                    mode,
                    stat: entry.stat,
                    is_assumed: true,
                    is_conflict: false,
                })
            });
            entries.extend(beneath);
        }
        Ok(entries)
    }

    fn work_tree(&self) -> WorkTree<'a> {
        let common = self.repository.common_folder();
        WorkTree::new(
            self.work_tree,
            self.repository.hash(),
            self.index.written,
            self.config.boolean("core", "filemode", true),
            Attributes::open(self.work_tree, common, self.config),
        )
    }

    /// Compares all entries, on several threads if there are many.
    fn found(
        &self,
        entries: &[TrackedPath],
        wanted: &HashMap<&str, &TreeFile>,
    ) -> Vec<WorkTreeState> {
        /// Entries per thread.
        const PART: usize = 2_000;
        let look = |part: &[TrackedPath]| -> Vec<WorkTreeState> {
            let mut tree = self.work_tree();
            part.iter()
                .map(|entry| tree.look(entry, wanted.get(&*entry.path).map(|file| &file.id)))
                .collect()
        };
        let threads = std::thread::available_parallelism().map_or(1, |cores| cores.get().min(8));
        let part = entries.len().div_ceil(threads).max(PART);
        let parts: Vec<&[TrackedPath]> = entries.chunks(part).collect();
        std::thread::scope(|scope| {
            let helpers: Vec<_> = parts
                .iter()
                .map(|part| scope.spawn(move || look(part)))
                .collect();
            helpers
                .into_iter()
                .flat_map(|helper| match helper.join() {
                    Ok(found) => found,
                    Err(panic) => std::panic::resume_unwind(panic),
                })
                .collect()
        })
    }
}

impl ComparisonResult<'_> {
    /// Records the state of one tracked file.
    fn put(&mut self, entry: &TrackedPath, wanted: Option<&TreeFile>, found: WorkTreeState) {
        let indexed = entry.mode.to_tree_entry_mode().map(|mode| mode.kind());
        let (kind, id) = match found {
            WorkTreeState::Nothing => {
                self.removed.extend(wanted.map(removed));
                return;
            }
            WorkTreeState::Unchanged => (indexed, Some(entry.id)),
            WorkTreeState::Other { kind, id } => (Some(kind), Some(id)),
            WorkTreeState::Differs => (indexed, None),
            WorkTreeState::Unknown => {
                let change = if wanted.is_some() { Unknown } else { Added };
                self.tell(&entry.path, change);
                return;
            }
        };
        match wanted {
            Some(_) if entry.is_conflict => self.tell(&entry.path, Modified),
            Some(file) if Some(file.id) == id && Some(file.mode.kind()) == kind => {}
            Some(_) => self.tell(&entry.path, Modified),
            None if kind == Some(EntryKind::Commit) => self.tell(&entry.path, Added),
            None => self.added.push(RenameSide {
                path: entry.path.clone(),
                id,
                is_plain: kind.is_some_and(is_plain),
            }),
        }
    }

    fn tell(&mut self, path: &str, change: PathChange) {
        self.changed.push(ChangedPath {
            path: path.to_owned(),
            change,
            from: None,
        });
    }
}

fn is_plain(kind: EntryKind) -> bool {
    matches!(kind, EntryKind::Blob | EntryKind::BlobExecutable)
}

fn removed(file: &TreeFile) -> RenameSide {
    RenameSide {
        path: file.path.clone(),
        id: Some(file.id),
        is_plain: tree::is_blob(file.mode),
    }
}

/// Combines removed and added files to renames.
fn renamed(
    removed: Vec<RenameSide>,
    added: Vec<RenameSide>,
    objects: &Objects,
    mut tree: WorkTree<'_>,
) -> Vec<ChangedPath> {
    let blob = |id: Option<ObjectId>| {
        let mut bytes = Vec::new();
        objects.find(&id?, &mut bytes).ok()??;
        (bytes.len() <= OBJECT_BYTES.min(RENAMED_BYTES as usize)).then_some(bytes)
    };
    let renames = renames::find(
        &removed,
        &added,
        |side| blob(side.id),
        |side| tree.bytes(&side.path, RENAMED_BYTES),
    );
    let mut is_moved = vec![false; removed.len()];
    let mut changed = Vec::new();
    for (side, from) in added.into_iter().zip(renames) {
        let (change, from) = match from {
            Some(from) => {
                is_moved[from] = true;
                (Renamed, Some(removed[from].path.clone()))
            }
            None => (Added, None),
        };
        changed.push(ChangedPath {
            path: side.path,
            change,
            from,
        });
    }
    let gone = removed.into_iter().zip(is_moved);
    let gone = gone.filter(|(_, is_moved)| !is_moved);
    changed.extend(gone.map(|(side, _)| ChangedPath {
        path: side.path,
        change: Removed,
        from: None,
    }));
    changed
}
