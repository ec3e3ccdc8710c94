//! Checks of acreta's part: connecting, the brief, the tools, reading, and undoing.

use std::path::{Path, PathBuf};
use std::time::Duration;

use acreta_agent_e2e::report::AgentRow;
use serde_json::Value;

use super::Trial;
use crate::compare;
use crate::scratch::FolderSnapshot;
use crate::script::is_call_of;

/// Text of a memory that a person added, searched for in what the model saw.
const MARKER: &str = "Amounts are kept in integer cents, as note-7731 says";

/// Maximum number of looks at the queue, half a second apart, until it is empty.
const SETTLING: usize = 240;

impl Trial<'_> {
    /// Finds out which of acreta's features support the agent.
    pub(super) fn ask_acreta(&mut self, directory: &Path) -> Result<(), String> {
        let name = self.program.name;
        let dry = ["init", "--dry-run", "--agents", name];
        let ran = self.scratch.acreta(directory, &dry)?;
        let init = self.program.init;
        self.is_known = (init.server || init.brief) && ran.code != Some(2);
        let listed = self
            .scratch
            .acreta(directory, &["connect", "list", "--json"])?;
        let listed: Value = serde_json::from_str(&listed.stdout).unwrap_or_default();
        let agents = listed.as_array().into_iter().flatten();
        self.is_read = agents.into_iter().any(|agent| agent["agent"] == name);
        Ok(())
    }

    /// Connects, undoes, and connects again; then a person adds a note to each project.
    pub(super) fn init(&mut self) -> Result<(), String> {
        let alpha = self.scratch.project("alpha");
        if self.is_known {
            let before = self.scratch.files();
            let name = self.program.name;
            let init = ["init", "--yes", "--model", "none", "--agents", name];
            let ran = self.scratch.acreta(&alpha, &init)?;
            if !ran.succeeded {
                self.fail("init", ran.last_line());
            }
            if self.scratch.files() == before {
                self.fail("init", "nothing was written");
            }
            let ran = self.scratch.acreta(&alpha, &["init", "--undo"])?;
            if !ran.succeeded {
                self.fail("undo", ran.last_line());
            }
            for path in changed(&before, &self.scratch.files()) {
                self.fail("undo", format!("{} is not as it was", path.display()));
            }
            self.scratch.acreta(&alpha, &init)?;
        }
        for project in ["alpha", "beta"] {
            let folder = self.scratch.project(project);
            for arguments in [&["project", "add"][..], &["memory", "add", MARKER]] {
                let ran = self.scratch.acreta(&folder, arguments)?;
                if !ran.succeeded {
                    return Err(format!("acreta {}: {}", arguments[0], ran.last_line()));
                }
            }
        }
        Ok(())
    }

    /// Returns the number of requests of a session before the one that has the brief.
    pub(super) fn first_briefed(&self) -> usize {
        usize::from(self.program.is_briefed_by_tool)
    }

    /// Checks that the brief is in the requests of the conversation and in no others.
    pub(super) fn brief(&mut self, ticket: u32) {
        let seen = self.script.seen(ticket);
        if !self.is_known || !self.program.init.brief {
            return;
        }
        let mut briefed = seen.bodies.iter().skip(self.first_briefed());
        if !briefed.all(|body| body.contains("note-7731")) {
            self.fail("brief", "did not reach the model");
        }
        if seen.beside.iter().any(|body| body.contains("note-7731")) {
            self.fail("brief", "is in a request beside the conversation");
        }
    }

    pub(super) fn memory(&mut self, ticket: u32) {
        let seen = self.script.seen(ticket);
        for tool in ["memory_search", "memory_add"] {
            let mut calls = seen.answers.values().filter_map(|it| it.call.as_ref());
            if !calls.any(|call| is_call_of(call, tool)) {
                self.fail("memory", format!("{tool} was not offered"));
            }
        }
        if !seen.results.values().any(|text| text.contains("note-7731")) {
            self.fail("memory", "the search did not find the note");
        }
        let added = format!("exporter of call-{ticket}");
        let beta = self.scratch.project("beta");
        let listed = self.scratch.acreta(&beta, &["memory", "list", "--json"]);
        let listed = listed.map(|ran| ran.stdout).unwrap_or_default();
        if !listed.contains(&added) {
            self.fail("memory", "the added note is not in memory");
        }
    }

    pub(super) fn connected(&mut self) -> Result<(), String> {
        let Some((arguments, wanted)) = self.program.connected.filter(|_| self.is_known) else {
            return Ok(());
        };
        let arguments: Vec<String> = arguments.iter().map(|word| (*word).to_owned()).collect();
        let ran = self
            .scratch
            .agent(&self.scratch.project("alpha"), &arguments)?;
        let output = ran.output();
        let line = output.lines().find(|line| line.contains("acreta"));
        match line {
            Some(_) if output.contains(wanted) => {}
            Some(line) => self.fail("connected", format!("it says: {}", line.trim())),
            None => self.fail("connected", format!("it says: {}", ran.last_line())),
        }
        Ok(())
    }

    /// Waits for the sync that the agent's own hook started: it may hold a project whose jobs the suite's sync could not
    /// claim, which then wait for the next sync.
    fn settle(&mut self, project: &Path) -> Result<(), String> {
        let wanted = ["queue", "list", "--json"];
        for _ in 0..SETTLING {
            let listed = self.scratch.acreta(project, &wanted)?.stdout;
            let jobs: Value = serde_json::from_str(&listed).unwrap_or_default();
            let is_open = |job: &Value| {
                matches!(
                    job["state"].as_str(),
                    Some("queued" | "running" | "accepted")
                )
            };
            let jobs = jobs.as_array().into_iter().flatten();
            let open: Vec<&Value> = jobs.filter(|job| is_open(job)).collect();
            if open.is_empty() {
                return Ok(());
            }
            if open.iter().all(|job| job["state"] == "queued") {
                self.scratch.acreta(project, &["sync"])?;
            }
            std::thread::sleep(Duration::from_millis(500));
        }
        self.fail("sync", "jobs are still open");
        Ok(())
    }

    /// Reads all sessions.
    pub(super) fn sync(&mut self) -> Result<(), String> {
        let alpha = self.scratch.project("alpha");
        let ran = self.scratch.acreta(&alpha, &["sync", "--json"])?;
        let report: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
        if ![Some(0), Some(3)].contains(&ran.code) || !report.is_object() {
            self.fail("sync", ran.last_line());
        }
        self.settle(&alpha)?;
        for problem in report["problems"].as_array().into_iter().flatten() {
            self.fail("sync", format!("problem: {problem}"));
        }
        if report["failed"].as_u64().unwrap_or(0) > 0 {
            self.fail("sync", "a session failed");
        }
        Ok(())
    }

    pub(super) fn compare(&mut self, row: &mut AgentRow) -> Result<(), String> {
        if !self.is_read {
            return Ok(());
        }
        self.sync()?;
        let (alpha, beta) = (self.scratch.project("alpha"), self.scratch.project("beta"));
        for (path, unread) in unread(&[&alpha, &beta]) {
            self.fail("sync", format!("{path}: {unread}"));
        }
        let archive = self
            .scratch
            .home()
            .join(".acreta/archive")
            .join(self.program.name);
        let kept = compare::DataFolders {
            agent: self.program.name,
            projects: &[alpha, beta],
            archive: &archive,
        };
        let compared = compare::compare(&kept, self.script, &self.expected);
        row.sessions = compared.sessions;
        row.events = compared.events;
        for (ticket, differences) in compared.differences {
            let check = self.tickets.get(&ticket).copied().unwrap_or("compared");
            for difference in differences {
                let difference = match ticket {
                    0 => difference,
                    ticket => format!("ticket-{ticket}: {difference}"),
                };
                row.differences.push(format!("{check}: {difference}"));
                self.fail(check, difference);
            }
        }
        if row.sessions == 0 {
            self.fail("compared", "no session was read");
        } else if !row.differences.is_empty() {
            self.fail("compared", format!("{} differences", row.differences.len()));
        }
        Ok(())
    }

    /// After sessions the agent's own settings may differ, but acreta's entries must be gone.
    pub(super) fn undo(&mut self) -> Result<(), String> {
        if !self.is_known {
            return Ok(());
        }
        let alpha = self.scratch.project("alpha");
        let connected = self.scratch.files();
        let ran = self.scratch.acreta(&alpha, &["init", "--undo"])?;
        if !ran.succeeded {
            self.fail("undo", ran.last_line());
        }
        let after = self.scratch.files();
        for path in changed(&connected, &after) {
            let text = after.get(&path).map(|bytes| String::from_utf8_lossy(bytes));
            if text
                .is_some_and(|text| text.contains("hook session-") || text.contains("\"acreta\""))
            {
                self.fail("undo", format!("{} still has entries", path.display()));
            }
        }
        Ok(())
    }
}

/// Returns the diagnostics of the runs in these projects: every record of a current agent must be known.
fn unread(projects: &[&Path]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for project in projects {
        let runs = std::fs::read_dir(project.join(".acreta/workspace"));
        for run in runs.into_iter().flatten().flatten() {
            let log = std::fs::read_to_string(run.path().join("session.log"));
            for line in log.unwrap_or_default().lines() {
                let line: Value = serde_json::from_str(line).unwrap_or_default();
                let session = line["session"]["path"]
                    .as_str()
                    .unwrap_or_default()
                    .to_owned();
                for diagnostic in line["stats"]["diagnostics"]
                    .as_array()
                    .into_iter()
                    .flatten()
                {
                    let message = diagnostic["message"]
                        .as_str()
                        .unwrap_or_default()
                        .to_owned();
                    found.push((session.clone(), message));
                }
            }
        }
    }
    found.sort_by(|one, other| one.1.cmp(&other.1));
    found.dedup_by(|one, other| one.1 == other.1);
    found
}

/// Returns the paths whose bytes differ.
fn changed(before: &FolderSnapshot, after: &FolderSnapshot) -> Vec<PathBuf> {
    let paths = before
        .keys()
        .chain(after.keys().filter(|path| !before.contains_key(*path)));
    paths
        .filter(|path| before.get(*path) != after.get(*path))
        .cloned()
        .collect()
}
