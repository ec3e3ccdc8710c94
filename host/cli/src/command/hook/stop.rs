//! `acreta hook session-end`: a sync of that agent begins in the background, and the agent goes on.

use std::process::{Command, Stdio};

use acreta_store::Layout;

use super::Said;
use crate::context::Context;
use crate::failure::CliError;
use crate::scopes;

/// Starts a sync that outlives the agent. In a repository that nobody took in, sessions are only
/// kept safe: a hook does not decide that a project gets memory.
pub(super) fn put_down(
    said: &Said,
    agent: Option<&str>,
    context: &Context,
) -> Result<(), CliError> {
    if !context.config.boolean("hooks.learn") {
        return Ok(());
    }
    tracing::debug!(
        session = said.session_id,
        path = said.transcript_path,
        "ended"
    );
    let is_taken_in = Layout::for_project(&context.project).base().is_dir()
        || scopes::registered_projects(context)?.contains(&context.project);
    let directory = if is_taken_in {
        context.project.as_path()
    } else {
        context.home.folder()
    };
    let program = std::env::current_exe().map_err(|error| {
        CliError::failure(format!("acreta does not know where it lies: {error}"))
    })?;
    let mut sync = Command::new(program);
    sync.arg("sync");
    if let Some(agent) = agent {
        sync.args(["--agent", agent]);
    }
    sync.current_dir(directory)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut sync, 0);
    sync.spawn()
        .map_err(|error| CliError::failure(format!("the sync could not be started: {error}")))?;
    Ok(())
}
