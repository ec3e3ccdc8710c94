//! What the agent says was the cause, the catch or the rule. A claim is one or two self-contained
//! sentences with names in them; whether it stood is weighed at the end of the turn against what
//! happened.

use crate::cues::{APPROVAL, HEDGE, QUESTION, REASON, REJECTION, TASK};
use crate::draft::{Category, Draft, Material, Source, opens_with_pointer, quote, stands_alone};
use crate::names::names;
use crate::phrases::{Folded, Phrases, phrases, repeated};
use crate::polish::{Speaker, core, finish, polish};
use crate::sentences::{Place, Sentence, sentences};
use crate::turn::{Prompt, Said, Turn};

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
        .is_some_and(|reaction| reaction.opens(APPROVAL));
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
        let mut score = claim.weight;
        for (holds, gain) in [
            (in_closing, 0.12),
            (!in_closing && restated >= 55, 0.06),
            // Said on the way and not in the account at the end: likely a guess that did not hold.
            (!in_closing && restated < 40, -0.1),
            (troubled && turn.edits > claim.edits_before, 0.14),
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
            && turn.edits > claim.edits_before
        {
            parts.push(format!("Symptom: {}", polish(reported, Speaker::Person)));
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
        title: finish(lead.text.trim_end_matches(':')),
        sentences: vec![finish(&body)],
        score: 0.58,
        evidence,
    })
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
    if matches!(sentence.place, Place::Heading | Place::Lead)
        || text.len() > LONGEST_CLAIM
        || text.ends_with('?')
    {
        return None;
    }
    let words = folded.word_count();
    if !(5..=48).contains(&words) || folded.any(PLANS) || folded.any(HEDGE) || folded.any(STATUS) {
        return None;
    }
    let cause = folded.any(CAUSES);
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

/// A sentence without a leading `Root cause:` and the like.
fn without_label(text: &str) -> &str {
    let trimmed = text.trim_start_matches("**");
    match trimmed.split_once(':') {
        Some((label, rest))
            if label.split_whitespace().count() <= 3 && Folded::of(label).any(LABELS) =>
        {
            rest.trim_start_matches(['*', ' '])
        }
        _ => text,
    }
}

const LONGEST_CLAIM: usize = 300;

const LABELS: Phrases = phrases!(
    "root cause|cause|bug|problem|issue|the bug|the problem|why|note|important|medium|\
     high|low|fix|summary|answer|key insight|insight|lesson|result",
);

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

/// What the person reports when something is wrong.
const TROUBLE: Phrases = phrases!(
    "bug|error|errors|crash|crashes|crashed|fails|failing|failed|broken|broke|\
     doesn't work|not working|isn't working|doesn't|wrong|slow|delay|hangs|stuck|weird|\
     why|issue|problem|differ|missing|stale",
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
