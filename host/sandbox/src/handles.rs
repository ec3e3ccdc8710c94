//! Handles held by guests: on a trace, a database, a result.

use acreta_foreign_sqlite::{Database, Rows};
use acreta_types::SharedTrace;
use camino::Utf8PathBuf;

/// A guest's handle on the trace it was given.
#[expect(unreachable_pub, reason = "the generated bindings re-export it")]
pub struct TraceHandle(pub(crate) SharedTrace);

/// A guest's handle on a database.
#[expect(unreachable_pub, reason = "the generated bindings re-export it")]
pub struct DatabaseHandle {
    pub(crate) database: Database,
    pub(crate) place: FileLocation,
}

/// A guest's handle on a result.
#[expect(unreachable_pub, reason = "the generated bindings re-export it")]
pub struct RowsHandle {
    pub(crate) rows: Rows,
    pub(crate) place: FileLocation,
}

/// A file's path on the host and in the guest.
#[derive(Clone)]
pub(crate) struct FileLocation {
    pub(crate) host: Utf8PathBuf,
    pub(crate) guest: String,
}
