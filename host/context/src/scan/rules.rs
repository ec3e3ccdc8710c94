//! What does not belong to a project: ignore files as git reads them, from the innermost folder
//! outwards, and folders of tools that nobody writes by hand.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use acreta_fs::Stamp;
use acreta_git::IgnoreChain;
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use crate::scan::node::{Root, stamp_of};
use crate::scan::repository::Repository;

/// The ignore file that may lie in any folder.
pub(crate) const IGNORE_FILE: &str = ".gitignore";

/// Folders that hold what tools made, whatever ignore files say.
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

/// An ignore file outside the project's own folders, and what it looked like.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RuleFile {
    path: Utf8PathBuf,
    stamp: Option<Stamp>,
}

/// The rules that hold in one folder.
#[derive(Debug)]
pub(crate) struct Chain(Arc<IgnoreChain>);

#[derive(Debug)]
pub(crate) struct Rules {
    top: Arc<Chain>,
    files: Vec<RuleFile>,
    known: Mutex<HashMap<String, Arc<Chain>>>,
}

impl Rules {
    pub(crate) fn new(repository: Option<&Repository>, global: Option<&Utf8Path>) -> Self {
        let mut files = Vec::new();
        let mut chain = Arc::new(IgnoreChain::default());
        let mut put = |path: Utf8PathBuf, prefix: String, above: Arc<IgnoreChain>| {
            let chain = IgnoreChain::with(&path, String::new(), prefix, above);
            files.push(RuleFile {
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
            top: Arc::new(Chain(chain)),
            files,
            known: Mutex::default(),
        }
    }

    /// The ignore files outside the project's folders that were read, or looked for.
    pub(crate) fn files(&self) -> &[RuleFile] {
        &self.files
    }

    /// The rules of a folder of the project; empty for the project itself.
    pub(crate) fn chain(&self, root: &Root, folder: &str) -> Arc<Chain> {
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

    /// The rules of a folder whose parent has the rules `above`.
    pub(crate) fn enter(&self, root: &Root, folder: &str, above: Arc<Chain>) -> Arc<Chain> {
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
            Arc::new(Chain(chain))
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Chain>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Chain {
    /// Whether a path of the project does not belong to it.
    pub(crate) fn ignores(&self, path: &str, name: &str, is_folder: bool) -> bool {
        (is_folder && NOISE.contains(&name)) || self.0.ignores(path, is_folder)
    }
}
