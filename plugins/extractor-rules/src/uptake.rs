//! How the agent takes up what the person said. Its agreement makes a point stand, and its own
//! statement of the matter is often the clearer wording of it.

use crate::alone::stands_alone;
use crate::claim::without_label;
use crate::cues::{AGREEMENT, UPTAKE};
use crate::phrases::{Folded, Phrases, phrases, repeated};
use crate::polish::{Speaker, polish};
use crate::sentences::{Place, sentences};
use crate::turn::{Prompt, Reply, Turn};
use crate::verbs::is_finite;

/// The agent's words when it takes up a point.
pub(crate) struct Uptake<'a> {
    pub(crate) reply: &'a Reply,
    /// Verbatim; may be none when the agent agrees and says no more.
    pub(crate) statements: Vec<&'a str>,
}

impl Uptake<'_> {
    /// Whether the statements speak of what a sentence speaks of.
    pub(crate) fn concerns(&self, sentence: &str) -> bool {
        let wanted = acreta_text::tokens(sentence);
        self.statements.iter().any(|statement| {
            acreta_text::tokens(statement)
                .intersection(&wanted)
                .filter(|word| word.len() > 3)
                .count()
                >= 2
        })
    }
}

/// The first reply that agrees with the message, and what it says of the matter.
pub(crate) fn uptake<'a>(turn: &'a Turn, prompt: &Prompt) -> Option<Uptake<'a>> {
    for reply in turn.replies() {
        if !agrees(reply) {
            continue;
        }
        let mut statements: Vec<&str> = Vec::new();
        for sentence in sentences(&reply.text).take(7) {
            if statements.len() == 2 || (sentence.place == Place::Heading && !statements.is_empty())
            {
                break;
            }
            let text = without_label(after_agreement(sentence.text));
            if matches!(sentence.place, Place::Heading | Place::Lead)
                || !is_statement(text, statements.is_empty())
                || (sentence.place == Place::Item && !has_subject(text))
            {
                continue;
            }
            let on_subject = || {
                let mut subject = acreta_text::tokens(text);
                subject.retain(|word| word.len() > 3);
                repeated(&subject, &prompt.text) > 0
            };
            if !statements.is_empty() || on_subject() {
                statements.push(text);
            }
        }
        return Some(Uptake { reply, statements });
    }
    None
}

/// Whether a reply opens with agreement or has it in its first sentences.
fn agrees(reply: &Reply) -> bool {
    sentences(&reply.text)
        .take(3)
        .enumerate()
        .any(|(place, sentence)| {
            let folded = Folded::of(sentence.text);
            (place == 0 && sentence.place != Place::Heading && folded.opens(UPTAKE))
                || folded.any(AGREEMENT)
        })
}

/// What the agent concedes outright: the rest of a sentence after `You're right that`.
pub(crate) fn concession(turn: &Turn) -> Option<(&Reply, &str)> {
    turn.replies().find_map(|reply| {
        sentences(&reply.text).find_map(|sentence| {
            let text = sentence.text;
            let rest = [
                "You're right that ",
                "You’re right that ",
                "You are right that ",
                "you're right that ",
                "Understood, from now on ",
            ]
            .iter()
            .find_map(|opening| text.find(opening).map(|at| &text[at + opening.len()..]))?;
            (rest.split_whitespace().count() >= 6 && !rest.ends_with('?')).then_some((reply, rest))
        })
    })
}

/// A sentence without the clause that only agrees: `I agree with X; the layout should be Y`.
fn after_agreement(text: &str) -> &str {
    for mark in ["; ", " — ", " – ", ": ", " - "] {
        if let Some((before, after)) = text.split_once(mark)
            && before.len() < 90
            && Folded::of(before).opens(UPTAKE)
            && after.split_whitespace().count() >= 6
        {
            return after;
        }
    }
    text
}

/// Whether a sentence of the agent says how things are, not what it is about to do.
fn is_statement(text: &str, first: bool) -> bool {
    if text.len() >= 260
        || text.ends_with('?')
        || text.contains('→')
        || Folded::of(text).any(OWN_DOINGS)
    {
        return false;
    }
    let written = polish(text, Speaker::Agent);
    Folded::of(&written).word_count() >= 6 && (!first || stands_alone(&written))
}

/// Whether an item has a subject: `Uses the cache` has none.
fn has_subject(text: &str) -> bool {
    let mut words = text.trim_start_matches('*').split_whitespace();
    let first = words.next().unwrap_or("").to_lowercase();
    let verb = first.ends_with('s')
        && !first.ends_with("ss")
        && !matches!(first.as_str(), "this" | "its" | "always" | "is" | "has");
    !verb || words.next().is_some_and(is_finite)
}

/// What the agent says of itself and of the moment.
const OWN_DOINGS: Phrases = phrases!(
    "let me|i'll|i will|i'm|i was|i've|i had|let's|here's|i see|i can|want me|i need|\
     i'd|i should|i missed|i think|i have|i agree|i am|i sent|my|i can't|right now|\
     plan mode|you're right|you are right|you're absolutely right|i",
);
