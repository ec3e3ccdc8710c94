//! The same files in SQLite's FTS5, queried for any of the words, best first.

use camino::{Utf8Path, Utf8PathBuf};
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::search::times::timed;
use crate::search::{Outcome, generate};

/// Reads every memory of a project into a table.
pub(crate) fn build(root: &Utf8Path) -> Outcome<Connection> {
    let mut connection = Connection::open(file(root))?;
    connection.execute_batch("CREATE VIRTUAL TABLE memory USING fts5(text)")?;
    let transaction = connection.transaction()?;
    {
        let mut insert = transaction.prepare("INSERT INTO memory VALUES (?1)")?;
        for entry in root.join(generate::FOLDER).read_dir_utf8()? {
            insert.execute([std::fs::read_to_string(entry?.path())?])?;
        }
    }
    transaction.commit()?;
    Ok(connection)
}

/// Adds one more.
pub(crate) fn add(connection: &mut Connection, number: u64) -> Outcome<()> {
    let made = generate::memory(number);
    let transaction = connection.transaction()?;
    transaction.execute("INSERT INTO memory VALUES (?1)", [made.text(number)])?;
    transaction.commit()?;
    Ok(())
}

/// Returns the time of each query, in milliseconds.
pub(crate) fn ask(connection: &Connection, questions: &[String]) -> Outcome<Vec<f64>> {
    let mut times = Vec::new();
    for question in questions {
        let (found, took) = timed(|| one(connection, question))?;
        times.push(took);
        if found.is_empty() {
            return Err(format!("FTS5 found nothing for `{question}`").into());
        }
    }
    Ok(times)
}

/// Opens the table and runs one query.
pub(crate) fn cold(root: &Utf8Path, question: &str) -> Outcome<Value> {
    let connection = Connection::open(file(root))?;
    Ok(json!(one(&connection, question)?))
}

/// Returns the path of the table's file.
pub(crate) fn file(root: &Utf8Path) -> Utf8PathBuf {
    root.join("fts5.db")
}

fn one(connection: &Connection, question: &str) -> Outcome<Vec<i64>> {
    let mut select = connection
        .prepare_cached("SELECT rowid FROM memory WHERE memory MATCH ?1 ORDER BY rank LIMIT 10")?;
    let words: Vec<String> = question
        .split(' ')
        .map(|word| format!("\"{word}\""))
        .collect();
    let found = select.query_map([words.join(" OR ")], |row| row.get(0))?;
    Ok(found.collect::<Result<_, _>>()?)
}
