//! Relevance signals from names: paths and modules written in the task, words of the task in paths, and identifiers of
//! the task that a file declares.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::rank::candidate::FileCandidate;
use crate::rank::query::{TaskQuery, looks_like_code};
use crate::rank::terms;
use crate::scan::tree::{ArtifactTables, parts};

/// Counts the files with each file name in the query: a name that many files share identifies none.
pub(crate) fn namesakes<'a>(
    query: &TaskQuery,
    tables: ArtifactTables<'a>,
) -> HashMap<&'a str, f64> {
    let written: HashSet<&str> = query.paths.keys().map(|path| parts(path).1).collect();
    let mut counts = HashMap::new();
    for index in 0..tables.file_count() {
        let name = tables.text(tables.file(index).name);
        if written.contains(name) {
            *counts.entry(name).or_default() += 1.0;
        }
    }
    counts
}

/// Scores how exactly the query names this file, as a path and as a module.
pub(crate) fn named(query: &TaskQuery, path: &str, namesakes: &HashMap<&str, f64>) -> (f64, f64) {
    let rarity = namesakes
        .get(parts(path).1)
        .map_or(1.0, |count| 1.0 / count.sqrt());
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
                    _ if parts == 1 => 0.6 * rarity,
                    // Same file name in another folder.
                    _ => 0.2 * rarity,
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
        // A module in the first line counts like a path; imports in quoted code count little.
        if value >= 1.0 && *weight >= 2.5 {
            literal = 1.0;
        }
        module = module.max(value * (weight / 2.5).min(1.0).powi(2));
    }
    (literal, module)
}

/// Scores words of the query in paths; rare words count more.
pub(crate) fn sign_paths(query: &TaskQuery, candidates: &mut [FileCandidate]) {
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

/// Scores identifiers of the query that a file declares, as a whole and in parts.
pub(crate) fn sign_declared(query: &TaskQuery, candidates: &mut [FileCandidate]) {
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
            // Use the query's key: it outlives the candidate.
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
