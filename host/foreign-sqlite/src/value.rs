//! One cell of a result, or one parameter of a query. Owned; its text is always UTF-8.

use rusqlite::ToSql;
use rusqlite::types::{ToSqlOutput, ValueRef};

/// A value of SQLite.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Null,
    Integer(i64),
    Real(f64),
    /// Invalid UTF-8 is replaced by replacement characters.
    Text(String),
    Blob(Vec<u8>),
}

impl Value {
    /// Returns the bytes that a value counts for: a fixed overhead and its content.
    pub(crate) fn weight(value: ValueRef<'_>) -> u64 {
        let content = match value {
            ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => 0,
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.len() as u64,
        };
        32 + content
    }
}

impl From<ValueRef<'_>> for Value {
    fn from(value: ValueRef<'_>) -> Self {
        match value {
            ValueRef::Null => Value::Null,
            ValueRef::Integer(number) => Value::Integer(number),
            ValueRef::Real(number) => Value::Real(number),
            ValueRef::Text(bytes) => Value::Text(String::from_utf8_lossy(bytes).into_owned()),
            ValueRef::Blob(bytes) => Value::Blob(bytes.to_vec()),
        }
    }
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Value::Null => ValueRef::Null,
            Value::Integer(number) => ValueRef::Integer(*number),
            Value::Real(number) => ValueRef::Real(*number),
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
            Value::Blob(bytes) => ValueRef::Blob(bytes),
        }))
    }
}
