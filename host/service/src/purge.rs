//! Purges a source: everything it left in memory, archive, queue, caches and logs: `memory purge`.

use std::collections::BTreeSet;

use acreta_catalog::{Catalog, JobFilter, KnownSession, SessionFilter, SessionKey};
use acreta_fs::{Directory, NoFaults};
use acreta_lead::{PurgeReport, PurgeSelection};
use serde::Serialize;

use crate::clock::{moment, now_ms};
use crate::events::forget_in_logs;
use crate::{Context, Failure, Kind};
use crate::{archive, brief, desk, models, scopes};

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
    pub dry_run: bool,
    /// Names by which logs may mention them.
    #[serde(skip)]
    named: Vec<String>,
}

#[derive(Debug, Serialize)]
pub struct PurgedScope {
    pub scope: String,
    #[serde(flatten)]
    pub report: PurgeReport,
}

/// Purges a source everywhere.
pub fn purge(request: &Purge, context: &Context) -> Result<Purged, Failure> {
    let selection = selection(request)?;
    let dry_run = request.dry_run;
    let mut purged = Purged {
        scopes: Vec::new(),
        sessions: Vec::new(),
        archives_removed: 0,
        jobs_removed: 0,
        pending_removed: 0,
        dry_run,
        named: Vec::new(),
    };
    let mut places = vec![
        ("project".to_owned(), context.layout(&context.project)),
        ("global".to_owned(), context.global_layout()),
    ];
    for scope in scopes::other_projects(context)? {
        places.push((scope.name, scope.layout));
    }
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
        let mut desk = desk::open(context, layout)?;
        let report = desk.purge(&selection, dry_run)?;
        if !report.is_empty() {
            purged.scopes.push(PurgedScope { scope, report });
        }
    }
    if let Some(catalog) = scopes::catalog(context)? {
        set_aside(&catalog, &selection, &mut purged)?;
        catalogued(&catalog, &selection, context, &mut purged)?;
        if !dry_run {
            let reports = purged.scopes.iter().map(|scope| &scope.report);
            let gone: Vec<&str> = reports
                .flat_map(|report| report.ids_removed.iter().map(String::as_str))
                .collect();
            catalog.forget_memories(&gone)?;
            catalog.forget_reviews()?;
        }
    }
    if !dry_run {
        forget_replies(context)?;
        // Briefs quote memory.
        brief::forget(context)?;
        forget_in_logs(context, &purged.named)?;
    }
    Ok(purged)
}

/// Deletes all replies of models: they are a cache, and may quote what was purged.
fn forget_replies(context: &Context) -> Result<(), Failure> {
    let folder = Directory::open_or_create_private(context.home.folder(), NoFaults::shared())?;
    if folder.exists(models::REPLIES)? {
        folder.remove_dir_all(models::REPLIES)?;
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
        selection.agent = Some(acreta_lead::IMPORT.to_owned());
        selection.session = Some(source.clone());
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
    selection: &PurgeSelection,
    context: &Context,
    purged: &mut Purged,
) -> Result<(), Failure> {
    let archive = archive::open(context)?;
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
    if purged.dry_run {
        // One copy may hold several sessions; it is deleted with the last of them.
        let copies = |sessions: &[KnownSession]| -> BTreeSet<(String, String)> {
            let copies = sessions.iter().filter_map(|session| {
                let copy = session.archive.as_ref()?;
                Some((session.session.agent.clone(), copy.digest.clone()))
            });
            copies.collect()
        };
        let gone = copies(&covered);
        purged.archives_removed = gone.difference(&copies(&others)).count() as u64;
    }
    for session in covered {
        let known = &session.session;
        purged
            .sessions
            .push(format!("{}/{}", known.agent, known.id));
        let key = SessionKey::new(&known.agent, &known.id);
        if purged.dry_run {
            let jobs = catalog.jobs(&JobFilter {
                session: Some(key),
                ..JobFilter::default()
            })?;
            purged.jobs_removed += jobs.len() as u64;
            continue;
        }
        let gone = catalog.purge_session(&key)?;
        purged.jobs_removed += gone.jobs;
        let runs = gone.run_folders.iter().filter_map(|run| run.file_name());
        purged.named.extend(runs.map(ToOwned::to_owned));
        purged.named.push(known.id.clone());
        if let Some(kept) = &session.archive
            && !catalog.is_archived_elsewhere(&known.agent, &kept.digest)?
        {
            archive.remove(&known.agent, &kept.digest)?;
            purged.archives_removed += 1;
        }
    }
    if purged.archives_removed > 0 && !purged.dry_run {
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
