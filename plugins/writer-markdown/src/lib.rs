//! The memory-writer `writer-markdown`: one markdown file with front matter for each action.
//! The same actions give the same bytes, and what a person added to a file stays in it.

mod body;
mod draft;
mod front_matter;
mod kept;
mod names;
#[cfg(test)]
mod tests;
mod time;
mod yaml;

pub use draft::{TypeEntry, apply};

#[cfg(target_family = "wasm")]
mod component {
    use std::path::Path;

    use acreta_sdk::memory_writer::{Action, Context, Failure, Guest, Written, host};

    use crate::TypeEntry;

    struct Markdown;

    impl Guest for Markdown {
        fn apply(context: Context, actions: Vec<Action>) -> Result<Vec<Written>, Failure> {
            let types: Vec<TypeEntry> = host::registry::memory_types()
                .into_iter()
                .map(|entry| TypeEntry {
                    has_kinds: !entry.kinds.is_empty(),
                    name: entry.name,
                    folder: entry.folder,
                })
                .collect();
            crate::apply(Path::new("/draft"), &types, &context, &actions)
        }
    }

    acreta_sdk::memory_writer::export!(Markdown);
}
