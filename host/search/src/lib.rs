//! Search over memory: an index of the files of one scope, and search across scopes. The index is a cache: it may be
//! deleted, damaged or outdated at any time, and a search still answers according to the files. Writes only beneath
//! `index/`. `sessions` is another index, of archived sessions.

mod changes;
mod columns;
mod dot;
mod embedded_text;
mod entry;
mod error;
mod expand;
mod explain;
mod factors;
mod files;
mod fuse;
mod hit;
mod index;
#[cfg(feature = "sentence-models")]
mod local_model;
#[cfg(not(feature = "sentence-models"))]
#[path = "no_local_model.rs"]
mod local_model;
mod meaning;
mod opened;
mod passage_index;
mod passages;
mod peek;
mod query;
mod rank;
mod refresh;
mod schema;
mod scope;
mod sentence;
mod sessions;
mod snapshot;
mod snippet;
mod tokens;
mod unsynced;
mod updating;
mod vector_file;
mod vectors;
mod verify;
mod weights;

pub use acreta_types::{ScopeMode, Status};
pub use entry::IndexEntry;
pub use error::SearchError;
pub use explain::{Explanation, TermPart};
pub use hit::{Hit, SearchResults, Source};
pub use index::MemoryIndex;
pub use local_model::{LocalModel, ModelError};
pub use meaning::Embedded;
pub use passage_index::{PassageHit, PassageIndex};
pub use passages::IndexedPassage;
pub use peek::{Freshness, Peeked, TextTerm, terms_of};
pub use query::{Access, Accesses, Filter, Query};
pub use refresh::{RefreshOutcome, Refreshed};
pub use scope::{Scope, ScopedFound, ScopedHit, SearchScope};
pub use sentence::{ModelFailure, ModelIdentity, SentenceModel};
pub use sessions::{
    FoundPassage, FoundSession, IndexedSession, SessionAct, SessionHead, SessionIndex,
    SessionOrder, SessionPassage, SessionQuery, written_line,
};
pub use snippet::Snippet;
pub use weights::CHECK_INTERVAL_MS;
