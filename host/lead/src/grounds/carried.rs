//! Checks that the person's typed words carry a candidate: its content words, every name, and its polarity. An error
//! says which of them they do not carry.

use std::collections::HashSet;

use crate::grounds::ground::{Ground, NAMED_BY_TOOL, OFFERED_BY_TOOL};

use acreta_model::Candidate;

use super::own_words::quoted;
use super::qualified::{is_address, is_excerpt};
use super::record::{PersonMessage, SessionIndex, near, statements};
use super::stance::{JOINTS, Stance, clauses, sentences};
use super::terms::terms;
use super::translated::{letters, translated};
use crate::decide::accepted::ResolvedCitation;

/// Checks that the person's words carry the candidate; the error is the reason why not.
pub(super) fn carries(
    record: &SessionIndex,
    candidate: &Candidate,
    citations: &[&ResolvedCitation],
    cites_agent: bool,
) -> Result<(), String> {
    let mut cited: Vec<usize> = citations
        .iter()
        .filter_map(|cited| record.message(&cited.event.id))
        .collect();
    cited.sort_unstable();
    cited.dedup();
    if cited.is_empty() {
        return Err("cites no message of a person".to_owned());
    }
    let ground = Ground::of(record, candidate, &cited);
    let text = format!("{}\n{}", candidate.title, candidate.body);
    let typed = ground.judge(record, candidate, false).and_then(|()| {
        match quotes_excerpt(record, citations, &text) || quotes_fragment(record, citations, &text)
        {
            true => Err("it leaves out much of the sentence that it quotes".to_owned()),
            false => Ok(()),
        }
    });
    let Err(reason) = typed else {
        return Ok(());
    };
    let messages = cited.iter().map(|index| &record.messages[*index]);
    let selected: Vec<&PersonMessage> = messages
        .filter(|message| message.taken_up.is_some() && (cites_agent || message.is_answer()))
        .collect();
    if !selected.is_empty() {
        let mut ground = ground;
        for index in cited
            .iter()
            .flat_map(|index| near(*index, record.messages.len(), 1))
        {
            let subjects = record.messages[index].asked_about();
            ground.add(subjects.map(str::to_owned), false);
        }
        for message in &selected {
            ground.add(
                message.taken_up.iter().flat_map(|text| sentences(text)),
                true,
            );
        }
        ground.judge(record, candidate, true)?;
        let last = selected
            .iter()
            .map(|message| message.place)
            .max()
            .unwrap_or(usize::MAX);
        return not_offered_by_tool(record, candidate, &ground, last);
    }
    translated(record, candidate, citations, &ground, reason)
}

/// Reports whether the text leaves out much of a sentence that it quotes.
fn quotes_excerpt(record: &SessionIndex, citations: &[&ResolvedCitation], text: &str) -> bool {
    let quotes: String = citations
        .iter()
        .map(|cited| format!("{}\n", cited.quote))
        .collect();
    citations.iter().any(|cited| {
        let index = record.message(&cited.event.id);
        let units = index.map_or(&[][..], |index| &record.messages[index].units);
        let sentences = quoted(units, cited);
        let mut asserted = sentences
            .iter()
            .filter(|unit| unit.stance == Stance::Asserted);
        asserted.any(|unit| is_excerpt(&unit.text, &quotes, text))
    })
}

/// Reports whether a quote leaves out words before it in its sentence, or words of a clause that it cuts, and the text
/// does not have them either. They may govern it or turn it round (`at my old job: | …`, `don't ever | run that`).
fn quotes_fragment(record: &SessionIndex, citations: &[&ResolvedCitation], text: &str) -> bool {
    let said: HashSet<String> = text.split_whitespace().map(letters).collect();
    let matters = |word: &String| {
        let is_joint = || JOINTS.split('|').any(|joint| joint == word);
        !word.is_empty() && !said.contains(word) && !is_address(word) && !is_joint()
    };
    citations.iter().any(|cited| {
        let index = record.message(&cited.event.id);
        let units = index.map_or(&[][..], |index| &record.messages[index].units);
        let (quote, message) = (letters(&cited.quote), letters(&cited.event.text));
        let Some(start) = message.find(&quote) else {
            return false;
        };
        let quote = start..start + quote.len();
        let mut from = 0;
        units.iter().any(|unit| {
            let sentence = letters(&unit.whole);
            let Some(place) = message[from..].find(&sentence).map(|place| from + place) else {
                return false;
            };
            from = place + sentence.len();
            let is_cited = place < quote.end && from > quote.start;
            let mut at = place;
            is_cited
                && clauses(&unit.whole).iter().any(|clause| {
                    let (start, length) = (at, letters(clause).len());
                    at += length;
                    if start >= quote.end {
                        return false;
                    }
                    let mut at = start;
                    clause.split_whitespace().map(letters).any(|word| {
                        let is_quoted = quote.contains(&at);
                        at += word.len();
                        !is_quoted && matters(&word)
                    })
                })
        })
    })
}

/// Checks that the option a person chose is the agent's own: no earlier tool output says it.
fn not_offered_by_tool(
    record: &SessionIndex,
    candidate: &Candidate,
    ground: &Ground,
    before: usize,
) -> Result<(), String> {
    for sentence in statements(candidate) {
        let own = terms(&sentence);
        let is_foreign = |key: &String| {
            own.iter()
                .any(|term| term.key == *key && term.is_name && !ground.typed.has(term))
        };
        let told = record
            .echo
            .hits(&sentence)
            .iter()
            .filter(|hit| hit.place < before)
            .any(|hit| {
                let named = hit.keys.iter().any(is_foreign);
                hit.share >= OFFERED_BY_TOOL || named && hit.share >= NAMED_BY_TOOL
            });
        let leads_out = own.iter().any(|term| {
            let is_seen = record
                .echo
                .first(&term.key)
                .is_some_and(|place| place < before);
            is_seen && is_foreign(&term.key) && is_host(&term.key)
        });
        if told || leads_out {
            return Err("the agent offered what tool output says".to_owned());
        }
    }
    Ok(())
}

/// Reports whether a name is a network host.
fn is_host(name: &str) -> bool {
    let host = name.split(['/', ':']).next().unwrap_or_default();
    let mut parts = host.rsplit('.');
    let last = parts.next().unwrap_or_default();
    parts.next().is_some()
        && last.len() > 1
        && last.chars().all(|one| one.is_alphabetic())
        && (name.contains('/') || host.matches('.').count() > 1)
}
