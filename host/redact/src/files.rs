//! Files that consist of a secret. A command that prints one prints the secret without a name, so the command decides:
//! in its output, a line that is one random word is the secret.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::judge::{is_named_thing, is_placeholder, is_variable};
use crate::letters::is_uuid;
use crate::password::is_likely_password;
use crate::value::Likeness;
use crate::view::RangeSink;
use crate::work;

/// The id of this rule.
pub(crate) const RULE: &str = "secret-file";

/// Number of bytes after a command that are searched for its output.
const AHEAD: usize = 4096;

/// Maximum number of lines of output.
const LINES: usize = 24;

/// A command or a call that prints the files named after it, and a file that holds a secret.
static READS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r#"(?:(?-u:\b)(?:cat|bat|batcat|less|more|head|tail|tac|nl|strings|type|gc|Get-Content)\s|<\s?"#,
        r#"|\\{0,7}"(?:file_path|filePath|absolute_path|path|file|filename)\\{0,7}"\s{0,2}:\s{0,2}\\{0,7}")"#,
        r#"(?:[^\n|;&]*[\s/\\"'=:@~(])?(?:"#,
        r#"[A-Za-z0-9_.-]*vault[_-]?pass(?:word)?[A-Za-z0-9_.-]*|\.vault-token"#,
        r#"|(?:master|production|staging|development|test|credentials)\.key"#,
        r#"|[A-Za-z0-9_.-]*(?:pass|passwd|password|passphrase|token|apikey|api[_-]key|secret)s?(?:[_-]?file)?\.(?:txt|key|secret|token)"#,
        r#"|\.[A-Za-z0-9_.-]*(?:pass|passwd|password|passphrase|token|apikey|api[_-]key|secret)(?:[_-]?file)?"#,
        r#"|[A-Za-z0-9_.-]+\.(?:secret|token|pass|password|passwd|passphrase)"#,
        r#"|(?:run|var/run|etc)/secrets/[A-Za-z0-9_./-]+"#,
        r#"|\.pgpass|\.htpasswd|\.netrc|\.git-credentials|id_(?:rsa|dsa|ecdsa|ed25519)"#,
        r#")(?:$|[\s"'`\\);|&,}>])"#,
    ))
    .expect("the tests compile it")
});

/// Reports whether a command prints a file that holds a secret.
pub(crate) fn reads_secret(command: &str) -> bool {
    READS.is_match(command)
}

/// Finds the secrets in the output of such a command: every line that is one random word. Line breaks may be escaped.
pub(crate) fn contents(text: &str, mut found: impl FnMut(Range<usize>)) {
    let mut start = 0;
    let ends = BREAK.find_iter(text).map(|it| (it.start(), it.end()));
    for (end, next) in ends.chain([(text.len(), text.len())]).take(LINES) {
        let line = &text[start..end];
        // The label that an agent puts before the output.
        let word = line.strip_prefix("Output: ").unwrap_or(line).trim();
        if is_content(word) || is_uuid(word) {
            let from = start + line.trim_end().len() - word.len();
            found(from..from + word.len());
        }
        start = next;
    }
}

/// A line break, plain or in JSON.
static BREAK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"[\r\n]+|(?:\\+[rn])+").expect("the tests compile it"));

/// Reports whether a line of such a file is a secret.
pub(crate) fn is_content(line: &str) -> bool {
    // Separate rules cover `NAME=value` and `name: value`.
    let is_hex = line.len() >= 16 && line.bytes().all(|it| it.is_ascii_hexdigit());
    let is_random = line.len() >= 16 && Likeness::Random(2.8).holds(line);
    line.len() >= 8
        && line.bytes().all(|byte| byte.is_ascii_graphic())
        && !is_variable(line)
        && !is_placeholder(line)
        && !line.starts_with(['/', '.', '~', '[', '{', '<', '('])
        && (is_hex
            || (is_random && !is_named_thing(line.trim_end_matches('=')))
            || is_likely_password(line))
}

/// Finds the output of the command around `keyword` in the same text: the lines after it in a terminal, the next output
/// in a file of JSON lines.
pub(crate) fn printed(text: &str, keyword: Range<usize>, found: RangeSink<'_>) {
    // Names of fields and variables are not files: `input_tokens`, `"access_token":`.
    let after = &text.as_bytes()[keyword.end..];
    let goes_on = after
        .first()
        .is_some_and(|it| it.is_ascii_alphanumeric() || b"_(=:".contains(it));
    let is_field = after.starts_with(b"\":") || after.starts_with(b"\\\":");
    if is_field || goes_on && !text[..keyword.end].ends_with(['/', 's', 'S', 'w', 'W']) {
        return;
    }
    let from = text.floor_char_boundary(keyword.start.saturating_sub(320));
    let line = text[from..keyword.start]
        .rfind('\n')
        .map_or(from, |at| from + at + 1);
    let end = text.floor_char_boundary((keyword.end + 64).min(text.len()));
    work::did(end - line);
    if READS.is_match(&text[line..end]) {
        output(text, line, &keyword, found);
    }
}

/// Finds the secrets in the output of the command that contains `keyword`; `line` is the start of its line.
pub(crate) fn output(text: &str, line: usize, keyword: &Range<usize>, found: RangeSink<'_>) {
    let to = text.floor_char_boundary((keyword.end + AHEAD).min(text.len()));
    let rest = &text[keyword.end..to];
    work::did(rest.len());
    let mut look = |from: usize, length: usize| {
        work::did(length);
        contents(&rest[from..from + length], |span| {
            let from = keyword.end + from;
            found(from + span.start..from + span.end);
        });
    };
    // In a terminal the lines that follow; in JSON those of the string that contains the command.
    let is_json = text[line..keyword.start].contains("\":");
    let command = match is_json {
        true => rest.find('"').unwrap_or(rest.len()),
        false => rest.len(),
    };
    if let Some(next) = BREAK.find(&rest[..command]) {
        look(next.end(), command - next.end());
    }
    for output in OUTPUT.captures_iter(rest) {
        let (Some(open), Some(depth)) = (output.get(0), output.get(1)) else {
            continue;
        };
        look(open.end(), quoted(&rest[open.end()..], depth.len()));
    }
}

/// Returns the end of a string whose quotes have `depth` backslashes.
fn quoted(text: &str, depth: usize) -> usize {
    let mut escapes = 0;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'\\' => escapes += 1,
            b'"' if escapes <= depth => return at - escapes,
            _ => escapes = 0,
        }
    }
    text.len()
}

/// The output of a tool in a session file.
static OUTPUT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"\\*"(?:content|stdout|text|output|result|textResultForLlm|sessionLog|detailedContent|aggregated_output|formatted_output|functionResponse|returnDisplay|resultDisplay|llmContent|data)\\*"\s{0,2}:\s{0,2}(\\*)""#)
        .expect("the tests compile it")
});
