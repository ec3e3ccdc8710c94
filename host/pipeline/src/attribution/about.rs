//! The passage of the agent that the person's words answer. It is one that the candidate cites or, if the quote is too
//! short to stand alone, the question, option or last sentence that the agent's turn ends with. It must be the agent's own:
//! a passage that tool output had before is planted, and the quote that depends on it is refused.

use acreta_text::{list_mark, sentences};

use super::echo::Echo;
use super::session::Message;
use super::{TOOLS, is_own_word};
use crate::decide::accepted::ResolvedCitation;

/// What a quote answers.
#[derive(Debug)]
pub(super) struct About {
    pub(super) text: String,
    /// The event it comes from; the question of a tool is told without its JSON and has none.
    pub(super) citation: Option<ResolvedCitation>,
}

/// Maximum characters of the passage.
const ABOUT_CHARACTERS: usize = 400;

/// Number of words up to which a quote does not say what it is about. Of a script without blanks, characters count half.
const SHORT_WORDS: usize = 4;

/// Returns the passage that the quotes of `message` answer; `None` if they need none.
pub(super) fn find(
    message: &Message,
    citations: &[ResolvedCitation],
    quotes: &[&str],
    echo: &Echo,
) -> Result<Option<About>, String> {
    if let Some(answer) = message.answers.iter().find(|answer| {
        quotes
            .iter()
            .any(|quote| *quote == &message.event.text[answer.range.clone()])
    }) {
        return Ok(Some(About {
            text: cut(&answer.about),
            citation: None,
        }));
    }
    let is_short = is_short(quotes);
    let asked = is_short.then(|| last(message, quotes)).flatten();
    let answer = quotes.first().copied().filter(|_| is_short);
    let found: Vec<(usize, ResolvedCitation)> = match (cited(message, citations, answer), asked) {
        // A short answer is to what was asked last, whatever else the candidate cites.
        (Some(cited), Some(asked)) if !has(&cited.1, &asked.1) && !has(&asked.1, &cited.1) => {
            vec![cited, asked]
        }
        (Some(cited), _) => vec![cited],
        (None, asked) => asked.into_iter().collect(),
    };
    let is_tools = |(place, cited): &(usize, ResolvedCitation)| {
        echo.share_of_output(&cited.quote, *place) >= TOOLS
    };
    if found.iter().any(is_tools) {
        return match is_short {
            true => Err("answers a passage that the agent took from tool output".to_owned()),
            false => Ok(None),
        };
    }
    let passages: Vec<&str> = found
        .iter()
        .map(|(_, cited)| cited.quote.as_str())
        .collect();
    Ok((!passages.is_empty()).then(|| About {
        text: passages.join(" … "),
        citation: found.first().map(|(_, cited)| cited.clone()),
    }))
}

/// Reports whether a passage contains another.
fn has(passage: &ResolvedCitation, other: &ResolvedCitation) -> bool {
    passage.quote.contains(other.quote.trim())
}

/// Reports whether quotes do not say what they are about.
pub(super) fn is_short(quotes: &[&str]) -> bool {
    let count = |quote: &&str| {
        let unspaced = quote
            .chars()
            .filter(|one| acreta_text::is_unspaced(*one))
            .count();
        quote.split_whitespace().count() + unspaced / 2
    };
    quotes.iter().map(count).sum::<usize>() <= SHORT_WORDS
}

/// Returns the whole sentences around the passage of the agent's turn that a candidate cites. If the passage is one of
/// several options, and a short answer does not name it by its label, all of them: "the other one" may be any.
fn cited(
    message: &Message,
    citations: &[ResolvedCitation],
    answer: Option<&str>,
) -> Option<(usize, ResolvedCitation)> {
    citations.iter().find_map(|cited| {
        let (place, event) = message
            .turn
            .iter()
            .find(|(_, event)| event.id == cited.event.id)?;
        if !is_own_word(event) || event.kind != "text" {
            return None;
        }
        let quote = cited.quote.trim();
        let start = event.text.find(quote)?;
        let end = start + quote.len();
        let met = sentences(&event.text)
            .into_iter()
            .filter(|range| range.start < end && start < range.end);
        let mut whole = met.reduce(|first, last| first.start..last.end)?;
        if answer.is_some_and(|answer| option(&event.text, answer).is_none()) {
            whole = list_around(&event.text, whole.start).unwrap_or(whole);
        }
        let text = &event.text[whole];
        // A long passage is told as it is cited.
        let text = if text.chars().count() <= ABOUT_CHARACTERS {
            text
        } else {
            quote
        };
        let citation = ResolvedCitation {
            event: event.clone(),
            quote: cut(text),
        };
        Some((*place, citation))
    })
}

/// Returns the list of two items and more that a position is in.
fn list_around(text: &str, at: usize) -> Option<std::ops::Range<usize>> {
    let mut list: Option<std::ops::Range<usize>> = None;
    let mut items = 0;
    let mut start = 0;
    for line in text.split_inclusive('\n').chain(["end"]) {
        let is_item = list_mark(line).is_some();
        let goes_on = line.trim().is_empty() || line.starts_with([' ', '\t']);
        if is_item || goes_on && list.is_some() {
            items += usize::from(is_item);
            let from = list.map_or(start, |list| list.start);
            list = Some(from..start + line.trim_end().len());
        } else if let Some(found) = list.take() {
            if items > 1 && found.contains(&at) {
                return Some(found);
            }
            items = 0;
        }
        start += line.len();
    }
    None
}

/// Returns the option that a short answer names by its label, the agent's last question, or its last sentence.
fn last(message: &Message, quotes: &[&str]) -> Option<(usize, ResolvedCitation)> {
    let (place, event) = message
        .turn
        .iter()
        .rev()
        .find(|(_, event)| event.kind == "text")?;
    let text = event.text.trim_end();
    let answer = quotes.first().copied().unwrap_or_default();
    let found = sentences(text);
    let question = found
        .iter()
        .rev()
        .find(|range| text[(*range).clone()].ends_with(['?', '？', '؟', ';']));
    let range = option(text, answer)
        .or_else(|| question.cloned())
        .or_else(|| found.last().cloned())?;
    let citation = ResolvedCitation {
        event: event.clone(),
        quote: cut(&text[range]),
    };
    Some((*place, citation))
}

/// Returns the line whose label an answer begins with: `B) nested`, `**2.** a table`, `Option C: …`.
fn option(text: &str, answer: &str) -> Option<std::ops::Range<usize>> {
    let label = answer
        .split(|one: char| !one.is_alphanumeric())
        .find(|word| !word.is_empty())?;
    if label.chars().count() > 2 {
        return None;
    }
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let mut words = line
            .split(|one: char| !one.is_alphanumeric())
            .filter(|word| !word.is_empty());
        let (first, second) = (
            words.next().unwrap_or_default(),
            words.next().unwrap_or_default(),
        );
        let is_labelled = |word: &str| {
            word.eq_ignore_ascii_case(label)
                && line.find(word).is_some_and(|at| {
                    line[at + word.len()..].starts_with(['.', ')', ':', ']', '*', '、', '：', ' '])
                        && line.len() > word.len() + 3
                })
        };
        let is_mark = |word: &str| {
            is_labelled(word)
                && line[line.find(word).unwrap_or(0) + word.len()..]
                    .starts_with(['.', ')', ':', ']', '*', '、', '：'])
        };
        if is_mark(first) || is_mark(second) {
            return Some(start..start + line.trim_end().len());
        }
    }
    None
}

/// Returns at most as many characters as a passage may have.
fn cut(text: &str) -> String {
    match text.char_indices().nth(ABOUT_CHARACTERS) {
        Some((end, _)) => text[..end].to_owned(),
        None => text.to_owned(),
    }
}
