//! The lead: runs one session through validate, normalise, extract, summarise, explore, decide, write and report. Host
//! code, not a prompt: the same trace, memory and plugins give the same result.
//!
//! Sees plugins as role traits and never holds a trace in memory; steps pass paths and streams to each other. A run
//! that fails leaves memory unchanged.

mod attribution;
mod decide;
mod error;
mod maintain;
mod memory;
mod people;
mod run;

pub use crate::decide::thresholds::Thresholds;
pub use crate::maintain::report::Conflict;
pub use crate::maintain::report::ConflictingMemory;
pub use crate::memory::speakers::{CLIENT, IMPORT, PERSON};
pub use crate::memory::workspace::Times;
pub use crate::run::report::Resume;
pub use attribution::is_instruction;
pub use decide::gates::{GATES, Judged};
pub use decide::open_ends::is_verified_open_end;
pub use error::RunError;
pub use maintain::conflicts::{conflicts, contradictions, not_undone};
pub use maintain::decay::{Seen, effective_confidence_of};
pub use maintain::pass::{MAINTAIN_STEPS, maintain};
pub use maintain::references::References;
pub use maintain::report::{MaintainAction, MaintainCounts, MaintainRecord, MaintainReport};
pub use maintain::state::MaintainOptions;
pub use maintain::undo::{UndoReport, undo};
pub use maintain::verify::{Repository, Sighting};
pub use memory::workspace::{ARTIFACTS, MAINTAIN_ARTIFACTS, RunMode, Summaries};
pub use memory::writable::{WritableMemory, WritableOptions};
pub use people::amend::{Amended, Amendment, Edit};
pub use people::decision::{Decided, MemoryEffect, Reversal};
pub use people::notes::{Note, NoteSource, NotesReport, RefusedNote, noted};
pub use people::pending::{PendingQuote, PendingQuotes, PendingUpdate, pending_id};
pub use people::purge::{PurgeReport, PurgeSelection};
pub use people::suggest::Suggestion;
pub use run::ask::NOTES;
pub use run::normalise::{KnownSession, Source, sessions_in};
pub use run::options::{GrantedModels, ModelShare, Plugins, Progress, RunOptions};
pub use run::report::{
    Action, ActionRecord, Counts, MemoryActions, Metrics, PluginMetrics, ReadSession,
    ReadingReport, RunReport, STEPS, SessionReport, Todo, TodoState,
};
pub use run::session::run;
pub use run::unwanted::CONFIRMED;
