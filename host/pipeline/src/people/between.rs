//! A person's decisions about two memories: merge one into the other, supersede one by the other, or keep both.

use acreta_store::{Memory, Status};

use crate::error::RunError;
use crate::maintain::consolidate::Consolidation;
use crate::maintain::pair::both_hold;
use crate::memory::planned::{PlannedMemory, state_of};
use crate::memory::writable::WritableMemory;
use crate::people::amend::{Amendment, note_dismissed, refused};

impl WritableMemory {
    /// Returns both memories after a decision about the first, and the message for the person. The decision confirms
    /// the memory that stays in use.
    pub(crate) fn decide_between(
        &self,
        memory: &Memory,
        other: &Memory,
        amendment: &Amendment,
        run_id: &str,
    ) -> Result<(Vec<PlannedMemory>, &'static str), RunError> {
        if memory.id == other.id {
            return Err(refused("a memory cannot replace itself".to_owned()));
        }
        for one in [memory, other] {
            if one.is_archived() || state_of(one).status != Status::Active {
                return Err(refused(format!("`{}` is not active", one.id)));
            }
            if !one.memory_type.entry().extractable {
                let name = one.memory_type.name();
                return Err(refused(format!("a {name} cannot be merged or replaced")));
            }
        }
        if let Amendment::HoldsBeside(_) = amendment {
            let mark = both_hold(memory, other);
            let planned = [memory, other].map(|one| {
                let mut planned = PlannedMemory::of(one);
                note_dismissed(&mut planned, mark.clone());
                planned.confirms = true;
                planned
            });
            return Ok((planned.into(), "both hold"));
        }
        let (overlap, now_ms) = (self.options.update_overlap, self.options.now_ms);
        let mut items = Consolidation::new([memory, other].into_iter(), run_id, overlap, now_ms);
        let message = match amendment {
            Amendment::MergeInto(_) if memory.memory_type != other.memory_type => {
                let (one, another) = (memory.memory_type.name(), other.memory_type.name());
                let message = format!("a {one} cannot be merged into a {another}");
                return Err(refused(message));
            }
            Amendment::MergeInto(_) => {
                items.take_in(&other.id, &memory.id, 1.0);
                "merged"
            }
            _ => {
                items.replace(&memory.id, &other.id);
                "superseded"
            }
        };
        let planned = items.by_id.into_values().map(|item| PlannedMemory {
            confirms: item.planned.id == other.id,
            ..item.planned
        });
        Ok((planned.collect(), message))
    }
}
