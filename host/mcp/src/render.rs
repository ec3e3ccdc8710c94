//! Renders results for clients: as text and as a structure, both within a token budget. Memory is quoted in the text
//! and escaped in the structure; source and trust level stand with each item.

mod sessions;

use acreta_text::count_tokens;
use acreta_types::{MemoryType, Status, Trust};
use rmcp::model::JsonObject;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::backend::{
    Added, Answer, AnswerSource, Changed, Evidence, Failure, Hit, MemoryText, Noted, Provenance,
};
use crate::cursor::ListKey;
use crate::quote::{
    FROM_CODEBASE, FROM_MEMORY, FROM_SESSIONS, cut, fenced, one_line, quoted, shown, shown_value,
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
    let result = json!({ "query": shown(cut(query, QUERY_TOKENS).0.as_str()), "hits": [] });
    rendered(
        "Nothing in memory fits.".to_owned(),
        Some(FROM_MEMORY),
        &result,
    )
}

pub(crate) fn memory(memory: &MemoryText) -> Rendered {
    // Escaped before it is cut, because escapes take tokens.
    let (body, body_cut) = cut(&shown(&memory.body), BODY_TOKENS);
    let evidence_cut = memory.evidence.len() > QUOTES;
    let evidence = memory.evidence.iter().take(QUOTES).map(cleaned_evidence);
    let cleaned = MemoryText {
        id: one_line(&memory.id),
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
        provenance: cleaned_provenance(&memory.provenance),
        origin: memory.origin.as_deref().map(one_line),
        evidence: evidence.collect(),
    };
    let mut lines = format!(
        "{} · {}\n",
        about(&cleaned.id, cleaned.memory_type, &cleaned.kind),
        standing(
            cleaned.trust,
            cleaned.status,
            &cleaned.scope,
            &cleaned.provenance
        )
    );
    if let Some(origin) = &cleaned.origin {
        // A name in a commit is whatever its author wrote.
        lines.push_str("brought by git:\n");
        lines.push_str(&quoted(origin));
    }
    for (name, values) in [("tags", &memory.tags), ("related", &memory.related)] {
        if !values.is_empty() {
            lines.push_str(&format!("{name}: {}\n", one_line(&values.join(", "))));
        }
    }
    lines.push_str(&format!("file: {}\n", cleaned.path));
    lines.push_str(&quoted(&cleaned.title));
    lines.push_str(">\n");
    lines.push_str(&quoted(&cleaned.body));
    for row in &cleaned.evidence {
        let Provenance { source, date } = &row.provenance;
        lines.push_str(&format!("said by {} in {source}, {date}:\n", row.role));
        lines.push_str(&quoted(&row.quote));
    }
    let mut result = fields(&cleaned);
    result.insert("truncated".to_owned(), json!(body_cut || evidence_cut));
    rendered(fenced(FROM_MEMORY, &lines), Some(FROM_MEMORY), &result)
}

pub(crate) fn added(added: &Added) -> Rendered {
    let message = one_line(&added.message);
    let action = one_line(&added.action);
    let id = added.id.as_deref().map(one_line);
    let text = match &id {
        Some(id) => format!("{action} {id}: {message}"),
        None => format!("{action}: {message}"),
    };
    let path = added.path.as_deref().map(one_line);
    let result = json!({ "action": action, "id": id, "path": path, "message": message });
    rendered(text, None, &result)
}

pub(crate) fn noted(noted: &Noted) -> Rendered {
    let message = one_line(&noted.message);
    let status = one_line(&noted.status);
    let id = noted.id.as_deref().map(one_line);
    let mut text = match &id {
        Some(id) => format!("{status} {id}: {message}"),
        None => message.clone(),
    };
    let mut similar = Vec::new();
    for (id, title) in &noted.similar {
        let (id, title) = (one_line(id), shown(&one_line(title)));
        text.push_str(&format!("\n- {id} {title}"));
        similar.push(json!({ "id": id, "title": title }));
    }
    let result = json!({ "status": status, "id": id, "similar": similar, "message": message });
    rendered(text, None, &result)
}

pub(crate) fn forgotten(message: &str) -> Rendered {
    let result = json!({ "message": one_line(message) });
    rendered(message.to_owned(), None, &result)
}

pub(crate) fn changed(changed: &Changed) -> Rendered {
    let (id, message) = (one_line(&changed.id), one_line(&changed.message));
    let text = format!("{id}: {message}");
    let path = one_line(&changed.path);
    let result = json!({ "id": id, "path": path, "changed": changed.changed, "message": message });
    rendered(text, None, &result)
}

pub(crate) fn report(report: Map<String, Value>) -> Rendered {
    let report = shown_value(Value::Object(report));
    let text = fenced(FROM_CODEBASE, &quoted(&report.to_string()));
    rendered(text, Some(FROM_CODEBASE), &json!({ "report": report }))
}

pub(crate) fn answer(question: &str, answer: &Answer) -> Rendered {
    let (said, truncated) = cut(&shown(&answer.text), ANSWER_TOKENS);
    let rows = |sources: &[AnswerSource]| -> Vec<AnswerSource> {
        sources.iter().map(cleaned_source).collect()
    };
    let (sources, nearest) = (rows(&answer.sources), rows(&answer.nearest));
    let cited = sessions::cleaned(&answer.sessions);
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
    let result = json!({
        "question": shown(cut(question, QUERY_TOKENS).0.as_str()),
        "answered": !said.is_empty(),
        "answer": said,
        "sources": sources,
        "nearest": nearest,
        "sessions": sessions::marked(&cited),
        "by": one_line(&answer.by),
        "truncated": truncated,
    });
    rendered(text, Some(FROM_MEMORY), &result)
}

const UNANSWERED: &str = "Nothing in memory answers this.";

/// Introduces what memory did not learn.
const CITED: &str =
    "Said in earlier sessions, and never checked; session_read shows what stands around it:";

/// Formats memories with number, trust and source, and their passages or else their titles as quotes.
fn source_lines(rows: &[AnswerSource], is_answered: bool) -> String {
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
            row.provenance.source,
            row.provenance.date
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

/// `decision`, or `learning/pitfall`. The kind is on one line.
pub(crate) fn type_and_kind(memory_type: MemoryType, kind: &str) -> String {
    if kind.is_empty() {
        memory_type.name().to_owned()
    } else {
        format!("{}/{kind}", memory_type.name())
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

/// Puts a result between the notice and the number of tokens of its text. Fields without a value are left out.
fn rendered(text: String, notice: Option<&str>, result: &impl Serialize) -> Rendered {
    let mut structured = JsonObject::new();
    structured.insert("notice".to_owned(), json!(notice));
    structured.extend(fields(result));
    structured.insert("tokens".to_owned(), json!(count_tokens(&text)));
    structured.retain(|_, value| !value.is_null());
    let structured = Value::Object(structured);
    Rendered { text, structured }
}

fn fields(result: &impl Serialize) -> JsonObject {
    match serde_json::to_value(result) {
        Ok(Value::Object(fields)) => fields,
        other => unreachable!("plain fields are always a JSON object: {other:?}"),
    }
}

fn search_with(query: &str, page: &HitPage<'_>, count: usize, snippet: usize) -> Rendered {
    let hits = page.hits[..count].iter();
    let hits: Vec<Hit> = hits.map(|hit| cleaned_hit(hit, snippet)).collect();
    let goes_on = page.more || count < page.hits.len();
    let next_cursor = goes_on.then(|| page.list.cursor(page.offset + count));
    let mut lines = String::new();
    for hit in &hits {
        lines.push_str(&format!(
            "{} · {}\n",
            about(&hit.id, hit.memory_type, &hit.kind),
            standing(hit.trust, hit.status, &hit.scope, &hit.provenance)
        ));
        lines.push_str(&quoted(&hit.title));
        if !hit.snippet.is_empty() {
            lines.push_str(&quoted(&hit.snippet));
        }
    }
    let mut text = fenced(FROM_MEMORY, &lines);
    if let Some(cursor) = &next_cursor {
        text.push_str(&format!("\nMore: the same call with cursor {cursor}"));
    }
    let query = shown(cut(query, QUERY_TOKENS).0.as_str());
    let result = json!({ "query": query, "hits": hits, "next_cursor": next_cursor });
    rendered(text, Some(FROM_MEMORY), &result)
}

fn cleaned_hit(hit: &Hit, snippet: usize) -> Hit {
    Hit {
        id: one_line(&hit.id),
        kind: one_line(&hit.kind),
        title: cut(&one_line(&hit.title), TITLE_TOKENS).0,
        snippet: cut(&shown(&hit.snippet), snippet).0,
        scope: one_line(&hit.scope),
        provenance: cleaned_provenance(&hit.provenance),
        ..*hit
    }
}

fn cleaned_evidence(evidence: &Evidence) -> Evidence {
    Evidence {
        provenance: cleaned_provenance(&evidence.provenance),
        role: one_line(&evidence.role),
        quote: cut(&shown(&evidence.quote), QUOTE_TOKENS).0,
    }
}

fn cleaned_source(source: &AnswerSource) -> AnswerSource {
    AnswerSource {
        id: one_line(&source.id),
        title: one_line(&source.title),
        path: one_line(&source.path),
        scope: one_line(&source.scope),
        provenance: cleaned_provenance(&source.provenance),
        passage: cut(&shown(&source.passage), QUOTE_TOKENS).0,
        ..*source
    }
}

fn cleaned_provenance(provenance: &Provenance) -> Provenance {
    Provenance {
        source: one_line(&provenance.source),
        date: one_line(&provenance.date),
    }
}

fn about(id: &str, memory_type: MemoryType, kind: &str) -> String {
    format!("{id} · {}", type_and_kind(memory_type, kind))
}

fn standing(trust: Trust, status: Status, scope: &str, provenance: &Provenance) -> String {
    let status = match status {
        Status::Active => "",
        Status::Archived => " · archived",
        Status::Superseded => " · superseded",
    };
    format!(
        "trust: {}{status} · {scope} · from {}, {}",
        trust.name(),
        provenance.source,
        provenance.date
    )
}
