//! Changes that a person makes to a memory: edit, archive, restore, confirm, reject, accept or dismiss a proposal,
//! decide between two memories. Every change goes through a draft, its checks and one commit.

use crate::memory::planned::as_it_reads;
use std::sync::Arc;

use acreta_store::{
    ArchivedBy, ContributedCandidate, Contribution, Memory, Proposal, ProposalOperation,
    QuotedEvent, Trust,
};
use acreta_types::MemoryType;
use schemars::JsonSchema;
use serde::Serialize;

use crate::decide::folded::FoldedMemory;
use crate::decide::gates::well_formed_note;
use crate::error::RunError;
use crate::memory::planned::{PlannedMemory, TextChange};
use crate::memory::speakers::PERSON;
use crate::memory::workspace::TracingPluginLog;
use crate::memory::workspace::instant;
use crate::memory::writable::WritableMemory;
use crate::memory::write::PreparedChange;

/// A change that a person makes to a memory.
#[derive(Debug, Clone, PartialEq)]
pub enum Amendment {
    Edit(Edit),
    /// Replaces the whole file, including front matter.
    Text(String),
    Archive,
    Restore,
    Confirm,
    /// Archives it; the same evidence does not bring it back.
    Reject,
    /// Accepts a proposal, counted from 1.
    Accept(usize),
    /// Accepts a proposal, counted from 1, with the person's edits.
    AcceptEdited(usize, Edit),
    /// Dismisses its proposals; they are not made again.
    Dismiss,
    /// Dismisses this proposal, counted from 1.
    DismissOne(usize),
    /// Archives it: the memory with this id contains all of it, and gets its evidence.
    MergeInto(String),
    /// Supersedes it by the memory with this id; it stays readable.
    SupersedeBy(String),
    /// Records that it does not contradict the memory with this id.
    HoldsBeside(String),
}

/// New values of a memory's fields; a `None` field stays unchanged.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Edit {
    pub title: Option<String>,
    pub body: Option<String>,
    pub kind: Option<String>,
    pub tags: Option<Vec<String>>,
    pub confidence: Option<f32>,
}

/// Result of an amendment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "MemoryChanged")]
pub struct Amended {
    pub id: String,
    /// Relative to the memory root.
    pub path: String,
    pub changed: bool,
    pub message: &'static str,
}

/// An amendment that is planned but not committed.
pub(crate) struct PlannedAmendment {
    pub(crate) run_id: String,
    pub(crate) planned: Vec<PlannedMemory>,
    pub(crate) message: &'static str,
}

impl WritableMemory {
    /// Changes memory. The id must be one of the snapshot's.
    pub fn amend(&mut self, id: &str, amendment: &Amendment) -> Result<Amended, RunError> {
        let change = self.plan_amendment(id, amendment)?;
        let prepared = self.prepare_amendment(&change)?;
        self.commit(&prepared)?;
        Ok(Amended {
            id: id.to_owned(),
            path: prepared.paths[id].to_string(),
            changed: prepared.changes_something(),
            message: change.message,
        })
    }

    pub(crate) fn plan_amendment(
        &self,
        id: &str,
        amendment: &Amendment,
    ) -> Result<PlannedAmendment, RunError> {
        let memory = self.memory(id)?;
        let mut planned = PlannedMemory::of(memory);
        let run_id = self.run_id("amend");
        let message = match amendment {
            Amendment::Edit(edit) => self.edit(&mut planned, memory, edit, &run_id)?,
            Amendment::Text(text) => self.replace_text(&mut planned, memory, text, &run_id)?,
            Amendment::Archive => archive(&mut planned, memory)?,
            Amendment::Restore => restore(&mut planned, memory),
            Amendment::Confirm => self.confirm(&mut planned, memory),
            Amendment::Reject => reject(&mut planned, memory)?,
            Amendment::Accept(number) => self.accept(&mut planned, memory, *number)?,
            Amendment::AcceptEdited(number, edit) => {
                take_proposal(&mut planned, *number)?;
                self.edit(&mut planned, memory, edit, &run_id)?;
                "proposal accepted with your edits"
            }
            Amendment::Dismiss => dismiss(&mut planned),
            Amendment::DismissOne(number) => {
                let proposal = take_proposal(&mut planned, *number)?;
                note_dismissed(&mut planned, proposal.digest());
                "the proposal is dismissed"
            }
            Amendment::MergeInto(other)
            | Amendment::SupersedeBy(other)
            | Amendment::HoldsBeside(other) => {
                let other = self.memory(other)?;
                let (planned, message) = self.decide_between(memory, other, amendment, &run_id)?;
                return Ok(PlannedAmendment {
                    run_id,
                    planned,
                    message,
                });
            }
        };
        Ok(PlannedAmendment {
            run_id,
            planned: vec![planned],
            message,
        })
    }

    pub(crate) fn prepare_amendment(
        &self,
        change: &PlannedAmendment,
    ) -> Result<PreparedChange, RunError> {
        let log = Arc::new(TracingPluginLog);
        self.prepare(&change.run_id, PERSON, &change.planned, log, &mut |_| {})
    }

    fn memory(&self, id: &str) -> Result<&Memory, RunError> {
        let mut memories = self.snapshot.iter();
        memories
            .find(|memory| memory.id == id)
            .ok_or_else(|| refused(format!("there is no memory `{id}`")))
    }

    fn edit(
        &self,
        planned: &mut PlannedMemory,
        memory: &Memory,
        edit: &Edit,
        run_id: &str,
    ) -> Result<&'static str, RunError> {
        if memory.memory_type == MemoryType::Summary {
            let message = "a summary cannot be edited field by field: edit its file".to_owned();
            return Err(refused(message));
        }
        let mut folded = as_it_reads(memory, self.options.now_ms);
        let before = folded.clone();
        if let Some(title) = &edit.title {
            folded.title = title.trim().to_owned();
        }
        if let Some(body) = &edit.body {
            folded.body = body.trim().to_owned();
        }
        if let Some(kind) = &edit.kind {
            folded.kind = kind.clone();
        }
        if let Some(tags) = &edit.tags {
            folded.tags = tags.clone();
            folded.tags.sort();
            folded.tags.dedup();
        }
        if let Some(confidence) = edit.confidence {
            folded.confidence = confidence;
        }
        if folded == before {
            return Ok("it already says that");
        }
        folded.updated_ms = self.options.now_ms;
        let contribution = self.persons(&folded, run_id);
        self.check(&contribution)?;
        planned.contributions.push(contribution);
        planned.confirms = true;
        planned.text = TextChange::Written(folded);
        Ok("edited")
    }

    fn replace_text(
        &self,
        planned: &mut PlannedMemory,
        memory: &Memory,
        text: &str,
        run_id: &str,
    ) -> Result<&'static str, RunError> {
        if text == memory.text {
            return Ok("it already says that");
        }
        let parsed = Memory::parse(memory.memory_type, memory.path.clone(), text.to_owned())
            .map_err(|error| refused(format!("the new text cannot be read: {error}")))?;
        if let Some(rule) = self.options.redactor.redact(text).counts.iter().next() {
            return Err(refused(format!(
                "the new text contains a secret ({})",
                rule.0
            )));
        }
        if memory.memory_type != MemoryType::Summary {
            let folded = as_it_reads(&parsed, self.options.now_ms);
            let contribution = self.persons(&folded, run_id);
            self.check(&contribution)?;
            planned.contributions.push(contribution);
        }
        planned.confirms = true;
        planned.text = TextChange::Given(text.to_owned());
        Ok("edited")
    }

    fn confirm(&self, planned: &mut PlannedMemory, memory: &Memory) -> &'static str {
        if memory.trust() == Trust::Confirmed && !planned.state.stale {
            return "it is already confirmed";
        }
        planned.confirms = true;
        // A person looked at it: missing references no longer matter.
        planned.state.stale = false;
        planned.state.missing = Vec::new();
        planned.state.last_verified = Some(day(self.options.now_ms));
        "confirmed"
    }

    fn accept(
        &self,
        planned: &mut PlannedMemory,
        memory: &Memory,
        number: usize,
    ) -> Result<&'static str, RunError> {
        let proposal = take_proposal(planned, number)?;
        match proposal.operation {
            ProposalOperation::Archive => {
                archive(planned, memory)?;
                Ok("proposal accepted: archived")
            }
            ProposalOperation::Update => {
                // The person confirmed the old text and chose the new one.
                planned.confirms = memory.trust() == Trust::Confirmed;
                planned.text = TextChange::Written(self.proposed(memory, proposal));
                Ok("proposal accepted")
            }
        }
    }

    fn proposed(&self, memory: &Memory, proposal: Proposal) -> FoldedMemory {
        let before = as_it_reads(memory, self.options.now_ms);
        FoldedMemory {
            title: proposal.title,
            body: proposal.body,
            kind: proposal.kind,
            tags: proposal.tags,
            confidence: proposal.confidence,
            updated_ms: self.options.now_ms,
            source: None,
            ..before
        }
    }

    /// Returns a person's words as evidence.
    fn persons(&self, folded: &FoldedMemory, run_id: &str) -> Contribution {
        let now_ms = self.options.now_ms;
        Contribution {
            agent: PERSON.to_owned(),
            session_id: run_id.to_owned(),
            run_id: run_id.to_owned(),
            events: 1,
            last_ms: Some(now_ms),
            newest_ms: now_ms,
            created_ms: folded.created_ms,
            found_by: Vec::new(),
            reading: None,
            candidate: ContributedCandidate {
                memory_type: folded.memory_type,
                kind: folded.kind.clone(),
                title: folded.title.clone(),
                body: folded.body.clone(),
                confidence: folded.confidence,
                tags: folded.tags.clone(),
            },
            evidence: vec![QuotedEvent {
                event_id: "edit".to_owned(),
                record: String::new(),
                start: 0,
                end: 0,
                role: "user".to_owned(),
                at_ms: Some(now_ms),
                quote: folded.title.clone(),
            }],
        }
    }

    fn check(&self, contribution: &Contribution) -> Result<(), RunError> {
        let candidate = acreta_types::Candidate {
            id: "edit".to_owned(),
            category: contribution.candidate.memory_type.name().to_owned(),
            kind: contribution.candidate.kind.clone(),
            title: contribution.candidate.title.clone(),
            body: contribution.candidate.body.clone(),
            confidence: contribution.candidate.confidence,
            tags: contribution.candidate.tags.clone(),
            evidence: Vec::new(),
            attrs: acreta_types::Attrs::default(),
        };
        well_formed_note(&candidate, &self.options.redactor)
            .map(|_| ())
            .map_err(|reason| refused(format!("the new text is refused: it {reason}")))
    }
}

/// Removes and returns a proposal by its number, counted from 1.
fn take_proposal(planned: &mut PlannedMemory, number: usize) -> Result<Proposal, RunError> {
    let proposals = &mut planned.state.proposals;
    if number == 0 || number > proposals.len() {
        let message = match proposals.len() {
            0 => "it has no proposals".to_owned(),
            count => format!("there is no proposal {number}: it has {count}"),
        };
        return Err(refused(message));
    }
    Ok(proposals.remove(number - 1))
}

fn archive(planned: &mut PlannedMemory, memory: &Memory) -> Result<&'static str, RunError> {
    if !memory.memory_type.entry().extractable {
        let message = format!("a {} cannot be archived", memory.memory_type.name());
        return Err(refused(message));
    }
    if memory.is_archived() {
        return Ok("it is already archived");
    }
    planned.archive(ArchivedBy::Person);
    Ok("archived")
}

pub(crate) fn restore(planned: &mut PlannedMemory, memory: &Memory) -> &'static str {
    let superseded = planned.state.superseded_by.is_some();
    let is_rejected = planned.state.rejected || memory.is_rejected();
    if !memory.is_archived() && !superseded && !is_rejected {
        return "it is in use";
    }
    planned.activate();
    planned.text = TextChange::Restored;
    "restored"
}

fn reject(planned: &mut PlannedMemory, memory: &Memory) -> Result<&'static str, RunError> {
    if memory.is_archived() && planned.state.rejected && memory.is_rejected() {
        return Ok("it is already rejected");
    }
    archive(planned, memory)?;
    planned.rejects = true;
    planned.state.rejected = true;
    planned.state.archived_by = Some(ArchivedBy::Person);
    Ok("rejected: the same evidence does not bring it back")
}

fn dismiss(planned: &mut PlannedMemory) -> &'static str {
    let proposals = std::mem::take(&mut planned.state.proposals);
    if proposals.is_empty() {
        return "it has no proposals";
    }
    for proposal in proposals {
        note_dismissed(planned, proposal.digest());
    }
    "its proposals are dismissed"
}

/// Records a proposal that a person dismissed.
pub(crate) fn note_dismissed(planned: &mut PlannedMemory, digest: String) {
    if !planned.state.dismissed.contains(&digest) {
        planned.state.dismissed.push(digest);
    }
}

pub(crate) fn day(now_ms: u64) -> String {
    instant(now_ms).strftime("%Y-%m-%d").to_string()
}

pub(crate) fn refused(message: String) -> RunError {
    RunError::Refused { message }
}
