//! Copilot CLI: the prompt on stdin in a home of its own, which is removed with the session in it. Its
//! own system prompt cannot be replaced, so ours stands at the head of the prompt.

use serde_json::json;

use super::outcome::{Outcome, classify, events, json_lines};
use super::workplace::Workplace;
use super::{Call, CommandLine, prompt};
use crate::LlmError;
use crate::exchange::{Answer, Stop};
use crate::process::Completed;

pub(super) fn prepare(
    call: &Call<'_>,
    workplace: &Workplace,
    line: &mut CommandLine,
) -> Result<(), LlmError> {
    let settings = json!({ "disableAllHooks": true, "memory": false }).to_string();
    workplace.write("home/settings.json", &settings)?;
    line.set("COPILOT_HOME", workplace.path("home").as_str());
    line.set("COPILOT_AUTO_UPDATE", "false");
    line.arguments([
        "-s",
        "--output-format",
        "json",
        "--no-custom-instructions",
        "--available-tools",
        "none",
        "--disable-builtin-mcps",
        "--stream",
        "off",
        "--log-level",
        "none",
        "--no-auto-update",
    ]);
    if let Some(model) = call.model() {
        line.arguments(["--model", model]);
    }
    line.stdin = prompt::whole(call.exchange);
    Ok(())
}

pub(super) fn read(completed: &Completed) -> Outcome {
    let events = match events(completed) {
        Ok(events) => events,
        Err(outcome) => return outcome,
    };
    if let Some(error) = events
        .iter()
        .rev()
        .find(|event| event["type"] == "session.error")
    {
        let data = &error["data"];
        let status = data["statusCode"].as_u64();
        let status = status.and_then(|status| u16::try_from(status).ok());
        let words = [data["message"].as_str(), data["errorType"].as_str()];
        let words: Vec<&str> = words.into_iter().flatten().collect();
        return classify(&words.join(" / "), status);
    }
    let messages = events.iter().rev();
    let mut messages = messages.filter(|event| event["type"] == "assistant.message");
    let content = messages.find_map(|event| {
        let text = event["data"]["content"].as_str()?;
        (!text.is_empty()).then(|| text.to_owned())
    });
    match content {
        Some(content) if completed.succeeded() => Outcome::Answered(Answer {
            content,
            // It counts requests, not tokens.
            tokens: None,
            stop: Stop::Done,
            list_price: None,
        }),
        _ if completed.succeeded() => Outcome::Unreadable {
            reason: "gave no answer",
            // Its events repeat the prompt.
            said: String::new(),
        },
        _ => classify(&completed.stderr_text(), None),
    }
}

/// How its last call ended, as it says when it is told to end itself: `http_429` and the like.
pub(super) fn complaints(stdout: &str) -> String {
    let events = json_lines(stdout).into_iter();
    let results = events.filter(|event| event["type"] == "model.call_final_result");
    let results = results.filter_map(|event| {
        let result = event["data"]["result"].as_str()?;
        Some(result.replace("http_", "status "))
    });
    results.collect::<Vec<_>>().join("\n")
}
