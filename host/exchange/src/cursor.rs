//! Cursor's rules: `.mdc` files whose front matter says what a rule is about and for which files,
//! and the older `.cursorrules`. What a rule says is a convention unless its words say otherwise.

use crate::head::Head;
use crate::reading::Reading;
use crate::sections::read_markdown;
use crate::sink::Sink;
use crate::text::shortened;
use crate::wording::Class;
use crate::{Source, claude};

/// Longest subject taken from front matter, in characters.
const SUBJECT_CHARACTERS: usize = 80;

pub(crate) fn read(source: &Source<'_>, sink: &mut Sink<'_>) {
    let head = Head::of(source.text);
    head.report_repeated(sink);
    let mut reading = Reading::new(source);
    // `@file` is a reference here too.
    reading.refuses = claude::refuses;
    reading.otherwise = Class::CONVENTION;
    reading.subject = subject(&head, sink);
    read_markdown(head.end, &reading, sink);
}

/// What a rule is about, and the files it is for.
fn subject(head: &Head<'_>, sink: &mut Sink<'_>) -> Vec<String> {
    let description = head.text("description", sink);
    let globs = head.list("globs", sink).join(", ");
    let files = (!globs.is_empty()).then(|| format!("files {globs}"));
    description
        .into_iter()
        .chain(files)
        .map(|part| shortened(part.trim_end_matches('.'), SUBJECT_CHARACTERS))
        .collect()
}
