//! One turn of the dialogue: what the person said, how the agent answered and what it did. A turn
//! keeps the few texts that matter, each cut to a bound; the rest of the trace is never held.

use acreta_sdk::extractor::Event;

use crate::claim::{self, Claim};
use crate::json::Json;
use crate::phrases::Folded;
use crate::sentences::{Sentence, sentences};
use crate::voice::{Form, Message};

/// A message of the person.
#[derive(Debug, Clone)]
pub(crate) struct Prompt {
    pub(crate) event_id: String,
    pub(crate) order: u64,
    /// The start of the text, at most [`LONGEST_PROMPT`] bytes.
    pub(crate) text: String,
    pub(crate) form: Form,
}

impl Prompt {
    /// What the person said in it.
    pub(crate) fn speech(&self) -> impl Iterator<Item = Sentence<'_>> {
        let message = Message {
            text: &self.text,
            form: self.form,
        };
        message.speech()
    }
}

/// A message of the agent.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) event_id: String,
    /// The start of the text, at most [`LONGEST_REPLY`] bytes.
    pub(crate) text: String,
}

/// A question put by a tool, with the options offered and what the person answered.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) order: u64,
    pub(crate) question: String,
    /// Label and description.
    pub(crate) options: Vec<(String, String)>,
    pub(crate) call: String,
    pub(crate) answer: String,
    pub(crate) answer_event: String,
}

/// One turn.
#[derive(Debug, Default)]
pub(crate) struct Turn {
    pub(crate) prompts: Vec<Prompt>,
    /// The first replies.
    pub(crate) openings: Vec<Reply>,
    /// The last reply, when it is not among the first.
    pub(crate) closing: Option<Reply>,
    pub(crate) claims: Vec<Claim>,
    pub(crate) asked: Vec<Asked>,
    pub(crate) edits: u64,
    /// The names of the first files edited, known once the turn is over.
    pub(crate) files: Vec<String>,
    /// Whether a check passed after an edit.
    pub(crate) verified: bool,
    pub(crate) interrupted: bool,
    /// Whether anything happened since the person spoke.
    pub(crate) answered: bool,
}

impl Turn {
    pub(crate) fn hear(&mut self, event_id: &str, order: u64, message: Message<'_>) {
        if self.prompts.len() < MOST_PROMPTS {
            self.prompts.push(Prompt {
                event_id: event_id.to_owned(),
                order,
                form: message.form,
                text: message.text.to_owned(),
            });
        }
    }

    /// Takes what the agent says, with its sentences.
    pub(crate) fn reply(&mut self, event: &Event, order: u64, said: &[Said<'_>]) {
        self.answered = true;
        let reply = Reply {
            event_id: event.id.clone(),
            text: acreta_text::head(&event.text, LONGEST_REPLY).to_owned(),
        };
        for claim in claim::claims(&event.id, order, said, self.edits) {
            if self.claims.len() == MOST_CLAIMS {
                self.claims.remove(0);
            }
            self.claims.push(claim);
        }
        if self.openings.len() < 2 {
            self.openings.push(reply);
        } else {
            self.closing = Some(reply);
        }
    }

    /// Takes the questions of a tool call that asks the person.
    pub(crate) fn ask(&mut self, event: &Event, order: u64, call: &str) {
        let input = Json::parse(&event.text);
        let single = std::slice::from_ref(&input);
        let questions = match input.list("questions") {
            [] => single,
            several => several,
        };
        for question in questions.iter().take(MOST_QUESTIONS) {
            let Some(text) = question.text(&["question", "prompt", "text"]) else {
                continue;
            };
            let options = question
                .list("options")
                .iter()
                .chain(question.list("choices"))
                .chain(question.list("follow_up"));
            self.asked.push(Asked {
                order,
                question: text.to_owned(),
                options: options
                    .filter_map(|option| match option {
                        Json::Text(label) => Some((label.clone(), String::new())),
                        other => Some((
                            other.text(&["label", "text", "value"])?.to_owned(),
                            other.text(&["description"]).unwrap_or("").to_owned(),
                        )),
                    })
                    .take(8)
                    .collect(),
                call: call.to_owned(),
                answer: String::new(),
                answer_event: String::new(),
            });
        }
        let excess = self.asked.len().saturating_sub(MOST_QUESTIONS);
        self.asked.drain(..excess);
    }

    /// Takes the answers to the questions of one call.
    pub(crate) fn answer(&mut self, event: &Event, call: &str) {
        let text = acreta_text::head(&event.text, LONGEST_PROMPT);
        for asked in self
            .asked
            .iter_mut()
            .filter(|asked| asked.call == call && asked.answer.is_empty())
        {
            let answer = answer_to(&asked.question, text);
            if !answer.is_empty() {
                asked.answer = answer.to_owned();
                asked.answer_event.clone_from(&event.id);
            }
        }
    }

    /// The files edited in the turn, as the subject of a sentence.
    pub(crate) fn changed(&self) -> Option<String> {
        match self.files.as_slice() {
            [] => None,
            [one] => Some(format!("`{one}` was")),
            [one, two, ..] => Some(format!("`{one}` and `{two}` were")),
        }
    }

    /// The last thing the agent said in the turn.
    pub(crate) fn last_reply(&self) -> Option<&Reply> {
        self.closing.as_ref().or(self.openings.last())
    }

    pub(crate) fn replies(&self) -> impl Iterator<Item = &Reply> {
        self.openings.iter().chain(self.closing.as_ref())
    }
}

/// A sentence of a reply, folded once for all rules that look at it.
pub(crate) struct Said<'a> {
    pub(crate) sentence: Sentence<'a>,
    pub(crate) folded: Folded,
}

/// The sentences of a reply, as far as it is read.
pub(crate) fn said(event: &Event) -> Vec<Said<'_>> {
    sentences(acreta_text::head(&event.text, LONGEST_SCAN))
        .map(|sentence| Said {
            sentence,
            folded: Folded::of(sentence.text),
        })
        .collect()
}

/// The part of a tool's answer that belongs to a question: `"question"="answer"`, or what follows a
/// colon when there is only one.
fn answer_to<'a>(question: &str, text: &'a str) -> &'a str {
    let quoted = format!("\"{question}\"=\"");
    if let Some(start) = text.find(&quoted) {
        let rest = &text[start + quoted.len()..];
        let end = ["\", \"", "\". ", "\" "]
            .iter()
            .filter_map(|mark| rest.find(mark))
            .min();
        return rest[..end.unwrap_or(rest.len())].trim_end_matches(['"', '.']);
    }
    for opening in [
        "User responded: ",
        "User selected: ",
        "User answered: ",
        "The user answered: ",
        "Answer: ",
    ] {
        if let Some(answer) = text.strip_prefix(opening)
            && !answer.starts_with('"')
        {
            return answer.trim();
        }
    }
    ""
}

pub(crate) const LONGEST_PROMPT: usize = 8 * 1024;
const LONGEST_REPLY: usize = 6 * 1024;
const LONGEST_SCAN: usize = 32 * 1024;
const MOST_PROMPTS: usize = 6;
const MOST_CLAIMS: usize = 32;
const MOST_QUESTIONS: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_found_by_their_question() {
        let text = r#"User has answered your questions: "Which one?"="The first", "How?"="Slowly". You can now continue."#;
        assert_eq!(answer_to("Which one?", text), "The first");
        assert_eq!(answer_to("How?", text), "Slowly");
        assert_eq!(answer_to("Why?", text), "");
        assert_eq!(
            answer_to("Why?", "User responded: because it is heavy"),
            "because it is heavy"
        );
    }
}
