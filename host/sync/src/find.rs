//! Which session files there are, and which of them have to be looked into. No adapter runs for a
//! file that is as it was.

use std::sync::Arc;

use acreta_catalog::{Catalog, CatalogError, SeenFile};
use acreta_fs::{Directory, NoFaults, ScanLimits, Stamp};
use acreta_model::{AdapterRoot, Description, Job, PluginLog, Preopen, with_causes};
use acreta_sessions::{
    FoundFile, FoundRoot, Places, Problem, discover_in, find_root, fold_companions,
};
use camino::{Utf8Path, Utf8PathBuf};

use crate::error::SyncError;
use crate::options::SyncOptions;
use crate::report::SyncReport;
use crate::retention::deletes_after_days;
use crate::workshop::{AdapterEntry, Workshop};

/// What an adapter asks for and what there is of it.
#[derive(Debug, Clone)]
pub struct AgentRoot {
    pub adapter: String,
    pub agent: String,
    /// As the adapter asks for it.
    pub wanted: AdapterRoot,
    /// Where it lies; none when it is not there.
    pub found: Option<Utf8PathBuf>,
    /// How long the agent itself keeps its sessions, by its settings where they say it; none for ever.
    pub deletes_after_days: Option<u64>,
}

/// The roots of every adapter that is granted something.
pub fn agent_roots(
    catalog: &Catalog,
    options: &SyncOptions,
    workshop: &dyn Workshop,
) -> Result<Vec<AgentRoot>, SyncError> {
    let mut roots = Vec::new();
    for entry in workshop.adapters() {
        let Ok(description) = describe(catalog, workshop, entry)? else {
            continue;
        };
        for wanted in description.roots.clone() {
            let found = root(&wanted, entry, options).ok().flatten();
            let place = found.as_ref().map(|found| found.path.as_path());
            let days = deletes_after_days(&description, place);
            roots.push(AgentRoot {
                adapter: entry.id.clone(),
                agent: description.agent.clone(),
                wanted,
                found: found.map(|found| found.path),
                deletes_after_days: days,
            });
        }
    }
    Ok(roots)
}

/// A session file of a connected agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecentFile {
    pub agent: String,
    pub path: Utf8PathBuf,
    pub mtime_ns: i64,
}

/// The session files of every connected agent that changed last, the newest first. Reads the
/// folders as they are, so that it also answers before the first sync.
pub fn recent_files(
    catalog: &Catalog,
    options: &SyncOptions,
    workshop: &dyn Workshop,
    limit: usize,
) -> Result<Vec<RecentFile>, SyncError> {
    let mut recent = Vec::new();
    for entry in workshop.adapters() {
        let Ok(description) = describe(catalog, workshop, entry)? else {
            continue;
        };
        for wanted in &description.roots {
            let Ok(Some(found)) = root(wanted, entry, options) else {
                continue;
            };
            let (listed, _) = files(&found);
            recent.extend(listed.into_iter().map(|file| RecentFile {
                agent: description.agent.clone(),
                path: acreta_fs::native(&found.path.join(&file.relative)),
                mtime_ns: file.whole_stamp().modified_ns,
            }));
        }
    }
    recent.retain(|file| !options.excluded.has_file(&file.path));
    recent.sort_by(|left, right| (right.mtime_ns, &left.path).cmp(&(left.mtime_ns, &right.path)));
    recent.truncate(limit);
    Ok(recent)
}

/// An adapter with the roots that were found for it.
pub(crate) struct Agent {
    pub(crate) adapter: String,
    pub(crate) name: String,
    pub(crate) roots: Vec<FoundRoot>,
}

impl Agent {
    /// What the adapter is handed: every root of it, read-only.
    pub(crate) fn preopens(&self) -> Vec<Preopen> {
        let preopen = |root: &FoundRoot| Preopen {
            host: root.path.clone(),
            guest: format!("/{}", root.name),
        };
        self.roots.iter().map(preopen).collect()
    }
}

/// A file that is new or not as it was.
pub(crate) struct ChangedFile {
    /// Place of its agent in the list of agents.
    pub(crate) agent: usize,
    pub(crate) root: String,
    pub(crate) path: Utf8PathBuf,
    pub(crate) guest_path: String,
    pub(crate) stamp: Stamp,
}

/// What the disk has.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) agents: Vec<Agent>,
    pub(crate) changed: Vec<ChangedFile>,
    /// Files that were there and are not any more, by adapter.
    pub(crate) gone: Vec<(String, Vec<Utf8PathBuf>)>,
    /// Before anything was looked at.
    pub(crate) looked_ms: u64,
}

/// Walks the roots of every adapter and compares with what was seen before.
pub(crate) fn find(
    catalog: &Catalog,
    options: &SyncOptions,
    workshop: &dyn Workshop,
    report: &mut SyncReport,
) -> Result<Found, SyncError> {
    let mut found = Found {
        looked_ms: workshop.now_ms(),
        ..Found::default()
    };
    let mut known = Vec::new();
    for entry in workshop.adapters() {
        let description = match describe(catalog, workshop, entry)? {
            Ok(description) => description,
            Err(message) => {
                report.problem(&entry.id, Utf8PathBuf::new(), message);
                continue;
            }
        };
        known.push(description.agent.clone());
        let mut roots = Vec::new();
        for wanted in &description.roots {
            match root(wanted, entry, options) {
                Ok(root) => roots.extend(root),
                Err(error) => {
                    report.problem(&description.agent, Utf8PathBuf::new(), error.to_string());
                }
            }
        }
        let agent = Agent {
            adapter: entry.id.clone(),
            name: description.agent,
            roots,
        };
        walk(catalog, options, &agent, &mut found, report)?;
        found.agents.push(agent);
    }
    match &options.selection.agent {
        Some(agent) if !known.contains(agent) => Err(SyncError::UnknownAgent {
            agent: agent.clone(),
            known,
        }),
        _ => Ok(found),
    }
}

/// What an adapter says of itself: from the catalog when the same component said it before, if it is not known anyway.
pub(crate) fn describe(
    catalog: &Catalog,
    workshop: &dyn Workshop,
    entry: &AdapterEntry,
) -> Result<Result<Description, String>, CatalogError> {
    if let Some(description) = &entry.described {
        return Ok(Ok(bounded(description.clone(), entry)));
    }
    if let Some(json) = catalog.description(&entry.digest)?
        && let Ok(description) = serde_json::from_str(&json)
    {
        return Ok(Ok(bounded(description, entry)));
    }
    let adapter = match workshop.adapter(&entry.id) {
        Ok(adapter) => adapter,
        Err(message) => return Ok(Err(message)),
    };
    match adapter.describe(&job(workshop.now_ms())).result {
        Ok(description) => {
            let json = serde_json::to_string(&description).unwrap_or_default();
            catalog.put_description(&entry.digest, &json)?;
            Ok(Ok(bounded(description, entry)))
        }
        Err(error) => Ok(Err(error.to_string())),
    }
}

/// With the roots that were granted, whatever it says itself. Patterns that its manifest leaves out are
/// its own to say.
fn bounded(mut description: Description, entry: &AdapterEntry) -> Description {
    if let Some(granted) = &entry.granted {
        let own = std::mem::take(&mut description.roots);
        let patterns = |root: &AdapterRoot| {
            let own = own.iter().find(|own| own.name == root.name);
            own.map(|own| own.patterns.clone()).unwrap_or_default()
        };
        description.roots = granted
            .iter()
            .map(|root| AdapterRoot {
                patterns: match root.patterns.is_empty() {
                    true => patterns(root),
                    false => root.patterns.clone(),
                },
                ..root.clone()
            })
            .collect();
    }
    description
}

/// Where a root lies: where a person said, or the first place the adapter names that exists.
fn root(
    wanted: &AdapterRoot,
    entry: &AdapterEntry,
    options: &SyncOptions,
) -> Result<Option<FoundRoot>, acreta_sessions::RootError> {
    let own = options
        .own_folders
        .first()
        .map_or(Utf8Path::new(""), |own| own);
    let Some(chosen) = entry.roots.get(&wanted.name) else {
        return find_root(wanted, &options.places, own);
    };
    // The same checks hold for a place that a person chose.
    let wanted = AdapterRoot {
        candidates: vec!["$CHOSEN".to_owned()],
        ..wanted.clone()
    };
    let places = Places {
        variables: [("CHOSEN".to_owned(), chosen.to_string())].into(),
        ..options.places.clone()
    };
    find_root(&wanted, &places, own)
}

fn walk(
    catalog: &Catalog,
    options: &SyncOptions,
    agent: &Agent,
    found: &mut Found,
    report: &mut SyncReport,
) -> Result<(), SyncError> {
    // The disk and the catalog are read at the same time.
    let (seen, listed) = std::thread::scope(|scope| {
        let walking = scope.spawn(|| agent.roots.iter().map(files).collect::<Vec<_>>());
        let seen = catalog.seen_files(&agent.adapter);
        (seen, walking.join())
    });
    let mut seen = seen?;
    let listed = listed.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    let mut is_whole = true;
    for (root, (files, problems)) in agent.roots.iter().zip(listed) {
        for problem in problems {
            is_whole = false;
            report.problem(&agent.name, root.path.clone(), with_causes(&problem));
        }
        report.agent(&agent.name).files += files.len() as u64;
        let mut path = root.path.join("").into_string();
        let length = path.len();
        for file in files {
            path.truncate(length);
            path.push_str(file.relative.as_str());
            let was_seen = seen.remove(&path);
            if options.excluded.has_file(Utf8Path::new(&path)) {
                continue;
            }
            if is_changed(&file, was_seen.as_ref()) {
                found.changed.push(ChangedFile {
                    agent: found.agents.len(),
                    root: root.name.clone(),
                    guest_path: format!("/{}/{}", root.name, file.relative),
                    stamp: file.whole_stamp(),
                    path: path.as_str().into(),
                });
            }
        }
    }
    // What could not be looked at is not known to be gone.
    if is_whole && !seen.is_empty() {
        let mut gone: Vec<Utf8PathBuf> = seen.into_keys().map(Utf8PathBuf::from).collect();
        gone.sort();
        found.gone.push((agent.adapter.clone(), gone));
    }
    Ok(())
}

fn files(root: &FoundRoot) -> (Vec<FoundFile>, Vec<Problem>) {
    let directory = match Directory::open(&root.path, NoFaults::shared()) {
        Ok(directory) => directory,
        Err(error) => return (Vec::new(), vec![error.into()]),
    };
    let (mut files, mut problems) = discover_in(&directory, &root.patterns, ScanLimits::default());
    // A database's latest changes lie beside it.
    let (mut databases, mut others): (Vec<_>, Vec<_>) = files
        .drain(..)
        .partition(|file| is_database(&file.relative));
    problems.extend(fold_companions(&directory, &mut databases, &["-wal"]));
    // A snapshot of a large one is a link to it, which counts as a change of the file but is none.
    for database in &mut databases {
        database.stamp.changed_ns = 0;
    }
    others.append(&mut databases);
    (others, problems)
}

fn is_database(path: &Utf8Path) -> bool {
    matches!(
        path.extension(),
        Some("db" | "vscdb" | "sqlite" | "sqlite3")
    )
}

fn is_changed(file: &FoundFile, seen: Option<&SeenFile>) -> bool {
    seen.is_none_or(|seen| !seen.is_unchanged(&file.whole_stamp()))
}

/// What an adapter is called with outside of a run.
pub(crate) fn job(now_ms: u64) -> Job {
    Job {
        now_ms,
        seed: 0,
        log: Arc::new(NoLog),
        models: None,
    }
}

/// Outside of a run nobody reads what a guest has to say.
struct NoLog;

impl PluginLog for NoLog {
    fn write(&self, plugin: &str, level: &str, message: &str) {
        tracing::debug!(plugin, level, message);
    }
}
