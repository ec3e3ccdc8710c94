//! What an agent should know about a codebase it has seen before: what changed, and where to look.
//!
//! [`Context`] keeps one artifact for each project: every file with its stamp and hash, the facts
//! about its content, the graph of imports and a slice of it all. A question that finds nothing
//! changed looks at each path once and opens no file; one that finds changes reads those files
//! only. What is sensitive is listed by name and never opened, and what is served is redacted.

mod answer;
mod artifact;
mod context;
mod error;
mod options;
mod pilot;
mod rank;
mod scan;
mod watch;

pub use acreta_model::Detail;
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
