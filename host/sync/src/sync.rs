//! The steps of a sync, in order.

use std::collections::BTreeMap;

use acreta_state::{Catalog, CatalogOptions, JobFilter};
use acreta_types::with_causes;
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

use crate::error::SyncError;
use crate::options::{Selection, SyncOptions, WithoutProject};
use crate::report::{DeadLetter, SyncReport, WaitingProject};
use crate::workshop::{Pass, Stage, SyncEnvironment, Watcher};
use crate::{assign, cures, drain, find, look, rescue, waiting};

/// Finds sessions, archives them, and processes the new ones.
pub fn sync(
    options: &SyncOptions,
    workshop: &dyn SyncEnvironment,
    watcher: &dyn Watcher,
) -> Result<SyncReport, SyncError> {
    tracing::info!(
        name: "sync.started",
        adapters = workshop.adapters().len(),
        dry_run = options.selection.dry_run,
    );
    let catalog_options = CatalogOptions {
        seed: options.seed.wrapping_sub(1),
        ..CatalogOptions::default()
    };
    let result = Catalog::open_at(&options.state, catalog_options)
        .map_err(SyncError::from)
        .and_then(|catalog| {
            let report = all_steps(&catalog, options, workshop, watcher)?;
            named(&catalog, report)
        });
    match &result {
        Ok(report) => tracing::info!(
            name: "sync.finished",
            discovered = report.discovered,
            archived = report.archived,
            queued = report.queued,
            ran = report.ran,
            skipped = report.skipped,
            failed = report.failed,
            interrupted = report.interrupted,
        ),
        Err(error) => tracing::info!(name: "sync.finished", error = %with_causes(error)),
    }
    result
}

/// Adds the dead letters to the report.
fn named(catalog: &Catalog, mut report: SyncReport) -> Result<SyncReport, SyncError> {
    let dead = catalog.jobs(&JobFilter {
        dead: Some(true),
        ..JobFilter::default()
    })?;
    let unseen = dead.into_iter().filter(|job| !job.shown);
    report.dead_letters = unseen.map(DeadLetter::from).collect();
    Ok(report)
}

fn all_steps(
    catalog: &Catalog,
    options: &SyncOptions,
    workshop: &dyn SyncEnvironment,
    watcher: &dyn Watcher,
) -> Result<SyncReport, SyncError> {
    let mut report = SyncReport {
        dry_run: options.selection.dry_run,
        ..SyncReport::default()
    };
    if !options.selection.dry_run {
        assign::verify_registrations(catalog, workshop.now_ms())?;
    }
    let found = find::find(catalog, options, workshop, &mut report)?;
    watcher.fault_point("found");
    if options.selection.dry_run {
        return preview(catalog, options, workshop, &found, report);
    }
    let is_due = waiting::is_due(catalog, options, workshop)?;
    let is_upload_due = rescue::is_upload_due(options)?;
    if !is_due
        && !is_upload_due
        && let Some(waiting) = settled(catalog, options, workshop, &found, &report)?
    {
        report.waiting = waiting;
        return Ok(report.trimmed());
    }
    for pass in Pass::of(workshop.adapters()) {
        let (pass, report) = (*pass, &mut report);
        look::look(catalog, options, workshop, watcher, &found, pass, report)?;
        rescue::rescue(catalog, options, workshop, watcher, &found, pass, report)?;
        rescue::publish(options, watcher, report)?;
        assign::assign(catalog, options, workshop.adapters(), workshop.now_ms())?;
        watcher.fault_point("assigned");
        let wanted = assign::enqueue(catalog, options, pass, workshop.now_ms(), report)?;
        watcher.fault_point("queued");
        let jobs = catalog.live_jobs()?;
        if options.learns_here && (jobs > 0 || is_due) && !report.interrupted {
            watcher.begin(Stage::Run, jobs);
            drain::drain(options, workshop, watcher, &found, pass, wanted, report)?;
        }
        if watcher.is_interrupted() {
            break;
        }
    }
    report.interrupted |= watcher.is_interrupted();
    if !report.interrupted {
        cures::collect(catalog, &options.global, None)?;
    }
    if let Some(fallback) = &mut report.fallback {
        let waiting = catalog.waiting_readings()?;
        fallback.waiting = waiting.iter().map(|line| line.sessions).sum();
    }
    report.waiting = assign::waiting(catalog)?;
    if report.failed == 0
        && !report.interrupted
        && catalog.live_jobs()? == 0
        && !assign::is_left(catalog, options)?
    {
        let note = SettledState {
            without_project: options.without_project,
            speakers: speakers(workshop),
            waiting: report.waiting.clone(),
        };
        catalog.settle(&serde_json::to_string(&note).unwrap_or_default())?;
    }
    Ok(report.trimmed())
}

/// Returns the waiting projects if everything is as the last sync left it: no file and no catalog row changed, and no
/// waiting project appeared or was registered meanwhile.
fn settled(
    catalog: &Catalog,
    options: &SyncOptions,
    workshop: &dyn SyncEnvironment,
    found: &find::DiskState,
    report: &SyncReport,
) -> Result<Option<Vec<WaitingProject>>, SyncError> {
    let is_quiet = found.changed.is_empty() && found.gone.is_empty() && report.failed == 0;
    if !is_quiet || options.selection != Selection::default() {
        return Ok(None);
    }
    let Some(note) = catalog.settled()? else {
        return Ok(None);
    };
    if let Some(current) = &options.current_project
        && !catalog
            .project_at(current)?
            .is_some_and(|project| project.registered && project.root == *current)
    {
        return Ok(None);
    }
    let note: Option<SettledState> = serde_json::from_str(&note).ok();
    let note = note.filter(|note| {
        note.without_project == options.without_project
            && note.speakers == speakers(workshop)
            && note.waiting.iter().all(WaitingProject::is_as_it_was)
    });
    Ok(note.map(|note| note.waiting))
}

/// State that the last sync left, and its setting: a different one may process more.
#[derive(Serialize, Deserialize)]
struct SettledState {
    without_project: WithoutProject,
    /// The projects of every adapter that is not built in.
    speakers: BTreeMap<String, Vec<Utf8PathBuf>>,
    waiting: Vec<WaitingProject>,
}

fn speakers(workshop: &dyn SyncEnvironment) -> BTreeMap<String, Vec<Utf8PathBuf>> {
    let adapters = workshop.adapters().iter();
    let projects = adapters.map(|entry| Some((entry.id.clone(), entry.speaks_for.clone()?)));
    projects.flatten().collect()
}

/// Returns what a sync would do, as far as that is known without doing it.
fn preview(
    catalog: &Catalog,
    options: &SyncOptions,
    workshop: &dyn SyncEnvironment,
    found: &find::DiskState,
    mut report: SyncReport,
) -> Result<SyncReport, SyncError> {
    for file in &found.changed {
        report.discovered += 1;
        report.agent(&found.agents[file.agent].name).discovered += 1;
        report.unread.push((file.path.clone(), None));
    }
    assign::enqueue(catalog, options, Pass::All, workshop.now_ms(), &mut report)?;
    if let Some(mut filter) = waiting::rereads(catalog, options, workshop)? {
        while let Some((key, ..)) = catalog.next_reread(&filter, workshop.now_ms())? {
            if let Some(known) = catalog.session(&key)? {
                report.unread.push((known.file, Some(key.id.clone())));
            }
            filter.except.push(key);
        }
    }
    report.waiting = assign::waiting(catalog)?;
    Ok(report)
}
