//! The documents of a session: its fields, and how a conversation is cut into passages.

use acreta_text::Fnv;
use serde::{Deserialize, Serialize};
use tantivy::collector::DocSetCollector;
use tantivy::query::TermQuery;
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing,
    TextOptions, Value,
};
use tantivy::{Searcher, TantivyDocument, Term};

use crate::expand::TextFields;
use crate::schema::SPLIT;
use crate::tokens;

/// Aim for the length of a passage, in bytes. A longer text is cut at lines.
const PASSAGE_BYTES: usize = 1_600;

/// Maximum bytes of one text that are indexed. Of longer ones, nearly always output, the beginning and the end count.
const TEXT_BYTES: usize = 48 * 1024;
const END_BYTES: usize = 16 * 1024;

/// Maximum bytes of a person's words in the document of a session.
const ABOUT_BYTES: usize = 16 * 1024;

/// Column with the time.
pub(super) const AT_MS: &str = "at_ms";

/// Column with what a passage counts, in percent.
pub(super) const WEIGHT: &str = "weight";

/// Column with a hash of the session's key, and with the number of the passage's event in it.
pub(super) const SESSION: &str = "session";
pub(super) const NUMBER: &str = "number";

/// The term of [`SessionFields::role`] on the document of a session.
const HEAD: &str = "session";

/// Tokenizer of [`SessionFields::text`].
pub(super) const PASSAGE: &str = "passage";

/// Terms of [`SessionFields::act`].
pub(super) const CHANGE: &str = "change";
pub(super) const FILES: &str = "files";
pub(super) const SAID: &str = "said";

/// Kind of the events in which people and agents speak.
const TEXT: &str = "text";

/// Minimum letters and digits of a line by which it is recognised.
const LINE_LETTERS: usize = 6;

/// A session, with all that was said in it.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexedSession {
    pub head: SessionHead,
    /// What the caller counted in it, to be returned as it is.
    pub usage: String,
    pub passages: Vec<SessionPassage>,
}

/// What the index stores of a session as a whole.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SessionHead {
    pub agent: String,
    pub id: String,
    /// The state of the session that was indexed.
    pub version: String,
    pub title: Option<String>,
    /// The main checkout of its project.
    pub project: Option<String>,
    pub branch: Option<String>,
    pub updated_ms: Option<u64>,
    /// The caller left out its passages.
    #[serde(default)]
    pub is_short: bool,
    /// [`IndexedSession::text_bytes`].
    #[serde(default)]
    pub bytes: u64,
}

impl IndexedSession {
    /// Returns the bytes of text that the index holds of it.
    pub fn text_bytes(&self) -> u64 {
        let texts = self.passages.iter();
        texts.map(|it| it.text.len().min(TEXT_BYTES) as u64).sum()
    }
}

impl SessionHead {
    /// Returns what identifies the session.
    pub fn key(&self) -> String {
        format!("{}/{}", self.agent, self.id)
    }
}

/// A text of a conversation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionPassage {
    /// Id of the event.
    pub event: String,
    pub role: String,
    pub kind: String,
    pub tool: Option<String>,
    pub at_ms: Option<u64>,
    pub text: String,
    pub act: SessionAct,
    /// The lines that a tool call wrote, as [`written_line`] has them.
    pub wrote: Vec<u64>,
}

/// Returns what the index has of a line that was written to a file: a hash of the file's name and of the line without its
/// indent. The folder does not count, since agents name the same file in several ways. `None` if the line says too little to
/// be recognised.
pub fn written_line(path: &str, line: &str) -> Option<u64> {
    let line = line.trim();
    let letters = line.chars().filter(|one| one.is_alphanumeric());
    (letters.count() >= LINE_LETTERS).then(|| {
        let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
        Fnv::of(format!("{name}\0{line}"))
    })
}

/// What a tool call did. Empty for everything that is said.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionAct {
    /// Paths of the files that the tool was given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// It may have changed them.
    pub is_change: bool,
    /// The command line that it ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Whether it failed, if a result says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_failed: Option<bool>,
    /// What the person asked for before, in the words of the prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
}

#[derive(Debug, Clone)]
pub(super) struct SessionFields {
    pub(super) key: Field,
    pub(super) role: Field,
    pub(super) tool: Field,
    pub(super) agent: Field,
    pub(super) project: Field,
    pub(super) branch: Field,
    /// Terms of the paths.
    pub(super) file: Field,
    /// Terms of the command line.
    pub(super) command: Field,
    /// [`FILES`] on calls that were given paths, [`CHANGE`] on those that may have changed a file, and [`SAID`] on what people
    /// and agents say.
    pub(super) act: Field,
    /// [`SessionPassage::wrote`], on the first part of a passage.
    pub(super) wrote: Field,
    pub(super) at_ms: Field,
    weight: Field,
    session: Field,
    number: Field,
    /// The key of a session, on its own document.
    head: Field,
    /// Words and stems of a passage; see [`PassageTokenizer`](super::tokenizer::PassageTokenizer).
    text: Field,
    /// The text of a passage.
    body: Field,
    /// All else of the passage as JSON, or the session.
    stored: Field,
    /// [`IndexedSession::usage`], in the document of a session.
    usage: Field,
}

/// What is stored of a passage.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct StoredPassage {
    pub(super) event: String,
    pub(super) role: String,
    pub(super) kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tool: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) at_ms: Option<u64>,
    /// Stored in a field of its own.
    #[serde(skip)]
    pub(super) text: String,
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub(super) act: SessionAct,
}

fn is_nothing(act: &SessionAct) -> bool {
    *act == SessionAct::default()
}

impl SessionFields {
    pub(super) fn schema() -> (Schema, Self) {
        let mut builder = Schema::builder();
        let counted = |tokenizer, option| {
            let indexing = TextFieldIndexing::default().set_tokenizer(tokenizer);
            TextOptions::default().set_indexing_options(indexing.set_index_option(option))
        };
        let basic = IndexRecordOption::Basic;
        let positions = IndexRecordOption::WithFreqsAndPositions;
        let fields = Self {
            key: builder.add_text_field("key", STRING | STORED),
            role: builder.add_text_field("role", STRING),
            tool: builder.add_text_field("tool", STRING),
            agent: builder.add_text_field("agent", STRING),
            project: builder.add_text_field("project", STRING),
            branch: builder.add_text_field("branch", STRING),
            file: builder.add_text_field("file", counted(SPLIT, basic)),
            command: builder.add_text_field("command", counted(SPLIT, basic)),
            act: builder.add_text_field("act", STRING),
            wrote: builder.add_u64_field("wrote", INDEXED),
            at_ms: builder.add_u64_field(AT_MS, FAST),
            weight: builder.add_u64_field(WEIGHT, FAST),
            session: builder.add_u64_field(SESSION, FAST),
            number: builder.add_u64_field(NUMBER, FAST),
            head: builder.add_text_field("head", STRING),
            text: builder.add_text_field("text", counted(PASSAGE, positions)),
            body: builder.add_text_field("body", STORED),
            stored: builder.add_text_field("stored", STORED),
            usage: builder.add_text_field("usage", STORED),
        };
        (builder.build(), fields)
    }

    pub(super) fn searched(&self) -> TextFields {
        TextFields {
            text: self.text,
            words: self.text,
        }
    }

    /// Returns the documents of a session, the session's own first.
    pub(super) fn documents(&self, session: &IndexedSession) -> Vec<TantivyDocument> {
        let key = session.head.key();
        let number = Fnv::of(&key);
        let mut head = TantivyDocument::new();
        head.add_text(self.key, &key);
        head.add_text(self.head, &key);
        head.add_u64(self.session, number);
        head.add_text(self.role, HEAD);
        head.add_text(self.act, SAID);
        head.add_text(self.stored, to_json(&session.head));
        head.add_text(self.usage, &session.usage);
        head.add_text(self.agent, &session.head.agent);
        self.add_place(&mut head, &session.head);
        head.add_text(self.text, about(session));
        let mut documents = vec![head];
        for (event, passage) in session.passages.iter().enumerate() {
            let first = documents.len();
            for text in parts(&passage.text) {
                let mut document = self.document(&key, &session.head, passage, text);
                document.add_u64(self.session, number);
                document.add_u64(self.number, event as u64);
                documents.push(document);
            }
            if let Some(first) = documents.get_mut(first) {
                for line in &passage.wrote {
                    first.add_u64(self.wrote, *line);
                }
            }
        }
        documents
    }

    fn document(
        &self,
        key: &str,
        head: &SessionHead,
        passage: &SessionPassage,
        text: &str,
    ) -> TantivyDocument {
        let mut document = TantivyDocument::new();
        document.add_text(self.key, key);
        document.add_text(self.role, &passage.role);
        document.add_text(self.agent, &head.agent);
        self.add_place(&mut document, head);
        if let Some(tool) = &passage.tool {
            document.add_text(self.tool, tool.to_lowercase());
        }
        document.add_u64(self.weight, weight(passage));
        if let Some(at_ms) = passage.at_ms.or(head.updated_ms) {
            document.add_u64(self.at_ms, at_ms);
        }
        let act = &passage.act;
        for file in &act.files {
            document.add_text(self.file, parts_of(file).join(" "));
        }
        if let Some(command) = &act.command {
            document.add_text(self.command, parts_of(command).join(" "));
        }
        if act.is_change {
            document.add_text(self.act, CHANGE);
        }
        if !act.files.is_empty() {
            document.add_text(self.act, FILES);
        }
        if passage.kind == TEXT {
            document.add_text(self.act, SAID);
        }
        document.add_text(self.text, text);
        document.add_text(self.body, text);
        let stored = StoredPassage {
            event: passage.event.clone(),
            role: passage.role.clone(),
            kind: passage.kind.clone(),
            tool: passage.tool.clone(),
            at_ms: passage.at_ms,
            text: String::new(),
            act: act.clone(),
        };
        document.add_text(self.stored, to_json(&stored));
        document
    }

    fn add_place(&self, document: &mut TantivyDocument, head: &SessionHead) {
        for (field, value) in [(self.project, &head.project), (self.branch, &head.branch)] {
            if let Some(value) = value {
                document.add_text(field, value.to_lowercase());
            }
        }
    }

    /// Returns the sessions of the index, each with what was counted in it.
    pub(super) fn heads(&self, searcher: &Searcher) -> tantivy::Result<Vec<(SessionHead, String)>> {
        let is_head = Term::from_field_text(self.role, HEAD);
        let query = TermQuery::new(is_head, IndexRecordOption::Basic);
        let mut heads = Vec::new();
        for address in searcher.search(&query, &DocSetCollector)? {
            let document: TantivyDocument = searcher.doc(address)?;
            let usage = document.get_first(self.usage).and_then(|it| it.as_str());
            let usage = usage.unwrap_or_default().to_owned();
            heads.extend(self.stored(&document).map(|head| (head, usage)));
        }
        Ok(heads)
    }

    /// Returns the document of a session.
    pub(super) fn head(
        &self,
        searcher: &Searcher,
        key: &str,
    ) -> tantivy::Result<Option<SessionHead>> {
        let term = Term::from_field_text(self.head, key);
        let query = TermQuery::new(term, IndexRecordOption::Basic);
        let found = searcher.search(&query, &DocSetCollector)?;
        let Some(address) = found.into_iter().next() else {
            return Ok(None);
        };
        let document: TantivyDocument = searcher.doc(address)?;
        Ok(self.stored(&document))
    }

    /// Returns the key of a passage, and what is stored of it.
    pub(super) fn passage(&self, document: &TantivyDocument) -> Option<(String, StoredPassage)> {
        let text = |field| document.get_first(field)?.as_str();
        let mut passage: StoredPassage = self.stored(document)?;
        text(self.body)?.clone_into(&mut passage.text);
        Some((text(self.key)?.to_owned(), passage))
    }

    fn stored<T: for<'a> Deserialize<'a>>(&self, document: &TantivyDocument) -> Option<T> {
        serde_json::from_str(document.get_first(self.stored)?.as_str()?).ok()
    }
}

/// Returns what a session is about: its title, and what the person said.
fn about(session: &IndexedSession) -> String {
    let mut about = session.head.title.clone().unwrap_or_default();
    let typed = session.passages.iter();
    for passage in typed.filter(|passage| passage.role == "user" && passage.kind == TEXT) {
        if about.len() > ABOUT_BYTES {
            break;
        }
        about.push('\n');
        about.push_str(acreta_text::head(&passage.text, ABOUT_BYTES / 4));
    }
    about
}

/// Returns what a passage counts, in percent: what people and agents say is looked for more often than what tools print,
/// and text that a program inserted is hardly ever meant.
fn weight(passage: &SessionPassage) -> u64 {
    match (passage.role.as_str(), passage.kind.as_str()) {
        ("user", "text") => 130,
        ("assistant", "text") => 110,
        (_, "tool-call") => 100,
        (_, "injected" | "compaction") => 50,
        _ => 80,
    }
}

/// Returns the terms of a path or a command line, without those that join several: a relative path and an absolute one have the
/// same parts.
pub(super) fn parts_of(text: &str) -> Vec<String> {
    let words = tokens::words(text).into_iter();
    let parts = words.filter(|word| word.kind == tokens::WordKind::Part);
    parts.map(|word| word.term()).collect()
}

fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Cuts a text into passages, at the ends of lines where there are any.
fn parts(text: &str) -> Vec<&str> {
    let (start, end) = match text.len() > TEXT_BYTES {
        true => {
            let end = text.floor_char_boundary(text.len() - END_BYTES);
            (
                &text[..text.floor_char_boundary(TEXT_BYTES - END_BYTES)],
                &text[end..],
            )
        }
        false => (text, ""),
    };
    let mut parts = Vec::new();
    for mut rest in [start, end] {
        while rest.len() > PASSAGE_BYTES {
            let reach = rest.floor_char_boundary(PASSAGE_BYTES);
            let line = rest[..reach].rfind('\n').map(|at| at + 1);
            let word = || rest[..reach].rfind(' ').map(|at| at + 1);
            let cut = line
                .filter(|at| *at > PASSAGE_BYTES / 4)
                .or_else(word)
                .unwrap_or(reach);
            parts.push(&rest[..cut]);
            rest = &rest[cut..];
        }
        parts.push(rest);
    }
    parts.retain(|part| !part.trim().is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_into_passages_at_lines() {
        assert_eq!(parts(" \n"), [""; 0]);
        assert_eq!(parts("short"), ["short"]);
        let lines = "a line of text that is not short\n".repeat(200);
        let cut = parts(&lines);
        assert_eq!(cut.concat(), lines);
        assert!(
            cut.iter()
                .all(|part| part.len() <= PASSAGE_BYTES && part.ends_with('\n'))
        );
        let run = "ö".repeat(5_000);
        assert_eq!(parts(&run).concat(), run);
        let long = format!("start {} end", "x ".repeat(TEXT_BYTES));
        let cut = parts(&long);
        assert!(cut.concat().len() <= TEXT_BYTES);
        assert!(cut[0].starts_with("start") && cut[cut.len() - 1].ends_with("end"));
    }
}
