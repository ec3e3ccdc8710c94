//! The results of the suite: one row per agent, one cell per check. `docs/agents.json` keeps the last run of each agent, and
//! the table in `docs/agents.md` is rendered from it; a test compares the two.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The checks, in the order of the columns.
pub const CHECKS: [&str; 20] = [
    "turn",
    "tools",
    "resume",
    "elsewhere",
    "subagent",
    "worktree",
    "subfolder",
    "compaction",
    "init",
    "connected",
    "brief",
    "prompt",
    "failure",
    "edit",
    "memory",
    "note",
    "cures",
    "sync",
    "compared",
    "undo",
];

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Held,
    /// With the first reason.
    Failed(String),
    /// The agent does not have this feature, or acreta has no way to it.
    NotOffered,
}

impl Verdict {
    pub fn of(failures: &[String]) -> Self {
        match failures.first() {
            None => Self::Held,
            Some(first) if failures.len() == 1 => Self::Failed(first.clone()),
            Some(first) => Self::Failed(format!("{first} (and {} more)", failures.len() - 1)),
        }
    }
}

/// One agent's row.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AgentRow {
    pub agent: String,
    pub version: String,
    /// UTC date of the run, `2026-11-18`.
    pub date: String,
    /// Reason why the agent could not be tested. Such a row is in no file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<String>,
    /// A check that is not in it was not run.
    #[serde(rename = "checks")]
    pub verdicts: BTreeMap<String, Verdict>,
    pub sessions: usize,
    pub events: usize,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<String>,
}

impl AgentRow {
    pub fn held(&self) -> bool {
        let is_failure = |verdict: &Verdict| matches!(verdict, Verdict::Failed(_));
        !self.verdicts.values().any(is_failure)
    }

    pub fn set(&mut self, check: &str, verdict: Verdict) {
        self.verdicts.insert(check.to_owned(), verdict);
    }
}

/// Puts the rows of a run in the place of earlier ones of the same agents. Skipped agents keep theirs.
pub fn merge(earlier: &mut Vec<AgentRow>, run: &[AgentRow]) {
    for row in run.iter().filter(|row| row.skipped.is_none()) {
        match earlier.iter_mut().find(|known| known.agent == row.agent) {
            Some(known) => known.clone_from(row),
            None => earlier.push(row.clone()),
        }
    }
}

/// Renders the rows as `docs/agents.json`.
pub fn json(rows: &[AgentRow]) -> serde_json::Result<String> {
    Ok(serde_json::to_string_pretty(rows)? + "\n")
}

/// Renders the table in markdown, with the reasons under it.
pub fn table(rows: &[AgentRow]) -> String {
    let mut text = format!(
        "| agent | version | date | {} | sessions | events |\n",
        CHECKS.join(" | ")
    );
    text.push_str(&"|---".repeat(CHECKS.len() + 5));
    text.push_str("|\n");
    let mut reasons = String::new();
    for row in rows {
        if let Some(why) = &row.skipped {
            text.push_str(&format!("| {} | skipped: {why} |\n", row.agent));
            continue;
        }
        let mut cells = vec![row.agent.clone(), row.version.clone(), row.date.clone()];
        for check in CHECKS {
            cells.push(match row.verdicts.get(check) {
                Some(Verdict::Held) => "yes".to_owned(),
                Some(Verdict::Failed(why)) => {
                    reasons.push_str(&format!("- {}, `{check}`: {why}\n", row.agent));
                    "no".to_owned()
                }
                Some(Verdict::NotOffered) => "–".to_owned(),
                None => String::new(),
            });
        }
        cells.extend([row.sessions.to_string(), row.events.to_string()]);
        text.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    if !reasons.is_empty() {
        text.push_str(&format!("\n{reasons}"));
    }
    text
}

/// Counts what was tried and what held.
pub fn summary(rows: &[AgentRow]) -> String {
    let tried = rows.iter().filter(|row| row.skipped.is_none());
    let held = tried.clone().filter(|row| row.held()).count();
    format!(
        "{held} of {} agents hold; {} sessions and {} events compared, {} differences",
        tried.count(),
        rows.iter().map(|row| row.sessions).sum::<usize>(),
        rows.iter().map(|row| row.events).sum::<usize>(),
        rows.iter().map(|row| row.differences.len()).sum::<usize>(),
    )
}

/// Where the table stands in `docs/agents.md`.
const BEGIN: &str = "<!-- from agents.json: begin -->\n";
const END: &str = "<!-- from agents.json: end -->\n";

/// Returns the document with the table of these rows in the place of its own; `None` if it has no place for one.
pub fn with_table(document: &str, rows: &[AgentRow]) -> Option<String> {
    let (before, rest) = document.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    let (table, summary) = (table(rows), summary(rows));
    Some(format!(
        "{before}{BEGIN}\n{summary}.\n\n{table}\n{END}{after}"
    ))
}
