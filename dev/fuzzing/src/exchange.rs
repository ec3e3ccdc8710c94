//! Notes of other tools: every format on any text, with the guarantees that the tests of `host/import-export` check.

use acreta_import_export::Format;

use crate::input::{first, text_of};

#[path = "../../../host/import-export/tests/exchange/support.rs"]
#[expect(
    dead_code,
    clippy::unwrap_used,
    reason = "the support of the tests of host/import-export, of which only the checks are used"
)]
mod support;

/// The first byte picks the format and the name of the file.
pub fn import(data: &[u8]) {
    let (pick, data) = first(data);
    let format = Format::ALL[pick % Format::ALL.len()];
    let names = ["notes.md", "CLAUDE.md", "a.mdc", "notes.jsonl", "AGENTS.md"];
    let name = names[pick / Format::ALL.len() % names.len()];
    support::read(name, &text_of(data), format);
}
