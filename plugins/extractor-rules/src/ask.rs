//! Questions of the agent and the person's choices: questions asked by a tool with options, options listed in the
//! agent's text, and plain proposals answered with yes. An answer that leaves the choice to the agent is not a choice.

use acreta_sdk::extractor::Event;

use crate::draft::{Draft, LONGEST_TITLE, capital, ended, quote};
use crate::json::Json;
use crate::numbered;
use crate::options::{bare, chosen, first_clause, last_question, options, parts_of};
use crate::phrases::{Phrases, phrases};
use crate::plain::{finish, is_balanced, plain};
use crate::said::{self, MessageSource};
use crate::sentences::{Sentence, sentences};
use crate::view::SentenceView;
use crate::words::{ASKS_LEAVE, LEFT_OPEN, LEFT_OPEN_UNSPACED, NO, PROCESS, PROCESS_UNSPACED, YES};

/// A question asked by a tool, with its options.
#[derive(Debug, Clone)]
pub(crate) struct ToolQuestion {
    question: String,
    /// Label and description.
    options: Vec<(String, String)>,
    call: String,
}

/// The agent's last text.
#[derive(Debug, Clone, Default)]
pub(crate) struct AgentReply {
    pub(crate) event_id: String,
    pub(crate) text: String,
}

/// Reads the questions of a tool call that asks the person.
pub(crate) fn questions(event: &Event, call: &str) -> Vec<ToolQuestion> {
    let input = Json::parse(&event.text);
    let single = std::slice::from_ref(&input);
    let questions = match input.list("questions") {
        [] => single,
        several => several,
    };
    let option = |option: &Json| match option {
        Json::Text(label) => Some((label.clone(), String::new())),
        other => Some((
            other.text(&["label", "text", "value", "title"])?.to_owned(),
            other.text(&["description"]).unwrap_or("").to_owned(),
        )),
    };
    questions
        .iter()
        .take(MOST_QUESTIONS)
        .filter_map(|question| {
            let offered = ["options", "choices", "follow_up"];
            Some(ToolQuestion {
                question: question.text(&["question", "prompt", "text"])?.to_owned(),
                options: offered
                    .iter()
                    .flat_map(|name| question.list(name))
                    .filter_map(option)
                    .take(8)
                    .collect(),
                call: call.to_owned(),
            })
        })
        .collect()
}

/// Drafts the person's choices in the result of one call; removes the answered questions from `asked`.
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
    let text = acreta_text::head(&event.text, LONGEST_ANSWER);
    let alone = answered.len() == 1;
    answered
        .iter()
        .enumerate()
        .flat_map(|(place, one)| {
            let Some(answer) = answer_to(one, text, alone) else {
                return Vec::new();
            };
            let option = one
                .options
                .iter()
                .find(|(label, _)| answer == label || bare(answer) == bare(label));
            if option.is_none() {
                // An answer in the person's own words: rules in it count by themselves.
                let spoken: Vec<Sentence<'_>> = sentences(answer).collect();
                let source = MessageSource {
                    event_id: &event.id,
                    order,
                    noted: false,
                };
                let found = said::of_sentences(&source, &spoken, true);
                if !found.is_empty() {
                    return found;
                }
            }
            let told = Choice {
                question: &plain(one.question.lines().last().unwrap_or("")),
                answer: &plain(bare(answer)),
                description: option.map_or("", |(_, description)| description),
                others: one
                    .options
                    .iter()
                    .filter(|(label, _)| bare(label) != bare(answer))
                    .map(|(label, _)| plain(bare(label)))
                    .collect(),
            }
            .told(option.is_some());
            let Some((title, body)) = told else {
                return Vec::new();
            };
            let draft = Draft {
                order,
                place: ANSWER_PLACE + place,
                kind: "",
                title,
                body,
                // A free answer that states no rule may be a remark.
                pending: option.is_none(),
                spoken: false,
                confidence: CHOSEN,
                evidence: vec![quote(&event.id, answer)],
            };
            if draft.reads_well() {
                vec![draft]
            } else {
                Vec::new()
            }
        })
        .collect()
}

/// Drafts the options of the preceding reply that a message chooses or agrees to.
pub(crate) fn picked(reply: &AgentReply, event: &Event, order: u64) -> Vec<Draft> {
    let answer = event.text.trim();
    if answer.len() > LONGEST_REPLY_TO || answer.contains("```") {
        return Vec::new();
    }
    let several = several(reply, event, answer, order);
    if several.is_empty() {
        one(reply, event, answer, order).into_iter().collect()
    } else {
        several
    }
}

/// Drafts the answers to numbered questions: `1a, 2b`.
fn several(reply: &AgentReply, event: &Event, answer: &str, order: u64) -> Vec<Draft> {
    let choices = numbered::choices(answer);
    if choices.is_empty() {
        return Vec::new();
    }
    let asked = numbered::questions(&reply.text);
    let drafts = choices.iter().filter_map(|(number, letter)| {
        let question = asked.iter().find(|one| one.number == *number)?;
        let (_, text) = question.options.iter().find(|(one, _)| one == letter)?;
        let (name, description) = parts_of(text);
        let others = question.options.iter().filter(|(one, _)| one != letter);
        let told = Choice {
            question: &plain(question.question),
            answer: &name,
            description: &description,
            others: others.map(|(_, text)| parts_of(text).0).collect(),
        }
        .told(true)?;
        let place = ANSWER_PLACE + *number as usize;
        accepted(told, place, reply, event, (answer, text), order)
    });
    drafts.collect()
}

/// Drafts a choice, with the answer and the option as evidence.
fn accepted(
    (title, body): (String, String),
    place: usize,
    reply: &AgentReply,
    event: &Event,
    (answer, option): (&str, &str),
    order: u64,
) -> Option<Draft> {
    let draft = Draft {
        order,
        place,
        kind: "",
        title,
        body,
        pending: false,
        spoken: false,
        confidence: CHOSEN,
        evidence: vec![quote(&event.id, answer), quote(&reply.event_id, option)],
    };
    draft.reads_well().then_some(draft)
}

/// Finds the index, as `#index`, of the option that an answer opens with: `Zephyr. The vendor stopped …`.
fn named(answer: &str, offered: &[(String, &str)]) -> Option<String> {
    let first = answer
        .split(['.', ',', ';', '!', '\n', '。', '，'])
        .next()?
        .trim();
    let first = first.to_lowercase();
    let mut places = offered.iter().enumerate().filter(|(_, (_, text))| {
        let name = parts_of(text).0.to_lowercase();
        name == first || name.split_whitespace().count() > 1 && first.contains(&name)
    });
    let (place, _) = places.next().filter(|_| first.chars().count() >= 3)?;
    places.next().is_none().then(|| format!("#{place}"))
}

fn one(reply: &AgentReply, event: &Event, answer: &str, order: u64) -> Option<Draft> {
    let offered = options(&reply.text);
    let label = chosen(answer, offered.len())
        .or_else(|| named(answer, &offered))
        .filter(|_| offered.len() >= 2);
    let found = if let Some(label) = label {
        let place = match label.strip_prefix('#') {
            Some(place) => place.parse().ok()?,
            None => offered.iter().position(|(name, _)| *name == label)?,
        };
        let (label, text) = offered.get(place)?;
        let (name, description) = parts_of(text);
        let listed = offered[0].1.as_ptr() as usize - reply.text.as_ptr() as usize;
        let question = last_question(&reply.text[..listed])
            .or_else(|| last_question(&reply.text))
            .or_else(|| lead(&reply.text[..listed]))
            .unwrap_or_default();
        let others = offered
            .iter()
            .filter(|(other, _)| other != label)
            .map(|(_, text)| parts_of(text).0)
            .collect();
        let choice = Choice {
            question: &question,
            answer: &name,
            description: &description,
            others,
        };
        (choice.told(true)?, text.trim())
    } else {
        (agreed(reply, answer)?, closing_question(&reply.text)?)
    };
    let ((title, mut body), cited) = found;
    // The rest of the answer is the reason.
    let marked = answer
        .chars()
        .nth(1)
        .is_some_and(|mark| matches!(mark, ')' | '.' | ':' | ','));
    let named = if marked {
        2
    } else {
        first_clause(answer).len()
    };
    let reason = answer
        .get(named..)
        .unwrap_or("")
        .trim_start_matches(|mark: char| !mark.is_alphanumeric());
    let reason = sentences(reason).next().map_or("", |first| first.text);
    if SentenceView::of(reason).size() >= 3
        && !SentenceView::of(reason).is_question()
        && body.chars().count() + reason.chars().count() < LONGEST_BODY
    {
        body = format!("{body} {}", finish(&plain(reason)));
    }
    let told = (title, body);
    accepted(told, ANSWER_PLACE, reply, event, (answer, cited), order)
}

/// Returns the line that introduces a list of options, without its colon.
fn lead(before: &str) -> Option<String> {
    let line = before.lines().rev().find(|line| !line.trim().is_empty())?;
    let line = plain(line.trim().trim_start_matches('#').strip_suffix(':')?);
    (SentenceView::of(&line).size() >= 3).then_some(line)
}

/// A proposal that ends the agent's reply and that the person accepts or refuses in a word.
fn agreed(reply: &AgentReply, answer: &str) -> Option<(String, String)> {
    let asked = closing_question(&reply.text)?;
    let question = plain(asked);
    let view = SentenceView::of(&question);
    let said = SentenceView::of(answer);
    let first = answer
        .split([',', '.', '!', '，', '。', '！', '\n'])
        .next()
        .unwrap_or("")
        .trim();
    let whole = |words: Phrases| {
        words
            .iter()
            .any(|word| word.eq_ignore_ascii_case(first) || word == first.to_lowercase())
    };
    let verdict = if whole(YES) {
        "yes"
    } else if whole(NO) && said.size() <= 2 {
        "no"
    } else {
        return None;
    };
    if said.size() > 24
        || is_process(&view)
        || view.names(ASKS_LEAVE)
        || !(5..=24).contains(&view.size())
        || !proposes(&view)
        || is_loose(&question)
    {
        return None;
    }
    let word = if view.tongue.spaced { verdict } else { first };
    let title = format!("{} → {word}", question.trim());
    if title.chars().count() > LONGEST_TITLE {
        return None;
    }
    let mut body = format!("{question} {}", finish(answer));
    let lead = sentences(&reply.text)
        .map(|sentence| sentence.text)
        .take_while(|text| *text != asked)
        .last();
    if let Some(lead) = lead
        && !lead.ends_with(['?', ':', '？'])
        && lead.len() < 160
        && SentenceView::of(lead).has(view.tongue.reason)
    {
        body = format!("{} {body}", finish(&plain(lead)));
    }
    Some((title, body))
}

/// Returns the only question at the end of a reply, verbatim.
fn closing_question(text: &str) -> Option<&str> {
    let all: Vec<&str> = sentences(text).map(|sentence| sentence.text).collect();
    let last = all.last()?;
    let asks = |text: &str| {
        text.trim_end_matches(['*', '_', ' '])
            .ends_with(['?', '？'])
    };
    let alone = all.iter().rev().take(4).filter(|text| asks(text)).count() == 1;
    (asks(last) && alone).then_some(*last)
}

/// Reports whether a question proposes how things should be.
fn proposes(view: &SentenceView<'_>) -> bool {
    view.has(view.tongue.must) || view.has(view.tongue.hedge) || view.has(view.tongue.orders)
}

fn is_process(view: &SentenceView<'_>) -> bool {
    view.names(PROCESS) || (!view.tongue.spaced && view.has(PROCESS_UNSPACED))
}

/// Reports whether a question is incomplete without its context.
fn is_loose(question: &str) -> bool {
    let view = SentenceView::of(question);
    view.has(view.tongue.hanging)
        || view.has(phrases!(
            "do you think|was denkst du|qué opinas|qu'en penses tu|как думаешь"
        ))
        || view.words().any(|word| {
            matches!(
                word,
                "this" | "that" | "these" | "those" | "it" | "them" | "they" | "i" | "both"
            )
        })
}

fn is_left_open(answer: &str) -> bool {
    let view = SentenceView::of(answer);
    view.opens(LEFT_OPEN)
        || (!view.tongue.spaced && view.has(LEFT_OPEN_UNSPACED))
        || answer.trim().len() < 2
}

/// A choice of the person.
struct Choice<'a> {
    question: &'a str,
    /// The chosen option, or the free answer.
    answer: &'a str,
    description: &'a str,
    others: Vec<String>,
}

impl Choice<'_> {
    /// Returns title and body: the option if it says what to do, else question and answer.
    fn told(&self, offered: bool) -> Option<(String, String)> {
        let answer = ended(self.answer.trim());
        let answer = if is_balanced(answer) {
            answer
        } else {
            ended(answer.split(['(', '（']).next().unwrap_or(""))
        };
        let question = self.question.trim();
        let view = SentenceView::of(question);
        let spoken = SentenceView::of(answer);
        let brief = spoken.size() < 5;
        if answer.is_empty() || is_left_open(answer) || spoken.is_question() || spoken.size() > 40 {
            return None;
        }
        if brief && (is_process(&view) || is_process(&spoken)) {
            return None;
        }
        let asking = shorter(question);
        let both = format!("{asking} → {answer}");
        let orders = spoken.opens(spoken.tongue.orders) || spoken.opens(spoken.tongue.tasks);
        let title = if !brief && orders && !is_loose(answer) {
            headline(answer)?
        } else if both.chars().count() <= LONGEST_TITLE
            && !is_loose(asking)
            && view.size() >= 4
            && !is_process(&view)
        {
            both
        } else if !brief && !is_loose(answer) && !answer.starts_with('`') {
            headline(answer)?
        } else {
            self.against(answer).filter(|_| !is_process(&view))?
        };
        let asked = if is_loose(question) || !question.ends_with(['?', '？']) && view.size() > 12 {
            String::new()
        } else if question.chars().count() > 120 {
            format!("{}? ", ended(asking))
        } else if question.is_empty() || question.ends_with(['?', '？', ':']) {
            format!("{question} ")
        } else {
            format!("{question}: ")
        };
        let asked = asked.trim_start().to_owned();
        let mut body = format!("{asked}{}", finish(answer));
        let mut add = |more: String| {
            if !more.is_empty() && body.chars().count() + more.chars().count() < LONGEST_BODY {
                body.push(' ');
                body.push_str(&more);
            }
        };
        add(finish(&plain(
            sentences(self.description)
                .next()
                .map_or("", |first| first.text),
        )));
        let others: Vec<&str> = self
            .others
            .iter()
            .map(|other| ended(other))
            .filter(|other| {
                !other.is_empty()
                    && other.len() < 90
                    && !SentenceView::of(other).opens(phrases!("something else|other|none"))
            })
            .take(3)
            .collect();
        if !others.is_empty() && offered {
            add(format!("Not: {}.", others.join("; ")));
        }
        Some((title, body))
    }
}

impl Choice<'_> {
    /// Contrasts the option with the others, if the question is incomplete by itself.
    fn against(&self, answer: &str) -> Option<String> {
        let others: Vec<&str> = self.others.iter().map(|other| ended(other)).collect();
        let is_name = |name: &&str| (2..=30).contains(&name.chars().count());
        let named = !others.is_empty() && others.iter().all(is_name) && is_name(&answer);
        let title = format!("{answer} (not {})", others.join(", "));
        (named && title.chars().count() <= LONGEST_TITLE).then_some(title)
    }
}

/// Drops the secondary part of a long question.
fn shorter(question: &str) -> &str {
    let cut = [" and ", ", ", " ("]
        .iter()
        .filter_map(|mark| question.find(mark))
        .filter(|at| *at >= 24)
        .min();
    match cut {
        Some(at) if question.chars().count() > 48 => &question[..at],
        _ => question,
    }
}

/// Shortens an answer to its first clause, for a title.
fn headline(answer: &str) -> Option<String> {
    if answer.chars().count() <= LONGEST_TITLE {
        return Some(capital(answer));
    }
    let cuts = ["; ", " — ", ". ", ": ", " (", ", ", "；", "，"]
        .iter()
        .filter_map(|mark| answer.find(mark));
    let head = cuts
        .map(|at| ended(&answer[..at]))
        .filter(|head| (20..=LONGEST_TITLE).contains(&head.chars().count()));
    head.max_by_key(|head| head.len()).map(capital)
}

/// Finds the part of a tool's result that answers a question.
fn answer_to<'a>(asked: &'a ToolQuestion, text: &'a str, alone: bool) -> Option<&'a str> {
    let quoted = format!("\"{}\"=\"", asked.question);
    if let Some(start) = text.find(&quoted) {
        let rest = &text[start + quoted.len()..];
        let end = ["\", \"", "\". ", "\" "]
            .iter()
            .filter_map(|mark| rest.find(mark))
            .min();
        let answer = rest[..end.unwrap_or(rest.len())].trim_end_matches(['"', '.']);
        return (!answer.is_empty()).then_some(answer);
    }
    if !alone {
        return None;
    }
    for opening in [
        "User responded: ",
        "User selected: ",
        "User answered: ",
        "The user answered: ",
        "Answer: ",
    ] {
        if let Some(answer) = text.strip_prefix(opening) {
            return Some(answer.trim().trim_matches('"'));
        }
    }
    let mut named = asked
        .options
        .iter()
        .map(|(label, _)| label.as_str())
        .filter(|label| text.contains(label));
    named.next().filter(|_| named.next().is_none())
}

const MOST_QUESTIONS: usize = 12;
const LONGEST_ANSWER: usize = 8 * 1024;
const LONGEST_REPLY_TO: usize = 300;
const LONGEST_BODY: usize = 300;
/// Sorts after all sentences of the same message.
const ANSWER_PLACE: usize = 1000;
const CHOSEN: f32 = 0.75;

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(question: &str, options: &[&str]) -> ToolQuestion {
        ToolQuestion {
            question: question.to_owned(),
            options: options
                .iter()
                .map(|label| ((*label).to_owned(), String::new()))
                .collect(),
            call: String::new(),
        }
    }

    #[test]
    fn answers_are_found_by_their_question() {
        let text = r#"User has answered your questions: "Which one?"="The first", "How?"="Slowly". You can now continue."#;
        assert_eq!(
            answer_to(&asked("Which one?", &[]), text, false),
            Some("The first")
        );
        assert_eq!(answer_to(&asked("How?", &[]), text, false), Some("Slowly"));
        assert_eq!(answer_to(&asked("Why?", &[]), text, false), None);
        assert_eq!(
            answer_to(
                &asked("Why?", &[]),
                "User responded: because it is heavy",
                true
            ),
            Some("because it is heavy")
        );
        let listed = r#"{"answers":{"store":{"answers":["SQLite"]}}}"#;
        assert_eq!(
            answer_to(&asked("Which?", &["SQLite", "Redis"]), listed, true),
            Some("SQLite")
        );
    }

    #[test]
    fn choices_are_told_by_the_option_or_with_their_question() {
        let cases: &[(&str, &str, Option<&str>)] = &[
            (
                "Which store should we use for the queue?",
                "SQLite",
                Some("Which store should we use for the queue? → SQLite"),
            ),
            (
                "What about conflicts?",
                "Keep auto-merge for the append-only case",
                Some("Keep auto-merge for the append-only case"),
            ),
            (
                "Which store should we use for the queue?",
                "you decide",
                None,
            ),
            (
                "How would you like to proceed?",
                "Implement everything",
                None,
            ),
            ("Should this be changed?", "No", None),
        ];
        for (question, answer, expected) in cases {
            let choice = Choice {
                question,
                answer,
                description: "",
                others: Vec::new(),
            };
            let title = choice.told(true).map(|(title, _)| title);
            assert_eq!(title.as_deref(), *expected, "{question}");
        }
    }
}
