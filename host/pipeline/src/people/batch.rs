//! Amendments of many memories at once, with few commits.

use std::sync::Arc;

use super::amend::{Amended, Amendment};
use crate::error::RunError;
use crate::memory::speakers::PERSON;
use crate::memory::workspace::TracingPluginLog;
use crate::memory::writable::WritableMemory;

/// Number of memories changed with one commit. All of memory is reloaded after each commit, so one commit per memory
/// would take quadratic time.
const TOGETHER: usize = 200;

impl WritableMemory {
    /// Changes several memories in the same way, many with one commit. Ids must be from the snapshot.
    pub fn amend_all(
        &mut self,
        ids: &[&str],
        amendment: &Amendment,
    ) -> Result<Vec<Amended>, RunError> {
        // An amendment of two memories must see earlier changes of the other one.
        let together = match amendment {
            Amendment::MergeInto(_) | Amendment::SupersedeBy(_) | Amendment::HoldsBeside(_) => 1,
            _ => TOGETHER,
        };
        let mut amended = Vec::with_capacity(ids.len());
        for some in ids.chunks(together) {
            amended.extend(self.amend_together(some, amendment)?);
        }
        Ok(amended)
    }

    fn amend_together(
        &mut self,
        ids: &[&str],
        amendment: &Amendment,
    ) -> Result<Vec<Amended>, RunError> {
        let run_id = self.run_id("amend");
        let (mut planned, mut messages) = (Vec::new(), Vec::new());
        for id in ids {
            let change = self.plan_amendment(id, amendment)?;
            planned.extend(change.planned);
            messages.push(change.message);
        }
        let prepared = self.prepare(
            &run_id,
            PERSON,
            &planned,
            Arc::new(TracingPluginLog),
            &mut |_| {},
        )?;
        self.commit(&prepared)?;
        let amended = ids.iter().zip(messages);
        Ok(amended
            .map(|(&id, message)| Amended {
                id: id.to_owned(),
                path: prepared.paths[id].to_string(),
                changed: prepared.changes(id),
                message,
            })
            .collect())
    }
}
