//! Values between rusqlite's vocabulary and PostgreSQL's wire format. The server says which type a parameter has; a
//! number becomes a flag where a flag is wanted.

use ::postgres::types::{FromSql, IsNull, ToSql, Type};
use bytes::BytesMut;
use rusqlite::types::{FromSqlError, ToSqlOutput, Value, ValueRef};

use crate::backend::{DatabaseError, Result};

type BoxedError = Box<dyn std::error::Error + Sync + Send>;

/// The value of a parameter.
#[derive(Debug)]
pub(super) enum Bound {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
    Blob(Vec<u8>),
}

impl Bound {
    pub(super) fn new(value: &dyn rusqlite::ToSql) -> Result<Self> {
        let output = value.to_sql()?;
        let value = match &output {
            ToSqlOutput::Borrowed(value) => *value,
            ToSqlOutput::Owned(value) => ValueRef::from(value),
            _ => ValueRef::from(&Value::Null),
        };
        Ok(match value {
            ValueRef::Null => Bound::Null,
            ValueRef::Integer(number) => Bound::Integer(number),
            ValueRef::Real(number) => Bound::Real(number),
            ValueRef::Text(text) => Bound::Text(String::from_utf8_lossy(text).into_owned()),
            ValueRef::Blob(bytes) => Bound::Blob(bytes.to_vec()),
        })
    }
}

impl ToSql for Bound {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> std::result::Result<IsNull, BoxedError> {
        match self {
            Bound::Null => return Ok(IsNull::Yes),
            Bound::Integer(number) if *kind == Type::BOOL => (*number != 0).to_sql(kind, out)?,
            Bound::Integer(number) if *kind == Type::INT4 => {
                i32::try_from(*number)?.to_sql(kind, out)?
            }
            Bound::Integer(number) if *kind == Type::INT8 => number.to_sql(kind, out)?,
            Bound::Real(number) if *kind == Type::FLOAT8 => number.to_sql(kind, out)?,
            Bound::Text(text) if *kind == Type::JSON => {
                out.extend_from_slice(json_without_nul(text).as_bytes());
                IsNull::No
            }
            Bound::Text(text) if <&str as ToSql>::accepts(kind) => {
                out.extend_from_slice(without_nul(text).as_bytes());
                IsNull::No
            }
            Bound::Blob(bytes) if *kind == Type::BYTEA => bytes.to_sql(kind, out)?,
            other => {
                return Err(format!("{other:?} does not fit a parameter of type {kind}").into());
            }
        };
        Ok(IsNull::No)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    ::postgres::types::to_sql_checked!();
}

/// PostgreSQL has no NUL in text. Titles and messages come from anywhere, so it is replaced, not refused.
fn without_nul(text: &str) -> std::borrow::Cow<'_, str> {
    match text.contains('\0') {
        true => text.replace('\0', "\u{fffd}").into(),
        false => text.into(),
    }
}

/// The same for a NUL that JSON text has as an escape.
fn json_without_nul(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let length = match escape.as_bytes() {
            [b'\\', b'u', b'0', b'0', b'0', b'0', ..] => {
                out.push_str("\\ufffd");
                rest = &escape[6..];
                continue;
            }
            bytes => bytes.len().min(2),
        };
        // What follows a backslash belongs to it; it is ASCII in JSON.
        let end = (length..=escape.len())
            .find(|end| escape.is_char_boundary(*end))
            .unwrap_or(escape.len());
        out.push_str(&escape[..end]);
        rest = &escape[end..];
    }
    out.push_str(rest);
    out
}

/// Reads a column as whatever is asked for.
pub(crate) fn get<T: rusqlite::types::FromSql>(row: &::postgres::Row, index: usize) -> Result<T> {
    let Column(value) = row.try_get(index)?;
    T::column_result(value).map_err(|error| {
        let kind = value.data_type();
        DatabaseError::Sqlite(match error {
            FromSqlError::OutOfRange(number) => {
                rusqlite::Error::IntegralValueOutOfRange(index, number)
            }
            FromSqlError::InvalidType => {
                rusqlite::Error::InvalidColumnType(index, index.to_string(), kind)
            }
            error => rusqlite::Error::FromSqlConversionFailure(index, kind, Box::new(error)),
        })
    })
}

/// A column as SQLite would give it.
struct Column<'a>(ValueRef<'a>);

impl<'a> FromSql<'a> for Column<'a> {
    fn from_sql(kind: &Type, raw: &'a [u8]) -> std::result::Result<Self, BoxedError> {
        Ok(Column(match *kind {
            Type::INT8 => ValueRef::Integer(i64::from_sql(kind, raw)?),
            Type::INT4 => ValueRef::Integer(i32::from_sql(kind, raw)?.into()),
            Type::BOOL => ValueRef::Integer(bool::from_sql(kind, raw)?.into()),
            Type::FLOAT8 => ValueRef::Real(f64::from_sql(kind, raw)?),
            Type::BYTEA => ValueRef::Blob(raw),
            Type::TEXT | Type::VARCHAR | Type::NAME | Type::JSON | Type::UNKNOWN => {
                ValueRef::Text(raw)
            }
            ref other => return Err(format!("a column of type {other}").into()),
        }))
    }

    fn from_sql_null(_: &Type) -> std::result::Result<Self, BoxedError> {
        Ok(Column(ValueRef::Null))
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_keeps_everything_but_escaped_nul() {
        for (text, expected) in [
            (r#"{"a":"b"}"#, r#"{"a":"b"}"#),
            (r#""x\u0000y""#, r#""x\ufffdy""#),
            (r#""\\u0000""#, r#""\\u0000""#),
            (r#""\\\u0000\n\"ü""#, r#""\\\ufffd\n\"ü""#),
            (r"\", r"\"),
            ("\\ü", "\\ü"),
        ] {
            assert_eq!(json_without_nul(text), expected, "{text}");
        }
        assert_eq!(without_nul("a\0b"), "a\u{fffd}b");
    }
}
