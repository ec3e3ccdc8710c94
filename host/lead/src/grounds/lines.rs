//! Lines of a message that programs and other people wrote: quotes, tables, code, logs, mails, chats.

use super::lexicon::LOG_LEVELS;
use crate::grounds::unit::GAP;

/// Cuts quoted, tabular, indented and log-like lines, and the output after a prompt.
pub(super) fn without_lines(text: &str, cut: &mut String) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    let mut in_output = false;
    let mut in_mail = false;
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            in_output = false;
        }
        in_mail |= is_header(trimmed);
        let is_code = (line.starts_with("    ") || line.starts_with('\t')) && !is_bullet(trimmed);
        let is_quote = trimmed.starts_with(['>', '|']);
        in_output |= is_log(trimmed);
        if !trimmed.is_empty() && (in_mail || in_output || is_code || is_quote || is_chat(trimmed))
        {
            cut.push_str(line);
            cut.push('\n');
            kept.push(GAP.to_string());
        } else {
            kept.push(line.to_owned());
        }
    }
    kept
}

pub(super) fn is_bullet(line: &str) -> bool {
    let mark = line.starts_with(['-', '*', '•', '·', '–', '✅', '❌'])
        && line[line.chars().next().map_or(0, char::len_utf8)..].starts_with(' ');
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    mark || digits > 0 && digits < 3 && line[digits..].starts_with(['.', ')'])
}

/// Reports whether a line is the first of a mail or letter.
fn is_header(line: &str) -> bool {
    const HEADERS: &str = "from|to|cc|subject|date|re|fwd|betreff|von|an|asunto|objet|assunto|oggetto|onderwerp|тема|от|发件人|收件人|主题|件名|差出人|제목|보낸 사람";
    let Some((head, rest)) = line.split_once([':', '：']) else {
        return false;
    };
    let head = head.trim().trim_matches('*').to_lowercase();
    // `re:` and `an:` are rare in prose at the start of a line; a header has text after the colon.
    HEADERS.split('|').any(|known| known == head)
        && !rest.trim().is_empty()
        && line.chars().next().is_some_and(|one| !one.is_lowercase())
}

/// Reports whether a line is like `[10:32] anna: …`, `anna (10:32): …`, `<anna> …`.
fn is_chat(line: &str) -> bool {
    let Some((head, _)) = line.split_once(": ") else {
        return line.starts_with('<') && line.find('>').is_some_and(|end| end < 24 && end > 1);
    };
    head.chars().count() < 40 && has_clock(head)
}

fn has_clock(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.windows(4).any(|four| {
        four[0].is_ascii_digit()
            && four[1] == b':'
            && four[2].is_ascii_digit()
            && four[3].is_ascii_digit()
    })
}

/// Reports whether a text has a time like `10:22:01`.
fn has_seconds(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.windows(8).any(|eight| {
        eight.iter().enumerate().all(|(index, byte)| match index {
            2 | 5 => *byte == b':',
            _ => byte.is_ascii_digit(),
        })
    })
}

/// Reports whether a program printed the line.
fn is_log(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    let lower = line.to_lowercase();
    let starts = |marks: &[&str]| marks.iter().any(|mark| line.starts_with(mark));
    let is_date = |text: &str| {
        let digits = text.chars().filter(char::is_ascii_digit).count();
        digits >= 6
            && text
                .chars()
                .all(|one| one.is_ascii_digit() || "-/:.,TZ[]+".contains(one))
            && text.contains([':', '-', '/'])
    };
    let has_level = line.split_whitespace().take(4).any(|word| {
        let level = word.trim_matches(|edge: char| !edge.is_alphanumeric());
        level.len() < word.len()
            && word.ends_with([':', ']', '|'])
            && LOG_LEVELS.split(' ').any(|known| known == level)
    });
    let is_numbered = {
        let digits = line.chars().take_while(char::is_ascii_digit).count();
        digits > 0 && line[digits..].starts_with(['→', '\t', '|'])
            || digits > 0
                && line[digits..].starts_with(':')
                && line[digits + 1..]
                    .starts_with(|one: char| one.is_ascii_digit() || one == '\t' || one == ' ')
    };
    is_date(first)
        || line.starts_with('[')
            && line
                .find(']')
                .is_some_and(|end| line[..end].chars().any(|one| one.is_ascii_digit()))
        || has_level
        || has_seconds(acreta_text::head(line, 32))
        || is_numbered
        || starts(&[
            "$ ",
            "% ",
            ">>> ",
            "PS ",
            "C:\\",
            "+++ ",
            "--- a/",
            "@@ ",
            "diff --git",
            "at ",
            "Traceback",
            "File \"",
            "Caused by",
            "panicked at",
            "thread '",
            "error[",
            "npm ERR!",
            "npm WARN",
            "npm warn",
            "npm error",
            "yarn warn",
            "remote: ",
            "fatal: ",
            "make: ",
            "make[",
            "goroutine ",
            "Exception in",
            "E   ",
            "✖ ",
            "FAILED ",
        ]) && (!line.starts_with("at ") || line.contains('(') || line.contains("::"))
        || ["warning: ", "error: ", "debug: ", "fatal: "]
            .iter()
            .any(|mark| lower.starts_with(mark))
        || is_exception(first)
        || is_place(first)
        || is_shell_prompt(line)
        || is_data(line)
}

/// Reports whether a word is like `ConnError:`, `java.lang.IllegalStateException:`.
fn is_exception(word: &str) -> bool {
    let name = word.trim_end_matches(':');
    name.len() < word.len()
        && (name.ends_with("Error") || name.ends_with("Exception") || name.ends_with("Warning"))
}

/// Reports whether a word is like `core/net.cpp:210:5:`.
fn is_place(word: &str) -> bool {
    let mut parts = word.split(':');
    parts.next().is_some_and(|path| path.contains('.'))
        && parts
            .next()
            .is_some_and(|line| !line.is_empty() && line.chars().all(|one| one.is_ascii_digit()))
}

fn is_shell_prompt(line: &str) -> bool {
    let head = line.split_once("$ ").map_or("", |(head, _)| head);
    head.contains('@') && head.contains(':') && !head.contains(' ')
}

/// Reports whether a line is JSON or only braces.
fn is_data(line: &str) -> bool {
    line.starts_with('"') && line.contains("\":")
        || line.starts_with(['{', '}', '[', ']']) && line.ends_with(['{', '}', '[', ']', ','])
}
