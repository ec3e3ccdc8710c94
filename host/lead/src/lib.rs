//! The lead: takes one session through validate, normalise, extract, summarise,
//! explore, decide, write and report. Host code, not a prompt: the same trace, memory and plugins
//! give the same result.
//!
//! Sees plugins as role traits and never holds a trace in memory; steps hand each other paths and
//! streams. A run that fails leaves memory as it was.

mod contradict;
mod decide;
mod error;
mod explore;
mod fold;
mod gates;
mod history;
mod ids;
mod normalise;
mod plan;
mod report;
mod run;
mod search;
mod workspace;
mod write;

pub use error::RunError;
pub use gates::{Judged, Thresholds};
pub use normalise::{KnownSession, Resume, Source};
pub use report::{
    Action, ActionRecord, Counts, LlmMetrics, MemoryActions, Metrics, PluginMetrics, RunReport,
    STEPS, SessionReport, Taken, Todo, TodoState,
};
pub use run::{Plugins, Progress, RunOptions, run};
pub use workspace::{ARTIFACTS, RunMode};
