//! Maintains memory: consolidate, verify, fade, propose; and undoes a maintenance. Used by `maintain` and the daemon's
//! schedule.

use std::sync::Arc;

pub use acreta_pipeline::{MaintainAction, MaintainRecord, MaintainReport, Progress, UndoReport};
use acreta_pipeline::{MaintainOptions, RunMode, Seen};
use acreta_state::{Catalog, NewRun, RunEnd};

use crate::process::clock::{moment, now_ms};
use crate::projects::repository::Checkout;
use crate::projects::scopes::{self, MemoryScope};
use crate::remember::add::WriteScope;
use crate::{Context, Failure, models::opened, plugins, remember::locked};

/// Which memory to maintain.
#[derive(Debug, Clone, Default)]
pub struct Maintain {
    pub scope: WriteScope,
    /// Only memories that changed since: a date, a time, or an age.
    pub since: Option<String>,
    /// Report what would change, and change nothing.
    pub dry_run: bool,
}

/// Maintains a scope's memory and records the run.
pub fn maintain(
    request: &Maintain,
    context: &Context,
    progress: &dyn Progress,
) -> Result<MaintainReport, Failure> {
    let scope = MemoryScope::to_write(request.scope, context);
    let sandbox = plugins::sandbox(context)?;
    let writable = locked::options(context, &sandbox, scope.layout.clone())?;
    let catalog = scopes::open_catalog(context)?;
    let now = now_ms();
    if !request.dry_run {
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
    let since = request.since.as_deref();
    let options = MaintainOptions {
        writable,
        explorers,
        models: opened::for_maintenance(context)?,
        dry_run: request.dry_run,
        since_ms: since.map(|since| moment(since, now)).transpose()?,
        seen: seen.collect(),
        active_days: catalog.active_days()?,
        repository: match request.scope {
            WriteScope::Project => Arc::new(Checkout {
                root: context.project.clone(),
            }),
            // Global memory is not about a repository.
            WriteScope::Global => Arc::new(NoRepository),
        },
        keep_runs: usize::try_from(context.config.integer("runs.keep")).unwrap_or(usize::MAX),
        shown_failures: Default::default(),
    };
    let report = acreta_pipeline::maintain(&options, progress)?;
    if !report.dry_run {
        // The next search would refresh it, but now nobody waits.
        let index = scope.index(context);
        if let Err(error) = index.refresh(i64::try_from(now_ms()).unwrap_or(i64::MAX)) {
            tracing::debug!(%error, "index not refreshed");
        }
        // Maintenance that cannot be recorded is still valid.
        if let Err(error) = record(&catalog, &report, now, context) {
            tracing::warn!(%error, "the run could not be recorded in the catalog");
        }
    }
    Ok(report)
}

/// Undoes a maintenance run. The same changes are not made again.
pub fn undo(run_id: &str, scope: WriteScope, context: &Context) -> Result<UndoReport, Failure> {
    let scope = MemoryScope::to_write(scope, context);
    let sandbox = plugins::sandbox(context)?;
    let writable = locked::options(context, &sandbox, scope.layout)?;
    Ok(acreta_pipeline::undo(run_id, writable)?)
}

struct NoRepository;

impl acreta_pipeline::Repository for NoRepository {
    fn look(&self, _wanted: &acreta_pipeline::References) -> Option<acreta_pipeline::Sighting> {
        None
    }
}

fn record(
    catalog: &Catalog,
    report: &MaintainReport,
    began_ms: u64,
    context: &Context,
) -> Result<(), Failure> {
    let run = NewRun {
        run_id: report.run_id.clone(),
        mode: RunMode::Maintain.name().to_owned(),
        project_root: context.project.clone(),
        folder: report.run_folder.clone(),
        session: None,
    };
    catalog.begin_run(&run, began_ms)?;
    let counts = serde_json::to_value(report.counts).unwrap_or_default();
    catalog.finish_run(&report.run_id, &RunEnd::Completed(counts), now_ms())?;
    Ok(())
}
