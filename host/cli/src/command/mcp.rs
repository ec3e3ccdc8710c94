//! `acreta mcp`: serves memory to one agent over stdio, until it disconnects.

use std::sync::Arc;

use acreta_service::{Failure, ForAgents};

use crate::context::Context;

pub(crate) fn run(context: &Context) -> Result<(), Failure> {
    context.process.kept.keep_up_to_date();
    let backend = ForAgents::new(context.process.clone(), &context.project);
    acreta_mcp::serve_stdio(Arc::new(backend)).map_err(|error| Failure::from_error(&error))
}
