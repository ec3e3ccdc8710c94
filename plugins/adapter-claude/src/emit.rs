//! Turns records into events: the conversation itself. Other records are in `aside`.
//!
//! Every event has its speaker, and only text that a person typed is `text` of the `user`. A record is emitted once,
//! however often the file repeats it, and always in the order of the file.

use std::collections::HashSet;

use acreta_sdk::adapter::author::Author;
use acreta_sdk::adapter::json::{self, Text, Value};
use acreta_sdk::adapter::objects::{ScannedItem, ScannedKind};
use acreta_sdk::adapter::{self as kit, Attrs, Failure, RecordSpan, Session, Sink, Tokens, attr};

use crate::author;
use crate::place::{Speaker, place_of, result_text, uuid_in};
use crate::record::{Block, Content, Lines, Message, Record};
use crate::state::State;

/// Model name of messages that Claude Code itself writes in place of a model.
const SYNTHETIC: &str = "<synthetic>";

/// Types of records without conversation.
const BOOKKEEPING: [&str; 34] = [
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
    "api-request",
    "api-request-blob",
    "api-request-shape",
    "tools-used",
    "cost-state",
    "goal-state",
    "session-branch",
    "speculation-accept",
    "marble-origami-commit",
    "marble-origami-snapshot",
];

pub(crate) struct EventWriter<'s, S> {
    pub(crate) told: kit::EventWriter<'s, S>,
    pub(crate) state: State,
    /// The session id in the file's own records.
    session: String,
    /// Hashes of the uuids emitted so far.
    seen: HashSet<u64>,
    /// The version of Claude Code that wrote the record.
    version: String,
}

impl<'s, S: Sink> EventWriter<'s, S> {
    pub(crate) fn new(
        session: &Session,
        mut state: State,
        seen: HashSet<u64>,
        sink: &'s mut S,
    ) -> Self {
        Self {
            told: kit::EventWriter::new(sink, std::mem::take(&mut state.calls)),
            state,
            session: session.parent.as_ref().unwrap_or(&session.id).clone(),
            seen,
            version: String::new(),
        }
    }

    /// Sends the remaining events and returns the state for the next read.
    pub(crate) fn finish(self) -> Result<State, Failure> {
        Ok(State {
            calls: self.told.finish()?,
            ..self.state
        })
    }

    pub(crate) fn take(&mut self, found: ScannedItem<'_, Lines>) -> Result<(), Failure> {
        match found.what {
            ScannedKind::Record(record) => return self.record(&record, found.start, found.end),
            ScannedKind::Damage(cause, bytes) => {
                let place = RecordSpan::new(uuid_in(bytes), found.start, found.end, None);
                self.told.diagnose(&place, cause);
            }
            ScannedKind::Unfinished => {
                let place = RecordSpan::new("", found.start, found.end, None);
                let message = "unfinished at the end of the file, left for the next read";
                self.told.diagnose(&place, message);
            }
        }
        Ok(())
    }

    fn record(&mut self, record: &Record<'_>, start: u64, end: u64) -> Result<(), Failure> {
        let Some(kind) = record.kind else {
            let place = RecordSpan::new("", start, end, None);
            self.told.diagnose_once(&place, "a record without a type");
            return Ok(());
        };
        let kind = kind.lossy();
        let is_repeated = record.key().is_some_and(|key| !self.seen.insert(key));
        if is_repeated || BOOKKEEPING.contains(&&*kind) {
            return Ok(());
        }
        let mut place = place_of(record, start, end, &self.session);
        self.version = record
            .version
            .map(Text::lossy)
            .unwrap_or_default()
            .into_owned();
        match &*kind {
            "assistant" => {
                self.state.is_after_command = false;
                self.assistant(record, &mut place)?;
            }
            "user" => self.user(record, &mut place)?,
            "system" => self.system(record, &mut place)?,
            "attachment" => self.attachment(record, &mut place)?,
            "queue-operation" => self.queue_operation(record, &mut place)?,
            other => self.told.unknown(&place, "records", other),
        }
        self.told.close(&place);
        Ok(())
    }

    fn assistant(&mut self, record: &Record<'_>, place: &mut RecordSpan) -> Result<(), Failure> {
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
                        other => self.told.unknown(place, "blocks", other),
                    }
                }
                Ok(())
            }
        }
    }

    fn said(
        &mut self,
        place: &mut RecordSpan,
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
        self.told.emit(place, role, kind, text.into_owned(), attrs)
    }

    fn tool_call(
        &mut self,
        block: &Block<'_>,
        message: &Message<'_>,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        let tool = block.name.map(Text::lossy).unwrap_or_default();
        let call = block.id.map(Text::lossy).unwrap_or_default();
        let attrs = self.message_attrs(message, place);
        let input = place.lossy(json::compact(
            block.input.map(Value::raw).unwrap_or_default(),
        ));
        self.told.tool_call(place, &tool, &call, input, attrs)
    }

    /// Returns the id of an API message, its tokens as far as no event before has them, and for its first event its model.
    fn message_attrs(&mut self, message: &Message<'_>, place: &RecordSpan) -> Attrs {
        let mut attrs = Attrs::new();
        let tokens = message.tokens().unwrap_or_default();
        let (tokens, is_first) = match message.id.map(Text::lossy) {
            Some(id) => {
                let counted = self.state.count_message(&id, tokens);
                attrs.push(attr("message_id", id));
                counted
            }
            None if place.events == 0 => (tokens, true),
            None => (Tokens::default(), false),
        };
        if is_first && let Some(model) = message.model {
            attrs.push(attr("model", model.lossy()));
        }
        attrs.extend(tokens.attrs());
        attrs
    }

    fn user(&mut self, record: &Record<'_>, place: &mut RecordSpan) -> Result<(), Failure> {
        let Some(message) = &record.message else {
            return self.without_message(place);
        };
        let origin = record
            .origin
            .and_then(|origin| origin.field("kind"))
            .and_then(Value::text);
        // A command's text follows it in blocks. What a person types is a text, or has other records before it.
        let is_expanded =
            self.state.is_after_command && matches!(message.content, Content::Blocks(_));
        let speaker = if record.is_compact_summary {
            Speaker::Compaction
        } else if record.is_of_agent() {
            Speaker::Tooling("agent".to_owned())
        } else if record.is_meta {
            Speaker::Tooling("meta".to_owned())
        } else if is_expanded {
            Speaker::Tooling("command".to_owned())
        } else if record.has_plan {
            Speaker::Tooling("plan".to_owned())
        } else if record.is_of_tool {
            Speaker::Tooling("tool".to_owned())
        } else {
            Speaker::of_origin(origin)
        };
        let first = message.content.first_text();
        let is_command = first.is_some_and(|text| author::is_command(&text.lossy()));
        self.state.is_after_command = is_command || is_expanded;
        if is_command && let Content::Blocks(blocks) = &message.content {
            let (command, rest) = blocks.split_at(blocks.len().min(1));
            self.user_blocks(command, &speaker, place)?;
            return self.user_blocks(rest, &Speaker::Tooling("command".to_owned()), place);
        }
        self.user_content(&message.content, &speaker, place)
    }

    pub(crate) fn user_content(
        &mut self,
        content: &Content<'_>,
        speaker: &Speaker,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        match content {
            Content::Missing => self.without_message(place),
            Content::Text(text) => self.user_text(*text, speaker, place),
            Content::Blocks(blocks) => self.user_blocks(blocks, speaker, place),
        }
    }

    fn user_blocks(
        &mut self,
        blocks: &[Block<'_>],
        speaker: &Speaker,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        for block in blocks {
            match &*block.kind.lossy() {
                "text" | "" => {
                    if let Some(text) = block.text {
                        self.user_text(text, speaker, place)?;
                    }
                }
                thing @ ("image" | "document") => {
                    let note = format!("[{thing}]");
                    self.told.emit(place, "user", "note", note, Attrs::new())?;
                }
                result if result.ends_with("tool_result") => self.tool_result(block, place)?,
                other => self.told.unknown(place, "blocks", other),
            }
        }
        Ok(())
    }

    fn user_text(
        &mut self,
        text: Text<'_>,
        speaker: &Speaker,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        let text = place.decode(text);
        self.user_words(&text, speaker, place)
    }

    pub(crate) fn user_words(
        &mut self,
        text: &str,
        speaker: &Speaker,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        if matches!(speaker, Speaker::Compaction) {
            return self
                .told
                .emit(place, "user", "compaction", text.to_owned(), Attrs::new());
        }
        for piece in author::split(text) {
            match (piece.author, speaker) {
                (Author::Injected(_) | Author::Compaction, _) | (_, Speaker::Person) => {
                    self.told.piece(place, piece)?;
                }
                (_, Speaker::Tooling(by)) => self.told.injected(place, "user", by, piece.text)?,
                (_, Speaker::Compaction) => {}
            }
        }
        Ok(())
    }

    fn tool_result(&mut self, block: &Block<'_>, place: &mut RecordSpan) -> Result<(), Failure> {
        let call = block.call.map(Text::lossy).unwrap_or_default();
        let text = result_text(block.content, place);
        let tool = self.told.calls.tool(&call).unwrap_or_default();
        let is_refused = block.is_error && author::reports_errors_itself(tool, &self.version);
        let words = author::refusal(&text).filter(|_| is_refused);
        let words = words.map(str::to_owned);
        self.told.tool_result(place, &call, text, block.is_error)?;
        match words {
            Some(words) => {
                let attrs = vec![attr("call_id", call)];
                self.told.emit(place, "user", "text", words, attrs)
            }
            None => Ok(()),
        }
    }

    fn without_message(&mut self, place: &RecordSpan) -> Result<(), Failure> {
        self.told
            .diagnose(place, "a record of the conversation without a message");
        Ok(())
    }
}
