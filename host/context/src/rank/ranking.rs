//! Which files a task is about: words of the text, names that files declare, paths and modules the
//! task names, and what lies next to them. The same task and files give the same order.

use std::collections::HashMap;

use acreta_symbols::language_of;

use crate::answer::request::MemoryHints;
use crate::answer::segments::Worth;
use crate::artifact::aside::is_aside;
use crate::artifact::churn::Churn;
use crate::artifact::facts::{View, is_test_path};
use crate::artifact::graph::Graph;
use crate::artifact::store::is_whole;
use crate::rank::candidate::Candidate;
use crate::rank::names::{named, namesakes, sign_declared, sign_paths};
use crate::rank::query::Query;
use crate::rank::weights::{Signs, Weights, score};
use crate::scan::tree::{Tables, mark};

/// Files that are looked at closer.
const CANDIDATES: usize = 800;

/// Files that may be told.
const MOST_FOUND: usize = 200;

/// What files are ranked from.
pub(crate) struct Ranking<'a> {
    pub(crate) tables: Tables<'a>,
    /// The whole facts file.
    pub(crate) facts: &'a [u8],
    pub(crate) graph: &'a Graph,
    pub(crate) churn: &'a [Churn],
    pub(crate) hints: Option<&'a dyn MemoryHints>,
}

/// The folder of acreta's own files in a project.
const MEMORY: &str = ".acreta/";

/// What a text is about.
pub(crate) struct Ranked {
    pub(crate) query: Query,
    /// What each word of the query is worth in this project.
    pub(crate) worth: Worth,
    /// The likeliest first, with scores of three digits: enough for people, and the same everywhere.
    pub(crate) files: Vec<(f64, Candidate)>,
}

impl Ranking<'_> {
    /// The files that the text is about.
    pub(crate) fn rank(&self, text: &str) -> Ranked {
        let query = Query::new(text);
        let weights = Weights::default();
        let (mut candidates, worth) = self.candidates(&query);
        self.sign(&query, text, &mut candidates);
        let mut scored: Vec<(f64, Candidate)> = candidates
            .into_iter()
            .map(|candidate| (score(&candidate.signs, &weights), candidate))
            .filter(|(score, _)| *score > 0.0)
            .collect();
        scored.sort_by(|left, right| {
            right
                .0
                .total_cmp(&left.0)
                .then_with(|| left.1.path.cmp(&right.1.path))
        });
        scored.truncate(MOST_FOUND);
        for (score, _) in &mut scored {
            *score = (*score * 1000.0).round() / 1000.0;
        }
        Ranked {
            query,
            worth,
            files: scored,
        }
    }

    /// Files with words of the query, and files that it names.
    fn candidates(&self, query: &Query) -> (Vec<Candidate>, Worth) {
        let (scores, rarity) = self.bm25(&query.words);
        let (titles, _) = self.bm25(&query.title);
        let (told, _) = self.bm25(&query.prose);
        let most = |scores: &[f64]| scores.iter().copied().fold(0.0, f64::max).max(1e-9);
        let (best, best_title, best_told) = (most(&scores), most(&titles), most(&told));
        let mut order: Vec<u32> = (0..self.tables.file_count()).collect();
        order.retain(|index| scores[*index as usize] > 0.0);
        order.sort_by(|left, right| {
            scores[*right as usize]
                .total_cmp(&scores[*left as usize])
                .then(left.cmp(right))
        });
        let mut is_candidate = vec![false; scores.len()];
        for index in order.into_iter().take(CANDIDATES) {
            is_candidate[index as usize] = true;
        }
        let namesakes = namesakes(query, self.tables);
        let mut found = Vec::new();
        for index in 0..self.tables.file_count() {
            let path = self.tables.path(index);
            let (literal, module) = named(query, &path, &namesakes);
            if !is_candidate[index as usize] && literal == 0.0 && module < 0.5 {
                continue;
            }
            // Memory has a search of its own, which knows whose word it is.
            if path.starts_with(MEMORY) {
                continue;
            }
            let file = self.tables.file(index);
            let is_test = file.marks & mark::TEST != 0 || is_test_path(&path);
            let signs = Signs {
                words: scores[index as usize] / best,
                told: told[index as usize] / best_told,
                passage: self.passage(index, &query.words, &rarity),
                title: titles[index as usize] / best_title,
                literal,
                module,
                is_test,
                is_prose: language_of(&path).is_none(),
                is_aside: !is_test && is_aside(&path),
                ..Signs::default()
            };
            let symbols = self
                .view(index)
                .map(|view| view.declared().symbols)
                .unwrap_or_default();
            found.push(Candidate {
                index,
                path,
                signs,
                symbols,
            });
        }
        let words = query.words.iter().zip(&rarity);
        let worth = words.map(|((word, weight), rarity)| (*word, weight * rarity));
        (found, worth.collect())
    }

    fn view(&self, index: u32) -> Option<View<'_>> {
        let at = self.tables.file(index).facts;
        if at.bytes == 0 {
            return None;
        }
        let start = usize::try_from(at.offset).ok()?;
        let bytes = self.facts.get(start..start + at.bytes as usize)?;
        is_whole(bytes, at).then(|| View::new(bytes))
    }

    /// Words of the query in the text of each file.
    fn bm25(&self, words: &[(u32, f64)]) -> (Vec<f64>, Vec<f64>) {
        const SATURATION: f64 = 1.2;
        const LENGTH: f64 = 0.6;
        let files = self.tables.file_count();
        let mut rows: Vec<(u32, f64, Vec<u8>)> = Vec::new();
        let mut holders = vec![0u32; words.len()];
        let mut total = 0.0;
        for index in 0..files {
            let Some(view) = self.view(index) else {
                continue;
            };
            let counts: Vec<u8> = words.iter().map(|(word, _)| view.count(*word)).collect();
            for (holder, count) in holders.iter_mut().zip(&counts) {
                *holder += u32::from(*count > 0);
            }
            let length = f64::from(view.length);
            total += length;
            rows.push((index, length, counts));
        }
        let average = (total / rows.len().max(1) as f64).max(1.0);
        let documents = rows.len() as f64;
        let rarity: Vec<f64> = holders
            .iter()
            .map(|holder| {
                let holder = f64::from(*holder);
                (1.0 + (documents - holder + 0.5) / (holder + 0.5)).ln()
            })
            .collect();
        let mut scores = vec![0.0; files as usize];
        for (index, length, counts) in rows {
            let long = SATURATION * (1.0 - LENGTH + LENGTH * length / average);
            scores[index as usize] = words
                .iter()
                .zip(&rarity)
                .zip(counts)
                .filter(|(_, count)| *count > 0)
                .map(|(((_, weight), rarity), count)| {
                    let count = f64::from(count);
                    weight * rarity * count * (SATURATION + 1.0) / (count + long)
                })
                .sum();
        }
        (scores, rarity)
    }

    /// The best few lines of a file.
    fn passage(&self, index: u32, words: &[(u32, f64)], rarity: &[f64]) -> f64 {
        const SATURATION: f64 = 1.2;
        const LENGTH: f64 = 0.4;
        const USUAL: f64 = 250.0;
        let Some(view) = self.view(index) else {
            return 0.0;
        };
        let held: Vec<(u32, f64)> = words
            .iter()
            .zip(rarity)
            .filter(|((word, _), _)| view.count(*word) > 0)
            .map(|((word, weight), rarity)| (*word, weight * rarity))
            .collect();
        view.passages()
            .map(|passage| {
                let length = f64::from(passage.length) / USUAL;
                let long = SATURATION * (1.0 - LENGTH + LENGTH * length);
                held.iter()
                    .map(|(word, weight)| {
                        let count = f64::from(passage.count(*word));
                        weight * count * (SATURATION + 1.0) / (count + long)
                    })
                    .sum()
            })
            .fold(0.0, f64::max)
    }

    /// Everything but the words of the text.
    fn sign(&self, query: &Query, text: &str, candidates: &mut [Candidate]) {
        let most = candidates
            .iter()
            .map(|candidate| candidate.signs.passage)
            .fold(1e-9, f64::max);
        for candidate in candidates.iter_mut() {
            candidate.signs.passage /= most;
        }
        sign_paths(query, candidates);
        sign_declared(query, candidates);
        let changes = self.churn.iter().map(|churn| churn.changes);
        let most = changes.max().unwrap_or(0);
        for candidate in candidates.iter_mut() {
            let changes = self
                .churn
                .get(candidate.index as usize)
                .map_or(0, |churn| churn.changes);
            candidate.signs.churn = f64::from(changes + 1).ln() / f64::from(most + 2).ln();
            if let Some(hints) = self.hints {
                candidate.signs.memory = hints.weight(&candidate.path, text).clamp(0.0, 1.0);
            }
        }
        self.sign_near(candidates);
    }

    /// What a file's neighbours have, it has a little of.
    fn sign_near(&self, candidates: &mut [Candidate]) {
        let weights = Weights::default();
        let own: HashMap<u32, f64> = candidates
            .iter()
            .filter(|candidate| !candidate.signs.is_test && !candidate.signs.is_prose)
            .map(|candidate| (candidate.index, score(&candidate.signs, &weights)))
            .collect();
        let mut sums: HashMap<u32, f64> = HashMap::new();
        for (from, to) in &self.graph.edges {
            for (file, other) in [(from, to), (to, from)] {
                if let Some(score) = own.get(other) {
                    let best = sums.entry(*file).or_default();
                    *best = best.max(*score);
                }
            }
        }
        let most = own.values().copied().fold(0.0, f64::max).max(1e-9);
        for candidate in candidates {
            let near = sums.get(&candidate.index).copied().unwrap_or(0.0);
            candidate.signs.near = near / most;
        }
    }
}
