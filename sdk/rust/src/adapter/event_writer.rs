//! Turns records into events: assigns author and author, and links results to their calls.
//!
//! Only text that a person typed becomes `text` of the `user`. Text that acreta itself inserted into a conversation is
//! always marked, so that acreta does not learn from its own output.

use std::collections::BTreeSet;

use crate::adapter::{Attrs, Event, Failure, Origin, Sink};

use crate::adapter::author::{self, Author, Piece, Wrapping};
use crate::adapter::calls::Calls;
use crate::adapter::output::Output;
use crate::adapter::record_span::{RecordSpan, attr, shorten};

/// Maximum number of distinct problems that are reported once each.
const MOST_UNKNOWN: usize = 64;

/// Emits events to a sink, in the order of the conversation.
pub struct EventWriter<'s, S> {
    /// Tool calls that wait for their result.
    pub calls: Calls,
    output: Output<'s, S>,
    /// Messages that were reported once and are not repeated.
    unknown: BTreeSet<String>,
}

impl<'s, S: Sink> EventWriter<'s, S> {
    pub fn new(sink: &'s mut S, calls: Calls) -> Self {
        Self {
            calls,
            output: Output::new(sink),
            unknown: BTreeSet::new(),
        }
    }

    /// Emits a text in the position of the person, split by author.
    pub fn person(
        &mut self,
        place: &mut RecordSpan,
        text: &str,
        wrapping: &Wrapping,
    ) -> Result<(), Failure> {
        for piece in author::split(text, wrapping) {
            self.piece(place, piece)?;
        }
        Ok(())
    }

    /// Emits one piece of such a text.
    pub fn piece(&mut self, place: &mut RecordSpan, piece: Piece<'_>) -> Result<(), Failure> {
        match piece.author {
            Author::Own => self.emit(place, "user", "text", piece.text, Attrs::new()),
            Author::Command(name) => {
                let attrs = vec![attr("command", name)];
                self.emit(place, "user", "text", piece.text, attrs)
            }
            Author::Note => self.emit(place, "user", "note", piece.text, Attrs::new()),
            Author::Compaction => self.emit(place, "user", "compaction", piece.text, Attrs::new()),
            Author::Injected(by) => self.injected(place, "user", by, piece.text),
        }
    }

    /// Emits text that the tooling inserted under the name of `role`.
    pub fn injected(
        &mut self,
        place: &mut RecordSpan,
        role: &str,
        by: &str,
        text: String,
    ) -> Result<(), Failure> {
        if text.trim().is_empty() {
            return Ok(());
        }
        let by = if author::is_brief(&text) {
            author::ACRETA
        } else {
            by
        };
        self.emit(place, role, "injected", text, vec![attr("injected_by", by)])
    }

    /// Emits the agent's words (`text`) or thoughts (`thinking`). Blank texts are left out.
    pub fn assistant(
        &mut self,
        place: &mut RecordSpan,
        kind: &str,
        text: String,
        attrs: Attrs,
    ) -> Result<(), Failure> {
        if text.trim().is_empty() {
            return Ok(());
        }
        self.emit(place, "assistant", kind, text, attrs)
    }

    /// Emits a tool call with its input as text. The call then waits for its result.
    pub fn tool_call(
        &mut self,
        place: &mut RecordSpan,
        tool: &str,
        call: &str,
        input: String,
        further: Attrs,
    ) -> Result<(), Failure> {
        self.calls.open(call, tool);
        let mut attrs = vec![attr("tool", tool), attr("call_id", call)];
        attrs.extend(further);
        self.emit(place, "assistant", "tool-call", input, attrs)
    }

    /// Emits the result of a call. Results of acreta's own tools are marked as its echo.
    pub fn tool_result(
        &mut self,
        place: &mut RecordSpan,
        call: &str,
        text: String,
        is_error: bool,
    ) -> Result<(), Failure> {
        let tool = self.calls.close(call);
        self.result_of(place, tool.as_deref(), call, text, is_error)
    }

    /// Emits a result whose record names its tool.
    pub fn result_of(
        &mut self,
        place: &mut RecordSpan,
        tool: Option<&str>,
        call: &str,
        text: String,
        is_error: bool,
    ) -> Result<(), Failure> {
        let is_own = tool.is_some_and(author::is_own_tool) || author::is_brief(&text);
        let mut attrs = Attrs::new();
        attrs.extend(tool.map(|tool| attr("tool", tool)));
        attrs.push(attr("call_id", call));
        if is_error {
            attrs.push(attr("is_error", "true"));
        }
        let kind = if is_own {
            attrs.push(attr("injected_by", author::ACRETA));
            "injected"
        } else {
            "tool-result"
        };
        self.emit(place, "tool", kind, text, attrs)
    }

    /// Emits one event of the record at `place`.
    pub fn emit(
        &mut self,
        place: &mut RecordSpan,
        role: &str,
        kind: &str,
        text: String,
        mut attrs: Attrs,
    ) -> Result<(), Failure> {
        attrs.extend(place.attrs.iter().cloned());
        let event = Event {
            id: place.event_id(),
            origin: Origin {
                record: place.record.clone(),
                start: place.start,
                end: place.end,
            },
            role: role.to_owned(),
            kind: kind.to_owned(),
            at_ms: place.at_ms,
            text,
            attrs,
        };
        place.events += 1;
        self.output.event(event)
    }

    /// Reports that characters of the record were replaced, if any were.
    pub fn close(&mut self, place: &RecordSpan) {
        if place.damaged {
            self.diagnose(place, "characters that are not valid were replaced");
        }
    }

    /// Reports a problem with the record at `place`.
    pub fn diagnose(&mut self, place: &RecordSpan, message: &str) {
        self.output
            .diagnose(&place.record, place.start, place.end, message);
    }

    /// Reports a problem, the first time this message is used.
    pub fn diagnose_once(&mut self, place: &RecordSpan, message: &str) {
        if self.unknown.len() < MOST_UNKNOWN && self.unknown.insert(message.to_owned()) {
            self.output.diagnose("", place.start, place.end, message);
        }
    }

    /// Reports once that there are records, blocks, … of a type that this adapter does not know.
    pub fn unknown(&mut self, place: &RecordSpan, what: &str, name: &str) {
        let message = format!("{what} of the unknown type `{}`", shorten(name));
        self.diagnose_once(place, &message);
    }

    /// Sends the remaining events and returns the calls that still wait.
    pub fn finish(self) -> Result<Calls, Failure> {
        self.output.finish()?;
        Ok(self.calls)
    }
}
