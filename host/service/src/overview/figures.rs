//! Figures for the charts of the dashboard. Days are UTC and written `2026-01-31`; a day without events may be missing in
//! every list except `growth`.

use std::collections::{BTreeMap, BTreeSet};

use acreta_state::{Catalog, Run, RunFilter, SessionFilter, TaskState};
use acreta_store::{Memory, Snapshot};
use acreta_types::{MEMORY_TYPES, MemoryType, Status, Trust};
use camino::{Utf8Path, Utf8PathBuf};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::find::show::Faded;
use crate::learn::runs::RunRow;
use crate::process::clock::{self, now_ms};
use crate::projects::scopes::{self, MemoryScope};
use crate::{Context, Failure, learn::readings, learn::reports};

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Overview {
    pub memories: MemoryCounts,
    /// Oldest day first.
    pub growth: Vec<GrowthDay>,
    /// Number of memories by effective confidence, from lowest to highest.
    pub decay: Vec<DecayBar>,
    pub sessions: Vec<SessionDay>,
    pub runs: RunCounts,
    pub cost: Cost,
    /// Reasons why sessions wait for the configured model, one sentence each.
    pub waiting_for_model: Vec<String>,
    pub denied: Vec<DeniedRow>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MemoryCounts {
    pub by_type: Vec<TypeCount>,
    pub by_trust: Vec<TrustCount>,
    pub active: u64,
    pub archived: u64,
    pub stale: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TypeCount {
    #[serde(rename = "type")]
    pub memory_type: MemoryType,
    pub memories: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TrustCount {
    pub trust: Trust,
    pub memories: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GrowthDay {
    pub day: String,
    pub added: u64,
    pub archived: u64,
    /// Number at the end of the day.
    pub active: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct DecayBar {
    /// Lower bound of the confidence, inclusive.
    pub from: f64,
    /// Upper bound of the confidence, exclusive; inclusive for the last bar.
    pub to: f64,
    pub memories: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SessionDay {
    pub day: String,
    pub agent: String,
    pub sessions: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RunCounts {
    pub completed: u64,
    pub failed: u64,
    /// Newest first.
    pub recent: Vec<RunRow>,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Cost {
    pub days: Vec<CostDay>,
    pub total: CostTotal,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CostDay {
    pub day: String,
    pub calls: u64,
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// Absent if the prices are unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dollars: Option<f64>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct CostTotal {
    pub calls: u64,
    pub input_tokens: u64,
    pub output_tokens: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dollars: Option<f64>,
}

/// Something that a plugin tried and was denied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DeniedRow {
    pub plugin: String,
    pub operation: String,
    pub path: String,
    pub count: u64,
    pub run_id: String,
}

/// Maximum number of days with sessions, the newest.
const DAYS: usize = 90;

/// Number of recent runs.
const RECENT: u64 = 10;

/// Number of bars of the confidence histogram.
const BARS: usize = 10;

/// Number of runs that are evaluated, the newest.
const RUNS: u64 = 300;

/// Maximum number of denials that are listed.
const DENIED: usize = 100;

/// Returns the figures of the current project's memory, and of the sessions and runs of a project or of all.
pub fn overview(project: Option<Utf8PathBuf>, context: &Context) -> Result<Overview, Failure> {
    let catalog = scopes::open_catalog(context)?;
    let faded = Faded::now(context);
    let snapshot = MemoryScope::project(context).snapshot(context)?;
    let known = catalog.project_at(&context.project)?;
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
        .map(|memory| faded.confidence(memory));
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
            recent: recent.into_iter().map(RunRow::from).collect(),
        },
        cost: reports.cost(),
        waiting_for_model: readings::waiting(&catalog.waiting_readings()?, now_ms()),
        denied: reports.denied(),
    })
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
        let created = day_of(front_matter.created.as_deref());
        if created.is_empty() {
            continue;
        }
        if memory.status() != Status::Active {
            let updated = day_of(front_matter.updated.as_deref());
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

/// Runs with their reports.
struct Reports(Vec<(Run, Value)>);

impl Reports {
    fn newest(catalog: &Catalog, project: Option<&Utf8Path>) -> Result<Self, Failure> {
        let runs = catalog.runs(&RunFilter {
            project_root: project.map(Utf8Path::to_owned),
            limit: Some(RUNS),
            ..RunFilter::default()
        })?;
        let read = |run: Run| {
            let report = reports::report(&run).unwrap_or_default();
            (run, report)
        };
        Ok(Self(runs.into_iter().map(read).collect()))
    }

    fn denied(&self) -> Vec<DeniedRow> {
        let mut rows = Vec::new();
        for (run, report) in &self.0 {
            for line in lines(report) {
                for denied in line["denied"].as_array().into_iter().flatten() {
                    rows.push(DeniedRow {
                        plugin: text(line, "id"),
                        operation: text(denied, "operation"),
                        path: text(denied, "path"),
                        count: denied["count"].as_u64().unwrap_or(0),
                        run_id: run.run_id.clone(),
                    });
                }
            }
        }
        rows.truncate(DENIED);
        rows
    }

    fn cost(&self) -> Cost {
        let mut days: BTreeMap<String, CostDay> = BTreeMap::new();
        for (run, report) in &self.0 {
            let usage = &report["metrics"]["llm"];
            let number = |name: &str| usage[name].as_u64().unwrap_or(0);
            if number("calls") == 0 {
                continue;
            }
            let name = day(run.started_ms);
            let day = days.entry(name.clone()).or_insert_with(|| CostDay {
                day: name,
                calls: 0,
                input_tokens: 0,
                output_tokens: 0,
                dollars: Some(0.0),
            });
            day.calls += number("calls");
            day.input_tokens += number("input_tokens");
            day.output_tokens += number("output_tokens");
            let known = day.dollars.zip(usage["cost_dollars"].as_f64());
            day.dollars = known.map(|(sum, cost)| sum + cost);
        }
        let mut total = CostTotal {
            dollars: Some(0.0),
            ..CostTotal::default()
        };
        for day in days.values() {
            total.calls += day.calls;
            total.input_tokens += day.input_tokens;
            total.output_tokens += day.output_tokens;
            total.dollars = total.dollars.zip(day.dollars).map(|(sum, day)| sum + day);
        }
        Cost {
            days: days.into_values().collect(),
            total,
        }
    }
}

/// Returns the day of a time, `2026-01-31`.
fn day(ms: u64) -> String {
    let text = clock::shown(ms);
    text.get(..10).unwrap_or_default().to_owned()
}

fn lines(report: &Value) -> impl Iterator<Item = &Value> {
    report["metrics"]["plugins"]
        .as_array()
        .into_iter()
        .flatten()
}

fn text(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_default().to_owned()
}

/// Returns the day of a time in front matter.
fn day_of(time: Option<&str>) -> String {
    let time = time.unwrap_or_default();
    time.get(..10).unwrap_or(time).to_owned()
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
