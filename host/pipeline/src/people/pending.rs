//! Likely but uncertain memories: quotes of a person that an extractor marked `certainty = pending`. They wait outside
//! memory until another session repeats them; then both sessions are evidence of one memory, in whatever order they
//! were read. A quote that a person rejected stays rejected.

use std::collections::BTreeSet;

use acreta_store::{Contribution, Snapshot};
use acreta_text::{jaccard, tokens, words};
use sha2::{Digest, Sha256};

use crate::decide::accepted::AcceptedCandidate;
use crate::decide::contributor::{Contributor, contribution};
use crate::decide::fold::{fold_memory, sort};
use crate::decide::gates::Judged;
use crate::decide::plan::MemoryPlan;
use crate::memory::planned::{TextChange, contributions_of};

/// A quote as seen in one session.
#[derive(Debug, Clone, PartialEq)]
pub struct PendingQuote {
    /// See [`pending_id`].
    pub id: String,
    pub quote: String,
    /// Its contribution if it becomes memory; names the session.
    pub contribution: Contribution,
    /// A person rejected it.
    pub rejected: bool,
}

/// A run's update about its session.
#[derive(Debug, Clone, PartialEq)]
pub struct PendingUpdate {
    pub agent: String,
    pub session_id: String,
    /// Replaces the earlier quotes of the session.
    pub quotes: Vec<PendingQuote>,
    /// Ids of quotes that are memory now.
    pub repeated: Vec<String>,
    /// Ids of notes that the session's agent made, and the reason why one is not proven.
    pub notes: Vec<(String, Result<(), String>)>,
    pub now_ms: u64,
}

/// Storage of pending records, in the user's state, never in a project's files.
pub trait PendingQuotes: Send + Sync {
    /// Returns every quote of the project that waits, was repeated or was rejected.
    fn seen(&self, now_ms: u64) -> Result<Vec<PendingQuote>, String>;

    fn keep(&self, update: &PendingUpdate) -> Result<(), String>;
}

/// Returns the id of a record: equal for equal words in the same project.
pub fn pending_id(project: &str, quote: &str) -> String {
    let said: Vec<String> = words(quote).collect();
    let digest = Sha256::digest(format!("{project}\n{}", said.join(" ")));
    format!("p-{}", acreta_text::hex(&digest[..6]))
}

/// Fraction of shared words from which two quotes count as the same.
const SAME: f64 = 0.72;

/// Pending findings of a run, until they are committed.
#[derive(Debug, Default)]
pub(crate) struct PendingFindings {
    pub(crate) quotes: Vec<PendingQuote>,
    pub(crate) repeated: Vec<String>,
    pub(crate) notes: Vec<(String, Result<(), String>)>,
    /// Contributions of other sessions, by the candidate that repeats them.
    joining: Vec<(String, Vec<Contribution>)>,
}

/// Compares a session's uncertain and certain candidates with waiting quotes and with memory. Repeated quotes are
/// kept; the others are set aside and marked in `judged`.
pub(crate) fn compare(
    pending: Vec<AcceptedCandidate>,
    kept: &mut Vec<AcceptedCandidate>,
    judged: &mut [Judged],
    waiting: &[PendingQuote],
    snapshot: &Snapshot,
    contributor: &Contributor,
    project: &str,
) -> PendingFindings {
    let others: Vec<(BTreeSet<String>, &PendingQuote)> = waiting
        .iter()
        .filter(|one| one.rejected || !contributor.made(&one.contribution))
        .map(|one| (tokens(&one.quote), one))
        .collect();
    let mut found = PendingFindings::default();
    for sure in kept.iter() {
        found.join(sure, &others);
    }
    for one in pending {
        let quote = quote_of(&one).to_owned();
        let said = tokens(&quote);
        let id = pending_id(project, &quote);
        let near = |other: &BTreeSet<String>| *other == said || jaccard(other, &said) >= SAME;
        let (rejected, again): (Vec<_>, Vec<_>) = others
            .iter()
            .filter(|(words, other)| other.id == id || near(words))
            .partition(|(_, other)| other.rejected);
        let candidate = one.candidate.id.clone();
        if !rejected.is_empty() {
            tell(judged, &candidate, false, "a person rejected this");
            continue;
        }
        found.quotes.push(PendingQuote {
            id: id.clone(),
            quote,
            contribution: contribution(&one, contributor),
            rejected: false,
        });
        if again.is_empty() && !is_remembered(snapshot, contributor, &near) {
            let reason = "uncertain: waits until another session repeats it";
            tell(judged, &candidate, false, reason);
            continue;
        }
        tell(judged, &candidate, true, "another session says it too");
        found.repeated.push(id);
        found.join(&one, &others);
        kept.push(one);
    }
    kept.sort_by(|left, right| {
        (left.newest_ms, &left.candidate.id).cmp(&(right.newest_ms, &right.candidate.id))
    });
    found.repeated.sort();
    found.repeated.dedup();
    found
}

impl PendingFindings {
    pub(crate) fn is_empty(&self) -> bool {
        self.quotes.is_empty() && self.repeated.is_empty() && self.notes.is_empty()
    }

    /// Records the other sessions that support a kept candidate.
    fn join(&mut self, kept: &AcceptedCandidate, others: &[(BTreeSet<String>, &PendingQuote)]) {
        let quotes: Vec<BTreeSet<String>> = kept
            .citations
            .iter()
            .map(|cited| tokens(&cited.quote))
            .collect();
        let mut contributions = Vec::new();
        for (words, other) in others.iter().filter(|(_, other)| !other.rejected) {
            if quotes.iter().any(|quote| jaccard(quote, words) >= SAME) {
                contributions.push(other.contribution.clone());
                self.repeated.push(other.id.clone());
            }
        }
        if !contributions.is_empty() {
            self.joining
                .push((kept.candidate.id.clone(), contributions));
        }
    }

    /// Adds the contributions of other sessions to the memories that repeat them.
    pub(crate) fn attach(&self, plan: &mut MemoryPlan) {
        for (candidate, contributions) in &self.joining {
            let action = plan
                .actions
                .iter()
                .find(|action| action.candidate_id.as_ref() == Some(candidate));
            let Some(planned) = action.and_then(|action| {
                let id = &action.memory_id;
                plan.planned.iter_mut().find(|planned| planned.id == *id)
            }) else {
                continue;
            };
            let before = fold_memory(&planned.id, &planned.contributions);
            for one in contributions {
                let known = planned.contributions.iter().any(|known| {
                    (&known.agent, &known.session_id) == (&one.agent, &one.session_id)
                });
                if !known {
                    planned.contributions.push(one.clone());
                }
            }
            sort(&mut planned.contributions);
            let Some(after) = fold_memory(&planned.id, &planned.contributions) else {
                continue;
            };
            let held = planned
                .before
                .as_ref()
                .is_some_and(acreta_store::Memory::is_protected);
            let differs = before.is_none_or(|before| !before.renders_like(&after));
            if matches!(planned.text, TextChange::Written(_)) || (differs && !held) {
                planned.write(after);
            }
        }
    }
}

/// Returns the quote to store: that of the first citation.
fn quote_of(kept: &AcceptedCandidate) -> &str {
    kept.citations.first().map_or("", |cited| &cited.quote)
}

/// Reports whether an active memory already has it from another session.
fn is_remembered(
    snapshot: &Snapshot,
    contributor: &Contributor,
    near: &dyn Fn(&BTreeSet<String>) -> bool,
) -> bool {
    let in_use = snapshot
        .memories
        .iter()
        .filter(|memory| !memory.is_archived());
    in_use
        .flat_map(|memory| contributions_of(memory))
        .filter(|contribution| !contributor.made(contribution))
        .flat_map(|contribution| &contribution.evidence)
        .any(|quoted| near(&tokens(&quoted.quote)))
}

fn tell(judged: &mut [Judged], candidate: &str, kept: bool, reason: &str) {
    if let Some(one) = judged.iter_mut().find(|one| one.candidate.id == candidate) {
        one.kept = kept;
        one.gate = (!kept).then_some(crate::decide::gates::PENDING);
        reason.clone_into(&mut one.reason);
    }
}
