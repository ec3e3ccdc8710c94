//! Parses a model's reply: a relation for each question, or `None` for an unusable answer.

use serde::Deserialize;

/// Relation of a new note to a known one, in the host's terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    Same,
    Update,
    Contradiction,
    Unrelated,
}

impl Relation {
    fn of(answer: &str) -> Option<Self> {
        Some(match answer {
            "same" => Self::Same,
            "refines" => Self::Update,
            "supersedes" => Self::Contradiction,
            "unrelated" => Self::Unrelated,
            _ => return None,
        })
    }

    /// Returns the value of a finding's `relation`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Update => "update",
            Self::Contradiction => "contradiction",
            Self::Unrelated => "unrelated",
        }
    }

    pub(crate) fn action_hint(self) -> &'static str {
        match self {
            Self::Same => "no-op",
            Self::Update | Self::Contradiction => "update",
            Self::Unrelated => "add",
        }
    }
}

#[derive(Deserialize)]
struct Reply {
    answers: Vec<Answer>,
}

#[derive(Deserialize)]
struct Answer {
    question: usize,
    relation: String,
}

/// Returns the relation of each of `questions` questions. A question with two different answers counts as unanswered.
pub fn relations(content: &str, questions: usize) -> Result<Vec<Option<Relation>>, String> {
    let reply: Reply = serde_json::from_str(content)
        .map_err(|error| format!("the reply is not what was asked for: {error}"))?;
    let mut relations = vec![None; questions];
    let mut disputed = vec![false; questions];
    for answer in reply.answers {
        let Some(index) = answer
            .question
            .checked_sub(1)
            .filter(|index| *index < questions)
        else {
            continue;
        };
        let relation = Relation::of(&answer.relation);
        disputed[index] |= relations[index].is_some() && relations[index] != relation;
        relations[index] = relation;
    }
    for (relation, disputed) in relations.iter_mut().zip(disputed) {
        relation.take_if(|_| disputed);
    }
    Ok(relations)
}
