//! A session as a person reads it: prompts as chapters, each tool call one row with its result, and all else folded to a
//! line. `sessions show` and the dashboard render these rows.
//!
//! ```text
//! GET …/outline     chapters, and the lines of each page: enough to lay out a session of any size
//! GET …/rows        a page of rows; spoken text is in them, up to a limit
//! GET …/rows/EVENT  the rest of one row: input and output of a call, all of a long text, its changes of files
//! GET …/find        the rows in which a text occurs
//! ```
//!
//! The rows are built in one pass over the trace and kept for the last few sessions that were read, so that a page costs
//! nothing but itself.

pub(super) mod edits;
pub(crate) mod kept;
mod open;
mod subject;

use std::collections::HashMap;

use acreta_types::Event;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use edits::FileEdit;
pub use kept::OpenSession;
pub use open::{FindRequest, RowsRequest, body, find_text, outline, read, rows};

use subject::Input;

/// Number of rows whose height `SessionOutline::pages` estimates together.
pub const PAGE_ROWS: usize = 20;

/// Maximum characters of a spoken text in a row; its body has the rest.
const SPOKEN: usize = 4_000;

/// Maximum characters of a row that is folded to a line.
const LINE: usize = 200;

/// Maximum characters of a prompt in the list of chapters.
const PROMPT: usize = 140;

/// Maximum characters of a text in a body.
const BODY: usize = 200_000;

/// Maximum number of chapters in an outline. A person reads a list of fewer.
const CHAPTERS: usize = 5_000;

/// Characters of a line of text in a wide window.
const LINE_WIDTH: usize = 96;

/// What a row shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RowKind {
    /// What the person typed; begins a chapter.
    Prompt,
    /// What the agent, or anybody else, said.
    Text,
    /// A tool call with its result.
    Call,
    Thinking,
    /// Text that a program put into the conversation.
    Injected,
    /// An image or a document, by name.
    Attachment,
    Compaction,
    Note,
}

/// One row of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReaderRow {
    /// Id of the event; of a call with its result, that of the call.
    pub id: String,
    /// Number of its event in the session, from 0.
    pub number: u64,
    pub kind: RowKind,
    /// `user`, `assistant`, `tool` or `system`.
    pub role: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<u64>,
    /// Spoken text as markdown; of anything else one line, of a call what it is about: a command, a path, a question.
    pub text: String,
    /// There is more in the body.
    pub truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The outcome of a call; absent if it has no result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<bool>,
    /// Id of the event with the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// Lines that an edit adds and removes.
    #[serde(default)]
    pub added: u64,
    #[serde(default)]
    pub removed: u64,
    /// The subagent that said or did this, if the session has its events.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subagent: Option<String>,
    /// Id of the session that this call started.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
}

/// The structure of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionOutline {
    pub events: u64,
    pub rows: u64,
    pub prompts: u64,
    pub calls: u64,
    pub failed: u64,
    /// The prompts, in order; at most 5,000 of them.
    pub chapters: Vec<SessionChapter>,
    /// Number of rows of a page.
    pub page_rows: u64,
    /// Estimated lines of each page.
    pub pages: Vec<u64>,
    /// Sessions that this one started.
    pub subagents: Vec<SessionLink>,
    /// The session that started this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<SessionLink>,
}

/// A prompt and what followed until the next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionChapter {
    /// Number of its first row, from 0.
    pub row: u64,
    pub id: String,
    /// The beginning of the prompt, on one line.
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<u64>,
    pub rows: u64,
    pub calls: u64,
    pub failed: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionLink {
    pub agent: String,
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// A part of the rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RowPage {
    pub rows: Vec<ReaderRow>,
    /// Number of rows before the first one.
    pub offset: u64,
    pub total: u64,
    /// Number of the row that has the requested event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub around: Option<u64>,
}

/// All of one row.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RowBody {
    pub text: String,
    /// The text was cut.
    pub truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    pub output_truncated: bool,
    /// Changes of files that the call makes or shows.
    pub changes: Vec<FileEdit>,
    /// Who injected the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub injected_by: Option<String>,
}

/// Rows in which a text occurs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RowMatches {
    /// Numbers of the rows, in order; at most 10,000 of them.
    pub rows: Vec<u64>,
    pub total: u64,
}

/// The rows of a session.
#[derive(Debug, Default)]
pub struct Reading {
    rows: Vec<ReaderRow>,
    events: u64,
    /// Row by id of an event, also by that of a result.
    places: HashMap<String, usize>,
    /// Calls without a result, by their own ids.
    calls: HashMap<String, usize>,
}

impl Reading {
    /// Adds the next event. Paths below `root` are shown relative to it; `children` are sessions that this one started.
    pub fn add(&mut self, event: Event, root: Option<&str>, children: &[SessionLink]) {
        self.events += 1;
        let attr = |name: &str| event.attrs.get(name).map(str::to_owned);
        let agent = attr("agent_id").or_else(|| {
            let is_sidechain = event.attrs.get("sidechain") == Some("true");
            is_sidechain.then(|| "subagent".to_owned())
        });
        // A call may name the session that it started, whose events are not here.
        let child = |id: &String| children.iter().any(|child| child.id == *id);
        let (session, subagent) = match agent {
            Some(id) if child(&id) => (Some(id), None),
            agent => (None, agent),
        };
        if event.kind == "tool-result"
            && let Some(place) = attr("call_id").and_then(|call| self.calls.remove(&call))
        {
            let row = &mut self.rows[place];
            row.failed = Some(event.attrs.get("is_error") == Some("true"));
            if row.session.is_none() && row.tool.as_deref().is_some_and(starts_agents) {
                let named = |child: &&SessionLink| event.text.contains(short(&child.id));
                row.session = children.iter().find(named).map(|child| child.id.clone());
            }
            row.result = Some(event.id.clone());
            self.places.insert(event.id, place);
            return;
        }
        let place = self.rows.len();
        let kind = kind_of(&event, subagent.is_some());
        if kind == RowKind::Call
            && event.kind == "tool-call"
            && let Some(call) = attr("call_id")
        {
            self.calls.insert(call, place);
        }
        self.places.insert(event.id.clone(), place);
        let mut row = ReaderRow {
            number: self.events - 1,
            kind,
            at_ms: event.at_ms,
            text: String::new(),
            truncated: false,
            tool: attr("tool"),
            failed: None,
            result: None,
            added: 0,
            removed: 0,
            subagent,
            session,
            id: event.id.clone(),
            role: event.role.clone(),
        };
        match kind {
            RowKind::Prompt | RowKind::Text => {
                (row.text, row.truncated) = cut(&event.text, SPOKEN);
            }
            RowKind::Call if event.kind == "tool-result" => {
                row.failed = Some(event.attrs.get("is_error") == Some("true"));
                row.result = Some(event.id.clone());
                row.text = line(&event.text);
            }
            RowKind::Call => {
                let input = Input::new(&event);
                let changes = edits::of_input(&input);
                row.added = changes.iter().map(|change| change.added).sum();
                row.removed = changes.iter().map(|change| change.removed).sum();
                let mut files: Vec<String> =
                    changes.into_iter().map(|change| change.path).collect();
                files.dedup();
                files.retain(|file| !file.is_empty());
                row.text = line(&input.subject(root, &files));
            }
            _ => {
                row.text = line(&event.text);
                row.truncated = row.text.len() < event.text.trim().len();
            }
        }
        self.rows.push(row);
    }

    pub fn rows(&self) -> &[ReaderRow] {
        &self.rows
    }

    /// Returns the row that has an event.
    pub fn place(&self, event: &str) -> Option<usize> {
        self.places.get(event).copied()
    }

    /// Returns the structure, without related sessions.
    pub fn outline(&self) -> SessionOutline {
        let mut outline = SessionOutline {
            events: self.events,
            rows: self.rows.len() as u64,
            page_rows: PAGE_ROWS as u64,
            ..SessionOutline::default()
        };
        for (place, row) in self.rows.iter().enumerate() {
            if row.kind == RowKind::Prompt {
                outline.prompts += 1;
                if outline.chapters.len() < CHAPTERS {
                    outline.chapters.push(SessionChapter {
                        row: place as u64,
                        id: row.id.clone(),
                        text: cut(&acreta_text::one_line(&row.text), PROMPT).0,
                        at_ms: row.at_ms,
                        rows: 0,
                        calls: 0,
                        failed: 0,
                    });
                }
            }
            let is_call = u64::from(row.kind == RowKind::Call);
            let has_failed = u64::from(row.failed == Some(true));
            outline.calls += is_call;
            outline.failed += has_failed;
            if let Some(chapter) = outline.chapters.last_mut() {
                chapter.rows += 1;
                chapter.calls += is_call;
                chapter.failed += has_failed;
            }
        }
        let pages = self.rows.chunks(PAGE_ROWS);
        outline.pages = pages.map(|page| page.iter().map(lines).sum()).collect();
        outline
    }

    /// Returns up to `limit` rows from `offset` on; with an event, the page of that size that has it.
    pub fn page(&self, offset: u64, limit: u64, event: Option<&str>) -> Option<RowPage> {
        let around = match event {
            Some(event) => Some(self.place(event)? as u64),
            None => None,
        };
        let offset = around.map_or(offset, |place| place - place % limit.max(1));
        let skip = usize::try_from(offset).unwrap_or(usize::MAX);
        let take = usize::try_from(limit).unwrap_or(usize::MAX);
        Some(RowPage {
            rows: self.rows.iter().skip(skip).take(take).cloned().collect(),
            offset: offset.min(self.rows.len() as u64),
            total: self.rows.len() as u64,
            around,
        })
    }
}

impl RowBody {
    /// Returns all of a row, from its event and that of its result.
    pub fn of(event: &Event, result: Option<&Event>) -> Self {
        let (text, truncated) = match event.kind.as_str() {
            "tool-call" => cut(&subject::spread(&event.text), BODY),
            _ => cut(&event.text, BODY),
        };
        let (output, output_truncated) = match result {
            Some(result) => {
                let (output, is_cut) = cut(&result.text, BODY);
                (Some(output), is_cut)
            }
            None => (None, false),
        };
        let mut changes = Vec::new();
        if event.kind == "tool-call" {
            changes = edits::of_input(&Input::new(event));
        }
        if changes.is_empty() {
            let shown = result.or((event.kind == "tool-result").then_some(event));
            changes = shown.map_or_else(Vec::new, |shown| edits::unified(&shown.text));
        }
        Self {
            text,
            truncated,
            output,
            output_truncated,
            changes,
            injected_by: event.attrs.get("injected_by").map(str::to_owned),
        }
    }
}

fn kind_of(event: &Event, is_subagent: bool) -> RowKind {
    match event.kind.as_str() {
        "text" if event.role == "user" && !is_subagent => RowKind::Prompt,
        "text" => RowKind::Text,
        "tool-call" | "tool-result" => RowKind::Call,
        "thinking" => RowKind::Thinking,
        "injected" => RowKind::Injected,
        "compaction" => RowKind::Compaction,
        _ => {
            let text = event.text.trim();
            let is_named = text.starts_with('[') && text.ends_with(']') && text.len() < LINE;
            match is_named {
                true => RowKind::Attachment,
                false => RowKind::Note,
            }
        }
    }
}

/// Returns whether a tool gives work to a subagent, by its name.
fn starts_agents(tool: &str) -> bool {
    let tool = tool.to_lowercase();
    tool.contains("task") || tool.contains("agent")
}

/// Returns the id by which an agent names a session that it started.
fn short(id: &str) -> &str {
    id.strip_prefix("agent-").unwrap_or(id)
}

/// Returns the first line with words, and how much follows is not said.
fn line(text: &str) -> String {
    cut(
        &acreta_text::one_line(acreta_text::head(text, LINE * 8)),
        LINE,
    )
    .0
}

/// Returns at most so many characters of a text, and whether it was cut.
fn cut(text: &str, characters: usize) -> (String, bool) {
    match text.char_indices().nth(characters) {
        Some((at, _)) => (text[..at].to_owned(), true),
        None => (text.to_owned(), false),
    }
}

/// Estimates the lines of a row in a wide window.
fn lines(row: &ReaderRow) -> u64 {
    match row.kind {
        RowKind::Prompt | RowKind::Text => {
            let lines = row.text.lines();
            3 + lines
                .map(|line| 1 + line.len() as u64 / LINE_WIDTH as u64)
                .sum::<u64>()
        }
        _ => 1,
    }
}

#[cfg(test)]
mod tests;
