//! The author of a session's prompts: a person, the agent that started the session, or whoever writes in a channel.

use crate::adapter::{Failure, Session, Sink};

use crate::adapter::author::Wrapping;
use crate::adapter::{EventWriter, RecordSpan};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    Person,
    /// The agent whose subagent this session is.
    Agent,
    /// Somebody in a channel (a chat group, a mailbox, a webhook) that the agent listens to.
    Channel,
}

impl Speaker {
    /// Derives the author from the session's relation to its parent, and from the channel that it came by.
    pub fn of(session: &Session) -> Self {
        let value = |name: &str| {
            let found = session.attrs.iter().find(|(key, _)| key == name);
            found.map(|(_, value)| &**value)
        };
        match (value("relation"), value("channel")) {
            (Some("subagent"), _) => Speaker::Agent,
            (_, Some(_)) => Speaker::Channel,
            _ => Speaker::Person,
        }
    }

    /// Emits a prompt. Nothing in the prompt of an agent or a channel is attributed to a person.
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
            Speaker::Channel => told.injected(place, "user", "channel", text.to_owned()),
        }
    }
}
