//! Figures from the reports of many runs: what plugins were denied, what models cost.

use std::collections::BTreeMap;

use crate::api::{Cost, CostDay, CostTotal, DeniedRow};
use acreta_service::{Failure, learn::reports, process::clock};
use acreta_state::{Catalog, Run, RunFilter};
use camino::Utf8Path;
use serde_json::Value;

/// Number of runs that are evaluated, the newest.
const RUNS: u64 = 300;

/// Maximum number of denials that are listed.
const DENIED: usize = 100;

/// Runs with their reports.
pub(crate) struct Reports(Vec<(Run, Value)>);

impl Reports {
    pub(crate) fn newest(catalog: &Catalog, project: Option<&Utf8Path>) -> Result<Self, Failure> {
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

    pub(crate) fn denied(&self) -> Vec<DeniedRow> {
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

    pub(crate) fn cost(&self) -> Cost {
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
pub(crate) fn day(ms: u64) -> String {
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
