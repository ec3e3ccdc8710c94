//! A session as chapters, for pages that a person hands to others: each begins with a prompt. The session is read twice: first
//! for its prompts and for the names in it, then chapter by chapter, each text without secrets and without names of people
//! and machines.

use acreta_redact::{PersonalRedactor, TakenOut};
use acreta_types::Event;

use super::super::SessionRow;
use super::super::conversation::Conversation;
use crate::{Failure, Kind};

/// Maximum bytes of a prompt in the table of contents.
const HEAD_BYTES: usize = 160;

/// Which chapters are written: numbers of prompts, or ids of their events.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PromptRange {
    pub from: Option<String>,
    /// Included.
    pub to: Option<String>,
}

/// A session's head and prompts.
pub(super) struct Outline {
    pub(super) session: SessionRow,
    /// Those that are written, by number, with their beginning.
    pub(super) prompts: Vec<(usize, String)>,
    /// Number of all prompts.
    pub(super) total: usize,
    range: std::ops::RangeInclusive<usize>,
}

/// A prompt with what followed; number 0 has what came before the first prompt.
pub(super) struct Chapter {
    pub(super) number: usize,
    pub(super) events: Vec<Event>,
}

impl Outline {
    /// Reads the prompts, and removes names where a redactor is given.
    pub(super) fn read(
        conversation: &mut Conversation,
        range: &PromptRange,
        redactor: &mut Option<PersonalRedactor>,
    ) -> Result<Self, Failure> {
        let mut prompts: Vec<(String, String)> = Vec::new();
        let mut session = conversation.session.clone();
        if let Some(redactor) = redactor {
            redactor.learn(session.file.as_str());
            redactor.learn(session.project.as_deref().unwrap_or_default());
        }
        conversation.rewind();
        loop {
            let events = conversation.next_events()?;
            if events.is_empty() {
                break;
            }
            for event in events {
                if let Some(redactor) = redactor {
                    redactor.learn(&event.text);
                    event
                        .attrs
                        .0
                        .iter()
                        .for_each(|(_, value)| redactor.learn(value));
                }
                if is_prompt(&event) {
                    let start = acreta_text::head(event.text.trim_start(), 8 * HEAD_BYTES);
                    let words = acreta_text::one_line(start);
                    prompts.push((event.id, words));
                }
            }
        }
        conversation.rewind();
        let total = prompts.len();
        let place = |wanted: &Option<String>, default: usize| match wanted {
            None => Ok(default),
            Some(wanted) => number_of(wanted, &prompts),
        };
        let range = place(&range.from, 0)?..=place(&range.to, total)?;
        if range.is_empty() {
            let message = format!(
                "prompt {} comes after prompt {}",
                range.start(),
                range.end()
            );
            return Err(Failure::new(Kind::Usage, message).hint("exchange `--from` and `--to`"));
        }
        // Not counted: each is removed again where it stands.
        let mut taken = TakenOut::default();
        let mut clean = |text: &str| match redactor {
            Some(redactor) => redactor.clean(text, &mut taken).into_owned(),
            None => text.to_owned(),
        };
        // A title is usually made of the first prompt, which a part may leave out.
        let title = session.title.as_deref().filter(|_| range.contains(&1));
        session.title = title.map(&mut clean);
        session.project = session.project.as_deref().map(&mut clean);
        let prompts = prompts.into_iter().zip(1..);
        let prompts = prompts.filter(|(_, number)| range.contains(number));
        let prompts = prompts.map(|((_, words), number)| {
            let words = clean(&words);
            (number, acreta_text::head(&words, HEAD_BYTES).to_owned())
        });
        Ok(Self {
            prompts: prompts.collect(),
            session,
            total,
            range,
        })
    }

    /// Reads chapter by chapter, in their order.
    pub(super) fn for_each(
        &self,
        conversation: &mut Conversation,
        redactor: &mut Option<PersonalRedactor>,
        taken: &mut TakenOut,
        mut write: impl FnMut(&Chapter) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut chapter = Chapter {
            number: 0,
            events: Vec::new(),
        };
        loop {
            let events = conversation.next_events()?;
            let is_end = events.is_empty();
            for mut event in events {
                if is_prompt(&event) {
                    let number = chapter.number + 1;
                    let events = std::mem::take(&mut chapter.events);
                    put(&Chapter { events, ..chapter }, &mut write)?;
                    chapter.number = number;
                }
                if !self.range.contains(&chapter.number) {
                    continue;
                }
                if let Some(redactor) = redactor {
                    event.text = redactor.clean(&event.text, taken).into_owned();
                    for (_, value) in &mut event.attrs.0 {
                        *value = redactor.clean(value, taken).into_owned();
                    }
                }
                chapter.events.push(event);
            }
            if is_end {
                return put(&chapter, &mut write);
            }
        }
    }
}

impl Chapter {
    /// Returns the place of the result of a call.
    pub(super) fn result_of(&self, call: usize) -> Option<usize> {
        let id = self.events[call].attrs.get("call_id")?;
        let later = self.events.iter().enumerate().skip(call + 1);
        let mut results = later.filter(|(_, event)| event.kind == "tool-result");
        results.find_map(|(at, event)| (event.attrs.get("call_id") == Some(id)).then_some(at))
    }

    /// Returns the events in their order, each call with its result.
    pub(super) fn turns(&self) -> Vec<(&Event, Option<&Event>)> {
        let mut shown = vec![false; self.events.len()];
        let mut turns = Vec::new();
        for (at, event) in self.events.iter().enumerate() {
            if std::mem::replace(&mut shown[at], true) {
                continue;
            }
            let result = match event.kind.as_str() {
                "tool-call" => self.result_of(at).filter(|result| !shown[*result]),
                _ => None,
            };
            if let Some(result) = result {
                shown[result] = true;
            }
            turns.push((event, result.map(|result| &self.events[result])));
        }
        turns
    }
}

fn put(
    chapter: &Chapter,
    write: &mut impl FnMut(&Chapter) -> Result<(), Failure>,
) -> Result<(), Failure> {
    match chapter.events.is_empty() {
        true => Ok(()),
        false => write(chapter),
    }
}

pub(super) fn is_prompt(event: &Event) -> bool {
    event.role == "user" && event.kind == "text"
}

/// Returns the number of a prompt by itself, or by the id of its event.
fn number_of(wanted: &str, prompts: &[(String, String)]) -> Result<usize, Failure> {
    if let Some(place) = prompts.iter().position(|(id, _)| id == wanted) {
        return Ok(place + 1);
    }
    match wanted.parse() {
        Ok(number) if (1..=prompts.len()).contains(&number) => Ok(number),
        _ => {
            let message = format!("the session has no prompt `{wanted}`");
            let hint = format!("its prompts are numbered from 1 to {}", prompts.len());
            Err(Failure::new(Kind::Missing, message).hint(hint))
        }
    }
}

/// Returns a tool call in one line: the tool, and its command, file or input.
pub(super) fn call_line(event: &Event) -> String {
    let tool = event.attrs.get("tool").unwrap_or("tool");
    let files = || super::super::index::files(&event.text).into_iter().next();
    let what = acreta_cures::command_line(event).or_else(files);
    let what = what.unwrap_or_else(|| event.text.clone());
    let what = acreta_text::one_line(acreta_text::head(&what, 8 * HEAD_BYTES));
    let cut = acreta_text::head(&what, HEAD_BYTES);
    let more = if cut.len() < what.len() { "…" } else { "" };
    format!("{tool} {cut}{more}").trim_end().to_owned()
}
