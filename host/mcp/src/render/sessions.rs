//! Renders passages and parts of earlier sessions. A page or a tool may have written any of it.

use acreta_text::count_tokens;
use acreta_types::Trust;

use super::rows::{SessionEventRow, SessionHitRow, SessionResult, SessionsResult};
use super::{QUERY_TOKENS, Rendered, TITLE_TOKENS, rendered};
use crate::backend::{SessionEvent, SessionHit, SessionPart};
use crate::quote::{FROM_SESSIONS, cut, fenced, one_line, quoted, shown};

/// Maximum tokens of one event, in a list of hits and in a conversation.
const HIT_TOKENS: usize = 90;
const EVENT_TOKENS: usize = 220;

/// Maximum tokens of a part of a conversation; at least one event is in it.
const PART_TOKENS: usize = 1_500;

pub(crate) fn sessions(query: &str, hits: &[SessionHit]) -> Rendered {
    let rows = rows(hits);
    let lines = lines_of_hits(&rows);
    let text = match rows.is_empty() {
        true => "Nothing in earlier sessions fits.".to_owned(),
        false => fenced(FROM_SESSIONS, &lines),
    };
    let result = SessionsResult {
        notice: FROM_SESSIONS,
        query: shown(cut(query, QUERY_TOKENS).0.as_str()),
        hits: rows,
        tokens: count_tokens(&text),
    };
    rendered(text, result)
}

pub(super) fn rows(hits: &[SessionHit]) -> Vec<SessionHitRow> {
    let rows = hits.iter().map(|hit| SessionHitRow {
        trust: Trust::Untrusted,
        session: one_line(&hit.session),
        title: cut(&one_line(&hit.title), TITLE_TOKENS).0,
        event: row(&hit.event, HIT_TOKENS),
    });
    rows.collect()
}

/// Formats hits under the sessions that they come from.
pub(super) fn lines_of_hits(rows: &[SessionHitRow]) -> String {
    let mut lines = String::new();
    let mut last = "";
    for row in rows {
        if row.session != last {
            lines.push_str(&format!("session {} · trust: untrusted\n", row.session));
            lines.push_str(&quoted(&row.title));
            last = &row.session;
        }
        lines.push_str(&lines_of(&row.event));
    }
    lines
}

pub(crate) fn session(part: &SessionPart) -> Rendered {
    let mut rows = Vec::new();
    let mut lines = format!(
        "session {} · events {} to {} of {}\n",
        one_line(&part.session),
        part.offset + 1,
        part.offset + part.events.len(),
        part.total
    );
    for event in &part.events {
        let row = row(event, EVENT_TOKENS);
        let added = lines_of(&row);
        if !rows.is_empty() && count_tokens(&lines) + count_tokens(&added) > PART_TOKENS {
            break;
        }
        lines.push_str(&added);
        rows.push(row);
    }
    let next = part.offset + rows.len();
    let next_offset = (next < part.total).then_some(next);
    let mut text = fenced(FROM_SESSIONS, &lines);
    if let Some(next) = next_offset {
        text.push_str(&format!("\nMore: the same session with offset {next}"));
    }
    let result = SessionResult {
        notice: FROM_SESSIONS,
        session: one_line(&part.session),
        title: cut(&one_line(&part.title), TITLE_TOKENS).0,
        events: rows,
        offset: part.offset,
        total: part.total,
        next_offset,
        tokens: count_tokens(&text),
    };
    rendered(text, result)
}

fn row(event: &SessionEvent, tokens: usize) -> SessionEventRow {
    SessionEventRow {
        event: one_line(&event.id),
        role: one_line(&event.role),
        tool: event.tool.as_deref().map(one_line),
        date: one_line(&event.date),
        text: cut(&shown(&event.text), tokens).0,
    }
}

fn lines_of(row: &SessionEventRow) -> String {
    let tool = row.tool.as_deref().map(|tool| format!(" · {tool}"));
    format!(
        "{} · {}{} · {}\n{}",
        row.event,
        row.role,
        tool.unwrap_or_default(),
        row.date,
        quoted(&row.text)
    )
}
