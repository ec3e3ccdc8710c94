//! A session as attribution needs it, read once for all candidates of a batch: the cited messages of the person with
//! their typed sentences, the agent's turn before each, and where else these words stand.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::Hasher;
use std::ops::Range;

use acreta_text::{foreign, sentences, typed_sentences};
use acreta_types::{Candidate, Event, TraceReader};

use super::answer::{Answer, answers};
use super::echo::{Echo, Source};
use super::{is_answer, is_own_word, is_person_text};

/// A message of the person that a candidate cites.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) event: Event,
    /// Its position in the trace.
    pub(super) place: usize,
    /// Sentences that the person typed, as ranges of the event's text; for an answer to a question tool, the answers.
    pub(super) typed: Vec<Range<usize>>,
    /// The answers, if a tool asked.
    pub(super) answers: Vec<Answer>,
    /// The agent's texts and questions since the person last spoke, oldest first, with their positions.
    pub(super) turn: Vec<(usize, Event)>,
}

/// The session's index.
#[derive(Debug, Default)]
pub(super) struct SessionIndex {
    messages: Vec<Message>,
    /// Positions of other cited events.
    places: HashMap<String, usize>,
    pub(super) echo: Echo,
}

/// Bytes of text read at a time.
const PAGE: u32 = 1024 * 1024;

/// Maximum bytes of the agent's turn that are kept.
const TURN_BYTES: usize = 64 * 1024;

/// Two sentences of this many characters together that another message has as well: nobody types them twice. Both
/// messages were filled in from a template, whatever its arguments. One sentence may be said again.
const TEMPLATE_SENTENCES: usize = 2;
const TEMPLATE_CHARACTERS: usize = 60;

/// Size and number of messages that are kept without being cited.
const LATER_BYTES: usize = 4 * 1024;
const LATER_MESSAGES: usize = 2_000;

/// Share of a typed sentence from which it is somebody else's, if it stands elsewhere.
const ELSEWHERE: f64 = 0.6;

impl SessionIndex {
    /// Reads the trace twice: first the cited messages, then where else their words stand. Passes each event once to
    /// `see`.
    pub(super) fn read(
        candidates: &[Candidate],
        trace: &mut dyn TraceReader,
        see: impl FnMut(&Event),
    ) -> Self {
        let evidence = candidates.iter().flat_map(|candidate| &candidate.evidence);
        let cited: HashSet<&str> = evidence
            .clone()
            .map(|evidence| evidence.event_id.as_str())
            .collect();
        let mut index = Self::default();
        index.read_messages(&cited, trace, see);
        for message in &index.messages {
            for range in &message.typed {
                index.echo.look_for(&message.event.text[range.clone()]);
            }
            for (_, event) in &message.turn {
                index.echo.look_for(&event.text);
            }
        }
        for evidence in evidence {
            index.echo.look_for(&evidence.quote);
        }
        if !index.echo.is_empty() {
            index.read_elsewhere(trace);
            index.drop_repeated();
        }
        trace.rewind();
        index
    }

    pub(super) fn message(&self, id: &str) -> Option<&Message> {
        self.messages.iter().find(|message| message.event.id == id)
    }

    /// Returns the messages after a position.
    pub(super) fn after(&self, place: usize) -> impl Iterator<Item = &Message> {
        self.messages
            .iter()
            .filter(move |message| message.place > place)
    }

    /// Returns the position of a cited event.
    pub(super) fn place(&self, id: &str) -> Option<usize> {
        self.places.get(id).copied()
    }

    fn read_messages(
        &mut self,
        cited: &HashSet<&str>,
        trace: &mut dyn TraceReader,
        mut see: impl FnMut(&Event),
    ) {
        let mut turn: Vec<(usize, Event)> = Vec::new();
        let mut turn_bytes = 0;
        let mut is_after_command = false;
        let mut said = SaidSentences::default();
        each(trace, |place, event| {
            see(event);
            if cited.contains(event.id.as_str()) {
                self.places.insert(event.id.clone(), place);
            }
            if is_person_text(event) || is_answer(event) {
                let is_template = is_after_command && event.text.contains('\n');
                said.add(event, place, turn.is_empty());
                // Others are kept for what the person says later on the same subject.
                let is_cited = cited.contains(event.id.as_str());
                if is_cited
                    || event.text.len() <= LATER_BYTES && self.messages.len() < LATER_MESSAGES
                {
                    let (answers, typed) = match (is_answer(event), is_template) {
                        (true, _) => answered(event, &turn),
                        (false, true) => (Vec::new(), Vec::new()),
                        (false, false) => (Vec::new(), typed_sentences(&event.text)),
                    };
                    self.messages.push(Message {
                        event: event.clone(),
                        place,
                        typed,
                        answers,
                        turn: match is_cited {
                            true => std::mem::take(&mut turn),
                            false => Vec::new(),
                        },
                    });
                }
                turn.clear();
                turn_bytes = 0;
                is_after_command = event.text.trim_start().starts_with("<command-");
            } else if is_own_word(event) {
                is_after_command = false;
                let is_question = event
                    .attrs
                    .get("tool")
                    .is_some_and(acreta_text::asks_person);
                if (event.kind == "text" || is_question)
                    && turn_bytes + event.text.len() <= TURN_BYTES
                {
                    turn_bytes += event.text.len();
                    turn.push((place, event.clone()));
                }
            }
        });
        for message in &mut self.messages {
            let text = &message.event.text;
            let is_repeated = |range: &Range<usize>| {
                let hash = sentence_hash(&text[range.clone()]);
                said.places
                    .get(&hash)
                    .is_some_and(|places| places.len() > 1)
            };
            let again: Vec<&Range<usize>> = message
                .typed
                .iter()
                .filter(|range| is_repeated(range))
                .collect();
            let characters: usize = again
                .iter()
                .map(|range| text[(*range).clone()].chars().count())
                .sum();
            if again.len() >= TEMPLATE_SENTENCES && characters >= TEMPLATE_CHARACTERS {
                message.typed.retain(|range| !is_repeated(range));
            }
        }
    }

    fn read_elsewhere(&mut self, trace: &mut dyn TraceReader) {
        let echo = &mut self.echo;
        // Agents append to a tool's result what a person says when they refuse it.
        let mut result: Option<(usize, Event)> = None;
        each(trace, |place, event| {
            if let Some((at, before)) = result.take() {
                let is_said =
                    is_person_text(event) && record_of(&before.id) == record_of(&event.id);
                let own = before
                    .text
                    .trim_end()
                    .strip_suffix(event.text.trim())
                    .filter(|_| is_said);
                echo.read(own.unwrap_or(&before.text), at, Source::Tool);
            }
            if is_answer(event) {
            } else if is_person_text(event) {
                for range in foreign(&event.text) {
                    echo.read(&event.text[range], place, Source::Injected);
                }
            } else if event.kind == "tool-result" {
                if event.text.len() <= TURN_BYTES {
                    result = Some((place, event.clone()));
                } else {
                    echo.read(&event.text, place, Source::Tool);
                }
            } else {
                let source = match event.kind.as_str() {
                    "tool-call" => Source::Call,
                    _ if is_own_word(event) => Source::Agent,
                    _ => Source::Injected,
                };
                echo.read(&event.text, place, source);
            }
        });
        if let Some((at, before)) = result {
            echo.read(&before.text, at, Source::Tool);
        }
    }

    /// Drops typed sentences that stand elsewhere.
    fn drop_repeated(&mut self) {
        for message in &mut self.messages {
            let (text, place, echo) = (&message.event.text, message.place, &self.echo);
            if message.answers.is_empty() {
                message
                    .typed
                    .retain(|range| echo.share_of_typed(&text[range.clone()], place) < ELSEWHERE);
            }
        }
    }
}

/// Returns the answers in the result of a question tool, and their ranges.
fn answered(event: &Event, turn: &[(usize, Event)]) -> (Vec<Answer>, Vec<Range<usize>>) {
    let call = event.attrs.get("call_id");
    let asked = turn.iter().rev().map(|(_, asked)| asked).find(|asked| {
        asked.kind == "tool-call" && (call.is_none() || asked.attrs.get("call_id") == call)
    });
    let found = asked
        .map(|asked| answers(&asked.text, &event.text))
        .unwrap_or_default();
    let ranges = found.iter().map(|answer| answer.range.clone()).collect();
    (found, ranges)
}

/// The sentences of the person's messages, by which templates are known.
#[derive(Default)]
struct SaidSentences {
    /// Positions of the messages that have a sentence.
    places: HashMap<u64, BTreeSet<usize>>,
    last: (usize, String),
}

impl SaidSentences {
    /// Adds a message. One that is sent again before the agent said anything is the same message.
    fn add(&mut self, event: &Event, place: usize, is_unanswered: bool) {
        let is_resent = is_unanswered && self.last.1 == event.text;
        if !is_resent {
            self.last = (place, acreta_text::head(&event.text, TURN_BYTES).to_owned());
        }
        let text = self.last.1.clone();
        let found = sentences(&text);
        for range in &found {
            let hash = sentence_hash(&text[range.clone()]);
            self.places.entry(hash).or_default().insert(self.last.0);
        }
    }
}

fn sentence_hash(sentence: &str) -> u64 {
    let mut hash = acreta_text::Fnv::default();
    for word in sentence.split_whitespace() {
        hash.write(word.as_bytes());
        hash.write(b" ");
    }
    hash.finish()
}

/// Returns the record of the agent's file that an event comes from.
fn record_of(id: &str) -> &str {
    id.split_once('#').map_or(id, |(record, _)| record)
}

/// Visits the trace, page by page. Stops at the first page that cannot be read.
fn each(trace: &mut dyn TraceReader, mut visit: impl FnMut(usize, &Event)) {
    trace.rewind();
    let mut place = 0;
    while let Ok(page) = trace.next(PAGE) {
        if page.is_empty() {
            break;
        }
        for event in &page {
            visit(place, event);
            place += 1;
        }
    }
}
