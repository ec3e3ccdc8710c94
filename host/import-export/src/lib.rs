//! Imports notes of other tools as candidates for memory, and exports memory in other forms. Works on text alone: no
//! disk, no clock. An import never fails: unusable parts are reported with line and reason, and every note quotes its
//! part of the source verbatim.

mod basic_memory;
mod blocks;
mod claude;
mod cursor;
mod detect;
mod export;
mod fields;
mod graph;
mod head;
mod import;
mod json;
mod note;
mod own;
mod reading;
mod record;
mod sections;
mod sink;
mod split;
mod table;
mod text;
mod trivial;
mod walk;
mod wording;

pub use export::{export_json, export_jsonl, export_markdown};
pub use import::import;
pub use note::{Format, Imported, Note, RestoredMemory, Skipped, Source};
