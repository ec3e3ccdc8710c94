//! What became of a project since its artifact: only folders that changed are listed again. Nothing
//! is opened here but folders and ignore files.

use std::collections::{BTreeSet, HashSet};

use crate::ContextError;
use crate::answer::response::Skipped;
use crate::artifact::format::Artifact;
use crate::options::Limits;
use crate::scan::changes::{Changes, FolderChanges, NewFile};
use crate::scan::look::{look, same_folder};
use crate::scan::node::{Kind, Root};
use crate::scan::repository::Repository;
use crate::scan::rules::{IGNORE_FILE, Rules};
use crate::scan::tree::{Tables, mark, parts};
use crate::scan::walk::{Reach, walk};

/// What looking at a project needs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) root: &'a Root,
    pub(crate) repository: Option<&'a Repository>,
    pub(crate) limits: &'a Limits,
    pub(crate) global_ignore: Option<&'a camino::Utf8Path>,
}

/// What makes a known file one that has to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trust {
    /// Another stamp.
    Stamps,
    /// That it is there.
    Nothing,
}

impl Place<'_> {
    pub(crate) fn rules(&self) -> Rules {
        Rules::new(self.repository, self.global_ignore)
    }

    /// The whole project, from nothing.
    pub(crate) fn list_all(&self, rules: &Rules) -> Result<Changes, ContextError> {
        let listing = walk(
            self.root,
            rules,
            self.limits,
            &[String::new()],
            Reach::Everything,
        );
        if listing.is_full {
            return Err(ContextError::TooManyFiles {
                path: self.root.path().to_owned(),
                limit: self.limits.files,
            });
        }
        let mut changes = Changes {
            skipped: listing.skipped,
            is_outdated: true,
            ..Changes::default()
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

    /// Every path, and every known file as one that was touched: nothing is taken on trust.
    pub(crate) fn compare_distrusting(&self, artifact: &Artifact) -> Result<Changes, ContextError> {
        self.compare_all(&self.rules(), artifact.tables(), Trust::Nothing)
    }

    /// What differs from the artifact.
    pub(crate) fn compare(&self, artifact: &Artifact) -> Result<Changes, ContextError> {
        let tables = artifact.tables();
        let rules = self.rules();
        if rules.files() != artifact.meta.rules {
            return self.compare_all(&rules, tables, Trust::Stamps);
        }
        let looked = look(self.root, tables, self.limits.workers());
        let mut changes = Changes {
            touched: looked.touched,
            missing: looked.missing,
            skipped: looked.skipped,
            ..Changes::default()
        };
        if rules_changed(tables, &changes) {
            return self.compare_all(&rules, tables, Trust::Stamps);
        }
        if !looked.listed.is_empty() || !looked.gone.is_empty() {
            let folders = self.relist(&rules, tables, looked.listed, looked.gone, &mut changes);
            let is_rule = |file: &NewFile| parts(&file.path).1 == IGNORE_FILE;
            if changes.new.iter().any(is_rule) {
                return self.compare_all(&self.rules(), tables, Trust::Stamps);
            }
            changes.folders = Some(folders);
        }
        self.look_at_index(artifact, &mut changes);
        Ok(changes)
    }

    /// What differs, when only these paths can have changed.
    pub(crate) fn compare_paths(
        &self,
        artifact: &Artifact,
        paths: &BTreeSet<String>,
    ) -> Result<Changes, ContextError> {
        let tables = artifact.tables();
        let mut changes = Changes::default();
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
            // What is above may have new entries; what is beneath may be gone with it.
            for folder in [path.as_str(), parts(path).0] {
                let Some(index) = tables.find_folder(folder) else {
                    continue;
                };
                match self.root.node(folder) {
                    Ok(Some(node)) if node.kind == Kind::Directory => {
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

    /// A whole walk, compared path by path: rules changed, so that any folder may hold more or less.
    fn compare_all(
        &self,
        rules: &Rules,
        tables: Tables<'_>,
        trust: Trust,
    ) -> Result<Changes, ContextError> {
        let all = self.list_all(rules)?;
        let mut changes = Changes {
            skipped: all.skipped,
            is_outdated: true,
            ..Changes::default()
        };
        let mut seen = vec![false; tables.file_count() as usize];
        for file in all.new {
            match tables.find(&file.path) {
                Some(index) => {
                    seen[index as usize] = true;
                    if trust == Trust::Nothing
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

    /// Lists changed folders again, and what lies in folders that are new.
    fn relist(
        &self,
        rules: &Rules,
        tables: Tables<'_>,
        listed: Vec<u32>,
        gone: Vec<u32>,
        changes: &mut Changes,
    ) -> FolderChanges {
        let paths: Vec<String> = listed
            .iter()
            .map(|index| tables.folder_path(*index).to_owned())
            .collect();
        let entries = walk(self.root, rules, self.limits, &paths, Reach::Entries);
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
                // One that was there as a part, or is known and looked at by itself.
                Some(index) if tables.folder(index).marks & mark::PARTIAL == 0 => {}
                _ => new_folders.push(folder.path),
            }
        }
        let beneath = walk(
            self.root,
            rules,
            self.limits,
            &new_folders,
            Reach::Everything,
        );
        changes.skipped.extend(entries.skipped);
        changes.skipped.extend(beneath.skipped);
        for file in entries.files.into_iter().chain(beneath.files) {
            match tables.find(&file.path) {
                None => changes.new.push(NewFile::listed(file)),
                // Gone when it was looked at, and back since.
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

    /// Tracked files that no listing shows, since a rule ignores them.
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

    /// When the index was written: files may be tracked now that a rule ignores, or no longer.
    fn look_at_index(&self, artifact: &Artifact, changes: &mut Changes) {
        let stamp = self.repository.and_then(Repository::index_stamp);
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

/// A folder and all known ones beneath it.
fn beneath(tables: Tables<'_>, index: u32) -> Vec<u32> {
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

fn is_racy(tables: Tables<'_>, index: u32) -> bool {
    tables.file(index).marks & mark::RACY != 0
}

/// Whether an ignore file is among what changed.
fn rules_changed(tables: Tables<'_>, changes: &Changes) -> bool {
    let is_rule = |index: u32| tables.text(tables.file(index).name) == IGNORE_FILE;
    changes
        .touched
        .iter()
        .any(|(index, node)| is_rule(*index) && tables.file(*index).node != *node)
        || changes.missing.iter().any(|index| is_rule(*index))
}
