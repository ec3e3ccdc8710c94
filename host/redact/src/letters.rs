//! Properties of a value's characters: their kinds, the changes between kinds, their randomness.

/// Returns bits per byte, 0 to 8.
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

/// Reports whether lower case, upper case and digits alternate as in random text: almost half of the neighbours in a
/// random token differ in kind, in `camelCase2` and `snake_case_name` few do. An upper-case letter before a lower-case
/// one is not a change, or every capitalised word would have one. Names do not have digits in several places either, so
/// then fewer changes suffice.
pub(crate) fn alternates(value: &str) -> bool {
    let kinds: Vec<CharacterKind> = value.bytes().filter_map(CharacterKind::of).collect();
    let pairs = kinds.len().saturating_sub(1);
    let mut changes = 0;
    let mut numbers = usize::from(kinds.first() == Some(&CharacterKind::Digit));
    for pair in kinds.windows(2) {
        changes += usize::from(
            pair[0] != pair[1] && *pair != [CharacterKind::Capital, CharacterKind::Small],
        );
        numbers += usize::from(pair[0] != CharacterKind::Digit && pair[1] == CharacterKind::Digit);
    }
    pairs > 0 && (changes * 4 >= pairs || (numbers >= 3 && changes * 6 >= pairs))
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum CharacterKind {
    Small,
    Capital,
    Digit,
}

impl CharacterKind {
    pub(crate) fn of(byte: u8) -> Option<Self> {
        match byte {
            b'a'..=b'z' => Some(CharacterKind::Small),
            b'A'..=b'Z' => Some(CharacterKind::Capital),
            b'0'..=b'9' => Some(CharacterKind::Digit),
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

/// Reports whether a piece reads as a word: `last`, `The`.
pub(crate) fn is_short_word(piece: &str) -> bool {
    piece.len() < 8
        && piece.bytes().skip(1).all(|byte| byte.is_ascii_lowercase())
        && piece.starts_with(|first: char| first.is_ascii_alphabetic())
}
