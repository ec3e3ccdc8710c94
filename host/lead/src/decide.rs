//! Add, update or no-op: a pure function of a candidate, today's memory and the threshold. An
//! explorer's figures never get here; overlap is computed on the texts themselves.

use std::collections::BTreeSet;

use acreta_model::MemoryType;
use acreta_text::{jaccard, tokens};

use crate::contradict::contradicts;

/// A statement: what a candidate or a memory says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Statement {
    pub(crate) memory_type: MemoryType,
    pub(crate) title: String,
    pub(crate) body: String,
    tokens: BTreeSet<String>,
}

impl Statement {
    pub(crate) fn new(memory_type: MemoryType, title: &str, body: &str) -> Self {
        Self {
            memory_type,
            title: title.to_owned(),
            body: body.to_owned(),
            tokens: tokens(&format!("{title}\n{body}")),
        }
    }

    pub(crate) fn overlap(&self, other: &Statement) -> f64 {
        jaccard(&self.tokens, &other.tokens)
    }

    fn text(&self) -> String {
        format!("{}\n{}", self.title, self.body)
    }

    /// Whether this says something that `other` does not: a word it lacks, or the opposite.
    pub(crate) fn adds_to(&self, other: &Statement) -> bool {
        !self.tokens.is_subset(&other.tokens) || contradicts(&self.text(), &other.text())
    }
}

/// A memory a candidate may match.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) id: String,
    /// What it says today, first; then each contribution it still has.
    pub(crate) statements: Vec<Statement>,
    /// Time of its newest evidence.
    pub(crate) newest_ms: u64,
}

/// What to do with a candidate.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Verdict {
    Add {
        /// The nearest memory, when there was one.
        nearest: Option<(String, f64)>,
    },
    /// The candidate is about what this memory is about.
    Join {
        id: String,
        overlap: f64,
        says: Says,
    },
}

/// What a candidate says beside the memory it joins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Says {
    NothingNew,
    More,
    TheOpposite,
    /// Something else, but the memory's evidence is newer.
    SomethingOlder,
}

/// Best match wins, ties by id.
pub(crate) fn decide(
    candidate: &Statement,
    newest_ms: u64,
    known: &[Known],
    update_overlap: f64,
) -> Verdict {
    let best = known
        .iter()
        .filter(|memory| {
            memory
                .statements
                .iter()
                .any(|statement| statement.memory_type == candidate.memory_type)
        })
        .map(|memory| (memory, best_overlap(candidate, memory)))
        .filter(|(_, overlap)| *overlap > 0.0)
        .min_by(|(left, left_overlap), (right, right_overlap)| {
            right_overlap
                .total_cmp(left_overlap)
                .then_with(|| left.id.cmp(&right.id))
        });
    let Some((memory, overlap)) = best else {
        return Verdict::Add { nearest: None };
    };
    let current = &memory.statements[0];
    let opposite = contradicts(&candidate.text(), &current.text());
    if overlap < update_overlap && !opposite {
        return Verdict::Add {
            nearest: Some((memory.id.clone(), overlap)),
        };
    }
    let says = if !candidate.adds_to(current) {
        Says::NothingNew
    } else if newest_ms < memory.newest_ms {
        Says::SomethingOlder
    } else if opposite {
        Says::TheOpposite
    } else {
        Says::More
    };
    Verdict::Join {
        id: memory.id.clone(),
        overlap,
        says,
    }
}

fn best_overlap(candidate: &Statement, memory: &Known) -> f64 {
    memory
        .statements
        .iter()
        .map(|statement| candidate.overlap(statement))
        .fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statement(text: &str) -> Statement {
        Statement::new(MemoryType::Decision, text, "")
    }

    fn known(id: &str, text: &str, newest_ms: u64) -> Known {
        Known {
            id: id.to_owned(),
            statements: vec![statement(text)],
            newest_ms,
        }
    }

    #[test]
    fn golden_verdicts() {
        let queue = known("a", "Keep the job queue in SQLite with WAL mode", 10);
        let twin = known("b", "Keep the job queue in SQLite with WAL mode", 10);
        let cases = [
            (
                "same words",
                "keep the job queue in sqlite with wal mode",
                20,
                "join a 1.00 NothingNew",
            ),
            (
                "a part of it",
                "Keep the job queue in SQLite with WAL",
                20,
                "join a 0.83 NothingNew",
            ),
            (
                "one word more",
                "Keep the job queue in SQLite with WAL mode enabled",
                20,
                "join a 0.86 More",
            ),
            (
                "older, one word more",
                "Keep the job queue in SQLite with WAL mode enabled",
                5,
                "join a 0.86 SomethingOlder",
            ),
            (
                "the opposite",
                "Never keep the job queue in SQLite with WAL mode",
                20,
                "join a 0.86 TheOpposite",
            ),
            (
                "too far",
                "Keep the sessions in SQLite",
                20,
                "add near a 0.29",
            ),
            ("unrelated", "Format with two spaces", 20, "add"),
        ];
        for (name, text, at, expected) in cases {
            let verdict = decide(&statement(text), at, &[twin.clone(), queue.clone()], 0.72);
            assert_eq!(describe(&verdict), expected, "{name}");
        }
    }

    #[test]
    fn another_type_is_never_matched() {
        let memory = known("a", "Run the linter before every push", 1);
        let learning = Statement::new(MemoryType::Learning, "Run the linter before every push", "");
        assert_eq!(
            decide(&learning, 2, &[memory], 0.72),
            Verdict::Add { nearest: None }
        );
    }

    fn describe(verdict: &Verdict) -> String {
        match verdict {
            Verdict::Add { nearest: None } => "add".to_owned(),
            Verdict::Add {
                nearest: Some((id, overlap)),
            } => format!("add near {id} {overlap:.2}"),
            Verdict::Join { id, overlap, says } => format!("join {id} {overlap:.2} {says:?}"),
        }
    }
}
