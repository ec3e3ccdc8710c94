//! Session discovery and storage: the folders of agents, the project of a session, the archive of raw sessions, and the
//! archive of traces. Both archives contain only redacted text, and each of their files is complete or absent.

mod archive;
mod clean;
mod commands;
mod discover;
mod error;
mod identity;
mod index;
mod names;
mod objects;
mod pending;
mod reader;
mod rescue;
mod roots;
mod stats;
mod tidy;
mod writer;

#[cfg(test)]
mod tests;

pub use archive::TraceArchive;
pub use clean::{clean_cursor, clean_session};
pub use commands::Commands;
pub use discover::{
    Companions, DiscoveryProblem, FoundFile, discover, discover_in, fold_companions,
};
pub use error::TraceError;
pub use identity::{
    DirectoryFacts, KnownProject, identity_of, is_other_repository, normalised_remote,
    other_spelling, resolve,
};
pub use objects::{FolderStore, ObjectError, ObjectStore, probe};
#[cfg(feature = "s3")]
pub use objects::{S3Clock, S3Settings, S3Store};
pub use pending::PendingTrace;
pub use reader::TraceFile;
pub use rescue::{
    ArchiveKind, Archived, ArchivedReader, RawArchive, RescueAs, RescueError, RescueLimits,
    RescueSource, StoredContent, WaitingUpload,
};
pub use roots::{FoundRoot, Places, Platform, RootError, expand, find_root};
pub use stats::{TraceMark, TraceStats};
pub use tidy::is_plausible;
pub use writer::{TraceLimits, TraceWriter};
