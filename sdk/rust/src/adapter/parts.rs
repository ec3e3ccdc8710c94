//! Parts of a session that was resumed in another directory: each message belongs to the directory in which it was
//! said.
//!
//! An adapter finds the parts when it lists sessions ([`find`], [`split`]), and follows the same [`Places`] when it
//! reads one, so that each part emits only its own records.

use std::io::Read;

use serde::{Deserialize, Serialize};

use super::{Failure, Session, attr, failure};
use crate::lines::{Line, LineReader};

/// Directories beyond this number belong to the preceding part.
const MOST: usize = 32;

/// Attribute with the number of the part that a session is.
const PART: &str = "part";

/// The directories used so far, and the current one. Small enough to be stored in a cursor.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Places {
    directories: Vec<String>,
    current: usize,
}

/// One part of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub directory: String,
    /// Offset at which it last ended; `None` for the current part.
    pub end: Option<u64>,
}

impl Places {
    /// Switches to the part of a directory. A directory and its subdirectories are one part; relative paths are ignored
    /// (files anonymised for sharing have them).
    pub fn enter(&mut self, directory: &str) {
        if !(directory.starts_with(['/', '\\']) || directory.get(1..2) == Some(":")) {
            return;
        }
        let known = self
            .directories
            .iter()
            .position(|known| contains(known, directory) || contains(directory, known));
        match known {
            Some(known) => self.current = known,
            None if self.directories.len() < MOST => {
                self.current = self.directories.len();
                self.directories.push(directory.to_owned());
            }
            None => {}
        }
    }

    /// Returns the number of the current part; the first is zero.
    pub fn current(&self) -> usize {
        self.current
    }
}

/// Finds the parts of a file of lines. `see` inspects a line and calls [`Places::enter`] if the line names a directory.
pub fn find(
    file: impl Read,
    mut see: impl FnMut(&mut Places, &Line<'_>),
) -> Result<Vec<Part>, Failure> {
    let mut lines = LineReader::new(file, 0);
    let mut places = Places::default();
    let mut parts: Vec<Part> = Vec::new();
    while let Some(line) = lines.next_line().map_err(|error| failure::io(&error))? {
        let before = places.current;
        see(&mut places, &line);
        if places.current != before
            && let Some(left) = parts.get_mut(before)
        {
            left.end = Some(line.start);
        }
        match parts.get_mut(places.current) {
            Some(part) => part.end = None,
            None => parts.extend(places.directories.get(parts.len()).map(|directory| Part {
                directory: directory.clone(),
                end: None,
            })),
        }
    }
    Ok(parts)
}

/// Returns a session for each part, or the session itself if there is only one. A part that ended does not change when
/// the file grows: `revision` computes the revision of its bytes up to an offset.
pub fn split(
    whole: Session,
    parts: Vec<Part>,
    mut revision: impl FnMut(u64) -> Result<String, Failure>,
) -> Result<Vec<Session>, Failure> {
    if parts.len() < 2 {
        return Ok(vec![whole]);
    }
    let mut sessions = Vec::with_capacity(parts.len());
    for (number, part) in parts.into_iter().enumerate() {
        let mut session = whole.clone();
        session.project_dir = Some(part.directory);
        if let Some(end) = part.end {
            session.revision = revision(end)?;
        }
        if number > 0 {
            session.id = format!("{}.{}", whole.id, number + 1);
            session.attrs.push(attr(PART, number.to_string()));
            session.attrs.push(attr("continues", whole.id.clone()));
        }
        sessions.push(session);
    }
    Ok(sessions)
}

/// Returns the number of the part that a session is; the first is zero.
pub fn number(session: &Session) -> usize {
    let part = session.attrs.iter().find(|(name, _)| name == PART);
    part.and_then(|(_, number)| number.parse().ok())
        .unwrap_or(0)
}

fn contains(outer: &str, inner: &str) -> bool {
    inner
        .strip_prefix(outer)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '\\']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_one_part_for_each_place() {
        type Wanted<'a> = &'a [(&'a str, Option<u64>)];
        let cases: &[(&[&str], Wanted<'_>)] = &[
            (&[], &[]),
            (&["/a"], &[("/a", None)]),
            (&["/a", "/a/sub", "/a"], &[("/a", None)]),
            (&["/a", "/b"], &[("/a", Some(3)), ("/b", None)]),
            (&["/a", "/b", "/a"], &[("/a", None), ("/b", Some(6))]),
            (&["/ab", "/a"], &[("/ab", Some(4)), ("/a", None)]),
            (&["/a", "(none)", ""], &[("/a", None)]),
        ];
        for (lines, wanted) in cases {
            let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
            let parts = find(text.as_bytes(), |places, line| {
                places.enter(str::from_utf8(line.bytes).unwrap_or_default().trim());
            });
            let found: Vec<_> = parts
                .unwrap()
                .into_iter()
                .map(|part| (part.directory, part.end))
                .collect();
            let wanted: Vec<_> = wanted
                .iter()
                .map(|(directory, end)| ((*directory).to_owned(), *end))
                .collect();
            assert_eq!(found, wanted, "{lines:?}");
        }
    }
}
