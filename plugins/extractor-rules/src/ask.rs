//! Questions that the agent asks with a tool, and the person's answers: the option chosen, or an answer in the
//! person's own words. What a program says in place of an answer is nobody's.

use acreta_sdk::extractor::{Event, Evidence};
use serde_json::Value;

use crate::draft::{Certainty, Draft, LONGEST_QUOTE, quote};
use crate::text::{LONGEST_TITLE, capital, ended, is_balanced, is_question, plain, size, title};

/// A question asked by a tool, with its options.
#[derive(Debug, Clone)]
pub(crate) struct ToolQuestion {
    event_id: String,
    call: String,
    /// Name by which an answer may refer to it.
    id: String,
    /// A label of one or two words.
    header: String,
    question: String,
    /// Labels.
    options: Vec<String>,
    /// The question as it stands in the event; empty if it does not.
    cited: String,
}

/// Reads the questions of a tool call that asks the person.
pub(crate) fn questions(event: &Event, call: &str) -> Vec<ToolQuestion> {
    let input: Value = serde_json::from_str(&event.text).unwrap_or_default();
    let single = std::slice::from_ref(&input);
    let several = input["questions"].as_array();
    let option = |option: &Value| {
        let label = option.as_str().or_else(|| text(option, LABELS))?;
        Some(label.trim().to_owned())
    };
    let question = |(place, question): (usize, &Value)| {
        let asked = text(question, &["question", "prompt", "text"])?;
        let lists = OFFERS.iter().filter_map(|name| question[*name].as_array());
        Some(ToolQuestion {
            event_id: event.id.clone(),
            call: call.to_owned(),
            id: text(question, &["id"]).map_or_else(|| place.to_string(), str::to_owned),
            header: text(question, &["header"]).unwrap_or("").to_owned(),
            question: asked.to_owned(),
            options: lists
                .flatten()
                .filter_map(option)
                .take(MOST_OPTIONS)
                .collect(),
            cited: verbatim(&event.text, asked),
        })
    };
    let asked = several.map_or(single, Vec::as_slice).iter().enumerate();
    asked.take(MOST_QUESTIONS).filter_map(question).collect()
}

/// Drafts the person's answers in the result of one call; removes the answered questions from `asked`.
pub(crate) fn answered(
    asked: &mut Vec<ToolQuestion>,
    event: &Event,
    call: &str,
    order: u64,
) -> Vec<Draft> {
    let (answered, left): (Vec<ToolQuestion>, Vec<ToolQuestion>) = std::mem::take(asked)
        .into_iter()
        .partition(|one| one.call == call);
    *asked = left;
    let is_alone = answered.len() == 1;
    let drafts = answered.iter().enumerate().filter_map(|(place, one)| {
        let answer = one.answer(&event.text, is_alone)?;
        one.draft(&answer, event, (order, ANSWER_PLACE + place))
    });
    drafts.collect()
}

impl ToolQuestion {
    fn draft(&self, answer: &str, event: &Event, place: (u64, usize)) -> Option<Draft> {
        // A few free words may be a remark to the program as well as an answer.
        if !self.offers(answer) && (size(answer) < SHORTEST_FREE || is_question(answer)) {
            return None;
        }
        // The host adds the description of an option from the call.
        let is_cited = !self.cited.is_empty() && self.cited.chars().count() <= LONGEST_QUOTE;
        let about = is_cited.then(|| quote(&self.event_id, &self.cited));
        let title = self.title(answer)?;
        let words = Evidence {
            event_id: event.id.clone(),
            quote: answer.to_owned(),
        };
        Draft::quoted(place, "", title, Certainty::Sure, words, about)
    }

    /// Reports whether an answer consists of options.
    fn offers(&self, answer: &str) -> bool {
        let mut rest = answer.trim();
        while !rest.is_empty() {
            let labels = self.options.iter();
            let longest = labels
                .filter(|label| !label.is_empty() && rest.starts_with(label.as_str()))
                .max_by_key(|label| label.len());
            let Some(label) = longest else {
                return false;
            };
            rest = rest[label.len()..].trim_start_matches([',', ';', ' ']);
        }
        true
    }

    /// `question → answer`, or the shorter label of the question, or the answer if it is a statement.
    fn title(&self, answer: &str) -> Option<String> {
        let answer = plain(bare(answer));
        let question = plain(&self.question);
        let answer = ended(&answer);
        let fits = |told: &String| told.chars().count() <= LONGEST_TITLE && is_balanced(told);
        let asked = [question.as_str(), self.header.trim()];
        let joined = asked.iter().filter(|asked| size(asked) > 0);
        joined
            .map(|asked| format!("{} → {answer}", capital(asked)))
            .find(fits)
            .or_else(|| title(answer, "").filter(|title| size(title) >= SHORTEST_FREE))
    }

    /// Finds the part of a tool's result that answers the question, verbatim.
    fn answer(&self, text: &str, is_alone: bool) -> Option<String> {
        let text = acreta_text::head(text, LONGEST_RESULT);
        let found = self
            .paired(text)
            .or_else(|| self.listed(text))
            .or_else(|| self.single(text).filter(|_| is_alone))?;
        let is_person = !found.starts_with(['(', '[', '<']) && text.contains(&found);
        (is_person && !found.is_empty() && found.chars().count() <= LONGEST_QUOTE).then_some(found)
    }

    /// `"question"="answer", "question"="answer". …`
    fn paired(&self, text: &str) -> Option<String> {
        let opening = format!("\"{}\"=\"", self.question);
        let rest = &text[text.find(&opening)? + opening.len()..];
        let ends = ["\", \"", "\". ", "\" ", "\"\n"];
        let end = ends.iter().filter_map(|mark| rest.find(mark)).min();
        let answer = &rest[..end.unwrap_or(rest.len())];
        Some(answer.trim_end_matches(['"', '.']).to_owned())
    }

    /// `{"answers": {"id": {"answers": ["label"]}}}` and the like.
    fn listed(&self, text: &str) -> Option<String> {
        let result: Value = serde_json::from_str(text).ok()?;
        let answers = result.get("answers").unwrap_or(&result);
        let mut answer = [&self.id, &self.question]
            .into_iter()
            .find_map(|key| answers.get(key))?;
        while let Some(inner) = answer.get("answers").or_else(|| answer.get(0)) {
            answer = inner;
        }
        answer.as_str().map(str::to_owned)
    }

    /// `User selected: answer`, or a text that holds one of the labels.
    fn single(&self, text: &str) -> Option<String> {
        let opened = OPENINGS
            .iter()
            .find_map(|opening| text.strip_prefix(opening));
        if let Some(answer) = opened {
            return Some(answer.trim().trim_matches('"').to_owned());
        }
        let mut named = self
            .options
            .iter()
            .filter(|label| text.contains(label.as_str()));
        named.next().filter(|_| named.next().is_none()).cloned()
    }
}

/// Removes a remark in brackets from the end of a label: `SQLite (Recommended)`.
pub(crate) fn bare(label: &str) -> &str {
    let label = label.trim();
    match label.rfind(['(', '（']) {
        Some(at) if at > 1 && label.ends_with([')', '）']) => label[..at].trim_end(),
        _ => label,
    }
}

fn text<'a>(value: &'a Value, names: &[&str]) -> Option<&'a str> {
    let mut texts = names.iter().filter_map(|name| value[*name].as_str());
    texts.next()
}

/// Returns a decoded string as it stands in the raw text; empty if it does not.
fn verbatim(raw: &str, decoded: &str) -> String {
    let decoded = decoded.trim();
    if raw.contains(decoded) {
        return decoded.to_owned();
    }
    let escaped = Value::from(decoded).to_string();
    let escaped = escaped.trim_matches('"');
    if raw.contains(escaped) { escaped } else { "" }.to_owned()
}

const LABELS: &[&str] = &["label", "text", "value", "title"];
const OFFERS: [&str; 3] = ["options", "choices", "follow_up"];
/// What programs put before the answer to a single question.
const OPENINGS: [&str; 5] = [
    "User responded: ",
    "User selected: ",
    "User answered: ",
    "The user answered: ",
    "Answer: ",
];
const MOST_QUESTIONS: usize = 12;
const MOST_OPTIONS: usize = 8;
const LONGEST_RESULT: usize = 8 * 1024;
/// Minimum number of words of an answer that is none of the options.
const SHORTEST_FREE: usize = 4;
/// Sorts after all sentences of the same message.
const ANSWER_PLACE: usize = 1000;
