//! Reads sidecars after a git merge. A project's `.gitattributes` makes git keep the lines of both sides, so a comma
//! may be missing, and a key or a contribution may occur twice. Reading loses nothing that either side wrote and does
//! not depend on the order of the lines.

use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use acreta_types::Reading;
use serde::Deserialize;
use serde::de::Error as _;
use serde_json::{Map, Value};

use crate::{Contribution, EvidenceFile, Sidecar, StateFile};

/// A sidecar, and whether it is normalised on disk.
#[derive(Debug, Default)]
pub(crate) struct ReadSidecar {
    pub(crate) file: Sidecar,
    pub(crate) is_tidy: bool,
}

impl Sidecar {
    /// Reads a sidecar from the contents of the files at [`sidecar_paths`](crate::Layout::sidecar_paths) that exist.
    /// Files that cannot be read count as missing.
    pub fn read<'a>(id: &str, files: impl IntoIterator<Item = &'a [u8]>) -> Sidecar {
        read_all(id, files).file
    }

    /// Reports whether files at these paths already hold this value, in order.
    pub fn is_in<'a>(&self, files: impl IntoIterator<Item = &'a [u8]>) -> bool {
        let read = read_all(&self.id, files);
        read.is_tidy && read.file == *self
    }
}

fn read_all<'a>(id: &str, files: impl IntoIterator<Item = &'a [u8]>) -> ReadSidecar {
    let parts = files.into_iter().filter_map(|bytes| read(bytes).ok());
    let parts = parts.filter(|part| part.file.id == id);
    parts.reduce(joined).unwrap_or_default()
}

/// Reads one file. The error is that of strict parsing.
pub(crate) fn read(bytes: &[u8]) -> Result<ReadSidecar, serde_json::Error> {
    match strict(bytes) {
        Ok(file) => {
            let tidy = Sidecar {
                evidence: file.evidence.clone().map(tidied),
                ..file.clone()
            };
            let is_tidy = tidy == file;
            Ok(ReadSidecar {
                file: tidy,
                is_tidy,
            })
        }
        Err(error) => {
            let text = std::str::from_utf8(bytes).unwrap_or_default();
            let state = merged_state(lines(text).filter_map(entry));
            let evidence = merged_evidence(text);
            let id = state.as_ref().map(|state| state.id.clone());
            let id = id.or_else(|| Some(evidence.as_ref()?.id.clone()));
            let file = Sidecar {
                id: id.ok_or(error)?,
                state,
                evidence: evidence.map(tidied),
            };
            Ok(ReadSidecar {
                file,
                is_tidy: false,
            })
        }
    }
}

fn strict(bytes: &[u8]) -> Result<Sidecar, serde_json::Error> {
    /// The keys that say which parts there are.
    #[derive(Deserialize)]
    struct Parts {
        id: String,
        contributions: Option<Vec<Contribution>>,
        written: Option<String>,
    }
    let Parts {
        id,
        contributions,
        written,
    } = serde_json::from_slice(bytes)?;
    let state = match written {
        Some(_) => Some(serde_json::from_slice(bytes)?),
        None => None,
    };
    let evidence = contributions.map(|contributions| EvidenceFile {
        id: id.clone(),
        contributions,
    });
    if state.is_none() && evidence.is_none() {
        return Err(serde_json::Error::custom(
            "has neither `written` nor `contributions`",
        ));
    }
    Ok(Sidecar {
        id,
        state,
        evidence,
    })
}

/// Joins two files of one memory: what either of them has. Where only one has a part, as with the two files of an
/// earlier version, nothing is to be put in order.
pub(crate) fn joined(one: ReadSidecar, other: ReadSidecar) -> ReadSidecar {
    let (one_file, other_file) = (one.file, other.file);
    let is_split = one_file.state.is_some() != other_file.state.is_some()
        && one_file.evidence.is_some() != other_file.evidence.is_some();
    let state = match (one_file.state, other_file.state) {
        (Some(one), Some(other)) => merged_state(entries(&one).chain(entries(&other))),
        (one, other) => one.or(other),
    };
    let evidence = match (one_file.evidence, other_file.evidence) {
        (Some(mut one), Some(other)) => {
            one.contributions.extend(other.contributions);
            Some(tidied(one))
        }
        (one, other) => one.or(other),
    };
    ReadSidecar {
        file: Sidecar {
            id: one_file.id,
            state,
            evidence,
        },
        is_tidy: is_split && one.is_tidy && other.is_tidy,
    }
}

fn entries(state: &StateFile) -> impl Iterator<Item = (String, Value)> + use<> {
    let value = serde_json::to_value(state).unwrap_or_default();
    let Value::Object(entries) = value else {
        return Map::new().into_iter();
    };
    entries.into_iter()
}

fn merged_evidence(text: &str) -> Option<EvidenceFile> {
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
    Some(EvidenceFile { id, contributions })
}

/// Sorts contributions by evidence; of those that say the same of one session, keeps the latest state.
fn tidied(mut evidence: EvidenceFile) -> EvidenceFile {
    let mut all = std::mem::take(&mut evidence.contributions);
    all.sort_by(ranked);
    // A file that came by git may have very many, so they are looked up.
    let mut kept: HashMap<String, Contribution> = HashMap::with_capacity(all.len());
    for one in all {
        let key = serde_json::to_string(&(&one.agent, &one.session_id, &one.candidate));
        match kept.entry(key.unwrap_or_default()) {
            Entry::Vacant(free) => drop(free.insert(one)),
            Entry::Occupied(mut known) if state(known.get()) < state(&one) => {
                known.insert(one);
            }
            Entry::Occupied(_) => {}
        }
    }
    evidence.contributions = kept.into_values().collect();
    evidence.contributions.sort_by(ranked);
    evidence
}

/// Compares two contributions so that no two different ones are equal: the order of lines must not matter.
fn ranked(left: &Contribution, right: &Contribution) -> Ordering {
    let by_order =
        (left.order(), Reverse(state(left))).cmp(&(right.order(), Reverse(state(right))));
    by_order.then_with(|| left.digest().cmp(&right.digest()))
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

/// Merges the keys of two states; `None` if they are no state.
fn merged_state(entries: impl Iterator<Item = (String, Value)>) -> Option<StateFile> {
    let mut merged = Map::new();
    for (key, value) in entries {
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
    for list in merged.values_mut().filter_map(Value::as_array_mut) {
        list.sort_by_cached_key(ToString::to_string);
        list.dedup();
    }
    serde_json::from_value(Value::Object(merged)).ok()
}

/// Joins two values of one key: lists are concatenated, and a change that was made stays made.
fn join(known: &mut Value, other: Value) {
    match (&mut *known, other) {
        (Value::Array(known), Value::Array(others)) => known.extend(others),
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
                memory_type: acreta_types::MemoryType::Learning,
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
            let read = read(merged.as_bytes()).unwrap();
            assert!(!read.is_tidy);
            let evidence = read.file.evidence.unwrap();
            assert_eq!(evidence.contributions, expected, "{merged}");
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
            let state = read(merged.as_bytes()).unwrap().file.state.unwrap();
            assert!(state.wrote("digest-1") && state.wrote("digest-2") && !state.wrote("digest-0"));
            assert_eq!(state.status, Status::Archived);
            assert_eq!(state.superseded_by.as_deref(), Some("01B"));
            assert_eq!(state.dismissed, ["a", "b"]);
        }
        let alone = read(&base.to_json()).unwrap();
        assert!(alone.is_tidy);
        assert_eq!(alone.file.state, Some(base));
    }

    #[test]
    fn what_is_no_sidecar_stays_an_error() {
        for text in ["", "{", "nothing", "{\"id\": \"01A\"}", "[1, 2]"] {
            assert!(read(text.as_bytes()).is_err(), "{text}");
        }
    }
}
