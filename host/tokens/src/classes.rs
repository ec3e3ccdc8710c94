//! Character classes by which o200k splits text.

/// Class of a character; every character is in exactly one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CharClass {
    /// Upper and title case letters.
    Upper,
    Lower,
    /// Modifier letters, and letters of scripts without case.
    Caseless,
    Mark,
    Number,
    Space,
    Other,
}

include!(concat!(env!("OUT_DIR"), "/classes.rs"));

impl CharClass {
    pub(crate) fn of(character: char) -> Self {
        match character {
            'a'..='z' => return Self::Lower,
            'A'..='Z' => return Self::Upper,
            '0'..='9' => return Self::Number,
            ' ' | '\t'..='\r' => return Self::Space,
            '\0'..='\u{7f}' => return Self::Other,
            _ => {}
        }
        let after = RANGES.partition_point(|(start, ..)| *start <= character);
        match after.checked_sub(1).map(|at| RANGES[at]) {
            Some((_, end, class)) if character <= end => class,
            _ => Self::Other,
        }
    }

    pub(crate) fn is_letter(self) -> bool {
        matches!(self, Self::Upper | Self::Lower | Self::Caseless)
    }

    /// Reports whether it may be in the first part of a word, before its first lower-case letter.
    pub(crate) fn begins_word(self) -> bool {
        matches!(self, Self::Upper | Self::Caseless | Self::Mark)
    }

    /// Reports whether it may be in the second part of a word.
    pub(crate) fn ends_word(self) -> bool {
        matches!(self, Self::Lower | Self::Caseless | Self::Mark)
    }
}
