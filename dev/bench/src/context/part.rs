//! One query in a separate process, as a person would run it. Prints its resource usage.

use acreta_codebase::{Analysis, Request};
use acreta_symbols::{language_of, parses};
use camino::Utf8Path;
use xxhash_rust::xxh3::xxh3_64;

use crate::Outcome;
use crate::context::figures::peak_mb;
use crate::context::open::open;

pub(crate) fn run(words: &[&str]) -> Outcome<()> {
    match words {
        ["explore", project, cache] => explore(project, cache, Analysis::Symbols),
        ["explore-hashes", project, cache] => explore(project, cache, Analysis::Hashes),
        ["delta", project, cache] => {
            let context = open(Utf8Path::new(cache), Analysis::Symbols)?;
            let response = context.delta(Utf8Path::new(project), &Request::default())?;
            println!("{}", response.to_json());
            println!("{}", peak_mb());
            Ok(())
        }
        ["history", project] => crate::context::history::read(project),
        ["since", project, cache] => crate::context::history::since(project, cache),
        ["read", project] => read(Utf8Path::new(project)),
        ["parse", project] => parse(Utf8Path::new(project)),
        ["list", project] => list(Utf8Path::new(project)),
        _ => Err("no such part".into()),
    }
}

fn explore(project: &str, cache: &str, analysis: Analysis) -> Outcome<()> {
    let context = open(Utf8Path::new(cache), analysis)?;
    let response = context.explore(Utf8Path::new(project), &Request::default(), None)?;
    println!("{}", response.to_json());
    println!("{}", peak_mb());
    Ok(())
}

/// Measures the lower bound of a cold build: reads and hashes every byte once, with as many threads.
fn read(project: &Utf8Path) -> Outcome<()> {
    each_file(project, |_, bytes| xxh3_64(bytes) & 1)
}

/// Measures the lower bound of a cold build with symbols: also parses every source file.
fn parse(project: &Utf8Path) -> Outcome<()> {
    each_file(project, |path, bytes| {
        let is_parsed = language_of(path).is_some_and(|language| parses(language, bytes));
        (xxh3_64(bytes) & 1) + u64::from(is_parsed)
    })
}

/// Reads every file of a tree once. Adds up the results of `work`, so that they are not optimised away.
fn each_file(project: &Utf8Path, work: impl Fn(&str, &[u8]) -> u64 + Sync) -> Outcome<()> {
    let threads = std::thread::available_parallelism()?.get().min(8);
    let total = std::sync::atomic::AtomicU64::new(0);
    walker(project, threads).run(|| {
        let mut buffer = Vec::new();
        let (total, work) = (&total, &work);
        Box::new(move |entry| {
            if let Ok(entry) = entry
                && entry.file_type().is_some_and(|kind| kind.is_file())
                && let Ok(mut file) = std::fs::File::open(entry.path())
            {
                buffer.clear();
                if std::io::Read::read_to_end(&mut file, &mut buffer).is_ok() {
                    let found = work(&entry.path().to_string_lossy(), &buffer);
                    total.fetch_add(found, std::sync::atomic::Ordering::Relaxed);
                }
            }
            ignore::WalkState::Continue
        })
    });
    println!("{}", total.into_inner());
    Ok(())
}

/// Does what `rg --files` does: the same walker, every path once.
fn list(project: &Utf8Path) -> Outcome<()> {
    let threads = std::thread::available_parallelism()?.get();
    let count = std::sync::atomic::AtomicU64::new(0);
    walker(project, threads).run(|| {
        let count = &count;
        Box::new(move |_| {
            count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            ignore::WalkState::Continue
        })
    });
    println!("{}", count.into_inner());
    Ok(())
}

fn walker(project: &Utf8Path, threads: usize) -> ignore::WalkParallel {
    ignore::WalkBuilder::new(project)
        .hidden(false)
        .filter_entry(|entry| entry.file_name() != ".git")
        .threads(threads)
        .build_parallel()
}
