//! Standing instructions in the person's own sentences. A sentence counts by a few marks that say "at all times", and by
//! where they stand; what it is about does not matter.

use std::ops::Range;

use acreta_sdk::extractor::Event;

use crate::draft::{Certainty, Draft, LONGEST_QUOTE, quote};
use crate::text::{is_question, size, title};

/// How a sentence says that it lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Mark<'a> {
    word: &'a str,
    is_sure: bool,
}

/// Drafts the standing instructions among the typed sentences of a message.
pub(crate) fn drafts(
    event: &Event,
    order: u64,
    typed: &[Range<usize>],
    is_note: bool,
) -> Vec<Draft> {
    let said = |range: &Range<usize>| &event.text[range.clone()];
    let marks: Vec<Option<Mark<'_>>> = typed
        .iter()
        .map(|range| match is_note {
            true => Some(Mark {
                word: "",
                is_sure: true,
            }),
            false => mark(said(range)),
        })
        .collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < typed.len() {
        if marks[at].is_none() {
            at += 1;
            continue;
        }
        // Instructions that follow each other in a line are one.
        let mut last = at;
        while last + 1 < typed.len()
            && marks[last + 1].is_some()
            && is_beside(&event.text, &typed[last], &typed[last + 1])
            && width(&event.text[typed[at].start..typed[last + 1].end]) <= LONGEST_QUOTE
        {
            last += 1;
        }
        let words = &event.text[typed[at].start..typed[last].end];
        let is_sure = marks[at..=last].iter().flatten().any(|mark| mark.is_sure);
        let certainty = match is_sure {
            true => Certainty::Spoken,
            false => Certainty::Pending,
        };
        let mut titles = (at..=last)
            .zip(&marks[at..=last])
            .filter_map(|(place, mark)| {
                let word = mark.map_or("", |mark| mark.word);
                title(said(&typed[place]), word)
            });
        if width(words) <= LONGEST_QUOTE
            && let Some(title) = titles.next()
        {
            let words = quote(&event.id, words);
            found.extend(Draft::quoted(
                (order, at),
                "convention",
                title,
                certainty,
                words,
                None,
            ));
        }
        at = last + 1;
    }
    found
}

fn width(text: &str) -> usize {
    text.chars().count()
}

/// Reports whether nothing but a blank is between two sentences.
fn is_beside(text: &str, left: &Range<usize>, right: &Range<usize>) -> bool {
    let between = &text[left.end..right.start];
    between.trim().is_empty() && !between.contains('\n')
}

/// Returns the mark of a sentence that lasts.
fn mark(sentence: &str) -> Option<Mark<'_>> {
    if is_question(sentence) || sentence.trim_end().ends_with([':', '：']) || size(sentence) < 3 {
        return None;
    }
    shouted(sentence).or_else(|| spaced(sentence)).or_else(|| {
        let found = UNSPACED.iter().find(|word| sentence.contains(**word))?;
        Some(Mark {
            word: found,
            is_sure: true,
        })
    })
}

/// `invalid themes must NEVER crash`: a word of command in capitals, in a sentence that is not all capitals.
fn shouted(sentence: &str) -> Option<Mark<'_>> {
    let word = words(sentence).find(|(_, word)| SHOUTED.contains(word))?.1;
    let is_all = !sentence.contains(char::is_lowercase);
    (!is_all).then_some(Mark {
        word,
        is_sure: true,
    })
}

/// A mark is an instruction where it opens a clause or follows a word that lays something down; after a subject (`you
/// always …`, `it never …`) it may be a report, and late in a long sentence a remark.
fn spaced(sentence: &str) -> Option<Mark<'_>> {
    let mut likely = None;
    let mut before: Option<(usize, &str)> = None;
    for (at, word) in words(sentence) {
        let is_late = at > LATEST;
        let opens = before.is_none_or(|(end, word)| {
            let between = &sentence[end..at];
            between.contains([',', ';', ':', '-', '–', '—', '(', '.']) || has(BEFORE, word)
        });
        let is_report = before.is_some_and(|(_, word)| has(REPORTERS, word));
        let is_opener = OPENERS.iter().any(|opener| {
            let head = sentence[at..].get(..opener.len());
            head.is_some_and(|head| head.to_lowercase() == *opener)
        });
        if opens && !is_late && (is_opener || has(MARKS, word)) {
            return Some(Mark {
                word,
                is_sure: true,
            });
        }
        if likely.is_none() && !is_report && (has(MARKS, word) || has(LIKELY, word)) {
            likely = Some(Mark {
                word,
                is_sure: false,
            });
        }
        before = Some((at + word.len(), word));
    }
    likely
}

fn has(list: &[&str], word: &str) -> bool {
    list.contains(&word.to_lowercase().as_str())
}

/// Returns the words of a sentence with their places.
fn words(sentence: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |one: char| one.is_alphanumeric() || matches!(one, '\'' | '’' | '_' | '/' | '.');
    let pieces = sentence.split(move |one: char| !is_part(one));
    pieces
        .map(|word| word.trim_end_matches('.'))
        .filter(|word| !word.is_empty())
        .map(|word| (word.as_ptr() as usize - sentence.as_ptr() as usize, word))
}

/// Words for "at all times" and "at no time".
const MARKS: &[&str] = &[
    "always",
    "never",
    "immer",
    "nie",
    "niemals",
    "siempre",
    "nunca",
    "toujours",
    "jamais",
    "sempre",
    "всегда",
    "никогда",
];
/// The same in scripts without spaces.
const UNSPACED: &[&str] = &["一律", "永远", "务必", "必ず", "絶対に", "항상", "절대"];
/// Openings that say "from now on" or ask for a note.
const OPENERS: &[&str] = &[
    "from now on",
    "going forward",
    "remember:",
    "ab jetzt",
    "a partir de ahora",
    "désormais",
    "впредь",
    "以后",
    "今后",
    "今後",
];
/// Words before a mark with which it lays something down.
const BEFORE: &[&str] = &[
    "must", "shall", "is", "are", "be", "to", "and", "or", "but", "so", "please", "bitte",
];
/// Subjects before a mark with which it tells what happened.
const REPORTERS: &[&str] = &[
    "you", "it", "i", "this", "that", "they", "he", "she", "was", "has", "have", "had", "ive",
    "i've",
];
/// Words of command in capitals.
const SHOUTED: &[&str] = &["NEVER", "ALWAYS", "MUST"];
/// Words with which a sentence may last.
const LIKELY: &[&str] = &["must", "don't", "prefer", "instead"];
/// Bytes of a sentence after which a mark says little about the whole.
const LATEST: usize = 100;
