//! Tells what a person typed in a message from what they pasted or a program inserted, by structure alone: no words,
//! every script alike. What is left is compared with the rest of the session by the host; here only form counts.
//!
//! ```text
//! why does this fail?              typed
//! ```                              ┐
//! error: cannot find `x`           │ a fence
//! ```                              ┘
//! $ cargo test                     ┐ a prompt, and its output up to the next empty line
//! running 3 tests                  ┘
//! <system-reminder>…</…>           a tagged region
//! | a | b |                        a table
//! From: Ana <ana@example.org>      ┐ headers of a mail, and everything below them
//! Always squash.                   ┘
//! never merge without a review     typed
//! ```
//!
//! In doubt a line counts as foreign: a wish that is not heard is typed again, a planted one is obeyed.

use std::ops::Range;

use crate::is_hidden;
use crate::sentences::{list_mark, sentences};

/// Maximum bytes of a message that are looked at. Nobody types more.
const MOST_BYTES: usize = 64 * 1024;

/// Returns the sentences of a message that the person typed, as byte ranges in order. A sentence of which a part was cut
/// out is left out whole: the rest may say the opposite.
pub fn typed_sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    let end = text.len()..text.len();
    for cut in foreign(text).into_iter().chain([end]) {
        let passage = &text[from..cut.start];
        let is_part = |range: &Range<usize>| {
            let opens =
                from == 0 || text[..from].ends_with('\n') || passage[..range.start].contains('\n');
            let closes = cut.start == text.len()
                || opens_line(text, cut.start)
                || passage[range.end..].contains('\n');
            !(opens && closes)
        };
        let whole = sentences(passage).into_iter().filter(|range| {
            let sentence = &passage[range.clone()];
            !is_part(range) && !is_quotation(sentence) && !is_disguised(sentence)
        });
        found.extend(whole.map(|range| from + range.start..from + range.end));
        from = cut.end;
    }
    found
}

/// Returns the passages of a message that the person did not type, as byte ranges in order, none overlapping.
pub fn foreign(text: &str) -> Vec<Range<usize>> {
    let mut cut = Cut::default();
    let end = text.floor_char_boundary(MOST_BYTES);
    cut.add(end..text.len());
    let text = &text[..end];
    comments(text, &mut cut);
    tags(text, &mut cut);
    fences(text, &mut cut);
    spans(text, &mut cut);
    forms(text, &mut cut);
    lines(text, &mut cut);
    documents(text, &mut cut);
    cut.merged()
}

/// Passages that were cut out.
#[derive(Default)]
struct Cut(Vec<Range<usize>>);

impl Cut {
    fn add(&mut self, range: Range<usize>) {
        if !range.is_empty() {
            self.0.push(range);
        }
    }

    fn has(&self, at: usize) -> bool {
        self.0.iter().any(|range| range.contains(&at))
    }

    fn merged(mut self) -> Vec<Range<usize>> {
        self.0.sort_by_key(|range| range.start);
        let mut merged: Vec<Range<usize>> = Vec::new();
        for range in self.0 {
            match merged.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => merged.push(range),
            }
        }
        merged
    }
}

/// Cuts comments of HTML and, where they open a line, of code.
fn comments(text: &str, cut: &mut Cut) {
    for (open, close) in [("<!--", "-->"), ("/*", "*/")] {
        let mut from = 0;
        while let Some(start) = text[from..].find(open).map(|at| from + at) {
            from = start + open.len();
            if open == "<!--" || opens_line(text, start) {
                let end = text[from..]
                    .find(close)
                    .map_or(text.len(), |at| from + at + close.len());
                cut.add(start..end);
                from = end;
            }
        }
    }
}

/// Cuts every region between a tag and its end tag, and from a tag that opens a line and is never closed, if its name is
/// a program's (`<system-reminder>`), up to the end.
fn tags(text: &str, cut: &mut Cut) {
    let mut from = 0;
    while let Some(start) = text[from..].find('<').map(|at| from + at) {
        from = start + 1;
        let inner = &text[from..];
        let is_name = |one: char| one.is_ascii_alphanumeric() || one == '-' || one == '_';
        let length = inner.find(|one| !is_name(one)).unwrap_or(inner.len());
        let name = &inner[..length];
        let is_tag = name.starts_with(|one: char| one.is_ascii_alphabetic())
            && inner[length..].starts_with(['>', ' ', '\n', '/']);
        if !is_tag {
            continue;
        }
        let close = format!("</{name}>");
        let is_program = name.contains(['-', '_']);
        if let Some(end) = inner.find(&close) {
            // Markup that a person names within a sentence stays.
            if is_program || opens_line(text, start) || inner[..end].contains('\n') {
                cut.add(start..from + end + close.len());
            }
            from += end + close.len();
        } else if is_program && opens_line(text, start) {
            cut.add(start..text.len());
            return;
        }
    }
}

fn opens_line(text: &str, at: usize) -> bool {
    text[..at]
        .rsplit('\n')
        .next()
        .is_some_and(|before| before.trim().is_empty())
}

/// Cuts fenced blocks with the lines of their marks; an open fence reaches to the end.
fn fences(text: &str, cut: &mut Cut) {
    let mut open: Option<(usize, &str)> = None;
    for (start, line) in lines_of(text) {
        let trimmed = line.trim_start();
        let mark = ["```", "~~~"]
            .into_iter()
            .find(|mark| trimmed.starts_with(mark));
        match (open, mark) {
            (None, Some(mark)) if trimmed.matches(mark).count() == 1 => open = Some((start, mark)),
            (None, Some(_)) => cut.add(start..start + line.len()),
            (Some((from, mark)), _) if trimmed.starts_with(mark) => {
                cut.add(from..start + line.len());
                open = None;
            }
            // A fence that opens at the end of a line of prose.
            (None, None)
                if line.trim_end().ends_with("```") && line.matches("```").count() == 1 =>
            {
                let at = start + line.rfind("```").unwrap_or(0);
                open = Some((at, "```"));
            }
            _ => {}
        }
    }
    if let Some((from, _)) = open {
        cut.add(from..text.len());
    }
}

/// Cuts everything from the first to the last of two or more prompts of a shell, or of headings of a chat
/// (`maria  10:42 AM`), with the lines below the last one: output and messages have empty lines too.
fn spans(text: &str, cut: &mut Cut) {
    let is_header = |line: &str| line.split_whitespace().count() <= 5 && has_clock(line);
    for is_mark in [is_prompt as fn(&str) -> bool, is_header] {
        let mut marks = lines_of(text).filter(|(_, line)| is_mark(line.trim()));
        let (Some((first, _)), Some((last, _))) = (marks.next(), marks.last()) else {
            continue;
        };
        let end = text[last..]
            .find("\n\n")
            .map_or(text.len(), |end| last + end);
        cut.add(first..end);
    }
}

/// Cuts lines that programs and other people wrote. A paste is one passage: from its first line that shows it to the last
/// one, with all between them. What the person writes stands before and after it.
fn lines(text: &str, cut: &mut Cut) {
    let mut pasted: Option<Range<usize>> = None;
    let mut in_list = false;
    let mut after_colon = false;
    for (start, line) in lines_of(text) {
        let trimmed = line.trim();
        if trimmed.is_empty() || cut.has(start + line.len() - line.trim_start().len()) {
            (after_colon, in_list) = (false, in_list && trimmed.is_empty());
            continue;
        }
        let is_item = list_mark(line).is_some();
        let is_code = (line.starts_with("    ") || line.starts_with('\t')) && !is_item && !in_list;
        let is_pasted = is_output(trimmed)
            || is_code
            || trimmed.starts_with('|')
            || is_boxed(trimmed)
            || is_chat(trimmed)
            || is_table(trimmed)
            || is_dense(trimmed);
        if is_pasted {
            // Output goes on up to an empty line.
            let end = match is_output(trimmed) {
                true => text[start..]
                    .find("\n\n")
                    .map_or(text.len(), |end| start + end),
                false => start + line.len(),
            };
            let known = pasted.map_or(start..end, |known| known.start..known.end.max(end));
            pasted = Some(known);
        }
        // A quoted line, to which the person may reply below; text below a line that announces it. A list below one is
        // what it announces, in the same hand.
        let is_foreign = trimmed.starts_with(['>', '＞']) || after_colon && !is_item;
        if is_foreign {
            cut.add(start..start + line.len());
        } else {
            after_colon = trimmed.ends_with([':', '：']);
        }
        // Below an item of data, indented lines are data as well.
        let is_prose = is_item && !is_field(line);
        in_list = !is_foreign && (is_prose || in_list && !is_item && line.starts_with([' ', '\t']));
    }
    cut.0.extend(pasted);
}

/// Cuts mails and filled-in forms, from their first field to the end of the message.
fn forms(text: &str, cut: &mut Cut) {
    let kept = uncut(text, cut);
    // Headers of a mail or fields of a form: the rest of the message belongs to them.
    let is_signed = |(_, line): &&(usize, &str)| {
        line.trim_end().ends_with([':', '：']) && line.contains('<') && has_address_or_date(line)
    };
    if let Some((start, _)) = kept.iter().find(is_signed) {
        cut.add(*start..text.len());
    }
    let labelled: Vec<bool> = kept
        .iter()
        .map(|(_, line)| is_labelled(line.trim()))
        .collect();
    let form = labelled
        .windows(3)
        .position(|three| three.iter().all(|one| *one));
    let mail = kept
        .windows(2)
        .zip(labelled.windows(2))
        .position(|(two, labels)| {
            labels.iter().all(|one| *one) && two.iter().any(|(_, line)| has_address_or_date(line))
        });
    if let Some(first) = form.into_iter().chain(mail).min() {
        cut.add(kept[first].0..text.len());
    }
}

/// Returns the lines that have text and are not cut yet.
fn uncut<'a>(text: &'a str, cut: &Cut) -> Vec<(usize, &'a str)> {
    let is_kept = |(start, line): &(usize, &str)| {
        let indent = line.len() - line.trim_start().len();
        !line.trim().is_empty() && !cut.has(start + indent)
    };
    lines_of(text).filter(is_kept).collect()
}

/// Cuts what has the form of a document: text with headings, hard-wrapped prose, both sides of a ruled line.
fn documents(text: &str, cut: &mut Cut) {
    let kept = uncut(text, cut);
    // Three fields in a row in whatever case: data, or a chat.
    for (at, three) in kept.windows(3).enumerate() {
        let is_field = |(_, line): &(usize, &str)| is_field(line);
        let is_dense = kept[at].0 + three[0].1.len() + 1 >= three[1].0;
        if three.iter().all(is_field) && is_dense {
            cut.add(three[0].0..three[2].0 + three[2].1.len());
        }
    }
    // Headings: what stands before the first is a remark on the document.
    let headings: Vec<usize> = kept
        .iter()
        .filter(|(_, line)| is_heading(line))
        .map(|(start, _)| *start)
        .collect();
    if headings.len() >= 2 || headings.first() == Some(&0) && kept.len() > 2 {
        cut.add(headings[0]..text.len());
    }
    if text.starts_with("---\n") {
        cut.add(0..text.len());
    }
    ruled(text, &kept, cut);
    wrapped(&kept, cut);
}

/// Cuts the longer side of a ruled line: the remark on a pasted text is short.
fn ruled(text: &str, kept: &[(usize, &str)], cut: &mut Cut) {
    let rules: Vec<usize> = kept
        .iter()
        .filter(|(_, line)| is_rule(line.trim()))
        .map(|(start, _)| *start)
        .collect();
    let (Some(first), Some(last)) = (rules.first(), rules.last()) else {
        return;
    };
    let (before, after) = (text[..*first].trim().len(), text[*last..].trim().len());
    if before > 0 && before <= after {
        cut.add(*first..text.len());
    } else if after > 8 {
        cut.add(0..*last);
    } else {
        cut.add(0..text.len());
    }
}

/// Cuts paragraphs that a program wrapped: four lines and more of nearly one length that break in mid-sentence.
fn wrapped(kept: &[(usize, &str)], cut: &mut Cut) {
    let mut run: Vec<(usize, usize)> = Vec::new();
    let mut close = |run: &mut Vec<(usize, usize)>| {
        if run.len() >= 4 {
            cut.add(run[0].0..run[run.len() - 1].1);
        }
        run.clear();
    };
    for (at, (start, line)) in kept.iter().enumerate() {
        let length = line.trim_end().chars().count();
        let next = kept.get(at + 1).map(|(_, line)| line.trim_start());
        let breaks = next.is_some_and(|next| next.starts_with(|one: char| one.is_lowercase()))
            && line
                .trim_end()
                .ends_with(|one: char| one.is_alphanumeric() || one == ',');
        run.push((*start, start + line.len()));
        if !((60..=100).contains(&length) && breaks) {
            close(&mut run);
        }
    }
    close(&mut run);
}

fn lines_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line.trim_end_matches(['\n', '\r']))
    })
}

fn is_heading(line: &str) -> bool {
    let marks = line.bytes().take_while(|byte| *byte == b'#').count();
    (1..=4).contains(&marks) && line[marks..].starts_with(' ')
}

fn is_rule(line: &str) -> bool {
    line.chars().count() >= 3
        && line
            .chars()
            .all(|one| matches!(one, '-' | '*' | '=' | '_' | '—' | '─' | '━' | '~'))
}

/// Reports whether a line is drawn: boxes, trees, spinners, block elements.
fn is_boxed(line: &str) -> bool {
    let is_drawn = |one: char| matches!(one, '\u{2500}'..='\u{259f}' | '⎿' | '⏺' | '❯' | '➜' | '\u{2800}'..='\u{28ff}');
    line.starts_with(is_drawn) || line.ends_with(is_drawn)
}

/// Reports whether a line is like `[10:32] anna: …`, `anna (10:32): …`, `<anna> …`, `anna 10:32 AM`.
fn is_chat(line: &str) -> bool {
    let head = line.split_once(": ").map_or(line, |(head, _)| head);
    let is_named =
        line.starts_with('<') && line.find("> ").is_some_and(|end| (2..24).contains(&end));
    is_named || head.chars().count() < 40 && has_clock(head)
}

fn has_clock(text: &str) -> bool {
    text.as_bytes().windows(4).any(|four| {
        four[0].is_ascii_digit() && four[1] == b':' && four[2..].iter().all(u8::is_ascii_digit)
    })
}

/// Reports whether a line has columns: several gaps of three blanks and more, or tabs between words.
fn is_table(line: &str) -> bool {
    let columns = line
        .split("   ")
        .filter(|part| !part.trim().is_empty())
        .count();
    let tabs = line
        .split('\t')
        .filter(|part| !part.trim().is_empty())
        .count();
    columns >= 3 || tabs >= 3 || columns == 2 && line.contains("      ")
}

/// Reports whether a program printed the line.
fn is_output(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let is_numbered = digits > 0
        && (line[digits..].starts_with(['→', '\t', '|'])
            || line[digits..].starts_with(':') && line[digits + 1..].starts_with([' ', '\t']));
    let is_diff = ["+++ ", "--- a/", "@@ ", "diff --git", "index "]
        .iter()
        .any(|mark| line.starts_with(mark))
        && (!line.starts_with("index ") || line.contains(".."));
    is_numbered
        || is_prompt(line)
        || is_diff
        || is_stamp(first)
        || is_level(line)
        || is_position(line)
        || is_data(line)
}

/// Reports whether a line is a command after a shell's prompt.
fn is_prompt(line: &str) -> bool {
    let marks = ["$ ", "% ", ">>> ", "PS C:", "C:\\", "❯ "];
    marks.iter().any(|mark| line.starts_with(mark))
        || line
            .split_once(['$', '#', '%'])
            .is_some_and(|(head, rest)| {
                head.contains('@') && !head.trim_end().contains(' ') && rest.starts_with(' ')
            })
}

/// Reports whether a word is a date or a time: `2026-01-02T10:22:01Z`, `[10:22:01]`, `01/02`.
fn is_stamp(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    digits >= 4
        && word.contains([':', '-', '/'])
        && word
            .chars()
            .all(|one| one.is_ascii_digit() || "-/:.,TZ[]+()".contains(one))
}

/// Reports whether a line has a label in brackets and capitals within its first words, `[WARN]`, or one in capitals
/// between a colon and a figure.
fn is_level(line: &str) -> bool {
    line.split_whitespace().take(4).any(|word| {
        let inner = word.trim_end_matches(':');
        let inner = inner
            .strip_prefix('[')
            .and_then(|inner| inner.strip_suffix(']'));
        inner.is_some_and(|inner| {
            inner.len() >= 3
                && inner
                    .bytes()
                    .all(|one| one.is_ascii_uppercase() || one == b'_')
        })
    }) || line.starts_with('[')
        && line.find(']').is_some_and(|end| {
            line[..end].contains(|one: char| one.is_ascii_digit()) && !line[end..].starts_with("](")
        })
}

/// Reports whether a line names a position in a file as programs do: `core/net.cpp:210:5`, `at run (app.js:3:1)`,
/// `File "app.py", line 3`.
fn is_position(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    let is_place = |word: &str| {
        let mut parts = word.trim_matches(['(', ')', '"', ',']).splitn(2, ':');
        let path = parts.next().unwrap_or_default();
        let rest = parts.next().unwrap_or_default();
        path.contains('.')
            && !path.contains("//")
            && rest.starts_with(|one: char| one.is_ascii_digit())
            && rest.bytes().all(|one| one.is_ascii_digit() || one == b':')
    };
    let last = line.split_whitespace().next_back().unwrap_or_default();
    let is_frame = last.ends_with(')')
        && last.contains(':')
        && is_place(last.rsplit('(').next().unwrap_or(last));
    let is_exception = |word: &str| {
        word.strip_suffix(':').is_some_and(|name| {
            let mut parts = name.rsplit('.');
            let last = parts.next().unwrap_or_default();
            parts.next().is_some()
                && !name.contains('/')
                && last.starts_with(|one: char| one.is_ascii_uppercase())
                && last.ends_with(|one: char| one.is_ascii_lowercase())
        })
    };
    is_place(first.trim_end_matches(':'))
        || is_frame
        || line.split_whitespace().take(6).any(is_exception)
        || line.starts_with("File \"")
        || first.ends_with(']') && first.contains("error[")
}

/// Reports whether a line is JSON, YAML-like data or only braces.
fn is_data(line: &str) -> bool {
    line.starts_with('"') && line.contains("\":")
        || line.starts_with(['{', '}', '[', ']']) && line.ends_with(['{', '}', '[', ']', ',', ';'])
        || line.ends_with(['{', ';']) && line.contains(['(', '=', '{'])
}

/// Minimum share of letters in a line of speech, in percent.
const SPEECH: usize = 66;

/// Reports whether a line has too few letters for speech. Code in backticks, links and paths are neither.
fn is_dense(line: &str) -> bool {
    let (mut letters, mut all) = (0, 0);
    for (index, piece) in line.split('`').enumerate() {
        if index % 2 == 1 {
            continue;
        }
        for word in piece.split_whitespace() {
            if word.contains("://") || word.matches(['/', '\\', '_']).count() >= 2 {
                continue;
            }
            letters += word
                .chars()
                .filter(|one| one.is_alphabetic() || !one.is_ascii())
                .count();
            // Figures are as usual in speech as in output.
            all += word.chars().filter(|one| !one.is_ascii_digit()).count();
        }
    }
    all >= 12 && letters * 100 < all * SPEECH
}

/// Reports whether a line is a field: `Subject: …`, `**Owner:** …`, one to three words with a capital, then a colon.
fn is_labelled(line: &str) -> bool {
    if list_mark(line).is_some() {
        return false;
    }
    let line = line.trim_start_matches('*');
    let Some((label, rest)) = line.split_once([':', '：']) else {
        return false;
    };
    let is_open = !label.starts_with(|one: char| one.is_lowercase() || one.is_ascii_digit());
    is_open
        && !rest.trim().is_empty()
        && !rest.starts_with("//")
        && (1..=3).contains(&label.split_whitespace().count())
        && label.chars().count() <= 24
        && !label.contains('`')
}

/// Reports whether a line is `key: value` or `name: text`, with one word before the colon.
fn is_field(line: &str) -> bool {
    let line = line.trim_start().trim_start_matches("- ");
    let Some((label, rest)) = line.split_once(':') else {
        return false;
    };
    let is_word = !label.is_empty()
        && label.chars().count() <= 24
        && label
            .chars()
            .all(|one| one.is_alphanumeric() || "_-.@\"'".contains(one));
    is_word && (rest.is_empty() || rest.starts_with(' '))
}

fn has_address_or_date(line: &str) -> bool {
    line.split_whitespace().any(|word| {
        let word = word.trim_matches(['<', '>', ',', ':', ';', '(', ')']);
        word.find('@')
            .is_some_and(|at| at > 0 && word[at..].contains('.'))
            || is_stamp(word.trim_matches(','))
    })
}

/// Quotation marks, opening and closing.
const QUOTES: [(char, char); 8] = [
    ('"', '"'),
    ('“', '”'),
    ('„', '“'),
    ('«', '»'),
    ('「', '」'),
    ('『', '』'),
    ('»', '«'),
    ('‘', '’'),
];

/// Reports whether a sentence is a quotation and hardly anything else. A quotation inside a sentence stays: its reader
/// sees the marks.
fn is_quotation(sentence: &str) -> bool {
    let (mut inside, mut all) = (0, 0);
    let mut close: Option<char> = None;
    for one in sentence.chars() {
        match close {
            Some(end) if one == end => close = None,
            Some(_) => inside += usize::from(one.is_alphanumeric()),
            None => {
                close = QUOTES
                    .iter()
                    .find(|(open, _)| *open == one)
                    .map(|(_, close)| *close)
            }
        }
        all += usize::from(one.is_alphanumeric());
    }
    inside >= 12 && inside * 10 >= all * 8 || inside >= 6 && inside == all
}

/// Reports whether a sentence has invisible characters, or a word in two alphabets that look alike.
fn is_disguised(sentence: &str) -> bool {
    let is_latin = |one: char| one.is_alphabetic() && (one as u32) < 0x250;
    let is_other = |one: char| matches!(one, '\u{370}'..='\u{52f}');
    let mut words = sentence.split(|one: char| !one.is_alphanumeric());
    sentence.chars().any(|one| {
        is_hidden(one)
            && !matches!(
                one,
                '\u{200c}' | '\u{200d}' | '\u{200e}' | '\u{200f}' | '\r'
            )
    }) || words.any(|word| word.chars().any(is_latin) && word.chars().any(is_other))
}

#[cfg(test)]
mod tests;
