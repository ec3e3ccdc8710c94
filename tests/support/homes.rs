//! A home in which every agent has worked, built from the repository's fixtures.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Project, files, fixture};

/// Agents that store their sessions in the home, and where each fixture belongs.
const LAYOUT: [(&str, &str, &str); 34] = [
    ("claude", "", ".claude/projects/p"),
    ("codex", "", ".codex"),
    ("copilot", "session-state", ".copilot/session-state"),
    ("copilot", "Code", ".config/Code"),
    ("cursor", "projects", ".cursor/projects"),
    (
        "cursor",
        "global.sql",
        ".config/Cursor/User/globalStorage/state.vscdb",
    ),
    ("cursor", "store.sql", ".cursor/chats/0a1b/c2d3/store.db"),
    ("opencode", "storage", ".local/share/opencode/storage"),
    ("opencode", "newer.sql", ".local/share/opencode/opencode.db"),
    ("gemini", "", ".gemini"),
    ("pi", "", ".pi/agent/sessions"),
    ("kimi", "kimi-cli", ".kimi/sessions"),
    ("kiro", "", ".kiro/sessions/cli"),
    ("amp", "", ".local/share/amp/threads"),
    ("continue", "", ".continue/sessions"),
    ("qwen", "", ".qwen"),
    ("grok", "", ".grok/sessions"),
    ("droid", "", ".factory/sessions"),
    ("cline", "sessions", ".cline/data/sessions"),
    (
        "cline",
        "vscode",
        ".config/Code/User/globalStorage/saoudrizwan.claude-dev",
    ),
    ("kilo", "kilo.sql", ".local/share/kilo/kilo.db"),
    (
        "goose",
        "sessions.sql",
        ".local/share/goose/sessions/sessions.db",
    ),
    ("goose", "", ".local/share/goose/sessions"),
    ("zed", "threads.sql", ".local/share/zed/threads/threads.db"),
    ("roo", "", ".config/Code/User/globalStorage"),
    ("openclaude", "", ".openclaude"),
    ("hermes", "state.sql", ".hermes/state.db"),
    ("vibe", "", ".vibe/logs/session"),
    ("openclaw", "agents", ".openclaw/agents"),
    (
        "openclaw",
        "agent.sql",
        ".openclaw/agents/main/agent/openclaw-agent.sqlite",
    ),
    ("forge", "forge.sql", ".forge/.forge.db"),
    ("gptme", "", ".local/share/gptme/logs"),
    ("omp", "", ".omp/agent/sessions"),
    ("windsurf", "", ".windsurf/transcripts"),
];

/// The agents among them.
pub(crate) const AGENTS: [&str; 27] = [
    "amp",
    "claude",
    "cline",
    "codex",
    "continue",
    "copilot",
    "cursor",
    "droid",
    "forge",
    "gemini",
    "goose",
    "gptme",
    "grok",
    "hermes",
    "kilo",
    "kimi",
    "kiro",
    "omp",
    "openclaude",
    "openclaw",
    "opencode",
    "pi",
    "qwen",
    "roo",
    "vibe",
    "windsurf",
    "zed",
];

/// Copies every fixture into the project's home, each text changed by `change`.
pub(crate) fn lay_out(project: &Project, change: &dyn Fn(Vec<u8>) -> Vec<u8>) {
    for (agent, part, target) in LAYOUT {
        let from = fixture(agent).join(part);
        let target = project.outside().join(target);
        if from.extension().is_some_and(|extension| extension == "sql") {
            database(&from, &target, change);
            continue;
        }
        for file in files(&from) {
            if file.extension().is_some_and(|extension| extension == "sql") {
                continue;
            }
            let relative = file.strip_prefix(&from).unwrap();
            let bytes = change(std::fs::read(&file).unwrap());
            write(&target.join(relative), &bytes);
        }
    }
}

/// Changes every text of an agent's file that is a sentence rather than a name, whatever its form.
pub(crate) fn each_text(bytes: Vec<u8>, change: &dyn Fn(&str) -> String) -> Vec<u8> {
    if bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        let text = zstd::decode_all(&bytes[..]).unwrap();
        return zstd::encode_all(&each_text(text, change)[..], 1).unwrap();
    }
    let Ok(text) = String::from_utf8(bytes.clone()) else {
        return bytes;
    };
    if let Ok(mut document) = serde_json::from_str::<Value>(&text) {
        each_string(&mut document, change);
        return document.to_string().into_bytes();
    }
    let lines: Vec<String> = text
        .split('\n')
        .map(|line| match serde_json::from_str::<Value>(line) {
            Ok(mut value) if value.is_object() => {
                each_string(&mut value, change);
                value.to_string()
            }
            // Damaged lines and plain text.
            _ if line.contains(' ') => change(line),
            _ => line.to_owned(),
        })
        .collect();
    lines.join("\n").into_bytes()
}

fn each_string(value: &mut Value, change: &dyn Fn(&str) -> String) {
    match value {
        Value::String(text) if text.contains([' ', '\n']) => {
            // Text that is JSON itself, as some agents store it.
            match serde_json::from_str::<Value>(text) {
                Ok(mut inner) if inner.is_object() || inner.is_array() => {
                    each_string(&mut inner, change);
                    *text = inner.to_string();
                }
                _ => *text = change(text),
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|one| each_string(one, change)),
        Value::Object(fields) => fields
            .iter_mut()
            .for_each(|(_, value)| each_string(value, change)),
        _ => {}
    }
}

/// Creates a database from an SQL file, in place of the one that is there.
#[expect(clippy::disallowed_methods, reason = "a test's own scratch file")]
pub(crate) fn database(from: &Path, target: &Path, change: &dyn Fn(Vec<u8>) -> Vec<u8>) {
    std::fs::create_dir_all(target.parent().unwrap()).unwrap();
    if target.exists() {
        std::fs::remove_file(target).unwrap();
    }
    let connection = rusqlite::Connection::open(target).unwrap();
    let sql = std::fs::read_to_string(from).unwrap();
    connection
        .execute_batch(&sql)
        .unwrap_or_else(|error| panic!("{from:?}: {error}"));
    let tables: Vec<String> = connection
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    for table in tables {
        plant_rows(&connection, &table, change);
    }
}

/// Changes every text of a table.
fn plant_rows(connection: &rusqlite::Connection, table: &str, change: &dyn Fn(Vec<u8>) -> Vec<u8>) {
    let columns: Vec<String> = connection
        .prepare(&format!("SELECT * FROM \"{table}\" LIMIT 0"))
        .unwrap()
        .column_names()
        .map(str::to_owned)
        .collect();
    for column in columns {
        let sql = format!(
            "SELECT rowid, CAST(\"{column}\" AS TEXT) FROM \"{table}\" WHERE \"{column}\" LIKE '{{%' OR \"{column}\" LIKE '[%'"
        );
        let Ok(mut statement) = connection.prepare(&sql) else {
            continue;
        };
        let rows: Vec<(i64, String)> = statement
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap();
        for (row, text) in rows {
            let changed = change(text.into_bytes());
            let changed = String::from_utf8(changed).unwrap();
            connection
                .execute(
                    &format!("UPDATE \"{table}\" SET \"{column}\" = ?1 WHERE rowid = ?2"),
                    rusqlite::params![changed, row],
                )
                .unwrap();
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "a test's own scratch file")]
fn write(path: &PathBuf, bytes: &[u8]) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, bytes).unwrap();
}
