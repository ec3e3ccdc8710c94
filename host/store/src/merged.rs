//! Reads sidecars after a git merge. A project's `.gitattributes` makes git keep the lines of both sides, so a comma
//! may be missing, and a key or a contribution may occur twice. Reading loses nothing that either side wrote and does
//! not depend on the order of the lines.

use std::cmp::Reverse;

use acreta_model::Reading;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::{Contribution, EvidenceFile, StateFile};

/// A JSON file stored beside a memory.
pub(crate) trait Sidecar: DeserializeOwned + Clone + PartialEq {
    fn id(&self) -> &str;

    /// Reads a text that is not valid JSON because git merged it; `None` if it is something else.
    fn merged(text: &str) -> Option<Self>;

    /// Normalises a file that was read.
    fn tidy(self) -> Self {
        self
    }
}

/// A sidecar, and whether it is normalised on disk.
#[derive(Debug)]
pub(crate) struct ReadSidecar<T> {
    pub(crate) file: T,
    pub(crate) is_tidy: bool,
}

/// Reads a sidecar. The error is that of strict parsing.
pub(crate) fn read<T: Sidecar>(bytes: &[u8]) -> Result<ReadSidecar<T>, serde_json::Error> {
    match serde_json::from_slice::<T>(bytes) {
        Ok(file) => {
            let tidy = file.clone().tidy();
            let is_tidy = tidy == file;
            Ok(ReadSidecar {
                file: tidy,
                is_tidy,
            })
        }
        Err(error) => {
            let text = std::str::from_utf8(bytes).unwrap_or_default();
            let merged = T::merged(text).ok_or(error)?;
            Ok(ReadSidecar {
                file: merged.tidy(),
                is_tidy: false,
            })
        }
    }
}

impl Sidecar for EvidenceFile {
    fn id(&self) -> &str {
        &self.id
    }

    fn merged(text: &str) -> Option<Self> {
        let mut id = None;
        let mut contributions = Vec::new();
        for line in lines(text) {
            if let Ok(contribution) = serde_json::from_str::<Contribution>(line) {
                contributions.push(contribution);
            } else if let Some((key, Value::String(value))) = entry(line)
                && key == "id"
            {
                id = Some(value);
            }
        }
        let id = id.filter(|_| !contributions.is_empty())?;
        Some(Self { id, contributions })
    }

    /// Sorts contributions by evidence; of two equal contributions of one session, keeps the later state.
    fn tidy(mut self) -> Self {
        let all = &mut self.contributions;
        all.sort_by(|left, right| {
            (left.order(), Reverse(state(left))).cmp(&(right.order(), Reverse(state(right))))
        });
        let mut tidied: Vec<Contribution> = Vec::with_capacity(all.len());
        for one in all.drain(..) {
            let known = tidied.iter_mut().find(|known| known.says_as_much(&one));
            match known {
                Some(known) if state(known) < state(&one) => *known = one,
                Some(_) => {}
                None => tidied.push(one),
            }
        }
        self.contributions = tidied;
        self
    }
}

/// Returns how far and how well a session was read, as a sort key.
fn state(contribution: &Contribution) -> (u8, bool, Option<u64>, u64, &str) {
    let reading = contribution.reading.as_ref();
    let strength = reading.map_or(0, |reading: &Reading| reading.strength as u8);
    (
        strength,
        reading.is_none_or(|reading| reading.complete),
        contribution.last_ms,
        contribution.events,
        &contribution.run_id,
    )
}

impl Sidecar for StateFile {
    fn id(&self) -> &str {
        &self.id
    }

    fn merged(text: &str) -> Option<Self> {
        let mut merged = Map::new();
        for (key, value) in lines(text).filter_map(entry) {
            match merged.get_mut(&key) {
                None => {
                    merged.insert(key, value);
                }
                Some(known) if key == "written" && *known != value => {
                    let (first, other) = match known.as_str() <= value.as_str() {
                        true => (known.clone(), value),
                        false => (value, known.clone()),
                    };
                    *known = first;
                    let others = merged
                        .entry("also_written")
                        .or_insert_with(|| Value::Array(Vec::new()));
                    join(others, Value::Array(vec![other]));
                }
                Some(known) => join(known, value),
            }
        }
        serde_json::from_value(Value::Object(merged)).ok()
    }
}

/// Joins two values of one key: lists are concatenated, and a change that was made stays made.
fn join(known: &mut Value, other: Value) {
    match (&mut *known, other) {
        (Value::Array(known), Value::Array(others)) => {
            for other in others {
                if !known.contains(&other) {
                    known.push(other);
                }
            }
            known.sort_by_key(ToString::to_string);
        }
        (Value::Bool(known), Value::Bool(other)) => *known |= other,
        // The larger string wins: `active` gives way to `archived` and `superseded`, an earlier day to a later one.
        (Value::String(known), Value::String(other)) if *known < other => *known = other,
        (Value::Null, other) => *known = other,
        _ => {}
    }
}

/// Returns the lines with content, without the commas between them. Conflict markers are left out, and so is the
/// common ancestor between them.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut in_ancestor = false;
    text.lines().filter_map(move |line| {
        if line.starts_with("|||||||") {
            in_ancestor = true;
        }
        if line.starts_with("=======") {
            in_ancestor = false;
        }
        let is_mark = ["<<<<<<<", "=======", ">>>>>>>"]
            .iter()
            .any(|mark| line.starts_with(mark));
        let line = line.trim().trim_end_matches(',');
        (!in_ancestor && !is_mark && line.len() > 1).then_some(line)
    })
}

/// Parses `"key": value`.
fn entry(line: &str) -> Option<(String, Value)> {
    let object: Map<String, Value> = serde_json::from_str(&format!("{{{line}}}")).ok()?;
    object.into_iter().next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ContributedCandidate, Status};

    fn contribution(session: &str, at: u64, events: u64) -> Contribution {
        Contribution {
            agent: "claude".to_owned(),
            session_id: session.to_owned(),
            run_id: format!("session-{events}"),
            events,
            last_ms: Some(at + events),
            newest_ms: at,
            created_ms: at,
            found_by: Vec::new(),
            reading: None,
            candidate: ContributedCandidate {
                memory_type: acreta_model::MemoryType::Learning,
                kind: "convention".to_owned(),
                title: "Use tabs".to_owned(),
                body: "Use tabs, not spaces.".to_owned(),
                confidence: 0.8,
                tags: Vec::new(),
            },
            evidence: Vec::new(),
        }
    }

    fn evidence(contributions: &[Contribution]) -> String {
        let file = EvidenceFile {
            id: "01A".to_owned(),
            contributions: contributions.to_vec(),
        };
        String::from_utf8(file.to_json()).unwrap()
    }

    /// Returns all lines of both sides, each once, as `merge=union` leaves them.
    fn union(ours: &str, theirs: &str) -> String {
        let mut lines: Vec<&str> = ours.lines().collect();
        let end = lines.split_off(
            lines.len()
                - ours
                    .lines()
                    .rev()
                    .take_while(|line| line.len() == 1)
                    .count(),
        );
        lines.extend(
            theirs
                .lines()
                .filter(|line| !ours.lines().any(|known| known == *line)),
        );
        lines.extend(end);
        lines.join("\n")
    }

    #[test]
    fn evidence_of_both_sides_is_kept() {
        let (one, two, three) = (
            contribution("one", 10, 3),
            contribution("two", 20, 3),
            contribution("three", 30, 3),
        );
        let grown = contribution("two", 20, 9);
        let ours = evidence(&[one.clone(), two]);
        let theirs = evidence(&[one.clone(), grown.clone(), three.clone()]);
        let expected = vec![one, grown, three];
        for merged in [
            union(&ours, &theirs),
            union(&theirs, &ours),
            format!("<<<<<<< ours\n{ours}||||||| base\n{ours}=======\n{theirs}>>>>>>> theirs\n"),
        ] {
            let read = read::<EvidenceFile>(merged.as_bytes()).unwrap();
            assert!(!read.is_tidy);
            assert_eq!(read.file.contributions, expected, "{merged}");
        }
    }

    #[test]
    fn what_either_side_did_to_a_state_stays_done() {
        let base = StateFile::new("01A", "digest-0");
        let mut ours = StateFile::new("01A", "digest-2");
        ours.dismissed = vec!["b".to_owned()];
        let mut theirs = StateFile::new("01A", "digest-1");
        theirs.status = Status::Archived;
        theirs.superseded_by = Some("01B".to_owned());
        theirs.dismissed = vec!["a".to_owned()];
        let text = |state: &StateFile| String::from_utf8(state.to_json()).unwrap();
        for merged in [
            union(&text(&ours), &text(&theirs)),
            union(&text(&theirs), &text(&ours)),
        ] {
            let state: StateFile = read(merged.as_bytes()).unwrap().file;
            assert!(state.wrote("digest-1") && state.wrote("digest-2") && !state.wrote("digest-0"));
            assert_eq!(state.status, Status::Archived);
            assert_eq!(state.superseded_by.as_deref(), Some("01B"));
            assert_eq!(state.dismissed, ["a", "b"]);
        }
        let alone = read::<StateFile>(&base.to_json()).unwrap();
        assert!(alone.is_tidy);
        assert_eq!(alone.file, base);
    }

    #[test]
    fn what_is_no_sidecar_stays_an_error() {
        for text in ["", "{", "nothing", "{\"id\": \"01A\"}", "[1, 2]"] {
            assert!(read::<EvidenceFile>(text.as_bytes()).is_err(), "{text}");
            assert!(read::<StateFile>(text.as_bytes()).is_err(), "{text}");
        }
    }
}
