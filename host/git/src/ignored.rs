//! Ignore files as git reads them, from the innermost folder outwards.

use std::sync::Arc;

use camino::Utf8Path;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::limits::RULES_BYTES;
use crate::read;

/// The rules that hold in one folder: its own, then those of the folder above.
#[derive(Debug, Default)]
pub struct IgnoreChain {
    own: Option<Gitignore>,
    /// The folder of `own`, which paths lose before they are matched; empty or with a `/` at its end.
    folder: String,
    /// What a path gets in front before it is matched: for rules from above the project.
    prefix: String,
    above: Option<Arc<IgnoreChain>>,
}

impl IgnoreChain {
    /// The rules of an ignore file before those of `above`; just `above` when there is no such file.
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

    /// Reports whether a path is ignored. What lies in an ignored folder is the caller's to know.
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

/// The rules of an ignore file; a line that is no pattern is as good as none.
fn rules(path: &Utf8Path) -> Option<Gitignore> {
    // A link is not followed, as git has it.
    let is_file = std::fs::symlink_metadata(path).is_ok_and(|found| found.is_file());
    let bytes = is_file.then(|| read::bytes(path, RULES_BYTES).ok())???;
    let mut builder = GitignoreBuilder::new("");
    for line in String::from_utf8_lossy(&bytes).lines() {
        // Best effort, as git does: a bad pattern matches nothing.
        let _ = builder.add_line(None, line);
    }
    builder.build().ok()
}
