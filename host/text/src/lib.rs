//! Shared text functions: words, overlap, slugs. Results are the same on every machine, in the host and in a guest.

pub mod bounds;
#[cfg(feature = "english")]
mod english;
#[cfg(feature = "english")]
mod everyday;
mod fence;
mod fnv;
mod sentences;
#[cfg(feature = "english")]
mod synonyms;
mod typed;

use std::borrow::Cow;
use std::collections::BTreeSet;

#[cfg(feature = "tokens")]
pub use acreta_tokens::count_tokens;
#[cfg(feature = "english")]
pub use english::{is_stop_word, stem};
#[cfg(feature = "english")]
pub use everyday::is_everyday;
pub use fence::fenced;
pub use fnv::Fnv;
pub use sentences::{list_mark, sentences};
#[cfg(feature = "english")]
pub use synonyms::synonyms;
pub use typed::{foreign, typed_sentences};

/// Returns the words of a text: lower case, letters and digits, in order, with repetitions.
///
/// Identifiers are split at punctuation (`retry_budget` is two words), so that prose and code about the same thing
/// match.
pub fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

/// Returns the set of content words.
pub fn tokens(text: &str) -> BTreeSet<String> {
    content_words(text).collect()
}

/// Returns the content words in order: [`words`] without the most common function words.
pub fn content_words(text: &str) -> impl Iterator<Item = String> {
    words(text)
        .filter(|word| word.len() > FUNCTION_LETTERS || !FUNCTION_WORDS.contains(&word.as_str()))
}

/// Returns the first letters of a word, which its forms share in most languages with spaces. Coarser than a stem: for
/// texts in any language.
pub fn beginning(word: &str) -> &str {
    match word.char_indices().nth(BEGINNING) {
        Some((end, _)) => &word[..end],
        None => word,
    }
}

/// Returns a text on one line, with single spaces between words.
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// Returns the share of common tokens, 0 to 1. Two empty sets share nothing.
pub fn jaccard(left: &BTreeSet<String>, right: &BTreeSet<String>) -> f64 {
    let shared = left.intersection(right).count();
    let all = left.len() + right.len() - shared;
    if all == 0 {
        0.0
    } else {
        shared as f64 / all as f64
    }
}

/// Reports whether a tool of this name asks the person a question: its result is then the person's own statement.
pub fn asks_person(tool: &str) -> bool {
    let letters = tool.bytes().filter(u8::is_ascii_alphanumeric);
    let name: Vec<u8> = letters.map(|letter| letter.to_ascii_lowercase()).collect();
    ASKING.iter().any(|asking| asking.as_bytes() == name)
}

/// Tools that ask, without separators.
const ASKING: [&str; 7] = [
    "askuserquestion",
    "askuser",
    "askfollowupquestion",
    "requestuserinput",
    "question",
    "askhuman",
    "userinput",
];

/// Returns a part of a file name: lower-case ASCII words joined by `-`, at most 60 characters, cut at a word.
///
/// Latin letters lose their accents. Characters outside ASCII letters and digits separate words; a title without any
/// gives `untitled`.
pub fn slug(title: &str) -> String {
    let title = plain_letters(title);
    let mut slug = String::new();
    for word in title.split(|character: char| !character.is_ascii_alphanumeric()) {
        if word.is_empty() {
            continue;
        }
        if slug.is_empty() {
            slug.push_str(&word[..word.len().min(SLUG_LENGTH)]);
        } else if slug.len() + 1 + word.len() <= SLUG_LENGTH {
            slug.push('-');
            slug.push_str(word);
        } else {
            break;
        }
    }
    if slug.is_empty() {
        return "untitled".to_owned();
    }
    slug.make_ascii_lowercase();
    slug
}

/// Returns a text whose Latin letters have no accents: `Schlüssel` is `Schluessel`, `próxima` is `proxima`. Large letters
/// with accents become small.
pub fn plain_letters(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        let small = letter.to_lowercase().next().unwrap_or(letter);
        let known = LETTERS.iter().find(|(_, letters)| letters.contains(small));
        match known.filter(|_| !letter.is_ascii()) {
            Some((base, _)) => plain.push_str(base),
            // An accent of its own, after its letter.
            None if ('\u{300}'..='\u{36f}').contains(&letter) => {}
            None => plain.push(letter),
        }
    }
    Cow::Owned(plain)
}

/// Latin letters with accents, by what stands for them.
const LETTERS: &[(&str, &str)] = &[
    ("a", "àáâãåāăąǎ"),
    ("ae", "äæ"),
    ("c", "çćĉċč"),
    ("d", "ďđð"),
    ("e", "èéêëēĕėęě"),
    ("g", "ĝğġģ"),
    ("h", "ĥħ"),
    ("i", "ìíîïĩīĭįı"),
    ("j", "ĵ"),
    ("k", "ķ"),
    ("l", "ĺļľŀł"),
    ("n", "ñńņňŋ"),
    ("o", "òóôõøōŏőơ"),
    ("oe", "öœ"),
    ("r", "ŕŗř"),
    ("s", "śŝşšș"),
    ("ss", "ß"),
    ("t", "ţťŧț"),
    ("th", "þ"),
    ("u", "ùúûũūŭůűųư"),
    ("ue", "ü"),
    ("w", "ŵ"),
    ("y", "ýÿŷ"),
    ("z", "źżž"),
];

/// Returns bytes as lower-case hex digits.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|digit| char::from(DIGITS[usize::from(digit)]))
        .collect()
}

/// Returns the start of a text, at most `limit` bytes, cut at a character boundary.
pub fn head(text: &str, limit: usize) -> &str {
    &text[..text.floor_char_boundary(limit)]
}

/// Returns a text in lower case whose characters start at the same bytes as in the original.
///
/// Keeps a character if its lower case is longer, shorter or several characters, for example `İ` and `ẞ`.
pub fn aligned_lowercase(text: &str) -> String {
    text.chars()
        .map(|character| {
            let mut lower = character.to_lowercase();
            match (lower.next(), lower.next()) {
                (Some(one), None) if one.len_utf8() == character.len_utf8() => one,
                _ => character,
            }
        })
        .collect()
}

/// Escapes control, bidirectional and invisible tag characters as `\u{…}` for display on a terminal.
///
/// Keeps newlines and tabs. All text from a guest or a session passes through here before a person sees it.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if is_hidden(character) {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// Reports whether an invisible character changes how text looks. Joiners (U+200C, U+200D) do not count: they are the
/// spelling of Persian, of Indian scripts and of emoji.
pub fn is_hidden(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' => true,
        '\u{2028}'..='\u{202e}' => true,
        '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{e0000}'..='\u{e01ef}' => true,
        other => other.is_control(),
    }
}

/// Reports whether a character belongs to a script without spaces between words, or whose words are too short to be
/// distinguished by their first letters: Chinese, Japanese, Korean.
pub fn is_unspaced(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}')
}

const BEGINNING: usize = 5;

const SLUG_LENGTH: usize = 60;

/// Length of the longest of [`FUNCTION_WORDS`].
const FUNCTION_LETTERS: usize = 4;

const FUNCTION_WORDS: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "has", "in", "is", "it", "its",
    "of", "on", "or", "that", "the", "this", "to", "was", "were", "will", "with",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlap_counts_shared_words_once() {
        let cases = [
            ("use tokio", "use tokio", 1.0),
            ("use tokio", "use smol", 1.0 / 3.0),
            ("the retry_budget is 3", "retry budget 3", 1.0),
            ("", "", 0.0),
            ("a the of", "", 0.0),
        ];
        for (left, right, expected) in cases {
            let overlap = jaccard(&tokens(left), &tokens(right));
            assert!(
                (overlap - expected).abs() < 1e-9,
                "{left} / {right}: {overlap}"
            );
        }
    }

    #[test]
    fn aligned_lower_case_has_the_same_boundaries() {
        let every = ('\0'..=char::MAX).collect::<String>();
        for text in ["Ⱥ either É or b ẞ", "İSTANBUL", "Ünïcode", &every] {
            let lower = aligned_lowercase(text);
            let starts = |text: &str| text.char_indices().map(|(at, _)| at).collect::<Vec<_>>();
            assert_eq!(starts(&lower), starts(text));
        }
        assert_eq!(aligned_lowercase("ÄB İẞ"), "äb İẞ");
    }

    #[test]
    fn slugs_are_short_plain_and_never_empty() {
        let long = "word ".repeat(40);
        let cases = [
            ("Use SQLite, not Postgres!", "use-sqlite-not-postgres"),
            ("../../etc/passwd", "etc-passwd"),
            ("Schlüssel für den ÄRGER", "schluessel-fuer-den-aerger"),
            ("La pro\u{301}xima señal", "la-proxima-senal"),
            ("Übergröße", "uebergroesse"),
            ("日本語", "untitled"),
            ("", "untitled"),
            (
                long.as_str(),
                "word-word-word-word-word-word-word-word-word-word-word-word",
            ),
        ];
        for (title, expected) in cases {
            assert_eq!(slug(title), expected);
        }
        assert_eq!(slug(&"x".repeat(300)).len(), 60);
    }

    #[test]
    fn bytes_are_two_digits_each() {
        assert_eq!(hex(&[0, 10, 255]), "000aff");
    }

    #[test]
    fn hidden_characters_are_shown() {
        assert_eq!(
            visible("a\u{1b}[31mb\u{202e}c\nd"),
            "a\\u{1b}[31mb\\u{202e}c\nd"
        );
        assert_eq!(visible("\u{e0041}"), "\\u{e0041}");
        for hidden in ['\u{61c}', '\u{2028}', '\u{2029}', '\u{e0100}', '\u{200b}'] {
            assert!(is_hidden(hidden), "{hidden:?}");
        }
        for shown in ['a', '\n', '\t', 'é', '日', '\u{fe0f}', '\u{200c}'] {
            assert!(!is_hidden(shown), "{shown:?}");
        }
    }

    #[test]
    fn only_tools_that_ask_the_person_count() {
        for (tool, asks) in [
            ("AskUserQuestion", true),
            ("ask_user", true),
            ("ask_question", false),
            ("Bash", false),
        ] {
            assert_eq!(asks_person(tool), asks, "{tool}");
        }
    }
}
