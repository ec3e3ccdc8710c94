//! Tool results, from the record of a tool's run.

use acreta_sdk::adapter::RecordSpan;
use acreta_sdk::adapter::json::{self, Value};

/// Outcome of a tool's run.
pub(crate) struct Outcome {
    pub(crate) text: String,
    pub(crate) is_error: bool,
}

/// Returns the outcome of a run; `None` while it is in progress.
pub(crate) fn outcome(run: Value<'_>, place: &mut RecordSpan) -> Option<Outcome> {
    let status = run.text_of("status")?.lossy();
    let reason = run.field("reason");
    match &*status {
        "done" => {
            let result = run.field("result");
            let code = result.and_then(|result| result.field("exitCode"));
            Some(Outcome {
                text: result.map_or_else(String::new, |result| said(result, place)),
                is_error: code.is_some_and(|code| code.number() != Some(0) && !is_null(code)),
            })
        }
        "error" => Some(failed(run.field("error"), "the tool failed", place)),
        "cancelled" => Some(failed(reason, "cancelled", place)),
        "rejected-by-user" => Some(failed(reason, "rejected by the user", place)),
        _ => None,
    }
}

fn failed(why: Option<Value<'_>>, otherwise: &str, place: &mut RecordSpan) -> Outcome {
    let text = why.map_or_else(String::new, |why| said(why, place));
    let text = if text.is_empty() {
        otherwise.to_owned()
    } else {
        text
    };
    Outcome {
        text,
        is_error: true,
    }
}

/// Renders a result: the text that a tool printed or read, else the result itself.
fn said(result: Value<'_>, place: &mut RecordSpan) -> String {
    let printed = ["output", "content", "diff", "message"]
        .into_iter()
        .find_map(|name| result.text_of(name));
    if let Some(text) = result.text().or(printed) {
        return place.decode(text).into_owned();
    }
    if is_null(result) {
        return String::new();
    }
    place.lossy(json::compact(result.raw()))
}

fn is_null(value: Value<'_>) -> bool {
    value == Value::Scalar(b"null")
}
