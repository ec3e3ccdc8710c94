//! Reads the archived copy of a session for a person to view. Changes nothing.

use acreta_pipeline::Source;
use acreta_state::KnownSession;
use acreta_types::{Cursor, SharedSink, with_causes};

use crate::find::job;
use crate::options::SyncOptions;
use crate::source;
use crate::workshop::SyncEnvironment;

/// Passes every event of the archived copy to `sink`; returns the reason on failure. The adapter sees only the copy.
pub fn read_rescued(
    known: &KnownSession,
    options: &SyncOptions,
    workshop: &dyn SyncEnvironment,
    sink: SharedSink,
) -> Result<(), String> {
    let Some(archive) = &known.archive else {
        return Err(format!("`{}` was never archived", known.file));
    };
    let opened =
        source::archived(known, archive, options, workshop).map_err(|error| error.message)?;
    let Source::Known(session) = &opened.source else {
        return Err(format!("`{}` is not an archived session", known.file));
    };
    let call = session.adapter.read(
        &job(workshop.now_ms()),
        &session.roots,
        &session.session,
        &Cursor::default(),
        sink,
    );
    call.result.map_err(|error| with_causes(&error))?;
    Ok(())
}
