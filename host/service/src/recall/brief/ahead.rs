//! The work ahead of a session: its directory, its branch, the files that branch changed, and the open ends of the last
//! session. Explains why a memory is relevant to that, if it is.

use acreta_text::{beginning, is_stop_word, words};

/// The likely subject of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ahead {
    /// Directory where it starts, relative to the project; empty for its root.
    pub directory: String,
    /// The branch that is checked out.
    pub branch: Option<String>,
    /// The default branch that `changed` is relative to.
    pub base: Option<String>,
    /// Files that the branch changed.
    pub changed: Vec<String>,
    /// Files that were committed since the last session here, by anyone.
    pub committed: Vec<String>,
    /// Open ends of the last session.
    pub open: Vec<String>,
    /// Time of the last session; memories newer than this are marked.
    pub last_session_ms: Option<i64>,
    /// Number of memories that came with the repository and that the user did not accept.
    pub foreign: u64,
    /// The session's own notes that wait until it is read, after a compaction.
    pub notes: Vec<String>,
}

/// Words of branch names that do not describe their subject.
const BRANCH_WORDS: [&str; 20] = [
    "branch", "bugfix", "chore", "develop", "docs", "feat", "feature", "fixes", "hotfix", "main",
    "master", "refactor", "release", "task", "test", "tests", "trunk", "update", "user", "work",
];

/// Minimum length of a word that memory and branch have in common.
const WORD: usize = 4;

/// Words to compare with every memory, prepared once.
pub(crate) struct AheadWords<'a> {
    ahead: &'a Ahead,
    branch: Vec<String>,
    open: Vec<String>,
}

impl<'a> AheadWords<'a> {
    pub(crate) fn new(ahead: &'a Ahead) -> Self {
        let branch = ahead.branch.as_deref().unwrap_or_default();
        Self {
            branch: telling(branch),
            open: telling(&ahead.open.join(" ")),
            ahead,
        }
    }

    /// Returns why a memory with this title and these paths is relevant to the work ahead; `None` if it is not.
    pub(crate) fn touched(&self, names: &[String], title: &str) -> Option<String> {
        let ahead = self.ahead;
        let in_directory =
            |name: &&String| !ahead.directory.is_empty() && meet(name, &ahead.directory);
        if let Some(name) = names.iter().find(in_directory) {
            return Some(format!("names {name}, where the session starts"));
        }
        let base = ahead.base.as_deref().unwrap_or("the base");
        let since = [
            (&ahead.changed, format!("changed since {base}")),
            (
                &ahead.committed,
                "changed since the last session".to_owned(),
            ),
        ];
        for (paths, how) in since {
            let is_in = |name: &&String| paths.iter().any(|path| meet(name, path));
            if let Some(name) = names.iter().find(is_in) {
                return Some(format!("names {name}, which {how}"));
            }
        }
        let is_open = |name: &&String| ahead.open.iter().any(|open| open.contains(name.as_str()));
        if let Some(name) = names.iter().find(is_open) {
            return Some(format!("names {name}, which the last session left open"));
        }
        self.shares_words(title)
    }

    fn shares_words(&self, title: &str) -> Option<String> {
        if self.branch.is_empty() && self.open.is_empty() {
            return None;
        }
        let own = telling(title);
        let shared = |others: &[String]| -> Vec<&String> {
            let is_shared = |word: &&String| {
                let mut others = others.iter();
                others.any(|other| beginning(other) == beginning(word))
            };
            own.iter().filter(is_shared).collect()
        };
        if let Some(word) = shared(&self.branch).first() {
            return Some(format!("is about `{word}`, as the branch is"));
        }
        match shared(&self.open).as_slice() {
            // A single common word is coincidence.
            [first, second, ..] => Some(format!(
                "is about `{first}` and `{second}`, which was left open"
            )),
            _ => None,
        }
    }
}

/// Returns the meaningful words of a text, each once.
fn telling(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in words(text) {
        let says = word.chars().count() >= WORD
            && !word.chars().all(|one| one.is_ascii_digit())
            && !is_stop_word(&word)
            && !BRANCH_WORDS.contains(&word.as_str());
        if says && !found.contains(&word) {
            found.push(word);
        }
    }
    found
}

/// Returns whether a name in a memory and a path are equal, or one lies within the other.
fn meet(name: &str, path: &str) -> bool {
    let within = |long: &str, short: &str| {
        let rest = long.strip_prefix(short);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let is_end = path
        .strip_suffix(name)
        .is_some_and(|rest| rest.ends_with('/'));
    within(name, path) || within(path, name.trim_end_matches('/')) || is_end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_memory_bears_on_what_is_named_or_does_not() {
        let ahead = Ahead {
            directory: "src/parser".to_owned(),
            branch: Some("fix/queue-retries".to_owned()),
            base: Some("main".to_owned()),
            changed: vec!["src/queue/drain.rs".to_owned()],
            committed: vec!["docs/guide.md".to_owned()],
            open: vec!["Move the scheduler settings out of conf/app.toml".to_owned()],
            ..Ahead::default()
        };
        let outlook = AheadWords::new(&ahead);
        let cases: &[(&[&str], &str, Option<&str>)] = &[
            (
                &["src/parser/lines.rs"],
                "Lines",
                Some("where the session starts"),
            ),
            (&["src/queue"], "Drains", Some("changed since main")),
            (&["drain.rs"], "Drains", Some("changed since main")),
            (
                &["docs/guide.md"],
                "Guide",
                Some("changed since the last session"),
            ),
            (&["conf/app.toml"], "App", Some("left open")),
            (
                &[],
                "The queue drains newest first",
                Some("as the branch is"),
            ),
            (
                &[],
                "Scheduler settings are read once",
                Some("which was left open"),
            ),
            (&[], "The scheduler wakes hourly", None),
            (&["src/query"], "Fix typos at once", None),
            (&["src/parse"], "Tabs", None),
        ];
        for (names, title, expected) in cases {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            let found = outlook.touched(&names, title);
            match expected {
                Some(part) => assert!(
                    found.as_deref().is_some_and(|found| found.contains(part)),
                    "{title}: {found:?}"
                ),
                None => assert_eq!(found, None, "{title}"),
            }
        }
    }
}
