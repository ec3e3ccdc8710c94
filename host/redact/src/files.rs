//! Files that hold nothing but a secret. A command that prints one prints the secret without any name
//! beside it, so the command decides: after it, a line that is one random word is the secret.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::judge::{is_likely_password, is_named_thing, is_placeholder, is_variable};
use crate::value::Likeness;

/// The id of the rule that finds these.
pub(crate) const RULE: &str = "secret-file";

/// How much of a text after a command is looked at for what it printed.
const AHEAD: usize = 4096;

/// How many lines of output are looked at.
const LINES: usize = 24;

/// A command or a call that prints the files named after it, and one of those that hold a secret.
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

/// Tells whether a command prints a file that holds a secret.
pub(crate) fn reads_secret(command: &str) -> bool {
    READS.is_match(command)
}

/// The secrets in what such a command printed: every line that is one random word.
pub(crate) fn contents(text: &str, mut found: impl FnMut(Range<usize>)) {
    let mut at = 0;
    for line in text.split_inclusive('\n').take(LINES) {
        let start = at;
        at += line.len();
        let word = line.trim();
        if is_content(word) {
            let lead = line.len() - line.trim_start().len();
            found(start + lead..start + lead + word.len());
        }
    }
}

/// Tells whether a line is a secret by itself, given that it comes from such a file.
fn is_content(line: &str) -> bool {
    // `NAME=value` and `name: value` have rules of their own.
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

/// What a command around `keyword` printed, where the text goes on with it: the lines after it in a
/// terminal, the next output in a file of JSON lines.
pub(crate) fn printed(text: &str, keyword: Range<usize>, found: &mut dyn FnMut(Range<usize>)) {
    let from = text.floor_char_boundary(keyword.start.saturating_sub(320));
    let line = text[from..keyword.start]
        .rfind('\n')
        .map_or(from, |at| from + at + 1);
    let end = text.floor_char_boundary((keyword.end + 64).min(text.len()));
    if !reads_secret(&text[line..end]) {
        return;
    }
    let to = text.floor_char_boundary((keyword.end + AHEAD).min(text.len()));
    let is_json = text[line..keyword.start].contains("\":");
    if !is_json {
        let Some(next) = text[keyword.end..to].find('\n') else {
            return;
        };
        let first = keyword.end + next + 1;
        return contents(&text[first..to], |span| {
            found(first + span.start..first + span.end)
        });
    }
    for output in OUTPUT.find_iter(&text[keyword.end..to]) {
        let start = keyword.end + output.end();
        let length = text.as_bytes()[start..to]
            .iter()
            .scan(false, |escaped, byte| {
                let ends = *byte == b'"' && !*escaped;
                *escaped = *byte == b'\\' && !*escaped;
                (!ends).then_some(())
            })
            .count();
        let mut at = start;
        for line in text[start..start + length].split("\\n").take(LINES) {
            let word = line.trim().trim_end_matches("\\r");
            if is_content(word) {
                let lead = line.len() - line.trim_start().len();
                found(at + lead..at + lead + word.len());
            }
            at += line.len() + 2;
        }
    }
}

/// Where a session file has what a tool printed.
static OUTPUT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#""(?:content|stdout|text|output|result|textResultForLlm|sessionLog|detailedContent|aggregated_output|formatted_output|functionResponse|returnDisplay|resultDisplay|llmContent|data)"\s{0,2}:\s{0,2}""#)
        .expect("the tests compile it")
});
