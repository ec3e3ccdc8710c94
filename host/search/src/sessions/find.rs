//! Finds passages and groups them by session. A session counts by its best passages and by what it is about: its title and
//! the person's own words in it.

use std::collections::{HashMap, HashSet};
use std::ops::Bound;

use tantivy::collector::TopDocs;
use tantivy::query::{
    AllQuery, BooleanQuery, BoostQuery, ConstScoreQuery, EmptyQuery, Occur, PhraseQuery, Query,
    RangeQuery, TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocAddress, DocId, Order, Score, Searcher, SegmentReader, TantivyDocument, Term};

use super::document::{
    AT_MS, CHANGE, FILES, NUMBER, SAID, SESSION, SessionAct, SessionFields, SessionHead, WEIGHT,
    parts_of,
};
use crate::expand::{QueryTerm, expand};
use crate::query::{self, ParsedQuery};
use crate::snippet::{Snippet, snippet};
use crate::tokens::PART_BYTES;

/// A question to the index of sessions. A missing filter matches everything.
#[derive(Debug, Clone, Default)]
pub struct SessionQuery {
    /// Words, `"phrases in quotes"` and `prefix*`. May be empty if there is a filter.
    pub text: String,
    pub agent: Option<String>,
    /// Main checkouts of projects.
    pub projects: Option<Vec<String>>,
    pub branch: Option<String>,
    /// A path, or a part of one.
    pub file: Option<String>,
    pub tool: Option<String>,
    pub role: Option<String>,
    /// Words of a command line that was run.
    pub command: Option<String>,
    /// Only calls that may have changed a file.
    pub changes_only: bool,
    /// Only what people and agents said: no calls, no outputs, no inserted text.
    pub said_only: bool,
    /// Only calls that were given a path.
    pub files_only: bool,
    /// Only calls that wrote this line; see [`written_line`](super::written_line).
    pub wrote: Option<u64>,
    /// One session, by its key.
    pub session: Option<String>,
    pub since_ms: Option<u64>,
    pub until_ms: Option<u64>,
    /// Maximum number of sessions, and of passages of each.
    pub sessions: usize,
    pub passages: usize,
    pub order: SessionOrder,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SessionOrder {
    #[default]
    Best,
    /// Only passages with all words, newest first.
    Newest,
}

/// A session with its passages, best first.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundSession {
    pub head: SessionHead,
    /// How well it fits, if the best come first.
    pub score: f32,
    pub passages: Vec<FoundPassage>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct FoundPassage {
    pub event: String,
    pub role: String,
    pub kind: String,
    pub tool: Option<String>,
    pub at_ms: Option<u64>,
    /// All of the passage.
    pub text: String,
    pub snippet: Snippet,
    pub act: SessionAct,
}

/// Number of passages that are looked at for each session that is wanted, and at least.
const PASSAGES_EACH: usize = 16;
const LEAST_PASSAGES: usize = 240;

/// Share of a further passage's score, and of the session's own document.
const FURTHER: f32 = 0.4;
const ABOUT: f32 = 0.5;

pub(super) fn find(
    searcher: &Searcher,
    fields: &SessionFields,
    query: &SessionQuery,
) -> tantivy::Result<Vec<FoundSession>> {
    let parsed = query::parse(&query.text);
    let terms = expand(searcher, fields.searched(), &parsed)?;
    let limit = LEAST_PASSAGES.max(query.sessions.saturating_mul(PASSAGES_EACH));
    let limit = limit.max(query.passages);
    let is_ranked = query.order == SessionOrder::Best && !parsed.words.is_empty();
    let found = match is_ranked {
        true => best(searcher, &ranked(fields, query, &parsed, &terms), limit)?,
        false => newest(searcher, &exact(fields, query, &parsed), limit)?,
    };
    let marked: HashSet<&str> = terms.iter().map(|term| term.term.as_str()).collect();
    let mut groups = Groups::collect(searcher, found)?;
    groups.retain(|group| !group.passages.is_empty());
    if is_ranked {
        // Stable: equal ones stay in the order of their best passage.
        groups.sort_by(|left, right| right.score().total_cmp(&left.score()));
    }
    let mut sessions = Vec::new();
    for group in groups.into_iter().take(query.sessions) {
        let score = group.score();
        let mut key = None;
        let mut passages = Vec::new();
        for passage in group.passages.into_iter().take(query.passages) {
            let document: TantivyDocument = searcher.doc(passage.address)?;
            let Some((of, passage)) = fields.passage(&document) else {
                continue;
            };
            // Another key may have the same hash.
            if *key.get_or_insert_with(|| of.clone()) != of {
                continue;
            }
            passages.push(FoundPassage {
                snippet: snippet(&passage.text, &marked),
                event: passage.event,
                role: passage.role,
                kind: passage.kind,
                tool: passage.tool,
                at_ms: passage.at_ms,
                text: passage.text,
                act: passage.act,
            });
        }
        let head = key.map(|key| fields.head(searcher, &key)).transpose()?;
        if let Some(head) = head.flatten() {
            sessions.push(FoundSession {
                head,
                score,
                passages,
            });
        }
    }
    Ok(sessions)
}

/// The passages of each session that were found, sessions by their first one. Columns alone say which belong together: to
/// read the documents of all of them would take most of the time of a search.
#[derive(Default)]
struct Groups {
    in_order: Vec<Group>,
    places: HashMap<u64, usize>,
}

#[derive(Default)]
struct Group {
    about: f32,
    passages: Vec<GroupedPassage>,
}

struct GroupedPassage {
    score: f32,
    /// Number of its event in the session.
    number: u64,
    address: DocAddress,
}

impl Groups {
    fn collect(
        searcher: &Searcher,
        found: Vec<(Score, DocAddress)>,
    ) -> tantivy::Result<Vec<Group>> {
        let mut columns = Vec::new();
        for segment in searcher.segment_readers() {
            let fast = segment.fast_fields();
            // A segment whose sessions have no passages lacks the column.
            columns.push((fast.u64(SESSION)?, fast.column_opt::<u64>(NUMBER)?));
        }
        let mut groups = Self::default();
        for (score, address) in found {
            let Some((sessions, numbers)) = columns.get(address.segment_ord as usize) else {
                continue;
            };
            let session = sessions.first(address.doc_id).unwrap_or_default();
            let group = groups.group(session);
            let number = numbers.as_ref();
            match number.and_then(|numbers| numbers.first(address.doc_id)) {
                Some(number) => group.add(GroupedPassage {
                    score,
                    number,
                    address,
                }),
                None => group.about = score,
            }
        }
        Ok(groups.in_order)
    }

    fn group(&mut self, session: u64) -> &mut Group {
        let next = self.in_order.len();
        let place = *self.places.entry(session).or_insert(next);
        if place == next {
            self.in_order.push(Group::default());
        }
        &mut self.in_order[place]
    }
}

impl Group {
    /// Adds a passage, unless another part of its event is there.
    fn add(&mut self, passage: GroupedPassage) {
        let is_there = |known: &GroupedPassage| known.number == passage.number;
        if !self.passages.iter().any(is_there) {
            self.passages.push(passage);
        }
    }

    fn score(&self) -> f32 {
        let mut share = 1.0;
        let mut sum = ABOUT * self.about;
        for passage in self.passages.iter().take(4) {
            sum += share * passage.score;
            share *= FURTHER;
        }
        sum
    }
}

fn best(
    searcher: &Searcher,
    query: &dyn Query,
    limit: usize,
) -> tantivy::Result<Vec<(Score, DocAddress)>> {
    let weighted = TopDocs::with_limit(limit).tweak_score(|segment: &SegmentReader| {
        let weights = segment.fast_fields().u64(WEIGHT).ok();
        move |doc: DocId, score: Score| {
            let weight = weights.as_ref().and_then(|weights| weights.first(doc));
            score * weight.unwrap_or(100) as f32 / 100.0
        }
    });
    searcher.search(query, &weighted)
}

fn newest(
    searcher: &Searcher,
    query: &dyn Query,
    limit: usize,
) -> tantivy::Result<Vec<(Score, DocAddress)>> {
    let newest = TopDocs::with_limit(limit).order_by_u64_field(AT_MS, Order::Desc);
    let found = searcher.search(query, &newest)?;
    Ok(found
        .into_iter()
        .map(|(_, address)| (1.0, address))
        .collect())
}

type Clauses = Vec<(Occur, Box<dyn Query>)>;

/// Any of the words, rare ones counting more.
fn ranked(
    fields: &SessionFields,
    query: &SessionQuery,
    parsed: &ParsedQuery,
    terms: &[QueryTerm],
) -> BooleanQuery {
    let mut clauses = required(fields, query, parsed);
    let words = terms.iter().map(|term| -> (Occur, Box<dyn Query>) {
        let query = TermQuery::new(
            Term::from_field_text(fields.searched().text, &term.term),
            IndexRecordOption::WithFreqs,
        );
        (
            Occur::Should,
            Box::new(BoostQuery::new(Box::new(query), term.weight)),
        )
    });
    let words: Clauses = words.collect();
    clauses.push((Occur::Must, Box::new(BooleanQuery::new(words))));
    BooleanQuery::new(clauses)
}

/// All of the words.
fn exact(fields: &SessionFields, query: &SessionQuery, parsed: &ParsedQuery) -> BooleanQuery {
    let mut clauses = required(fields, query, parsed);
    for word in &parsed.words {
        clauses.push((Occur::Must, is(fields.searched().text, &word.term)));
    }
    clauses.push((Occur::Must, Box::new(AllQuery)));
    BooleanQuery::new(clauses)
}

/// What every passage must have: the phrases, and what the filters say.
fn required(fields: &SessionFields, query: &SessionQuery, parsed: &ParsedQuery) -> Clauses {
    let mut clauses: Clauses = Vec::new();
    let mut must = |query: Box<dyn Query>| {
        clauses.push((Occur::Must, Box::new(ConstScoreQuery::new(query, 0.0))));
    };
    for phrase in &parsed.phrases {
        // Longer words are not in the index.
        let words = phrase.iter().enumerate();
        let words = words.filter(|(_, word)| word.len() <= PART_BYTES);
        let text = fields.searched().text;
        let words = words.map(|(at, word)| (at, Term::from_field_text(text, word)));
        let mut words: Vec<(usize, Term)> = words.collect();
        must(match words.len() {
            0 => Box::new(EmptyQuery),
            1 => Box::new(TermQuery::new(words.remove(0).1, IndexRecordOption::Basic)),
            _ => Box::new(PhraseQuery::new_with_offset(words)),
        });
    }
    for (field, value) in [
        (fields.agent, &query.agent),
        (fields.branch, &query.branch),
        (fields.tool, &query.tool),
        (fields.role, &query.role),
    ] {
        if let Some(value) = value {
            must(is(field, &value.to_lowercase()));
        }
    }
    if let Some(key) = &query.session {
        must(is(fields.key, key));
    }
    if query.changes_only {
        must(is(fields.act, CHANGE));
    }
    if query.files_only {
        must(is(fields.act, FILES));
    }
    if query.said_only {
        must(is(fields.act, SAID));
    }
    if let Some(line) = query.wrote {
        let term = Term::from_field_u64(fields.wrote, line);
        must(Box::new(TermQuery::new(term, IndexRecordOption::Basic)));
    }
    for term in query.command.iter().flat_map(|line| parts_of(line)) {
        must(is(fields.command, &term));
    }
    if let Some(projects) = &query.projects {
        let any = projects
            .iter()
            .map(|root| is(fields.project, &root.to_lowercase()));
        must(Box::new(BooleanQuery::union(any.collect())));
    }
    for term in query.file.iter().flat_map(|file| parts_of(file)) {
        must(is(fields.file, &term));
    }
    if query.since_ms.is_some() || query.until_ms.is_some() {
        let time = |ms| Term::from_field_u64(fields.at_ms, ms);
        must(Box::new(RangeQuery::new(
            query
                .since_ms
                .map_or(Bound::Unbounded, |ms| Bound::Included(time(ms))),
            query
                .until_ms
                .map_or(Bound::Unbounded, |ms| Bound::Excluded(time(ms))),
        )));
    }
    clauses
}

fn is(field: Field, text: &str) -> Box<dyn Query> {
    let term = Term::from_field_text(field, text);
    Box::new(TermQuery::new(term, IndexRecordOption::Basic))
}
