//! Start, compaction and end of an agent's session: the brief at its start, and a sync in the background at the others.
//! Used by the hooks.

use acreta_git::GitRepository;
use acreta_state::{NoteOutcome, SessionKey};
use camino::Utf8Path;

use crate::learn::sync::SyncTurns;
use crate::process::background::in_background;
use crate::process::clock::now_ms;
use crate::recall::brief::{Ahead, Brief, BriefCache, GivenBrief, GivenBriefs, brief};
use crate::recall::offers::Offers;
use crate::recall::shelf::has_few_files;
use crate::{
    Context, Failure, connect::init, counted, learn::sync_options, projects::scopes, review,
};

/// Maximum number of tokens of a brief.
const TOKENS: usize = 500;

/// Maximum number of the session's own notes in its brief.
const NOTES: usize = 8;

/// Minimum interval between two reminders of the review.
const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// Maximum number of commits searched for the base of a branch. An older branch has no base: the start of a session
/// cannot wait for it.
const BASE_COMMITS: usize = 256;

/// Maximum number of changed files.
const CHANGED_FILES: usize = 200;

/// Returns the brief for a session that starts in a directory; `None` if there is nothing to say. The brief is stored
/// for `brief show`, and recall does not repeat it in that session. `notes` are [`waiting_notes`].
pub fn start(
    directory: &Utf8Path,
    session: &SessionKey,
    notes: Vec<String>,
    context: &Context,
) -> Result<Option<Brief>, Failure> {
    let layout = context.layout(&context.project);
    let now = i64::try_from(now_ms()).unwrap_or(i64::MAX);
    if !layout.has_memory()? {
        let ahead = Ahead {
            notes,
            ..Ahead::default()
        };
        return Ok(brief(&[], 0, &ahead, now, TOKENS, &mut |line| {
            acreta_text::count_tokens(line)
        }));
    }
    let mut cache = BriefCache::open(&layout, context)?;
    let repository = GitRepository::at(&context.project).ok();
    let head = repository.as_ref().and_then(GitRepository::head);
    let directory = directory.strip_prefix(&context.project);
    let directory = directory.map(acreta_fs::portable).unwrap_or_default();
    // Names of git are kept with the brief, and anything can be in a name.
    let redactor = sync_options::redactor(&context.config)?;
    let clean = |name: &str| redactor.redact(name).text.into_owned();
    let committed = committed(&cache, repository.as_ref(), head.as_deref());
    let mut ahead = Ahead {
        directory: clean(directory.as_str()),
        committed: committed.iter().map(|path| clean(path)).collect(),
        open: cache.open_ends().to_vec(),
        foreign: cache.foreign(),
        notes,
        last_session_ms: cache.last_session_ms(),
        ..Ahead::default()
    };
    if let (Some(repository), Some(head)) = (&repository, &head) {
        ahead.branch = repository.branch().as_deref().map(clean);
        look_at_branch(&mut ahead, &mut cache, repository, head, &clean);
    }
    let candidates = cache.candidates();
    let doubtful = cache.doubtful();
    let told = brief(&candidates, doubtful, &ahead, now, TOKENS, &mut |line| {
        cache.tokens(line)
    });
    cache.note_session(now, head);
    if let Some(told) = &told {
        GivenBriefs::of(&layout, context).add(&given(told, &ahead, session, now));
        let ids: Vec<&str> = told.lines.iter().map(|line| line.id.as_str()).collect();
        let noted = Offers::of(session, context).and_then(|offers| offers.note("start", &ids));
        if let Err(error) = noted {
            tracing::debug!(%error, "the brief could not be recorded");
        }
    }
    Ok(told)
}

/// Returns the brief of a session that did not get one yet, at its first prompt or tool: for agents that have no hook at the
/// start, or show its output to nobody. These moments have no time to read all of a large memory: a process in the
/// background does, and the next moment has the brief.
pub fn start_late(
    directory: &Utf8Path,
    session: &SessionKey,
    program: &Utf8Path,
    context: &Context,
) -> Result<Option<Brief>, Failure> {
    let layout = context.layout(&context.project);
    let given = GivenBriefs::of(&layout, context).read();
    let is_own = |brief: &GivenBrief| {
        brief.session.as_ref() == Some(&session.id) && brief.agent.as_ref() == Some(&session.agent)
    };
    if session.id.is_empty() || given.iter().any(is_own) {
        return Ok(None);
    }
    if !has_few_files(&layout) && !BriefCache::as_kept(&layout, context)?.is_current() {
        refresh_in_background(program, context)?;
        return Ok(None);
    }
    start(directory, session, Vec::new(), context)
}

/// Returns the notes of a session that wait until it is read, oldest first, as `title — “quote”`. After a compaction its
/// agent no longer knows them; no other session is told.
pub fn waiting_notes(session: &SessionKey, context: &Context) -> Result<Vec<String>, Failure> {
    let Some(catalog) = scopes::catalog(context)?.filter(|_| !session.id.is_empty()) else {
        return Ok(Vec::new());
    };
    let project = context.layout(&context.project);
    let project = project.base().as_str();
    let mut notes = catalog.notes(project)?;
    notes.retain(|note| {
        note.outcome == NoteOutcome::Waiting && note.session.as_ref() == Some(&session.id)
    });
    notes.truncate(NOTES);
    if notes.is_empty() {
        return Ok(Vec::new());
    }
    let records = catalog.pending_records(project, now_ms())?;
    let told = notes.iter().rev().filter_map(|note| {
        let mut texts = records.iter().flat_map(|record| &record.sightings);
        let text = texts.find(|text| text.id == note.id)?;
        Some(format!("{} — “{}”", text.title, text.quote))
    });
    Ok(told.collect())
}

/// Returns, at most once a day, a message about how many items wait for the person's review here. An error is ignored.
pub fn reminder(context: &Context) -> Option<String> {
    let told = remind(context);
    told.unwrap_or_else(|error| {
        tracing::debug!(%error, "the reminder of the review failed");
        None
    })
}

fn remind(context: &Context) -> Result<Option<String>, Failure> {
    let waiting = review::last_counted(context).total;
    if waiting == 0 {
        return Ok(None);
    }
    let Some(catalog) = scopes::catalog(context)? else {
        return Ok(None);
    };
    if !catalog.claim_notice("review", DAY_MS, now_ms())? {
        return Ok(None);
    }
    let items = counted(waiting, "item waits", "items wait");
    Ok(Some(format!(
        "acreta: {items} for your review; run `acreta review`"
    )))
}

/// Finds the files that the branch changed since it left the default branch.
fn look_at_branch(
    ahead: &mut Ahead,
    cache: &mut BriefCache,
    repository: &GitRepository,
    head: &str,
    clean: &dyn Fn(&str) -> String,
) {
    let Some(default) = repository
        .default_branch()
        .filter(|default| default.tip != head)
    else {
        return;
    };
    ahead.changed = cache.branch_changes(head, &default.tip, || {
        let base = repository.merge_base(head, &default.tip, BASE_COMMITS);
        let base = base.filter(|base| base != head);
        let changed = base.and_then(|base| repository.changed_between(&base, head).ok());
        let mut changed = changed.unwrap_or_default();
        changed.retain(|path| !path.starts_with(".acreta/"));
        changed.truncate(CHANGED_FILES);
        changed.iter().map(|path| clean(path)).collect()
    });
    ahead.base = Some(default.name.to_owned());
}

fn given(told: &Brief, ahead: &Ahead, session: &SessionKey, now_ms: i64) -> GivenBrief {
    let named = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    GivenBrief {
        at_ms: now_ms,
        session: named(&session.id),
        agent: named(&session.agent),
        directory: ahead.directory.clone(),
        branch: ahead.branch.clone(),
        base: ahead.base.clone(),
        changed: ahead.changed.len() as u64,
        open: ahead.open.clone(),
        lines: told.lines.clone(),
        left_out: told.left_out,
        tokens: told.tokens as u64,
        text: told.text.clone(),
    }
}

/// Returns files committed since the last session here, by anyone; memory files are left out, because the brief covers
/// them.
fn committed(
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

/// Records that a session ended, and starts a detached sync of its agent. In an unregistered repository, sessions are
/// only archived: a hook does not decide that a project gets memory. Many sessions that end at once start two syncs:
/// the one that runs, and the one that waits for its turn.
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
    sync_in_background(agent, program, true, context)
}

/// Archives the session so far before its agent compacts it, and learns from it as [`end`] does. If `hooks.learn` is
/// off, it is only archived.
pub fn compact(agent: Option<&str>, program: &Utf8Path, context: &Context) -> Result<(), Failure> {
    let learns = context.config.boolean("hooks.learn");
    sync_in_background(agent, program, learns, context)
}

/// Minimum interval between two syncs that the start of something begins.
const CATCH_UP_MS: u64 = 10 * 60 * 1000;

/// Starts a detached sync of all agents, if one of this machine has no hook that would and the last such sync was a while
/// ago. Called when anything of an agent starts: a hook, the MCP server, a command that reads memory.
pub fn catch_up(program: &Utf8Path, context: &Context) -> Result<(), Failure> {
    if !context.config.boolean("hooks.learn") || !init::has_silent_agent(context) {
        return Ok(());
    }
    let Some(catalog) = scopes::catalog(context)? else {
        return Ok(());
    };
    match catalog.claim_notice("catch-up", CATCH_UP_MS, now_ms())? {
        true => sync_in_background(None, program, true, context),
        false => Ok(()),
    }
}

/// Starts a detached sync of an agent. Outside of a registered project it only archives.
fn sync_in_background(
    agent: Option<&str>,
    program: &Utf8Path,
    learns: bool,
    context: &Context,
) -> Result<(), Failure> {
    let is_registered = learns && scopes::registered_projects(context)?.contains(&context.project);
    let directory = if is_registered {
        context.project.as_path()
    } else {
        context.home.folder()
    };
    if SyncTurns::new(context, agent, directory)?.is_awaited()? {
        return Ok(());
    }
    let mut arguments = vec!["sync", "--in-turn", "--background"];
    arguments.extend(agent.iter().flat_map(|agent| ["--agent", agent]));
    in_background(program, &arguments, directory)
}

/// Starts a detached process that compares the indexes of a project with its files.
pub fn refresh_in_background(program: &Utf8Path, context: &Context) -> Result<(), Failure> {
    in_background(program, &["hook", "refresh"], &context.project)
}
