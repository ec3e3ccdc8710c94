//! Claims weighed against what happened: a cause counts once a check passed, the person agreed, or
//! the fix held; and how the agent says it mended what was reported.

use crate::alone::stands_alone;
use crate::claim::without_label;
use crate::cues::{APPROVAL, QUESTION, REJECTION};
use crate::draft::{Category, Draft, Material, Source, quote};
use crate::names::names;
use crate::phrases::{Folded, Phrases, phrases, repeated};
use crate::polish::{Speaker, core, finish, polish};
use crate::sentences::{Place, Sentence, sentences};
use crate::turn::{Prompt, Turn};

/// The claims of a finished turn that stood, as drafts.
pub(crate) fn drafts(turn: &Turn, reaction: Option<&str>) -> Vec<Draft> {
    if turn.claims.is_empty() {
        return Vec::new();
    }
    let closing = turn.last_reply();
    let reaction = reaction.map(Folded::of);
    let rejected = reaction.as_ref().is_some_and(|reaction| {
        reaction.opens(REJECTION)
            || reaction.any(phrases!("that's not|still not|doesn't work|not working"))
    });
    let approved = reaction
        .as_ref()
        .is_some_and(|reaction| reaction.opens(APPROVAL) || reaction.any(CONFIRMS));
    let said: Vec<Folded> = turn
        .prompts
        .iter()
        .flat_map(Prompt::speech)
        .map(|sentence| Folded::of(sentence.text))
        .collect();
    let troubled = said.iter().any(|sentence| sentence.any(TROUBLE));
    let asked = turn.edits == 0 && said.iter().any(|sentence| sentence.opens(QUESTION));
    let symptom = symptom(turn);
    let mut found = Vec::new();
    for claim in &turn.claims {
        let in_closing = closing.is_some_and(|reply| reply.event_id == claim.event_id);
        let restated = match closing {
            Some(reply) if !in_closing => {
                let words = acreta_text::tokens(&claim.sentences.join(" "));
                repeated(&words, &reply.text) * 100 / words.len().max(1)
            }
            _ => 0,
        };
        let mended = turn.edits > claim.edits_before || (in_closing && turn.edits > 0);
        // A fix that nobody sent back held.
        let held = mended && reaction.is_some() && !rejected;
        let confirmed = turn.verified || approved || held || asked || claim.decided;
        if !confirmed {
            continue;
        }
        let mut score = claim.weight;
        for (holds, gain) in [
            (in_closing, 0.12),
            (!in_closing && restated >= 55, 0.06),
            // Said on the way and not in the account at the end: likely a guess that did not hold.
            (!in_closing && restated < 40, -0.1),
            (troubled && mended, 0.14),
            (asked && in_closing, 0.14),
            // The first words after a question are the answer.
            (asked && in_closing && claim.place < 3, 0.06),
            (turn.verified, 0.06),
            (approved, 0.05),
            (rejected, -0.4),
            (turn.interrupted, -0.2),
        ] {
            if holds {
                score += gain;
            }
        }
        let mut parts: Vec<String> = claim
            .sentences
            .iter()
            .map(|sentence| polish(without_label(sentence), Speaker::Agent))
            .collect();
        let mut evidence: Vec<_> = claim
            .sentences
            .iter()
            .map(|sentence| quote(&claim.event_id, sentence))
            .collect();
        if let Some((prompt, reported)) = &symptom
            && mended
        {
            let told = polish(reported, Speaker::Person);
            parts.push(format!(
                "The user had reported: \"{}\"",
                told.replace('"', "'")
            ));
            evidence.push(quote(prompt, reported));
        }
        found.extend(Draft::new(Material {
            order: claim.order,
            place: claim.place,
            category: if claim.decided {
                Category::Decision
            } else {
                Category::Learning(claim.kind)
            },
            source: Source::Agent,
            title: String::new(),
            sentences: parts,
            backing: backing(turn, approved, asked),
            score: score.min(0.9),
            evidence,
        }));
    }
    // One turn has one cause, seldom two.
    found.sort_by(|left, right| {
        right
            .score
            .total_cmp(&left.score)
            .then(right.order.cmp(&left.order))
            .then(left.place.cmp(&right.place))
    });
    found.truncate(MOST_PER_TURN);
    found
}

const MOST_PER_TURN: usize = 2;

/// How a person says in passing that it works now.
const CONFIRMS: Phrases = phrases!(
    "works now|working now|it works|that works|that worked|fixed now|is fixed|solved|loading now|\
     looks good|all good|green now|passes now|no longer fails|that did it|that was it|it's loading",
);

/// What stands behind a claim.
fn backing(turn: &Turn, approved: bool, asked: bool) -> String {
    match turn.changed() {
        Some(changed) if turn.verified => {
            format!("A passing check bore this out after {changed} edited.")
        }
        Some(changed) if approved => format!("The user was content after {changed} edited."),
        _ if approved => "The user agreed with the finding.".to_owned(),
        _ if asked => "The agent found it when the user asked.".to_owned(),
        _ => String::new(),
    }
}

/// What the person reported to be wrong, when it is understood alone.
fn symptom(turn: &Turn) -> Option<(&str, &str)> {
    turn.prompts.iter().find_map(|prompt| {
        let told = prompt.speech().find(|sentence| {
            let folded = Folded::of(sentence.text);
            folded.any(TROUBLE)
                && (5..=26).contains(&folded.word_count())
                && !folded.opens(QUESTION)
                && !sentence.text.ends_with('?')
                && stands_alone(&polish(sentence.text, Speaker::Person))
        })?;
        Some((prompt.event_id.as_str(), told.text))
    })
}

/// How the agent says it mended what was reported: `Fixed X by doing Y`, with the points that follow.
pub(crate) fn fix(turn: &Turn, reaction: Option<&str>) -> Option<Draft> {
    let reply = turn.last_reply()?;
    if turn.edits == 0 || !turn.verified || turn.interrupted {
        return None;
    }
    let rejected = reaction.is_some_and(|reaction| Folded::of(reaction).opens(REJECTION));
    let reported = turn
        .prompts
        .iter()
        .flat_map(Prompt::speech)
        .any(|sentence| Folded::of(sentence.text).any(TROUBLE));
    if rejected || !reported {
        return None;
    }
    let all: Vec<Sentence<'_>> = sentences(&reply.text).collect();
    let (place, lead) = all.iter().enumerate().find(|(_, sentence)| {
        let folded = Folded::of(sentence.text);
        folded.opens(phrases!("fixed|the fix|solved|resolved"))
            && folded.any(phrases!("by"))
            && folded.word_count() >= 6
    })?;
    let mut body = core(lead.text.trim_end_matches(':'), Speaker::Agent);
    let mut evidence = vec![quote(&reply.event_id, lead.text)];
    if lead.place == Place::Lead {
        let points: Vec<&str> = all[place + 1..]
            .iter()
            .take_while(|sentence| sentence.place == Place::Item)
            .map(|sentence| sentence.text)
            .take(4)
            .collect();
        body.push_str(": ");
        body.push_str(
            &points
                .iter()
                .map(|point| core(point, Speaker::Agent))
                .collect::<Vec<_>>()
                .join("; "),
        );
        evidence.extend(
            points
                .iter()
                .take(2)
                .map(|point| quote(&reply.event_id, point)),
        );
    }
    if names(&body).is_empty() {
        return None;
    }
    Draft::new(Material {
        order: turn.prompts.first()?.order,
        place: place + 1000,
        category: Category::Decision,
        source: Source::Agent,
        title: mended(&core(lead.text, Speaker::Agent)),
        sentences: vec![finish(&body)],
        backing: String::new(),
        score: 0.58,
        evidence,
    })
}

/// `Fixed the slow exit by closing early` as a statement: `The slow exit was fixed by closing early`.
fn mended(lead: &str) -> String {
    let lead = lead.trim_end_matches([':', '.']);
    let Some((mended, way)) = lead
        .split_once(' ')
        .and_then(|(_, rest)| rest.split_once(" by "))
    else {
        return lead.to_owned();
    };
    let whole = format!("{mended} was fixed by {way}");
    if way.split_whitespace().count() > 1 && whole.chars().count() <= 80 {
        finish(&whole)
    } else {
        finish(&format!("{mended} was fixed"))
    }
}

/// What the person reports when something is wrong.
const TROUBLE: Phrases = phrases!(
    "bug|error|errors|crash|crashes|crashed|fails|failing|failed|broken|broke|\
     doesn't work|not working|isn't working|doesn't|wrong|slow|delay|hangs|stuck|weird|\
     why|issue|problem|differ|missing|stale",
);
