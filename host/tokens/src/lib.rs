//! Estimates the tokens of a text, for budgets. The tokenizers of models differ by 20 % among each other, so an exact
//! count for one of them is not worth its vocabulary. The estimate follows o200k, mostly within 10 %; see
//! decision 0021 for figures.
//!
//! A text is split about as o200k splits it: a word with the character before it, up to three digits, a run of symbols,
//! a run of white space. A piece costs one token. A word costs more for each letter after the first:
//!
//! - Latin letters by the pair they make with the letter before. Pairs that English and code have often are free,
//!   because their words are in the vocabulary: `th` in `something` costs nothing, `wj` nearly a token. The pairs are in
//!   `pairs.txt`, fitted to o200k on code, logs, documents and translations of one text.
//! - Other letters by their script.
//!
//! Promises: an empty text has no tokens, and `count_tokens(a) + count_tokens(b)` is at least the count of `a` and `b`
//! concatenated if `a` ends with a line end.

/// Units of a token. Costs are added up in units and rounded up once.
const TOKEN: u64 = 32;

/// Cost of a pair of Latin letters: a row for the first, a column for the second, as a digit in base 32. Rows and
/// columns are `a` to `z`, then all letters with accents.
static PAIRS: &[u8] = include_bytes!("pairs.txt");
const PAIRS_ROW: usize = 28;
const ACCENTED: usize = 26;

/// Cost of a word with a symbol before it, such as `.name`, which fewer tokens contain.
const AFTER_SYMBOL: u64 = 6;
const CAPITAL_AFTER_SYMBOL: u64 = 10;
/// Cost of each letter but the first of a word with several capitals.
const CAPITALS: u64 = 3;
/// Cost of a symbol that differs from the one before, after the first two.
const SYMBOL: u64 = 10;
/// Cost of a symbol that repeats the one before.
const REPEATED_SYMBOL: u64 = 1;
/// White space and line ends in one token.
const RUN: usize = 128;

/// Estimates the tokens of a text.
pub fn count_tokens(text: &str) -> usize {
    let mut units = 0;
    let mut rest = text;
    while !rest.is_empty() {
        let (length, cost) = piece(rest);
        units += cost;
        rest = &rest[length..];
    }
    usize::try_from(units.div_ceil(TOKEN)).unwrap_or(usize::MAX)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CharClass {
    Latin,
    /// A letter or mark of another script with its cost.
    Letter(u8),
    Digit,
    Space,
    /// Anything else with its cost; that of ASCII depends on the characters before.
    Symbol(u8),
}

/// Cost of the letters that only Vietnamese has. Its syllables are whole tokens.
const VIETNAMESE: u8 = 1;

/// First character and class of each block after ASCII, up to the next block.
#[rustfmt::skip]
const BLOCKS: [(u32, CharClass); 55] = {
    use CharClass::{Latin, Letter, Symbol};
    [
        (0x80, Symbol(20)), (0xc0, Latin), (0x1a0, Letter(VIETNAMESE)),
        (0x1b1, Latin), (0x250, Letter(36)), (0x300, Letter(26)), (0x370, Letter(9)),
        // Cyrillic: Russian, then the letters of other languages.
        (0x400, Letter(32)), (0x410, Letter(4)), (0x450, Letter(32)), (0x530, Letter(6)),
        // Hebrew, Arabic, Syriac and others.
        (0x590, Letter(10)), (0x600, Letter(6)), (0x700, Letter(64)),
        // Devanagari, Bengali, Gurmukhi, Gujarati, Oriya, Tamil, Telugu, Kannada, Malayalam, Sinhala.
        (0x900, Letter(5)), (0x980, Letter(8)), (0xa00, Letter(16)), (0xa80, Letter(8)), (0xb00, Letter(40)),
        (0xb80, Letter(9)), (0xc00, Letter(14)), (0xc80, Letter(11)), (0xd00, Letter(9)), (0xd80, Letter(17)),
        // Thai, Lao, Tibetan, Myanmar, Georgian, Hangul, Ethiopic and others.
        (0xe00, Letter(13)), (0xe80, Letter(62)), (0xf00, Letter(40)), (0x1000, Letter(16)), (0x10a0, Letter(6)),
        (0x1100, Letter(64)), (0x1200, Letter(68)), (0x1780, Letter(20)), (0x1800, Letter(64)),
        (0x1e00, Latin), (0x1ea0, Letter(VIETNAMESE)), (0x1f00, Letter(30)),
        // Punctuation, arrows, mathematics, boxes, pictures.
        (0x2000, Symbol(20)), (0x2070, Symbol(32)), (0x2500, Symbol(24)), (0x2600, Symbol(44)), (0x2800, Symbol(56)),
        (0x2c00, Letter(64)), (0x3000, Symbol(20)),
        // Kana, Chinese characters, Hangul.
        (0x3040, Letter(25)), (0x3100, Letter(48)), (0x3400, Letter(70)), (0x4e00, Letter(25)), (0xa000, Letter(64)),
        (0xac00, Letter(19)), (0xd7b0, Letter(64)), (0xfe00, Symbol(20)), (0xff00, Symbol(20)), (0xff10, Letter(32)),
        (0x10000, Letter(96)), (0x1f000, Symbol(56)),
    ]
};

/// Returns the length in bytes and the cost of the first piece of a text, which must not be empty.
fn piece(text: &str) -> (usize, u64) {
    let mut characters = text.chars();
    let first = characters.next().unwrap_or_default();
    let second = characters.next().map(CharClass::of);
    let before_letter = second.is_some_and(CharClass::is_letter);
    match CharClass::of(first) {
        CharClass::Latin | CharClass::Letter(_) => word(text),
        CharClass::Digit => {
            let digits = text.bytes().take(3).take_while(u8::is_ascii_digit);
            (digits.count(), TOKEN)
        }
        CharClass::Space if !is_line_end(first) && before_letter => preceded(text, first, word),
        CharClass::Space if first == ' ' && matches!(second, Some(CharClass::Symbol(_))) => {
            preceded(text, first, symbols)
        }
        CharClass::Space => space(text),
        CharClass::Symbol(cost) if before_letter => {
            let (length, word) = preceded(text, first, word);
            let is_capital = text[first.len_utf8()..].starts_with(char::is_uppercase);
            let with_symbol = if is_capital {
                CAPITAL_AFTER_SYMBOL
            } else {
                AFTER_SYMBOL
            };
            (length, word + with_symbol.max(u64::from(cost)))
        }
        CharClass::Symbol(_) => symbols(text),
    }
}

fn preceded(text: &str, first: char, rest: fn(&str) -> (usize, u64)) -> (usize, u64) {
    let (length, cost) = rest(&text[first.len_utf8()..]);
    (first.len_utf8() + length, cost)
}

/// Reads letters up to a capital after a small letter, as in `camelCase`.
fn word(text: &str) -> (usize, u64) {
    let (mut letters, mut capitals, mut cost) = (0, 0, TOKEN);
    let mut before: Option<char> = None;
    let mut length = text.len();
    for (at, letter) in text.char_indices() {
        let class = CharClass::of(letter);
        let is_capital = letter.is_uppercase();
        let begins_word = is_capital && before.is_some_and(|before| !before.is_uppercase());
        if !class.is_letter() || begins_word {
            length = at;
            break;
        }
        cost += match (class, before) {
            (CharClass::Letter(cost), None) => u64::from(cost).saturating_sub(TOKEN),
            (CharClass::Letter(cost), Some(_)) => u64::from(cost),
            (_, Some(before)) if CharClass::of(before) == CharClass::Letter(VIETNAMESE) => 0,
            (_, Some(before)) => pair(before, letter),
            _ => 0,
        };
        before = Some(letter);
        letters += 1;
        capitals += u64::from(is_capital);
    }
    if capitals > 1 {
        cost += CAPITALS * (letters - 1);
    }
    (length, cost)
}

/// Returns the cost of a Latin letter after another letter.
fn pair(before: char, letter: char) -> u64 {
    let index = |letter: char| match letter.to_ascii_lowercase() {
        letter @ 'a'..='z' => letter as usize - 'a' as usize,
        _ => ACCENTED,
    };
    match PAIRS[index(before) * PAIRS_ROW + index(letter)] {
        digit @ b'0'..=b'9' => u64::from(digit - b'0'),
        digit => u64::from(digit - b'a') + 10,
    }
}

/// Reads symbols, then line ends and slashes.
fn symbols(text: &str) -> (usize, u64) {
    let mut cost = 0;
    let mut before = None;
    let mut length = text.len();
    for (position, (at, symbol)) in text.char_indices().enumerate() {
        let CharClass::Symbol(own) = CharClass::of(symbol) else {
            length = at;
            break;
        };
        // Pictures do not merge with their like.
        let is_repeated = before == Some(symbol) && symbol < '\u{2600}';
        cost += match position {
            0 => TOKEN.max(u64::from(own)),
            _ if is_repeated => REPEATED_SYMBOL,
            1 if own == 0 => 0,
            _ => SYMBOL.max(u64::from(own)),
        };
        before = Some(symbol);
    }
    let rest = &text[length..];
    let ends = rest.len() - rest.trim_start_matches(['\r', '\n', '/']).len();
    (length + ends, cost + TOKEN * (ends / RUN) as u64)
}

/// Reads white space up to its last line end; without one, all but the last character, which belongs to the next piece.
fn space(text: &str) -> (usize, u64) {
    let end = text.find(|character: char| !character.is_whitespace());
    let space = &text[..end.unwrap_or(text.len())];
    let last = space.chars().next_back().map_or(0, char::len_utf8);
    let length = match space.rfind(is_line_end) {
        Some(at) => at + 1,
        None if end.is_none() || last == space.len() => space.len(),
        None => space.len() - last,
    };
    (length, TOKEN * (1 + length / RUN) as u64)
}

fn is_line_end(character: char) -> bool {
    matches!(character, '\r' | '\n')
}

impl CharClass {
    fn of(character: char) -> Self {
        match character {
            'a'..='z' | 'A'..='Z' => Self::Latin,
            '0'..='9' => Self::Digit,
            '\0'..='\u{7f}' if character.is_whitespace() => Self::Space,
            '\0'..='\u{7f}' => Self::Symbol(0),
            _ if character.is_whitespace() => Self::Space,
            _ => {
                let after = BLOCKS.partition_point(|(start, _)| *start <= u32::from(character));
                BLOCKS[after - 1].1
            }
        }
    }

    fn is_letter(self) -> bool {
        matches!(self, Self::Latin | Self::Letter(_))
    }
}
