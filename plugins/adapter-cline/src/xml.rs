//! Calls of tools that models wrote as elements into their text, before they called them by name.

/// Names of tools as called.
const TOOLS: [&str; 16] = [
    "execute_command",
    "read_file",
    "write_to_file",
    "replace_in_file",
    "apply_diff",
    "insert_content",
    "search_files",
    "list_files",
    "list_code_definition_names",
    "browser_action",
    "use_mcp_tool",
    "access_mcp_resource",
    "web_fetch",
    "new_task",
    "switch_mode",
    "update_todo_list",
];

/// Elements addressed to the person: their name, and the inner element with the words.
const SPOKEN: [(&str, &str); 4] = [
    ("attempt_completion", "result"),
    ("ask_followup_question", "question"),
    ("plan_mode_respond", "response"),
    ("plan_mode_response", "response"),
];

/// A part of an agent's text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Part<'a> {
    Said(&'a str),
    Thought(&'a str),
    Call(&'static str, &'a str),
}

/// Splits a text into parts, in order. Blank ones are left out.
pub(crate) fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((start, part, end)) = next(rest) {
        said(&mut parts, &rest[..start]);
        parts.push(part);
        rest = &rest[end..];
    }
    said(&mut parts, rest);
    parts
}

fn said<'a>(parts: &mut Vec<Part<'a>>, text: &'a str) {
    if !text.trim().is_empty() {
        parts.push(Part::Said(text.trim()));
    }
}

/// Finds the first closed element: its start, the part, and its end.
fn next(text: &str) -> Option<(usize, Part<'_>, usize)> {
    let calls = TOOLS.iter().filter_map(|&tool| {
        let (start, inside, end) = element(text, tool)?;
        Some((start, Part::Call(tool, inside), end))
    });
    let spoken = SPOKEN.iter().filter_map(|&(name, words)| {
        let (start, inside, end) = element(text, name)?;
        let words = element(inside, words).map_or(inside, |(_, words, _)| words);
        Some((start, Part::Said(words), end))
    });
    let thought =
        element(text, "thinking").map(|(start, inside, end)| (start, Part::Thought(inside), end));
    calls
        .chain(spoken)
        .chain(thought)
        .min_by_key(|(start, ..)| *start)
}

fn element<'a>(text: &'a str, name: &str) -> Option<(usize, &'a str, usize)> {
    let (opening, closing) = (format!("<{name}>"), format!("</{name}>"));
    let start = text.find(&opening)?;
    let inside = start + opening.len();
    let length = text[inside..].find(&closing)?;
    let end = inside + length;
    Some((start, text[inside..end].trim(), end + closing.len()))
}

/// Parses a text that begins with a tool's result, `[read_file for 'a.rs'] Result:`, into tool and result. The tool need not
/// be known: its result is nobody's words in any case.
pub(crate) fn result(text: &str) -> Option<(&str, &str)> {
    let inside = text.trim_start().strip_prefix('[')?;
    let (head, output) = inside.split_once("] Result:")?;
    let tool = head.split([' ', '\'']).next()?;
    let is_name = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
    let is_tool = !tool.is_empty() && tool.bytes().all(is_name);
    is_tool.then(|| (tool, output.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_taken_out_of_a_text() {
        let table: [(&str, &[Part<'_>]); 6] = [
            ("just words < here", &[Part::Said("just words < here")]),
            (
                "<thinking>hm</thinking>\nLooking.\n<read_file>\n<path>a.rs</path>\n</read_file>",
                &[
                    Part::Thought("hm"),
                    Part::Said("Looking."),
                    Part::Call("read_file", "<path>a.rs</path>"),
                ],
            ),
            (
                "<attempt_completion>\n<result>\nDone.\n</result>\n</attempt_completion>",
                &[Part::Said("Done.")],
            ),
            ("<read_file>never", &[Part::Said("<read_file>never")]),
            (
                "<unknown>x</unknown>",
                &[Part::Said("<unknown>x</unknown>")],
            ),
            (" ", &[]),
        ];
        for (text, expected) in table {
            assert_eq!(parts(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_result_names_its_tool() {
        let table = [
            (
                "[read_file for 'a.rs'] Result:\nfn",
                Some(("read_file", "fn")),
            ),
            (
                "[attempt_completion] Result:",
                Some(("attempt_completion", "")),
            ),
            ("[dance for 'x'] Result:", Some(("dance", ""))),
            ("[ERROR] x", None),
            ("words", None),
        ];
        for (text, expected) in table {
            assert_eq!(result(text), expected, "{text:?}");
        }
    }
}
