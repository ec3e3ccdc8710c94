//! Caches the memories that a brief may contain, because reading all of memory takes too long for the start of a
//! session. The cache is compared with the disk: if it is missing or something changed, memory is read again. It is
//! stored with the user's caches, not in the project, so that a repository cannot bring its own.

use std::collections::{BTreeMap, BTreeSet};

use acreta_fs::{Directory, NoFaults, Stamp};
use acreta_pipeline::References;
use acreta_store::{Layout, Memory, Snapshot, Store, Trust};
use acreta_types::MemoryType;
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

use super::{BriefCandidate, BriefTrust};
use crate::find::short_ids::ShortIds;
use crate::process::stamps::{self, TakenStamps};
use crate::{Context, Failure, projects::scopes};

const FILE_BYTES: u64 = 4 * 1024 * 1024;

/// Maximum number of open ends in a brief.
const OPEN_ENDS: usize = 2;

/// Maximum bytes of a memory's body; enough for every quotation.
const BODY_BYTES: usize = 4 * 1024;

/// Maximum number of cached memories; more than a brief could choose from.
const MOST: usize = 400;

pub(crate) struct BriefCache {
    base: Directory,
    layout: Layout,
    /// Folder of the cache.
    folder: Utf8PathBuf,
    file: String,
    kept: CachedBrief,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct CachedBrief {
    stamps: TakenStamps,
    memories: Vec<CachedCandidate>,
    /// Number of memories that are never given: untrusted, stale, superseded or outdated.
    #[serde(default)]
    doubtful: u64,
    /// Number of those that came with the repository and that the person did not accept.
    #[serde(default)]
    foreign: u64,
    /// Open ends of the newest session with a summary.
    #[serde(default)]
    open: Vec<String>,
    #[serde(default)]
    branch: Option<BranchChanges>,
    /// Token counts by line.
    tokens: BTreeMap<String, usize>,
    last_session_ms: Option<i64>,
    /// The commit at which the last session ended or, if that is unknown, began.
    head: Option<String>,
}

/// The files that a branch changed, valid until the branch or its base moves.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct BranchChanges {
    head: String,
    /// The newest commit of the default branch.
    tip: String,
    paths: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct CachedCandidate {
    path: String,
    stamp: Option<Stamp>,
    candidate: BriefCandidate,
}

impl BriefCache {
    /// Opens the cache as stored, even if memory has changed since.
    pub(crate) fn as_kept(layout: &Layout, context: &Context) -> Result<Self, Failure> {
        let base = layout.open_or_create(&NoFaults::shared())?;
        let folder = context.home.briefs();
        let file = format!("{}.json", acreta_store::digest(layout.base().as_str()));
        let read = Directory::open(&folder, NoFaults::shared())
            .and_then(|folder| folder.read_to_string(&file, FILE_BYTES));
        let kept: Option<CachedBrief> = read.ok().and_then(|text| serde_json::from_str(&text).ok());
        Ok(Self {
            base,
            layout: layout.clone(),
            folder,
            file,
            kept: kept.unwrap_or_default(),
        })
    }

    /// Opens the cache and brings it up to date with memory.
    pub(crate) fn open(layout: &Layout, context: &Context) -> Result<Self, Failure> {
        let mut known = Self::as_kept(layout, context)?;
        if !known.is_current() {
            known.read_again(layout, context)?;
        }
        Ok(known)
    }

    /// Brings the stored cache up to date with memory.
    pub(crate) fn refresh(layout: &Layout, context: &Context) -> Result<(), Failure> {
        if !layout.has_memory()? {
            return Ok(());
        }
        let mut known = Self::as_kept(layout, context)?;
        if !known.is_current() {
            known.read_again(layout, context)?;
            known.store();
        }
        Ok(())
    }

    pub(crate) fn candidates(&self) -> Vec<BriefCandidate> {
        let memories = self.kept.memories.iter();
        memories.map(|entry| entry.candidate.clone()).collect()
    }

    pub(crate) fn doubtful(&self) -> u64 {
        self.kept.doubtful
    }

    pub(crate) fn foreign(&self) -> u64 {
        self.kept.foreign
    }

    pub(crate) fn open_ends(&self) -> &[String] {
        &self.kept.open
    }

    /// Returns the files that the branch with this head changed since the default branch with this tip; computed once.
    pub(crate) fn branch_changes(
        &mut self,
        head: &str,
        tip: &str,
        find: impl FnOnce() -> Vec<String>,
    ) -> Vec<String> {
        let known = self.kept.branch.as_ref();
        if let Some(known) = known.filter(|known| known.head == head && known.tip == tip) {
            return known.paths.clone();
        }
        let paths = find();
        self.kept.branch = Some(BranchChanges {
            head: head.to_owned(),
            tip: tip.to_owned(),
            paths: paths.clone(),
        });
        paths
    }

    /// Returns the tokens of a line, counted once.
    pub(crate) fn tokens(&mut self, line: &str) -> usize {
        if let Some(tokens) = self.kept.tokens.get(line) {
            return *tokens;
        }
        let tokens = acreta_text::count_tokens(line);
        self.kept.tokens.insert(line.to_owned(), tokens);
        tokens
    }

    /// Returns the time at which the previous session began.
    pub(crate) fn last_session_ms(&self) -> Option<i64> {
        self.kept.last_session_ms
    }

    pub(crate) fn head(&self) -> Option<&str> {
        self.kept.head.as_deref()
    }

    /// Stores the cache, and that a session began or ended at a commit.
    pub(crate) fn note_session(&mut self, now_ms: i64, head: Option<String>) {
        self.kept.last_session_ms = Some(now_ms);
        self.kept.head = head;
        self.store();
    }

    fn store(&self) {
        if let Ok(text) = serde_json::to_vec(&self.kept) {
            // Only a cache: if it cannot be written, memory is read again.
            let _ = Directory::open_or_create_private(&self.folder, NoFaults::shared())
                .and_then(|folder| folder.private().replace_unsynced(&self.file, &text));
        }
    }

    /// Returns whether memory is as it was when it was read.
    pub(crate) fn is_current(&self) -> bool {
        let stamps = &self.kept.stamps;
        let is_unchanged = |entry: &CachedCandidate| {
            let now = self.stamp(&entry.path);
            entry.stamp.is_some() && stamps.is_unchanged(entry.stamp.as_ref(), now.as_ref())
        };
        stamps.are_current(&stamps::of_memory(&self.layout))
            && self.kept.memories.iter().all(is_unchanged)
    }

    fn stamp(&self, path: &str) -> Option<Stamp> {
        Some(self.base.metadata(path).ok()?.stamp())
    }

    fn read_again(&mut self, layout: &Layout, context: &Context) -> Result<(), Failure> {
        // Taken before memory is read: a change made meanwhile is noticed by the next session.
        self.kept.stamps = TakenStamps::take(|| stamps::of_memory(layout));
        self.kept.tokens.clear();
        let asked = scopes::catalog(context)?
            .map(|catalog| catalog.asked())
            .transpose()?
            .unwrap_or_default();
        let snapshot = Store::open(layout.clone(), NoFaults::shared())?.load()?;
        let memory_folder = layout.memory_root();
        let memory_folder = memory_folder
            .strip_prefix(layout.base())
            .unwrap_or(&memory_folder);
        let short = ShortIds::new(snapshot.iter().map(|memory| memory.id.as_str()));
        let told = snapshot
            .memories
            .iter()
            .filter(|memory| !memory.is_archived() && !memory.is_rejected());
        self.kept.open = open_ends(&snapshot);
        let tellable = told.filter(|memory| memory.memory_type != MemoryType::Summary);
        let all = tellable.clone().count();
        let foreign = tellable.clone().filter(|memory| memory.is_foreign());
        self.kept.foreign = foreign.count() as u64;
        let mut memories: Vec<CachedCandidate> = tellable
            .map(|memory| {
                let path = acreta_fs::join(memory_folder, &memory.path).into_string();
                let asked_ms = asked.get(&memory.id).and_then(|asked| asked.last_ms);
                CachedCandidate {
                    stamp: self.stamp(&path),
                    path,
                    candidate: BriefCandidate::new(memory, &short, asked_ms),
                }
            })
            .filter(|entry| entry.candidate.standing != BriefTrust::Doubtful)
            .collect();
        let doubtful = all - memories.len();
        memories.sort_by(|left, right| {
            let (left, right) = (&left.candidate, &right.candidate);
            right
                .confidence
                .total_cmp(&left.confidence)
                .then(left.id.cmp(&right.id))
        });
        memories.truncate(MOST);
        // Of two memories that contradict each other, the newer is used. Only memories that may be used are compared,
        // because the start of a session cannot wait for all of memory.
        let kept: BTreeSet<String> = memories
            .iter()
            .map(|entry| entry.candidate.id.clone())
            .collect();
        let kept = snapshot.iter().filter(|memory| kept.contains(&memory.id));
        let update_overlap = context.config.float("decide.update_overlap");
        let conflicts = acreta_pipeline::conflicts(kept, layout, update_overlap);
        let certain = conflicts.iter().filter(|one| one.is_certain);
        let outdated: BTreeSet<&str> = certain.map(|one| one.older.id.as_str()).collect();
        memories.retain(|entry| !outdated.contains(entry.candidate.id.as_str()));
        self.kept.doubtful = (doubtful + outdated.len()) as u64;
        self.kept.memories = memories;
        Ok(())
    }
}

/// Returns the open ends of the newest summary: only quotes that its run found in the session, as words of the person or
/// the agent (`acreta_pipeline` marks them).
fn open_ends(snapshot: &Snapshot) -> Vec<String> {
    let summaries = snapshot
        .memories
        .iter()
        .filter(|memory| memory.memory_type == MemoryType::Summary && !memory.is_archived());
    let newest = summaries.max_by(|left, right| {
        let (left, right) = (&left.front_matter.updated, &right.front_matter.updated);
        left.cmp(right)
    });
    let Some(newest) = newest else {
        return Vec::new();
    };
    let lines = newest.body().lines().map(str::trim);
    let open = lines.skip_while(|line| *line != "## Open").skip(1);
    open.take_while(|line| !line.starts_with('#'))
        .map(|line| line.trim_start_matches(['-', '*', ' ']))
        .filter(|line| acreta_pipeline::is_verified_open_end(line))
        .take(OPEN_ENDS)
        .map(|line| acreta_text::head(line, 160).to_owned())
        .collect()
}

impl BriefCandidate {
    pub(crate) fn new(memory: &Memory, short: &ShortIds, asked_ms: Option<u64>) -> Self {
        let state = memory.state.as_ref();
        let is_doubtful = state.is_some_and(|state| state.stale || state.superseded_by.is_some());
        let standing = match memory.trust() {
            Trust::Confirmed if !is_doubtful => BriefTrust::Confirmed,
            Trust::Reviewed if !is_doubtful => BriefTrust::Reviewed,
            Trust::Grounded if !is_doubtful => BriefTrust::Grounded,
            _ => BriefTrust::Doubtful,
        };
        let body = memory.body().trim_start();
        let heading = format!("# {}", memory.title());
        let body = body.strip_prefix(heading.as_str()).unwrap_or(body).trim();
        BriefCandidate {
            id: memory.id.clone(),
            short_id: short.of(&memory.id),
            memory_type: memory.memory_type,
            kind: memory.kind().to_owned(),
            title: memory.title().to_owned(),
            names: References::of(memory.title(), body)
                .paths
                .into_iter()
                .collect(),
            body: acreta_text::head(body, BODY_BYTES).to_owned(),
            // Without a value, a person wrote it and is sure.
            confidence: memory.front_matter.confidence.map_or(1.0, f64::from),
            standing,
            updated_ms: memory
                .front_matter
                .updated
                .as_deref()
                .and_then(|time| time.parse::<jiff::Timestamp>().ok())
                .map_or(0, jiff::Timestamp::as_millisecond),
            asked_ms: asked_ms.and_then(|asked| i64::try_from(asked).ok()),
        }
    }
}
