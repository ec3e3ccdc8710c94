//! `acreta hook session-end`: starts a sync of that agent in the background; the agent does not wait for it.

use acreta_service::{Failure, recall::lifecycle};

use super::HookInput;
use crate::command::serve::program;
use crate::context::Context;

pub(super) fn session_ended(
    said: &HookInput,
    agent: Option<&str>,
    context: &Context,
) -> Result<(), Failure> {
    tracing::debug!(
        session = said.session_id,
        path = said.transcript_path,
        "ended"
    );
    lifecycle::end(agent, &program()?, context)
}
