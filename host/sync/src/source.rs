//! Opens a session for a run: from its agent's folder or, once it is gone from there, from the archived copy.

use std::io::{BufRead, BufReader, Read};
use std::sync::Arc;

use acreta_fs::{Directory, NoFaults, Scratch, scratch};
use acreta_pipeline::{KnownSession as RunSession, Resume, Source};
use acreta_session_archive::{RescueLimits, TraceMark};
use acreta_state::{Archive, ArchiveKind, KnownSession, ProjectId};
use acreta_types::{
    Adapter, Attrs, Call, Cursor, Description, Event, Failure, Job, PluginError, PluginFault,
    PluginInfo, Preopen, Role, Session, SharedSink, Usage, locked, with_causes,
};
use camino::Utf8PathBuf;

use crate::find::DiskState;
use crate::options::SyncOptions;
use crate::workshop::SyncEnvironment;

/// A session opened for a run, and the temporary files it needs until the run is over.
pub(crate) struct OpenedSession {
    pub(crate) source: Source,
    pub(crate) _staged: Option<Scratch>,
}

/// A session could not be opened.
pub(crate) struct SourceError {
    pub(crate) message: String,
    /// The archived copy is not in shared storage yet, or storage does not answer.
    pub(crate) is_passing: bool,
}

impl From<String> for SourceError {
    fn from(message: String) -> Self {
        Self {
            message,
            is_passing: false,
        }
    }
}

/// Guest path of the folder with an archived session.
const ROOT: &str = "/archive";

/// Maximum length of a line of an archived trace: an event's fully escaped text, and its attributes.
const LINE_BYTES: u64 = 64 * 1024 * 1024;

/// Returns true if a session can still be read, from disk or the archive.
pub(crate) fn is_there(known: &KnownSession) -> bool {
    known.is_here && (known.archive.is_some() || is_on_disk(known))
}

/// Returns true if the session's file exists.
fn is_on_disk(known: &KnownSession) -> bool {
    known.is_here && known.gone_ms.is_none() && known.file.exists()
}

/// Opens a session for a run in a project; returns the reason on failure.
pub(crate) fn open(
    known: &KnownSession,
    project: ProjectId,
    options: &SyncOptions,
    workshop: &dyn SyncEnvironment,
    found: &DiskState,
) -> Result<OpenedSession, SourceError> {
    if is_on_disk(known) {
        // A person named this file: it may be outside its agent's folders.
        if known.root.is_empty() {
            return Ok(OpenedSession {
                source: Source::File(known.file.clone()),
                _staged: None,
            });
        }
        return Ok(live(known, project, workshop, found)?);
    }
    let Some(archive) = &known.archive else {
        return Err(SourceError {
            message: match known.is_here {
                true => format!("`{}` is gone and was never archived", known.file),
                false => format!("`{}` of another machine is not archived yet", known.file),
            },
            is_passing: !known.is_here,
        });
    };
    archived(known, archive, options, workshop)
}

fn live(
    known: &KnownSession,
    project: ProjectId,
    workshop: &dyn SyncEnvironment,
    found: &DiskState,
) -> Result<OpenedSession, String> {
    let roots = found
        .agents
        .iter()
        .filter(|agent| agent.adapter == known.adapter && agent.has(&known.file))
        .flat_map(|agent| agent.preopens())
        .collect();
    // A run cannot continue the trace of another project.
    let cursor = known.cursor.as_ref();
    let resume = cursor.filter(|_| known.ran_project == Some(project));
    let resume = resume.map(|at| Resume {
        cursor: at.cursor.clone(),
        mark: TraceMark {
            bytes: at.trace_bytes,
            events: at.trace_events,
            digest: at.trace_digest,
        },
    });
    Ok(OpenedSession {
        source: Source::Known(Box::new(RunSession {
            adapter: workshop.adapter(&known.adapter)?,
            roots,
            path: known.file.clone(),
            session: known.session.clone(),
            resume,
        })),
        _staged: None,
    })
}

pub(crate) fn archived(
    known: &KnownSession,
    archive: &Archive,
    options: &SyncOptions,
    workshop: &dyn SyncEnvironment,
) -> Result<OpenedSession, SourceError> {
    let told = |error: &dyn std::error::Error| with_causes(error);
    let raw = options.open_archive().map_err(|error| told(&error))?;
    let limits = RescueLimits::default();
    let agent = &known.session.agent;
    let mut reader = raw
        .open(agent, &archive.digest, &limits)
        .map_err(|error| SourceError {
            is_passing: error.is_passing(),
            message: told(&error),
        })?;
    let folder = Directory::open_or_create_private(&options.scratch, NoFaults::shared())
        .map_err(|error| told(&error))?;
    let staged = scratch(&folder, "archived").map_err(|error| told(&error))?;
    // A compressed session is archived uncompressed.
    let name = known.file.file_name().unwrap_or("session");
    let name = name.strip_suffix(".zst").unwrap_or(name);
    let mut file = staged
        .directory()
        .pending(name)
        .map_err(|error| told(&error))?;
    std::io::copy(&mut reader, &mut file).map_err(|error| told(&error))?;
    file.publish().map_err(|error| told(&error))?;
    let path = staged.path().join(name);
    let adapter: Arc<dyn Adapter> = match archive.kind {
        ArchiveKind::Raw => workshop.adapter(&known.adapter)?,
        ArchiveKind::Trace => Arc::new(ArchivedTrace::new(&known.adapter, path)),
    };
    let session = Session {
        path: format!("{ROOT}/{name}"),
        ..known.session.clone()
    };
    Ok(OpenedSession {
        source: Source::Known(Box::new(RunSession {
            adapter,
            roots: vec![Preopen {
                host: acreta_fs::canonical(staged.path()).map_err(|error| error.to_string())?,
                guest: ROOT.to_owned(),
            }],
            path: known.file.clone(),
            session,
            resume: None,
        })),
        _staged: Some(staged),
    })
}

/// Reads a trace that acreta itself has written: events, line by line.
struct ArchivedTrace {
    info: PluginInfo,
    path: Utf8PathBuf,
}

impl ArchivedTrace {
    fn new(adapter: &str, path: Utf8PathBuf) -> Self {
        Self {
            info: PluginInfo {
                id: adapter.to_owned(),
                role: Role::Adapter,
                wit: String::new(),
                digest: String::new(),
            },
            path,
        }
    }

    fn tell(&self, sink: &SharedSink) -> Result<Cursor, Failure> {
        let failed = |message: String| Failure {
            code: "io".to_owned(),
            message,
            retryable: false,
        };
        let (Some(folder), Some(name)) = (self.path.parent(), self.path.file_name()) else {
            return Err(failed(format!("`{}` is not a file", self.path)));
        };
        let reader = Directory::open(folder, NoFaults::shared())
            .and_then(|folder| folder.open_reader(name))
            .map_err(|error| failed(with_causes(&error)))?;
        let mut reader = BufReader::new(reader);
        let mut line = Vec::new();
        loop {
            line.clear();
            let length = (&mut reader)
                .take(LINE_BYTES)
                .read_until(b'\n', &mut line)
                .map_err(|error| failed(error.to_string()))?;
            if length == 0 {
                return Ok(Cursor::default());
            }
            let event: Event =
                serde_json::from_slice(&line).map_err(|error| failed(error.to_string()))?;
            let mut sink = locked(sink);
            sink.emit(vec![event])?;
        }
    }
}

impl Adapter for ArchivedTrace {
    fn info(&self) -> &PluginInfo {
        &self.info
    }

    fn describe(&self, _job: &Job) -> Call<Description> {
        done(Description {
            agent: String::new(),
            roots: Vec::new(),
            attrs: Attrs::default(),
        })
    }

    fn sessions(&self, _job: &Job, _roots: &[Preopen], _path: &str) -> Call<Vec<Session>> {
        done(Vec::new())
    }

    fn read(
        &self,
        _job: &Job,
        _roots: &[Preopen],
        _session: &Session,
        _from: &Cursor,
        sink: SharedSink,
    ) -> Call<Cursor> {
        Call {
            result: self.tell(&sink).map_err(|failure| PluginError {
                plugin: self.info.id.clone(),
                role: Role::Adapter,
                fault: PluginFault::Failed(failure),
            }),
            usage: Usage::default(),
        }
    }
}

fn done<T>(result: T) -> Call<T> {
    Call {
        result: Ok(result),
        usage: Usage::default(),
    }
}
