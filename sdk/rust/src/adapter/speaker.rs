//! The author of a session's prompts: a person, or the agent that started the session.

use crate::adapter::{Failure, Session, Sink};

use crate::adapter::author::Wrapping;
use crate::adapter::{EventWriter, RecordSpan};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    Person,
    /// The agent whose subagent this session is.
    Agent,
}

impl Speaker {
    /// Derives the author from the session's relation to its parent.
    pub fn of(session: &Session) -> Self {
        let relation = session.attrs.iter().find(|(key, _)| key == "relation");
        match relation {
            Some((_, relation)) if relation == "subagent" => Speaker::Agent,
            _ => Speaker::Person,
        }
    }

    /// Emits a prompt. Nothing in an agent's prompt is attributed to a person.
    pub fn prompt<S: Sink>(
        self,
        told: &mut EventWriter<'_, S>,
        place: &mut RecordSpan,
        text: &str,
        wrapping: &Wrapping,
    ) -> Result<(), Failure> {
        match self {
            Speaker::Person => told.person(place, text, wrapping),
            Speaker::Agent => told.injected(place, "user", "agent", text.to_owned()),
        }
    }
}
