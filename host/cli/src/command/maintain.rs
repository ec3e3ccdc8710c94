//! `acreta maintain`.

use std::sync::Arc;

use acreta_catalog::{Catalog, CatalogOptions, NewRun, RunEnd};
use acreta_lead::{MaintainAction, MaintainOptions, MaintainReport, RunMode, Seen};
use acreta_service::Failure;
use acreta_service::clock::{moment, now_ms};
use acreta_service::repository::Checkout;
use acreta_service::{desk, models, plugins};

use crate::args::{MaintainArguments, Target};
use crate::context::Context;
use crate::output::{count, json, line, talk};
use crate::progress::Terminal;

pub(crate) fn run(arguments: &MaintainArguments, context: &Context) -> Result<(), Failure> {
    let scope = arguments.scope.of(context);
    let sandbox = plugins::sandbox(context)?;
    let desk = desk::options(context, &sandbox, scope.layout.clone())?;
    if let Some(run) = &arguments.undo {
        let report = acreta_lead::undo(run, desk)?;
        if context.json {
            json(&report);
        } else {
            for path in &report.restored {
                line(&format!("~ {path}"));
            }
            for path in &report.removed {
                line(&format!("- {path}"));
            }
            talk(&format!(
                "run {} is undone; the same is not done again",
                report.run_id
            ));
        }
        return Ok(());
    }
    let catalog = Catalog::open(&context.home.state_file(), CatalogOptions::default())?;
    let now = now_ms();
    if !arguments.dry_run {
        let snapshot = scope.snapshot(context)?;
        let ids: Vec<&str> = snapshot.iter().map(|memory| memory.id.as_str()).collect();
        catalog.note_memories(&ids, now)?;
    }
    let seen = catalog.accesses()?.into_iter().map(|(id, access)| {
        let seen = Seen {
            last_access_ms: access.last_ms,
            first_seen_ms: access.first_seen_ms,
        };
        (id, seen)
    });
    let explorers = plugins::explorers(context, &context.config)?
        .iter()
        .map(|id| {
            let source = plugins::find(context, id)?;
            Ok(plugins::load(context, &context.config, &sandbox, &source)?.into_explorer()?)
        })
        .collect::<Result<_, Failure>>()?;
    let since = arguments.since.as_deref();
    let options = MaintainOptions {
        desk,
        explorers,
        models: models::for_maintenance(context)?,
        dry_run: arguments.dry_run,
        since_ms: since.map(|since| moment(since, now)).transpose()?,
        seen: seen.collect(),
        repository: match arguments.scope {
            Target::Project => Arc::new(Checkout {
                root: context.project.clone(),
            }),
            // Global memory speaks of no repository.
            Target::Global => Arc::new(NoRepository),
        },
        keep_runs: usize::try_from(context.config.integer("runs.keep")).unwrap_or(usize::MAX),
        shown_failures: Default::default(),
    };
    let progress = Terminal::new();
    let result = acreta_lead::maintain(&options, &progress);
    progress.done();
    let report = result?;
    if !report.dry_run {
        // The next search would do it; now nobody waits.
        let index = scope.index(context);
        if let Err(error) = index.refresh(i64::try_from(now_ms()).unwrap_or(i64::MAX)) {
            tracing::debug!(%error, "index not refreshed");
        }
        // Maintenance that cannot be written down is still good maintenance.
        if let Err(error) = record(&catalog, &report, context) {
            tracing::warn!(%error, "the run is not in the catalog");
        }
    }
    if context.json {
        json(&report);
    } else {
        print(&report);
    }
    Ok(())
}

struct NoRepository;

impl acreta_lead::Repository for NoRepository {
    fn look(&self, _wanted: &acreta_lead::References) -> Option<acreta_lead::Sighting> {
        None
    }
}

fn record(catalog: &Catalog, report: &MaintainReport, context: &Context) -> Result<(), Failure> {
    let now = now_ms();
    let run = NewRun {
        run_id: report.run_id.clone(),
        mode: RunMode::Maintain.name().to_owned(),
        project_root: context.project.clone(),
        folder: report.run_folder.clone(),
        session: None,
    };
    catalog.begin_run(&run, now)?;
    let counts = serde_json::to_value(report.counts).unwrap_or_default();
    catalog.finish_run(&report.run_id, &RunEnd::Completed(counts), now)?;
    Ok(())
}

fn print(report: &MaintainReport) {
    for record in &report.actions {
        let sign = match record.action {
            MaintainAction::Merge => "merged    ",
            MaintainAction::Supersede => "superseded",
            MaintainAction::Archive => "archived  ",
            MaintainAction::Propose => "proposed  ",
            MaintainAction::Relate => "related   ",
            MaintainAction::Stale => "stale     ",
            MaintainAction::Fresh => "fresh     ",
            MaintainAction::Verify => "verified  ",
        };
        let path = record.path.as_deref().unwrap_or(&record.memory_id);
        line(&format!("{sign} {path}  {}", record.reason));
    }
    crate::spending::tell_maintenance(&report.metrics.llm);
    if report.actions.is_empty() {
        talk("everything is in order");
    }
    let counts = &report.counts;
    talk(&format!(
        "{}{} merged, {} superseded, {} archived, {} proposed, {} stale in {} ms; run {}",
        if report.dry_run {
            "dry run, nothing changed: "
        } else {
            ""
        },
        counts.merged,
        counts.superseded,
        counts.archived,
        counts.proposed,
        counts.stale,
        report.metrics.total_ms,
        report.run_id
    ));
    let changed = report.actions.len() as u64;
    if changed > 0 && !report.dry_run {
        talk(&format!(
            "{}; `acreta maintain --undo {}` takes it back",
            count(changed, "change", "changes"),
            report.run_id
        ));
    }
}
