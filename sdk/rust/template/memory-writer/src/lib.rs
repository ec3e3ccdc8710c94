//! Writes one markdown file with front matter for each action. Deterministic: equal actions give equal bytes.
//!
//! Keys that a person added to the front matter are preserved. acreta's documentation of formats lists the keys of each
//! type.

mod front_matter;
mod time;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use acreta_sdk::memory_writer::{
    Action, Context, Failure, Host, MemoryType, MemoryWriter, Written,
};

/// Maximum length of the slug in a file name.
const SLUG: usize = 60;

/// The memory-writer.
pub struct ExamplePlugin;

acreta_sdk::memory_writer!(ExamplePlugin);

impl MemoryWriter for ExamplePlugin {
    fn apply(
        draft: &Path,
        context: &Context,
        actions: &[Action],
        host: &impl Host,
    ) -> Result<Vec<Written>, Failure> {
        let types = host.memory_types();
        // An existing file keeps its name, so no new one may take it.
        let mut taken: BTreeSet<String> = actions
            .iter()
            .filter_map(|action| action.target.clone())
            .collect();
        let mut written = Vec::new();
        for action in actions {
            let entry = entry(&types, action)?;
            let path = match &action.target {
                Some(target) => target.clone(),
                None => name(action, entry, &mut taken),
            };
            let text = front_matter::document(context, action, entry);
            put(&draft.join(&path), &text).map_err(|error| Failure::io(&path, &error))?;
            written.push(Written::new(action, &path));
        }
        Ok(written)
    }
}

/// Finds the registry row of the action's memory type.
fn entry<'t>(types: &'t [MemoryType], action: &Action) -> Result<&'t MemoryType, Failure> {
    let category = match (&action.candidate, &action.summary) {
        (Some(candidate), None) => &*candidate.category,
        (None, Some(_)) => "summary",
        _ => {
            let message = format!("action `{}` needs a candidate or a summary", action.id);
            return Err(Failure::new("invalid-action", message));
        }
    };
    types
        .iter()
        .find(|entry| entry.name == category)
        .ok_or_else(|| Failure::new("unknown-type", format!("there is no type `{category}`")))
}

/// `<folder>/<date>-<slug>.md`, for summaries with the time; then `-2`, `-3`, ….
fn name(action: &Action, entry: &MemoryType, taken: &mut BTreeSet<String>) -> String {
    let (title, stamp) = match &action.summary {
        Some(summary) => (&summary.title, time::compact_with_clock(action.created_ms)),
        None => {
            let title = action.candidate.as_ref().map(|candidate| &candidate.title);
            let stamp = time::compact(action.created_ms);
            (title.unwrap_or(&action.memory_id), stamp)
        }
    };
    let stem = format!("{}/{stamp}-{}", entry.folder, slug(title));
    let mut path = format!("{stem}.md");
    let mut number = 2;
    while !taken.insert(path.clone()) {
        path = format!("{stem}-{number}.md");
        number += 1;
    }
    path
}

fn slug(title: &str) -> String {
    let lower = title.to_lowercase();
    let words = lower
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty());
    let mut slug = String::new();
    for word in words {
        if slug.len() + word.len() >= SLUG {
            break;
        }
        if !slug.is_empty() {
            slug.push('-');
        }
        slug.push_str(word);
    }
    if slug.is_empty() {
        slug.push_str("memory");
    }
    slug
}

fn put(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}
