//! Resources that plugins used in past runs, from the reports of these runs.

use std::collections::BTreeMap;

use acreta_state::{Catalog, RunFilter, TaskState};
use serde_json::Value;

use crate::{Failure, learn::reports};

/// Number of runs that are evaluated, the newest.
const RUNS: u64 = 300;

/// Usage of one plugin.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct PluginUse {
    pub runs: u64,
    pub calls: u64,
    pub guest_ms: u64,
    pub peak_memory_bytes: u64,
    /// Number of failed runs that name it.
    pub failures: u64,
    /// Number of operations that the sandbox denied.
    pub denied: u64,
}

/// Returns usage by plugin id.
pub fn plugins(catalog: &Catalog) -> Result<BTreeMap<String, PluginUse>, Failure> {
    let runs = catalog.runs(&RunFilter {
        limit: Some(RUNS),
        ..RunFilter::default()
    })?;
    let mut all: BTreeMap<String, PluginUse> = BTreeMap::new();
    for run in runs {
        let report = reports::report(&run).unwrap_or_default();
        let lines = report["metrics"]["plugins"].as_array();
        for line in lines.into_iter().flatten() {
            let number = |name: &str| line[name].as_u64().unwrap_or(0);
            let id = line["id"].as_str().unwrap_or_default();
            let used = all.entry(id.to_owned()).or_default();
            used.runs += 1;
            used.calls += number("calls");
            used.guest_ms += number("guest_ms");
            used.peak_memory_bytes = used.peak_memory_bytes.max(number("peak_memory_bytes"));
            let denied = line["denied"].as_array().into_iter().flatten();
            used.denied += denied.map(count).sum::<u64>();
            let names = |error: &String| error.contains(&format!("`{id}`"));
            if run.state == TaskState::Failed && run.error.as_ref().is_some_and(names) {
                used.failures += 1;
            }
        }
    }
    Ok(all)
}

fn count(denied: &Value) -> u64 {
    denied["count"].as_u64().unwrap_or(0)
}
