//! Ignore files with git's semantics, from the innermost folder outwards.

use std::sync::Arc;

use camino::Utf8Path;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::limits::RULES_BYTES;
use crate::read;

/// The ignore rules of one folder: its own, then those of the folder above.
#[derive(Debug, Default)]
pub struct IgnoreChain {
    own: Option<Gitignore>,
    /// The folder of `own`, which is stripped from paths before matching; empty or ending in `/`.
    folder: String,
    /// Prefix added to a path before matching, for rules from above the project.
    prefix: String,
    above: Option<Arc<IgnoreChain>>,
}

impl IgnoreChain {
    /// Adds the rules of an ignore file before those of `above`; returns `above` if the file does not exist.
    pub fn with(
        file: &Utf8Path,
        folder: String,
        prefix: String,
        above: Arc<IgnoreChain>,
    ) -> Arc<Self> {
        match rules(file) {
            None => above,
            own => Arc::new(Self {
                own,
                folder,
                prefix,
                above: Some(above),
            }),
        }
    }

    /// Reports whether a path is ignored. The caller must handle paths inside ignored folders.
    pub fn ignores(&self, path: &str, is_folder: bool) -> bool {
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

/// Reads the rules of an ignore file; invalid lines are skipped.
fn rules(path: &Utf8Path) -> Option<Gitignore> {
    // Does not follow a link, as git.
    let is_file = std::fs::symlink_metadata(path).is_ok_and(|found| found.is_file());
    let bytes = is_file.then(|| read::bytes(path, RULES_BYTES).ok())???;
    let mut builder = GitignoreBuilder::new("");
    for line in String::from_utf8_lossy(&bytes).lines() {
        // Best effort, as git does: a bad pattern matches nothing.
        let _ = builder.add_line(None, line);
    }
    builder.build().ok()
}
