//! Renders the YAML front matter of a memory file: which keys each memory type has, in which order, and their values.

use acreta_sdk::memory_writer::{Action, Candidate, Context, Failure, Summary};

use crate::kept::Current;
use crate::time::UtcTime;
use crate::types::TypeEntry;
use crate::yaml::{list, share, string};

/// The text that an action writes to a file: exactly one of its candidate and its summary.
#[derive(Debug)]
pub(crate) enum ActionContent<'action> {
    /// A memory of any type except a summary.
    Memory(&'action Candidate),
    /// The summary of a session.
    Summary(&'action Summary),
}

impl<'action> ActionContent<'action> {
    pub(crate) fn of(action: &'action Action) -> Result<Self, Failure> {
        match (&action.candidate, &action.summary) {
            (Some(candidate), None) => Ok(ActionContent::Memory(candidate)),
            (None, Some(summary)) => Ok(ActionContent::Summary(summary)),
            _ => Err(Failure {
                code: "invalid-action".to_owned(),
                message: format!(
                    "action `{}` needs either a candidate or a summary",
                    action.id
                ),
                retryable: false,
            }),
        }
    }

    /// Returns the name of the memory type, as in [`TypeEntry::name`].
    pub(crate) fn category(&self) -> &'action str {
        match self {
            ActionContent::Memory(candidate) => &candidate.category,
            ActionContent::Summary(_) => "summary",
        }
    }

    pub(crate) fn title(&self) -> &'action str {
        match self {
            ActionContent::Memory(candidate) => &candidate.title,
            ActionContent::Summary(summary) => &summary.title,
        }
    }

    pub(crate) fn body(&self) -> &'action str {
        match self {
            ActionContent::Memory(candidate) => &candidate.body,
            ActionContent::Summary(summary) => &summary.body,
        }
    }
}

/// Renders the lines between the two `---` lines: the keys that this plugin writes, then all other keys and the
/// comments of the current file, unchanged.
pub(crate) fn lines(
    context: &Context,
    action: &Action,
    content: &ActionContent<'_>,
    entry: &TypeEntry,
) -> Result<String, Failure> {
    let current = Current::parse(action.current.as_deref().unwrap_or_default());
    let fields = match content {
        ActionContent::Memory(candidate) => {
            memory_fields(context, action, candidate, entry, &current)?
        }
        ActionContent::Summary(summary) => summary_fields(context, action, summary)?,
    };
    let own_keys: Vec<&str> = fields.iter().map(|(key, _)| *key).collect();
    let mut rendered: String = fields
        .iter()
        .flat_map(|(key, value)| [*key, ": ", value.as_str(), "\n"])
        .collect();
    rendered.push_str(&current.foreign_lines(&own_keys));
    Ok(rendered)
}

/// Keys and their values as YAML text, in the order of the file.
type Fields = Vec<(&'static str, String)>;

fn memory_fields(
    context: &Context,
    action: &Action,
    candidate: &Candidate,
    entry: &TypeEntry,
    current: &Current<'_>,
) -> Result<Fields, Failure> {
    let mut fields = vec![
        ("id", string(&action.memory_id)),
        ("title", string(&candidate.title)),
    ];
    if entry.has_kinds {
        fields.push(("kind", string(&candidate.kind)));
    }
    fields.extend([
        ("created", UtcTime::new(action.created_ms)?.iso()),
        ("updated", UtcTime::new(action.updated_ms)?.iso()),
        ("source", source(context, action, current)),
        ("confidence", share(candidate.confidence)),
        ("tags", list(&candidate.tags)),
        ("related", list(&action.related)),
    ]);
    Ok(fields)
}

fn summary_fields(
    context: &Context,
    action: &Action,
    summary: &Summary,
) -> Result<Fields, Failure> {
    let created = UtcTime::new(action.created_ms)?;
    Ok(vec![
        ("id", string(&action.memory_id)),
        ("title", string(&summary.title)),
        ("description", string(&summary.description)),
        ("date", created.date()),
        // `string` adds quotes. Without them, YAML 1.1 parses `10:11:12` as a base-60 number.
        ("time", string(&created.time())),
        ("coding_agent", string(&context.coding_agent)),
        ("raw_trace_path", string(&context.raw_trace_path)),
        ("run_id", string(&context.run_id)),
        ("repo_name", string(&context.repo_name)),
        ("tags", list(&summary.tags)),
        ("related", list(&action.related)),
        ("created", created.iso()),
        ("updated", UtcTime::new(action.updated_ms)?.iso()),
    ])
}

/// Returns the value of `source`: `<agent>/<session id>`. If the action has no session, for example in a merge, returns
/// the value from the current file unchanged; if there is none either, returns `coding_agent` of the context.
fn source(context: &Context, action: &Action, current: &Current<'_>) -> String {
    match (&action.session, current.value("source")) {
        (Some(session), _) => string(&format!("{}/{}", session.agent, session.id)),
        (None, Some(current_value)) => current_value.to_owned(),
        (None, None) => string(&context.coding_agent),
    }
}
