//! What a span or an event says of itself, as it was said: numbers as numbers, everything else as text
//! of bounded length.

use std::fmt::{Debug, Write};

use tracing::field::{Field, Visit};

/// A text that is longer than this was cut: its end may be half of a secret.
pub(crate) const CAPTURED: usize = 64 * 1024;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Text(String),
    Signed(i64),
    Unsigned(u64),
    Float(f64),
    Bool(bool),
}

/// In the order they were first said.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Fields(Vec<(&'static str, Value)>);

impl Fields {
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        self.0.iter().map(|(name, value)| (*name, value))
    }

    pub(crate) fn set(&mut self, name: &'static str, value: Value) {
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = value,
            None => self.0.push((name, value)),
        }
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        match self.get(name) {
            Some(Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Whether they say that something failed: why, or what kind of failure it was.
    pub(crate) fn tell_failure(&self) -> bool {
        self.has("error") || self.has("fault")
    }

    fn get(&self, name: &str) -> Option<&Value> {
        self.iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value)
    }

    fn set_text(&mut self, field: &Field, arguments: std::fmt::Arguments<'_>) {
        let mut text = Bounded(String::new());
        // Stops where the text is long enough.
        let _ended = text.write_fmt(arguments);
        self.set(field.name(), Value::Text(text.0));
    }
}

impl Visit for Fields {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.set(field.name(), Value::Float(value));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.set(field.name(), Value::Signed(value));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.set(field.name(), Value::Unsigned(value));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.set(field.name(), Value::Bool(value));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.set_text(field, format_args!("{value}"));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.set_text(field, format_args!("{value:?}"));
    }
}

/// Takes text until it has more than [`CAPTURED`] bytes.
struct Bounded(String);

impl Write for Bounded {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let room = (CAPTURED + 1).saturating_sub(self.0.len());
        if text.len() <= room {
            self.0.push_str(text);
            return Ok(());
        }
        self.0.push_str(&text[..text.ceil_char_boundary(room)]);
        Err(std::fmt::Error)
    }
}
