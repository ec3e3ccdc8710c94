//! What does not belong to a project: ignore files as git reads them, from the innermost folder
//! outwards, and folders of tools that nobody writes by hand.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use camino::{Utf8Path, Utf8PathBuf};
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use serde::{Deserialize, Serialize};

use crate::repository::Repository;
use crate::stamp::{Root, Stamp, stamp_of};

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

/// The rules that hold in one folder: its own, then those of the folder above.
#[derive(Debug)]
pub(crate) struct Chain {
    own: Option<Gitignore>,
    /// The folder of `own` from where paths are matched; with a `/` at its end unless empty.
    folder: String,
    /// What a path gets in front before it is matched: for rules from above the project.
    prefix: String,
    above: Option<Arc<Chain>>,
}

#[derive(Debug)]
pub(crate) struct Rules {
    top: Arc<Chain>,
    files: Vec<RuleFile>,
    known: Mutex<HashMap<String, Arc<Chain>>>,
}

impl Rules {
    pub(crate) fn new(repository: Option<&Repository>, global: Option<&Utf8Path>) -> Self {
        let mut files = Vec::new();
        let mut chain = Arc::new(Chain {
            own: None,
            folder: String::new(),
            prefix: String::new(),
            above: None,
        });
        let mut put = |path: Utf8PathBuf, prefix: String, above: Arc<Chain>| {
            let own = read_rules(&path);
            files.push(RuleFile {
                stamp: stamp_of(&path),
                path,
            });
            Arc::new(Chain {
                own,
                folder: String::new(),
                prefix,
                above: Some(above),
            })
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
            top: chain,
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
        match read_rules(&root.absolute(&path)) {
            None => above,
            own => Arc::new(Chain {
                own,
                folder: path[..path.len() - IGNORE_FILE.len()].to_owned(),
                prefix: String::new(),
                above: Some(above),
            }),
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Chain>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Chain {
    /// Whether a path of the project does not belong to it.
    pub(crate) fn ignores(&self, path: &str, name: &str, is_folder: bool) -> bool {
        if is_folder && NOISE.contains(&name) {
            return true;
        }
        let mut chain = Some(self);
        while let Some(rules) = chain {
            if let Some(own) = &rules.own {
                let below = path.strip_prefix(rules.folder.as_str()).unwrap_or(path);
                let matched = if rules.prefix.is_empty() {
                    own.matched(below, is_folder)
                } else {
                    own.matched(format!("{}{below}", rules.prefix), is_folder)
                };
                match matched {
                    Match::Ignore(_) => return true,
                    Match::Whitelist(_) => return false,
                    Match::None => {}
                }
            }
            chain = rules.above.as_deref();
        }
        false
    }
}

/// The rules of an ignore file; a line that is no pattern is as good as none.
fn read_rules(path: &Utf8Path) -> Option<Gitignore> {
    // A link is not followed, as git has it.
    let is_file = std::fs::symlink_metadata(path).is_ok_and(|found| found.is_file());
    let text = if is_file {
        std::fs::read(path).ok()?
    } else {
        return None;
    };
    let mut builder = GitignoreBuilder::new("");
    for line in String::from_utf8_lossy(&text).lines() {
        // Best effort, as git does: a bad pattern matches nothing.
        let _ = builder.add_line(None, line);
    }
    builder.build().ok()
}
