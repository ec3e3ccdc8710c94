//! A memory being drafted: title, body and evidence in the person's own words. Text that does not read as a memory
//! never becomes a [`Draft`]; of drafts that say the same, the latest stays.

use std::collections::BTreeSet;

use acreta_sdk::extractor::{Candidate, Evidence};

use crate::classes::{PERSONS, SUBJECTS};
use crate::form::{StatementKind, core, form, is_statement, ruling_clause};
use crate::names::tags;
use crate::phrases::{Phrases, phrases};
use crate::plain::{finish, is_balanced, is_unsafe, plain};
use crate::view::SentenceView;

/// A proposed memory with its evidence.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    /// Position of the evidence in the trace; the id consists of this and `place`.
    pub(crate) order: u64,
    pub(crate) place: usize,
    /// Empty for a decision.
    pub(crate) kind: &'static str,
    pub(crate) title: String,
    pub(crate) body: String,
    /// Uncertain: set aside until it is repeated.
    pub(crate) pending: bool,
    /// The person's own sentences: worth nothing if they were not theirs.
    pub(crate) spoken: bool,
    pub(crate) confidence: f32,
    pub(crate) evidence: Vec<Evidence>,
}

impl Draft {
    /// Reports whether it may be proposed.
    pub(crate) fn reads_well(&self) -> bool {
        let length = self.title.chars().count();
        (SHORTEST_TITLE..=LONGEST_WHOLE).contains(&length)
            && !self.body.is_empty()
            && length + self.body.chars().count() <= LONGEST
            && !self.title.contains(['\n', '…'])
            && !is_unsafe(&self.title)
            && !is_unsafe(&self.body)
            && !self.evidence.is_empty()
            && self.evidence.iter().all(|one| !one.quote.is_empty())
    }

    fn words(&self) -> BTreeSet<String> {
        acreta_text::tokens(&format!("{} {}", self.title, self.body))
    }

    fn candidate(self) -> Candidate {
        let first = self
            .evidence
            .first()
            .map_or("", |one| one.event_id.as_str());
        let certainty = match (self.pending, self.spoken) {
            (true, _) => Some("pending"),
            (false, true) => Some("spoken"),
            (false, false) => None,
        };
        let attrs = certainty.map(|certainty| ("certainty".to_owned(), certainty.to_owned()));
        Candidate {
            id: format!("{first}#{}", self.place),
            category: if self.kind.is_empty() {
                "decision"
            } else {
                "learning"
            }
            .to_owned(),
            kind: self.kind.to_owned(),
            tags: tags(&format!("{}. {}", self.title, self.body)),
            title: self.title,
            body: self.body,
            confidence: self.confidence,
            evidence: self.evidence,
            attrs: attrs.into_iter().collect(),
        }
    }
}

impl StatementKind {
    /// Returns the kind's name; empty for a decision.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Decision => "",
            Self::Convention => "convention",
            Self::Preference => "preference",
            Self::Pitfall => "pitfall",
        }
    }
}

/// Returns the certain and the pending candidates of a session, each in the order of their evidence.
pub(crate) fn candidates(drafts: Vec<Draft>) -> (Vec<Candidate>, Vec<Candidate>) {
    let mut kept: Vec<(BTreeSet<String>, Draft)> = Vec::new();
    for draft in drafts {
        let words = draft.words();
        let twin = kept
            .iter()
            .position(|(known, _)| overlap(known, &words) >= SAME);
        match twin {
            // The latest wins, but an uncertain draft does not replace a certain one.
            Some(at) if !draft.pending || kept[at].1.pending => kept[at] = (words, draft),
            Some(_) => {}
            None => kept.push((words, draft)),
        }
    }
    let mut drafts: Vec<Draft> = kept.into_iter().map(|(_, draft)| draft).collect();
    drafts.sort_by(|left, right| {
        right
            .confidence
            .total_cmp(&left.confidence)
            .then((left.order, left.place).cmp(&(right.order, right.place)))
    });
    let (pending, sure): (Vec<Draft>, Vec<Draft>) =
        drafts.into_iter().partition(|draft| draft.pending);
    let few = |mut drafts: Vec<Draft>, most: usize| -> Vec<Candidate> {
        drafts.truncate(most);
        drafts.sort_by_key(|draft| (draft.order, draft.place));
        drafts.into_iter().map(Draft::candidate).collect()
    };
    (few(sure, MOST_CANDIDATES), few(pending, MOST_PENDING))
}

/// Computes the similarity of two drafts, from 0 to 1.
fn overlap(left: &BTreeSet<String>, right: &BTreeSet<String>) -> f64 {
    let shared = left.intersection(right).count();
    let smaller = left.len().min(right.len()).max(1);
    acreta_text::jaccard(left, right).max(0.8 * shared as f64 / smaller as f64)
}

/// Extracts the rule from a sentence: its clause without fillers and optional parts.
pub(crate) fn title(sentence: &str) -> Option<String> {
    let (part, form_of_part) = core(sentence);
    let is_whole = form_of_part.is_some_and(|form| form.sure)
        && !SentenceView::of(SentenceView::of(part).bare()).opens(BESIDES);
    let clause = ruling_clause(sentence).filter(|_| !is_whole);
    let written = plain(clause.map_or(part, |(clause, _)| clause));
    let view = SentenceView::of(&written);
    let whole = ended(view.bare());
    if whole.chars().count() <= LONGEST_TITLE {
        return is_balanced(whole).then(|| capital(whole));
    }
    // A rule that cannot be shortened is better long than lost.
    for (longest, listed) in [
        (LONGEST_TITLE, false),
        (LONGEST_WHOLE, false),
        (LONGEST_WHOLE, true),
    ] {
        for mark in view.tongue.clause {
            if !listed && LISTING.contains(mark) {
                continue;
            }
            let cuts = whole.rmatch_indices(mark);
            let cut = cuts
                .filter(|(at, _)| listed || *mark != ", " || opens_clause(&whole[at + 2..]))
                .map(|(at, _)| {
                    (
                        without_adverb(ended(&whole[..at])),
                        &whole[at + mark.len()..],
                    )
                })
                .find(|(head, tail)| {
                    (SHORTEST_CUT..=longest).contains(&width(head))
                        && is_balanced(head)
                        && ends_well(head)
                        && if listed {
                            form(head).is_some_and(|form| form.sure)
                        } else {
                            form(head).is_some()
                                || is_statement(head)
                                    && (longest == LONGEST_WHOLE || form(tail).is_none())
                        }
                });
            if let Some((head, _)) = cut {
                return Some(capital(head));
            }
        }
        if !listed && whole.chars().count() <= LONGEST_WHOLE {
            return is_balanced(whole).then(|| capital(whole));
        }
    }
    None
}

/// Reports whether a text opens like an independent clause, not like the next item of a list.
fn opens_clause(text: &str) -> bool {
    SentenceView::of(text).opens(SUBJECTS) || SentenceView::of(text).opens(PERSONS)
}

/// Returns a sentence with the sentences after it in its paragraph, as far as they fit, and with the one before it if it
/// refers to that.
pub(crate) fn body(sentence: &str, before: Option<&str>, after: &[&str]) -> String {
    let said = plain(core(sentence).0);
    let view = SentenceView::of(SentenceView::of(&said).bare());
    let refers =
        view.opens(view.tongue.pointing) || view.has(view.tongue.hanging) || view.has(BACKWARDS);
    let mut body = finish(view.text);
    let fits = |body: &str, more: &str| {
        body.chars().count() + more.chars().count() < LONGEST_BODY && !is_unsafe(more)
    };
    for after in after {
        let more = finish(&plain(after));
        if !fits(&body, &more) {
            break;
        }
        body = format!("{body} {more}");
    }
    if let Some(before) = before.filter(|_| refers) {
        let said = plain(before);
        let view = SentenceView::of(SentenceView::of(&said).bare());
        let leads = (is_statement(before) || form(before).is_some())
            && view.size() >= 3
            && !view.opens(view.tongue.pointing);
        let more = finish(view.text);
        if leads && fits(&body, &more) {
            body = format!("{more} {body}");
        }
    }
    body
}

/// Openings that say when to do something else.
const BESIDES: Phrases = phrases!(
    "while you are|while you're|while we are|while we're|while you|when you are done|when you're done|wenn du schon|ya que estás|tant que tu"
);

/// Words for what the sentence before names.
const BACKWARDS: Phrases = phrases!(
    "it|them|there|they|its|their|dort|davon|damit|ello|allí|ellos|cela|ça|eux|это|этого|там|их|его|它|它们|那里"
);

/// Quotes an event, shortened to the maximum length of a quote.
pub(crate) fn quote(event_id: &str, text: &str) -> Evidence {
    Evidence {
        event_id: event_id.to_owned(),
        quote: acreta_text::head(text.trim(), LONGEST_QUOTE)
            .trim_end()
            .to_owned(),
    }
}

/// Removes the stop at the end of a text.
pub(crate) fn ended(text: &str) -> &str {
    text.trim_end_matches([
        '.', '!', ',', ';', ':', ' ', '-', '–', '—', '。', '！', '，', '、', '…',
    ])
}

/// Capitalises the first letter, unless the word is a name with its own spelling.
pub(crate) fn capital(text: &str) -> String {
    finish(text).trim_end_matches(['.', '。']).to_owned()
}

/// Counts characters; wide ones count twice.
fn width(text: &str) -> usize {
    text.chars()
        .map(|one| if one > '\u{2e80}' { 2 } else { 1 })
        .sum()
}

/// `instead of Celery, mainly`: the adverb belonged to the reason.
fn without_adverb(head: &str) -> &str {
    const ADVERBS: [&str; 6] = [
        " mainly",
        " mostly",
        " simply",
        " partly",
        " just",
        " vor allem",
    ];
    let shorter = ADVERBS.iter().find_map(|adverb| head.strip_suffix(adverb));
    shorter.map_or(head, ended)
}

fn ends_well(head: &str) -> bool {
    let last = head.rsplit([' ', '\n']).next().unwrap_or("").to_lowercase();
    !WEAK_ENDINGS.split('|').any(|weak| weak == last)
}

const WEAK_ENDINGS: &str = "a|an|the|of|to|in|on|at|for|with|and|or|but|by|from|as|is|are|be|that|which|we|it|its|not|no|so|than|then|\
    into|if|when|while|because|since|via|per|can|will|should|would|could|must|has|have|only|also|their|our|any|all|each|was|were|this|\
    these|between|both|either|whether|where|how|what|who|i|you|don't|never|always|der|die|das|und|ein|eine|zu|wir|que|de|el|la|\
    los|las|y|un|una|le|les|des|et|du|и|в|не|на|с|для|мы|use|every|very|more";

/// Separators of list items: the last resort for a cut.
const LISTING: [&str; 5] = [" and ", " und ", " y ", " et ", " и "];

const SHORTEST_TITLE: usize = 4;
pub(crate) const LONGEST_TITLE: usize = 80;
/// Maximum length of a title that cannot be cut.
const LONGEST_WHOLE: usize = 110;
/// Minimum length of a cut title; a shorter one would lose the rule.
const SHORTEST_CUT: usize = 28;
/// Maximum length of title and body together.
const LONGEST: usize = 480;
const LONGEST_BODY: usize = 300;
const LONGEST_QUOTE: usize = 290;
/// Similarity from which two drafts say the same.
const SAME: f64 = 0.5;
const MOST_CANDIDATES: usize = 12;
const MOST_PENDING: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_the_rule_without_its_reason() {
        for (sentence, expected) in [
            ("ok, please always use tabs.", Some("Always use tabs")),
            (
                "We decided to sign releases with minisign instead of GPG because nobody on the team could manage the keyring any more",
                Some("We decided to sign releases with minisign instead of GPG"),
            ),
            (
                "Always write the changelog entry in the same commit as the change itself, because otherwise nobody remembers it at release time",
                Some("Always write the changelog entry in the same commit as the change itself"),
            ),
            (
                "We decided to go with procrastinate on Postgres instead of Celery, mainly because nobody wants to operate another server",
                Some("We decided to go with procrastinate on Postgres instead of Celery"),
            ),
            (
                "after the demo on Thursday I'll merge - I like a linear history, so rebase instead of merging main into the branch",
                Some("I like a linear history, so rebase instead of merging main into the branch"),
            ),
            (
                "the total is off by a cent, money is integer cents everywhere, so somebody broke that",
                Some("Money is integer cents everywhere"),
            ),
            (
                "while you are in there, always verify the signature against the raw body, never against the parsed JSON – I've been bitten by that",
                Some(
                    "Always verify the signature against the raw body, never against the parsed JSON",
                ),
            ),
            (
                "In der Oberfläche wird der Kunde grundsätzlich gesiezt, da steht irgendwo noch „Gib deinen Namen ein“",
                Some("In der Oberfläche wird der Kunde grundsätzlich gesiezt"),
            ),
            (
                "以后所有提交信息都必须用英文。",
                Some("以后所有提交信息都必须用英文"),
            ),
            (
                "Averyveryverylongnameofsomethingthathasnospacesatall isasingleunbrokenwordwithoutanyplacetocutitatall, norherenorthere",
                None,
            ),
        ] {
            assert_eq!(title(sentence).as_deref(), expected, "{sentence}");
        }
    }
}
