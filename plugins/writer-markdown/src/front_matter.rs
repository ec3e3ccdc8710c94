//! Front matter: which keys a type has, in which order, and what stands behind them.

use acreta_sdk::memory_writer::{Action, Candidate, Context, Failure, Summary};

use crate::kept::Current;
use crate::time::Moment;
use crate::types::TypeEntry;
use crate::yaml::{list, share, string};

/// What an action asks to be written.
#[derive(Debug)]
pub(crate) enum Content<'action> {
    Memory(&'action Candidate),
    Summary(&'action Summary),
}

impl<'action> Content<'action> {
    pub(crate) fn of(action: &'action Action) -> Result<Self, Failure> {
        match (&action.candidate, &action.summary) {
            (Some(candidate), None) => Ok(Content::Memory(candidate)),
            (None, Some(summary)) => Ok(Content::Summary(summary)),
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

    /// The type's name in the registry.
    pub(crate) fn category(&self) -> &'action str {
        match self {
            Content::Memory(candidate) => &candidate.category,
            Content::Summary(_) => "summary",
        }
    }

    pub(crate) fn title(&self) -> &'action str {
        match self {
            Content::Memory(candidate) => &candidate.title,
            Content::Summary(summary) => &summary.title,
        }
    }

    pub(crate) fn body(&self) -> &'action str {
        match self {
            Content::Memory(candidate) => &candidate.body,
            Content::Summary(summary) => &summary.body,
        }
    }
}

/// Every line between the fences: our keys, then what a person added to the present text.
pub(crate) fn lines(
    context: &Context,
    action: &Action,
    content: &Content<'_>,
    entry: &TypeEntry,
) -> Result<String, Failure> {
    let current = Current::parse(action.current.as_deref().unwrap_or_default());
    let fields = match content {
        Content::Memory(candidate) => memory_fields(context, action, candidate, entry, &current)?,
        Content::Summary(summary) => summary_fields(context, action, summary)?,
    };
    let ours: Vec<&str> = fields.iter().map(|(key, _)| *key).collect();
    let mut lines: String = fields
        .iter()
        .flat_map(|(key, value)| [*key, ": ", value.as_str(), "\n"])
        .collect();
    lines.push_str(&current.foreign_lines(&ours));
    Ok(lines)
}

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
        ("created", Moment::new(action.created_ms)?.iso()),
        ("updated", Moment::new(action.updated_ms)?.iso()),
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
    let created = Moment::new(action.created_ms)?;
    Ok(vec![
        ("id", string(&action.memory_id)),
        ("title", string(&summary.title)),
        ("description", string(&summary.description)),
        ("date", created.date()),
        // In quotes: YAML 1.1 counts `10:11:12` in base sixty.
        ("time", string(&created.time())),
        ("coding_agent", string(&context.coding_agent)),
        ("raw_trace_path", string(&context.raw_trace_path)),
        ("run_id", string(&context.run_id)),
        ("repo_name", string(&context.repo_name)),
        ("tags", list(&summary.tags)),
        ("related", list(&action.related)),
        ("created", created.iso()),
        ("updated", Moment::new(action.updated_ms)?.iso()),
    ])
}

/// `<agent>/<session id>`. Without a session, as in a merge, what the file says already.
fn source(context: &Context, action: &Action, current: &Current<'_>) -> String {
    match (&action.session, current.value("source")) {
        (Some(session), _) => string(&format!("{}/{}", session.agent, session.id)),
        (None, Some(present)) => present.to_owned(),
        (None, None) => string(&context.coding_agent),
    }
}
