//! Extracts the part of a person's message that they typed. Fences, quotes, logs, templates, announced and pasted
//! passages are cut out; the gate treats them like tool output.

use super::announced::without_announced;
use super::document::{Habits, is_unlike, without_documents};
use super::filled::{is_continuation, is_template, without_program_text};
use super::lexicon::has_phrase;
use super::lines::without_lines;
use super::lookalike::has_disguise;
use super::spread::{RUN_ON, parts, spread};
use super::stance::{Stance, before_example, sentences, stance};
use super::terms::plain;
use crate::grounds::unit::{GAP, TypedSentence};

#[derive(Debug, Default, Clone)]
pub(super) struct TypedText {
    pub(super) units: Vec<TypedSentence>,
    /// Everything that was cut out.
    pub(super) cut: String,
}

/// Maximum number of bytes of a message that are read. Nobody types more.
const MOST_BYTES: usize = 64 * 1024;

/// Extracts the typed part of a message. `others`: habits without this message. `after_command`: the message directly
/// follows a slash command.
pub(super) fn typed(text: &str, others: &Habits, after_command: bool) -> TypedText {
    let (text, rest) = text.split_at(text.floor_char_boundary(MOST_BYTES));
    let text = plain(text);
    let mut cut = rest.to_owned();
    if after_command || is_template(&text) || is_continuation(&text) {
        cut.push_str(&text);
        return TypedText {
            units: Vec::new(),
            cut,
        };
    }
    let text = without_regions(&text, &mut cut);
    let text = without_code_comments(&text, &mut cut);
    let lines = without_lines(&text, &mut cut);
    let lines = without_program_text(lines, &mut cut);
    let lines = without_announced(lines, &mut cut);
    let lines = without_documents(lines, &mut cut);
    let kept: String = lines
        .iter()
        .map(|line| line.replace(GAP, "") + "\n")
        .collect();
    if is_unlike(&kept, others) {
        cut.push_str(&kept);
        return TypedText {
            units: Vec::new(),
            cut,
        };
    }
    let mut units: Vec<TypedSentence> = Vec::new();
    for sentence in sentences(&kept) {
        let stance = match is_quotation(&sentence) || has_disguise(&sentence) {
            true => Stance::NotAsserted,
            false => stance(&sentence),
        };
        if stance == Stance::Retracts {
            for unit in &mut units {
                unit.stance = Stance::NotAsserted;
            }
        }
        let stated = before_example(&sentence);
        let own = without_quoted_orders(stated);
        if stance == Stance::NotAsserted
            && let Some(clauses) = parts(&own, RUN_ON)
        {
            units.extend(clauses);
        } else {
            units.push(TypedSentence {
                text: own,
                whole: sentence.clone(),
                example: without_quoted_orders(&sentence[stated.len()..]),
                stance,
            });
        }
    }
    spread(&mut units);
    TypedText { units, cut }
}

/// Cuts comments, tagged regions and fenced blocks.
fn without_regions(text: &str, cut: &mut String) -> String {
    let text = without_between(text, "<!--", "-->", cut);
    let text = without_tags(&text, cut);
    let mut kept = String::new();
    let mut fence: Option<String> = None;
    for line in text.lines() {
        let marks = line.trim_start();
        let is_mark = marks.starts_with("```") || marks.starts_with("~~~");
        match &fence {
            None if is_mark && marks.matches("```").count() != 2 => {
                fence = Some(marks[..3].to_owned());
                kept.push(GAP);
                kept.push('\n');
            }
            None => {
                kept.push_str(line);
                kept.push('\n');
            }
            Some(open) => {
                if marks.starts_with(open.as_str()) {
                    fence = None;
                } else {
                    cut.push_str(line);
                    cut.push('\n');
                }
            }
        }
    }
    without_between(&kept, "```", "```", cut)
}

/// Cuts code comments within a line: `// …`, `# …`, `/* …`, up to the end of the line or of the backticks.
fn without_code_comments(text: &str, cut: &mut String) -> String {
    let mut kept = String::new();
    for line in text.lines() {
        match comment(line) {
            Some((start, end)) => {
                kept.push_str(&line[..start]);
                kept.push_str(&line[end..]);
                cut.push_str(&line[start..end]);
                cut.push('\n');
            }
            None => kept.push_str(line),
        }
        kept.push('\n');
    }
    kept
}

/// Number of words from which a comment is a statement; `// eslint-disable` is a name.
const COMMENT_WORDS: usize = 4;

fn comment(line: &str) -> Option<(usize, usize)> {
    let marks = ["//", "#", "/*"].iter().flat_map(|mark| {
        let places = line.match_indices(mark);
        places.map(move |(place, _)| (place, place + mark.len()))
    });
    let comments = marks.filter_map(|(start, inner)| {
        let opens = match line[..start].chars().next_back() {
            None => line[start..].starts_with('/'),
            Some(one) => one.is_whitespace() || matches!(one, '`' | '"' | '\'' | '(' | '：'),
        };
        let is_code = line[..start].matches('`').count() % 2 == 1;
        let close = is_code.then(|| line[inner..].find('`')).flatten();
        let end = close.map_or(line.len(), |close| inner + close);
        let said = &line[inner..end];
        let unspaced = said.chars().filter(|one| acreta_text::is_unspaced(*one));
        let is_sentence = said.starts_with(' ')
            && (said.split_whitespace().count() >= COMMENT_WORDS
                || unspaced.count() >= 2 * COMMENT_WORDS);
        (opens && is_sentence).then_some((start, end))
    });
    comments.min()
}

fn without_between(text: &str, open: &str, close: &str, cut: &mut String) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(open) {
        kept.push_str(&rest[..start]);
        kept.push(GAP);
        let inner = &rest[start + open.len()..];
        let (inside, after) = match inner.find(close) {
            Some(end) => (&inner[..end], &inner[end + close.len()..]),
            None => (inner, ""),
        };
        cut.push_str(inside);
        cut.push('\n');
        rest = after;
    }
    kept.push_str(rest);
    kept
}

/// Cuts every region between a tag and its end tag, and the text after an unclosed tag of an agent program.
fn without_tags(text: &str, cut: &mut String) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let inner = &rest[start + 1..];
        let length = inner
            .find(|one: char| !one.is_ascii_alphanumeric() && one != '-' && one != '_')
            .unwrap_or(inner.len());
        let name = &inner[..length];
        let close = format!("</{name}>");
        let is_tag = name.starts_with(|one: char| one.is_ascii_alphabetic());
        let end = is_tag.then(|| inner.find(&close)).flatten();
        kept.push_str(&rest[..start]);
        match end {
            Some(end) => {
                kept.push(GAP);
                cut.push_str(inner.get(length..end).unwrap_or_default());
                cut.push('\n');
                rest = &inner[end + close.len()..];
            }
            None if is_tag && PROGRAM_TAGS.split('|').any(|tag| name.starts_with(tag)) => {
                cut.push_str(inner);
                rest = "";
            }
            None => {
                kept.push('<');
                rest = inner;
            }
        }
    }
    kept.push_str(rest);
    kept
}

const PROGRAM_TAGS: &str = "system-|command-|local-command|user-prompt|task-notification|environment_|user_instructions|INSTRUCTIONS|bash-";

/// Number of words from which a quotation counts as a sentence.
const QUOTED_WORDS: usize = 5;

/// Removes orders and sentences in quotation marks from a sentence.
fn without_quoted_orders(sentence: &str) -> String {
    let mut kept = sentence.to_owned();
    for (open, close) in [
        ("\"", "\""),
        ("“", "”"),
        ("„", "“"),
        ("«", "»"),
        ("「", "」"),
        ("'", "'"),
    ] {
        let Some(start) = kept.find(open) else {
            continue;
        };
        let inner = start + open.len();
        let Some(end) = kept[inner..].find(close).map(|end| inner + end) else {
            continue;
        };
        let is_letter = |one: Option<char>| one.is_some_and(char::is_alphanumeric);
        let is_apostrophe = is_letter(kept[..start].chars().next_back())
            || is_letter(kept[end + close.len()..].chars().next());
        if open == "'" && is_apostrophe {
            continue;
        }
        let quoted = kept[inner..end].to_lowercase();
        let is_long = quoted.split_whitespace().count() > 2
            || quoted
                .chars()
                .filter(|one| acreta_text::is_unspaced(*one))
                .count()
                > 5;
        let is_sentence = quoted.split_whitespace().count() >= QUOTED_WORDS;
        if is_sentence || is_long && has_phrase(&quoted, super::ORDERING) {
            kept.replace_range(start..end + close.len(), " ");
        }
    }
    kept
}

/// Reports whether a sentence is a quotation and hardly anything else.
fn is_quotation(sentence: &str) -> bool {
    let mut inside = 0;
    let mut all = 0;
    let mut close: Option<char> = None;
    for character in sentence.chars() {
        match close {
            Some(end) if character == end => close = None,
            Some(_) => inside += usize::from(character.is_alphanumeric()),
            None => {
                close = match character {
                    '"' => Some('"'),
                    '“' | '„' => Some('”'),
                    '«' => Some('»'),
                    '「' => Some('」'),
                    '『' => Some('』'),
                    _ => None,
                };
            }
        }
        all += usize::from(character.is_alphanumeric());
    }
    inside >= 12 && inside * 10 >= all * 6 || inside >= 6 && inside == all
}
