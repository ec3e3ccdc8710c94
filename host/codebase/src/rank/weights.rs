//! Relevance signals of a file, and the weight of each.

/// Relevance signals of one file, each from 0 to 1.
#[derive(Debug, Clone, Default)]
pub(crate) struct Signals {
    pub(crate) words: f64,
    pub(crate) task_prose: f64,
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
    /// An example, a tool or a benchmark.
    pub(crate) is_aside: bool,
}

/// Weight of each signal.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SignalWeights {
    /// Words of the task in the file.
    pub(crate) words: f64,
    /// Words of the task that are not code.
    pub(crate) task_prose: f64,
    /// Words that occur close together.
    pub(crate) passage: f64,
    /// Words of the task's first line.
    pub(crate) title: f64,
    /// Words in the path.
    pub(crate) path: f64,
    /// The file's stem among the words of the task.
    pub(crate) stem: f64,
    /// Identifiers of the task that the file declares.
    pub(crate) declared: f64,
    /// Parts of those identifiers.
    pub(crate) parts: f64,
    /// A path in the task that names the file.
    pub(crate) literal: f64,
    /// A dotted module in the task that names the file.
    pub(crate) module: f64,
    /// Best score among its neighbours in the import graph.
    pub(crate) near: f64,
    /// Change frequency.
    pub(crate) churn: f64,
    /// Hints from memory.
    pub(crate) memory: f64,
    /// Factor for tests.
    pub(crate) test: f64,
    /// Factor for files that are not source code.
    pub(crate) prose: f64,
    /// Factor for examples and tools.
    pub(crate) aside: f64,
}

impl Default for SignalWeights {
    fn default() -> Self {
        Self {
            words: 0.6,
            task_prose: 0.4,
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

pub(crate) fn score(signs: &Signals, weights: &SignalWeights) -> f64 {
    let sum = weights.words * signs.words
        + weights.task_prose * signs.task_prose
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
