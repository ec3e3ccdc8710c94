//! Renders passages and parts of earlier sessions. A page or a tool may have written any of it.

use acreta_text::count_tokens;
use acreta_types::Trust;
use rmcp::model::JsonObject;
use serde_json::json;

use super::{QUERY_TOKENS, Rendered, TITLE_TOKENS, fields, rendered};
use crate::backend::{SessionEvent, SessionHit, SessionPart};
use crate::quote::{FROM_SESSIONS, cut, fenced, one_line, quoted, shown};

/// Maximum tokens of one event, in a list of hits and in a conversation.
const HIT_TOKENS: usize = 90;
const EVENT_TOKENS: usize = 220;

/// Maximum tokens of a part of a conversation; at least one event is in it.
const PART_TOKENS: usize = 1_500;

pub(crate) fn sessions(query: &str, hits: &[SessionHit]) -> Rendered {
    let hits = cleaned(hits);
    let lines = lines_of_hits(&hits);
    let text = match hits.is_empty() {
        true => "Nothing in earlier sessions fits.".to_owned(),
        false => fenced(FROM_SESSIONS, &lines),
    };
    let query = shown(cut(query, QUERY_TOKENS).0.as_str());
    let result = json!({ "query": query, "hits": marked(&hits) });
    rendered(text, Some(FROM_SESSIONS), &result)
}

pub(super) fn cleaned(hits: &[SessionHit]) -> Vec<SessionHit> {
    let hits = hits.iter().map(|hit| SessionHit {
        session: one_line(&hit.session),
        title: cut(&one_line(&hit.title), TITLE_TOKENS).0,
        event: cleaned_event(&hit.event, HIT_TOKENS),
    });
    hits.collect()
}

/// Returns the hits as JSON, each marked as untrusted.
pub(super) fn marked(hits: &[SessionHit]) -> Vec<JsonObject> {
    let mark = |hit: &SessionHit| {
        let mut marked = JsonObject::new();
        marked.insert("trust".to_owned(), json!(Trust::Untrusted));
        marked.extend(fields(hit));
        marked
    };
    hits.iter().map(mark).collect()
}

/// Formats hits under the sessions that they come from.
pub(super) fn lines_of_hits(hits: &[SessionHit]) -> String {
    let mut lines = String::new();
    let mut last = "";
    for hit in hits {
        if hit.session != last {
            lines.push_str(&format!("session {} · trust: untrusted\n", hit.session));
            lines.push_str(&quoted(&hit.title));
            last = &hit.session;
        }
        lines.push_str(&lines_of(&hit.event));
    }
    lines
}

pub(crate) fn session(part: &SessionPart) -> Rendered {
    let mut events = Vec::new();
    let mut lines = format!(
        "session {} · events {} to {} of {}\n",
        one_line(&part.session),
        part.offset + 1,
        part.offset + part.events.len(),
        part.total
    );
    for event in &part.events {
        let event = cleaned_event(event, EVENT_TOKENS);
        let added = lines_of(&event);
        if !events.is_empty() && count_tokens(&lines) + count_tokens(&added) > PART_TOKENS {
            break;
        }
        lines.push_str(&added);
        events.push(event);
    }
    let next = part.offset + events.len();
    let next_offset = (next < part.total).then_some(next);
    let mut text = fenced(FROM_SESSIONS, &lines);
    if let Some(next) = next_offset {
        text.push_str(&format!("\nMore: the same session with offset {next}"));
    }
    let result = json!({
        "session": one_line(&part.session),
        "title": cut(&one_line(&part.title), TITLE_TOKENS).0,
        "events": events,
        "offset": part.offset,
        "total": part.total,
        "next_offset": next_offset,
    });
    rendered(text, Some(FROM_SESSIONS), &result)
}

fn cleaned_event(event: &SessionEvent, tokens: usize) -> SessionEvent {
    SessionEvent {
        id: one_line(&event.id),
        role: one_line(&event.role),
        tool: event.tool.as_deref().map(one_line),
        date: one_line(&event.date),
        text: cut(&shown(&event.text), tokens).0,
    }
}

fn lines_of(event: &SessionEvent) -> String {
    let tool = event.tool.as_deref().map(|tool| format!(" · {tool}"));
    format!(
        "{} · {}{} · {}\n{}",
        event.id,
        event.role,
        tool.unwrap_or_default(),
        event.date,
        quoted(&event.text)
    )
}
