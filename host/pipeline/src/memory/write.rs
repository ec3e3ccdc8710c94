//! Turns a plan into files: the writer drafts, the host checks the draft, and one commit writes all of it or nothing.
//! The writer never sees memory; its draft is accepted only if it agrees with the plan.

use crate::run::report::SUMMARY_ACTION;
use std::collections::BTreeMap;
use std::sync::Arc;

use acreta_fs::{Directory, Faults};
use acreta_store::{
    Change, ContributedCandidate, Contribution, DraftFile, DraftLimits, EvidenceFile,
    ExpectedDraft, Memory, Sidecar, StateFile, Store, Word, check_draft, digest, name_with_id,
};
use acreta_types::{
    Attrs, Call, Candidate, Evidence, Job, MemoryType, MemoryWriter, Session, Summary, WriteAction,
    WriteContext, Written,
};
use camino::{Utf8Path, Utf8PathBuf};

use crate::decide::accepted::ResolvedCitation;
use crate::decide::contributor::{Contributor, quoted};
use crate::decide::folded::FoldedMemory;
use crate::error::RunError;
use crate::memory::files::ChangeCollector;
use crate::memory::ids::founder;
use crate::memory::planned::{PlannedMemory, TextChange, milliseconds};
use crate::memory::speakers::PERSON;
use crate::memory::workspace::instant;
use crate::run::report::{Action, ActionRecord};
use crate::run::spans;

/// The summary of this run, and the earlier summaries of the same session that it replaces.
pub(crate) struct PlannedSummary {
    pub(crate) id: String,
    pub(crate) summary: Summary,
    pub(crate) replaces: Vec<Arc<Memory>>,
    pub(crate) related: Vec<String>,
    /// The earlier contribution, if the session was read in this state before.
    pub(crate) contribution: Contribution,
}

pub(crate) struct WriteJob<'a> {
    pub(crate) writer: &'a dyn MemoryWriter,
    pub(crate) job: &'a Job,
    /// Names the journal of the change.
    pub(crate) run_id: &'a str,
    pub(crate) context: WriteContext,
    /// The session, if the change comes from one.
    pub(crate) session: Option<&'a Session>,
    pub(crate) limits: DraftLimits,
    pub(crate) scratch: &'a Directory,
    pub(crate) faults: Arc<dyn Faults>,
}

/// A commit that is ready, and the path of each file.
pub(crate) struct PreparedChange {
    pub(crate) change: Change,
    /// Path of each planned memory after the change, by id, relative to the memory root.
    pub(crate) paths: BTreeMap<String, Utf8PathBuf>,
    /// Paths of memories with new text, in the order of the plan.
    pub(crate) written: Vec<Utf8PathBuf>,
    pub(crate) summary: Option<PutSummary>,
    /// The user's own words to record once the change is made, by memory; `None` takes the last one back.
    pub(crate) words: BTreeMap<String, Option<Word>>,
}

/// Path of a summary after the change, and the action on its file.
pub(crate) struct PutSummary {
    pub(crate) path: Utf8PathBuf,
    pub(crate) action: Action,
}

impl PreparedChange {
    pub(crate) fn changes_something(&self) -> bool {
        !self.change.files.is_empty() || !self.words.is_empty()
    }

    /// Reports whether anything of one planned memory changes: its text, its sidecars, or the user's endorsement.
    pub(crate) fn changes(&self, id: &str) -> bool {
        let text = self.paths.get(id);
        let is_of_memory = |path: &Utf8Path| {
            path.file_stem() == Some(id) || text.is_some_and(|text| path.ends_with(text))
        };
        let mut files = self.change.files.iter();
        files.any(|file| is_of_memory(&file.path)) || self.words.contains_key(id)
    }
}

/// Maximum number of files drafted at once, so that a draft stays within a writer's limits. One commit takes all
/// drafts.
const AT_ONCE: usize = 256;

/// Lets the writer draft, checks the draft and assembles the commit. Writes nothing into memory.
pub(crate) fn prepare(
    write: &WriteJob<'_>,
    store: &Store,
    memories: &[Arc<Memory>],
    planned: &[PlannedMemory],
    summary: Option<&PlannedSummary>,
    used: &mut dyn FnMut(&Call<Vec<Written>>),
) -> Result<PreparedChange, RunError> {
    let mut drafted = BTreeMap::new();
    let mut take = |files: Vec<DraftFile>| {
        drafted.extend(files.into_iter().map(|file| (file.action_id.clone(), file)));
    };
    for actions in actions(write, planned, summary).chunks(AT_ONCE) {
        let draft = acreta_fs::scratch(write.scratch, "draft")?;
        let mut call = spans::called(write.writer.info(), "apply", || {
            write
                .writer
                .apply(write.job, draft.path(), &write.context, actions)
        });
        used(&call);
        let written = std::mem::replace(&mut call.result, Ok(Vec::new()))?;
        let expected = expected(actions, &written, planned)?;
        let files = check_draft(draft.path(), &expected, write.limits)?;
        agrees(actions, &files)?;
        take(files);
    }
    let given: Vec<&PlannedMemory> = planned
        .iter()
        .filter(|one| matches!(one.text, TextChange::Given(_)))
        .collect();
    for planned in given.chunks(AT_ONCE) {
        let draft = acreta_fs::scratch(write.scratch, "draft")?;
        let expected = put_given(draft.path(), planned, &write.faults)?;
        take(check_draft(draft.path(), &expected, write.limits)?);
    }
    lay_out(write, store, memories, planned, summary, drafted)
}

/// Puts a person's own texts through the same draft and the same checks.
fn put_given(
    draft: &Utf8Path,
    planned: &[&PlannedMemory],
    faults: &Arc<dyn Faults>,
) -> Result<Vec<ExpectedDraft>, RunError> {
    let mut expected = Vec::new();
    for one in planned {
        let (TextChange::Given(text), Some(before)) = (&one.text, &one.before) else {
            continue;
        };
        let directory = Directory::open(draft, Arc::clone(faults))?;
        if let Some(folder) = before.path.parent() {
            directory.create_dir_all(folder)?;
        }
        directory.append(&before.path, text.as_bytes())?;
        expected.push(ExpectedDraft {
            action_id: one.id.clone(),
            memory_id: one.id.clone(),
            memory_type: one.memory_type,
            path: before.path.to_string(),
            target: Some(before.path.clone()),
        });
    }
    Ok(expected)
}

fn actions(
    write: &WriteJob<'_>,
    planned: &[PlannedMemory],
    summary: Option<&PlannedSummary>,
) -> Vec<WriteAction> {
    let mut actions: Vec<WriteAction> = planned
        .iter()
        .filter_map(|planned| match &planned.text {
            TextChange::Written(folded) => Some(text_action(write, planned, folded)),
            _ => None,
        })
        .collect();
    actions.extend(summary.map(|summary| WriteAction {
        id: SUMMARY_ACTION.to_owned(),
        operation: "add".to_owned(),
        memory_id: summary.id.clone(),
        target: None,
        current: None,
        sources: Vec::new(),
        created_ms: summary.contribution.created_ms,
        updated_ms: summary.contribution.newest_ms,
        related: summary.related.clone(),
        candidate: None,
        summary: Some(summary.summary.clone()),
        session: write.session.cloned(),
    }));
    actions
}

fn text_action(
    write: &WriteJob<'_>,
    planned: &PlannedMemory,
    folded: &FoldedMemory,
) -> WriteAction {
    let before = planned.before.as_ref();
    WriteAction {
        id: planned.id.clone(),
        operation: match before {
            None => "add",
            Some(_) if planned.sources.is_empty() => "update",
            Some(_) => "merge",
        }
        .to_owned(),
        memory_id: planned.id.clone(),
        target: before.map(|memory| memory.path.to_string()),
        current: before.map(|memory| memory.text.clone()),
        sources: planned.sources.clone(),
        created_ms: folded.created_ms,
        updated_ms: folded.updated_ms,
        related: planned.related.clone(),
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
        session: source(write, planned, folded),
    }
}

/// Returns the session that a text comes from, independent of the session that is being read.
fn source(write: &WriteJob<'_>, planned: &PlannedMemory, folded: &FoldedMemory) -> Option<Session> {
    let Some((agent, id)) = folded.source.as_ref().filter(|(agent, _)| agent != PERSON) else {
        return write.session.cloned();
    };
    match write.session {
        Some(session) if (&session.agent, &session.id) == (agent, id) => Some(session.clone()),
        // A new note names its own source.
        None if planned.before.is_none() => None,
        _ => Some(Session {
            id: id.clone(),
            agent: agent.clone(),
            path: String::new(),
            project_dir: None,
            parent: None,
            started_ms: None,
            updated_ms: None,
            revision: String::new(),
            attrs: Attrs::default(),
        }),
    }
}

fn expected(
    actions: &[WriteAction],
    written: &[Written],
    planned: &[PlannedMemory],
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
                    "it reports a file for `{}`, which was not requested exactly once",
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

/// Checks that title, kind and tags are as planned: a writer chooses only the form.
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
                    "`{}` does not have the planned title, kind and tags",
                    file.path
                ),
            });
        }
    }
    Ok(())
}

/// Returns the files of the commit, including sidecars.
fn lay_out(
    write: &WriteJob<'_>,
    store: &Store,
    memories: &[Arc<Memory>],
    planned: &[PlannedMemory],
    summary: Option<&PlannedSummary>,
    mut drafted: BTreeMap<String, DraftFile>,
) -> Result<PreparedChange, RunError> {
    let mut files = ChangeCollector::open(store.layout(), memories, &write.faults)?;
    let mut paths = BTreeMap::new();
    let mut written = Vec::new();
    let mut words = BTreeMap::new();
    for one in planned {
        let mut state = one.state.clone();
        let mut content = before_content(one);
        let before = one.before.as_ref();
        let path = match (&one.text, before) {
            (TextChange::Written(_) | TextChange::Given(_), _) => {
                let draft = drafted
                    .remove(&one.id)
                    .expect("every asked file is in a checked draft");
                if matches!(one.text, TextChange::Written(_)) {
                    state.written = digest(&draft.text);
                    state.also_written.clear();
                }
                let is_founded = founder(&one.id, &one.contributions).is_some();
                let moved = before
                    .filter(|_| is_founded)
                    .and_then(|memory| Some((memory, redated(memory, &one.text)?)));
                let path = match moved {
                    Some((memory, name)) => {
                        files.forget(memory, false)?;
                        files.put_memory(None, name, &draft.text)
                    }
                    None if is_founded => {
                        files.put_memory(before, named(&draft.path, &one.id), &draft.text)
                    }
                    None => files.put_memory(before, draft.path, &draft.text),
                };
                content = content_of(one.memory_type, &path, &draft.text);
                written.push(path.clone());
                path
            }
            (TextChange::Archived, Some(before)) if !before.is_archived() => files.archive(before),
            (TextChange::Restored, Some(before)) if before.is_archived() => files.restore(before),
            (_, Some(before)) => before.path.clone(),
            (_, None) => unreachable!("only a memory that is there stays, goes or comes back"),
        };
        if let Some((digest, word)) = content.zip(one.word()) {
            let said = Word {
                memory: one.id.clone(),
                digest,
                word,
                by: None,
                at: instant(write.context.now_ms).to_string(),
            };
            words.insert(one.id.clone(), Some(said));
        } else if matches!(one.text, TextChange::Restored)
            && before.is_some_and(Memory::is_rejected)
        {
            words.insert(one.id.clone(), None);
        }
        let has_evidence =
            before.is_none_or(|memory| memory.evidence.is_some()) || !one.contributions.is_empty();
        let sidecar = Sidecar {
            id: one.id.clone(),
            state: Some(state),
            evidence: has_evidence.then(|| one.evidence()),
        };
        files.put_sidecar(one.memory_type, &sidecar)?;
        paths.insert(one.id.clone(), path);
    }
    let summary = match summary {
        Some(summary) => {
            let draft = drafted
                .remove(SUMMARY_ACTION)
                .expect("every asked file is in a checked draft");
            Some(put_summary(&mut files, summary, draft)?)
        }
        None => None,
    };
    Ok(PreparedChange {
        change: Change {
            run_id: write.run_id.to_owned(),
            files: files.into_changes(),
        },
        paths,
        written,
        summary,
        words,
    })
}

/// Returns the digest of a memory's current content, if the user says something about it.
fn before_content(planned: &PlannedMemory) -> Option<String> {
    planned.word()?;
    Some(planned.before.as_ref()?.content_digest())
}

/// Like [`before_content`], for a text that was checked.
fn content_of(memory_type: MemoryType, path: &Utf8Path, text: &str) -> Option<String> {
    let memory = Memory::parse(memory_type, path.to_owned(), text.to_owned()).ok()?;
    Some(memory.content_digest())
}

fn put_summary(
    files: &mut ChangeCollector<'_>,
    summary: &PlannedSummary,
    draft: DraftFile,
) -> Result<PutSummary, RunError> {
    let written = digest(&draft.text);
    let name = named(&draft.path, &summary.id);
    let earlier = summary.replaces.iter().find(|one| one.id == summary.id);
    // Summaries of earlier versions have no id in their names.
    let stays = earlier.filter(|one| one.path == name || one.path == draft.path);
    for one in &summary.replaces {
        if stays.is_none_or(|stays| stays.id != one.id) {
            files.forget(one, one.id != summary.id)?;
        }
    }
    let path = files.put_memory(stays.map(Arc::as_ref), name, &draft.text);
    let evidence = EvidenceFile {
        id: summary.id.clone(),
        contributions: vec![summary.contribution.clone()],
    };
    let is_same = stays.is_some_and(|stays| stays.digest == written);
    // The state of an unchanged text is kept, even if git merged it.
    let known = stays.and_then(|stays| stays.state.clone());
    let state = known.filter(|_| is_same);
    let sidecar = Sidecar {
        id: summary.id.clone(),
        state: Some(state.unwrap_or_else(|| StateFile::new(&summary.id, written))),
        evidence: Some(evidence),
    };
    files.put_sidecar(MemoryType::Summary, &sidecar)?;
    let action = match earlier {
        None => Action::Add,
        Some(_) if is_same => Action::NoOp,
        Some(_) => Action::Update,
    };
    Ok(PutSummary { path, action })
}

/// Returns the contribution of a session to its summary.
pub(crate) fn summary_contribution(
    contributor: &Contributor,
    summary: &Summary,
    citations: &[ResolvedCitation],
) -> Contribution {
    let candidate = ContributedCandidate {
        memory_type: MemoryType::Summary,
        kind: String::new(),
        title: summary.title.clone(),
        body: summary.body.clone(),
        confidence: 1.0,
        tags: summary.tags.clone(),
    };
    contributor.contributes(candidate, citations.iter().map(quoted).collect())
}

/// Returns the path of a new file: the writer's name for it, with its id.
fn named(path: &Utf8Path, id: &str) -> Utf8PathBuf {
    let name = path.file_name().unwrap_or("memory.md");
    path.with_file_name(name_with_id(name, id))
}

/// Returns the new path of a memory whose name starts with its date, if an older session moves that date: the name is
/// then the same in whatever order the sessions were learnt.
fn redated(memory: &Memory, text: &TextChange) -> Option<Utf8PathBuf> {
    let TextChange::Written(folded) = text else {
        return None;
    };
    let day = |ms: u64| instant(ms).strftime("%Y%m%d-").to_string();
    let before = day(milliseconds(memory.front_matter.created.as_deref()?)?);
    let after = day(folded.created_ms);
    if before == after || memory.is_archived() {
        return None;
    }
    let rest = memory.path.file_name()?.strip_prefix(&before)?;
    Some(memory.path.with_file_name(format!("{after}{rest}")))
}

pub(crate) fn add_record(action: Action, id: &str, title: &str, path: &Utf8Path) -> ActionRecord {
    ActionRecord {
        candidate_id: Some(SUMMARY_ACTION.to_owned()),
        action,
        memory_id: id.to_owned(),
        title: title.to_owned(),
        path: Some(path.to_string()),
        overlap: None,
        reason: match action {
            Action::NoOp => "the session says nothing new",
            _ => "one summary per session, always the newest",
        }
        .to_owned(),
    }
}

/// Returns the record for a summary of an earlier, stronger reading.
pub(crate) fn kept_record(id: &str, title: &str, path: &Utf8Path) -> ActionRecord {
    ActionRecord {
        reason: "the summary of a stronger reading stays".to_owned(),
        ..add_record(Action::NoOp, id, title, path)
    }
}
