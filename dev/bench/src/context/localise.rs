//! Localisation of tasks: ranks the files of a tree for the text of each issue, and counts how often the changed file
//! is among the first.

use std::collections::BTreeMap;

use acreta_codebase::{Analysis, Detail, Request};
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::{Value, json};

use crate::Outcome;
use crate::context::open::open;
use crate::context::run::{git, median, milliseconds, took};

const RANKS: [usize; 4] = [1, 3, 5, 10];

struct Issue {
    id: String,
    commit: String,
    text: String,
    gold: Vec<String>,
}

pub(crate) fn bench(file: &Utf8Path, repos: &Utf8Path) -> Outcome<()> {
    let mut issues: BTreeMap<String, Vec<Issue>> = BTreeMap::new();
    for line in std::fs::read_to_string(file)?.lines() {
        let value: Value = serde_json::from_str(line)?;
        let text = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
        let gold = value["gold_files"].as_array().into_iter().flatten();
        issues.entry(text("repo")).or_default().push(Issue {
            id: text("instance_id"),
            commit: text("base_commit"),
            text: text("problem_statement"),
            gold: gold
                .filter_map(Value::as_str)
                .map(ToOwned::to_owned)
                .collect(),
        });
    }
    let scratch = tempfile::tempdir()?;
    let scratch = Utf8PathBuf::try_from(scratch.path().to_owned())?;
    let context = open(&scratch.join("cache"), Analysis::Symbols)?;
    let mut all = RankTally::default();
    println!(
        "{:<28} {:>4}  acc@1  acc@3  acc@5 acc@10",
        "repository", "n"
    );
    for (repository, issues) in issues {
        let Some(clone) = find(repos, &repository) else {
            println!("{repository:<28}    -  no clone");
            continue;
        };
        let tree = scratch.join(repository.replace('/', "+"));
        git(
            repos,
            &[
                "clone",
                "-q",
                "--shared",
                "--no-checkout",
                clone.as_str(),
                tree.as_str(),
            ],
        )?;
        let mut tally = RankTally::default();
        for issue in issues {
            if !check_out(&tree, &issue) {
                tally.absent += 1;
                continue;
            }
            git(&tree, &["clean", "-qfdx"])?;
            context.explore(&tree, &Request::default(), None)?;
            let request = Request {
                detail: Detail::Normal,
                query: Some(issue.text),
                ..Request::default()
            };
            let (answer, time) = took(|| context.context(&tree, &request, None));
            let matches = answer?.matches.unwrap_or_default();
            let rank = matches
                .iter()
                .position(|found| issue.gold.contains(&found.path));
            eprintln!("{} {:?}", issue.id, rank.map(|rank| rank + 1));
            tally.add(rank, time);
        }
        println!("{repository:<28} {}", tally.row());
        all.merge(tally);
    }
    println!("{:<28} {}", "all", all.row());
    let accuracy = all.accuracy();
    println!(
        "{}",
        json!({
            "issues": all.ranks.len(),
            "absent": all.absent,
            "acc@1": accuracy[0],
            "acc@3": accuracy[1],
            "acc@5": accuracy[2],
            "acc@10": accuracy[3],
            "query_ms": milliseconds(median(all.times)),
        })
    );
    Ok(())
}

/// Checks out the commit of an issue. A clone may lack large data files; only the file that the issue is about has to
/// exist.
fn check_out(tree: &Utf8Path, issue: &Issue) -> bool {
    let commit = issue.commit.as_str();
    if git(tree, &["checkout", "-q", "-f", "--detach", commit]).is_ok() {
        return true;
    }
    let known = git(tree, &["read-tree", "--reset", commit])
        .and_then(|_| git(tree, &["update-ref", "--no-deref", "HEAD", commit]));
    // It fails for the missing files and writes the others.
    let _ = git(tree, &["checkout-index", "-q", "-f", "-a"]);
    known.is_ok() && issue.gold.iter().all(|path| tree.join(path).exists())
}

/// Finds a clone under any of the usual names.
fn find(repos: &Utf8Path, repository: &str) -> Option<Utf8PathBuf> {
    let name = repository.rsplit('/').next()?;
    [
        repos.join(repository.replace('/', "+")).join("repo"),
        repos.join(repository.replace('/', "+")),
        repos.join(repository.replace('/', "__")),
        repos.join(repository),
        repos.join(name),
    ]
    .into_iter()
    .find(|path| path.join("HEAD").exists() || path.join(".git").exists())
}

#[derive(Default)]
struct RankTally {
    ranks: Vec<Option<usize>>,
    times: Vec<std::time::Duration>,
    absent: usize,
}

impl RankTally {
    fn add(&mut self, rank: Option<usize>, time: std::time::Duration) {
        self.ranks.push(rank);
        self.times.push(time);
    }

    fn merge(&mut self, other: Self) {
        self.ranks.extend(other.ranks);
        self.times.extend(other.times);
        self.absent += other.absent;
    }

    fn accuracy(&self) -> [f64; 4] {
        RANKS.map(|most| {
            let within = |rank: &&Option<usize>| rank.is_some_and(|rank| rank < most);
            let hits = self.ranks.iter().filter(within).count();
            (hits as f64 / self.ranks.len().max(1) as f64 * 1000.0).round() / 1000.0
        })
    }

    fn row(&self) -> String {
        let figures = self.accuracy().map(|figure| format!("{figure:>6.3}"));
        format!("{:>4} {}", self.ranks.len(), figures.join(" "))
    }
}
