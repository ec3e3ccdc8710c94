//! `acreta memory export|import`.

use acreta_service::Failure;
use acreta_service::agent_memories::{self, FromAgents};
use acreta_service::export::{self, Export};
use acreta_service::import::{self, Format, Import, ImportedFile};

use crate::args::{ExportArguments, ExportFormat, ImportArguments, ImportFormat};
use crate::context::Context;
use crate::output::{count, json, line, raw, talk, warn};

/// Number of skipped lines that are shown; all of them are in the JSON.
const SKIPPED: usize = 5;

pub(super) fn export(arguments: &ExportArguments, context: &Context) -> Result<(), Failure> {
    let request = Export {
        format: match arguments.format {
            ExportFormat::Markdown => export::ExportFormat::Markdown,
            ExportFormat::Json => export::ExportFormat::Json,
            ExportFormat::Jsonl => export::ExportFormat::Jsonl,
        },
        memory_type: arguments.memory_type.clone(),
        archived: arguments.archived,
        scope: arguments.scope.clone(),
        output: arguments.output.clone(),
    };
    let exported = export::export(&request, context)?;
    match &arguments.output {
        None => raw(&exported.text),
        Some(file) => {
            let memories = count(exported.memories, "memory", "memories");
            talk(&format!("{memories} written to {file}"));
        }
    }
    Ok(())
}

pub(super) fn import(arguments: &ImportArguments, context: &Context) -> Result<(), Failure> {
    if arguments.from_agents {
        return from_agents(arguments, context);
    }
    let request = Import {
        paths: arguments.paths.clone(),
        format: format(arguments.format),
        scope: arguments.scope.into(),
        dry_run: arguments.dry_run,
    };
    let imported = import::import(&request, context)?;
    if context.json {
        json(&imported);
    } else {
        print(&imported.files);
    }
    Ok(())
}

fn from_agents(arguments: &ImportArguments, context: &Context) -> Result<(), Failure> {
    let request = FromAgents {
        dry_run: arguments.dry_run,
        ..FromAgents::default()
    };
    let imported = agent_memories::take_in(&request, context)?;
    if context.json {
        json(&imported);
    } else if imported.files.is_empty() {
        talk("no connected agent has memories of this project or of all projects");
    } else {
        print(&imported.files);
        talk("they are untrusted until you confirm them: `acreta memory confirm ID`");
    }
    Ok(())
}

fn print(imported: &[ImportedFile]) {
    for file in imported {
        for skipped in file.skipped.iter().take(SKIPPED) {
            talk(&format!(
                "{}:{}: left out {}: {}",
                file.file, skipped.line, skipped.what, skipped.reason
            ));
        }
        let untold = file.skipped.len().saturating_sub(SKIPPED);
        if untold > 0 {
            talk(&format!("{}: and {untold} more left out", file.file));
        }
        for refused in &file.report.refused {
            warn(&format!(
                "{}: “{}” is refused: it {}",
                refused.place, refused.title, refused.reason
            ));
        }
        let counts = &file.report.counts;
        line(&format!(
            "{} ({}): {}, {} added, {} updated, {} unchanged, {} archived{}",
            file.file,
            file.format,
            count(file.notes as u64, "note", "notes"),
            counts.add,
            counts.update,
            counts.no_op,
            counts.archived,
            if file.report.dry_run {
                " (dry run, nothing changed)"
            } else {
                ""
            }
        ));
    }
}

fn format(format: ImportFormat) -> Format {
    match format {
        ImportFormat::Auto => Format::Auto,
        ImportFormat::Markdown => Format::Markdown,
        ImportFormat::Claude => Format::Claude,
        ImportFormat::Agents => Format::Agents,
        ImportFormat::Cursor => Format::Cursor,
        ImportFormat::BasicMemory => Format::BasicMemory,
        ImportFormat::Jsonl => Format::Jsonl,
        ImportFormat::Acreta => Format::Acreta,
    }
}
