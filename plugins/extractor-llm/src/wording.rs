//! Wording of memories, as far as a program can check it: an informative title of one line, a body of whole sentences,
//! no "the user said" in front of them.

use crate::shorten::{plain, sentences};

/// Fits title and body to the form of a memory; `None` if that is impossible.
pub(crate) fn fit_text(title: &str, body: &str) -> Option<(String, String)> {
    let title = said_by_nobody(&plain(title));
    let title = title.trim_end_matches(['.', '。']);
    let body = said_by_nobody(&plain(body));
    let title = whole_title(title, &body)?;
    let body = sentences(&body, LONGEST_TEXT.saturating_sub(title.chars().count()));
    (title.len() >= 4 && !body.is_empty()).then(|| (title.to_owned(), body.to_owned()))
}

pub(crate) use acreta_text::bounds::MADE_TITLE as LONGEST_TITLE;
use acreta_text::bounds::TEXT as LONGEST_TEXT;
/// Minimum length of a clause for a title.
const LEAST_CLAUSE: usize = 30;

/// Returns a title of at most [`LONGEST_TITLE`] characters: the given one, the beginning of it that ends with a clause,
/// the first sentence of the body, or the first words.
fn whole_title<'a>(title: &'a str, body: &'a str) -> Option<&'a str> {
    let Some((end, _)) = title.char_indices().nth(LONGEST_TITLE) else {
        return Some(title);
    };
    let start = &title[..end];
    let clause = [", ", "; ", " (", " – ", " — ", " - ", "，", "；"]
        .iter()
        .filter_map(|mark| start.rfind(mark))
        .max()
        .filter(|at| start[..*at].chars().count() >= LEAST_CLAUSE);
    let sentence = acreta_text::sentences(body).into_iter().next();
    let sentence = sentence.map_or("", |range| body[range].trim_end_matches(['.', '。']));
    let cut = match clause {
        Some(at) => &start[..at],
        None if (LEAST_CLAUSE..=LONGEST_TITLE).contains(&sentence.chars().count()) => sentence,
        // A script without blanks can be cut anywhere.
        None => start.rsplit_once(' ').map_or(start, |cut| cut.0),
    };
    Some(cut.trim_end()).filter(|cut| !cut.is_empty())
}

/// Removes "the user said that" and the like.
fn said_by_nobody(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    for speaker in SPEAKERS {
        let Some(rest) = lower.strip_prefix(speaker) else {
            continue;
        };
        for verb in SAID {
            let Some(after) = rest.strip_prefix(verb) else {
                continue;
            };
            let after = after.strip_prefix(" that").unwrap_or(after);
            let Some(after) = after.strip_prefix([' ', ':', ',']) else {
                continue;
            };
            let kept = text[text.len() - after.len()..].trim_start();
            if kept.chars().count() >= LEAST_STATEMENT {
                return capitalised(kept);
            }
        }
    }
    text.to_owned()
}

const LEAST_STATEMENT: usize = 8;

const SPEAKERS: &[&str] = &[
    "the user ",
    "user ",
    "the person ",
    "the agent ",
    "the developer ",
    "the assistant ",
];
const SAID: &[&str] = &[
    "said",
    "says",
    "stated",
    "states",
    "mentioned",
    "noted",
    "notes",
    "explained",
    "confirmed",
    "clarified",
    "pointed out",
    "insisted",
    "told the agent",
    "found",
    "found out",
    "discovered",
    "decided",
    "reported",
];

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_made_to_fit_or_refused() {
        let long = format!("First. {}.", "word ".repeat(120).trim_end());
        assert_eq!(
            fit_text("Title.", &long),
            Some(("Title".to_owned(), "First.".to_owned()))
        );
        assert_eq!(fit_text("Title", &"word ".repeat(120)), None);
        assert_eq!(fit_text("", "Body."), None);
        let title = fit_text(&"word ".repeat(40), "Body.").unwrap().0;
        assert!(title.len() <= 80 && title.ends_with("word"), "{title}");
        let title = fit_text(&"数".repeat(200), "Body.").unwrap().0;
        assert_eq!(title.chars().count(), 80);
        let body = "The tests run one by one on the build server. They share a port.";
        let title = fit_text(&"word ".repeat(40), body).unwrap().0;
        assert_eq!(title, "The tests run one by one on the build server");
        let title =
            "Run the integration tests one by one, since they share port 4711 and fail at random";
        assert_eq!(
            fit_text(title, "Body.").unwrap().0,
            "Run the integration tests one by one"
        );
    }

    #[test]
    fn nobody_is_named_as_having_said_it() {
        let cases = [
            (
                "The user said that tabs are the rule here",
                "Tabs are the rule here",
            ),
            (
                "User confirmed: releases come from stable",
                "Releases come from stable",
            ),
            (
                "The agent found that port 4711 is shared",
                "Port 4711 is shared",
            ),
            ("The user said no", "The user said no"),
            (
                "The user table has an index on email",
                "The user table has an index on email",
            ),
            (
                "Users said it is slow, so cache it",
                "Users said it is slow, so cache it",
            ),
        ];
        for (given, expected) in cases {
            assert_eq!(said_by_nobody(given), expected);
        }
    }
}
