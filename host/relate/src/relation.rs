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
    /// How likely it is that both should stay as they are, 0 to 1; 0 where nothing had to be weighed.
    pub doubt: f64,
    /// The evidence that decided, as a sentence for people.
    pub reason: &'static str,
}

impl Judgement {
    /// Reports whether a memory may be merged or replaced on this judgement alone. What is not certain is shown to
    /// people as it is: a memory too many is seen, one that vanished is not missed until it is.
    pub fn is_certain(&self) -> bool {
        let joins = matches!(self.relation, Relation::Same | Relation::Update);
        self.doubt == 0.0
            || (self.doubt <= CERTAIN_DOUBT && self.overlap >= CERTAIN_OVERLAP)
            || (joins && self.overlap >= ALIKE)
    }
}

/// Of 400 pairs of independent authors, weighed judgements with more doubt or fewer common words joined or replaced
/// thirteen that should both have stayed; those with less, one.
pub(crate) const CERTAIN_DOUBT: f64 = 0.02;
const CERTAIN_OVERLAP: f64 = 0.25;

/// Two texts with half of their words in common that are judged to be one matter are one, whatever the doubt.
const ALIKE: f64 = 0.5;

/// The order of the columns.
pub(crate) const RELATIONS: [Relation; 5] = [
    Relation::Same,
    Relation::Update,
    Relation::Contradiction,
    Relation::Similar,
    Relation::Unrelated,
];
