//! Outlines of source files (declarations and imports), and resolution of imports to files. Pure functions from text to
//! data: no disk access, broken code gives a partial outline, and the time per file is bounded by its length.
//!
//! [`outline`] reads one file. [`SourceRoots`] holds the source roots that a repository's manifests declare, and [`resolve`]
//! uses them to find the file of an import.

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
pub use outline::{EntryPointKind, Import, ImportKind, Outline, Symbol, SymbolKind};
pub use parsed::parses;
pub use read::outline;
pub use resolve::{RepositoryFiles, resolve};
pub use roots::SourceRoots;
