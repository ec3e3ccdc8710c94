//! The words for how two statements stand to each other.

/// How a newer statement stands to an older one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relation {
    /// The newer says nothing that the older does not.
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
        RELATIONS
            .into_iter()
            .find(|relation| relation.name() == name)
    }
}

/// What was found between two statements, and why.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judgement {
    pub relation: Relation,
    /// Token overlap of title and body, 0 to 1.
    pub overlap: f64,
    /// The evidence that decided, as a sentence for people.
    pub reason: &'static str,
}

/// The order of the columns.
pub(crate) const RELATIONS: [Relation; 5] = [
    Relation::Same,
    Relation::Update,
    Relation::Contradiction,
    Relation::Similar,
    Relation::Unrelated,
];
