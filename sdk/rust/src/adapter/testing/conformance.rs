//! What holds for every adapter on every file: ids are unique and stable, roles and kinds are the
//! known ones, origins lie in the file, other agents' files are left alone, a file that is cut
//! anywhere is no disaster, reading in steps tells what reading at once tells, and a session that is told
//! differently has another revision, however little differs.

use std::collections::HashSet;
use std::path::Path;

use crate::adapter::{Cursor, Event, Failure, Session};

use super::{START, Told, assert_same, files, sessions};
use crate::adapter::Adapter;

const ROLES: [&str; 4] = ["user", "assistant", "tool", "system"];
const KINDS: [&str; 7] = [
    "text",
    "thinking",
    "tool-call",
    "tool-result",
    "injected",
    "compaction",
    "note",
];

/// How many places a fixture is cut at.
const CUTS: usize = 60;

/// Checks an adapter against the files in `own` and in `fixtures`, a folder with one folder per
/// agent. Every session that the adapter finds in `own` has to satisfy all of the above, and there
/// has to be one; in the folders of other agents it may find none. `scratch` is an empty folder.
///
/// # Panics
/// With what does not hold.
pub fn conformance<A: Adapter>(own: &Path, fixtures: &Path, scratch: &Path) {
    let description = A::describe();
    let agent = &description.agent;
    assert!(
        !agent.is_empty()
            && agent
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'-')
    );
    let mut checked = 0;
    for path in files(own) {
        for session in sessions::<A>(&path) {
            check_session::<A>(&path, &session, agent);
            checked += 1;
        }
        check_cuts::<A>(&path, scratch);
        check_rewrite::<A>(&path, scratch);
    }
    assert!(checked > 0, "no fixture of `{agent}` holds a session");
    for path in files(fixtures) {
        if !path.starts_with(fixtures.join(agent)) {
            let claimed = A::sessions(&path.to_string_lossy()).unwrap_or_default();
            assert!(claimed.is_empty(), "`{agent}` claims {path:?}: {claimed:?}");
        }
    }
}

fn check_session<A: Adapter>(path: &Path, session: &Session, agent: &str) {
    assert_eq!(&session.agent, agent, "{path:?}");
    assert!(
        !session.id.is_empty(),
        "{path:?} has a session without an id"
    );
    assert!(!session.revision.is_empty(), "{path:?} has no revision");
    let mut told = Told::default();
    let cursor = match A::read(session, &START, &mut told) {
        Ok(cursor) => cursor,
        Err(failure) => panic!("{path:?} {}: {failure:?}", session.id),
    };
    check_events(path, &told.events);

    let mut again = Told::default();
    let second = A::read(session, &START, &mut again);
    assert_eq!(
        second.ok(),
        Some(cursor.clone()),
        "{path:?}: another cursor"
    );
    assert_same(&again.events, &told.events, &format!("{path:?} read again"));

    // A session that did not change has nothing new behind its cursor.
    if cursor != START {
        let mut rest = Told::default();
        let end = A::read(session, &cursor, &mut rest);
        assert_eq!(end.ok(), Some(cursor), "{path:?}: the cursor moved");
        assert!(
            rest.events.is_empty(),
            "{path:?} told twice: {:?}",
            rest.events
        );
    }
}

fn check_events(path: &Path, events: &[Event]) {
    let size = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    let mut ids = HashSet::new();
    for event in events {
        assert!(ids.insert(&event.id), "{path:?}: id {} twice", event.id);
        assert!(ROLES.contains(&&*event.role), "{path:?}: {event:?}");
        assert!(KINDS.contains(&&*event.kind), "{path:?}: {event:?}");
        let origin = &event.origin;
        assert!(
            origin.start <= origin.end && origin.end <= size,
            "{path:?}: {event:?}"
        );
        let has_place = !origin.record.is_empty() || origin.end > origin.start;
        assert!(has_place, "{path:?}: no origin: {event:?}");
    }
}

/// A file that ends anywhere never panics; and where it is read on from a cursor, the steps tell
/// what the whole tells.
fn check_cuts<A: Adapter>(path: &Path, scratch: &Path) {
    let Ok(bytes) = std::fs::read(path) else {
        panic!("{path:?} cannot be read");
    };
    let Some(name) = path.file_name() else {
        return;
    };
    let copy = scratch.join(name);
    let step = (bytes.len() / CUTS).max(1);
    for cut in (0..bytes.len()).step_by(step) {
        write(&copy, &bytes[..cut]);
        // Half a file may be no session at all; nothing else is asked of it.
        let Ok(found) = A::sessions(&copy.to_string_lossy()) else {
            continue;
        };
        let [half] = &found[..] else { continue };
        let mut told = Told::default();
        let Ok(cursor) = A::read(half, &START, &mut told) else {
            continue;
        };
        if cursor != START {
            check_step::<A>(&copy, &bytes, half, told, &cursor, cut);
        }
    }
    // Gone again, so that the next fixture finds an empty folder.
    let _gone = std::fs::remove_file(&copy);
}

/// One other letter in the middle of a session is another revision of it, at the same size and time.
fn check_rewrite<A: Adapter>(path: &Path, scratch: &Path) {
    let (Ok(bytes), Some(name)) = (std::fs::read(path), path.file_name()) else {
        panic!("{path:?} cannot be read");
    };
    let copy = scratch.join(name);
    let told = || {
        let found = A::sessions(&copy.to_string_lossy()).unwrap_or_default();
        let [session] = <[Session; 1]>::try_from(found).ok()?;
        let mut told = Told::default();
        A::read(&session, &START, &mut told).ok()?;
        Some((session, told.events))
    };
    write(&copy, &bytes);
    let Some((before, events)) = told() else {
        let _gone = std::fs::remove_file(&copy);
        return;
    };
    let middle = &events[events.len() / 2..];
    if let Some(other) = middle
        .iter()
        .find_map(|event| with_other_letter(&bytes, event))
    {
        write(&copy, &other);
        if let Some((after, others)) = told()
            && after.id == before.id
            && others != events
        {
            assert_ne!(after.revision, before.revision, "{path:?} was rewritten");
        }
    }
    let _gone = std::fs::remove_file(&copy);
}

/// The file with one letter changed in what an event says.
fn with_other_letter(bytes: &[u8], event: &Event) -> Option<Vec<u8>> {
    let start = usize::try_from(event.origin.start).ok()?;
    let end = usize::try_from(event.origin.end).ok()?;
    let span = bytes.get(start..end)?;
    let is_word =
        |word: &&str| word.len() > 4 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let word = event.text.split_whitespace().find(is_word)?;
    let mut places = span.windows(word.len());
    let place = start + places.position(|found| found == word.as_bytes())?;
    let mut other = bytes.to_vec();
    other[place] = if other[place] == b'x' { b'y' } else { b'x' };
    Some(other)
}

fn check_step<A: Adapter>(
    copy: &Path,
    bytes: &[u8],
    half: &Session,
    mut told: Told,
    cursor: &Cursor,
    cut: usize,
) {
    write(copy, bytes);
    match A::read(half, cursor, &mut told) {
        Ok(_) => {
            let mut whole = Told::default();
            if A::read(half, &START, &mut whole).is_ok() {
                assert_same(
                    &told.events,
                    &whole.events,
                    &format!("{copy:?} cut at {cut}"),
                );
            }
        }
        Err(Failure { code, .. }) => assert_eq!(code, "invalid-cursor", "{copy:?} cut at {cut}"),
    }
}

fn write(path: &Path, bytes: &[u8]) {
    if let Err(error) = std::fs::write(path, bytes) {
        panic!("{path:?}: {error}");
    }
}
