//! A minimal memory-writer. Every string is quoted, and a person's additions are not preserved.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use acreta_sdk::memory_writer::{Action, Candidate, Context, Failure, Summary, Written};
use acreta_text::slug;
use jiff::Timestamp;

use crate::failure;

/// Writes one file for each action. `folders` holds each type's folder.
pub(crate) fn apply(
    root: &Path,
    folders: &[(String, String)],
    context: &Context,
    actions: &[Action],
) -> Result<Vec<Written>, Failure> {
    let mut written = Vec::new();
    for action in actions {
        let (category, title, stamp, text) = match (&action.candidate, &action.summary) {
            (Some(candidate), _) => {
                let text = memory(context, action, candidate);
                (
                    candidate.category.as_str(),
                    &candidate.title,
                    "%Y%m%d",
                    text,
                )
            }
            (None, Some(summary)) => {
                let text = digest(context, action, summary);
                ("summary", &summary.title, "%Y%m%d-%H%M%S", text)
            }
            (None, None) => return Err(failure("invalid-action", action.id.clone())),
        };
        let folder = folders.iter().find(|(name, _)| name == category);
        let Some((_, folder)) = folder else {
            return Err(failure("unknown-type", category.to_owned()));
        };
        let new = || {
            format!(
                "{folder}/{}-{}.md",
                time(action.created_ms, stamp),
                slug(title)
            )
        };
        let path = action.target.clone().unwrap_or_else(new);
        create(&root.join(&path), &text)
            .map_err(|cause| failure("io", format!("could not write `{path}`: {cause}")))?;
        written.push(Written {
            action_id: action.id.clone(),
            path,
            attrs: Vec::new(),
        });
    }
    Ok(written)
}

fn memory(context: &Context, action: &Action, candidate: &Candidate) -> String {
    let source = match &action.session {
        Some(session) => format!("{}/{}", session.agent, session.id),
        None => context.coding_agent.clone(),
    };
    let kind = match candidate.kind.as_str() {
        "" => String::new(),
        kind => format!("kind: {}\n", json(kind)),
    };
    format!(
        "---\nid: {}\ntitle: {}\n{kind}created: {}\nupdated: {}\nsource: {}\nconfidence: {:.2}\n\
         tags: {}\nrelated: {}\n---\n\n# {}\n\n{}\n",
        json(&action.memory_id),
        json(&candidate.title),
        iso(action.created_ms),
        iso(action.updated_ms),
        json(&source),
        candidate.confidence,
        list(&candidate.tags),
        list(&action.related),
        candidate.title,
        candidate.body,
    )
}

fn digest(context: &Context, action: &Action, summary: &Summary) -> String {
    format!(
        "---\nid: {}\ntitle: {}\ndescription: {}\ndate: {}\ntime: {}\ncoding_agent: {}\n\
         raw_trace_path: {}\nrun_id: {}\nrepo_name: {}\ntags: {}\nrelated: {}\ncreated: {}\n\
         updated: {}\n---\n\n# {}\n\n{}\n",
        json(&action.memory_id),
        json(&summary.title),
        json(&summary.description),
        time(action.created_ms, "%Y-%m-%d"),
        json(&time(action.created_ms, "%H:%M:%S")),
        json(&context.coding_agent),
        json(&context.raw_trace_path),
        json(&context.run_id),
        json(&context.repo_name),
        list(&summary.tags),
        list(&action.related),
        iso(action.created_ms),
        iso(action.updated_ms),
        summary.title,
        summary.body,
    )
}

/// JSON strings are valid YAML, too.
fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn list(items: &[String]) -> String {
    serde_json::Value::from(items).to_string()
}

fn iso(milliseconds: u64) -> String {
    time(milliseconds, "%Y-%m-%dT%H:%M:%SZ")
}

fn time(milliseconds: u64, pattern: &str) -> String {
    let milliseconds = i64::try_from(milliseconds).unwrap_or_default();
    let moment = Timestamp::from_millisecond(milliseconds).unwrap_or_default();
    moment.strftime(pattern).to_string()
}

fn create(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    File::create_new(path)?.write_all(text.as_bytes())
}
