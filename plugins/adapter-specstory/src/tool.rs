//! A tool call: its input and output, as far as the document separates them.

use crate::turns::ticks;

/// Text that introduces a tool.
const USE: &str = "Tool use: **";

/// Labels of the output of a tool without a specific form.
const LABELS: [&str; 2] = ["**Result:**", "**Error:**"];

/// Number of lines of a result that are searched for its outcome.
const HEADING: usize = 8;

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Tool {
    pub(crate) name: String,
    pub(crate) input: String,
    pub(crate) result: Option<Answer>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) is_error: bool,
}

impl Tool {
    /// Reads the tool in a block, from its opening tag and its content.
    pub(crate) fn of_block(tag: &str, inside: &str) -> Self {
        if tag.trim_end() == "<details>" {
            return Self::early(inside);
        }
        let named = tag.split_once("data-tool-name=\"");
        let name = named.and_then(|(_, rest)| Some(rest.split_once('"')?.0));
        let (summary, body) = match inside.trim_start().strip_prefix("<summary>") {
            Some(rest) => rest.split_once("</summary>").unwrap_or((rest, "")),
            None => ("", inside),
        };
        let (introduced, inline) = introduction(summary).unwrap_or(("", summary));
        Self::new(name.unwrap_or(introduced), inline, body)
    }

    /// Reads a block of an early document: a line that describes the action, and its result.
    fn early(inside: &str) -> Self {
        let inside = inside.trim();
        let rest = inside.strip_prefix("<summary>").unwrap_or(inside);
        let (input, result) = rest.split_once("</summary>").unwrap_or(("", rest));
        Self {
            name: String::new(),
            input: input.trim().to_owned(),
            result: Some(Answer {
                text: result.trim().to_owned(),
                is_error: false,
            }),
        }
    }

    /// Reads an agent's words that are only a tool call; `None` for other words.
    pub(crate) fn of_words(words: &str) -> Option<Self> {
        let (first, body) = words.split_once('\n').unwrap_or((words, ""));
        let (name, inline) = introduction(first)?;
        Some(Self::new(name, inline, body))
    }

    fn new(name: &str, inline: &str, body: &str) -> Self {
        let (input, label, answer) = split(body);
        let input = [inline.trim(), input.trim()];
        let input: Vec<_> = input.into_iter().filter(|part| !part.is_empty()).collect();
        Self {
            name: name.to_owned(),
            input: input.join("\n"),
            result: answer.map(|text| Answer {
                is_error: label == Some(LABELS[1]) || is_error(&text),
                text,
            }),
        }
    }
}

/// Splits `Tool use: **name** rest` into name and rest.
fn introduction(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix(USE)?.split_once("**")
}

/// Splits a body into input, label and result. The result is in the first fence without a language, or with `text`, and
/// reaches to the end: fences inside it may be unclosed.
fn split(body: &str) -> (&str, Option<&'static str>, Option<String>) {
    let Some(fence) = answer_at(body, "text").or_else(|| answer_at(body, "")) else {
        return (body, None, None);
    };
    let (before, behind) = body.split_at(fence);
    let answer = behind.split_once('\n').map_or("", |(_, answer)| answer);
    let answer = answer.trim_end();
    let answer = match answer.rsplit_once('\n') {
        Some((answer, last)) if ticks(last).is_some() => answer,
        None if ticks(answer).is_some() => "",
        _ => answer,
    };
    let before = before.trim_end();
    let label = LABELS.into_iter().find(|label| before.ends_with(label));
    let before = label.map_or(before, |label| &before[..before.len() - label.len()]);
    (before, label, Some(answer.to_owned()))
}

/// Returns the start of the first fence of this kind that is not inside another.
fn answer_at(body: &str, kind: &str) -> Option<usize> {
    let mut open = None;
    let mut at = 0;
    for line in body.split_inclusive('\n') {
        if let Some((length, info)) = ticks(line.trim_end()) {
            match open {
                None if info == kind => return Some(at),
                None => open = Some(length),
                Some(opened) if length >= opened && info.is_empty() => open = None,
                Some(_) => {}
            }
        }
        at += line.len();
    }
    None
}

/// Reports whether a result states that the tool failed.
fn is_error(answer: &str) -> bool {
    let fails = |code: &str| code.trim().parse::<i64>().is_ok_and(|code| code != 0);
    answer.starts_with("<tool_use_error>")
        || answer.starts_with("Error: ")
        || answer.lines().take(HEADING).any(|line| {
            ["Exit code ", "Exit code: ", "Process exited with code "]
                .iter()
                .filter_map(|mark| line.strip_prefix(mark))
                .any(fails)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(body: &str, input: &str, result: Option<(&str, bool)>) {
        let tag = r#"<tool-use data-tool-type="shell" data-tool-name="Bash"><details>"#;
        let block = format!("<summary>Tool use: **Bash** `x`</summary>\n{body}\n");
        let tool = Tool::of_block(tag, &block);
        assert_eq!(tool.name, "Bash");
        assert_eq!(tool.input, format!("`x`{input}"), "{body}");
        let told = tool
            .result
            .as_ref()
            .map(|told| (&*told.text, told.is_error));
        assert_eq!(told, result, "{body}");
    }

    #[test]
    fn input_and_answer_are_told_apart() {
        check("", "", None);
        check("Do it\n\n`ls`", "\nDo it\n\n`ls`", None);
        check(
            "`ls`\n\n```text\na.rs\n```",
            "\n`ls`",
            Some(("a.rs", false)),
        );
        check("```\na.rs\n\nb.rs\n```", "", Some(("a.rs\n\nb.rs", false)));
        check(
            "```bash\nfor f in *\n```\n\n```text\ndone\n```",
            "\n```bash\nfor f in *\n```",
            Some(("done", false)),
        );
        check(
            "````text\n```\ncode\n```\n````",
            "",
            Some(("```\ncode\n```", false)),
        );
        check(
            "```text\n```rust\nleft open\n```",
            "",
            Some(("```rust\nleft open", false)),
        );
        check("```text\n```", "", Some(("", false)));
        check("**Result:**\n\n```\nok\n```", "", Some(("ok", false)));
        check("**Error:**\n\n```\nno\n```", "", Some(("no", true)));
        check(
            "```text\nExit code 2\nno\n```",
            "",
            Some(("Exit code 2\nno", true)),
        );
        check(
            "```\nProcess exited with code 0\n```",
            "",
            Some(("Process exited with code 0", false)),
        );
        check(
            "```text\n<tool_use_error>x\n```",
            "",
            Some(("<tool_use_error>x", true)),
        );
    }

    #[test]
    fn words_that_are_a_tools_use_are_one() {
        let tool = Tool::of_words("Tool use: **exec** `ls`\n\n```\na.rs\n```").unwrap();
        assert_eq!((&*tool.name, &*tool.input), ("exec", "`ls`"));
        assert_eq!(tool.result.map(|told| told.text).as_deref(), Some("a.rs"));
        assert_eq!(Tool::of_words("I use a tool: **exec**"), None);
    }
}
