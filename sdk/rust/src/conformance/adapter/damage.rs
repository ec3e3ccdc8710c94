//! Checks on damaged files.

use serde_json::Value;

use super::super::{Outcome, Reason};
use super::reading::check_origins;
use super::subject::{Sample, each_file, in_file};
use super::{Cursor, Event, Folder, Reading, Subject};

/// Number of wrong bytes in each damaged copy.
const WRONG: usize = 12;

/// A record whose writer stopped in the middle.
const BROKEN_LINE: &[u8] = b"{\"damaged\": [\"a line that was nev\n";

pub(super) fn line<S: Subject>(subject: &S) -> Outcome<S::Error> {
    let mut tried = 0;
    each_file(subject, |fixture, folder, file| {
        let bytes = folder.content(file)?;
        let Some(middle) = middle_of_lines(&bytes) else {
            return Ok(());
        };
        for session in subject.sessions(folder, file)?.unwrap_or_default() {
            let whole = subject.read(folder, &session, &Cursor::default())?;
            if whole.end.is_err() || whole.events.is_empty() {
                continue;
            }
            tried += 1;
            let damaged = [&bytes[..middle], BROKEN_LINE, &bytes[middle..]].concat();
            folder.write(file, &damaged)?;
            let told = subject.read(folder, &session, &Cursor::default())?;
            folder.write(file, &bytes)?;
            let expected = "the other lines, and a diagnostic for the damaged one";
            let found = match &told.end {
                Err(failure) => Some(failure.of("read")),
                Ok(_) if texts(&told) != texts(&whole) => Some(format!(
                    "{} events instead of {}, or others",
                    told.events.len(),
                    whole.events.len()
                )),
                Ok(_) if told.diagnostics.len() <= whole.diagnostics.len() => {
                    Some("no diagnostic".to_owned())
                }
                Ok(_) => None,
            };
            if let Some(found) = found {
                let found = format!("session `{}`: {found}", session.id);
                return Err(in_file(fixture, file, expected, &found));
            }
        }
        Ok(())
    })?;
    if tried == 0 {
        return Err(Reason::Skipped(
            "no case has a session in a file with a JSON object on each line".to_owned(),
        ));
    }
    Ok(format!("{tried} sessions"))
}

/// Finds the start of a line in the middle, if every line is a JSON object.
fn middle_of_lines(bytes: &[u8]) -> Option<usize> {
    let body = bytes.strip_suffix(b"\n")?;
    let is_object = |line: &[u8]| matches!(serde_json::from_slice(line), Ok(Value::Object(_)));
    if !body.split(|byte| *byte == b'\n').all(is_object) {
        return None;
    }
    let breaks: Vec<usize> = (0..body.len()).filter(|at| body[*at] == b'\n').collect();
    Some(breaks.get(breaks.len() / 2)? + 1)
}

fn texts(told: &Reading) -> Vec<(&str, &str, &str)> {
    let events = told.events.iter();
    events
        .map(|event| (&*event.role, &*event.kind, &*event.text))
        .collect()
}

pub(super) fn bytes<S: Subject>(subject: &S) -> Outcome<S::Error> {
    let mut copies = 0;
    each_file(subject, |fixture, folder, file| {
        let bytes = folder.content(file)?;
        if bytes.is_empty() {
            return Ok(());
        }
        let mut random = 0x2545_f491_4f6c_dd1d_u64;
        for _ in 0..subject.effort().damaged_copies {
            copies += 1;
            let mut damaged = bytes.clone();
            for _ in 0..WRONG.min(bytes.len()) {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                let place = random as usize % damaged.len();
                damaged[place] = (random >> 32) as u8;
            }
            folder.write(file, &damaged)?;
            // A damaged file may no longer be claimed, or may fail to read; both are allowed.
            for session in subject.sessions(folder, file)?.unwrap_or_default() {
                let told = subject.read(folder, &session, &Cursor::default())?;
                let sample = Sample {
                    subject,
                    fixture,
                    folder,
                    file,
                    session: &session,
                };
                check_spans(&sample, told.events, damaged.len() as u64)?;
            }
        }
        folder.write(file, &bytes)?;
        Ok(())
    })?;
    Ok(format!("{copies} damaged copies"))
}

/// A damaged record may lose its id and its span; a span that it has must lie in the file.
fn check_spans<S: Subject>(
    sample: &Sample<'_, S>,
    mut events: Vec<Event>,
    size: u64,
) -> Result<(), Reason<S::Error>> {
    events.retain(|event| (event.origin.start, event.origin.end) != (0, 0));
    check_origins(sample, &events, size)
}
