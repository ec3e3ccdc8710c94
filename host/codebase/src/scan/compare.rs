//! Compares a project with its artifact. Lists only changed folders, and opens nothing but folders and ignore files.

use std::collections::{BTreeSet, HashSet};

use crate::ContextError;
use crate::answer::response::Skipped;
use crate::artifact::format::Artifact;
use crate::options::Limits;
use crate::scan::changes::{FolderChanges, NewFile, PathChanges};
use crate::scan::look::{look, same_folder};
use crate::scan::node::{NodeKind, ScanRoot};
use crate::scan::repository::ProjectRepository;
use crate::scan::rules::{IGNORE_FILE, IgnoreRules};
use crate::scan::tree::{ArtifactTables, mark, parts};
use crate::scan::walk::{WalkDepth, walk};

/// Input for comparing a project with its artifact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProjectScan<'a> {
    pub(crate) root: &'a ScanRoot,
    pub(crate) repository: Option<&'a ProjectRepository>,
    pub(crate) limits: &'a Limits,
    pub(crate) global_ignore: Option<&'a camino::Utf8Path>,
}

/// Condition under which a known file is reread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RereadPolicy {
    /// Its stamp differs.
    ChangedStamp,
    /// Always.
    Always,
}

impl ProjectScan<'_> {
    pub(crate) fn rules(&self) -> IgnoreRules {
        IgnoreRules::new(self.repository, self.global_ignore)
    }

    /// Lists the whole project without an artifact.
    pub(crate) fn list_all(&self, rules: &IgnoreRules) -> Result<PathChanges, ContextError> {
        let listing = walk(
            self.root,
            rules,
            self.limits,
            &[String::new()],
            WalkDepth::Everything,
        );
        if listing.is_full {
            return Err(ContextError::TooManyFiles {
                path: self.root.path().to_owned(),
                limit: self.limits.files,
            });
        }
        let mut changes = PathChanges {
            skipped: listing.skipped,
            is_outdated: true,
            ..PathChanges::default()
        };
        let known = |path: &str| {
            listing
                .files
                .binary_search_by(|file| file.path.as_str().cmp(path))
                .is_ok()
        };
        let forced = self.forced(&known);
        changes.new = listing.files.into_iter().map(NewFile::listed).collect();
        changes.new.extend(forced);
        changes.folders = Some(FolderChanges {
            new: listing.folders,
            ..FolderChanges::default()
        });
        Ok(changes)
    }

    /// Compares every path and treats every known file as touched.
    pub(crate) fn compare_distrusting(
        &self,
        artifact: &Artifact,
    ) -> Result<PathChanges, ContextError> {
        self.compare_all(&self.rules(), artifact.tables(), RereadPolicy::Always)
    }

    /// Compares the project with its artifact.
    pub(crate) fn compare(&self, artifact: &Artifact) -> Result<PathChanges, ContextError> {
        let tables = artifact.tables();
        let rules = self.rules();
        if rules.files() != artifact.meta.rules {
            return self.compare_all(&rules, tables, RereadPolicy::ChangedStamp);
        }
        let looked = look(self.root, tables, self.limits.workers());
        let mut changes = PathChanges {
            touched: looked.touched,
            missing: looked.missing,
            skipped: looked.skipped,
            ..PathChanges::default()
        };
        if rules_changed(tables, &changes) {
            return self.compare_all(&rules, tables, RereadPolicy::ChangedStamp);
        }
        if !looked.listed.is_empty() || !looked.gone.is_empty() {
            let folders = self.relist(&rules, tables, looked.listed, looked.gone, &mut changes);
            let is_rule = |file: &NewFile| parts(&file.path).1 == IGNORE_FILE;
            if changes.new.iter().any(is_rule) {
                return self.compare_all(&self.rules(), tables, RereadPolicy::ChangedStamp);
            }
            changes.folders = Some(folders);
        }
        self.look_at_index(artifact, &mut changes);
        Ok(changes)
    }

    /// Compares when only these paths can have changed.
    pub(crate) fn compare_paths(
        &self,
        artifact: &Artifact,
        paths: &BTreeSet<String>,
    ) -> Result<PathChanges, ContextError> {
        let tables = artifact.tables();
        let mut changes = PathChanges::default();
        let mut listed = BTreeSet::new();
        let mut gone = BTreeSet::new();
        for path in paths {
            if parts(path).1 == IGNORE_FILE {
                return self.compare(artifact);
            }
            if let Some(index) = tables.find(path) {
                match self.root.node(path) {
                    Ok(Some(node)) if node.kind.is_content() => {
                        changes.touched.push((index, node));
                    }
                    Ok(_) => changes.missing.push(index),
                    Err(cause) => changes.skipped.push(Skipped::failed(path.clone(), &cause)),
                }
            }
            // The parent folder may have new entries; a removed folder takes its content with it.
            for folder in [path.as_str(), parts(path).0] {
                let Some(index) = tables.find_folder(folder) else {
                    continue;
                };
                match self.root.node(folder) {
                    Ok(Some(node)) if node.kind == NodeKind::Directory => {
                        if tables.folder(index).marks & mark::PARTIAL == 0 {
                            listed.insert(index);
                        }
                    }
                    _ => {
                        gone.extend(beneath(tables, index));
                    }
                }
            }
        }
        for index in &gone {
            let folder = tables.folder(*index);
            changes
                .missing
                .extend(folder.first_file..folder.first_file + folder.files);
        }
        changes.missing.sort_unstable();
        changes.missing.dedup();
        if rules_changed(tables, &changes) {
            return self.compare(artifact);
        }
        if !listed.is_empty() || !gone.is_empty() {
            let listed = listed.into_iter().filter(|index| !gone.contains(index));
            let folders = self.relist(
                &self.rules(),
                tables,
                listed.collect(),
                gone.iter().copied().collect(),
                &mut changes,
            );
            if changes
                .new
                .iter()
                .any(|file| parts(&file.path).1 == IGNORE_FILE)
            {
                return self.compare(artifact);
            }
            let is_real = !folders.gone.is_empty()
                || !folders.new.is_empty()
                || folders
                    .stamped
                    .iter()
                    .any(|(index, node)| !same_folder(tables.folder(*index).node, *node));
            changes.folders = is_real.then_some(folders);
        }
        changes
            .touched
            .retain(|(index, node)| tables.file(*index).node != *node || is_racy(tables, *index));
        self.look_at_index(artifact, &mut changes);
        Ok(changes)
    }

    /// Walks the whole project and compares by path: rules changed, so any folder may have gained or lost files.
    fn compare_all(
        &self,
        rules: &IgnoreRules,
        tables: ArtifactTables<'_>,
        policy: RereadPolicy,
    ) -> Result<PathChanges, ContextError> {
        let all = self.list_all(rules)?;
        let mut changes = PathChanges {
            skipped: all.skipped,
            is_outdated: true,
            ..PathChanges::default()
        };
        let mut seen = vec![false; tables.file_count() as usize];
        for file in all.new {
            match tables.find(&file.path) {
                Some(index) => {
                    seen[index as usize] = true;
                    if policy == RereadPolicy::Always
                        || tables.file(index).node != file.node
                        || is_racy(tables, index)
                    {
                        changes.touched.push((index, file.node));
                    }
                }
                None => changes.new.push(file),
            }
        }
        changes.touched.sort_unstable_by_key(|(index, _)| *index);
        changes.missing = (0..tables.file_count())
            .filter(|index| !seen[*index as usize])
            .collect();
        changes.folders = Some(FolderChanges {
            gone: (0..tables.folder_count()).collect(),
            new: all.folders.unwrap_or_default().new,
            ..FolderChanges::default()
        });
        Ok(changes)
    }

    /// Lists changed folders again, and new folders with their contents.
    fn relist(
        &self,
        rules: &IgnoreRules,
        tables: ArtifactTables<'_>,
        listed: Vec<u32>,
        gone: Vec<u32>,
        changes: &mut PathChanges,
    ) -> FolderChanges {
        let paths: Vec<String> = listed
            .iter()
            .map(|index| tables.folder_path(*index).to_owned())
            .collect();
        let entries = walk(self.root, rules, self.limits, &paths, WalkDepth::Entries);
        let mut folders = FolderChanges {
            gone,
            ..FolderChanges::default()
        };
        let mut new_folders = Vec::new();
        for folder in entries.folders {
            match tables.find_folder(&folder.path) {
                Some(index) if paths.binary_search(&folder.path).is_ok() => {
                    folders.stamped.push((index, folder.node));
                }
                // A known folder, which is compared on its own. A partial one is listed like a new one.
                Some(index) if tables.folder(index).marks & mark::PARTIAL == 0 => {}
                _ => new_folders.push(folder.path),
            }
        }
        let beneath = walk(
            self.root,
            rules,
            self.limits,
            &new_folders,
            WalkDepth::Everything,
        );
        changes.skipped.extend(entries.skipped);
        changes.skipped.extend(beneath.skipped);
        for file in entries.files.into_iter().chain(beneath.files) {
            match tables.find(&file.path) {
                None => changes.new.push(NewFile::listed(file)),
                // It was missing when it was checked, and has reappeared.
                Some(index) => {
                    let before = changes.missing.len();
                    changes.missing.retain(|missing| *missing != index);
                    if before != changes.missing.len() {
                        changes.touched.push((index, file.node));
                    }
                }
            }
        }
        folders.new = beneath.folders;
        folders
    }

    /// Returns tracked files that no listing shows because a rule ignores them.
    fn forced(&self, known: &dyn Fn(&str) -> bool) -> Vec<NewFile> {
        let Some(repository) = self.repository else {
            return Vec::new();
        };
        let mut forced = Vec::new();
        for entry in repository.tracked() {
            if entry.is_submodule || known(&entry.path) {
                continue;
            }
            if let Ok(Some(node)) = self.root.node(&entry.path)
                && node.kind.is_content()
            {
                forced.push(NewFile {
                    path: entry.path,
                    node,
                    marks: mark::FORCED,
                });
            }
        }
        forced
    }

    /// If the git index was written, checks whether ignored files became tracked or untracked.
    fn look_at_index(&self, artifact: &Artifact, changes: &mut PathChanges) {
        let stamp = self.repository.and_then(ProjectRepository::index_stamp);
        if stamp == artifact.meta.index {
            return;
        }
        changes.is_outdated = true;
        let tables = artifact.tables();
        let Some(repository) = self.repository else {
            return;
        };
        let mut forced = Vec::new();
        let mut tracked: HashSet<String> = HashSet::new();
        for entry in repository.tracked() {
            match tables.find(&entry.path) {
                Some(index) if tables.file(index).marks & mark::FORCED != 0 => {
                    tracked.insert(entry.path);
                }
                Some(_) => {}
                None if entry.is_submodule => {}
                None => forced.push(entry.path),
            }
        }
        for path in forced {
            if let Ok(Some(node)) = self.root.node(&path)
                && node.kind.is_content()
                && !changes.new.iter().any(|file| file.path == path)
            {
                changes.new.push(NewFile {
                    path,
                    node,
                    marks: mark::FORCED,
                });
            }
        }
        for index in 0..tables.file_count() {
            let file = tables.file(index);
            if file.marks & mark::FORCED != 0 && !tracked.contains(&tables.path(index)) {
                changes.missing.push(index);
                changes.touched.retain(|(touched, _)| *touched != index);
            }
        }
        changes.missing.sort_unstable();
        changes.missing.dedup();
    }
}

/// Returns a folder and all known folders beneath it.
fn beneath(tables: ArtifactTables<'_>, index: u32) -> Vec<u32> {
    let path = tables.folder_path(index);
    (0..tables.folder_count())
        .filter(|other| {
            let other = tables.folder_path(*other);
            other == path
                || path.is_empty()
                || other
                    .strip_prefix(path)
                    .is_some_and(|rest| rest.starts_with('/'))
        })
        .collect()
}

fn is_racy(tables: ArtifactTables<'_>, index: u32) -> bool {
    tables.file(index).marks & mark::RACY != 0
}

/// Reports whether an ignore file changed.
fn rules_changed(tables: ArtifactTables<'_>, changes: &PathChanges) -> bool {
    let is_rule = |index: u32| tables.text(tables.file(index).name) == IGNORE_FILE;
    changes
        .touched
        .iter()
        .any(|(index, node)| is_rule(*index) && tables.file(*index).node != *node)
        || changes.missing.iter().any(|index| is_rule(*index))
}
