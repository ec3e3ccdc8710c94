//! Reads a session into a trace. A file that a person names is staged alone, together with the log of a database, in a
//! fresh folder, and the adapters are asked in order whether they know it. A session that the catalog knows is read in
//! place, from where the last read stopped.

use crate::run::report::Resume;
use std::cmp::Reverse;
use std::sync::{Arc, Mutex, PoisonError};

use acreta_fs::{Directory, NoFaults, Scratch, canonical, stage_file};
use acreta_redact::Redactor;
use acreta_session_archive::{
    Commands, PendingTrace, TraceArchive, TraceLimits, TraceMark, TraceWriter, clean_cursor,
};
use acreta_types::{Adapter, Cursor, Job, PluginError, PluginFault, Preopen, Session, SharedSink};
use camino::{Utf8Path, Utf8PathBuf};

use crate::error::RunError;
use crate::memory::workspace::TracingPluginLog;
use crate::run::report::Metrics;
use crate::run::spans;

/// Source of a run's session.
pub enum Source {
    /// A file that a person named.
    File(Utf8PathBuf),
    /// A session that the catalog already knows.
    Known(Box<KnownSession>),
}

/// A session, its adapter, and the folders that the adapter may read.
pub struct KnownSession {
    pub adapter: Arc<dyn Adapter>,
    pub roots: Vec<Preopen>,
    /// The file that holds it, as a path on the host.
    pub path: Utf8PathBuf,
    pub session: Session,
    /// Position at which the last read stopped; `None` reads the whole session.
    pub resume: Option<Resume>,
}

/// A session file in a folder that contains nothing else and that an adapter can read.
pub(crate) struct StagedTrace {
    _folder: Scratch,
    pub(crate) roots: [Preopen; 1],
    path: String,
}

/// Guest path of the folder with the staged file.
const ROOT: &str = "/trace";

pub(crate) fn stage(trace_path: &Utf8Path, scratch: &Directory) -> Result<StagedTrace, RunError> {
    let unreadable = |cause| RunError::TraceUnreadable {
        path: trace_path.to_owned(),
        cause,
    };
    let name = trace_path.file_name().unwrap_or("trace");
    let folder = acreta_fs::scratch(scratch, "trace")?;
    stage_file(trace_path, folder.directory(), name).map_err(unreadable)?;
    // A database's latest changes are in files beside it.
    for suffix in ["-wal", "-journal"] {
        let beside = Utf8PathBuf::from(format!("{trace_path}{suffix}"));
        if beside.is_file() {
            stage_file(&beside, folder.directory(), format!("{name}{suffix}"))
                .map_err(unreadable)?;
        }
    }
    let roots = [Preopen {
        host: acreta_fs::canonical(folder.path())?,
        guest: ROOT.to_owned(),
    }];
    Ok(StagedTrace {
        _folder: folder,
        roots,
        path: format!("{ROOT}/{name}"),
    })
}

/// Lists the sessions in a file that a person named, newest first. With `agent`, only the adapter of that agent is
/// asked.
pub fn sessions_in(
    trace_path: &Utf8Path,
    adapters: &[Arc<dyn Adapter>],
    agent: Option<&str>,
    scratch: &Utf8Path,
    now_ms: u64,
) -> Result<Vec<Session>, RunError> {
    let trace_path = named_file(trace_path)?;
    let scratch = Directory::open_or_create_private(scratch, NoFaults::shared())?;
    let staged = stage(&trace_path, &scratch)?;
    let job = Job {
        now_ms,
        seed: 0,
        log: Arc::new(TracingPluginLog),
        models: None,
    };
    let mut metrics = Metrics::default();
    let known = held_by(adapters, agent, &trace_path, &staged, &job, &mut metrics)?;
    Ok(newest_first(known.1))
}

/// Resolves a file that a person named, including links.
pub(crate) fn named_file(path: &Utf8Path) -> Result<Utf8PathBuf, RunError> {
    match canonical(path) {
        Ok(path) if path.is_file() => Ok(path),
        Ok(path) => Err(RunError::TraceNotAFile { path }),
        Err(error) if error.is_not_found() => Err(RunError::TraceMissing {
            path: path.to_owned(),
        }),
        Err(cause) => Err(RunError::TraceUnreadable {
            path: path.to_owned(),
            cause,
        }),
    }
}

/// Returns the first adapter that knows the file, and all sessions in it.
pub(crate) fn held_by(
    adapters: &[Arc<dyn Adapter>],
    agent: Option<&str>,
    trace_path: &Utf8Path,
    staged: &StagedTrace,
    job: &Job,
    metrics: &mut Metrics,
) -> Result<(Arc<dyn Adapter>, Vec<Session>), RunError> {
    for adapter in &asked(adapters, agent, job, metrics)? {
        let call = spans::called(adapter.info(), "sessions", || {
            adapter.sessions(job, &staged.roots, &staged.path)
        });
        metrics.used(&adapter.info().id, adapter.info().role.name(), &call.usage);
        let sessions = call.result?;
        if sessions.is_empty() {
            continue;
        }
        return Ok((Arc::clone(adapter), sessions));
    }
    Err(RunError::NoAdapter {
        path: trace_path.to_owned(),
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
        let call = spans::called(adapter.info(), "describe", || adapter.describe(job));
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

/// Returns the session that was asked for, or the only one.
pub(crate) fn one_of(
    sessions: Vec<Session>,
    wanted: Option<&str>,
    path: &Utf8Path,
) -> Result<Session, RunError> {
    match wanted {
        Some(wanted) => sessions
            .into_iter()
            .find(|session| session.id == wanted)
            .ok_or_else(|| RunError::UnknownSession {
                path: path.to_owned(),
                session: wanted.to_owned(),
            }),
        None if sessions.len() > 1 => Err(RunError::SeveralSessions {
            path: path.to_owned(),
            sessions: newest_first(sessions)
                .into_iter()
                .map(|session| session.id)
                .collect(),
        }),
        None => Ok(sessions
            .into_iter()
            .next()
            .expect("an empty list was passed over")),
    }
}

fn newest_first(mut sessions: Vec<Session>) -> Vec<Session> {
    // If a file has no times, later sessions are newer.
    sessions.reverse();
    sessions.sort_by_key(|session| Reverse(session.updated_ms.or(session.started_ms)));
    sessions
}

/// Reads a session into a pending trace: from `resume` if that is still valid, else from the start.
pub(crate) fn read(
    reading: &SessionRead<'_>,
    resume: Option<&Resume>,
    metrics: &mut Metrics,
) -> Result<(PendingTrace, Cursor), RunError> {
    // An adapter without cursors emits the whole session each time, so its trace is rewritten.
    let resume = resume.filter(|resume| resume.cursor != Cursor::default());
    if let Some(resume) = resume
        && let Some(writer) = reading.resumed(resume.mark)?
    {
        match reading.into(writer, &resume.cursor, metrics) {
            Err(RunError::Plugin(error)) if is_invalid_cursor(&error) => {}
            result => return result,
        }
    }
    let writer = reading.archive.write(
        &reading.session.agent,
        &reading.session.id,
        Arc::clone(&reading.redactor),
        TraceLimits::default(),
    )?;
    reading.into(writer, &Cursor::default(), metrics)
}

/// A session that is being read.
pub(crate) struct SessionRead<'a> {
    pub(crate) adapter: &'a dyn Adapter,
    pub(crate) session: &'a Session,
    pub(crate) roots: &'a [Preopen],
    pub(crate) archive: &'a TraceArchive,
    pub(crate) redactor: Arc<Redactor>,
    /// The project's folder.
    pub(crate) project: &'a Directory,
    pub(crate) job: &'a Job,
}

impl SessionRead<'_> {
    fn resumed(&self, mark: TraceMark) -> Result<Option<TraceWriter>, RunError> {
        let (agent, id) = (&self.session.agent, &self.session.id);
        let redactor = Arc::clone(&self.redactor);
        let limits = TraceLimits::default();
        Ok(self.archive.resume(agent, id, redactor, limits, mark)?)
    }

    fn into(
        &self,
        writer: TraceWriter,
        from: &Cursor,
        metrics: &mut Metrics,
    ) -> Result<(PendingTrace, Cursor), RunError> {
        let directory = self.session.project_dir.as_deref().unwrap_or_default();
        let during = self.session.started_ms.zip(self.session.updated_ms);
        let commands = Commands::read(self.project, directory.into(), during);
        let shared = Arc::new(Mutex::new(Some(writer.with_commands(commands))));
        let sink: SharedSink = Arc::new(Mutex::new(LentWriter(Arc::clone(&shared))));
        let info = self.adapter.info();
        let call = spans::called(info, "read", || {
            self.adapter
                .read(self.job, self.roots, self.session, from, sink)
        });
        metrics.used(&info.id, info.role.name(), &call.usage);
        let cursor = clean_cursor(call.result?, &self.redactor);
        let writer = take(&shared).expect("only this function takes the writer out");
        Ok((writer.finish()?, cursor))
    }
}

/// Reports whether an adapter refused a cursor because the session was rewritten.
fn is_invalid_cursor(error: &PluginError) -> bool {
    matches!(&error.fault, PluginFault::Failed(failure) if failure.code == "invalid-cursor")
}

type SharedWriter = Arc<Mutex<Option<TraceWriter>>>;

fn take(shared: &SharedWriter) -> Option<TraceWriter> {
    shared.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Lends the writer to a guest; events that a guest emits after the call are discarded.
struct LentWriter(SharedWriter);

impl acreta_types::EventSink for LentWriter {
    fn emit(&mut self, batch: Vec<acreta_types::Event>) -> Result<(), acreta_types::Failure> {
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

#[cfg(test)]
mod tests {
    use acreta_fs::NoFaults;

    use super::*;

    #[test]
    fn a_database_is_staged_with_its_log() {
        let folder = tempfile::tempdir().unwrap();
        let base = Utf8Path::from_path(folder.path()).unwrap();
        let store = Directory::open_or_create_private(&base.join("store"), NoFaults::shared());
        let store = store.unwrap();
        for name in [
            "sessions.db",
            "sessions.db-wal",
            "sessions.db-shm",
            "other.db-wal",
        ] {
            store.replace(name, name.as_bytes()).unwrap();
        }
        let scratch = Directory::open_or_create_private(&base.join("scratch"), NoFaults::shared());
        let staged = stage(&base.join("store/sessions.db"), &scratch.unwrap()).unwrap();
        assert_eq!(staged.path, "/trace/sessions.db");
        let seen = staged.roots[0].host.read_dir_utf8().unwrap();
        let mut seen: Vec<String> = seen
            .map(|entry| entry.unwrap().file_name().to_owned())
            .collect();
        seen.sort();
        assert_eq!(seen, ["sessions.db", "sessions.db-wal"]);
    }
}
