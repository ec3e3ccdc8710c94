//! `acreta memory …`: reads memory. Commands that change it are in the submodules.

pub(crate) mod change;
mod import_export;
mod pending;
mod purge;
mod search;
mod trust;

use acreta_service::find::show::{
    self, MemoryListRequest, MemoryRow, ProposalOperation, ShownMemory,
};
use acreta_service::{Failure, projects::scopes};
use camino::Utf8Path;

use crate::args::{EverydayCommand, ListArguments, MemoryCommand};
use crate::context::Context;
use crate::output::{json, line, table_of_ids, talk};
pub(crate) use purge::print_purged;
use search::evidence_lines;

pub(crate) fn run(command: &MemoryCommand, context: &Context) -> Result<(), Failure> {
    match command {
        MemoryCommand::Everyday(command) => everyday(command, context),
        MemoryCommand::Related { id, limit } => search::related(id, *limit, context),
        MemoryCommand::Export(arguments) => import_export::export(arguments, context),
        MemoryCommand::Import(arguments) => import_export::import(arguments, context),
        MemoryCommand::Purge(arguments) => purge::purge(arguments, context),
        MemoryCommand::Trust(command) => trust::run(command, context),
        MemoryCommand::Pending { all } => pending::list(*all, context),
        change => change::run(change, context),
    }
}

pub(crate) fn everyday(command: &EverydayCommand, context: &Context) -> Result<(), Failure> {
    match command {
        EverydayCommand::Search(arguments) => search::search(arguments, context),
        EverydayCommand::List(arguments) => list(arguments, context),
        EverydayCommand::Add(arguments) => change::add(arguments, context),
        EverydayCommand::Show { id } => {
            let scopes = scopes::configured(context)?;
            scopes::tell_problems(&scopes, context)?;
            let shown = show::show(id, &scopes, context)?;
            match context.json {
                true => json(&shown),
                false => print(&shown),
            }
            Ok(())
        }
    }
}

fn list(arguments: &ListArguments, context: &Context) -> Result<(), Failure> {
    let request = MemoryListRequest {
        memory_type: arguments.memory_type.clone(),
        kinds: arguments.kinds.clone(),
        limit: arguments.limit,
        archived: arguments.archived,
        scope: arguments.scope.clone(),
        all_projects: arguments.all_projects,
    };
    let listed = show::list(&request, context)?;
    if context.json {
        json(&listed);
        return Ok(());
    }
    if listed.memories.is_empty() {
        let is_narrowed = request.memory_type.is_some() || !request.kinds.is_empty();
        talk(match is_narrowed {
            true => "no such memory",
            false => {
                "no memory yet; `acreta run` learns from your sessions, `acreta memory add` from you"
            }
        });
        return Ok(());
    }
    let cells = |row: &MemoryRow| {
        let mut remarks = row.remarks();
        let is_elsewhere = row.scope != "project";
        remarks.extend(is_elsewhere.then(|| Utf8Path::new(&row.scope).file_name().unwrap_or("")));
        let remarks = match remarks.is_empty() {
            true => String::new(),
            false => format!(" ({})", remarks.join(", ")),
        };
        let day = row.updated.as_deref().unwrap_or_default();
        vec![
            listed.short_ids.of(&row.id),
            day.get(..10).unwrap_or(day).to_owned(),
            row.label().to_owned(),
            format!("{}{remarks}", row.title),
        ]
    };
    table_of_ids(&listed.memories.iter().map(cells).collect::<Vec<_>>());
    Ok(())
}

fn print(shown: &ShownMemory) {
    let memory = &shown.memory;
    line(shown.text.trim_end());
    line("");
    line(&format!(
        "{} · {} · {}{}",
        memory.path,
        memory.scope,
        memory.trust,
        if memory.edited { ", edited" } else { "" }
    ));
    if memory.from_repository {
        line(
            "from the repository, not accepted by you: `acreta memory confirm` or `acreta memory trust accept`",
        );
    }
    if let Some(origin) = &shown.origin {
        line(&format!("by git {origin}"));
    }
    if let Some(state) = &shown.state {
        if let Some(successor) = &state.superseded_by {
            line(&format!("superseded by {successor}"));
        }
        if !state.supersedes.is_empty() {
            line(&format!("replaces {}", state.supersedes.join("; ")));
        }
        if state.stale {
            line(&format!(
                "stale: no longer found: {}",
                state.missing.join(", ")
            ));
        }
        if let Some(day) = &state.last_verified {
            line(&format!("last verified {day}"));
        }
        if state.rejected {
            line("rejected: the same evidence does not bring it back");
        }
    }
    for text in evidence_lines(shown.evidence.as_ref()) {
        line(&text);
    }
    let proposals = shown.state.iter().flat_map(|state| &state.proposals);
    for (index, proposal) in proposals.enumerate() {
        let operation = match proposal.operation {
            ProposalOperation::Update => "update",
            ProposalOperation::Archive => "archive",
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
            "  accept it with `acreta memory accept {} --proposal {}`, or `acreta memory reject {} --proposals`",
            memory.id,
            index + 1,
            memory.id
        ));
    }
}
