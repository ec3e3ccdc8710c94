//! `acreta run TRACE`.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use acreta_lead::{Action, RunMode, RunOptions, RunReport, Thresholds};
use acreta_redact::Redactor;
use acreta_store::{DraftLimits, Layout};
use camino::Utf8Path;

use crate::args::{Mode, RunArguments};
use crate::context::Context;
use crate::failure::{CliError, Kind};
use crate::output::{count, json, line, talk};
use crate::plugins;
use crate::progress::Terminal;

/// How long a run waits for another one in the same project.
const LOCK_WAIT: Duration = Duration::from_secs(5);

pub(crate) fn run(arguments: &RunArguments, context: &Context) -> Result<(), CliError> {
    let options = options(arguments, context)?;
    let progress = Terminal::new();
    let sandbox = plugins::sandbox(context)?;
    let plugins = plugins::chosen(context, &sandbox, &|id| {
        progress.say(&format!("preparing {id} (compiled once, then cached)"));
    })?;
    let result = acreta_lead::run(&arguments.trace, &plugins, &options, &progress);
    progress.done();
    let report = result?;
    if context.json {
        json(&report);
    } else {
        print(&report, &context.project);
        if arguments.explain {
            explain(&report)?;
        }
    }
    Ok(())
}

fn options(arguments: &RunArguments, context: &Context) -> Result<RunOptions, CliError> {
    let layout = Layout::new(
        arguments.memory_root.as_deref(),
        arguments.workspace_root.as_deref(),
        &context.project,
    );
    let config = &context.config;
    let redactor = Redactor::new(&config.text_list("redact.allow")).map_err(|error| {
        CliError::new(
            Kind::Failure,
            format!("`redact.allow` is not usable: {error}"),
        )
    })?;
    let writer = config.text("plugins.writer");
    let limits = config.limits(
        writer,
        acreta_model::Limits::for_role(acreta_model::Role::MemoryWriter),
    );
    Ok(RunOptions {
        layout,
        repo_name: context.project.file_name().unwrap_or("project").to_owned(),
        mode: match arguments.mode {
            Mode::Sync => RunMode::Sync,
            Mode::Hot => RunMode::Hot,
            Mode::Cold => RunMode::Cold,
        },
        agent: arguments.agent.clone(),
        session: arguments.session.clone(),
        dry_run: arguments.dry_run,
        thresholds: Thresholds {
            update_overlap: config.float("decide.update_overlap"),
            max_candidates: usize::try_from(config.integer("extract.max_candidates")).unwrap_or(0),
            min_confidence: config.float("extract.min_confidence") as f32,
        },
        redactor: Arc::new(redactor),
        scratch: context.home.cache().join("scratch"),
        draft_limits: DraftLimits {
            files: limits.draft_files,
            bytes: limits.draft_bytes,
        },
        lock_wait: LOCK_WAIT,
        keep_runs: usize::try_from(config.integer("runs.keep")).unwrap_or(usize::MAX),
        now_ms: now_ms(),
        seed: RandomState::new().hash_one(std::process::id()),
        faults: acreta_fs::NoFaults::shared(),
    })
}

/// The one place that reads the clock.
#[expect(
    clippy::disallowed_methods,
    reason = "the binary is where the clock is read"
)]
fn now_ms() -> u64 {
    std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |elapsed| elapsed.as_millis() as u64)
}

fn print(report: &RunReport, project: &Utf8Path) {
    let session = &report.session;
    talk(&format!(
        "{} of {} session {}",
        count(session.events, "event", "events"),
        session.agent,
        session.id
    ));
    if session.diagnostics > 0 {
        talk(&format!(
            "{} could not be read:",
            count(session.diagnostics, "record", "records")
        ));
        for diagnostic in &session.first_diagnostics {
            talk(&format!(
                "  bytes {}–{}: {}",
                diagnostic.start, diagnostic.end, diagnostic.message
            ));
        }
    }
    let secrets: u64 = session.redactions.values().sum();
    if secrets > 0 {
        talk(&format!(
            "{} taken out",
            count(secrets, "secret", "secrets")
        ));
    }
    if let Some(note) = &report.note {
        talk(note);
    }
    for action in &report.actions {
        let sign = match action.action {
            Action::Add => "+",
            Action::Update => "~",
            Action::NoOp => "=",
            Action::Archive => "-",
        };
        let path = action.path.as_deref().unwrap_or(&action.memory_id);
        line(&format!("{sign} {path}  {}", action.reason));
    }
    let counts = &report.counts;
    talk(&format!(
        "{}{} added, {} updated, {} unchanged, {} archived in {} ms; run folder {}",
        if report.dry_run {
            "dry run, nothing changed: "
        } else {
            ""
        },
        counts.add,
        counts.update,
        counts.no_op,
        counts.archived,
        report.metrics.total_ms,
        relative(&report.run_folder, project)
    ));
    if report.metrics.denied > 0 {
        talk(&format!(
            "the sandbox refused {}:",
            count(report.metrics.denied, "operation", "operations")
        ));
        for (plugin, denial) in report.metrics.denials() {
            talk(&format!(
                "  {plugin}: {} {} ({}×)",
                denial.operation, denial.path, denial.count
            ));
        }
    }
}

fn relative<'a>(path: &'a Utf8Path, project: &Utf8Path) -> &'a Utf8Path {
    path.strip_prefix(project).unwrap_or(path)
}

/// Every candidate with what the gates said, from the run's own artifact.
fn explain(report: &RunReport) -> Result<(), CliError> {
    let directory = acreta_fs::Directory::open(&report.run_folder, acreta_fs::NoFaults::shared())?;
    let text = directory.read_to_string("extract.json", 64 * 1024 * 1024)?;
    let extract: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    let candidates = extract["candidates"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    line(&count(candidates.len() as u64, "candidate", "candidates"));
    for candidate in &candidates {
        let field = |name: &str| candidate[name].as_str().unwrap_or_default().to_owned();
        let verdict = if candidate["kept"] == true {
            "kept"
        } else {
            "dropped"
        };
        line(&format!(
            "{verdict}  {:.2}  {} {}  {}",
            candidate["confidence"].as_f64().unwrap_or_default(),
            field("type"),
            field("kind"),
            field("title")
        ));
        line(&format!("      {}", field("reason")));
    }
    Ok(())
}
