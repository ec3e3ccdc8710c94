//! Keys of sessions and projects.

use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef};

use crate::values::REDACTOR;

/// A project's number in this database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProjectId(pub(crate) i64);

impl std::fmt::Display for ProjectId {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(formatter)
    }
}

impl ToSql for ProjectId {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        self.0.to_sql()
    }
}

impl FromSql for ProjectId {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        i64::column_result(value).map(ProjectId)
    }
}

/// Uniquely identifies a session.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionKey {
    pub agent: String,
    pub id: String,
}

impl SessionKey {
    /// An id that contains a secret is replaced, as in everything else that is stored of its session.
    pub fn new(agent: impl Into<String>, id: impl Into<String>) -> Self {
        let (agent, mut id) = (agent.into(), id.into());
        // Nearly all ids are UUIDs, which need no rules.
        if !id.bytes().all(|it| it.is_ascii_hexdigit() || it == b'-') {
            REDACTOR.clean_id(&mut id);
        }
        Self { agent, id }
    }
}

impl std::fmt::Display for SessionKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}/{}", self.agent, self.id)
    }
}
