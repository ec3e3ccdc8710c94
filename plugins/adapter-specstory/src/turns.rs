//! Splits a document into turns: speakers, words, thoughts and tool calls.
//!
//! Documents quote other documents: a tool's output or pasted text may look like a turn. A line is not a turn if it is
//! older than the session, or inside a block. SpecStory escapes nothing, so an output may close its block itself; what it
//! says then is in doubt if its time does not fit the turns behind it, as is everything below a block that is never closed.

use crate::header::{Header, Named, Speaker};

const TOOL_OPENS: &str = "<tool-use ";
const TOOL_CLOSES: &str = "</details></tool-use>";
/// A tool's block of early documents.
const EARLY_OPENS: &str = "<details>";
const EARLY_CLOSES: &str = "</details>";
const THOUGHT_OPENS: &str = "<think><details>";
const THOUGHT_CLOSES: &str = "</details></think>";
const SEPARATOR: &str = "---";

/// The comment that names the session is among this many lines.
const TOP: usize = 20;

/// Time by which a turn may be later than one behind it: some agents save theirs late. In 289 prompts of real sessions,
/// the longest was 175 seconds.
const LATE_MS: u64 = 10 * 60 * 1000;

/// The text of one speaker at one time.
pub(crate) struct Turn<'a> {
    pub(crate) header: Header<'a>,
    /// The id of the message, if the document has one.
    pub(crate) id: &'a str,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) parts: Vec<Part<'a>>,
    /// It may be a quotation: what it says is nobody's words.
    pub(crate) is_doubtful: bool,
}

pub(crate) enum Part<'a> {
    Words(&'a [u8]),
    Thought(&'a [u8]),
    /// The opening tag of a block and its content.
    Tool(&'a str, &'a [u8]),
    /// An unclosed block, up to the end of the turn.
    Open(&'a [u8]),
}

/// A document by its lines.
pub(crate) struct Document<'a> {
    bytes: &'a [u8],
    /// Start and end of each line, without its line break.
    lines: Vec<(usize, usize)>,
    /// Turns before this are quoted.
    started_ms: Option<u64>,
    /// An unclosed block was found: later ones are not searched for their end, so that a document full of openings is
    /// still read in one pass.
    has_open_end: bool,
}

impl<'a> Document<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let mut start = 0;
        let lines = bytes.split(|byte| *byte == b'\n').map(|line| {
            let span = (start, start + line.len());
            start += line.len() + 1;
            span
        });
        let mut document = Self {
            bytes,
            lines: lines.collect(),
            started_ms: None,
            has_open_end: false,
        };
        document.started_ms = document.name().and_then(|named| named.at_ms);
        document
    }

    /// Returns the comment that names the session.
    pub(crate) fn name(&self) -> Option<Named<'a>> {
        (0..TOP.min(self.lines.len())).find_map(|number| Named::of(self.line(number)))
    }

    /// Returns the title of the document.
    pub(crate) fn title(&self) -> Option<&'a str> {
        let lines = (0..TOP.min(self.lines.len())).map(|number| self.line(number));
        let mut titles = lines.filter_map(|line| {
            let early = || {
                line.strip_prefix("## ")
                    .filter(|title| *title != "SpecStory")
            };
            line.strip_prefix("# ").or_else(early)
        });
        titles.next().map(str::trim)
    }

    /// Returns the turns, in order.
    pub(crate) fn turns(&mut self) -> Vec<Turn<'a>> {
        let mut turns = Vec::new();
        let mut number = 0;
        while number < self.lines.len() {
            match self.header(number) {
                Some(header) => {
                    let (turn, next) = self.turn(header, number);
                    turns.push(turn);
                    number = next;
                }
                None => number += 1,
            }
        }
        doubt_times(&mut turns);
        turns
    }

    /// Returns the turn whose header is at `at`, and the line after it.
    fn turn(&mut self, header: Header<'a>, at: usize) -> (Turn<'a>, usize) {
        let id = message_id(self.line(at + 1));
        let mut parts = Vec::new();
        let mut number = at + 1 + usize::from(id.is_some());
        let mut words = number;
        let is_doubtful = self.has_open_end;
        while number < self.lines.len() && self.header(number).is_none() {
            let line = self.line(number);
            let is_early = header.speaker == Speaker::Agent && line.trim_end() == EARLY_OPENS;
            let is_tool = is_early || line.starts_with(TOOL_OPENS);
            if !is_tool && !line.starts_with(THOUGHT_OPENS) {
                number += 1;
                continue;
            }
            push_words(&mut parts, self.between(words, number));
            let end = match (self.has_open_end, is_early, is_tool) {
                (true, ..) => None,
                (_, true, _) => self.first(number + 1, |line| line == EARLY_CLOSES),
                (_, _, true) => self.tool_end(number),
                _ => self.first(number, |line| line.ends_with(THOUGHT_CLOSES)),
            };
            self.has_open_end |= end.is_none();
            parts.push(match end {
                Some(end) if is_tool => Part::Tool(line, self.between(number + 1, end)),
                Some(end) => Part::Thought(self.thought(number, end)),
                None => Part::Open(self.between(number, self.turn_end(number))),
            });
            number = end.map_or_else(|| self.turn_end(number), |end| end + 1);
            words = number;
        }
        let is_last = number >= self.lines.len();
        let rest = self.between(words, number);
        push_words(&mut parts, if is_last { rest } else { unseparated(rest) });
        let (start, _) = self.lines[at];
        let (_, end) = self.lines[number - 1];
        let turn = Turn {
            header,
            id: id.unwrap_or_default(),
            start,
            end,
            parts,
            is_doubtful,
        };
        (turn, number)
    }

    /// Returns the header at a line, if there is one that counts.
    fn header(&self, number: usize) -> Option<Header<'a>> {
        let header = Header::of(self.line(number))?;
        let behind = self.line(number + 1);
        let stands_alone = (number == 0 || self.line(number - 1).trim().is_empty())
            && (behind.trim().is_empty() || message_id(behind).is_some());
        let times = header.at_ms.zip(self.started_ms);
        let is_quoted = times.is_some_and(|(at, started)| at < started);
        (stands_alone && !is_quoted).then_some(header)
    }

    /// Returns the line that closes the tool's block opened at `open`. Inside a fence such a line is most likely
    /// output, unless a turn follows: older versions left fences open. If all are inside a fence, the output has fences
    /// of its own, and the first closes.
    fn tool_end(&self, open: usize) -> Option<usize> {
        let mut fence = None;
        for number in open + 1..self.lines.len() {
            let line = self.line(number);
            if line.trim_end() == TOOL_CLOSES && (fence.is_none() || self.is_turn_end(number)) {
                return Some(number);
            }
            if let Some((length, info)) = ticks(line) {
                fence = match fence {
                    None => Some(length),
                    Some(open) if length >= open && info.is_empty() => None,
                    open => open,
                };
            }
        }
        self.first(open + 1, |line| line == TOOL_CLOSES)
    }

    /// Returns the first line from `from` on that is like this.
    fn first(&self, from: usize, is_like: impl Fn(&str) -> bool) -> Option<usize> {
        (from..self.lines.len()).find(|number| is_like(self.line(*number).trim_end()))
    }

    /// Reports whether a turn ends after a line.
    fn is_turn_end(&self, number: usize) -> bool {
        let next = (number + 1..self.lines.len()).find(|number| {
            let line = self.line(*number).trim();
            !line.is_empty() && line != SEPARATOR
        });
        next.is_none_or(|next| self.header(next).is_some())
    }

    /// Returns the text between the tags of a thought.
    fn thought(&self, open: usize, end: usize) -> &'a [u8] {
        const SUMMARY: &[u8] = b"</summary>";
        let whole = self.between(open, end + 1).trim_ascii();
        let inside = whole
            .strip_suffix(THOUGHT_CLOSES.as_bytes())
            .unwrap_or(whole);
        let start = inside
            .windows(SUMMARY.len())
            .position(|window| window == SUMMARY)
            .map_or(THOUGHT_OPENS.len(), |at| at + SUMMARY.len());
        inside[start..].trim_ascii()
    }

    /// Returns the first line after `number` that is a header, or the end of the document.
    fn turn_end(&self, number: usize) -> usize {
        (number + 1..self.lines.len())
            .find(|number| self.header(*number).is_some())
            .unwrap_or(self.lines.len())
    }

    /// Returns a range of lines.
    fn between(&self, from: usize, to: usize) -> &'a [u8] {
        if from >= to {
            return &[];
        }
        &self.bytes[self.lines[from].0..self.lines[to - 1].1]
    }

    /// Returns one line; empty after the last, and if it is not text.
    fn line(&self, number: usize) -> &'a str {
        let Some((start, end)) = self.lines.get(number) else {
            return "";
        };
        std::str::from_utf8(&self.bytes[*start..*end]).unwrap_or_default()
    }
}

/// Doubts turns whose time cannot be right: none although the document has times, earlier than the first turn, or later than
/// a turn behind it. Text that was written before the session cannot know when the session will be.
fn doubt_times(turns: &mut [Turn<'_>]) {
    let Some(first) = turns.first().and_then(|turn| turn.header.at_ms) else {
        return;
    };
    let mut earliest = u64::MAX;
    for turn in turns.iter_mut().rev() {
        let Some(at_ms) = turn.header.at_ms else {
            turn.is_doubtful = true;
            continue;
        };
        let is_before = at_ms.saturating_add(LATE_MS) < first;
        turn.is_doubtful |= is_before || at_ms > earliest.saturating_add(LATE_MS);
        // Subagents speak at the same time.
        if !turn.header.is_sidechain && !is_before {
            earliest = earliest.min(at_ms);
        }
    }
}

/// Returns the length of a fence and the text after it.
pub(crate) fn ticks(line: &str) -> Option<(usize, &str)> {
    let info = line.trim_start_matches('`');
    let length = line.len() - info.len();
    (length >= 3 && !info.contains('`')).then(|| (length, info.trim()))
}

fn message_id(line: &str) -> Option<&str> {
    let inside = line.trim_end().strip_prefix("<!-- message-id: ")?;
    inside.strip_suffix(" -->").map(str::trim)
}

fn push_words<'a>(parts: &mut Vec<Part<'a>>, words: &'a [u8]) {
    let words = words.trim_ascii();
    if !words.is_empty() {
        parts.push(Part::Words(words));
    }
}

/// Removes the line that separates a text from another speaker's.
fn unseparated(words: &[u8]) -> &[u8] {
    let words = words.trim_ascii_end();
    match words.strip_suffix(SEPARATOR.as_bytes()) {
        Some(rest) if rest.is_empty() || rest.ends_with(b"\n") => rest,
        _ => words,
    }
}
