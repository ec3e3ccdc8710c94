//! Imports notes of other tools and of files, and restores memories of exports: `memory import`.

use std::sync::Arc;

use acreta_fs::{Directory, NoFaults};
pub use acreta_import_export::Format;
use acreta_import_export::{Imported as ReadNotes, Source};
use acreta_pipeline::{Note, NoteSource, NotesReport, WritableMemory};
use acreta_store::Snapshot;
use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;

use crate::process::files::split;
use crate::projects::scopes::MemoryScope;
use crate::remember::add::WriteScope;
use crate::{Context, Failure, Kind, remember::locked};

/// Files of notes to import.
#[derive(Debug, Clone)]
pub struct Import {
    /// Files, and folders that are searched recursively.
    pub paths: Vec<Utf8PathBuf>,
    pub format: Format,
    pub scope: WriteScope,
    /// Report what would change, and change nothing.
    pub dry_run: bool,
}

#[derive(Debug, Serialize)]
pub struct Imported {
    pub files: Vec<ImportedFile>,
}

/// Result of one file.
#[derive(Debug, Serialize)]
pub struct ImportedFile {
    pub file: Utf8PathBuf,
    /// The agent whose own memory it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<&'static str>,
    pub format: &'static str,
    pub notes: usize,
    pub skipped: Vec<SkippedLine>,
    /// Number of restored memories that are untrusted because this machine did not learn them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_learnt_here: Option<u64>,
    #[serde(flatten)]
    pub report: NotesReport,
}

#[derive(Debug, Serialize)]
pub struct SkippedLine {
    pub line: u64,
    pub what: String,
    pub reason: String,
}

impl ImportedFile {
    /// Reports whether something of an export is neither restored nor was here before. Other notes always have parts that
    /// are no knowledge.
    pub fn is_incomplete(&self) -> bool {
        self.format == Format::Acreta.name()
            && !(self.skipped.is_empty() && self.report.refused.is_empty())
    }
}

/// Maximum size of a file of notes.
pub(crate) const NOTES_BYTES: u64 = 16 * 1024 * 1024;

/// Maximum number of files of one folder.
const FILES: u64 = 100_000;

/// Default confidence of notes.
const CONFIDENCE: f32 = 0.7;

/// Imports files, and the files of folders, in the given order.
pub fn import(request: &Import, context: &Context) -> Result<Imported, Failure> {
    let files = files(&request.paths)?;
    if files.is_empty() {
        let message = "no notes found in the given paths";
        return Err(Failure::new(Kind::Failure, message)
            .hint("notes are `.md`, `.mdc`, `.json` and `.jsonl` files, and `.cursorrules`"));
    }
    let scope = MemoryScope::to_write(request.scope, context);
    let other = match request.scope {
        WriteScope::Project => MemoryScope::global(context),
        WriteScope::Global => MemoryScope::project(context),
    };
    let also = match other.layout.base() == scope.layout.base() {
        true => Arc::new(Snapshot::default()),
        false => other.snapshot(context)?,
    };
    let mut writable = locked::open(context, scope.layout)?;
    let mut imported = Vec::new();
    for file in files {
        let (folder, name) = split(&file)?;
        let directory = Directory::open(&folder, NoFaults::shared())?;
        let bytes = directory.read(name, NOTES_BYTES)?;
        let text = String::from_utf8_lossy(&bytes);
        let name = source_name(&file, context);
        let source = NoteSource::File(name.clone());
        let read = acreta_import_export::import(
            &Source {
                name: &name,
                text: &text,
            },
            request.format,
        );
        imported.push(take_in(
            &file,
            read,
            &name,
            &source,
            &mut writable,
            &also,
            request.dry_run,
        )?);
    }
    Ok(Imported { files: imported })
}

/// Imports what one text says. `name` is the file's name in evidence, `also` is memory of another scope.
pub(crate) fn take_in(
    file: &Utf8Path,
    read: ReadNotes,
    name: &str,
    source: &NoteSource,
    writable: &mut WritableMemory,
    also: &Snapshot,
    dry_run: bool,
) -> Result<ImportedFile, Failure> {
    let is_agents = matches!(source, NoteSource::AgentMemory(_));
    let notes: Vec<Note> = read
        .notes
        .into_iter()
        .map(|note| Note {
            memory_type: note.memory_type,
            // Only a person sets a rule; until one does, an agent's memory of it is context.
            kind: match note.kind.as_str() {
                "preference" | "convention" if is_agents => "context".to_owned(),
                _ => note.kind,
            },
            title: note.title,
            body: note.body,
            tags: note.tags,
            confidence: note.confidence.unwrap_or(CONFIDENCE),
            at_ms: note.created_ms,
            quote: note.quote,
            place: format!("{name}:{}", note.line),
        })
        .collect();
    let memories = read.memories.into_iter();
    let memories: Vec<_> = memories
        .map(|one| (one.memory, format!("{name}:{}", one.line)))
        .collect();
    let number = notes.len() + memories.len();
    let mut not_learnt_here = None;
    let mut report = None;
    if !memories.is_empty() {
        let restored = writable.restore(memories, also, dry_run)?;
        let is_restored = |id: &str| restored.actions.iter().any(|one| one.memory_id == id);
        let foreign = writable
            .snapshot()
            .iter()
            .filter(|memory| memory.is_foreign());
        let foreign = foreign.filter(|memory| is_restored(&memory.id)).count();
        not_learnt_here = Some(foreign as u64).filter(|number| *number > 0);
        report = Some(restored);
    }
    let report = match report {
        Some(report) if notes.is_empty() => report,
        Some(report) => report.and(writable.remember(notes, source, dry_run)?),
        None => writable.remember(notes, source, dry_run)?,
    };
    Ok(ImportedFile {
        file: file.to_owned(),
        agent: None,
        format: read.format.name(),
        notes: number,
        not_learnt_here,
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
    })
}

/// Returns the named files, and those in the named folders.
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
            let message = format!("no such file or folder: `{path}`");
            return Err(Failure::new(Kind::Missing, message));
        }
    }
    Ok(files)
}

fn is_notes(path: &Utf8Path) -> bool {
    matches!(path.extension(), Some("md" | "mdc" | "json" | "jsonl"))
        || path.file_name() == Some(".cursorrules")
}

/// Returns the name of a file in evidence: relative to the project if it lies in it.
fn source_name(file: &Utf8Path, context: &Context) -> String {
    let absolute = acreta_fs::canonical(file).unwrap_or_else(|_| file.to_owned());
    let project = acreta_fs::canonical(&context.project);
    let relative = project
        .ok()
        .and_then(|project| absolute.strip_prefix(project).ok().map(acreta_fs::portable));
    match relative {
        Some(relative) => relative.into_string(),
        None => file.file_name().unwrap_or("notes").to_owned(),
    }
}
