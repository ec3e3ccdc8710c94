//! Determines the author of text under the name of the user. The person's words are in an element that names their
//! purpose; everything around it is Cline's.

use acreta_sdk::adapter::blocks::{Block, blocks};
use acreta_sdk::adapter::json::Value;
use acreta_sdk::adapter::voice::take_inserts;

/// Elements with a person's own words: opening and closing tags.
const OWN: [(&str, &str); 5] = [
    ("<task>", "</task>"),
    ("<feedback>", "</feedback>"),
    ("<answer>", "</answer>"),
    ("<user_message>", "</user_message>"),
    ("<user_input", "</user_input>"),
];

/// Elements that Cline inserts between the words.
const INSERTS: [(&str, &str, &str); 4] = [
    (
        "<environment_details>",
        "</environment_details>",
        "environment",
    ),
    ("<system-reminder>", "</system-reminder>", "system-reminder"),
    ("<file_content", "</file_content>", "file"),
    // Cline's instructions for a command that a person gave.
    (
        "<explicit_instructions",
        "</explicit_instructions>",
        "command",
    ),
];

/// Texts before the directory in the environment.
const DIRECTORIES: [&str; 2] = [
    "Current Working Directory (",
    "Current Workspace Directory (",
];

/// A piece of a text: the person's, or inserted by the named part of the tooling.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Own(String),
    Injected(&'static str, String),
}

/// Returns the texts of a message.
pub(crate) fn texts(message: Value<'_>) -> Vec<String> {
    let blocks = blocks(message.field("content")).into_iter();
    let texts = blocks.filter_map(|block| match block {
        Block::Text(text) => Some(text.lossy().into_owned()),
        _ => None,
    });
    texts.collect()
}

/// Reports whether a text is the beginning of a task.
pub(crate) fn is_task(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with("<task>") || text.starts_with("<environment_details>")
}

/// Returns the directory in a text about the environment.
pub(crate) fn directory(text: &str) -> Option<String> {
    let found = DIRECTORIES.iter().find_map(|name| text.split_once(name));
    let (directory, _) = found?.1.split_once(')')?;
    let directory = directory.trim().trim_start_matches("Primary: ");
    (!directory.is_empty()).then(|| directory.to_owned())
}

/// Splits a text under the name of the user by author.
pub(crate) fn split(text: &str) -> Vec<Piece> {
    let (mut rest, inserts) = take_inserts(text, &INSERTS);
    let mut pieces = Vec::new();
    while let Some((before, inside, after)) = element(&rest) {
        around(&mut pieces, before);
        if !inside.trim().is_empty() {
            pieces.push(Piece::Own(inside.trim().to_owned()));
        }
        rest = after.to_owned();
    }
    // Without an element, a text by Cline begins with a bracket.
    match pieces.is_empty() && !rest.trim_start().starts_with('[') {
        true if rest.trim().is_empty() => {}
        true => pieces.push(Piece::Own(rest.trim().to_owned())),
        false => around(&mut pieces, &rest),
    }
    pieces.extend(inserts.into_iter().map(|insert| {
        let by = match insert.voice {
            acreta_sdk::adapter::voice::Voice::Injected(by) => by,
            _ => "context",
        };
        Piece::Injected(by, insert.text)
    }));
    pieces
}

fn around(pieces: &mut Vec<Piece>, text: &str) {
    if !text.trim().is_empty() {
        pieces.push(Piece::Injected("cline", text.trim().to_owned()));
    }
}

/// Finds the first element with a person's words: the text before, in and after it.
fn element(text: &str) -> Option<(&str, &str, &str)> {
    let found = OWN.iter().filter_map(|(opening, closing)| {
        let start = text.find(opening)?;
        let inside = start + text[start..].find('>')? + 1;
        let length = text[inside..].find(closing)?;
        Some((start, inside, inside + length, closing.len()))
    });
    let (start, inside, end, closing) = found.min()?;
    Some((&text[..start], &text[inside..end], &text[end + closing..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_persons_words_are_told_from_the_rest() {
        let own = |text: &str| Piece::Own(text.to_owned());
        let by = |by, text: &str| Piece::Injected(by, text.to_owned());
        let table = [
            ("use tabs", vec![own("use tabs")]),
            ("<task>\nuse tabs\n</task>", vec![own("use tabs")]),
            (
                "<user_input mode=\"act\">a > b</user_input>",
                vec![own("a > b")],
            ),
            (
                "The user has provided feedback:\n<feedback>\nno\n</feedback>",
                vec![by("cline", "The user has provided feedback:"), own("no")],
            ),
            (
                "<environment_details>x</environment_details>",
                vec![by(
                    "environment",
                    "<environment_details>x</environment_details>",
                )],
            ),
            (
                "<explicit_instructions type=\"x\">do</explicit_instructions>\n<task>use tabs</task>",
                vec![
                    own("use tabs"),
                    by(
                        "command",
                        "<explicit_instructions type=\"x\">do</explicit_instructions>",
                    ),
                ],
            ),
            ("[ERROR] no tool", vec![by("cline", "[ERROR] no tool")]),
            ("<task>never closed", vec![own("<task>never closed")]),
            (" \n", vec![]),
        ];
        for (text, expected) in table {
            assert_eq!(split(text), expected, "{text:?}");
        }
    }

    #[test]
    fn the_environment_names_the_directory() {
        let table = [
            (
                "# Current Working Directory (/home/mira/a b) Files\n",
                Some("/home/mira/a b"),
            ),
            ("# Current Workspace Directory (/x) Files", Some("/x")),
            ("# Current Working Directory (Primary: /x)", Some("/x")),
            ("# Current Working Directory (", None),
            ("nothing", None),
        ];
        for (text, expected) in table {
            assert_eq!(directory(text).as_deref(), expected, "{text}");
        }
    }
}
