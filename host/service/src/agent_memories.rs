//! What agents keep in memories of their own, taken in as notes: what `memory import --from-agents` and the setting
//! `sync.agent_memories` do. A note is an agent's word, untrusted until a person confirms it, with the file as evidence.
//! No file of an agent is changed.

use std::collections::BTreeMap;

use acreta_exchange::Format;
use acreta_fs::{Directory, EntryKind, NoFaults};
use acreta_lead::NoteSource;
use acreta_model::Identity;
use acreta_sessions::{DirectoryFacts, KnownProject, Resolution, resolve};
use acreta_sync::Excluded;
use camino::{Utf8Path, Utf8PathBuf};

use crate::import::{Imported, NOTES_BYTES, take_in_text};
use crate::remember::WriteScope;
use crate::scopes::{MemoryScope, registered_projects};
use crate::{Context, Failure, desk, settings};

/// Which memories of agents to take in.
#[derive(Debug, Clone, Copy, Default)]
pub struct FromAgents {
    /// Files that are as they were when they were last taken in are passed over.
    pub changed_only: bool,
    /// Reports what would change, and changes nothing.
    pub dry_run: bool,
}

/// Where an agent keeps memories.
struct Place {
    agent: &'static str,
    /// Its adapter: an agent that is disconnected is left alone.
    adapter: &'static str,
    scope: WriteScope,
    /// The first of these that is there; `<project>` is the project at hand.
    folders: &'static [&'static str],
    files: Files,
    format: Format,
    /// The heading of the only section that is memory.
    section: Option<&'static str>,
}

enum Files {
    /// The files of this name.
    Named(&'static str),
    /// Those with one of these extensions, but for some names.
    With(&'static [&'static str], &'static [&'static str]),
    /// Markdown in the folder `memory` of the folder that is named after the project.
    OfProject,
}

const PLACES: &[Place] = &[
    Place {
        agent: "claude",
        adapter: "adapter-claude",
        scope: WriteScope::Project,
        folders: &[
            "$CLAUDE_CONFIG_DIR/projects",
            "~/.claude/projects",
            "~/.config/claude/projects",
        ],
        files: Files::OfProject,
        format: Format::Claude,
        section: None,
    },
    Place {
        agent: "cursor",
        adapter: "adapter-cursor",
        scope: WriteScope::Project,
        folders: &["<project>/.cursor/rules"],
        files: Files::With(&["mdc", "md"], &[]),
        format: Format::Cursor,
        section: None,
    },
    Place {
        agent: "codex",
        adapter: "adapter-codex",
        scope: WriteScope::Global,
        folders: &["$CODEX_HOME/memories", "~/.codex/memories"],
        // What Codex has not worked into its memory yet is no memory.
        files: Files::With(&["md"], &["raw_memories.md"]),
        format: Format::Markdown,
        section: None,
    },
    Place {
        agent: "gemini",
        adapter: "adapter-gemini",
        scope: WriteScope::Global,
        folders: &["$GEMINI_CLI_HOME/.gemini", "~/.gemini"],
        files: Files::Named("GEMINI.md"),
        format: Format::Agents,
        section: Some("## Gemini Added Memories"),
    },
    Place {
        agent: "windsurf",
        adapter: "adapter-windsurf",
        scope: WriteScope::Global,
        folders: &["~/.codeium/windsurf/memories"],
        files: Files::With(&["md"], &[]),
        format: Format::Markdown,
        section: None,
    },
];

/// Most files of one agent.
const FILES: u64 = 1_000;

/// Digests of the files that were taken in, in acreta's own folder.
const TAKEN: &str = "agent-memories.json";

/// Takes in the memories that agents keep of the project at hand, and those that they keep for all projects. The
/// first go to the project's memory, the others to the global one.
pub fn take_in(request: &FromAgents, context: &Context) -> Result<Imported, Failure> {
    let mut taken = Taken::load(context)?;
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
        let mut desk = desk::open(context, layout)?;
        for (place, file, text) in found {
            let name = source_name(&file, context);
            let source = NoteSource::AgentMemory(name.clone());
            let mut report = take_in_text(
                &file,
                &text,
                &name,
                place.format,
                &source,
                &mut desk,
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

/// Follows agents' memories for a sync: of every registered project, and only files that changed. A project whose
/// memory cannot be written is said and stops nothing.
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

/// The files of an agent's memory, in order.
fn files(place: &Place, context: &Context) -> Result<Vec<Utf8PathBuf>, Failure> {
    let excluded = Excluded::new(settings::excluded(context));
    let is_left_alone = !context.grants.is_granted(place.adapter, true)
        || place.scope == WriteScope::Project && excluded.has(&context.project);
    let folder = place.folders.iter().find_map(|candidate| {
        let folder = match candidate.strip_prefix("<project>/") {
            Some(relative) => Some(context.project.join(relative)),
            None => settings::place_of(context, candidate),
        };
        folder.filter(|folder| folder.is_dir())
    });
    let (false, Some(folder)) = (is_left_alone, folder) else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    match &place.files {
        Files::Named(name) => found.extend(Some(folder.join(name)).filter(|file| file.is_file())),
        Files::With(extensions, except) => list(&folder, extensions, except, &mut found)?,
        Files::OfProject => {
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

/// Reports whether an agent would name a folder so for a project.
fn is_named_after(name: &str, project: &Utf8Path) -> bool {
    let known = KnownProject {
        id: String::new(),
        root: project.to_owned(),
        root_exists: true,
        identity: Identity::default(),
        former_paths: Vec::new(),
    };
    let facts = DirectoryFacts::Slug(name.to_owned());
    matches!(resolve(&facts, &[known]), Resolution::Existing(_))
}

/// The text of a file, with blank lines for what is no memory, so that lines keep their numbers.
fn text_of(file: &Utf8Path, place: &Place) -> Result<String, Failure> {
    let (folder, name) = crate::files::split(file)?;
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

/// How a file is called in evidence: from the project or from the home folder on.
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

/// Which files were taken in, and at which content.
struct Taken(BTreeMap<Utf8PathBuf, String>);

impl Taken {
    fn load(context: &Context) -> Result<Self, Failure> {
        let folder = Directory::open_or_create_private(context.home.folder(), NoFaults::shared())?;
        let digests = match folder.exists(TAKEN)? {
            // What cannot be read is taken in once more, which changes nothing.
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
