//! `acreta run TRACE`; without a trace it is `acreta sync`.

use std::sync::Arc;

use acreta_catalog::{
    Catalog, CatalogOptions, Discovery, Finding, Found, NewRun, RunEnd, SessionKey, Stamp,
    TraceCursor,
};
use acreta_lead::{Action, RunMode, RunOptions, RunReport, SessionReport};
use acreta_llm::{Estimates, Total};
use acreta_model::{Diagnostic, Identity, ReadingStrength};
use acreta_service::clock::now_ms;
use acreta_service::{Failure, Kind};
use acreta_service::{models, projects, readings, settings};
use acreta_store::Layout;
use camino::Utf8Path;

use crate::args::{Mode, RunArguments, SyncArguments};
use crate::context::Context;
use crate::output::{count, json, line, talk};
use crate::progress::Terminal;
use crate::{frozen, junit, watch};

pub(crate) fn run(arguments: &RunArguments, context: &Context) -> Result<(), Failure> {
    let Some(trace) = &arguments.trace else {
        let sync = SyncArguments {
            agent: arguments.agent.clone(),
            dry_run: arguments.dry_run,
            ..SyncArguments::default()
        };
        return super::sync::run(&sync, context);
    };
    if arguments.estimate {
        return estimate(trace, arguments, context);
    }
    let options = frozen::options(trace, options(arguments, context)?, context)?;
    watch::end_at_interrupt();
    let report = learn(trace, &options, context)?;
    let is_recorded = !report.dry_run && arguments.memory_root.is_none() && !arguments.frozen;
    if is_recorded {
        // A run that cannot be written down is still a good run: sync would repeat it, no more.
        if let Err(error) = record(&report, trace, arguments, context) {
            tracing::warn!(%error, "the run is not in the catalog");
        }
    }
    if context.json {
        json(&report);
    } else {
        print(&report, &context.project);
        if arguments.explain {
            explain(&report)?;
        }
        tell_fallback(&report, is_recorded, context)?;
    }
    let dropped = match arguments.frozen || arguments.junit.is_some() {
        true => junit::dropped(&report)?,
        false => Vec::new(),
    };
    if let Some(file) = &arguments.junit {
        junit::write(file, &report, &dropped)?;
    }
    match dropped.len() as u64 {
        0 => Ok(()),
        number => Err(Failure::new(
            Kind::Partial,
            format!(
                "{} not let through",
                count(number, "candidate was", "candidates were")
            ),
        )
        .hint("`extract.json` in the run folder has each with its gate and reason")),
    }
}

/// Takes a session through the lead.
fn learn(trace: &Utf8Path, options: &RunOptions, context: &Context) -> Result<RunReport, Failure> {
    let progress = Terminal::new();
    let notice = |id: &str| progress.say(&format!("preparing {id} (compiled once, then cached)"));
    let result = acreta_service::learn(trace, options, context, &progress, &notice);
    progress.done();
    result
}

/// The same with models that only count.
fn estimate(trace: &Utf8Path, arguments: &RunArguments, context: &Context) -> Result<(), Failure> {
    let config = &context.config;
    let mut total = Total::default();
    if let Some(estimates) = models::open(config, context)?.map(Estimates::new) {
        let source = Arc::new(estimates.clone());
        let options = RunOptions {
            models: Some(models::granted(config, context, source)?),
            dry_run: true,
            ..options(arguments, context)?
        };
        learn(trace, &options, context)?;
        total = estimates.total();
    }
    print_estimate(&total, context);
    Ok(())
}

fn print_estimate(total: &Total, context: &Context) {
    if context.json {
        return json(total);
    }
    if total.requests == 0 {
        return talk("no model would be asked");
    }
    let models: Vec<&str> = total.models.iter().map(String::as_str).collect();
    line(&format!("models        {}", models.join(", ")));
    line(&format!(
        "requests      {} ({} from the cache)",
        total.requests, total.cached
    ));
    line(&format!("input         {} tokens", total.input_tokens));
    line(&format!(
        "output        {} tokens at the most",
        total.output_tokens
    ));
    line(&match total.cost {
        Some(cost) => format!("cost          {cost} at the most"),
        None => "cost          not known: `llm.prices` has no price for the model".to_owned(),
    });
}

fn options(arguments: &RunArguments, context: &Context) -> Result<RunOptions, Failure> {
    let layout = layout(arguments, context)?;
    let name = context.project.file_name().unwrap_or("project");
    let mode = match arguments.mode {
        Mode::Sync => RunMode::Sync,
        Mode::Hot => RunMode::Hot,
        Mode::Cold => RunMode::Cold,
    };
    let redactor = Arc::new(settings::redactor(&context.config)?);
    Ok(RunOptions {
        agent: arguments.agent.clone(),
        session: arguments.session.clone(),
        dry_run: arguments.dry_run,
        ..settings::run_options(&context.config, context, layout, name, mode, redactor)?
    })
}

/// Where the run writes. Memory that came with a project nobody registered is left alone.
fn layout(arguments: &RunArguments, context: &Context) -> Result<Layout, Failure> {
    let layout = Layout::new(
        arguments.memory_root.as_deref(),
        arguments.workspace_root.as_deref(),
        &context.project,
    )
    .with_words_in(&context.home.words());
    if arguments.memory_root.is_none() && !arguments.dry_run && !arguments.estimate {
        projects::register_for_writing(context, &layout)?;
    }
    match arguments.memory_root.is_none() && context.layout(&context.project).is_closed() {
        true => Ok(layout.closed()),
        false => Ok(layout),
    }
}

/// Writes the run down, so that a sync does not repeat it.
fn record(
    report: &RunReport,
    trace: &Utf8Path,
    arguments: &RunArguments,
    context: &Context,
) -> Result<(), Failure> {
    let Some(taken) = &report.taken else {
        return Ok(());
    };
    let now = now_ms();
    let catalog = Catalog::open(&context.home.state_file(), CatalogOptions::default())?;
    let key = SessionKey::new(&taken.session.agent, &taken.session.id);
    let discovery = Discovery {
        path: acreta_fs::canonical(trace)?,
        // Not what discovery compares with: a sync that finds this file looks into it itself.
        stamp: Stamp::default(),
        finding: Finding::Sessions(vec![Found {
            session: taken.session.clone(),
            root: String::new(),
        }]),
    };
    catalog.record(&taken.adapter, &[discovery], now)?;
    // Registered before the run, or named for this process alone.
    let project = catalog.note_project(&context.project, &Identity::default(), now)?;
    catalog.assign(&[(key.clone(), Some(project.id))])?;
    let cursor = report.resume.as_ref().map(|at| TraceCursor {
        cursor: at.cursor.clone(),
        trace_bytes: at.mark.bytes,
        trace_events: at.mark.events,
    });
    if cursor.is_some() {
        catalog.set_cursor(&key, cursor.as_ref())?;
    }
    catalog.mark_ran(&key, &taken.session.revision, now)?;
    let earlier = catalog.reading(&key)?.and_then(|earlier| earlier.waits);
    let attempts = earlier.map_or(0, |wait| wait.attempts);
    let reading = acreta_sync::reading_of(report, &taken.session.revision, attempts, now);
    catalog.put_reading(&key, &reading, now)?;
    let mode = match arguments.mode {
        Mode::Sync => "sync",
        Mode::Hot => "hot",
        Mode::Cold => "cold",
    };
    catalog.begin_run(
        &NewRun {
            run_id: report.run_id.clone(),
            mode: mode.to_owned(),
            project_root: context.project.clone(),
            folder: report.run_folder.clone(),
            session: Some(key),
        },
        now,
    )?;
    let counts = serde_json::to_value(report.counts).unwrap_or_default();
    catalog.finish_run(&report.run_id, &RunEnd::Completed(counts), now)?;
    Ok(())
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

fn print(report: &RunReport, project: &Utf8Path) {
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

/// The last line, where a model was to read the session and did not.
fn tell_fallback(report: &RunReport, is_recorded: bool, context: &Context) -> Result<(), Failure> {
    let read = report.reading.as_ref();
    let Some((read, shortfall)) = read.zip(read.and_then(|read| read.shortfall.as_ref())) else {
        return Ok(());
    };
    let waiting = match is_recorded {
        true => {
            let catalog = Catalog::open(&context.home.state_file(), CatalogOptions::default())?;
            readings::waiting_sessions(&catalog)?
        }
        false => 0,
    };
    let is_partial = read.reading.strength == ReadingStrength::Model;
    talk(&readings::fallback(
        shortfall,
        is_partial,
        waiting,
        now_ms(),
    ));
    Ok(())
}

fn relative<'a>(path: &'a Utf8Path, project: &Utf8Path) -> &'a Utf8Path {
    path.strip_prefix(project).unwrap_or(path)
}

/// Every candidate with what the gates said, from the run's own artifact.
fn explain(report: &RunReport) -> Result<(), Failure> {
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
