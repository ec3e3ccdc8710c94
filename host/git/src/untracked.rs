//! Files of a work tree that are neither tracked nor ignored. Follows no links, does not enter nested repositories, and
//! omits names that are not UTF-8.

use std::collections::HashSet;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

use crate::GitError;
use crate::ignored::IgnoreChain;
use crate::limits::{DEPTH, FILES};

/// Input for listing untracked files.
pub(crate) struct Untracked<'a> {
    pub(crate) work_tree: &'a Utf8Path,
    pub(crate) exclude_file: Utf8PathBuf,
    /// The user's own ignore file.
    pub(crate) global_ignore: Option<&'a Utf8Path>,
    pub(crate) tracked: &'a HashSet<&'a str>,
}

impl Untracked<'_> {
    /// Lists the files beneath a folder (empty, or ending in `/`), relative to the work tree.
    pub(crate) fn list(&self, folder: &str) -> Result<Vec<String>, GitError> {
        let mut chain = Arc::new(IgnoreChain::default());
        let none = String::new;
        for file in self.global_ignore.into_iter().chain([&*self.exclude_file]) {
            chain = IgnoreChain::with(file, none(), none(), chain);
        }
        // Rules of the folders above apply as well, and may ignore this one.
        let mut above = String::new();
        for part in folder.split('/').filter(|part| !part.is_empty()) {
            chain = self.enter(&above, chain);
            if chain.ignores(&format!("{above}{part}"), true) {
                return Ok(Vec::new());
            }
            above = format!("{above}{part}/");
        }
        let mut found = Vec::new();
        let mut seen = 0;
        let mut open = vec![(folder.to_owned(), chain)];
        while let Some((folder, above)) = open.pop() {
            let Ok(entries) = self.work_tree.join(&folder).read_dir() else {
                continue;
            };
            let mut names = Vec::new();
            for entry in entries.flatten() {
                let Ok(kind) = entry.file_type() else {
                    continue;
                };
                if let Ok(name) = entry.file_name().into_string() {
                    names.push((name, kind));
                }
                seen += 1;
                if seen > FILES {
                    return Err(GitError::too_large(self.work_tree, "files of a work tree"));
                }
            }
            let is_git = |name: &str| name.eq_ignore_ascii_case(".git");
            if !folder.is_empty() && names.iter().any(|(name, _)| is_git(name)) {
                continue;
            }
            let chain = self.enter(&folder, above);
            let depth = folder.matches('/').count();
            for (name, kind) in names {
                if is_git(&name) {
                    continue;
                }
                let path = format!("{folder}{name}");
                if kind.is_dir() {
                    if depth < DEPTH && !chain.ignores(&path, true) {
                        open.push((format!("{path}/"), Arc::clone(&chain)));
                    }
                } else if (kind.is_file() || kind.is_symlink())
                    && !self.tracked.contains(path.as_str())
                    && !chain.ignores(&path, false)
                {
                    found.push(path);
                }
            }
        }
        found.sort();
        Ok(found)
    }

    fn enter(&self, folder: &str, above: Arc<IgnoreChain>) -> Arc<IgnoreChain> {
        let file = self.work_tree.join(format!("{folder}.gitignore"));
        IgnoreChain::with(&file, folder.to_owned(), String::new(), above)
    }
}
