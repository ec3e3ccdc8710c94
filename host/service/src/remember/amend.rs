//! Changes existing memories: edit, archive, restore, confirm, reject, and accepting or dismissing proposals. Used by
//! `memory edit|archive|…`, the dashboard and agents' suggestions.

pub use acreta_pipeline::{Amended, Amendment, Edit, Suggestion};
use acreta_store::Layout;

use crate::projects::scopes::{self, MemoryScope};
use crate::{Context, Failure, remember::add, remember::locked};

/// Applies one amendment to memories, named by id or unique prefix. All are found before the first is changed.
pub fn amend(
    ids: &[String],
    amendment: &Amendment,
    scopes: &[MemoryScope],
    context: &Context,
) -> Result<Vec<Amended>, Failure> {
    let wanted = scopes::find_all_in(context, scopes, ids)?;
    let mut layouts: Vec<&Layout> = Vec::new();
    for scoped in &wanted {
        if !layouts.contains(&&scoped.layout) {
            layouts.push(&scoped.layout);
        }
    }
    let mut amended = Vec::new();
    for layout in layouts {
        let mut writable = locked::open(context, layout.clone())?;
        let of_layout = wanted.iter().filter(|scoped| scoped.layout == *layout);
        let ids: Vec<&str> = of_layout.map(|scoped| scoped.memory.id.as_str()).collect();
        amended.extend(writable.amend_all(&ids, amendment)?);
    }
    if *amendment == Amendment::Reject {
        let ids: Vec<&str> = wanted
            .iter()
            .map(|scoped| scoped.memory.id.as_str())
            .collect();
        scopes::note_rejection(context, &ids);
    }
    Ok(amended)
}

/// Result of an edit that expects a certain state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConditionalEdit {
    Done(Amended),
    /// The memory is not what the editor saw. Nothing was changed.
    ChangedMeanwhile {
        digest: String,
    },
}

/// Edits one memory if its text still has the digest that the editor saw.
pub fn edit_if_unchanged(
    id: &str,
    edit: Edit,
    expected_digest: &str,
    scopes: &[MemoryScope],
    context: &Context,
) -> Result<ConditionalEdit, Failure> {
    let found = scopes::find_in(context, scopes, id)?;
    let mut writable = locked::open(context, found.layout.clone())?;
    // Compared under the lock: the memory may have changed since it was found.
    let now = writable.snapshot().memories.iter();
    let digest = now
        .filter(|memory| memory.id == found.memory.id)
        .map(|memory| memory.digest.clone())
        .next()
        .unwrap_or_default();
    if digest != expected_digest {
        return Ok(ConditionalEdit::ChangedMeanwhile { digest });
    }
    let amendment = Amendment::Edit(normalised(edit));
    Ok(ConditionalEdit::Done(
        writable.amend(&found.memory.id, &amendment)?,
    ))
}

/// Applies an agent's suggestion about a memory: a person's memory gets a proposal, an agent's own is changed.
pub fn suggest(id: &str, suggestion: Suggestion, context: &Context) -> Result<Amended, Failure> {
    let found = scopes::find_in(context, &scopes::configured(context)?, id)?;
    let mut writable = locked::open(context, found.layout)?;
    Ok(writable.suggest(&found.memory.id, suggestion)?)
}

/// Trims, sorts and deduplicates the tags.
pub fn normalised(edit: Edit) -> Edit {
    Edit {
        tags: edit.tags.map(|tags| add::sorted(&tags)),
        ..edit
    }
}
