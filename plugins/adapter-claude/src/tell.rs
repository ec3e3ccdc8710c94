//! From records to events: the conversation itself. What surrounds it is in `aside`.
//!
//! Every event says who speaks, and only what a person typed is `text` of the `user`. A record is
//! told once, however often the file repeats it, and nothing is told in another order than the file's.

use std::collections::{BTreeSet, HashSet};

use acreta_sdk::adapter::{Attrs, Event, Failure, Origin, Session, Sink};

use crate::json::{self, Text, Value};
use crate::objects::{Found, What};
use crate::output::Output;
use crate::place::{Place, Speaker, attr, result_text, shorten, uuid_in};
use crate::record::{Block, Content, Message, Record};
use crate::state::State;
use crate::voice::{self, Voice};

/// Model name of what Claude Code itself says in the place of a model.
const SYNTHETIC: &str = "<synthetic>";

/// Tools whose results are acreta's own words.
const OWN_TOOLS: &str = "mcp__acreta__";

/// Types of records that tell nothing of the conversation.
const BOOKKEEPING: [&str; 24] = [
    "progress",
    "file-history-snapshot",
    "file-history-delta",
    "summary",
    "last-prompt",
    "mode",
    "permission-mode",
    "custom-title",
    "ai-title",
    "pr-link",
    "tag",
    "agent-name",
    "agent-color",
    "agent-setting",
    "worktree-state",
    "frame-link",
    "started",
    "result",
    "relocated",
    "bridge-session",
    "atis-latch",
    "attribution-snapshot",
    "content-replacement",
    "task-summary",
];

pub(crate) struct Teller<'s, S> {
    pub(crate) state: State,
    pub(crate) output: Output<'s, S>,
    /// The session id that the file's own records carry.
    session: String,
    /// Hashes of the uuids told so far.
    seen: HashSet<u64>,
    /// Types that were met and are not known.
    unknown: BTreeSet<String>,
}

impl<'s, S: Sink> Teller<'s, S> {
    pub(crate) fn new(
        session: &Session,
        state: State,
        seen: HashSet<u64>,
        sink: &'s mut S,
    ) -> Self {
        Self {
            state,
            output: Output::new(sink),
            session: session.parent.as_ref().unwrap_or(&session.id).clone(),
            seen,
            unknown: BTreeSet::new(),
        }
    }

    pub(crate) fn take(&mut self, found: Found<'_>) -> Result<(), Failure> {
        match found.what {
            What::Record(record) => return self.record(&record, found.start, found.end),
            What::Damage(cause, bytes) => {
                self.output
                    .diagnose(&uuid_in(bytes), found.start, found.end, cause);
            }
            What::Unfinished => {
                let message = "unfinished at the end of the file, left for the next read";
                self.output.diagnose("", found.start, found.end, message);
            }
        }
        Ok(())
    }

    fn record(&mut self, record: &Record<'_>, start: u64, end: u64) -> Result<(), Failure> {
        let Some(kind) = record.kind else {
            self.diagnose_once("a record without a type", start, end);
            return Ok(());
        };
        let kind = kind.lossy();
        let is_repeated = record.key().is_some_and(|key| !self.seen.insert(key));
        if is_repeated || BOOKKEEPING.contains(&&*kind) {
            return Ok(());
        }
        let mut place = Place::new(record, start, end, &self.session);
        match &*kind {
            "assistant" => self.assistant(record, &mut place)?,
            "user" => self.user(record, &mut place)?,
            "system" => self.system(record, &mut place)?,
            "attachment" => self.attachment(record, &mut place)?,
            "queue-operation" => self.queue_operation(record, &mut place)?,
            other => {
                let message = format!("records of the unknown type `{}`", shorten(other));
                self.diagnose_once(&message, start, end);
            }
        }
        if place.damaged {
            let message = "characters that are not valid were replaced";
            self.output.diagnose(&place.record, start, end, message);
        }
        Ok(())
    }

    fn assistant(&mut self, record: &Record<'_>, place: &mut Place) -> Result<(), Failure> {
        let Some(message) = &record.message else {
            return self.without_message(place);
        };
        let is_synthetic =
            record.is_api_error || message.model.is_some_and(|model| model.is(SYNTHETIC));
        let (role, kind) = if is_synthetic {
            ("system", "note")
        } else {
            ("assistant", "text")
        };
        match &message.content {
            Content::Missing => self.without_message(place),
            Content::Text(text) => self.said(place, message, role, kind, *text),
            Content::Blocks(blocks) => {
                for block in blocks {
                    match &*block.kind.lossy() {
                        "text" | "" => {
                            if let Some(text) = block.text {
                                self.said(place, message, role, kind, text)?;
                            }
                        }
                        "thinking" => {
                            if let Some(text) = block.thinking {
                                self.said(place, message, "assistant", "thinking", text)?;
                            }
                        }
                        "redacted_thinking" | "fallback" => {}
                        call if call.ends_with("tool_use") => {
                            self.tool_call(block, message, place)?;
                        }
                        result if result.ends_with("tool_result") => {
                            self.tool_result(block, place)?;
                        }
                        other => self.unknown_block(other, place),
                    }
                }
                Ok(())
            }
        }
    }

    fn said(
        &mut self,
        place: &mut Place,
        message: &Message<'_>,
        role: &str,
        kind: &str,
        text: Text<'_>,
    ) -> Result<(), Failure> {
        let text = place.decode(text);
        if text.trim().is_empty() {
            return Ok(());
        }
        let attrs = self.message_attrs(message, place);
        self.tell(place, role, kind, text.into_owned(), attrs)
    }

    fn tool_call(
        &mut self,
        block: &Block<'_>,
        message: &Message<'_>,
        place: &mut Place,
    ) -> Result<(), Failure> {
        let tool = block.name.map(Text::lossy).unwrap_or_default();
        let call = block.id.map(Text::lossy).unwrap_or_default();
        self.state.open_call(&call, &tool);
        let mut attrs = vec![attr("tool", tool), attr("call_id", call)];
        attrs.extend(self.message_attrs(message, place));
        let input = place.lossy(json::compact(
            block.input.map(Value::raw).unwrap_or_default(),
        ));
        self.tell(place, "assistant", "tool-call", input, attrs)
    }

    /// The id of an API message and, on the first event of it, its model and tokens.
    fn message_attrs(&mut self, message: &Message<'_>, place: &Place) -> Attrs {
        let mut attrs = Attrs::new();
        let is_first = match message.id.map(Text::lossy) {
            Some(id) => {
                let is_first = self.state.count_message(&id);
                attrs.push(attr("message_id", id));
                is_first
            }
            None => place.events == 0,
        };
        if !is_first {
            return attrs;
        }
        if let Some(model) = message.model {
            attrs.push(attr("model", model.lossy()));
        }
        if let Some((input, output)) = message.tokens() {
            attrs.push(attr("input_tokens", input.to_string()));
            attrs.push(attr("output_tokens", output.to_string()));
        }
        attrs
    }

    fn user(&mut self, record: &Record<'_>, place: &mut Place) -> Result<(), Failure> {
        let Some(message) = &record.message else {
            return self.without_message(place);
        };
        let origin = record
            .origin
            .and_then(|origin| origin.field("kind"))
            .and_then(Value::text);
        let speaker = if record.is_compact_summary {
            Speaker::Compaction
        } else if record.is_sidechain {
            Speaker::Tooling("agent".to_owned())
        } else if record.is_meta {
            Speaker::Tooling("meta".to_owned())
        } else {
            Speaker::of_origin(origin)
        };
        self.user_content(&message.content, &speaker, place)
    }

    pub(crate) fn user_content(
        &mut self,
        content: &Content<'_>,
        speaker: &Speaker,
        place: &mut Place,
    ) -> Result<(), Failure> {
        match content {
            Content::Missing => self.without_message(place),
            Content::Text(text) => self.user_text(*text, speaker, place),
            Content::Blocks(blocks) => {
                for block in blocks {
                    match &*block.kind.lossy() {
                        "text" | "" => {
                            if let Some(text) = block.text {
                                self.user_text(text, speaker, place)?;
                            }
                        }
                        thing @ ("image" | "document") => {
                            self.tell(place, "user", "note", format!("[{thing}]"), Attrs::new())?;
                        }
                        result if result.ends_with("tool_result") => {
                            self.tool_result(block, place)?;
                        }
                        other => self.unknown_block(other, place),
                    }
                }
                Ok(())
            }
        }
    }

    fn user_text(
        &mut self,
        text: Text<'_>,
        speaker: &Speaker,
        place: &mut Place,
    ) -> Result<(), Failure> {
        let text = place.decode(text);
        self.user_words(&text, speaker, place)
    }

    pub(crate) fn user_words(
        &mut self,
        text: &str,
        speaker: &Speaker,
        place: &mut Place,
    ) -> Result<(), Failure> {
        if matches!(speaker, Speaker::Compaction) {
            return self.tell(place, "user", "compaction", text.to_owned(), Attrs::new());
        }
        for piece in voice::split(text) {
            let mut attrs = Attrs::new();
            let kind = match (piece.voice, speaker) {
                (Voice::Compaction, _) => "compaction",
                (Voice::Injected(by), _) => {
                    let by = if voice::is_brief(&piece.text) {
                        voice::ACRETA
                    } else {
                        by
                    };
                    attrs.push(attr("injected_by", by));
                    "injected"
                }
                (_, Speaker::Tooling(by)) => {
                    attrs.push(attr("injected_by", &**by));
                    "injected"
                }
                (Voice::Note, _) => "note",
                (Voice::Command(name), _) => {
                    attrs.push(attr("command", name));
                    "text"
                }
                (Voice::Own, _) => "text",
            };
            self.tell(place, "user", kind, piece.text, attrs)?;
        }
        Ok(())
    }

    fn tool_result(&mut self, block: &Block<'_>, place: &mut Place) -> Result<(), Failure> {
        let call = block.call.map(Text::lossy).unwrap_or_default();
        let tool = self.state.close_call(&call);
        let text = result_text(block.content, place);
        let is_own = tool
            .as_ref()
            .is_some_and(|tool| tool.starts_with(OWN_TOOLS));
        let mut attrs = Attrs::new();
        attrs.extend(tool.map(|tool| attr("tool", tool)));
        attrs.push(attr("call_id", &*call));
        if block.is_error {
            attrs.push(attr("is_error", "true"));
        }
        let words = voice::refusal(&text).map(str::to_owned);
        let kind = if is_own || voice::is_brief(&text) {
            attrs.push(attr("injected_by", voice::ACRETA));
            "injected"
        } else {
            "tool-result"
        };
        self.tell(place, "tool", kind, text, attrs)?;
        match words {
            Some(words) => self.tell(place, "user", "text", words, vec![attr("call_id", call)]),
            None => Ok(()),
        }
    }

    /// Tells one event of the record at `place`.
    pub(crate) fn tell(
        &mut self,
        place: &mut Place,
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

    fn without_message(&mut self, place: &Place) -> Result<(), Failure> {
        let message = "a record of the conversation without a message";
        self.output
            .diagnose(&place.record, place.start, place.end, message);
        Ok(())
    }

    fn unknown_block(&mut self, kind: &str, place: &Place) {
        let message = format!("blocks of the unknown type `{}`", shorten(kind));
        self.diagnose_once(&message, place.start, place.end);
    }

    fn diagnose_once(&mut self, message: &str, start: u64, end: u64) {
        const MOST: usize = 64;
        if self.unknown.len() < MOST && self.unknown.insert(message.to_owned()) {
            self.output.diagnose("", start, end, message);
        }
    }
}
