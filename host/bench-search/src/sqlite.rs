//! The same texts in SQLite's FTS5, asked with any of the words, best first.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::Connection;

use crate::{Outcome, generate};

/// Builds a table of `count` memories and returns how long that took.
pub(crate) fn build(file: &Path, count: u64) -> Outcome<(Connection, Duration)> {
    let started = Instant::now();
    let mut connection = Connection::open(file)?;
    connection.execute_batch("CREATE VIRTUAL TABLE memory USING fts5(title, body)")?;
    let transaction = connection.transaction()?;
    {
        let mut insert = transaction.prepare("INSERT INTO memory VALUES (?1, ?2)")?;
        for number in 0..count {
            let made = generate::memory(number);
            insert.execute([&made.title, &made.body])?;
        }
    }
    transaction.commit()?;
    Ok((connection, started.elapsed()))
}

/// How long each question took.
pub(crate) fn ask(connection: &Connection, questions: &[String]) -> Outcome<Vec<Duration>> {
    let mut select = connection
        .prepare("SELECT rowid FROM memory WHERE memory MATCH ?1 ORDER BY rank LIMIT 10")?;
    let mut times = Vec::new();
    for question in questions {
        let words: Vec<String> = question
            .split(' ')
            .map(|word| format!("\"{word}\""))
            .collect();
        let started = Instant::now();
        let found: Vec<i64> = select
            .query_map([words.join(" OR ")], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        times.push(started.elapsed());
        if found.is_empty() {
            return Err(format!("FTS5 found nothing for `{question}`").into());
        }
    }
    Ok(times)
}
