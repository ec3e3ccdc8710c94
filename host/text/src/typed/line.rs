//! Forms of single lines: what programs print, tables, chats, fields of forms, marks of documents.

use crate::sentences::list_mark;

pub(super) fn is_heading(line: &str) -> bool {
    let marks = line.bytes().take_while(|byte| *byte == b'#').count();
    (1..=4).contains(&marks) && line[marks..].starts_with(' ')
}

pub(super) fn is_rule(line: &str) -> bool {
    line.chars().count() >= 3
        && line
            .chars()
            .all(|one| matches!(one, '-' | '*' | '=' | '_' | '—' | '─' | '━' | '~'))
}

/// Reports whether a line is drawn: boxes, trees, spinners, block elements.
pub(super) fn is_boxed(line: &str) -> bool {
    let is_drawn = |one: char| matches!(one, '\u{2500}'..='\u{259f}' | '⎿' | '⏺' | '❯' | '➜' | '\u{2800}'..='\u{28ff}');
    line.starts_with(is_drawn) || line.ends_with(is_drawn)
}

/// Reports whether a line is like `[10:32] anna: …`, `anna (10:32): …`, `<anna> …`, `anna 10:32 AM`.
pub(super) fn is_chat(line: &str) -> bool {
    let head = line.split_once(": ").map_or(line, |(head, _)| head);
    let is_named =
        line.starts_with('<') && line.find("> ").is_some_and(|end| (2..24).contains(&end));
    is_named || head.chars().count() < 40 && has_clock(head)
}

/// Reports whether a text has a time of day: `9:05`, `[10:32`. The position in a file, `a.rs:117:21`, is none.
pub(super) fn has_clock(text: &str) -> bool {
    let mut words = text.split(|one: char| !one.is_ascii_digit() && !matches!(one, ':' | '.'));
    words.any(|word| {
        let mut parts = word.split(':');
        let hour = parts.next().unwrap_or_default();
        let minute = parts.next().unwrap_or_default();
        (1..=2).contains(&hour.len()) && hour.parse::<u8>().is_ok() && minute.len() == 2
    })
}

/// Reports whether a line has columns: several gaps of three blanks and more, or tabs between words.
pub(super) fn is_table(line: &str) -> bool {
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
pub(super) fn is_output(line: &str) -> bool {
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
pub(super) fn is_prompt(line: &str) -> bool {
    let marks = ["$ ", "% ", ">>> ", "PS C:", "C:\\", "❯ "];
    marks.iter().any(|mark| line.starts_with(mark))
        || line
            .split_once(['$', '#', '%'])
            .is_some_and(|(head, rest)| {
                head.contains('@') && !head.trim_end().contains(' ') && rest.starts_with(' ')
            })
}

/// Reports whether a word is a date or a time: `2026-01-02T10:22:01Z`, `[10:22:01]`, `01/02`.
pub(super) fn is_stamp(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    digits >= 4
        && word.contains([':', '-', '/'])
        && word
            .chars()
            .all(|one| one.is_ascii_digit() || "-/:.,TZ[]+()".contains(one))
}

/// Reports whether a line has a label in brackets and capitals within its first words, `[WARN]`, or one in capitals
/// between a colon and a figure.
pub(super) fn is_level(line: &str) -> bool {
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
/// `#0 /srv/cart.php(58): show()`, `File "app.py", line 3`.
pub(super) fn is_position(line: &str) -> bool {
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
    let is_numbered = first
        .strip_prefix('#')
        .is_some_and(|number| number.parse::<u16>().is_ok());
    let is_frame = last.ends_with(')')
        && last.contains(':')
        && is_place(last.rsplit('(').next().unwrap_or(last))
        || is_numbered && line.contains('(') && line.contains(')');
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
pub(super) fn is_data(line: &str) -> bool {
    line.starts_with('"') && line.contains("\":")
        || line.starts_with(['{', '}', '[', ']']) && line.ends_with(['{', '}', '[', ']', ',', ';'])
        || line.ends_with(['{', ';']) && line.contains(['(', '=', '{'])
}

/// Minimum share of letters in a line of speech, in percent.
const SPEECH: usize = 66;

/// Reports whether a line has too few letters for speech. Code in backticks, links and paths are neither.
pub(super) fn is_dense(line: &str) -> bool {
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
pub(super) fn is_labelled(line: &str) -> bool {
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
pub(super) fn is_field(line: &str) -> bool {
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

pub(super) fn has_address_or_date(line: &str) -> bool {
    line.split_whitespace().any(|word| {
        let word = word.trim_matches(['<', '>', ',', ':', ';', '(', ')']);
        word.find('@')
            .is_some_and(|at| at > 0 && word[at..].contains('.'))
            || is_stamp(word.trim_matches(','))
    })
}
