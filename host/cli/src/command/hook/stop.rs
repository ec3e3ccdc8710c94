//! `acreta hook session-end`: a sync of that agent begins in the background, and the agent goes on. Many
//! sessions that end at once start two: the one that runs, and the one that waits for its turn.

use std::process::{Command, Stdio};

use acreta_git::GitRepository;
use acreta_service::Failure;
use acreta_service::clock::now_ms;
use acreta_service::scopes;

use super::Said;
use super::known::Known;
use crate::command::sync::Turns;
use crate::context::Context;

/// Starts a sync that outlives the agent. In a repository that nobody registered, sessions are only
/// archived: a hook does not decide that a project gets memory.
pub(super) fn put_down(said: &Said, agent: Option<&str>, context: &Context) -> Result<(), Failure> {
    if !context.config.boolean("hooks.learn") {
        return Ok(());
    }
    tracing::debug!(
        session = said.session_id,
        path = said.transcript_path,
        "ended"
    );
    let layout = context.layout(&context.project);
    if layout.has_memory()? {
        let now = i64::try_from(now_ms()).unwrap_or(i64::MAX);
        let repository = GitRepository::at(&context.project).ok();
        let head = repository.as_ref().and_then(GitRepository::head);
        Known::as_kept(&layout, context)?.note_session(now, head);
    }
    let is_registered = scopes::registered_projects(context)?.contains(&context.project);
    let directory = if is_registered {
        context.project.as_path()
    } else {
        context.home.folder()
    };
    if Turns::new(context, agent, directory)?.is_awaited()? {
        return Ok(());
    }
    let program = std::env::current_exe()
        .map_err(|error| Failure::saying(format!("acreta does not know where it lies: {error}")))?;
    let mut sync = Command::new(program);
    sync.args(["sync", "--in-turn", "--background"]);
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
        .map_err(|error| Failure::saying(format!("the sync could not be started: {error}")))?;
    Ok(())
}
