//! The git repository that contains a project, and the project's position in it. A project may have none.

use acreta_fs::Stamp;
use acreta_git::{GitRepository, TrackedPath};
use camino::{Utf8Path, Utf8PathBuf};

use crate::scan::node::stamp_of;

#[derive(Debug, Clone)]
pub(crate) struct ProjectRepository {
    git: GitRepository,
    /// Root of its work tree.
    pub(crate) root: Utf8PathBuf,
    /// Path from that root to the project, ending in `/` unless it is empty.
    prefix: String,
}

impl ProjectRepository {
    /// Finds the repository that contains `project`, a canonical path.
    pub(crate) fn find(project: &Utf8Path) -> Option<Self> {
        let git = GitRepository::containing(project).ok()?;
        let root = git.work_tree()?.to_owned();
        let below = acreta_fs::portable(project.strip_prefix(&root).ok()?);
        let prefix = if below.as_str().is_empty() {
            String::new()
        } else {
            format!("{below}/")
        };
        Some(Self { git, root, prefix })
    }

    pub(crate) fn git(&self) -> &GitRepository {
        &self.git
    }

    pub(crate) fn prefix(&self) -> &str {
        &self.prefix
    }

    pub(crate) fn folder(&self) -> &Utf8Path {
        self.git.folder()
    }

    pub(crate) fn index_stamp(&self) -> Option<Stamp> {
        stamp_of(&self.git.index_file())
    }

    /// Returns the tracked paths in the project, relative to it. They belong to the project even if an ignore rule
    /// matches them. An unreadable index counts as empty.
    pub(crate) fn tracked(&self) -> Vec<TrackedPath> {
        let mut tracked = self.git.tracked().unwrap_or_default();
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

    /// Returns the commit that is checked out.
    pub(crate) fn head(&self) -> Option<String> {
        self.git.head()
    }

    pub(crate) fn exclude_file(&self) -> Utf8PathBuf {
        self.git.exclude_file()
    }

    /// Returns the path from `folder` (the project or a folder above it) down to the project, ending in `/`.
    pub(crate) fn below(&self, folder: &Utf8Path) -> String {
        let project = self.root.join(&self.prefix);
        match project.strip_prefix(folder) {
            Ok(below) if !below.as_str().is_empty() => {
                let below = acreta_fs::portable(below);
                format!("{}/", below.as_str().trim_end_matches('/'))
            }
            _ => String::new(),
        }
    }

    /// Returns the folders from the repository's root down to the project's parent, root first.
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
