//! Reads labelled pairs and counts their agreement with the judgement. Shared by the tests and by `cargo xtask bench
//! relate`.

use std::fmt;

use acreta_compare::{Relation, Statement, relate};
use acreta_types::MemoryType;
use serde_json::{Value, json};

const UPDATE_OVERLAP: f64 = 0.72;

/// Two statements and their relation. The newer is always later.
pub(crate) struct LabelledPair {
    pub(crate) id: String,
    pub(crate) relation: Relation,
    pub(crate) older: Statement,
    pub(crate) newer: Statement,
}

/// Reads one pair per line. Statements are `older` and `newer`, or `a` and `b`; a `type` is a memory type or the
/// kind of a learning; relations have the names of [`Relation`] or those that [`relation_of`] adds.
pub(crate) fn pairs_of(text: &str) -> Result<Vec<LabelledPair>, String> {
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| {
            let at = format!("line {}", number + 1);
            let pair: Value =
                serde_json::from_str(line).map_err(|cause| format!("{at}: {cause}"))?;
            read(&pair, &at).map_err(|cause| format!("{at}: {cause}"))
        })
        .collect()
}

fn read(pair: &Value, at: &str) -> Result<LabelledPair, String> {
    let name = text_of(pair, "relation")?;
    let relation = relation_of(name).ok_or_else(|| format!("unknown relation `{name}`"))?;
    let side = |one: &str, other: &str| {
        let value = pair.get(one).or_else(|| pair.get(other));
        value.ok_or_else(|| format!("no `{one}` and no `{other}`"))
    };
    Ok(LabelledPair {
        id: text_of(pair, "id").unwrap_or(at).to_owned(),
        relation,
        older: statement_of(side("older", "a")?)?,
        newer: statement_of(side("newer", "b")?)?,
    })
}

/// Maps `refines` to update; `supersedes`, `contradicts` and `conflicts` to contradiction.
fn relation_of(name: &str) -> Option<Relation> {
    match name {
        "refines" => Some(Relation::Update),
        "supersedes" | "contradicts" | "conflicts" => Some(Relation::Contradiction),
        name => Relation::from_name(name),
    }
}

fn statement_of(value: &Value) -> Result<Statement, String> {
    let named = text_of(value, "type")?;
    let kind = text_of(value, "kind").unwrap_or_default();
    let (memory_type, kind) = match MemoryType::from_name(named) {
        Some(memory_type) => (memory_type, kind),
        None => (MemoryType::Learning, named),
    };
    let body = text_of(value, "body").unwrap_or_default();
    Ok(Statement::new(
        memory_type,
        kind,
        text_of(value, "title")?,
        body,
    ))
}

fn text_of<'a>(value: &'a Value, name: &str) -> Result<&'a str, String> {
    value[name]
        .as_str()
        .ok_or_else(|| format!("no text `{name}`"))
}

const RELATIONS: [Relation; 5] = [
    Relation::Same,
    Relation::Update,
    Relation::Contradiction,
    Relation::Similar,
    Relation::Unrelated,
];

/// Counts by label (rows) and judgement (columns), and the misjudged pairs.
pub(crate) struct Score {
    counts: [[usize; 5]; 5],
    /// Number of classes: pairs that stay apart are one class, unless the labels distinguish two.
    classes: usize,
    pub(crate) wrong: Vec<String>,
    /// Pairs that would be merged or replaced without asking a person.
    acted: usize,
    /// The part of `acted` that should have stayed apart.
    acted_wrongly: usize,
}

/// The judgement of one pair.
pub(crate) struct Judged {
    pub(crate) relation: Relation,
    pub(crate) is_certain: bool,
    pub(crate) reason: &'static str,
}

impl Score {
    /// Scores the built-in comparison.
    pub(crate) fn of(pairs: &[LabelledPair]) -> Self {
        Self::by(pairs, |_, pair| {
            let judgement = relate(&pair.older, &pair.newer, UPDATE_OVERLAP);
            Judged {
                relation: judgement.relation,
                is_certain: judgement.is_certain,
                reason: judgement.reason,
            }
        })
    }

    /// Scores another judge, which gets the number of each pair.
    pub(crate) fn by(
        pairs: &[LabelledPair],
        judge: impl Fn(usize, &LabelledPair) -> Judged,
    ) -> Self {
        let is_similar = |pair: &LabelledPair| pair.relation == Relation::Similar;
        let classes = if pairs.iter().any(is_similar) { 5 } else { 4 };
        let mut score = Self {
            counts: [[0; 5]; 5],
            classes,
            wrong: Vec::new(),
            acted: 0,
            acted_wrongly: 0,
        };
        for (number, pair) in pairs.iter().enumerate() {
            let judgement = judge(number, pair);
            let label = score.position(pair.relation);
            let judged = score.position(judgement.relation);
            score.counts[label][judged] += 1;
            if judged < 3 && judgement.is_certain {
                score.acted += 1;
                score.acted_wrongly += usize::from(label >= 3);
            }
            if label != judged {
                score.wrong.push(format!(
                    "{} {} as {}: {}",
                    pair.id,
                    pair.relation.name(),
                    judgement.relation.name(),
                    judgement.reason
                ));
            }
        }
        score
    }

    fn position(&self, relation: Relation) -> usize {
        match relation {
            Relation::Same => 0,
            Relation::Update => 1,
            Relation::Contradiction => 2,
            Relation::Similar => 3,
            Relation::Unrelated => self.classes - 1,
        }
    }

    fn names(&self) -> Vec<&'static str> {
        let mut names: Vec<_> = RELATIONS.into_iter().map(Relation::name).collect();
        if self.classes == 4 {
            names.remove(3);
        }
        names
    }

    /// Returns the mean F1 over the relations.
    pub(crate) fn macro_f1(&self) -> f64 {
        let f1 = |relation: usize| {
            let labelled: usize = self.counts[relation].iter().sum();
            let judged: usize = self.counts.iter().map(|row| row[relation]).sum();
            2.0 * self.counts[relation][relation] as f64 / (labelled + judged).max(1) as f64
        };
        (0..self.classes).map(f1).sum::<f64>() / self.classes as f64
    }

    /// Returns the number of pairs that should stay apart and were joined.
    pub(crate) fn joined(&self) -> usize {
        self.counts[3..].iter().flat_map(|row| &row[..3]).sum()
    }

    /// Returns the number of pairs that were judged to be one, or of which one replaces the other.
    fn shown(&self) -> usize {
        self.counts.iter().flat_map(|row| &row[..3]).sum()
    }

    /// Returns the share of [`Self::joined`] in all pairs.
    pub(crate) fn false_merges(&self) -> f64 {
        self.joined() as f64 / self.all().max(1) as f64
    }

    fn all(&self) -> usize {
        self.counts.iter().flatten().sum()
    }

    /// Returns the figures as one JSON object.
    pub(crate) fn json(&self) -> Value {
        let apart: usize = self.counts[3..].iter().flatten().sum();
        let rows: Vec<_> = self.counts[..self.classes]
            .iter()
            .map(|row| &row[..self.classes])
            .collect();
        json!({
            "bench": "relate",
            "pairs": self.all(),
            "macro_f1": self.macro_f1(),
            "false_merges": self.joined(),
            "false_merge_rate": self.false_merges(),
            "false_merge_rate_of_apart": self.joined() as f64 / apart.max(1) as f64,
            "acted": self.acted,
            "acted_wrongly": self.acted_wrongly,
            "wrong_act_rate": self.acted_wrongly as f64 / self.all().max(1) as f64,
            "classes": self.names(),
            "shown": self.shown(),
            "confusion": rows,
        })
    }
}

impl fmt::Display for Score {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            formatter,
            "macro-F1 {:.3}, false merges {:.2} %; certain enough to act on: {}, wrongly {} ({:.2} % of all)",
            self.macro_f1(),
            self.false_merges() * 100.0,
            self.acted,
            self.acted_wrongly,
            100.0 * self.acted_wrongly as f64 / self.all().max(1) as f64
        )?;
        for (name, row) in self.names().into_iter().zip(&self.counts) {
            writeln!(formatter, "{name:>14} {:4?}", &row[..self.classes])?;
        }
        Ok(())
    }
}
