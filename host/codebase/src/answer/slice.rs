//! Builds the slice: where an engineer who knows the project would look first. Uses tables and manifests only; opens no
//! file.

use std::collections::BTreeMap;

use acreta_symbols::{Language, language_label, language_of};

use crate::Detail;
use crate::answer::commands;
use crate::answer::entry_points;
use crate::answer::material::SliceInput;
use crate::answer::request;
use crate::answer::response::{GraphSummary, HotPath, LanguageShare, Slice, TestsOf, TopImport};
use crate::artifact::aside::is_aside;
use crate::artifact::facts::is_test_path;
use crate::scan::tree::{ArtifactFile, mark, parts};

/// Builds the complete slice.
pub(crate) fn build(material: &SliceInput<'_>) -> Slice {
    let most = request::entries(Detail::Verbose);
    let hot_paths = hot_paths(material, most);
    let tests = tests_of(material, &hot_paths);
    Slice {
        entry_points: entry_points::find(material, most),
        top_imports: material
            .graph
            .top_packages()
            .into_iter()
            .take(most)
            .map(|(name, files)| TopImport { name, files })
            .collect(),
        graph: GraphSummary {
            nodes: source_files(material).count() as u64,
            edges: material.graph.edges.len() as u64,
        },
        commands: commands::find(material.manifests, most),
        tests,
        languages: languages(material, most),
        hot_paths,
    }
}

/// Cuts a slice to the detail level.
pub(crate) fn cut(mut slice: Slice, detail: Detail) -> Slice {
    let entries = request::entries(detail);
    slice.entry_points.truncate(entries);
    slice.hot_paths.truncate(entries);
    slice.top_imports.truncate(entries);
    slice.commands.truncate(entries);
    slice.languages.truncate(entries);
    slice.tests.truncate(entries);
    if detail == Detail::Compact {
        slice.languages.clear();
        slice.tests.truncate(4);
    }
    slice
}

fn source_files<'a>(material: &SliceInput<'a>) -> impl Iterator<Item = (u32, &'a ArtifactFile)> {
    material
        .files
        .iter()
        .enumerate()
        .filter(|(_, file)| language_of(&file.path).is_some())
        .map(|(index, file)| (index as u32, file))
}

/// Returns source files that change often and have many dependents.
fn hot_paths(material: &SliceInput<'_>, most: usize) -> Vec<HotPath> {
    let dependents = dependents(material);
    let has_history = material.churn.iter().any(|churn| churn.changes > 0);
    let mut hot: Vec<(f64, HotPath)> = source_files(material)
        .filter(|(_, file)| file.marks & mark::TEST == 0 && !is_aside(&file.path))
        // Importers of a re-exporting file depend on what it re-exports.
        .filter(|(_, file)| file.marks & mark::HOLLOW == 0)
        .map(|(index, file)| {
            let churn = material.churn.get(index as usize).copied();
            let churn = churn.unwrap_or_default();
            let dependents = dependents.get(index as usize).copied().unwrap_or(0);
            // A file that everything imports but nobody changes is not hot; a file that changes daily is, even if
            // nothing imports it.
            let heat = if has_history {
                f64::from(churn.heat) * f64::from(dependents + UNSEEN).log2()
            } else {
                f64::from(dependents)
            };
            let path = HotPath {
                path: file.path.clone(),
                changes: churn.changes,
                dependents,
            };
            (heat, path)
        })
        .filter(|(heat, _)| *heat > 0.0)
        .collect();
    hot.sort_by(|left, right| {
        right
            .0
            .total_cmp(&left.0)
            .then_with(|| left.1.path.cmp(&right.1.path))
    });
    hot.truncate(most);
    hot.into_iter().map(|(_, path)| path).collect()
}

/// Assumed dependents of every file in addition to those that imports show.
const UNSEEN: u32 = 4;

/// Counts the dependents of each file. In languages that import folders, a dependent of one file depends on all files
/// of the folder.
fn dependents(material: &SliceInput<'_>) -> Vec<u32> {
    let mut dependents = material.graph.dependents(material.files.len());
    let mut folders: BTreeMap<&str, u32> = BTreeMap::new();
    let packaged = |file: &ArtifactFile| language_of(&file.path) == Some(Language::Go);
    for (file, count) in material.files.iter().zip(&dependents) {
        if packaged(file) {
            let most = folders.entry(parts(&file.path).0).or_default();
            *most = (*most).max(*count);
        }
    }
    for (file, count) in material.files.iter().zip(&mut dependents) {
        if packaged(file) {
            *count = folders.get(parts(&file.path).0).copied().unwrap_or(*count);
        }
    }
    dependents
}

/// Returns tests of the hottest files: those that import them or share their name.
fn tests_of(material: &SliceInput<'_>, hot: &[HotPath]) -> Vec<TestsOf> {
    const TESTS: usize = 3;
    let is_test = |index: u32| {
        let file = &material.files[index as usize];
        file.marks & mark::TEST != 0 || is_test_path(&file.path)
    };
    let tests: Vec<&ArtifactFile> = source_files(material)
        .filter(|(index, _)| is_test(*index))
        .map(|(_, file)| file)
        .collect();
    let mut found = Vec::new();
    for path in hot {
        let stem = stem(&path.path);
        // Every package has a file with one of these names.
        let is_common = matches!(
            stem,
            "__init__" | "index" | "mod" | "lib" | "main" | "__main__"
        );
        let mut own: Vec<String> = tests
            .iter()
            .filter(|_| !is_common)
            .filter(|file| tested_stem(&file.path) == stem)
            .map(|file| file.path.clone())
            .collect();
        // The test that shares the longest path with the file is its own.
        own.sort_by_key(|test| {
            let shared = test
                .split('/')
                .zip(path.path.split('/'))
                .take_while(|(left, right)| left == right)
                .count();
            (usize::MAX - shared, test.clone())
        });
        if own.is_empty()
            && let Ok(index) = material
                .files
                .binary_search_by(|file| parts(&file.path).cmp(&parts(&path.path)))
        {
            own = material
                .graph
                .edges
                .iter()
                .filter(|(from, to)| *to == index as u32 && is_test(*from))
                .map(|(from, _)| material.files[*from as usize].path.clone())
                .collect();
            own.sort();
        }
        own.truncate(TESTS);
        if !own.is_empty() {
            found.push(TestsOf {
                path: path.path.clone(),
                tests: own,
            });
        }
    }
    found
}

fn stem(path: &str) -> &str {
    let name = parts(path).1;
    name.split('.').next().unwrap_or(name)
}

/// Returns the stem of the file that a test tests, derived from the test's name.
fn tested_stem(path: &str) -> &str {
    let stem = stem(path);
    let stem = stem.strip_prefix("test_").unwrap_or(stem);
    ["_test", "_spec", "Tests", "Test", "_tests"]
        .iter()
        .find_map(|ending| stem.strip_suffix(ending))
        .unwrap_or(stem)
}

fn languages(material: &SliceInput<'_>, most: usize) -> Vec<LanguageShare> {
    let mut shares: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for file in material.files {
        if let Some(label) = language_label(&file.path) {
            let share = shares.entry(label).or_default();
            share.0 += 1;
            share.1 += file.node.stamp.bytes;
        }
    }
    let mut shares: Vec<LanguageShare> = shares
        .into_iter()
        .map(|(language, (files, bytes))| LanguageShare {
            language: language.to_owned(),
            files,
            bytes,
        })
        .collect();
    shares.sort_by(|left, right| {
        right
            .bytes
            .cmp(&left.bytes)
            .then_with(|| left.language.cmp(&right.language))
    });
    shares.truncate(most);
    shares
}
