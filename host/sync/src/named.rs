//! Records the run of a file that a person named in the catalog.

use acreta_pipeline::RunReport;
use acreta_state::{Catalog, NamedRun, ProjectId, SessionKey, TraceCursor};
use camino::Utf8Path;

use crate::error::SyncError;
use crate::waiting::reading_of;

/// Records what a run of the file at `path` read, so that a sync does not repeat it. Returns the session, if there was
/// one.
pub fn record_named_run(
    catalog: &Catalog,
    report: &RunReport,
    path: &Utf8Path,
    project: ProjectId,
    now_ms: u64,
) -> Result<Option<SessionKey>, SyncError> {
    let Some(taken) = &report.taken else {
        return Ok(None);
    };
    let key = SessionKey::new(&taken.session.agent, &taken.session.id);
    let earlier = catalog.reading(&key)?.and_then(|earlier| earlier.waits);
    let attempts = earlier.map_or(0, |wait| wait.attempts);
    let named = NamedRun {
        adapter: taken.adapter.clone(),
        path: path.to_owned(),
        session: taken.session.clone(),
        project,
        cursor: report.resume.as_ref().map(|at| TraceCursor {
            cursor: at.cursor.clone(),
            trace_bytes: at.mark.bytes,
            trace_events: at.mark.events,
            trace_digest: at.mark.digest,
        }),
        reading: reading_of(report, &taken.session.revision, attempts, now_ms),
    };
    catalog.record_named(&named, now_ms)?;
    Ok(Some(key))
}
