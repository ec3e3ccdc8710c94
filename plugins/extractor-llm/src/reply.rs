//! Parses replies leniently: one bad entry costs one entry, a reply that is not the expected JSON is `None`.

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
    /// Returns line numbers, each with a quote. An entry of another form cites line 0, which does not exist.
    pub(crate) fn citations(&self) -> Vec<(u64, String)> {
        let cited = self.evidence.iter().map(|one| {
            let number = one.get("event").and_then(Value::as_u64);
            let quote = one.get("quote").and_then(Value::as_str);
            (number.unwrap_or(0), quote.unwrap_or("").to_owned())
        });
        cited.collect()
    }
}

/// Changes of the list of findings by one part of the session.
#[derive(Debug)]
pub(crate) struct Changes {
    pub(crate) add: Vec<Proposal>,
    /// With the number of the finding.
    pub(crate) change: Vec<(u64, Proposal)>,
    /// Numbers of findings, and the reasons for withdrawing them.
    pub(crate) withdraw: Vec<(u64, String)>,
    /// Number of invalid entries.
    pub(crate) malformed: usize,
}

/// The model's choice of what to read next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Action {
    /// First and last number of a part.
    Read(u64, u64),
    Search(String),
    Outline(u64, u64),
}

/// A retained memory, rewritten from some of the proposals.
#[derive(Debug, Deserialize)]
pub(crate) struct RetainedMemory {
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
    pub(crate) kept: Vec<RetainedMemory>,
    /// Numbers of rejected proposals, and the reasons.
    pub(crate) dropped: Vec<(usize, String)>,
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
struct Changed {
    id: u64,
    #[serde(flatten)]
    proposal: Proposal,
}

#[derive(Deserialize)]
struct Withdrawn {
    id: u64,
    #[serde(default)]
    reason: String,
}

#[derive(Deserialize)]
struct Dropped {
    item: usize,
    #[serde(default)]
    reason: String,
}

#[derive(Deserialize)]
struct ActionEntry {
    #[serde(rename = "do")]
    what: String,
    #[serde(default)]
    from: u64,
    #[serde(default)]
    to: u64,
    #[serde(default)]
    text: String,
}

pub(crate) fn changes(content: &str) -> Option<Changes> {
    let value = value(content)?;
    let add = value.get("add")?.as_array()?;
    let (change, withdraw) = (list(&value, "change"), list(&value, "withdraw"));
    let entries = add.len() + change.len() + withdraw.len();
    let add: Vec<Proposal> = each(add);
    let change: Vec<Changed> = each(change);
    let withdraw: Vec<Withdrawn> = each(withdraw);
    Some(Changes {
        malformed: entries - add.len() - change.len() - withdraw.len(),
        add,
        change: change
            .into_iter()
            .map(|one| (one.id, one.proposal))
            .collect(),
        withdraw: withdraw
            .into_iter()
            .map(|one| (one.id, one.reason))
            .collect(),
    })
}

/// Parses the actions of a recursive step, and whether it is done.
pub(crate) fn actions(content: &str) -> (Vec<Action>, bool) {
    let value = value(content).unwrap_or_default();
    let steps: Vec<ActionEntry> = each(list(&value, "actions"));
    let actions = steps
        .into_iter()
        .filter_map(|step| match step.what.as_str() {
            "read" => Some(Action::Read(step.from, step.to)),
            "search" => Some(Action::Search(step.text)),
            "outline" => Some(Action::Outline(step.from, step.to)),
            _ => None,
        });
    let done = value.get("done").and_then(Value::as_bool).unwrap_or(false);
    (actions.collect(), done)
}

pub(crate) fn verdicts(content: &str) -> Option<Verdicts> {
    let value = value(content)?;
    let kept = each(value.get("memories")?.as_array()?);
    let dropped: Vec<Dropped> = each(list(&value, "dropped"));
    Some(Verdicts {
        kept,
        dropped: dropped
            .into_iter()
            .map(|one| (one.item, one.reason))
            .collect(),
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
