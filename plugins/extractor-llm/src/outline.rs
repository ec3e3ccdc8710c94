//! A session in a few lines: what the person said, what was touched, how each part ended. It stays
//! small however long the session is: neighbours are joined when there are too many parts.

use crate::Event;
use crate::shorten::{last_line, one_line};
use crate::transcript::{Line, Voice, touched};

/// The parts of a session, in order.
#[derive(Debug)]
pub(crate) struct Outline {
    parts: Vec<Part>,
    /// Bytes of lines after which a part ends although nobody spoke.
    part_bytes: usize,
}

/// A stretch of the session: what was asked and what came of it.
#[derive(Debug, Clone)]
struct Part {
    from: u64,
    to: u64,
    /// Bytes of its lines.
    bytes: usize,
    prompts: u32,
    /// Whether the agent did something in it.
    answered: bool,
    first_words: String,
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

    /// Takes the next event and its line.
    pub(crate) fn take(&mut self, event: &Event, line: &Line) {
        let part = self.part_for(line);
        part.to = line.number;
        part.bytes += line.text.len();
        match line.voice {
            Voice::Person => {
                part.prompts += 1;
                if part.first_words.is_empty() {
                    part.first_words = one_line(&event.text, WORDS);
                }
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

    /// The outline in at most `limit` bytes.
    pub(crate) fn render(&self, limit: usize) -> String {
        let mut parts = self.parts.clone();
        while parts.len() > 1 && limit / parts.len() < LEAST_SHOWN {
            join_neighbours(&mut parts);
        }
        let room = limit / parts.len().max(1);
        let mut shown = String::new();
        for part in &parts {
            let line = part.render(room.saturating_sub(1));
            shown.push_str(&line);
            shown.push('\n');
        }
        shown.truncate(shown.floor_char_boundary(limit));
        shown
    }

    fn part_for(&mut self, line: &Line) -> &mut Part {
        let begins = self.parts.last().is_none_or(|part| {
            (line.voice == Voice::Person && part.answered) || part.bytes > self.part_bytes
        });
        if begins {
            if self.parts.len() >= MOST_PARTS {
                join_neighbours(&mut self.parts);
            }
            self.parts.push(Part {
                from: line.number,
                to: line.number,
                bytes: 0,
                prompts: 0,
                answered: false,
                first_words: String::new(),
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
        let words = |part: &Part| {
            let names: usize = part.touched.iter().map(String::len).sum();
            part.first_words.len() + part.last_words.len() + names
        };
        self.parts.iter().map(words).sum::<usize>()
            + self.parts.capacity() * std::mem::size_of::<Part>()
    }
}

const MOST_PARTS: usize = 400;
const MOST_TOUCHED: usize = 8;
/// Bytes kept of first and last words.
const WORDS: usize = 200;
/// With less than this a part says nothing.
const LEAST_SHOWN: usize = 120;

impl Part {
    fn render(&self, limit: usize) -> String {
        let frame = format!(
            "{}-{} ({} kB, person spoke {}x)",
            self.from,
            self.to,
            self.bytes.div_ceil(1024),
            self.prompts
        );
        // What the person said tells most.
        let room = limit.saturating_sub(frame.len() + 40);
        let mut line = frame;
        for (label, text, share) in [
            ("asked: ", self.first_words.clone(), room / 2),
            ("touched: ", self.touched.join(", "), room / 6),
            ("ended: ", self.last_words.clone(), room / 3),
        ] {
            if !text.is_empty() && share >= 12 {
                line.push_str(" | ");
                line.push_str(label);
                line.push_str(&one_line(&text, share.saturating_sub(4)));
            }
        }
        acreta_text::head(&line, limit).to_owned()
    }

    fn join(&mut self, next: Part) {
        self.to = next.to;
        self.bytes += next.bytes;
        self.prompts += next.prompts;
        self.answered |= next.answered;
        if self.first_words.is_empty() {
            self.first_words = next.first_words;
        } else if !next.first_words.is_empty() {
            let half = WORDS / 2 - 4;
            self.first_words = format!(
                "{} / {}",
                one_line(&self.first_words, half),
                one_line(&next.first_words, half)
            );
        }
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

/// Joins every second part to the one before it.
fn join_neighbours(parts: &mut Vec<Part>) {
    let mut joined: Vec<Part> = Vec::with_capacity(parts.len() / 2 + 1);
    for (index, part) in parts.drain(..).enumerate() {
        match joined.last_mut() {
            Some(before) if index % 2 == 1 => before.join(part),
            _ => joined.push(part),
        }
    }
    *parts = joined;
}
