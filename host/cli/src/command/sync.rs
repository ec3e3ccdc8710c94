//! `acreta sync`.

use acreta_service::learn::sync::{self, LearntLine, RunLine, Sync, SyncReport};
use acreta_service::process::clock::now_ms;
use acreta_service::{Failure, Kind};
use acreta_service::{learn::readings, projects::registry, review};
use acreta_types::ReadingStrength;

use super::verdicts;
use crate::args::SyncArguments;
use crate::context::Context;
use crate::output::{count, json, line, sign, table, talk, warn};
use crate::progress::Terminal;
use crate::watch::{self, Bar};

/// Number of problems that are shown; all of them are in the JSON.
const PROBLEMS: usize = 10;

/// Number of titles shown for each project.
const TITLES: usize = 20;

/// Number of waiting projects that are shown.
const WAITING: usize = 8;

pub(crate) fn run(arguments: &SyncArguments, context: &Context) -> Result<(), Failure> {
    if arguments.background {
        crate::priority::lower();
    }
    let request = Sync {
        agent: arguments.agent.clone(),
        since: arguments.since.clone(),
        until: arguments.until.clone(),
        window: arguments.window.clone(),
        max_sessions: arguments.max_sessions,
        force: arguments.force,
        dry_run: arguments.dry_run,
        in_turn: arguments.in_turn,
    };
    if arguments.estimate {
        return estimate(&request, context);
    }
    watch::catch_interrupts();
    let bar = Bar::new(&context.environment);
    let result = sync::sync(&request, context, &bar);
    bar.done();
    let Some(report) = result? else {
        talk("another sync is waiting already and will do this");
        return Ok(());
    };
    if context.json {
        json(&report);
    } else {
        print(&report, arguments.explain)?;
        // What was learnt counts even if the waiting items cannot be counted.
        if report.ran > 0
            && !arguments.background
            && let Ok(counts) = review::waiting(context)
        {
            super::status::print_waiting(&counts);
        }
    }
    if report.interrupted {
        return Err(
            Failure::new(Kind::Partial, "stopped before everything was done")
                .hint("the next sync continues from here"),
        );
    }
    let before = report.failed == 0 && !report.dead_letters.is_empty();
    if before {
        let given_up = count(report.dead_letters.len() as u64, "session", "sessions");
        return Err(
            Failure::new(Kind::Partial, format!("{given_up} could not be learnt from"))
                .hint("`acreta queue show JOB` shows the reason, `queue retry JOB` tries it again, `queue skip JOB` skips it"),
        );
    }
    if report.failed > 0 {
        let message = format!("{} failed", count(report.failed, "thing", "things"));
        return Err(Failure::new(Kind::Partial, message)
            .hint("`acreta queue list --state failed` and `acreta doctor` show details"));
    }
    Ok(())
}

fn estimate(request: &Sync, context: &Context) -> Result<(), Failure> {
    let progress = Terminal::new();
    let told = |done, all| progress.say(&format!("estimating {done}/{all}"));
    let quiet = Bar::new(&context.environment);
    let estimate = sync::estimate(request, context, &quiet, &told);
    quiet.done();
    progress.done();
    let estimate = estimate?;
    if context.json {
        json(&estimate);
        return Ok(());
    }
    line(&format!("sessions      {}", estimate.sessions));
    crate::spending::print_estimate(&estimate.total);
    if estimate.failed > 0 {
        let sessions = count(estimate.failed, "session", "sessions");
        warn(&format!("{sessions} could not be read"));
    }
    talk(&crate::spending::today(&estimate.spending));
    Ok(())
}

fn print(report: &SyncReport, is_explained: bool) -> Result<(), Failure> {
    for problem in report.problems.iter().take(PROBLEMS) {
        // A problem of the agent as a whole has no path.
        let whose = format!("{} {}", problem.agent, problem.path);
        warn(&format!("{}: {}", whose.trim_end(), problem.message));
    }
    let untold = report.problems.len().saturating_sub(PROBLEMS);
    if untold > 0 {
        warn(&format!("and {untold} more; `--json` shows all"));
    }
    for run in report.runs.iter().filter(|run| run.state != "completed") {
        let cause = run.error.as_ref().map(|cause| format!(": {cause}"));
        warn(&format!(
            "{} {} is {}{}",
            run.agent,
            run.session,
            run.state,
            cause.unwrap_or_default()
        ));
    }
    for letter in &report.dead_letters {
        if !report.runs.iter().any(|run| run.session == letter.session) {
            warn(&format!(
                "{} {} failed permanently (job {}): {}",
                letter.agent, letter.session, letter.job, letter.cause
            ));
        }
    }
    if !report.agents.is_empty() {
        let head = ["agent", "files", "new", "archived", "ran", "failed"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        rows.extend(report.agents.iter().map(|agent| {
            vec![
                agent.agent.clone(),
                agent.files.to_string(),
                agent.discovered.to_string(),
                agent.archived.to_string(),
                agent.ran.to_string(),
                agent.failed.to_string(),
            ]
        }));
        table(&rows);
    }
    if !report.projects.is_empty() {
        line("");
        let head = [
            "project",
            "ran",
            "failed",
            "added",
            "updated",
            "unchanged",
            "archived",
        ];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        rows.extend(report.projects.iter().map(|project| {
            vec![
                project.project.to_string(),
                project.ran.to_string(),
                project.failed.to_string(),
                project.counts.add.to_string(),
                project.counts.update.to_string(),
                project.counts.no_op.to_string(),
                project.counts.archived.to_string(),
            ]
        }));
        table(&rows);
    }
    learnt(report);
    if is_explained {
        for run in &report.runs {
            explain(run)?;
        }
    }
    talk(&match report.dry_run {
        true => format!(
            "dry run, nothing changed: {} would be read, {} queued",
            count(report.discovered, "file", "files"),
            count(report.queued, "session", "sessions"),
        ),
        false => format!(
            "{} new, {} archived, {} queued, {} ran, {} skipped, {} failed",
            count(report.discovered, "session", "sessions"),
            report.archived,
            report.queued,
            report.ran,
            report.skipped,
            report.failed,
        ),
    });
    if report.agents.is_empty() && report.problems.is_empty() {
        talk("no sessions were found; `acreta connect list` shows where they are looked for");
    }
    crate::spending::tell(report.runs.iter().filter_map(|run| run.llm.as_ref()));
    if let Some(files) = report.agent_memories.filter(|files| *files > 0) {
        let files = count(files, "file", "files");
        talk(&format!(
            "{files} of agents' own memories imported, untrusted"
        ));
    }
    waiting(report);
    if let Some(fallback) = &report.fallback {
        let is_partial = report.runs.iter().filter_map(|run| run.reading.as_ref());
        let is_partial = is_partial
            .filter(|read| read.shortfall.is_some())
            .all(|read| read.reading.strength == ReadingStrength::Model);
        talk(&readings::fallback(
            &fallback.shortfall,
            is_partial,
            fallback.waiting,
            now_ms(),
        ));
    }
    Ok(())
}

fn explain(run: &RunLine) -> Result<(), Failure> {
    let Some(folder) = &run.run_folder else {
        return Ok(());
    };
    line("");
    line(&format!("{} {}", run.agent, run.session));
    verdicts::explain(folder)
}

/// Prints the titles of new memories, by project. Summaries are only counted: every session has one.
fn learnt(report: &SyncReport) {
    for project in &report.projects {
        let runs = report.runs.iter();
        let runs = runs.filter(|run| run.project == project.project);
        let (summaries, memories): (Vec<&LearntLine>, Vec<&LearntLine>) = runs
            .flat_map(|run| &run.learnt)
            .partition(|one| one.summary);
        if memories.is_empty() && summaries.is_empty() {
            continue;
        }
        line("");
        line(&format!("learnt in {}", project.project));
        for one in memories.iter().take(TITLES) {
            line(&format!("  {} {}", sign(one.action), one.title));
        }
        let untold = memories.len().saturating_sub(TITLES);
        if untold > 0 {
            line(&format!(
                "  and {untold} more; `acreta memory list` shows all"
            ));
        }
        if !summaries.is_empty() {
            let summaries = count(
                summaries.len() as u64,
                "session summary",
                "session summaries",
            );
            line(&format!("  and {summaries}"));
        }
    }
}

fn waiting(report: &SyncReport) {
    let sessions: u64 = report.waiting.iter().map(|waiting| waiting.sessions).sum();
    if sessions == 0 {
        return;
    }
    let verb = if sessions == 1 { "is" } else { "are" };
    talk(&format!(
        "{} of {} {verb} archived; to learn from them:",
        count(sessions, "session", "sessions"),
        count(report.waiting.len() as u64, "project", "projects"),
    ));
    for waiting in report.waiting.iter().take(WAITING) {
        let (place, advice) = match &waiting.project {
            Some(place) if waiting.adapter.is_some() => {
                let adapter = waiting.adapter.as_deref().unwrap_or_default();
                (place.as_str(), registry::unheard(adapter, place))
            }
            Some(place) if waiting.exists => {
                (place.as_str(), format!("acreta project add {place}"))
            }
            Some(place) => (
                place.as_str(),
                format!("not found; if it moved: acreta project add NEW --also {place}"),
            ),
            None => (
                "no project",
                "acreta config set sync.without_project global".to_owned(),
            ),
        };
        talk(&format!("  {:>5}  {place}  ({advice})", waiting.sessions));
    }
    let untold = report.waiting.len().saturating_sub(WAITING);
    if untold > 0 {
        talk(&format!(
            "  and {untold} more; `acreta project list` shows all"
        ));
    }
}
