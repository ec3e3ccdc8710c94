//! Splits markdown into comparable tokens, in any script, without knowing a word of any language.
//!
//! Two texts have the same tokens if they differ only in case, spacing, sentence punctuation, quotation marks, dashes,
//! hyphens between letters, and markdown (`>`, `#`, list marks, emphasis, backticks). Everything else counts: `C++` is
//! not `C#`, `*.rs` is not `rs`, `1.5` is not `15`, and a question is not a statement. In scripts without spaces each
//! character is a token: `ポートは8080です` is `ポ ー ト は 8080 で す`.

use unicode_normalization::UnicodeNormalization;

/// One word, name, number or, in scripts without spaces, character.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    /// Lower case, composed (NFC).
    pub(crate) text: String,
    pub(crate) mark: Option<Mark>,
}

/// A token that is written like something with an identity of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// An amount, version or time: `8080`, `v1.2`, `22:00`, `30s`.
    Number,
    /// A name, path, identifier or code: `Redis`, `src/main.rs`, `retry_budget`.
    Name,
}

/// Returns the sentences of a markdown text.
pub(crate) fn sentences(text: &str) -> Vec<Vec<Token>> {
    let mut reader = Reader::default();
    for line in text.lines() {
        let (line, starts_block) = without_block_marks(line);
        if starts_block || line.is_empty() {
            reader.end_sentence();
        }
        reader.emphasis = 0;
        for chunk in line.split_whitespace() {
            reader.chunk(&chunk.nfc().collect::<String>());
        }
    }
    reader.end_sentence();
    reader.sentences
}

/// Reports whether the first line with text is a markdown block quote.
pub(crate) fn is_quoted(text: &str) -> bool {
    text.trim_start().starts_with('>')
}

/// Reports whether a script has no spaces between words, or uses them so freely that they tell nothing.
pub(crate) fn is_unspaced(character: char) -> bool {
    acreta_text::is_unspaced(character)
        || matches!(character, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

/// Removes the marks of quotes, headings and lists; the second value says if there was one of the latter two.
fn without_block_marks(line: &str) -> (&str, bool) {
    let mut line = line.trim();
    let mut starts_block = false;
    loop {
        let rest = if let Some(rest) = line.strip_prefix('>') {
            rest
        } else if line.starts_with('#') {
            let rest = line.trim_start_matches('#');
            if !rest.is_empty() && !rest.starts_with(char::is_whitespace) {
                return (line, starts_block);
            }
            starts_block = true;
            rest
        } else if let Some(rest) = ["- ", "* ", "+ "]
            .iter()
            .find_map(|mark| line.strip_prefix(mark))
        {
            starts_block = true;
            rest
        } else {
            return (line, starts_block);
        };
        line = rest.trim_start();
    }
}

#[derive(Default)]
struct Reader {
    sentences: Vec<Vec<Token>>,
    sentence: Vec<Token>,
    /// Inside backticks.
    in_code: bool,
    /// Number of asterisks that opened an emphasis on this line.
    emphasis: usize,
}

impl Reader {
    fn end_sentence(&mut self) {
        if !self.sentence.is_empty() {
            self.sentences.push(std::mem::take(&mut self.sentence));
        }
    }

    fn chunk(&mut self, chunk: &str) {
        let is_code = self.in_code || chunk.contains('`');
        if chunk.matches('`').count() % 2 == 1 {
            self.in_code = !self.in_code;
        }
        let without_ticks = chunk.replace('`', "");
        let (bare, quoted, ends_sentence) = self.bare(&without_ticks);
        if !bare.chars().all(is_dash) {
            self.runs(bare, is_code || quoted);
        }
        if ends_sentence && !self.in_code {
            self.end_sentence();
        }
    }

    /// Removes punctuation around a chunk. Returns the rest, whether it stood in quotation marks, and whether a sentence
    /// ends after it.
    fn bare<'a>(&mut self, chunk: &'a str) -> (&'a str, bool, bool) {
        let mut bare = chunk.trim_start_matches(is_opening);
        let opened = bare.trim_start_matches('*');
        let asterisks = bare.len() - opened.len();
        if asterisks > 0
            && opened.starts_with(|next: char| next.is_alphanumeric() || is_opening(next))
        {
            self.emphasis = asterisks;
            bare = opened.trim_start_matches(is_opening);
        }
        let mut ends_sentence = false;
        loop {
            let before = bare;
            ends_sentence |= bare.ends_with(['.', '!', '?', '。', '！', '？']);
            bare = bare.trim_end_matches(is_closing);
            let closed = bare.trim_end_matches('*');
            if self.emphasis > 0 && bare.len() - closed.len() == self.emphasis {
                self.emphasis = 0;
                bare = closed;
            }
            if bare == before {
                break;
            }
        }
        if let Some(inner) = bare.strip_prefix('_').and_then(|one| one.strip_suffix('_')) {
            bare = inner;
        }
        let unfinished = chunk.trim_end_matches(|one| is_closing(one) && !is_quotation(one));
        let quoted = chunk.starts_with(is_quotation) && unfinished.ends_with(is_quotation);
        (bare, quoted, ends_sentence)
    }

    /// Adds the tokens of a chunk without outer punctuation: single characters of scripts without spaces, and what
    /// stands between them.
    fn runs(&mut self, bare: &str, is_code: bool) {
        let mut start = 0;
        for (at, character) in bare.char_indices() {
            if is_unspaced(character) || is_wide_stop(character) {
                self.word(&bare[start..at], is_code);
                start = at + character.len_utf8();
                if is_wide_stop(character) {
                    if matches!(character, '。' | '！') {
                        self.end_sentence();
                    }
                } else {
                    let text = character.to_string();
                    self.sentence.push(Token { text, mark: None });
                }
            }
        }
        self.word(&bare[start..], is_code);
    }

    /// Adds a word, or the words that hyphens join.
    fn word(&mut self, word: &str, is_code: bool) {
        let is_compound = !word.starts_with(is_dash) && !word.ends_with(is_dash);
        let is_letters =
            |part: &str| !part.is_empty() && part.chars().all(|one| one.is_alphabetic());
        if is_compound && word.contains(is_dash) && word.split(is_dash).all(is_letters) {
            for part in word.split(is_dash) {
                self.push(part, is_code);
            }
        } else if !word.is_empty() {
            self.push(word, is_code);
        }
    }

    fn push(&mut self, word: &str, is_code: bool) {
        let opens_sentence = self.sentence.is_empty();
        let mark = mark(word, opens_sentence, is_code);
        let text = word.to_lowercase().replace('’', "'");
        self.sentence.push(Token { text, mark });
    }
}

fn mark(word: &str, opens_sentence: bool, is_code: bool) -> Option<Mark> {
    let digits = word.trim_start_matches([
        'v', 'V', '$', '€', '£', '~', '±', '+', '-', '≤', '≥', '<', '>',
    ]);
    if digits.starts_with(char::is_numeric) {
        let unit = digits.trim_start_matches(|one: char| {
            one.is_numeric() || matches!(one, '.' | ',' | ':' | '-' | '/' | '_' | '\'')
        });
        if unit.chars().count() <= MAX_UNIT {
            return Some(Mark::Number);
        }
    }
    let mut letters = word.chars();
    let is_capital = letters.next().is_some_and(char::is_uppercase);
    let is_name = is_code
        || (is_capital && !opens_sentence)
        || letters.any(char::is_uppercase)
        || word
            .chars()
            .any(|one| !one.is_alphabetic() && !matches!(one, '\'' | '’' | '?') && !is_dash(one));
    is_name.then_some(Mark::Name)
}

/// Maximum number of characters after the digits of a number: `30min`, `2GiB`, `5%`.
const MAX_UNIT: usize = 3;

fn is_dash(character: char) -> bool {
    matches!(character, '-' | '\u{2010}'..='\u{2015}')
}

fn is_quotation(character: char) -> bool {
    matches!(
        character,
        '"' | '\'' | '\u{2018}'..='\u{201f}' | '«' | '»' | '‹' | '›' | '「' | '」' | '『' | '』'
    )
}

fn is_opening(character: char) -> bool {
    is_quotation(character) || matches!(character, '(' | '[' | '{' | '（' | '【' | '《' | '¿' | '¡')
}

/// Question marks are no closing punctuation: a question is not a statement.
fn is_closing(character: char) -> bool {
    is_quotation(character)
        || matches!(
            character,
            ')' | ']' | '}' | '.' | ',' | ';' | ':' | '!' | '…' | '،' | '؛' | '।' | '۔'
        )
        || is_wide_stop(character)
}

/// Punctuation of scripts without spaces, which may stand inside a chunk.
fn is_wide_stop(character: char) -> bool {
    "。、，；：！．・（）「」『』【】《》".contains(character)
}
