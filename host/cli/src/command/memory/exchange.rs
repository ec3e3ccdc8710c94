//! `acreta memory export|import`.

use acreta_exchange::{Format, Source};
use acreta_fs::{Directory, NoFaults};
use acreta_lead::{Note, NoteSource, NotesReport};
use acreta_service::desk;
use acreta_service::find::wanted_type;
use acreta_service::scopes;
use acreta_service::{Failure, Kind};
use acreta_store::Memory;
use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;

use crate::args::{ExportArguments, ExportFormat, ImportArguments, ImportFormat};
use crate::context::Context;
use crate::output::{count, json, line, raw, talk, warn};

pub(super) fn export(arguments: &ExportArguments, context: &Context) -> Result<(), Failure> {
    let wanted = wanted_type(arguments.memory_type.as_deref())?;
    let mode = scopes::mode(context, arguments.scope.as_deref())?;
    let memories = scopes::load(context, &scopes::of_mode(context, mode))?;
    let memories: Vec<&Memory> = memories
        .iter()
        .map(|scoped| scoped.memory.as_ref())
        .filter(|memory| wanted.is_none_or(|wanted| memory.memory_type == wanted))
        .filter(|memory| arguments.archived || !memory.is_archived())
        .collect();
    let text = match arguments.format {
        ExportFormat::Markdown => acreta_exchange::export_markdown(memories.iter().copied()),
        ExportFormat::Json => acreta_exchange::export_json(memories.iter().copied()),
        ExportFormat::Jsonl => acreta_exchange::export_jsonl(memories.iter().copied()),
    };
    match &arguments.output {
        None => raw(&text),
        Some(file) => {
            let (folder, name) = split(file)?;
            Directory::open(&folder, NoFaults::shared())?.replace(name, text.as_bytes())?;
            let memories = count(memories.len() as u64, "memory", "memories");
            talk(&format!("{memories} written to {file}"));
        }
    }
    Ok(())
}

/// What became of one file.
#[derive(Serialize)]
struct ImportedFile {
    file: Utf8PathBuf,
    format: &'static str,
    notes: usize,
    skipped: Vec<SkippedLine>,
    #[serde(flatten)]
    report: NotesReport,
}

#[derive(Serialize)]
struct SkippedLine {
    line: u64,
    what: String,
    reason: String,
}

/// Largest file of notes.
const NOTES_BYTES: u64 = 16 * 1024 * 1024;

/// Most files of one folder.
const FILES: u64 = 100_000;

/// How sure notes are that do not say so themselves.
const CONFIDENCE: f32 = 0.7;

/// Skipped lines shown one by one; all of them are in the JSON.
const SKIPPED: usize = 5;

pub(super) fn import(arguments: &ImportArguments, context: &Context) -> Result<(), Failure> {
    let files = files(&arguments.paths)?;
    if files.is_empty() {
        let message = "there are no notes in what was named";
        return Err(Failure::new(Kind::Failure, message)
            .hint("notes are `.md`, `.mdc`, `.json` and `.jsonl` files, and `.cursorrules`"));
    }
    let scope = arguments.scope.of(context);
    let mut desk = desk::open(context, scope.layout)?;
    let mut imported = Vec::new();
    for file in files {
        let (folder, name) = split(&file)?;
        let directory = Directory::open(&folder, NoFaults::shared())?;
        let bytes = directory.read(name, NOTES_BYTES)?;
        let text = String::from_utf8_lossy(&bytes);
        let source_name = source_name(&file, context);
        let source = Source {
            name: &source_name,
            text: &text,
        };
        let read = acreta_exchange::import(&source, format(arguments.format));
        let notes: Vec<Note> = read
            .notes
            .into_iter()
            .map(|note| Note {
                memory_type: note.memory_type,
                kind: note.kind,
                title: note.title,
                body: note.body,
                tags: note.tags,
                confidence: note.confidence.unwrap_or(CONFIDENCE),
                at_ms: note.created_ms,
                quote: note.quote,
                place: format!("{source_name}:{}", note.line),
            })
            .collect();
        let number = notes.len();
        let source = NoteSource::File(source_name);
        let report = desk.remember(notes, &source, arguments.dry_run)?;
        imported.push(ImportedFile {
            file,
            format: read.format.name(),
            notes: number,
            skipped: read
                .skipped
                .into_iter()
                .map(|skipped| SkippedLine {
                    line: skipped.line,
                    what: skipped.what,
                    reason: skipped.reason,
                })
                .collect(),
            report,
        });
    }
    if context.json {
        json(&serde_json::json!({ "files": imported }));
    } else {
        print(&imported);
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

/// Files as they are named, and those in named folders.
fn files(paths: &[Utf8PathBuf]) -> Result<Vec<Utf8PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let directory = Directory::open(path, NoFaults::shared())?;
            let mut found: Vec<Utf8PathBuf> = directory
                .walk(
                    ".",
                    acreta_fs::Limits {
                        files: FILES,
                        bytes: u64::MAX,
                        depth: 16,
                    },
                )?
                .into_iter()
                .filter(|entry| entry.metadata.kind == acreta_fs::EntryKind::File)
                .filter(|entry| is_notes(&entry.path))
                .map(|entry| path.join(entry.path))
                .collect();
            found.sort();
            files.extend(found);
        } else if path.is_file() {
            files.push(path.clone());
        } else {
            let message = format!("there is no file or folder `{path}`");
            return Err(Failure::new(Kind::Usage, message));
        }
    }
    Ok(files)
}

fn is_notes(path: &Utf8Path) -> bool {
    matches!(path.extension(), Some("md" | "mdc" | "json" | "jsonl"))
        || path.file_name() == Some(".cursorrules")
}

/// How a file is called in evidence: relative to the project where it lies in it.
fn source_name(file: &Utf8Path, context: &Context) -> String {
    let absolute = acreta_fs::canonical(file).unwrap_or_else(|_| file.to_owned());
    let project = acreta_fs::canonical(&context.project);
    let relative = project
        .ok()
        .and_then(|project| absolute.strip_prefix(project).ok().map(ToOwned::to_owned));
    match relative {
        Some(relative) => relative.into_string(),
        None => file.file_name().unwrap_or("notes").to_owned(),
    }
}

fn split(file: &Utf8Path) -> Result<(Utf8PathBuf, &str), Failure> {
    let Some(name) = file.file_name() else {
        return Err(Failure::new(Kind::Usage, format!("`{file}` names no file")));
    };
    let folder = file.parent().filter(|folder| !folder.as_str().is_empty());
    Ok((folder.unwrap_or(Utf8Path::new(".")).to_owned(), name))
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
