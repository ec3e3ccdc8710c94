//! Reads the notes of a document of markdown.

use crate::blocks::blocks;
use crate::reading::ReadingOptions;
use crate::sink::NoteSink;
use crate::walk::walk;

/// Reads headings, bullets and prose from `from` on.
pub(crate) fn read_markdown(from: usize, reading: &ReadingOptions, sink: &mut NoteSink<'_>) {
    walk(&blocks(sink.source(), from), reading, sink);
}
