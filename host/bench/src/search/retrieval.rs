//! Questions with known answers over long conversations: each session is an entry, each turn a
//! passage, and the same ranking that serves memory finds the turns a question is about.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use acreta_search::{Entry, LocalModel, PassageIndex, Query};
use camino::Utf8Path;
use serde_json::{Map, Value, json};

use crate::search::measures::Measures;
use crate::search::{Outcome, told};

/// A turn: number of its session, number in it.
type Turn = (u32, u32);

struct Conversation {
    /// Turns of each session in order, with their texts.
    sessions: BTreeMap<u32, Vec<(Turn, String)>>,
    /// A question and the turns that answer it.
    questions: Vec<(String, HashSet<Turn>)>,
}

/// How many of each ranking are looked at: enough for the reciprocal rank.
const LIMIT: usize = 100;

/// The means over everything, and over each conversation.
struct Means {
    questions: usize,
    turn: Measures,
    session: Measures,
    each: Vec<(Measures, Measures)>,
}

/// Measures by words alone and, with a model, by words and meaning; the last line is of the latter.
pub(crate) fn bench(file: &Path, model: Option<&Utf8Path>) -> Outcome<()> {
    let data: Vec<Value> = serde_json::from_slice(&std::fs::read(file)?)?;
    let conversations: Vec<Conversation> = data
        .iter()
        .map(|conversation| Conversation::read(conversation).ok_or("unknown format"))
        .collect::<Result<_, _>>()?;
    let mut result = over(&conversations, None)?;
    println!(
        "{} conversations, {} questions",
        conversations.len(),
        result.questions
    );
    table("words", &result);
    if let Some(folder) = model {
        let model = Arc::new(LocalModel::new(folder));
        model.check().map_err(told)?;
        result = over(&conversations, Some(model))?;
        table("words and meaning", &result);
    }
    println!(
        "{}",
        json!({"turn": result.turn.json(), "session": result.session.json()})
    );
    Ok(())
}

fn over(conversations: &[Conversation], model: Option<Arc<LocalModel>>) -> Outcome<Means> {
    let (mut turns, mut sessions, mut each) = (Vec::new(), Vec::new(), Vec::new());
    for conversation in conversations {
        let index = match &model {
            Some(model) => PassageIndex::in_memory_with_model(Arc::clone(model) as _)?,
            None => PassageIndex::in_memory()?,
        };
        let (turn, session) = measure(conversation, &index)?;
        each.push((Measures::mean(&turn), Measures::mean(&session)));
        turns.extend(turn);
        sessions.extend(session);
    }
    Ok(Means {
        questions: turns.len(),
        turn: Measures::mean(&turns),
        session: Measures::mean(&sessions),
        each,
    })
}

fn table(name: &str, result: &Means) {
    println!(
        "\n{name}\n{:<10} {:>8} {:>8}   each conversation, turn | session",
        "", "turn", "session"
    );
    for (index, (name, value)) in result.turn.named().into_iter().enumerate() {
        let each = |part: fn(&(Measures, Measures)) -> &Measures| {
            let figures = result
                .each
                .iter()
                .map(|one| format!("{:.3}", part(one).named()[index].1));
            figures.collect::<Vec<_>>().join(" ")
        };
        println!(
            "{name:<10} {value:>8.4} {:>8.4}   {} | {}",
            result.session.named()[index].1,
            each(|one| &one.0),
            each(|one| &one.1)
        );
    }
}

fn measure(
    conversation: &Conversation,
    index: &PassageIndex,
) -> Outcome<(Vec<Measures>, Vec<Measures>)> {
    let added = index.add(conversation.sessions.iter().map(|(number, turns)| {
        let passages = turns.iter().map(|(_, text)| text.clone()).collect();
        Entry::of_passages(number.to_string(), passages)
    }))?;
    if let Some(warning) = added.warning {
        return Err(warning.into());
    }
    let (mut by_turn, mut by_session) = (Vec::new(), Vec::new());
    for (question, evidence) in &conversation.questions {
        let query = Query {
            limit: LIMIT,
            ..Query::new(question)
        };
        let mut turns: Vec<Turn> = Vec::new();
        for hit in index.passages(&query, 0)? {
            let session: u32 = hit.id.parse()?;
            turns.push(conversation.sessions[&session][hit.ordinal].0);
        }
        by_turn.push(Measures::of(&turns, evidence));
        let mut sessions: Vec<u32> = Vec::new();
        for (id, _) in index.entries(&query, 0)? {
            sessions.push(id.parse()?);
        }
        let gold = evidence.iter().map(|(session, _)| *session).collect();
        by_session.push(Measures::of(&sessions, &gold));
    }
    Ok((by_turn, by_session))
}

impl Conversation {
    fn read(value: &Value) -> Option<Self> {
        let conversation = value.get("conversation")?.as_object()?;
        let sessions = sessions(conversation);
        let known: HashMap<Turn, ()> = sessions
            .values()
            .flatten()
            .map(|(turn, _)| (*turn, ()))
            .collect();
        let questions = value
            .get("qa")?
            .as_array()?
            .iter()
            .filter_map(|question| {
                let evidence: HashSet<Turn> = question
                    .get("evidence")?
                    .as_array()?
                    .iter()
                    .filter_map(Value::as_str)
                    .flat_map(turn_ids)
                    .filter(|turn| known.contains_key(turn))
                    .collect();
                let text = question.get("question")?;
                let text = text
                    .as_str()
                    .map_or_else(|| text.to_string(), str::to_owned);
                (!evidence.is_empty()).then_some((text, evidence))
            })
            .collect();
        Some(Self {
            sessions,
            questions,
        })
    }
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

/// Every turn id in a text: `D`, maybe `:`, session, `:`, turn. Some of the data is sloppy.
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
