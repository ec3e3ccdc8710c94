//! Splits text into words with their spelling and the punctuation before them. Assigns no meaning; accepts every text.

/// Separation of a word from the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Gap {
    Space,
    Comma,
    /// A colon, semicolon, bracket or dash.
    Clause,
    Sentence,
}

/// Spelling class of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WordLook {
    Word,
    Number,
    /// An identifier, path, flag, acronym, or anything in backticks.
    Name,
}

/// One word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ScannedWord {
    /// Lower case, without surrounding punctuation.
    pub(crate) text: String,
    pub(crate) look: WordLook,
    pub(crate) gap: Gap,
    /// Pieces of a name: `retryBudget` and `retry_budget` are `retry`, `budget`. Empty for a plain word.
    pub(crate) parts: Vec<String>,
}

/// Returns the words of a text in order.
pub(crate) fn scan(text: &str) -> Vec<ScannedWord> {
    let mut words = Vec::new();
    let mut gap = Gap::Sentence;
    let mut in_backticks = false;
    for (position, piece) in text.split('`').enumerate() {
        if position > 0 {
            in_backticks = !in_backticks;
        }
        let mut rest = piece;
        while let Some(start) = rest.find(|character: char| !character.is_whitespace()) {
            if rest[..start].contains('\n') {
                gap = gap.max(Gap::Sentence);
            }
            let chunk = &rest[start..];
            let length = chunk.find(char::is_whitespace).unwrap_or(chunk.len());
            gap = chunk_words(&chunk[..length], in_backticks, gap, &mut words);
            rest = &chunk[length..];
        }
    }
    words
}

/// Reads one chunk without spaces and returns the gap that follows it.
fn chunk_words(chunk: &str, in_backticks: bool, mut gap: Gap, words: &mut Vec<ScannedWord>) -> Gap {
    let is_core = |character: char| character.is_alphanumeric() || character == '_';
    let Some(start) = chunk.find(is_core) else {
        return gap.max(gap_of(chunk, true));
    };
    let end = chunk.rfind(is_core).map_or(chunk.len(), |at| {
        at + chunk[at..].chars().next().map_or(1, char::len_utf8)
    });
    gap = gap.max(gap_of(&chunk[..start], false));
    let core = &chunk[start..end];
    let flag = chunk[..start].ends_with('-') && !chunk[..start].ends_with(' ');
    let hidden_file = chunk[..start].ends_with('.');
    let mut pieces = core
        .split(['=', '+', '|', '→', '…', '—', '–'])
        .filter(|piece| !piece.is_empty());
    if let Some(first) = pieces.next() {
        let named = in_backticks || flag || hidden_file;
        push_word(first, named, gap, words);
        for piece in pieces {
            push_word(piece, named, Gap::Space, words);
        }
        gap = Gap::Space;
    }
    gap.max(gap_of(&chunk[end..], true))
}

fn push_word(piece: &str, named: bool, gap: Gap, words: &mut Vec<ScannedWord>) {
    let piece =
        piece.trim_matches(|character: char| !character.is_alphanumeric() && character != '_');
    if piece.is_empty() {
        return;
    }
    if let Some((digits, unit)) = number(piece) {
        words.push(ScannedWord {
            text: digits.to_lowercase(),
            look: WordLook::Number,
            gap,
            parts: Vec::new(),
        });
        if !unit.is_empty() {
            words.push(ScannedWord {
                text: unit.to_lowercase(),
                look: WordLook::Word,
                gap: Gap::Space,
                parts: Vec::new(),
            });
        }
        return;
    }
    let plain_hyphens = !named
        && piece.contains('-')
        && piece
            .split('-')
            .all(|part| part.chars().all(char::is_alphabetic))
        && piece
            .chars()
            .skip(1)
            .all(|character| !character.is_uppercase());
    let particle = piece
        .rsplit('-')
        .next()
        .is_some_and(|last| matches!(last, "in" | "out" | "on" | "off"));
    if plain_hyphens && !particle {
        let mut gap = gap;
        for part in piece.split('-').filter(|part| !part.is_empty()) {
            words.push(ScannedWord {
                text: part.to_lowercase(),
                look: WordLook::Word,
                gap,
                parts: Vec::new(),
            });
            gap = Gap::Space;
        }
        return;
    }
    let contraction = piece.contains(['\'', '’']) && !named;
    if contraction {
        let text = piece.to_lowercase().replace('’', "'");
        let text = text.strip_suffix("'s").unwrap_or(&text).to_owned();
        words.push(ScannedWord {
            text,
            look: WordLook::Word,
            gap,
            parts: Vec::new(),
        });
        return;
    }
    let is_plain = piece.bytes().skip(1).all(|byte| byte.is_ascii_lowercase());
    let parts = if is_plain { Vec::new() } else { parts(piece) };
    let capital_inside = gap != Gap::Sentence && piece.starts_with(char::is_uppercase);
    let upper_later = piece.chars().skip(1).any(char::is_uppercase);
    let joined = parts.len() > 1 || piece.chars().any(|character| character.is_ascii_digit());
    let look = if named || capital_inside || upper_later || joined {
        WordLook::Name
    } else {
        WordLook::Word
    };
    words.push(ScannedWord {
        text: piece.to_lowercase(),
        look,
        gap,
        parts,
    });
}

/// Splits a number or version from its unit: `30s` is `30` and `s`.
fn number(piece: &str) -> Option<(&str, &str)> {
    let digits = piece
        .strip_prefix(['v', 'V'])
        .filter(|rest| rest.starts_with(|character: char| character.is_ascii_digit()))
        .unwrap_or(piece);
    let end = digits
        .find(|character: char| {
            !character.is_ascii_digit() && !matches!(character, '.' | ',' | '_' | 'x' | ':')
        })
        .unwrap_or(digits.len());
    let (value, unit) = digits.split_at(end);
    let starts_well = value.starts_with(|character: char| character.is_ascii_digit());
    let plain_unit = unit.len() <= 4 && unit.chars().all(char::is_alphabetic);
    (starts_well && plain_unit && !value.contains('x')).then_some((value, unit))
}

/// Splits an identifier or path at punctuation and where lower case meets upper case.
fn parts(piece: &str) -> Vec<String> {
    let mut parts = Vec::new();
    for run in piece.split(|character: char| !character.is_alphanumeric()) {
        let all_upper = run.chars().all(|character| !character.is_lowercase());
        let mut start = 0;
        let mut before_lower = false;
        for (at, character) in run.char_indices() {
            if character.is_uppercase() && before_lower && !all_upper && at > start {
                parts.push(run[start..at].to_lowercase());
                start = at;
            }
            before_lower = character.is_lowercase() || character.is_ascii_digit();
        }
        if start < run.len() {
            parts.push(run[start..].to_lowercase());
        }
    }
    parts
}

/// Returns the gap for punctuation; a bare dash between words separates, one before a word is a flag.
fn gap_of(punctuation: &str, dash_separates: bool) -> Gap {
    punctuation
        .chars()
        .map(|character| match character {
            '.' | '!' | '?' if dash_separates => Gap::Sentence,
            ',' => Gap::Comma,
            ';' | ':' | '—' | '–' | '→' => Gap::Clause,
            '-' if dash_separates => Gap::Clause,
            _ => Gap::Space,
        })
        .max()
        .unwrap_or(Gap::Space)
}
