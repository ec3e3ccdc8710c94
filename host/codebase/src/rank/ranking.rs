//! Ranks files by relevance to a task: words of the text, declared names, paths and modules in the task, and neighbours
//! in the import graph. Deterministic: the same task and files give the same order.

use std::collections::HashMap;

use acreta_symbols::language_of;

use crate::answer::request::MemoryHints;
use crate::answer::segments::WordWeights;
use crate::artifact::aside::is_aside;
use crate::artifact::churn::Churn;
use crate::artifact::facts::{FactsView, is_test_path};
use crate::artifact::graph::Graph;
use crate::artifact::store::is_whole;
use crate::rank::candidate::FileCandidate;
use crate::rank::names::{named, namesakes, sign_declared, sign_paths};
use crate::rank::query::TaskQuery;
use crate::rank::weights::{SignalWeights, Signals, score};
use crate::scan::tree::{ArtifactTables, mark};

/// Number of files examined in detail.
const CANDIDATES: usize = 800;

/// Maximum number of files returned.
const MOST_FOUND: usize = 200;

/// Input for ranking.
pub(crate) struct FileRanking<'a> {
    pub(crate) tables: ArtifactTables<'a>,
    /// The whole facts file.
    pub(crate) facts: &'a [u8],
    pub(crate) graph: &'a Graph,
    pub(crate) churn: &'a [Churn],
    pub(crate) hints: Option<&'a dyn MemoryHints>,
}

/// The folder of acreta's own files in a project.
const MEMORY: &str = ".acreta/";

/// Result of ranking.
pub(crate) struct RankedFiles {
    pub(crate) query: TaskQuery,
    /// Weight of each query word in this project.
    pub(crate) worth: WordWeights,
    /// Best first, with scores rounded to three digits so that they are the same on every platform.
    pub(crate) files: Vec<(f64, FileCandidate)>,
}

impl FileRanking<'_> {
    /// Ranks the files by relevance to the text.
    pub(crate) fn rank(&self, text: &str) -> RankedFiles {
        let query = TaskQuery::new(text);
        let weights = SignalWeights::default();
        let (mut candidates, worth) = self.candidates(&query);
        self.sign(&query, text, &mut candidates);
        let mut scored: Vec<(f64, FileCandidate)> = candidates
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
        RankedFiles {
            query,
            worth,
            files: scored,
        }
    }

    /// Selects files that contain words of the query, and files that it names.
    fn candidates(&self, query: &TaskQuery) -> (Vec<FileCandidate>, WordWeights) {
        let (scores, rarity) = self.bm25(&query.words);
        let (titles, _) = self.bm25(&query.title);
        let (prose, _) = self.bm25(&query.prose);
        let most = |scores: &[f64]| scores.iter().copied().fold(0.0, f64::max).max(1e-9);
        let (best, best_title, best_prose) = (most(&scores), most(&titles), most(&prose));
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
            // Memory has its own search, which knows the source of each statement.
            if path.starts_with(MEMORY) {
                continue;
            }
            let file = self.tables.file(index);
            let is_test = file.marks & mark::TEST != 0 || is_test_path(&path);
            let signs = Signals {
                words: scores[index as usize] / best,
                task_prose: prose[index as usize] / best_prose,
                passage: self.passage(index, &query.words, &rarity),
                title: titles[index as usize] / best_title,
                literal,
                module,
                is_test,
                is_prose: language_of(&path).is_none(),
                is_aside: !is_test && is_aside(&path),
                ..Signals::default()
            };
            let symbols = self
                .view(index)
                .map(|view| view.declared().symbols)
                .unwrap_or_default();
            found.push(FileCandidate {
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

    fn view(&self, index: u32) -> Option<FactsView<'_>> {
        let at = self.tables.file(index).facts;
        if at.bytes == 0 {
            return None;
        }
        let start = usize::try_from(at.offset).ok()?;
        let bytes = self.facts.get(start..start + at.bytes as usize)?;
        is_whole(bytes, at).then(|| FactsView::new(bytes))
    }

    /// Scores each file's text with BM25; also returns the rarity of each word.
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

    /// Scores the best passage of a file.
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

    /// Computes all signals other than the words of the text.
    fn sign(&self, query: &TaskQuery, text: &str, candidates: &mut [FileCandidate]) {
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

    /// Sets each file's signal to the best score among its neighbours in the import graph.
    fn sign_near(&self, candidates: &mut [FileCandidate]) {
        let weights = SignalWeights::default();
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
