//! Exports a session: `sessions export`. `original` is what the agent wrote, redacted; `jsonl` is one event per line,
//! in acreta's own form; `html` and `markdown` are for people, and for others: without names of people and machines as
//! well ([`acreta_redact::PersonalRedactor`]). Nothing is sent anywhere. Nothing reaches the caller's output before the whole session was read and its digest compared: a
//! damaged or replaced archive gives an error and no text.

mod chapters;
mod markdown;
mod page;
mod text;

use std::io::{self, Write};

use acreta_fs::{Directory, NoFaults, scratch};
use acreta_redact::{PersonalRedactor, TakenOut};
use acreta_session_archive::RescueLimits;
use acreta_state::ArchiveKind;
use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;

use super::conversation::SessionOpener;
use super::{SessionMatch, find, resume};
use crate::process::files::split;
use crate::{Context, Failure, Kind, process::archive};
use chapters::Outline;

pub use chapters::PromptRange;

/// Name of the file from which a session is printed.
const SPOOL: &str = "session";

/// A session to export.
#[derive(Debug, Clone, Default)]
pub struct SessionExport {
    /// An id, a prefix of it, or `AGENT/ID`.
    pub id: String,
    pub format: ExportFormat,
    /// The file to write; `None` writes to the caller's output.
    pub output: Option<Utf8PathBuf>,
    /// Only these prompts and what followed them.
    pub range: PromptRange,
    /// Whether names of people and machines are removed; if `None`, where the format is meant for others.
    pub anonymous: Option<bool>,
    /// Further words to remove.
    pub hide: Vec<String>,
    /// Write nothing, and return what would be removed.
    pub preview: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ExportFormat {
    #[default]
    Original,
    Jsonl,
    Html,
    Markdown,
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
    /// What was removed on the way, beyond what the archive is without. `None` if the text is as it was archived.
    pub taken_out: Option<TakenOut>,
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
    let is_original = request.format == ExportFormat::Original;
    let is_part = request.range != PromptRange::default();
    if is_original
        && (is_part
            || request.preview
            || request.anonymous == Some(true)
            || !request.hide.is_empty())
    {
        let message = "an original is exported whole, as it was archived";
        return Err(
            Failure::new(Kind::Usage, message).hint("use `--as html`, `markdown` or `jsonl`")
        );
    }
    if request.preview {
        let mut sink = CountingWriter {
            inner: io::sink(),
            bytes: 0,
        };
        let taken_out = events(candidate, request, &mut sink, context)?;
        return Ok(exported(row, request, sink.bytes, taken_out));
    }
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
    let taken_out = match is_original {
        true => {
            original(candidate, &mut counted, place, context)?;
            None
        }
        false => events(candidate, request, &mut counted, context)?,
    };
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
    Ok(exported(row, request, bytes, taken_out))
}

fn exported(
    row: super::SessionRow,
    request: &SessionExport,
    bytes: u64,
    taken_out: Option<TakenOut>,
) -> ExportedSession {
    let resume = match request.format {
        ExportFormat::Original => resume::command(&row.agent, &row.id),
        _ => None,
    };
    ExportedSession {
        resume: resume.map(|command| command.to_string()),
        agent: row.agent,
        id: row.id,
        format: request.format,
        output: request.output.clone(),
        bytes,
        original_file: resume::plain_file(&row.file),
        taken_out,
    }
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

/// Writes the events of a session, or a page of them. Returns what was removed.
fn events(
    candidate: SessionMatch,
    request: &SessionExport,
    out: &mut impl Write,
    context: &Context,
) -> Result<Option<TakenOut>, Failure> {
    let opener = SessionOpener::new(context)?;
    let mut conversation = opener.open(candidate)?;
    let is_page = matches!(request.format, ExportFormat::Html | ExportFormat::Markdown);
    let is_anonymous = request.anonymous.unwrap_or(is_page) || !request.hide.is_empty();
    let secrets = &opener.options.redactor;
    let mut redactor = is_anonymous.then(|| PersonalRedactor::new(secrets, &request.hide));
    if let (Some(redactor), Some(home)) = (&mut redactor, context.home.user()) {
        redactor.learn(home.as_str());
    }
    let outline = Outline::read(&mut conversation, &request.range, &mut redactor)?;
    let place = request.output.as_deref();
    let written = |done: io::Result<()>| done.map_err(|cause| not_written(place, &cause));
    let mut taken = TakenOut::default();
    written(match request.format {
        ExportFormat::Html => page::head(&outline, out),
        ExportFormat::Markdown => markdown::head(&outline, out),
        _ => Ok(()),
    })?;
    outline.for_each(&mut conversation, &mut redactor, &mut taken, |chapter| {
        written(match request.format {
            ExportFormat::Html => page::chapter(chapter, out),
            ExportFormat::Markdown => markdown::chapter(chapter, out),
            _ => chapter.events.iter().try_for_each(|event| {
                serde_json::to_writer(&mut *out, event)?;
                writeln!(out)
            }),
        })
    })?;
    written(match request.format {
        ExportFormat::Html => page::end(&taken, out),
        ExportFormat::Markdown => markdown::end(&taken, out),
        _ => Ok(()),
    })?;
    Ok(is_anonymous.then_some(taken))
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
