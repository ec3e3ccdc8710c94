//! Turns the turns of a document into events.

use acreta_sdk::adapter::author::Author;
use acreta_sdk::adapter::calls::Calls;
use acreta_sdk::adapter::{Attrs, EventWriter, Failure, RecordSpan, Reply, Sink, attr};

use crate::author::{INTERRUPTED, is_command, split};
use crate::header::Speaker;
use crate::tool::Tool;
use crate::turns::{Document, Part, Turn};

/// Model name of messages that an agent's program itself writes in place of a model.
const SYNTHETIC: &str = "<synthetic>";

/// Mark of a session that SpecStory took over from another agent.
const RESUMED: &str = "Resumed from a ";

/// Text that follows a command within this time was not typed.
const AT_ONCE_MS: u64 = 2000;

/// Emits a whole document.
pub(crate) fn document<S: Sink>(bytes: &[u8], sink: &mut S) -> Result<(), Failure> {
    let mut told = Telling {
        event_writer: EventWriter::new(sink, Calls::default()),
        command_ms: None,
    };
    for turn in Document::new(bytes).turns() {
        told.turn(&turn)?;
    }
    told.event_writer.finish().map(|_| ())
}

struct Telling<'s, S> {
    event_writer: EventWriter<'s, S>,
    /// Time at which the person ran a command, if that was the preceding turn.
    command_ms: Option<u64>,
}

impl<S: Sink> Telling<'_, S> {
    fn turn(&mut self, turn: &Turn<'_>) -> Result<(), Failure> {
        let header = turn.header;
        let (start, end) = (turn.start as u64, turn.end as u64);
        let mut place = RecordSpan::new(turn.id, start, end, header.at_ms);
        // A message may be saved in several turns.
        place.id = Some(format!("@{start}"));
        if header.is_sidechain {
            place.attrs.push(attr("sidechain", "true"));
        }
        let command_ms = self.command_ms.take();
        let mut reply = Reply::new(header.model, None);
        for part in &turn.parts {
            match (header.speaker, part) {
                (_, Part::Tool(tag, inside)) => {
                    let inside = place.lossy(inside.to_vec());
                    let tool = Tool::of_block(tag, &inside);
                    self.tool(&mut place, tool, reply.take())?;
                }
                (_, Part::Open(text)) => {
                    let text = place.lossy(text.to_vec());
                    self.event_writer
                        .diagnose(&place, "a block that is never closed");
                    self.event_writer
                        .emit(&mut place, "system", "note", text, reply.take())?;
                }
                (_, Part::Thought(text)) => {
                    let text = place.lossy(text.to_vec());
                    let attrs = reply.take();
                    self.event_writer
                        .assistant(&mut place, "thinking", text, attrs)?;
                }
                (Speaker::Agent, Part::Words(text)) => {
                    let text = place.lossy(text.to_vec());
                    self.agent(turn, &mut place, text, &mut reply)?;
                }
                (Speaker::User, Part::Words(text)) => {
                    let text = place.lossy(text.to_vec());
                    let is_expansion = follows(command_ms, header.at_ms);
                    self.user(turn, &mut place, text, is_expansion)?;
                }
            }
        }
        self.event_writer.close(&place);
        Ok(())
    }

    fn agent(
        &mut self,
        turn: &Turn<'_>,
        place: &mut RecordSpan,
        text: String,
        reply: &mut Reply,
    ) -> Result<(), Failure> {
        let header = turn.header;
        // A subagent's task is recorded without a model.
        if header.is_sidechain && header.model.is_none() {
            return self.event_writer.injected(place, "user", "agent", text);
        }
        if text.starts_with(INTERRUPTED) {
            return self
                .event_writer
                .emit(place, "user", "note", text, Attrs::new());
        }
        if header.model == Some(SYNTHETIC) || text.starts_with(RESUMED) {
            return self
                .event_writer
                .emit(place, "system", "note", text, Attrs::new());
        }
        match Tool::of_words(&text) {
            Some(tool) => self.tool(place, tool, reply.take()),
            None => self
                .event_writer
                .assistant(place, "text", text, reply.take()),
        }
    }

    /// `is_expansion`: the text is the expansion of a command, and nobody typed it.
    fn user(
        &mut self,
        turn: &Turn<'_>,
        place: &mut RecordSpan,
        text: String,
        is_expansion: bool,
    ) -> Result<(), Failure> {
        if turn.header.is_sidechain {
            return self.event_writer.injected(place, "user", "agent", text);
        }
        if turn.is_doubtful {
            return self.event_writer.injected(place, "user", "quotation", text);
        }
        if is_command(&text) {
            self.command_ms = turn.header.at_ms;
        }
        for piece in split(&text) {
            match piece.author {
                Author::Own if is_expansion => {
                    self.event_writer
                        .injected(place, "user", "command", piece.text)?;
                }
                _ => self.event_writer.piece(place, piece)?,
            }
        }
        Ok(())
    }

    fn tool(&mut self, place: &mut RecordSpan, tool: Tool, attrs: Attrs) -> Result<(), Failure> {
        let call = place.event_id();
        self.event_writer
            .tool_call(place, &tool.name, &call, tool.input, attrs)?;
        match tool.result {
            Some(answer) => {
                let is_error = answer.is_error;
                self.event_writer
                    .tool_result(place, &call, answer.text, is_error)
            }
            None => Ok(()),
        }
    }
}

fn follows(before_ms: Option<u64>, at_ms: Option<u64>) -> bool {
    let times = before_ms.zip(at_ms);
    times.is_some_and(|(before, at)| at.saturating_sub(before) <= AT_ONCE_MS)
}
