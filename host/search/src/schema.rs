//! The fields of the index, and the mapping of a memory to documents: one per passage, adjacent in one segment. The
//! first one carries the fields of the memory as a whole.

use tantivy::indexer::UserOperation;
use tantivy::schema::{
    FAST, Field, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{TextAnalyzer, TokenizerManager, WhitespaceTokenizer};
use tantivy::{TantivyDocument, Term};

use crate::IndexEntry;
use crate::embedded_text;
use crate::expand::TextFields;
use crate::tokens::{self, IndexWord};
use crate::weights::{
    NEIGHBOUR_WORDS, NEIGHBOURHOOD_WORDS, NEIGHBOURS, OWN_WORDS, QUESTION_WORDS, TAG_WORDS,
    TITLE_WORDS,
};

/// Increase when fields, tokens or word weights change; an index of another version is rebuilt.
pub(crate) const VERSION: u32 = 5;

/// A term of [`IndexFields::role`], on the first document of each memory.
pub(crate) const ROLE_MEMORY: &str = "memory";

/// A term of [`IndexFields::role`], on the first document of each memory with several passages.
pub(crate) const ROLE_LONG: &str = "long";

/// Column names.
pub(crate) mod column {
    pub(crate) const ID: &str = "id";
    pub(crate) const PATH: &str = "path";
    pub(crate) const TYPE: &str = "type";
    pub(crate) const KIND: &str = "kind";
    pub(crate) const TAG: &str = "tag";
    pub(crate) const AGENT: &str = "agent";
    pub(crate) const CREATED: &str = "created";
    pub(crate) const UPDATED: &str = "updated";
    pub(crate) const CONFIDENCE: &str = "confidence";
    pub(crate) const TRUST: &str = "trust";
    pub(crate) const STATUS: &str = "status";
    pub(crate) const STALE: &str = "stale";
    pub(crate) const ORDINAL: &str = "ordinal";
    pub(crate) const PASSAGES: &str = "passages";
    pub(crate) const PART_OF: &str = "part_of";
    pub(crate) const NAMES_TIME: &str = "names_time";
    pub(crate) const TIE: &str = "tie";
    pub(crate) const MEANING: &str = "meaning";
    pub(crate) const FINGERPRINT: &str = "fingerprint";
    pub(crate) const RACY: &str = "racy";
}

#[derive(Debug, Clone)]
pub(crate) struct IndexFields {
    /// Terms of a passage, its title and its neighbours, repeated according to their weight.
    pub(crate) text: Field,
    /// Terms of title, tags and file name.
    pub(crate) head: Field,
    /// Terms of the whole memory, on its first document.
    pub(crate) memory: Field,
    /// Plain words in order, for phrases and as the dictionary for corrections.
    pub(crate) words: Field,
    pub(crate) role: Field,
    pub(crate) id: Field,
    pub(crate) path: Field,
    pub(crate) title: Field,
    pub(crate) heading: Field,
    pub(crate) passage: Field,
    pub(crate) digest: Field,
    numbers: NumericFields,
    kind: Field,
    tag: Field,
    agent: Field,
}

#[derive(Debug, Clone)]
struct NumericFields {
    memory_type: Field,
    created: Field,
    updated: Field,
    confidence: Field,
    trust: Field,
    status: Field,
    stale: Field,
    /// Position among the documents of its memory.
    ordinal: Field,
    passages: Field,
    part_of: Field,
    names_time: Field,
    tie: Field,
    /// Key of the passage's vector.
    meaning: Field,
    fingerprint: Field,
    racy: Field,
}

/// State of a memory's files when they were read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct MemoryFingerprint {
    /// Hash of the stamps of the file and its sidecars, and of the trust words about the memory.
    pub(crate) fingerprint: u64,
    /// A file may have changed without a different stamp: compare its content.
    pub(crate) is_racy: bool,
    /// Digest of their contents.
    pub(crate) digest: String,
}

/// Returns the schema and its fields.
pub(crate) fn schema() -> (Schema, IndexFields) {
    let mut builder = Schema::builder();
    let counted = |option| {
        TextOptions::default().set_indexing_options(
            TextFieldIndexing::default()
                .set_tokenizer(SPLIT)
                .set_index_option(option),
        )
    };
    let frequencies = IndexRecordOption::WithFreqs;
    let positions = IndexRecordOption::WithFreqsAndPositions;
    let label = || TextOptions::default().set_fast("raw");
    let fields = IndexFields {
        text: builder.add_text_field("text", counted(frequencies)),
        head: builder.add_text_field("head", counted(frequencies)),
        memory: builder.add_text_field("memory", counted(frequencies)),
        words: builder.add_text_field("words", counted(positions)),
        role: builder.add_text_field("role", STRING),
        id: builder.add_text_field(column::ID, STRING | label() | STORED),
        path: builder.add_text_field(column::PATH, STRING | label() | STORED),
        title: builder.add_text_field("title", STORED),
        heading: builder.add_text_field("heading", STORED),
        passage: builder.add_text_field("passage", STORED),
        digest: builder.add_text_field("digest", STORED),
        kind: builder.add_text_field(column::KIND, label()),
        tag: builder.add_text_field(column::TAG, label()),
        agent: builder.add_text_field(column::AGENT, label()),
        numbers: NumericFields {
            memory_type: builder.add_u64_field(column::TYPE, FAST),
            created: builder.add_i64_field(column::CREATED, FAST),
            updated: builder.add_i64_field(column::UPDATED, FAST),
            confidence: builder.add_f64_field(column::CONFIDENCE, FAST),
            trust: builder.add_u64_field(column::TRUST, FAST),
            status: builder.add_u64_field(column::STATUS, FAST),
            stale: builder.add_bool_field(column::STALE, FAST),
            ordinal: builder.add_u64_field(column::ORDINAL, FAST),
            passages: builder.add_u64_field(column::PASSAGES, FAST),
            part_of: builder.add_u64_field(column::PART_OF, FAST),
            names_time: builder.add_u64_field(column::NAMES_TIME, FAST),
            tie: builder.add_u64_field(column::TIE, FAST),
            meaning: builder.add_u64_field(column::MEANING, FAST),
            fingerprint: builder.add_u64_field(column::FINGERPRINT, FAST),
            racy: builder.add_bool_field(column::RACY, FAST),
        },
    };
    (builder.build(), fields)
}

/// Terms are already tokenized and joined by spaces.
pub(crate) fn tokenizers() -> TokenizerManager {
    let manager = TokenizerManager::default();
    manager.register(SPLIT, TextAnalyzer::from(WhitespaceTokenizer::default()));
    manager
}

pub(crate) const SPLIT: &str = "split";

impl IndexFields {
    pub(crate) fn searched(&self) -> TextFields {
        TextFields {
            text: self.text,
            words: self.words,
        }
    }

    /// Returns the documents of a memory as one batch of operations.
    pub(crate) fn operations(
        &self,
        entry: &IndexEntry,
        seen: &MemoryFingerprint,
    ) -> Vec<UserOperation> {
        let passages: Vec<Vec<IndexWord>> = entry
            .passages
            .iter()
            .map(|passage| tokens::words(&passage.text))
            .collect();
        let terms: Vec<Vec<String>> = passages
            .iter()
            .map(|words| words.iter().map(IndexWord::term).collect())
            .collect();
        let title = tokens::terms(&entry.title).join(" ");
        let labels = labels(entry);
        let tags = tokens::terms(&labels).join(" ");
        let file = tokens::terms(entry.path.file_stem().unwrap_or_default()).join(" ");

        (0..passages.len())
            .map(|number| {
                let mut document = TantivyDocument::new();
                document.add_text(self.id, &entry.id);
                document.add_text(self.path, &entry.path);
                document.add_text(self.title, &entry.title);
                let passage = &entry.passages[number];
                document.add_text(self.heading, &passage.heading);
                document.add_text(self.passage, &passage.text);
                document.add_text(self.digest, &seen.digest);
                document.add_text(self.text, context(entry, &terms, &title, &tags, number));
                document.add_text(self.head, [title.as_str(), &tags, &file].join(" "));
                for text in [&entry.title, &labels, &passage.heading, &passage.text] {
                    let plain: Vec<String> = acreta_text::words(text).collect();
                    document.add_text(self.words, plain.join(" "));
                }
                if number == 0 {
                    document.add_text(self.role, ROLE_MEMORY);
                    let all: Vec<String> = terms.iter().map(|terms| terms.join(" ")).collect();
                    document.add_text(self.memory, format!("{title} {tags} {}", all.join(" ")));
                    if passages.len() > 1 {
                        document.add_text(self.role, ROLE_LONG);
                    }
                }
                self.add_columns(&mut document, entry, seen);
                document.add_u64(self.numbers.ordinal, number as u64);
                document.add_u64(self.numbers.part_of, passage.part_of as u64);
                let names_time = tokens::names_a_time(&passages[number]);
                document.add_u64(self.numbers.names_time, u64::from(names_time));
                let meaning = embedded_text::key(&entry.title, &passage.heading, &passage.text);
                document.add_u64(self.numbers.meaning, meaning);
                UserOperation::Add(document)
            })
            .collect()
    }

    /// Returns the term that matches all documents of the memory at `path`.
    pub(crate) fn path_term(&self, path: &camino::Utf8Path) -> Term {
        Term::from_field_text(self.path, path.as_str())
    }

    fn add_columns(
        &self,
        document: &mut TantivyDocument,
        entry: &IndexEntry,
        seen: &MemoryFingerprint,
    ) {
        let numbers = &self.numbers;
        document.add_u64(numbers.memory_type, entry.memory_type as u64);
        document.add_u64(numbers.trust, entry.trust as u64);
        document.add_u64(numbers.status, entry.status as u64);
        document.add_bool(numbers.stale, entry.is_stale);
        document.add_u64(numbers.passages, entry.passages.len() as u64);
        document.add_u64(numbers.tie, acreta_text::Fnv::of(&entry.id));
        document.add_u64(numbers.fingerprint, seen.fingerprint);
        document.add_bool(numbers.racy, seen.is_racy);
        for (field, time) in [
            (numbers.created, entry.created_ms),
            (numbers.updated, entry.updated_ms),
        ] {
            if let Some(time) = time {
                document.add_i64(field, time);
            }
        }
        if let Some(confidence) = entry.confidence {
            document.add_f64(numbers.confidence, f64::from(confidence));
        }
        if !entry.kind.is_empty() {
            document.add_text(self.kind, &entry.kind);
        }
        for tag in &entry.tags {
            document.add_text(self.tag, tag);
        }
        for agent in &entry.agents {
            document.add_text(self.agent, agent);
        }
    }
}

/// Returns tags, kind and type of a memory as one text.
fn labels(entry: &IndexEntry) -> String {
    let mut labels = entry.tags.join(" ");
    // A text that is not a memory has no meaningful type.
    if !entry.title.is_empty() {
        for label in [entry.kind.as_str(), entry.memory_type.name()] {
            labels.push(' ');
            labels.push_str(label);
        }
    }
    labels
}

/// Returns the terms of one passage, repeated according to their weight.
fn context(
    entry: &IndexEntry,
    terms: &[Vec<String>],
    title: &str,
    tags: &str,
    number: usize,
) -> String {
    let mut text = String::new();
    let mut push = |terms: &str, times: usize| {
        for _ in 0..times {
            text.push_str(terms);
            text.push(' ');
        }
    };
    push(title, TITLE_WORDS);
    push(tags, TAG_WORDS);
    push(
        &tokens::terms(&entry.passages[number].heading).join(" "),
        OWN_WORDS,
    );
    push(&terms[number].join(" "), OWN_WORDS);
    // Nearest first, on either side, until there are enough words.
    let mut left = NEIGHBOURHOOD_WORDS;
    for place in (0..number).rev().take(NEIGHBOURS) {
        let before = &terms[place];
        let asked = place + 1 == number && entry.passages[place].text.trim_end().ends_with('?');
        let times = NEIGHBOUR_WORDS + if asked { QUESTION_WORDS } else { 0 };
        let near = &before[before.len().saturating_sub(left)..];
        push(&near.join(" "), times);
        left -= near.len();
    }
    let mut left = NEIGHBOURHOOD_WORDS;
    for after in terms[number + 1..].iter().take(NEIGHBOURS) {
        let near = &after[..after.len().min(left)];
        push(&near.join(" "), NEIGHBOUR_WORDS);
        left -= near.len();
    }
    text
}
