//! `acreta memory export|import`.

use acreta_service::remember::add::WriteScope;
use acreta_service::remember::agent_memories::{self, FromAgents};
use acreta_service::remember::export::{self, Export};
use acreta_service::remember::import::{self, Format, Import, ImportedFile};
use acreta_service::{Failure, Kind};

use crate::args::{ExportArguments, ExportFormat, ImportArguments, ImportFormat};
use crate::context::Context;
use crate::output::{count, escaped_json, json, line, raw, talk, warn};

/// Number of skipped lines of other tools' notes that are shown; all of them are in the JSON.
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
    if exported.archived_left_out > 0 {
        let left_out = count(exported.archived_left_out, "memory is", "memories are");
        talk(&format!(
            "{left_out} archived and left out (`--archived` exports them)"
        ));
    }
    match &arguments.output {
        None if arguments.format != ExportFormat::Markdown => raw(&escaped_json(&exported.text)),
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
    complete(&imported.files, arguments.scope.into())
}

/// Says what became of the trust of restored memories, and fails if an export is not restored as a whole.
fn complete(imported: &[ImportedFile], scope: WriteScope) -> Result<(), Failure> {
    let not_learnt = imported
        .iter()
        .filter_map(|file| file.not_learnt_here)
        .sum();
    if not_learnt > 0 {
        let memories = count(not_learnt, "memory is", "memories are");
        let scope = match scope {
            WriteScope::Project => "",
            WriteScope::Global => " --scope global",
        };
        talk(&format!(
            "{memories} untrusted: this machine did not learn them; `acreta memory trust accept{scope}` accepts them"
        ));
    }
    let mut incomplete = imported.iter().filter(|file| file.is_incomplete());
    match incomplete.next() {
        None => Ok(()),
        Some(file) => Err(Failure::new(
            Kind::Partial,
            format!("`{}` was not imported as a whole", file.file),
        )),
    }
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
        let shown = match file.is_incomplete() {
            true => file.skipped.len(),
            false => SKIPPED,
        };
        for skipped in file.skipped.iter().take(shown) {
            talk(&format!(
                "{}:{}: left out {}: {}",
                file.file, skipped.line, skipped.what, skipped.reason
            ));
        }
        let untold = file.skipped.len().saturating_sub(shown);
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
