//! Cleans text for display: removes markup, URLs and hidden characters, and fixes the first letter and the full stop.
//! Words are removed, never replaced.

use crate::names::is_identifier;
use crate::phrases::{Phrases, phrases};

/// Removes markup, control characters and runs of space; keeps link texts.
pub(crate) fn plain(text: &str) -> String {
    if is_plain(text) {
        return text.trim().to_owned();
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let (before, after) = rest.split_at(open);
        plain.push_str(before);
        match after.find("](").and_then(|middle| {
            let close = after[middle..].find(')')? + middle;
            (!after[1..middle].contains(['[', '\n'])).then_some((middle, close))
        }) {
            Some((middle, close)) => {
                plain.push_str(&after[1..middle]);
                rest = &after[close + 1..];
            }
            None => {
                plain.push('[');
                rest = &after[1..];
            }
        }
    }
    plain.push_str(rest);
    let plain = plain.replace("**", "").replace('’', "'");
    let mut words: Vec<&str> = Vec::new();
    for word in plain.split(' ') {
        let word = without_emphasis(word);
        if OATHS.contains(&word.to_lowercase()) {
            continue;
        }
        if word.len() > LONGEST_ADDRESS && word.contains("://") {
            // Removes the preposition before a removed URL: "for <address> the name is wrong".
            words.pop_if(|before| LEADING_IN.contains(before));
        } else {
            words.push(word);
        }
    }
    let plain = words.join(" ");
    let mut shown = String::with_capacity(plain.len());
    for character in plain.chars() {
        let character = if character.is_whitespace() {
            ' '
        } else {
            character
        };
        if acreta_text::is_hidden(character)
            || is_emoji(character)
            || (character == ' ' && shown.ends_with(' '))
        {
            continue;
        }
        shown.push(character);
    }
    shown.trim().to_owned()
}

/// Removes the asterisks around a word; one that is a pattern stays.
fn without_emphasis(word: &str) -> &str {
    let word = match word.strip_prefix('*') {
        Some(rest) if rest.starts_with(char::is_alphabetic) => rest,
        _ => word,
    };
    match word.strip_suffix('*') {
        Some(rest) if rest.ends_with(|last: char| last.is_alphanumeric() || last == '.') => rest,
        _ => word,
    }
}

/// Reports whether a text needs no cleaning: printable ASCII without markup, URLs and runs of space.
fn is_plain(text: &str) -> bool {
    let mut before = 0;
    !text.contains("fuck")
        && text.bytes().all(|byte| {
            let kept = match byte {
                b' ' | b'/' => byte != before,
                b'[' | b'*' => false,
                _ => byte.is_ascii_graphic(),
            };
            before = byte;
            kept
        })
}

/// Capitalises the first letter and ends the text with one full stop.
pub(crate) fn finish(text: &str) -> String {
    let text = text.trim().trim_end_matches([
        '?', ',', ';', ':', '-', '–', '—', '!', ' ', '；', '，', '、', '：',
    ]);
    let text = text
        .trim_end_matches("...")
        .trim_end_matches('…')
        .trim_end();
    let mut finished = String::with_capacity(text.len() + 1);
    let mut characters = text.chars();
    let first = text.split_whitespace().next();
    let spelt = first.is_some_and(|word| {
        let inner = word.trim_end_matches('.');
        is_identifier(word)
            || inner.contains(['.', '_'])
            || word.contains(|letter: char| letter > '\u{2e80}')
    });
    if spelt {
        finished.push_str(text);
    } else if let Some(first) = characters.next() {
        finished.extend(first.to_uppercase());
        finished.push_str(characters.as_str());
    }
    if !finished.is_empty() && !finished.ends_with(['.', '"', '”', '。', '！', '？']) {
        let wide = finished
            .chars()
            .next_back()
            .is_some_and(|last| last > '\u{2e80}');
        finished.push(if wide { '。' } else { '.' });
    }
    finished
}

/// Swear words that add force and no meaning.
const OATHS: Phrases = phrases!("fucking|fuckin|omfg|goddamn|motherfucker");

/// Prepositions before a URL.
const LEADING_IN: Phrases = phrases!("for|in|at|see|from|on|to|via");

/// Longer URLs are left out, because they say little.
const LONGEST_ADDRESS: usize = 48;

fn is_emoji(character: char) -> bool {
    matches!(character, '\u{1f000}'..='\u{1faff}' | '\u{2600}'..='\u{27bf}')
        || matches!(character, '\u{fe0f}' | '\u{2b50}' | '\u{2b55}')
}

/// Reports whether brackets, quotes and ticks of a text are closed.
pub(crate) fn is_balanced(text: &str) -> bool {
    text.matches('`').count().is_multiple_of(2)
        && text.matches('"').count().is_multiple_of(2)
        && text.matches(['(', '（']).count() == text.matches([')', '）']).count()
        && text.matches('“').count() == text.matches('”').count()
}

/// Reports whether a text contains secrets, encoded data or mangled text, which never enter memory.
pub(crate) fn is_unsafe(text: &str) -> bool {
    let secret = SECRETS.iter().any(|mark| text.contains(mark));
    let encoded = text.split_whitespace().any(|word| {
        word.len() > 60
            && !word.contains('/')
            && word.chars().all(|character| {
                character.is_ascii_alphanumeric() || matches!(character, '+' | '=' | '-' | '_')
            })
    });
    secret || encoded || text.contains('\u{fffd}') || text.contains("REDACTED")
}

const SECRETS: [&str; 9] = [
    "sk-",
    "ghp_",
    "AKIA",
    "-----BEGIN",
    "xoxb-",
    "eyJ",
    "Bearer ",
    "password=",
    "token=",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_do_not_pass() {
        assert!(is_unsafe("use ghp_abcdef"));
        assert!(is_unsafe(&"Ab3".repeat(40)));
        assert!(!is_unsafe("use the token of the job"));
    }
}
