//! Database representation of values: numbers as signed integers, enums by name, and texts that plugins or sessions
//! chose without their secrets.

use std::sync::LazyLock;

use acreta_redact::Redactor;
use acreta_types::{TaskState, UnknownName};
use camino::Utf8PathBuf;
use rusqlite::types::FromSql;

use crate::backend::{Result as Answer, ResultRow};

/// Redacts what is stored, whoever passed it. It knows no allow-list: that is about sessions, not about messages.
pub(crate) static REDACTOR: LazyLock<Redactor> = LazyLock::new(|| {
    Redactor::new(&[]).expect("without an allow-list nothing can be wrong with it")
});

/// Returns a text that a plugin or a session chose as it may be stored.
pub(crate) fn clean(text: &str) -> String {
    REDACTOR.redact(text).text.into_owned()
}

/// Declares an enum that is stored and shown by name.
macro_rules! named {
    (
        $(#[$meta:meta])*
        pub enum $type:ident {
            $($(#[$variant_meta:meta])* $variant:ident = $name:literal,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $type {
            $($(#[$variant_meta])* $variant,)+
        }

        impl $type {
            pub const ALL: &[$type] = &[$($type::$variant),+];

            pub fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name,)+
                }
            }

            /// Returns the variant with this name.
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.name() == name)
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(self.name())
            }
        }

        impl rusqlite::ToSql for $type {
            fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
                Ok(self.name().into())
            }
        }

        impl rusqlite::types::FromSql for $type {
            fn column_result(
                value: rusqlite::types::ValueRef<'_>,
            ) -> rusqlite::types::FromSqlResult<Self> {
                match value.as_str()? {
                    $($name => Ok($type::$variant),)+
                    unknown => Err(rusqlite::types::FromSqlError::Other(
                        format!("unknown {} `{unknown}`", stringify!($type)).into(),
                    )),
                }
            }
        }
    };
}
pub(crate) use named;

/// A model enum as a column value, stored by name.
pub(crate) struct ByName<T>(pub(crate) T);

impl rusqlite::ToSql for ByName<TaskState> {
    fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
        Ok(self.0.name().into())
    }
}

impl FromSql for ByName<TaskState> {
    fn column_result(value: rusqlite::types::ValueRef<'_>) -> rusqlite::types::FromSqlResult<Self> {
        let state = value.as_str()?.parse();
        state
            .map(Self)
            .map_err(|unknown: UnknownName| rusqlite::types::FromSqlError::Other(unknown.into()))
    }
}

/// Converts a number for storage; values too large for SQLite are clamped to `i64::MAX`.
pub(crate) fn stored(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// Serialises a value as JSON text.
pub(crate) fn to_json(value: &impl serde::Serialize) -> Answer<String> {
    Ok(serde_json::to_string(value)
        .map_err(|cause| rusqlite::Error::ToSqlConversionFailure(Box::new(cause)))?)
}

/// Columns of a row, read one after the other.
pub(crate) struct ColumnReader<'row> {
    row: ResultRow<'row>,
    next: usize,
}

impl<'row> ColumnReader<'row> {
    pub(crate) fn new(row: &ResultRow<'row>) -> Self {
        Self { row: *row, next: 0 }
    }

    pub(crate) fn take<T: FromSql>(&mut self) -> Answer<T> {
        let index = self.next;
        self.next += 1;
        self.row.get(index)
    }

    pub(crate) fn number(&mut self) -> Answer<u64> {
        let index = self.next;
        unsigned(index, self.take()?)
    }

    pub(crate) fn number_if_any(&mut self) -> Answer<Option<u64>> {
        let index = self.next;
        let value: Option<i64> = self.take()?;
        value.map(|value| unsigned(index, value)).transpose()
    }

    pub(crate) fn path(&mut self) -> Answer<Utf8PathBuf> {
        self.take::<String>().map(Utf8PathBuf::from)
    }

    /// Reads a column of JSON text as the requested type.
    pub(crate) fn json<T: serde::de::DeserializeOwned>(&mut self) -> Answer<Option<T>> {
        let index = self.next;
        let text: Option<String> = self.take()?;
        text.map(|text| {
            serde_json::from_str(&text).map_err(|cause| {
                let kind = rusqlite::types::Type::Text;
                rusqlite::Error::FromSqlConversionFailure(index, kind, Box::new(cause)).into()
            })
        })
        .transpose()
    }
}

fn unsigned(index: usize, value: i64) -> Answer<u64> {
    u64::try_from(value).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(index, value).into())
}
