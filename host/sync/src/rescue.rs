//! Archives sessions before anything else is done with them: the agent may delete them tomorrow. A session with its own
//! file is archived as that file, redacted; a session in a database, or in many files, as its trace.

use std::io::Read;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use acreta_fs::{Directory, NoFaults, scratch};
use acreta_session_archive::{
    RawArchive, RescueAs, RescueError, RescueLimits, TraceArchive, TraceLimits,
};
use acreta_state::{Archive, ArchiveKind, Catalog, KnownSession, SessionKey};
use acreta_types::{Cursor, Preopen, SharedSink, with_causes};
use camino::Utf8Path;

use crate::error::SyncError;
use crate::find::{DiskState, job};
use crate::options::SyncOptions;
use crate::parallel;
use crate::report::SyncReport;
use crate::workshop::{Pass, Stage, SyncEnvironment, Watcher};

/// Number of archived sessions per transaction.
const CHUNK: usize = 64;

/// Archives every session that changed since it was last archived.
pub(crate) fn rescue(
    catalog: &Catalog,
    options: &SyncOptions,
    workshop: &dyn SyncEnvironment,
    watcher: &dyn Watcher,
    found: &DiskState,
    pass: Pass,
    report: &mut SyncReport,
) -> Result<(), SyncError> {
    let mut sessions = catalog.sessions_to_archive()?;
    sessions.retain(|known| pass.has(&known.session.agent));
    sessions.retain(|known| !options.excluded.has_session(&known.session));
    // A store that a person named is not archived: it is the person's own, and outside every root.
    sessions.retain(|session| !session.root.is_empty() || is_file_of_its_own(session));
    if sessions.is_empty() {
        return Ok(());
    }
    let archive = options.open_archive()?;
    watcher.begin(Stage::Rescue, sessions.len() as u64);
    let rescuer = Rescuer {
        options,
        workshop,
        found,
        archive: &archive,
    };
    for chunk in sessions.chunks(CHUNK) {
        if watcher.is_interrupted() {
            report.interrupted = true;
            return Ok(());
        }
        let kept = parallel::map(options.workers, chunk, |session| {
            let kept = rescuer.keep(session);
            watcher.advance(Stage::Rescue, session.file.as_str());
            kept
        });
        watcher.fault_point("rescued");
        let mut archived = Vec::new();
        for (session, kept) in chunk.iter().zip(kept) {
            match kept {
                Ok(kept) => archived.push((session, kept)),
                Err(_) if watcher.is_interrupted() => {}
                Err(message) => {
                    let message = options.redactor.redact(&message).text.into_owned();
                    report.problem(&session.session.agent, session.file.clone(), message);
                }
            }
        }
        let keys: Vec<(SessionKey, Archive)> = archived
            .iter()
            .map(|(session, archive)| (session.key(), archive.clone()))
            .collect();
        catalog.set_archived(&keys)?;
        watcher.fault_point("archived");
        for (session, now) in archived {
            report.archived += 1;
            report.agent(&session.session.agent).archived += 1;
            rescuer.drop_earlier(catalog, session, &now)?;
        }
    }
    Ok(())
}

/// Returns true if shared storage does not have everything that is archived here.
pub(crate) fn is_upload_due(options: &SyncOptions) -> Result<bool, SyncError> {
    if options.shared_archive.is_none() {
        return Ok(false);
    }
    Ok(!options.open_archive()?.waiting()?.is_empty())
}

/// Uploads what shared storage does not have. The first failure ends it: storage that fails once would fail for each
/// session, and the next sync continues.
pub(crate) fn publish(
    options: &SyncOptions,
    watcher: &dyn Watcher,
    report: &mut SyncReport,
) -> Result<(), SyncError> {
    if options.shared_archive.is_none() {
        return Ok(());
    }
    let archive = options.open_archive()?;
    let waiting = archive.waiting()?;
    let failed = AtomicBool::new(false);
    let uploads = parallel::map(options.workers, &waiting, |upload| {
        if failed.load(Ordering::Relaxed) || watcher.is_interrupted() {
            return Ok(());
        }
        let published = archive.publish(upload);
        failed.fetch_or(published.is_err(), Ordering::Relaxed);
        published
    });
    watcher.fault_point("published");
    for (upload, published) in waiting.iter().zip(uploads) {
        if let Err(error) = published {
            let mut message = with_causes(&error);
            if let Some(hint) = error.hint() {
                message = format!("{message} ({hint})");
            }
            report.problem(&upload.agent, options.archive.clone(), message);
        }
    }
    Ok(())
}

struct Rescuer<'a> {
    options: &'a SyncOptions,
    workshop: &'a dyn SyncEnvironment,
    found: &'a DiskState,
    archive: &'a RawArchive,
}

impl Rescuer<'_> {
    fn keep(&self, session: &KnownSession) -> Result<Archive, String> {
        let stored = if is_file_of_its_own(session) {
            self.archive.store(
                &session.session.agent,
                &session.file,
                RescueAs::Raw(&self.options.redactor),
                &RescueLimits::default(),
            )
        } else {
            return self.keep_trace(session);
        };
        let stored = stored.map_err(|error| with_causes(&error))?;
        Ok(Archive {
            digest: stored.digest,
            kind: ArchiveKind::Raw,
            revision: session.session.revision.clone(),
        })
    }

    /// Reads the session as a run would, and archives the trace.
    fn keep_trace(&self, session: &KnownSession) -> Result<Archive, String> {
        let told = |error: &dyn std::error::Error| with_causes(error);
        let adapter = self.workshop.adapter(&session.adapter)?;
        let roots: Vec<Preopen> = self
            .found
            .agents
            .iter()
            .filter(|agent| agent.adapter == session.adapter && agent.has(&session.file))
            .flat_map(|agent| agent.preopens())
            .collect();
        let folder = Directory::open_or_create_private(&self.options.scratch, NoFaults::shared())
            .map_err(|error| told(&error))?;
        let folder = scratch(&folder, "rescue").map_err(|error| told(&error))?;
        let traces = TraceArchive::new(folder.directory());
        let (agent, id) = (&session.session.agent, &session.session.id);
        let redactor = Arc::clone(&self.options.redactor);
        let writer = traces
            .write(agent, id, redactor, TraceLimits::default())
            .map_err(|error| told(&error))?;
        let writer = Arc::new(Mutex::new(writer));
        let sink: SharedSink = writer.clone();
        let call = adapter.read(
            &job(self.workshop.now_ms()),
            &roots,
            &session.session,
            &Cursor::default(),
            sink,
        );
        call.result.map_err(|error| told(&error))?;
        let writer = Arc::try_unwrap(writer).map_err(|_| "the adapter still holds the trace")?;
        let writer = writer.into_inner().unwrap_or_else(PoisonError::into_inner);
        let pending = writer.finish_temporary().map_err(|error| told(&error))?;
        let stored = self
            .archive
            .store(
                agent,
                &pending.path(),
                RescueAs::Trace,
                &RescueLimits::default(),
            )
            .map_err(|error| told(&error))?;
        Ok(Archive {
            digest: stored.digest,
            kind: ArchiveKind::Trace,
            revision: session.session.revision.clone(),
        })
    }

    /// Removes the earlier copy of a session that only grew: the new one contains all of it. The copy of a rewritten
    /// session stays.
    fn drop_earlier(
        &self,
        catalog: &Catalog,
        session: &KnownSession,
        now: &Archive,
    ) -> Result<(), SyncError> {
        let Some(before) = &session.archive else {
            return Ok(());
        };
        let agent = &session.session.agent;
        if before.digest == now.digest
            || before.kind != now.kind
            || catalog.is_archived_elsewhere(agent, &before.digest)?
        {
            return Ok(());
        }
        match begins_with(self.archive, agent, &now.digest, &before.digest) {
            Ok(true) => {
                if let Err(error) = self.archive.remove(agent, &before.digest) {
                    tracing::debug!(%error, "an earlier copy was not removed");
                }
            }
            Ok(false) => {}
            Err(error) => tracing::debug!(%error, "an earlier copy was not removed"),
        }
        Ok(())
    }
}

/// Returns true if one file contains the whole session and nothing else.
fn is_file_of_its_own(session: &KnownSession) -> bool {
    session.session.attrs.get("spread") != Some("true") && !is_database(&session.file)
}

/// Detects a database by its first bytes, whatever its name.
fn is_database(file: &Utf8Path) -> bool {
    let (Some(folder), Some(name)) = (file.parent(), file.file_name()) else {
        return false;
    };
    let mut beginning = [0; 16];
    Directory::open(folder, NoFaults::shared())
        .and_then(|folder| folder.open_reader(name))
        .is_ok_and(|mut reader| reader.read_exact(&mut beginning).is_ok())
        && &beginning == b"SQLite format 3\0"
}

fn begins_with(
    archive: &RawArchive,
    agent: &str,
    digest: &str,
    beginning: &str,
) -> Result<bool, RescueError> {
    let limits = RescueLimits::default();
    let mut whole = archive.open(agent, digest, &limits)?;
    let mut part = archive.open(agent, beginning, &limits)?;
    let mut left = vec![0; 64 * 1024];
    let mut right = vec![0; 64 * 1024];
    loop {
        let Ok(length) = part.read(&mut left) else {
            return Ok(false);
        };
        if length == 0 {
            return Ok(true);
        }
        if whole.read_exact(&mut right[..length]).is_err() || left[..length] != right[..length] {
            return Ok(false);
        }
    }
}
