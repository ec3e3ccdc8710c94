//! Access counts of memories. They stay on this machine: they say nothing about use elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::params;

use crate::backend::TransactionStop;
use crate::values::{ColumnReader, stored};
use crate::{Catalog, CatalogError};

/// Access count of a memory, and when this machine first saw it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Access {
    pub count: u64,
    /// `None` if it was never accessed.
    pub last_ms: Option<u64>,
    pub first_seen_ms: u64,
}

impl Catalog {
    /// Records a read access to these memories.
    pub fn note_accesses(&self, memories: &[&str], now_ms: u64) -> Result<(), CatalogError> {
        self.write_aside(|connection| {
            let mut statement = connection.prepare(
                "INSERT INTO accesses (memory, count, last_ms, first_seen_ms) VALUES (?1, 1, ?2, ?2)
                 ON CONFLICT (memory) DO UPDATE SET
                     count = accesses.count + 1,
                     last_ms = CASE WHEN accesses.last_ms > excluded.last_ms
                         THEN accesses.last_ms ELSE excluded.last_ms END",
            )?;
            for memory in memories {
                statement.execute(params![memory, stored(now_ms)])?;
            }
            Ok::<_, TransactionStop<CatalogError>>(())
        })
    }

    /// Records that these memories exist; already known ones stay unchanged. Returns the number of new ones.
    pub fn note_memories(&self, memories: &[&str], now_ms: u64) -> Result<usize, CatalogError> {
        self.write_aside(|connection| {
            let mut statement = connection.prepare(
                "INSERT INTO accesses (memory, count, last_ms, first_seen_ms) VALUES (?1, 0, NULL, ?2)
                 ON CONFLICT (memory) DO NOTHING",
            )?;
            let mut new = 0;
            for memory in memories {
                new += statement.execute(params![memory, stored(now_ms)])?;
            }
            Ok::<_, TransactionStop<CatalogError>>(new)
        })
    }

    /// Returns the access record of every memory, by id.
    pub fn accesses(&self) -> Result<BTreeMap<String, Access>, CatalogError> {
        self.accesses_where("")
    }

    /// Returns the access records of memories that were accessed at least once.
    pub fn asked(&self) -> Result<BTreeMap<String, Access>, CatalogError> {
        self.accesses_where("WHERE last_ms IS NOT NULL")
    }

    /// Returns the days, counted from 1970, on which a session was active or a run began.
    pub fn active_days(&self) -> Result<BTreeSet<u64>, CatalogError> {
        self.read(|connection| {
            let mut statement = connection.prepare(
                "SELECT updated_ms / 86400000 FROM sessions WHERE updated_ms IS NOT NULL
                 UNION SELECT started_ms / 86400000 FROM runs",
            )?;
            let days = statement.query_map([], |row| ColumnReader::new(row).number())?;
            days.collect()
        })
    }

    /// Deletes the records of memories that were removed for good.
    pub fn forget_memories(&self, memories: &[&str]) -> Result<(), CatalogError> {
        self.write_aside(|connection| {
            for table in ["accesses WHERE memory", "offers WHERE subject"] {
                let mut statement = connection.prepare(&format!("DELETE FROM {table} = ?1"))?;
                for memory in memories {
                    statement.execute([memory])?;
                }
            }
            Ok::<_, TransactionStop<CatalogError>>(())
        })
    }

    fn accesses_where(&self, condition: &str) -> Result<BTreeMap<String, Access>, CatalogError> {
        self.read(|connection| {
            let mut statement = connection.prepare(&format!(
                "SELECT memory, count, last_ms, first_seen_ms FROM accesses {condition}"
            ))?;
            let rows = statement.query_map([], |row| {
                let mut columns = ColumnReader::new(row);
                let memory: String = columns.take()?;
                let count = columns.number()?;
                let last_ms = columns.number_if_any()?;
                let first_seen_ms = columns.number()?;
                Ok((
                    memory,
                    Access {
                        count,
                        last_ms,
                        first_seen_ms,
                    },
                ))
            })?;
            rows.collect()
        })
    }
}
