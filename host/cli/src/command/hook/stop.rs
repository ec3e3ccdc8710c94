//! `acreta hook session-end`: a sync of that agent begins in the background, and the agent goes on.

use acreta_service::{Failure, session};

use super::Said;
use crate::command::serve::program;
use crate::context::Context;

pub(super) fn put_down(said: &Said, agent: Option<&str>, context: &Context) -> Result<(), Failure> {
    tracing::debug!(
        session = said.session_id,
        path = said.transcript_path,
        "ended"
    );
    session::end(agent, &program()?, context)
}
