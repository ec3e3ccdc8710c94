//! The one pass over a trace: lines for a model, the outline, what the person said, and the offline
//! extractor's own reading. What it holds is bounded: when the lines of a session are more than may
//! be read in windows they are let go, and what is needed of them is served again from the trace.

use std::collections::{BTreeMap, VecDeque};

use acreta_sdk::extractor::Evidence;
use extractor_rules::{Outcome, Reading};

use crate::outline::Outline;
use crate::ports::Continue;
use crate::shorten::{last, one_line};
use crate::transcript::{Line, Voice, voice};
use crate::{Event, Failure, Ports, Settings};

/// A session, read once.
#[derive(Debug)]
pub(crate) struct Script {
    /// All lines; `None` when they are too many.
    pub(crate) lines: Option<Vec<Line>>,
    pub(crate) outline: Outline,
    /// How many events there are.
    pub(crate) events: u64,
    /// What the person said, as far as it is kept: the last ones, when there are very many.
    pub(crate) prompts: VecDeque<Prompt>,
    /// The person's first words and the last statement, verbatim.
    pub(crate) first_prompt: Option<Evidence>,
    pub(crate) last_statement: Option<Statement>,
    pub(crate) rules: Outcome,
    longest_prompt: usize,
}

/// Something the person said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Prompt {
    pub(crate) number: u64,
    /// Its first words, on one line.
    pub(crate) words: String,
}

/// The last thing the agent said.
#[derive(Debug, Clone)]
pub(crate) struct Statement {
    pub(crate) event_id: String,
    /// Its end, verbatim.
    pub(crate) text: String,
}

/// Lines in order; of a run of gaps only the first.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    pub(crate) kept: Vec<Line>,
    pub(crate) bytes: usize,
    in_gap: bool,
}

impl Lines {
    pub(crate) fn add(&mut self, number: u64, event: &Event) -> Option<&Line> {
        let line = Line::of(number, event)?;
        let is_gap = line.voice == Voice::Gap;
        if is_gap && self.in_gap {
            return None;
        }
        self.in_gap = is_gap;
        self.bytes += line.text.len() + 1;
        self.kept.push(line);
        self.kept.last()
    }
}

impl Script {
    pub(crate) fn read(ports: &Ports<'_>, settings: &Settings) -> Result<Self, Failure> {
        let window = settings.window_bytes();
        let mut taking = Taking::new(window, settings.most_windows.saturating_mul(window));
        ports.each(|number, event| {
            taking.take(number, event);
            Continue::On
        })?;
        Ok(taking.finish())
    }

    /// Whether there is anything that a model could find: the person said more than a word or two, or
    /// the offline extractor found something.
    pub(crate) fn is_worth_asking(&self) -> bool {
        self.first_prompt.is_some()
            && (self.longest_prompt >= LEAST_PROMPT || !self.rules.candidates.is_empty())
    }

    /// The events of all lines, by number.
    pub(crate) fn numbers(&self) -> BTreeMap<u64, String> {
        let lines = self.lines.iter().flatten();
        lines
            .map(|line| (line.number, line.event_id.clone()))
            .collect()
    }

    /// What the person said after an event: first at once, then whatever is about `subject`.
    pub(crate) fn said_after(&self, number: u64, subject: &str) -> Vec<&Prompt> {
        let words = acreta_text::tokens(subject);
        let later: Vec<&Prompt> = self
            .prompts
            .iter()
            .filter(|prompt| prompt.number > number)
            .collect();
        let mut related: Vec<(usize, &Prompt)> = later
            .iter()
            .skip(SAID_AT_ONCE)
            .map(|prompt| {
                let shared = acreta_text::tokens(&prompt.words);
                (shared.intersection(&words).count(), *prompt)
            })
            .filter(|(shared, _)| *shared >= 2)
            .collect();
        // The later of two that are equally related: the last state wins.
        related.sort_by_key(|(shared, prompt)| std::cmp::Reverse((*shared, prompt.number)));
        related.truncate(SAID_LATER);
        let mut said: Vec<&Prompt> = later.into_iter().take(SAID_AT_ONCE).collect();
        said.extend(related.into_iter().map(|(_, prompt)| prompt));
        said.sort_by_key(|prompt| prompt.number);
        said
    }

    #[cfg(test)]
    fn held_bytes(&self) -> usize {
        let line = |line: &Line| line.text.capacity() + line.event_id.capacity();
        let lines: usize = self.lines.iter().flatten().map(line).sum();
        let prompts: usize = self
            .prompts
            .iter()
            .map(|prompt| prompt.words.capacity())
            .sum();
        lines + prompts + self.outline.held_bytes()
    }
}

/// Bytes. Nothing is learned from shorter words alone.
const LEAST_PROMPT: usize = 40;
const SAID_AT_ONCE: usize = 2;
const SAID_LATER: usize = 3;
const MOST_PROMPTS: usize = 2_000;
const PROMPT_WORDS: usize = 240;
const STATEMENT_BYTES: usize = 4_000;
const QUOTE_BYTES: usize = 300;

struct Taking {
    lines: Option<Lines>,
    /// Lines of all windows that may be read; more are not kept.
    most_bytes: usize,
    /// The line at hand when the lines are let go.
    passing: Lines,
    outline: Outline,
    events: u64,
    prompts: VecDeque<Prompt>,
    first_prompt: Option<Evidence>,
    last_statement: Option<Statement>,
    longest_prompt: usize,
    reading: Reading,
}

impl Taking {
    fn new(window: usize, most_bytes: usize) -> Self {
        Self {
            lines: Some(Lines::default()),
            most_bytes,
            passing: Lines::default(),
            outline: Outline::new(window / PARTS_OF_A_WINDOW),
            events: 0,
            prompts: VecDeque::new(),
            first_prompt: None,
            last_statement: None,
            longest_prompt: 0,
            reading: Reading::default(),
        }
    }

    fn take(&mut self, number: u64, event: &Event) {
        self.events = number;
        self.reading.take(event);
        match voice(event) {
            Some(Voice::Person) => self.hear(number, event),
            Some(Voice::Answer) => self.remember(number, &event.text),
            Some(Voice::Agent) if !event.text.trim().is_empty() => {
                self.last_statement = Some(Statement {
                    event_id: event.id.clone(),
                    text: last(event.text.trim(), STATEMENT_BYTES).to_owned(),
                });
            }
            _ => {}
        }
        self.passing.kept.clear();
        let Some(line) = self.passing.add(number, event) else {
            return;
        };
        self.outline.take(event, line);
        if let Some(lines) = &mut self.lines {
            lines.bytes += line.text.len() + 1;
            if lines.bytes > self.most_bytes {
                self.lines = None;
            } else {
                lines.kept.append(&mut self.passing.kept);
            }
        }
    }

    fn hear(&mut self, number: u64, event: &Event) {
        let text = event.text.trim();
        self.longest_prompt = self.longest_prompt.max(text.len());
        if self.first_prompt.is_none() {
            self.first_prompt = Some(Evidence {
                event_id: event.id.clone(),
                quote: acreta_text::head(text, QUOTE_BYTES).trim_end().to_owned(),
            });
        }
        self.remember(number, text);
    }

    fn remember(&mut self, number: u64, text: &str) {
        if self.prompts.len() >= MOST_PROMPTS {
            self.prompts.pop_front();
        }
        self.prompts.push_back(Prompt {
            number,
            words: one_line(text, PROMPT_WORDS),
        });
    }

    fn finish(self) -> Script {
        Script {
            lines: self.lines.map(|lines| lines.kept),
            outline: self.outline,
            events: self.events,
            prompts: self.prompts,
            first_prompt: self.first_prompt,
            last_statement: self.last_statement,
            rules: self.reading.finish(),
            longest_prompt: self.longest_prompt,
        }
    }
}

const PARTS_OF_A_WINDOW: usize = 4;

#[cfg(test)]
mod tests {
    use acreta_sdk::extractor::bindings::acreta::types::types::Origin;

    use super::*;

    fn event(number: u64) -> Event {
        let (role, kind, tool) = match number % 5 {
            0 => ("user", "text", ""),
            1 | 4 => ("assistant", "text", ""),
            2 => ("assistant", "tool-call", "Bash"),
            _ => ("tool", "tool-result", "Bash"),
        };
        Event {
            id: format!("event-{number}"),
            origin: Origin {
                record: String::new(),
                start: 0,
                end: 0,
            },
            role: role.to_owned(),
            kind: kind.to_owned(),
            at_ms: None,
            text: format!("step {number} of src/file-{}.rs ", number % 97).repeat(4),
            attrs: vec![("tool".to_owned(), tool.to_owned())],
        }
    }

    fn held(events: u64) -> usize {
        let mut taking = Taking::new(6_000, 12 * 6_000);
        for number in 1..=events {
            taking.take(number, &event(number));
        }
        taking.finish().held_bytes()
    }

    #[test]
    fn what_is_held_does_not_grow_with_the_session() {
        // Both have more lines, parts and prompts than are kept.
        let (long, longer) = (held(11_000), held(22_000));
        assert!(long < 1_000_000, "{long}");
        assert!(longer < long + long / 10, "{longer} after {long}");
    }

    #[test]
    fn what_was_said_later_is_what_came_next_and_what_is_related() {
        let mut taking = Taking::new(48_000, 480_000);
        for (number, text) in [
            "use tabs in the parser",
            "good",
            "now the tests",
            "colours please",
            "forget tabs: the parser has spaces",
        ]
        .iter()
        .enumerate()
        {
            let mut event = event(0);
            (*text).clone_into(&mut event.text);
            taking.take(number as u64 + 1, &event);
        }
        let script = taking.finish();
        let said: Vec<u64> = script
            .said_after(1, "Tabs in the parser")
            .iter()
            .map(|prompt| prompt.number)
            .collect();
        assert_eq!(said, [2, 3, 5]);
    }
}
