//! What a source file declares and what it imports, and which file an import means.
//! Everything here is text in, data out: nothing touches the disk, broken code gives what can be
//! read of it, and the time a file takes is bounded by its length.
//!
//! [`outline`] reads one file. [`Roots`] holds what a repository's manifests say about where code
//! lives, and [`resolve`] uses it to find the file behind an import.

mod bodies;
mod grammars;
mod guard;
mod language;
mod lines;
mod manifests;
mod outline;
mod parse;
mod parsed;
mod paths;
mod read;
mod resolve;
mod roots;
mod walk;

pub use language::{Language, language_label, language_of};
pub use outline::{EntryKind, Import, ImportKind, Outline, Symbol, SymbolKind};
pub use parsed::parses;
pub use read::outline;
pub use resolve::{Files, resolve};
pub use roots::Roots;
