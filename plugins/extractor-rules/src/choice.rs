//! A choice written as a sentence: `Use X for Y instead of Z`, from the question, the answer and the
//! options that lost. What makes no sentence gives none.

use crate::phrases::{Folded, Phrases, opens_in_any_case, phrases};
use crate::polish::finish;
use crate::title::is_title;
use crate::verbs::{is_finite, is_order, is_statement};

/// A choice that was made.
pub(crate) struct Choice<'a> {
    pub(crate) question: Option<&'a str>,
    /// The option taken, or what was answered.
    pub(crate) answer: &'a str,
    /// The options that were not taken.
    pub(crate) others: Vec<String>,
}

impl Choice<'_> {
    /// The choice as a statement, short enough for a title.
    pub(crate) fn statement(&self) -> Option<String> {
        let answer = self.answer.trim().trim_end_matches(['.', ':', ' ']);
        let (yes, no) = (opens_as(answer, "yes"), opens_as(answer, "no"));
        let telling = if yes || no {
            after_word(answer)
        } else {
            answer
        };
        let asked = self.question.and_then(|question| {
            let question = question.trim().trim_end_matches(['?', ' ']);
            // What is asked besides may go when the whole is too long.
            [question, question.split(" and ").next().unwrap_or("")]
                .into_iter()
                .filter_map(|question| {
                    if yes || no {
                        affirmed(question, yes)
                    } else {
                        answered(question, telling)
                    }
                })
                .find(|stated| stated.chars().count() <= LONGEST_STATEMENT)
        });
        // An order says what to do; what it was chosen over would not go with it.
        let order = (is_statement(telling) && telling.split_whitespace().count() >= 3)
            .then(|| sentence(telling));
        let stated = match (asked, order) {
            (Some(asked), _) => self.against(asked),
            (None, Some(order)) => order,
            (None, None) => return None,
        };
        let stated = stated.trim_end_matches('.').to_owned();
        is_title(&stated).then_some(stated)
    }

    /// The options that were not taken and are not in the statement, as a sentence.
    pub(crate) fn rest(&self, statement: &str) -> Option<String> {
        let listed: Vec<&str> = self
            .others
            .iter()
            .map(|other| other.trim().trim_end_matches('.'))
            .filter(|other| !other.is_empty() && other.len() <= LONGEST_OTHER)
            .filter(|other| !Folded::of(other).opens(phrases!("something else|other|none")))
            .filter(|other| !statement.ends_with(lower_first(other).as_str()))
            .take(2)
            .collect();
        match listed.as_slice() {
            [] => None,
            [one] => Some(format!(
                "The other option was \"{}\".",
                one.replace('"', "'")
            )),
            [one, two, ..] => Some(format!(
                "Other options were \"{}\" and \"{}\".",
                one.replace('"', "'"),
                two.replace('"', "'")
            )),
        }
    }

    /// A statement with what it was chosen over, when that fits.
    fn against(&self, stated: String) -> String {
        let Some(other) = self.others.first() else {
            return stated;
        };
        let other = other.trim().trim_end_matches('.');
        let noun = !is_order(other) && !other.contains([',', ';', ':', '(']);
        let whole = format!("{stated} instead of {}", lower_first(other));
        if noun && whole.chars().count() <= LONGEST_STATEMENT {
            whole
        } else {
            stated
        }
    }
}

/// `Should X do Y` answered with yes or no.
fn affirmed(question: &str, yes: bool) -> Option<String> {
    let rest = strip(question, "should ")?;
    let (subject, verb, after) = split_at_verb(rest)?;
    let modal = if yes { "should" } else { "should not" };
    Some(sentence(&match subject {
        "we" | "i" | "it" if yes => format!("{verb} {after}"),
        "we" | "i" => format!("do not {verb} {after}"),
        _ => format!("{subject} {modal} {verb} {after}"),
    }))
}

/// A question that asks for something, with the answer in its place.
fn answered(question: &str, answer: &str) -> Option<String> {
    let stated = is_statement(answer);
    // `X only` is read as `only X`.
    let answer = match answer.strip_suffix(" only") {
        Some(alone) => format!("only {}", lower_first(alone)),
        None => lower_first(answer),
    };
    if let Some(rest) = strip(question, "when should ") {
        let (subject, verb, after) = split_at_verb(rest)?;
        return Some(placed(subject, verb, after, &answer));
    }
    if let Some(rest) = strip(question, "where should ") {
        let (subject, verb, after) = split_at_verb(rest)?;
        let place = if Folded::of(&answer).opens(PREPOSITIONS) {
            answer
        } else {
            format!("in {answer}")
        };
        return Some(placed(subject, verb, after, &place));
    }
    if let Some(rest) = strip(question, "how should ") {
        let (subject, verb, after) = split_at_verb(rest)?;
        if stated {
            return None;
        }
        return Some(placed(subject, verb, after, &format!("as {answer}")));
    }
    let rest = strip(question, "which ").or_else(|| strip(question, "what "))?;
    if stated {
        return None;
    }
    let words: Vec<&str> = rest.split_whitespace().collect();
    let Some(at) = words.iter().position(|word| MODALS.contains(word)) else {
        // `Which store backs the queue`: the answer does.
        let at = words
            .iter()
            .skip(1)
            .position(|word| word.ends_with('s') && is_finite(word))?;
        return Some(sentence(&format!("{answer} {}", words[at + 1..].join(" "))));
    };
    let noun = words[..at].join(" ");
    let after = &words[at + 1..];
    let asked = after
        .first()
        .is_some_and(|word| matches!(*word, "we" | "i" | "you" | "it"));
    if noun.is_empty() {
        return None;
    }
    if !asked {
        // `Which modes should support X`: the answer is what does.
        return (words[at] == "should" && after.len() >= 2)
            .then(|| sentence(&format!("{answer} should {}", after.join(" "))));
    }
    let purpose = after
        .iter()
        .position(|word| matches!(*word, "for" | "when" | "in" | "to"));
    let purpose = purpose.filter(|at| after[*at] != "to" && after.len() - at >= 2);
    Some(match purpose {
        Some(at) => format!("Use {answer} {}", after[at..].join(" ")),
        None => format!("Use {answer} as the {noun}"),
    })
}

/// `When should X be done` with the answer at its end.
fn placed(subject: &str, verb: &str, after: &str, answer: &str) -> String {
    let after = if after.is_empty() {
        String::new()
    } else {
        format!(" {after}")
    };
    sentence(&match subject {
        "we" | "i" | "it" => format!("{verb}{after} {answer}"),
        _ => format!("{subject} should {verb}{after} {answer}"),
    })
}

/// Subject, verb and what follows it.
fn split_at_verb(text: &str) -> Option<(&str, &str, &str)> {
    let mut at = 0;
    for (index, word) in text.split(' ').enumerate() {
        if index > 0 && VERBS.contains(word) {
            let after = text[at + word.len()..].trim();
            return Some((text[..at].trim(), word, after));
        }
        at += word.len() + 1;
    }
    None
}

fn strip<'a>(text: &'a str, opening: &str) -> Option<&'a str> {
    opens_in_any_case(text, opening).then(|| &text[opening.len()..])
}

fn opens_as(text: &str, word: &str) -> bool {
    opens_in_any_case(text, word)
        && text[word.len()..]
            .chars()
            .next()
            .is_none_or(|next| !next.is_alphanumeric())
}

/// What follows `yes —` or `no,`.
fn after_word(text: &str) -> &str {
    text.split_once([' ', ',']).map_or("", |(_, rest)| {
        rest.trim_start_matches(['-', '–', '—', ',', ':', ' '])
    })
}

/// A text in the middle of a sentence: small words lose their capital, names keep it.
fn lower_first(text: &str) -> String {
    let first = text.split_whitespace().next().unwrap_or("");
    let mut letters = text.chars();
    match letters.next() {
        Some(letter) if SMALL.contains(&first.to_lowercase()) => {
            letter.to_lowercase().chain(letters).collect()
        }
        _ => text.to_owned(),
    }
}

fn sentence(text: &str) -> String {
    finish(text.trim()).trim_end_matches('.').to_owned()
}

const LONGEST_STATEMENT: usize = 80;
const LONGEST_OTHER: usize = 90;

const MODALS: Phrases = phrases!("should|do|does|would|shall|can|will");
const PREPOSITIONS: Phrases =
    phrases!("in|on|at|under|inside|within|next|above|below|to|from|beside|near|only|after|before");

/// Words that are no names.
const SMALL: Phrases = phrases!(
    "a|an|the|in|on|at|under|inside|within|next|above|below|to|from|beside|near|only|after|before|\
     every|each|both|all|no|never|always|one|two|when|per|with|without|by|as|separate|single|standalone|\
     environment|manual|automatic|local|global|keep|use|just|full|simple|existing|new|our|its",
);

/// Verbs a question about the work asks with.
const VERBS: Phrases = phrases!(
    "be|live|go|sit|reside|belong|use|store|keep|put|place|write|read|run|handle|support|show|\
     happen|generate|create|save|log|load|call|name|send|return|apply|include|exclude|rely|ship|\
     default|expose|have|do|get|retry|render|display|resolve|appear|work|fail|block|start|stop|add|\
     remove|drop|update|build|deploy|host|cache|validate|check|test|treat|represent|model|expire",
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_read_as_sentences() {
        let cases: &[(&str, &str, &[&str], Option<&str>)] = &[
            (
                "When should the report be written?",
                "At night",
                &["After every run"],
                Some("The report should be written at night instead of after every run"),
            ),
            (
                "Which store should we use for the queue?",
                "SQLite",
                &["Redis"],
                Some("Use SQLite for the queue instead of Redis"),
            ),
            (
                "Which colour scheme would you like to adopt?",
                "Solarized Light",
                &[],
                Some("Use Solarized Light as the colour scheme"),
            ),
            (
                "Where should the settings live?",
                "Environment variables of the shell",
                &["A TOML file in the repository"],
                Some("The settings should live in environment variables of the shell"),
            ),
            (
                "Should the worker retry a failed upload?",
                "Yes",
                &[],
                Some("The worker should retry a failed upload"),
            ),
            (
                "How far do we go?",
                "Drop the second queue entirely",
                &["Keep both"],
                Some("Drop the second queue entirely"),
            ),
            ("What is your preference?", "The second one", &[], None),
        ];
        for (question, answer, others, expected) in cases {
            let choice = Choice {
                question: Some(question),
                answer,
                others: others.iter().map(|other| (*other).to_owned()).collect(),
            };
            assert_eq!(choice.statement().as_deref(), *expected, "{question}");
        }
    }
}
