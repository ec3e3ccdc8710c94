//! Sessions that Claude Code deleted before acreta saw them. Claude's `history.jsonl` outlives them: it has the prompts
//! of every session, and nothing else. Read on request, redacted, never written.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};

use acreta_fs::{Directory, NoFaults};
use acreta_state::SessionKey;
use acreta_sync::Selection;
use camino::{Utf8Path, Utf8PathBuf};
use serde::Deserialize;

use super::{SessionCopy, SessionRow};
use crate::learn::sync_options::{place_of, sync_options};
use crate::{Context, Failure, projects::scopes};

/// The agent of the history, as its adapter names it.
pub(crate) const AGENT: &str = "claude";

/// Its adapter: if it is disconnected, the history is not read, either.
const ADAPTER: &str = "adapter-claude";

/// Claude's folders.
const FOLDERS: [&str; 3] = ["$CLAUDE_CONFIG_DIR", "~/.claude", "~/.config/claude"];

/// The file, beside the folder of sessions.
const HISTORY: &str = "history.jsonl";

/// Maximum bytes of the file that are read.
const HISTORY_BYTES: u64 = 256 << 20;

/// Maximum bytes of a line.
const LINE_BYTES: u64 = 4 << 20;

/// Maximum characters of the first prompt when it is used as title.
const TITLE: usize = 80;

/// A session of which only the prompts are left.
#[derive(Clone)]
pub(crate) struct Recovered {
    pub(crate) id: String,
    pub(super) project: String,
    pub(crate) updated_ms: u64,
    pub(crate) file: Utf8PathBuf,
    /// In the order in which they were typed.
    pub(super) prompts: Vec<RecoveredPrompt>,
}

#[derive(Clone)]
pub(super) struct RecoveredPrompt {
    pub(super) at_ms: u64,
    pub(super) text: String,
}

impl Recovered {
    pub(super) fn row(&self) -> SessionRow {
        let first = self.prompts.first();
        let title = first.map(|prompt| prompt.text.split_whitespace().collect::<Vec<_>>());
        let title = title.map(|words| words.join(" ").chars().take(TITLE).collect::<String>());
        SessionRow {
            agent: AGENT.to_owned(),
            id: self.id.clone(),
            title: title.filter(|title| !title.is_empty()),
            project: Some(self.project.clone()),
            started_ms: first.map(|prompt| prompt.at_ms),
            updated_ms: Some(self.updated_ms),
            state: None,
            revision: None,
            copy: SessionCopy::PromptsOnly,
            relation: None,
            parent: None,
            file: self.file.clone(),
            bytes: 0,
        }
    }
}

/// Returns the sessions in Claude's history that are not known otherwise, if Claude's sessions may be read.
pub(crate) fn recovered(context: &Context) -> Result<Vec<Recovered>, Failure> {
    let options = sync_options(context, Selection::default())?;
    let catalog = scopes::open_catalog(context)?;
    let mut sessions = BTreeMap::new();
    for folder in folders(context) {
        read(&folder, &mut sessions);
    }
    let mut recovered = Vec::new();
    for (id, mut session) in sessions {
        let is_excluded = options.excluded.has(Utf8Path::new(&session.project));
        let key = SessionKey::new(AGENT, &id);
        if is_excluded || catalog.session(&key)?.is_some() || catalog.is_purged(&key)? {
            continue;
        }
        for prompt in &mut session.prompts {
            prompt.text = options.redactor.redact(&prompt.text).text.into_owned();
        }
        recovered.push(session);
    }
    Ok(recovered)
}

/// Returns Claude's folders: those of the granted roots, or the first usual one that exists.
fn folders(context: &Context) -> Vec<Utf8PathBuf> {
    if !context.grants.is_granted(ADAPTER, true) {
        return Vec::new();
    }
    let chosen = context.grants.get(ADAPTER).into_iter();
    let chosen: Vec<Utf8PathBuf> = chosen
        .flat_map(|grant| grant.roots.values())
        .filter_map(|root| Some(root.parent()?.to_owned()))
        .collect();
    if !chosen.is_empty() {
        return chosen;
    }
    let usual = FOLDERS.iter().filter_map(|one| place_of(context, one));
    usual.filter(|folder| folder.is_dir()).take(1).collect()
}

/// The used fields of a line of the history.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct HistoryLine {
    display: String,
    timestamp: u64,
    #[serde(default)]
    project: String,
    session_id: Option<String>,
}

/// Reads the lines of a history file. A missing file and invalid lines are skipped.
fn read(folder: &Utf8Path, sessions: &mut BTreeMap<String, Recovered>) {
    let opened = Directory::open(folder, NoFaults::shared())
        .and_then(|directory| directory.open_reader(HISTORY));
    let Ok(reader) = opened else {
        return;
    };
    let mut reader = BufReader::new(reader.take(HISTORY_BYTES));
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let mut line = (&mut reader).take(LINE_BYTES);
        match line.read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        // The rest of an overlong line is not a record, either.
        let Ok(line) = serde_json::from_slice::<HistoryLine>(&bytes) else {
            continue;
        };
        let Some(id) = line.session_id.filter(|id| !id.is_empty()) else {
            continue;
        };
        let session = sessions.entry(id.clone()).or_insert_with(|| Recovered {
            id,
            project: line.project,
            updated_ms: 0,
            file: folder.join(HISTORY),
            prompts: Vec::new(),
        });
        session.updated_ms = session.updated_ms.max(line.timestamp);
        session.prompts.push(RecoveredPrompt {
            at_ms: line.timestamp,
            text: line.display,
        });
    }
}
