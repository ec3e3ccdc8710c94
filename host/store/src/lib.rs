//! Memory as files: their layout and format, the checks before a write, and atomic commits. A change of several files
//! is on disk as a whole or not at all, even after a power failure.

mod change;
mod commit;
mod digest;
mod draft;
mod error;
mod front_matter;
mod index_note;
mod journal;
mod known;
mod layout;
mod learnt;
mod load;
mod memory;
mod merged;
mod name;
mod old_trust;
mod problem;
mod project;
mod sidecar;
mod store;
mod words;
mod words_file;

pub use acreta_types::{Status, Trust};
pub use change::{Change, Committed, EditConflict, FileChange, Recovery, RolledForward};
pub use digest::digest;
pub use draft::{DraftError, DraftFile, DraftLimits, ExpectedDraft, check_draft, check_text};
pub use error::{CommitError, StoreError};
pub use front_matter::{Document, FRONT_MATTER_BYTES, FrontMatter, FrontMatterError};
pub use index_note::{FolderChange, IndexNote, folder_stamp};
pub use known::KnownFiles;
pub use layout::{INDEX_CHANGES, INDEX_CHECKED, INDEX_CHECKING, Layout, SIDECAR_FOLDERS};
pub use learnt::{adopt_ledger, start_ledger};
pub use load::{MEMORY_BYTES, RemovedMemory, Snapshot};
pub use memory::Memory;
pub use name::{
    NAME_BYTES, SHORT_ID, is_id, is_memory_name, name_with_id, telling_part, unique_name,
};
pub use problem::Problem;
pub use project::{Marker, ProjectRoot, project_root, project_root_outside};
pub use sidecar::{
    ArchivedBy, ContributedCandidate, Contribution, EvidenceFile, Proposal, ProposalOperation,
    QuotedEvent, Sidecar, StateFile,
};
pub use store::{ProjectLock, Store};
pub use words::{RepositoryPolicy, Rung, Word, Words, as_line, move_words};
pub use words_file::WordsFile;
