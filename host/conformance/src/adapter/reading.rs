//! What holds for every session of every case that is read whole.

use std::collections::BTreeSet;

use acreta_model::{Event, Session};

use super::{AdapterBench, Sample};
use crate::bench::{Outcome, Reason, ensure, failed};

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

pub(super) fn finds_sessions(bench: &AdapterBench) -> Outcome {
    let (mut sessions, mut files) = (0, 0);
    let mut failure = None;
    bench.each_file(|fixture, staged, file| {
        files += 1;
        match bench.sessions(staged, file)? {
            Ok(found) => sessions += found.len(),
            Err(failed) => {
                failure.get_or_insert(format!(
                    "case `{}` failed with `{}`: {}",
                    fixture.case, failed.code, failed.message
                ));
            }
        }
        Ok(())
    })?;
    ensure(sessions > 0, "at least one session", || {
        failure.unwrap_or_else(|| format!("none in {files} files"))
    })?;
    Ok(format!("{sessions} sessions in {files} files"))
}

pub(super) fn session_fields(bench: &AdapterBench) -> Outcome {
    let agent = bench.describe()?.agent;
    let mut ids = BTreeSet::new();
    let count = bench.each_session(|sample| {
        let Session {
            id,
            agent: told,
            path,
            revision,
            ..
        } = sample.session;
        let root = format!("{}/", sample.staged.roots[0].guest);
        let place = (sample.case.to_owned(), sample.file.to_owned(), id.clone());
        let problem = if id.is_empty() {
            Some(("an id", "none".to_owned()))
        } else if !ids.insert(place) {
            Some(("an id of its own", "its id stands twice".to_owned()))
        } else if *told != agent {
            Some(("the agent's name", format!("agent `{told}`, not `{agent}`")))
        } else if !path.starts_with(&root) {
            Some(("a path under the root", format!("path `{path}`")))
        } else if revision.is_empty() {
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

pub(super) fn sessions_stable(bench: &AdapterBench) -> Outcome {
    bench.each_file(|fixture, staged, file| {
        let first = bench.sessions(staged, file)?;
        let second = bench.sessions(staged, file)?;
        ensure(first == second, "twice the same", || {
            format!(
                "case `{}`, `{file}`: first {first:?}, then {second:?}",
                fixture.case
            )
        })
    })?;
    Ok("twice the same".to_owned())
}

pub(super) fn event_fields(bench: &AdapterBench) -> Outcome {
    let mut events = 0;
    bench.each_session(|sample| {
        let (_, told) = bench.whole(sample)?;
        events += told.events.len();
        let mut ids = BTreeSet::new();
        for event in &told.events {
            let Event { id, role, kind, .. } = event;
            let problem = if id.is_empty() {
                Some(("an id", "an event has none".to_owned()))
            } else if !ids.insert(id) {
                Some(("ids of their own", format!("two events `{id}`")))
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

pub(super) fn tells_something(bench: &AdapterBench) -> Outcome {
    let count = bench.each_session(|sample| {
        let (_, told) = bench.whole(sample)?;
        let is_marked = sample.session.attrs.get("empty").is_some();
        if told.events.is_empty() && told.diagnostics.is_empty() && !is_marked {
            return Err(sample.failed("events, diagnostics or the attribute `empty`", "none"));
        }
        Ok(())
    })?;
    Ok(format!("{count} sessions"))
}

pub(super) fn origins(bench: &AdapterBench) -> Outcome {
    let mut count = 0;
    bench.each_session(|sample| {
        let (_, told) = bench.whole(sample)?;
        count += told.events.len();
        let size = sample.size()?;
        check_origins(sample, &told.events, size)
    })?;
    Ok(format!("{count} events"))
}

/// Whether every event has a place, within `size` bytes where its session is in one file.
pub(super) fn check_origins(
    sample: &Sample<'_>,
    events: &[Event],
    size: u64,
) -> Result<(), Reason> {
    // Parts of it lie in files of other sizes.
    let is_spread = sample.session.attrs.get("spread") == Some("true");
    for Event { id, origin, .. } in events {
        let (start, end) = (origin.start, origin.end);
        let is_inside = start <= end && (is_spread || end <= size);
        if !is_inside {
            let expected = format!("a span within {size} bytes");
            let found = format!("event `{id}` is at {start} to {end}");
            return Err(sample.failed(&expected, &found));
        }
        if origin.record.is_empty() && start == end {
            let found = format!("event `{id}` has neither");
            return Err(sample.failed("a record's id or a span", &found));
        }
    }
    Ok(())
}

pub(super) fn read_stable(bench: &AdapterBench) -> Outcome {
    let count = bench.each_session(|sample| {
        let (first, told) = bench.whole(sample)?;
        let (second, again) = bench.whole(sample)?;
        if let Some(problem) = unlike(&told.events, &again.events) {
            return Err(sample.failed("the same events", &problem));
        }
        if told != again || first != second {
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

/// The first place where two tellings differ.
pub(super) fn unlike(expected: &[Event], found: &[Event]) -> Option<String> {
    let pairs = expected.iter().zip(found).enumerate();
    for (index, (expected, found)) in pairs {
        if expected != found {
            return Some(format!("event {index} is {found:?}, not {expected:?}"));
        }
    }
    (expected.len() != found.len())
        .then(|| format!("{} events instead of {}", found.len(), expected.len()))
}

pub(super) fn cursor_at_end(bench: &AdapterBench) -> Outcome {
    let mut resumed = 0;
    bench.each_session(|sample| {
        let (cursor, _) = bench.whole(sample)?;
        // Who returns the start reads everything again each time.
        if cursor == acreta_model::Cursor::default() {
            return Ok(());
        }
        resumed += 1;
        let (end, rest) = bench.read(sample.staged, sample.session, &cursor)?;
        let expected = "no events and the same cursor";
        match end {
            Err(failure) => {
                let found = format!("read failed with `{}`: {}", failure.code, failure.message);
                Err(sample.failed(expected, &found))
            }
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

/// For checks that need something to hold of a case itself.
pub(super) fn in_case(case: &str, expected: &str, found: &str) -> Reason {
    failed(expected, format!("case `{case}`: {found}"))
}
