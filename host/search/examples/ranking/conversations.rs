//! Conversations in the format of LoCoMo: each session is an entry, each turn a passage. A question counts if at least
//! one turn that answers it exists.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use acreta_search::IndexEntry;
use serde_json::{Map, Value};

use crate::Outcome;
use crate::corpus::{Corpus, Question, Text};

/// A turn: number of its session, number in it.
type Turn = (u32, u32);

pub(crate) fn read(file: &Path) -> Outcome<impl Iterator<Item = Outcome<Corpus>>> {
    let data: Vec<Value> = serde_json::from_slice(&std::fs::read(file)?)?;
    Ok(data
        .into_iter()
        .map(|conversation| corpus(&conversation).ok_or_else(|| "unknown format".into())))
}

fn corpus(value: &Value) -> Option<Corpus> {
    let sessions = sessions(value.get("conversation")?.as_object()?);
    let mut places = HashMap::new();
    let mut texts = Vec::new();
    for (entry, turns) in sessions.into_values().enumerate() {
        let mut parts = Vec::new();
        for (turn, text) in turns {
            places.insert(turn, (entry, parts.len()));
            parts.push(text);
        }
        texts.push(Text {
            entry: IndexEntry::of_parts(entry.to_string(), &parts),
            parts,
        });
    }
    let questions = value.get("qa")?.as_array()?.iter();
    let questions = questions.filter_map(|question| {
        let evidence = question.get("evidence")?.as_array()?.iter();
        let mut parts: Vec<(usize, usize)> = evidence
            .filter_map(Value::as_str)
            .flat_map(turn_ids)
            .filter_map(|turn| places.get(&turn).copied())
            .collect();
        parts.sort_unstable();
        parts.dedup();
        let mut entries: Vec<usize> = parts.iter().map(|(entry, _)| *entry).collect();
        entries.dedup();
        let text = question.get("question")?;
        let text = text
            .as_str()
            .map_or_else(|| text.to_string(), str::to_owned);
        (!parts.is_empty()).then_some(Question {
            text,
            entries,
            parts,
        })
    });
    Some(Corpus {
        questions: questions.collect(),
        texts,
    })
}

fn sessions(conversation: &Map<String, Value>) -> BTreeMap<u32, Vec<(Turn, String)>> {
    let mut sessions = BTreeMap::new();
    for (key, value) in conversation {
        let number = key
            .strip_prefix("session_")
            .and_then(|rest| rest.parse().ok());
        let (Some(number), Some(turns)) = (number, value.as_array()) else {
            continue;
        };
        let turns: Vec<(Turn, String)> = turns.iter().filter_map(turn).collect();
        if !turns.is_empty() {
            sessions.insert(number, turns);
        }
    }
    sessions
}

/// `speaker: text [shares caption]`.
fn turn(value: &Value) -> Option<(Turn, String)> {
    let part = |key| value.get(key).and_then(Value::as_str);
    let id = turn_ids(part("dia_id")?).into_iter().next()?;
    let mut text = format!("{}: {}", part("speaker")?, part("text")?);
    if let Some(caption) = part("blip_caption") {
        text.push_str(&format!(" [shares {caption}]"));
    }
    Some((id, text))
}

/// Returns every turn id in a text: `D`, an optional `:`, session, `:`, turn. Some of the data is malformed.
fn turn_ids(text: &str) -> Vec<Turn> {
    let digits = |text: &str| {
        let end = text
            .find(|character: char| !character.is_ascii_digit())
            .unwrap_or(text.len());
        Some((text[..end].parse::<u32>().ok()?, end))
    };
    text.match_indices('D')
        .filter_map(|(at, _)| {
            let rest = &text[at + 1..];
            let rest = rest.strip_prefix(':').unwrap_or(rest);
            let (session, end) = digits(rest)?;
            let (turn, _) = digits(rest[end..].strip_prefix(':')?)?;
            Some((session, turn))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sloppy_turn_ids_are_read() {
        let cases: [(&str, &[Turn]); 6] = [
            ("D1:3", &[(1, 3)]),
            ("D:11:26", &[(11, 26)]),
            ("D30:05", &[(30, 5)]),
            ("D8:6; D9:17", &[(8, 6), (9, 17)]),
            ("D", &[]),
            ("Dx:1 D2", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(turn_ids(text), expected, "{text}");
        }
    }
}
