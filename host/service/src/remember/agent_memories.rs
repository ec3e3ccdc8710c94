//! Imports agents' own memories as notes: `memory import --from-agents` and the setting `sync.agent_memories`. A note
//! is untrusted until a person confirms it, and its evidence is the file. No file of an agent is changed.

use std::collections::BTreeMap;

use acreta_fs::{Directory, EntryKind, NoFaults};
use acreta_import_export::{Format, Source};
use acreta_pipeline::NoteSource;
use acreta_session_archive::{DirectoryFacts, KnownProject, resolve};
use acreta_store::Snapshot;
use acreta_sync::Excluded;
use camino::{Utf8Path, Utf8PathBuf};

use crate::projects::scopes::{MemoryScope, registered_projects};
use crate::remember::add::WriteScope;
use crate::remember::import::{self, Imported, NOTES_BYTES};
use crate::{Context, Failure, learn::sync_options, remember::locked};

/// Which memories of agents to import.
#[derive(Debug, Clone, Copy, Default)]
pub struct FromAgents {
    /// Skip files that have not changed since they were last imported.
    pub changed_only: bool,
    /// Report what would change, and change nothing.
    pub dry_run: bool,
}

/// A location where an agent stores memories.
struct AgentMemoryLocation {
    agent: &'static str,
    /// Id of the agent's adapter: a disconnected agent is skipped.
    adapter: &'static str,
    scope: WriteScope,
    /// Candidates, of which the first existing one is used; `<project>` is the current project.
    folders: &'static [&'static str],
    files: MemoryFilePattern,
    format: Format,
    /// Heading of the only section that contains memory.
    section: Option<&'static str>,
}

enum MemoryFilePattern {
    /// Files with this name.
    Named(&'static str),
    /// Files with one of these extensions, except some names.
    With(&'static [&'static str], &'static [&'static str]),
    /// Markdown in the folder `memory` of the folder that is named after the project.
    OfProject,
}

const PLACES: &[AgentMemoryLocation] = &[
    AgentMemoryLocation {
        agent: "claude",
        adapter: "adapter-claude",
        scope: WriteScope::Project,
        folders: &[
            "$CLAUDE_CONFIG_DIR/projects",
            "~/.claude/projects",
            "~/.config/claude/projects",
        ],
        files: MemoryFilePattern::OfProject,
        format: Format::Claude,
        section: None,
    },
    AgentMemoryLocation {
        agent: "cursor",
        adapter: "adapter-cursor",
        scope: WriteScope::Project,
        folders: &["<project>/.cursor/rules"],
        files: MemoryFilePattern::With(&["mdc", "md"], &[]),
        format: Format::Cursor,
        section: None,
    },
    AgentMemoryLocation {
        agent: "codex",
        adapter: "adapter-codex",
        scope: WriteScope::Global,
        folders: &["$CODEX_HOME/memories", "~/.codex/memories"],
        // Raw notes that Codex has not consolidated yet are not memory.
        files: MemoryFilePattern::With(&["md"], &["raw_memories.md"]),
        format: Format::Markdown,
        section: None,
    },
    AgentMemoryLocation {
        agent: "gemini",
        adapter: "adapter-gemini",
        scope: WriteScope::Global,
        folders: &["$GEMINI_CLI_HOME/.gemini", "~/.gemini"],
        files: MemoryFilePattern::Named("GEMINI.md"),
        format: Format::Agents,
        section: Some("## Gemini Added Memories"),
    },
    AgentMemoryLocation {
        agent: "windsurf",
        adapter: "adapter-windsurf",
        scope: WriteScope::Global,
        folders: &["~/.codeium/windsurf/memories"],
        files: MemoryFilePattern::With(&["md"], &[]),
        format: Format::Markdown,
        section: None,
    },
];

/// Maximum number of files of one agent.
const FILES: u64 = 1_000;

/// File in acreta's own folder with the digests of imported files.
const TAKEN: &str = "agent-memories.json";

/// Imports the agents' memories of the current project into its memory, and those for all projects into the global
/// memory.
pub fn take_in(request: &FromAgents, context: &Context) -> Result<Imported, Failure> {
    let mut taken = ImportedDigests::load(context)?;
    let mut imported = Vec::new();
    for scope in [WriteScope::Project, WriteScope::Global] {
        let mut found = Vec::new();
        for place in PLACES.iter().filter(|place| place.scope == scope) {
            for file in files(place, context)? {
                let text = text_of(&file, place)?;
                if !text.trim().is_empty() {
                    found.push((place, file, text));
                }
            }
        }
        found.retain(|(_, file, text)| !request.changed_only || taken.differs(file, text));
        if found.is_empty() {
            continue;
        }
        let layout = MemoryScope::to_write(scope, context).layout;
        let mut writable = locked::open(context, layout)?;
        for (place, file, text) in found {
            let name = source_name(&file, context);
            let source = NoteSource::AgentMemory(name.clone());
            let text_source = Source {
                name: &name,
                text: &text,
            };
            let mut report = import::take_in(
                &file,
                acreta_import_export::import(&text_source, place.format),
                &name,
                &source,
                &mut writable,
                &Snapshot::default(),
                request.dry_run,
            )?;
            report.agent = Some(place.agent);
            imported.push(report);
            taken.note(&file, &text);
        }
    }
    if !request.dry_run {
        taken.save(context)?;
    }
    Ok(Imported { files: imported })
}

/// Imports changed agents' memories of every registered project, during a sync. A project whose memory cannot be
/// written is reported and stops nothing.
pub(crate) fn follow(context: &Context) -> Result<u64, Failure> {
    let request = FromAgents {
        changed_only: true,
        dry_run: false,
    };
    let mut files = 0;
    for root in registered_projects(context)? {
        if !root.is_dir() || root == context.home.folder() {
            continue;
        }
        let followed =
            Context::open(&context.process, &root).and_then(|context| take_in(&request, &context));
        match followed {
            Ok(imported) => files += imported.files.len() as u64,
            Err(failure) => context.warn(&format!("agents' memories of {root}: {failure}")),
        }
    }
    Ok(files)
}

/// Returns the files of an agent's memory, in order.
fn files(place: &AgentMemoryLocation, context: &Context) -> Result<Vec<Utf8PathBuf>, Failure> {
    let excluded = Excluded::new(sync_options::excluded(context));
    let is_left_alone = !context.grants.is_granted(place.adapter, true)
        || place.scope == WriteScope::Project && excluded.has(&context.project);
    let folder = place.folders.iter().find_map(|candidate| {
        let folder = match candidate.strip_prefix("<project>/") {
            Some(relative) => Some(context.project.join(relative)),
            None => sync_options::place_of(context, candidate),
        };
        folder.filter(|folder| folder.is_dir())
    });
    let (false, Some(folder)) = (is_left_alone, folder) else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    match &place.files {
        MemoryFilePattern::Named(name) => {
            found.extend(Some(folder.join(name)).filter(|file| file.is_file()))
        }
        MemoryFilePattern::With(extensions, except) => {
            list(&folder, extensions, except, &mut found)?
        }
        MemoryFilePattern::OfProject => {
            let directory = Directory::open(&folder, NoFaults::shared())?;
            for entry in directory.list(".", FILES * 100)? {
                let name = entry.path.file_name().unwrap_or_default();
                let memory = folder.join(name).join("memory");
                if is_named_after(name, &context.project) && memory.is_dir() {
                    list(&memory, &["md"], &[], &mut found)?;
                }
            }
        }
    }
    found.sort();
    Ok(found)
}

fn list(
    folder: &Utf8Path,
    extensions: &[&str],
    except: &[&str],
    found: &mut Vec<Utf8PathBuf>,
) -> Result<(), Failure> {
    let directory = Directory::open(folder, NoFaults::shared())?;
    for entry in directory.list(".", FILES)? {
        let name = entry.path.file_name().unwrap_or_default();
        let extension = entry.path.extension().unwrap_or_default();
        let is_wanted = extensions.contains(&extension) && !except.contains(&name);
        if is_wanted && entry.metadata.kind == EntryKind::File {
            found.push(folder.join(name));
        }
    }
    Ok(())
}

/// Returns whether an agent would use this folder name for a project.
fn is_named_after(name: &str, project: &Utf8Path) -> bool {
    let known = KnownProject {
        id: String::new(),
        root: project.to_owned(),
        former_paths: Vec::new(),
    };
    let facts = DirectoryFacts::Slug(name.to_owned());
    resolve(&facts, &[known]).is_some()
}

/// Returns the text of a file. Lines that are not memory are blanked, so that line numbers stay valid.
fn text_of(file: &Utf8Path, place: &AgentMemoryLocation) -> Result<String, Failure> {
    let (folder, name) = crate::process::files::split(file)?;
    let bytes = Directory::open(&folder, NoFaults::shared())?.read(name, NOTES_BYTES)?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(match place.section {
        Some(heading) => section(&text, heading),
        None => text.into_owned(),
    })
}

fn section(text: &str, heading: &str) -> String {
    let mut is_inside = false;
    let mut kept = String::new();
    for line in text.lines() {
        if line.trim_end() == heading {
            is_inside = true;
        } else if line.starts_with("# ") || line.starts_with("## ") {
            is_inside = false;
        }
        if is_inside {
            kept.push_str(line);
        }
        kept.push('\n');
    }
    kept
}

/// Returns the name of a file in evidence: relative to the project or to the home folder.
fn source_name(file: &Utf8Path, context: &Context) -> String {
    if let Ok(relative) = file.strip_prefix(&context.project) {
        return acreta_fs::portable(relative).into_string();
    }
    let home = context.home.user();
    match home.and_then(|home| file.strip_prefix(home).ok()) {
        Some(relative) => format!("~/{}", acreta_fs::portable(relative)),
        None => file.to_string(),
    }
}

/// Digests of imported files.
struct ImportedDigests(BTreeMap<Utf8PathBuf, String>);

impl ImportedDigests {
    fn load(context: &Context) -> Result<Self, Failure> {
        let folder = Directory::open_or_create_private(context.home.folder(), NoFaults::shared())?;
        let digests = match folder.exists(TAKEN)? {
            // A damaged file only means that everything is imported once more, which changes nothing.
            true => serde_json::from_slice(&folder.read(TAKEN, NOTES_BYTES)?).unwrap_or_default(),
            false => BTreeMap::new(),
        };
        Ok(Self(digests))
    }

    fn differs(&self, file: &Utf8Path, text: &str) -> bool {
        self.0.get(file) != Some(&acreta_store::digest(text))
    }

    fn note(&mut self, file: &Utf8Path, text: &str) {
        self.0.insert(file.to_owned(), acreta_store::digest(text));
    }

    fn save(&self, context: &Context) -> Result<(), Failure> {
        let folder = Directory::open_or_create_private(context.home.folder(), NoFaults::shared())?;
        let json =
            serde_json::to_vec_pretty(&self.0).map_err(|error| Failure::from_error(&error))?;
        Ok(folder.replace(TAKEN, &json)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_keeps_its_line_numbers() {
        let text = "# Mine\n- own rule\n## Gemini Added Memories\n- one\n### more\n- two\n## Other\n- three\n";
        let kept = section(text, "## Gemini Added Memories");
        assert_eq!(
            kept,
            "\n\n## Gemini Added Memories\n- one\n### more\n- two\n\n\n"
        );
    }
}
