//! The start and the end of an agent's session: the brief at its start, and a sync in the background at its end. What the
//! hooks do.

use std::process::{Command, Stdio};

use acreta_catalog::SessionKey;
use acreta_git::GitRepository;
use camino::Utf8Path;

use crate::brief::{Brief, BriefCache, Changes, brief};
use crate::clock::now_ms;
use crate::offers::Offers;
use crate::sync::Turns;
use crate::{Context, Failure, scopes};

/// Tokens of a brief, at the most.
const TOKENS: usize = 500;

/// The brief for a session that starts in a directory; none when there is nothing to tell. Recall does not repeat in that
/// session what the brief told.
pub fn start(
    directory: &Utf8Path,
    session: &SessionKey,
    context: &Context,
) -> Result<Option<Brief>, Failure> {
    let layout = context.layout(&context.project);
    if !layout.has_memory()? {
        return Ok(None);
    }
    let now = i64::try_from(now_ms()).unwrap_or(i64::MAX);
    let mut cache = BriefCache::open(&layout, context)?;
    let repository = GitRepository::at(&context.project).ok();
    let head = repository.as_ref().and_then(GitRepository::head);
    let paths = changed(&cache, repository.as_ref(), head.as_deref());
    let changes = Changes {
        last_session_ms: cache.last_session_ms(),
        files: paths.len() as u64,
        paths,
    };
    let directory = directory.strip_prefix(&context.project);
    let directory = directory.map_or("", Utf8Path::as_str);
    let candidates = cache.candidates();
    let told = brief(&candidates, &changes, directory, now, TOKENS, &mut |line| {
        cache.tokens(line)
    });
    cache.note_session(now, head);
    if let Some(brief) = &told {
        let ids: Vec<&str> = brief.ids.iter().map(String::as_str).collect();
        let noted = Offers::of(session, context).and_then(|offers| offers.note("start", &ids));
        if let Err(error) = noted {
            tracing::debug!(%error, "the brief is not noted");
        }
    }
    Ok(told)
}

/// What was committed since the last session here, by whomever; memory itself is told above.
fn changed(
    cache: &BriefCache,
    repository: Option<&GitRepository>,
    head: Option<&str>,
) -> Vec<String> {
    let (Some(repository), Some(before), Some(head)) = (repository, cache.head(), head) else {
        return Vec::new();
    };
    if before == head {
        return Vec::new();
    }
    let paths = repository.changed_between(before, head);
    let mut paths = paths.unwrap_or_default();
    paths.retain(|path| !path.starts_with(".acreta/"));
    paths
}

/// Notes that a session ended, and starts a sync of its agent that outlives it. In a repository that nobody registered,
/// sessions are only archived: a hook does not decide that a project gets memory. Many sessions that end at once start
/// two syncs: the one that runs, and the one that waits for its turn.
pub fn end(agent: Option<&str>, program: &Utf8Path, context: &Context) -> Result<(), Failure> {
    if !context.config.boolean("hooks.learn") {
        return Ok(());
    }
    let layout = context.layout(&context.project);
    if layout.has_memory()? {
        let now = i64::try_from(now_ms()).unwrap_or(i64::MAX);
        let repository = GitRepository::at(&context.project).ok();
        let head = repository.as_ref().and_then(GitRepository::head);
        BriefCache::as_kept(&layout, context)?.note_session(now, head);
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
    let mut arguments = vec!["sync", "--in-turn", "--background"];
    arguments.extend(agent.iter().flat_map(|agent| ["--agent", agent]));
    in_background(program, &arguments, directory)
}

/// Starts a process that compares the indexes of a project with its files and outlives whoever asks for it.
pub fn refresh_in_background(program: &Utf8Path, context: &Context) -> Result<(), Failure> {
    in_background(program, &["hook", "refresh"], &context.project)
}

fn in_background(
    program: &Utf8Path,
    arguments: &[&str],
    directory: &Utf8Path,
) -> Result<(), Failure> {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn().map_err(|error| {
        let name = arguments.first().copied().unwrap_or_default();
        Failure::saying(format!("`acreta {name}` could not be started: {error}"))
    })?;
    Ok(())
}
