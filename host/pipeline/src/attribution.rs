//! Decides whose words a candidate is. A plugin may cite anything and word a title as it likes, so nothing that
//! instructs a later agent is told in the plugin's words: it is told in the person's, verbatim.
//!
//! One statement's way, from message to brief:
//!
//! 1. Person: "fine. and never deploy on fridays please" (event e7), after the agent asked about a deploy job (e6).
//! 2. An extractor proposes: title "No deploys on Fridays", evidence "never deploy on fridays" in e7.
//! 3. `decide::gates` checks that e7 really contains the quote.
//! 4. [`Attribution::judge`] takes the *whole sentence* of e7 around it: "and never deploy on fridays please". A fragment
//!    cannot turn its sentence round.
//! 5. The sentence must be typed: not fenced, tagged, logged, quoted (`acreta_text::typed_sentences`, by form alone), and
//!    not standing in tool output, injected text or the agent's words ([`echo`], by comparison).
//! 6. If it does not say what it is about ("yes, the second"), the passage of the agent that it answers is added
//!    (`about`), unless tool output had put it into the agent's mouth.
//! 7. The title stays if its names and numbers stand in the message or the turn before; otherwise the quote is the title.
//!    A page may lead an agent while it works, so the title of a note has no word that the quote, what it answers or the message lacks.
//! 8. The body becomes `> and never deploy on fridays please`; nothing of the extractor's own body is left.
//! 9. `decide` merges it with what memory has; the writer drafts the file; `Store::commit` writes it.
//! 10. A brief tells: `No deploys on Fridays — “and never deploy on fridays please”`.
//!
//! So a paraphrase carries nothing in: there is no test of meaning, polarity or language, and no list of words. What a
//! person typed in jest is told in their words, with whatever shows the jest. Findings of fact stay in the finder's words,
//! with the agent as their source. See `docs/decisions/0035-quotation.md`.

mod about;
mod answer;
mod echo;
mod session;
#[cfg(test)]
mod tests;
mod title;

use std::collections::BTreeSet;
use std::ops::Range;

use acreta_text::{
    asks_person, beginning, is_hidden, is_unspaced, list_mark, tokens, typed_sentences,
};
use acreta_types::{Candidate, Event, Quotation, TraceReader};

use crate::decide::accepted::{ResolvedCitation, note_id};
use session::{Message, SessionIndex};

/// Whose words a candidate is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Speaker {
    /// The person's, as quoted.
    Person(Proven),
    /// The agent's.
    Agent,
    /// Nobody's: only a tool's output, a page, a file or injected text says it.
    Nobody,
}

/// A statement in the person's words.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Proven {
    pub(crate) title: String,
    pub(crate) quotation: Quotation,
    /// The whole sentences that are told, and the passage that they answer.
    pub(crate) citations: Vec<ResolvedCitation>,
}

/// Kinds of learnings that instruct a later agent. A decision, which has no kind, does as well.
const INSTRUCTING_KINDS: [&str; 3] = ["convention", "preference", "procedure"];

/// Maximum characters of the quotes together. Somebody who dictates says this much without a full stop; more is a pasted
/// passage.
const QUOTE_CHARACTERS: usize = 1_000;

/// Minimum share of a candidate's words that stand in its citations. A free rewording has far more.
const LEAST_SHARED: f64 = 0.25;

/// Share from which a passage that tool output has is the tool's.
pub(super) const TOOLS: f64 = 0.5;

/// A session, against which the candidates of one batch are held.
pub(crate) struct Attribution {
    session: SessionIndex,
}

impl Attribution {
    /// Reads the trace, if there are candidates, and passes each event once to `see`.
    pub(crate) fn read(
        candidates: &[Candidate],
        trace: &mut dyn TraceReader,
        see: impl FnMut(&Event),
    ) -> Self {
        let session = match candidates.is_empty() {
            true => SessionIndex::default(),
            false => SessionIndex::read(candidates, trace, see),
        };
        Self { session }
    }

    /// Returns whose words a candidate is, or the reason why it is refused.
    pub(crate) fn judge(
        &self,
        candidate: &Candidate,
        citations: &[ResolvedCitation],
    ) -> Result<Speaker, String> {
        if instructs(candidate) {
            return self.instruction(candidate, citations);
        }
        if shares_too_little(candidate, citations) {
            return Err("hardly a word of it stands in what it cites".to_owned());
        }
        let is_own = |cited: &&ResolvedCitation| is_persons(cited) || self.is_agents(cited);
        match citations.iter().any(|cited| is_own(&cited)) {
            true => Ok(Speaker::Agent),
            false => Ok(Speaker::Nobody),
        }
    }

    /// Judges a candidate that instructs: only typed sentences count.
    fn instruction(
        &self,
        candidate: &Candidate,
        citations: &[ResolvedCitation],
    ) -> Result<Speaker, String> {
        let mut quotes: Vec<(&Message, Range<usize>)> = Vec::new();
        for cited in citations {
            let Some(message) = self.session.message(&cited.event.id) else {
                continue;
            };
            for range in quoted_sentences(message, &cited.quote) {
                if !quotes
                    .iter()
                    .any(|(known, at)| known.place == message.place && *at == range)
                {
                    quotes.push((message, range));
                }
            }
        }
        let heads: Vec<_> = quotes
            .iter()
            .filter_map(|(message, range)| Some((*message, lead_in(message, range)?)))
            .collect();
        // An item is a part of its list, and the list may turn it round: a title that leaves this out gives way.
        let proposed = match heads.is_empty() {
            true => candidate.title.as_str(),
            false => "",
        };
        for (message, head) in heads {
            let is_known = |(known, at): &(&Message, Range<usize>)| {
                known.place == message.place && *at == head
            };
            if !quotes.iter().any(is_known) {
                quotes.push((message, head));
            }
        }
        quotes.sort_by_key(|(message, range)| (message.place, range.start));
        let Some(first) = quotes.first().map(|(message, _)| *message) else {
            return match citations.iter().any(|cited| self.is_agents(cited)) {
                true => Ok(Speaker::Agent),
                false => Err("no sentence that the person typed says it".to_owned()),
            };
        };
        let texts: Vec<&str> = quotes
            .iter()
            .map(|(message, range)| &message.event.text[range.clone()])
            .collect();
        let length: usize = texts.iter().map(|text| text.chars().count()).sum();
        if length > QUOTE_CHARACTERS {
            return Err(format!(
                "quotes {length} characters, {QUOTE_CHARACTERS} allowed"
            ));
        }
        let about = about::find(first, citations, &texts, &self.session.echo)?;
        let room = QUOTE_CHARACTERS.saturating_sub(length);
        let fits = |(_, range): &(&Message, Range<usize>)| range.len() <= room;
        let later = self.later_word(&quotes).filter(fits);
        // "not the first, people lose their cart. the other one": a short answer is told with the sentence before it.
        if about::is_short(&texts) {
            let before = sentence_before(first, &quotes[0].1).map(|range| (first, range));
            quotes.splice(0..0, before.filter(fits));
        }
        quotes.extend(later);
        let texts: Vec<&str> = quotes
            .iter()
            .map(|(message, range)| &message.event.text[range.clone()])
            .collect();
        let quotation = Quotation {
            quotes: texts.iter().map(|text| (*text).to_owned()).collect(),
            about: about.as_ref().map(|about| about.text.clone()),
        };
        let title = title::checked(proposed, note_id(candidate).is_some(), &quotation, &quotes);
        let mut proven: Vec<ResolvedCitation> = quotes
            .iter()
            .map(|(message, range)| ResolvedCitation {
                event: message.event.clone(),
                quote: message.event.text[range.clone()].to_owned(),
            })
            .collect();
        proven.extend(about.and_then(|about| about.citation));
        Ok(Speaker::Person(Proven {
            title,
            quotation,
            citations: proven,
        }))
    }

    /// Returns the person's last sentence on the same subject in a later message: the newest word stands, and a reader
    /// needs both to see what changed.
    fn later_word(&self, quotes: &[(&Message, Range<usize>)]) -> Option<(&Message, Range<usize>)> {
        let (last, _) = quotes.last()?;
        let said = quotes
            .iter()
            .map(|(message, range)| &message.event.text[range.clone()]);
        let about = stems(&without_paths(&said.collect::<Vec<_>>().join(" ")));
        let later = self.session.after(last.place).flat_map(|message| {
            let typed = message
                .typed
                .iter()
                .map(move |range| (message, range.clone()));
            typed.filter(|_| message.answers.is_empty())
        });
        let is_same = |(message, range): &(&Message, Range<usize>)| {
            let own = stems(&without_paths(&message.event.text[range.clone()]));
            let common = own.intersection(&about).count();
            let is_unspaced = own.iter().any(|stem| stem.chars().any(is_unspaced));
            let least = if is_unspaced { 3 } else { 2 };
            // Half of either: one that only mentions the subject is a task about it.
            common > 0
                && common >= least.min(about.len())
                && common * 2 >= own.len().max(about.len())
        };
        later.filter(is_same).last()
    }

    /// Reports whether the agent said it itself: no tool output had it before.
    fn is_agents(&self, cited: &ResolvedCitation) -> bool {
        let place = self.session.place(&cited.event.id).unwrap_or(usize::MAX);
        is_own_word(&cited.event)
            && cited.event.role == "assistant"
            && !is_memory_call(&cited.event)
            && !cited.quote.chars().any(is_hidden)
            && self.session.echo.share_of_output(&cited.quote, place) < TOOLS
    }
}

/// Reports whether a candidate instructs a later agent.
pub(crate) fn instructs(candidate: &Candidate) -> bool {
    is_instruction(&candidate.kind)
}

/// Reports whether later agents would follow a memory of this kind: only the person's own words make one.
pub fn is_instruction(kind: &str) -> bool {
    kind.is_empty() || INSTRUCTING_KINDS.contains(&kind)
}

/// Reports whether a person said it, to the agent or in answer to a tool.
pub(crate) fn is_persons(cited: &ResolvedCitation) -> bool {
    (is_answer(&cited.event) || is_person_text(&cited.event)) && !cited.quote.chars().any(is_hidden)
}

/// Reports whether a person typed a phrase in an event, judged by form alone.
pub(crate) fn is_typed(event: &Event, phrase: &str) -> bool {
    let is_inside = |range: Range<usize>| event.text[range].contains(phrase);
    is_person_text(event) && typed_sentences(&event.text).into_iter().any(is_inside)
}

/// Reports whether a person or the agent said it in their own words, visibly.
pub(crate) fn is_spoken(cited: &ResolvedCitation) -> bool {
    (is_own_word(&cited.event) || is_answer(&cited.event)) && !cited.quote.chars().any(is_hidden)
}

/// Reports whether the event is a message of the person in the main conversation.
fn is_person_text(event: &Event) -> bool {
    event.role == "user" && event.kind == "text" && event.attrs.get("sidechain").is_none()
}

fn is_own_word(event: &Event) -> bool {
    matches!(event.role.as_str(), "user" | "assistant")
        && matches!(event.kind.as_str(), "text" | "thinking" | "tool-call")
}

/// Reports whether the event is a call of acreta's own tools: a note does not prove itself.
fn is_memory_call(event: &Event) -> bool {
    let tool = event.attrs.get("tool").unwrap_or_default();
    event.kind == "tool-call" && (tool.contains("memory_") || event.text.contains("acreta memory"))
}

/// Reports whether the person answered a question that a tool asked.
fn is_answer(event: &Event) -> bool {
    event.kind == "tool-result" && event.attrs.get("tool").is_some_and(asks_person)
}

/// Returns the typed sentences of a message that a quote has a good part of. None if less than half of the quote was typed:
/// the rest was not, and the quote is about that.
fn quoted_sentences(message: &Message, quote: &str) -> Vec<Range<usize>> {
    let quote = quote.trim();
    let Some(start) = message.event.text.find(quote) else {
        return Vec::new();
    };
    let cited = start..start + quote.len();
    let shared = |range: &Range<usize>| {
        range
            .end
            .min(cited.end)
            .saturating_sub(range.start.max(cited.start))
    };
    let typed: usize = message.typed.iter().map(shared).sum();
    if typed * 2 < cited.len() && message.answers.is_empty() {
        return Vec::new();
    }
    let is_meant = |range: &&Range<usize>| {
        shared(range) > 0 && shared(range) * LEAST_PART >= cited.len().min(range.len())
    };
    message.typed.iter().filter(is_meant).cloned().collect()
}

/// Returns the sentence that stands before another on the same line.
fn sentence_before(message: &Message, range: &Range<usize>) -> Option<Range<usize>> {
    let before = message
        .typed
        .iter()
        .rev()
        .find(|known| known.end <= range.start)?;
    let between = message.event.text.get(before.end..range.start)?;
    between
        .chars()
        .all(|one| one == ' ')
        .then(|| before.clone())
}

/// Returns the sentence above the list that a sentence is an item of: "what I do not want:" turns every item round.
fn lead_in(message: &Message, item: &Range<usize>) -> Option<Range<usize>> {
    let text = &message.event.text;
    let line = text[..item.start].rfind('\n').map_or(0, |end| end + 1);
    list_mark(&text[line..item.end])?;
    let mut is_adjacent = true;
    let mut end = line;
    for above in text[..line].split_inclusive('\n').rev() {
        let start = end - above.len();
        if above.trim().is_empty() {
            is_adjacent = false;
        } else if list_mark(above).is_none() && !above.starts_with([' ', '\t']) {
            let leads = is_adjacent || above.trim_end().ends_with([':', '：']);
            let ends_here = |range: &&Range<usize>| start < range.end && range.end <= end;
            let found = message.typed.iter().rev().find(ends_here);
            return found.filter(|_| leads).cloned();
        }
        end = start;
    }
    None
}

/// A sentence belongs to a quote that has this part of it, or is this part of the quote.
const LEAST_PART: usize = 4;

/// Reports whether a candidate's words hardly occur in what it cites. Texts in different scripts cannot be compared.
fn shares_too_little(candidate: &Candidate, citations: &[ResolvedCitation]) -> bool {
    let own = stems(&format!("{} {}", candidate.title, candidate.body));
    let cited: BTreeSet<String> = citations
        .iter()
        .flat_map(|cited| stems(&cited.event.text))
        .collect();
    let script = |stems: &BTreeSet<String>| {
        let ascii = stems.iter().filter(|stem| stem.is_ascii()).count();
        ascii * 2 >= stems.len()
    };
    let shared = own.intersection(&cited).count();
    script(&own) == script(&cited) && (shared as f64) < LEAST_SHARED * own.len() as f64
}

/// Leaves out paths: naming the same file is not speaking of the same subject.
fn without_paths(text: &str) -> String {
    let words = text.split_whitespace().filter(|word| !word.contains('/'));
    words.collect::<Vec<_>>().join(" ")
}

/// Returns the beginnings of longer words; of text without blanks, pairs of characters. A name inside such text is a word
/// of its own: `Next.jsを使う`.
fn stems(text: &str) -> BTreeSet<String> {
    stems_of(text, 4)
}

/// Returns the beginnings of words of at least so many letters, and pairs of letters where words are not spaced.
fn stems_of(text: &str, letters_of_word: usize) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for word in tokens(text) {
        let letters: Vec<char> = word.chars().collect();
        for run in letters.chunk_by(|left, right| is_unspaced(*left) == is_unspaced(*right)) {
            if is_unspaced(run[0]) {
                found.extend(run.windows(2).map(|pair| pair.iter().collect()));
            } else if run.len() >= letters_of_word {
                found.insert(beginning(&run.iter().collect::<String>()).to_owned());
            }
        }
    }
    found
}
