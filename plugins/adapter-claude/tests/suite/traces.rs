//! Real sessions, if available: nothing panics, nothing is lost, growth adds and never changes.

use std::io::Cursor as Bytes;
use std::path::{Path, PathBuf};

use acreta_sdk::adapter::{Session, testing};
use adapter_claude::Claude;

use crate::support::{START, assert_same, files, read, session};

/// One session at several moments, each a prefix of the next.
const GROWTH: [&str; 4] = [
    "24_672feafdde_0",
    "e3_67e53d89ee_0",
    "a3_c1ef347792_0",
    "7d_66f047ac98_0",
];

fn traces() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/traces");
    if !folder.is_dir() {
        println!("skipped: no ../shared");
        return None;
    }
    Some(folder)
}

fn sessions_of(path: &Path) -> Option<(Session, Vec<u8>)> {
    let bytes = std::fs::read(path).unwrap();
    session(&path.to_string_lossy(), &bytes).map(|session| (session, bytes))
}

#[test]
fn every_session_is_told_or_known_to_be_empty() {
    let Some(folder) = traces() else { return };
    for path in files(&folder.join("claude")) {
        let Some((session, bytes)) = sessions_of(&path) else {
            assert_eq!(
                std::fs::metadata(&path).unwrap().len(),
                0,
                "{path:?} is not recognised"
            );
            continue;
        };
        let (told, cursor) = read(&session, Bytes::new(&bytes), &START);
        let is_empty = session.attrs.iter().any(|(key, _)| key == "empty");
        assert_eq!(told.events.is_empty(), is_empty, "{path:?}");
        assert_eq!(cursor.offset, bytes.len() as u64, "{path:?}");
        let mut ids: Vec<_> = told.events.iter().map(|event| &*event.id).collect();
        ids.sort_unstable();
        let told_ids = ids.len();
        ids.dedup();
        assert_eq!(ids.len(), told_ids, "{path:?} has an id twice");
        for event in &told.events {
            let span = &bytes[event.origin.start as usize..event.origin.end as usize];
            assert!(
                span.starts_with(b"{") && span.ends_with(b"}"),
                "{path:?} {}",
                event.id
            );
            assert!(
                !event.text.contains("\"type\":\"base64\""),
                "{path:?} {}",
                event.id
            );
        }
    }
}

#[test]
fn other_agents_are_left_alone() {
    let Some(folder) = traces() else { return };
    for path in files(&folder) {
        if !path.starts_with(folder.join("claude")) {
            assert!(
                sessions_of(&path).is_none(),
                "{path:?} is taken for Claude's"
            );
        }
    }
}

#[test]
fn growth_adds_and_never_changes() {
    let Some(folder) = traces() else { return };
    let folder = folder.join("claude/entireio__cli");
    let mut cursor = START;
    let mut steps = Vec::new();
    for name in GROWTH {
        let path = folder.join(format!("{name}.full.jsonl"));
        let (session, bytes) = sessions_of(&path).unwrap();
        let whole = read(&session, Bytes::new(&bytes), &START).0.events;
        assert!(whole.len() > steps.len());
        assert_same(&whole[..steps.len()], &steps, name);
        let (told, next) = read(&session, Bytes::new(&bytes), &cursor);
        steps.extend(told.events);
        assert_same(&steps, &whole, name);
        cursor = next;
    }
}

#[test]
fn real_sessions_in_steps() {
    let Some(folder) = traces() else { return };
    for path in files(&folder.join("claude")) {
        let Some((session, bytes)) =
            sessions_of(&path).filter(|(_, bytes)| bytes.len() < 2_000_000)
        else {
            continue;
        };
        let whole = read(&session, Bytes::new(&bytes), &START).0.events;
        let mut steps = Vec::new();
        let mut cursor = START;
        for eighth in 1..=8 {
            let size = bytes.len() * eighth / 8;
            let (told, next) = read(&session, Bytes::new(&bytes[..size]), &cursor);
            steps.extend(told.events);
            cursor = next;
        }
        assert_same(&steps, &whole, &path.to_string_lossy());
    }
}

/// Our own sample sessions, one folder per agent.
const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures");

#[test]
fn our_own_corpus_is_told_and_no_other_agents() {
    let told = testing::traces::<Claude>(CORPUS);
    assert!(told.iter().any(|trace| !trace.sessions.is_empty()));
    testing::strangers::<Claude>(CORPUS);
}
