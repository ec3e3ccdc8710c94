//! The entry point of imports: selects the reader of a format. Never fails.

use crate::head::ForeignFrontMatter;
use crate::reading::ReadingOptions;
use crate::sections::read_markdown;
use crate::sink::NoteSink;
use crate::{Format, Imported, Source, basic_memory, claude, cursor, detect, fields, json, own};

/// Reads notes from a text. Bad input is reported in `skipped`; both lists are in the order of the source.
pub fn import(source: &Source<'_>, format: Format) -> Imported {
    let format = match format {
        Format::Auto => detect::detect(source),
        given => given,
    };
    let mut sink = NoteSink::new(source.text);
    if !matches!(format, Format::Jsonl | Format::Acreta) {
        sink.count_hidden(source.text, 1);
    }
    match format {
        Format::Auto | Format::Markdown | Format::Agents => read_plain(source, &mut sink),
        Format::Claude => claude::read(source, &mut sink),
        Format::Cursor => cursor::read(source, &mut sink),
        Format::BasicMemory => basic_memory::read(source, &mut sink),
        Format::Jsonl => json::read(source, &mut sink),
        Format::Acreta => own::read(source, &mut sink),
    }
    sink.finish(format)
}

/// Reads markdown of any origin; front matter may have title, tags and date.
fn read_plain(source: &Source<'_>, sink: &mut NoteSink<'_>) {
    let head = ForeignFrontMatter::of(source.text);
    head.report_repeated(sink);
    let mut reading = ReadingOptions::new(source);
    reading.subject.extend(head.text("title", sink));
    reading.tags = head.list("tags", sink);
    let created = ["created", "date"]
        .into_iter()
        .find_map(|key| head.text(key, sink));
    reading.created_ms = created.and_then(|time| fields::time_ms(&time));
    reading.key = head.text("id", sink);
    read_markdown(head.end, &reading, sink);
}
