//! `acreta memory list|show`.

use acreta_model::MemoryType;
use acreta_store::Memory;
use serde::Serialize;

use crate::args::MemoryCommand;
use crate::context::Context;
use crate::failure::{CliError, Kind};
use crate::output::{json, line, table, talk, warn};

pub(crate) fn run(command: &MemoryCommand, context: &Context) -> Result<(), CliError> {
    let mut memories = Vec::new();
    for (scope, store) in context.scopes()? {
        let snapshot = store.load()?;
        for problem in &snapshot.problems {
            warn(&problem.to_string());
        }
        memories.extend(
            snapshot
                .memories
                .into_iter()
                .map(|memory| Scoped { scope, memory }),
        );
    }
    match command {
        MemoryCommand::List {
            memory_type,
            archived,
        } => {
            list(
                &memories,
                wanted_type(memory_type.as_deref())?,
                *archived,
                context.json,
            );
            Ok(())
        }
        MemoryCommand::Show { id } => show(find(&memories, id)?, context.json),
    }
}

/// A memory and whose it is: the project's or everybody's.
struct Scoped {
    scope: &'static str,
    memory: Memory,
}

fn wanted_type(name: Option<&str>) -> Result<Option<MemoryType>, CliError> {
    let Some(name) = name else { return Ok(None) };
    MemoryType::from_name(name).map(Some).ok_or_else(|| {
        let known: Vec<&str> = acreta_model::MEMORY_TYPES
            .iter()
            .map(|entry| entry.name)
            .collect();
        CliError::new(Kind::Usage, format!("`{name}` is no type of memory"))
            .hint(format!("there are {}", known.join(", ")))
    })
}

#[derive(Serialize)]
struct Row<'a> {
    id: &'a str,
    #[serde(rename = "type")]
    memory_type: MemoryType,
    kind: &'a str,
    title: &'a str,
    trust: &'static str,
    edited: bool,
    updated: Option<&'a str>,
    tags: &'a [String],
    scope: &'static str,
    path: &'a str,
}

impl<'a> Row<'a> {
    fn new(Scoped { scope, memory }: &'a Scoped) -> Self {
        Self {
            scope,
            id: &memory.id,
            memory_type: memory.memory_type,
            kind: memory.kind(),
            title: memory.title(),
            trust: memory.trust().name(),
            edited: memory.edited(),
            updated: memory.front_matter.updated.as_deref(),
            tags: &memory.front_matter.tags,
            path: memory.path.as_str(),
        }
    }
}

fn list(memories: &[Scoped], memory_type: Option<MemoryType>, archived: bool, as_json: bool) {
    let mut rows: Vec<Row<'_>> = memories
        .iter()
        .filter(|scoped| scoped.memory.is_archived() == archived)
        .filter(|scoped| memory_type.is_none_or(|wanted| scoped.memory.memory_type == wanted))
        .map(Row::new)
        .collect();
    rows.sort_by(|left, right| {
        right
            .updated
            .cmp(&left.updated)
            .then_with(|| left.id.cmp(right.id))
    });
    if as_json {
        return json(&serde_json::json!({ "memories": rows }));
    }
    if rows.is_empty() {
        return talk("no memory yet; `acreta run SESSION-FILE` makes the first");
    }
    let cells: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let kind = if row.kind.is_empty() {
                row.memory_type.name()
            } else {
                row.kind
            };
            let note = if row.trust == "untrusted" {
                " (untrusted)"
            } else {
                ""
            };
            vec![
                row.id.to_owned(),
                kind.to_owned(),
                format!("{}{note}", row.title),
            ]
        })
        .collect();
    table(&cells);
}

fn show(scoped: &Scoped, as_json: bool) -> Result<(), CliError> {
    let memory = &scoped.memory;
    if as_json {
        json(&serde_json::json!({
            "memory": Row::new(scoped),
            "text": memory.text,
            "evidence": memory.evidence,
            "state": memory.state,
        }));
        return Ok(());
    }
    line(memory.text.trim_end());
    line("");
    line(&format!("{} ({})", memory.path, memory.trust().name()));
    let contributions = memory
        .evidence
        .iter()
        .flat_map(|evidence| &evidence.contributions);
    for contribution in contributions {
        line(&format!(
            "from {} session {}",
            contribution.agent, contribution.session_id
        ));
        for quoted in &contribution.evidence {
            line(&format!(
                "  {} ({}): “{}”",
                quoted.role,
                quoted.record,
                quoted.quote.trim()
            ));
        }
    }
    let proposals = memory.state.iter().flat_map(|state| &state.proposals);
    for proposal in proposals {
        line(&format!(
            "proposed by {}: {} — {}",
            proposal.run_id, proposal.title, proposal.body
        ));
    }
    Ok(())
}

/// Every id argument takes a unique prefix.
fn find<'a>(memories: &'a [Scoped], id: &str) -> Result<&'a Scoped, CliError> {
    let matching: Vec<&Scoped> = memories
        .iter()
        .filter(|scoped| {
            scoped
                .memory
                .id
                .to_lowercase()
                .starts_with(&id.to_lowercase())
        })
        .collect();
    match matching.as_slice() {
        [scoped] => Ok(scoped),
        [] => Err(
            CliError::new(Kind::Failure, format!("there is no memory `{id}`"))
                .hint("`acreta memory list` shows the ids"),
        ),
        several => {
            let ids: Vec<&str> = several
                .iter()
                .take(5)
                .map(|scoped| scoped.memory.id.as_str())
                .collect();
            let message = format!("`{id}` fits {} memories: {}", several.len(), ids.join(", "));
            Err(CliError::new(Kind::Usage, message).hint("give more of the id"))
        }
    }
}
