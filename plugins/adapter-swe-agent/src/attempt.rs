//! A trajectory as a document: its owner, and the location of its messages.

use acreta_sdk::adapter::calls::hash;
use acreta_sdk::adapter::document::Item;
use acreta_sdk::adapter::json::{Scanner, Text, Value};
use acreta_sdk::adapter::outline::Outline;
use acreta_sdk::adapter::{Session, attr, path};

/// Possible first fields of a trajectory.
const FIRST: [&[u8]; 5] = [
    b"environment",
    b"trajectory",
    b"history",
    b"info",
    b"replay_config",
];

/// A parsed document.
pub(crate) struct Attempt<'a> {
    outline: Outline<'a>,
    pub(crate) form: Form,
}

/// The list of the document that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// All messages, in order.
    History,
    /// Only the steps, if there are no messages.
    Trajectory,
}

/// Reports whether a document with this beginning may be a trajectory.
pub(crate) fn may_be_one(beginning: &[u8]) -> bool {
    let mut is_known = None;
    // Stops at the first value, which may be longer than the beginning.
    let _read = Scanner::new(beginning).each_field(|scanner, key| {
        is_known.get_or_insert(FIRST.contains(&key));
        scanner.value().map(|_| ())
    });
    is_known == Some(true)
}

impl<'a> Attempt<'a> {
    /// Returns `None` if the document is not a trajectory.
    pub(crate) fn of(bytes: &'a [u8]) -> Option<Self> {
        let history = Outline::of(bytes, "history")?;
        if history.items.as_deref().is_some_and(is_history) {
            return Some(Self {
                outline: history,
                form: Form::History,
            });
        }
        let trajectory = Outline::of(bytes, "trajectory")?;
        let is_one = trajectory.items.as_deref().is_some_and(is_trajectory);
        is_one.then_some(Self {
            outline: trajectory,
            form: Form::Trajectory,
        })
    }

    pub(crate) fn items(&self) -> &[Item<'a>] {
        self.outline.items.as_deref().unwrap_or_default()
    }

    /// Returns the reason why the document could not be read to its end.
    pub(crate) fn fault(&self) -> Option<&'static str> {
        self.outline.fault.map(|(_, cause)| cause)
    }

    pub(crate) fn session(&self, path: &str, revision: String) -> Session {
        let mut attrs = Vec::new();
        attrs.extend(self.model().map(|model| attr("model", model)));
        let first = self.first_reply();
        if first.is_none() {
            attrs.push(attr("empty", "true"));
        }
        // Attempts at one task have the same name: the first reply distinguishes them.
        let mark = hash(first.map(Value::raw).unwrap_or_default()) as u32;
        Session {
            id: format!("{}-{mark:08x}", path::stem(path)),
            agent: crate::AGENT.to_owned(),
            path: path.to_owned(),
            project_dir: self.directory(),
            parent: None,
            started_ms: None,
            updated_ms: None,
            revision,
            attrs,
        }
    }

    fn first_reply(&self) -> Option<Value<'a>> {
        let mut items = self.items().iter().map(|item| item.value);
        match self.form {
            Form::Trajectory => items.next(),
            Form::History => items.find(|message| {
                let is_reply = message
                    .text_of("role")
                    .is_some_and(|role| role.is("assistant"));
                is_reply && !is_demonstration(*message)
            }),
        }
    }

    /// Returns the model. The settings may hold credentials: nothing else is read of them.
    fn model(&self) -> Option<String> {
        let name = |settings: Value<'_>| {
            let model = settings.field("agent")?.field("model")?;
            model.text_of("name").map(|name| name.lossy().into_owned())
        };
        match self.outline.field("replay_config")? {
            Value::Text(text) => name(Scanner::new(text.lossy().as_bytes()).value().ok()?),
            settings => name(settings),
        }
    }

    /// Returns the agent's directory after its first step.
    fn directory(&self) -> Option<String> {
        let step = match self.form {
            Form::Trajectory => self.items().first()?.value,
            Form::History => *self.outline.field("trajectory")?.elements().first()?,
        };
        let directory = |state: Value<'_>| {
            let directory = state.text_of("working_dir").map(Text::lossy)?;
            Some(directory.trim().to_owned()).filter(|directory| directory.starts_with('/'))
        };
        match step.field("state")? {
            Value::Text(text) => directory(Scanner::new(text.lossy().as_bytes()).value().ok()?),
            state => directory(state),
        }
    }
}

/// Reports whether a message belongs to a demonstration.
pub(crate) fn is_demonstration(message: Value<'_>) -> bool {
    message.field("is_demo").is_some_and(Value::is_true)
}

fn is_history(items: &[Item<'_>]) -> bool {
    items.first().is_some_and(|item| {
        let has = |name: &str| item.value.field(name).is_some();
        has("role") && has("content") && (has("agent") || has("message_type"))
    })
}

fn is_trajectory(items: &[Item<'_>]) -> bool {
    items.first().is_some_and(|item| {
        let has = |name: &str| item.value.field(name).is_some();
        has("action") && has("observation") && (has("thought") || has("response"))
    })
}
