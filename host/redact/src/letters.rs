//! Properties of the characters of a value: their kinds, how often these change, how random they are.

/// Bits per byte, 0 to 8.
pub(crate) fn entropy(value: &str) -> f64 {
    let mut seen = [0_u32; 256];
    for byte in value.bytes() {
        seen[usize::from(byte)] += 1;
    }
    let length = value.len() as f64;
    seen.iter()
        .filter(|count| **count > 0)
        .map(|count| {
            let share = f64::from(*count) / length;
            -share * share.log2()
        })
        .sum()
}

/// Tells whether small letters, capitals and digits change places as in random text: almost half of the
/// neighbours in a random token differ in kind, in `camelCase2` and `snake_case_name` few do.
/// A capital before a small letter is no change, or every capitalised word would have one. Digits in
/// several places are no name either, so fewer changes do.
pub(crate) fn alternates(value: &str) -> bool {
    let kinds: Vec<Kind> = value.bytes().filter_map(Kind::of).collect();
    let pairs = kinds.len().saturating_sub(1);
    let mut changes = 0;
    let mut numbers = usize::from(kinds.first() == Some(&Kind::Digit));
    for pair in kinds.windows(2) {
        changes += usize::from(pair[0] != pair[1] && *pair != [Kind::Capital, Kind::Small]);
        numbers += usize::from(pair[0] != Kind::Digit && pair[1] == Kind::Digit);
    }
    pairs > 0 && (changes * 4 >= pairs || (numbers >= 3 && changes * 6 >= pairs))
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Small,
    Capital,
    Digit,
}

impl Kind {
    pub(crate) fn of(byte: u8) -> Option<Self> {
        match byte {
            b'a'..=b'z' => Some(Kind::Small),
            b'A'..=b'Z' => Some(Kind::Capital),
            b'0'..=b'9' => Some(Kind::Digit),
            _ => None,
        }
    }
}

pub(crate) fn is_uuid(value: &str) -> bool {
    value.len() == 36
        && value.bytes().enumerate().all(|(index, byte)| match index {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Tells whether a piece reads as a word: `last`, `The`.
pub(crate) fn is_short_word(piece: &str) -> bool {
    piece.len() < 8
        && piece.bytes().skip(1).all(|byte| byte.is_ascii_lowercase())
        && piece.starts_with(|first: char| first.is_ascii_alphabetic())
}
