//! Checks on sessions that are read whole.

use std::collections::BTreeSet;

use super::super::{Outcome, Reason, ensure};
use super::subject::{Sample, each_file, each_session};
use super::{Event, Folder, Origin, Subject};

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

pub(super) fn finds_sessions<S: Subject>(subject: &S) -> Outcome<S::Error> {
    let (mut sessions, mut files) = (0, 0);
    let mut failure = None;
    each_file(subject, |fixture, folder, file| {
        files += 1;
        match subject.sessions(folder, file)? {
            Ok(found) => sessions += found.len(),
            Err(failed) => {
                let failed = failed.of("sessions");
                failure.get_or_insert(format!("case `{}`: {failed}", fixture.name));
            }
        }
        Ok(())
    })?;
    ensure(sessions > 0, "at least one session", || {
        failure.unwrap_or_else(|| format!("none in {files} files"))
    })?;
    Ok(format!("{sessions} sessions in {files} files"))
}

pub(super) fn session_fields<S: Subject>(subject: &S) -> Outcome<S::Error> {
    let agent = subject.describe()?.agent;
    let mut ids = BTreeSet::new();
    let count = each_session(subject, |sample| {
        let session = sample.session;
        let root = format!("{}/", sample.folder.root());
        let place = (
            sample.fixture.name.clone(),
            sample.file.to_owned(),
            session.id.clone(),
        );
        let problem = if session.id.is_empty() {
            Some(("an id", "none".to_owned()))
        } else if !ids.insert(place) {
            Some(("a unique id", "its id occurs twice".to_owned()))
        } else if session.agent != agent {
            let found = format!("agent `{}`, not `{agent}`", session.agent);
            Some(("the agent's name", found))
        } else if !session.path.starts_with(&root) {
            Some(("a path under the root", format!("path `{}`", session.path)))
        } else if session.revision.is_empty() {
            Some(("a revision", "none".to_owned()))
        } else {
            None
        };
        match problem {
            Some((expected, found)) => Err(sample.failed(expected, &found)),
            None => Ok(()),
        }
    })?;
    Ok(format!("{count} sessions"))
}

pub(super) fn sessions_stable<S: Subject>(subject: &S) -> Outcome<S::Error> {
    each_file(subject, |fixture, folder, file| {
        let first = subject.sessions(folder, file)?;
        let second = subject.sessions(folder, file)?;
        ensure(first == second, "twice the same", || {
            format!(
                "case `{}`, `{file}`: first {first:?}, then {second:?}",
                fixture.name
            )
        })
    })?;
    Ok("twice the same".to_owned())
}

pub(super) fn event_fields<S: Subject>(subject: &S) -> Outcome<S::Error> {
    let mut events = 0;
    each_session(subject, |sample| {
        let (_, told) = sample.whole()?;
        events += told.events.len();
        let mut ids = BTreeSet::new();
        for event in &told.events {
            let Event { id, role, kind, .. } = event;
            let problem = if id.is_empty() {
                Some(("an id", "an event has none".to_owned()))
            } else if !ids.insert(id) {
                Some(("unique ids", format!("two events `{id}`")))
            } else if !ROLES.contains(&&**role) {
                Some((
                    "a known role",
                    format!("event `{id}` has the role `{role}`"),
                ))
            } else if !KINDS.contains(&&**kind) {
                Some((
                    "a known kind",
                    format!("event `{id}` has the kind `{kind}`"),
                ))
            } else {
                None
            };
            if let Some((expected, found)) = problem {
                return Err(sample.failed(expected, &found));
            }
        }
        Ok(())
    })?;
    Ok(format!("{events} events"))
}

pub(super) fn tells_something<S: Subject>(subject: &S) -> Outcome<S::Error> {
    let count = each_session(subject, |sample| {
        let (_, told) = sample.whole()?;
        let is_marked = sample.session.attr("empty").is_some();
        if told.events.is_empty() && told.diagnostics.is_empty() && !is_marked {
            return Err(sample.failed("events, diagnostics or the attribute `empty`", "none"));
        }
        Ok(())
    })?;
    Ok(format!("{count} sessions"))
}

pub(super) fn origins<S: Subject>(subject: &S) -> Outcome<S::Error> {
    let mut count = 0;
    each_session(subject, |sample| {
        let (_, told) = sample.whole()?;
        count += told.events.len();
        let size = sample.folder.content(sample.file)?.len();
        check_origins(sample, &told.events, size as u64)
    })?;
    Ok(format!("{count} events"))
}

/// Checks that every event has a span, within `size` bytes if its session is in one file.
pub(super) fn check_origins<S: Subject>(
    sample: &Sample<'_, S>,
    events: &[Event],
    size: u64,
) -> Result<(), Reason<S::Error>> {
    // Parts of the session are in files of other sizes.
    let is_spread = sample.session.attr("spread") == Some("true");
    for Event { id, origin, .. } in events {
        let Origin { record, start, end } = origin;
        let is_inside = start <= end && (is_spread || *end <= size);
        if !is_inside {
            let expected = format!("a span within {size} bytes");
            let found = format!("event `{id}` is at {start} to {end}");
            return Err(sample.failed(&expected, &found));
        }
        if record.is_empty() && start == end {
            let found = format!("event `{id}` has neither");
            return Err(sample.failed("a record's id or a span", &found));
        }
    }
    Ok(())
}

pub(super) fn read_stable<S: Subject>(subject: &S) -> Outcome<S::Error> {
    let count = each_session(subject, |sample| {
        let (first, told) = sample.whole()?;
        let (second, again) = sample.whole()?;
        if let Some(problem) = unlike(&told.events, &again.events) {
            return Err(sample.failed("the same events", &problem));
        }
        if told != again {
            return Err(sample.failed(
                "the same diagnostics and the same cursor",
                &format!(
                    "{} diagnostics and offset {}, then {} and {}",
                    told.diagnostics.len(),
                    first.offset,
                    again.diagnostics.len(),
                    second.offset
                ),
            ));
        }
        Ok(())
    })?;
    Ok(format!("{count} sessions, twice the same"))
}

/// Describes the first difference between two lists of events.
pub fn unlike(expected: &[Event], found: &[Event]) -> Option<String> {
    let pairs = expected.iter().zip(found).enumerate();
    for (index, (expected, found)) in pairs {
        if expected != found {
            return Some(format!("event {index} is {found:?}, not {expected:?}"));
        }
    }
    (expected.len() != found.len())
        .then(|| format!("{} events instead of {}", found.len(), expected.len()))
}

/// Removes the mark of events that were copied from another session, which only later lines reveal.
pub fn originals(events: &[Event]) -> Vec<Event> {
    let mut events = events.to_vec();
    for event in &mut events {
        event.attrs.retain(|(key, _)| key != "copied_from");
    }
    events
}

pub(super) fn cursor_at_end<S: Subject>(subject: &S) -> Outcome<S::Error> {
    let mut resumed = 0;
    each_session(subject, |sample| {
        let (cursor, _) = sample.whole()?;
        if cursor.is_start() {
            return Ok(());
        }
        resumed += 1;
        let rest = sample.read(&cursor)?;
        let expected = "no events and the same cursor";
        match rest.end {
            Err(failure) => Err(sample.failed(expected, &failure.of("read"))),
            Ok(end) if end != cursor || !rest.events.is_empty() => {
                let found = format!(
                    "{} events, offset {} after {}",
                    rest.events.len(),
                    end.offset,
                    cursor.offset
                );
                Err(sample.failed(expected, &found))
            }
            Ok(_) => Ok(()),
        }
    })?;
    if resumed == 0 {
        return Err(Reason::Skipped(
            "it returns no cursor and reads each session whole".to_owned(),
        ));
    }
    Ok(format!("{resumed} sessions"))
}
