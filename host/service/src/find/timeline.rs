//! History of a project, or of all: sessions, their memories, and changes of mind, newest first, in pages.

use std::collections::HashMap;

use acreta_state::SessionFilter;
use acreta_store::{ArchivedBy, Memory, Snapshot};
use acreta_types::{MemoryType, Status};
use camino::Utf8Path;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::process::clock::{moment, now_ms};
use crate::projects::scopes::{self, MemoryScope};
use crate::{Context, Failure};

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TimelineRequest {
    /// Only entries of this kind.
    pub kind: Option<TimelineKind>,
    #[serde(default)]
    #[schemars(range(max = 1_000_000_000))]
    pub offset: usize,
    #[serde(default = "page_size")]
    #[schemars(range(min = 1, max = 500))]
    pub limit: usize,
}

fn page_size() -> usize {
    100
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Timeline {
    /// Newest first.
    pub entries: Vec<TimelineEntry>,
    /// Number of entries of the requested kind.
    pub total: u64,
    pub counts: TimelineCounts,
}

/// Number of entries of each kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TimelineCounts {
    pub sessions: u64,
    pub decisions: u64,
    pub learnings: u64,
    pub changes_of_mind: u64,
    pub rejected: u64,
}

impl TimelineCounts {
    pub fn of(entries: &[TimelineEntry]) -> Self {
        let mut counts = Self::default();
        for entry in entries {
            let count = match entry.kind {
                TimelineKind::Session => &mut counts.sessions,
                TimelineKind::Decision => &mut counts.decisions,
                TimelineKind::Learning => &mut counts.learnings,
                TimelineKind::ChangeOfMind => &mut counts.changes_of_mind,
                TimelineKind::Rejected => &mut counts.rejected,
            };
            *count += 1;
        }
        counts
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TimelineEntry {
    pub at_ms: u64,
    pub kind: TimelineKind,
    pub title: String,
    /// Id of the memory that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_id: Option<String>,
    /// The kind of a learning, or the type of a memory without kinds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_kind: Option<String>,
    /// The agent whose session it is or comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// For a change of mind: the replaced memories.
    pub before: Vec<FormerMemory>,
    /// For a session: number of memories based on it.
    pub memories: u64,
    /// `project`, `global`, or the path of another project.
    pub scope: String,
}

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum TimelineKind {
    Session,
    Decision,
    Learning,
    /// A memory replaced another one, or an earlier text.
    ChangeOfMind,
    /// A person has since rejected it. Dated by its text, because the time of the rejection is not stored.
    Rejected,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FormerMemory {
    /// Absent for a text that is no longer a memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub title: String,
}

/// Returns the history of the current project, or of all.
pub fn timeline(request: &TimelineRequest, context: &Context) -> Result<Timeline, Failure> {
    let scopes = match context.all_projects {
        true => scopes::browsed(context)?,
        false => vec![MemoryScope::project(context)],
    };
    let now = now_ms();
    let mut entries: Vec<TimelineEntry> = Vec::new();
    for scope in &scopes {
        let snapshot = scope.lately(context)?;
        let titles: HashMap<&str, &str> = snapshot
            .iter()
            .map(|memory| (memory.id.as_str(), memory.title()))
            .collect();
        let of_memories = snapshot.iter();
        let mut own: Vec<TimelineEntry> = of_memories
            .filter_map(|memory| of_memory(memory, &titles, now))
            .collect();
        own.extend(sessions(scope, &snapshot, context)?);
        entries.extend(own.into_iter().map(|entry| TimelineEntry {
            scope: scope.name.clone(),
            ..entry
        }));
    }
    entries.sort_by(|left, right| {
        let newest_first = right.at_ms.cmp(&left.at_ms);
        newest_first
            .then_with(|| right.kind.cmp(&left.kind))
            .then_with(|| left.memory_id.cmp(&right.memory_id))
    });
    let counts = TimelineCounts::of(&entries);
    entries.retain(|entry| request.kind.is_none_or(|kind| kind == entry.kind));
    let total = entries.len() as u64;
    let page = entries.into_iter().skip(request.offset).take(request.limit);
    Ok(Timeline {
        entries: page.collect(),
        total,
        counts,
    })
}

/// Returns the entry of a memory, if any: summaries are shown with their sessions, and automatic archiving is not an
/// event.
fn of_memory(memory: &Memory, titles: &HashMap<&str, &str>, now_ms: u64) -> Option<TimelineEntry> {
    let state = memory.state.as_ref();
    let is_rejected = state.is_some_and(|state| state.rejected);
    let archived_by = state.and_then(|state| state.archived_by);
    let is_shown = memory.status() != Status::Archived || archived_by == Some(ArchivedBy::Person);
    if memory.memory_type == MemoryType::Summary || !is_shown {
        return None;
    }
    let former = state.map_or(&[][..], |state| &state.supersedes);
    let before: Vec<FormerMemory> = former
        .iter()
        .map(|name| {
            let title = titles.get(name.as_str());
            FormerMemory {
                id: title.map(|_| name.clone()),
                title: title.copied().unwrap_or(name).to_owned(),
            }
        })
        .collect();
    let kind = match memory.memory_type {
        _ if is_rejected => TimelineKind::Rejected,
        _ if !before.is_empty() => TimelineKind::ChangeOfMind,
        MemoryType::Decision => TimelineKind::Decision,
        _ => TimelineKind::Learning,
    };
    let front_matter = &memory.front_matter;
    let time = match kind {
        TimelineKind::ChangeOfMind | TimelineKind::Rejected => front_matter.updated.as_deref(),
        _ => front_matter.created.as_deref(),
    };
    let contributions = memory.evidence.iter().flat_map(|one| &one.contributions);
    let newest = contributions.max_by_key(|one| one.newest_ms);
    let from = newest.filter(|one| !matches!(one.agent.as_str(), "person" | "import" | "client"));
    Some(TimelineEntry {
        at_ms: moment(time?, now_ms).ok()?,
        kind,
        title: memory.title().to_owned(),
        memory_id: Some(memory.id.clone()),
        memory_kind: Some(
            match memory.kind() {
                "" => memory.memory_type.name(),
                kind => kind,
            }
            .to_owned(),
        ),
        agent: from.map(|one| one.agent.clone()),
        session_id: from.map(|one| one.session_id.clone()),
        before,
        memories: 0,
        scope: String::new(),
    })
}

/// Returns sessions of the project, each with the number of memories based on it. A session without a title gets its
/// summary's.
fn sessions(
    scope: &MemoryScope,
    snapshot: &Snapshot,
    context: &Context,
) -> Result<Vec<TimelineEntry>, Failure> {
    let Some(catalog) = scopes::catalog(context)? else {
        return Ok(Vec::new());
    };
    let root = match scope.name.as_str() {
        "project" => context.project.as_path(),
        path => Utf8Path::new(path),
    };
    let Some(project) = catalog.project_at(root)? else {
        return Ok(Vec::new());
    };
    let mut led_to: HashMap<(&str, &str), (u64, Option<&str>)> = HashMap::new();
    for memory in snapshot.iter() {
        let contributions = memory.evidence.iter().flat_map(|one| &one.contributions);
        let mut from: Vec<(&str, &str)> = contributions
            .map(|one| (one.agent.as_str(), one.session_id.as_str()))
            .collect();
        from.sort_unstable();
        from.dedup();
        for session in from {
            let (memories, summary) = led_to.entry(session).or_default();
            match memory.memory_type {
                MemoryType::Summary => *summary = Some(memory.title()),
                _ => *memories += 1,
            }
        }
    }
    let known = catalog.sessions(&SessionFilter {
        project: Some(project.id),
        ..SessionFilter::default()
    })?;
    let entries = known.into_iter().map(|known| {
        let session = known.session;
        let key = (session.agent.as_str(), session.id.as_str());
        let (memories, summary) = led_to.get(&key).copied().unwrap_or_default();
        let title = known.title.as_deref().or(summary).unwrap_or(&session.id);
        TimelineEntry {
            at_ms: session.updated_ms.unwrap_or(known.first_seen_ms),
            kind: TimelineKind::Session,
            title: title.to_owned(),
            memory_id: None,
            memory_kind: None,
            before: Vec::new(),
            memories,
            scope: String::new(),
            agent: Some(session.agent),
            session_id: Some(session.id),
        }
    });
    Ok(entries.collect())
}

#[cfg(test)]
mod tests {
    use acreta_store::StateFile;

    use super::*;

    fn memory(memory_type: MemoryType, folder: &str, state: impl FnOnce(&mut StateFile)) -> Memory {
        let text = "---\nid: a\ntitle: The queue\ncreated: 2026-01-01T00:00:00Z\nupdated: 2026-01-05T00:00:00Z\n---\n\ntext\n";
        let path = format!("{folder}/a.md");
        let mut memory = Memory::parse(memory_type, path.into(), text.to_owned()).unwrap();
        let mut own = StateFile::new("a", "");
        state(&mut own);
        memory.state = Some(own);
        memory
    }

    #[test]
    fn a_memory_is_news_once_as_what_matters_most_of_it() {
        let titles = HashMap::from([("b", "The old queue")]);
        let day = |day: u64| 1_767_225_600_000 + (day - 1) * 86_400_000;
        let by_person = |state: &mut StateFile| {
            state.status = Status::Archived;
            state.archived_by = Some(ArchivedBy::Person);
            state.rejected = true;
        };
        let table = [
            (
                memory(MemoryType::Decision, "decisions", |_| {}),
                Some((TimelineKind::Decision, day(1), 0)),
            ),
            (
                memory(MemoryType::Learning, "learnings", |_| {}),
                Some((TimelineKind::Learning, day(1), 0)),
            ),
            (
                memory(MemoryType::Decision, "decisions", |state| {
                    state.supersedes = vec!["b".to_owned(), "an earlier text".to_owned()];
                }),
                Some((TimelineKind::ChangeOfMind, day(5), 2)),
            ),
            (
                memory(MemoryType::Decision, "archived/decisions", by_person),
                Some((TimelineKind::Rejected, day(5), 0)),
            ),
            (
                memory(MemoryType::Decision, "archived/decisions", |state| {
                    state.status = Status::Archived;
                    state.archived_by = Some(ArchivedBy::Decay);
                }),
                None,
            ),
            (memory(MemoryType::Summary, "summaries", |_| {}), None),
        ];
        for (memory, expected) in table {
            let entry = of_memory(&memory, &titles, 0);
            let known =
                |former: &FormerMemory| former.id.is_some() == (former.title == "The old queue");
            assert!(entry.iter().all(|entry| entry.before.iter().all(known)));
            let found = entry.map(|entry| (entry.kind, entry.at_ms, entry.before.len()));
            assert_eq!(found, expected);
        }
    }
}
