//! Collects the cures of failed commands from archived traces, for every session revision whose cures are not in the
//! catalog. A trace that cannot be read is skipped and tried again later.

use acreta_cures::Collector;
use acreta_fs::NoFaults;
use acreta_session_archive::TraceArchive;
use acreta_state::{Catalog, CatalogError, Lease, SessionKey, TraceCursor, Uncollected};
use acreta_store::Layout;
use acreta_types::{CureRecord, TraceReader, with_causes};
use camino::Utf8Path;

/// Bytes of a trace that are held in memory at once.
const PAGE_BYTES: u32 = 1024 * 1024;

/// Collects the cures of every processed session, or only of one. `global` is the folder of the global scope.
pub fn collect(
    catalog: &Catalog,
    global: &Utf8Path,
    only: Option<&SessionKey>,
) -> Result<(), CatalogError> {
    for session in catalog.uncollected_cures(acreta_cures::VERSION, only)? {
        let key = &session.session;
        let left = catalog.session(key)?.and_then(|known| known.cursor);
        match cures_in(&session, global, left.as_ref()) {
            Ok(Some(cures)) => {
                catalog.put_cures(key, &session.revision, acreta_cures::VERSION, &cures)?;
            }
            Ok(None) => {}
            Err(error) => tracing::debug!(session = %key, %error, "cures not collected"),
        }
    }
    Ok(())
}

/// Collects the cures of a session that a worker learnt from, from the trace in its checkout.
pub(crate) fn collect_from(
    catalog: &Catalog,
    global: &Utf8Path,
    lease: &Lease,
    root: &Utf8Path,
) -> Result<(), CatalogError> {
    let session = Uncollected {
        session: lease.session.clone(),
        revision: lease.revision.clone(),
        root: root.to_owned(),
    };
    let key = &session.session;
    match cures_in(&session, global, None) {
        Ok(Some(cures)) => {
            catalog.put_cures(key, &session.revision, acreta_cures::VERSION, &cures)?
        }
        Ok(None) => {}
        Err(error) => tracing::debug!(session = %key, %error, "cures not collected"),
    }
    Ok(())
}

/// Returns the cures in a session's trace; `None` if there is no trace, or not the one that the session's run left.
fn cures_in(
    session: &Uncollected,
    global: &Utf8Path,
    left: Option<&TraceCursor>,
) -> Result<Option<Vec<CureRecord>>, String> {
    let layout = match session.root == global {
        true => Layout::for_scope(global),
        false => Layout::for_project(&session.root),
    };
    let told = |error: &dyn std::error::Error| with_causes(error);
    let base = layout
        .open(&NoFaults::shared())
        .map_err(|error| told(&error))?;
    let Some(base) = base else {
        return Ok(None);
    };
    if !base.exists(layout.traces()).map_err(|error| told(&error))? {
        return Ok(None);
    }
    let folder = base
        .subdirectory(layout.traces())
        .map_err(|error| told(&error))?;
    let archive = TraceArchive::new(&folder);
    let SessionKey { agent, id } = &session.session;
    if !archive.contains(agent, id).map_err(|error| told(&error))? {
        return Ok(None);
    }
    let mut trace = archive.open(agent, id).map_err(|error| told(&error))?;
    if left.is_some_and(|at| !trace.is_as_left(at.trace_bytes, &at.trace_digest)) {
        return Ok(None);
    }
    let mut collector = Collector::default();
    loop {
        let page = trace.next(PAGE_BYTES).map_err(|failure| failure.message)?;
        if page.is_empty() {
            return Ok(Some(collector.finish()));
        }
        for event in &page {
            collector.take(event);
        }
    }
}
