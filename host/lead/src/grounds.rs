//! Determines the speaker of a candidate. A plugin may cite anything: a candidate counts as the person's only if words
//! that they typed carry it, or if their answer takes up an option of the agent that no tool output contains. See
//! `docs/decisions/0019-grounds.md`.

mod announced;
mod carried;
mod carrier;
mod document;
mod echo;
mod filled;
mod filter;
mod lexicon;
mod lines;
mod lookalike;
mod own_words;
mod polarity;
mod prompt;
mod qualified;
mod record;
mod selection;
mod shingles;
mod spread;
mod stance;
mod terms;
mod translated;
mod typed;

mod ground;
#[cfg(test)]
mod tests;
mod unit;

use std::collections::BTreeSet;

use acreta_model::{Candidate, Event, TraceReader};
use acreta_text::{asks_person, beginning, is_hidden, is_unspaced, jaccard, tokens, words};

use crate::decide::accepted::ResolvedCitation;
use own_words::{ReplacedWording, chosen_option, own_words};
use record::SessionIndex;

/// Speaker of a candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CandidateSpeaker {
    /// A person said it to the agent.
    Person,
    /// A person said these words to the agent, but they do not carry the candidate's own wording.
    OwnWords(String),
    /// The agent said it.
    Agent,
    /// Only a tool's output, a page, a file or injected text says it.
    Nobody,
}

/// Kinds that instruct a later agent.
pub(crate) const INSTRUCTING_KINDS: &[&str] = &["preference", "convention"];

/// Minimum fraction of a candidate's words that must occur in its citations. A free rewording has far more.
const LEAST_SHARED: f64 = 0.25;

/// Fraction of a sentence's words from which the agent only repeats tool output.
const REPEATED: f64 = 0.6;

/// Similarity from which a body is only a quote.
const VERBATIM: f64 = 0.8;

/// A session, against which the candidates of one batch are checked.
pub(crate) struct Grounds {
    record: SessionIndex,
}

impl Grounds {
    /// Reads the trace, if there are candidates, and passes each event once to `see`.
    pub(crate) fn read(
        candidates: &[Candidate],
        trace: &mut dyn TraceReader,
        see: impl FnMut(&Event),
    ) -> Self {
        let record = match candidates.is_empty() {
            true => SessionIndex::default(),
            false => SessionIndex::read(candidates, trace, see),
        };
        Self { record }
    }

    /// Returns the speaker of a candidate, or the reason why it is refused.
    pub(crate) fn judge(
        &self,
        candidate: &Candidate,
        citations: &[ResolvedCitation],
    ) -> Result<CandidateSpeaker, String> {
        let spoken: Vec<&ResolvedCitation> =
            citations.iter().filter(|cited| is_spoken(cited)).collect();
        let (persons, agents): (Vec<&ResolvedCitation>, Vec<&ResolvedCitation>) =
            spoken.iter().copied().partition(|cited| is_persons(cited));
        let carried = carried::carries(&self.record, candidate, &persons, !agents.is_empty());
        let Err(reason) = carried else {
            if agents.is_empty() && is_bare_task(candidate, &persons) {
                return Err("is a task for this session, nothing for a later one".to_owned());
            }
            return Ok(CandidateSpeaker::Person);
        };
        let shares_too_little = |cited: &[&ResolvedCitation]| {
            shares_too_little(candidate, cited) && !shares_names(candidate, cited)
        };
        let said: Vec<&str> = persons.iter().map(|cited| cited.quote.as_str()).collect();
        let text = format!("{}. {}", candidate.title, candidate.body);
        let is_translation = !said.is_empty()
            && translated::is_other_language(&text, &said.join("\n"))
            && (names(&text).is_empty() || shares_names(candidate, &persons));
        // The person's own words replace a free wording of them, if they are a whole statement.
        let replaced = ReplacedWording {
            text: &text,
            is_translation,
        };
        if spoken.len() == citations.len() {
            let typed =
                own_words(&self.record, &replaced, &persons).filter(|words| !is_task(words));
            let chosen = || match agents.is_empty() {
                true => None,
                false => chosen_option(&self.record, &replaced, &persons),
            };
            let words = typed.or_else(chosen);
            if let Some(words) = words {
                return Ok(CandidateSpeaker::OwnWords(words));
            }
        }
        if shares_too_little(&citations.iter().collect::<Vec<_>>()) && !is_translation {
            return Err("hardly a word of it stands in what it cites".to_owned());
        }
        // A free wording has no speaker, but is not refused.
        let is_about_words = is_translation || !persons.is_empty() && !shares_too_little(&persons);
        let is_instruction =
            INSTRUCTING_KINDS.contains(&candidate.kind.as_str()) && !is_about_words;
        let kind = &candidate.kind;
        if agents.is_empty() || shares_too_little(&agents) {
            return match is_instruction {
                true => Err(format!(
                    "a {kind} needs the word of a person, not of tool output, pasted or injected text: {reason}"
                )),
                false => Ok(CandidateSpeaker::Nobody),
            };
        }
        if instructs(candidate) && self.is_repeated(candidate) {
            return match is_instruction {
                true => Err(format!(
                    "a {kind} that the agent only repeats from tool output or injected text"
                )),
                false => Ok(CandidateSpeaker::Nobody),
            };
        }
        Ok(CandidateSpeaker::Agent)
    }

    /// Reports whether tool output or injected text contains most of one of its sentences.
    fn is_repeated(&self, candidate: &Candidate) -> bool {
        record::statements(candidate).iter().any(|sentence| {
            let hits = self.record.echo.hits(sentence);
            hits.iter().any(|hit| hit.share >= REPEATED)
        })
    }
}

/// Reports whether a candidate instructs a later agent: by its kind, or by its words.
pub(crate) fn instructs(candidate: &Candidate) -> bool {
    let text = format!("{} {}", candidate.title, candidate.body).to_lowercase();
    INSTRUCTING_KINDS.contains(&candidate.kind.as_str())
        || matches!(candidate.kind.as_str(), "procedure" | "")
        || lexicon::has_phrase(&text, ORDERING)
}

/// Words of an instruction.
const ORDERING: &str = "always|never|must|must not|do not|don't|should|from now on|immer|niemals|muss|müssen|siempre|nunca|debe|toujours|jamais|doit|sempre|всегда|никогда|нужно|必须|不要|一律|必ず|항상|절대|반드시";

/// Reports whether the event is a message of the person in the main conversation.
fn is_person_text(event: &Event) -> bool {
    event.role == "user" && event.kind == "text" && event.attrs.get("sidechain").is_none()
}

/// Reports whether a person said it, to the agent or in answer to a tool.
pub(crate) fn is_persons(cited: &ResolvedCitation) -> bool {
    is_spoken(cited) && (is_answer(&cited.event) || is_person_text(&cited.event))
}

/// Reports whether a person or the agent said it in their own words, visibly.
pub(crate) fn is_spoken(cited: &ResolvedCitation) -> bool {
    (is_own_word(&cited.event) || is_listed(cited))
        && !cited.quote.chars().any(is_hidden)
        && !is_commented_out(cited)
}

fn is_own_word(event: &Event) -> bool {
    matches!(event.role.as_str(), "user" | "assistant")
        && matches!(event.kind.as_str(), "text" | "thinking" | "tool-call")
        || is_answer(event)
}

const COMPACTION: &str = "compaction";

/// Reports whether the agent's compaction summary lists it among what the person said. That they said it is only the
/// agent's word.
fn is_listed(cited: &ResolvedCitation) -> bool {
    let text = &cited.event.text;
    cited.event.kind == COMPACTION
        && text.find(cited.quote.as_str()).is_some_and(|place| {
            let before = text[..place].lines().rev();
            let heading = before.map(str::trim_start).find(|line| {
                line.starts_with(|first: char| {
                    first == '#' || first.is_ascii_digit() || first == '*'
                }) && !line.starts_with("* ")
            });
            heading.is_some_and(|heading| heading.to_lowercase().contains("user"))
        })
}

/// Reports whether the person answered a question that a tool asked.
fn is_answer(event: &Event) -> bool {
    event.kind == "tool-result" && event.attrs.get("tool").is_some_and(asks_person)
}

/// Reports whether every occurrence of the quote is inside an HTML comment, which a reader does not see.
fn is_commented_out(cited: &ResolvedCitation) -> bool {
    let text = &cited.event.text;
    let mut places = text.match_indices(cited.quote.as_str()).peekable();
    places.peek().is_some()
        && places.all(|(place, _)| {
            let before = &text[..place];
            let opened = before.rfind("<!--");
            opened.is_some_and(|opened| !before[opened..].contains("-->"))
        })
}

fn shares_too_little(candidate: &Candidate, citations: &[&ResolvedCitation]) -> bool {
    let own = stems(&format!("{} {}", candidate.title, candidate.body));
    let cited: BTreeSet<String> = citations
        .iter()
        .flat_map(|cited| stems(&cited.event.text))
        .collect();
    let shared = own.intersection(&cited).count();
    (shared as f64) < LEAST_SHARED * own.len() as f64
}

/// Reports whether most of the candidate's names of files, commands and the like occur in its citations while the two
/// share hardly any other word: one is a translation of the other.
fn shares_names(candidate: &Candidate, citations: &[&ResolvedCitation]) -> bool {
    let own = names(&format!("{} {}", candidate.title, candidate.body));
    let cited: BTreeSet<String> = citations
        .iter()
        .flat_map(|cited| words(&cited.event.text))
        .collect();
    let shared = own.intersection(&cited).count();
    !own.is_empty() && shared * 2 > own.len()
}

/// Returns words that no translation changes: with a digit or a mark in them, in backticks, or with inner capitals.
fn names(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (index, piece) in text.split('`').enumerate() {
        for word in piece.split(|one: char| one.is_whitespace() || one == '-') {
            let word = word.trim_matches(|edge: char| !edge.is_alphanumeric());
            let inner = word.chars().skip(1);
            let is_name = index % 2 == 1
                || word.contains(['_', '/', '.', ':'])
                || inner.clone().any(char::is_uppercase)
                || word.chars().any(|one| one.is_ascii_digit());
            if is_name {
                found.extend(words(word));
            }
        }
    }
    found
}

/// Returns the stems of longer words. Text without blanks (Chinese, Japanese, Korean) is compared by pairs of
/// characters.
fn stems(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for word in tokens(text) {
        let letters: Vec<char> = word.chars().collect();
        if letters.iter().any(|letter| is_unspaced(*letter)) {
            found.extend(letters.windows(2).map(|pair| pair.iter().collect()));
        } else if letters.len() > 3 {
            found.insert(beginning(&word).to_owned());
        }
    }
    found
}

/// Reports whether it is nothing but a one-time task.
fn is_bare_task(candidate: &Candidate, spoken: &[&ResolvedCitation]) -> bool {
    let body = tokens(&candidate.body);
    spoken
        .iter()
        .all(|cited| is_task(&cited.quote) && jaccard(&body, &tokens(&cited.quote)) >= VERBATIM)
}

/// Reports whether a text orders something and says nothing that outlives the session.
fn is_task(text: &str) -> bool {
    let text = text.to_lowercase();
    let mut words = text.split(|character: char| !character.is_alphanumeric());
    let first = words.find(|word| !word.is_empty() && !POLITE.split('|').any(|one| one == *word));
    first.is_some_and(|first| TASKS.split('|').any(|one| one == first))
        && !STANDING.split('|').any(|mark| holds(&text, mark))
}

/// Reports whether a text contains a whole word or phrase.
fn holds(text: &str, phrase: &str) -> bool {
    let is_edge = |character: Option<char>| character.is_none_or(|one| !one.is_alphanumeric());
    text.match_indices(phrase).any(|(place, found)| {
        is_edge(text[..place].chars().next_back())
            && is_edge(text[place + found.len()..].chars().next())
    })
}

const POLITE: &str = "please|now|ok|okay|and|then|can|could|you";

/// First words of a task.
const TASKS: &str = "add|build|change|check|clean|commit|continue|create|delete|deploy|explain|find|fix|\
    generate|implement|install|investigate|list|look|make|merge|move|open|push|read|\
    rebase|refactor|remove|rename|review|run|show|start|stop|test|try|update|write";

/// Words that make an instruction outlive its session.
const STANDING: &str = "always|never|don't|do not|every|each time|whenever|from now on|prefer|instead|\
    rather than|should|must|by default|because|in future|in the future|going forward|\
    convention|rule|only|not|no longer|anymore|remember|make sure|before|after|unless";
