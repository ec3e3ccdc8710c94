//! Checks that files have the decided content and preserve a person's additions.

use acreta_store::{Document, DraftFile};
use acreta_types::WriteAction;
use jiff::Timestamp;

use super::checks::none_checked;
use super::{ActionSet, WriterBench};
use crate::conformance::bench::{Outcome, Reason};

pub(super) fn decided(bench: &WriterBench) -> Outcome {
    let mut files = 0;
    each_file(bench, |order, action, file| {
        files += 1;
        check_words(order, action, file)
    })?;
    none_checked(files)
}

fn check_words(order: &ActionSet, action: &WriteAction, file: &DraftFile) -> Result<(), Reason> {
    let (title, kind, tags, body) = match (&action.candidate, &action.summary) {
        (Some(one), _) => (&one.title, one.kind.as_str(), &one.tags, &one.body),
        (None, Some(one)) => (&one.title, "", &one.tags, &one.body),
        (None, None) => return Ok(()),
    };
    let head = &file.front_matter;
    let path = &file.path;
    let fail = |key: &str, expected: &str, found: &str| {
        let found = format!("`{path}` has the {key} `{found}`");
        Err(order.failed(&format!("the {key} `{expected}`"), &found))
    };
    if head.title.trim() != title.trim() {
        return fail("title", title, &head.title);
    }
    let found = head.kind.as_deref().unwrap_or("");
    if found != kind {
        return fail("kind", kind, found);
    }
    if head.tags != *tags {
        return fail("tags", &tags.join(", "), &head.tags.join(", "));
    }
    if head.related != action.related {
        let (expected, found) = (action.related.join(", "), head.related.join(", "));
        return fail("related ids", &expected, &found);
    }
    for (key, expected, found) in [
        ("created", action.created_ms, &head.created),
        ("updated", action.updated_ms, &head.updated),
    ] {
        let found = found.as_deref().unwrap_or("");
        // Whole seconds are precise enough.
        let seconds = found.parse::<Timestamp>().map(Timestamp::as_second).ok();
        if seconds != i64::try_from(expected / 1000).ok() {
            return fail(key, &format!("{expected} ms"), found);
        }
    }
    // A writer may wrap and indent; only the words have to match.
    let text = Document::parse(&file.text).map_or("", |document| document.body);
    let said = acreta_text::tokens(text);
    match acreta_text::tokens(body).difference(&said).next() {
        Some(word) => {
            Err(order.failed("all words of the body", &format!("`{path}` lacks `{word}`")))
        }
        None => Ok(()),
    }
}

pub(super) fn unknown_keys(bench: &WriterBench) -> Outcome {
    let mut files = 0;
    each_file(bench, |order, action, file| {
        let current = action.current.as_deref().unwrap_or("");
        let Ok(before) = Document::parse(current) else {
            return Ok(());
        };
        files += 1;
        let kept = &file.front_matter.extra;
        let lost = before
            .front_matter
            .extra
            .iter()
            .find(|(key, value)| kept.get(*key) != Some(*value));
        match lost {
            Some((key, _)) => Err(order.failed(
                &format!("the key `{key}`, as it was"),
                &format!("`{}` has it not", file.path),
            )),
            None => Ok(()),
        }
    })?;
    none_checked(files)
}

/// Runs a check on every file that the host would accept, and its action.
fn each_file(
    bench: &WriterBench,
    mut run: impl FnMut(&ActionSet, &WriteAction, &DraftFile) -> Result<(), Reason>,
) -> Result<(), Reason> {
    bench.each_draft(|order, drafted| {
        let Ok(files) = &drafted.checked else {
            return Ok(());
        };
        for file in files {
            let action = order.actions.iter().find(|one| one.id == file.action_id);
            if let Some(action) = action {
                run(order, action, file)?;
            }
        }
        Ok(())
    })
}
