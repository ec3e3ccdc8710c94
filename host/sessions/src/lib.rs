//! Sessions as acreta keeps them. So far the archive of traces: one file per session, redacted
//! before it touches the disk, replaced as a whole or not at all.

mod archive;
mod error;
mod index;
mod pending;
mod reader;
mod stats;
mod tidy;
mod writer;

#[cfg(test)]
mod tests;

pub use archive::TraceArchive;
pub use error::TraceError;
pub use pending::PendingTrace;
pub use reader::TraceFile;
pub use stats::TraceStats;
pub use tidy::is_plausible;
pub use writer::{TraceLimits, TraceWriter};
