//! Memories that contradict each other and between which a person has to decide. What `maintain` and `doctor` show, and
//! what a brief leaves out.

pub use acreta_lead::{Conflict, ConflictingMemory};

use crate::remember::WriteScope;
use crate::scopes::MemoryScope;
use crate::{Context, Failure};

/// The conflicts in a scope's memory.
pub fn conflicts(scope: WriteScope, context: &Context) -> Result<Vec<Conflict>, Failure> {
    let scope = MemoryScope::to_write(scope, context);
    if !scope.layout.has_memory()? {
        return Ok(Vec::new());
    }
    let snapshot = scope.snapshot(context)?;
    let update_overlap = context.config.float("decide.update_overlap");
    Ok(acreta_lead::conflicts(
        snapshot.iter(),
        &scope.layout,
        update_overlap,
    ))
}
