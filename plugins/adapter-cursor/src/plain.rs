//! Older transcripts, as plain text: `user:` and `assistant:` on separate lines, and between them `[Thinking]`, `[Tool
//! call]` with its arguments indented, and `[Tool result]`.
//!
//! Such a file is rewritten as a whole, and is read as a whole.
//!
//! Nothing is escaped: an answer with a settings file has lines like `user:`, too. Where the first prompt is in its tags, only
//! a section with the tags is a prompt.

use acreta_sdk::adapter::calls::Calls;
use acreta_sdk::adapter::{
    Attrs, Cursor, EventWriter, Failure, RecordSpan, Session, Sink, Speaker, Unique, document,
};

use crate::{author, transcript};

/// Tags around the person's words; only the closing tag ends them.
const QUERY: (&str, &str) = ("<user_query>", "</user_query>");

/// Reports whether a text begins as such a transcript.
pub(crate) fn is_own(beginning: &[u8]) -> bool {
    let text = String::from_utf8_lossy(beginning);
    let mut lines = text.lines().skip_while(|line| line.trim().is_empty());
    let is_user = lines.next().is_some_and(|line| line.trim_end() == "user:");
    is_user && lines.any(|line| line.starts_with(QUERY.0) || is_assistant(line))
}

fn is_assistant(line: &str) -> bool {
    matches!(line.trim_end(), "assistant:" | "A:")
}

/// Returns the session in a transcript.
pub(crate) fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
    let bytes = document::load(path)?;
    let state = document::after(&bytes);
    let digits = state.state.iter().map(|byte| format!("{byte:02x}"));
    let revision = format!("{}:{}", state.offset, digits.collect::<String>());
    Ok(vec![transcript::session(path, revision)])
}

/// Reads a transcript as a whole.
pub(crate) fn read(
    session: &Session,
    from: &Cursor,
    sink: &mut impl Sink,
) -> Result<Cursor, Failure> {
    let bytes = document::load(&session.path)?;
    if !document::is_told(&bytes, from)? {
        let mut reader = Reader {
            told: EventWriter::new(sink, Calls::default()),
            unique: Unique::default(),
            speaker: Speaker::of(session),
            open: Vec::new(),
            section: Section::Nothing,
            text: String::new(),
            is_quoted: false,
            has_tags: None,
            span: (0, 0),
        };
        let mut at = 0;
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            reader.line(line, at)?;
            at += line.len();
        }
        reader.close()?;
        reader.told.finish()?;
    }
    Ok(document::after(&bytes))
}

/// The section that the current lines belong to.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Section {
    /// Before the first speaker.
    Nothing,
    User,
    Assistant,
    /// Up to a blank line or, if it is an element, to its end.
    Thinking {
        is_element: bool,
    },
    /// While lines are indented.
    Call(String),
    Result(String),
}

/// Thinking that is an element, and its tags.
const ELEMENT: Section = Section::Thinking { is_element: true };
const THINK: (&str, &str) = ("<think>", "</think>");

/// A transition from one section to the next, within a line.
struct Step<'a> {
    /// Text of the section before.
    before: &'a str,
    next: Section,
    /// Text of the next section.
    rest: &'a str,
}

struct Reader<'s, S> {
    told: EventWriter<'s, S>,
    /// Several sections may start on one line.
    unique: Unique,
    speaker: Speaker,
    /// Calls without a result: tool and id.
    open: Vec<(String, String)>,
    section: Section,
    text: String,
    /// The person's words are opened and not closed yet.
    is_quoted: bool,
    /// The first prompt is in its tags.
    has_tags: Option<bool>,
    span: (u64, u64),
}

impl<S: Sink> Reader<'_, S> {
    fn line(&mut self, line: &[u8], at: usize) -> Result<(), Failure> {
        let text = String::from_utf8_lossy(line);
        let mut text = text.trim_end_matches(['\n', '\r']);
        let end = (at + line.len()) as u64;
        while !self.is_quoted {
            let Some(step) = self.step(text) else { break };
            let is_element = self.section == ELEMENT || step.next == ELEMENT;
            if self.section == ELEMENT {
                self.add(step.before);
                self.span.1 = end;
            }
            self.close()?;
            self.section = step.next;
            self.span = (at as u64, end);
            text = step.rest;
            // After the start or the end of an element, another section may start.
            if !is_element || text.trim().is_empty() {
                break;
            }
        }
        if self.section == Section::User {
            self.is_quoted = match (text.rfind(QUERY.0), text.rfind(QUERY.1)) {
                (None, None) => self.is_quoted,
                (opened, closed) => opened > closed,
            };
        }
        self.add(text);
        self.span.1 = end;
        Ok(())
    }

    fn add(&mut self, text: &str) {
        if !text.is_empty() || !self.text.is_empty() {
            self.text.push_str(text);
            self.text.push('\n');
        }
    }

    /// Returns the section that a text starts; `None` if it continues the current one.
    fn step<'a>(&self, text: &'a str) -> Option<Step<'a>> {
        let step = |next, rest| {
            let before = "";
            Some(Step { before, next, rest })
        };
        if text.trim_end() == "user:" {
            return step(Section::User, "");
        }
        if is_assistant(text) {
            return step(Section::Assistant, "");
        }
        if matches!(self.section, Section::Nothing | Section::User) {
            return None;
        }
        if self.section == ELEMENT {
            let (before, rest) = text.split_once(THINK.1)?;
            let next = Section::Assistant;
            return Some(Step { before, next, rest });
        }
        if let Some(rest) = text.strip_prefix(THINK.0) {
            return step(ELEMENT, rest);
        }
        if let Some(rest) = text.strip_prefix("[Thinking]") {
            return step(Section::Thinking { is_element: false }, rest.trim_start());
        }
        if let Some(tool) = text.strip_prefix("[Tool call]") {
            return step(Section::Call(tool.trim().to_owned()), "");
        }
        if let Some(tool) = text.strip_prefix("[Tool result]") {
            return step(Section::Result(tool.trim().to_owned()), "");
        }
        let is_blank = text.trim().is_empty();
        let ends = match &self.section {
            Section::Thinking { .. } | Section::Result(_) => is_blank,
            Section::Call(_) => !is_blank && !text.starts_with([' ', '\t']),
            _ => false,
        };
        if ends {
            step(Section::Assistant, text)
        } else {
            None
        }
    }

    /// Emits the current section.
    fn close(&mut self) -> Result<(), Failure> {
        let text = std::mem::take(&mut self.text);
        let text = text.trim_end();
        let mut place = RecordSpan::new("", self.span.0, self.span.1, None);
        if self.section != Section::Nothing {
            self.unique.name(&mut place, &format!("@{}", self.span.0));
        }
        place.damaged = text.contains(char::REPLACEMENT_CHARACTER);
        let told = &mut self.told;
        match &self.section {
            Section::Nothing => {
                if !text.trim().is_empty() {
                    told.diagnose(&place, "text before the first speaker");
                }
            }
            Section::User => {
                let is_tagged = text.contains(QUERY.0);
                match *self.has_tags.get_or_insert(is_tagged) && !is_tagged {
                    true => told.injected(&mut place, "user", "quotation", text.to_owned())?,
                    false => author::prompt(told, self.speaker, text, &mut place)?,
                }
            }
            Section::Assistant => {
                told.assistant(&mut place, "text", text.trim().to_owned(), Attrs::new())?;
            }
            Section::Thinking { .. } => {
                told.assistant(&mut place, "thinking", text.trim().to_owned(), Attrs::new())?;
            }
            Section::Call(tool) => {
                let id = place.event_id();
                self.open.push((tool.clone(), id.clone()));
                told.tool_call(&mut place, tool, &id, text.to_owned(), Attrs::new())?;
            }
            Section::Result(tool) => {
                let call = self.open.iter().position(|(open, _)| open == tool);
                let call = call
                    .map(|call| self.open.remove(call).1)
                    .unwrap_or_default();
                told.calls.close(&call);
                let tool = Some(&**tool);
                told.result_of(&mut place, tool, &call, text.to_owned(), false)?;
            }
        }
        told.close(&place);
        Ok(())
    }
}
