//! Add, update or no-op: a pure function of a candidate, today's memory, the threshold, and the relation that an
//! explorer with a model gave. An explorer's numbers are not used. Without an opinion, the texts are compared by
//! words, and only a certain comparison merges or replaces anything.

use acreta_compare::{Judgement, Relation, relate};
use acreta_text::tokens;

use acreta_compare::Statement;

use crate::decide::folded::FoldedMemory;
use crate::decide::thresholds::UPDATE_OVERLAP;

/// A memory that a candidate may match.
#[derive(Debug, Clone)]
pub(crate) struct MatchableMemory {
    pub(crate) id: String,
    /// Its current statement first, then each contribution that it still has.
    pub(crate) statements: Vec<Statement>,
    /// Time of its newest evidence.
    pub(crate) newest_ms: u64,
}

/// Decision about a candidate.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum MatchDecision {
    Add,
    /// The candidate is about the same subject as this memory.
    Join {
        id: String,
        overlap: f64,
        says: JoinContent,
    },
}

/// Content of a candidate compared with the memory it joins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JoinContent {
    NothingNew,
    More,
    TheOpposite,
    /// Something different, but the memory's evidence is newer.
    SomethingOlder,
}

/// An explorer's `update` joins two texts only from this overlap on, because the newer text replaces the older one: a
/// person can see and merge an extra memory, but does not notice one that vanished.
const JOINED_OVERLAP: f64 = 0.33;

/// From this overlap on, two texts with the same names and numbers are probably about the same matter.
const RESEMBLING_OVERLAP: f64 = 0.6;

/// Relates two statements; in doubt both are kept. If the words are the same they decide, else an explorer's opinion,
/// if there is one. A contradiction may be uncertain: it is then shown, and nothing is replaced.
pub(crate) fn judge(
    older: &Statement,
    newer: &Statement,
    update_overlap: f64,
    opinion: Option<Relation>,
) -> Judgement {
    let mut judged = relate(older, newer, update_overlap);
    if let Some(opinion) = opinion
        && judged.relation != Relation::Same
    {
        judged.relation = opinion;
        judged.is_certain = true;
        judged.reason = "an explorer compared them";
    }
    if judged.relation == Relation::Update && judged.overlap < JOINED_OVERLAP {
        judged.relation = Relation::Similar;
    }
    judged
}

/// Decides on a candidate. The best match wins, ties by id.
pub(crate) fn decide(
    candidate: &Statement,
    newest_ms: u64,
    known: &[MatchableMemory],
    update_overlap: f64,
    opinion: &dyn Fn(&str) -> Option<Relation>,
) -> MatchDecision {
    let mut joined: Option<(f64, &MatchableMemory, Relation)> = None;
    for memory in known {
        let Some((current, earlier)) = memory.statements.split_first() else {
            continue;
        };
        // A memory has one type: a memory of another type is superseded, not rewritten.
        if current.memory_type() != candidate.memory_type() {
            continue;
        }
        let opinion = opinion(&memory.id);
        let judged = judge(current, candidate, update_overlap, opinion);
        let said_before = earlier
            .iter()
            .any(|one| belong_together(one, candidate, update_overlap, opinion));
        let overlap = earlier
            .iter()
            .map(|one| one.overlap(candidate))
            .fold(judged.overlap, f64::max);
        let is_about_it = match judged.relation {
            Relation::Same | Relation::Update => true,
            // If only an explorer sees the contradiction, the candidate becomes a memory of its own, and this one is
            // superseded.
            Relation::Contradiction => opinion.is_none() && judged.is_certain,
            Relation::Similar | Relation::Unrelated => false,
        };
        if (is_about_it || said_before)
            && joined.is_none_or(|(best, other, _)| is_better(overlap, memory, best, other))
        {
            joined = Some((overlap, memory, judged.relation));
        }
    }
    let Some((overlap, memory, relation)) = joined else {
        return MatchDecision::Add;
    };
    let says = match relation {
        Relation::Same => JoinContent::NothingNew,
        _ if newest_ms < memory.newest_ms => JoinContent::SomethingOlder,
        Relation::Contradiction => JoinContent::TheOpposite,
        _ => JoinContent::More,
    };
    MatchDecision::Join {
        id: memory.id.clone(),
        overlap,
        says,
    }
}

fn is_better(overlap: f64, memory: &MatchableMemory, best: f64, other: &MatchableMemory) -> bool {
    overlap > best || (overlap == best && memory.id < other.id)
}

/// Reports whether `newer` says something that `older` does not: a word it lacks, or the opposite. Strict, so that
/// nothing is lost; and independent of the configured threshold, so that the same contributions give the same text
/// everywhere.
pub(crate) fn adds_to(newer: &FoldedMemory, older: &FoldedMemory) -> bool {
    let words = |folded: &FoldedMemory| tokens(&format!("{}\n{}", folded.title, folded.body));
    !words(newer).is_subset(&words(older)) || contradicts(newer, older)
}

/// Reports whether `newer` contradicts `older`.
pub(crate) fn contradicts(newer: &FoldedMemory, older: &FoldedMemory) -> bool {
    let judged = relate(&older.statement(), &newer.statement(), UPDATE_OVERLAP);
    judged.relation == Relation::Contradiction
}

/// Reports whether two texts are likely about the same matter. Weaker than the test for joining them: it only asks
/// whether something that a person removed stays out.
pub(crate) fn resembles(older: &Statement, newer: &Statement, update_overlap: f64) -> bool {
    let judged = relate(older, newer, update_overlap);
    match judged.relation {
        Relation::Same | Relation::Update => true,
        Relation::Similar => judged.overlap >= RESEMBLING_OVERLAP && older.has_same_values(newer),
        Relation::Contradiction | Relation::Unrelated => false,
    }
}

/// Reports whether one memory should contain both.
pub(crate) fn belong_together(
    older: &Statement,
    newer: &Statement,
    update_overlap: f64,
    opinion: Option<Relation>,
) -> bool {
    matches!(
        judge(older, newer, update_overlap, opinion).relation,
        Relation::Same | Relation::Update
    )
}

#[cfg(test)]
mod tests {
    use acreta_types::MemoryType;

    use super::*;

    fn statement(text: &str) -> Statement {
        Statement::new(MemoryType::Decision, "", text, "")
    }

    fn known(id: &str, text: &str, newest_ms: u64) -> MatchableMemory {
        MatchableMemory {
            id: id.to_owned(),
            statements: vec![statement(text)],
            newest_ms,
        }
    }

    #[test]
    fn golden_verdicts() {
        let queue = known("a", "The job queue keeps failed jobs for 15 days", 10);
        let twin = known("b", "The job queue keeps failed jobs for 15 days", 10);
        let cases = [
            (
                "same words",
                "the **job queue** keeps failed jobs for 15 days.",
                20,
                "join a 1.00 NothingNew",
            ),
            (
                "another number",
                "The job queue keeps failed jobs for 30 days",
                20,
                "join a 0.75 TheOpposite",
            ),
            (
                "another number, older",
                "The job queue keeps failed jobs for 30 days",
                5,
                "join a 0.75 SomethingOlder",
            ),
            (
                "both numbers",
                "The job queue keeps failed jobs for 30 instead of 15 days",
                20,
                "join a 0.78 TheOpposite",
            ),
            ("a part of it", "The job queue keeps failed jobs", 20, "add"),
            (
                "one word more",
                "The job queue keeps failed jobs for only 15 days",
                20,
                "add",
            ),
            (
                "the opposite",
                "The job queue never keeps failed jobs for 15 days",
                20,
                "add",
            ),
            ("unrelated", "Format with two spaces", 20, "add"),
        ];
        for (name, text, at, expected) in cases {
            let verdict = decide(
                &statement(text),
                at,
                &[twin.clone(), queue.clone()],
                0.72,
                &|_| None,
            );
            assert_eq!(describe(&verdict), expected, "{name}");
        }
    }

    #[test]
    fn another_type_is_never_matched() {
        let memory = known("a", "Run the linter before every push", 1);
        let learning = Statement::new(
            MemoryType::Learning,
            "convention",
            "Run the linter before every push",
            "",
        );
        assert_eq!(
            decide(&learning, 2, &[memory], 0.72, &|_| None),
            MatchDecision::Add
        );
    }

    fn describe(verdict: &MatchDecision) -> String {
        match verdict {
            MatchDecision::Add => "add".to_owned(),
            MatchDecision::Join { id, overlap, says } => format!("join {id} {overlap:.2} {says:?}"),
        }
    }
}
