//! Determines the author of text under the name of the user. The person's words are in an element that names their
//! purpose; everything around it is Cline's, or a file, a page or an output that it quotes.
//!
//! ```text
//! <explicit_instructions …>        Cline's, or a file of the project: leads, up to its last closing mark
//! The user has provided feedback:  Cline's introduction
//! <feedback>                       ┐
//! use tabs                         │ the words: the first element, and no further one
//! </feedback>                      ┘
//! <file_content path="a.md">       a file that the words mention; it may hold any of these marks
//! ```

use acreta_sdk::adapter::author::{Author, element as element_of, take_inserts};
use acreta_sdk::adapter::blocks::{Block, blocks};
use acreta_sdk::adapter::json::{Scanner, Text, Value};

/// Elements with a person's own words: opening and closing tags.
const OWN: [(&str, &str); 5] = [
    ("<task>", "</task>"),
    ("<feedback>", "</feedback>"),
    ("<answer>", "</answer>"),
    ("<user_message>", "</user_message>"),
    ("<user_input", "</user_input>"),
];

/// Elements that Cline inserts between the words.
const INSERTS: [(&str, &str, &str); 8] = [
    (
        "<environment_details>",
        "</environment_details>",
        "environment",
    ),
    ("<system-reminder>", "</system-reminder>", "system-reminder"),
    ("<hook_context", "</hook_context>", "hook"),
    ("<file_content", "</file_content>", "file"),
    // Cline's instructions for a command that a person gave.
    (
        "<explicit_instructions",
        "</explicit_instructions>",
        "command",
    ),
    ("<user_command ", "</user_command>", "command"),
    ("<command name=", "</command>", "command"),
    ("<mode_notice>", "</mode_notice>", "mode"),
];

/// Beginnings of the line with which Cline introduces the words.
const INTRODUCTIONS: [&str; 2] = ["The user ", "You seem "];

/// Beginnings of a longer introduction. Cline quotes nothing in it.
const LONG_INTRODUCTIONS: [&str; 2] = ["[TASK RESUMPTION]", "[The user "];

/// Beginning of the result of a command that still runs. Its output follows, and last the words, if there are any, in an
/// element of this name.
const RUNNING: &str = "Command is still running";
const RUNNING_WORDS: &str = "The user provided the following feedback:\n<";
const RUNNING_ELEMENTS: [&str; 2] = ["feedback", "user_message"];

/// Beginnings of texts without a person's words: notices, files that a person attached, results and skills.
const TOOLING: [&str; 5] = [
    "[",
    "Files attached by the user:",
    "Tool result:",
    "Tool repetition limit reached.",
    "Skill: ",
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
    let beginnings = ["<task>", "<user_message>", "<environment_details>"];
    beginnings
        .iter()
        .any(|beginning| text.starts_with(beginning))
}

/// Returns the model in a text about the environment.
pub(crate) fn model(text: &str) -> Option<String> {
    let is_environment = text.trim_start().starts_with("<environment_details>");
    let model = element_of(text, "model").filter(|_| is_environment)?;
    (!model.is_empty()).then(|| model.to_owned())
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
    let (mut pieces, rest) = leading(text);
    match element(rest) {
        Some((before, inside, after)) if is_introduction(before) => {
            around(&mut pieces, before);
            own(&mut pieces, inside);
            let (after, inserts) = take_inserts(after, &INSERTS);
            around(&mut pieces, &after);
            pieces.extend(inserts.into_iter().map(inserted));
        }
        Some(_) => around(&mut pieces, rest),
        None => match feedback(rest) {
            Some(words) => own(&mut pieces, &words),
            None if is_tooling(rest) => around(&mut pieces, rest),
            None => own(&mut pieces, rest),
        },
    }
    pieces
}

/// Returns the person's words in the result of a tool. The result of most tools is text that anybody may have written; only
/// those whose result begins in Cline's own words are asked.
pub(crate) fn words_in_result(tool: &str, result: &str) -> Option<String> {
    const OWN_WORDING: [&str; 12] = [
        "apply_diff",
        "ask_followup_question",
        "attempt_completion",
        "execute_command",
        "insert_content",
        "new_task",
        "plan_mode_respond",
        "plan_mode_response",
        "replace_in_file",
        "switch_mode",
        "update_todo_list",
        "write_to_file",
    ];
    if !OWN_WORDING.contains(&tool) {
        return None;
    }
    if let Some(words) = feedback(result) {
        return Some(words);
    }
    let words = match result.starts_with(RUNNING) {
        true => {
            let (_, words) = result.trim_end().rsplit_once(RUNNING_WORDS)?;
            let mut elements = RUNNING_ELEMENTS.iter();
            elements.find_map(|name| {
                let words = words.strip_prefix(name)?.strip_prefix('>')?;
                words.strip_suffix(&format!("</{name}>"))
            })?
        }
        false => {
            let (before, inside, _) = element(result)?;
            is_introduction(before).then_some(inside)?
        }
    };
    Some(words.trim().to_owned()).filter(|words| !words.is_empty())
}

/// Returns a person's words in a text that begins with an object about their decision, as Roo Code writes it.
fn feedback(text: &str) -> Option<String> {
    let text = text.trim_start();
    let beginning = text.strip_prefix("{\"status\":\"")?;
    let known = ["approved\"", "denied\"", "guidance\""];
    known
        .iter()
        .find(|status| beginning.starts_with(**status))?;
    let decision = Scanner::new(text.as_bytes()).object().ok()?;
    let words = decision.text_of("feedback").map(Text::lossy)?;
    Some(words.trim().to_owned()).filter(|words| !words.is_empty())
}

fn is_tooling(text: &str) -> bool {
    let text = text.trim_start();
    TOOLING.iter().any(|beginning| text.starts_with(beginning))
}

/// Takes the inserts from the beginning of a text, each up to its last closing mark.
fn leading(text: &str) -> (Vec<Piece>, &str) {
    let mut pieces = Vec::new();
    let mut rest = text;
    loop {
        let start = rest.trim_start();
        let insert = INSERTS
            .iter()
            .find(|(opening, ..)| start.starts_with(opening));
        let end = insert.and_then(|(_, closing, by)| {
            let end = start.rfind(closing)? + closing.len();
            Some((end, by))
        });
        let Some((end, by)) = end else {
            return (pieces, rest);
        };
        pieces.push(Piece::Injected(by, start[..end].to_owned()));
        rest = &start[end..];
    }
}

/// Reports whether the text before an element is Cline's own: nobody else's words are in it.
fn is_introduction(before: &str) -> bool {
    let before = before.trim();
    let begins = |known: &[&str]| known.iter().any(|beginning| before.starts_with(beginning));
    before.is_empty()
        || begins(&LONG_INTRODUCTIONS)
        || (begins(&INTRODUCTIONS) && !before.contains('\n'))
}

/// Emits the person's words, and what Cline inserted between them.
fn own(pieces: &mut Vec<Piece>, text: &str) {
    let (own, inserts) = take_inserts(text, &INSERTS);
    if !own.trim().is_empty() {
        pieces.push(Piece::Own(own.trim().to_owned()));
    }
    pieces.extend(inserts.into_iter().map(inserted));
}

fn inserted(insert: acreta_sdk::adapter::author::Piece<'static>) -> Piece {
    let by = match insert.author {
        Author::Injected(by) => by,
        _ => "context",
    };
    Piece::Injected(by, insert.text)
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
                    by(
                        "command",
                        "<explicit_instructions type=\"x\">do</explicit_instructions>",
                    ),
                    own("use tabs"),
                ],
            ),
            ("[ERROR] no tool", vec![by("cline", "[ERROR] no tool")]),
            (
                "Tool result:\nnever push",
                vec![by("cline", "Tool result:\nnever push")],
            ),
            (
                r#"{"status":"guidance","feedback":"use tabs"}"#,
                vec![own("use tabs")],
            ),
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
