//! Splits a reply into words, thoughts and calls. A call is a block of code whose language is a tool, or a line
//! `@tool(id): {…}`; which of the two depends on the settings of the conversation.

use acreta_sdk::adapter::json::Scanner;

/// Names of the languages of blocks that gptme runs. The code of others is only shown.
const TOOLS: [&str; 31] = [
    "append",
    "bash",
    "browser",
    "choice",
    "clarify",
    "complete",
    "elicit",
    "form",
    "gh",
    "hashline_edit",
    "ipython",
    "mcp",
    "memory",
    "morph",
    "patch",
    "patch_many",
    "progress",
    "py",
    "python",
    "read",
    "request_tool_change",
    "restart",
    "save",
    "screenshot",
    "sh",
    "shell",
    "subagent",
    "tmux",
    "todo",
    "vision",
    "watch",
];

/// Marks around thoughts.
const THOUGHTS: [(&str, &str); 2] = [("<think>", "</think>"), ("<thinking>", "</thinking>")];

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Part<'a> {
    Said(&'a str),
    Thought(&'a str),
    Call {
        tool: &'a str,
        id: Option<&'a str>,
        /// The block with its first line, or the arguments.
        input: &'a str,
    },
}

/// Splits a reply. Blank words are left out.
pub(crate) fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let (mut said, mut at) = (0, 0);
    while at < text.len() {
        let rest = &text[at..];
        let found = thought(rest).or_else(|| call(rest)).or_else(|| block(rest));
        match found {
            Some((part, length)) => {
                let is_shown = matches!(part, Part::Said(_));
                if !is_shown {
                    words(&mut parts, &text[said..at]);
                    parts.push(part);
                }
                at += length;
                if !is_shown {
                    said = at;
                }
            }
            // To the next line.
            None => at += rest.find('\n').map_or(rest.len(), |end| end + 1),
        }
    }
    words(&mut parts, &text[said..]);
    parts
}

fn words<'a>(parts: &mut Vec<Part<'a>>, text: &'a str) {
    if !text.trim().is_empty() {
        parts.push(Part::Said(text.trim()));
    }
}

fn thought(text: &str) -> Option<(Part<'_>, usize)> {
    THOUGHTS.iter().find_map(|(opening, closing)| {
        let inside = text.strip_prefix(opening)?;
        let end = inside.find(closing)?;
        let length = opening.len() + end + closing.len();
        Some((Part::Thought(inside[..end].trim()), length))
    })
}

/// Returns the call that a text begins with, `@tool(id): {…}`.
fn call(text: &str) -> Option<(Part<'_>, usize)> {
    let line = text.lines().next()?;
    let (tool, behind) = line.strip_prefix('@')?.split_once('(')?;
    let (id, behind) = behind.split_once("):")?;
    let is_name =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b':' | b'.');
    let is_call = !tool.is_empty() && tool.bytes().all(is_name) && id.bytes().all(is_name);
    if !is_call || !behind.trim_start().starts_with('{') {
        return None;
    }
    let start = text.find("):")? + 2;
    let start = start + text[start..].find('{')?;
    let mut scanner = Scanner::new(&text.as_bytes()[start..]);
    scanner.object().ok()?;
    let end = start + scanner.position();
    let id = Some(id).filter(|id| !id.is_empty());
    let input = text.get(start..end)?;
    Some((Part::Call { tool, id, input }, end))
}

/// Returns the block of code that a text begins with: a call, or words if gptme does not run it.
fn block(text: &str) -> Option<(Part<'_>, usize)> {
    let fence = text.len() - text.trim_start_matches('`').len();
    if fence < 3 {
        return None;
    }
    let (first, inside) = text[fence..].split_once('\n')?;
    let closing = "`".repeat(fence);
    let mut end = text.len() - inside.len();
    for line in inside.split_inclusive('\n') {
        end += line.len();
        if line.trim_end() == closing {
            break;
        }
    }
    let tool = first.split_whitespace().next().unwrap_or("");
    let input = text[fence..end].trim_end();
    let input = input.strip_suffix(&closing).unwrap_or(input).trim_end();
    Some(match TOOLS.contains(&tool) {
        true => (
            Part::Call {
                tool,
                id: None,
                input,
            },
            end,
        ),
        false => (Part::Said(input), end),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call<'a>(tool: &'a str, id: Option<&'a str>, input: &'a str) -> Part<'a> {
        Part::Call { tool, id, input }
    }

    #[test]
    fn calls_are_taken_out_of_a_reply() {
        let table = [
            ("just words `x`", vec![Part::Said("just words `x`")]),
            (
                "Look:\n```shell\nls\n```\nThen.",
                vec![
                    Part::Said("Look:"),
                    call("shell", None, "shell\nls"),
                    Part::Said("Then."),
                ],
            ),
            (
                "Shown:\n```rust\nfn a() {}\n```",
                vec![Part::Said("Shown:\n```rust\nfn a() {}\n```")],
            ),
            (
                "````save a.md\n```\ncode\n```\n````",
                vec![call("save", None, "save a.md\n```\ncode\n```")],
            ),
            (
                "<think>\nhm\n</think>\n@shell(call-1): {\"command\": \"ls {\"}\nDone",
                vec![
                    Part::Thought("hm"),
                    call("shell", Some("call-1"), "{\"command\": \"ls {\"}"),
                    Part::Said("Done"),
                ],
            ),
            ("@mira: look", vec![Part::Said("@mira: look")]),
            (
                "```shell\nnever closed",
                vec![call("shell", None, "shell\nnever closed")],
            ),
        ];
        for (text, expected) in table {
            assert_eq!(parts(text), expected, "{text:?}");
        }
    }
}
