//! Permanently deletes a source: its evidence, the memories that had no other evidence, its summaries, its traces and
//! the folders of its runs. Memories with evidence from other sources stay.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use acreta_fs::{Directory, EntryKind, FsError};
use acreta_session_archive::TraceArchive;
use acreta_store::{Contribution, Layout, Memory, RemovedMemory};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use crate::decide::fold::fold_memory;
use crate::error::RunError;
use crate::memory::files::ChangeCollector;
use crate::memory::planned::{PlannedMemory, contributions_of};
use crate::memory::workspace::TracingPluginLog;
use crate::memory::writable::WritableMemory;

/// Selection of the evidence to delete. A `None` field matches everything; at least one must be set.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PurgeSelection {
    pub agent: Option<String>,
    pub session: Option<String>,
    /// Only sessions whose newest evidence is not older than this.
    pub since_ms: Option<u64>,
    /// Agents and ids of the sessions that were found to match, when nothing was deleted yet: afterwards nothing says
    /// that they did.
    pub found: BTreeSet<(String, String)>,
    /// Ids of the memories that they contributed to, and of those that had no other evidence.
    pub memories: BTreeSet<String>,
    pub removed: BTreeSet<String>,
}

/// Items that were removed, or would be. Paths are relative to the scope's folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct PurgeReport {
    pub memories_removed: Vec<Utf8PathBuf>,
    /// Other sources say it too: only this source's contribution is gone.
    pub memories_rewritten: Vec<Utf8PathBuf>,
    /// A person wrote or edited the text; only the evidence is gone.
    pub memories_kept: Vec<Utf8PathBuf>,
    /// Titles of all these memories, by path.
    pub titles: BTreeMap<Utf8PathBuf, String>,
    pub evidence_removed: u64,
    pub traces_removed: Vec<Utf8PathBuf>,
    pub run_folders_removed: Vec<Utf8PathBuf>,
    /// Ids of removed memories.
    #[serde(skip)]
    pub ids_removed: Vec<String>,
    /// Ids of memories with evidence of the source, and its sessions.
    #[serde(skip)]
    pub touched: BTreeSet<String>,
    #[serde(skip)]
    pub sessions: BTreeSet<(String, String)>,
    pub dry_run: bool,
}

impl PurgeReport {
    pub fn is_empty(&self) -> bool {
        self.memories_removed.is_empty()
            && self.memories_rewritten.is_empty()
            && self.memories_kept.is_empty()
            && self.evidence_removed == 0
            && self.traces_removed.is_empty()
            && self.run_folders_removed.is_empty()
    }
}

impl PurgeSelection {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub fn covers(&self, agent: &str, session: &str, at_ms: Option<u64>) -> bool {
        let mut found = self.found.iter();
        if found.any(|(of, id)| of == agent && id == session) {
            return true;
        }
        self.agent.as_deref().is_none_or(|wanted| wanted == agent)
            && self
                .session
                .as_deref()
                .is_none_or(|wanted| wanted == session)
            && self
                .since_ms
                .is_none_or(|since| at_ms.is_some_and(|at| at >= since))
    }

    fn takes(&self, contribution: &Contribution) -> bool {
        let at_ms = contribution.last_ms.unwrap_or(contribution.newest_ms);
        self.covers(&contribution.agent, &contribution.session_id, Some(at_ms))
    }
}

/// Outcome for one memory.
enum PurgeOutcome {
    Stays,
    Goes,
    Rewritten(Box<PlannedMemory>),
    Kept(Box<PlannedMemory>),
}

impl WritableMemory {
    /// Removes every trace of a source from one scope.
    pub fn purge(
        &mut self,
        selection: &PurgeSelection,
        dry_run: bool,
    ) -> Result<PurgeReport, RunError> {
        let mut report = PurgeReport {
            dry_run,
            ..PurgeReport::default()
        };
        let layout = self.options.layout.clone();
        let mut sessions = selection.found.clone();
        let mut planned = Vec::new();
        let mut gone: Vec<&Memory> = Vec::new();
        for memory in &self.snapshot.memories {
            for contribution in contributions_of(memory) {
                if selection.takes(contribution) {
                    report.evidence_removed += 1;
                    report.touched.insert(memory.id.clone());
                    sessions.insert((contribution.agent.clone(), contribution.session_id.clone()));
                }
            }
            let path = layout.memory_path(&memory.path);
            let fate = fate(memory, selection);
            if !matches!(fate, PurgeOutcome::Stays) {
                let title = memory.title().to_owned();
                report.titles.insert(path.clone(), title);
            }
            match fate {
                PurgeOutcome::Stays => {}
                PurgeOutcome::Goes => {
                    report.memories_removed.push(path);
                    report.ids_removed.push(memory.id.clone());
                    gone.push(memory);
                }
                PurgeOutcome::Rewritten(one) => {
                    report.memories_rewritten.push(path);
                    planned.push(*one);
                }
                PurgeOutcome::Kept(one) => {
                    report.memories_kept.push(path);
                    planned.push(*one);
                }
            }
        }
        let orphans: Vec<&RemovedMemory> = self
            .snapshot
            .removed
            .iter()
            .filter(|removed| {
                let contributions = &removed.evidence.contributions;
                contributions.iter().any(|one| selection.takes(one))
            })
            .collect();
        for orphan in &orphans {
            report.ids_removed.push(orphan.evidence.id.clone());
            report.touched.insert(orphan.evidence.id.clone());
            let contributions = orphan.evidence.contributions.iter();
            for one in contributions.filter(|one| selection.takes(one)) {
                report.evidence_removed += 1;
                sessions.insert((one.agent.clone(), one.session_id.clone()));
            }
        }

        let run_id = self.run_id("purge");
        let log = Arc::new(TracingPluginLog);
        let mut prepared = self.prepare(&run_id, &run_id, &planned, log, &mut |_| {})?;
        let faults = Arc::clone(&self.options.faults);
        let mut files = ChangeCollector::open(&layout, &self.snapshot.memories, &faults)?;
        for memory in gone {
            files.forget(memory, true)?;
        }
        for orphan in orphans {
            files.forget_sidecars(&orphan.evidence.id)?;
        }
        prepared.change.files.extend(files.into_changes());
        let base = layout.open_or_create(&faults)?;
        report.traces_removed = traces(&base, layout.traces(), selection, &sessions)?;
        let memories = report.touched.union(&selection.memories);
        let names = sessions.iter().map(|(_, id)| id).chain(memories);
        report.run_folders_removed = run_folders(&layout, selection, &names.collect::<Vec<_>>());
        report.sessions = sessions;
        if dry_run {
            return Ok(report);
        }
        self.commit(&prepared)?;
        let mut gone = report.ids_removed.clone();
        gone.extend(selection.removed.iter().cloned());
        self.store.forget_words(self.lock()?, &gone)?;
        for trace in &report.traces_removed {
            base.remove_file(trace)?;
        }
        if let Ok(Some(workspace)) = layout.open_workspace(&acreta_fs::NoFaults::shared()) {
            for folder in &report.run_folders_removed {
                // What is left after a crash no longer says whose it is.
                let doomed = match is_doomed(folder) {
                    true => folder.clone(),
                    false => Utf8PathBuf::from(format!("{DOOMED}{folder}")),
                };
                if doomed != *folder {
                    workspace.rename(folder, &doomed)?;
                }
                workspace.remove_dir_all(&doomed)?;
            }
        }
        // An index keeps deleted texts until it is compacted. It is a cache and is rebuilt.
        if base.exists("index")? {
            base.remove_dir_all("index")?;
        }
        Ok(report)
    }
}

fn fate(memory: &Memory, selection: &PurgeSelection) -> PurgeOutcome {
    let all = contributions_of(memory);
    let left: Vec<Contribution> = all
        .iter()
        .filter(|one| !selection.takes(one))
        .cloned()
        .collect();
    if left.len() == all.len() {
        return PurgeOutcome::Stays;
    }
    let mut planned = PlannedMemory::of(memory);
    let runs: BTreeSet<&str> = all
        .iter()
        .filter(|one| selection.takes(one))
        .map(|one| one.run_id.as_str())
        .collect();
    planned
        .state
        .proposals
        .retain(|proposal| !runs.contains(proposal.run_id.as_str()));
    if left.is_empty() {
        return PurgeOutcome::Goes;
    }
    let before = fold_memory(&memory.id, all);
    let after = fold_memory(&memory.id, &left);
    planned.contributions = left;
    match (before, after) {
        (Some(before), Some(after)) if !memory.is_protected() => {
            if !before.renders_like(&after) && !memory.is_archived() {
                planned.write(after);
            }
            PurgeOutcome::Rewritten(Box::new(planned))
        }
        _ => PurgeOutcome::Kept(Box::new(planned)),
    }
}

/// Returns archived traces of the source, relative to the base.
fn traces(
    base: &Directory,
    folder: &Utf8Path,
    selection: &PurgeSelection,
    sessions: &BTreeSet<(String, String)>,
) -> Result<Vec<Utf8PathBuf>, RunError> {
    let known: BTreeSet<Utf8PathBuf> = sessions
        .iter()
        .map(|(agent, id)| acreta_fs::join(folder, TraceArchive::relative_path(agent, id)))
        .collect();
    let mut found = Vec::new();
    let agents = match base.list(folder, 10_000) {
        Ok(agents) => agents,
        Err(error) if FsError::is_not_found(&error) => return Ok(found),
        Err(error) => return Err(error.into()),
    };
    for agent in agents {
        let name = agent.path.file_name().unwrap_or_default();
        let unfinished: Vec<String> = sessions
            .iter()
            .filter(|(of, id)| {
                let trace = TraceArchive::relative_path(of, id);
                trace
                    .parent()
                    .is_some_and(|folder| folder.file_name() == Some(name))
            })
            .filter_map(|(of, id)| {
                let trace = TraceArchive::relative_path(of, id);
                Some(format!(".{}.", trace.file_name()?))
            })
            .collect();
        for trace in base.list(&agent.path, 10_000_000).unwrap_or_default() {
            let session = trace.path.file_name().unwrap_or_default();
            // A process that died while it wrote the trace.
            if unfinished
                .iter()
                .any(|head| session.starts_with(head.as_str()))
            {
                found.push(trace.path.clone());
            }
            let Some(session) = session.strip_suffix(".jsonl") else {
                continue;
            };
            let is_known = known.contains(&trace.path);
            // A trace does not contain the time of its session; the evidence does.
            if is_known || selection.covers(name, session, None) {
                found.push(trace.path.clone());
            }
        }
    }
    Ok(found)
}

/// Maximum size of a file in a run's folder.
const ARTIFACT_BYTES: u64 = 1024 * 1024 * 1024;

/// Returns folders of runs that read sessions of the source, or that mention them or a memory of theirs in any file:
/// explorers and maintenance write down texts of memories, and undoing a maintenance needs them. Relative to the
/// workspace.
fn run_folders(layout: &Layout, selection: &PurgeSelection, names: &[&String]) -> Vec<Utf8PathBuf> {
    let Ok(Some(workspace)) = layout.open_workspace(&acreta_fs::NoFaults::shared()) else {
        return Vec::new();
    };
    let folders = workspace.list(".", 1_000_000).unwrap_or_default();
    folders
        .into_iter()
        .map(|entry| entry.path)
        .filter(|folder| is_doomed(folder) || is_of(&workspace, folder, selection, names))
        .collect()
}

/// Start of the name of a folder that is being removed.
const DOOMED: &str = "purged-";

fn is_doomed(folder: &Utf8Path) -> bool {
    folder.as_str().starts_with(DOOMED)
}

fn is_of(
    workspace: &Directory,
    folder: &Utf8Path,
    selection: &PurgeSelection,
    names: &[&String],
) -> bool {
    let entries = workspace.list(folder, 1_000_000).unwrap_or_default();
    entries.into_iter().any(|entry| {
        if entry.metadata.kind == EntryKind::Directory {
            return is_of(workspace, &entry.path, selection, names);
        }
        let bytes = workspace
            .read(&entry.path, ARTIFACT_BYTES)
            .unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let is_log = entry.path.file_name() == Some("session.log");
        names.iter().any(|name| mentions(&text, name))
            || is_log && text.lines().any(|line| is_covered(line, selection))
    })
}

/// Reports whether a text names an id: as a whole string of JSON if the id is too short to be unlike other words.
fn mentions(text: &str, id: &str) -> bool {
    const DISTINCTIVE: usize = 8;
    match id.len() >= DISTINCTIVE {
        true => text.contains(id),
        false => [format!("\"{id}\""), format!("\"{id}\\")]
            .iter()
            .any(|quoted| text.contains(quoted.as_str())),
    }
}

/// Reports whether a line of a run's `session.log` is about a session of the source.
fn is_covered(line: &str, selection: &PurgeSelection) -> bool {
    let line: serde_json::Value = serde_json::from_str(line).unwrap_or_default();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let (agent, id) = (
        text(&line["session"]["agent"]),
        text(&line["session"]["id"]),
    );
    selection.covers(&agent, &id, line["stats"]["last_ms"].as_u64())
}
