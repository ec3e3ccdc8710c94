//! The search systems under comparison, and their results for every question.

use std::collections::HashSet;
use std::sync::Arc;

use acreta_search::{LocalModel, PassageIndex, Query};

use crate::Outcome;
use crate::bm25::Bm25;
use crate::corpus::Corpus;
use crate::measures::Measures;

/// Results of every system for every question of one kind.
#[derive(Default)]
pub(crate) struct Scores {
    pub(crate) parts: Level,
    pub(crate) entries: Level,
}

/// Rankings of parts, or of entries.
#[derive(Default)]
pub(crate) struct Level {
    pub(crate) questions: Vec<Shape>,
    /// BM25 first, then search by words, then by words and meaning if there is a model.
    pub(crate) systems: Vec<System>,
}

/// Lengths of the texts that answer a question.
pub(crate) struct Shape {
    /// Mean number of words.
    pub(crate) words: usize,
    /// Mean number of parts of their entries.
    pub(crate) parts: usize,
}

pub(crate) struct System {
    pub(crate) name: &'static str,
    pub(crate) measures: Vec<Measures>,
}

/// Depth of each ranking: enough for the reciprocal rank.
const LIMIT: usize = 100;

const NAMES: [&str; 3] = ["BM25", "words", "words and meaning"];

impl System {
    pub(crate) fn all(&self) -> Measures {
        Measures::mean(&self.measures)
    }

    /// Returns the mean over some of the questions.
    pub(crate) fn of(&self, questions: &[usize]) -> Measures {
        let some: Vec<Measures> = questions
            .iter()
            .map(|place| self.measures[*place])
            .collect();
        Measures::mean(&some)
    }
}

impl Level {
    fn add(&mut self, shape: Shape, measures: Vec<Measures>) {
        self.questions.push(shape);
        for (place, measures) in measures.into_iter().enumerate() {
            if self.systems.len() <= place {
                self.systems.push(System {
                    name: NAMES[place],
                    measures: Vec::new(),
                });
            }
            self.systems[place].measures.push(measures);
        }
    }
}

pub(crate) fn measure(
    corpora: impl Iterator<Item = Outcome<Corpus>>,
    model: Option<&Arc<LocalModel>>,
) -> Outcome<Scores> {
    let mut scores = Scores::default();
    for corpus in corpora {
        let corpus = corpus?;
        if !corpus.questions.is_empty() {
            one(&corpus, model, &mut scores)?;
        }
    }
    Ok(scores)
}

fn one(corpus: &Corpus, model: Option<&Arc<LocalModel>>, scores: &mut Scores) -> Outcome<()> {
    let places: Vec<(usize, usize)> = (0..)
        .zip(&corpus.texts)
        .flat_map(|(entry, text)| (0..text.parts.len()).map(move |part| (entry, part)))
        .collect();
    let part = |(entry, part): &(usize, usize)| corpus.texts[*entry].parts[*part].clone();
    let whole = |entry: usize| corpus.texts[entry].parts.join("\n");
    let by_part = Bm25::new(places.iter().map(part));
    let by_entry = Bm25::new((0..corpus.texts.len()).map(whole));
    let mut indexes = vec![PassageIndex::in_memory()?];
    if let Some(model) = model {
        indexes.push(PassageIndex::in_memory_with_model(Arc::clone(model) as _)?);
    }
    for index in &indexes {
        let added = index.add(corpus.texts.iter().map(|text| text.entry.clone()))?;
        if let Some(warning) = added.warning {
            return Err(warning.into());
        }
    }
    for question in &corpus.questions {
        let query = Query {
            limit: LIMIT,
            ..Query::new(&question.text)
        };
        let gold: HashSet<usize> = question.entries.iter().copied().collect();
        let mut found = vec![Measures::of(&by_entry.rank(&question.text, LIMIT), &gold)];
        for index in &indexes {
            let mut ranked: Vec<usize> = Vec::new();
            for (id, _) in index.entries(&query, 0)? {
                ranked.push(id.parse()?);
            }
            found.push(Measures::of(&ranked, &gold));
        }
        let words = |text: &str| text.split_whitespace().count();
        let mean = |of: &mut dyn Iterator<Item = usize>, count: usize| of.sum::<usize>() / count;
        let parts = |entry: &usize| corpus.texts[*entry].parts.len();
        let shape = Shape {
            words: mean(
                &mut gold.iter().map(|entry| words(&whole(*entry))),
                gold.len(),
            ),
            parts: mean(&mut gold.iter().map(parts), gold.len()),
        };
        scores.entries.add(shape, found);
        if question.parts.is_empty() {
            continue;
        }
        let gold: HashSet<(usize, usize)> = question.parts.iter().copied().collect();
        let ranked: Vec<(usize, usize)> = by_part
            .rank(&question.text, LIMIT)
            .into_iter()
            .map(|place| places[place])
            .collect();
        let mut found = vec![Measures::of(&ranked, &gold)];
        for index in &indexes {
            let mut ranked = Vec::new();
            for hit in index.passages(&query, 0)? {
                ranked.push((hit.id.parse()?, hit.ordinal));
            }
            found.push(Measures::of(&ranked, &gold));
        }
        let shape = Shape {
            words: mean(
                &mut gold.iter().map(|place| words(&part(place))),
                gold.len(),
            ),
            parts: mean(&mut gold.iter().map(|(entry, _)| parts(entry)), gold.len()),
        };
        scores.parts.add(shape, found);
    }
    Ok(())
}
