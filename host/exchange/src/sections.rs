//! Reads the notes of a document of markdown.

use crate::blocks::blocks;
use crate::reading::Reading;
use crate::sink::Sink;
use crate::walk::walk;

/// Reads headings, bullets and prose from `from` on.
pub(crate) fn read_markdown(from: usize, reading: &Reading, sink: &mut Sink<'_>) {
    walk(&blocks(sink.source(), from), reading, sink);
}
