//! Opens memory for writing, with the settings and the writer of its project.

use std::sync::Arc;

use acreta_pipeline::{WritableMemory, WritableOptions};
use acreta_sandbox::Sandbox;
use acreta_store::Layout;
use camino::Utf8PathBuf;

use crate::{Context, Failure};
use crate::{
    learn::run_options, learn::sync_options, plugins, projects::registry, projects::repository,
    projects::scopes,
};

/// Returns the options for writing to a scope.
pub fn options(
    context: &Context,
    sandbox: &Sandbox,
    layout: Layout,
) -> Result<WritableOptions, Failure> {
    // A reviewer of all projects writes to others, each with its own settings.
    let others = match context.all_projects {
        true => scopes::registered_projects(context)?,
        false => Vec::new(),
    };
    let of_layout =
        |root: &&Utf8PathBuf| Layout::for_project(root.as_path()).base() == layout.base();
    let other = others.iter().find(of_layout);
    if let Some(root) = other.filter(|root| **root != context.project) {
        return options(&Context::open(&context.process, root)?, sandbox, layout);
    }
    registry::register_for_writing(context, &layout)?;
    let config = &context.config;
    let redactor = Arc::new(sync_options::redactor(config)?);
    let repo_name = &repository::name(&context.project);
    let mode = acreta_pipeline::RunMode::Sync;
    let run = run_options::run_options(
        config,
        context,
        &context.project,
        layout,
        repo_name,
        mode,
        redactor,
    )?;
    let writer = plugins::find(context, &plugins::writer(context, config)?)?;
    Ok(WritableOptions {
        known: run.known,
        layout: run.layout,
        repo_name: run.repo_name,
        writer: plugins::load(context, config, sandbox, &writer)?.into_memory_writer()?,
        redactor: run.redactor,
        scratch: run.scratch,
        draft_limits: run.draft_limits,
        lock_wait: run.lock_wait,
        update_overlap: run.thresholds.update_overlap,
        now_ms: run.now_ms,
        seed: run.seed,
        faults: run.faults,
    })
}

/// Opens a scope's memory for writing.
pub fn open(context: &Context, layout: Layout) -> Result<WritableMemory, Failure> {
    let sandbox = plugins::sandbox(context)?;
    Ok(WritableMemory::open(options(context, &sandbox, layout)?)?)
}
