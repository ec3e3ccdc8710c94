//! The draft: every action's file, written once. An action that cannot be written fails the call; the host discards an
//! incomplete draft.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use acreta_sdk::memory_writer::{Action, Context, Failure, Written};

use crate::body;
use crate::front_matter::{self, ActionContent};
use crate::names::Names;
use crate::time::UtcTime;
use crate::types::TypeEntry;

/// Writes one file under `root` for each action, in their order.
pub fn apply(
    root: &Path,
    types: &[TypeEntry],
    context: &Context,
    actions: &[Action],
) -> Result<Vec<Written>, Failure> {
    let mut names = Names::reserving(actions)?;
    let mut written = Vec::with_capacity(actions.len());
    for action in actions {
        let content = ActionContent::of(action)?;
        let entry = type_entry(types, &content, action)?;
        let created = UtcTime::new(action.created_ms)?;
        let path = match &action.target {
            Some(target) => target.clone(),
            None => names.give(&entry.folder, &content, &created),
        };
        let text = text(context, action, &content, entry)?;
        create(&root.join(&path), &text).map_err(|cause| Failure {
            code: "io".to_owned(),
            message: format!("could not write `{path}`: {cause}"),
            retryable: true,
        })?;
        written.push(Written {
            action_id: action.id.clone(),
            path,
            attrs: Vec::new(),
        });
    }
    Ok(written)
}

/// Renders the whole file: front matter, heading, body.
fn text(
    context: &Context,
    action: &Action,
    content: &ActionContent<'_>,
    entry: &TypeEntry,
) -> Result<String, Failure> {
    let front_matter = front_matter::lines(context, action, content, entry)?;
    let body = body::document(content.title(), content.body());
    Ok(format!("---\n{front_matter}---\n{body}"))
}

fn type_entry<'types>(
    types: &'types [TypeEntry],
    content: &ActionContent<'_>,
    action: &Action,
) -> Result<&'types TypeEntry, Failure> {
    types
        .iter()
        .find(|entry| entry.name == content.category())
        .ok_or_else(|| Failure {
            code: "unknown-type".to_owned(),
            message: format!(
                "action `{}` is of type `{}`, which the registry does not know",
                action.id,
                content.category()
            ),
            retryable: false,
        })
}

fn create(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    File::create_new(path)?.write_all(text.as_bytes())
}
