//! Cursor's rules: `.mdc` files whose front matter gives subject and files of a rule, and the older `.cursorrules`. A
//! rule is a convention unless its wording says otherwise.

use crate::head::ForeignFrontMatter;
use crate::reading::ReadingOptions;
use crate::sections::read_markdown;
use crate::sink::NoteSink;
use crate::text::shortened;
use crate::wording::NoteClass;
use crate::{Source, claude};

/// Maximum length of a subject from front matter, in characters.
const SUBJECT_CHARACTERS: usize = 80;

pub(crate) fn read(source: &Source<'_>, sink: &mut NoteSink<'_>) {
    let head = ForeignFrontMatter::of(source.text);
    head.report_repeated(sink);
    let mut reading = ReadingOptions::new(source);
    // `@file` is a reference here too.
    reading.refuses = claude::refuses;
    reading.otherwise = NoteClass::CONVENTION;
    reading.subject = subject(&head, sink);
    read_markdown(head.end, &reading, sink);
}

/// Returns the subject of a rule, and its files.
fn subject(head: &ForeignFrontMatter<'_>, sink: &mut NoteSink<'_>) -> Vec<String> {
    let description = head.text("description", sink);
    let globs = head.list("globs", sink).join(", ");
    let files = (!globs.is_empty()).then(|| format!("files {globs}"));
    description
        .into_iter()
        .chain(files)
        .map(|part| shortened(part.trim_end_matches('.'), SUBJECT_CHARACTERS))
        .collect()
}
