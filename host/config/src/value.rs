//! A setting's value, independent of the file it came from.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use toml_edit::{Array, InlineTable, Item};

use crate::keys::{Allowed, Builtin, KeyEntry, Kind};

/// Serialised as plain JSON; displayed as TOML.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Text(String),
    Integer(i64),
    Float(f64),
    Boolean(bool),
    List(Vec<Value>),
    Table(BTreeMap<String, Value>),
}

impl Value {
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Converts a TOML item, or returns `None` if it is empty. A date becomes text.
    pub(crate) fn of_item(item: &Item) -> Option<Self> {
        match item {
            Item::None => None,
            Item::Value(value) => Some(Self::of_toml(value)),
            Item::Table(table) => Some(Value::Table(
                table
                    .iter()
                    .filter_map(|(key, item)| Some((key.to_owned(), Self::of_item(item)?)))
                    .collect(),
            )),
            Item::ArrayOfTables(tables) => {
                let tables = tables
                    .iter()
                    .map(|table| Self::of_item(&Item::Table(table.clone())));
                Some(Value::List(tables.flatten().collect()))
            }
        }
    }

    fn of_toml(value: &toml_edit::Value) -> Self {
        match value {
            toml_edit::Value::String(text) => Value::Text(text.value().clone()),
            toml_edit::Value::Integer(integer) => Value::Integer(*integer.value()),
            toml_edit::Value::Float(float) => Value::Float(*float.value()),
            toml_edit::Value::Boolean(boolean) => Value::Boolean(*boolean.value()),
            toml_edit::Value::Datetime(datetime) => Value::Text(datetime.value().to_string()),
            toml_edit::Value::Array(array) => {
                Value::List(array.iter().map(Self::of_toml).collect())
            }
            toml_edit::Value::InlineTable(table) => Value::Table(
                table
                    .iter()
                    .map(|(key, value)| (key.to_owned(), Self::of_toml(value)))
                    .collect(),
            ),
        }
    }

    /// Parses a value given as text, in a variable, a flag or to `config set`, according to the key's kind. A list is
    /// TOML in brackets or words between commas.
    pub(crate) fn of_text(entry: &KeyEntry, text: &str) -> Self {
        let trimmed = text.trim();
        let toml = || {
            trimmed
                .parse::<toml_edit::Value>()
                .ok()
                .map(|value| Self::of_toml(&value))
        };
        let read = match entry.kind() {
            Kind::Text => None,
            Kind::Integer => trimmed.replace('_', "").parse().ok().map(Value::Integer),
            Kind::Float => trimmed.parse().ok().map(Value::Float),
            Kind::Boolean => match trimmed {
                "true" | "1" => Some(Value::Boolean(true)),
                "false" | "0" => Some(Value::Boolean(false)),
                _ => None,
            },
            Kind::TextList if trimmed.starts_with('[') => toml(),
            Kind::TextList => {
                let words = trimmed
                    .split(',')
                    .map(str::trim)
                    .filter(|word| !word.is_empty());
                Some(Value::List(
                    words.map(|word| Value::Text(word.to_owned())).collect(),
                ))
            }
            Kind::Any => toml(),
        };
        read.unwrap_or_else(|| Value::Text(text.to_owned()))
    }

    /// Returns the value as the entry accepts it, or `None` if it is invalid.
    pub(crate) fn checked(self, entry: &KeyEntry) -> Option<Self> {
        let value = match (entry.kind(), self) {
            (Kind::Any, value) => value,
            (Kind::Text, value @ Value::Text(_)) => value,
            (Kind::Integer, value @ Value::Integer(_)) => value,
            (Kind::Float, value @ Value::Float(_)) => value,
            (Kind::Float, Value::Integer(integer)) => Value::Float(integer as f64),
            (Kind::Boolean, value @ Value::Boolean(_)) => value,
            (Kind::TextList, Value::List(values))
                if values.iter().all(|value| value.as_text().is_some()) =>
            {
                Value::List(values)
            }
            _ => return None,
        };
        let allowed = match (entry.allowed, &value) {
            (Allowed::All, _) => true,
            (Allowed::OneOf(names), Value::Text(text)) => names.contains(&text.as_str()),
            (Allowed::Between(least, most), Value::Integer(integer)) => {
                (least..=most).contains(&(*integer as f64))
            }
            (Allowed::Between(least, most), Value::Float(float)) => (least..=most).contains(float),
            _ => false,
        };
        allowed.then_some(value)
    }

    /// Formats the value for a message: on one line and shortened.
    pub(crate) fn short(&self) -> String {
        let text = self.to_string().replace('\n', " ");
        let head = &text[..text.floor_char_boundary(80)];
        if head.len() < text.len() {
            format!("{head}…")
        } else {
            text
        }
    }

    pub(crate) fn to_toml(&self) -> toml_edit::Value {
        match self {
            Value::Text(text) => text.as_str().into(),
            Value::Integer(integer) => (*integer).into(),
            Value::Float(float) => (*float).into(),
            Value::Boolean(boolean) => (*boolean).into(),
            Value::List(values) => values.iter().map(Value::to_toml).collect::<Array>().into(),
            Value::Table(table) => {
                let pairs = table
                    .iter()
                    .map(|(key, value)| (key.as_str(), value.to_toml()));
                pairs.collect::<InlineTable>().into()
            }
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}", self.to_toml())
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Text(text) => serializer.serialize_str(text),
            Value::Integer(integer) => serializer.serialize_i64(*integer),
            Value::Float(float) => serializer.serialize_f64(*float),
            Value::Boolean(boolean) => serializer.serialize_bool(*boolean),
            Value::List(values) => serializer.collect_seq(values),
            Value::Table(table) => serializer.collect_map(table),
        }
    }
}

impl Builtin {
    pub(crate) fn value(self) -> Option<Value> {
        match self {
            Builtin::Unset(_) => None,
            Builtin::Text(text) => Some(Value::Text(text.to_owned())),
            Builtin::Integer(integer) => Some(Value::Integer(integer)),
            Builtin::Float(float) => Some(Value::Float(float)),
            Builtin::Boolean(boolean) => Some(Value::Boolean(boolean)),
            Builtin::TextList(texts) => Some(Value::List(
                texts
                    .iter()
                    .map(|text| Value::Text((*text).to_owned()))
                    .collect(),
            )),
        }
    }
}
