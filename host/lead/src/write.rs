//! From a plan to files: the writer drafts, the host checks the draft, and one commit takes all of
//! it or nothing. The writer never sees memory; what it leaves is believed only as far as it agrees
//! with what was decided.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use acreta_fs::{Directory, Faults, FsError};
use acreta_model::{
    Attrs, Call, Candidate, Evidence, Job, MemoryType, MemoryWriter, Session, Summary, WriteAction,
    WriteContext, Written,
};
use acreta_store::{
    Change, ContributedCandidate, Contribution, DraftFile, DraftLimits, EvidenceFile,
    ExpectedDraft, FileChange, Layout, Memory, StateFile, Status, Store, Trust, check_draft,
    digest, unique_name,
};
use camino::{Utf8Path, Utf8PathBuf};

use crate::error::RunError;
use crate::fold::Folded;
use crate::gates::Cited;
use crate::plan::{Contributor, Planned, TextChange, quoted};
use crate::report::{Action, ActionRecord};

/// The summary of this run and those of the same session that it replaces.
pub(crate) struct PlannedSummary {
    pub(crate) id: String,
    pub(crate) summary: Summary,
    pub(crate) citations: Vec<Cited>,
    pub(crate) replaces: Vec<Memory>,
    pub(crate) related: Vec<String>,
    pub(crate) updated_ms: u64,
}

pub(crate) struct WriteJob<'a> {
    pub(crate) writer: &'a dyn MemoryWriter,
    pub(crate) job: &'a Job,
    pub(crate) context: WriteContext,
    pub(crate) session: &'a Session,
    pub(crate) contributor: &'a Contributor,
    pub(crate) limits: DraftLimits,
    pub(crate) scratch: &'a Directory,
    pub(crate) faults: Arc<dyn Faults>,
}

/// What a run's commit will be, and where each new file goes.
pub(crate) struct Prepared {
    pub(crate) change: Change,
    /// Relative to the memory root, decisions and learnings first.
    pub(crate) written: Vec<Utf8PathBuf>,
    pub(crate) summary_path: Utf8PathBuf,
}

const SUMMARY_ACTION: &str = "summary";

/// Has the writer draft, checks what it drafted and lays out the commit. Writes nothing into memory.
pub(crate) fn prepare(
    write: &WriteJob<'_>,
    store: &Store,
    memories: &[Memory],
    planned: &[Planned],
    summary: &PlannedSummary,
    records: &mut [ActionRecord],
    used: &mut dyn FnMut(&Call<Vec<Written>>),
) -> Result<Prepared, RunError> {
    let actions = actions(write, planned, summary);
    let draft = acreta_fs::scratch(write.scratch, "draft")?;
    let mut call = write
        .writer
        .apply(write.job, draft.path(), &write.context, &actions);
    used(&call);
    let written = std::mem::replace(&mut call.result, Ok(Vec::new()))?;
    let expected = expected(&actions, &written, planned)?;
    let drafted = check_draft(draft.path(), &expected, write.limits)?;
    agrees(&actions, &drafted)?;
    let drafted = drafted
        .into_iter()
        .map(|file| (file.action_id.clone(), file))
        .collect();
    lay_out(write, store, memories, planned, summary, records, drafted)
}

fn actions(
    write: &WriteJob<'_>,
    planned: &[Planned],
    summary: &PlannedSummary,
) -> Vec<WriteAction> {
    let mut actions: Vec<WriteAction> = planned
        .iter()
        .filter_map(|planned| match &planned.text {
            TextChange::Written(folded) => Some(text_action(write, planned, folded)),
            TextChange::Stays | TextChange::Archived => None,
        })
        .collect();
    actions.push(WriteAction {
        id: SUMMARY_ACTION.to_owned(),
        operation: "add".to_owned(),
        memory_id: summary.id.clone(),
        target: None,
        current: None,
        sources: Vec::new(),
        created_ms: write.contributor.created_ms,
        updated_ms: summary.updated_ms,
        related: summary.related.clone(),
        candidate: None,
        summary: Some(summary.summary.clone()),
        session: Some(write.session.clone()),
    });
    actions
}

fn text_action(write: &WriteJob<'_>, planned: &Planned, folded: &Folded) -> WriteAction {
    let before = planned.before.as_ref();
    WriteAction {
        id: planned.id.clone(),
        operation: if before.is_some() { "update" } else { "add" }.to_owned(),
        memory_id: planned.id.clone(),
        target: before.map(|memory| memory.path.to_string()),
        current: before.map(|memory| memory.text.clone()),
        sources: Vec::new(),
        created_ms: folded.created_ms,
        updated_ms: folded.updated_ms,
        related: before.map_or_else(Vec::new, |memory| memory.front_matter.related.clone()),
        candidate: Some(Candidate {
            id: planned.id.clone(),
            category: folded.memory_type.name().to_owned(),
            kind: folded.kind.clone(),
            title: folded.title.clone(),
            body: folded.body.clone(),
            confidence: folded.confidence,
            tags: folded.tags.clone(),
            evidence: Vec::<Evidence>::new(),
            attrs: Attrs::default(),
        }),
        summary: None,
        session: Some(write.session.clone()),
    }
}

fn expected(
    actions: &[WriteAction],
    written: &[Written],
    planned: &[Planned],
) -> Result<Vec<ExpectedDraft>, RunError> {
    let types: BTreeMap<&str, MemoryType> = planned
        .iter()
        .map(|planned| (planned.id.as_str(), planned.memory_type))
        .collect();
    let mut paths: BTreeMap<&str, &str> = BTreeMap::new();
    for one in written {
        let known = actions.iter().any(|action| action.id == one.action_id);
        if !known || paths.insert(&one.action_id, &one.path).is_some() {
            return Err(RunError::DraftReport {
                message: format!(
                    "it reports a file for `{}`, which was not asked for once",
                    one.action_id
                ),
            });
        }
    }
    actions
        .iter()
        .map(|action| {
            let path = paths
                .get(action.id.as_str())
                .ok_or_else(|| RunError::DraftReport {
                    message: format!("it reports no file for `{}`", action.id),
                })?;
            Ok(ExpectedDraft {
                action_id: action.id.clone(),
                memory_id: action.memory_id.clone(),
                memory_type: types
                    .get(action.id.as_str())
                    .copied()
                    .unwrap_or(MemoryType::Summary),
                path: (*path).to_owned(),
                target: action.target.clone().map(Utf8PathBuf::from),
            })
        })
        .collect()
}

/// A writer chooses the form, not the matter: title, kind and tags are the decided ones.
fn agrees(actions: &[WriteAction], drafted: &[DraftFile]) -> Result<(), RunError> {
    for file in drafted {
        let Some(action) = actions.iter().find(|action| action.id == file.action_id) else {
            continue;
        };
        let (title, kind, tags) = match (&action.candidate, &action.summary) {
            (Some(candidate), _) => (&candidate.title, candidate.kind.as_str(), &candidate.tags),
            (None, Some(summary)) => (&summary.title, "", &summary.tags),
            (None, None) => continue,
        };
        let front_matter = &file.front_matter;
        let same = front_matter.title.trim() == title.trim()
            && front_matter.kind.as_deref().unwrap_or("") == kind
            && &front_matter.tags == tags;
        if !same {
            return Err(RunError::DraftReport {
                message: format!(
                    "`{}` has another title, kind or tags than was decided",
                    file.path
                ),
            });
        }
    }
    Ok(())
}

/// The files of the commit, sidecars included.
fn lay_out(
    write: &WriteJob<'_>,
    store: &Store,
    memories: &[Memory],
    planned: &[Planned],
    summary: &PlannedSummary,
    records: &mut [ActionRecord],
    mut drafted: BTreeMap<String, DraftFile>,
) -> Result<Prepared, RunError> {
    let mut files = Files::open(store.layout(), memories, &write.faults)?;
    let mut written = Vec::new();
    for one in planned {
        let path = match &one.text {
            TextChange::Written(_) => {
                let draft = drafted
                    .remove(&one.id)
                    .expect("every asked file is in a checked draft");
                let path = files.put_memory(one.before.as_ref(), draft.path, &draft.text);
                written.push(path.clone());
                files.put_state(&state_after(one, Some(digest(&draft.text))))?;
                Some(path)
            }
            TextChange::Archived => {
                let before = one.before.as_ref().expect("only what is there is archived");
                files.put_state(&state_after(one, None))?;
                Some(files.archive(before))
            }
            TextChange::Stays => {
                files.put_state(&state_after(one, None))?;
                one.before.as_ref().map(|memory| memory.path.clone())
            }
        };
        if !matches!(one.text, TextChange::Archived) {
            files.put_evidence(&one.evidence())?;
        }
        for record in records
            .iter_mut()
            .filter(|record| record.memory_id == one.id)
        {
            record.path = path.as_ref().map(ToString::to_string);
        }
    }
    let draft = drafted
        .remove(SUMMARY_ACTION)
        .expect("every asked file is in a checked draft");
    let summary_path = put_summary(write, &mut files, summary, draft)?;
    Ok(Prepared {
        change: Change {
            run_id: write.context.run_id.clone(),
            files: files.changes,
        },
        written,
        summary_path,
    })
}

fn put_summary(
    write: &WriteJob<'_>,
    files: &mut Files<'_>,
    summary: &PlannedSummary,
    draft: DraftFile,
) -> Result<Utf8PathBuf, RunError> {
    for earlier in &summary.replaces {
        files.forget(earlier, earlier.id != summary.id)?;
    }
    let path = files.put_memory(None, draft.path, &draft.text);
    let contributor = write.contributor;
    files.put_evidence(&EvidenceFile {
        id: summary.id.clone(),
        contributions: vec![Contribution {
            agent: contributor.agent.clone(),
            session_id: contributor.session_id.clone(),
            run_id: contributor.run_id.clone(),
            events: contributor.events,
            last_ms: contributor.last_ms,
            newest_ms: summary.updated_ms,
            created_ms: contributor.created_ms,
            candidate: ContributedCandidate {
                memory_type: MemoryType::Summary,
                kind: String::new(),
                title: summary.summary.title.clone(),
                body: summary.summary.body.clone(),
                confidence: 1.0,
                tags: summary.summary.tags.clone(),
            },
            evidence: summary.citations.iter().map(quoted).collect(),
        }],
    })?;
    files.put_state(&StateFile::new(
        &summary.id,
        Trust::Trusted,
        digest(&draft.text),
    ))?;
    Ok(path)
}

fn state_after(planned: &Planned, written: Option<String>) -> StateFile {
    let before = planned
        .before
        .as_ref()
        .and_then(|memory| memory.state.clone());
    let mut state =
        before.unwrap_or_else(|| StateFile::new(&planned.id, planned.trust, String::new()));
    if state.trust != Trust::Confirmed {
        state.trust = planned.trust;
    }
    if let Some(written) = written {
        state.written = written;
    }
    if matches!(planned.text, TextChange::Archived) {
        state.status = Status::Archived;
    }
    if let Some(proposal) = &planned.proposal {
        let same = |known: &acreta_store::Proposal| {
            (&known.operation, &known.title, &known.body)
                == (&proposal.operation, &proposal.title, &proposal.body)
        };
        if !state.proposals.iter().any(same) {
            state.proposals.push(proposal.clone());
        }
    }
    if let Some(title) = &planned.supersedes
        && !state.supersedes.contains(title)
    {
        state.supersedes.push(title.clone());
    }
    state
}

/// Collects file changes against what is on disk now.
struct Files<'a> {
    layout: &'a Layout,
    base: Directory,
    /// Names in use under the memory root.
    taken: BTreeSet<String>,
    changes: Vec<FileChange>,
}

const SIDECAR_BYTES: u64 = 16 * 1024 * 1024;

impl<'a> Files<'a> {
    fn open(
        layout: &'a Layout,
        memories: &[Memory],
        faults: &Arc<dyn Faults>,
    ) -> Result<Self, RunError> {
        Ok(Self {
            layout,
            base: Directory::open_or_create(layout.base(), Arc::clone(faults))?,
            taken: memories
                .iter()
                .map(|memory| memory.path.to_string())
                .collect(),
            changes: Vec::new(),
        })
    }

    /// A memory's new text, at its own place or at a free name.
    fn put_memory(
        &mut self,
        before: Option<&Memory>,
        drafted: Utf8PathBuf,
        text: &str,
    ) -> Utf8PathBuf {
        let path = match before {
            Some(memory) => memory.path.clone(),
            None => self.free(&drafted),
        };
        self.change(
            self.layout.memory_path(&path),
            before.map(|memory| memory.digest.clone()),
            Some(text.as_bytes().to_vec()),
        );
        path
    }

    fn archive(&mut self, memory: &Memory) -> Utf8PathBuf {
        let name = memory.path.file_name().unwrap_or("memory.md");
        let path = self.free(&Layout::archived_path(memory.memory_type, name));
        self.change(
            self.layout.memory_path(&memory.path),
            Some(memory.digest.clone()),
            None,
        );
        self.change(
            self.layout.memory_path(&path),
            None,
            Some(memory.text.as_bytes().to_vec()),
        );
        path
    }

    /// Takes a memory's file away, and its sidecars when nothing else will have its id.
    fn forget(&mut self, memory: &Memory, sidecars: bool) -> Result<(), RunError> {
        self.change(
            self.layout.memory_path(&memory.path),
            Some(memory.digest.clone()),
            None,
        );
        self.taken.remove(memory.path.as_str());
        if sidecars {
            for path in [
                self.layout.evidence_path(&memory.id),
                self.layout.state_path(&memory.id),
            ] {
                if let Some(old) = self.present(&path)? {
                    self.change(path, Some(old), None);
                }
            }
        }
        Ok(())
    }

    fn put_evidence(&mut self, evidence: &EvidenceFile) -> Result<(), RunError> {
        self.put_sidecar(self.layout.evidence_path(&evidence.id), evidence.to_json())
    }

    fn put_state(&mut self, state: &StateFile) -> Result<(), RunError> {
        self.put_sidecar(self.layout.state_path(&state.id), state.to_json())
    }

    fn put_sidecar(&mut self, path: Utf8PathBuf, bytes: Vec<u8>) -> Result<(), RunError> {
        let old = self.present(&path)?;
        if old.as_deref() != Some(&digest(&bytes)) {
            self.change(path, old, Some(bytes));
        }
        Ok(())
    }

    fn present(&self, path: &Utf8Path) -> Result<Option<String>, RunError> {
        match self.base.read(path, SIDECAR_BYTES) {
            Ok(bytes) => Ok(Some(digest(&bytes))),
            Err(error) if FsError::is_not_found(&error) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// One entry per path: a file taken away and put again is a file replaced.
    fn change(&mut self, path: Utf8PathBuf, old: Option<String>, new: Option<Vec<u8>>) {
        match self.changes.iter_mut().find(|change| change.path == path) {
            Some(change) => change.new = new,
            None => self.changes.push(FileChange { path, old, new }),
        }
    }

    fn free(&mut self, wanted: &Utf8Path) -> Utf8PathBuf {
        let folder = wanted.parent().unwrap_or(Utf8Path::new(""));
        let name = wanted.file_name().unwrap_or("memory.md");
        let name = unique_name(|name| self.is_taken(&folder.join(name)), name);
        let path = folder.join(name);
        self.taken.insert(path.to_string());
        path
    }

    /// In memory by now, or on disk without being a memory.
    fn is_taken(&self, path: &Utf8Path) -> bool {
        if self.taken.contains(path.as_str()) {
            return true;
        }
        let path = self.layout.memory_path(path);
        let goes = self
            .changes
            .iter()
            .any(|change| change.path == path && change.new.is_none());
        !goes && self.base.exists(&path).unwrap_or(false)
    }
}

pub(crate) fn add_record(action: Action, id: &str, path: &Utf8Path) -> ActionRecord {
    ActionRecord {
        candidate_id: Some(SUMMARY_ACTION.to_owned()),
        action,
        memory_id: id.to_owned(),
        path: Some(path.to_string()),
        overlap: None,
        reason: "one summary per session, always the newest".to_owned(),
    }
}
