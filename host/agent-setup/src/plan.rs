//! The plan: the files to change and their new content. Planning only reads; entries for the same file become one
//! change, whatever path leads to it. Entries that a person changed under acreta's name stay and are reported.

use std::fmt::Write as _;

use camino::Utf8PathBuf;
use serde_json::Value;
use similar::{ChangeTag, TextDiff};

use crate::command::is_hook;
use crate::json_edit::{Put, put_item, put_key};
use crate::wanted::{IGNORED, Thing, Want, of_agent};
use crate::{AddedEntry, Agent, Learning, Machine, Problem, Setup, files, toml};

/// The planned changes, and information for the person.
#[derive(Debug, Default)]
pub struct Plan {
    pub changes: Vec<FileChange>,
    /// Entries under acreta's name with other content; they stay.
    pub kept: Vec<ChangedEntry>,
    /// Files that are skipped.
    pub problems: Vec<Problem>,
    /// Steps that are left to the person.
    pub notes: Vec<Note>,
}

/// One file before and after.
#[derive(Debug, Clone, PartialEq)]
pub struct FileChange {
    pub path: Utf8PathBuf,
    /// The file's real path; differs from `path` if links lead to it.
    pub target: Utf8PathBuf,
    pub before: Option<String>,
    pub after: String,
    /// Descriptions of the additions.
    pub what: Vec<&'static str>,
    pub agents: Vec<Agent>,
    pub entries: Vec<AddedEntry>,
}

/// An entry that somebody changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedEntry {
    pub path: Utf8PathBuf,
    pub what: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    pub agent: Agent,
    pub text: String,
}

/// Computes the necessary changes without writing. After a plan was applied, a second plan is empty.
pub fn plan(setup: &Setup<'_>) -> Plan {
    let mut plan = Plan::default();
    if !setup.binary.is_absolute() {
        let path = setup.binary.to_owned();
        plan.problems.push(Problem::RelativeBinary { path });
        return plan;
    }
    for &agent in setup.agents {
        for want in of_agent(agent, setup) {
            plan.add(setup, &want);
        }
    }
    plan.changes
        .retain(|change| change.before.as_ref() != Some(&change.after));
    plan.changes
        .sort_by(|left, right| left.path.cmp(&right.path));
    for &agent in setup.agents {
        plan.note(agent, setup.machine);
    }
    plan
}

impl Plan {
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Returns the changes as a unified diff.
    pub fn diff(&self) -> String {
        let mut text = String::new();
        for change in &self.changes {
            let before = change.before.as_deref().unwrap_or_default();
            let old = match change.before {
                Some(_) => change.target.as_str(),
                None => "/dev/null",
            };
            let diff = TextDiff::from_lines(before, change.after.as_str());
            let mut unified = diff.unified_diff();
            // Writing to a string cannot fail.
            let _ = write!(text, "{}", unified.header(old, change.target.as_str()));
        }
        text
    }

    /// Returns a line for each change: the file, and how many lines are added and removed.
    pub fn files(&self) -> Vec<String> {
        let line = |change: &FileChange| {
            let before = change.before.as_deref().unwrap_or_default();
            let diff = TextDiff::from_lines(before, change.after.as_str());
            let count = |tag: ChangeTag| {
                let changes = diff.iter_all_changes();
                changes.filter(|line| line.tag() == tag).count()
            };
            let (added, removed) = (count(ChangeTag::Insert), count(ChangeTag::Delete));
            match change.before {
                Some(_) => format!("  {}  +{added} -{removed}", change.target),
                None => format!("  {}  new, {added} lines", change.target),
            }
        };
        self.changes.iter().map(line).collect()
    }

    fn add(&mut self, setup: &Setup<'_>, want: &Want) {
        if let Err(problem) = self.try_add(setup, want) {
            let told = problem.to_string();
            if !self.problems.iter().any(|known| known.to_string() == told) {
                self.problems.push(problem);
            }
        }
    }

    fn try_add(&mut self, setup: &Setup<'_>, want: &Want) -> Result<(), Problem> {
        let target = files::resolve(&want.path)?;
        let known = self
            .changes
            .iter()
            .position(|change| change.target == target);
        let before = match known {
            Some(_) => None,
            None => files::read_text(&target)?,
        };
        let current = match known {
            Some(index) => Some(&self.changes[index].after),
            None => before.as_ref(),
        };
        let text = current.map_or("", String::as_str);
        let (put, entry) = put(want, current.is_some(), text, setup)?;
        match put {
            Put::There => self.shared_with(known, want),
            Put::Differs => {
                let (path, what) = (want.path.clone(), want.what);
                let kept = ChangedEntry { path, what };
                if !self.kept.contains(&kept) {
                    self.kept.push(kept);
                }
            }
            Put::Added { text: after, made } => {
                let entry = entry.sized(made, text, &after);
                let index = known.unwrap_or_else(|| {
                    self.changes.push(FileChange {
                        path: want.path.clone(),
                        target,
                        before,
                        after: String::new(),
                        what: Vec::new(),
                        agents: Vec::new(),
                        entries: Vec::new(),
                    });
                    self.changes.len() - 1
                });
                let change = &mut self.changes[index];
                change.after = after;
                change.what.push(want.what);
                change.entries.push(entry);
                self.shared_with(Some(index), want);
            }
        }
        Ok(())
    }

    /// Adds an agent to an existing change: one file may serve several agents.
    fn shared_with(&mut self, change: Option<usize>, want: &Want) {
        if let Some(index) = change {
            let agents = &mut self.changes[index].agents;
            if !agents.contains(&want.agent) {
                agents.push(want.agent);
            }
        }
    }

    fn note(&mut self, agent: Agent, machine: &Machine) {
        let own = self
            .changes
            .iter()
            .filter(|change| change.agents.contains(&agent));
        let adds = |part: &str| {
            let mut own = own.clone();
            own.any(|change| change.what.iter().any(|what| what.contains(part)))
        };
        let learning = match agent {
            // Hooks that are new to it are not trusted yet.
            Agent::Codex if adds("hook") => Learning::Untrusted,
            Agent::OpenCode | Agent::Kilo | Agent::Cline if adds("plugin") => Learning::Turn,
            _ => Learning::of(agent, machine),
        };
        let mut text = format!("its sessions are read {}", learning.moment());
        text.push_str(match agent {
            Agent::Pi => {
                "; it has no MCP servers: its extension tells it what memory knows, and it runs the command `acreta`"
            }
            // Both install it in any case, but wait for it only where there is a plugin to load.
            Agent::OpenCode | Agent::Kilo if adds("plugin") => {
                "; its first start with a plugin waits until it has installed its own plugin library (about 60 MB from npm); with `--plugins no` it does not wait, and has acreta's tools and instructions to use them, but no brief and no reminders"
            }
            _ => "",
        });
        self.notes.push(Note { agent, text });
    }
}

/// Adds an entry to a text, and returns the data that identifies the entry later.
fn put(
    want: &Want,
    exists: bool,
    text: &str,
    setup: &Setup<'_>,
) -> Result<(Put, AddedEntry), Problem> {
    let path = &want.path;
    Ok(match &want.thing {
        Thing::Key { at, value } => (
            put_key(text, at, value).map_err(|trouble| trouble.at(path))?,
            AddedEntry::key(at, value),
        ),
        Thing::Base { at, value } => {
            let put = put_key(text, at, value).map_err(|trouble| trouble.at(path))?;
            let put = if put == Put::Differs { Put::There } else { put };
            (put, AddedEntry::key(at, value))
        }
        Thing::Item { at, value, event } => {
            let is_ours = |text: &str| event.is_some_and(|event| is_hook(text, event));
            let ours = |value: &Value| any_string(value, &is_ours);
            let put = put_item(text, at, value, ours).map_err(|trouble| trouble.at(path))?;
            (put, AddedEntry::item(at, value))
        }
        Thing::TomlServer => (
            toml::put_server(path, text, setup.binary.as_str())?,
            AddedEntry::text(),
        ),
        Thing::TomlListedServer => (
            toml::put_listed_server(path, text, setup.binary.as_str())?,
            AddedEntry::text(),
        ),
        Thing::TomlHook {
            moment,
            command,
            timeout,
        } => (
            toml::put_hook(path, text, *moment, command, *timeout)?,
            AddedEntry::text(),
        ),
        Thing::TomlListedHook {
            moment,
            command,
            timeout,
        } => (
            toml::put_listed_hook(path, text, *moment, command, *timeout)?,
            AddedEntry::text(),
        ),
        Thing::Ignored => {
            let is_known = |line: &str| IGNORED.contains(&line.trim());
            let end = if text.is_empty() || text.ends_with('\n') {
                ""
            } else {
                "\n"
            };
            let put = match text.lines().any(is_known) {
                true => Put::There,
                false => Put::Added {
                    text: format!("{text}{end}{}\n", IGNORED[0]),
                    made: 0,
                },
            };
            (put, AddedEntry::text())
        }
        Thing::File { text: wanted } => {
            let put = match (exists, text == wanted) {
                (true, true) => Put::There,
                (true, false) => Put::Differs,
                (false, _) => Put::Added {
                    text: wanted.clone(),
                    made: 0,
                },
            };
            (put, AddedEntry::File)
        }
    })
}

fn any_string(value: &Value, wanted: &dyn Fn(&str) -> bool) -> bool {
    match value {
        Value::String(text) => wanted(text),
        Value::Array(values) => values.iter().any(|value| any_string(value, wanted)),
        Value::Object(map) => map.values().any(|value| any_string(value, wanted)),
        _ => false,
    }
}
