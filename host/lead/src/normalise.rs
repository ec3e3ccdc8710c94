//! From a session file to a trace: the file is staged alone into a fresh folder, the adapters are
//! asked in order whether they know it, and the one that does reads it into the archive.

use std::sync::{Arc, Mutex, PoisonError};

use acreta_fs::{Directory, Scratch, stage_file};
use acreta_model::{Adapter, Cursor, Job, Preopen, Session, SharedSink};
use acreta_redact::Redactor;
use acreta_sessions::{PendingTrace, TraceArchive, TraceLimits, TraceWriter};
use camino::Utf8Path;

use crate::error::RunError;
use crate::report::Metrics;

/// A session file where an adapter can see it, and nothing else.
pub(crate) struct Staged {
    _folder: Scratch,
    roots: [Preopen; 1],
    path: String,
}

/// Guest path of the folder with the staged file.
const ROOT: &str = "/trace";

pub(crate) fn stage(trace_path: &Utf8Path, scratch: &Directory) -> Result<Staged, RunError> {
    let unreadable = |cause| RunError::TraceUnreadable {
        path: trace_path.to_owned(),
        cause,
    };
    let name = trace_path.file_name().unwrap_or("trace");
    let folder = acreta_fs::scratch(scratch, "trace")?;
    stage_file(trace_path, folder.directory(), name).map_err(unreadable)?;
    let roots = [Preopen {
        host: folder.path().to_owned(),
        guest: ROOT.to_owned(),
    }];
    Ok(Staged {
        _folder: folder,
        roots,
        path: format!("{ROOT}/{name}"),
    })
}

/// The first adapter that knows the file, and the session in it.
pub(crate) fn recognise(
    adapters: &[Arc<dyn Adapter>],
    agent: Option<&str>,
    wanted: Option<&str>,
    trace_path: &Utf8Path,
    staged: &Staged,
    job: &Job,
    metrics: &mut Metrics,
) -> Result<(Arc<dyn Adapter>, Session), RunError> {
    let asked = asked(adapters, agent, job, metrics)?;
    for adapter in &asked {
        let call = adapter.sessions(job, &staged.roots, &staged.path);
        metrics.used(&adapter.info().id, adapter.info().role.name(), &call.usage);
        let sessions = call.result?;
        if sessions.is_empty() {
            continue;
        }
        return Ok((Arc::clone(adapter), one_of(sessions, wanted, trace_path)?));
    }
    Err(RunError::NoAdapter {
        path: trace_path.to_owned(),
        asked: asked
            .iter()
            .map(|adapter| adapter.info().id.clone())
            .collect(),
    })
}

fn asked(
    adapters: &[Arc<dyn Adapter>],
    agent: Option<&str>,
    job: &Job,
    metrics: &mut Metrics,
) -> Result<Vec<Arc<dyn Adapter>>, RunError> {
    let Some(agent) = agent else {
        return Ok(adapters.to_vec());
    };
    let mut known = Vec::new();
    for adapter in adapters {
        let call = adapter.describe(job);
        metrics.used(&adapter.info().id, adapter.info().role.name(), &call.usage);
        let description = call.result?;
        if description.agent == agent || adapter.info().id == agent {
            return Ok(vec![Arc::clone(adapter)]);
        }
        known.push(description.agent);
    }
    Err(RunError::UnknownAgent {
        agent: agent.to_owned(),
        known,
    })
}

fn one_of(
    sessions: Vec<Session>,
    wanted: Option<&str>,
    path: &Utf8Path,
) -> Result<Session, RunError> {
    let ids: Vec<String> = sessions.iter().map(|session| session.id.clone()).collect();
    match wanted {
        Some(wanted) => sessions
            .into_iter()
            .find(|session| session.id == wanted)
            .ok_or_else(|| RunError::UnknownSession {
                path: path.to_owned(),
                session: wanted.to_owned(),
            }),
        None if ids.len() > 1 => Err(RunError::SeveralSessions {
            path: path.to_owned(),
            sessions: ids,
        }),
        None => Ok(sessions
            .into_iter()
            .next()
            .expect("an empty list was passed over")),
    }
}

/// Reads the whole session into a pending trace.
pub(crate) fn read(
    adapter: &dyn Adapter,
    session: &Session,
    staged: &Staged,
    archive: &TraceArchive,
    redactor: Arc<Redactor>,
    job: &Job,
    metrics: &mut Metrics,
) -> Result<PendingTrace, RunError> {
    let writer = archive.write(
        &session.agent,
        &session.id,
        redactor,
        TraceLimits::default(),
    )?;
    let shared = Arc::new(Mutex::new(Some(writer)));
    let sink: SharedSink = Arc::new(Mutex::new(Slot(Arc::clone(&shared))));
    let call = adapter.read(job, &staged.roots, session, &Cursor::default(), sink);
    metrics.used(&adapter.info().id, adapter.info().role.name(), &call.usage);
    call.result?;
    let writer = take(&shared).expect("only this function takes the writer out");
    Ok(writer.finish()?)
}

type SharedWriter = Arc<Mutex<Option<TraceWriter>>>;

fn take(shared: &SharedWriter) -> Option<TraceWriter> {
    shared.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Lends the writer to a guest; a guest that is still talking after the call talks to nobody.
struct Slot(SharedWriter);

impl acreta_model::EventSink for Slot {
    fn emit(&mut self, batch: Vec<acreta_model::Event>) -> Result<(), acreta_model::Failure> {
        match self
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .as_mut()
        {
            Some(writer) => writer.emit(batch),
            None => Ok(()),
        }
    }

    fn diagnose(&mut self, record: &str, start: u64, end: u64, message: &str) {
        if let Some(writer) = self
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .as_mut()
        {
            writer.diagnose(record, start, end, message);
        }
    }
}
