//! A short outline of a session: the person's words, the touched files, the end of each part. Its size does not depend
//! on the length of the session: neighbouring parts are joined if there are too many.

use crate::Event;
use crate::shorten::{last_line, one_line};
use crate::transcript::{Voice, touched};

/// The parts of a session, in order.
#[derive(Debug)]
pub(crate) struct Outline {
    parts: Vec<OutlinePart>,
    /// A part ends after this many bytes of text, even without a prompt.
    part_bytes: usize,
}

/// A part of the session: a request and its result.
#[derive(Debug, Clone)]
struct OutlinePart {
    from: u64,
    to: u64,
    /// Bytes of its text.
    bytes: usize,
    prompts: u32,
    /// The agent acted in it.
    answered: bool,
    /// First words of the person's messages; of many messages, only a few are kept.
    said: Vec<String>,
    touched: Vec<String>,
    last_words: String,
}

impl Outline {
    pub(crate) fn new(part_bytes: usize) -> Self {
        Self {
            parts: Vec::new(),
            part_bytes,
        }
    }

    /// Adds the next event and its speaker.
    pub(crate) fn take(&mut self, number: u64, event: &Event, voice: Voice) {
        let part = self.part_for(number, voice);
        part.to = number;
        part.bytes += event.text.len();
        match voice {
            Voice::Person | Voice::Answer => {
                part.prompts += 1;
                part.said.push(one_line(&event.text, WORDS));
                forget_shortest(&mut part.said);
            }
            Voice::Agent => {
                part.answered = true;
                part.last_words = last_line(&event.text, WORDS);
            }
            Voice::Call => {
                part.answered = true;
                for name in touched(event) {
                    if part.touched.len() < MOST_TOUCHED && !part.touched.contains(&name) {
                        part.touched.push(name);
                    }
                }
            }
            _ => {}
        }
    }

    /// Renders the outline in at most `limit` bytes.
    pub(crate) fn render(&self, limit: usize) -> String {
        self.render_part(0, u64::MAX, limit)
    }

    /// Renders the parts that touch events `from` to `to`, in at most `limit` bytes.
    pub(crate) fn render_part(&self, from: u64, to: u64, limit: usize) -> String {
        let touching = self
            .parts
            .iter()
            .filter(|part| part.to >= from && part.from <= to);
        let mut parts: Vec<OutlinePart> = touching.cloned().collect();
        loop {
            for words in SHOWN {
                let lines: Vec<String> = parts.iter().map(|part| part.render(words)).collect();
                let shown = lines.concat();
                if shown.len() <= limit {
                    return shown;
                }
                if parts.len() <= 1 && words == SHOWN[SHOWN.len() - 1] {
                    return acreta_text::head(&shown, limit).to_owned();
                }
            }
            join_neighbours(&mut parts);
        }
    }

    fn part_for(&mut self, number: u64, voice: Voice) -> &mut OutlinePart {
        let begins = self.parts.last().is_none_or(|part| {
            (voice == Voice::Person && part.answered) || part.bytes > self.part_bytes
        });
        if begins {
            if self.parts.len() >= MOST_PARTS {
                join_neighbours(&mut self.parts);
            }
            self.parts.push(OutlinePart {
                from: number,
                to: number,
                bytes: 0,
                prompts: 0,
                answered: false,
                said: Vec::new(),
                touched: Vec::new(),
                last_words: String::new(),
            });
        }
        self.parts
            .last_mut()
            .expect("a part was begun when there was none")
    }

    #[cfg(test)]
    pub(crate) fn held_bytes(&self) -> usize {
        let words = |part: &OutlinePart| {
            let names = part.touched.iter().chain(&part.said);
            part.last_words.len() + names.map(String::len).sum::<usize>()
        };
        self.parts.iter().map(words).sum::<usize>()
            + self.parts.capacity() * std::mem::size_of::<OutlinePart>()
    }
}

const MOST_PARTS: usize = 300;
const MOST_TOUCHED: usize = 8;
/// Maximum bytes kept of first and last words.
const WORDS: usize = 500;
/// Numbers of bytes to show; the first that fits is used.
const SHOWN: [usize; 8] = [500, 300, 200, 150, 110, 80, 60, 40];
const MOST_SAID: usize = 3;

impl OutlinePart {
    /// Renders one line, with `words` bytes of each message.
    fn render(&self, words: usize) -> String {
        let mut line = format!(
            "{}-{} ({} kB, person spoke {}x)",
            self.from,
            self.to,
            self.bytes.div_ceil(1024),
            self.prompts
        );
        for said in &self.said {
            line.push_str(&format!(" | asked: {}", one_line(said, words)));
        }
        if !self.touched.is_empty() {
            let touched = one_line(&self.touched.join(", "), words / 2);
            line.push_str(&format!(" | touched: {touched}"));
        }
        if !self.last_words.is_empty() {
            let ended = last_line(&self.last_words, words);
            line.push_str(&format!(" | ended: {ended}"));
        }
        line.push('\n');
        line
    }

    fn join(&mut self, next: OutlinePart) {
        self.to = next.to;
        self.bytes += next.bytes;
        self.prompts += next.prompts;
        self.answered |= next.answered;
        self.said.extend(next.said);
        forget_shortest(&mut self.said);
        for name in next.touched {
            if self.touched.len() < MOST_TOUCHED && !self.touched.contains(&name) {
                self.touched.push(name);
            }
        }
        if !next.last_words.is_empty() {
            self.last_words = next.last_words;
        }
    }
}

/// Drops the shortest message: long messages have more to find.
fn forget_shortest(said: &mut Vec<String>) {
    while said.len() > MOST_SAID {
        let shortest = (0..said.len()).min_by_key(|at| said[*at].len());
        said.remove(shortest.unwrap_or(0));
    }
}

/// Joins every second part to the one before it.
fn join_neighbours(parts: &mut Vec<OutlinePart>) {
    let mut joined: Vec<OutlinePart> = Vec::with_capacity(parts.len() / 2 + 1);
    for (index, part) in parts.drain(..).enumerate() {
        match joined.last_mut() {
            Some(before) if index % 2 == 1 => before.join(part),
            _ => joined.push(part),
        }
    }
    *parts = joined;
}

#[cfg(test)]
mod tests {
    use acreta_sdk::extractor::Origin;

    use super::*;

    /// Builds an outline of turns, each with a prompt, a call and an answer.
    fn outline(turns: u64) -> Outline {
        let mut outline = Outline::new(100_000);
        for turn in 0..turns {
            let said = [
                (
                    "user",
                    "text",
                    format!("Please do number {turn} of the many things"),
                ),
                ("assistant", "tool-call", format!("edit src/file{turn}.rs")),
                ("assistant", "text", format!("Number {turn} is done.")),
            ];
            for (step, (role, kind, text)) in said.into_iter().enumerate() {
                let event = Event {
                    id: String::new(),
                    origin: Origin {
                        record: String::new(),
                        start: 0,
                        end: 0,
                    },
                    role: role.to_owned(),
                    kind: kind.to_owned(),
                    at_ms: None,
                    text,
                    attrs: Vec::new(),
                };
                let voice = crate::transcript::voice(&event).unwrap();
                outline.take(turn * 3 + step as u64 + 1, &event, voice);
            }
        }
        outline
    }

    #[test]
    fn a_turn_is_a_line() {
        assert_eq!(
            outline(2).render(10_000),
            "1-3 (1 kB, person spoke 1x) | asked: Please do number 0 of the many things | touched: file0.rs | ended: \
             Number 0 is done.\n\
             4-6 (1 kB, person spoke 1x) | asked: Please do number 1 of the many things | touched: file1.rs | ended: \
             Number 1 is done.\n"
        );
        assert_eq!(outline(0).render(100), "");
    }

    #[test]
    fn it_fits_and_leaves_no_event_out() {
        for (turns, limit) in [
            (10, 700),
            (300, 4_000),
            (5_000, 24_000),
            (5_000, 300),
            (3, 10),
        ] {
            let shown = outline(turns).render(limit);
            assert!(shown.len() <= limit, "{turns} turns: {}", shown.len());
            if limit < 300 {
                continue;
            }
            let mut next = 1;
            for line in shown.lines() {
                let (from, rest) = line.split_once('-').unwrap();
                let to = rest.split(' ').next().unwrap();
                assert_eq!(from.parse::<u64>().unwrap(), next, "{line}");
                next = to.parse::<u64>().unwrap() + 1;
            }
            assert_eq!(next, turns * 3 + 1, "{turns} turns in {limit} bytes");
        }
    }
}
