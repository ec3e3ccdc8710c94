//! Sessions as acreta finds and keeps them: where agents put them, whose project they belong to, the
//! archive of what agents wrote, and the archive of traces. Both archives hold redacted text only,
//! and each of their files is there as a whole or not at all.

mod archive;
mod clean;
mod discover;
mod error;
mod identity;
mod index;
mod names;
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
pub use clean::clean_session;
pub use discover::{Companions, FoundFile, Problem, discover, discover_in, fold_companions};
pub use error::TraceError;
pub use identity::{
    DirectoryFacts, KnownProject, Resolution, identity_of, normalised_remote, other_spelling,
    resolve,
};
pub use pending::PendingTrace;
pub use reader::TraceFile;
pub use rescue::{
    ArchiveKind, Archived, ArchivedReader, RawArchive, RescueAs, RescueError, RescueLimits, Source,
    Stored,
};
pub use roots::{FoundRoot, Places, Platform, RootError, expand, find_root};
pub use stats::{TraceMark, TraceStats};
pub use tidy::is_plausible;
pub use writer::{TraceLimits, TraceWriter};
