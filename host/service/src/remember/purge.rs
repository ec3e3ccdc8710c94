//! Purges a source: everything it left in memory, archive, queue, caches and logs: `memory purge`.

use std::collections::BTreeSet;
use std::time::Duration;

use acreta_fs::{Directory, NoFaults};
use acreta_pipeline::{PurgeReport, PurgeSelection};
use acreta_state::{Catalog, JobFilter, KnownSession, RunFilter, SessionFilter, SessionKey};
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

use crate::process::clock::{moment, now_ms};
use crate::process::logs::forget_in_logs;
use crate::sessions::recovered;
use crate::{Context, Failure, Kind};
use crate::{models::opened, process::archive, projects::scopes, recall::brief, remember::locked};

/// The source to purge. At least one of the first four must be given.
#[derive(Debug, Clone, Default)]
pub struct Purge {
    /// A session's id, or `agent/id`.
    pub session: Option<String>,
    pub agent: Option<String>,
    /// A date, a time, or an age.
    pub since: Option<String>,
    /// The name of an imported file.
    pub source: Option<String>,
    /// Also a session `agent/id` that acreta has not seen: it will not be read.
    pub also_unseen: bool,
    /// Report what would be removed, and change nothing.
    pub dry_run: bool,
}

#[derive(Debug, Serialize)]
pub struct Purged {
    pub scopes: Vec<PurgedScope>,
    pub sessions: Vec<String>,
    pub archives_removed: u64,
    pub jobs_removed: u64,
    /// Number of pending records of the source.
    pub pending_removed: u64,
    /// Files of the agents that still hold the sessions. They are not acreta's to delete, and it does not read them
    /// again unless a person names one.
    pub remaining: Vec<Utf8PathBuf>,
    pub dry_run: bool,
}

impl Purged {
    /// Reports whether nothing matched.
    pub fn is_empty(&self) -> bool {
        let removed = self.archives_removed + self.jobs_removed + self.pending_removed;
        removed == 0
            && self.sessions.is_empty()
            && self.remaining.is_empty()
            && self.scopes.iter().all(|scope| scope.report.is_empty())
    }
}

#[derive(Debug, Serialize)]
pub struct PurgedScope {
    pub scope: String,
    #[serde(flatten)]
    pub report: PurgeReport,
}

/// The purge in progress, on disk before anything is deleted: what was deleted no longer says what belongs to it. The
/// next command finishes a purge that was interrupted.
#[derive(Debug, Serialize, Deserialize)]
struct Journal {
    selection: PurgeSelection,
    /// The projects to purge.
    projects: Vec<Utf8PathBuf>,
    /// Agents and digests of archived sessions.
    archives: BTreeSet<(String, String)>,
    /// Names by which logs may mention the sessions.
    names: BTreeSet<String>,
}

/// Files in acreta's folder: the journal, and the lock of the process that purges.
const JOURNAL: &str = "purge.json";
const LOCK: &str = "purge.lock";
const JOURNAL_BYTES: u64 = 256 * 1024 * 1024;

/// Maximum wait for another purge.
const WAIT: Duration = Duration::from_secs(5);

/// Purges a source everywhere.
pub fn purge(request: &Purge, context: &Context) -> Result<Purged, Failure> {
    let selection = selection(request)?;
    // `disk:N`, for tests, in debug builds only: the process ends before the n-th change of the disk.
    let abort = context.environment.get("ACRETA_ABORT_AT");
    if let Some(number) = abort.and_then(|point| point.strip_prefix("disk:")?.parse().ok()) {
        NoFaults::abort_before(number);
    }
    let mut journal = Journal {
        selection,
        projects: scopes::registered_projects(context)?,
        archives: BTreeSet::new(),
        names: BTreeSet::new(),
    };
    journal.projects.retain(|root| *root != context.project);
    journal.projects.insert(0, context.project.clone());
    let folder = Directory::open_or_create_private(context.home.folder(), NoFaults::shared())?;
    let _alone = match request.dry_run {
        true => None,
        false => Some(folder.lock(LOCK, WAIT)?),
    };
    if !request.dry_run {
        finish_journal(&folder, context)?;
    }
    let mut purged = execute(&mut journal, true, context)?;
    if !request.dry_run {
        let bytes = serde_json::to_vec(&journal).expect("string keys and plain values");
        folder.replace(JOURNAL, &bytes)?;
        purged = Purged {
            remaining: purged.remaining,
            // Most go with their sessions, before they are counted.
            pending_removed: purged.pending_removed,
            ..execute(&mut journal, false, context)?
        };
        folder.remove_file(JOURNAL)?;
    }
    Ok(purged)
}

/// Finishes a purge whose process died. One that is still at work is left alone.
pub fn finish_interrupted(context: &Context) -> Result<(), Failure> {
    if context.is_frozen() || !context.home.folder().join(JOURNAL).is_file() {
        return Ok(());
    }
    let folder = Directory::open_or_create_private(context.home.folder(), NoFaults::shared())?;
    match folder.lock(LOCK, Duration::ZERO) {
        Ok(_alone) => finish_journal(&folder, context),
        Err(_) => Ok(()),
    }
}

fn finish_journal(folder: &Directory, context: &Context) -> Result<(), Failure> {
    if !folder.exists(JOURNAL)? {
        return Ok(());
    }
    let bytes = folder.read(JOURNAL, JOURNAL_BYTES)?;
    let mut journal: Journal = serde_json::from_slice(&bytes).map_err(|error| {
        let path = context.home.folder().join(JOURNAL);
        Failure::new(Kind::Failure, format!("`{path}` cannot be used: {error}"))
            .hint("remove it, and purge again")
    })?;
    execute(&mut journal, false, context)?;
    folder.remove_file(JOURNAL)?;
    context.warn("finished a purge that was interrupted");
    Ok(())
}

/// Deletes everything of a source, or only finds it. Notes in the journal what it finds. Every step can be repeated.
fn execute(journal: &mut Journal, dry_run: bool, context: &Context) -> Result<Purged, Failure> {
    let mut purged = Purged {
        scopes: Vec::new(),
        sessions: Vec::new(),
        archives_removed: 0,
        jobs_removed: 0,
        pending_removed: 0,
        remaining: Vec::new(),
        dry_run,
    };
    let catalog = scopes::catalog(context)?;
    // Jobs first: a run that is under way loses its lease, and commits nothing that is purged here.
    if let Some(catalog) = catalog.as_ref().filter(|_| !dry_run) {
        catalogued(catalog, journal, context, &mut purged)?;
    }
    let mut places = vec![("global".to_owned(), context.global_layout())];
    for root in &journal.projects {
        let name = match *root == context.project {
            true => "project".to_owned(),
            false => root.to_string(),
        };
        places.push((name, context.layout(root)));
    }
    places.swap(0, 1);
    for (scope, layout) in places {
        match layout.open(&NoFaults::shared()) {
            Ok(Some(_)) => {}
            Ok(None) => continue,
            // A failure in another project stops no purge.
            Err(error) => {
                context.warn(&format!("skipped: {error}"));
                continue;
            }
        }
        if !dry_run {
            acreta_fs::sweep(layout.base())?;
        }
        let mut writable = locked::open(context, layout)?;
        let report = writable.purge(&journal.selection, dry_run)?;
        journal
            .selection
            .found
            .extend(report.sessions.iter().cloned());
        journal
            .selection
            .memories
            .extend(report.touched.iter().cloned());
        journal
            .selection
            .removed
            .extend(report.ids_removed.iter().cloned());
        if !report.is_empty() {
            purged.scopes.push(PurgedScope { scope, report });
        }
    }
    if let Some(catalog) = &catalog {
        set_aside(catalog, &journal.selection, &mut purged)?;
        if dry_run {
            catalogued(catalog, journal, context, &mut purged)?;
        } else {
            let gone: Vec<&str> = journal
                .selection
                .removed
                .iter()
                .map(String::as_str)
                .collect();
            catalog.forget_memories(&gone)?;
            catalog.forget_reviews()?;
        }
    }
    if !dry_run {
        forget_replies(context)?;
        // Briefs quote memory.
        brief::forget(context)?;
        let names: Vec<String> = journal.names.iter().cloned().collect();
        forget_in_logs(context, &names)?;
        acreta_fs::sweep(context.home.folder())?;
        acreta_fs::sweep_scratch(&context.home.scratch())?;
    }
    Ok(purged)
}

/// Deletes all replies of models: they are a cache, and may quote what was purged.
fn forget_replies(context: &Context) -> Result<(), Failure> {
    let folder = Directory::open_or_create_private(context.home.folder(), NoFaults::shared())?;
    if folder.exists(opened::REPLIES)? {
        folder.remove_dir_all(opened::REPLIES)?;
    }
    Ok(())
}

fn selection(request: &Purge) -> Result<PurgeSelection, Failure> {
    let mut selection = PurgeSelection {
        agent: request.agent.clone(),
        session: request.session.clone(),
        since_ms: match &request.since {
            Some(since) => Some(moment(since, now_ms())?),
            None => None,
        },
        ..PurgeSelection::default()
    };
    if let Some((agent, session)) = request
        .session
        .as_deref()
        .and_then(|session| session.split_once('/'))
    {
        selection.agent = Some(agent.to_owned());
        selection.session = Some(session.to_owned());
    }
    if let Some(source) = &request.source {
        selection.agent = Some(acreta_pipeline::IMPORT.to_owned());
        selection.session = Some(source.clone());
    }
    if let (true, Some(agent), Some(session)) =
        (request.also_unseen, &selection.agent, &selection.session)
    {
        let key = (agent.clone(), session.clone());
        selection.found.insert(key);
    }
    if selection.is_empty() {
        return Err(Failure::new(Kind::Usage, "no source to purge was given")
            .hint("give `--session`, `--agent`, `--since` or `--source`"));
    }
    Ok(selection)
}

/// Deletes rows, archived sessions and everything that depends on them.
fn catalogued(
    catalog: &Catalog,
    journal: &mut Journal,
    context: &Context,
    purged: &mut Purged,
) -> Result<(), Failure> {
    let selection = journal.selection.clone();
    let is_covered = |session: &KnownSession| {
        let known = &session.session;
        let at_ms = known.updated_ms.or(known.started_ms);
        selection.covers(&known.agent, &known.id, at_ms)
    };
    // On a server that a team shares, sessions of other machines are not this user's to purge.
    let own = SessionFilter {
        here: true,
        ..SessionFilter::default()
    };
    let (covered, others): (Vec<KnownSession>, Vec<KnownSession>) =
        catalog.sessions(&own)?.into_iter().partition(is_covered);
    for session in &covered {
        let known = &session.session;
        let key = session.key();
        purged.sessions.push(key.to_string());
        if session.gone_ms.is_none() && session.file.is_file() {
            purged.remaining.push(session.file.clone());
        }
        let copy = session
            .archive
            .iter()
            .map(|copy| (known.agent.clone(), copy.digest.clone()));
        journal.archives.extend(copy);
        journal.names.insert(known.id.clone());
        let runs = catalog.runs(&RunFilter {
            session: Some(key.clone()),
            ..RunFilter::default()
        })?;
        journal.names.extend(runs.into_iter().map(|run| run.run_id));
        journal.selection.found.insert((key.agent, key.id));
    }
    // Of others only the prompts are left, in their agent's own history.
    for session in recovered::recovered(context)? {
        if selection.covers(recovered::AGENT, &session.id, Some(session.updated_ms)) {
            let key = SessionKey::new(recovered::AGENT, &session.id);
            purged.sessions.push(key.to_string());
            if !purged.remaining.contains(&session.file) {
                purged.remaining.push(session.file);
            }
            journal.names.insert(session.id);
            journal.selection.found.insert((key.agent, key.id));
        }
    }
    if purged.dry_run {
        for session in &covered {
            let jobs = catalog.jobs(&JobFilter {
                session: Some(session.key()),
                ..JobFilter::default()
            })?;
            purged.jobs_removed += jobs.len() as u64;
        }
        // One copy may hold several sessions; it is deleted with the last of them.
        let others: BTreeSet<(String, String)> = others
            .into_iter()
            .filter_map(|it| Some((it.session.agent.clone(), it.archive?.digest)))
            .collect();
        purged.archives_removed = journal.archives.difference(&others).count() as u64;
        return Ok(());
    }
    for (agent, id) in &journal.selection.found {
        let key = SessionKey::new(agent, id);
        if catalog.session(&key)?.is_none_or(|known| known.is_here) {
            purged.jobs_removed += catalog.purge_session(&key)?.jobs;
        }
    }
    // From here on nobody reads them for the index.
    crate::sessions::index::purge(context)?;
    context.process.kept.readings.close_all();
    let archive = archive::open(context)?;
    for (agent, digest) in &journal.archives {
        if !catalog.is_archived_elsewhere(agent, digest)? {
            archive.remove(agent, digest)?;
            purged.archives_removed += 1;
        }
    }
    if purged.archives_removed > 0 {
        // Gone from shared storage as well; what fails here is repeated by the next sync.
        for upload in archive.waiting()? {
            archive.publish(&upload)?;
        }
    }
    Ok(())
}

/// Deletes sightings of sessions that are no longer known, or were never synced.
fn set_aside(
    catalog: &Catalog,
    selection: &PurgeSelection,
    purged: &mut Purged,
) -> Result<(), Failure> {
    for (key, seen_ms) in catalog.pending_sessions()? {
        if selection.covers(&key.agent, &key.id, Some(seen_ms)) {
            purged.pending_removed += match purged.dry_run {
                true => catalog.count_pending(&key)?,
                false => catalog.purge_pending(&key)?,
            };
        }
    }
    Ok(())
}
