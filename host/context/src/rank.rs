//! Which files a task is about: words of the text, names that files declare, paths and modules the
//! task names, and what lies next to them. The same task and files give the same order.

use std::collections::{BTreeMap, HashMap};

use acreta_symbols::{Symbol, language_of};

use crate::facts::{View, is_test_path};
use crate::graph::Graph;
use crate::query::{Query, looks_like_code};
use crate::request::MemoryHints;
use crate::response::{Found, SymbolHit};
use crate::slice::is_aside;
use crate::store::is_whole;
use crate::terms;
use crate::tree::{Tables, mark, parts};

/// Files that are looked at closer.
const CANDIDATES: usize = 800;
/// Files that may be told.
const MOST_FOUND: usize = 200;
const SYMBOLS: usize = 3;

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
            words: 1.0,
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

/// What files are ranked from.
pub(crate) struct Ranking<'a> {
    pub(crate) tables: Tables<'a>,
    /// The whole facts file.
    pub(crate) facts: &'a [u8],
    pub(crate) graph: &'a Graph,
    pub(crate) churn: &'a [u32],
    pub(crate) hints: Option<&'a dyn MemoryHints>,
}

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

struct Candidate {
    index: u32,
    path: String,
    signs: Signs,
    symbols: Vec<Symbol>,
}

impl Ranking<'_> {
    /// The files that the text is about, the likeliest first.
    pub(crate) fn rank(&self, text: &str) -> Vec<Found> {
        let query = Query::new(text);
        let weights = Weights::default();
        let mut candidates = self.candidates(&query);
        self.sign(&query, text, &mut candidates);
        let mut scored: Vec<(f64, &Candidate)> = candidates
            .iter()
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
        scored
            .into_iter()
            .map(|(score, candidate)| Found {
                path: candidate.path.clone(),
                // Three digits are enough for people, and the same everywhere.
                score: (score * 1000.0).round() / 1000.0,
                symbols: hits(&query, &candidate.symbols),
            })
            .collect()
    }

    /// Files with words of the query, and files that it names.
    fn candidates(&self, query: &Query) -> Vec<Candidate> {
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
        let mut found = Vec::new();
        for index in 0..self.tables.file_count() {
            let path = self.tables.path(index);
            let (literal, module) = named(query, &path);
            if !is_candidate[index as usize] && literal == 0.0 && module < 0.5 {
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
        found
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
        let most = self.churn.iter().copied().max().unwrap_or(0);
        for candidate in candidates.iter_mut() {
            let changes = self
                .churn
                .get(candidate.index as usize)
                .copied()
                .unwrap_or(0);
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

fn score(signs: &Signs, weights: &Weights) -> f64 {
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

/// Whether the query writes a path or a module that is this file, or nearly.
fn named(query: &Query, path: &str) -> (f64, f64) {
    let mut literal: f64 = 0.0;
    for (written, weight) in &query.paths {
        let shared = written
            .rsplit('/')
            .zip(path.rsplit('/'))
            .take_while(|(left, right)| left == right)
            .count();
        let parts = written.matches('/').count() + 1;
        let depth = path.matches('/').count() + 1;
        literal = literal.max(
            weight
                * match shared {
                    0 => 0.0,
                    shared if shared == depth || shared == parts && parts > 1 => 1.0,
                    shared if shared > 1 => 0.8,
                    _ if parts == 1 => 0.6,
                    // The name alone, in another folder.
                    _ => 0.2,
                },
        );
    }
    let Some(without) = path.strip_suffix(".py") else {
        return (literal, 0.0);
    };
    let without = without.strip_suffix("/__init__").unwrap_or(without);
    let own: Vec<&str> = without
        .split('/')
        .skip_while(|part| matches!(*part, "src" | "lib"))
        .collect();
    let mut module: f64 = 0.0;
    for (written, weight) in &query.modules {
        let shared = written
            .split('.')
            .zip(&own)
            .take_while(|(left, right)| left == *right)
            .count();
        let parts = written.matches('.').count() + 1;
        let value = if shared == own.len() && shared > 1 {
            1.0
        } else if shared > 1 && shared == parts {
            0.3
        } else if shared > 1 {
            0.25 * shared as f64 / own.len() as f64
        } else {
            0.0
        };
        // One in the first line is as good as a path; what code imports says little.
        if value >= 1.0 && *weight >= 2.5 {
            literal = 1.0;
        }
        module = module.max(value * (weight / 2.5).min(1.0).powi(2));
    }
    (literal, module)
}

/// Words of the query in paths, the rarer the better.
fn sign_paths(query: &Query, candidates: &mut [Candidate]) {
    let weights: HashMap<u32, f64> = query.words.iter().copied().collect();
    let mut holders: HashMap<u32, f64> = HashMap::new();
    let mut all: Vec<(Vec<u32>, Vec<u32>)> = Vec::new();
    for candidate in candidates.iter() {
        let (folder, name) = parts(&candidate.path);
        let stem = name.split('.').next().unwrap_or(name);
        let words = |text: &str| {
            let mut found = Vec::new();
            terms::words(text.as_bytes(), |word| found.push(terms::hash(word)));
            found.sort_unstable();
            found.dedup();
            found
        };
        let (folder, stem) = (words(folder), words(stem));
        let mut both: Vec<u32> = folder.iter().chain(&stem).copied().collect();
        both.sort_unstable();
        both.dedup();
        for word in both {
            *holders.entry(word).or_default() += 1.0;
        }
        all.push((folder, stem));
    }
    let count = candidates.len() as f64;
    let value = |word: &u32| {
        let rarity = (1.0 + count / holders.get(word).copied().unwrap_or(1.0)).ln();
        weights
            .get(word)
            .map_or(0.0, |weight| weight.sqrt() * rarity)
    };
    let mut values: Vec<(f64, f64)> = Vec::new();
    for (folder, stem) in &all {
        let folder: f64 = folder.iter().map(value).sum();
        let whole: f64 = stem.iter().map(value).sum();
        let matched = stem
            .iter()
            .filter(|word| weights.contains_key(word))
            .count();
        let share = matched as f64 / stem.len().max(1) as f64;
        values.push((folder * 0.5 + whole, whole * share));
    }
    let most = values.iter().fold((1e-9, 1e-9), |most: (f64, f64), value| {
        (most.0.max(value.0), most.1.max(value.1))
    });
    for (candidate, value) in candidates.iter_mut().zip(values) {
        candidate.signs.path = value.0 / most.0;
        candidate.signs.stem = value.1 / most.1;
    }
}

/// Names of the query that a file declares, whole and in parts.
fn sign_declared(query: &Query, candidates: &mut [Candidate]) {
    let mut holders: BTreeMap<&str, f64> = BTreeMap::new();
    for candidate in candidates.iter() {
        let mut names: Vec<&str> = candidate
            .symbols
            .iter()
            .map(|symbol| symbol.name.as_str())
            .filter(|name| query.identifiers.contains_key(*name))
            .collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            // The key of the query lives as long as the query does.
            if let Some((name, _)) = query.identifiers.get_key_value(name) {
                *holders.entry(name.as_str()).or_default() += 1.0;
            }
        }
    }
    let words: HashMap<u32, f64> = query.words.iter().copied().collect();
    let mut values: Vec<(f64, f64)> = Vec::new();
    for candidate in candidates.iter() {
        let mut whole: BTreeMap<&str, f64> = BTreeMap::new();
        let mut some: HashMap<u32, f64> = HashMap::new();
        let mut total = 0.0;
        for symbol in &candidate.symbols {
            if let Some(weight) = query.identifiers.get(&symbol.name) {
                let holders = holders.get(symbol.name.as_str()).copied().unwrap_or(1.0);
                let looks = if looks_like_code(&symbol.name) {
                    1.0
                } else {
                    0.5
                };
                let top = if symbol.parent.is_none() { 1.0 } else { 0.7 };
                let value = looks * top * weight.sqrt() / holders;
                let known = whole.entry(symbol.name.as_str()).or_default();
                *known = known.max(value);
            }
            terms::words(symbol.name.as_bytes(), |word| {
                total += 1.0;
                let word = terms::hash(word);
                if words.contains_key(&word) {
                    *some.entry(word).or_default() += 1.0;
                }
            });
        }
        let long = 1.2 * (0.5 + 0.5 * total / 100.0);
        let some: f64 = some
            .iter()
            .map(|(word, count)| words[word].sqrt() * count / (count + long))
            .sum();
        values.push((whole.values().sum(), some));
    }
    let most = values.iter().fold((1.0, 1e-9), |most: (f64, f64), value| {
        (most.0.max(value.0), most.1.max(value.1))
    });
    for (candidate, value) in candidates.iter_mut().zip(values) {
        candidate.signs.declared = value.0 / most.0;
        candidate.signs.parts = value.1 / most.1;
    }
}

/// The symbols of a file that the query names.
fn hits(query: &Query, symbols: &[Symbol]) -> Vec<SymbolHit> {
    let words: HashMap<u32, f64> = query.words.iter().copied().collect();
    let mut scored: Vec<(f64, &Symbol)> = symbols
        .iter()
        .filter_map(|symbol| {
            let mut value = query.identifiers.get(&symbol.name).copied().unwrap_or(0.0) * 4.0;
            let mut parts = 0.0;
            terms::words(symbol.name.as_bytes(), |word| {
                parts += 1.0;
                value += words.get(&terms::hash(word)).copied().unwrap_or(0.0);
            });
            let value = value / f64::max(parts, 1.0);
            (value >= 1.0).then_some((value, symbol))
        })
        .collect();
    scored.sort_by(|left, right| {
        right
            .0
            .total_cmp(&left.0)
            .then(left.1.line.cmp(&right.1.line))
    });
    scored
        .into_iter()
        .take(SYMBOLS)
        .map(|(_, symbol)| SymbolHit {
            name: symbol.name.clone(),
            kind: symbol.kind.name().to_owned(),
            line: symbol.line,
        })
        .collect()
}
