//! What is likely and not sure: a person's words that an extractor marked `certainty = pending`. They
//! wait outside memory until another session says them again; then both sessions stand behind one
//! memory, whichever was read first. What a person rejected stays rejected.

use std::collections::BTreeSet;

use acreta_store::{Contribution, Snapshot};
use acreta_text::{jaccard, tokens, words};
use sha2::{Digest, Sha256};

use crate::decide::contributor::{Contributor, contribution};
use crate::decide::fold::{fold_memory, sort};
use crate::decide::gates::Judged;
use crate::decide::kept::Kept;
use crate::decide::plan::Plan;
use crate::memory::planned::{TextChange, contributions_of};

/// One session's sighting of a quote.
#[derive(Debug, Clone, PartialEq)]
pub struct PendingQuote {
    /// See [`pending_id`].
    pub id: String,
    pub quote: String,
    /// What it would be as memory; names the session.
    pub contribution: Contribution,
    /// A person does not want it.
    pub rejected: bool,
}

/// What a run says of its session.
#[derive(Debug, Clone, PartialEq)]
pub struct PendingUpdate {
    pub agent: String,
    pub session_id: String,
    /// Takes the place of what the session said before.
    pub quotes: Vec<PendingQuote>,
    /// Ids of what is memory now.
    pub repeated: Vec<String>,
    pub now_ms: u64,
}

/// Where pending records wait; the user's state, never a project's files.
pub trait PendingQuotes: Send + Sync {
    /// Everything that waits, was said again or was rejected in the project.
    fn seen(&self, now_ms: u64) -> Result<Vec<PendingQuote>, String>;

    fn keep(&self, update: &PendingUpdate) -> Result<(), String>;
}

/// The id of a record: the same for whoever says the same words in the same project.
pub fn pending_id(project: &str, quote: &str) -> String {
    let said: Vec<String> = words(quote).collect();
    let digest = Sha256::digest(format!("{project}\n{}", said.join(" ")));
    format!("p-{}", acreta_text::hex(&digest[..6]))
}

/// Share of all words from which two quotes say the same.
const SAME: f64 = 0.72;

/// What a run has found of pending things, until it is committed.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) quotes: Vec<PendingQuote>,
    pub(crate) repeated: Vec<String>,
    /// What other sessions said, by the candidate that says it again.
    joining: Vec<(String, Vec<Contribution>)>,
}

/// Compares what a session is not sure of, and what it is, with what waits and with memory. What is
/// said again is kept; the rest is set aside and `judged` says so.
pub(crate) fn compare(
    pending: Vec<Kept>,
    kept: &mut Vec<Kept>,
    judged: &mut [Judged],
    waiting: &[PendingQuote],
    snapshot: &Snapshot,
    contributor: &Contributor,
    project: &str,
) -> Found {
    let others: Vec<(BTreeSet<String>, &PendingQuote)> = waiting
        .iter()
        .filter(|one| one.rejected || !contributor.made(&one.contribution))
        .map(|one| (tokens(&one.quote), one))
        .collect();
    let mut found = Found::default();
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
            let reason = "likely, not sure: waits until another session says it again";
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

impl Found {
    /// Notes which other sessions say what a kept candidate says.
    fn join(&mut self, kept: &Kept, others: &[(BTreeSet<String>, &PendingQuote)]) {
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

    /// Puts the other sessions behind the memories that say it again.
    pub(crate) fn attach(&self, plan: &mut Plan) {
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

/// The words that wait: those of the first citation.
fn quote_of(kept: &Kept) -> &str {
    kept.citations.first().map_or("", |cited| &cited.quote)
}

/// Reports whether a memory in use has it from another session already.
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
