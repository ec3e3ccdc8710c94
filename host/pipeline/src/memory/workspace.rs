//! A run's own folder: flat, named by mode, time and a short id, complete from the start. A failure to log never fails
//! a run.
//!
//! Everything in it passes [`RunFolder`] or [`RunLog`], which redact: plugins choose log lines, ids, names and failure
//! messages, and any of them may hold a secret of the session.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::Instant;

use acreta_fs::{
    Directory, EntryKind, Faults, FsError, LOCAL_PARTS, NoFaults, PROJECT_FOLDER,
    SUMMARIES_IGNORED, ignores_summaries,
};
use acreta_redact::Redactor;
use acreta_store::Layout;
use acreta_types::PluginLog;
use camino::{Utf8Path, Utf8PathBuf};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;

/// Trigger of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RunMode {
    /// Started by hand.
    #[default]
    Sync,
    /// Started by a hook or the daemon.
    Hot,
    /// Backfill of old sessions.
    Cold,
    /// Maintenance of memory.
    Maintain,
}

impl RunMode {
    pub fn name(self) -> &'static str {
        match self {
            RunMode::Sync => "sync",
            RunMode::Hot => "hot",
            RunMode::Cold => "cold",
            RunMode::Maintain => "maintain",
        }
    }

    /// Returns the names of the files of a run of this mode.
    pub fn artifacts(self) -> &'static [&'static str] {
        match self {
            RunMode::Maintain => &MAINTAIN_ARTIFACTS,
            _ => &ARTIFACTS,
        }
    }
}

/// The files of every run.
pub const ARTIFACTS: [&str; 6] = [
    "extract.json",
    "summary.json",
    "memory_actions.json",
    "agent.log",
    "subagents.log",
    "session.log",
];

/// The files of every maintenance.
pub const MAINTAIN_ARTIFACTS: [&str; 4] = [
    "maintain_actions.json",
    "report.md",
    "agent.log",
    "subagents.log",
];

pub(crate) struct RunFolder {
    directory: Directory,
    layout: Layout,
    redactor: Arc<Redactor>,
    pub(crate) run_id: String,
}

impl RunFolder {
    /// Creates the folder. The short id is derived from the seed; if the name is taken, the next one is used.
    pub(crate) fn create(
        layout: &Layout,
        mode: RunMode,
        now_ms: u64,
        seed: u64,
        redactor: &Arc<Redactor>,
        faults: &Arc<dyn Faults>,
    ) -> Result<Self, FsError> {
        let workspace = layout.create_workspace(faults)?;
        let time = instant(now_ms).strftime("%Y%m%d-%H%M%S").to_string();
        for attempt in 0.. {
            let run_id = format!(
                "{}-{time}-{}",
                mode.name(),
                short_id(seed.wrapping_add(attempt))
            );
            if attempt < 100 && workspace.exists(&run_id)? {
                continue;
            }
            workspace.create_dir(&run_id)?;
            let directory = workspace.subdirectory(&run_id)?;
            for artifact in mode.artifacts() {
                let empty: &[u8] = if artifact.ends_with(".json") {
                    b"{}\n"
                } else {
                    b""
                };
                directory.append(artifact, empty)?;
            }
            let layout = layout.clone();
            return Ok(Self {
                directory,
                layout,
                redactor: Arc::clone(redactor),
                run_id,
            });
        }
        unreachable!("the loop above ends with a return")
    }

    /// Removes all but the newest run folders of this mode; this run counts and stays. A failed run stays until it is
    /// in `shown`. A failure to remove is only logged.
    pub(crate) fn prune(&self, keep: usize, shown: &BTreeSet<String>) {
        let mode = format!("{}-", self.run_id.split('-').next().unwrap_or_default());
        let removed = self
            .layout
            .create_workspace(&NoFaults::shared())
            .and_then(|workspace| {
                let mut runs: Vec<String> = workspace
                    .list(".", RUNS_LISTED)?
                    .into_iter()
                    .filter(|entry| entry.metadata.kind == EntryKind::Directory)
                    .map(|entry| entry.path.to_string())
                    .filter(|run| run.starts_with(&mode) && *run != self.run_id)
                    .collect();
                runs.sort_unstable_by(|left, right| right.cmp(left));
                for run in runs.iter().skip(keep.saturating_sub(1)) {
                    // The folder of an undone run records that it was undone.
                    let is_kept = was_undone(&workspace, run);
                    if !is_kept && (shown.contains(run) || ended_well(&workspace, run)) {
                        workspace.remove_dir_all(run)?;
                    }
                }
                Ok(())
            });
        if let Err(error) = removed {
            tracing::debug!(%error, "old run folders not removed");
        }
    }

    pub(crate) fn path(&self) -> &Utf8Path {
        self.directory.path()
    }

    pub(crate) fn artifact(&self, name: &str) -> Utf8PathBuf {
        self.directory.path().join(name)
    }

    pub(crate) fn write_json(&self, name: &str, value: &impl Serialize) -> Result<(), FsError> {
        let text = format!("{:#}\n", self.redacted(value));
        self.directory.replace_unsynced(name, text.as_bytes())
    }

    /// Writes files of memory as they were, to restore them byte for byte, and syncs the file to disk.
    pub(crate) fn write_former(&self, name: &str, value: &impl Serialize) -> Result<(), FsError> {
        let mut bytes =
            serde_json::to_vec_pretty(value).expect("artifacts have string keys and plain values");
        bytes.push(b'\n');
        self.directory.replace(name, &bytes)
    }

    pub(crate) fn write_text(&self, name: &str, text: &str) -> Result<(), FsError> {
        let text = self.redactor.redact(text).text;
        self.directory.replace_unsynced(name, text.as_bytes())
    }

    /// Appends a line of JSON to a log.
    pub(crate) fn append_json(&self, name: &str, value: &impl Serialize) {
        let line = format!("{}\n", self.redacted(value));
        if let Err(error) = self.directory.append(name, line.as_bytes()) {
            tracing::debug!(%error, "log line lost");
        }
    }

    fn redacted(&self, value: &impl Serialize) -> Value {
        let mut value =
            serde_json::to_value(value).expect("artifacts have string keys and plain values");
        redact(&mut value, &self.redactor);
        value
    }

    /// Opens `agent.log` for the lead and for guests. `now_ms` is the start time of the run.
    pub(crate) fn log(&self, now_ms: u64, times: Times) -> Arc<RunLog> {
        Arc::new(RunLog {
            directory: Mutex::new(self.directory.clone()),
            redactor: Arc::clone(&self.redactor),
            began_ms: now_ms,
            began: (times == Times::Told).then(Instant::now),
        })
    }
}

/// Redacts all texts of a value, and its keys.
fn redact(value: &mut Value, redactor: &Redactor) {
    match value {
        Value::String(text) => redactor.clean(text),
        Value::Array(values) => values.iter_mut().for_each(|it| redact(it, redactor)),
        Value::Object(fields) => {
            let clean = std::mem::take(fields)
                .into_iter()
                .map(|(mut name, mut it)| {
                    redactor.clean(&mut name);
                    redact(&mut it, redactor);
                    (name, it)
                });
            *fields = clean.collect();
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Maximum number of run folders listed when old ones are removed.
const RUNS_LISTED: u64 = 1_000_000;
const REPORT_BYTES: u64 = 64 * 1024 * 1024;

fn ended_well(workspace: &Directory, run: &str) -> bool {
    let report = ["memory_actions.json", "maintain_actions.json"]
        .iter()
        .find_map(|name| workspace.read(format!("{run}/{name}"), REPORT_BYTES).ok());
    let report: serde_json::Value =
        serde_json::from_slice(&report.unwrap_or_default()).unwrap_or_default();
    // A run that succeeds always completes its report; one that fails or is cancelled does not.
    report["todos"].as_array().is_some_and(|todos| {
        let is_over = |todo: &serde_json::Value| {
            let state = todo["state"].as_str();
            matches!(state, Some("completed" | "skipped"))
        };
        let last = todos.last();
        todos.iter().all(is_over) && last.is_some_and(|todo| todo["state"] == "completed")
    })
}

fn was_undone(workspace: &Directory, run: &str) -> bool {
    let undo = workspace.read(format!("{run}/undo.json"), REPORT_BYTES);
    let undo: serde_json::Value =
        serde_json::from_slice(&undo.unwrap_or_default()).unwrap_or_default();
    undo["undone"] == true
}

/// What becomes of the summaries of sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Summaries {
    /// Written, and committed with the rest of memory.
    Shared,
    /// Written, and ignored by git.
    Local,
    /// Not written.
    Off,
}

/// Files of a project's folder that git ignores. Summaries are ignored in new projects.
fn ignored() -> String {
    let mut text = "# Memory and its sidecars are committed; these are not.\n".to_owned();
    for part in LOCAL_PARTS {
        text.push_str(&format!("/{part}\n"));
    }
    format!("{text}{SUMMARIES_IGNORED}\n")
}

/// Git attributes of the other files.
const ATTRIBUTES: &str = "\
# Files are the same bytes on every system, and git keeps both sides' lines of a sidecar.
/memory/** text eol=lf
/meta/memories/*.json text eol=lf merge=union
/meta/summaries/*.json text eol=lf merge=union
";

/// Maximum size of `.gitignore` and `.gitattributes`; larger ones are left as they are.
const GIT_FILE_BYTES: u64 = 64 * 1024;

/// Writes `.gitignore` and `.gitattributes` into a project's folder. Of existing files only two things change: lines for
/// sidecars that are missing are added, and where a setting says so, the line for summaries is added or removed.
pub(crate) fn ignore_what_is_not_shared(
    layout: &Layout,
    summaries: Option<Summaries>,
    faults: &Arc<dyn Faults>,
) -> Result<(), FsError> {
    if layout.base().file_name() != Some(PROJECT_FOLDER) {
        return Ok(());
    }
    let base = layout.open_or_create(faults)?;
    let put = |name: &str, fresh: &str, change: &dyn Fn(&str) -> String| {
        let before = match base.read_to_string(name, GIT_FILE_BYTES) {
            Ok(text) => Some(text),
            Err(error) if error.is_not_found() => None,
            Err(error @ FsError::Link { .. }) => return Err(error),
            // A file that a person made too large, or in another encoding, is theirs.
            Err(_) => return Ok(()),
        };
        let after = change(before.as_deref().unwrap_or(fresh));
        match before.is_none_or(|before| before != after) {
            true => base.replace(name, after.as_bytes()),
            false => Ok(()),
        }
    };
    put(".gitattributes", ATTRIBUTES, &|text| {
        let rules = ATTRIBUTES.lines().filter(|line| line.contains("merge="));
        rules.fold(text.to_owned(), with_line)
    })?;
    put(".gitignore", &ignored(), &|text| match summaries {
        Some(Summaries::Local) => with_line(text.to_owned(), SUMMARIES_IGNORED),
        Some(Summaries::Shared) if ignores_summaries(text) => {
            let lines = text.split_inclusive('\n');
            lines
                .filter(|line| line.trim() != SUMMARIES_IGNORED)
                .collect()
        }
        _ => text.to_owned(),
    })
}

/// Appends a line unless the text has it.
fn with_line(mut text: String, line: &str) -> String {
    if text.lines().any(|known| known.trim() == line) {
        return text;
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(line);
    text.push('\n');
    text
}

/// One logfmt line per event, each with its own time and level.
pub(crate) struct RunLog {
    directory: Mutex<Directory>,
    redactor: Arc<Redactor>,
    began_ms: u64,
    /// `None` if the same input must give the same bytes: every line then has the start time of the run.
    began: Option<Instant>,
}

impl RunLog {
    /// Returns the current time, formatted for log lines and todos.
    pub(crate) fn time(&self) -> String {
        let elapsed = self.began.map_or(0, |began| began.elapsed().as_millis());
        let elapsed = u64::try_from(elapsed).unwrap_or(0);
        let time = instant(self.began_ms.saturating_add(elapsed));
        time.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string()
    }

    pub(crate) fn step(&self, step: &str, message: &str) {
        self.at(LogLevel::Info, step, message);
    }

    /// Logs a problem that does not stop the run.
    pub(crate) fn problem(&self, step: &str, message: &str) {
        self.at(LogLevel::Warn, step, message);
    }

    pub(crate) fn at(&self, level: LogLevel, step: &str, message: &str) {
        self.line(level.name(), &format!("step={step}"), message);
    }

    fn line(&self, level: &str, context: &str, message: &str) {
        let line = format!(
            "time={} level={level} {context} msg={}\n",
            self.time(),
            quoted(&self.redactor.redact(message).text)
        );
        let Ok(directory) = self.directory.lock() else {
            return;
        };
        if let Err(error) = directory.append("agent.log", line.as_bytes()) {
            tracing::debug!(%error, "log line lost");
        }
    }
}

/// Severity of a log line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LogLevel {
    Debug,
    Info,
    Warn,
    Error,
}

impl LogLevel {
    fn name(self) -> &'static str {
        match self {
            LogLevel::Debug => "debug",
            LogLevel::Info => "info",
            LogLevel::Warn => "warn",
            LogLevel::Error => "error",
        }
    }
}

impl PluginLog for RunLog {
    fn write(&self, plugin: &str, level: &str, message: &str) {
        let level = match level {
            "error" | "warn" | "info" | "debug" => level,
            _ => "info",
        };
        self.line(level, &format!("plugin={plugin}"), message);
    }
}

/// Formats a logfmt value: always quoted, always one line.
fn quoted(message: &str) -> String {
    serde_json::Value::from(acreta_text::visible(message)).to_string()
}

pub(crate) fn instant(ms: u64) -> Timestamp {
    i64::try_from(ms)
        .ok()
        .and_then(|ms| Timestamp::from_millisecond(ms).ok())
        .unwrap_or(Timestamp::UNIX_EPOCH)
}

/// Returns six characters that are easy to type.
pub(crate) fn short_id(seed: u64) -> String {
    const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let mut rest = seed ^ (seed >> 29);
    (0..6)
        .map(|_| {
            let letter = LETTERS[(rest % 32) as usize];
            rest = (rest / 32)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(23);
            char::from(letter)
        })
        .collect()
}

/// Selects whether reports contain durations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Times {
    #[default]
    Told,
    /// Durations are left out, so that the same input gives the same bytes.
    LeftOut,
}

/// A plugin log that only goes to the debug trace.
pub(crate) struct TracingPluginLog;

impl PluginLog for TracingPluginLog {
    fn write(&self, plugin: &str, level: &str, message: &str) {
        tracing::debug!(plugin, level, message, "plugin");
    }
}
