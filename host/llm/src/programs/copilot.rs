//! Copilot CLI: the prompt on stdin, in a separate home that is removed with its session. Its system prompt cannot be
//! replaced, so ours is put before the prompt.

use serde_json::json;

use super::outcome::{ProgramOutcome, classify, events, json_lines};
use super::workplace::Workplace;
use super::{CommandLine, ProgramCall, prompt};
use crate::LlmError;
use crate::exchange::{ModelAnswer, StopReason};
use crate::process::Completed;

pub(super) fn prepare(
    call: &ProgramCall<'_>,
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

pub(super) fn read(completed: &Completed) -> ProgramOutcome {
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
        Some(content) if completed.succeeded() => ProgramOutcome::Answered(ModelAnswer {
            content,
            // It reports requests, not tokens.
            tokens: None,
            stop: StopReason::Done,
            list_price: None,
        }),
        _ if completed.succeeded() => ProgramOutcome::Unreadable {
            reason: "gave no answer",
            // Its events repeat the prompt.
            said: String::new(),
        },
        _ => classify(&completed.stderr_text(), None),
    }
}

/// Returns the result of its last call, such as `http_429`, which it prints when asked to terminate.
pub(super) fn complaints(stdout: &str) -> String {
    let events = json_lines(stdout).into_iter();
    let results = events.filter(|event| event["type"] == "model.call_final_result");
    let results = results.filter_map(|event| {
        let result = event["data"]["result"].as_str()?;
        Some(result.replace("http_", "status "))
    });
    results.collect::<Vec<_>>().join("\n")
}
