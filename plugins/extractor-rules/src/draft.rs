//! A memory in the making: title, body and evidence in the person's own words. What does not read as
//! a memory never becomes a [`Draft`]; of drafts that say the same the latest stays.

use std::collections::BTreeSet;

use acreta_sdk::extractor::{Candidate, Evidence};

use crate::classes::{PERSONS, SUBJECTS};
use crate::form::{Kind, core, form, is_statement};
use crate::names::tags;
use crate::plain::{finish, is_balanced, is_unsafe, plain};
use crate::view::View;

/// A proposed memory with what speaks for it.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    /// Position of the evidence in the trace; with `place` it makes the id.
    pub(crate) order: u64,
    pub(crate) place: usize,
    /// Empty for a decision.
    pub(crate) kind: &'static str,
    pub(crate) title: String,
    pub(crate) body: String,
    /// Not sure: kept aside until it is said again.
    pub(crate) pending: bool,
    pub(crate) confidence: f32,
    pub(crate) evidence: Vec<Evidence>,
}

impl Draft {
    /// Reports whether it may be proposed at all.
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
        let attrs = if self.pending {
            vec![("certainty".to_owned(), "pending".to_owned())]
        } else {
            Vec::new()
        };
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
            attrs,
        }
    }
}

impl Kind {
    /// The kind's name; empty for a decision.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Decision => "",
            Self::Convention => "convention",
            Self::Preference => "preference",
            Self::Pitfall => "pitfall",
        }
    }
}

/// The sure and the pending candidates of a session, each in the order of their evidence.
pub(crate) fn candidates(drafts: Vec<Draft>) -> (Vec<Candidate>, Vec<Candidate>) {
    let mut kept: Vec<(BTreeSet<String>, Draft)> = Vec::new();
    for draft in drafts {
        let words = draft.words();
        let twin = kept
            .iter()
            .position(|(known, _)| overlap(known, &words) >= SAME);
        match twin {
            // The last state wins, and what is sure is not replaced by what is not.
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

/// How much two drafts say the same, 0 to 1.
fn overlap(left: &BTreeSet<String>, right: &BTreeSet<String>) -> f64 {
    let shared = left.intersection(right).count();
    let smaller = left.len().min(right.len()).max(1);
    acreta_text::jaccard(left, right).max(0.8 * shared as f64 / smaller as f64)
}

/// The rule in a sentence: its clause without what opens it and without what can be left out.
pub(crate) fn title(sentence: &str) -> Option<String> {
    let written = plain(core(sentence).0);
    let view = View::of(&written);
    let whole = ended(view.bare());
    if whole.chars().count() <= LONGEST_TITLE {
        return is_balanced(whole).then(|| capital(whole));
    }
    // A rule that cannot be cut short is better long than lost.
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
                .map(|(at, _)| ended(&whole[..at]))
                .find(|head| {
                    (SHORTEST_CUT..=longest).contains(&width(head))
                        && is_balanced(head)
                        && ends_well(head)
                        && if listed {
                            form(head).is_some_and(|form| form.sure)
                        } else {
                            form(head).is_some() || is_statement(head)
                        }
                });
            if let Some(head) = cut {
                return Some(capital(head));
            }
        }
        if !listed && whole.chars().count() <= LONGEST_WHOLE {
            return is_balanced(whole).then(|| capital(whole));
        }
    }
    None
}

/// Reports whether a text opens like a clause of its own and not like the next point of a list.
fn opens_clause(text: &str) -> bool {
    View::of(text).opens(SUBJECTS) || View::of(text).opens(PERSONS)
}

/// A sentence with what stands around it in its paragraph, as far as it belongs to it and fits.
pub(crate) fn body(sentence: &str, before: Option<&str>, after: &[&str]) -> String {
    let said = plain(core(sentence).0);
    let mut body = finish(View::of(&said).bare());
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
    if let Some(before) = before {
        let said = plain(before);
        let view = View::of(View::of(&said).bare());
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

/// A quote of an event, short enough to cite.
pub(crate) fn quote(event_id: &str, text: &str) -> Evidence {
    Evidence {
        event_id: event_id.to_owned(),
        quote: acreta_text::head(text.trim(), LONGEST_QUOTE)
            .trim_end()
            .to_owned(),
    }
}

/// A text without the stop at its end.
pub(crate) fn ended(text: &str) -> &str {
    text.trim_end_matches([
        '.', '!', ',', ';', ':', ' ', '-', '–', '—', '。', '！', '，', '、', '…',
    ])
}

/// First letter large, unless a name is spelt otherwise.
pub(crate) fn capital(text: &str) -> String {
    finish(text).trim_end_matches(['.', '。']).to_owned()
}

/// Characters, wide ones twice.
fn width(text: &str) -> usize {
    text.chars()
        .map(|one| if one > '\u{2e80}' { 2 } else { 1 })
        .sum()
}

fn ends_well(head: &str) -> bool {
    let last = head.rsplit([' ', '\n']).next().unwrap_or("").to_lowercase();
    !WEAK_ENDINGS.split('|').any(|weak| weak == last)
}

const WEAK_ENDINGS: &str = "a|an|the|of|to|in|on|at|for|with|and|or|but|by|from|as|is|are|be|that|which|we|it|its|not|no|so|than|then|\
    into|if|when|while|because|since|via|per|can|will|should|would|could|must|has|have|only|also|their|our|any|all|each|was|were|this|\
    these|between|both|either|whether|where|how|what|who|i|you|don't|never|always|der|die|das|und|ein|eine|zu|wir|que|de|el|la|\
    los|las|y|un|una|le|les|des|et|du|и|в|не|на|с|для|мы|use|every|very|more";

/// Between the points of a list: the last place to cut.
const LISTING: [&str; 5] = [" and ", " und ", " y ", " et ", " и "];

const SHORTEST_TITLE: usize = 4;
pub(crate) const LONGEST_TITLE: usize = 80;
/// Of a title that cannot be cut.
const LONGEST_WHOLE: usize = 110;
/// Less than this is not the rule.
const SHORTEST_CUT: usize = 28;
/// Title and body together.
const LONGEST: usize = 480;
const LONGEST_BODY: usize = 300;
const LONGEST_QUOTE: usize = 290;
/// Overlap from which two drafts say the same.
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
