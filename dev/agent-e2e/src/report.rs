//! The table: one row per agent, one column per check.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// The checks, in the order of the columns.
pub(crate) const CHECKS: [&str; 20] = [
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

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Verdict {
    Held,
    Failed(String),
    /// The agent does not have this feature.
    NotOffered,
}

impl Verdict {
    pub(crate) fn of(failures: &[String]) -> Self {
        match failures.first() {
            None => Self::Held,
            Some(first) if failures.len() == 1 => Self::Failed(first.clone()),
            Some(first) => Self::Failed(format!("{first} (and {} more)", failures.len() - 1)),
        }
    }
}

/// One agent's row.
#[derive(Debug, Default)]
pub(crate) struct AgentRow {
    pub(crate) agent: &'static str,
    pub(crate) version: String,
    /// Reason why the agent could not be tested.
    pub(crate) skipped: Option<String>,
    pub(crate) verdicts: BTreeMap<&'static str, Verdict>,
    pub(crate) sessions: usize,
    pub(crate) events: usize,
    pub(crate) differences: Vec<String>,
}

impl AgentRow {
    pub(crate) fn held(&self) -> bool {
        let is_failure = |verdict: &Verdict| matches!(verdict, Verdict::Failed(_));
        !self.verdicts.values().any(is_failure)
    }
}

/// Renders the table in markdown, with the reasons under it.
pub(crate) fn table(rows: &[AgentRow]) -> String {
    let mut text = format!(
        "| agent | version | {} | sessions | events |\n",
        CHECKS.join(" | ")
    );
    text.push_str(&"|---".repeat(CHECKS.len() + 4));
    text.push_str("|\n");
    let mut reasons = String::new();
    for row in rows {
        if let Some(why) = &row.skipped {
            text.push_str(&format!("| {} | skipped: {why} |\n", row.agent));
            continue;
        }
        let mut cells = vec![row.agent.to_owned(), row.version.clone()];
        for check in CHECKS {
            cells.push(match row.verdicts.get(check) {
                Some(Verdict::Held) => "yes".to_owned(),
                Some(Verdict::Failed(why)) => {
                    reasons.push_str(&format!("{} {check}: {why}\n", row.agent));
                    "no".to_owned()
                }
                Some(Verdict::NotOffered) | None => "–".to_owned(),
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

/// Returns the last line of the output.
pub(crate) fn summary(rows: &[AgentRow]) -> Value {
    let agents: Vec<Value> = rows
        .iter()
        .map(|row| {
            let verdicts: serde_json::Map<String, Value> = row
                .verdicts
                .iter()
                .map(|(check, verdict)| {
                    let verdict = match verdict {
                        Verdict::Held => "yes".to_owned(),
                        Verdict::Failed(why) => format!("no: {why}"),
                        Verdict::NotOffered => "not offered".to_owned(),
                    };
                    ((*check).to_owned(), json!(verdict))
                })
                .collect();
            json!({
                "agent": row.agent, "version": row.version, "skipped": row.skipped,
                "checks": verdicts, "sessions": row.sessions, "events": row.events,
                "differences": row.differences,
            })
        })
        .collect();
    let tried = || rows.iter().filter(|row| row.skipped.is_none());
    json!({
        "agents": agents,
        "tried": tried().count(),
        "held": tried().filter(|row| row.held()).count(),
        "sessions": rows.iter().map(|row| row.sessions).sum::<usize>(),
        "events": rows.iter().map(|row| row.events).sum::<usize>(),
        "differences": rows.iter().map(|row| row.differences.len()).sum::<usize>(),
    })
}
