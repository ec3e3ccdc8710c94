//! Checks on files that grow between reads, were truncated, or were rewritten.

use std::collections::BTreeMap;

use super::super::{Outcome, Reason};
use super::reading::{originals, unlike};
use super::subject::{each_file, in_file};
use super::{Cursor, Event, Fixture, Folder, Session, Subject};

/// A session's state after reading it step by step.
#[derive(Default)]
pub struct GrownSession {
    pub events: Vec<Event>,
    pub cursor: Cursor,
}

/// The outcome of letting a file grow.
#[derive(Default)]
pub struct Growth {
    /// By the id of the session.
    pub known: BTreeMap<String, GrownSession>,
    /// The first cursor that went back, as a sentence.
    pub went_back: Option<String>,
}

/// The session of a file with exactly one, read whole.
type WholeRead = Option<(Session, Vec<Event>)>;

pub(super) fn forward<S: Subject>(subject: &S) -> Outcome<S::Error> {
    let steps = subject.effort().growth_steps;
    each_file(subject, |fixture, folder, file| {
        let sizes = sizes(folder.content(file)?.len(), steps);
        match grow(subject, fixture, folder, file, sizes)?.went_back {
            Some(found) => Err(in_file(fixture, file, "a cursor further on", &found)),
            None => Ok(()),
        }
    })?;
    Ok(format!("{steps} steps for each file"))
}

pub(super) fn steps<S: Subject>(subject: &S) -> Outcome<S::Error> {
    let steps = subject.effort().growth_steps;
    let mut sessions = 0;
    each_file(subject, |fixture, folder, file| {
        let sizes = sizes(folder.content(file)?.len(), steps);
        let known = grow(subject, fixture, folder, file, sizes)?.known;
        for session in subject.sessions(folder, file)?.unwrap_or_default() {
            sessions += 1;
            let whole = subject.read(folder, &session, &Cursor::default())?;
            if whole.end.is_err() {
                continue;
            }
            let told = known.get(&session.id);
            let told = told.map_or(&[][..], |known| &known.events);
            if let Some(problem) = unlike(&originals(&whole.events), &originals(told)) {
                let found = format!("session `{}` in steps: {problem}", session.id);
                return Err(in_file(fixture, file, "the events of a whole read", &found));
            }
        }
        Ok(())
    })?;
    Ok(format!("{sessions} sessions in {steps} steps"))
}

fn sizes(length: usize, steps: usize) -> impl Iterator<Item = usize> {
    (1..=steps).map(move |step| length * step / steps)
}

/// Lets a file grow to each of the sizes. Each session is read on from its own cursor, and from its start
/// if the cursor is refused.
pub fn grow<S: Subject>(
    subject: &S,
    fixture: &Fixture,
    folder: &S::Folder,
    file: &str,
    sizes: impl Iterator<Item = usize>,
) -> Result<Growth, Reason<S::Error>> {
    let bytes = folder.content(file)?;
    let Growth {
        mut known,
        mut went_back,
    } = Growth::default();
    for size in sizes {
        folder.write(file, &bytes[..size.min(bytes.len())])?;
        // The start of a file may not be a session yet.
        for session in subject.sessions(folder, file)?.unwrap_or_default() {
            let known = known.entry(session.id.clone()).or_default();
            let mut reading = subject.read(folder, &session, &known.cursor)?;
            if !known.cursor.is_start()
                && let Err(failure) = &reading.end
            {
                if failure.code != "invalid-cursor" {
                    let expected = "a result, or a failure with code `invalid-cursor`";
                    return Err(in_file(fixture, file, expected, &failure.of("read")));
                }
                known.cursor = Cursor::default();
                reading = subject.read(folder, &session, &known.cursor)?;
            }
            if known.cursor.is_start() {
                known.events.clear();
            }
            let Ok(cursor) = reading.end else {
                *known = GrownSession::default();
                continue;
            };
            if cursor.offset < known.cursor.offset {
                went_back.get_or_insert(format!(
                    "session `{}` is at offset {} after {}",
                    session.id, cursor.offset, known.cursor.offset
                ));
            }
            known.events.extend(reading.events);
            known.cursor = cursor;
        }
    }
    Ok(Growth { known, went_back })
}

pub(super) fn shrunken<S: Subject>(subject: &S) -> Outcome<S::Error> {
    let mut tried = 0;
    each_file(subject, |fixture, folder, file| {
        let bytes = folder.content(file)?;
        for session in subject.sessions(folder, file)?.unwrap_or_default() {
            let whole = subject.read(folder, &session, &Cursor::default())?;
            let Ok(cursor) = whole.end else { continue };
            if cursor.is_start() || whole.events.is_empty() {
                continue;
            }
            tried += 1;
            folder.write(file, &bytes[..bytes.len() / 2])?;
            let half = subject.read(folder, &session, &cursor)?;
            folder.write(file, &bytes)?;
            // An adapter that reads again from the start also noticed the change.
            if half.end.is_ok() && half.events.is_empty() && half.diagnostics.is_empty() {
                let found = format!("session `{}` emitted nothing and did not fail", session.id);
                let expected = "a failure with code `invalid-cursor`";
                return Err(in_file(fixture, file, expected, &found));
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

/// Checks that one changed letter in the middle of a session changes its revision, at the same size and time.
pub(super) fn rewritten<S: Subject>(subject: &S) -> Outcome<S::Error> {
    let mut tried = 0;
    each_file(subject, |fixture, folder, file| {
        let bytes = folder.content(file)?;
        let Some((before, events)) = only_session(subject, folder, file)? else {
            return Ok(());
        };
        let mut middle = events[events.len() / 2..].iter();
        let Some(other) = middle.find_map(|event| with_other_letter(&bytes, event)) else {
            return Ok(());
        };
        folder.write(file, &other)?;
        let after = only_session(subject, folder, file)?;
        folder.write(file, &bytes)?;
        if let Some((after, others)) = after
            && after.id == before.id
            && others != events
        {
            tried += 1;
            if after.revision == before.revision {
                let found = format!("session `{}` has the same one", after.id);
                return Err(in_file(fixture, file, "another revision", &found));
            }
        }
        Ok(())
    })?;
    if tried == 0 {
        return Err(Reason::Skipped(
            "no case has a session with a word that can be changed in its file".to_owned(),
        ));
    }
    Ok(format!("{tried} sessions"))
}

fn only_session<S: Subject>(
    subject: &S,
    folder: &S::Folder,
    file: &str,
) -> Result<WholeRead, Reason<S::Error>> {
    let found = subject.sessions(folder, file)?.unwrap_or_default();
    let Ok([session]) = <[Session; 1]>::try_from(found) else {
        return Ok(None);
    };
    let whole = subject.read(folder, &session, &Cursor::default())?;
    Ok(whole.end.is_ok().then_some((session, whole.events)))
}

/// Changes one letter of the file within an event's text.
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
