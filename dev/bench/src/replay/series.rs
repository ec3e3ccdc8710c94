//! Series of sessions: the files of one repository, according to a manifest or the folders, and their events in order.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use acreta_types::Event;
use serde::Deserialize;

use crate::Outcome;
use crate::engine::all_files;
use crate::replay::learner::Learner;

/// Session files of one project.
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) files: Vec<PathBuf>,
}

/// One session, from its last file.
pub(crate) struct ReplaySession {
    pub(crate) key: String,
    pub(crate) id: String,
    pub(crate) agent: String,
    pub(crate) file: PathBuf,
    pub(crate) events: Vec<Event>,
}

#[derive(Deserialize)]
struct ManifestRow {
    file: PathBuf,
    repo: String,
}

/// Finds the series in a folder: by the repository in `manifest.jsonl`, else each folder is a series.
pub(crate) fn find(folder: &Path) -> Outcome<Vec<Series>> {
    let mut series: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    match std::fs::read_to_string(folder.join("manifest.jsonl")) {
        Ok(manifest) => {
            for line in manifest.lines().filter(|line| !line.trim().is_empty()) {
                let row: ManifestRow = serde_json::from_str(line)?;
                series
                    .entry(row.repo)
                    .or_default()
                    .push(folder.join(row.file));
            }
        }
        Err(_) => {
            for file in all_files(folder)? {
                let parent = file
                    .parent()
                    .and_then(|parent| parent.strip_prefix(folder).ok());
                let name = parent
                    .map(|name| name.display().to_string())
                    .unwrap_or_default();
                series.entry(name).or_default().push(file);
            }
        }
    }
    let mut series: Vec<Series> = series
        .into_iter()
        .map(|(name, files)| Series { name, files })
        .collect();
    series.retain(|series| series.files.len() > 1);
    series.sort_by_key(|series| std::cmp::Reverse(series.files.len()));
    Ok(series)
}

/// Returns the sessions of a series in the order they began. Of several states of one session the longest counts.
pub(crate) fn sessions(series: &Series, reader: &mut Learner) -> Outcome<Vec<ReplaySession>> {
    let mut sessions: BTreeMap<String, ReplaySession> = BTreeMap::new();
    for file in &series.files {
        // A file that is not a session, or holds several.
        let Ok(report) = reader.learn(file) else {
            continue;
        };
        let (agent, id) = (report.session.agent.clone(), report.session.id.clone());
        let path = reader
            .context
            .project
            .join(".acreta")
            .join(&report.session.raw_trace_path);
        let Ok(text) = std::fs::read_to_string(path) else {
            continue;
        };
        let events: Vec<Event> = text
            .lines()
            .map(serde_json::from_str)
            .collect::<Result<_, _>>()?;
        let key = format!("{agent}/{id}");
        if sessions
            .get(&key)
            .is_none_or(|known| known.events.len() < events.len())
        {
            let file = file.clone();
            sessions.insert(
                key.clone(),
                ReplaySession {
                    key,
                    id,
                    agent,
                    file,
                    events,
                },
            );
        }
    }
    let mut sessions: Vec<ReplaySession> = sessions.into_values().collect();
    sessions.sort_by_key(|session| (began(session).unwrap_or(u64::MAX), session.file.clone()));
    Ok(sessions)
}

fn began(session: &ReplaySession) -> Option<u64> {
    session.events.iter().find_map(|event| event.at_ms)
}
