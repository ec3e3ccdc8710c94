//! The calls that a case makes, by role, in order.

use std::sync::Arc;

use acreta_fs::{Directory, EntryKind, FsError};
use acreta_types::{
    Adapter, Call, Cursor, Description, Explorer, Job, Limits, MemoryWriter, Role, Session,
    SharedSearch,
};
use camino::Utf8PathBuf;
use serde_json::json;

use super::Run;
use super::recorder::{RecordedSearch, RecordedSink, RecordedTrace};
use crate::conformance::case::Case;
use crate::conformance::case_file::SESSIONS;
use crate::conformance::error::CaseError;
use crate::conformance::input::Input;
use crate::conformance::plugin::Plugin;
use crate::conformance::ports::WordSearch;
use crate::conformance::recording::{CursorLine, Tape};
use crate::conformance::stage::{CASE_LIMITS, DRAFT, Staged};

/// The root of an adapter that describes none.
const ROOT: &str = "case";

/// Runs the calls of a case. The caller has checked that input and plugin are of one role.
pub(super) fn run(
    case: &Case,
    plugin: &Plugin,
    run: &Run<'_>,
    job: &Job,
    tape: &Arc<Tape>,
) -> Result<(), CaseError> {
    let ran = match (plugin, &case.input) {
        (Plugin::Adapter(adapter), Input::Adapter { files, root }) => {
            let reading = RecordedReading {
                adapter: &**adapter,
                job,
                tape,
            };
            reading.run(case, run.scratch, files, root.as_deref())
        }
        (
            Plugin::Extractor(extractor),
            Input::Extractor {
                session, events, ..
            },
        ) => {
            let trace = || RecordedTrace::shared(tape, events);
            let arguments = || json!({"session": session.id});
            let extracted = extractor.extract(job, session, trace());
            tape.returned("extractor.extract", arguments(), extracted, Clone::clone);
            let summary = extractor.summarise(job, session, trace());
            tape.returned("extractor.summarise", arguments(), summary, Clone::clone);
            Ok(())
        }
        (Plugin::Explorer(explorer), Input::Explorer { .. }) => {
            explore(case, &**explorer, run, job, tape)
        }
        (Plugin::MemoryWriter(writer), Input::MemoryWriter { .. }) => {
            apply(case, &**writer, run.scratch, job, tape)
        }
        _ => Ok(()),
    };
    ran.map_err(|cause| case.fs(cause))
}

struct RecordedReading<'a> {
    adapter: &'a dyn Adapter,
    job: &'a Job,
    tape: &'a Arc<Tape>,
}

impl RecordedReading<'_> {
    fn run(
        &self,
        case: &Case,
        scratch: &Directory,
        files: &[Utf8PathBuf],
        root: Option<&str>,
    ) -> Result<(), FsError> {
        let described = self.adapter.describe(self.job);
        let described = self
            .tape
            .returned("adapter.describe", json!({}), described, Clone::clone);
        let root = root.unwrap_or_else(|| root_of(described.as_ref()));
        let staged = Staged::copy_of(scratch, root, &case.directory.subdirectory(SESSIONS)?)?;
        for file in files {
            let path = staged.guest(file);
            let found = self.adapter.sessions(self.job, &staged.roots, &path);
            let arguments = json!({"path": path});
            let found = self
                .tape
                .returned("adapter.sessions", arguments, found, Clone::clone);
            for session in found.unwrap_or_default() {
                // Continues at the returned cursor, as every sync does.
                if let Some(cursor) = self.read(&staged, &session, &Cursor::default()) {
                    self.read(&staged, &session, &cursor);
                }
            }
        }
        Ok(())
    }

    fn read(&self, staged: &Staged, session: &Session, from: &Cursor) -> Option<Cursor> {
        let sink = RecordedSink::shared(self.tape);
        let read: Call<Cursor> = self
            .adapter
            .read(self.job, &staged.roots, session, from, sink);
        let arguments = json!({"session": session.id, "from": CursorLine::from(from)});
        self.tape
            .returned("adapter.read", arguments, read, |cursor| {
                CursorLine::from(cursor)
            })
    }
}

/// Returns the name under which an adapter's files are granted: the first root it describes.
pub(crate) fn root_of(description: Option<&Description>) -> &str {
    description
        .and_then(|description| description.roots.first())
        .map(|root| root.name.as_str())
        .filter(|name| crate::conformance::case_file::is_plain(name))
        .unwrap_or(ROOT)
}

fn explore(
    case: &Case,
    explorer: &dyn Explorer,
    run: &Run<'_>,
    job: &Job,
    tape: &Arc<Tape>,
) -> Result<(), FsError> {
    let Input::Explorer {
        candidates, memory, ..
    } = &case.input
    else {
        return Ok(());
    };
    let staged = match memory {
        Some(memory) => {
            Staged::copy_of(run.scratch, "memory", &case.directory.subdirectory(memory)?)?
        }
        None => Staged::empty(run.scratch, "memory")?,
    };
    let inner: SharedSearch = match &run.outside.search {
        Some(search) => Arc::clone(search),
        None => Arc::new(WordSearch::over(staged.directory())?),
    };
    let search = RecordedSearch::shared(tape, inner);
    let found = explorer.explore(job, staged.path(), search, candidates);
    let ids: Vec<&str> = candidates.iter().map(|one| one.id.as_str()).collect();
    tape.returned(
        "explorer.explore",
        json!({"batch": ids}),
        found,
        Clone::clone,
    );
    Ok(())
}

fn apply(
    case: &Case,
    writer: &dyn MemoryWriter,
    scratch: &Directory,
    job: &Job,
    tape: &Arc<Tape>,
) -> Result<(), FsError> {
    let Input::MemoryWriter {
        context, actions, ..
    } = &case.input
    else {
        return Ok(());
    };
    let draft = acreta_fs::scratch(scratch, DRAFT)?;
    let written = writer.apply(job, draft.path(), context, actions);
    let ids: Vec<&str> = actions.iter().map(|one| one.id.as_str()).collect();
    let arguments = json!({"actions": ids});
    tape.returned("memory-writer.apply", arguments, written, Clone::clone);
    let limits = Limits::for_role(Role::MemoryWriter);
    let drafted = draft.directory();
    for entry in drafted.walk(".", CASE_LIMITS)? {
        let result = match entry.metadata.kind {
            EntryKind::Directory => continue,
            EntryKind::File => {
                let bytes = drafted.read(&entry.path, limits.draft_bytes)?;
                match String::from_utf8(bytes) {
                    Ok(text) => json!({"text": text}),
                    Err(error) => json!({"hex": acreta_text::hex(error.as_bytes())}),
                }
            }
            kind => json!({"kind": kind.to_string()}),
        };
        tape.answered("draft.file", json!({"path": entry.path}), result);
    }
    Ok(())
}
