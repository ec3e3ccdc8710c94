//! Finds passages elsewhere in the session: one pass over tool output, injected text and the agent's words. A passage is
//! known by its rows of five words, whatever line breaks, marks and case stand between them; only rows of passages in
//! question are looked up, so memory stays small however long the session is.
//!
//! Example: of "never deploy on a friday after lunch" the rows are "never deploy on a friday", "deploy on a friday
//! after", "on a friday after lunch". A page that says "we never deploy on a friday" has the first, which covers five of
//! the seven words: most of the sentence stands there.
//!
//! A name is one word, however many it is made of: `20260504-we-never-deploy-on-fridays.md` in a listing of files, a branch
//! or an address says nothing. Agents list the files of a project, acreta's among them, and those are named after what the
//! person said.

use std::collections::HashMap;

/// Number of words in a row that two texts do not share by chance.
const ROW: usize = 5;

/// Who has a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// Output of a tool: a file, a page, a log.
    Tool,
    /// Injected text, a compaction, a pasted part of a message.
    Injected,
    /// The agent's own words.
    Agent,
    /// What the agent hands to a tool.
    Call,
}

/// First positions in the trace at which a row occurs, by source.
#[derive(Debug, Default, Clone, Copy)]
struct Sightings {
    tool: Option<usize>,
    injected: Option<usize>,
    agent: Option<usize>,
    call: Option<usize>,
}

/// Rows in question, and where they were seen.
#[derive(Debug)]
pub(super) struct Echo {
    rows: HashMap<u64, Sightings>,
    /// A bit for each row by its lowest bits: nearly all rows of a session are none of them.
    filter: Box<[u64; 1024]>,
}

impl Default for Echo {
    fn default() -> Self {
        Self {
            rows: HashMap::new(),
            filter: Box::new([0; 1024]),
        }
    }
}

impl Echo {
    /// Asks where else a passage stands. Call before [`Echo::read`].
    pub(super) fn look_for(&mut self, passage: &str) {
        for row in rows(passage) {
            self.filter[(row >> 6) as usize % 1024] |= 1 << (row % 64);
            self.rows.entry(row).or_default();
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Reads a text at a position of the trace.
    pub(super) fn read(&mut self, text: &str, place: usize, source: Source) {
        let mut window = Window::default();
        for line in text.lines() {
            each_word(line_body(line), |word| {
                let is_known =
                    |row: &u64| self.filter[(row >> 6) as usize % 1024] >> (row % 64) & 1 == 1;
                let Some(row) = window.push(word).filter(is_known) else {
                    return;
                };
                if let Some(seen) = self.rows.get_mut(&row) {
                    let first = match source {
                        Source::Tool => &mut seen.tool,
                        Source::Injected => &mut seen.injected,
                        Source::Agent => &mut seen.agent,
                        Source::Call => &mut seen.call,
                    };
                    first.get_or_insert(place);
                }
            });
        }
    }

    /// Returns the share of a person's passage, typed at `place`, that stands in text of others. What tools show later
    /// counts as well, unless the agent wrote it there after the person had said it.
    pub(super) fn share_of_typed(&self, passage: &str, place: usize) -> f64 {
        self.share(passage, |seen| {
            let before = |at: Option<usize>| at.is_some_and(|at| at < place);
            let is_written = seen
                .call
                .is_some_and(|call| call > place && seen.tool.is_some_and(|tool| tool > call));
            before(seen.injected)
                || before(seen.agent)
                || seen.tool.is_some() && (before(seen.tool) || !is_written)
        })
    }

    /// Returns the share of a passage of the agent, said at `place`, that tool output or injected text had before.
    pub(super) fn share_of_output(&self, passage: &str, place: usize) -> f64 {
        self.share(passage, |seen| {
            let before = |at: Option<usize>| at.is_some_and(|at| at < place);
            // Unless the agent had written it there itself.
            let is_written = match (seen.call, seen.tool) {
                (Some(call), Some(tool)) => call < tool,
                _ => false,
            };
            before(seen.injected) || before(seen.tool) && !is_written
        })
    }

    /// Returns the share of a passage's words that belong to rows for which `counts` holds.
    fn share(&self, passage: &str, counts: impl Fn(&Sightings) -> bool) -> f64 {
        let rows = rows(passage);
        if rows.is_empty() {
            return 0.0;
        }
        let mut covered = vec![false; rows.len() + ROW - 1];
        for (index, row) in rows.iter().enumerate() {
            if self.rows.get(row).is_some_and(&counts) {
                covered[index..index + ROW].fill(true);
            }
        }
        let shared = covered.iter().filter(|one| **one).count();
        shared as f64 / covered.len() as f64
    }
}

/// Returns the hashes of a text's rows.
fn rows(text: &str) -> Vec<u64> {
    let mut window = Window::default();
    let mut found = Vec::new();
    for line in text.lines() {
        each_word(line_body(line), |word| found.extend(window.push(word)));
    }
    found
}

/// The last words read.
#[derive(Default)]
struct Window {
    words: [u64; ROW],
    count: usize,
}

impl Window {
    /// Adds a word; returns the hash of the row that ends with it.
    fn push(&mut self, word: u64) -> Option<u64> {
        self.words.copy_within(1.., 0);
        self.words[ROW - 1] = word;
        self.count += 1;
        (self.count >= ROW).then(|| {
            self.words
                .iter()
                .fold(OFFSET, |hash, word| mix(hash, *word))
        })
    }
}

/// Returns a line without its number and the marks of a diff, a quotation or a list.
fn line_body(line: &str) -> &str {
    let line = line.trim_start();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = line[digits..].trim_start_matches(' ');
    match rest.chars().next() {
        Some(mark @ ('→' | '\t' | '|' | ':')) if digits > 0 => &rest[mark.len_utf8()..],
        _ => line,
    }
}

/// Calls `take` with the hash of each word: letters and digits in lower case. A character of a script without blanks is a
/// word, and so is a name.
fn each_word(line: &str, mut take: impl FnMut(u64)) {
    if line.is_ascii() {
        return each_ascii_word(line.as_bytes(), &mut take);
    }
    for chunk in line.split_whitespace() {
        if is_name(chunk) {
            let letters = chunk.chars().flat_map(char::to_lowercase);
            take(letters.fold(OFFSET, |hash, one| mix(hash, u64::from(one as u32))));
        } else {
            each_word_of(chunk, &mut take);
        }
    }
}

/// The same for the lines that most output of tools consists of, ten times as fast.
fn each_ascii_word(line: &[u8], take: &mut impl FnMut(u64)) {
    let add = |hash, one: &u8| mix(hash, u64::from(one.to_ascii_lowercase()));
    for chunk in line.split(|one| matches!(one, b'\t'..=b'\r' | b' ')) {
        let joints = chunk.windows(3).filter(|three| {
            matches!(three[1], b'-' | b'_' | b'/' | b'\\')
                && three[0].is_ascii_alphanumeric()
                && three[2].is_ascii_alphanumeric()
        });
        if joints.count() >= 2 {
            take(chunk.iter().fold(OFFSET, add));
            continue;
        }
        let words = chunk.split(|one| !one.is_ascii_alphanumeric());
        for word in words.filter(|word| !word.is_empty()) {
            take(word.iter().fold(OFFSET, add));
        }
    }
}

/// Reports whether words are joined to a name: three at least, by one mark each.
fn is_name(chunk: &str) -> bool {
    let is_part =
        |one: char| one.is_alphanumeric() && (one.is_ascii() || !acreta_text::is_unspaced(one));
    let mut joints = 0;
    let (mut before, mut mark) = (' ', ' ');
    for one in chunk.chars() {
        let is_joint = matches!(mark, '-' | '_' | '/' | '\\');
        joints += usize::from(is_joint && is_part(before) && is_part(one));
        (before, mark) = (mark, one);
    }
    joints >= 2
}

fn each_word_of(chunk: &str, take: &mut dyn FnMut(u64)) {
    let mut hash = OFFSET;
    let mut is_open = false;
    let mut letter = |one: char| {
        let unspaced = !one.is_ascii() && acreta_text::is_unspaced(one);
        if (unspaced || !one.is_alphanumeric()) && is_open {
            take(hash);
            (hash, is_open) = (OFFSET, false);
        }
        if unspaced {
            take(mix(OFFSET, u64::from(one as u32)));
        } else if one.is_alphanumeric() {
            hash = mix(hash, u64::from(one as u32));
            is_open = true;
        }
    };
    for one in chunk.chars() {
        if one.is_ascii() {
            letter(one.to_ascii_lowercase());
        } else {
            one.to_lowercase().for_each(&mut letter);
        }
    }
    letter(' ');
}

/// FNV-1a over characters.
const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;

fn mix(hash: u64, value: u64) -> u64 {
    (hash ^ value).wrapping_mul(0x0100_0000_01b3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passage_is_found_whatever_stands_between_its_words() {
        let passage = "never deploy on a friday after lunch";
        for (text, source, at, typed) in [
            (
                "we **never** deploy on\n   12→a FRIDAY, after lunch",
                Source::Tool,
                1,
                true,
            ),
            ("never deploy on a friday", Source::Injected, 1, true),
            ("never deploy on a friday", Source::Agent, 9, false),
            ("never deploy on friday after lunch", Source::Tool, 1, false),
            (
                "├───learnings\n│   └───20260504-never-deploy-on-a-friday-after-lunch.md",
                Source::Injected,
                1,
                false,
            ),
            ("see notes/never_deploy_on_a_friday", Source::Tool, 1, false),
            (
                "see src/a-b-c.md: never deploy on a friday—after lunch",
                Source::Tool,
                1,
                true,
            ),
        ] {
            let mut echo = Echo::default();
            echo.look_for(passage);
            echo.read(text, at, source);
            assert_eq!(echo.share_of_typed(passage, 5) > 0.6, typed, "{text}");
        }
    }

    #[test]
    fn both_ways_to_words_find_the_same() {
        let line = "We-ship v2.0_rc-1\u{b}to /srv/Data/app -- (never) a_b c:\\d\\e  DON'T 3/4/5";
        let (mut fast, mut slow) = (Vec::new(), Vec::new());
        each_word(line, |word| fast.push(word));
        each_word(&format!("{line} \u{2003}"), |word| slow.push(word));
        assert_eq!(fast, slow);
        assert_eq!(fast.len(), 14);
    }

    #[test]
    fn what_the_agent_wrote_down_stays_the_persons() {
        let passage = "never deploy on a friday after lunch";
        let mut echo = Echo::default();
        echo.look_for(passage);
        echo.read(passage, 6, Source::Call);
        echo.read(passage, 7, Source::Tool);
        assert_eq!(echo.share_of_typed(passage, 5), 0.0);
        assert_eq!(echo.share_of_typed(passage, 8), 1.0);
    }
}
