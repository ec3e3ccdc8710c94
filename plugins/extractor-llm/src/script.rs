//! The single pass over a trace: lines for a model, the outline, and the person's words. Memory is bounded: if a
//! session has more lines than may be read in windows, the lines are dropped, and requested ones are read again from
//! the trace.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::digest::Digest;
use crate::outline::Outline;
use crate::ports::Continue;
use crate::shorten::{last, one_line};
use crate::transcript::{TranscriptLine, Voice, voice};
use crate::words::subject_words;
use crate::{Event, Evidence, Failure, Ports, Settings};

/// A session, read once.
#[derive(Debug)]
pub(crate) struct Script {
    /// All lines; `None` if there are too many.
    pub(crate) lines: Option<Vec<TranscriptLine>>,
    pub(crate) outline: Outline,
    /// Number of events.
    pub(crate) events: u64,
    /// The person's messages; of very many, only the last ones.
    pub(crate) prompts: VecDeque<Prompt>,
    /// The person's first words and the last statement, verbatim.
    pub(crate) first_prompt: Option<Evidence>,
    pub(crate) last_statement: Option<Statement>,
    longest_prompt: usize,
    answers: usize,
}

/// A message of the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Prompt {
    pub(crate) number: u64,
    /// Its first words, on one line.
    pub(crate) words: String,
}

/// The agent's last text.
#[derive(Debug, Clone)]
pub(crate) struct Statement {
    pub(crate) event_id: String,
    /// Its end, verbatim.
    pub(crate) text: String,
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

    /// Reports whether a model could find anything: the person wrote more than a word or two, or answered a question.
    pub(crate) fn is_worth_asking(&self) -> bool {
        self.first_prompt.is_some() && (self.longest_prompt >= LEAST_PROMPT || self.answers > 0)
    }

    /// Returns the person's last messages about `subject` after an event. Words that the person uses all the time do
    /// not count.
    pub(crate) fn said_later(&self, number: u64, subject: &str) -> Vec<&Prompt> {
        let wanted = subject_words(subject);
        let later: Vec<(&Prompt, BTreeSet<String>)> = self
            .prompts
            .iter()
            .filter(|prompt| prompt.number > number)
            .map(|prompt| (prompt, subject_words(&prompt.words)))
            .collect();
        let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, words) in &later {
            for word in words.intersection(&wanted) {
                *uses.entry(word.as_str()).or_default() += 1;
            }
        }
        let often = RARE.max(later.len() / 8);
        let mut related: Vec<(usize, &Prompt)> = later
            .iter()
            .map(|(prompt, words)| {
                let shared = words.intersection(&wanted);
                let rare = shared.filter(|word| uses[word.as_str()] <= often);
                (rare.count(), *prompt)
            })
            .zip(&later)
            .filter(|((shared, _), (_, words))| is_related(*shared, words.len()))
            .map(|(found, _)| found)
            .collect();
        // Of two that are equally related, the later wins.
        related.sort_by_key(|(shared, prompt)| std::cmp::Reverse((*shared, prompt.number)));
        related.truncate(SAID_LATER);
        let mut said: Vec<&Prompt> = related.into_iter().map(|(_, prompt)| prompt).collect();
        said.sort_by_key(|prompt| prompt.number);
        said
    }

    #[cfg(test)]
    fn held_bytes(&self) -> usize {
        let line = |line: &TranscriptLine| {
            line.text.capacity() + line.event_ids.iter().map(String::capacity).sum::<usize>()
        };
        let lines: usize = self.lines.iter().flatten().map(line).sum();
        let prompts: usize = self
            .prompts
            .iter()
            .map(|prompt| prompt.words.capacity())
            .sum();
        lines + prompts + self.outline.held_bytes()
    }
}

/// Reports whether this many shared words, of all words of a prompt, make it one about the subject.
fn is_related(shared: usize, words: usize) -> bool {
    shared >= SHARED_ANYWAY || (shared >= LEAST_SHARED && shared * LEAST_SHARE >= words)
}

/// In bytes. Shorter prompts alone teach nothing.
const LEAST_PROMPT: usize = 40;
/// A word in at most this many later prompts is specific.
const RARE: usize = 3;
const LEAST_SHARED: usize = 2;
/// Two shared words must be at least 1/`LEAST_SHARE` of a prompt's words.
const LEAST_SHARE: usize = 5;
const SHARED_ANYWAY: usize = 4;
const SAID_LATER: usize = 3;
const MOST_PROMPTS: usize = 1_500;
const PROMPT_WORDS: usize = 400;
const STATEMENT_BYTES: usize = 4_000;
const QUOTE_BYTES: usize = 300;

struct Taking {
    lines: Option<Vec<TranscriptLine>>,
    bytes: usize,
    /// Bytes of all windows that may be read; beyond this, lines are dropped.
    most_bytes: usize,
    digest: Digest,
    outline: Outline,
    events: u64,
    prompts: VecDeque<Prompt>,
    first_prompt: Option<Evidence>,
    last_statement: Option<Statement>,
    longest_prompt: usize,
    answers: usize,
}

impl Taking {
    fn new(window: usize, most_bytes: usize) -> Self {
        Self {
            lines: Some(Vec::new()),
            bytes: 0,
            most_bytes,
            digest: Digest::default(),
            outline: Outline::new(window),
            events: 0,
            prompts: VecDeque::new(),
            first_prompt: None,
            last_statement: None,
            longest_prompt: 0,
            answers: 0,
        }
    }

    fn take(&mut self, number: u64, event: &Event) {
        self.events = number;
        let Some(voice) = voice(event) else { return };
        match voice {
            Voice::Person => self.hear(number, event),
            Voice::Answer => {
                self.answers += 1;
                self.remember(number, &event.text);
            }
            Voice::Agent if !event.text.trim().is_empty() => {
                self.last_statement = Some(Statement {
                    event_id: event.id.clone(),
                    text: last(event.text.trim(), STATEMENT_BYTES).to_owned(),
                });
            }
            _ => {}
        }
        if voice != Voice::Gap {
            self.outline.take(number, event, voice);
        }
        if self.lines.is_some() {
            self.digest.take(number, event);
            let ready = self.digest.ready();
            self.keep(ready);
        }
    }

    fn keep(&mut self, ready: Vec<TranscriptLine>) {
        self.bytes += ready.iter().map(|line| line.text.len() + 1).sum::<usize>();
        if self.bytes > self.most_bytes {
            self.lines = None;
        } else if let Some(lines) = &mut self.lines {
            lines.extend(ready);
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

    fn finish(mut self) -> Script {
        let rest = std::mem::take(&mut self.digest).finish();
        self.keep(rest);
        Script {
            lines: self.lines,
            outline: self.outline,
            events: self.events,
            prompts: self.prompts,
            first_prompt: self.first_prompt,
            last_statement: self.last_statement,
            longest_prompt: self.longest_prompt,
            answers: self.answers,
        }
    }
}

#[cfg(test)]
mod tests {
    use acreta_sdk::extractor::Origin;

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
    fn only_what_is_related_was_said_later() {
        let mut taking = Taking::new(48_000, 480_000);
        for (number, text) in [
            "use tabs in the parser",
            "good",
            "now the tests of the printer",
            "colours please",
            "forget tabs: the parser has spaces",
            "解析器还是用空格吧",
        ]
        .iter()
        .enumerate()
        {
            let mut event = event(0);
            (*text).clone_into(&mut event.text);
            taking.take(number as u64 + 1, &event);
        }
        let script = taking.finish();
        let said = |subject: &str| -> Vec<u64> {
            let said = script.said_later(1, subject);
            said.iter().map(|prompt| prompt.number).collect()
        };
        assert_eq!(said("Tabs in the parser"), [5]);
        assert_eq!(said("解析器用制表符"), [6]);
        assert_eq!(said("Deploy on Fridays"), [0_u64; 0]);
    }
}
