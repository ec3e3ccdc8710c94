//! Checks that every trace gets a result, always the same one.

use acreta_types::{Failure, Summary};

use super::traces::{EMPTY, HOSTILE, ONE};
use super::{ExtractorBench, TestTrace, broken};
use crate::conformance::bench::{Outcome, Reason};

pub(super) fn empty_trace(bench: &ExtractorBench) -> Outcome {
    let trace = named(bench, EMPTY)?;
    let found = bench.extract(&bench.bench.job, trace)?.unwrap_or_default();
    if !found.is_empty() {
        let found = format!("{} candidates", found.len());
        return Err(trace.failed("no candidates", &found));
    }
    // A session without content may have no summary.
    bench.summarise(trace)?.ok();
    Ok("no candidates".to_owned())
}

pub(super) fn one_event(bench: &ExtractorBench) -> Outcome {
    both(bench, named(bench, ONE)?)
}

pub(super) fn hostile(bench: &ExtractorBench) -> Outcome {
    both(bench, named(bench, HOSTILE)?)
}

/// Checks that both functions return.
fn both(bench: &ExtractorBench, trace: &TestTrace) -> Outcome {
    let extracted = bench.extract(&bench.bench.job, trace)?;
    bench.summarise(trace)?.ok();
    Ok(match extracted {
        Ok(candidates) => format!("{} candidates", candidates.len()),
        Err(failure) => format!("failed with `{}`", failure.code),
    })
}

pub(super) fn own(bench: &ExtractorBench) -> Outcome {
    let (mut traces, mut count) = (0, 0);
    for trace in bench.traces.iter().filter(|trace| trace.is_of_case) {
        traces += 1;
        match bench.extract(&bench.bench.job, trace)? {
            Ok(candidates) => count += candidates.len(),
            Err(failure) => return Err(no_answer(trace, "candidates", &failure)),
        }
    }
    if traces == 0 {
        let reason = "there is no case of an extractor: make one from an archived trace";
        return Err(Reason::Skipped(reason.to_owned()));
    }
    Ok(format!("{count} candidates of {traces} traces"))
}

pub(super) fn unreadable(bench: &ExtractorBench) -> Outcome {
    let trace = named(bench, ONE)?;
    let (extractor, job) = (&bench.extractor, &bench.bench.job);
    let extracted = extractor.extract(job, &trace.session, broken());
    let extracted = bench.bench.value("extract", extracted)?;
    let summary = extractor.summarise(job, &trace.session, broken());
    bench.bench.value("summarise", summary)?.ok();
    match extracted {
        Ok(candidates) if !candidates.is_empty() => {
            let found = format!("{} candidates", candidates.len());
            Err(trace.failed("a failure, or no candidates", &found))
        }
        Ok(_) => Ok("no candidates".to_owned()),
        Err(failure) => Ok(format!("failed with `{}`", failure.code)),
    }
}

pub(super) fn same_twice(bench: &ExtractorBench) -> Outcome {
    for trace in &bench.traces {
        let first = bench.extract(&bench.bench.job, trace)?;
        let second = bench.extract(&bench.bench.job, trace)?;
        if first != second {
            let found = format!("first {first:?}, then {second:?}");
            return Err(trace.failed("the same candidates", &found));
        }
        let (first, second) = (bench.summarise(trace)?, bench.summarise(trace)?);
        if first != second {
            let found = format!("first {first:?}, then {second:?}");
            return Err(trace.failed("the same summary", &found));
        }
    }
    Ok(format!("{} traces, twice the same", bench.traces.len()))
}

pub(super) fn summary(bench: &ExtractorBench) -> Outcome {
    let traces = bench.traces.iter().filter(|trace| trace.name != EMPTY);
    let mut count = 0;
    for trace in traces {
        match bench.summarise(trace)? {
            Ok(summary) => check_summary(trace, &summary)?,
            Err(failure) => return Err(no_answer(trace, "a summary", &failure)),
        }
        count += 1;
    }
    Ok(format!("{count} summaries"))
}

fn check_summary(trace: &TestTrace, summary: &Summary) -> Result<(), Reason> {
    let title = summary.title.trim();
    if title.is_empty() && summary.body.trim().is_empty() {
        // There is nothing to tell.
        return Ok(());
    }
    if title.is_empty() || title.contains('\n') {
        let found = format!("`{}`", summary.title);
        return Err(trace.failed("a title of one line", &found));
    }
    if summary.description.trim().contains('\n') {
        let found = format!("`{}`", summary.description);
        return Err(trace.failed("a description of one sentence", &found));
    }
    let words = summary.body.split_whitespace().count();
    if words == 0 || words > SUMMARY_WORDS {
        let found = format!("{words} words");
        return Err(trace.failed("a text of 1 to 300 words", &found));
    }
    Ok(())
}

/// Maximum length of a summary's body, in words.
const SUMMARY_WORDS: usize = 300;

pub(super) fn asks_no_model(bench: &ExtractorBench) -> Outcome {
    let (job, models) = bench.bench.refusing();
    for trace in &bench.traces {
        bench.extract(&job, trace)?.ok();
        let asked = models.asked();
        if asked > 0 {
            let found = format!("{asked} questions, though no call is left");
            return Err(trace.failed("no question", &found));
        }
    }
    Ok("no model was asked".to_owned())
}

/// A plugin that requires a model may refuse without one; the check is then skipped.
fn no_answer(trace: &TestTrace, expected: &str, failure: &Failure) -> Reason {
    let Failure { code, message, .. } = failure;
    if code == "not-granted" {
        return Reason::Skipped(format!("it says that it needs a model: {message}"));
    }
    trace.failed(expected, &format!("failed with `{code}`: {message}"))
}

fn named<'b>(bench: &'b ExtractorBench, name: &str) -> Result<&'b TestTrace, Reason> {
    let found = bench.traces.iter().find(|trace| trace.name == name);
    found.ok_or_else(|| Reason::Skipped(format!("there is no trace `{name}`")))
}
