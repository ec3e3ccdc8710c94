//! Hashes of words and of shingles (consecutive words), which find the same words again regardless of line breaks,
//! punctuation and case.

/// Number of consecutive words that two texts do not share by chance.
pub(super) const SHINGLE: usize = 5;

/// Returns a line without its number, file name and marks of a diff or list.
pub(super) fn line_body(line: &str) -> &str {
    let line = line.trim_start();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = line[digits..].trim_start_matches(' ');
    if digits > 0 && rest.starts_with(['→', '\t', '|', ':']) {
        return rest[rest.chars().next().map_or(0, char::len_utf8)..].trim_start();
    }
    line.trim_start_matches(['+', '-', '>', '*', '#', ' '])
}

/// Classes of bytes.
pub(super) const LETTER: u8 = 1;
pub(super) const SEPARATOR: u8 = 2;
pub(super) const MARK: u8 = 3;

const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        let one = byte as u8;
        classes[byte] = match one {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => SEPARATOR,
            b'"' | b'`' | b'(' | b')' | b'[' | b']' | b'<' | b'>' | b',' | b'|' => SEPARATOR,
            b'/' | b'.' | b':' | b'_' | b'@' | b'=' => MARK,
            _ if one.is_ascii_alphanumeric() => LETTER,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

pub(super) fn class(byte: u8) -> u8 {
    CLASSES[usize::from(byte)]
}

/// The lower-case form of letters and digits; zero for any other byte.
const SMALL: [u8; 256] = {
    let mut small = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        let one = byte as u8;
        if one.is_ascii_alphanumeric() {
            small[byte] = one.to_ascii_lowercase();
        }
        byte += 1;
    }
    small
};

/// Returns the end and the hash of the word that begins at a position of an ASCII line.
pub(super) fn ascii_word(line: &[u8], from: usize) -> (usize, u64) {
    let mut hash = OFFSET;
    for (at, byte) in line[from..].iter().enumerate() {
        let small = SMALL[usize::from(*byte)];
        if small == 0 {
            return (from + at, hash);
        }
        hash = mix(hash, u64::from(small));
    }
    (line.len(), hash)
}

/// Reports whether a text needs no normalisation.
pub(super) fn is_plain_ascii(text: &str) -> bool {
    let is_plain = |byte: u8| (b' '..=b'~').contains(&byte) | (byte == b'\n') | (byte == b'\t');
    // Without an early exit the compiler vectorises the loop.
    text.as_bytes().chunks(256).all(|chunk| {
        chunk
            .iter()
            .fold(true, |plain, byte| plain & is_plain(*byte))
    })
}

/// The last words read, up to a full shingle.
#[derive(Default)]
pub(super) struct ShingleWindow {
    words: [u64; SHINGLE],
    count: usize,
}

impl ShingleWindow {
    /// Adds a word; returns the hash of the shingle that ends with it.
    pub(super) fn push(&mut self, word: u64) -> Option<u64> {
        self.words.copy_within(1.., 0);
        self.words[SHINGLE - 1] = word;
        self.count += 1;
        (self.count >= SHINGLE).then(|| {
            self.words
                .iter()
                .fold(OFFSET, |hash, word| mix(hash, *word))
        })
    }
}

/// Returns hashes of the shingles of a text, regardless of line breaks, punctuation and case.
pub(super) fn rows(text: &str) -> Vec<u64> {
    let mut row = ShingleWindow::default();
    let mut found = Vec::new();
    for line in text.lines() {
        each_word(line_body(line), |hash| found.extend(row.push(hash)));
    }
    found
}

/// Calls `take` with the hash of each word of a line. A character of a script without blanks is a word.
pub(super) fn each_word(line: &str, mut take: impl FnMut(u64)) {
    let mut hash = OFFSET;
    let mut is_open = false;
    for character in line.chars().flat_map(char::to_lowercase) {
        let unspaced = acreta_text::is_unspaced(character);
        if (unspaced || !character.is_alphanumeric()) && is_open {
            take(hash);
            (hash, is_open) = (OFFSET, false);
        }
        if unspaced {
            take(mix(OFFSET, u64::from(character as u32)));
        } else if character.is_alphanumeric() {
            hash = mix(hash, u64::from(character as u32));
            is_open = true;
        }
    }
    if is_open {
        take(hash);
    }
}

/// FNV-1a.
pub(super) const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;

pub(super) fn mix(hash: u64, value: u64) -> u64 {
    (hash ^ value).wrapping_mul(0x0100_0000_01b3)
}
