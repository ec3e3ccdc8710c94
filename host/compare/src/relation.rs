//! The possible relations of two statements.

/// Relation of a newer statement to an older one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relation {
    /// The newer adds nothing to the older.
    Same,
    /// Same subject, compatible: the newer adds or refines.
    Update,
    /// Same subject, opposite or different choice: the newer replaces the older.
    Contradiction,
    /// Same area, different statement: both stay.
    Similar,
    Unrelated,
}

impl Relation {
    pub fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Update => "update",
            Self::Contradiction => "contradiction",
            Self::Similar => "similar",
            Self::Unrelated => "unrelated",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        [
            Self::Same,
            Self::Update,
            Self::Contradiction,
            Self::Similar,
            Self::Unrelated,
        ]
        .into_iter()
        .find(|relation| relation.name() == name)
    }
}

/// Relation of two statements, and the reason.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judgement {
    pub relation: Relation,
    /// Token overlap of title and body, 0 to 1.
    pub overlap: f64,
    /// A memory may be merged or replaced on this judgement alone. An uncertain judgement changes nothing: people
    /// notice a memory too many, but not one that disappeared.
    pub is_certain: bool,
    /// The deciding evidence, as a sentence for people.
    pub reason: &'static str,
}
