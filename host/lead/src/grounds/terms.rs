//! Terms of a text, for comparison: content words by their stems, names exactly. Case, invisible characters,
//! full-width letters and markdown marks make no difference.

use std::borrow::Cow;

use acreta_text::{is_hidden, is_unspaced};

use super::lexicon::{
    LANGUAGE_WORDS, MODAL_WORDS, NEUTRAL_UNSPACED, NEUTRAL_WORDS, NUMBERS, UNLISTED,
};

/// Normalises a text: no invisible characters, full-width letters as plain ones, one kind of blank.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    if text.bytes().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let shown = text
        .chars()
        .filter(|character| *character == '\r' || !is_hidden(*character));
    shown
        .map(|character| match character {
            '\u{ff01}'..='\u{ff5e}' if !is_wide_mark(character) => {
                char::from_u32(character as u32 - 0xfee0).unwrap_or(character)
            }
            '\r' => '\n',
            '\u{a0}' | '\u{202f}' | '\u{3000}' => ' ',
            '’' | '‘' | 'ʼ' => '\'',
            other => other,
        })
        .collect()
}

/// Punctuation that ends sentences and clauses keeps its width.
fn is_wide_mark(character: char) -> bool {
    matches!(character, '！' | '？' | '，' | '；' | '：')
}

/// A content word or a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ContentTerm {
    /// Stem of a word; a name or number verbatim, in lower case.
    pub(super) key: String,
    /// The word verbatim, in lower case. Empty for pairs of characters.
    pub(super) word: String,
    /// An identifier, path, host, command or number, which must match exactly.
    pub(super) is_name: bool,
}

/// Returns content words and names of a text, in order. Function words and modality are left out.
pub(super) fn terms(text: &str) -> Vec<ContentTerm> {
    let text = plain(text);
    let found = content(&text);
    match found.is_empty() {
        true => foreign_words(&text),
        false => found,
    }
}

/// Returns the words of a text of function words only that are foreign to its language (`jamais de any`).
fn foreign_words(text: &str) -> Vec<ContentTerm> {
    let Some(own) = language(text) else {
        return Vec::new();
    };
    let known = LANGUAGE_WORDS.iter().find(|(name, _)| *name == own);
    let words = acreta_text::words(text).filter(|word| {
        let is_modal = MODAL_WORDS.contains(word.as_str());
        word.chars().count() > 2
            && !is_modal
            && known.is_none_or(|(_, known)| !known.contains(word.as_str()))
    });
    let found = words.map(|word| ContentTerm {
        key: stem(&word),
        word,
        is_name: false,
    });
    found.collect()
}

fn content(text: &str) -> Vec<ContentTerm> {
    let mut found = Vec::new();
    // Next to another script, a Latin word is not a function word.
    let is_foreign = text.chars().any(is_unspaced);
    for (index, piece) in text.split('`').enumerate() {
        let is_code = index % 2 == 1;
        for token in pieces(piece) {
            if token.chars().any(is_ideograph) {
                found.extend(pairs(&token));
            } else {
                found.extend(token_terms(&token, is_code, is_foreign));
            }
        }
    }
    found
}

/// Splits a text into tokens at blanks, and where a script with blanks meets one without.
pub(super) fn pieces(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut last: Option<bool> = None;
    for character in text.chars() {
        if character.is_whitespace() || is_separator(character) {
            last = None;
            continue;
        }
        let kind = is_unspaced(character) || is_wide_mark(character);
        if last == Some(kind) {
            if let Some(token) = tokens.last_mut() {
                token.push(character);
            }
        } else {
            tokens.push(character.to_string());
        }
        last = Some(kind);
    }
    tokens
}

fn is_separator(character: char) -> bool {
    matches!(
        character,
        '"' | '“'
            | '”'
            | '„'
            | '«'
            | '»'
            | '「'
            | '」'
            | '『'
            | '』'
            | '('
            | ')'
            | '['
            | ']'
            | '{'
            | '}'
            | '<'
            | '>'
            | '|'
            | ','
            | ';'
            | '…'
            | '—'
            | '–'
            | '、'
            | '。'
            | '，'
            | '；'
            | '：'
            | '！'
            | '？'
            | '*'
            | '·'
            | '（'
            | '）'
            | '《'
            | '》'
            | '→'
    )
}

fn is_ideograph(character: char) -> bool {
    is_unspaced(character) && !is_hangul(character)
}

pub(super) fn is_hangul(character: char) -> bool {
    matches!(character, '\u{ac00}'..='\u{d7af}')
}

/// Returns the terms of one token.
fn token_terms(token: &str, is_code: bool, is_foreign: bool) -> Vec<ContentTerm> {
    let is_flag = token.strip_prefix("--").or_else(|| token.strip_prefix('-'));
    let is_flag =
        is_flag.is_some_and(|rest| rest.starts_with(|one: char| one.is_ascii_alphabetic()));
    let token = token.trim_matches(|edge: char| !edge.is_alphanumeric() && edge != '%');
    let token = token.trim_end_matches('%');
    if token.is_empty() {
        return Vec::new();
    }
    if is_flag || is_marked(token) || is_mixed(token) {
        return vec![name(token)];
    }
    let mut found = Vec::new();
    for part in token.split(['-', '\'']).filter(|part| !part.is_empty()) {
        let digits = part.chars().take_while(char::is_ascii_digit).count();
        if digits > 0 {
            let (number, unit) = part.split_at(digits);
            if unit.is_empty() || unit.chars().all(char::is_alphabetic) && !is_code {
                found.push(name(number));
                found.extend(word(unit, is_foreign));
            } else {
                found.push(name(part));
            }
        } else if part.chars().any(|one| one.is_ascii_digit()) || is_camel(part) {
            found.push(name(part));
        } else if is_code && part.chars().count() > 1 && !is_neutral(part) {
            found.push(ContentTerm {
                is_name: true,
                ..named(part)
            });
        } else {
            found.extend(word(part, is_foreign));
        }
    }
    found
}

/// Reports whether a token has an inner mark that words do not have.
fn is_marked(token: &str) -> bool {
    let letters: Vec<char> = token.chars().collect();
    letters.windows(3).any(|three| {
        matches!(
            three[1],
            '/' | '.' | ':' | '_' | '@' | '=' | '\\' | '#' | '+' | '~' | '$'
        ) && three[0].is_alphanumeric()
            && (three[2].is_alphanumeric()
                || matches!(three[2], '/' | '_' | '.' | ':' | '@' | '\\'))
    }) && !is_abbreviation(token)
}

/// Reports whether single letters or plain words are joined by a mark: `and/or`, `e.g`, `z.B`.
fn is_abbreviation(token: &str) -> bool {
    token.split('.').all(|part| part.chars().count() == 1)
        || matches!(
            token.to_lowercase().as_str(),
            "and/or" | "und/oder" | "y/o" | "et/ou" | "e/o"
        )
}

/// Reports whether a word has letters of two alphabets, as in a disguised name.
fn is_mixed(token: &str) -> bool {
    token.chars().any(|one| one.is_ascii_alphabetic())
        && token
            .chars()
            .any(|one| matches!(one, '\u{370}'..='\u{52f}'))
}

fn is_camel(part: &str) -> bool {
    let has_lower = part.chars().any(char::is_lowercase);
    // The plural of an acronym (`PRs`, `APIs`) does not count.
    let trimmed = part.strip_suffix('s').unwrap_or(part);
    has_lower
        && trimmed.chars().any(char::is_lowercase)
        && trimmed.chars().skip(1).any(char::is_uppercase)
}

fn name(token: &str) -> ContentTerm {
    ContentTerm {
        is_name: true,
        ..named(&bare_name(token))
    }
}

fn named(token: &str) -> ContentTerm {
    let lower = token.to_lowercase();
    ContentTerm {
        key: lower.clone(),
        word: lower,
        is_name: true,
    }
}

/// Returns a name without scheme, brackets and marks at its edges, in lower case.
pub(super) fn bare_name(token: &str) -> String {
    trimmed_name(token).to_lowercase()
}

/// Returns a name without scheme, brackets and marks at its edges.
pub(super) fn trimmed_name(token: &str) -> &str {
    let token = token.split_once("://").map_or(token, |(_, rest)| rest);
    let token = token.strip_prefix("www.").unwrap_or(token);
    token.trim_matches(|edge: char| !edge.is_alphanumeric())
}

/// Returns the content word of a token; `None` if it has no content.
fn word(part: &str, is_foreign: bool) -> Option<ContentTerm> {
    let lower = part.to_lowercase();
    if let Some(number) = number_word(&lower) {
        return Some(ContentTerm {
            key: number.to_owned(),
            word: String::new(),
            is_name: false,
        });
    }
    let is_short = lower.chars().count() < 2;
    let is_content = is_acronym(part) || is_foreign && part.is_ascii();
    if is_short || is_neutral(&lower) && !is_content {
        return None;
    }
    Some(ContentTerm {
        key: stem(&lower),
        word: lower,
        is_name: false,
    })
}

/// Reports whether letters like `CI`, `DB` are a function word in some language only in lower case.
fn is_acronym(part: &str) -> bool {
    let is_english = |word: &str| {
        let mut languages = LANGUAGE_WORDS.iter();
        languages.any(|(name, known)| *name == "en" && known.contains(word))
    };
    part.len() == 2
        && part.chars().all(|one| one.is_ascii_uppercase())
        && !is_english(&part.to_lowercase())
}

pub(super) fn is_neutral(word: &str) -> bool {
    let lower = word.to_lowercase();
    let is_known = |word: &str| NEUTRAL_WORDS.contains(word);
    let mut particles = KOREAN_PARTICLES.split(' ');
    is_known(&lower)
        || lower.chars().any(is_hangul)
            && particles.any(|particle| lower.strip_suffix(particle).is_some_and(is_known))
}

/// Reports whether a word is one typo away from a function word or modality.
pub(super) fn is_near_neutral(word: &str) -> bool {
    let first = word.chars().next();
    word.chars().count() >= 4
        && NEUTRAL_WORDS
            .iter()
            .filter(|known| known.chars().next() == first && known.chars().count() >= 4)
            .any(|known| slips(known, word) <= 1)
}

/// Particles that Korean nouns end with.
const KOREAN_PARTICLES: &str = "의 는 은 이 가 을 를 에 로 으로 에서 도 만 와 과 에는 에서는 마다";

pub(super) fn number_word(word: &str) -> Option<&'static str> {
    let mut rows = NUMBERS.iter();
    rows.find(|(words, _)| words.split(' ').any(|one| one == word))
        .map(|(_, number)| *number)
}

/// Returns the first letters of a word without its ending.
pub(super) fn stem(word: &str) -> String {
    if word.chars().any(is_hangul) {
        return word.chars().take(2).map(open_syllable).collect();
    }
    if word.chars().any(|one| matches!(one, '\u{400}'..='\u{52f}')) {
        return cyrillic_stem(word);
    }
    let folded: String = word.chars().map(unaccented).collect();
    let folded = without_participle(folded);
    let mut letters: Vec<char> = folded.chars().collect();
    for ending in ["ing", "ed", "es", "s"] {
        if folded.is_ascii() && letters.len() >= ending.len() + 3 && folded.ends_with(ending) {
            letters.truncate(letters.len() - ending.len());
            break;
        }
    }
    let doubled = letters.len() > 3 && letters[letters.len() - 1] == letters[letters.len() - 2];
    if doubled {
        letters.pop();
    }
    letters.truncate(5);
    if letters.len() > 3 && matches!(letters.last(), Some('e' | 'y' | 'i')) {
        letters.pop();
    }
    letters.into_iter().collect()
}

/// Returns the participle of a German verb with a separable prefix without its `ge` (`abgelehnt`).
fn without_participle(word: String) -> String {
    const PREFIXES: [&str; 12] = [
        "ab", "an", "auf", "aus", "ein", "vor", "nach", "mit", "um", "zu", "hoch", "weg",
    ];
    let is_form = word.len() >= 8 && (word.ends_with('t') || word.ends_with("en"));
    let mut prefixes = PREFIXES.iter().filter(|_| is_form);
    let found = prefixes.find_map(|prefix| {
        let rest = word.strip_prefix(prefix)?.strip_prefix("ge")?;
        Some(format!("{prefix}{rest}"))
    });
    found.unwrap_or(word)
}

/// Returns a Korean syllable without its final consonant, which endings change.
fn open_syllable(letter: char) -> char {
    const FIRST: u32 = 0xac00;
    const FINALS: u32 = 28;
    match is_hangul(letter) {
        true => {
            let place = letter as u32 - FIRST;
            char::from_u32(FIRST + place - place % FINALS).unwrap_or(letter)
        }
        false => letter,
    }
}

/// Returns a Russian word without its ending.
fn cyrillic_stem(word: &str) -> String {
    const ENDINGS: &str = "ающих ующих ается ются ится ятся утся аться яться иться ами ями ого его ому ему ыми ими ать ять ить еть ует уют ают яют ает яет ешь ишь ете ите али или ой ей ом ем ов ев ах ях ам ям ую юю ая яя ое ее ые ие ый ий ым им ых их ию ия ии ет ит ут ют ят ат ал ил ть ся сь а я о е ы и у ю ь й";
    let word = word.replace('ё', "е");
    let base = word
        .strip_suffix("ся")
        .or_else(|| word.strip_suffix("сь"))
        .unwrap_or(&word);
    let long_enough = |rest: &&str| rest.chars().count() >= 3;
    let endings = ENDINGS
        .split(' ')
        .filter_map(|ending| base.strip_suffix(ending).filter(long_enough));
    let shortest = endings.min_by_key(|rest| rest.len()).unwrap_or(base);
    shortest.chars().take(5).collect()
}

/// Returns a letter without its accent, as hasty typing leaves it.
fn unaccented(letter: char) -> char {
    match letter {
        'á' | 'à' | 'â' | 'ã' | 'ä' | 'å' => 'a',
        'é' | 'è' | 'ê' | 'ë' => 'e',
        'í' | 'ì' | 'î' | 'ï' => 'i',
        'ó' | 'ò' | 'ô' | 'õ' | 'ö' => 'o',
        'ú' | 'ù' | 'û' | 'ü' => 'u',
        'ç' => 'c',
        'ñ' => 'n',
        'ё' => 'е',
        other => other,
    }
}

/// Returns pairs of characters of a run without blanks. Grammatical kana and neutral phrases separate.
fn pairs(token: &str) -> Vec<ContentTerm> {
    let mut text = token.to_owned();
    for phrase in NEUTRAL_UNSPACED.split('|') {
        text = text.replace(phrase, " ");
    }
    let mut found = Vec::new();
    for run in text.split(|one: char| !is_ideograph(one) || matches!(one, '\u{3040}'..='\u{309f}'))
    {
        let letters: Vec<char> = run.chars().collect();
        let joined = letters
            .windows(2)
            .map(|pair| pair.iter().collect::<String>());
        let keys: Vec<String> = if letters.len() == 1 {
            vec![letters[0].to_string()]
        } else {
            joined.collect()
        };
        found.extend(keys.into_iter().map(|key| ContentTerm {
            key,
            word: String::new(),
            is_name: false,
        }));
    }
    found
}

/// Reports whether a text is in a language without sufficient lists of questions, reports and denials.
pub(super) fn is_unlisted(text: &str) -> bool {
    let letters: Vec<char> = text.chars().filter(|one| one.is_alphabetic()).collect();
    let is_foreign = |one: &char| {
        let code = *one as u32;
        !is_unspaced(*one) && (code > 0x52f && !(0x1e00..=0x1fff).contains(&code))
            || matches!(one, '\u{370}'..='\u{3ff}')
    };
    let is_vietnamese = |one: &&char| matches!(one, '\u{1ea0}'..='\u{1ef9}' | 'ơ' | 'ư');
    letters.iter().filter(|one| is_foreign(one)).count() * 10 > letters.len() * 3
        || letters.iter().filter(is_vietnamese).count() > 1
        || language(text).is_some_and(|name| UNLISTED.contains(&name))
}

/// Returns the language that most of a text's function words belong to, if there are enough of them.
pub(super) fn language(text: &str) -> Option<&'static str> {
    let letters: Vec<char> = text.chars().filter(|one| one.is_alphabetic()).collect();
    let share = |matches: fn(char) -> bool| {
        letters.iter().filter(|one| matches(**one)).count() as f64 / letters.len().max(1) as f64
    };
    if share(is_hangul) > 0.3 {
        return Some("ko");
    }
    if share(|one| matches!(one, '\u{3040}'..='\u{30ff}')) > 0.15 {
        return Some("ja");
    }
    if share(is_ideograph) > 0.3 {
        return Some("zh");
    }
    let words: Vec<String> = acreta_text::words(text).collect();
    let mut best: Vec<(usize, &str)> = LANGUAGE_WORDS
        .iter()
        .map(|(name, known)| {
            (
                words
                    .iter()
                    .filter(|word| known.contains(word.as_str()))
                    .count(),
                *name,
            )
        })
        .collect();
    best.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    match best.as_slice() {
        [(most, name), (next, _), ..] if most > next && *most * 8 >= words.len() => Some(*name),
        _ => None,
    }
}

/// Returns the number of letters inserted, omitted, changed or transposed between two words.
pub(crate) fn slips(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.chars().collect();
    let right: Vec<char> = right.chars().collect();
    if left.len().abs_diff(right.len()) > 2 {
        return usize::MAX;
    }
    let mut rows = vec![vec![0; right.len() + 1]; left.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    for (j, cell) in rows[0].iter_mut().enumerate() {
        *cell = j;
    }
    for i in 1..=left.len() {
        for j in 1..=right.len() {
            let changed = usize::from(left[i - 1] != right[j - 1]);
            let mut least = (rows[i - 1][j] + 1)
                .min(rows[i][j - 1] + 1)
                .min(rows[i - 1][j - 1] + changed);
            let swapped =
                i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1];
            if swapped {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = least;
        }
    }
    rows[left.len()][right.len()]
}
