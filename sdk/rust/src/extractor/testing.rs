//! Tests of extractors outside a sandbox: events from a list, and a host that answers from a list.

use std::cell::{Cell, RefCell};

use super::{
    Budget, Event, Events, Evidence, Failure, Host, MemoryType, Origin, Reply, Request, Session,
};

/// Builds an event with only these properties.
pub fn event(id: &str, role: &str, kind: &str, text: &str) -> Event {
    Event {
        id: id.to_owned(),
        origin: Origin {
            record: id.to_owned(),
            start: 0,
            end: 0,
        },
        role: role.to_owned(),
        kind: kind.to_owned(),
        at_ms: None,
        text: text.to_owned(),
        attrs: Vec::new(),
    }
}

/// Builds a session with only an id.
pub fn session() -> Session {
    Session {
        id: "session".to_owned(),
        agent: "agent".to_owned(),
        path: "/session.jsonl".to_owned(),
        project_dir: None,
        parent: None,
        started_ms: None,
        updated_ms: None,
        revision: "1".to_owned(),
        attrs: Vec::new(),
    }
}

/// Reports whether a quote occurs in the event that it names, as the host will check.
pub fn is_grounded(evidence: &Evidence, events: &[Event]) -> bool {
    let named = events.iter().find(|event| event.id == evidence.event_id);
    named.is_some_and(|event| event.text.contains(&evidence.quote))
}

/// Events from a list.
#[derive(Debug, Default)]
pub struct EventList {
    events: Vec<Event>,
    at: Cell<usize>,
}

impl EventList {
    pub fn new(events: Vec<Event>) -> Self {
        let at = Cell::new(0);
        Self { events, at }
    }

    pub fn events(&self) -> &[Event] {
        &self.events
    }
}

impl Events for EventList {
    fn count(&self) -> u64 {
        self.events.len() as u64
    }

    fn rewind(&self) {
        self.at.set(0);
    }

    fn next(&self, max_bytes: u32) -> Result<Vec<Event>, Failure> {
        let mut page = Vec::new();
        let mut bytes = 0;
        for event in &self.events[self.at.get()..] {
            bytes += event.text.len();
            if !page.is_empty() && bytes > max_bytes as usize {
                break;
            }
            page.push(event.clone());
        }
        self.at.set(self.at.get() + page.len());
        Ok(page)
    }

    fn read(&self, event_id: &str) -> Result<Option<Event>, Failure> {
        let found = self.events.iter().find(|event| event.id == event_id);
        Ok(found.cloned())
    }

    fn find(&self, text: &str, limit: u32) -> Result<Vec<Event>, Failure> {
        let wanted = text.to_lowercase();
        let found = self.events.iter();
        let found = found.filter(|event| event.text.to_lowercase().contains(&wanted));
        Ok(found.take(limit as usize).cloned().collect())
    }
}

/// A host with scripted answers. Models return the replies in turn, and `not-granted` when none are left.
#[derive(Debug, Default)]
pub struct ScriptedHost {
    pub memory_types: Vec<MemoryType>,
    pub settings: Vec<(String, String)>,
    pub replies: RefCell<Vec<String>>,
    /// Logged messages with their level.
    pub logged: RefCell<Vec<(String, String)>>,
    /// Requests that models received.
    pub asked: RefCell<Vec<Request>>,
}

impl Host for ScriptedHost {
    fn memory_types(&self) -> Vec<MemoryType> {
        self.memory_types.clone()
    }

    fn setting(&self, key: &str) -> Option<String> {
        let found = self.settings.iter().find(|(name, _)| name == key);
        found.map(|(_, value)| value.clone())
    }

    fn log(&self, level: &str, message: &str) {
        let line = (level.to_owned(), message.to_owned());
        self.logged.borrow_mut().push(line);
    }

    fn left(&self) -> Budget {
        Budget {
            calls_left: u32::try_from(self.replies.borrow().len()).unwrap_or(u32::MAX),
            tokens_left: u64::MAX,
        }
    }

    fn complete_all(&self, requests: &[Request]) -> Vec<Result<Reply, Failure>> {
        self.asked.borrow_mut().extend_from_slice(requests);
        let mut replies = self.replies.borrow_mut();
        let answer = |_: &Request| {
            if replies.is_empty() {
                return Err(Failure::new("not-granted", "no reply is left"));
            }
            Ok(Reply {
                content: replies.remove(0),
                input_tokens: 0,
                output_tokens: 0,
                cached: false,
            })
        };
        requests.iter().map(answer).collect()
    }
}
