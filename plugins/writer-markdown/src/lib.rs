//! The memory-writer `writer-markdown`: one markdown file with front matter for each action. Deterministic: equal
//! actions give equal bytes. A person's additions to a file are preserved.

mod body;
mod draft;
mod front_matter;
mod kept;
mod names;
#[cfg(test)]
mod tests;
mod time;
mod types;
mod yaml;

use std::path::Path;

use acreta_sdk::memory_writer::{Action, Context, Failure, Host, MemoryWriter, Written};

pub use draft::apply;
pub use types::TypeEntry;

/// The memory-writer.
pub struct Markdown;

acreta_sdk::memory_writer!(Markdown);

impl MemoryWriter for Markdown {
    fn apply(
        draft: &Path,
        context: &Context,
        actions: &[Action],
        host: &impl Host,
    ) -> Result<Vec<Written>, Failure> {
        let types: Vec<TypeEntry> = host
            .memory_types()
            .into_iter()
            .map(|entry| TypeEntry {
                has_kinds: !entry.kinds.is_empty(),
                name: entry.name,
                folder: entry.folder,
            })
            .collect();
        apply(draft, &types, context, actions)
    }
}
