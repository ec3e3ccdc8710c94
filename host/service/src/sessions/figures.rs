//! The figures that agents recorded in their sessions, and adding them up.
//!
//! Adapters put figures on events (`input_tokens`, `cost_dollars`, …), each once, so that they can be added up. Whoever
//! indexes a session runs its events through a [`Meter`], which leaves one [`UsageCell`] for each day and model; the index
//! of sessions keeps them with the session's version, so that a report reads no session twice:
//!
//! ```text
//! events of claude/31f…  ─▶  Meter  ─▶  2026-11-17  claude-opus-4-6   in 812,000 (790,000 cached)  out 9,100  42 calls
//!                                       2026-11-18  claude-opus-4-6   in  40,100 ( 38,000 cached)  out   700   3 calls
//! ```
//!
//! A figure that no event has is `None` up to the door, never zero. Days are those of UTC, as everywhere in acreta.

use std::collections::{BTreeMap, HashSet};

use acreta_fs::{Directory, NoFaults};
use acreta_llm::{PriceTable, RecordedTokens};
use acreta_search::{SessionHead, SessionIndex};
use acreta_types::Event;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::process::clock::now_ms;
use crate::{Context, Failure, models::opened};

pub(super) const DAY_MS: u64 = 86_400_000;
const MINUTE_MS: u64 = 60_000;

/// File in the folder of the index, which goes with it, with the figures of today.
const TODAY: &str = "today";

/// What figures are grouped by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UsageBy {
    #[default]
    Day,
    Project,
    Agent,
    Model,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UsageRow {
    /// A day (`2026-11-18`), a project's main checkout, an agent or a model; `None` if the sessions do not say.
    pub name: Option<String>,
    #[serde(flatten)]
    pub figures: UsageFigures,
}

/// Figures of some sessions. A figure that none of them recorded is `None`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UsageFigures {
    pub sessions: u64,
    /// How many of them recorded no tokens at all: the sums do not include them.
    pub sessions_without_tokens: u64,
    /// Prompts that a person typed.
    pub prompts: u64,
    pub tool_calls: u64,
    pub failed_calls: Option<u64>,
    /// Minutes in which something was recorded.
    pub active_minutes: Option<u64>,
    /// All tokens in, cached or not.
    pub input_tokens: Option<u64>,
    pub output_tokens: Option<u64>,
    /// Part of `input_tokens`.
    pub cache_read_tokens: Option<u64>,
    /// Part of `input_tokens`.
    pub cache_write_tokens: Option<u64>,
    /// Dollars as agents reckoned them themselves.
    pub recorded_dollars: Option<f64>,
    /// Dollars at list prices; of models that are in the price list.
    pub estimated_dollars: Option<f64>,
    /// Tokens of models that are not in the price list.
    pub unpriced_tokens: u64,
}

/// What one model did in a session on one day.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct UsageCell {
    /// Days since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    day: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(skip_serializing_if = "is_zero")]
    prompts: u64,
    #[serde(skip_serializing_if = "is_zero")]
    calls: u64,
    #[serde(skip_serializing_if = "is_zero")]
    results: u64,
    #[serde(skip_serializing_if = "is_zero")]
    failed: u64,
    #[serde(skip_serializing_if = "is_zero")]
    minutes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    read: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dollars: Option<f64>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Adds up the events of one session, in their order.
#[derive(Debug, Default)]
pub(super) struct Meter {
    cells: Vec<UsageCell>,
    /// Model and time of the last event that had them: they hold for those after it.
    model: Option<String>,
    at_ms: Option<u64>,
}

impl Meter {
    pub(super) fn take(&mut self, event: &Event) {
        let attr = |name| event.attrs.get(name);
        if attr("copied_from").is_some() {
            return;
        }
        let minute = |ms: Option<u64>| ms.map(|ms| ms / MINUTE_MS);
        let is_new_minute = event.at_ms.is_some() && minute(event.at_ms) != minute(self.at_ms);
        self.at_ms = event.at_ms.or(self.at_ms);
        // Claude Code calls itself `<synthetic>`.
        if let Some(model) = attr("model").filter(|model| !model.starts_with('<')) {
            if self.model.is_none() {
                for before in &mut self.cells {
                    before.model = Some(model.to_owned());
                }
            }
            self.model = Some(model.to_owned());
        }
        let cell = self.cell();
        cell.minutes += u64::from(is_new_minute);
        match (event.role.as_str(), event.kind.as_str()) {
            ("user", "text") => cell.prompts += 1,
            (_, "tool-call") => cell.calls += 1,
            (_, "tool-result") => {
                cell.results += 1;
                cell.failed += u64::from(attr("is_error") == Some("true"));
            }
            _ => {}
        }
        let count = |name| attr(name).and_then(|count| count.parse().ok());
        add(&mut cell.input, count("input_tokens"));
        add(&mut cell.output, count("output_tokens"));
        add(&mut cell.read, count("cache_read_tokens"));
        add(&mut cell.written, count("cache_write_tokens"));
        let dollars: Option<f64> = attr("cost_dollars").and_then(|dollars| dollars.parse().ok());
        let is_price = |dollars: &f64| dollars.is_finite() && *dollars >= 0.0;
        add_dollars(&mut cell.dollars, dollars.filter(is_price));
    }

    /// Returns the figures as the index keeps them. Events before the first time, or all if none has one, count on the day
    /// of the first one, or of the session's last change.
    pub(super) fn finish(mut self, updated_ms: Option<u64>) -> String {
        let first = self.cells.iter().find_map(|cell| cell.day);
        let fallback = first.or(updated_ms.map(|ms| ms / DAY_MS));
        for cell in &mut self.cells {
            cell.day = cell.day.or(fallback);
        }
        serde_json::to_string(&self.cells).unwrap_or_default()
    }

    fn cell(&mut self) -> &mut UsageCell {
        let day = self.at_ms.map(|ms| ms / DAY_MS);
        let known = self.cells.iter();
        let mut known = known.map(|cell| cell.day == day && cell.model == self.model);
        let place = known.position(|fits| fits).unwrap_or_else(|| {
            self.cells.push(UsageCell {
                day,
                model: self.model.clone(),
                ..UsageCell::default()
            });
            self.cells.len() - 1
        });
        &mut self.cells[place]
    }
}

fn add(sum: &mut Option<u64>, count: Option<u64>) {
    if let Some(count) = count {
        *sum = Some(sum.unwrap_or(0).saturating_add(count));
    }
}

fn add_dollars(sum: &mut Option<f64>, dollars: Option<f64>) {
    if let Some(dollars) = dollars {
        *sum = Some(sum.unwrap_or(0.0) + dollars);
    }
}

/// Sessions and days to add up; a missing filter matches everything.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    pub(super) agent: Option<String>,
    /// Main checkouts of projects.
    pub(super) projects: Option<Vec<String>>,
    /// The first day, and the one after the last.
    pub(super) since: Option<u64>,
    pub(super) until: Option<u64>,
}

impl Wanted {
    fn has_session(&self, head: &SessionHead) -> bool {
        let is_of_agent = (self.agent.as_ref()).is_none_or(|agent| *agent == head.agent);
        let is_of_project = (self.projects.as_ref()).is_none_or(|projects| {
            (head.project.as_ref()).is_some_and(|project| projects.contains(project))
        });
        is_of_agent && is_of_project
    }

    fn has_day(&self, day: Option<u64>) -> bool {
        self.since
            .is_none_or(|since| day.is_some_and(|day| day >= since))
            && self
                .until
                .is_none_or(|until| day.is_some_and(|day| day < until))
    }
}

/// Adds up the figures of the sessions in the index: rows, and all of them together.
pub(super) fn add_up(
    index: &SessionIndex,
    by: UsageBy,
    wanted: &Wanted,
    context: &Context,
) -> Result<(Vec<UsageRow>, UsageFigures), Failure> {
    let mut sums = Sums::new(opened::prices(&context.config)?);
    let heads = index.heads();
    let heads = heads.map_err(|error| Failure::from_error(&error))?;
    for (head, cells) in heads.iter().filter(|(head, _)| wanted.has_session(head)) {
        let mut cells: Vec<UsageCell> = serde_json::from_str(cells).unwrap_or_default();
        cells.retain(|cell| wanted.has_day(cell.day));
        sums.add(by, head, &cells);
    }
    Ok(sums.finish(by))
}

/// Figures by name, with the sessions that were counted in each.
struct Sums {
    prices: PriceTable,
    rows: BTreeMap<Option<String>, UsageFigures>,
    total: UsageFigures,
}

impl Sums {
    fn new(prices: PriceTable) -> Self {
        Self {
            prices,
            rows: BTreeMap::new(),
            total: UsageFigures::default(),
        }
    }

    /// Adds the cells of one session.
    fn add(&mut self, by: UsageBy, head: &SessionHead, cells: &[UsageCell]) {
        let name = |cell: &UsageCell| match by {
            UsageBy::Day => cell.day.and_then(date),
            UsageBy::Project => head.project.clone(),
            UsageBy::Agent => Some(head.agent.clone()),
            UsageBy::Model => cell.model.clone(),
        };
        let mut names = HashSet::new();
        let mut with_tokens = HashSet::new();
        for cell in cells {
            let name = name(cell);
            self.total.add(cell, &self.prices);
            let row = self.rows.entry(name.clone()).or_default();
            row.add(cell, &self.prices);
            if cell.input.is_some() || cell.output.is_some() {
                with_tokens.insert(name.clone());
            }
            names.insert(name);
        }
        self.total.sessions += u64::from(!names.is_empty());
        let is_unknown = !names.is_empty() && with_tokens.is_empty();
        self.total.sessions_without_tokens += u64::from(is_unknown);
        for name in names {
            let is_unknown = !with_tokens.contains(&name);
            let row = self.rows.entry(name).or_default();
            row.sessions += 1;
            row.sessions_without_tokens += u64::from(is_unknown);
        }
    }

    fn finish(self, by: UsageBy) -> (Vec<UsageRow>, UsageFigures) {
        let rows = self.rows.into_iter();
        let mut rows: Vec<UsageRow> = rows
            .map(|(name, figures)| UsageRow { name, figures })
            .collect();
        if by != UsageBy::Day {
            // Stable: equal ones stay in the order of their names.
            rows.sort_by_key(|row| std::cmp::Reverse(row.figures.tokens()));
        }
        (rows, self.total)
    }
}

impl UsageFigures {
    /// Returns the tokens in and out; `None` if no session recorded any.
    pub fn tokens(&self) -> Option<u64> {
        match (self.input_tokens, self.output_tokens) {
            (None, None) => None,
            (input, output) => Some(input.unwrap_or(0).saturating_add(output.unwrap_or(0))),
        }
    }

    fn add(&mut self, cell: &UsageCell, prices: &PriceTable) {
        self.prompts += cell.prompts;
        self.tool_calls += cell.calls;
        let is_known = cell.results > 0 || cell.calls == 0;
        add(&mut self.failed_calls, is_known.then_some(cell.failed));
        let minutes = (cell.minutes > 0).then_some(cell.minutes);
        add(&mut self.active_minutes, minutes);
        add(&mut self.input_tokens, cell.input);
        add(&mut self.output_tokens, cell.output);
        add(&mut self.cache_read_tokens, cell.read);
        add(&mut self.cache_write_tokens, cell.written);
        add_dollars(&mut self.recorded_dollars, cell.dollars);
        let tokens = RecordedTokens {
            input: cell.input.unwrap_or(0),
            output: cell.output.unwrap_or(0),
            cache_read: cell.read.unwrap_or(0),
            cache_write: cell.written.unwrap_or(0),
        };
        // Without either of them, the sum would be too low.
        let is_complete = cell.input.is_some() && cell.output.is_some();
        let model = cell.model.as_ref().filter(|_| is_complete);
        match model.and_then(|model| prices.estimate(model, tokens)) {
            Some(price) => add_dollars(&mut self.estimated_dollars, Some(price.dollars())),
            None => self.unpriced_tokens += tokens.input.saturating_add(tokens.output),
        }
    }
}

/// Formats a day since 1970.
fn date(day: u64) -> Option<String> {
    let ms = i64::try_from(day.checked_mul(DAY_MS)?).ok()?;
    let time = jiff::Timestamp::from_millisecond(ms).ok()?;
    Some(time.strftime("%Y-%m-%d").to_string())
}

/// What is noted beside the index, for a line that is shown all the time.
#[derive(Debug, Serialize, Deserialize)]
struct NotedFigures {
    day: String,
    figures: UsageFigures,
}

/// Notes the figures of today beside the index, after it has changed.
pub(super) fn note_today(index: &SessionIndex, context: &Context) -> Result<(), Failure> {
    let today = now_ms() / DAY_MS;
    let wanted = Wanted {
        since: Some(today),
        ..Wanted::default()
    };
    let (_, figures) = add_up(index, UsageBy::Day, &wanted, context)?;
    let day = date(today).unwrap_or_default();
    let noted = serde_json::to_vec(&NotedFigures { day, figures }).unwrap_or_default();
    let folder = Directory::open(index.folder(), NoFaults::shared())?.private();
    Ok(folder.replace_unsynced(TODAY, &noted)?)
}

/// Returns the figures of today as the last sync or report noted them, without looking at a session. `None` if nothing was
/// counted today.
pub fn today(context: &Context) -> Option<UsageFigures> {
    let folder = SessionIndex::folder_in(&context.home.session_index());
    let folder = Directory::open(&folder, NoFaults::shared()).ok()?;
    let noted = folder.read_to_string(TODAY, 10_000).ok()?;
    let noted: NotedFigures = serde_json::from_str(&noted).ok()?;
    let is_of_today = date(now_ms() / DAY_MS).is_some_and(|day| day == noted.day);
    is_of_today.then_some(noted.figures)
}

#[cfg(test)]
mod tests {
    use super::*;
    use acreta_types::{Attrs, Origin};

    fn event(at: &str, kind: (&str, &str), attrs: &[(&str, &str)]) -> Event {
        let at: Option<jiff::Timestamp> = at.parse().ok();
        let attrs = attrs.iter();
        Event {
            id: String::new(),
            origin: Origin::default(),
            role: kind.0.to_owned(),
            kind: kind.1.to_owned(),
            at_ms: at.map(|at| u64::try_from(at.as_millisecond()).unwrap()),
            text: String::new(),
            attrs: Attrs(
                attrs
                    .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                    .collect(),
            ),
        }
    }

    const SAID: (&str, &str) = ("assistant", "text");
    const ASKED: (&str, &str) = ("user", "text");
    const CALL: (&str, &str) = ("assistant", "tool-call");
    const RESULT: (&str, &str) = ("tool", "tool-result");

    fn cells(events: &[Event]) -> Vec<UsageCell> {
        let mut meter = Meter::default();
        for event in events {
            meter.take(event);
        }
        serde_json::from_str(&meter.finish(None)).unwrap()
    }

    fn report(by: UsageBy, sessions: &[(&str, Vec<UsageCell>)]) -> (Vec<UsageRow>, UsageFigures) {
        let mut sums = Sums::new(PriceTable::builtin());
        for (agent, cells) in sessions {
            let head = SessionHead {
                agent: (*agent).to_owned(),
                ..SessionHead::default()
            };
            sums.add(by, &head, cells);
        }
        sums.finish(by)
    }

    fn talkative() -> Vec<UsageCell> {
        let (first, second) = ("2026-03-01T23:59:10Z", "2026-03-02T00:00:30Z");
        let opus = ("model", "claude-opus-4-6");
        cells(&[
            event("", ASKED, &[]),
            event(
                first,
                SAID,
                &[opus, ("input_tokens", "1000"), ("output_tokens", "10")],
            ),
            event(first, SAID, &[("output_tokens", "5")]),
            event(first, CALL, &[]),
            event(first, RESULT, &[("is_error", "true")]),
            event(
                second,
                SAID,
                &[
                    ("model", "sonnet"),
                    ("input_tokens", "7"),
                    ("output_tokens", "1"),
                    ("cache_read_tokens", "6"),
                ],
            ),
            event(
                second,
                SAID,
                &[
                    ("model", "<synthetic>"),
                    ("copied_from", "x"),
                    ("input_tokens", "9"),
                ],
            ),
        ])
    }

    #[test]
    fn figures_are_added_up_by_day_and_model() {
        let (days, total) = report(UsageBy::Day, &[("claude", talkative())]);
        let figures = |row: &UsageRow| {
            let of = &row.figures;
            (
                of.input_tokens,
                of.output_tokens,
                of.cache_read_tokens,
                of.prompts,
                of.tool_calls,
                of.failed_calls,
            )
        };
        let names: Vec<_> = days.iter().map(|row| row.name.clone().unwrap()).collect();
        assert_eq!(names, ["2026-03-01", "2026-03-02"]);
        assert_eq!(
            figures(&days[0]),
            (Some(1000), Some(15), None, 1, 1, Some(1))
        );
        assert_eq!(
            figures(&days[1]),
            (Some(7), Some(1), Some(6), 0, 0, Some(0))
        );
        assert_eq!(total.sessions, 1);
        assert_eq!(total.active_minutes, Some(2));
        let (models, total) = report(UsageBy::Model, &[("claude", talkative())]);
        let names: Vec<_> = models.iter().map(|row| row.name.clone().unwrap()).collect();
        assert_eq!(names, ["claude-opus-4-6", "sonnet"]);
        // 1000 in at $5 and 15 out at $25 a million; 1 in and 1 out at $3 and $15, and 6 read at a tenth.
        let dollars = total.estimated_dollars.unwrap();
        assert!((dollars - (0.005 + 0.000_375 + 0.000_003 + 0.000_001_8 + 0.000_015)).abs() < 1e-9);
    }

    #[test]
    fn what_is_not_recorded_is_unknown() {
        let at = "2026-03-01T12:00:00Z";
        let silent = cells(&[event(at, ASKED, &[]), event(at, CALL, &[])]);
        let free = cells(&[event(
            at,
            SAID,
            &[
                ("model", "own-model"),
                ("input_tokens", "0"),
                ("output_tokens", "0"),
            ],
        )]);
        let half = cells(&[event(
            at,
            SAID,
            &[("model", "gpt-5"), ("output_tokens", "8")],
        )]);
        let (rows, total) = report(
            UsageBy::Agent,
            &[("silent", silent), ("free", free), ("half", half)],
        );
        let row = |name: &str| {
            let row = rows.iter().find(|row| row.name.as_deref() == Some(name));
            row.unwrap().figures.clone()
        };
        let silent = row("silent");
        assert_eq!((silent.input_tokens, silent.failed_calls), (None, None));
        assert_eq!(
            (silent.estimated_dollars, silent.sessions_without_tokens),
            (None, 1)
        );
        let free = row("free");
        assert_eq!(
            (free.input_tokens, free.sessions_without_tokens),
            (Some(0), 0)
        );
        let half = row("half");
        assert_eq!((half.input_tokens, half.output_tokens), (None, Some(8)));
        assert_eq!((half.estimated_dollars, half.unpriced_tokens), (None, 8));
        assert_eq!((total.sessions, total.sessions_without_tokens), (3, 1));
    }

    #[test]
    fn a_day_has_its_date() {
        assert_eq!(date(0).as_deref(), Some("1970-01-01"));
        assert_eq!(date(20_410).as_deref(), Some("2025-11-18"));
        assert_eq!(date(u64::MAX), None);
    }
}
