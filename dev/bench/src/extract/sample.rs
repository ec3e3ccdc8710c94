//! Sessions without labels: how much is kept of them, and a random sample to read, chosen by a seed.

use std::path::{Path, PathBuf};

use acreta_bench::scoring::{Chance, Proposal};
use serde_json::json;

use crate::Outcome;
use crate::extract::ExtractArguments;
use crate::extract::driver::Driver;

pub(crate) fn bench(asked: &ExtractArguments, sessions: &Path) -> Outcome<()> {
    let mut chance = Chance::new(asked.seed.unwrap_or(1));
    let mut files = Vec::new();
    gather(sessions, &mut files)?;
    files.sort();
    chance.shuffle(&mut files);
    let wanted = asked.sessions.unwrap_or(100);
    let mut driver = Driver::new(&asked.binary, &asked.config)?;
    let mut kept: Vec<(PathBuf, Proposal)> = Vec::new();
    let mut of_session = Vec::new();
    for file in files {
        if of_session.len() == wanted {
            break;
        }
        // A file that no adapter recognises is not a session.
        let Ok(taken) = driver.extract(&file, None) else {
            continue;
        };
        let candidates = taken.kept.candidates;
        of_session.push(candidates.len());
        kept.extend(candidates.into_iter().map(|one| (file.clone(), one)));
    }
    let all = kept.len();
    chance.shuffle(&mut kept);
    for (file, one) in kept.iter().take(asked.show.unwrap_or(20)) {
        let file = file.strip_prefix(sessions).unwrap_or(file);
        let kind = if one.kind.is_empty() {
            &one.memory_type
        } else {
            &one.kind
        };
        println!(
            "{} ({kind}, {:.2})\n  {}\n  {}\n",
            file.display(),
            one.confidence,
            one.title,
            one.body
        );
    }
    of_session.sort_unstable();
    let median = of_session.get(of_session.len() / 2).copied().unwrap_or(0);
    let most = of_session.last().copied().unwrap_or(0);
    let without = of_session.iter().filter(|count| **count == 0).count();
    let mean = all as f64 / of_session.len().max(1) as f64;
    println!(
        "{} sessions: {all} memories, {mean:.2} a session (median {median}, at most {most}), {without} without any",
        of_session.len()
    );
    println!(
        "{}",
        json!({
            "sessions": of_session.len(),
            "memories": all,
            "per_session": mean,
            "median": median,
            "most": most,
            "without_any": without,
        })
    );
    Ok(())
}

/// Lists all files below a folder.
fn gather(folder: &Path, files: &mut Vec<PathBuf>) -> Outcome<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            gather(&entry.path(), files)?;
        } else {
            files.push(entry.path());
        }
    }
    Ok(())
}
