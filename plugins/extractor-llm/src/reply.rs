//! Replies, read leniently: one bad entry costs one entry, a reply that is no such JSON is `None`.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A memory that a model proposes.
#[derive(Debug, Deserialize)]
pub(crate) struct Proposal {
    #[serde(rename = "type")]
    pub(crate) category: String,
    #[serde(default)]
    pub(crate) kind: String,
    pub(crate) title: String,
    pub(crate) body: String,
    pub(crate) confidence: f32,
    #[serde(default)]
    evidence: Vec<Value>,
}

impl Proposal {
    /// Numbers of events with a quote of each. What is no citation cites the event that never is.
    pub(crate) fn citations(&self) -> Vec<(u64, String)> {
        let cited = self.evidence.iter().map(|one| {
            let number = one.get("event").and_then(Value::as_u64);
            let quote = one.get("quote").and_then(Value::as_str);
            (number.unwrap_or(0), quote.unwrap_or("").to_owned())
        });
        cited.collect()
    }
}

/// Proposals, and how many entries were none.
#[derive(Debug)]
pub(crate) struct Proposals {
    pub(crate) good: Vec<Proposal>,
    pub(crate) malformed: usize,
}

/// A memory that stays, written anew from some of the proposals.
#[derive(Debug, Deserialize)]
pub(crate) struct Kept {
    pub(crate) items: Vec<usize>,
    #[serde(rename = "type")]
    pub(crate) category: String,
    #[serde(default)]
    pub(crate) kind: String,
    pub(crate) title: String,
    pub(crate) body: String,
    pub(crate) confidence: f32,
}

#[derive(Debug)]
pub(crate) struct Verdicts {
    pub(crate) kept: Vec<Kept>,
    /// Numbers of proposals that fall.
    pub(crate) dropped: Vec<usize>,
}

/// Where to read on.
#[derive(Debug)]
pub(crate) struct Directions {
    /// First and last number of each part.
    pub(crate) read: Vec<(u64, u64)>,
    pub(crate) search: Vec<String>,
    pub(crate) done: bool,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Account {
    pub(crate) title: String,
    #[serde(default)]
    pub(crate) description: String,
    pub(crate) body: String,
    #[serde(default)]
    pub(crate) open: Vec<String>,
}

#[derive(Deserialize)]
struct Dropped {
    item: usize,
}

#[derive(Deserialize)]
struct Range {
    from: u64,
    to: u64,
}

pub(crate) fn proposals(content: &str) -> Option<Proposals> {
    let value = value(content)?;
    let entries = value.get("candidates")?.as_array()?;
    let good: Vec<Proposal> = each(entries);
    let malformed = entries.len() - good.len();
    Some(Proposals { good, malformed })
}

pub(crate) fn verdicts(content: &str) -> Option<Verdicts> {
    let value = value(content)?;
    let kept = each(value.get("memories")?.as_array()?);
    let dropped: Vec<Dropped> = each(list(&value, "dropped"));
    Some(Verdicts {
        kept,
        dropped: dropped.into_iter().map(|one| one.item).collect(),
    })
}

pub(crate) fn directions(content: &str) -> Option<Directions> {
    let value = value(content)?;
    let read: Vec<Range> = each(value.get("read")?.as_array()?);
    Some(Directions {
        read: read.into_iter().map(|one| (one.from, one.to)).collect(),
        search: each(list(&value, "search")),
        done: value.get("done").and_then(Value::as_bool).unwrap_or(false),
    })
}

pub(crate) fn account(content: &str) -> Option<Account> {
    serde_json::from_value(value(content)?).ok()
}

fn value(content: &str) -> Option<Value> {
    serde_json::from_str(content.trim()).ok()
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value
        .get(name)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

fn each<T: DeserializeOwned>(entries: &[Value]) -> Vec<T> {
    entries
        .iter()
        .filter_map(|one| T::deserialize(one).ok())
        .collect()
}
