//! Acreta's vocabulary as plain types: traces, candidates, memories, the memory types, and the roles of plugins. Does
//! not depend on disk, wasm or clock.

mod attrs;
mod cause;
mod confidence;
mod cure;
mod memory;
mod models;
mod mutex;
mod plugin;
mod project;
mod quotation;
mod reading;
mod registry;
mod roles;
mod threads;
mod trace;
mod vocabulary;

pub use attrs::Attrs;
pub use cause::with_causes;
pub use confidence::effective_confidence;
pub use cure::CureRecord;
pub use memory::{Candidate, Evidence, Finding, Summary};
pub use models::{
    ModelBudget, ModelMessage, ModelReply, ModelRequest, ModelSource, ModelUsage, Models,
    SharedModels,
};
pub use mutex::locked;
pub use plugin::{
    Call, Denial, Failure, Limits, PluginError, PluginFault, PluginInfo, Role, Usage,
};
pub use project::Identity;
pub use quotation::Quotation;
pub use reading::{RULES, Reading, ReadingStrength, Shortfall};
pub use registry::{MEMORY_TYPES, MemoryType, TypeEntry};
pub use roles::{
    Adapter, AdapterRoot, Cursor, Description, EventSink, Explorer, Extractor, Job, MemorySearch,
    MemoryWriter, PluginLog, Preopen, SearchHit, SharedSearch, SharedSink, SharedTrace,
    TraceReader, WriteAction, WriteContext, Written,
};
pub use threads::Threads;
pub use trace::{Diagnostic, Event, Origin, Session};
pub use vocabulary::{Detail, ScopeMode, Status, TaskState, Trust, UnknownName, WriteScope};
