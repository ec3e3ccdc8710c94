//! When memories were asked for. On this machine only: what is popular here is nobody else's news.

use std::collections::BTreeMap;

use rusqlite::params;

use crate::backend::Stop;
use crate::values::{Columns, stored};
use crate::{Catalog, CatalogError};

/// How often a memory was asked for, and since when it is known here.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Access {
    pub count: u64,
    /// None when nobody asked yet.
    pub last_ms: Option<u64>,
    pub first_seen_ms: u64,
}

impl Catalog {
    /// Notes that somebody read these memories.
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
            Ok::<_, Stop<CatalogError>>(())
        })
    }

    /// Notes that these memories exist; those that are known stay as they are. Gives the number of new ones.
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
            Ok::<_, Stop<CatalogError>>(new)
        })
    }

    /// What is known of every memory, by id.
    pub fn accesses(&self) -> Result<BTreeMap<String, Access>, CatalogError> {
        self.accesses_where("")
    }

    /// The same without those that nobody ever asked for.
    pub fn asked(&self) -> Result<BTreeMap<String, Access>, CatalogError> {
        self.accesses_where("WHERE last_ms IS NOT NULL")
    }

    /// Forgets memories that are gone for good.
    pub fn forget_memories(&self, memories: &[&str]) -> Result<(), CatalogError> {
        self.write_aside(|connection| {
            for table in ["accesses WHERE memory", "offers WHERE subject"] {
                let mut statement = connection.prepare(&format!("DELETE FROM {table} = ?1"))?;
                for memory in memories {
                    statement.execute([memory])?;
                }
            }
            Ok::<_, Stop<CatalogError>>(())
        })
    }

    fn accesses_where(&self, condition: &str) -> Result<BTreeMap<String, Access>, CatalogError> {
        self.read(|connection| {
            let mut statement = connection.prepare(&format!(
                "SELECT memory, count, last_ms, first_seen_ms FROM accesses {condition}"
            ))?;
            let rows = statement.query_map([], |row| {
                let mut columns = Columns::new(row);
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
