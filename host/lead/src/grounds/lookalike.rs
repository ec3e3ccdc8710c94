//! Letters of one alphabet that look like letters of another. Nobody types a word in two alphabets that look like one:
//! such a word is a disguise.

use std::borrow::Cow;

/// Latin letters, each with the Cyrillic and Greek small letters that look like it.
const ALIKE: &[(char, &str)] = &[
    ('a', "аα"),
    ('b', "вβ"),
    ('c', "сϲ"),
    ('d', "ԁ"),
    ('e', "еε"),
    ('g', "ԍ"),
    ('h', "нһ"),
    ('i', "іι"),
    ('j', "јϳ"),
    ('k', "кκ"),
    ('l', "ӏ"),
    ('m', "м"),
    ('n', "пη"),
    ('o', "оο"),
    ('p', "рρ"),
    ('q', "ԛ"),
    ('s', "ѕ"),
    ('t', "тτ"),
    ('u', "υ"),
    ('v', "ѵν"),
    ('w', "ԝω"),
    ('x', "хχ"),
    ('y', "уγ"),
];

fn is_latin(letter: char) -> bool {
    letter.is_alphabetic() && (letter as u32) < 0x250
}

fn is_greek_or_cyrillic(letter: char) -> bool {
    matches!(letter, '\u{370}'..='\u{52f}')
}

fn to_latin(letter: char) -> char {
    let lower = letter.to_lowercase().next().unwrap_or(letter);
    let mut rows = ALIKE.iter();
    rows.find(|(_, others)| others.contains(lower))
        .map_or(letter, |(latin, _)| *latin)
}

fn to_cyrillic(letter: char) -> char {
    let lower = letter.to_lowercase().next().unwrap_or(letter);
    let mut rows = ALIKE.iter().filter(|(latin, _)| *latin == lower);
    let alike = rows.next().and_then(|(_, others)| others.chars().next());
    alike
        .filter(|one| matches!(one, '\u{400}'..='\u{52f}'))
        .unwrap_or(letter)
}

/// Converts a word of two alphabets to one of them, if only lookalikes make the difference.
fn undisguised(word: &str, is_latin_text: bool) -> Option<String> {
    let is_mixed = word.chars().any(is_latin) && word.chars().any(is_greek_or_cyrillic);
    if !is_mixed {
        return None;
    }
    let latin: String = word.chars().map(to_latin).collect();
    let latin = (!latin.chars().any(is_greek_or_cyrillic)).then_some(latin);
    let cyrillic: String = word.chars().map(to_cyrillic).collect();
    let cyrillic = (!cyrillic.chars().any(is_latin)).then_some(cyrillic);
    match is_latin_text {
        true => latin.or(cyrillic),
        false => cyrillic.or(latin),
    }
}

/// Reports whether a text has a disguised word.
pub(super) fn has_disguise(text: &str) -> bool {
    let mut words = text.split(|one: char| !one.is_alphanumeric());
    !text.is_ascii()
        && text.chars().any(is_greek_or_cyrillic)
        && words.any(|word| undisguised(word, true).is_some())
}

/// Replaces disguised words by the words that they look like.
pub(super) fn without_disguises(text: &str) -> Cow<'_, str> {
    if !has_disguise(text) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let count = |is: fn(char) -> bool| line.chars().filter(|one| is(*one)).count();
        let is_latin_text = count(is_latin) > count(is_greek_or_cyrillic);
        for piece in line.split_inclusive(|one: char| !one.is_alphanumeric()) {
            let word = piece.trim_end_matches(|one: char| !one.is_alphanumeric());
            match undisguised(word, is_latin_text) {
                Some(plain) => {
                    shown.push_str(&plain);
                    shown.push_str(&piece[word.len()..]);
                }
                None => shown.push_str(piece),
            }
        }
    }
    Cow::Owned(shown)
}

/// Converts a word to Latin letters, if every letter has a Latin lookalike and not all are Latin.
pub(super) fn latin_look(word: &str) -> Option<String> {
    let latin: String = word.chars().map(to_latin).collect();
    (latin != word && latin.chars().all(is_latin)).then_some(latin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_two_alphabets_are_shown_in_one() {
        let cases = [
            ("kееp the rеcordings", "keep the recordings"),
            ("вaриант 1: выгpужaть", "вариант 1: выгружать"),
            ("вариант", "вариант"),
            // Honest words of two alphabets: letters without a lookalike.
            ("открой PRы и merge'ить", "открой PRы и merge'ить"),
            ("naïve façade", "naïve façade"),
        ];
        for (text, shown) in cases {
            assert_eq!(without_disguises(text), shown, "{text}");
        }
    }

    #[test]
    fn a_word_may_look_latin_as_a_whole() {
        assert_eq!(latin_look("ѕсоре").as_deref(), Some("scope"));
        assert_eq!(latin_look("scope"), None);
        assert_eq!(latin_look("сборка"), None);
    }
}
