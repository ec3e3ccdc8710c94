//! Choices among options that were laid out: by a tool that asks, or in the agent's text. The
//! person's short answer is resolved to the option it names; an answer that names none is left.

use crate::choice::Choice;
use crate::cues::TWEAK;
use crate::draft::{Category, Draft, Material, Source, quote};
use crate::names::names;
use crate::options::{bare, label_of, last_question, options, parts_of, shorten};
use crate::phrases::{Folded, Phrases, phrases};
use crate::polish::{Speaker, finish, plain, polish};
use crate::sentences::sentences;
use crate::stance::stance;
use crate::turn::{Asked, Turn};

/// The choices made by answering a tool's question.
pub(crate) fn asked(turn: &Turn) -> Vec<Draft> {
    turn.asked
        .iter()
        .enumerate()
        .filter_map(|(place, asked)| of_asked(asked, place))
        .collect()
}

/// The choice a prompt makes among the options of the reply before it.
pub(crate) fn picked(turn: &Turn, before: &Turn) -> Option<Draft> {
    let prompt = turn.prompts.first()?;
    let reply = before.last_reply()?;
    let label = label_of(&prompt.text)?;
    let options = options(&reply.text);
    let (_, chosen) = options.iter().find(|(name, _)| *name == label)?;
    let (name, description) = parts_of(chosen);
    if options.len() < 2 || (name.split_whitespace().count() < 2 && description.is_empty()) {
        return None;
    }
    // The question stands before its options, or else after them.
    let listed = options.first().map_or(0, |(_, first)| {
        first.as_ptr() as usize - reply.text.as_ptr() as usize
    });
    let question = last_question(&reply.text[..listed]).or_else(|| last_question(&reply.text));
    let all = format!("{} {name} {description}", question.as_deref().unwrap_or(""));
    let reason = sentences(&prompt.text)
        .map(|sentence| sentence.text)
        .find(|text| {
            text.split_whitespace().count() >= 6
                && !text.ends_with('?')
                && !Folded::of(text).any(phrases!("option|can we|can you|i wonder"))
        });
    let others = options
        .iter()
        .filter(|(other, _)| *other != label)
        .map(|(_, text)| parts_of(text).0)
        .collect();
    let choice = Choice {
        question: question.as_deref(),
        answer: &name,
        others,
    };
    let title = choice.statement()?;
    let mut parts = Vec::new();
    parts.extend(about(&description));
    parts.extend(reason.map(|reason| polish(without_pick(reason), Speaker::Person)));
    parts.extend(choice.rest(&title));
    parts.extend(asked_about(question.as_deref(), &title));
    Draft::new(Material {
        order: prompt.order,
        place: 0,
        category: Category::Decision,
        source: Source::Person,
        title,
        sentences: parts,
        backing: String::new(),
        score: 0.58 + weight(&Folded::of(&all)) + if names(&all).is_empty() { 0.0 } else { 0.05 },
        evidence: vec![
            quote(&prompt.event_id, &prompt.text),
            quote(&reply.event_id, chosen),
        ],
    })
}

/// The question, for a title that says nothing of it.
fn asked_about(question: Option<&str>, title: &str) -> Option<String> {
    let question = question.filter(|question| question.split_whitespace().count() >= 5)?;
    let known = acreta_text::tokens(title);
    let shared = acreta_text::tokens(question).intersection(&known).count();
    let goes_on = Folded::of(question).any(phrases!("or should|option|which one|prefer"));
    (shared < 2 && !goes_on).then(|| format!("The question was \"{}\"", question.replace('"', "'")))
}

/// What a tool's question tells before it asks, for an answer that does not repeat the question.
fn background(question: &str, title: &str) -> Option<String> {
    let told = sentences(question).next()?;
    let known = acreta_text::tokens(title);
    let shared = acreta_text::tokens(told.text).intersection(&known).count();
    (!told.text.ends_with('?') && shared < 2 && told.text.split_whitespace().count() >= 5)
        .then(|| finish(&plain(told.text)))
}

/// What an option's description says, as a sentence.
fn about(description: &str) -> Option<String> {
    let first = sentences(description).next()?;
    let said = plain(first.text);
    (said.split_whitespace().count() >= 3).then(|| finish(&said))
}

/// A reason without the label it opens with: `B, it leaves us room`.
fn without_pick(reason: &str) -> &str {
    match reason.split_once([',', '.']) {
        Some((label, rest))
            if Folded::of(label)
                .words()
                .last()
                .is_some_and(|word| word.len() == 1)
                && label.len() < 12 =>
        {
            rest.trim_start()
        }
        _ => reason,
    }
}

/// What the subject of a question takes from a choice: how to go on and how it looks are passing.
fn weight(question: &Folded) -> f32 {
    let mut weight = 0.0;
    if question.any(PROCESS) {
        weight -= 0.2;
    }
    if question.any(TWEAK) {
        weight -= 0.2;
    }
    weight
}

/// Questions about how to go on, not about the work.
const PROCESS: Phrases = phrases!(
    "proceed|continue|how would you like|would you like me|should i|shall i|want me|\
     this session|ready to|next step|execution approach|go ahead|review first|which first|\
     start with|commit this|push it|merge it|open a pr|pull request",
);

fn of_asked(asked: &Asked, place: usize) -> Option<Draft> {
    if asked.answer.is_empty() {
        return None;
    }
    let option = asked
        .options
        .iter()
        .find(|(label, _)| asked.answer == *label || bare(&asked.answer) == bare(label));
    let question = Folded::of(&asked.question);
    let answer = shorten(&plain(bare(&asked.answer)), 200);
    let mut score: f32 = 0.66;
    if answer.split_whitespace().count() < 6 {
        score += weight(&question);
    }
    if question.any(phrases!("button|icon|position|column|layout")) {
        score -= 0.15;
    }
    let mut parts = Vec::new();
    let title;
    match option {
        Some((taken, description)) => {
            let others = asked
                .options
                .iter()
                .filter(|(label, _)| label != taken)
                .map(|(label, _)| plain(bare(label)))
                .collect();
            let asking = last_question(&asked.question);
            let choice = Choice {
                question: asking.as_deref(),
                answer: &answer,
                others,
            };
            title = choice
                .statement()
                .or_else(|| crate::title::title(&answer))?;
            if answer.chars().count() > title.chars().count() + 12 {
                parts.push(finish(&answer));
            }
            parts.extend(background(&asked.question, &title));
            parts.extend(about(description));
            parts.extend(choice.rest(&title));
        }
        None => {
            // Free text is the person's voice: only what lays something down is kept.
            let kept: Vec<&str> = sentences(&asked.answer)
                .filter(|sentence| {
                    sentence.text.split_whitespace().count() >= 5 && !sentence.text.ends_with('?')
                })
                .map(|sentence| sentence.text)
                .collect();
            score = kept
                .iter()
                .filter_map(|text| stance(text))
                .map(|stance| stance.score)
                .fold(0.4, f32::max)
                .min(0.66)
                + 0.12;
            title = String::new();
            parts.extend(kept.iter().map(|text| polish(text, Speaker::Person)));
        }
    }
    Draft::new(Material {
        order: asked.order,
        place,
        category: Category::Decision,
        source: Source::Person,
        title,
        sentences: parts,
        backing: last_question(&asked.question)
            .map(|question| format!("The question was \"{question}\""))
            .unwrap_or_default(),
        score,
        evidence: vec![quote(&asked.answer_event, &asked.answer)],
    })
}
