//! Claude Code: `claude -p` in safe mode, with the schema as a tool that the model must use.

use serde_json::{Value, json};

use super::outcome::{ProgramOutcome, classify, without_output};
use super::workplace::Workplace;
use super::{CommandLine, ProgramCall, prompt};
use crate::exchange::{ModelAnswer, StopReason, count};
use crate::process::Completed;
use crate::{LlmError, Money, Schema};

pub(super) fn prepare(
    call: &ProgramCall<'_>,
    workplace: &Workplace,
    line: &mut CommandLine,
) -> Result<(), LlmError> {
    let exchange = call.exchange;
    let schema = as_tool(exchange.schema);
    let system = prompt::system(exchange, schema.is_none());
    let system = workplace.write("system.md", &system)?;
    line.arguments([
        "-p",
        "--safe-mode",
        "--strict-mcp-config",
        "--tools",
        "",
        "--no-session-persistence",
        "--output-format",
        "json",
        "--system-prompt-file",
        system.as_str(),
        "--effort",
        "low",
        "--max-budget-usd",
        MOST_DOLLARS,
    ]);
    if let Some(schema) = schema {
        line.arguments(["--json-schema", schema.text()]);
    }
    if let Some(model) = call.model() {
        line.arguments(["--model", model]);
    }
    line.set("CLAUDE_CODE_MAX_RETRIES", "1");
    line.set("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1");
    line.set("DISABLE_AUTOUPDATER", "1");
    line.stdin = prompt::prompt(exchange);
    Ok(())
}

pub(super) fn read(call: &ProgramCall<'_>, completed: &Completed) -> ProgramOutcome {
    let said = completed.stdout_text();
    if said.trim().is_empty() {
        return without_output(completed);
    }
    let Ok(reply) = serde_json::from_str::<Value>(said.trim()) else {
        return ProgramOutcome::Unreadable {
            reason: "wrote something that is not JSON",
            said,
        };
    };
    let text = |name: &str| reply.get(name).and_then(Value::as_str).unwrap_or_default();
    if reply.get("is_error") == Some(&json!(true)) || !completed.succeeded() {
        let status = reply.get("api_error_status").and_then(Value::as_u64);
        let status = status.and_then(|status| u16::try_from(status).ok());
        // With a message, the others are the program's own codes (`success`, `api_error`).
        let mut words = ["result", "subtype", "terminal_reason"]
            .map(text)
            .into_iter();
        let said = words.find(|word| !word.is_empty()).unwrap_or_default();
        return classify(said, status);
    }
    let tokens = reply.get("usage").and_then(tokens);
    let content = match as_tool(call.exchange.schema) {
        // The program exits successfully although the model did not follow the schema.
        Some(_) => match reply.get("structured_output") {
            Some(output) if !output.is_null() => output.to_string(),
            _ => return ProgramOutcome::SchemaUnmet { tokens },
        },
        None => text("result").to_owned(),
    };
    ProgramOutcome::Answered(ModelAnswer {
        content,
        tokens,
        stop: StopReason::Done,
        list_price: reply
            .get("total_cost_usd")
            .and_then(Value::as_f64)
            .and_then(Money::from_dollars),
    })
}

/// Cost limit at list price for one call with its retries; a plan is not billed for it.
const MOST_DOLLARS: &str = "1.00";

/// Maximum length of the schema argument; the system's limit is 128 KiB.
const LONGEST_SCHEMA: usize = 100_000;

/// Returns the schema if it can be the input of a tool.
fn as_tool(schema: Option<&Schema>) -> Option<&Schema> {
    schema.filter(|schema| {
        schema.value().get("type") == Some(&json!("object"))
            && schema.text().len() <= LONGEST_SCHEMA
    })
}

fn tokens(usage: &Value) -> Option<(u64, u64)> {
    let cached = ["cache_creation_input_tokens", "cache_read_input_tokens"];
    let cached = cached.iter().filter_map(|name| count(usage, name));
    let input = cached.fold(count(usage, "input_tokens")?, u64::saturating_add);
    Some((input, count(usage, "output_tokens")?))
}
