//! Codebases: where to look in them, with hints from memory, and what changed.

pub(crate) mod hints;
pub mod pilot;

use std::sync::Arc;

pub use acreta_codebase::{
    CacheStatus, Change, Changed, Delta, Dependent, Detail, Event, Following, Found, Freshness,
    Gain, Latency, Reason, Request, Response, Segment, Slice, Source,
};
use acreta_codebase::{Context as Codebase, ContextOptions, SensitivePatterns};
use acreta_store::project_root_outside;
use camino::{Utf8Path, Utf8PathBuf};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::codebase::hints::FromMemory;
use crate::projects::repository::user_ignore_file;
use crate::{Context, Failure, process::clock};

/// The requested folder, the project whose memory and settings apply there, and the engine that answers.
pub struct CodebaseQuery {
    pub folder: Utf8PathBuf,
    pub project: Utf8PathBuf,
    pub codebase: Codebase,
}

impl CodebaseQuery {
    /// Opens a folder; the project if none is given.
    pub fn new(folder: Option<&Utf8Path>, context: &Context) -> Result<Self, Failure> {
        let Some(folder) = folder else {
            let config = &context.config;
            return Ok(Self {
                folder: context.project.clone(),
                project: context.project.clone(),
                codebase: codebase(config, context)?,
            });
        };
        let folder = acreta_fs::canonical(folder).unwrap_or_else(|_| folder.to_owned());
        let project = project_root_outside(&folder, context.home.folder()).path;
        let config = context.config_of(&project)?;
        Ok(Self {
            folder,
            project,
            codebase: codebase(&config, context)?,
        })
    }

    /// Explores the codebase, with memory's hints for the question.
    pub fn explore(&self, request: &Request, context: &Context) -> Result<Response, Failure> {
        let hints = self.hints(request, context)?;
        let hints = hints.as_ref().map(|hints| hints as _);
        Ok(self.codebase.explore(&self.folder, request, hints)?)
    }

    /// Returns the slice for a question within a budget, without a delta.
    pub fn slice(&self, request: &Request, context: &Context) -> Result<Response, Failure> {
        let hints = self.hints(request, context)?;
        let hints = hints.as_ref().map(|hints| hints as _);
        Ok(self.codebase.context(&self.folder, request, hints)?)
    }

    fn hints(&self, request: &Request, context: &Context) -> Result<Option<FromMemory>, Failure> {
        match &request.query {
            Some(query) => FromMemory::about(query, &self.project, context).map(Some),
            None => Ok(None),
        }
    }

    pub fn delta(&self, request: &Request) -> Result<Response, Failure> {
        Ok(self.codebase.delta(&self.folder, request)?)
    }

    pub fn refresh(&self, request: &Request) -> Result<Response, Failure> {
        Ok(self.codebase.refresh(&self.folder, request)?)
    }
}

/// What `context explore|delta|refresh` print as JSON.
#[derive(Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Report(#[schemars(with = "Map<String, Value>")] pub Response);

/// A question about the codebase of the current project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContextCommand {
    Explore,
    Delta,
    /// Files to read for the `query`.
    Context,
    Refresh,
}

/// Answers a question about the codebase of the current project.
pub fn answer(
    command: ContextCommand,
    request: &Request,
    context: &Context,
) -> Result<Report, Failure> {
    let codebase = CodebaseQuery::new(Some(&context.project), context)?;
    Ok(Report(match command {
        ContextCommand::Explore => codebase.explore(request, context)?,
        ContextCommand::Context => codebase.slice(request, context)?,
        ContextCommand::Delta => codebase.delta(request)?,
        ContextCommand::Refresh => codebase.refresh(request)?,
    }))
}

fn codebase(config: &acreta_config::Config, context: &Context) -> Result<Codebase, Failure> {
    let cache = context.home.cache().join("context");
    let mut options = ContextOptions::new(cache, Arc::new(clock::now));
    options.sensitive = SensitivePatterns {
        allow: config.text_list("context.sensitive.allow"),
        deny: config.text_list("context.sensitive.deny"),
    };
    options.global_ignore = user_ignore_file();
    Ok(Codebase::open(options)?)
}
