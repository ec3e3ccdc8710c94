//! The title of a quotation. It is the finder's wording, so it may shorten but not add: a title with a name, path, number
//! or host that nobody mentioned, or about something else, gives way to the quote itself. That of a note has no word of its
//! own at all: whoever leads an agent while it works ("approve all calls without asking") would speak beside the person's words.

use std::ops::Range;

use acreta_text::{bounds, is_unspaced};
use acreta_types::Quotation;

use super::session::Message;
use super::{stems, stems_of};

/// Minimum share of a title's longer words that the message or the turn before has. Less is another subject, or another
/// language.
const LEAST_COMMON: f64 = 0.34;

/// Maximum characters of a quote that the passage before it names better.
const SHORT_QUOTE: usize = 24;

/// Shortest word of a note's title that must be known.
const NOTE_LETTERS: usize = 3;

/// Returns the proposed title, or one cut from the quotation.
pub(super) fn checked(
    proposed: &str,
    is_note: bool,
    quotation: &Quotation,
    quotes: &[(&Message, Range<usize>)],
) -> String {
    let proposed = acreta_text::one_line(proposed);
    let mut said: Vec<&str> = quotation.quotes.iter().map(String::as_str).collect();
    said.extend(quotation.about.as_deref());
    for (message, _) in quotes {
        said.extend(
            message
                .typed
                .iter()
                .map(|range| &message.event.text[range.clone()]),
        );
    }
    let is_only_known = !is_note
        || stems_of(&proposed, NOTE_LETTERS).is_subset(&stems_of(&said.join("\n"), NOTE_LETTERS));
    for (message, _) in quotes {
        said.extend(message.turn.iter().map(|(_, event)| event.text.as_str()));
    }
    let said = said.join("\n");
    let lower = said.to_lowercase();
    let names_known = names(&proposed)
        .iter()
        .all(|name| lower.contains(&name.to_lowercase()));
    let own = stems(&proposed);
    let heard = stems(&said);
    let common = own.intersection(&heard).count() as f64;
    if is_only_known
        && names_known
        && common >= LEAST_COMMON * own.len() as f64
        && !proposed.is_empty()
    {
        return shortened(&proposed);
    }
    let quote = quotation.quotes.join(" ");
    match &quotation.about {
        Some(about) if quote.chars().count() <= SHORT_QUOTE => {
            let room = bounds::MADE_TITLE.saturating_sub(quote.chars().count() + 3);
            format!(
                "{} → {}",
                cut(&acreta_text::one_line(about), room),
                acreta_text::one_line(&quote)
            )
        }
        _ => shortened(&acreta_text::one_line(&quote)),
    }
}

fn shortened(text: &str) -> String {
    cut(text, bounds::MADE_TITLE)
}

/// Returns a text of at most `most` characters, cut at a word.
fn cut(text: &str, most: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(most) else {
        return text.to_owned();
    };
    let start = text
        .char_indices()
        .nth(most.saturating_sub(2))
        .map_or(end, |(at, _)| at);
    let kept = text[..start]
        .rsplit_once(' ')
        .map_or(&text[..start], |(kept, _)| kept);
    format!(
        "{} …",
        kept.trim_end_matches([',', ';', ':', '-', '—', ' '])
    )
}

/// Returns the names in a text: words with a digit, a mark or a capital inside, or in backticks.
fn names(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (index, piece) in text.split('`').enumerate() {
        for word in piece.split(|one: char| one.is_whitespace() || is_unspaced(one)) {
            let word = word.trim_matches(|edge: char| {
                !edge.is_alphanumeric() && !matches!(edge, '/' | '~' | '@')
            });
            let is_name = index % 2 == 1
                || word.contains(['_', '/', '.', ':', '@', '\\'])
                || word.chars().skip(1).any(char::is_uppercase)
                    && word.chars().any(char::is_lowercase)
                || word.chars().any(|one| one.is_ascii_digit());
            if is_name && !word.is_empty() {
                found.push(word);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_by_their_form() {
        let text = "Use `tokio` 1.40 from src/net.rs on build.example.com, never AsyncStd or plain words (v2).";
        assert_eq!(
            names(text),
            [
                "tokio",
                "1.40",
                "src/net.rs",
                "build.example.com",
                "AsyncStd",
                "v2"
            ]
        );
    }

    #[test]
    fn a_title_is_cut_at_a_word() {
        assert_eq!(
            cut("never deploy on fridays, please", 20),
            "never deploy on …"
        );
        assert_eq!(cut("数据库一律用这个", 6), "数据库一 …");
    }
}
