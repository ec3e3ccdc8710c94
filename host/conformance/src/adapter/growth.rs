//! Files that grow while they are read, and files that became shorter.

use std::collections::BTreeMap;

use acreta_model::{Cursor, Event};
use camino::Utf8Path;

use super::reading::{in_case, unlike};
use super::{AdapterBench, Fixture, content};
use crate::bench::{Outcome, Reason};
use crate::stage::Staged;

/// In so many steps a file grows.
const STEPS: usize = 16;

/// What is known of a session so far.
#[derive(Default)]
struct Known {
    events: Vec<Event>,
    cursor: Cursor,
}

pub(super) fn forward(bench: &AdapterBench) -> Outcome {
    bench.each_file(|fixture, staged, file| {
        let (_, went_back) = grow(bench, fixture, staged, file)?;
        match went_back {
            Some(found) => Err(in_case(&fixture.case, "a cursor further on", &found)),
            None => Ok(()),
        }
    })?;
    Ok(format!("{STEPS} steps for each file"))
}

pub(super) fn steps(bench: &AdapterBench) -> Outcome {
    let mut sessions = 0;
    bench.each_file(|fixture, staged, file| {
        let (known, _) = grow(bench, fixture, staged, file)?;
        for session in bench.sessions(staged, file)?.unwrap_or_default() {
            sessions += 1;
            let (end, whole) = bench.read(staged, &session, &Cursor::default())?;
            if end.is_err() {
                continue;
            }
            let told = known.get(&session.id);
            let told = told.map_or(&[][..], |known| &known.events);
            if let Some(problem) = unlike(&originals(&whole.events), &originals(told)) {
                let found = format!("session `{}` in steps: {problem}", session.id);
                return Err(in_case(&fixture.case, "what the whole tells", &found));
            }
        }
        Ok(())
    })?;
    Ok(format!("{sessions} sessions in {STEPS} steps"))
}

/// Events without what only later lines can tell: that they were copied from another session.
fn originals(events: &[Event]) -> Vec<Event> {
    let mut events = events.to_vec();
    for event in &mut events {
        event.attrs.0.retain(|(key, _)| key != "copied_from");
    }
    events
}

/// Lets a file grow, each session read on from its own cursor, and from its start where the cursor is
/// refused. Gives what was told, and the first cursor that went back.
fn grow(
    bench: &AdapterBench,
    fixture: &Fixture,
    staged: &Staged,
    file: &Utf8Path,
) -> Result<(BTreeMap<String, Known>, Option<String>), Reason> {
    let bytes = content(staged, file)?;
    let mut known: BTreeMap<String, Known> = BTreeMap::new();
    let mut went_back = None;
    for step in 1..=STEPS {
        staged.write(file, &bytes[..bytes.len() * step / STEPS])?;
        // The start of a file may be no session at all.
        for session in bench.sessions(staged, file)?.unwrap_or_default() {
            let known = known.entry(session.id.clone()).or_default();
            let (mut end, mut told) = bench.read(staged, &session, &known.cursor)?;
            if known.cursor != Cursor::default()
                && let Err(failure) = &end
            {
                if failure.code != "invalid-cursor" {
                    let found = format!("read failed with `{}`: {}", failure.code, failure.message);
                    let expected = "a result, or a failure with code `invalid-cursor`";
                    return Err(in_case(&fixture.case, expected, &found));
                }
                known.cursor = Cursor::default();
                (end, told) = bench.read(staged, &session, &known.cursor)?;
            }
            if known.cursor == Cursor::default() {
                known.events.clear();
            }
            let Ok(cursor) = end else {
                *known = Known::default();
                continue;
            };
            if cursor.offset < known.cursor.offset {
                went_back.get_or_insert(format!(
                    "session `{}` is at offset {} after {}",
                    session.id, cursor.offset, known.cursor.offset
                ));
            }
            known.events.extend(told.events);
            known.cursor = cursor;
        }
    }
    Ok((known, went_back))
}

pub(super) fn shrunken(bench: &AdapterBench) -> Outcome {
    let mut tried = 0;
    bench.each_file(|fixture, staged, file| {
        let bytes = content(staged, file)?;
        for session in bench.sessions(staged, file)?.unwrap_or_default() {
            let (end, told) = bench.read(staged, &session, &Cursor::default())?;
            let Ok(cursor) = end else { continue };
            if cursor == Cursor::default() || told.events.is_empty() {
                continue;
            }
            tried += 1;
            staged.write(file, &bytes[..bytes.len() / 2])?;
            let (end, told) = bench.read(staged, &session, &cursor)?;
            staged.write(file, &bytes)?;
            // Who tells it again from the start noticed as well.
            if end.is_ok() && told.events.is_empty() && told.diagnostics.is_empty() {
                let found = format!("session `{}` told nothing and failed not", session.id);
                let expected = "a failure with code `invalid-cursor`";
                return Err(in_case(&fixture.case, expected, &found));
            }
        }
        Ok(())
    })?;
    if tried == 0 {
        return Err(Reason::Skipped(
            "it returns no cursor and reads each session whole".to_owned(),
        ));
    }
    Ok(format!("{tried} sessions"))
}
