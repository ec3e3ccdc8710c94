//! What an agent should know about a codebase it has seen before: what changed, and where to look.
//!
//! [`Context`] keeps one artifact for each project: every file with its stamp and hash, the facts
//! about its content, the graph of imports and a slice of it all. A question that finds nothing
//! changed looks at each path once and opens no file; one that finds changes reads those files
//! only. What is sensitive is listed by name and never opened, and what is served is redacted.

mod answer;
mod artifact;
mod budget;
mod bytes;
mod changes;
mod churn;
mod commands;
mod compare;
mod content;
mod context;
mod depended;
mod entry_packages;
mod entry_points;
mod error;
mod examine;
mod facts;
mod finish;
mod gain;
mod graph;
mod journal;
mod look;
mod names;
mod options;
mod query;
mod rank;
mod repository;
mod request;
mod response;
mod rules;
mod sensitive;
mod sink;
mod slice;
mod stamp;
mod stop_words;
mod store;
mod terms;
mod toml_lines;
mod tree;
mod update;
mod walk;
mod watch;
mod weights;
mod words;

pub use context::Context;
pub use error::ContextError;
pub use gain::Gain;
pub use options::{Analysis, Clock, ContextOptions, History, Limits, SensitivePatterns};
pub use request::{Detail, MemoryHints, Request};
pub use response::{
    BuildCommand, CacheStatus, Change, Changed, Command, Delta, EntryPoint, Found, Freshness,
    GraphSummary, HotPath, LanguageShare, Reason, Response, Skipped, Slice, Stats, SymbolHit,
    TestsOf, TopImport,
};
pub use watch::{Event, Following, Source};
