//! The lead: takes one session through validate, normalise, extract, summarise,
//! explore, decide, write and report. Host code, not a prompt: the same trace, memory and plugins
//! give the same result.
//!
//! Sees plugins as role traits and never holds a trace in memory; steps hand each other paths and
//! streams. A run that fails leaves memory as it was.

mod amend;
mod decide;
mod desk;
mod error;
mod explore;
mod files;
mod fold;
mod gates;
mod gone;
mod grounds;
mod history;
mod ids;
mod maintain;
mod near;
mod normalise;
mod notes;
mod options;
mod pending;
mod plan;
mod planned;
mod precedence;
mod purge;
mod recall;
mod report;
mod run;
mod search;
mod share;
mod spans;
mod standing;
mod steps;
mod suggest;
mod workspace;
mod write;

pub use amend::{Amended, Amendment, Edit};
pub use desk::{Desk, DeskOptions};
pub use error::RunError;
pub use gates::{GATES, Judged, Thresholds};
pub use maintain::{
    MAINTAIN_STEPS, MaintainAction, MaintainCounts, MaintainOptions, MaintainRecord,
    MaintainReport, References, Repository, Seen, Sighting, UndoReport, effective_confidence_of,
    maintain, undo,
};
pub use normalise::{KnownSession, Resume, Source, sessions_in};
pub use notes::{CLIENT, IMPORT, Note, NoteSource, NotesReport, PERSON, RefusedNote};
pub use options::{
    Chain, Extractors, GrantedModels, Link, ModelShare, Plugins, Progress, RunOptions, Times,
};
pub use pending::{PendingQuote, PendingQuotes, PendingUpdate, pending_id};
pub use purge::{PurgeReport, PurgeSelection};
pub use report::{
    Action, ActionRecord, Counts, MemoryActions, Metrics, PluginMetrics, ReadingReport, RunReport,
    STEPS, SessionReport, Taken, Todo, TodoState,
};
pub use run::run;
pub use suggest::Suggestion;
pub use workspace::{ARTIFACTS, MAINTAIN_ARTIFACTS, RunMode};
