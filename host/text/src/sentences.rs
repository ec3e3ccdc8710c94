//! Sentences of a message, in any script, as byte ranges: a quote cut from one is verbatim by construction.
//!
//! A message is lines first. Each list item is its own paragraph; other lines belong to one paragraph until an empty
//! line, unless the line before clearly ends (punctuation) or the next clearly begins anew (a capital, a list mark).
//! Paragraphs are split by Unicode's rules for sentences (UAX #29). Example, with `|` between the results:
//!
//! ```text
//! Use tabs, e.g. in Makefiles.| Never spaces!!      two sentences: `e.g.` ends none, `!!` ends one
//! - no default exports|                             a list item without its mark
//! we deploy by hand
//! and never on fridays|                             one sentence over two lines
//! ```

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

/// Returns the byte ranges of a text's sentences, in order, without list marks and surrounding space.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for paragraph in paragraphs(text) {
        split(text, paragraph, &mut found);
    }
    found
}

/// Returns where the content of a line starts: after indentation and the mark of a list item, quotation or heading.
pub fn list_mark(line: &str) -> Option<usize> {
    let indent = line.len() - line.trim_start().len();
    let body = &line[indent..];
    let first = body.chars().next()?;
    let digits = body.bytes().take_while(u8::is_ascii_digit).count();
    let mark = if digits > 0 && digits < 3 {
        let rest = &body[digits..];
        let length = if rest.starts_with(['.', ')']) { 1 } else { 3 };
        (rest.starts_with(['.', ')', '、', '．'])).then_some(digits + length)?
    } else if matches!(
        first,
        '-' | '*' | '+' | '•' | '·' | '–' | '—' | '◦' | '▪' | '●' | '○' | '✓' | '✅' | '❌'
    ) {
        first.len_utf8()
    } else {
        return None;
    };
    let rest = &body[mark..];
    if !rest.starts_with([' ', '\t']) && first.is_ascii() {
        return None;
    }
    let mut start = indent + mark + (rest.len() - rest.trim_start().len());
    for box_mark in ["[ ] ", "[x] ", "[X] "] {
        if line[start..].starts_with(box_mark) {
            start += box_mark.len();
        }
    }
    (start < line.len()).then_some(start)
}

/// Returns the paragraphs: runs of lines that one sentence may run through.
fn paragraphs(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut is_open = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let (start, end) = (at, at + line.trim_end().len());
        at += line.len();
        let content = line.trim_end();
        if content.trim().is_empty() {
            is_open = false;
            continue;
        }
        let mark = list_mark(content).or_else(|| heading(content));
        match found.last_mut() {
            Some(last) if is_open && mark.is_none() && continues(&text[last.clone()], content) => {
                last.end = end;
            }
            _ => found.push(start + mark.unwrap_or(0)..end),
        }
        is_open = heading(content).is_none();
    }
    found
}

/// Returns where the text of a heading starts.
fn heading(line: &str) -> Option<usize> {
    let marks = line.bytes().take_while(|byte| *byte == b'#').count();
    ((1..=6).contains(&marks) && line[marks..].starts_with(' ')).then_some(marks + 1)
}

/// Reports whether a line goes on with the sentence of the paragraph before it.
fn continues(paragraph: &str, line: &str) -> bool {
    let ended = paragraph.trim_end().chars().next_back();
    let is_ended = ended.is_some_and(|last| {
        matches!(
            last,
            '.' | '!' | '?' | ':' | ';' | '…' | '。' | '！' | '？' | '：' | '；' | '।' | '؟' | '۔'
        )
    });
    let first = line.trim_start().chars().next();
    // Scripts without capitals do not tell; a comma does.
    let is_lower = first.is_some_and(|first| first.is_lowercase() || first.is_ascii_digit());
    !is_ended && (is_lower || matches!(ended, Some(',' | '、' | '，')))
}

/// Splits one paragraph.
fn split(text: &str, paragraph: Range<usize>, found: &mut Vec<Range<usize>>) {
    // A line break inside a paragraph is a blank; both are one byte.
    let joined = text[paragraph.clone()].replace(['\n', '\r'], " ");
    let mut open: Option<Range<usize>> = None;
    for (at, piece) in joined.split_sentence_bound_indices() {
        let range = paragraph.start + at..paragraph.start + at + piece.len();
        let range = match open.take() {
            Some(before) => before.start..range.end,
            None => range,
        };
        let goes_on =
            is_abbreviated(&text[range.clone()]) || is_within_word(piece, &text[range.end..]);
        if goes_on && range.end < paragraph.end {
            open = Some(range);
            continue;
        }
        let mut start = range.start;
        for end in small_stops(&text[range.clone()]) {
            push(text, start..range.start + end, found);
            start = range.start + end;
        }
        push(text, start..range.end, found);
    }
    if let Some(rest) = open {
        push(text, rest, found);
    }
}

/// Minimum letters of a word before a full stop that ends a sentence although a small letter follows; shorter ones are
/// abbreviations (`etc. and so on`).
const SMALL_STOP: usize = 4;

/// Returns where sentences end within a piece by people who type no capitals: `use tabs everywhere. i mean it`.
fn small_stops(piece: &str) -> Vec<usize> {
    let stops = piece.match_indices(". ").filter(|(at, _)| {
        let before = piece[..*at]
            .rsplit(|one: char| !one.is_alphanumeric())
            .next();
        let is_word = before.is_some_and(|word| word.chars().count() >= SMALL_STOP);
        // A name or code opens a sentence, too: `done. @notes.md says how`.
        let opens = |one: char| one.is_lowercase() || matches!(one, '@' | '`' | '/');
        is_word && piece[at + 2..].trim_start().starts_with(opens)
    });
    stops.map(|(at, _)| at + 1).collect()
}

/// Reports whether a piece ends within a word: `Yahoo!Mail`. Unicode's rules end a sentence there, which would take a
/// password apart.
fn is_within_word(piece: &str, rest: &str) -> bool {
    piece.ends_with(['!', '?']) && rest.starts_with(|next: char| next.is_ascii_alphanumeric())
}

/// Reports whether the full stop at the end belongs to an abbreviation: a word of one or two letters, as in `z. B.`, or
/// one with a full stop inside.
fn is_abbreviated(piece: &str) -> bool {
    let Some(before) = piece.trim_end().strip_suffix('.') else {
        return false;
    };
    let word = before.rsplit(char::is_whitespace).next().unwrap_or(before);
    let word = word.trim_start_matches(['(', '[', '"', '“', '„']);
    let letters = word.chars().filter(|one| one.is_alphabetic()).count();
    let is_lone = letters == 1 && word.chars().count() == 1;
    is_lone || letters > 0 && letters < 5 && word.contains('.') && !word.contains(['/', '_'])
}

fn push(text: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let piece = &text[range.clone()];
    let start = range.start + (piece.len() - piece.trim_start().len());
    let end = range.start + piece.trim_end().len();
    if start >= end {
        return;
    }
    // Marks alone belong to the sentence before them (`Really?! …`).
    let is_marks = !text[start..end].chars().any(char::is_alphanumeric);
    match found.last_mut().filter(|_| is_marks) {
        Some(last) if !text[last.end..start].contains('\n') => last.end = end,
        _ if is_marks => {}
        _ => found.push(start..end),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_split_into_whole_sentences() {
        let cases: &[(&str, &[&str])] = &[
            (
                "Use tabs, e.g. in Makefiles. Never spaces!!",
                &["Use tabs, e.g. in Makefiles.", "Never spaces!!"],
            ),
            ("really?! never do that", &["really?!", "never do that"]),
            (
                "log in with Blue!Heron?63 there! then go",
                &["log in with Blue!Heron?63 there!", "then go"],
            ),
            (
                "we deploy by hand\nand never on fridays",
                &["we deploy by hand\nand never on fridays"],
            ),
            ("First line\nSecond line", &["First line", "Second line"]),
            (
                "rules:\n- no default exports\n  1) tests next to it\n* [ ] pnpm only",
                &[
                    "rules:",
                    "no default exports",
                    "tests next to it",
                    "pnpm only",
                ],
            ),
            (
                "use tabs everywhere. i mean it, tools etc. and all",
                &["use tabs everywhere.", "i mean it, tools etc. and all"],
            ),
            (
                "No globals allowed. @docs/plan.md says how",
                &["No globals allowed.", "@docs/plan.md says how"],
            ),
            (
                "Nimm z. B. Postgres nie. Sonst gut.",
                &["Nimm z. B. Postgres nie.", "Sonst gut."],
            ),
            (
                "数据库一律用 Postgres。不要用 MySQL！好吗",
                &["数据库一律用 Postgres。", "不要用 MySQL！", "好吗"],
            ),
            (
                "تعليقات الكود بالإنجليزية دائما؟ نعم",
                &["تعليقات الكود بالإنجليزية دائما؟", "نعم"],
            ),
            (
                "see src/main.rs and v1.2.3 of Node.js. Then go",
                &["see src/main.rs and v1.2.3 of Node.js.", "Then go"],
            ),
            ("# Title\nbody here", &["Title", "body here"]),
            ("2. is fine", &["is fine"]),
            ("", &[]),
            ("\n\n...\n", &[]),
        ];
        for (text, expected) in cases {
            let found: Vec<&str> = sentences(text)
                .into_iter()
                .map(|range| &text[range])
                .collect();
            assert_eq!(found, *expected, "{text}");
        }
    }
}
