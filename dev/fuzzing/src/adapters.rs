//! The parsers of all adapters, called natively on a file of arbitrary content. What the conformance suite asks of an
//! adapter on its own files holds for every file that it claims.

use std::collections::BTreeSet;
use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::time::{Duration, SystemTime};

use acreta_sdk::adapter::testing::{self, ReadResult, START};
use acreta_sdk::adapter::{Adapter, Cursor, Event, Session};

use crate::input::{Scratch, first};

/// One kind of file that an adapter reads.
struct Shape {
    agent: fn() -> String,
    /// Its path below the adapter's root.
    file: &'static str,
    /// The statements that make the database, of which an input replaces one value.
    sql: Option<&'static str>,
    check: fn(&Scratch, &Shape, &[u8]),
}

macro_rules! shapes {
    ($($adapter:ty { $($file:literal $(= $sql:literal)?),* $(,)? })*) => {
        /// Every shape. An input's first byte picks one, so new ones come last.
        const SHAPES: &[Shape] = &[$($(Shape {
            agent: || <$adapter>::describe().agent,
            file: $file,
            sql: shapes!(@sql $($sql)?),
            check: check::<$adapter>,
        }),*),*];
    };
    (@sql) => { None };
    (@sql $sql:literal) => { Some(include_str!(concat!("../../../tests/fixtures/", $sql))) };
}

shapes! {
    adapter_aider::Aider { ".aider.chat.history.md" }
    adapter_amp::Amp { "T-019ca7d2-1b3c-7a44-9f10-2c5e8d7b6a01.json" }
    adapter_claude::Claude { "b6d2f0c4-8a17-4c35-9e0b-5d3c1f2a4e68.jsonl", "b6d2/subagents/agent-a1b2c3d.jsonl" }
    adapter_cline::Cline {
        "tasks/1767650000000/api_conversation_history.json",
        "sessions/1767600000000_abcde/1767600000000_abcde.messages.json",
    }
    adapter_codex::Codex {
        "sessions/2026/06/18/rollout-2026-06-18T09-30-00-019ed99c-0a11-7c30-9b21-4be10f6d2a01.jsonl",
        "sessions/2026/06/01/rollout-2026-06-01T11-10-00-019e9000-7005-7e64-8f74-5a6b7c8d9e07.jsonl.zst",
    }
    adapter_continue::Continue { "7d0c6a51-93c2-4f0e-8b7d-2f3a4b5c6d01.json" }
    adapter_copilot::Copilot {
        "Code/User/workspaceStorage/3f9d/chatSessions/c0ffee00-1111-4222-8333-444455556666.json",
        "Code/User/workspaceStorage/3f9d/chatSessions/c0ffee00-3333-4222-8333-444455556666.jsonl",
        "session-state/6d1f3c52-9a70-4b1e-8c55-0f2a7be91d01/events.jsonl",
    }
    adapter_crush::Crush { "crush.db" = "crush/crush.sql" }
    adapter_cursor::CursorAgent {
        "projects/home/agent-transcripts/7b8c9d0e-1f2a-4b3c-8d4e-5f6a7b8c9d0e.jsonl",
        "projects/home/agent-transcripts/9e8d7c6b-5a49-4382-9716-050403020100.txt",
        "globalStorage/state.vscdb" = "cursor/global.sql",
        "chats/a/b/store.db" = "cursor/store.sql",
        "workspaceStorage/a/state.vscdb" = "cursor/workspace-2024.sql",
    }
    adapter_droid::Droid { "-home-mira-kelp-log/9a7b6c5d-4e3f-4a21-8b10-c9d8e7f60504.jsonl" }
    adapter_gemini::Gemini {
        "tmp/3b1c/chats/session-2026-05-04T09-10-9c8b7a60.json",
        "tmp/orchard/chats/session-2026-05-04T09-10-3f2a1b0c.jsonl",
    }
    adapter_goose::Goose { "20250301_101010.jsonl", "sessions.db" = "goose/sessions.sql" }
    adapter_grok::Grok { "%2Fhome%2Fmira/019c2f10-7a31-7c20-9b11-0a1b2c3d4e5f/chat_history.jsonl" }
    adapter_kilo::Kilo { "kilo.db" = "kilo/kilo.sql", "kilo-vscode/tasks/1767700000000/api_conversation_history.json" }
    adapter_kimi::Kimi {
        "8985233bb992c030b87322d2c635ce2c/f0c2a6de-77b1-4f0e-8a3d-2c5b9e1d4a68/wire.jsonl",
        "wd_ledger-export_4f1c0a9be2d7/3b9d2c70-1f64-4c8e-8b21-6a0e9d4f7c15/agents/main/wire.jsonl",
    }
    adapter_kiro::Kiro { "5e0c9a1d.jsonl", "saved.json", "data.sqlite3" = "kiro/data.sql" }
    adapter_opencode::OpenCode {
        "export.json",
        "export.jsonl",
        "storage/session/global/ses_47d2a6f01ffeTideCacheMain01.json",
        "opencode.db" = "opencode/opencode.sql",
        "newer.db" = "opencode/newer.sql",
        "go.db" = "opencode/go.sql",
    }
    adapter_openhands::OpenHands { "trajectory.json", "output.jsonl" }
    adapter_pi::Pi { "--home--/2026-03-02T09-00-00-000Z_0b6f4c1e-52c9-4d0a-8a3e-0f7e6b1d2c33.jsonl" }
    adapter_qwen::Qwen { "projects/-home-mira/chats/5b1f0c2a-9d3e-4f60-8a71-c2d3e4f50617.jsonl" }
    adapter_specstory::SpecStory { "2026-04-02_09-12-40Z-review-the-cache.md" }
    adapter_swe_agent::SweAgent { "rows__rows-31.traj" }
    adapter_windsurf::Windsurf { "7c3e9a52-0f5d-4a0e-9b1d-6d2f8c41e7aa.jsonl" }
    adapter_zed::Zed { "threads.db" = "zed/threads.sql" }
    adapter_roo::Roo { "rooveterinaryinc.roo-cline/tasks/0d9c8b7a-6f5e-4d3c-8b2a-190807060504/api_conversation_history.json" }
    adapter_openclaude::OpenClaude { "openclaude/2b3c4d5e-6f70-4812-93a4-b5c6d7e8f901.jsonl" }
    adapter_hermes::Hermes { "state.db" = "hermes/state.sql" }
    adapter_vibe::Vibe { "unified/c80881b6-1edf-f0aa-bc14-301b167ce947/CURRENT", "session_1/messages.jsonl" }
    adapter_openclaw::OpenClaw { "openclaw/sessions/3c4d5e6f.jsonl", "openclaw-agent.sqlite" = "openclaw/agent.sql" }
    adapter_forge::Forge { ".forge.db" = "forge/forge.sql" }
    adapter_gptme::Gptme { "climbing-silly-pelican/conversation.jsonl" }
    adapter_omp::OhMyPi { "omp/2026-06-10T09-00-00-000Z_01a1f357-6183-705c-ae72-e06cb1d9a22d.jsonl" }
}

/// The first byte of an input picks the adapter and the kind of its file, the second where the file was cut when it was
/// read first, or the value of a database that is replaced. The rest is the content.
pub fn adapters(data: &[u8]) {
    let (shape, data) = first(data);
    let shape = &SHAPES[shape % SHAPES.len()];
    (shape.check)(&Scratch::new(), shape, data);
}

/// Returns the inputs that fixtures make: a folder with one folder for each agent.
pub(crate) fn from_fixtures(fixtures: &Path) -> Vec<Vec<u8>> {
    /// Longer sessions have no other records.
    const MOST_BYTES: usize = 8 * 1024;
    let mut inputs = Vec::new();
    for (number, shape) in SHAPES.iter().enumerate() {
        let input = |pick: usize, content: &[u8]| [&[number as u8, pick as u8], content].concat();
        if let Some(sql) = shape.sql {
            let places = values(sql, start_of_rows(sql));
            let rows = places.iter().enumerate().take(256);
            inputs.extend(rows.map(|(pick, place)| input(pick, &place.value(sql))));
            continue;
        }
        let end = |path: &Path| path.extension().map(ToOwned::to_owned);
        for file in testing::files(&fixtures.join((shape.agent)())) {
            let content = std::fs::read(&file).unwrap_or_default();
            if end(&file) == end(Path::new(shape.file)) && content.len() <= MOST_BYTES {
                inputs.push(input(128, &content));
            }
        }
    }
    inputs
}

fn check<A: Adapter>(scratch: &Scratch, shape: &Shape, data: &[u8]) {
    let (pick, content) = first(data);
    if let Some(sql) = shape.sql {
        let statements = scratch.write("made.sql", replaced(sql, pick, content).as_bytes());
        let path = scratch.path().join(shape.file);
        std::fs::create_dir_all(path.parent().unwrap_or(&path)).expect("a folder");
        testing::database(&statements, &path);
        for session in sessions::<A>(&path) {
            whole::<A>(&session, None);
        }
        return;
    }
    let path = scratch.write(shape.file, content);
    set_modified(&path);
    let found = sessions::<A>(&path);
    let read: Vec<_> = found
        .iter()
        .map(|session| whole::<A>(session, Some(content.len() as u64)))
        .collect();
    // The same file, read once before it was complete.
    scratch.write(shape.file, &content[..content.len() * pick / 256]);
    set_modified(&path);
    let begun: Vec<(Session, ReadResult, Cursor)> = A::sessions(&path.to_string_lossy())
        .unwrap_or_default()
        .into_iter()
        .filter_map(|session| {
            let mut told = ReadResult::default();
            let cursor = A::read(&session, &START, &mut told).ok()?;
            Some((session, told, cursor))
        })
        .collect();
    scratch.write(shape.file, content);
    set_modified(&path);
    for (session, read) in found.iter().zip(read) {
        let Some((events, _)) = read else { continue };
        let Some((_, told, cursor)) = begun.iter().find(|(begun, ..)| begun.id == session.id)
        else {
            continue;
        };
        let mut rest = ReadResult::default();
        match A::read(session, cursor, &mut rest) {
            Err(failure) => assert_eq!(failure.code, "invalid-cursor", "{failure:?}"),
            Ok(end) => {
                assert!(end.offset >= cursor.offset, "{end:?} after {cursor:?}");
                let mut grown = if *cursor == START {
                    Vec::new()
                } else {
                    told.events.clone()
                };
                grown.extend(rest.events);
                testing::assert_same(&originals(grown), &originals(events), "read in two steps");
            }
        }
    }
}

/// Lists the sessions of a file, twice the same.
fn sessions<A: Adapter>(path: &Path) -> Vec<Session> {
    let path = path.to_string_lossy();
    let found = A::sessions(&path);
    assert_eq!(format!("{found:?}"), format!("{:?}", A::sessions(&path)));
    let found = acreta_sdk::adapter::with_ids(found.unwrap_or_default());
    let mut ids = BTreeSet::new();
    for session in &found {
        assert!(!session.id.is_empty(), "{session:?} has no id");
        assert!(ids.insert(&session.id), "{session:?} comes twice");
        assert!(!session.revision.is_empty(), "{session:?} has no revision");
    }
    found
}

/// Reads a session whole, and again from its end. Returns `None` if the adapter refuses it.
fn whole<A: Adapter>(session: &Session, size: Option<u64>) -> Option<(Vec<Event>, Cursor)> {
    let mut told = ReadResult::default();
    let end = A::read(session, &START, &mut told).ok()?;
    let mut again = ReadResult::default();
    let second = A::read(session, &START, &mut again).ok();
    assert_eq!(second.as_ref(), Some(&end), "the cursor of a second read");
    testing::assert_same(&again.events, &told.events, "read again");
    let is_spread = session.attrs.iter().any(|(key, _)| key == "spread");
    for event in &told.events {
        // A record that a file has twice has the same id twice; the host tells them apart.
        assert!(!event.id.is_empty(), "{event:?} has no id");
        assert!(
            ROLES.contains(&&*event.role),
            "{event:?} has an unknown role"
        );
        let origin = &event.origin;
        let size = size.filter(|_| !is_spread).unwrap_or(u64::MAX);
        assert!(
            origin.start <= origin.end && origin.end <= size,
            "{event:?} lies outside of {size} bytes"
        );
    }
    if end != START {
        let mut rest = ReadResult::default();
        let last = A::read(session, &end, &mut rest);
        assert_eq!(
            last.ok().as_ref(),
            Some(&end),
            "the cursor of a read from the end"
        );
        assert!(rest.events.is_empty(), "{:?} after the end", rest.events);
    }
    Some((told.events, end))
}

const ROLES: [&str; 4] = ["user", "assistant", "tool", "system"];

/// Removes the mark of events that were copied from another session, which only later lines reveal.
fn originals(mut events: Vec<Event>) -> Vec<Event> {
    for event in &mut events {
        event.attrs.retain(|(key, _)| key != "copied_from");
    }
    events
}

/// Gives every state of a file the same time: 2026-01-01T00:00:00Z.
fn set_modified(path: &Path) {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_767_225_600);
    let file = File::options().write(true).open(path);
    file.and_then(|file| file.set_modified(time))
        .expect("a file that was just written");
}

/// A literal in a statement: text, or a blob (`x'00'`).
struct Literal {
    place: Range<usize>,
    is_blob: bool,
}

impl Literal {
    /// Returns the bytes that it stands for.
    fn value(&self, sql: &str) -> Vec<u8> {
        let quoted = &sql[self.place.clone()];
        if !self.is_blob {
            return quoted[1..quoted.len() - 1].replace("''", "'").into_bytes();
        }
        let digits = quoted.as_bytes()[2..quoted.len() - 1].chunks(2);
        let byte = |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok();
        digits.filter_map(byte).collect()
    }
}

/// Replaces one literal of the rows that statements insert.
fn replaced(sql: &str, pick: usize, content: &[u8]) -> String {
    let literals = values(sql, start_of_rows(sql));
    let literal = &literals[pick % literals.len()];
    let hex = acreta_text::hex(content);
    let value = match literal.is_blob {
        true => format!("x'{hex}'"),
        false => format!("CAST(x'{hex}' AS TEXT)"),
    };
    let (before, after) = (&sql[..literal.place.start], &sql[literal.place.end..]);
    let statements = format!("BEGIN;\n{before}{value}{after}\nCOMMIT;\n");
    // The value may be a key that another row has.
    statements.replace("INSERT INTO", "INSERT OR REPLACE INTO")
}

fn start_of_rows(sql: &str) -> usize {
    sql.find("INSERT").unwrap_or(sql.len())
}

/// Returns the literals of statements from an offset on.
fn values(sql: &str, from: usize) -> Vec<Literal> {
    let bytes = sql.as_bytes();
    let mut found = Vec::new();
    let mut at = from;
    while let Some(quote) = bytes[at..].iter().position(|byte| *byte == b'\'') {
        let start = at + quote;
        let mut end = start + 1;
        while bytes[end] != b'\'' || bytes.get(end + 1) == Some(&b'\'') {
            end += if bytes[end] == b'\'' { 2 } else { 1 };
        }
        at = end + 1;
        let is_blob = matches!(bytes[start - 1], b'x' | b'X');
        found.push(Literal {
            place: start - usize::from(is_blob)..at,
            is_blob,
        });
    }
    found
}
