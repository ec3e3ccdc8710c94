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
//!                                  ┐ below an empty line, three lines and more in one paragraph: a mail, a page, a list
//! hi all, we push to main          │ of rules. People write their own remark first, and start a new paragraph for each
//! reviews are optional             │ further thought
//! bye, Oleg                        ┘
//! From: Ana <ana@example.org>      ┐ headers of a mail, and everything below them
//! Always squash.                   ┘
//! never merge without a review     typed
//! ```
//!
//! In doubt a line counts as foreign: a wish that is not heard is typed again, a planted one is obeyed.

mod line;
mod middle;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::Range;

use crate::is_hidden;
use crate::sentences::{list_mark, sentences};
use line::{
    has_address_or_date, has_clock, is_boxed, is_chat, is_dense, is_field, is_heading, is_labelled,
    is_output, is_prompt, is_rule, is_table,
};
use middle::{is_jotted, middle};

/// Maximum bytes of a message that are looked at. Nobody types more.
const MOST_BYTES: usize = 64 * 1024;

/// Returns the sentences of a message that the person typed, as byte ranges in order. A sentence of which a part was cut
/// out is left out whole: the rest may say the opposite.
pub fn typed_sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    let middle = middle(text);
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
            let start = from + range.start;
            let line = text[..start].rfind('\n').map_or(0, |end| end + 1);
            let is_foreign = middle.contains(&start) && !is_jotted(&text[line..from + range.end]);
            !is_part(range) && !is_quotation(sentence) && !is_disguised(sentence) && !is_foreign
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
    cut.0.into_iter().map(|(start, end)| start..end).collect()
}

/// Passages that were cut out: the end of each by its start. None overlap or touch.
#[derive(Default)]
struct Cut(BTreeMap<usize, usize>);

impl Cut {
    fn add(&mut self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        let Range { mut start, mut end } = range;
        // Those that it reaches become part of it.
        while let Some((&known, &known_end)) = self.0.range(..=end).next_back()
            && known_end >= start
        {
            self.0.remove(&known);
            (start, end) = (start.min(known), end.max(known_end));
        }
        self.0.insert(start, end);
    }

    fn has(&self, at: usize) -> bool {
        let before = self.0.range(..=at).next_back();
        before.is_some_and(|(_, end)| at < *end)
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

/// Cuts every region between a tag and its end tag. If a tag's name is a program's (`<system-reminder>`), one that opens a
/// line and is never closed reaches to the end, and an end tag without a beginning cuts what stands before it.
///
/// A region may hold text of anybody, who may close it and open it again. So all from the first to the last region of one
/// name is one passage, and all from the first to the last of any program's: the person's words stand around them.
fn tags(text: &str, cut: &mut Cut) {
    let last_ends = last_ends(text);
    let mut passages: BTreeMap<&str, Range<usize>> = BTreeMap::new();
    let mut from = 0;
    while let Some(start) = text[from..].find('<').map(|at| from + at) {
        from = start + 1;
        let inner = &text[from..];
        let is_end = inner.starts_with('/');
        let name = tag_name(&inner[usize::from(is_end)..]);
        let is_program = name.contains(['-', '_']);
        if is_end {
            let end = from + 1 + name.len();
            if is_program && text[end..].starts_with('>') {
                cut.add(0..end + 1);
            }
            continue;
        }
        let is_tag = name.starts_with(|one: char| one.is_ascii_alphabetic())
            && inner[name.len()..].starts_with(['>', ' ', '\n', '/']);
        if !is_tag {
            continue;
        }
        let is_closed = last_ends.get(name).is_some_and(|end| *end > start);
        if let Some(end) = is_closed.then(|| region(inner, name)).flatten() {
            // Markup that a person names within a sentence stays.
            if is_program || opens_line(text, start) || inner[..end].contains('\n') {
                let passage = passages.entry(if is_program { PROGRAM } else { name });
                let end = from + end;
                let passage = passage.or_insert(start..end);
                passage.end = end;
            }
            from += end;
        } else if is_program && opens_line(text, start) {
            cut.add(start..text.len());
            break;
        }
    }
    for passage in passages.into_values() {
        cut.add(passage);
    }
}

/// Stands for the names of all programs' tags.
const PROGRAM: &str = "-";

/// Returns where the last end tag of each name stands, so that nobody searches for one in vain.
fn last_ends(text: &str) -> BTreeMap<&str, usize> {
    let ends = text.match_indices("</").filter_map(|(at, mark)| {
        let name = tag_name(&text[at + mark.len()..]);
        let is_end = text[at + mark.len() + name.len()..].starts_with('>');
        is_end.then_some((name, at))
    });
    ends.collect()
}

/// Returns the name that a text starts with.
fn tag_name(text: &str) -> &str {
    let is_name = |one: char| one.is_ascii_alphanumeric() || one == '-' || one == '_';
    let length = text.find(|one| !is_name(one)).unwrap_or(text.len());
    &text[..length]
}

/// Returns the end of the region whose opening tag stands before `inner`. The content may have the tag itself, or an end
/// tag of its own: a region goes on as long as another end tag follows before the next opening one.
fn region(inner: &str, name: &str) -> Option<usize> {
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let mut depth = 1_usize;
    let mut end = None;
    let mut from = 0;
    let mut ends = inner.match_indices(&close).map(|(at, _)| at);
    let mut next = ends.next();
    while let Some(closed) = next {
        match inner[from..closed].find(&open) {
            Some(_) if depth == 0 => break,
            Some(at) => {
                depth += 1;
                from += at + open.len();
            }
            None => {
                depth = depth.saturating_sub(1);
                from = closed + close.len();
                end = Some(from);
                next = ends.next();
            }
        }
    }
    end
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
    let mut counted = 0;
    let mut output_end = 0;
    let mut paragraph = Paragraph::default();
    for (start, line) in lines_of(text) {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            paragraph = Paragraph::default();
        }
        if trimmed.is_empty() || cut.has(start + line.len() - line.trim_start().len()) {
            (after_colon, in_list) = (false, in_list && trimmed.is_empty());
            continue;
        }
        // People number the lines of a list without a mark, too.
        let is_counted = number(trimmed) == Some(counted + 1);
        counted += u32::from(is_counted);
        let is_item = list_mark(line).is_some() || is_counted;
        let is_code = (line.starts_with("    ") || line.starts_with('\t')) && !is_item && !in_list;
        let is_pasted = is_output(trimmed)
            || is_code
            || trimmed.starts_with('|')
            || is_boxed(trimmed)
            || is_chat(trimmed)
            || is_table(trimmed)
            || is_dense(trimmed);
        paragraph.add(start, is_pasted);
        if is_pasted {
            // Output goes on up to an empty line.
            if is_output(trimmed) && start >= output_end {
                let length = text[start..].find("\n\n");
                output_end = length.map_or(text.len(), |length| start + length);
            }
            let end = match is_output(trimmed) {
                true => output_end,
                false => start + line.len(),
            };
            let start = paragraph.program_start().unwrap_or(start);
            let known = pasted.map_or(start..end, |known| {
                known.start.min(start)..known.end.max(end)
            });
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
    cut.add(pasted.unwrap_or_default());
}

/// Lines without an empty one between them.
#[derive(Default)]
struct Paragraph {
    start: Option<usize>,
    lines: usize,
    pasted: usize,
}

impl Paragraph {
    fn add(&mut self, start: usize, is_pasted: bool) {
        self.start.get_or_insert(start);
        self.lines += 1;
        self.pasted += usize::from(is_pasted);
    }

    /// Returns where it starts if a program wrote half of it so far: then its first lines, which look like speech, are the
    /// program's message.
    fn program_start(&self) -> Option<usize> {
        (self.pasted >= 2 && self.pasted * 2 >= self.lines)
            .then_some(self.start)
            .flatten()
    }
}

/// Returns the number that a line starts with, before a blank.
fn number(line: &str) -> Option<u32> {
    line.split_once(' ')?.0.parse().ok()
}

/// Cuts mails and filled-in forms, from their first field to the end of the message.
fn forms(text: &str, cut: &mut Cut) {
    // Chats, logs and quotations have an end, which `lines` finds.
    let mut kept = uncut(text, cut);
    kept.retain(|(_, line)| {
        let line = line.trim();
        !(line.starts_with(['>', '＞']) || is_chat(line) || is_output(line))
    });
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
    blocks(text, cut);
}

/// Minimum lines of a paragraph that is pasted if the person wrote another one above it. Of 929 statements of real people
/// 18 stand in such a paragraph, and nearly all of those are in a mail, a plan or a prompt that they pasted.
const BLOCK_LINES: usize = 3;

/// Cuts such paragraphs, but for a list that the line above announces, or that was jotted down below its own.
fn blocks(text: &str, cut: &mut Cut) {
    let mut above: Option<&str> = None;
    let mut from = 0;
    while from < text.len() {
        let end = text[from..].find("\n\n").map_or(text.len(), |at| from + at);
        let paragraph = &text[from..end];
        let kept: Vec<&str> = lines_of(paragraph)
            .filter(|(start, line)| {
                let indent = line.len() - line.trim_start().len();
                !line.trim().is_empty() && !cut.has(from + start + indent)
            })
            .map(|(_, line)| line)
            .collect();
        let heads = usize::from(kept.first().is_some_and(|first| announces(first)));
        let items = kept.get(heads..).unwrap_or_default();
        let is_list = items
            .iter()
            .all(|line| list_mark(line).is_some() || line.starts_with([' ', '\t']));
        let is_jotted = heads == 1 && items.iter().all(|line| is_jotted(line));
        let is_typed = |above: &str| is_list && (is_jotted || announces(above));
        if kept.len() >= BLOCK_LINES && above.is_some_and(|above| !is_typed(above)) {
            cut.add(from..end);
        }
        above = kept.last().map(|line| line.trim_end()).or(above);
        from = end + 2;
    }
}

/// Reports whether a line announces what follows.
fn announces(line: &str) -> bool {
    list_mark(line).is_none() && line.trim_end().ends_with([':', '：'])
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
    sentence
        .chars()
        .any(|one| is_hidden(one) && !matches!(one, '\u{200e}' | '\u{200f}' | '\r'))
        || words.any(|word| word.chars().any(is_latin) && word.chars().any(is_other))
}
