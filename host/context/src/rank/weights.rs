//! The signs by which a file is taken for what a task is about, and how much each counts.

/// The signs of one file, each from 0 to 1.
#[derive(Debug, Clone, Default)]
pub(crate) struct Signs {
    pub(crate) words: f64,
    pub(crate) told: f64,
    pub(crate) passage: f64,
    pub(crate) title: f64,
    pub(crate) path: f64,
    pub(crate) stem: f64,
    pub(crate) declared: f64,
    pub(crate) parts: f64,
    pub(crate) literal: f64,
    pub(crate) module: f64,
    pub(crate) near: f64,
    pub(crate) churn: f64,
    pub(crate) memory: f64,
    pub(crate) is_test: bool,
    pub(crate) is_prose: bool,
    /// An example, a tool, a benchmark.
    pub(crate) is_aside: bool,
}

/// How much each sign counts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Weights {
    /// Words of the text.
    pub(crate) words: f64,
    /// Words that are not code.
    pub(crate) told: f64,
    /// Words that stand close together.
    pub(crate) passage: f64,
    /// Words of its first line.
    pub(crate) title: f64,
    /// Words in the path.
    pub(crate) path: f64,
    /// The name of the file itself among the words.
    pub(crate) stem: f64,
    /// Names that the file declares, as they stand in the task.
    pub(crate) declared: f64,
    /// Parts of those names.
    pub(crate) parts: f64,
    /// A path in the task.
    pub(crate) literal: f64,
    /// A dotted module in the task.
    pub(crate) module: f64,
    /// What is next to it in the graph.
    pub(crate) near: f64,
    /// How often it changes.
    pub(crate) churn: f64,
    /// What memory says.
    pub(crate) memory: f64,
    /// What is left of a test's score.
    pub(crate) test: f64,
    /// What is left of the score of what is no source.
    pub(crate) prose: f64,
    /// What is left of the score of examples and tools.
    pub(crate) aside: f64,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            words: 0.6,
            told: 0.4,
            passage: 0.4,
            title: 0.5,
            path: 0.15,
            stem: 0.25,
            declared: 0.35,
            parts: 0.3,
            literal: 1.3,
            module: 0.9,
            near: 0.2,
            churn: 0.1,
            memory: 0.5,
            test: 0.25,
            prose: 0.2,
            aside: 0.8,
        }
    }
}

pub(crate) fn score(signs: &Signs, weights: &Weights) -> f64 {
    let sum = weights.words * signs.words
        + weights.told * signs.told
        + weights.passage * signs.passage
        + weights.title * signs.title
        + weights.path * signs.path
        + weights.stem * signs.stem
        + weights.declared * signs.declared
        + weights.parts * signs.parts
        + weights.literal * signs.literal
        + weights.module * signs.module
        + weights.near * signs.near
        + weights.churn * signs.churn
        + weights.memory * signs.memory;
    let tested = if signs.is_test { weights.test } else { 1.0 };
    let aside = if signs.is_aside { weights.aside } else { 1.0 };
    let prose = if signs.is_prose { weights.prose } else { 1.0 };
    sum * tested * prose * aside
}
