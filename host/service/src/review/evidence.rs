//! The evidence of an item: quotes, and the turns around each in its conversation, if that is available.

use acreta_pipeline::{CLIENT, IMPORT, PERSON};
use acreta_store::{Contribution, QuotedEvent};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::items::WaitingItem;
use crate::Context;
use crate::sessions::{self, EventRow};

/// Maximum number of quotes of an item, the newest.
const QUOTES: usize = 4;

/// Number of events that are searched for the turns around a quote.
const EVENTS: u64 = 25;

/// Number of turns before and after a quote.
const AROUND: usize = 2;

/// Maximum characters of a turn.
const TURN: usize = 600;

/// A word-for-word quote with its context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewEvidence {
    pub agent: String,
    /// Empty if it is not from a session.
    pub session_id: String,
    pub event_id: String,
    /// `user`, `assistant` or `tool`.
    pub role: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<u64>,
    pub quote: String,
    /// The conversation around the quote, in order; empty if it is not available.
    pub turns: Vec<Turn>,
}

/// One turn of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Turn {
    pub event_id: String,
    pub role: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<u64>,
    pub text: String,
    /// The turn contains the quote.
    pub quoted: bool,
}

/// Returns the evidence of an item, newest first.
pub(super) fn of(waiting: &WaitingItem, context: &Context) -> Vec<ReviewEvidence> {
    quotes_in_context(&waiting.subject.contributions(), QUOTES, context)
}

/// Returns the quotes of contributions with the turns around each, newest first.
pub(crate) fn quotes_in_context(
    contributions: &[Contribution],
    most: usize,
    context: &Context,
) -> Vec<ReviewEvidence> {
    let mut quotes: Vec<(&Contribution, &QuotedEvent)> = contributions
        .iter()
        .flat_map(|one| one.evidence.iter().map(move |quoted| (one, quoted)))
        .collect();
    quotes.sort_by_key(|(_, quoted)| std::cmp::Reverse(quoted.at_ms));
    quotes.dedup_by_key(|(one, quoted)| (&one.session_id, &quoted.event_id, &quoted.quote));
    quotes
        .into_iter()
        .take(most)
        .map(|(one, quoted)| evidence(one, quoted, context))
        .collect()
}

fn evidence(one: &Contribution, quoted: &QuotedEvent, context: &Context) -> ReviewEvidence {
    let is_session = ![CLIENT, IMPORT, PERSON].contains(&one.agent.as_str());
    ReviewEvidence {
        agent: one.agent.clone(),
        session_id: if is_session {
            one.session_id.clone()
        } else {
            String::new()
        },
        event_id: quoted.event_id.clone(),
        role: quoted.role.clone(),
        at_ms: quoted.at_ms,
        quote: quoted.quote.clone(),
        turns: match is_session {
            true => turns(one, quoted, context).unwrap_or_default(),
            false => Vec::new(),
        },
    }
}

/// Returns `None` if the conversation is missing, or no longer has the event.
fn turns(one: &Contribution, quoted: &QuotedEvent, context: &Context) -> Option<Vec<Turn>> {
    let mut conversation = sessions::open_one(&one.agent, &one.session_id, context).ok()?;
    let page = conversation.page(0, EVENTS, Some(&quoted.event_id)).ok()?;
    let at = page
        .events
        .iter()
        .position(|event| event.id == quoted.event_id)?;
    let is_said = |event: &&EventRow| event.kind == "text" && !event.text.trim().is_empty();
    let before = page.events[..at].iter().rev().filter(is_said).take(AROUND);
    let mut shown: Vec<&EventRow> = before.collect();
    shown.reverse();
    shown.push(&page.events[at]);
    shown.extend(page.events[at + 1..].iter().filter(is_said).take(AROUND));
    let turns = shown.into_iter().map(|event| {
        let is_quoted = event.id == quoted.event_id;
        let quote = if is_quoted { quoted.quote.as_str() } else { "" };
        Turn {
            event_id: event.id.clone(),
            role: event.role.clone(),
            at_ms: event.at_ms,
            text: window(&event.text, quote),
            quoted: is_quoted,
        }
    });
    Some(turns.collect())
}

/// Returns the part of a text around a quote, cut at words.
fn window(text: &str, quote: &str) -> String {
    let text = text.trim();
    let characters = text.chars().count();
    if characters <= TURN {
        return text.to_owned();
    }
    let at = text.find(quote.trim()).unwrap_or(0);
    let ahead = text[..at].chars().count();
    let spare = TURN.saturating_sub(quote.chars().count()) / 2;
    let from = ahead.saturating_sub(spare).min(characters - TURN);
    let part: String = text
        .chars()
        .skip(from)
        .take(TURN.max(quote.chars().count()))
        .collect();
    let mut shown = part.trim();
    let (is_start, is_end) = (from == 0, from + part.chars().count() >= characters);
    if !is_start && let Some((_, rest)) = shown.split_once(char::is_whitespace) {
        shown = rest.trim_start();
    }
    if !is_end && let Some((rest, _)) = shown.rsplit_once(char::is_whitespace) {
        shown = rest.trim_end();
    }
    let (open, close) = (
        if is_start { "" } else { "… " },
        if is_end { "" } else { " …" },
    );
    format!("{open}{shown}{close}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_turn_is_shown_around_its_quote_and_from_word_to_word() {
        let long = |words: usize| "word ".repeat(words);
        let table = [
            ("short".to_owned(), "", "short", ""),
            (long(300), "", "word", " …"),
            (
                format!("{}the quote {}", long(300), long(300)),
                "the quote",
                "… ",
                " …",
            ),
            (
                format!("{}the quote", long(300)),
                "the quote",
                "… ",
                "the quote",
            ),
        ];
        for (text, quote, start, end) in table {
            let shown = window(&text, quote);
            assert!(shown.starts_with(start) && shown.ends_with(end), "{shown}");
            assert!(
                shown.contains(quote) && shown.chars().count() <= TURN + 4,
                "{shown}"
            );
            let inner = shown.trim_matches(['…', ' ']);
            let whole = ["word", "the", "quote", "short"];
            assert!(
                inner.split(' ').all(|word| whole.contains(&word)),
                "{shown}"
            );
        }
    }
}
