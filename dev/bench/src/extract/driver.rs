//! Runs the real `acreta` over session files, each in a separate project, and collects its results.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use acreta_bench::scoring::{Extracted, Proposal};
use serde_json::Value;

use crate::Outcome;

/// An `acreta` with a separate home.
pub(crate) struct Driver {
    binary: PathBuf,
    folder: tempfile::TempDir,
    runs: u64,
}

/// Results and costs of one session.
#[derive(Debug, Clone, Default)]
pub(crate) struct SessionResult {
    pub(crate) kept: Extracted,
    /// Candidates that were dropped only for their confidence.
    pub(crate) unsure: Vec<Proposal>,
    pub(crate) figures: ExtractFigures,
}

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ExtractFigures {
    /// Bytes of the session file.
    pub(crate) bytes: u64,
    pub(crate) calls: u64,
    pub(crate) input_tokens: u64,
    pub(crate) output_tokens: u64,
    /// Requests to a model that got no reply.
    pub(crate) failed: u64,
    /// Milliseconds that the extractor itself took, for candidates and summary.
    pub(crate) guest_ms: u64,
    pub(crate) peak_memory: u64,
}

impl Driver {
    pub(crate) fn new(binary: &Path, config: &str) -> Outcome<Self> {
        let folder = tempfile::tempdir()?;
        std::fs::create_dir_all(folder.path().join("home"))?;
        #[expect(clippy::disallowed_methods, reason = "the bench's own scratch folder")]
        std::fs::write(folder.path().join("home/config.toml"), config)?;
        Ok(Self {
            binary: std::path::absolute(binary)?,
            folder,
            runs: 0,
        })
    }

    /// Extracts a session; the error is a sentence for the table.
    pub(crate) fn extract(&mut self, file: &Path, session: Option<&str>) -> Outcome<SessionResult> {
        let mut arguments = Vec::new();
        arguments.extend(session.map(|id| ["--session", id]).into_iter().flatten());
        let report = self.run(file, &arguments)?;
        let run = Path::new(report["run_folder"].as_str().ok_or("no run folder")?);
        let mut taken = SessionResult::default();
        // A session without conversation has neither file.
        for candidate in read(run, "extract.json")?["candidates"]
            .as_array()
            .into_iter()
            .flatten()
        {
            let proposal: Proposal = serde_json::from_value(candidate.clone())?;
            if candidate["kept"] == true {
                taken.kept.candidates.push(proposal);
            } else if is_unsure(candidate) {
                taken.unsure.push(proposal);
            }
        }
        let summary = &read(run, "summary.json")?["summary"];
        let part = |name: &str| summary[name].as_str().unwrap_or_default();
        taken.kept.summary = format!(
            "{}\n{}\n{}",
            part("title"),
            part("description"),
            part("body")
        );
        taken.kept.cited = self.cited(&report, &taken.kept.candidates)?;
        taken.figures = figures(&report, file);
        Ok(taken)
    }

    /// Returns the text of every event that a candidate cites, from the trace that the run archived.
    fn cited(&self, report: &Value, candidates: &[Proposal]) -> Outcome<BTreeMap<String, String>> {
        let wanted: BTreeSet<&str> = candidates
            .iter()
            .flat_map(|one| &one.evidence)
            .map(|citation| citation.event_id.as_str())
            .collect();
        let mut cited = BTreeMap::new();
        let Some(path) = report["session"]["raw_trace_path"].as_str() else {
            return Ok(cited);
        };
        if wanted.is_empty() {
            return Ok(cited);
        }
        let trace = self.project().join(".acreta").join(path);
        let text = std::fs::read_to_string(&trace)
            .map_err(|error| format!("{}: {error}", trace.display()))?;
        for line in text.lines() {
            let event: Value = serde_json::from_str(line)?;
            if let (Some(id), Some(text)) = (event["id"].as_str(), event["text"].as_str())
                && wanted.contains(id)
            {
                cited.insert(id.to_owned(), text.to_owned());
            }
        }
        Ok(cited)
    }

    /// Returns the project of the last run.
    fn project(&self) -> PathBuf {
        self.folder.path().join(format!("project-{}", self.runs))
    }

    pub(crate) fn estimate(&mut self, session: &Path) -> Outcome<Estimate> {
        let total = self.run(session, &["--estimate"])?;
        let report = self.run(session, &["--dry-run", "--no-llm"])?;
        let plugins = report["metrics"]["plugins"].as_array();
        let said = plugins.into_iter().flatten();
        let said = said.filter(|plugin| plugin["role"] == "adapter");
        Ok(Estimate {
            requests: total["requests"].as_u64().unwrap_or(0),
            input_tokens: total["input_tokens"].as_u64().unwrap_or(0),
            text_bytes: said
                .filter_map(|plugin| plugin["emitted_bytes"].as_u64())
                .sum(),
        })
    }

    /// Runs `acreta run` in a separate project.
    fn run(&mut self, session: &Path, arguments: &[&str]) -> Outcome<Value> {
        self.runs += 1;
        let project = self.project();
        std::fs::create_dir_all(project.join(".git"))?;
        let output = Command::new(&self.binary)
            .arg("run")
            .arg(std::path::absolute(session)?)
            .args(arguments)
            .arg("--json")
            .current_dir(&project)
            .env_remove("ACRETA_CONFIG")
            .env("ACRETA_HOME", self.folder.path().join("home"))
            .output()?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            let said = said.lines().find(|line| !line.is_empty());
            return Err(said.unwrap_or("acreta failed").to_owned().into());
        }
        Ok(serde_json::from_slice(&output.stdout)?)
    }
}

/// Estimated requests to a model.
pub(crate) struct Estimate {
    pub(crate) requests: u64,
    pub(crate) input_tokens: u64,
    /// Bytes of all text in the session.
    pub(crate) text_bytes: u64,
}

fn is_unsure(candidate: &Value) -> bool {
    let reason = candidate["reason"].as_str().unwrap_or_default();
    reason.starts_with("confidence ")
}

fn read(folder: &Path, name: &str) -> Outcome<Value> {
    match std::fs::read(folder.join(name)) {
        Ok(bytes) => Ok(serde_json::from_slice(&bytes)?),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Value::Null),
        Err(error) => Err(error.into()),
    }
}

fn figures(report: &Value, session: &Path) -> ExtractFigures {
    let plugins = report["metrics"]["plugins"].as_array();
    let extractor = plugins
        .into_iter()
        .flatten()
        .filter(|plugin| plugin["role"] == "extractor");
    let mut figures = ExtractFigures {
        bytes: std::fs::metadata(session).map_or(0, |metadata| metadata.len()),
        ..ExtractFigures::default()
    };
    let llm = |name: &str| report["metrics"]["llm"][name].as_u64().unwrap_or(0);
    figures.calls = llm("calls");
    figures.input_tokens = llm("input_tokens");
    figures.output_tokens = llm("output_tokens");
    figures.failed = llm("failed");
    for plugin in extractor {
        let number = |name: &str| plugin[name].as_u64().unwrap_or(0);
        figures.guest_ms += number("guest_ms");
        figures.peak_memory = figures.peak_memory.max(number("peak_memory_bytes"));
    }
    figures
}
