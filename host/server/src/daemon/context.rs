//! Reports about codebases.

use crate::api::{ContextCommand, ContextRequest};
use acreta_codebase::Request;
use acreta_service::Failure;
use acreta_service::codebase::CodebaseQuery;
use camino::Utf8Path;
use serde_json::{Map, Value};

use crate::daemon::Daemon;

impl Daemon {
    pub(crate) fn codebase(
        &self,
        command: ContextCommand,
        asked: &ContextRequest,
    ) -> Result<Map<String, Value>, Failure> {
        let context = self.context(Some(&asked.project_root))?;
        let request = Request {
            refresh: asked.refresh,
            detail: asked.detail.unwrap_or_default(),
            query: asked.query.as_ref().map(|text| text.to_string()),
            budget: asked.budget.map(|budget| budget.get() as usize),
            since: asked.since.as_ref().map(|text| text.to_string()),
        };
        let codebase =
            CodebaseQuery::new(Some(Utf8Path::new(asked.project_root.as_str())), &context)?;
        let response = match command {
            ContextCommand::Explore => codebase.explore(&request, &context)?,
            ContextCommand::Context => codebase.slice(&request, &context)?,
            ContextCommand::Delta => codebase.delta(&request)?,
            ContextCommand::Refresh => codebase.refresh(&request)?,
        };
        Ok(match serde_json::to_value(&response) {
            Ok(Value::Object(object)) => object,
            _ => Map::new(),
        })
    }
}
