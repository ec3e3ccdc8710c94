//! The repository a project lies in: its index, its head, its exclude file. Read as files; git
//! itself is asked for history only. A project without one is a folder like any other.

use std::io::Read;

use camino::{Utf8Path, Utf8PathBuf};

use crate::git_index::{self, Tracked};
use crate::stamp::{Stamp, stamp_of};

#[derive(Debug, Clone)]
pub(crate) struct Repository {
    /// The root of its work tree.
    pub(crate) root: Utf8PathBuf,
    /// From that root to the project, with a `/` at its end unless it is empty.
    prefix: String,
    /// Of this work tree: `HEAD` and `index` are here.
    own: Utf8PathBuf,
    /// Of all work trees: `info/exclude`, refs and config are here.
    common: Utf8PathBuf,
}

impl Repository {
    /// The repository that `project`, a canonical path, lies in.
    pub(crate) fn find(project: &Utf8Path) -> Option<Self> {
        for root in project.ancestors() {
            let Some(own) = git_folder(root) else {
                continue;
            };
            let common = match small_text(&own.join("commondir")) {
                Some(common) => own.join(common.trim()),
                None => own.clone(),
            };
            let below = project.strip_prefix(root).ok()?.as_str();
            let prefix = if below.is_empty() {
                String::new()
            } else {
                format!("{below}/")
            };
            return Some(Self {
                root: root.to_owned(),
                prefix,
                own,
                common,
            });
        }
        None
    }

    pub(crate) fn folder(&self) -> &Utf8Path {
        &self.own
    }

    pub(crate) fn index_stamp(&self) -> Option<Stamp> {
        stamp_of(&self.own.join("index"))
    }

    /// The paths of the index that lie in the project, relative to it.
    pub(crate) fn tracked(&self) -> Vec<Tracked> {
        let Ok(bytes) = std::fs::read(self.own.join("index")) else {
            return Vec::new();
        };
        let config = small_text(&self.common.join("config")).unwrap_or_default();
        let hash_bytes = if config
            .to_ascii_lowercase()
            .contains("objectformat = sha256")
        {
            32
        } else {
            20
        };
        let mut tracked = git_index::parse(&bytes, hash_bytes).unwrap_or_default();
        if !self.prefix.is_empty() {
            tracked.retain_mut(|entry| match entry.path.strip_prefix(&self.prefix) {
                Some(path) => {
                    entry.path = path.to_owned();
                    true
                }
                None => false,
            });
        }
        tracked
    }

    /// The commit that is checked out, as far as files tell.
    pub(crate) fn head(&self) -> Option<String> {
        let head = small_text(&self.own.join("HEAD"))?;
        let head = head.trim();
        let Some(reference) = head.strip_prefix("ref: ") else {
            return Some(head.to_owned());
        };
        for folder in [&self.own, &self.common] {
            if let Some(commit) = small_text(&folder.join(reference)) {
                return Some(commit.trim().to_owned());
            }
        }
        let packed = std::fs::read_to_string(self.common.join("packed-refs")).ok()?;
        packed
            .lines()
            .filter_map(|line| line.split_once(' '))
            .find(|(_, name)| *name == reference)
            .map(|(commit, _)| commit.to_owned())
    }

    pub(crate) fn exclude_file(&self) -> Utf8PathBuf {
        self.common.join("info/exclude")
    }

    /// From a folder above the project, or the project, down to it; with a `/` at its end.
    pub(crate) fn below(&self, folder: &Utf8Path) -> String {
        let project = self.root.join(&self.prefix);
        match project.strip_prefix(folder) {
            Ok(below) if !below.as_str().is_empty() => {
                format!("{}/", below.as_str().trim_end_matches('/'))
            }
            _ => String::new(),
        }
    }

    /// The folders from the repository's root down to the project's parent, the root first.
    pub(crate) fn above_project(&self) -> Vec<Utf8PathBuf> {
        let mut folder = self.root.clone();
        let mut folders = Vec::new();
        for part in self.prefix.split('/').filter(|part| !part.is_empty()) {
            folders.push(folder.clone());
            folder.push(part);
        }
        folders
    }
}

/// `.git` itself, or where a `.git` file points.
fn git_folder(root: &Utf8Path) -> Option<Utf8PathBuf> {
    let path = root.join(".git");
    let metadata = std::fs::metadata(&path).ok()?;
    if metadata.is_dir() {
        return path.join("HEAD").exists().then_some(path);
    }
    let pointer = small_text(&path)?;
    let folder = root.join(pointer.strip_prefix("gitdir:")?.trim());
    folder.join("HEAD").exists().then_some(folder)
}

/// A file that is a few lines long; nothing when it is not.
fn small_text(path: &Utf8Path) -> Option<String> {
    let file = std::fs::File::open(path).ok()?;
    let mut text = String::new();
    file.take(64 * 1024).read_to_string(&mut text).ok()?;
    Some(text)
}
