//! What the agent says was the cause, the catch or the rule. A claim is one or two self-contained
//! sentences with names in them; whether it stood is weighed at the end of the turn against what
//! happened.

use crate::alone::{opens_with_pointer, stands_alone};
use crate::cues::{HEDGE, REASON, TASK};
use crate::names::names;
use crate::phrases::{Folded, Phrases, phrases};
use crate::polish::{Speaker, core};
use crate::sentences::Place;
use crate::turn::Said;

/// A statement of a cause or a catch.
#[derive(Debug, Clone)]
pub(crate) struct Claim {
    pub(crate) event_id: String,
    pub(crate) order: u64,
    pub(crate) place: usize,
    /// One or two sentences, verbatim.
    pub(crate) sentences: Vec<String>,
    /// What the statement alone is worth.
    pub(crate) weight: f32,
    pub(crate) kind: &'static str,
    /// Whether it stands under a heading that speaks of decisions.
    pub(crate) decided: bool,
    /// How many edits the turn had before it.
    pub(crate) edits_before: u64,
}

/// The claims in the sentences of a reply.
pub(crate) fn claims(
    event_id: &str,
    order: u64,
    all: &[Said<'_>],
    edits_before: u64,
) -> Vec<Claim> {
    let mut found: Vec<Claim> = Vec::new();
    let mut skip = 0;
    for (place, one) in all.iter().enumerate() {
        if place < skip {
            continue;
        }
        let sentence = one.sentence;
        let beside = |other: &&Said<'_>| other.sentence.block == sentence.block;
        let previous = place.checked_sub(1).map(|before| &all[before]);
        let following = all.get(place + 1).filter(beside);
        let Some((weight, kind, next)) = weigh(one, previous.filter(beside), following) else {
            continue;
        };
        let under = Folded::of(sentence.under);
        let decided = under.any(DECISION_HEADINGS);
        let tried = all
            .get(place + 1..)
            .unwrap_or(&[])
            .iter()
            .take(3)
            .any(|later| later.folded.any(TRIALS));
        let mut taken = vec![sentence.text.to_owned()];
        if let Some(next) = next {
            taken.push(next.sentence.text.to_owned());
            skip = place + 2;
        }
        found.push(Claim {
            event_id: event_id.to_owned(),
            order,
            place,
            sentences: taken,
            weight: weight
                + if decided || under.any(LESSON_HEADINGS) {
                    0.15
                } else {
                    0.0
                }
                - if tried { 0.08 } else { 0.0 },
            kind,
            decided,
            edits_before,
        });
    }
    found
}

/// What a sentence is worth as a claim, with its neighbours, of which kind it is, and the sentence
/// that goes on with it.
///
/// Most sentences are no claim, so what is cheap to see and seldom there is looked for first.
fn weigh<'s, 't>(
    one: &Said<'_>,
    previous: Option<&Said<'_>>,
    following: Option<&'s Said<'t>>,
) -> Option<(f32, &'static str, Option<&'s Said<'t>>)> {
    let Said { sentence, folded } = one;
    let text = sentence.text;
    // `The bug: …` is told as the cause; a colon at its end leads in the details.
    let labelled = label(text).is_some_and(|(label, _)| Folded::of(label).any(CAUSE_LABELS));
    if sentence.place == Place::Heading
        || (sentence.place == Place::Lead && !labelled)
        || text.len() > LONGEST_CLAIM
        || text.ends_with('?')
    {
        return None;
    }
    let words = folded.word_count();
    let passing = folded.any(PLANS) || folded.any(STATUS);
    if !(5..=48).contains(&words) || folded.any(HEDGE) || (passing && !labelled) {
        return None;
    }
    let cause = labelled || folded.any(CAUSES);
    let catch = folded.count(CATCHES);
    let revealed = previous.is_some_and(|before| before.folded.any(REVEALS));
    if !(cause || revealed || catch > 0) {
        return None;
    }
    let named = names(text).len();
    let next = following.filter(|next| goes_on(next));
    if named == 0 || (next.is_none() && words < 8) {
        return None;
    }
    let unlabelled = without_label(text);
    let bare = core(unlabelled, Speaker::Agent);
    // `Encryption: not set`: a field of a report, not a sentence.
    let fielded = bare
        .split_once(": ")
        .is_some_and(|(label, _)| label.split_whitespace().count() <= 3 && !label.contains('`'));
    let opening = Folded::of(&bare);
    let first = opening.words().next().unwrap_or("");
    let reports = first.len() > 4 && (first.ends_with("ed") || first.ends_with("ing"));
    if reports || fielded || opening.opens(REPORTS) || opening.opens(TASK) || !stands_alone(&bare) {
        return None;
    }
    let reason = folded.any(REASON)
        || folded.any(phrases!("so|means"))
        || next.is_some_and(|next| {
            next.folded.any(REASON) || next.folded.opens(phrases!("so|that|this"))
        });
    let meant = folded.any(phrases!("deliberately|intentionally|on purpose|by design"));
    let reason = reason || meant;
    if !(cause || revealed || (catch > 0 && reason) || catch > 1) {
        return None;
    }
    let mut weight = 0.04 * named.min(3) as f32;
    for (holds, gain) in [(cause, 0.38), (revealed, 0.2), (reason, 0.14)] {
        if holds {
            weight += gain;
        }
    }
    if catch > 0 {
        weight += 0.18 + 0.04 * (catch.min(3) - 1) as f32;
    }
    let kind = if folded.any(PITFALLS) {
        "pitfall"
    } else {
        "insight"
    };
    Some((weight, kind, next))
}

/// Whether a sentence goes on with the matter of the one before it.
fn goes_on(one: &Said<'_>) -> bool {
    let Said { sentence, folded } = one;
    (5..=40).contains(&folded.word_count())
        && sentence.text.len() < 200
        && !sentence.text.ends_with(['?', ':'])
        && !folded.any(PLANS)
        && !folded.any(HEDGE)
        && (opens_with_pointer(folded)
            || folded.opens(phrases!("so|the|if|when|without|because|but")))
}

/// A sentence without a leading `Root cause:` or `The issue is that` and the like.
pub(crate) fn without_label(text: &str) -> &str {
    let trimmed = text.trim_start_matches("**");
    let stated = NOUNS.iter().find_map(|mark| {
        let at = trimmed.find(mark).filter(|at| *at <= LONGEST_OPENING)?;
        Some(&trimmed[at + mark.len()..])
    });
    if let Some(stated) = stated {
        return stated;
    }
    label(text).map_or(text, |(_, rest)| rest)
}

/// The label a sentence opens with, and the rest of it.
fn label(text: &str) -> Option<(&str, &str)> {
    let trimmed = text.trim_start_matches(|mark: char| !mark.is_alphanumeric() && mark != '`');
    let (label, rest) = trimmed.split_once(':')?;
    (label.split_whitespace().count() <= 3 && Folded::of(label).any(LABELS))
        .then(|| (label, rest.trim_start_matches(['*', ' '])))
}

/// What leads in a cause told in a clause of its own.
const NOUNS: [&str; 10] = [
    "issue is that ",
    "problem is that ",
    "bug is that ",
    "cause is that ",
    "reason is that ",
    "issue was that ",
    "problem was that ",
    "bug was that ",
    "cause was that ",
    "reason was that ",
];

/// `The real root ` and the like before its noun.
const LONGEST_OPENING: usize = 16;
const LONGEST_CLAIM: usize = 300;

const LABELS: Phrases = phrases!(
    "root cause|cause|bug|problem|issue|the bug|the problem|why|note|important|medium|\
     high|low|fix|summary|answer|key insight|insight|lesson|result",
);

/// Labels of a cause.
const CAUSE_LABELS: Phrases = phrases!("root cause|cause|bug|the bug|problem|issue");

/// A cause named as one.
const CAUSES: Phrases = phrases!(
    "root cause|the cause is|the cause was|the real problem|the real issue|\
     the actual problem|the actual issue|the problem is|the problem was|the issue is|\
     the issue was|the bug is|the bug was|the culprit is|the culprit was|the reason is|\
     the reason was|turns out|turned out|is caused by|was caused by|are caused by|\
     which is why|that's why|explains why|comes from the fact|happens because|\
     fails because|failed because|broke because",
);

/// A short cry before a finding.
const REVEALS: Phrases = phrases!(
    "found it|found the problem|found the bug|found the issue|i see the issue|\
     i see the problem|there it is|aha|that's the bug|got it",
);

/// Words of a catch or a standing rule.
const CATCHES: Phrases = phrases!(
    "never|must|must not|only|deliberately|intentionally|on purpose|by design|silently|\
     fails|fail|failed|breaks|crash|crashes|hangs|blocks|stale|not|doesn't|does not|\
     don't|can't|cannot|won't|unless|ignores|ignored|rejects|misses|missing|wrong|\
     instead of|rather than|without|before|default|defaults to|requires|no longer|twice",
);

const PITFALLS: Phrases = phrases!(
    "never|must|fails|fail|breaks|crash|crashes|silently|stale|wrong|misses|missing|\
     unless|rejects|ignored|ignores|hangs|blocks",
);

/// The agent goes on searching.
const TRIALS: Phrases = phrases!(
    "let me try|let me check|let me measure|let me test|let me look|let me also|\
     let me add some|let me see",
);

/// The agent's own doings and offers.
const PLANS: Phrases = phrases!(
    "let me|i'll|i will|i'm|i am|i've|i have|i can|i could|i'd|we can|we could|we'd|\
     want me|would be|would need|would like|let's|i|todo|phase|you|your|you'll|you'd|\
     going to|line|next|commit|committed|pushed|merged|the pr|all tests|tests pass|my",
);

/// What is true of this moment only.
const STATUS: Phrases = phrases!(
    "worker|workers|worktree|status|was right|was wrong|now|has been|have been|already|\
     so far|currently|still|stopped|push failed|hook failed|check failed|test failed|\
     tests failed|in place|in this session|these are|correctly|task",
);

/// Openings that report what was done.
const REPORTS: Phrases = phrases!(
    "done|tests|all|found|good|great|perfect|excellent|next|then|first|wrote|ran|set|\
     errors are|serve|expose|both tests|all tests",
);

const DECISION_HEADINGS: Phrases =
    phrases!("decisions|decision|decided|design decisions|key decisions|choices");
const LESSON_HEADINGS: Phrases = phrases!(
    "root cause|cause|the bug|the problem|lessons|lesson|learned|gotchas|gotcha|\
     pitfalls|caveats|caveat|why|important|findings|finding|key insight|constraints|\
     correction|corrections|got wrong|was wrong|surprises|worth knowing",
);
