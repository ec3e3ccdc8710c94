//! Memories that contradict each other, between which a person has to decide. Used by `maintain`, `doctor` and review;
//! briefs leave them out.

pub use acreta_pipeline::{Conflict, ConflictingMemory};

use crate::projects::scopes::MemoryScope;
use crate::remember::add::WriteScope;
use crate::{Context, Failure};

/// Returns the conflicts in a scope's memory.
pub fn conflicts(scope: WriteScope, context: &Context) -> Result<Vec<Conflict>, Failure> {
    conflicts_in(&MemoryScope::to_write(scope, context), context)
}

pub(crate) fn conflicts_in(
    scope: &MemoryScope,
    context: &Context,
) -> Result<Vec<Conflict>, Failure> {
    if !scope.layout.has_memory()? {
        return Ok(Vec::new());
    }
    let snapshot = scope.snapshot(context)?;
    let update_overlap = context.config.float("decide.update_overlap");
    let found = context.process.kept.contradictions.of(
        &snapshot,
        scope.layout.base().to_owned(),
        update_overlap,
    );
    Ok(acreta_pipeline::not_undone(found, &scope.layout))
}
