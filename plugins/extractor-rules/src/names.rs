//! Finds names in a text: files, flags, commands, identifiers, products. They make a memory findable, and a sentence
//! without any is rarely worth keeping.

use crate::phrases::{Phrases, phrases};

/// Returns the names in a text, in order, without repetition.
pub(crate) fn names(text: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for (index, piece) in text.split('`').enumerate() {
        if index % 2 == 1 {
            let piece = piece.trim();
            if (2..=60).contains(&piece.len()) && !piece.contains('\n') && !found.contains(&piece) {
                found.push(piece);
            }
        } else {
            for name in bare_names(piece) {
                if !found.contains(&name) {
                    found.push(name);
                }
            }
        }
    }
    found.truncate(MOST_NAMES);
    found
}

/// Returns a few short tags from the names of a text.
pub(crate) fn tags(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for name in names(text) {
        let last = name
            .trim_end_matches(['/', '(', ')'])
            .rsplit('/')
            .next()
            .unwrap_or(name);
        let first = last.split_whitespace().next().unwrap_or(last);
        let tag: String = acreta_text::plain_letters(first)
            .chars()
            .filter(|character| {
                character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | '.')
            })
            .collect::<String>()
            .trim_matches(['-', '.', '_'])
            .to_lowercase();
        if (2..=24).contains(&tag.len())
            && tag.chars().any(|character| character.is_ascii_alphabetic())
            && !found.contains(&tag)
        {
            found.push(tag);
        }
        if found.len() == MOST_TAGS {
            break;
        }
    }
    found
}

const MOST_NAMES: usize = 24;
const MOST_TAGS: usize = 4;

fn bare_names(text: &str) -> impl Iterator<Item = &str> {
    let mut after_stop = true;
    text.split_whitespace().filter_map(move |raw| {
        let first_of_sentence = after_stop;
        after_stop = raw.ends_with(['.', '!', '?', ':']);
        let word = raw.trim_matches(|character: char| {
            !character.is_alphanumeric() && !matches!(character, '/' | '-' | '_' | '.' | '~' | '$')
        });
        let word = word.trim_end_matches(['.', '-', '/']);
        let word = word
            .strip_suffix("'s")
            .or_else(|| word.strip_suffix("\u{2019}s"))
            .unwrap_or(word);
        (is_identifier(word) || (!first_of_sentence && is_proper_noun(word))).then_some(word)
    })
}

/// Reports whether a word is spelt like code: a path, a flag, a file, snake_case, camelCase or CONSTANT.
pub(crate) fn is_identifier(word: &str) -> bool {
    if word.len() < 2 || word.len() > 80 || !word.chars().any(|character| character.is_alphabetic())
    {
        return false;
    }
    if word.starts_with("http") && word.contains("://") {
        return false;
    }
    let inner = word.trim_matches(['_', '-']);
    let flag = word.starts_with("--") && word.len() > 3;
    let path = word.contains('/')
        && word.len() > 4
        && word.is_ascii()
        && !word.contains("//")
        && word.chars().any(|c| matches!(c, '.' | '_' | '-' | '~'));
    let file = word.rsplit_once('.').is_some_and(|(stem, extension)| {
        !stem.is_empty()
            && (1..=5).contains(&extension.len())
            && extension
                .chars()
                .all(|character| character.is_ascii_alphanumeric())
            && extension
                .chars()
                .any(|character| character.is_ascii_lowercase())
            && stem.is_ascii()
            && stem.len() > 1
    });
    let snake = inner.contains('_');
    let lowers = word.chars().any(char::is_lowercase);
    let camel = lowers
        && word
            .as_bytes()
            .windows(2)
            .any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    let constant = word.len() >= 2
        && word.chars().filter(char::is_ascii_uppercase).count() >= 2
        && !lowers
        && !SHOUTED.contains(word);
    flag || path || file || snake || camel || constant
}

/// Capitals that are emphasis, not a name.
const SHOUTED: Phrases = phrases!(
    "NO|NOT|NEVER|ALWAYS|MUST|ALL|ONLY|VERY|DO|DON'T|REALLY|REAL|AND|OR|IS|ARE|WHY|\
     STOP|THE|OK|TODO|NOW|SHOULD|ANY|BOTH|WITHOUT|REDACTED|ONE|CAN|FIRST|HOST|\
     IMPORTANT|CRITICAL",
);

/// Words that are capitalised because they open a sentence.
const OPENERS: Phrases = phrases!("The|This|That|Let|Now|Yes|But|And|You|Also|Then|When|Here");

fn is_proper_noun(word: &str) -> bool {
    let mut characters = word.chars();
    characters.next().is_some_and(char::is_uppercase)
        && word.len() >= 3
        && characters
            .clone()
            .all(|character| character.is_alphanumeric() || matches!(character, '-' | '.'))
        && characters.any(char::is_lowercase)
        && !OPENERS.contains(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_what_is_spelt_like_one() {
        let cases: &[(&str, &[&str])] = &[
            ("Run `mise run lint` before pushing", &["mise run lint"]),
            (
                "the retry_budget in config.toml and --no-verify",
                &["retry_budget", "config.toml", "--no-verify"],
            ),
            ("We talk to OpenSearch on exit", &["OpenSearch"]),
            ("never do this. Really", &[]),
            ("NEVER push", &[]),
            ("use React for it", &["React"]),
        ];
        for (text, expected) in cases {
            assert_eq!(&names(text), expected, "{text}");
        }
    }

    #[test]
    fn tags_are_short_and_few() {
        assert_eq!(
            tags("`src/store/queue.rs` uses `SQLite` and `a.b.c`"),
            ["queue.rs", "sqlite", "a.b.c"]
        );
        assert!(tags("nothing to see").is_empty());
    }
}
