//! Finds the typed words elsewhere in the session: one pass over tool output, files and injected text. Only the
//! person's typed words and the candidates' own are looked up, so memory use stays small however long the session is.

use std::collections::{HashMap, HashSet};

use super::filter::{HashFilter, WordStarts};
use super::lookalike::without_disguises;
use super::shingles::{
    LETTER, MARK, SEPARATOR, SHINGLE, ShingleWindow, ascii_word, class, each_word, is_plain_ascii,
    line_body, rows,
};
use super::terms::{ContentTerm, plain, stem, terms, trimmed_name};

/// Number of words within which those of a sentence count as one statement.
const WINDOW: u64 = 40;

/// Maximum number of words whose keys are cached.
const MOST_FORMS: usize = 1 << 16;

/// First positions of a shingle of typed words elsewhere.
#[derive(Debug, Default, Clone, Copy)]
struct ShinglePositions {
    before: Option<usize>,
    tool: Option<usize>,
    call: Option<usize>,
}

/// A sentence of a candidate, searched by its content words.
#[derive(Debug, Clone)]
struct SentenceProbe {
    keys: Vec<String>,
    last: Vec<u64>,
    /// Largest part of it that the agent itself has put into a tool call so far.
    called: u32,
    hits: Vec<SentenceHit>,
}

/// A passage that contains some of a sentence's words.
#[derive(Debug, Clone)]
pub(super) struct SentenceHit {
    pub(super) place: usize,
    pub(super) share: f64,
    pub(super) keys: Vec<String>,
}

/// Speaker of a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PassageSource {
    /// Output of a tool, a file, a page.
    Tool,
    /// Injected text, a compaction, a pasted part of a message.
    Injected,
    /// Input that the agent passes to a tool.
    Call,
}

#[derive(Debug, Default)]
pub(super) struct Echo {
    rows: HashMap<u64, ShinglePositions>,
    /// Prefilter for shingles: most tool output is not wanted.
    row_bits: HashFilter,
    probes: Vec<SentenceProbe>,
    /// Probes by their sentences.
    known: HashMap<String, usize>,
    /// Probes, with positions in them, by the words they look for.
    wanted: HashMap<String, Vec<(usize, usize)>>,
    /// Beginnings of wanted words.
    starts: WordStarts,
    /// Words that begin like a wanted one, each with its wanted keys. A cache: a session repeats its words.
    forms: HashMap<String, Vec<String>>,
    /// First position of a wanted word in text of others.
    first: HashMap<String, usize>,
    step: u64,
}

impl Echo {
    /// Registers the shingles of a text that a person typed.
    pub(super) fn look_for_rows(&mut self, text: &str) {
        for row in rows(text) {
            self.rows.entry(row).or_default();
            self.row_bits.insert(row);
        }
    }

    /// Registers the content words of a sentence.
    pub(super) fn look_for_sentence(&mut self, sentence: &str) {
        if self.known.contains_key(sentence) {
            return;
        }
        let number = self.probes.len();
        let keys = distinct(&terms(sentence));
        for (index, key) in keys.iter().enumerate() {
            let found = self.wanted.entry(key.clone()).or_default();
            found.push((number, index));
            self.starts.insert(key);
        }
        self.forms.clear();
        let last = vec![0; keys.len()];
        let probe = SentenceProbe {
            keys,
            last,
            called: 0,
            hits: Vec::new(),
        };
        self.probes.push(probe);
        self.known.insert(sentence.to_owned(), number);
    }

    /// Reads a passage at a position of the trace.
    pub(super) fn read(&mut self, text: &str, place: usize, source: PassageSource) {
        if self.rows.is_empty() && self.wanted.is_empty() {
            return;
        }
        // Keeps passages apart.
        self.step += WINDOW + 1;
        let mut row = ShingleWindow::default();
        let is_plain = is_plain_ascii(text);
        for line in text.lines() {
            if is_plain || is_plain_ascii(line) {
                self.ascii_line(line_body(line).as_bytes(), &mut row, place, source);
                continue;
            }
            let line = plain(line);
            for line in without_disguises(&line).lines() {
                self.line(line_body(line), &mut row, place, source);
            }
        }
    }

    /// Reads an ASCII line, the common case in tool output, in one pass over its bytes.
    fn ascii_line(
        &mut self,
        line: &[u8],
        row: &mut ShingleWindow,
        place: usize,
        source: PassageSource,
    ) {
        let mut at = 0;
        while at < line.len() {
            if class(line[at]) == SEPARATOR {
                at += 1;
                continue;
            }
            self.step += 1;
            let start = at;
            let (mut parts, mut is_marked) = (0, false);
            while at < line.len() {
                match class(line[at]) {
                    SEPARATOR => break,
                    LETTER => {
                        let (end, hash) = ascii_word(line, at);
                        parts += 1;
                        if let Some(found) = row.push(hash) {
                            self.row(found, place, source);
                        }
                        let word = &line[at..end];
                        at = end;
                        if self.starts.begins(word)
                            && let Ok(word) = str::from_utf8(word)
                        {
                            self.form(word, place, source);
                        }
                        continue;
                    }
                    MARK => is_marked = true,
                    _ => {}
                }
                at += 1;
            }
            if is_marked && let Ok(token) = str::from_utf8(&line[start..at]) {
                self.name(token, place, source);
            }
            self.step += u64::from(parts > 1);
        }
    }

    /// Reads a line with any characters.
    fn line(&mut self, line: &str, row: &mut ShingleWindow, place: usize, source: PassageSource) {
        each_word(line, |hash| {
            if let Some(found) = row.push(hash) {
                self.row(found, place, source);
            }
        });
        for token in line.split(|one: char| {
            one.is_whitespace() || one.is_ascii() && class(one as u8) == SEPARATOR
        }) {
            self.token(token, place, source);
        }
    }

    fn row(&mut self, row: u64, place: usize, source: PassageSource) {
        if self.row_bits.may_hold(row)
            && let Some(seen) = self.rows.get_mut(&row)
        {
            let first = match source {
                PassageSource::Tool => &mut seen.tool,
                PassageSource::Injected => &mut seen.before,
                PassageSource::Call => &mut seen.call,
            };
            first.get_or_insert(place);
        }
    }

    fn token(&mut self, token: &str, place: usize, source: PassageSource) {
        if token.is_empty() {
            return;
        }
        self.step += 1;
        if token.chars().any(acreta_text::is_unspaced) {
            let letters: Vec<char> = token.chars().collect();
            for pair in letters.windows(2) {
                self.step += 1;
                if self.starts.has(pair[0], Some(pair[1])) {
                    self.found(&pair.iter().collect::<String>(), place, source);
                }
            }
        }
        if token.bytes().any(|byte| class(byte) == MARK) {
            self.name(token, place, source);
        }
        let mut parts = 0;
        for part in token
            .split(|one: char| !one.is_alphanumeric())
            .filter(|part| !part.is_empty())
        {
            parts += 1;
            let mut letters = part.chars().flat_map(char::to_lowercase);
            if let Some(first) = letters.next()
                && (!first.is_ascii() || self.starts.has(first, letters.next()))
            {
                self.form(part, place, source);
            }
        }
        self.step += u64::from(parts > 1);
    }

    /// Reads a token with marks in it: a path, a host, an identifier.
    fn name(&mut self, token: &str, place: usize, source: PassageSource) {
        let trimmed = trimmed_name(token);
        if trimmed.is_ascii() && !self.starts.may_begin_name(trimmed) {
            return;
        }
        let name = trimmed.to_lowercase();
        self.found(&name, place, source);
        if let Some((host, _)) = name.split_once('/') {
            self.found(host, place, source);
        }
    }

    /// Reads a word that begins like a wanted one.
    fn form(&mut self, word: &str, place: usize, source: PassageSource) {
        if let Some(keys) = self.forms.get(word) {
            for key in keys.clone() {
                self.found(&key, place, source);
            }
            return;
        }
        let lower = word.to_lowercase();
        let key = stem(&lower);
        let mut keys = vec![lower, key];
        keys.dedup();
        keys.retain(|key| self.wanted.contains_key(key));
        for key in &keys {
            self.found(key, place, source);
        }
        if self.forms.len() < MOST_FORMS {
            self.forms.insert(word.to_owned(), keys);
        }
    }

    fn found(&mut self, key: &str, place: usize, source: PassageSource) {
        let Some(wanted) = self.wanted.get(key) else {
            return;
        };
        if source != PassageSource::Call && !self.first.contains_key(key) {
            self.first.insert(key.to_owned(), place);
        }
        for (number, index) in wanted {
            let probe = &mut self.probes[*number];
            probe.last[*index] = self.step;
            let least = self.step.saturating_sub(WINDOW).max(1);
            let count = probe.last.iter().filter(|last| **last >= least).count() as u32;
            if source == PassageSource::Call {
                probe.called = probe.called.max(count);
                continue;
            }
            let most = probe.hits.last().map_or(0, |hit| {
                (hit.share * probe.keys.len() as f64).round() as u32
            });
            if count > probe.called && count > most && count > 1 {
                let near = probe
                    .last
                    .iter()
                    .zip(&probe.keys)
                    .filter(|(last, _)| **last >= least);
                let hit = SentenceHit {
                    place,
                    share: f64::from(count) / probe.keys.len() as f64,
                    keys: near.map(|(_, key)| key.clone()).collect(),
                };
                probe.hits.push(hit);
            }
        }
    }

    /// Returns the first position of a candidate's word in text of others.
    pub(super) fn first(&self, key: &str) -> Option<usize> {
        self.first.get(key).copied()
    }

    /// Returns passages with increasing parts of a sentence, in trace order.
    pub(super) fn hits(&self, sentence: &str) -> &[SentenceHit] {
        self.known
            .get(sentence)
            .map_or(&[], |number| &self.probes[*number].hits)
    }

    /// Reports whether most of a text typed at a position occurs contiguously elsewhere. Text that tools show later is
    /// the person's own if the agent wrote it there in between, and so is text that programs inject later.
    pub(super) fn is_elsewhere(&self, text: &str, place: usize) -> bool {
        let rows = rows(text);
        if rows.is_empty() {
            return false;
        }
        let mut covered = vec![false; rows.len() + SHINGLE - 1];
        for (index, row) in rows.iter().enumerate() {
            let seen = self.rows.get(row).copied().unwrap_or_default();
            let before = |at: Option<usize>| at.is_some_and(|at| at < place);
            let own = seen
                .call
                .is_some_and(|call| call > place && seen.tool.is_some_and(|tool| tool > call));
            if before(seen.before) || before(seen.tool) || seen.tool.is_some() && !own {
                covered[index..index + SHINGLE].fill(true);
            }
        }
        let shared = covered.iter().filter(|one| **one).count();
        shared * 10 >= covered.len() * 6
    }
}

/// Returns the distinct keys, in order.
pub(super) fn distinct(terms: &[ContentTerm]) -> Vec<String> {
    let mut seen = HashSet::new();
    let keys = terms.iter().map(|term| term.key.clone());
    keys.filter(|key| seen.insert(key.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_the_same_beside_other_letters() {
        let typed = "Two three-four FIVE six7 eight";
        let sentence = "The retry_budget of src/net.rs is connected to Redis.";
        let output = |mark: &str| {
            format!(
                "  12: one Two three-four FIVE six7{mark}\n+ eight{mark}\nsee `src/net.rs`:4 RETRY_BUDGET redis connecting{mark}\n"
            )
        };
        let heard = |text: &str| {
            let mut echo = Echo::default();
            echo.look_for_rows(typed);
            echo.look_for_sentence(sentence);
            echo.read(text, 3, PassageSource::Tool);
            let share = echo.hits(sentence).last().map(|hit| hit.share);
            (echo.is_elsewhere(typed, 5), share, echo.first)
        };
        // A mark that is not a letter disables the fast path for the line.
        let (ascii, marked) = (heard(&output("")), heard(&output(" …")));
        assert_eq!(ascii, marked);
        assert!(
            ascii.0 && ascii.1.is_some_and(|share| share > 0.9),
            "{ascii:?}"
        );
    }
}
