//! The pilot: the same sequence of questions without and with the context layer. Without it an agent lists the tree and
//! reads the relevant files each time; with it the answer replaces them. Between questions the repository changes a
//! little, as it does in use. `token_reduction` compares the answers with listing and files; the stricter figure
//! compares deltas with answers.

use std::process::Command;
use std::time::Duration;

use acreta_codebase::{Analysis, CacheStatus, Change, Request, Response};
use acreta_text::count_tokens;
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::{Value, json};

use crate::Outcome;
use crate::context::open::open;
use crate::context::run::{git, median, milliseconds, took};

/// Questions asked of each repository; every fifth comes after an edit.
const QUESTIONS: usize = 20;
const EDIT_EVERY: usize = 5;

pub(crate) fn bench(repositories: &[Utf8PathBuf]) -> Outcome<()> {
    println!(
        "{:<24} {:>7} {:>10} {:>10} {:>8} {:>8} {:>8} {:>8}",
        "repository", "files", "tokens", "proxy", "hits", "hit ms", "delta ms", "changed"
    );
    let mut report = Vec::new();
    for repository in repositories {
        report.push(pilot(repository)?);
    }
    let worst = |key: &str, most: bool| {
        let values = report.iter().filter_map(|one| one[key].as_f64());
        if most {
            values.fold(f64::MIN, f64::max)
        } else {
            values.fold(f64::MAX, f64::min)
        }
    };
    println!(
        "{}",
        json!({
            "token_reduction": worst("token_reduction", false),
            "token_proxy_reduction": worst("token_proxy_reduction", false),
            "delta_instead_of_explore_reduction":
                worst("delta_instead_of_explore_reduction", false),
            "hit_ratio": worst("hit_ratio", false),
            "hit_ms": worst("hit_ms", true),
            "delta_ms": worst("delta_ms", true),
            "changed_ratio": worst("changed_ratio", true),
            "repositories": report,
        })
    );
    Ok(())
}

fn pilot(repository: &Utf8Path) -> Outcome<Value> {
    let scratch = tempfile::tempdir()?;
    let scratch = Utf8PathBuf::try_from(scratch.path().canonicalize()?)?;
    let tree = scratch.join("tree");
    git(
        &scratch,
        &[
            "clone",
            "-q",
            "--shared",
            repository.as_str(),
            tree.as_str(),
        ],
    )?;
    let context = open(&scratch.join("cache"), Analysis::Symbols)?;
    let (mut hits, mut hit_times, mut delta_times) = (0, Vec::new(), Vec::new());
    let (mut served, mut stood_for) = (Tokens::default(), Tokens::default());
    let mut told_once = Tokens::default();
    let mut changed = 0.0;
    let mut files = 0;
    for question in 0..QUESTIONS {
        let is_edited = question > 0 && question % EDIT_EVERY == 0;
        if is_edited {
            edit(&tree, question)?;
        }
        // After the first answer, only the delta is needed.
        if question > 0 {
            told_once.add(&context.delta(&tree, &Request::default())?.to_json());
        }
        let (answer, time) = took(|| context.explore(&tree, &Request::default(), None));
        let answer = answer?;
        if question == 0 {
            told_once.add(&answer.to_json());
        }
        files = answer.stats.file_count;
        hits += usize::from(answer.cache_status == CacheStatus::Hit);
        if is_edited {
            delta_times.push(time);
        } else if question > 0 {
            hit_times.push(time);
        }
        let of_delta = answer.delta.as_ref().map_or(0, |delta| delta.files.len());
        changed += of_delta as f64 / files.max(1) as f64;
        served.add(&answer.to_json());
        stood_for.add_files(&tree, &answer)?;
    }
    let name = repository.file_name().unwrap_or("repository").to_owned();
    let report = json!({
        "repository": name,
        "files": files,
        "token_reduction": reduction(served.counted, stood_for.counted),
        "token_proxy_reduction": reduction(served.bytes / 4, stood_for.bytes / 4),
        "delta_instead_of_explore_reduction": reduction(told_once.counted, served.counted),
        "hit_ratio": hits as f64 / QUESTIONS as f64,
        "hit_ms": milliseconds(median(hit_times)),
        "delta_ms": milliseconds(delta_times.into_iter().max().unwrap_or(Duration::ZERO)),
        "changed_ratio": (changed / QUESTIONS as f64 * 1e6).round() / 1e6,
    });
    println!(
        "{name:<24} {files:>7} {:>10} {:>10} {:>8} {:>8} {:>8} {:>8}",
        report["token_reduction"],
        report["token_proxy_reduction"],
        report["hit_ratio"],
        report["hit_ms"],
        report["delta_ms"],
        report["changed_ratio"],
    );
    Ok(report)
}

#[derive(Default)]
struct Tokens {
    counted: usize,
    bytes: usize,
}

impl Tokens {
    fn add(&mut self, text: &str) {
        self.counted += count_tokens(text);
        self.bytes += text.len();
    }

    /// Adds what an agent reads without the layer: the first thousand names of the listing, the files in the answer,
    /// and those that changed.
    fn add_files(&mut self, tree: &Utf8Path, answer: &Response) -> Outcome<()> {
        let listing = Command::new("git")
            .args(["-C", tree.as_str(), "ls-files"])
            .output()?;
        let listing = String::from_utf8_lossy(&listing.stdout).into_owned();
        let first: Vec<&str> = listing.lines().take(1000).collect();
        self.add(&first.join("\n"));
        let mut paths: Vec<&str> = Vec::new();
        if let Some(slice) = &answer.slice {
            paths.extend(slice.entry_points.iter().map(|entry| entry.path.as_str()));
            paths.extend(slice.hot_paths.iter().map(|hot| hot.path.as_str()));
            paths.extend(slice.commands.iter().map(|command| command.path.as_str()));
        }
        if let Some(delta) = &answer.delta {
            let there = delta
                .files
                .iter()
                .filter(|file| file.change != Change::Removed);
            paths.extend(there.map(|file| file.path.as_str()));
        }
        paths.sort_unstable();
        paths.dedup();
        for path in paths {
            if let Ok(bytes) = std::fs::read(tree.join(path)) {
                self.add(&String::from_utf8_lossy(&bytes));
            }
        }
        Ok(())
    }
}

fn reduction(served: usize, stood_for: usize) -> f64 {
    let share = served as f64 / stood_for.max(1) as f64;
    ((1.0 - share) * 1000.0).round() / 1000.0
}

/// Changes three files.
fn edit(tree: &Utf8Path, question: usize) -> Outcome<()> {
    let files = git(tree, &["ls-files"])?;
    let files = String::from_utf8_lossy(&files).into_owned();
    let files: Vec<&str> = files.lines().collect();
    for number in 0..3 {
        let path = tree.join(files[(question * 7919 + number * 104_729) % files.len()]);
        if let Ok(mut text) = std::fs::read_to_string(&path) {
            text.push_str("\n# changed\n");
            crate::context::generate::put(&path, &text)?;
        }
    }
    Ok(())
}
