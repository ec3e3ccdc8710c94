//! Finds session files, and decides which of them must be read. No adapter runs for an unchanged file.

use std::sync::Arc;

use acreta_fs::{Directory, NoFaults, ScanLimits, Stamp};
use acreta_session_archive::{
    DiscoveryProblem, FoundFile, FoundRoot, Places, discover_in, find_root, fold_companions,
};
use acreta_state::{Catalog, CatalogError, SeenFile};
use acreta_types::{AdapterRoot, Description, Job, PluginLog, Preopen, with_causes};
use camino::{Utf8Path, Utf8PathBuf};

use crate::error::SyncError;
use crate::options::SyncOptions;
use crate::report::SyncReport;
use crate::retention::deletes_after_days;
use crate::workshop::{AdapterEntry, SyncEnvironment, agent_of_plugin};

/// A root that an adapter asks for, and its location.
#[derive(Debug, Clone)]
pub struct AgentRoot {
    pub adapter: String,
    pub agent: String,
    /// As the adapter asks for it.
    pub wanted: AdapterRoot,
    /// Its location; `None` if it does not exist.
    pub found: Option<Utf8PathBuf>,
    /// Days for which the agent itself keeps its sessions, by its settings or default; `None` means forever.
    pub deletes_after_days: Option<u64>,
}

/// Returns the roots of every adapter with a grant.
pub fn agent_roots(
    catalog: &Catalog,
    options: &SyncOptions,
    workshop: &dyn SyncEnvironment,
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

/// Returns the most recently changed session files of every connected agent, newest first. Reads the folders directly,
/// so that it also works before the first sync.
pub fn recent_files(
    catalog: &Catalog,
    options: &SyncOptions,
    workshop: &dyn SyncEnvironment,
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

/// An adapter with the roots that were found for it in one home.
pub(crate) struct AdapterRoots {
    pub(crate) adapter: String,
    pub(crate) name: String,
    pub(crate) roots: Vec<FoundRoot>,
}

impl AdapterRoots {
    /// Returns whether a session's file is in one of the roots.
    pub(crate) fn has(&self, file: &Utf8Path) -> bool {
        self.roots.iter().any(|root| file.starts_with(&root.path))
    }

    /// Returns the adapter's preopened folders: each of its roots, read-only.
    pub(crate) fn preopens(&self) -> Vec<Preopen> {
        let preopen = |root: &FoundRoot| Preopen {
            host: root.path.clone(),
            guest: format!("/{}", root.name),
        };
        self.roots.iter().map(preopen).collect()
    }
}

/// A file that is new or changed.
pub(crate) struct ChangedFile {
    /// Index of its agent in the list of agents.
    pub(crate) agent: usize,
    pub(crate) root: String,
    pub(crate) path: Utf8PathBuf,
    pub(crate) guest_path: String,
    pub(crate) stamp: Stamp,
}

/// Session files on disk, compared with the catalog.
#[derive(Default)]
pub(crate) struct DiskState {
    pub(crate) agents: Vec<AdapterRoots>,
    pub(crate) changed: Vec<ChangedFile>,
    /// Files that no longer exist, by adapter.
    pub(crate) gone: Vec<(String, Vec<Utf8PathBuf>)>,
    /// Time before anything was read.
    pub(crate) looked_ms: u64,
}

/// Walks the roots of every adapter and compares the files with the catalog.
pub(crate) fn find(
    catalog: &Catalog,
    options: &SyncOptions,
    workshop: &dyn SyncEnvironment,
    report: &mut SyncReport,
) -> Result<DiskState, SyncError> {
    let mut found = DiskState {
        looked_ms: workshop.now_ms(),
        ..DiskState::default()
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
        let mut agents = Vec::new();
        for places in std::iter::once(None).chain(homes(options).map(Some)) {
            let mut roots = Vec::new();
            for wanted in &description.roots {
                let found = match &places {
                    None => root(wanted, entry, options),
                    Some(places) => find_root(wanted, places, own_folder(options)),
                };
                match found {
                    Ok(root) => roots.extend(root),
                    Err(error) => {
                        report.problem(&description.agent, Utf8PathBuf::new(), with_causes(&error));
                    }
                }
            }
            agents.push(AdapterRoots {
                adapter: entry.id.clone(),
                name: description.agent.clone(),
                roots,
            });
        }
        walk(catalog, options, agents, &mut found, report)?;
    }
    match &options.selection.agent {
        Some(agent) if !known.contains(agent) => Err(SyncError::UnknownAgent {
            agent: agent.clone(),
            known,
        }),
        _ => Ok(found),
    }
}

/// Returns an adapter's description: known in advance, cached in the catalog for the same component, or asked from the
/// adapter.
pub(crate) fn describe(
    catalog: &Catalog,
    workshop: &dyn SyncEnvironment,
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

/// Restricts a description to the granted roots. Patterns that its manifest leaves out come from its own description.
fn bounded(mut description: Description, entry: &AdapterEntry) -> Description {
    if entry.speaks_for.is_some() {
        description.agent = agent_of_plugin(&description.agent, &entry.id);
    }
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

/// Finds a root: at the path that a person chose, or at the adapter's first existing candidate.
fn root(
    wanted: &AdapterRoot,
    entry: &AdapterEntry,
    options: &SyncOptions,
) -> Result<Option<FoundRoot>, acreta_session_archive::RootError> {
    let own = own_folder(options);
    let Some(chosen) = entry.roots.get(&wanted.name) else {
        return find_root(wanted, &options.places, own);
    };
    // A path that a person chose passes the same checks.
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

/// acreta's own folder, which is never a root.
fn own_folder(options: &SyncOptions) -> &Utf8Path {
    let own = options.own_folders.first();
    own.map_or(Utf8Path::new(""), |own| own)
}

/// Returns the places of homes of other machines. Variables of this one say nothing about them.
fn homes(options: &SyncOptions) -> impl Iterator<Item = Places> {
    let platform = options.places.platform;
    let homes = options.homes.iter();
    homes.map(move |home| Places::new(platform, home.clone(), [].into()))
}

/// Compares the files of one adapter, by home, with the catalog.
fn walk(
    catalog: &Catalog,
    options: &SyncOptions,
    agents: Vec<AdapterRoots>,
    found: &mut DiskState,
    report: &mut SyncReport,
) -> Result<(), SyncError> {
    let Some(adapter) = agents.first().map(|agent| agent.adapter.clone()) else {
        return Ok(());
    };
    // Disk and catalog are read in parallel.
    let (seen, listed) = std::thread::scope(|scope| {
        let roots = agents.iter().flat_map(|agent| &agent.roots);
        let walking = scope.spawn(|| roots.map(files).collect::<Vec<_>>());
        let seen = catalog.seen_files(&adapter);
        (seen, walking.join())
    });
    let mut seen = seen?;
    // Of a home that is not mounted nothing is known.
    let is_absent = |home: &&Utf8PathBuf| !home.is_dir();
    for home in options.homes.iter().filter(is_absent) {
        seen.retain(|path, _| !Utf8Path::new(path).starts_with(home));
    }
    let listed = listed.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    let first = found.agents.len();
    let roots = agents.iter().enumerate();
    let roots = roots.flat_map(|(home, agent)| agent.roots.iter().map(move |it| (home, agent, it)));
    let mut is_whole = true;
    for ((home, agent, root), (files, problems)) in roots.zip(listed) {
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
            if !is_changed(&file, was_seen.as_ref()) {
                continue;
            }
            // The path of a session is stored, and is shown wherever the session is.
            let clean = options.redactor.redact(&path);
            if !clean.counts.is_empty() {
                let message = "not read: its path contains a secret; rename it".to_owned();
                report.problem(&agent.name, clean.text.into_owned().into(), message);
                continue;
            }
            found.changed.push(ChangedFile {
                agent: first + home,
                root: root.name.clone(),
                guest_path: format!("/{}/{}", root.name, file.relative),
                stamp: file.whole_stamp(),
                path: path.as_str().into(),
            });
        }
    }
    // An unreadable folder does not mean that its files are gone.
    if is_whole && !seen.is_empty() {
        let mut gone: Vec<Utf8PathBuf> = seen.into_keys().map(Utf8PathBuf::from).collect();
        gone.sort();
        found.gone.push((adapter, gone));
    }
    found.agents.extend(agents);
    Ok(())
}

fn files(root: &FoundRoot) -> (Vec<FoundFile>, Vec<DiscoveryProblem>) {
    let directory = match Directory::open(&root.path, NoFaults::shared()) {
        Ok(directory) => directory,
        Err(error) => return (Vec::new(), vec![error.into()]),
    };
    let (mut files, mut problems) = discover_in(&directory, &root.patterns, ScanLimits::default());
    // A database's latest changes are in files beside it.
    let (mut databases, mut others): (Vec<_>, Vec<_>) = files
        .drain(..)
        .partition(|file| is_database(&file.relative));
    problems.extend(fold_companions(&directory, &mut databases, &["-wal"]));
    // A snapshot of a large one is a hard link to it, which changes the file's ctime but not its content.
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

/// Returns the job for calling an adapter outside of a run.
pub(crate) fn job(now_ms: u64) -> Job {
    Job {
        now_ms,
        seed: 0,
        log: Arc::new(DiscardLog),
        models: None,
    }
}

/// Outside of a run, a guest's log messages have no reader.
struct DiscardLog;

impl PluginLog for DiscardLog {
    fn write(&self, plugin: &str, level: &str, message: &str) {
        tracing::debug!(plugin, level, message);
    }
}
