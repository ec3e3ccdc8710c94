//! The whole of a sync, step by step.

use acreta_catalog::{Catalog, CatalogOptions};

use crate::error::SyncError;
use crate::options::SyncOptions;
use crate::report::SyncReport;
use crate::workshop::{Stage, Watcher, Workshop};
use crate::{assign, drain, find, look, rescue};

/// Finds sessions, keeps them safe, and works through what is new.
pub fn sync(
    options: &SyncOptions,
    workshop: &dyn Workshop,
    watcher: &dyn Watcher,
) -> Result<SyncReport, SyncError> {
    let catalog = Catalog::open(
        &options.state_file,
        CatalogOptions {
            seed: options.seed.wrapping_sub(1),
            ..CatalogOptions::default()
        },
    )?;
    let mut report = SyncReport {
        dry_run: options.selection.dry_run,
        ..SyncReport::default()
    };
    let found = find::find(&catalog, options, workshop, &mut report)?;
    watcher.passing("found");
    if options.selection.dry_run {
        return preview(&catalog, options, workshop, &found, report);
    }
    look::look(&catalog, options, workshop, watcher, &found, &mut report)?;
    rescue::rescue(&catalog, options, workshop, watcher, &found, &mut report)?;
    assign::assign(&catalog, options, workshop.now_ms())?;
    watcher.passing("assigned");
    let wanted = assign::enqueue(&catalog, options, workshop.now_ms(), &mut report)?;
    watcher.passing("queued");
    let jobs = catalog.live_jobs()?;
    if jobs > 0 && !report.interrupted {
        watcher.begin(Stage::Run, jobs);
        drain::drain(options, workshop, watcher, &found, wanted, &mut report)?;
    }
    report.waiting = assign::waiting(&catalog)?;
    report.agents.retain(|agent| {
        *agent
            != crate::AgentReport {
                agent: agent.agent.clone(),
                ..crate::AgentReport::default()
            }
    });
    Ok(report)
}

/// What a sync would do, as far as that can be said without doing it.
fn preview(
    catalog: &Catalog,
    options: &SyncOptions,
    workshop: &dyn Workshop,
    found: &find::Found,
    mut report: SyncReport,
) -> Result<SyncReport, SyncError> {
    for file in &found.changed {
        report.discovered += 1;
        report.agent(&found.agents[file.agent].name).discovered += 1;
    }
    assign::enqueue(catalog, options, workshop.now_ms(), &mut report)?;
    report.waiting = assign::waiting(catalog)?;
    Ok(report)
}
