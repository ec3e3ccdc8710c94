//! Labelled options in the agent's text, by structure: `A) …`, `**Option B:** …`, `2. …`. All texts are verbatim.

use crate::text::plain;

/// A labelled line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LabelledItem<'a> {
    pub(crate) label: Label,
    /// Whole line without list marks, from the label on.
    pub(crate) line: &'a str,
    /// The text behind the label.
    pub(crate) text: &'a str,
}

/// A label with its place in its row, from 0 on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Label {
    Letter(usize),
    Number(usize),
}

impl Label {
    pub(crate) fn of(mark: char) -> Option<Self> {
        match mark {
            '1'..='9' => Some(Self::Number(mark as usize - '1' as usize)),
            'A'..='H' => Some(Self::Letter(mark as usize - 'A' as usize)),
            'a'..='h' => Some(Self::Letter(mark as usize - 'a' as usize)),
            _ => None,
        }
    }

    fn place(self) -> usize {
        match self {
            Self::Letter(place) | Self::Number(place) => place,
        }
    }

    fn is_letter(self) -> bool {
        matches!(self, Self::Letter(_))
    }
}

/// Returns the labelled lines of a text, and the labelled parts of its lines: `A) this or B) that`.
pub(crate) fn items(text: &str) -> Vec<LabelledItem<'_>> {
    text.lines().flat_map(parts).filter_map(item).collect()
}

/// Returns the last row of options with letters, or with numbers: labels that follow each other from the first on.
pub(crate) fn row<'a>(items: &[LabelledItem<'a>], letters: bool) -> Vec<LabelledItem<'a>> {
    let mut row: Vec<LabelledItem<'a>> = Vec::new();
    for item in items
        .iter()
        .filter(|item| item.label.is_letter() == letters)
    {
        if item.label.place() == 0 {
            row.clear();
        }
        if item.label.place() == row.len() {
            row.push(*item);
        }
    }
    if row.len() < 2 { Vec::new() } else { row }
}

/// Returns the name of an option: its bold part, or the text before a dash, a colon, a cell or the end of a sentence.
pub(crate) fn name(option: &str) -> String {
    let marks = ["**", " | ", " - ", " — ", " – ", ": ", ". ", "：", "。"];
    let is_outside = |at: &usize| *at > 1 && option[..*at].matches('`').count().is_multiple_of(2);
    let cut = marks
        .iter()
        .filter_map(|mark| {
            let mut found = option.match_indices(mark).map(|(at, _)| at);
            found.find(is_outside)
        })
        .min();
    let name = plain(&option[..cut.unwrap_or(option.len())]);
    let name = crate::ask::bare(&name);
    name.trim_end_matches(['?', '？', '.', ',', ';', ':', '|', ' '])
        .to_owned()
}

/// Reads a labelled line.
fn item(line: &str) -> Option<LabelledItem<'_>> {
    let is_mark = |one: char| one.is_whitespace() || "#*->|_(•".contains(one);
    let line = line
        .trim_end_matches(|one: char| one.is_whitespace() || one == '|')
        .trim_start_matches(is_mark);
    // `Option A:`, `Approach 2 –`: a word before the label.
    let word = line.find(' ').filter(|at| {
        line[..*at].chars().all(char::is_alphabetic) && line.starts_with(char::is_uppercase)
    });
    let named = word.map(|at| &line[at + 1..]).filter(|rest| {
        rest.chars()
            .nth(1)
            .is_some_and(|next| !next.is_alphanumeric())
    });
    let rest = named.unwrap_or(line);
    let mut letters = rest.chars();
    let mark = letters.next()?;
    let label = Label::of(mark)?;
    let after = letters.as_str();
    let is_label = match named {
        Some(_) => {
            let next = after.trim_start();
            after.starts_with([':', ')', '.', '*']) || next.starts_with(['-', '–', '—', '(', ':'])
        }
        None if mark.is_lowercase() => after.starts_with([')', '）']),
        None => after.starts_with([')', '.', ':', '*', '）', '、', '：']),
    };
    let text =
        after.trim_start_matches(|one: char| one.is_whitespace() || ":).*-—–）、：".contains(one));
    (is_label && text.chars().count() > 1).then_some(LabelledItem { label, line, text })
}

/// Splits a line at letters in a row: `A) this, B) that`.
fn parts(line: &str) -> Vec<&str> {
    let mut starts: Vec<usize> = Vec::new();
    for (at, letter) in line.char_indices() {
        let opens = Label::of(letter) == Some(Label::Letter(starts.len()))
            && line[at + 1..].starts_with([')', '）'])
            && !line[..at].ends_with(char::is_alphanumeric);
        if opens {
            starts.push(at);
        }
    }
    if starts.len() < 2 {
        return vec![line];
    }
    let ends = starts[1..].iter().copied().chain([line.len()]);
    let parts = starts.iter().zip(ends).map(|(start, end)| {
        let part = line[*start..end].trim_end_matches([' ', ',', '(', '，', '（', '?', '？']);
        part.strip_suffix(" or")
            .unwrap_or(part)
            .trim_end_matches([',', ' '])
    });
    parts.collect()
}
