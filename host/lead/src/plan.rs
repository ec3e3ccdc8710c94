//! What a run will change, worked out before anything is written: withdraw the session's earlier
//! contributions, decide its candidates against what is left, and keep the difference.
//!
//! What a person edited, confirmed or wrote by hand is never changed: it gets a proposal.

use std::collections::BTreeMap;

use acreta_model::MemoryType;
use acreta_store::{
    ContributedCandidate, Contribution, EvidenceFile, Memory, Proposal, ProposalOperation,
    QuotedEvent, Trust,
};

use crate::decide::{Known, Says, Statement, Verdict, decide};
use crate::fold::{Folded, fold, order, statement};
use crate::gates::{Cited, Kept};
use crate::report::{Action, ActionRecord};

/// Who contributes, and in which state it was read.
#[derive(Debug, Clone)]
pub(crate) struct Contributor {
    pub(crate) agent: String,
    pub(crate) session_id: String,
    pub(crate) run_id: String,
    pub(crate) events: u64,
    pub(crate) last_ms: Option<u64>,
    pub(crate) created_ms: u64,
}

impl Contributor {
    pub(crate) fn made(&self, contribution: &Contribution) -> bool {
        contribution.agent == self.agent && contribution.session_id == self.session_id
    }
}

/// One memory after the run.
#[derive(Debug)]
pub(crate) struct Planned {
    pub(crate) id: String,
    pub(crate) memory_type: MemoryType,
    /// As it is now; none for a new one.
    pub(crate) before: Option<Memory>,
    pub(crate) contributions: Vec<Contribution>,
    pub(crate) text: TextChange,
    pub(crate) trust: Trust,
    pub(crate) proposal: Option<Proposal>,
    /// Title of the text that this one takes the place of, when it says the opposite.
    pub(crate) supersedes: Option<String>,
}

/// What becomes of a memory's file.
#[derive(Debug)]
pub(crate) enum TextChange {
    Stays,
    Written(Folded),
    Archived,
}

/// The decisions and learnings of a run.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    pub(crate) planned: Vec<Planned>,
    pub(crate) actions: Vec<ActionRecord>,
    /// Every memory the session stands behind after the run, sorted.
    pub(crate) contributed: Vec<String>,
}

/// Below this overlap two texts are not worth comparing.
const NEAR: f64 = 0.3;

pub(crate) fn plan(
    memories: &[Memory],
    kept: Vec<Kept>,
    contributor: &Contributor,
    update_overlap: f64,
    mut new_id: impl FnMut() -> String,
) -> Plan {
    let mut plan = Plan::default();
    let standing = Standing::of(memories, contributor);
    let mut placed = place(&standing, &kept, update_overlap);
    for (index, kept) in kept.into_iter().enumerate() {
        match placed.remove(&index) {
            Some(placement) => join(&mut plan, &standing, kept, contributor, placement),
            None => add(&mut plan, kept, contributor, new_id()),
        }
    }
    withdraw(&mut plan, &standing, contributor);
    plan.contributed.sort();
    plan.contributed.dedup();
    plan
}

/// A memory as it stands without this session.
struct Stood<'a> {
    memory: &'a Memory,
    /// What others contributed.
    left: Vec<Contribution>,
    own: Vec<Contribution>,
    /// What it said before this run, from all its contributions.
    before: Option<Folded>,
    /// Held by a person: edited, confirmed or written by hand.
    held: bool,
}

impl Stood<'_> {
    /// Nothing is left of it without this session.
    fn is_withdrawn(&self) -> bool {
        self.left.is_empty() && !self.held
    }

    fn known(&self) -> Known {
        let mut statements = Vec::new();
        if self.held {
            statements.push(own_words(self.memory));
        }
        statements.extend(fold(&self.left).map(|folded| folded.statement()));
        statements.extend(self.left.iter().map(statement));
        if self.held || self.left.is_empty() {
            statements.extend(self.own.iter().map(statement));
        }
        Known {
            id: self.memory.id.clone(),
            statements,
            newest_ms: self
                .left
                .iter()
                .map(|contribution| contribution.newest_ms)
                .max()
                .unwrap_or(0),
        }
    }
}

struct Standing<'a>(BTreeMap<&'a str, Stood<'a>>);

impl<'a> Standing<'a> {
    fn of(memories: &'a [Memory], contributor: &Contributor) -> Self {
        let standing = memories
            .iter()
            .filter(|memory| memory.memory_type != MemoryType::Summary && !memory.is_archived())
            .map(|memory| {
                let all = contributions_of(memory);
                let (own, left): (Vec<_>, Vec<_>) =
                    all.iter().cloned().partition(|one| contributor.made(one));
                let stood = Stood {
                    memory,
                    before: fold(all),
                    left,
                    own,
                    held: memory.is_protected(),
                };
                (memory.id.as_str(), stood)
            })
            .collect();
        Self(standing)
    }
}

struct Placement {
    id: String,
    overlap: f64,
    says: Says,
}

/// Gives each memory to the candidate that fits it best. What others left is matched first; a
/// memory that is only this session's own lends nothing but its id.
fn place(
    standing: &Standing<'_>,
    kept: &[Kept],
    update_overlap: f64,
) -> BTreeMap<usize, Placement> {
    let (withdrawn, left): (Vec<_>, Vec<_>) =
        standing.0.values().partition(|stood| stood.is_withdrawn());
    let mut placed = BTreeMap::new();
    for group in [left, withdrawn] {
        let known: Vec<Known> = group.iter().map(|stood| stood.known()).collect();
        let mut proposals: Vec<(usize, Placement)> = Vec::new();
        for (index, kept) in kept.iter().enumerate() {
            if placed.contains_key(&index) {
                continue;
            }
            let candidate = Statement::new(
                kept.memory_type,
                &kept.candidate.title,
                &kept.candidate.body,
            );
            let near: Vec<&Known> = known
                .iter()
                .filter(|memory| {
                    memory
                        .statements
                        .iter()
                        .any(|one| candidate.overlap(one) >= NEAR)
                })
                .collect();
            for memory in near {
                let verdict = decide(
                    &candidate,
                    kept.newest_ms,
                    std::slice::from_ref(memory),
                    update_overlap,
                );
                if let Verdict::Join { id, overlap, says } = verdict {
                    proposals.push((index, Placement { id, overlap, says }));
                }
            }
        }
        proposals.sort_by(|(left_index, left), (right_index, right)| {
            right
                .overlap
                .total_cmp(&left.overlap)
                .then_with(|| left.id.cmp(&right.id))
                .then_with(|| left_index.cmp(right_index))
        });
        let mut taken = Vec::new();
        for (index, placement) in proposals {
            if !placed.contains_key(&index) && !taken.contains(&placement.id) {
                taken.push(placement.id.clone());
                placed.insert(index, placement);
            }
        }
    }
    placed
}

fn add(plan: &mut Plan, kept: Kept, contributor: &Contributor, id: String) {
    let contribution = contribution(&kept, contributor);
    let folded = fold(std::slice::from_ref(&contribution)).expect("one contribution folds");
    plan.actions.push(ActionRecord {
        candidate_id: Some(kept.candidate.id),
        action: Action::Add,
        memory_id: id.clone(),
        path: None,
        overlap: None,
        reason: "no memory says this yet".to_owned(),
    });
    plan.contributed.push(id.clone());
    plan.planned.push(Planned {
        id,
        memory_type: kept.memory_type,
        before: None,
        contributions: vec![contribution],
        trust: folded.trust,
        text: TextChange::Written(folded),
        proposal: None,
        supersedes: None,
    });
}

fn join(
    plan: &mut Plan,
    standing: &Standing<'_>,
    kept: Kept,
    contributor: &Contributor,
    placement: Placement,
) {
    let stood = &standing.0[placement.id.as_str()];
    let mut fresh = contribution(&kept, contributor);
    // The same words from the same session: what is on disk stays byte for byte.
    if let Some(known) = stood
        .own
        .iter()
        .find(|own| own.candidate == fresh.candidate && own.evidence == fresh.evidence)
    {
        fresh = known.clone();
    }
    let mut contributions = stood.left.clone();
    contributions.push(fresh);
    contributions.sort_by(|left, right| order(left).cmp(&order(right)));
    let after = fold(&contributions).expect("there is at least the fresh one");
    let reads_the_same = stood
        .before
        .as_ref()
        .is_some_and(|before| before.reads_like(&after));
    let (action, reason, text, proposal) = if stood.held {
        if after.statement().adds_to(&own_words(stood.memory)) && !reads_the_same {
            let reason = "a person holds this memory; the change is proposed, not made";
            let proposal = propose(ProposalOperation::Update, &after, contributor, reason);
            (Action::NoOp, reason, TextChange::Stays, Some(proposal))
        } else {
            (
                Action::NoOp,
                "a person's own text says it already",
                TextChange::Stays,
                None,
            )
        }
    } else if reads_the_same {
        let reason = match placement.says {
            Says::SomethingOlder => "the memory's evidence is newer",
            _ => "type, title and body say nothing new",
        };
        (Action::NoOp, reason, TextChange::Stays, None)
    } else {
        let reason = match placement.says {
            Says::TheOpposite => "says the opposite of what stood there, and is newer",
            _ => "same matter, more to say",
        };
        (
            Action::Update,
            reason,
            TextChange::Written(after.clone()),
            None,
        )
    };
    let supersedes = (placement.says == Says::TheOpposite
        && matches!(text, TextChange::Written(_)))
    .then(|| stood.memory.front_matter.title.clone());
    plan.actions.push(ActionRecord {
        candidate_id: Some(kept.candidate.id),
        action,
        memory_id: placement.id.clone(),
        path: Some(stood.memory.path.to_string()),
        overlap: Some(placement.overlap),
        reason: reason.to_owned(),
    });
    plan.contributed.push(placement.id.clone());
    plan.planned.push(Planned {
        id: placement.id,
        memory_type: stood.memory.memory_type,
        before: Some(stood.memory.clone()),
        contributions,
        trust: after.trust,
        text,
        proposal,
        supersedes,
    });
}

/// Memories this session stood behind and no longer does.
fn withdraw(plan: &mut Plan, standing: &Standing<'_>, contributor: &Contributor) {
    for (id, stood) in &standing.0 {
        if stood.own.is_empty() || plan.contributed.iter().any(|contributed| contributed == id) {
            continue;
        }
        let after = fold(&stood.left);
        let (action, reason, text, proposal) = match (&after, stood.held) {
            (None, true) => {
                let reason = "the session no longer says it, but a person holds this memory";
                let before = stood.before.as_ref();
                let proposal = before
                    .map(|before| propose(ProposalOperation::Archive, before, contributor, reason));
                (Action::NoOp, reason, TextChange::Stays, proposal)
            }
            (None, false) => (
                Action::Archive,
                "the session that said it no longer does",
                TextChange::Archived,
                None,
            ),
            (Some(after), false)
                if !stood
                    .before
                    .as_ref()
                    .is_some_and(|before| before.reads_like(after)) =>
            {
                (
                    Action::Update,
                    "this session's part is withdrawn",
                    TextChange::Written(after.clone()),
                    None,
                )
            }
            _ => (
                Action::NoOp,
                "this session's part is withdrawn; others say it still",
                TextChange::Stays,
                None,
            ),
        };
        plan.actions.push(ActionRecord {
            candidate_id: None,
            action,
            memory_id: (*id).to_owned(),
            path: Some(stood.memory.path.to_string()),
            overlap: None,
            reason: reason.to_owned(),
        });
        plan.planned.push(Planned {
            id: (*id).to_owned(),
            memory_type: stood.memory.memory_type,
            before: Some(stood.memory.clone()),
            contributions: stood.left.clone(),
            trust: after.map_or(Trust::Untrusted, |after| after.trust),
            text,
            proposal,
            supersedes: None,
        });
    }
}

fn contributions_of(memory: &Memory) -> &[Contribution] {
    memory
        .evidence
        .as_ref()
        .map_or(&[], |evidence| &evidence.contributions)
}

/// What a memory's file says today.
pub(crate) fn own_words(memory: &Memory) -> Statement {
    Statement::new(memory.memory_type, memory.title(), body_of(memory))
}

/// The body without the heading that repeats the title.
pub(crate) fn body_of(memory: &Memory) -> &str {
    let body = memory.body().trim();
    match body.split_once('\n') {
        Some((heading, rest))
            if heading
                .strip_prefix("# ")
                .is_some_and(|heading| heading.trim() == memory.title()) =>
        {
            rest.trim()
        }
        None if body
            .strip_prefix("# ")
            .is_some_and(|heading| heading.trim() == memory.title()) =>
        {
            ""
        }
        _ => body,
    }
}

fn propose(
    operation: ProposalOperation,
    folded: &Folded,
    contributor: &Contributor,
    reason: &str,
) -> Proposal {
    Proposal {
        run_id: contributor.run_id.clone(),
        operation,
        title: folded.title.clone(),
        body: folded.body.clone(),
        kind: folded.kind.clone(),
        tags: folded.tags.clone(),
        confidence: folded.confidence,
        reason: reason.to_owned(),
    }
}

fn contribution(kept: &Kept, contributor: &Contributor) -> Contribution {
    Contribution {
        agent: contributor.agent.clone(),
        session_id: contributor.session_id.clone(),
        run_id: contributor.run_id.clone(),
        events: contributor.events,
        last_ms: contributor.last_ms,
        newest_ms: kept.newest_ms,
        created_ms: contributor.created_ms,
        candidate: ContributedCandidate {
            memory_type: kept.memory_type,
            kind: kept.candidate.kind.clone(),
            title: kept.candidate.title.clone(),
            body: kept.candidate.body.clone(),
            confidence: kept.candidate.confidence,
            tags: kept.candidate.tags.clone(),
        },
        evidence: kept.citations.iter().map(quoted).collect(),
    }
}

pub(crate) fn quoted(cited: &Cited) -> QuotedEvent {
    let event = &cited.event;
    QuotedEvent {
        event_id: event.id.clone(),
        record: event.origin.record.clone(),
        start: event.origin.start,
        end: event.origin.end,
        // Injected text stands in a user's turn, but no user said it.
        role: if cited.is_spoken() {
            event.role.clone()
        } else {
            "tool".to_owned()
        },
        at_ms: event.at_ms,
        quote: cited.quote.clone(),
    }
}

impl Planned {
    pub(crate) fn evidence(&self) -> EvidenceFile {
        EvidenceFile {
            id: self.id.clone(),
            contributions: self.contributions.clone(),
        }
    }
}
