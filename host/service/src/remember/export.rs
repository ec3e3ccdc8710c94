//! Exports memory as one text: `memory export`.

use acreta_fs::{Directory, NoFaults};
use acreta_store::Memory;
use camino::Utf8PathBuf;

use crate::process::files::split;
use crate::{Context, Failure, find::query, projects::scopes};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    Markdown,
    Json,
    Jsonl,
}

/// Which memories to export, and where to.
#[derive(Debug, Clone)]
pub struct Export {
    pub format: ExportFormat,
    pub memory_type: Option<String>,
    /// Include archived memories.
    pub archived: bool,
    /// A scope mode; the configured one if not given.
    pub scope: Option<String>,
    /// The file to write. The text is returned either way.
    pub output: Option<Utf8PathBuf>,
}

#[derive(Debug, Clone)]
pub struct Exported {
    pub text: String,
    pub memories: u64,
    /// Number of archived memories that are left out.
    pub archived_left_out: u64,
}

/// Exports the memories of the selected scopes.
pub fn export(request: &Export, context: &Context) -> Result<Exported, Failure> {
    let wanted = query::wanted_type(request.memory_type.as_deref())?;
    let mode = scopes::mode(context, request.scope.as_deref())?;
    let memories = scopes::load(context, &scopes::of_mode(context, mode))?;
    let (memories, left_out): (Vec<&Memory>, Vec<&Memory>) = memories
        .iter()
        .map(|scoped| scoped.memory.as_ref())
        .filter(|memory| wanted.is_none_or(|wanted| memory.memory_type == wanted))
        .partition(|memory| request.archived || !memory.is_archived());
    let text = match request.format {
        ExportFormat::Markdown => acreta_import_export::export_markdown(memories.iter().copied()),
        ExportFormat::Json => acreta_import_export::export_json(memories.iter().copied()),
        ExportFormat::Jsonl => acreta_import_export::export_jsonl(memories.iter().copied()),
    };
    if let Some(file) = &request.output {
        let (folder, name) = split(file)?;
        Directory::open(&folder, NoFaults::shared())?.replace(name, text.as_bytes())?;
    }
    Ok(Exported {
        text,
        memories: memories.len() as u64,
        archived_left_out: left_out.len() as u64,
    })
}
