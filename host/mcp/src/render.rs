//! Renders results for clients: as text and as a structure, both within a token budget. Memory is quoted in the text
//! and escaped in the structure; source and trust level stand with each item.

mod rows;
mod schema;
mod sessions;

use acreta_text::count_tokens;
use acreta_types::{MemoryType, Status, Trust};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::backend::{
    Added, Answer, AnswerSource, Changed, Evidence, Failure, Hit, MemoryText, Noted, Provenance,
};
use crate::cursor::ListKey;
use crate::quote::{
    FROM_CODEBASE, FROM_MEMORY, FROM_SESSIONS, cut, fenced, one_line, quoted, shown, shown_value,
};

use rows::{
    AddedResult, AnswerResult, ChangedResult, EvidenceRow, ForgottenResult, HitRow, MemoryResult,
    NotedResult, ReportResult, SearchResult, SimilarRow, SourceRow,
};
pub(crate) use schema::{
    added_schema, answer_schema, changed_schema, forgotten_schema, memory_schema, noted_schema,
    report_schema, search_schema, session_schema, sessions_schema,
};
pub(crate) use sessions::{session, sessions};

/// One result, in both forms.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rendered {
    pub(crate) text: String,
    pub(crate) structured: Value,
}

/// A page of hits before it is fitted to the budget.
pub(crate) struct HitPage<'a> {
    pub(crate) hits: &'a [Hit],
    pub(crate) offset: usize,
    /// More hits follow.
    pub(crate) more: bool,
    pub(crate) list: ListKey,
    /// Maximum number of tokens of either form.
    pub(crate) budget: usize,
}

/// Shortens snippets, then moves hits to the next page, until both forms are within the budget.
pub(crate) fn search(query: &str, page: &HitPage<'_>) -> Rendered {
    let all = page.hits.len();
    let shortest = SNIPPET_TOKENS[SNIPPET_TOKENS.len() - 1];
    let shorter = SNIPPET_TOKENS.iter().map(|snippet| (all, *snippet));
    let fewer = (1..all).rev().map(|count| (count, shortest));
    for (count, snippet) in shorter.chain(fewer).filter(|(count, _)| *count > 0) {
        let rendered = search_with(query, page, count, snippet);
        let fits = count_tokens(&rendered.text) <= page.budget
            && count_tokens(&rendered.structured.to_string()) <= page.budget;
        // At least one hit is returned, otherwise paging would never advance.
        let is_last = count == 1 && snippet == shortest;
        if fits || is_last {
            return rendered;
        }
    }
    let text = "Nothing in memory fits.".to_owned();
    let result = SearchResult {
        notice: FROM_MEMORY,
        query: shown(cut(query, QUERY_TOKENS).0.as_str()),
        hits: Vec::new(),
        next_cursor: None,
        tokens: count_tokens(&text),
    };
    rendered(text, result)
}

pub(crate) fn memory(memory: &MemoryText) -> Rendered {
    // Escaped before it is cut, because escapes take tokens.
    let (body, body_cut) = cut(&shown(&memory.body), BODY_TOKENS);
    let evidence_cut = memory.evidence.len() > QUOTES;
    let evidence: Vec<EvidenceRow> = memory
        .evidence
        .iter()
        .take(QUOTES)
        .map(evidence_row)
        .collect();
    let mut lines = format!(
        "{} · {}\n",
        about(&memory.id, memory.memory_type, &memory.kind),
        standing(
            memory.trust,
            memory.status,
            &memory.scope,
            &memory.provenance
        )
    );
    let origin = memory.origin.as_deref().map(one_line);
    if let Some(origin) = &origin {
        // A name in a commit is whatever its author wrote.
        lines.push_str("brought by git:\n");
        lines.push_str(&quoted(origin));
    }
    for (name, values) in [("tags", &memory.tags), ("related", &memory.related)] {
        if !values.is_empty() {
            lines.push_str(&format!("{name}: {}\n", one_line(&values.join(", "))));
        }
    }
    lines.push_str(&format!("file: {}\n", one_line(&memory.path)));
    lines.push_str(&quoted(&one_line(&memory.title)));
    lines.push_str(">\n");
    lines.push_str(&quoted(&body));
    for row in &evidence {
        lines.push_str(&format!(
            "said by {} in {}, {}:\n",
            row.role, row.source, row.date
        ));
        lines.push_str(&quoted(&row.quote));
    }
    let text = fenced(FROM_MEMORY, &lines);
    let result = MemoryResult {
        notice: FROM_MEMORY,
        id: shown(&memory.id),
        memory_type: memory.memory_type,
        kind: one_line(&memory.kind),
        title: one_line(&memory.title),
        body,
        tags: memory.tags.iter().map(|tag| one_line(tag)).collect(),
        related: memory.related.iter().map(|id| one_line(id)).collect(),
        path: one_line(&memory.path),
        scope: one_line(&memory.scope),
        trust: memory.trust,
        status: memory.status,
        source: one_line(&memory.provenance.source),
        date: one_line(&memory.provenance.date),
        origin,
        evidence,
        truncated: body_cut || evidence_cut,
        tokens: count_tokens(&text),
    };
    rendered(text, result)
}

pub(crate) fn added(added: &Added) -> Rendered {
    let message = one_line(&added.message);
    let text = match &added.id {
        Some(id) => format!("{} {}: {message}", one_line(&added.action), one_line(id)),
        None => format!("{}: {message}", one_line(&added.action)),
    };
    let result = AddedResult {
        action: one_line(&added.action),
        id: added.id.as_deref().map(one_line),
        path: added.path.as_deref().map(one_line),
        message,
        tokens: count_tokens(&text),
    };
    rendered(text, result)
}

pub(crate) fn noted(noted: &Noted) -> Rendered {
    let message = one_line(&noted.message);
    let mut text = match &noted.id {
        Some(id) => format!("{} {}: {message}", one_line(&noted.status), one_line(id)),
        None => message.clone(),
    };
    let similar: Vec<SimilarRow> = noted
        .similar
        .iter()
        .map(|(id, title)| SimilarRow {
            id: one_line(id),
            title: shown(&one_line(title)),
        })
        .collect();
    for row in &similar {
        text.push_str(&format!("\n- {} {}", row.id, row.title));
    }
    let result = NotedResult {
        status: one_line(&noted.status),
        id: noted.id.as_deref().map(one_line),
        similar,
        message,
        tokens: count_tokens(&text),
    };
    rendered(text, result)
}

pub(crate) fn forgotten(message: &str) -> Rendered {
    let result = ForgottenResult {
        message: one_line(message),
        tokens: count_tokens(message),
    };
    rendered(message.to_owned(), result)
}

pub(crate) fn changed(changed: &Changed) -> Rendered {
    let message = one_line(&changed.message);
    let text = format!("{}: {message}", one_line(&changed.id));
    let result = ChangedResult {
        id: one_line(&changed.id),
        path: one_line(&changed.path),
        changed: changed.changed,
        message,
        tokens: count_tokens(&text),
    };
    rendered(text, result)
}

pub(crate) fn report(report: Map<String, Value>) -> Rendered {
    let report = shown_value(Value::Object(report));
    let text = fenced(FROM_CODEBASE, &quoted(&report.to_string()));
    let result = ReportResult {
        notice: FROM_CODEBASE,
        report,
        tokens: count_tokens(&text),
    };
    rendered(text, result)
}

pub(crate) fn answer(question: &str, answer: &Answer) -> Rendered {
    let (said, truncated) = cut(&shown(&answer.text), ANSWER_TOKENS);
    let rows =
        |sources: &[AnswerSource]| -> Vec<SourceRow> { sources.iter().map(source_row).collect() };
    let (sources, nearest) = (rows(&answer.sources), rows(&answer.nearest));
    let cited = sessions::rows(&answer.sessions);
    let mut text = match (said.is_empty(), nearest.is_empty()) {
        (true, true) => UNANSWERED.to_owned(),
        (true, false) => {
            let lines = source_lines(&nearest, false);
            let lead = match nearest.iter().any(|row| !row.passage.is_empty()) {
                true => "Nothing in memory surely answers this. Perhaps:".to_owned(),
                false => format!("{UNANSWERED} The nearest memories:"),
            };
            format!("{lead}\n{}", fenced(FROM_MEMORY, &lines))
        }
        (false, _) => {
            let mut lines = format!("answered by {}\n", one_line(&answer.by));
            lines.push_str(&quoted(&said));
            lines.push_str(&source_lines(&sources, true));
            fenced(FROM_MEMORY, &lines)
        }
    };
    if !cited.is_empty() {
        let lines = sessions::lines_of_hits(&cited);
        text.push_str(&format!("\n{CITED}\n{}", fenced(FROM_SESSIONS, &lines)));
    }
    let result = AnswerResult {
        notice: FROM_MEMORY,
        question: shown(cut(question, QUERY_TOKENS).0.as_str()),
        answered: !said.is_empty(),
        answer: said,
        sources,
        nearest,
        sessions: cited,
        by: one_line(&answer.by),
        truncated,
        tokens: count_tokens(&text),
    };
    rendered(text, result)
}

const UNANSWERED: &str = "Nothing in memory answers this.";

/// Introduces what memory did not learn.
const CITED: &str =
    "Said in earlier sessions, and never checked; session_read shows what stands around it:";

/// Formats memories with number, trust and source, and their passages or else their titles as quotes.
fn source_lines(rows: &[SourceRow], is_answered: bool) -> String {
    let lines = rows.iter().map(|row| {
        let sure = match row.passage.is_empty() {
            true => String::new(),
            false => format!(" · sure: {} %", row.sure),
        };
        let about = format!(
            "[{}] {}{sure} · trust: {} · {} · from {}, {}\n",
            row.number,
            row.id,
            row.trust.name(),
            row.scope,
            row.source,
            row.date
        );
        // The answer quotes the passages of its sources.
        let is_shown = is_answered || row.passage.is_empty();
        about + &quoted(if is_shown { &row.title } else { &row.passage })
    });
    lines.collect()
}

/// Formats a failure with its causes and hints.
pub(crate) fn failure(failure: &Failure) -> String {
    let mut text = one_line(&failure.message);
    let mut cause = std::error::Error::source(failure);
    while let Some(error) = cause {
        text.push_str(&format!("\ncaused by: {}", one_line(&error.to_string())));
        cause = error.source();
    }
    for hint in &failure.hints {
        text.push_str(&format!("\nhint: {}", one_line(hint)));
    }
    text
}

/// `decision`, or `learning/pitfall`.
pub(crate) fn type_and_kind(memory_type: MemoryType, kind: &str) -> String {
    if kind.is_empty() {
        memory_type.name().to_owned()
    } else {
        format!("{}/{}", memory_type.name(), one_line(kind))
    }
}

/// Snippet lengths to try, in order.
const SNIPPET_TOKENS: [usize; 5] = [160, 96, 64, 40, 24];
const QUERY_TOKENS: usize = 64;
const BODY_TOKENS: usize = 4_000;
const ANSWER_TOKENS: usize = 1_000;
const QUOTES: usize = 5;
const QUOTE_TOKENS: usize = 160;
const TITLE_TOKENS: usize = 40;

fn rendered(text: String, result: impl Serialize) -> Rendered {
    let structured = serde_json::to_value(result).expect("plain fields are always JSON");
    Rendered { text, structured }
}

fn search_with(query: &str, page: &HitPage<'_>, count: usize, snippet: usize) -> Rendered {
    let hits = &page.hits[..count];
    let goes_on = page.more || count < page.hits.len();
    let next_cursor = goes_on.then(|| page.list.cursor(page.offset + count));
    let rows: Vec<HitRow> = hits.iter().map(|hit| hit_row(hit, snippet)).collect();
    let mut lines = String::new();
    for (hit, row) in hits.iter().zip(&rows) {
        lines.push_str(&format!(
            "{} · {}\n",
            about(&hit.id, hit.memory_type, &hit.kind),
            standing(hit.trust, hit.status, &hit.scope, &hit.provenance)
        ));
        lines.push_str(&quoted(&row.title));
        if !row.snippet.is_empty() {
            lines.push_str(&quoted(&row.snippet));
        }
    }
    let mut text = fenced(FROM_MEMORY, &lines);
    if let Some(cursor) = &next_cursor {
        text.push_str(&format!("\nMore: the same call with cursor {cursor}"));
    }
    let result = SearchResult {
        notice: FROM_MEMORY,
        query: shown(cut(query, QUERY_TOKENS).0.as_str()),
        hits: rows,
        next_cursor,
        tokens: count_tokens(&text),
    };
    rendered(text, result)
}

fn hit_row(hit: &Hit, snippet: usize) -> HitRow {
    HitRow {
        id: one_line(&hit.id),
        memory_type: hit.memory_type,
        kind: one_line(&hit.kind),
        title: cut(&one_line(&hit.title), TITLE_TOKENS).0,
        snippet: cut(&shown(&hit.snippet), snippet).0,
        trust: hit.trust,
        status: hit.status,
        scope: one_line(&hit.scope),
        source: one_line(&hit.provenance.source),
        date: one_line(&hit.provenance.date),
    }
}

fn evidence_row(evidence: &Evidence) -> EvidenceRow {
    EvidenceRow {
        source: one_line(&evidence.provenance.source),
        date: one_line(&evidence.provenance.date),
        role: one_line(&evidence.role),
        quote: cut(&shown(&evidence.quote), QUOTE_TOKENS).0,
    }
}

fn source_row(source: &AnswerSource) -> SourceRow {
    SourceRow {
        number: source.number,
        id: one_line(&source.id),
        title: one_line(&source.title),
        path: one_line(&source.path),
        scope: one_line(&source.scope),
        trust: source.trust,
        source: one_line(&source.provenance.source),
        date: one_line(&source.provenance.date),
        passage: cut(&shown(&source.passage), QUOTE_TOKENS).0,
        sure: source.sure,
    }
}

fn about(id: &str, memory_type: MemoryType, kind: &str) -> String {
    format!("{} · {}", one_line(id), type_and_kind(memory_type, kind))
}

fn standing(trust: Trust, status: Status, scope: &str, provenance: &Provenance) -> String {
    let status = match status {
        Status::Active => "",
        Status::Archived => " · archived",
        Status::Superseded => " · superseded",
    };
    format!(
        "trust: {}{status} · {} · from {}, {}",
        trust.name(),
        one_line(scope),
        one_line(&provenance.source),
        one_line(&provenance.date)
    )
}
