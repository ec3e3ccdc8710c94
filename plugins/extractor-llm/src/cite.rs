//! Citations, checked: the event is there, the quote is in it word for word, and it says enough to
//! be a quote. What a model cites wrongly is no evidence; nothing is looked for in another event.

use std::collections::BTreeMap;

use crate::{Event, Evidence, Failure, Ports};

/// What came of the citations of one proposal.
#[derive(Debug, Default)]
pub(crate) struct Checked {
    /// With the place of the event in the trace.
    pub(crate) evidence: Vec<(u64, Evidence)>,
    pub(crate) forged: usize,
}

/// Checks each `(number, quote)`; `statement` is what they are to bear out.
pub(crate) fn check(
    ports: &Ports<'_>,
    numbers: &BTreeMap<u64, String>,
    citations: &[(u64, String)],
    statement: &str,
) -> Result<Checked, Failure> {
    let mut checked = Checked::default();
    let mut found: Vec<(u64, Event, String)> = Vec::new();
    for (number, quote) in citations.iter().take(MOST_CITATIONS) {
        let event = match numbers.get(number) {
            Some(id) => ports.trace.read(id)?,
            None => None,
        };
        let verbatim = event
            .as_ref()
            .and_then(|event| verbatim(&event.text, quote));
        match (event, verbatim) {
            (Some(event), Some(quote)) => found.push((*number, event, quote)),
            _ => checked.forged += 1,
        }
    }
    drop_borrowed_trust(&mut found, statement);
    checked.evidence = found
        .into_iter()
        .map(|(number, event, quote)| {
            let event_id = event.id;
            (number, Evidence { event_id, quote })
        })
        .collect();
    Ok(checked)
}

const MOST_CITATIONS: usize = 6;

/// Where a tool's text bears a statement out, words of people that have nothing to do with it do not
/// stand beside it: they would lend it a trust it has not.
fn drop_borrowed_trust(found: &mut Vec<(u64, Event, String)>, statement: &str) {
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
        .any(|(_, event, quote)| !is_spoken(event) && shared(quote) >= 2);
    if told_by_tool {
        found.retain(|(_, event, quote)| !is_spoken(event) || shared(quote) > 0);
    }
}

fn is_spoken(event: &Event) -> bool {
    matches!(event.role.as_str(), "user" | "assistant") && event.kind == "text"
}

/// The quote as it stands in the text, at most [`LONGEST_QUOTE`] bytes of it.
pub(crate) fn verbatim(text: &str, quote: &str) -> Option<String> {
    let quote = quote.trim();
    let bare = quote.trim_matches(|edge: char| edge.is_whitespace() || "\"'`“”‘’…".contains(edge));
    // A model that saw a text shortened quotes it shortened: the longest part of it counts.
    let longest = bare
        .split('…')
        .flat_map(|part| part.split("..."))
        .max_by_key(|part| part.len())
        .unwrap_or("");
    [quote, bare, longest.trim()]
        .iter()
        .filter(|quote| says_enough(quote, text))
        .find_map(|quote| exact(text, quote).or_else(|| apart_from_space(text, quote)))
        .map(|found| {
            acreta_text::head(found, LONGEST_QUOTE)
                .trim_end()
                .to_owned()
        })
}

/// A word or two are in every text: only a whole message may be so short.
fn says_enough(quote: &str, text: &str) -> bool {
    let length: usize = quote.split_whitespace().map(str::len).sum();
    length >= SHORTEST_QUOTE || (length > 0 && quote.trim() == text.trim())
}

const SHORTEST_QUOTE: usize = 12;
const LONGEST_QUOTE: usize = 400;

fn exact<'a>(text: &'a str, quote: &str) -> Option<&'a str> {
    let start = text.find(quote)?;
    Some(&text[start..start + quote.len()])
}

/// Finds words one after the other with any space between them.
fn apart_from_space<'a>(text: &'a str, quote: &str) -> Option<&'a str> {
    // Each byte of the squeezed text knows where it came from.
    let mut squeezed = String::new();
    let mut places: Vec<usize> = Vec::new();
    for (at, character) in text.char_indices() {
        if character.is_whitespace() {
            if !squeezed.is_empty() && !squeezed.ends_with(' ') {
                squeezed.push(' ');
                places.push(at);
            }
        } else {
            squeezed.push(character);
            places.extend((0..character.len_utf8()).map(|byte| at + byte));
        }
    }
    let wanted = quote.split_whitespace().collect::<Vec<_>>().join(" ");
    let start = squeezed.find(&wanted)?;
    let end = start + wanted.len();
    let last = *places.get(end.checked_sub(1)?)?;
    Some(&text[*places.get(start)?..=last])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_found_as_they_stand() {
        let text = "Please always\n    use tabs, never   spaces – déjà vu.\nok";
        let cases = [
            ("use tabs, never   spaces", Some("use tabs, never   spaces")),
            (
                "always use tabs, never spaces",
                Some("always\n    use tabs, never   spaces"),
            ),
            (
                "\"never spaces – déjà vu.\"",
                Some("never   spaces – déjà vu."),
            ),
            (
                "Please … use tabs, never spaces",
                Some("use tabs, never   spaces"),
            ),
            ("always use spaces, never tabs", None),
            ("Use tabs, never spaces", None),
            ("tabs", None),
            ("", None),
            ("…", None),
        ];
        for (quote, expected) in cases {
            assert_eq!(verbatim(text, quote).as_deref(), expected, "{quote}");
        }
        assert_eq!(verbatim(" yes \n", "yes").as_deref(), Some("yes"));
    }

    #[test]
    fn long_quotes_are_cut_and_stay_verbatim() {
        let text = "é ".repeat(900);
        let quote = verbatim(&text, &text).unwrap();
        assert!(quote.len() <= LONGEST_QUOTE && text.contains(&quote));
    }
}
