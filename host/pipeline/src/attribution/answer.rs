//! Answers that a person gives through a question tool. The result of such a tool is the harness's text around the
//! person's choice; only the choice is the person's.
//!
//! ```text
//! call    {"questions":[{"question":"Which store?","options":[{"label":"SQLite","description":"one file"}, …]}]}
//! result  User has answered your questions: "Which store?"="SQLite". You can now continue.
//!                                                           ^^^^^^ the answer; about: Which store? SQLite: one file
//! ```

use std::ops::Range;

use serde_json::Value;

/// One answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answer {
    /// Its place in the result.
    pub(super) range: Range<usize>,
    /// The question, and the chosen option with its description.
    pub(super) about: String,
}

/// A question with its options: label and description.
struct Question {
    text: String,
    options: Vec<(String, String)>,
}

/// Returns the answers to the questions of a call in its result. Text that no question, option or answer field accounts
/// for is the harness's, and so is an answer in parentheses: `(No answer provided)`.
pub(super) fn answers(call: &str, result: &str) -> Vec<Answer> {
    let questions = questions(call);
    let mut found = Vec::new();
    for question in &questions {
        if let Some(range) = after_question(question, result) {
            found.push(answer(question, result, range));
        }
    }
    if let (true, [question]) = (found.is_empty(), questions.as_slice()) {
        let range = answer_field(result)
            .or_else(|| only_option(question, result))
            .or_else(|| after_label(question, result));
        found.extend(range.map(|range| answer(question, result, range)));
    }
    found.retain(|answer| {
        let said = result[answer.range.clone()].trim();
        !(said.is_empty() || said.starts_with('(') && said.ends_with(')'))
    });
    found
}

fn answer(question: &Question, result: &str, range: Range<usize>) -> Answer {
    let said = result[range.clone()].trim();
    let is_chosen =
        |label: &str| said.eq_ignore_ascii_case(label.trim()) || said.starts_with(label.trim());
    let option = question.options.iter().find(|(label, _)| is_chosen(label));
    let about = match option {
        Some((label, description)) if !description.is_empty() => {
            format!("{} {label}: {description}", question.text)
        }
        _ => question.text.clone(),
    };
    Answer { range, about }
}

fn questions(call: &str) -> Vec<Question> {
    let Ok(input) = serde_json::from_str::<Value>(call) else {
        return Vec::new();
    };
    let single = std::slice::from_ref(&input);
    let listed = input.get("questions").and_then(Value::as_array);
    let text = |value: &Value, names: &[&str]| {
        let found = names.iter().find_map(|name| value.get(name)?.as_str());
        found.map(str::to_owned)
    };
    let listed = listed
        .map_or(single, Vec::as_slice)
        .iter()
        .filter_map(|question| {
            let options = ["options", "choices", "follow_up"]
                .iter()
                .filter_map(|name| question.get(name)?.as_array());
            let options = options.flatten().filter_map(|option| match option {
                Value::String(label) => Some((label.clone(), String::new())),
                other => Some((
                    text(other, &["label", "text", "value", "title"])?,
                    text(other, &["description"]).unwrap_or_default(),
                )),
            });
            Some(Question {
                text: text(question, &["question", "prompt", "text"])?,
                options: options.collect(),
            })
        });
    listed.collect()
}

/// Returns the quoted text after a question and an equals sign or colon: `"Which store?"="SQLite"`.
fn after_question(question: &Question, result: &str) -> Option<Range<usize>> {
    let start = result.find(question.text.as_str())? + question.text.len();
    let rest = result[start..].trim_start_matches(['"', '*', '”']);
    let rest = rest
        .trim_start()
        .strip_prefix(['=', ':', '→'])?
        .trim_start_matches([' ', '*', '\n']);
    let start = result.len() - rest.len();
    let Some(quoted) = rest.strip_prefix('"') else {
        let end = rest.find('\n').unwrap_or(rest.len());
        return Some(start..start + end);
    };
    // The answer may have quotation marks of its own: it ends where the next question or the harness goes on.
    let ends = ["\", \"", "\". ", "\"\n"];
    let end = ends.iter().filter_map(|mark| quoted.find(mark)).min();
    let end = end.or_else(|| quoted.rfind('"')).unwrap_or(quoted.len());
    Some(start + 1..start + 1 + end)
}

/// Returns the first text in a field `answer` or `answers` of a JSON result.
fn answer_field(result: &str) -> Option<Range<usize>> {
    fn first(value: &Value) -> Option<&str> {
        match value {
            Value::String(text) => Some(text),
            Value::Array(list) => list.iter().find_map(first),
            Value::Object(fields) => fields.values().find_map(first),
            _ => None,
        }
    }
    let value: Value = serde_json::from_str(result).ok()?;
    let fields = ["answers", "answer", "response", "selected"];
    let said = fields.iter().find_map(|name| first(value.get(name)?))?;
    let start = result.find(said)?;
    Some(start..start + said.len())
}

/// Words of a harness before an answer: `User responded:`. More than these tell something else, as that nobody answered
/// and a default was taken.
const LABEL_WORDS: usize = 3;

/// Returns the only option whose label the result has, if hardly anything is before it: `User selected SQLite`.
fn only_option(question: &Question, result: &str) -> Option<Range<usize>> {
    let mut named = question.options.iter().filter_map(|(label, _)| {
        let start = result.find(label.as_str())?;
        (!label.trim().is_empty()).then(|| start..start + label.len())
    });
    let first = named.next()?;
    let before = &result[..first.start];
    let is_label =
        before.split_whitespace().count() <= LABEL_WORDS && !before.contains(['.', ',', ';']);
    (is_label && named.next().is_none()).then_some(first)
}

/// Returns the text after a short label: `User responded: use the file`.
fn after_label(question: &Question, result: &str) -> Option<Range<usize>> {
    if result.contains(question.text.as_str()) {
        return None;
    }
    let (label, rest) = result.split_once(": ")?;
    (label.split_whitespace().count() <= LABEL_WORDS && !label.contains(['.', '\n'])).then(|| {
        let start = result.len() - rest.len();
        start..start + rest.trim_end().len()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_choice_is_the_persons() {
        let call = r#"{"questions":[{"question":"Which store?","header":"Store","options":[
            {"label":"SQLite","description":"one file"},{"label":"Postgres","description":"a server"}]}]}"#;
        let cases: &[(&str, Option<(&str, &str)>)] = &[
            (
                r#"User has answered your questions: "Which store?"="SQLite". You can now continue."#,
                Some(("SQLite", "Which store? SQLite: one file")),
            ),
            (
                r#"Your questions have been answered: "Which store?"="a "flat" file, please""#,
                Some(("a \"flat\" file, please", "Which store?")),
            ),
            (
                r#"{"answers":{"q1":{"answers":["Postgres"]}}}"#,
                Some(("Postgres", "Which store? Postgres: a server")),
            ),
            (
                "User responded: none of these, use files",
                Some(("none of these, use files", "Which store?")),
            ),
            (
                "User selected Postgres",
                Some(("Postgres", "Which store? Postgres: a server")),
            ),
            (
                r#"Questions asked: "Which store?" (No answer provided)"#,
                None,
            ),
            (
                "The user wants to clarify these questions. They may have more to say.",
                None,
            ),
            (r#""Which store?"="(No answer provided)""#, None),
            ("No answer in time, using SQLite.", None),
            (
                "The user did not answer within a minute; SQLite was chosen.",
                None,
            ),
        ];
        for (result, expected) in cases {
            let found = answers(call, result);
            let found = found
                .first()
                .map(|answer| (&result[answer.range.clone()], answer.about.as_str()));
            assert_eq!(found, *expected, "{result}");
        }
    }
}
