//! The checks of an explorer.

use std::sync::Arc;

use acreta_fs::{EntryKind, is_relative_path};
use acreta_types::{Failure, Finding, SharedSearch};
use camino::Utf8Path;

use super::memories::{DAMAGED, EMPTY, SOME};
use super::{ExplorerBench, TestMemory};
use crate::conformance::bench::{Outcome, Reason};
use crate::conformance::ports::BrokenSearch;

pub(super) fn no_candidates(bench: &ExplorerBench) -> Outcome {
    let memory = bench.named(SOME)?;
    let found = bench.explorer.explore(
        &bench.bench.job,
        memory.staged.path(),
        Arc::clone(&memory.search),
        &[],
    );
    let found = bench.bench.value("explore", found)?.unwrap_or_default();
    if found.is_empty() {
        return Ok("no findings".to_owned());
    }
    Err(memory.failed("no findings", &format!("{} findings", found.len())))
}

pub(super) fn empty_memory(bench: &ExplorerBench) -> Outcome {
    let memory = bench.named(EMPTY)?;
    let found = bench.findings(memory)?.unwrap_or_default();
    if let Some(file) = found.iter().find_map(|one| one.matched_file.as_ref()) {
        return Err(memory.failed("no matches", &format!("`{file}`")));
    }
    Ok(format!("{} findings, no matches", found.len()))
}

pub(super) fn damaged_memory(bench: &ExplorerBench) -> Outcome {
    Ok(match bench.findings(bench.named(DAMAGED)?)? {
        Ok(found) => format!("{} findings", found.len()),
        Err(failure) => format!("failed with `{}`", failure.code),
    })
}

pub(super) fn answers_each(bench: &ExplorerBench) -> Outcome {
    let mut count = 0;
    let memories = bench.memories.iter();
    for memory in memories.filter(|memory| memory.name != DAMAGED) {
        let found = match bench.findings(memory)? {
            Ok(found) => found,
            Err(failure) => return Err(no_answer(memory, failure)),
        };
        for candidate in &memory.candidates {
            count += 1;
            let id = &candidate.id;
            if !found.iter().any(|finding| finding.candidate_id == *id) {
                return Err(memory.failed("a finding", &format!("none for candidate `{id}`")));
            }
        }
    }
    Ok(format!("{count} candidates"))
}

/// A plugin that requires a model may refuse without one; the check is then skipped.
fn no_answer(memory: &TestMemory, failure: &Failure) -> Reason {
    let Failure { code, message, .. } = failure;
    if code == "not-granted" {
        return Reason::Skipped(format!("it says that it needs a model: {message}"));
    }
    memory.failed("findings", &format!("failed with `{code}`: {message}"))
}

pub(super) fn only_given(bench: &ExplorerBench) -> Outcome {
    bench.each_finding(|memory, finding| {
        let id = &finding.candidate_id;
        if memory.candidates.iter().any(|one| one.id == *id) {
            return Ok(());
        }
        let found = format!("a finding about `{id}`");
        Err(memory.failed("findings about the batch", &found))
    })
}

pub(super) fn fields(bench: &ExplorerBench) -> Outcome {
    bench.each_finding(|memory, finding| {
        let Finding {
            candidate_id: id,
            action_hint: hint,
            overlap,
            ..
        } = finding;
        if !matches!(hint.as_str(), "add" | "update" | "no-op") {
            let found = format!("the hint `{hint}` for candidate `{id}`");
            return Err(memory.failed("`add`, `update` or `no-op`", &found));
        }
        if !(0.0..=1.0).contains(overlap) {
            let found = format!("an overlap of {overlap} for candidate `{id}`");
            return Err(memory.failed("an overlap of 0 to 1", &found));
        }
        Ok(())
    })
}

pub(super) fn matched_files(bench: &ExplorerBench) -> Outcome {
    bench.each_finding(|memory, finding| {
        let Some(file) = &finding.matched_file else {
            return Ok(());
        };
        let path = Utf8Path::new(file);
        let directory = memory.staged.directory();
        let is_there = is_relative_path(path)
            && directory
                .metadata(path)
                .is_ok_and(|found| found.kind == EntryKind::File);
        if is_there {
            return Ok(());
        }
        Err(memory.failed("a file under `/memory`", &format!("`{file}`")))
    })
}

pub(super) fn same_twice(bench: &ExplorerBench) -> Outcome {
    for memory in &bench.memories {
        let first = bench.findings(memory)?;
        let second = bench.explore(&bench.bench.job, memory, &memory.search)?;
        if first != second.as_deref() {
            let found = format!("first {first:?}, then {second:?}");
            return Err(memory.failed("the same findings", &found));
        }
    }
    Ok(format!("{} memories, twice the same", bench.memories.len()))
}

pub(super) fn failing_search(bench: &ExplorerBench) -> Outcome {
    let search: SharedSearch = Arc::new(BrokenSearch);
    let found = bench.explore(&bench.bench.job, bench.named(SOME)?, &search)?;
    Ok(match found {
        Ok(found) => format!("{} findings", found.len()),
        Err(failure) => format!("failed with `{}`", failure.code),
    })
}

pub(super) fn asks_no_model(bench: &ExplorerBench) -> Outcome {
    let (job, models) = bench.bench.refusing();
    for memory in &bench.memories {
        bench.explore(&job, memory, &memory.search)?.ok();
        let asked = models.asked();
        if asked > 0 {
            let found = format!("{asked} questions, though no call is left");
            return Err(memory.failed("no question", &found));
        }
    }
    Ok("no model was asked".to_owned())
}
