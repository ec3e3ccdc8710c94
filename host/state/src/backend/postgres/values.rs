//! Converts values between rusqlite's types and PostgreSQL's wire format. The server gives the type of each parameter;
//! a number becomes a boolean where one is expected.

use std::borrow::Cow;

use ::postgres::types::{FromSql, IsNull, ToSql, Type};
use bytes::BytesMut;
use rusqlite::types::{FromSqlError, ToSqlOutput, Value, ValueRef};

use super::nul;
use crate::backend::{DatabaseError, Result};

type BoxedError = Box<dyn std::error::Error + Sync + Send>;

/// Value of a parameter.
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
                out.extend_from_slice(nul::hide_in_json(text).as_bytes());
                IsNull::No
            }
            Bound::Text(text) if <&str as ToSql>::accepts(kind) => {
                out.extend_from_slice(nul::hide(text).as_bytes());
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

/// Reads a column as the requested type.
pub(crate) fn get<T: rusqlite::types::FromSql>(row: &::postgres::Row, index: usize) -> Result<T> {
    let column: Column<'_> = row.try_get(index)?;
    let value = column.as_sqlite();
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

/// Value of a column.
enum Column<'a> {
    Text(Cow<'a, str>),
    Other(ValueRef<'a>),
}

impl Column<'_> {
    /// Returns the value as SQLite would.
    fn as_sqlite(&self) -> ValueRef<'_> {
        match self {
            Column::Text(text) => ValueRef::Text(text.as_bytes()),
            Column::Other(value) => *value,
        }
    }
}

impl<'a> FromSql<'a> for Column<'a> {
    fn from_sql(kind: &Type, raw: &'a [u8]) -> std::result::Result<Self, BoxedError> {
        Ok(match *kind {
            Type::JSON => Column::Text(nul::show_in_json(std::str::from_utf8(raw)?)),
            Type::TEXT | Type::VARCHAR | Type::NAME | Type::UNKNOWN => {
                Column::Text(nul::show(std::str::from_utf8(raw)?))
            }
            Type::INT8 => Column::Other(ValueRef::Integer(i64::from_sql(kind, raw)?)),
            Type::INT4 => Column::Other(ValueRef::Integer(i32::from_sql(kind, raw)?.into())),
            Type::BOOL => Column::Other(ValueRef::Integer(bool::from_sql(kind, raw)?.into())),
            Type::FLOAT8 => Column::Other(ValueRef::Real(f64::from_sql(kind, raw)?)),
            Type::BYTEA => Column::Other(ValueRef::Blob(raw)),
            ref other => return Err(format!("a column of type {other}").into()),
        })
    }

    fn from_sql_null(_: &Type) -> std::result::Result<Self, BoxedError> {
        Ok(Column::Other(ValueRef::Null))
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}
