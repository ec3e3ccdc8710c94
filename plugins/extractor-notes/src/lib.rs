//! The extractor of notes: no model and no rules on language. It finds the notes that the agent made in the session itself
//! (`memory_note`, or `acreta memory note` in a shell) and points to the words that each quotes.
//!
//! The agent points, and the host checks. A note says "No deploys on Fridays", quote "never deploy on fridays"; this
//! plugin finds the last message of the person before the call that has these words, and proposes a candidate that cites
//! that message. Whether the person typed it is judged by the host, as for every extractor. A note whose words nobody
//! said before is proposed with the call itself as evidence, so that the host can say why it is refused.

mod call;
mod quote;

use std::ops::Range;

use acreta_sdk::extractor::{
    Candidate, Event, Events, Evidence, Extractor, Failure, Host, Session, Summary,
};
use acreta_text::asks_person;

pub use call::{NoteCall, note_call};
use quote::find;

/// The component.
pub struct Notes;

acreta_sdk::extractor!(Notes);

impl Extractor for Notes {
    fn extract(
        _session: &Session,
        events: &impl Events,
        _host: &impl Host,
    ) -> Result<Vec<Candidate>, Failure> {
        let mut notes = Vec::new();
        let mut place = 0_usize;
        events.each(|event| {
            place += 1;
            if is_in_main(event) {
                match event.kind.as_str() {
                    "tool-call" if notes.len() < MOST => {
                        let call = note_call(event);
                        notes.extend(call.map(|call| FoundNote::new(place, event, call)));
                    }
                    "tool-result" | "injected" => answer(&mut notes, event),
                    _ => {}
                }
            }
            Ok(())
        })?;
        if notes.is_empty() {
            return Ok(Vec::new());
        }
        place = 0;
        events.each(|event| {
            place += 1;
            if is_in_main(event) {
                for note in notes.iter_mut().filter(|note| place < note.place) {
                    note.look(event);
                }
            }
            Ok(())
        })?;
        Ok(notes.into_iter().map(FoundNote::candidate).collect())
    }

    /// Says nothing: notes are no story of a session.
    fn summarise(
        _session: &Session,
        _events: &impl Events,
        _host: &impl Host,
    ) -> Result<Summary, Failure> {
        Ok(Summary {
            title: String::new(),
            description: String::new(),
            body: String::new(),
            tags: Vec::new(),
            evidence: Vec::new(),
            attrs: Vec::new(),
        })
    }
}

/// Maximum length of a title that is cut from a sentence.
const TITLE_BYTES: usize = 110;

/// Maximum length of a candidate's text; the host allows 500 characters with the title.
const BODY_BYTES: usize = 380;

/// Maximum number of notes of a session that are read.
const MOST: usize = 200;

/// A note and what it quotes.
struct FoundNote {
    /// Position of the call in the session.
    place: usize,
    /// The call, for a note that quotes nothing.
    call_event: Evidence,
    call_id: String,
    /// Id that acreta gave it.
    id: Option<String>,
    call: NoteCall,
    /// The last place of each quote, as the speaker's rank and the evidence.
    quotes: Vec<Option<(Speaker, Evidence)>>,
    /// The sentence of which a quote is only a part, if any.
    whole: Option<String>,
    about: Option<Evidence>,
}

/// Who said a passage. Of several, the person counts, then the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Speaker {
    Tool,
    Agent,
    Person,
}

impl FoundNote {
    fn new(place: usize, event: &Event, call: NoteCall) -> Self {
        let shown = acreta_text::head(&event.text, 300);
        Self {
            place,
            call_event: Evidence::new(event, shown),
            call_id: attribute(event, "call_id").to_owned(),
            id: None,
            quotes: vec![None; call.quotes.len()],
            whole: None,
            about: None,
            call,
        }
    }

    /// Looks for the note's passages in an event before its call.
    fn look(&mut self, event: &Event) {
        let Some(speaker) = speaker(event) else {
            return;
        };
        let instructs = self.call.instructs();
        for (known, quote) in self.quotes.iter_mut().zip(&self.call.quotes) {
            let is_better = known.as_ref().is_none_or(|(said, _)| speaker >= *said);
            // What instructs is the person's word or nothing.
            if is_better
                && (speaker == Speaker::Person || !instructs)
                && let Some(range) = find(&event.text, quote)
            {
                if instructs {
                    self.whole = larger(&event.text, &range).or(self.whole.take());
                }
                *known = Some((speaker, Evidence::new(event, &event.text[range])));
            }
        }
        if speaker == Speaker::Agent
            && let Some(about) = &self.call.about
            && let Some(range) = find(&event.text, about)
        {
            self.about = Some(Evidence::new(event, &event.text[range]));
        }
    }

    fn candidate(self) -> Candidate {
        let is_quoting = !self.quotes.is_empty();
        let mut evidence: Vec<Evidence> = self
            .quotes
            .iter()
            .map_while(|quote| quote.as_ref().map(|(_, evidence)| evidence.clone()))
            .collect();
        let is_found = evidence.len() == self.quotes.len();
        let body = match is_quoting {
            // What instructs is told in whole sentences of the person, which the host takes from their message.
            true => acreta_text::head(&self.call.quotes.join("\n"), BODY_BYTES).to_owned(),
            false => self.call.title.clone(),
        };
        if !is_quoting || !is_found {
            evidence = vec![self.call_event];
        } else {
            evidence.extend(self.about);
        }
        let mut attrs = vec![("note".to_owned(), self.id.unwrap_or_default())];
        if self.call.instructs() || (is_quoting && !is_found) {
            attrs.push(("certainty".to_owned(), "spoken".to_owned()));
        }
        attrs.extend(self.call.replaces.map(|id| ("replaces".to_owned(), id)));
        let category = match self.call.kind.as_str() {
            "" => "decision",
            _ => "learning",
        };
        Candidate {
            id: format!("note-{}", self.place),
            category: category.to_owned(),
            kind: self.call.kind,
            // A part may say the opposite of its sentence, and its title does, too.
            title: self.whole.unwrap_or(self.call.title),
            body,
            confidence: 0.9,
            tags: self.call.files,
            evidence,
            attrs,
        }
    }
}

/// Returns the sentence of which a passage is only a part: words are missing before or after it.
fn larger(text: &str, passage: &Range<usize>) -> Option<String> {
    let has_words = |part: &str| part.chars().any(char::is_alphanumeric);
    let sentence = acreta_text::sentences(text).into_iter().find(|sentence| {
        let starts_in = sentence.start < passage.start && passage.start < sentence.end;
        let ends_in = sentence.start < passage.end && passage.end < sentence.end;
        starts_in && has_words(&text[sentence.start..passage.start])
            || ends_in && has_words(&text[passage.end..sentence.end])
    })?;
    let line = acreta_text::one_line(&text[sentence]);
    Some(acreta_text::head(&line, TITLE_BYTES).to_owned())
}

/// Takes the id of a note from the answer to its call.
fn answer(notes: &mut [FoundNote], event: &Event) {
    let call = attribute(event, "call_id");
    let asked = |note: &&mut FoundNote| !call.is_empty() && note.call_id == call;
    if let Some(note) = notes.iter_mut().rev().find(asked)
        && note.id.is_none()
    {
        note.id = pending_id(&event.text).map(str::to_owned);
    }
}

/// Returns the first id of a note in a text: `p-` and twelve hexadecimal digits.
fn pending_id(text: &str) -> Option<&str> {
    let mut ids = text.match_indices("p-").filter_map(|(start, _)| {
        let id = text.get(start..start + 14)?;
        let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        id.bytes().skip(2).all(is_hex).then_some(id)
    });
    ids.next()
}

fn speaker(event: &Event) -> Option<Speaker> {
    match (event.role.as_str(), event.kind.as_str()) {
        ("user", "text") => Some(Speaker::Person),
        (_, "tool-result") if asks_person(attribute(event, "tool")) => Some(Speaker::Person),
        ("assistant", "text") => Some(Speaker::Agent),
        (_, "tool-call") if asks_person(attribute(event, "tool")) => Some(Speaker::Agent),
        (_, "tool-result" | "tool-call") => Some(Speaker::Tool),
        _ => None,
    }
}

/// Reports whether an event is part of the conversation with the person; a subagent's person is the agent.
fn is_in_main(event: &Event) -> bool {
    attribute(event, "sidechain") != "true" && attribute(event, "agent_id").is_empty()
}

fn attribute<'a>(event: &'a Event, name: &str) -> &'a str {
    let found = event.attrs.iter().find(|(key, _)| key == name);
    found.map_or("", |(_, value)| value.as_str())
}

#[cfg(test)]
mod tests;
