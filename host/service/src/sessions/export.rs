//! Exports a session: `sessions export`. `original` is what the agent wrote, redacted; `jsonl` is one event per line,
//! in acreta's own form. Nothing reaches the caller's output before the whole session was read and its digest compared: a
//! damaged or replaced archive gives an error and no text.

use std::io::{self, Write};

use acreta_fs::{Directory, NoFaults, scratch};
use acreta_session_archive::RescueLimits;
use acreta_state::ArchiveKind;
use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;

use super::conversation::SessionOpener;
use super::{SessionMatch, find};
use crate::process::files::split;
use crate::{Context, Failure, Kind, process::archive};

/// Name of the file from which a session is printed.
const SPOOL: &str = "session";

/// A session to export.
#[derive(Debug, Clone)]
pub struct SessionExport {
    /// An id, a prefix of it, or `AGENT/ID`.
    pub id: String,
    pub format: ExportFormat,
    /// The file to write; `None` writes to the caller's output.
    pub output: Option<Utf8PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ExportFormat {
    Original,
    Jsonl,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExportedSession {
    pub agent: String,
    pub id: String,
    pub format: ExportFormat,
    pub output: Option<Utf8PathBuf>,
    pub bytes: u64,
    /// Path of the agent's own file.
    pub original_file: Utf8PathBuf,
    /// Command with which its agent resumes it; only for `original`, and only if the agent can.
    pub resume: Option<String>,
}

/// Writes a session to the requested file, or to `out`.
pub fn export(
    request: &SessionExport,
    out: &mut dyn Write,
    context: &Context,
) -> Result<ExportedSession, Failure> {
    let candidate = find(&request.id, context)?;
    let row = candidate.row();
    let place = request.output.as_deref();
    let mut spool = None;
    let (folder, name) = match place {
        Some(path) => {
            let (folder, name) = split(path)?;
            let folder = Directory::open_or_create(&folder, NoFaults::shared())?;
            (folder, name)
        }
        None => {
            let folder = context.home.scratch();
            let folder = Directory::open_or_create_private(&folder, NoFaults::shared())?;
            let own = spool.insert(scratch(&folder, "export")?);
            (own.directory().clone(), SPOOL)
        }
    };
    let mut counted = CountingWriter {
        inner: folder.pending(name)?,
        bytes: 0,
    };
    match request.format {
        ExportFormat::Original => original(candidate, &mut counted, place, context)?,
        ExportFormat::Jsonl => events(candidate, &mut counted, place, context)?,
    }
    let bytes = counted.bytes;
    counted.inner.commit()?;
    if spool.is_some() {
        let written = io::copy(&mut folder.open_reader(name)?, out).and_then(|_| out.flush());
        // The reader of the output may close it, as `head` does.
        if let Err(cause) = written
            && cause.kind() != io::ErrorKind::BrokenPipe
        {
            return Err(not_written(None, &cause));
        }
    }
    Ok(ExportedSession {
        resume: match request.format {
            ExportFormat::Original => resume(&row.agent, &row.id),
            ExportFormat::Jsonl => None,
        },
        agent: row.agent,
        id: row.id,
        format: request.format,
        output: request.output.clone(),
        bytes,
        // A compressed session is archived uncompressed.
        original_file: match row.file.as_str().strip_suffix(".zst") {
            Some(plain) => plain.into(),
            None => row.file,
        },
    })
}

/// Returns the command with which an agent resumes a session whose file is back in its place; `None` if it cannot.
fn resume(agent: &str, id: &str) -> Option<String> {
    let table: &[(&[&str], &str)] = &[
        (&["claude", "claude-code"], "claude --resume"),
        (&["codex"], "codex resume"),
        (&["copilot"], "copilot --resume"),
        (&["gemini"], "gemini --resume"),
        (&["pi"], "pi --session"),
    ];
    let (_, command) = table.iter().find(|(agents, _)| agents.contains(&agent))?;
    Some(format!("{command} {id}"))
}

fn original(
    candidate: SessionMatch,
    out: &mut impl Write,
    place: Option<&Utf8Path>,
    context: &Context,
) -> Result<(), Failure> {
    let none = |message: String| {
        Failure::new(Kind::Refused, message).hint("use `--as jsonl` to write its events")
    };
    let SessionMatch::Known(known, _) = candidate else {
        let message = "the session was deleted by its agent; only its prompts are left";
        return Err(none(message.to_owned()));
    };
    let Some(copied) = &known.archive else {
        let message = format!("{} is not archived yet", known.key());
        return Err(Failure::new(Kind::Missing, message).hint("`acreta sync` archives it"));
    };
    if copied.kind == ArchiveKind::Trace {
        let message = format!(
            "{} is not a single file: its agent stores it in a database or in several files",
            known.key()
        );
        return Err(none(message));
    }
    let raw = archive::open(context)?;
    let limits = RescueLimits::default();
    let mut copy = raw.open(&known.session.agent, &copied.digest, &limits)?;
    let copied = io::copy(&mut copy, out);
    copied.map_err(|cause| not_written(place, &cause))?;
    Ok(())
}

fn events(
    candidate: SessionMatch,
    out: &mut impl Write,
    place: Option<&Utf8Path>,
    context: &Context,
) -> Result<(), Failure> {
    let mut conversation = SessionOpener::new(context)?.open(candidate)?;
    loop {
        let events = conversation.next_events()?;
        if events.is_empty() {
            return Ok(());
        }
        for event in events {
            let line =
                serde_json::to_string(&event).map_err(|error| Failure::from_error(&error))?;
            writeln!(out, "{line}").map_err(|cause| not_written(place, &cause))?;
        }
    }
}

fn not_written(place: Option<&Utf8Path>, cause: &io::Error) -> Failure {
    let mut failure = Failure::saying(match place {
        Some(path) => format!("the session could not be written to `{path}`"),
        None => "the session could not be written".to_owned(),
    });
    failure.causes.push(cause.to_string());
    failure
}

/// Counts the bytes written.
struct CountingWriter<W> {
    inner: W,
    bytes: u64,
}

impl<W: Write> Write for CountingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
