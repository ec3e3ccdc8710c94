//! Codebase context for agents that have seen a project before: what changed, and where to look.
//!
//! [`Context`] stores one artifact per project: every file with its stamp and hash, facts about its content, the import
//! graph and a slice. A question about an unchanged project stats each path once and opens no file; after changes, only
//! changed files are read. Sensitive files are listed by name and never opened, and answers are redacted.

mod answer;
mod artifact;
mod context;
mod error;
mod options;
mod pilot;
mod rank;
mod scan;
mod watch;

pub use acreta_types::Detail;
pub use answer::gain::Gain;
pub use answer::measures::Latency;
pub use answer::request::{MemoryHints, Request};
pub use answer::response::{
    BuildCommand, CacheStatus, Change, Changed, Command, Delta, Dependent, Dependents, EntryPoint,
    Found, Freshness, GraphSummary, HotPath, LanguageShare, Reason, Response, Segment, Skipped,
    Slice, Stats, TestsOf, TopImport,
};
pub use context::Context;
pub use error::ContextError;
pub use options::{Analysis, Clock, ContextOptions, History, Limits, SensitivePatterns};
pub use pilot::{Pilot, Workload};
pub use watch::{Event, Following, Source};
