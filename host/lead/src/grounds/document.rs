//! Long text in the form of a document: letters, tickets, pages with headings and labels.

use super::lines::is_bullet;
use super::stance::{is_asking, sentences};
use super::terms::language;
use crate::grounds::unit::GAP;

/// Typing habits of the person elsewhere in the session.
#[derive(Debug, Default, Clone)]
pub(super) struct Habits {
    lengths: Vec<usize>,
    languages: Vec<&'static str>,
    lower_case: usize,
}

impl Habits {
    /// Adds one message.
    pub(super) fn add(&mut self, text: &str) {
        let length = text.chars().count();
        self.lengths.push(length);
        if length <= LONG {
            self.languages.extend(language(text));
        }
        let first = text.chars().find(|one| one.is_alphabetic());
        self.lower_case += usize::from(first.is_some_and(char::is_lowercase));
    }

    fn median(&self) -> Option<usize> {
        let mut lengths = self.lengths.clone();
        lengths.sort_unstable();
        lengths.get(lengths.len() / 2).copied()
    }
}

/// Minimum characters of a passage that can be a paste by its form alone.
const LONG: usize = 300;

/// Minimum characters of a letter or a form.
const FORM: usize = 60;

/// Cuts a letter, a filled-in form, and everything on the other side of a ruled line. A short line with a question or
/// a request before or after it stays.
pub(super) fn without_documents(lines: Vec<String>, cut: &mut String) -> Vec<String> {
    let filled: Vec<usize> = (0..lines.len())
        .filter(|index| !lines[*index].trim().is_empty() && !lines[*index].contains(GAP))
        .collect();
    let length: usize = filled
        .iter()
        .map(|index| lines[*index].chars().count())
        .sum();
    let trimmed: Vec<&str> = filled.iter().map(|index| lines[*index].trim()).collect();
    let labels = trimmed.iter().filter(|line| is_labelled(line)).count();
    let is_ruled = trimmed.len() > 1 && trimmed.iter().any(|line| is_rule(line));
    let is_form = labels >= 3 && trimmed.len() > labels + 1 || is_letter(&trimmed);
    let is_apart = filled.windows(2).any(|two| two[1] - two[0] > 1)
        && (filled[0]..filled[filled.len() - 1]).all(|index| !lines[index].contains(GAP));
    // Lines that somebody typed off or copied, and a question about them.
    let has_speaker = trimmed.iter().any(|line| is_speaker(line));
    let asks_about = (trimmed.len() >= 3 || is_apart || has_speaker)
        && trimmed.iter().filter(|line| is_bullet(line)).count() < 2
        && [trimmed.first(), trimmed.last()]
            .into_iter()
            .flatten()
            .any(|line| is_asking(line));
    if !(is_ruled
        || changes_hand(&trimmed)
        || has_title(&trimmed)
        || is_form && length >= FORM
        || asks_about)
    {
        return lines;
    }
    let edges = [filled.first().copied(), filled.last().copied()];
    let mut kept = Vec::new();
    for (index, line) in lines.into_iter().enumerate() {
        let is_edge = edges.contains(&Some(index));
        if is_edge && is_asking(&line) || line.contains(GAP) {
            kept.push(line);
        } else {
            cut.push_str(&line);
            cut.push('\n');
        }
    }
    kept
}

/// Reports whether a text opens with a few words without punctuation at the end, followed by a new sentence.
fn has_title(lines: &[&str]) -> bool {
    let [title, next, ..] = lines else {
        return false;
    };
    let is_upper = |line: &str| line.chars().next().is_some_and(char::is_uppercase);
    is_upper(title)
        && is_upper(next)
        && title.split_whitespace().count() <= 6
        && title.ends_with(char::is_alphanumeric)
        && next.ends_with(['.', '!'])
}

/// Reports whether there are proper sentences above or below one short lower-case line without punctuation at the end.
fn changes_hand(lines: &[&str]) -> bool {
    let is_remark = |line: &str| {
        line.split_whitespace().count() <= 8
            && line.chars().next().is_some_and(char::is_lowercase)
            && line.ends_with(char::is_alphanumeric)
    };
    let is_proper = |lines: &[&str]| {
        let length: usize = lines.iter().map(|line| line.chars().count()).sum();
        length >= FORM
            && lines.iter().all(|line| {
                line.chars().next().is_some_and(char::is_uppercase)
                    && (line.contains(". ") || line.ends_with('.'))
            })
    };
    match lines {
        [first, rest @ ..] if is_remark(first) && is_proper(rest) => true,
        [rest @ .., last] => is_remark(last) && is_proper(rest),
        [] => false,
    }
}

/// Reports whether a line is a rule: `---`, `=====`, `***`.
fn is_rule(line: &str) -> bool {
    line.len() >= 3
        && line
            .chars()
            .all(|one| matches!(one, '-' | '=' | '*' | '_' | '–' | '—' | '─'))
}

/// Reports whether a line is like `Status: open`: a label of a few words that begins with a capital, and a value.
fn is_labelled(line: &str) -> bool {
    let Some((label, value)) = line.split_once([':', '：']) else {
        return false;
    };
    let is_capital = label
        .chars()
        .next()
        .is_some_and(|one| one.is_alphabetic() && !one.is_lowercase());
    is_capital
        && label.split_whitespace().count() <= 4
        && label.chars().count() <= 30
        && !value.trim().is_empty()
}

/// Reports whether a line is like `marek: …`: one word as a label, and a sentence.
fn is_speaker(line: &str) -> bool {
    line.split_once(": ").is_some_and(|(label, said)| {
        let name = label.trim_start_matches('@');
        name.chars().count() >= 2
            && name.chars().all(char::is_alphabetic)
            && said.split_whitespace().count() >= 3
    })
}

/// Reports whether a text opens with a salutation, or ends with a signature, on a line of its own.
fn is_letter(lines: &[&str]) -> bool {
    let is_short = |line: &str| line.chars().count() <= 40;
    let opens = lines.len() >= 3
        && lines.first().is_some_and(|line| {
            is_short(line)
                && line.ends_with([',', '，', '：', ':', '!'])
                && line.chars().next().is_some_and(|one| !one.is_lowercase())
                && !is_bullet(lines[1])
        });
    let signs = lines.windows(2).skip(1).any(|two| {
        is_short(two[0])
            && two[0].ends_with([',', '，'])
            && two[0].split_whitespace().count() <= 4
            && is_short(two[1])
            && two[1].chars().next().is_some_and(|one| !one.is_lowercase())
            && !two[1].ends_with(['.', '!', '?', '。', '？', ','])
    });
    opens || signs
}

/// Reports whether a long text has the form of a document and not that of the person's typing.
pub(super) fn is_unlike(text: &str, others: &Habits) -> bool {
    let length = text.trim().chars().count();
    let unspaced = text
        .chars()
        .filter(|one| acreta_text::is_unspaced(*one))
        .count();
    let long = if unspaced * 2 > length {
        LONG / 2
    } else {
        LONG
    };
    if length < long {
        return false;
    }
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let is_heading = |line: &&&str| {
        line.starts_with('#')
            || line.starts_with("**")
            || line.chars().count() < 60 && line.ends_with([':', '：'])
            || line.chars().count() < 40
                && !line.ends_with(['.', '!', '?', '。', ',', '，', ';'])
                && line.chars().next().is_some_and(char::is_uppercase)
                && lines.len() > 4
    };
    let headings = lines.iter().filter(is_heading).count();
    let bullets = lines.iter().filter(|line| is_bullet(line)).count();
    let typography = text.contains(['—', '“', '”', '•', '·', '…', '™', '✅', '→', '\u{2022}']);
    let proper = sentences(text).iter().all(|sentence| {
        let start = sentence.trim_start_matches(|edge: char| !edge.is_alphanumeric());
        start.chars().next().is_some_and(|one| !one.is_lowercase())
    });
    let others_lower = !others.lengths.is_empty() && others.lower_case * 2 > others.lengths.len();
    let other_language = language(text)
        .is_some_and(|own| !others.languages.is_empty() && !others.languages.contains(&own));
    let longer = others
        .median()
        .is_some_and(|median| length > 6 * median.max(20));
    let signs = [
        headings >= 2,
        bullets >= 3,
        typography,
        proper && others_lower,
        longer,
    ];
    let count = signs.iter().filter(|sign| **sign).count() + 2 * usize::from(other_language);
    count >= 3 || longer && count >= 2
}
