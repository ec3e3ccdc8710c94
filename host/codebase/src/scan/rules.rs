//! Decides which paths do not belong to a project: ignore files with git's semantics, innermost folder first, and
//! folders of generated files.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use acreta_fs::Stamp;
use acreta_git::IgnoreChain;
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use crate::scan::node::{ScanRoot, stamp_of};
use crate::scan::repository::ProjectRepository;

/// Name of the ignore file that any folder may contain.
pub(crate) const IGNORE_FILE: &str = ".gitignore";

/// Folders of generated files, skipped regardless of ignore files.
const NOISE: &[&str] = &[
    "node_modules",
    "__pycache__",
    ".venv",
    ".tox",
    ".nox",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".hypothesis",
    ".gradle",
    ".next",
    ".nuxt",
    ".turbo",
    ".parcel-cache",
    ".terraform",
    ".acreta",
    ".hg",
    ".svn",
    ".jj",
];

/// An ignore file outside the project's own folders, with its stamp.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct IgnoreFile {
    path: Utf8PathBuf,
    stamp: Option<Stamp>,
}

/// The rules that apply in one folder.
#[derive(Debug)]
pub(crate) struct FolderRules(Arc<IgnoreChain>);

#[derive(Debug)]
pub(crate) struct IgnoreRules {
    top: Arc<FolderRules>,
    files: Vec<IgnoreFile>,
    known: Mutex<HashMap<String, Arc<FolderRules>>>,
}

impl IgnoreRules {
    pub(crate) fn new(repository: Option<&ProjectRepository>, global: Option<&Utf8Path>) -> Self {
        let mut files = Vec::new();
        let mut chain = Arc::new(IgnoreChain::default());
        let mut put = |path: Utf8PathBuf, prefix: String, above: Arc<IgnoreChain>| {
            let chain = IgnoreChain::with(&path, String::new(), prefix, above);
            files.push(IgnoreFile {
                stamp: stamp_of(&path),
                path,
            });
            chain
        };
        if let Some(path) = global {
            let prefix = repository.map_or(String::new(), |found| found.below(&found.root));
            chain = put(path.to_owned(), prefix, chain);
        }
        if let Some(repository) = repository {
            let prefix = repository.below(&repository.root);
            chain = put(repository.exclude_file(), prefix, chain);
            for folder in repository.above_project() {
                let prefix = repository.below(&folder);
                chain = put(folder.join(IGNORE_FILE), prefix, chain);
            }
        }
        Self {
            top: Arc::new(FolderRules(chain)),
            files,
            known: Mutex::default(),
        }
    }

    /// Returns the ignore files outside the project's folders that were read or looked for.
    pub(crate) fn files(&self) -> &[IgnoreFile] {
        &self.files
    }

    /// Returns the rules of a folder; empty means the project itself.
    pub(crate) fn chain(&self, root: &ScanRoot, folder: &str) -> Arc<FolderRules> {
        if let Some(chain) = self.lock().get(folder) {
            return Arc::clone(chain);
        }
        let above = match folder.rsplit_once('/') {
            _ if folder.is_empty() => Arc::clone(&self.top),
            Some((above, _)) => self.chain(root, above),
            None => self.chain(root, ""),
        };
        let chain = self.enter(root, folder, above);
        self.lock().insert(folder.to_owned(), Arc::clone(&chain));
        chain
    }

    /// Returns the rules of a folder whose parent has the rules `above`.
    pub(crate) fn enter(
        &self,
        root: &ScanRoot,
        folder: &str,
        above: Arc<FolderRules>,
    ) -> Arc<FolderRules> {
        let path = if folder.is_empty() {
            IGNORE_FILE.to_owned()
        } else {
            format!("{folder}/{IGNORE_FILE}")
        };
        let own = path[..path.len() - IGNORE_FILE.len()].to_owned();
        let file = root.absolute(&path);
        let chain = IgnoreChain::with(&file, own, String::new(), Arc::clone(&above.0));
        if Arc::ptr_eq(&chain, &above.0) {
            above
        } else {
            Arc::new(FolderRules(chain))
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<FolderRules>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FolderRules {
    /// Reports whether a path is excluded from the project.
    pub(crate) fn ignores(&self, path: &str, name: &str, is_folder: bool) -> bool {
        (is_folder && NOISE.contains(&name)) || self.0.ignores(path, is_folder)
    }
}
