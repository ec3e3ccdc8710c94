//! What the person lays down: standing rules, preferences, choices and corrections, as opposed to
//! the task of the turn. When the agent takes the point up in its own words, those words complete it.

use crate::alone::{opens_with_pointer, stands_alone};
use crate::cues::{APPROVAL, COMPLAINT, QUESTION, REJECTION, RETRACTION, TASK};
use crate::draft::{Category, Draft, Material, Source, quote};
use crate::options::{last_question, named_options};
use crate::phrases::{Folded, Phrases, phrases, repeated};
use crate::polish::{Speaker, core, polish};
use crate::sentences::{Place, Sentence};
use crate::stance::{Stance, stance};
use crate::turn::{Prompt, Turn};
use crate::uptake::{Uptake, concession, uptake};
use crate::voice::Form;

/// The points of a finished turn that was not taken back.
pub(crate) fn drafts(turn: &Turn, before: &Turn, reaction: Option<&str>) -> Vec<Draft> {
    let spoken = turn
        .prompts
        .iter()
        .filter(|prompt| matches!(prompt.form, Form::Speech | Form::Paste));
    spoken
        .flat_map(|prompt| of_prompt(prompt, turn, before, reaction))
        .collect()
}

/// Whether a message takes back the one before it.
pub(crate) fn retracts(message: &str) -> bool {
    Folded::of(acreta_text::head(message, 400)).any(RETRACTION)
}

/// What makes a point worth keeping.
const ENOUGH: f32 = 0.55;
const MOST_POINTS: usize = 4;
const LONGEST_POINT: usize = 270;
/// What the agent's agreement adds.
const AGREED: f32 = 0.17;
/// What the agent's account adds when it repeats the point.
const ECHOED: f32 = 0.08;
/// What work done by it adds, when nobody sent it back.
const WORKED: f32 = 0.08;
/// What the agent's setting to work adds.
const COMPLIED: f32 = 0.04;
/// What a decision loses that nobody took up.
const ALONE: f32 = 0.15;

/// A point: the sentences of one paragraph that lay something down.
struct Point<'a> {
    place: usize,
    sentences: Vec<&'a str>,
    stance: Stance,
}

impl<'a> Point<'a> {
    /// Takes a sentence in: a stronger one leads, another one follows.
    fn join(&mut self, text: &'a str, stance: Option<Stance>) {
        match stance {
            Some(stance) if stance.score > self.stance.score + 0.05 => {
                self.sentences.insert(0, text);
                self.stance = stance;
            }
            Some(_) => self.sentences.push(text),
            None => {
                self.sentences.push(text);
                self.stance.score += 0.06;
            }
        }
    }

    /// Whether a sentence speaks of what the point speaks of.
    fn goes_with(&self, text: &str) -> bool {
        let wanted = acreta_text::tokens(text);
        let known = acreta_text::tokens(&self.sentences.join(" "));
        known.len() < 9
            || wanted
                .intersection(&known)
                .filter(|word| word.len() > 3)
                .count()
                >= 2
    }

    /// How much of the point the agent's closing account repeats, in per cent.
    fn echoed(&self, turn: &Turn) -> usize {
        let words = acreta_text::tokens(&self.sentences.join(" "));
        match turn.last_reply() {
            Some(reply) if words.len() >= 5 => repeated(&words, &reply.text) * 100 / words.len(),
            _ => 0,
        }
    }
}

fn of_prompt(prompt: &Prompt, turn: &Turn, before: &Turn, reaction: Option<&str>) -> Vec<Draft> {
    let spoken: Vec<Sentence<'_>> = prompt.speech().collect();
    let mut taken = uptake(turn, prompt);
    let rejected = reaction.is_some_and(|reaction| Folded::of(reaction).opens(REJECTION));
    let worked = turn.edits > 0 && !turn.interrupted && !rejected;
    let complied = !turn.interrupted && complies(turn);
    let mut points = points(&spoken);
    for point in &mut points {
        if let Some(taken) = &taken {
            point.stance.score += AGREED;
            if point.stance.asks && !taken.statements.is_empty() {
                point.stance.score += 0.06;
            }
        } else if point.echoed(turn) >= 60 {
            point.stance.score += ECHOED;
        } else if worked || complied {
            point.stance.score += if worked { WORKED } else { 0.0 };
            point.stance.score += if complied { COMPLIED } else { 0.0 };
        } else if !point.stance.firm {
            // Nobody took it up: a thought, not a decision.
            point.stance.score -= ALONE;
        }
    }
    points.sort_by(|left, right| {
        right
            .stance
            .score
            .total_cmp(&left.stance.score)
            .then(left.place.cmp(&right.place))
    });
    let mut found: Vec<Draft> = points
        .iter()
        .filter(|point| point.stance.score >= ENOUGH)
        .take(MOST_POINTS)
        .filter_map(|point| of_point(point, prompt, (turn, before), &mut taken))
        .collect();
    if found.is_empty() && Folded::of(&prompt.text).any(COMPLAINT) {
        found.extend(of_complaint(prompt, turn));
    }
    found
}

/// The points of a message: sentences of one paragraph that go together make one.
fn points<'a>(spoken: &[Sentence<'a>]) -> Vec<Point<'a>> {
    let mut found: Vec<Point<'a>> = Vec::new();
    let mut listed = false;
    let mut last: Option<usize> = None;
    for (place, sentence) in spoken.iter().enumerate() {
        listed |= sentence.place == Place::Lead && Folded::of(sentence.text).any(REQUIREMENTS);
        let text = clause(sentence.text);
        // A short remark may stand between two sentences of one point.
        let beside = last.is_some_and(|before| {
            let near = before + 1 == place
                || (before + 2 == place && spoken[before + 1].text.split_whitespace().count() <= 8);
            near && spoken[before].block == sentence.block
        });
        let weighed = stance(text).filter(|stance| stance.score >= WORTH_JOINING);
        if beside
            && let Some(point) = found.last_mut()
            && (elaborates(text)
                || (weighed.is_some_and(|stance| !stance.asks) && point.goes_with(text)))
        {
            point.join(text, weighed);
            last = Some(place);
            continue;
        }
        let Some(mut stance) = weighed else { continue };
        if listed && sentence.place == Place::Item {
            stance.score += 0.12;
        }
        let mut sentences = vec![text];
        if let Some(before) = place.checked_sub(1)
            && spoken[before].block == sentence.block
            && is_short_rule(spoken[before].text)
        {
            sentences.insert(0, spoken[before].text);
        }
        found.push(Point {
            place,
            sentences,
            stance,
        });
        last = Some(place);
    }
    found
}

/// Below this a sentence is no part of a point.
const WORTH_JOINING: f32 = 0.28;

/// Lines that lead in a list of what must hold.
const REQUIREMENTS: Phrases =
    phrases!("features|requirements|requirement|constraints|rules|goals|must|needs|should");

/// The part of a run-on order that lays something down: `move it there we no longer need the old one`.
fn clause(text: &str) -> &str {
    for mark in [
        "invariant that ",
        "the rule that ",
        "convention that ",
        "principle that ",
    ] {
        if let Some(at) = text.find(mark) {
            return &text[at + mark.len()..];
        }
    }
    let ruling = [
        ", always ",
        ", never ",
        " we no longer ",
        " shouldn't we ",
        " we don't ",
        " we should ",
        " we do not ",
        " should not ",
        " instead we ",
    ]
    .iter()
    .filter_map(|mark| text.find(mark))
    .min()
    .filter(|at| text[*at..].split_whitespace().count() >= 5);
    let Some(at) = ruling else { return text };
    let opening = Folded::of(&core(text, Speaker::Person));
    if opening.opens(TASK) || opening.opens(QUESTION) {
        text[at..].trim_start_matches([',', ' '])
    } else {
        text
    }
}

/// Whether a sentence goes on explaining the one before it.
fn elaborates(text: &str) -> bool {
    let folded = Folded::of(text);
    text.len() < 200
        && !text.ends_with('?')
        && (opens_with_pointer(&folded)
            || folded.opens(phrases!("because|since|otherwise|so that|meaning|so")))
        && !folded.any(phrases!("can you|let me know|does this make sense"))
}

fn is_short_rule(text: &str) -> bool {
    let folded = Folded::of(text);
    (2..=5).contains(&folded.word_count())
        && folded.opens(phrases!("no|never|always|don't|do not"))
        && !text.ends_with('?')
}

fn of_point(
    point: &Point<'_>,
    prompt: &Prompt,
    (turn, before): (&Turn, &Turn),
    taken: &mut Option<Uptake<'_>>,
) -> Option<Draft> {
    let agreed = taken.is_some();
    let mut parts: Vec<String> = Vec::new();
    let mut evidence = Vec::new();
    let written: Vec<String> = point
        .sentences
        .iter()
        .map(|sentence| named_options(&polish(sentence, Speaker::Person), before))
        .collect();
    let own = !point.stance.asks
        && written
            .first()
            .is_some_and(|first| stands_alone(first) && first.chars().count() <= LONGEST_POINT);
    if own {
        parts.extend(written);
    }
    evidence.extend(
        point
            .sentences
            .iter()
            .take(2)
            .map(|sentence| quote(&prompt.event_id, sentence)),
    );
    let brief = point
        .sentences
        .iter()
        .map(|sentence| sentence.split_whitespace().count())
        .sum::<usize>()
        < 9;
    if let Some(taken) = taken.take_if(|taken| {
        !own || point
            .sentences
            .iter()
            .any(|sentence| taken.concerns(sentence))
    }) {
        for statement in &taken.statements {
            parts.push(polish(statement, Speaker::Agent));
            evidence.push(quote(&taken.reply.event_id, statement));
        }
    }
    if brief
        && Folded::of(&prompt.text).opens(APPROVAL)
        && let Some(question) = before
            .last_reply()
            .and_then(|reply| last_question(&reply.text))
    {
        parts.push(format!("The question was \"{question}\""));
    }
    Draft::new(Material {
        order: prompt.order,
        place: point.place,
        category: point.stance.category,
        source: Source::Person,
        title: String::new(),
        sentences: parts,
        backing: backing(point.stance.category, turn, agreed),
        score: point.stance.score,
        evidence,
    })
}

/// What stands behind a point.
fn backing(category: Category, turn: &Turn, agreed: bool) -> String {
    match (turn.changed(), category) {
        (Some(changed), Category::Decision) => {
            format!("Decided by the user; {changed} edited then.")
        }
        (None, Category::Decision) if agreed => {
            "Decided by the user, and the agent agreed.".to_owned()
        }
        (None, Category::Decision) => "Decided by the user.".to_owned(),
        (_, Category::Learning("preference")) => {
            "The user said so about the way of working.".to_owned()
        }
        (Some(changed), _) => {
            format!("A standing rule of the user; {changed} edited then.")
        }
        (None, _) => "A standing rule of the user.".to_owned(),
    }
}

/// Whether the agent sets to work on what was said.
fn complies(turn: &Turn) -> bool {
    turn.openings
        .first()
        .is_some_and(|reply| Folded::of(acreta_text::head(&reply.text, 200)).opens(COMPLIANCE))
}

const COMPLIANCE: Phrases = phrases!(
    "i'll|i will|i'm going to|i am going to|let me|sure|done|will do|on it|updating|updated|\
     fixed|removed|added|renamed|switched|okay|ok|now|i'm",
);

/// A complaint about the agent's ways that the agent concedes, in the words of the concession.
fn of_complaint(prompt: &Prompt, turn: &Turn) -> Option<Draft> {
    let (reply, conceded) = concession(turn)?;
    let complaint = prompt
        .speech()
        .find(|sentence| Folded::of(sentence.text).any(COMPLAINT))?;
    Draft::new(Material {
        order: prompt.order,
        place: 0,
        category: Category::Learning("preference"),
        source: Source::Person,
        title: String::new(),
        sentences: vec![
            polish(conceded, Speaker::Agent),
            polish(complaint.text, Speaker::Person),
        ],
        backing: String::new(),
        score: 0.62,
        evidence: vec![
            quote(&prompt.event_id, complaint.text),
            quote(&reply.event_id, conceded),
        ],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_can_take_back_the_one_before() {
        assert!(retracts("oops, wrong window, never mind"));
        assert!(!retracts("now the next thing"));
    }

    #[test]
    fn a_run_on_order_gives_its_ruling() {
        assert_eq!(
            clause("move the notes to docs we no longer need the wiki folder"),
            "we no longer need the wiki folder"
        );
        assert_eq!(clause("we should use tabs"), "we should use tabs");
    }
}
