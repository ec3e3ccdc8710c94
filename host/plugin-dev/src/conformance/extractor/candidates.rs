//! Checks that candidates are well formed on any trace.

use acreta_text::bounds::{TAG, TAGS, TEXT, TITLE};
use std::collections::BTreeSet;

use acreta_types::{Candidate, MEMORY_TYPES, MemoryType};

use super::{ExtractorBench, TestTrace};
use crate::conformance::bench::{Outcome, Reason};

pub(super) fn fields(bench: &ExtractorBench) -> Outcome {
    bench.each_candidate(check_fields)
}

fn check_fields(trace: &TestTrace, candidate: &Candidate) -> Result<(), Reason> {
    let Candidate {
        id,
        category,
        kind,
        title,
        body,
        confidence,
        tags,
        ..
    } = candidate;
    let fail = |expected: &str, found: String| {
        Err(trace.failed(expected, &format!("candidate `{id}` has {found}")))
    };
    let memory_type = MemoryType::from_name(category);
    let Some(memory_type) = memory_type.filter(|found| found.entry().extractable) else {
        let types = MEMORY_TYPES.iter().filter(|entry| entry.extractable);
        let types: Vec<&str> = types.map(|entry| entry.name).collect();
        return fail(&types.join(" or "), format!("the type `{category}`"));
    };
    if !memory_type.allows_kind(kind) {
        let kinds = memory_type.entry().kinds.join(", ");
        let expected = if kinds.is_empty() { "no kind" } else { &kinds };
        return fail(expected, format!("the kind `{kind}`"));
    }
    let title = title.trim();
    if title.is_empty() || title.contains('\n') || title.chars().count() > TITLE {
        let expected = format!("a title of one line of at most {TITLE} characters");
        return fail(&expected, format!("the title `{title}`"));
    }
    if body.trim().is_empty() {
        return fail("a body", "none".to_owned());
    }
    let length = title.chars().count() + body.trim().chars().count();
    if length > TEXT {
        let expected = format!("at most {TEXT} characters of title and body");
        return fail(&expected, format!("{length}"));
    }
    let texts = title.chars().chain(body.chars());
    let mut texts = texts.chain(tags.iter().flat_map(|tag| tag.chars()));
    if let Some(hidden) = texts.find(|character| acreta_text::is_hidden(*character)) {
        let expected = "no control or invisible characters";
        return fail(expected, hidden.escape_unicode().to_string());
    }
    let is_tag = |tag: &String| !tag.trim().is_empty() && tag.chars().count() <= TAG;
    if tags.len() > TAGS || !tags.iter().all(is_tag) {
        let expected = format!("at most {TAGS} tags of at most {TAG} characters");
        return fail(&expected, format!("{tags:?}"));
    }
    if !(0.0..=1.0).contains(confidence) {
        return fail("a confidence of 0 to 1", format!("{confidence}"));
    }
    Ok(())
}

pub(super) fn quotes(bench: &ExtractorBench) -> Outcome {
    bench.each_candidate(|trace, candidate| {
        let id = &candidate.id;
        if candidate.evidence.is_empty() {
            let found = format!("candidate `{id}` cites nothing");
            return Err(trace.failed("evidence", &found));
        }
        for evidence in &candidate.evidence {
            let cited = &evidence.event_id;
            let event = trace.events.iter().find(|event| event.id == *cited);
            let Some(event) = event else {
                let found = format!("candidate `{id}` cites `{cited}`");
                return Err(trace.failed("an event of the trace", &found));
            };
            let quote = &evidence.quote;
            if quote.trim().is_empty() || quote.len() > QUOTE {
                let found = format!("candidate `{id}` quotes {} bytes", quote.len());
                return Err(trace.failed("a quote of 1 to 2000 bytes", &found));
            }
            if !event.text.contains(quote) {
                let found = format!("candidate `{id}` says that `{cited}` has `{quote}`");
                return Err(trace.failed("words of the event", &found));
            }
        }
        Ok(())
    })
}

/// Maximum length of a quote, in bytes.
const QUOTE: usize = 2_000;

pub(super) fn ids(bench: &ExtractorBench) -> Outcome {
    let mut seen = BTreeSet::new();
    bench.each_candidate(|trace, candidate| {
        let id = &candidate.id;
        if id.is_empty() {
            return Err(trace.failed("an id", "a candidate has none"));
        }
        if !seen.insert((trace.name.clone(), id.clone())) {
            return Err(trace.failed("unique ids", &format!("two candidates `{id}`")));
        }
        Ok(())
    })
}

pub(super) fn rules_from_people(bench: &ExtractorBench) -> Outcome {
    bench.each_candidate(|trace, candidate| {
        if !matches!(candidate.kind.as_str(), "preference" | "convention") {
            return Ok(());
        }
        let is_said = candidate.evidence.iter().any(|evidence| {
            trace.events.iter().any(|event| {
                event.id == evidence.event_id
                    && matches!(event.role.as_str(), "user" | "assistant")
                    && event.kind == "text"
            })
        });
        if is_said {
            return Ok(());
        }
        let Candidate { id, kind, .. } = candidate;
        let found = format!("candidate `{id}`, a {kind}, cites nobody else");
        Err(trace.failed("a person's or an agent's own words", &found))
    })
}
