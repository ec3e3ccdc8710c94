//! Writes an adapter's events, redacted, to a new trace. Memory use is constant: an event is on its way to disk when
//! `emit` returns, and only a hash and an offset of it remain.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use acreta_fs::{Directory, FsError, PendingFile};
use acreta_redact::{Redactor, SeenSecrets};
use acreta_types::{Diagnostic, Event, EventSink, Failure, Limits, Role};
use camino::{Utf8Path, Utf8PathBuf};
use sha2::{Digest, Sha256};

use crate::index::{EventIndex, hash};
use crate::{Commands, PendingTrace, TraceError, TraceFile, TraceMark, TraceStats, tidy};

/// Size limits of a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceLimits {
    /// Text of one event; longer text is truncated.
    pub event_text_bytes: usize,
    /// All events together; beyond it the trace is rejected.
    pub emitted_bytes: u64,
    /// Number of stored diagnostics. All are counted.
    pub diagnostics: usize,
}

impl Default for TraceLimits {
    fn default() -> Self {
        Self {
            event_text_bytes: 1024 * 1024,
            emitted_bytes: Limits::for_role(Role::Adapter).emitted_bytes,
            diagnostics: 1_000,
        }
    }
}

/// A trace being written. Dropped before [`TraceWriter::finish`], it leaves no file.
#[derive(Debug)]
pub struct TraceWriter {
    directory: Directory,
    target: Utf8PathBuf,
    pending: Utf8PathBuf,
    file: PendingFile,
    redactor: Arc<Redactor>,
    commands: Commands,
    seen: SeenSecrets,
    limits: TraceLimits,
    stats: TraceStats,
    digest: Sha256,
    emitted_bytes: u64,
    index: EventIndex,
    /// Number of repetitions of an id, for repeated ones.
    repeated: HashMap<u64, u64>,
    /// Calls that print a file of secrets, by the hash of their id.
    revealing: HashSet<u64>,
    /// Short texts without secrets: names of attributes, tools, models and records are the same in most events.
    plain: HashSet<String>,
    line: Vec<u8>,
    refused: Option<Failure>,
}

impl TraceWriter {
    pub(crate) fn create(
        directory: &Directory,
        target: Utf8PathBuf,
        redactor: Arc<Redactor>,
        limits: TraceLimits,
    ) -> Result<Self, TraceError> {
        let folder = target.parent().unwrap_or(Utf8Path::new("."));
        directory.create_dir_all(folder)?;
        let pending = PendingTrace::free_name(directory, &target)?;
        let file = directory.pending(&pending)?;
        Ok(Self {
            directory: directory.clone(),
            target,
            pending,
            file,
            redactor,
            commands: Commands::default(),
            seen: SeenSecrets::default(),
            limits,
            stats: TraceStats::default(),
            digest: Sha256::new(),
            emitted_bytes: 0,
            index: EventIndex::default(),
            repeated: HashMap::new(),
            revealing: HashSet::new(),
            plain: HashSet::new(),
            line: Vec::new(),
            refused: None,
        })
    }

    /// Tells the commands of the repository from what the person typed.
    pub fn with_commands(self, commands: Commands) -> Self {
        Self { commands, ..self }
    }

    /// Starts a trace that already contains the archived events up to `mark`. Returns `None` if there is no such trace:
    /// then the whole session is read.
    pub(crate) fn resume(
        directory: &Directory,
        target: Utf8PathBuf,
        redactor: Arc<Redactor>,
        limits: TraceLimits,
        mark: TraceMark,
    ) -> Result<Option<Self>, TraceError> {
        let archived = match TraceFile::with_index(directory, &target, Arc::default()) {
            Ok(archived) => archived,
            Err(TraceError::Fs(error)) if error.is_not_found() => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut writer = Self::create(directory, target, redactor, limits)?;
        let is_complete = writer.copy(archived, mark)?;
        Ok(is_complete.then_some(writer))
    }

    /// Copies archived events; returns false if the archive does not match the mark.
    fn copy(&mut self, mut archived: TraceFile, mark: TraceMark) -> Result<bool, TraceError> {
        while self.stats.bytes < mark.bytes {
            let event = match archived.next_event() {
                Ok(Some(event)) => event,
                Ok(None) | Err(TraceError::Damaged { .. } | TraceError::LineTooLong { .. }) => {
                    return Ok(false);
                }
                Err(error) => return Err(error),
            };
            let Some(role) = tidy::role(&event.role) else {
                return Ok(false);
            };
            self.emitted_bytes += event.text.len() as u64;
            self.remember_call(&event);
            self.append(&event, role)?;
        }
        let is_long = self.stats.bytes == mark.bytes && self.stats.events == mark.events;
        Ok(is_long && digest_of(&self.digest) == mark.digest)
    }

    /// Returns the figures so far.
    pub fn stats(&self) -> &TraceStats {
        &self.stats
    }

    /// Ends the trace: it can be read, and is then archived or dropped.
    pub fn finish(self) -> Result<PendingTrace, TraceError> {
        self.end(PendingFile::commit)
    }

    /// Ends a trace that is read and then dropped, so that it need not be synced.
    pub fn finish_temporary(self) -> Result<PendingTrace, TraceError> {
        self.end(PendingFile::publish)
    }

    fn end(
        self,
        publish: impl FnOnce(PendingFile) -> Result<(), FsError>,
    ) -> Result<PendingTrace, TraceError> {
        if let Some(refused) = self.refused {
            return Err(TraceError::Unfinished {
                path: self.directory.path().join(&self.target),
                reason: refused.message,
            });
        }
        publish(self.file)?;
        Ok(PendingTrace::new(
            self.directory,
            self.pending,
            self.target,
            self.stats,
            digest_of(&self.digest),
            self.index,
        ))
    }

    fn take(&mut self, mut event: Event) -> Result<(), TraceError> {
        self.emitted_bytes = self.emitted_bytes.saturating_add(event.text.len() as u64);
        if self.emitted_bytes > self.limits.emitted_bytes {
            return Err(TraceError::OverLimit {
                path: self.directory.path().join(&self.target),
                allowed: self.limits.emitted_bytes,
            });
        }

        self.redactor.clean_id(&mut event.id);
        let record = &mut event.origin.record;
        if !self.plain.contains(record.as_str()) {
            self.redactor.clean_id(record);
            remember_plain(&mut self.plain, record);
        }
        let mut problems = Vec::new();
        let role = tidy::mend(&mut event, self.stats.events + 1, |problem| {
            problems.push(problem)
        });
        if let Some(problem) = self.rename_repeated(&mut event) {
            problems.push(problem);
        }
        for problem in problems {
            let origin = &event.origin;
            self.note(&origin.record, origin.start, origin.end, &problem);
        }
        self.remember_call(&event);
        if role == "user" && event.kind == "text" && self.commands.are_in(&event.text) {
            event.kind = "injected".to_owned();
            let by = ("injected_by".to_owned(), "command".to_owned());
            event.attrs.0.push(by);
        }
        self.redact(&mut event);
        tidy::cut(&mut event, self.limits.event_text_bytes);
        self.append(&event, role)
    }

    /// Renames a repeated id to `~2`, `~3`, …
    fn rename_repeated(&mut self, event: &mut Event) -> Option<String> {
        if !self.index.contains(&event.id) {
            return None;
        }
        let count = self.repeated.entry(hash(&event.id)).or_insert(1);
        let id = loop {
            *count += 1;
            let id = format!("{}~{count}", event.id);
            if !self.index.contains(&id) {
                break id;
            }
        };
        let problem = format!("event id `{}` came again, now `{id}`", event.id);
        event.id = id;
        Some(problem)
    }

    /// Remembers a call that prints a file of secrets, because its output does not name the file, and whether a call may be
    /// a note.
    fn remember_call(&mut self, event: &Event) {
        if event.kind != "tool-call" {
            return;
        }
        if self.redactor.reads_secret(&event.text) {
            self.revealing.insert(call(event));
        }
        let tool = event.attrs.get("tool").unwrap_or_default();
        self.stats.may_have_notes = self.stats.may_have_notes
            || tool.ends_with(NOTE_TOOL)
            || event.text.contains("acreta")
            || event.text.contains(NOTE_TOOL);
    }

    fn redact(&mut self, event: &mut Event) {
        let reveals = event.kind == "tool-result" && self.revealing.contains(&call(event));
        let counts = &mut self.stats.redactions;
        if reveals {
            let clean = self.seen.note_contents(&self.redactor, &event.text, counts);
            if let Cow::Owned(clean) = clean {
                event.text = clean;
            }
        }
        let attrs = event.attrs.0.iter_mut();
        let attrs = attrs.flat_map(|(name, value)| [name, value]);
        for text in attrs.chain([&mut event.text]) {
            let is_plain = text.len() <= PLAIN_BYTES && self.plain.contains(text.as_str());
            let clean = match is_plain {
                true => self.seen.remove(text, counts),
                false => self.seen.redact(&self.redactor, text, counts),
            };
            match clean {
                Cow::Owned(clean) => *text = clean,
                Cow::Borrowed(_) => remember_plain(&mut self.plain, text),
            }
        }
    }

    fn append(&mut self, event: &Event, role: &'static str) -> Result<(), TraceError> {
        self.line.clear();
        serde_json::to_writer(&mut self.line, event).map_err(|cause| TraceError::Damaged {
            path: self.directory.path().join(&self.pending),
            offset: self.stats.bytes,
            cause,
        })?;
        self.line.push(b'\n');
        self.file.append(&self.line)?;
        self.digest.update(&self.line);

        self.index.insert(&event.id, self.stats.bytes);
        let stats = &mut self.stats;
        stats.events += 1;
        stats.bytes += self.line.len() as u64;
        stats.text_bytes += event.text.len() as u64;
        stats.first_ms = stats.first_ms.into_iter().chain(event.at_ms).min();
        stats.last_ms = stats.last_ms.max(event.at_ms);
        *stats.by_role.entry(role).or_default() += 1;
        Ok(())
    }

    fn note(&mut self, record: &str, start: u64, end: u64, message: &str) {
        let clean = self
            .redactor
            .redact_into(message, &mut self.stats.redactions);
        let diagnostic = Diagnostic {
            record: acreta_text::head(&self.redactor.redact(record).text, 256).to_owned(),
            start,
            end,
            message: acreta_text::head(&clean, 1024).to_owned(),
        };
        match diagnostic.is_of_unknown_type() {
            true => self.stats.unknown_types += 1,
            false => self.stats.diagnostics_total += 1,
        }
        if self.stats.diagnostics.len() < self.limits.diagnostics {
            self.stats.diagnostics.push(diagnostic);
        }
    }
}

/// The tool of acreta's MCP server with which agents note something.
const NOTE_TOOL: &str = "memory_note";

/// Longest text that is remembered, and the number of texts.
const PLAIN_BYTES: usize = 64;
const PLAIN_TEXTS: usize = 4096;

/// Remembers a text in which no secret was found. A full memory starts anew, so that recent texts are in it.
fn remember_plain(plain: &mut HashSet<String>, text: &str) {
    if text.len() <= PLAIN_BYTES && !plain.contains(text) {
        if plain.len() == PLAIN_TEXTS {
            plain.clear();
        }
        plain.insert(text.to_owned());
    }
}

fn digest_of(hasher: &Sha256) -> [u8; 32] {
    hasher.clone().finalize().into()
}

/// Returns the call that an event is or answers; all events without an id share one.
fn call(event: &Event) -> u64 {
    hash(event.attrs.get("call_id").unwrap_or_default())
}

impl EventSink for TraceWriter {
    /// After a failure every further batch is refused as well, so that no trace has a gap.
    fn emit(&mut self, batch: Vec<Event>) -> Result<(), Failure> {
        if let Some(refused) = &self.refused {
            return Err(refused.clone());
        }
        for event in batch {
            if let Err(error) = self.take(event) {
                let failure = error.to_failure();
                self.refused = Some(failure.clone());
                return Err(failure);
            }
        }
        Ok(())
    }

    fn diagnose(&mut self, record: &str, start: u64, end: u64, message: &str) {
        self.note(record, start, end, message);
    }
}
