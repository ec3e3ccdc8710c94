//! Changes existing memories: edit, archive, restore, confirm, reject, and accepting or dismissing proposals. Used by
//! `memory edit|archive|…`, the dashboard and agents' suggestions.

pub use acreta_pipeline::{Amended, Amendment, Edit, Suggestion};
use acreta_store::Layout;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::projects::scopes::{self, MemoryScope};
use crate::{Context, Failure, Kind, remember::add, remember::locked};

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

/// An edit of a memory that its editor has read.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "MemoryEdit")]
pub struct ConditionalEdit {
    #[schemars(length(min = 1, max = 200))]
    pub title: Option<String>,
    #[schemars(length(min = 1, max = 20_000))]
    pub body: Option<String>,
    #[schemars(length(min = 1, max = 64))]
    pub kind: Option<String>,
    #[schemars(length(max = 12), inner(length(min = 1, max = 64)))]
    pub tags: Option<Vec<String>>,
    /// Digest of the version that was read.
    #[schemars(length(min = 1, max = 128))]
    pub expected_digest: String,
}

/// Edits one memory of a person's own scopes, if its text still has the digest that the editor saw.
pub fn edit_if_unchanged(
    id: &str,
    edit: &ConditionalEdit,
    context: &Context,
) -> Result<Amended, Failure> {
    let found = scopes::find_in(context, &scopes::browsed(context)?, id)?;
    let mut writable = locked::open(context, found.layout.clone())?;
    // Compared under the lock: the memory may have changed since it was found.
    let mut now = writable.snapshot().memories.iter();
    let now = now.find(|memory| memory.id == found.memory.id);
    let digest = now.map(|memory| memory.digest.clone()).unwrap_or_default();
    if digest != edit.expected_digest {
        let message =
            format!("the memory has changed since it was read; its digest is now {digest}");
        return Err(Failure::new(Kind::Changed, message).hint("read it again and repeat the edit"));
    }
    let edit = edit.clone();
    let amendment = Amendment::Edit(normalised(Edit {
        title: edit.title,
        body: edit.body,
        kind: edit.kind,
        tags: edit.tags,
        confidence: None,
    }));
    Ok(writable.amend(&found.memory.id, &amendment)?)
}

/// Applies one amendment to one memory of a person's own scopes.
pub fn amend_one(id: &str, amendment: &Amendment, context: &Context) -> Result<Amended, Failure> {
    let scopes = scopes::browsed(context)?;
    let amended = amend(&[id.to_owned()], amendment, &scopes, context)?;
    let missing = || Failure::new(Kind::Missing, format!("no such memory: `{id}`"));
    amended.into_iter().next().ok_or_else(missing)
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
