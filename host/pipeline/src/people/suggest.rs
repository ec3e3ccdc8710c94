//! Changes that an agent makes to one memory. An agent may have been misled by what it read: it changes nothing that a
//! person holds, and nothing that cannot be undone.

use std::sync::Arc;

use acreta_store::{ArchivedBy, Memory, Proposal, ProposalOperation};

use crate::error::RunError;
use crate::memory::planned::PlannedMemory;
use crate::memory::planned::as_it_reads;
use crate::memory::speakers::CLIENT;
use crate::memory::workspace::TracingPluginLog;
use crate::memory::writable::WritableMemory;
use crate::people::amend::{Amended, refused, restore};

/// A change that an agent asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Suggestion {
    /// Archive it. If a person edited or confirmed it, it stays and the person is asked.
    Archive,
    /// Restore it, unless a person archived it.
    Restore,
    /// It is wrong: a person is asked.
    Doubt,
}

impl WritableMemory {
    /// Makes the changes that an agent may make, and asks a person about the rest. The id must be one of the
    /// snapshot's.
    pub fn suggest(&mut self, id: &str, suggestion: Suggestion) -> Result<Amended, RunError> {
        let Some(memory) = self.snapshot.memories.iter().find(|memory| memory.id == id) else {
            return Err(refused(format!("there is no memory `{id}`")));
        };
        if !memory.memory_type.entry().extractable {
            let message = format!("a {} cannot be archived", memory.memory_type.name());
            return Err(refused(message));
        }
        let run_id = self.run_id("suggest");
        let mut planned = PlannedMemory::of(memory);
        let message = match suggestion {
            Suggestion::Archive if memory.is_archived() => "it is already archived",
            Suggestion::Archive if memory.is_protected() => self.ask(
                &mut planned,
                memory,
                &run_id,
                "an agent proposes to archive it",
            ),
            Suggestion::Archive => {
                planned.archive(ArchivedBy::Agent);
                "archived; it can be restored"
            }
            Suggestion::Restore if is_a_persons_will(&planned) => {
                let message = "a person archived it: only a person can restore it".to_owned();
                return Err(refused(message));
            }
            Suggestion::Restore => restore(&mut planned, memory),
            Suggestion::Doubt => self.ask(
                &mut planned,
                memory,
                &run_id,
                "an agent reported it as wrong",
            ),
        };
        let log = Arc::new(TracingPluginLog);
        let planned = std::slice::from_ref(&planned);
        let prepared = self.prepare(&run_id, CLIENT, planned, log, &mut |_| {})?;
        self.commit(&prepared)?;
        Ok(Amended {
            id: id.to_owned(),
            path: prepared.paths[id].to_string(),
            changed: !prepared.change.files.is_empty(),
            message,
        })
    }

    fn ask(
        &self,
        planned: &mut PlannedMemory,
        memory: &Memory,
        run_id: &str,
        reason: &str,
    ) -> &'static str {
        let now = as_it_reads(memory, self.options.now_ms);
        let is_new = planned.propose(Proposal {
            run_id: run_id.to_owned(),
            operation: ProposalOperation::Archive,
            title: now.title,
            body: now.body,
            kind: now.kind,
            tags: now.tags,
            confidence: now.confidence,
            reason: reason.to_owned(),
        });
        if is_new {
            "it stays until a person decides: archiving is proposed"
        } else {
            "it stays: this was already proposed"
        }
    }
}

fn is_a_persons_will(planned: &PlannedMemory) -> bool {
    planned.state.rejected || planned.state.archived_by == Some(ArchivedBy::Person)
}
