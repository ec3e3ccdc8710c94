//! A tool's result: its output without the header, and whether it failed.
//!
//! Older versions wrap the output in JSON with an exit code, newer ones put lines before it, and some tools give plain
//! text.

use acreta_sdk::adapter::json::{Scanner, Value};
use acreta_sdk::adapter::{RecordSpan, shorten};

/// Beginnings of plain texts that explain why a tool failed.
const FAILURES: &[&str] = &[
    "apply_patch verification failed",
    "apply_patch failed",
    "apply_patch handler received",
    "patch rejected by user",
    "exec command rejected by user",
    "rejected by user",
    "rejected:",
    "aborted",
    "exec_command failed",
    "write_stdin failed",
    "failed in sandbox",
    "failed to parse function arguments",
    "execution error",
    "unsupported call",
    "unsupported custom tool call",
    "command timed out",
];

/// Lines before an output.
const HEADER: &[&str] = &[
    "Chunk ID:",
    "Wall time:",
    "Exit code:",
    "Process exited with code",
    "Original token count:",
    "Total output lines:",
];

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) text: String,
    pub(crate) is_error: bool,
}

impl Outcome {
    /// Reads the value of `output`: a text, or a list of texts and pictures.
    pub(crate) fn of(output: Option<Value<'_>>, place: &mut RecordSpan) -> Self {
        let text = match output {
            Some(Value::Text(text)) => place.decode(text).into_owned(),
            Some(list @ Value::List(_)) => listed(list, place),
            // The oldest shape: the text and a success flag.
            Some(object @ Value::Object(_)) => {
                let text = object.text_of("content").map(|text| place.decode(text));
                let text = text.unwrap_or_default().into_owned();
                let is_failure = object.field("success") == Some(Value::Scalar(b"false"));
                let mut outcome = Self::of_text(text);
                outcome.is_error |= is_failure;
                return outcome;
            }
            _ => String::new(),
        };
        Self::of_text(text)
    }

    fn of_text(text: String) -> Self {
        if let Some(outcome) = wrapped(&text) {
            return outcome;
        }
        if let Some((code, output)) = headed(&text) {
            return Self {
                text: output.to_owned(),
                is_error: code.is_some_and(|code| code != 0),
            };
        }
        let is_error = FAILURES.iter().any(|beginning| text.starts_with(beginning));
        Self { text, is_error }
    }
}

/// `{"output": …, "metadata": {"exit_code": …}}`.
fn wrapped(text: &str) -> Option<Outcome> {
    if !text.starts_with('{') {
        return None;
    }
    let value = Scanner::new(text.as_bytes()).object().ok()?;
    let output = value.text_of("output")?.lossy().into_owned();
    let code = value.field("metadata")?.field("exit_code")?;
    Some(Outcome {
        text: output,
        is_error: code != Value::Scalar(b"0"),
    })
}

/// Returns the exit code, if there is one, and the output after the lines that describe it. A process that still runs
/// has only these lines, so they stay.
fn headed(text: &str) -> Option<(Option<i64>, &str)> {
    let mut code = None;
    let mut rest = text;
    let mut has_header = false;
    loop {
        let (line, behind) = rest.split_once('\n').unwrap_or((rest, ""));
        if line == "Output:" && has_header {
            return Some((code, behind));
        }
        if !HEADER.iter().any(|beginning| line.starts_with(beginning)) || behind.is_empty() {
            return None;
        }
        has_header = true;
        if line.starts_with("Exit code:") || line.starts_with("Process exited") {
            code = line.rsplit([' ', ':']).next()?.parse().ok();
        }
        rest = behind;
    }
}

fn listed(list: Value<'_>, place: &mut RecordSpan) -> String {
    let mut texts = Vec::new();
    for element in list.elements() {
        let text = element.text_of("text").or(element.text());
        match text {
            Some(text) => texts.push(place.decode(text).into_owned()),
            None => {
                let kind = element.text_of("type").unwrap_or_default().lossy();
                let kind = kind.strip_prefix("input_").unwrap_or(&kind);
                texts.push(format!("[{}]", shorten(kind)));
            }
        }
    }
    texts.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(output: &str) -> (String, bool) {
        let value = Scanner::new(output.as_bytes()).value().unwrap();
        let outcome = Outcome::of(Some(value), &mut RecordSpan::default());
        (outcome.text, outcome.is_error)
    }

    #[test]
    fn the_output_is_taken_out_of_every_shape() {
        let table = [
            (r#""Plan updated""#, "Plan updated", false),
            (
                r#""{\"output\":\"a \\\"b\\\"\\n\",\"metadata\":{\"exit_code\":0,\"duration_seconds\":0.1}}""#,
                "a \"b\"\n",
                false,
            ),
            (
                r#""{\"output\":\"no such file\",\"metadata\":{\"exit_code\":127}}""#,
                "no such file",
                true,
            ),
            (
                r#""{\"output\":\"no code\"}""#,
                "{\"output\":\"no code\"}",
                false,
            ),
            (
                r#""Chunk ID: 1a\nWall time: 0.1 seconds\nProcess exited with code 0\nOriginal token count: 2\nOutput:\nok\n""#,
                "ok\n",
                false,
            ),
            (
                r#""Exit code: 1\nWall time: 0.1 seconds\nOutput:\nOutput:\n""#,
                "Output:\n",
                true,
            ),
            (
                r#""Exit code: -1\nWall time: 10 seconds\nOutput:\ncommand timed out""#,
                "command timed out",
                true,
            ),
            (r#""Wall time: 1.5 seconds\nOutput:\n[]""#, "[]", false),
            (
                r#""Chunk ID: 1a\nWall time: 30 seconds\nProcess running with session ID 7\nOutput:\n""#,
                "Chunk ID: 1a\nWall time: 30 seconds\nProcess running with session ID 7\nOutput:\n",
                false,
            ),
            (r#""Output:\nnot a header""#, "Output:\nnot a header", false),
            (r#""Exit code: 5""#, "Exit code: 5", false),
            (
                r#""apply_patch verification failed: no match""#,
                "apply_patch verification failed: no match",
                true,
            ),
            (
                r#""aborted by user after 2.0s""#,
                "aborted by user after 2.0s",
                true,
            ),
            (
                r#"[{"type":"input_text","text":"one"},{"type":"input_image","image_url":"data:…"}]"#,
                "one\n[image]",
                false,
            ),
            (r#"{"content":"nothing","success":false}"#, "nothing", true),
            ("null", "", false),
        ];
        for (output, text, is_error) in table {
            assert_eq!(outcome(output), (text.to_owned(), is_error), "{output}");
        }
    }
}
