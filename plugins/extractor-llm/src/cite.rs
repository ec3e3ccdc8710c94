//! Verifies citations: the line exists, one of its events contains the quote or most of it verbatim, and the quote is
//! long enough. A short answer of the person is linked to the question it answers. A wrong citation is not evidence;
//! other lines are not searched.

use std::collections::BTreeMap;

use acreta_text::asks_person;

use crate::person::is_short_answer;
use crate::quote::{LONGEST_QUOTE, SHORTEST_QUOTE, answered, mostly, verbatim};
use crate::transcript::{TranscriptLine, Voice, attribute};
use crate::words::subject_words;
use crate::{Event, Evidence, Failure, Ports};

/// Result of checking the citations of one proposal.
#[derive(Debug, Default)]
pub(crate) struct CheckedCitations {
    /// With the position of the event in the trace.
    pub(crate) evidence: Vec<(u64, Evidence)>,
    pub(crate) forged: usize,
}

/// A valid citation.
struct ValidCitation {
    number: u64,
    event: Event,
    quote: String,
}

/// Checks each `(number, quote)`; `statement` is the text that they have to support.
pub(crate) fn check(
    ports: &Ports<'_>,
    shown: &BTreeMap<u64, TranscriptLine>,
    citations: &[(u64, String)],
    statement: &str,
) -> Result<CheckedCitations, Failure> {
    let mut checked = CheckedCitations::default();
    let mut found: Vec<ValidCitation> = Vec::new();
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
    shown: &BTreeMap<u64, TranscriptLine>,
    number: u64,
    quote: &str,
) -> Result<Option<ValidCitation>, Failure> {
    let ids = shown.get(&number).map_or(&[][..], |line| &line.event_ids);
    let mut nearest = None;
    for id in ids {
        let Some(event) = ports.trace.read(id)? else {
            continue;
        };
        if let Some(quote) = quoted(&event, quote) {
            return Ok(Some(ValidCitation {
                number,
                event,
                quote,
            }));
        }
        if nearest.is_none()
            && let Some(quote) = mostly(&event.text, quote)
        {
            nearest = Some(ValidCitation {
                number,
                event,
                quote,
            });
        }
    }
    Ok(nearest)
}

/// Finds the quote in the event, verbatim. The input of a call is JSON, so the displayed text may be escaped there.
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

/// Adds the question to each short answer that is cited without it: the best passage of what the agent said or asked
/// right before.
fn bind_answers(
    ports: &Ports<'_>,
    shown: &BTreeMap<u64, TranscriptLine>,
    found: &mut Vec<ValidCitation>,
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
                found.push(ValidCitation {
                    number: line.number,
                    event,
                    quote,
                });
            }
        }
    }
    Ok(())
}

/// Returns the line of a text that shares most words with a statement.
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

/// If a tool's text supports a statement, drops unrelated quotes of people: they would give it more trust than it has.
fn drop_borrowed_trust(found: &mut Vec<ValidCitation>, statement: &str) {
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

/// Reports whether an event has words of the person or the agent, including questions asked by a tool and their
/// answers.
fn is_spoken(event: &Event) -> bool {
    (matches!(event.role.as_str(), "user" | "assistant") && event.kind == "text")
        || asks_person(attribute(event, "tool"))
}

/// Reports whether an event is the person's answer to a question asked by a tool.
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
