//! A memory being drafted: the person's words, verbatim, and the passage of the agent that they are about. Of drafts that
//! say the same, the latest stays.

use std::collections::BTreeSet;

use acreta_sdk::extractor::{Candidate, Evidence};

use crate::text::{LONGEST_TITLE, is_unsafe, plain, tags};

/// A proposed memory with its evidence.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    /// Position of the evidence in the trace; the id consists of the first event and `place`.
    pub(crate) order: u64,
    pub(crate) place: usize,
    /// Empty for a decision.
    pub(crate) kind: &'static str,
    pub(crate) title: String,
    pub(crate) body: String,
    pub(crate) certainty: Certainty,
    /// The person's words first, then what they are about.
    pub(crate) evidence: Vec<Evidence>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Certainty {
    Sure,
    /// The person's own sentence: worth nothing if it was not theirs.
    Spoken,
    /// Set aside until it is repeated.
    Pending,
}

impl Certainty {
    fn name(self) -> Option<&'static str> {
        match self {
            Self::Sure => None,
            Self::Spoken => Some("spoken"),
            Self::Pending => Some("pending"),
        }
    }

    fn confidence(self) -> f32 {
        match self {
            Self::Sure | Self::Spoken => 0.8,
            Self::Pending => 0.6,
        }
    }
}

impl Draft {
    /// Drafts the person's words with what they are about; the body is made of the quotes.
    pub(crate) fn quoted(
        (order, place): (u64, usize),
        kind: &'static str,
        title: String,
        certainty: Certainty,
        words: Evidence,
        about: Option<Evidence>,
    ) -> Option<Self> {
        let said = plain(&words.quote);
        let cited = about.as_ref().map(|about| plain(&about.quote));
        let both = cited.map(|cited| format!("{cited}\n{said}"));
        // The host tells the passage from its quote, whether it is in the body or not.
        let body = both
            .filter(|both| title.chars().count() + both.chars().count() <= LONGEST)
            .unwrap_or(said);
        Self {
            order,
            place,
            kind,
            title,
            body,
            certainty,
            evidence: std::iter::once(words).chain(about).collect(),
        }
        .checked()
    }

    /// Returns the draft if it may be proposed.
    pub(crate) fn checked(self) -> Option<Self> {
        let length = self.title.chars().count();
        let is_whole = (SHORTEST_TITLE..=LONGEST_TITLE).contains(&length)
            && !self.body.is_empty()
            && length + self.body.chars().count() <= LONGEST
            && !self.title.contains(['\n', '…'])
            && !is_unsafe(&self.title)
            && !is_unsafe(&self.body)
            && self.evidence.iter().all(|one| !one.quote.is_empty());
        is_whole.then_some(self)
    }

    /// Returns the person's words.
    pub(crate) fn said(&self) -> String {
        self.evidence
            .first()
            .map_or_else(String::new, |one| one.quote.clone())
    }

    fn words(&self) -> BTreeSet<String> {
        acreta_text::tokens(&format!("{} {}", self.title, self.body))
    }

    fn candidate(self) -> Candidate {
        let first = self.evidence.first().map_or("", |one| &one.event_id);
        let category = match self.kind {
            "" => "decision",
            _ => "learning",
        };
        let certainty = self.certainty.name().into_iter();
        Candidate {
            id: format!("{first}#{}", self.place),
            category: category.to_owned(),
            kind: self.kind.to_owned(),
            tags: tags(&format!("{} {}", self.title, self.body)),
            title: self.title,
            body: self.body,
            confidence: self.certainty.confidence(),
            evidence: self.evidence,
            attrs: certainty
                .map(|name| ("certainty".to_owned(), name.to_owned()))
                .collect(),
        }
    }
}

/// Returns the certain and the pending candidates of a session, each in the order of their evidence.
pub(crate) fn candidates(drafts: Vec<Draft>) -> (Vec<Candidate>, Vec<Candidate>) {
    let mut kept: Vec<(BTreeSet<String>, Draft)> = Vec::new();
    for draft in drafts {
        let words = draft.words();
        let mut known = kept.iter();
        match known.position(|(known, _)| acreta_text::jaccard(known, &words) >= SAME) {
            // The latest wins, but an uncertain draft does not replace a certain one.
            Some(at)
                if draft.certainty != Certainty::Pending
                    || kept[at].1.certainty == Certainty::Pending =>
            {
                kept[at] = (words, draft);
            }
            Some(_) => {}
            None => kept.push((words, draft)),
        }
    }
    let drafts = kept.into_iter().map(|(_, draft)| draft);
    let (mut pending, mut sure): (Vec<Draft>, Vec<Draft>) =
        drafts.partition(|draft| draft.certainty == Certainty::Pending);
    for (drafts, most) in [(&mut sure, MOST_CANDIDATES), (&mut pending, MOST_PENDING)] {
        drafts.sort_by_key(|draft| (draft.order, draft.place));
        // The last words of a session are its final state.
        let excess = drafts.len().saturating_sub(most);
        drafts.drain(..excess);
    }
    let told = |drafts: Vec<Draft>| drafts.into_iter().map(Draft::candidate).collect();
    (told(sure), told(pending))
}

/// Quotes an event, verbatim.
pub(crate) fn quote(event_id: &str, text: &str) -> Evidence {
    Evidence {
        event_id: event_id.to_owned(),
        quote: text.trim().to_owned(),
    }
}

/// Maximum number of characters of the person's words, and of what they are about.
pub(crate) const LONGEST_QUOTE: usize = 300;
const SHORTEST_TITLE: usize = 4;
/// Maximum length of title and body together; the host refuses more than 500.
const LONGEST: usize = 490;
/// Similarity from which two drafts say the same.
const SAME: f64 = 0.5;
const MOST_CANDIDATES: usize = 12;
const MOST_PENDING: usize = 8;
