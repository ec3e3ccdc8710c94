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
        RELATIONS
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
    /// Likelihood that both should stay as they are, 0 to 1; 0 for a clear case.
    pub doubt: f64,
    /// The deciding evidence, as a sentence for people.
    pub reason: &'static str,
}

impl Judgement {
    /// Returns true if a memory may be merged or replaced on this judgement alone. An uncertain judgement changes
    /// nothing: people notice a memory too many, but not one that disappeared.
    pub fn is_certain(&self) -> bool {
        let joins = matches!(self.relation, Relation::Same | Relation::Update);
        self.doubt == 0.0
            || (self.doubt <= CERTAIN_DOUBT && self.overlap >= CERTAIN_OVERLAP)
            || (joins && self.overlap >= ALIKE)
    }
}

/// Of 400 pairs by independent authors, weighed judgements with more doubt or fewer common words wrongly joined or
/// replaced thirteen; those with less, one.
pub(crate) const CERTAIN_DOUBT: f64 = 0.02;
const CERTAIN_OVERLAP: f64 = 0.25;

/// Two texts with half of their words in common that are judged to be about one matter are so, whatever the doubt.
const ALIKE: f64 = 0.5;

/// Order of the columns.
pub(crate) const RELATIONS: [Relation; 5] = [
    Relation::Same,
    Relation::Update,
    Relation::Contradiction,
    Relation::Similar,
    Relation::Unrelated,
];
