//! Redacts text of any length piece by piece. A piece ends only where a cut does not change the result of redaction, so
//! the pieces together equal the redaction of the whole text, without the secrets of earlier pieces that are repeated.

use acreta_redact::{Counts, Redactor, SeenSecrets};

/// Approximate length of a piece; a shorter line is not cut.
const PIECE: usize = 1024 * 1024;

/// Distance around a cut that is searched for secrets; only key blocks are longer.
const OVERLAP: usize = 16 * 1024;

/// Distance that is searched backwards for the start of a key block.
const BLOCK: usize = 64 * 1024;

/// Number of cut positions of each kind that are tried.
const TRIES: usize = 32;

/// Accepts bytes incrementally and returns redacted text.
#[derive(Debug)]
pub(super) struct RedactionPieces<'a> {
    redactor: &'a Redactor,
    counts: Counts,
    seen: SeenSecrets,
    text: String,
    /// Start of an incomplete UTF-8 character.
    partial: Vec<u8>,
    inside: Inside,
}

/// Kind of secret that the last cut split, whose rest must not appear in the text that follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    Nothing,
    /// A secret of characters without any gap.
    Token,
    /// The body of a private key.
    Block,
}

impl<'a> RedactionPieces<'a> {
    pub(super) fn new(redactor: &'a Redactor) -> Self {
        Self {
            redactor,
            counts: Counts::default(),
            seen: SeenSecrets::default(),
            text: String::with_capacity(PIECE + PIECE / 4),
            partial: Vec::new(),
            inside: Inside::Nothing,
        }
    }

    /// Adds bytes; passes on the text that is redacted by then. Only bytes that are not UTF-8 are replaced.
    pub(super) fn push<E>(
        &mut self,
        bytes: &[u8],
        sink: &mut impl FnMut(&str) -> Result<(), E>,
    ) -> Result<(), E> {
        self.decode(bytes);
        self.skip_inside();
        while self.text.len() >= PIECE + OVERLAP {
            self.cut(sink)?;
        }
        Ok(())
    }

    /// Passes on the rest and returns the number of secrets.
    pub(super) fn finish<E>(
        mut self,
        sink: &mut impl FnMut(&str) -> Result<(), E>,
    ) -> Result<Counts, E> {
        if !self.partial.is_empty() {
            self.text.push(char::REPLACEMENT_CHARACTER);
        }
        let clean = (self.seen).redact(self.redactor, &self.text, &mut self.counts);
        sink(&clean)?;
        drop(clean);
        Ok(self.counts)
    }

    fn decode(&mut self, bytes: &[u8]) {
        let joined;
        let mut rest = if self.partial.is_empty() {
            bytes
        } else {
            joined = [&self.partial, bytes].concat();
            &joined
        };
        self.partial.clear();
        loop {
            let error = match std::str::from_utf8(rest) {
                Ok(text) => return self.text.push_str(text),
                Err(error) => error,
            };
            let (valid, other) = rest.split_at(error.valid_up_to());
            self.text.push_str(&String::from_utf8_lossy(valid));
            let Some(invalid) = error.error_len() else {
                return self.partial.extend_from_slice(other);
            };
            self.text.push(char::REPLACEMENT_CHARACTER);
            rest = &other[invalid..];
        }
    }

    /// Passes on one piece and keeps the rest.
    fn cut<E>(&mut self, sink: &mut impl FnMut(&str) -> Result<(), E>) -> Result<(), E> {
        let end = self.text.floor_char_boundary(self.text.len() - OVERLAP);
        let place = places(&self.text[..end])
            .map(|at| block_start(&self.text[..at]).unwrap_or(at))
            .find(|at| *at > 0 && self.cuts_nothing(*at));
        let Some(at) = place else {
            // Adversarial input without a safe cut: drop it rather than leak part of a secret.
            sink("[redacted:uncut]")?;
            self.text.drain(..end);
            self.inside = Inside::Token;
            self.skip_inside();
            return Ok(());
        };
        let piece = &self.text[..at];
        let clean = self.seen.note(self.redactor, piece, &mut self.counts);
        self.inside = Inside::at_end(piece, &clean);
        sink(&self.seen.remove(&clean, &mut self.counts))?;
        drop(clean);
        self.text.drain(..at);
        self.skip_inside();
        Ok(())
    }

    /// Returns true if both sides of a cut, redacted separately, equal their joint redaction.
    fn cuts_nothing(&self, at: usize) -> bool {
        let start = self.text.floor_char_boundary(at.saturating_sub(OVERLAP));
        let end = self.text.floor_char_boundary(at + OVERLAP);
        let redacted = |from, to| self.redactor.redact(&self.text[from..to]).text;
        let (left, right) = (redacted(start, at), redacted(at, end));
        let both = redacted(start, end);
        both.len() == left.len() + right.len()
            && both.starts_with(&*left)
            && both.ends_with(&*right)
    }

    /// Drops the rest of a secret that the last cut split.
    fn skip_inside(&mut self) {
        let belongs: fn(char) -> bool = match self.inside {
            Inside::Nothing => return,
            Inside::Token => is_token,
            Inside::Block => is_block,
        };
        match self.text.find(|character| !belongs(character)) {
            Some(at) => {
                self.text.drain(..at);
                self.inside = Inside::Nothing;
            }
            None => self.text.clear(),
        }
    }
}

impl Inside {
    /// Returns what a piece ends within. Only secrets longer than the searched distance get that far.
    fn at_end(piece: &str, clean: &str) -> Self {
        if clean.ends_with(']') && piece.ends_with(is_token) {
            return Inside::Token;
        }
        let is_key = clean
            .trim_end_matches(|character| is_block(character) && !is_token(character))
            .ends_with("[redacted:private-key]");
        if is_key && is_open_block(piece) {
            Inside::Block
        } else {
            Inside::Nothing
        }
    }
}

/// Returns positions to cut a text at, best first: ends of lines, gaps between words and values, anything.
fn places(text: &str) -> impl Iterator<Item = usize> + '_ {
    let lines = text.rmatch_indices('\n').map(|(at, _)| at + 1).take(TRIES);
    let gaps = text
        .rmatch_indices(|character| !is_token(character))
        .map(|(at, gap)| at + gap.len())
        .step_by(8)
        .take(TRIES);
    let anything = (0..TRIES).map(|number| {
        let at = text.floor_char_boundary(text.len().saturating_sub(number * OVERLAP / 8));
        whole_groups(text, at)
    });
    lines.chain(gaps).chain(anything)
}

/// Returns the last position up to `at` that is a multiple of four from the start of its run, so that base64 on both
/// sides still decodes.
fn whole_groups(text: &str, at: usize) -> usize {
    let start = text[..at].rfind(|character| !is_token(character));
    let start = start.map_or(0, |gap| text.ceil_char_boundary(gap + 1));
    at - (at - start) % 4
}

/// Returns the start of the key block that is open at the end of a text.
fn block_start(text: &str) -> Option<usize> {
    let from = text.floor_char_boundary(text.len().saturating_sub(BLOCK));
    let start = from + text[from..].rfind(BEGIN)?;
    is_open_block(&text[start..]).then_some(start)
}

fn is_open_block(text: &str) -> bool {
    text.rfind(BEGIN)
        .is_some_and(|start| !text[start..].contains("-----END"))
}

const BEGIN: &str = "-----BEGIN";

/// Returns true for characters of a secret of any length.
fn is_token(character: char) -> bool {
    character.is_ascii_alphanumeric() || "._~+/=-".contains(character)
}

/// Returns true for characters of key lines and of what may stand between them.
fn is_block(character: char) -> bool {
    character.is_ascii_alphanumeric() || " \t\r\n\"'+,/:=\\|>→*#".contains(character)
}
