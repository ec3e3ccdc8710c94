//! The figures of the overview.

use std::collections::{BTreeMap, BTreeSet};

use crate::api::{
    DecayBar, GrowthDay, InProject, MemoryCounts, Overview, RunCounts, SessionDay, Status, Trust,
    TrustCount, TypeCount, WaitingForModel,
};
use acreta_service::process::clock::now_ms;
use acreta_service::projects::scopes::{self, MemoryScope};
use acreta_service::{Failure, learn::readings};
use acreta_state::{Catalog, RunFilter, SessionFilter, TaskState};
use acreta_store::{Memory, Snapshot};
use acreta_types::MEMORY_TYPES;

use crate::daemon::reports::{Reports, day};
use crate::daemon::{Daemon, rows};

/// Maximum number of days with sessions, the newest.
const DAYS: usize = 90;

/// Number of recent runs.
const RECENT: u64 = 10;

/// Number of bars of the confidence histogram.
const BARS: usize = 10;

impl Daemon {
    pub(crate) fn figures(&self, query: &InProject) -> Result<Overview, Failure> {
        let context = self.context(query.project_root.as_deref())?;
        let catalog = scopes::open_catalog(&context)?;
        let accesses = self.accesses(&context)?;
        let snapshot = MemoryScope::project(&context).snapshot(&context)?;
        let project = query.project_root.as_ref().map(|_| context.project.clone());
        let known = catalog.project_at(&context.project)?;
        let now = now_ms();
        let sessions = catalog.sessions(&SessionFilter {
            project: project
                .as_ref()
                .and_then(|_| known.map(|project| project.id)),
            ..SessionFilter::default()
        })?;
        let mut by_day: BTreeMap<(String, String), u64> = BTreeMap::new();
        for known in &sessions {
            let session = &known.session;
            let at = session.updated_ms.unwrap_or(known.first_seen_ms);
            *by_day.entry((day(at), session.agent.clone())).or_default() += 1;
        }
        let count = |state| {
            let filter = RunFilter {
                state: Some(state),
                project_root: project.clone(),
                ..RunFilter::default()
            };
            catalog.runs(&filter).map(|runs| runs.len() as u64)
        };
        let recent = catalog.runs(&RunFilter {
            project_root: project.clone(),
            limit: Some(RECENT),
            ..RunFilter::default()
        })?;
        let reports = Reports::newest(&catalog, project.as_deref())?;
        let confidences = snapshot
            .iter()
            .filter(|memory| memory.status() == Status::Active)
            .map(|memory| rows::confidence(memory, &accesses, now));
        Ok(Overview {
            memories: counts(&snapshot),
            growth: growth(&snapshot),
            decay: histogram(confidences),
            sessions: newest_days(by_day)
                .map(|((day, agent), sessions)| SessionDay {
                    day,
                    agent,
                    sessions,
                })
                .collect(),
            runs: RunCounts {
                completed: count(TaskState::Completed)?,
                failed: count(TaskState::Failed)?,
                recent: recent.iter().map(rows::run).collect(),
            },
            cost: reports.cost(),
            waiting_for_model: waiting_for_model(&catalog, now)?,
            denied: reports.denied(),
        })
    }
}

fn waiting_for_model(catalog: &Catalog, now_ms: u64) -> Result<Vec<WaitingForModel>, Failure> {
    let lines = catalog.waiting_readings()?;
    let messages = readings::waiting(&lines, now_ms);
    let rows = lines.iter().zip(messages);
    let rows = rows.map(|(line, message)| WaitingForModel {
        sessions: line.sessions,
        message,
    });
    Ok(rows.collect())
}

/// Returns sessions by day and agent, for the newest days with sessions.
fn newest_days(
    by_day: BTreeMap<(String, String), u64>,
) -> impl Iterator<Item = ((String, String), u64)> {
    let days: BTreeSet<&String> = by_day.keys().map(|(day, _)| day).collect();
    let before = days.len().saturating_sub(DAYS);
    let first = days.into_iter().nth(before).cloned().unwrap_or_default();
    by_day
        .into_iter()
        .filter(move |((day, _), _)| *day >= first)
}

fn counts(snapshot: &Snapshot) -> MemoryCounts {
    let active = || {
        let is_active = |memory: &&Memory| memory.status() == Status::Active;
        snapshot.iter().filter(is_active)
    };
    let by_type = MEMORY_TYPES.iter().map(|entry| TypeCount {
        memory_type: entry.memory_type,
        memories: active()
            .filter(|memory| memory.memory_type == entry.memory_type)
            .count() as u64,
    });
    let by_trust = Trust::ALL.map(|trust| TrustCount {
        trust,
        memories: active().filter(|memory| memory.trust() == trust).count() as u64,
    });
    let is_stale = |memory: &&Memory| memory.state.as_ref().is_some_and(|state| state.stale);
    MemoryCounts {
        by_type: by_type.collect(),
        by_trust: by_trust.to_vec(),
        active: active().count() as u64,
        archived: snapshot
            .iter()
            .filter(|memory| memory.status() == Status::Archived)
            .count() as u64,
        stale: active().filter(is_stale).count() as u64,
    }
}

/// Counts memories by the day they were learnt; an archived one leaves on the day of its last write.
fn growth(snapshot: &Snapshot) -> Vec<GrowthDay> {
    let mut days: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for memory in snapshot.iter() {
        let front_matter = &memory.front_matter;
        let created = rows::day(front_matter.created.as_deref());
        if created.is_empty() {
            continue;
        }
        if memory.status() != Status::Active {
            let updated = rows::day(front_matter.updated.as_deref());
            let left = updated.max(created.clone());
            days.entry(left).or_default().1 += 1;
        }
        days.entry(created).or_default().0 += 1;
    }
    let mut active = 0u64;
    days.into_iter()
        .map(|(day, (added, archived))| {
            active = (active + added).saturating_sub(archived);
            GrowthDay {
                day,
                added,
                archived,
                active,
            }
        })
        .collect()
}

fn histogram(confidences: impl Iterator<Item = f64>) -> Vec<DecayBar> {
    let mut bars = [0u64; BARS];
    for confidence in confidences {
        let bar = (confidence * BARS as f64) as usize;
        bars[bar.min(BARS - 1)] += 1;
    }
    let edge = |bar: usize| bar as f64 / BARS as f64;
    bars.iter()
        .enumerate()
        .map(|(bar, memories)| DecayBar {
            from: edge(bar),
            to: edge(bar + 1),
            memories: *memories,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use acreta_types::MemoryType;

    use super::*;

    fn memory(id: &str, created: &str, folder: &str) -> Memory {
        let text = format!(
            "---\nid: {id}\ntitle: T\ncreated: {created}T00:00:00Z\nupdated: {created}T00:00:00Z\nconfidence: 0.8\n---\n\nbody\n"
        );
        let path = format!("{folder}/20260101-{id}.md");
        Memory::parse(MemoryType::Decision, path.into(), text).unwrap()
    }

    #[test]
    fn memory_grows_by_day_and_shrinks_by_what_is_archived() {
        let memories = [
            memory("a", "2026-01-01", "decisions"),
            memory("b", "2026-01-03", "decisions"),
            memory("c", "2026-01-03", "archived/decisions"),
        ];
        let snapshot = Snapshot {
            memories: memories.map(std::sync::Arc::new).into(),
            ..Snapshot::default()
        };
        let found: Vec<_> = growth(&snapshot)
            .into_iter()
            .map(|day| (day.day, day.added, day.archived, day.active))
            .collect();
        assert_eq!(
            found,
            [
                ("2026-01-01".to_owned(), 1, 0, 1),
                ("2026-01-03".to_owned(), 2, 1, 2)
            ]
        );
    }

    #[test]
    fn the_surest_memories_are_in_the_last_bar() {
        let bars = histogram([0.0, 0.05, 0.1, 0.99, 1.0].into_iter());
        let counts: Vec<u64> = bars.iter().map(|bar| bar.memories).collect();
        assert_eq!(counts, [2, 1, 0, 0, 0, 0, 0, 0, 0, 2]);
    }
}
