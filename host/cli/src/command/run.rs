//! `acreta run TRACE`; without a trace it is `acreta sync`.

use acreta_service::learn::candidates::{CandidateVerdict, candidates};
use acreta_service::learn::one_file::{
    self, Learn, LearnMode, LearntAll, RunReport, SessionReport,
};
use acreta_service::{Failure, Kind};
use acreta_types::Diagnostic;
use camino::Utf8Path;

use super::verdicts;
use crate::args::{Mode, RunArguments, SyncArguments};
use crate::context::Context;
use crate::output::{count, json, line, sign, talk, warn};
use crate::progress::Terminal;
use crate::{junit, spending, watch};

pub(crate) fn run(arguments: &RunArguments, context: &Context) -> Result<(), Failure> {
    let Some(trace) = &arguments.trace else {
        let sync = SyncArguments {
            agent: arguments.agent.clone(),
            dry_run: arguments.dry_run,
            explain: arguments.explain,
            ..SyncArguments::default()
        };
        return super::sync::run(&sync, context);
    };
    let request = Learn {
        trace: trace.clone(),
        mode: match arguments.mode {
            Mode::Sync => LearnMode::Sync,
            Mode::Hot => LearnMode::Hot,
            Mode::Cold => LearnMode::Cold,
        },
        agent: arguments.agent.clone(),
        session: arguments.session.clone(),
        dry_run: arguments.dry_run,
        memory_root: arguments.memory_root.clone(),
        workspace_root: arguments.workspace_root.clone(),
    };
    let progress = Terminal::new();
    if arguments.estimate {
        let total = one_file::estimate(&request, context, &progress);
        progress.done();
        let total = total?;
        match context.json {
            true => json(&total),
            false => spending::print_estimate(&total),
        }
        return Ok(());
    }
    watch::end_at_interrupt();
    if arguments.all_sessions {
        let all = one_file::learn_all(&request, context, &progress);
        progress.done();
        return print_all(&all?, arguments, context);
    }
    let learnt = one_file::learn(&request, context, &progress);
    progress.done();
    let learnt = learnt?;
    let report = &learnt.report;
    if context.json {
        json(report);
    } else {
        print(report, &context.project);
        if arguments.explain {
            verdicts::explain(&report.run_folder)?;
        }
        if let Some(fallback) = &learnt.fallback {
            talk(fallback);
        }
    }
    if !arguments.frozen && arguments.junit.is_none() {
        return Ok(());
    }
    let mut refused = candidates(&report.run_folder)?;
    refused.retain(CandidateVerdict::is_refused);
    if let Some(file) = &arguments.junit {
        junit::write(file, report, &refused)?;
    }
    match refused.len() as u64 {
        0 => Ok(()),
        number => Err(Failure::new(
            Kind::Partial,
            format!(
                "{} stopped by gates",
                count(number, "candidate was", "candidates were")
            ),
        )
        .hint("`extract.json` in the run folder lists each with its gate and reason")),
    }
}

fn print_all(all: &LearntAll, arguments: &RunArguments, context: &Context) -> Result<(), Failure> {
    if context.json {
        let reports: Vec<&RunReport> = all.learnt.iter().map(|one| &one.report).collect();
        json(&reports);
    } else {
        for learnt in &all.learnt {
            print(&learnt.report, &context.project);
            if arguments.explain {
                verdicts::explain(&learnt.report.run_folder)?;
            }
        }
        // The message applies to all of them.
        if let Some(fallback) = all
            .learnt
            .iter()
            .rev()
            .find_map(|one| one.fallback.as_ref())
        {
            talk(fallback);
        }
    }
    for (session, failure) in &all.failed {
        warn(&format!("session {session}: {failure}"));
    }
    match all.failed.len() as u64 {
        0 => Ok(()),
        number => Err(Failure::new(
            Kind::Partial,
            format!(
                "{} of {} not learnt from",
                count(number, "session was", "sessions were"),
                number + all.learnt.len() as u64
            ),
        )),
    }
}

fn tell_each(session: &SessionReport, is_meant: impl Fn(&Diagnostic) -> bool) {
    let meant = session.first_diagnostics.iter();
    for diagnostic in meant.filter(|diagnostic| is_meant(diagnostic)) {
        talk(&format!(
            "  bytes {}–{}: {}",
            diagnostic.start, diagnostic.end, diagnostic.message
        ));
    }
}

pub(crate) fn print(report: &RunReport, project: &Utf8Path) {
    let session = &report.session;
    talk(&format!(
        "{} of {} session {}",
        count(session.events, "event", "events"),
        session.agent,
        session.id
    ));
    let is_unknown = Diagnostic::is_of_unknown_type;
    if session.diagnostics > 0 {
        talk(&format!(
            "{} could not be read:",
            count(session.diagnostics, "record", "records")
        ));
        tell_each(session, |diagnostic| !is_unknown(diagnostic));
    }
    if session.unknown_types > 0 {
        talk(&format!(
            "{} left out that this version of acreta does not know:",
            count(session.unknown_types, "type of record", "types of records")
        ));
        tell_each(session, is_unknown);
    }
    let secrets: u64 = session.redactions.values().sum();
    if secrets > 0 {
        talk(&format!("{} redacted", count(secrets, "secret", "secrets")));
    }
    if let Some(note) = &report.note {
        talk(note);
    }
    for action in &report.actions {
        let sign = sign(action.action);
        let path = action.path.as_deref().unwrap_or(&action.memory_id);
        line(&format!("{sign} {}", action.title));
        line(&format!("    {path}: {}", action.reason));
    }
    let counts = &report.counts;
    let counts = format!(
        "{} added, {} updated, {} unchanged, {} archived",
        counts.add, counts.update, counts.no_op, counts.archived
    );
    let counts = match report.dry_run {
        true => format!("dry run, nothing changed; would be: {counts}"),
        false => counts,
    };
    talk(&format!(
        "{counts} in {} ms; run folder {}",
        report.metrics.total_ms,
        relative(&report.run_folder, project)
    ));
    crate::spending::tell([&report.metrics.llm]);
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
