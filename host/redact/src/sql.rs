//! Secrets in INSERT statements: a column or the table names them, and the value is separate from its name.

use std::ops::Range;

use crate::judge::{is_placeholder, is_variable};
use crate::names::{is_public, names_password, names_secret_property};
use crate::password::is_likely_password;
use crate::value::Likeness;
use crate::view::RangeSink;
use crate::vocabulary::is_foreign_name;
use crate::work;

/// Maximum length of a statement; the rest is ignored.
const LONGEST: usize = 4096;

/// Checks the values of one `INSERT INTO table (columns) VALUES (…), (…)`.
pub(crate) fn inserted(text: &str, keyword: Range<usize>, found: RangeSink<'_>) {
    let to = text.floor_char_boundary((keyword.end + LONGEST).min(text.len()));
    let statement = &text[keyword.end..to];
    work::did(statement.len());
    let lower = statement.to_ascii_lowercase();
    let Some(values) = lower.find("values") else {
        return;
    };
    // After a semicolon, the values belong to the next statement.
    let head = &statement[..values];
    if head.len() > 1024 || head.contains(';') {
        return;
    }
    let (table, columns) = head.split_once('(').unwrap_or((head, ""));
    let signs = |it: char| !it.is_alphanumeric() && it != '_' && it != '-';
    let columns: Vec<&str> = columns
        .split(',')
        .map(|it| it.trim_matches(signs))
        .collect();
    let of_tokens = names_secret(table.trim_matches(signs));
    let from = keyword.end + values + "values".len();
    let mut last = "";
    rows(text, from..to, |column, value| {
        let sibling = last;
        last = &text[value.clone()];
        let name = columns.get(column).copied().unwrap_or_default();
        let content = &text[value.clone()];
        if is_variable(content) || is_placeholder(content) {
            return;
        }
        let is_random = content.len() >= 20 && Likeness::Random(2.8).holds(content);
        // A row of names and values names its own values.
        let is_named = names_secret(name) || (!sibling.contains(' ') && names_secret(sibling));
        let is_secret = match is_named {
            true => is_random,
            false
                if (names_password(name) || is_foreign_name(name))
                    && !names_secret_property(name) =>
            {
                is_random || is_likely_password(content)
            }
            false => of_tokens && is_random && name.is_empty(),
        };
        if is_secret {
            found(value);
        }
    });
}

fn names_secret(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let names = [
        "token",
        "secret",
        "api_key",
        "apikey",
        "access_key",
        "private_key",
        "credential",
    ];
    names.iter().any(|it| lower.contains(it)) && !is_public(name) && !names_secret_property(name)
}

/// Calls `each` with the column and the text of every quoted value, up to the end of the statement.
fn rows(text: &str, span: Range<usize>, mut each: impl FnMut(usize, Range<usize>)) {
    let bytes = text.as_bytes();
    let mut at = span.start;
    let (mut depth, mut column) = (0_usize, 0);
    while at < span.end {
        match bytes[at] {
            b'(' => {
                depth += 1;
                if depth == 1 {
                    column = 0;
                }
            }
            b')' => depth = depth.saturating_sub(1),
            b',' if depth == 1 => column += 1,
            b';' if depth == 0 => return,
            b'\'' => {
                let length = bytes[at + 1..span.end]
                    .iter()
                    .take_while(|it| **it != b'\'')
                    .count();
                if at + 1 + length >= span.end {
                    return;
                }
                let end = at + 1 + length;
                // An escaped quote has its backslashes before it.
                let escapes = bytes[at + 1..end]
                    .iter()
                    .rev()
                    .take_while(|it| **it == b'\\')
                    .count();
                each(column, at + 1..end - escapes);
                at = end;
            }
            _ => {}
        }
        at += 1;
    }
}
