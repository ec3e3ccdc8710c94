//! Fields of a span or an event: numbers stay numbers, everything else becomes text of bounded length.

use std::fmt::{Debug, Write};

use tracing::field::{Field, Visit};

/// Maximum bytes recorded of one text. A longer text is cut, and its end may be half of a secret.
pub(crate) const CAPTURED: usize = 64 * 1024;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum FieldValue {
    Text(String),
    Signed(i64),
    Unsigned(u64),
    Float(f64),
    Bool(bool),
}

/// Fields in the order in which they were first set.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Fields(Vec<(&'static str, FieldValue)>);

impl Fields {
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'static str, &FieldValue)> {
        self.0.iter().map(|(name, value)| (*name, value))
    }

    pub(crate) fn set(&mut self, name: &'static str, value: FieldValue) {
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = value,
            None => self.0.push((name, value)),
        }
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        match self.get(name) {
            Some(FieldValue::Text(text)) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Returns whether the fields report a failure (`error` or `fault`).
    pub(crate) fn tell_failure(&self) -> bool {
        self.has("error") || self.has("fault")
    }

    fn get(&self, name: &str) -> Option<&FieldValue> {
        self.iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value)
    }

    fn set_text(&mut self, field: &Field, arguments: std::fmt::Arguments<'_>) {
        let mut text = Bounded(String::new());
        // Stops when the text has reached its limit.
        let _ended = text.write_fmt(arguments);
        self.set(field.name(), FieldValue::Text(text.0));
    }
}

impl Visit for Fields {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.set(field.name(), FieldValue::Float(value));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.set(field.name(), FieldValue::Signed(value));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.set(field.name(), FieldValue::Unsigned(value));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.set(field.name(), FieldValue::Bool(value));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.set_text(field, format_args!("{value}"));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.set_text(field, format_args!("{value:?}"));
    }
}

/// A writer that stops after [`CAPTURED`] bytes.
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
