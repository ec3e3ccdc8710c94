//! Notes of other tools into candidates for memory, and memory out to other forms. Text in, values
//! out: no disk, no clock. Import never fails: what cannot be used is said with its line and a
//! reason, and every note quotes the part of the source it stands on, word for word.

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
pub use note::{Format, Imported, Note, Skipped, Source};
