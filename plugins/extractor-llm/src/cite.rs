//! Citations, checked: the line is there, the quote or most of it is in one of its events word for word,
//! and it says enough to be a quote. A short answer of the person is bound to the question it answers.
//! What a model cites wrongly is no evidence; nothing is looked for in another line.

use std::collections::BTreeMap;

use acreta_text::asks_person;

use crate::person::is_short_answer;
use crate::quote::{LONGEST_QUOTE, SHORTEST_QUOTE, answered, mostly, verbatim};
use crate::transcript::{Line, Voice, attribute};
use crate::words::subject_words;
use crate::{Event, Evidence, Failure, Ports};

/// What came of the citations of one proposal.
#[derive(Debug, Default)]
pub(crate) struct Checked {
    /// With the place of the event in the trace.
    pub(crate) evidence: Vec<(u64, Evidence)>,
    pub(crate) forged: usize,
}

/// A citation that holds.
struct Found {
    number: u64,
    event: Event,
    quote: String,
}

/// Checks each `(number, quote)`; `statement` is what they are to bear out.
pub(crate) fn check(
    ports: &Ports<'_>,
    shown: &BTreeMap<u64, Line>,
    citations: &[(u64, String)],
    statement: &str,
) -> Result<Checked, Failure> {
    let mut checked = Checked::default();
    let mut found: Vec<Found> = Vec::new();
    for (number, quote) in citations.iter().take(MOST_CITATIONS) {
        match look_up(ports, shown, *number, quote)? {
            Some(one) => found.push(one),
            None => checked.forged += 1,
        }
    }
    bind_answers(ports, shown, &mut found, statement)?;
    drop_borrowed_trust(&mut found, statement);
    checked.evidence = found
        .into_iter()
        .map(|one| {
            let evidence = Evidence {
                event_id: one.event.id,
                quote: one.quote,
            };
            (one.number, evidence)
        })
        .collect();
    Ok(checked)
}

const MOST_CITATIONS: usize = 8;

fn look_up(
    ports: &Ports<'_>,
    shown: &BTreeMap<u64, Line>,
    number: u64,
    quote: &str,
) -> Result<Option<Found>, Failure> {
    let ids = shown.get(&number).map_or(&[][..], |line| &line.event_ids);
    let mut nearest = None;
    for id in ids {
        let Some(event) = ports.trace.read(id)? else {
            continue;
        };
        if let Some(quote) = quoted(&event, quote) {
            return Ok(Some(Found {
                number,
                event,
                quote,
            }));
        }
        if nearest.is_none()
            && let Some(quote) = mostly(&event.text, quote)
        {
            nearest = Some(Found {
                number,
                event,
                quote,
            });
        }
    }
    Ok(nearest)
}

/// The quote as it stands in the event. The input of a call is JSON: what a line shows of it may
/// stand there escaped.
fn quoted(event: &Event, quote: &str) -> Option<String> {
    let plain = verbatim(&event.text, quote);
    if plain.is_none() && (is_persons(event) || is_answer(event)) {
        return answered(&event.text, quote, is_answer(event));
    }
    if plain.is_some() || event.kind != "tool-call" {
        return plain;
    }
    let lines = quote.lines().map(|line| {
        let line = line.trim();
        line.strip_prefix("+ ")
            .or_else(|| line.strip_prefix("- "))
            .unwrap_or(line)
    });
    let mut lines: Vec<String> = lines
        .map(|line| serde_json::Value::from(line).to_string())
        .map(|line| line[1..line.len() - 1].to_owned())
        .collect();
    lines.sort_by_key(|line| std::cmp::Reverse(line.len()));
    lines.iter().find_map(|line| verbatim(&event.text, line))
}

/// Adds the question to each short answer that is cited without it: the best passage of what the
/// agent said or asked right before.
fn bind_answers(
    ports: &Ports<'_>,
    shown: &BTreeMap<u64, Line>,
    found: &mut Vec<Found>,
    statement: &str,
) -> Result<(), Failure> {
    let answers: Vec<u64> = found
        .iter()
        .filter(|one| is_persons(&one.event) && is_short_answer(&one.event.text))
        .map(|one| one.number)
        .collect();
    for answer in answers {
        let before = shown.range(..answer).rev().map(|(_, line)| line);
        let mut asked = before.take_while(|line| !line.voice.is_person());
        let Some(line) = asked.find(|line| line.voice == Voice::Agent) else {
            continue;
        };
        if found.iter().any(|one| one.number == line.number) {
            continue;
        }
        for id in &line.event_ids {
            if let Some(event) = ports.trace.read(id)?
                && let Some(quote) = passage(&event.text, statement)
            {
                found.push(Found {
                    number: line.number,
                    event,
                    quote,
                });
            }
        }
    }
    Ok(())
}

/// The line of a text that has most words in common with a statement.
fn passage(text: &str, statement: &str) -> Option<String> {
    let subject = subject_words(statement);
    let shared = |line: &&str| subject_words(line).intersection(&subject).count();
    let lines = text.lines().map(str::trim);
    let best = lines
        .filter(|line| line.len() >= SHORTEST_QUOTE && !line.chars().any(acreta_text::is_hidden))
        .rev()
        .max_by_key(shared)?;
    (shared(&best) >= 2).then(|| acreta_text::head(best, LONGEST_QUOTE).trim_end().to_owned())
}

/// Where a tool's text bears a statement out, words of people that have nothing to do with it do not
/// stand beside it: they would lend it a trust it has not.
fn drop_borrowed_trust(found: &mut Vec<Found>, statement: &str) {
    let subject = acreta_text::tokens(statement);
    let shared = |quote: &str| {
        let words = acreta_text::tokens(quote);
        words
            .intersection(&subject)
            .filter(|word| word.len() > 2)
            .count()
    };
    let told_by_tool = found
        .iter()
        .any(|one| !is_spoken(&one.event) && shared(&one.quote) >= 2);
    if told_by_tool {
        found.retain(|one| !is_spoken(&one.event) || shared(&one.quote) > 0);
    }
}

fn is_persons(event: &Event) -> bool {
    event.role == "user" && event.kind == "text"
}

/// Words of the person or the agent, also in a question that a tool puts and in its answer.
fn is_spoken(event: &Event) -> bool {
    (matches!(event.role.as_str(), "user" | "assistant") && event.kind == "text")
        || asks_person(attribute(event, "tool"))
}

/// The person's answer to a question that a tool put.
fn is_answer(event: &Event) -> bool {
    event.kind == "tool-result" && asks_person(attribute(event, "tool"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_passage_that_a_statement_is_about_is_found() {
        let text =
            "There are two ways:\nA) keep jobs in a PostgreSQL table\nB) use Redis Streams\nWhich?";
        assert_eq!(
            passage(text, "Jobs live in a PostgreSQL table").as_deref(),
            Some("A) keep jobs in a PostgreSQL table")
        );
        assert_eq!(passage(text, "Deploy on Fridays"), None);
    }
}
