//! `acreta memory …`: looking at memory. What changes it lies in the modules below.

mod change;
mod exchange;
mod pending;
mod purge;
mod search;
mod trust;

use acreta_model::MemoryType;
use acreta_service::Failure;
use acreta_service::find::wanted_type;
use acreta_service::origin;
use acreta_service::scopes::{self, Scoped};
use serde::Serialize;

use crate::args::MemoryCommand;
use crate::context::Context;
use crate::output::{json, line, table, talk};
use search::evidence_lines;

pub(crate) fn run(command: &MemoryCommand, context: &Context) -> Result<(), Failure> {
    match command {
        MemoryCommand::Search(arguments) => search::search(arguments, context),
        MemoryCommand::List {
            memory_type,
            archived,
            scope,
            all_projects,
        } => {
            let wanted = wanted_type(memory_type.as_deref())?;
            let mut seen = scopes::of_mode(context, scopes::mode(context, scope.as_deref())?);
            if *all_projects {
                seen.extend(scopes::other_projects(context)?);
            }
            list(
                &scopes::load(context, &seen)?,
                wanted,
                *archived,
                context.json,
            );
            Ok(())
        }
        MemoryCommand::Show { id } => {
            let memories = load(context)?;
            let scoped = scopes::find(&memories, id)?;
            show(scoped, context);
            scopes::note_access(context, &[scoped.memory.id.as_str()]);
            Ok(())
        }
        MemoryCommand::Related { id, limit } => search::related(id, *limit, context),
        MemoryCommand::Export(arguments) => exchange::export(arguments, context),
        MemoryCommand::Import(arguments) => exchange::import(arguments, context),
        MemoryCommand::Purge(arguments) => purge::purge(arguments, context),
        MemoryCommand::Trust(command) => trust::run(command, context),
        MemoryCommand::Pending { all } => pending::list(*all, context),
        change => change::run(change, context),
    }
}

/// Every memory that the configured scopes show.
fn load(context: &Context) -> Result<Vec<Scoped>, Failure> {
    scopes::load(
        context,
        &scopes::of_mode(context, scopes::mode(context, None)?),
    )
}

#[derive(Serialize)]
struct Row<'a> {
    id: &'a str,
    #[serde(rename = "type")]
    memory_type: MemoryType,
    kind: &'a str,
    title: &'a str,
    trust: &'static str,
    status: &'static str,
    stale: bool,
    edited: bool,
    proposals: usize,
    updated: Option<&'a str>,
    tags: &'a [String],
    scope: &'a str,
    path: &'a str,
}

impl<'a> Row<'a> {
    fn new(scoped: &'a Scoped) -> Self {
        let memory = &scoped.memory;
        let state = memory.state.as_ref();
        let archived = if memory.is_archived() {
            "archived"
        } else {
            "active"
        };
        Self {
            scope: &scoped.scope,
            id: &memory.id,
            memory_type: memory.memory_type,
            kind: memory.kind(),
            title: memory.title(),
            trust: memory.trust().name(),
            status: state.map_or(archived, |state| state.status.name()),
            stale: state.is_some_and(|state| state.stale),
            edited: memory.edited(),
            proposals: state.map_or(0, |state| state.proposals.len()),
            updated: memory.front_matter.updated.as_deref(),
            tags: &memory.front_matter.tags,
            path: memory.path.as_str(),
        }
    }

    /// What a person should know before believing it.
    fn remarks(&self) -> String {
        let mut remarks = Vec::new();
        if self.trust == "untrusted" {
            remarks.push("untrusted");
        }
        if self.status == "superseded" {
            remarks.push("superseded");
        }
        if self.stale {
            remarks.push("stale");
        }
        if self.proposals > 0 {
            remarks.push("change proposed");
        }
        if remarks.is_empty() {
            String::new()
        } else {
            format!(" ({})", remarks.join(", "))
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
        return talk(
            "no memory yet; `acreta run` learns from your sessions, `acreta memory add` from you",
        );
    }
    let cells: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let kind = if row.kind.is_empty() {
                row.memory_type.name()
            } else {
                row.kind
            };
            vec![
                row.id.to_owned(),
                kind.to_owned(),
                format!("{}{}", row.title, row.remarks()),
            ]
        })
        .collect();
    table(&cells);
}

fn show(scoped: &Scoped, context: &Context) {
    let memory = &scoped.memory;
    let origin = origin::of_memory(context, &scoped.layout, memory);
    if context.json {
        return json(&serde_json::json!({
            "memory": Row::new(scoped),
            "origin": origin,
            "text": memory.text,
            "evidence": memory.evidence,
            "state": memory.state,
        }));
    }
    line(memory.text.trim_end());
    line("");
    line(&format!(
        "{} · {} · {}{}",
        memory.path,
        scoped.scope,
        memory.trust().name(),
        if memory.edited() { ", edited" } else { "" }
    ));
    if let Some(origin) = origin {
        line(&format!("by git {origin}"));
    }
    if let Some(state) = &memory.state {
        if let Some(successor) = &state.superseded_by {
            line(&format!("superseded by {successor}"));
        }
        if !state.supersedes.is_empty() {
            line(&format!(
                "took the place of {}",
                state.supersedes.join("; ")
            ));
        }
        if state.stale {
            line(&format!("stale: gone are {}", state.missing.join(", ")));
        }
        if let Some(day) = &state.last_verified {
            line(&format!("last verified {day}"));
        }
        if state.rejected {
            line("rejected: the same evidence does not bring it back");
        }
    }
    for text in evidence_lines(memory) {
        line(&text);
    }
    let proposals = memory.state.iter().flat_map(|state| &state.proposals);
    for (index, proposal) in proposals.enumerate() {
        let operation = match proposal.operation {
            acreta_store::ProposalOperation::Update => "update",
            acreta_store::ProposalOperation::Archive => "archive",
        };
        line("");
        line(&format!(
            "proposal {} ({operation}) by {}: {}",
            index + 1,
            proposal.run_id,
            proposal.reason
        ));
        line(&format!("  {}", proposal.title));
        line(&format!("  {}", proposal.body.replace('\n', "\n  ")));
        line(&format!(
            "  take it with `acreta memory accept {} --proposal {}`, or `acreta memory reject {} --proposals`",
            memory.id,
            index + 1,
            memory.id
        ));
    }
}
