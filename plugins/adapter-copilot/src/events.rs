//! Turns the records of a log into events. Separates the person's words from the context that is sent to the model
//! around them.

use acreta_sdk::adapter::author::Wrapping;
use acreta_sdk::adapter::json::{Scanner, Text, Value, compact};
use acreta_sdk::adapter::{Attrs, EventWriter, Failure, RecordSpan, Sink, Tokens, attr, shorten};

use crate::record::Record;
use crate::state::State;

/// Types of records that repeat the conversation or have nothing of it.
const SILENT: &[&str] = &[
    "assistant.idle",
    "assistant.intent",
    "assistant.message_delta",
    "assistant.message_start",
    "assistant.reasoning_delta",
    "assistant.server_tool_progress",
    "assistant.streaming_delta",
    "assistant.tool_call_delta",
    "assistant.turn_end",
    "assistant.turn_start",
    "assistant.usage",
    "hook.progress",
    "hook.start",
    "exit_plan_mode.requested",
    "model.call_failure",
    "pending_messages.modified",
    "session.auto_mode_resolved",
    "session.autopilot_objective_changed",
    "session.background_tasks_changed",
    "session.binary_asset",
    "session.compaction_start",
    "session.context_changed",
    "session.custom_agents_updated",
    "session.custom_notification",
    "session.extensions_loaded",
    "session.idle",
    "session.info",
    "session.mcp_server_status_changed",
    "session.mcp_servers_loaded",
    "session.mode_changed",
    "session.model_change",
    "session.permissions_changed",
    "session.plan_changed",
    "session.remote_steerable_changed",
    "session.resume",
    "session.session_limits_changed",
    "session.skills_loaded",
    "session.start",
    "session.task_complete",
    "session.title_changed",
    "session.todos_changed",
    "session.tools_updated",
    "session.usage_checkpoint",
    "session.usage_info",
    "session.usage_record",
    "session.warning",
    "session.workspace_file_changed",
    "subagent.completed",
    "subagent.configured",
    "subagent.deselected",
    "subagent.selected",
    "subagent.started",
    "tool.execution_partial_result",
    "tool.execution_progress",
    "tool_search.activated",
    "user_input.completed",
    "user_input.requested",
];

/// Prefixes of such types.
const SILENT_KINDS: &[&str] = &[
    "auto_mode_switch.",
    "capabilities.",
    "command.",
    "commands.",
    "elicitation.",
    "external_tool.",
    "factory.",
    "mcp.",
    "permission.",
    "sampling.",
    "session.canvas.",
    "session.extensions.",
    "session.managed_settings_",
    "session.schedule_",
    "session_limits_exhausted.",
    "ui.",
];

pub(crate) fn emit<S: Sink>(
    told: &mut EventWriter<'_, S>,
    state: &mut State,
    record: &Record<'_>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    match &*record.kind {
        "user.message" => user(told, record, place),
        "assistant.message" => assistant(told, state, record, place),
        "assistant.reasoning" => match record.text("content") {
            Some(text) => thought(told, state, text, place, Attrs::new()),
            None => Ok(()),
        },
        "tool.execution_start" | "tool.user_requested" => call(told, record, place),
        "tool.execution_complete" => result(told, record, place),
        "system.message" => {
            let text = decoded(record.text("content"), place);
            if !state.is_new_system(&text) {
                return Ok(());
            }
            told.injected(place, "system", "system-prompt", text)
        }
        "system.notification" => {
            let text = decoded(record.text("content"), place);
            told.injected(place, "user", "notification", text)
        }
        "skill.invoked" => {
            let text = decoded(record.text("content"), place);
            told.injected(place, "user", "skill", text)
        }
        "hook.end" => {
            let output = record.data.field("output");
            let text = output.and_then(|output| output.text_of("additionalContext"));
            let text = decoded(text, place);
            told.injected(place, "user", "hook", text)
        }
        "session.handoff" => {
            let parts = ["summary", "context"].map(|name| decoded(record.text(name), place));
            told.injected(
                place,
                "user",
                "handoff",
                parts.join("\n\n").trim().to_owned(),
            )
        }
        "exit_plan_mode.completed" => {
            let words = decoded(record.text("feedback"), place);
            told.person(place, &words, &Wrapping::default())
        }
        "session.compaction_complete" => compaction(told, record, place),
        "session.truncation" => {
            let removed = record.data.field("messagesRemovedDuringTruncation");
            let removed = removed.and_then(Value::number).unwrap_or(0);
            let text = format!("Conversation truncated: {removed} messages removed");
            told.emit(place, "system", "compaction", text, Attrs::new())
        }
        "abort" => note(told, "aborted", record.text("reason"), place),
        "session.error" => note(told, "error", record.text("message"), place),
        "subagent.failed" => note(told, "subagent error", record.text("error"), place),
        "session.context_cleared" => note(told, "context cleared", None, place),
        "session.shutdown" => spent(told, state, record, place),
        "session.snapshot_rewind" => note(told, "rewound", None, place),
        silent if SILENT.contains(&silent) => Ok(()),
        silent if SILENT_KINDS.iter().any(|kind| silent.starts_with(kind)) => Ok(()),
        "" => {
            told.diagnose_once(place, "a record without a type");
            Ok(())
        }
        other => {
            told.unknown(place, "records", other);
            Ok(())
        }
    }
}

/// Emits the tokens that each model read, which are counted at the end of a session only. Those out are on the replies.
fn spent<S: Sink>(
    told: &mut EventWriter<'_, S>,
    state: &mut State,
    record: &Record<'_>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let Some(Value::Object(models)) = record.data.field("modelMetrics") else {
        return Ok(());
    };
    let mut used = Vec::new();
    let read = Scanner::new(models).each_field(|scanner, model| {
        let usage = scanner.value()?.field("usage");
        let count = |name: &str| usage.and_then(|usage| usage.field(name)?.number());
        let tokens = Tokens {
            input: count("inputTokens"),
            cache_read: count("cacheReadTokens"),
            cache_write: count("cacheWriteTokens"),
            ..Tokens::default()
        };
        used.push((String::from_utf8_lossy(model).into_owned(), tokens));
        Ok(())
    });
    if read.is_err() {
        told.diagnose_once(place, "the tokens of the session are damaged");
    }
    for (model, tokens) in used {
        let tokens = state.count_model(&model, tokens);
        if tokens.is_zero() {
            continue;
        }
        let text = format!("{model}: {} tokens in", tokens.input.unwrap_or(0));
        let mut attrs = vec![attr("model", model)];
        attrs.extend(tokens.attrs());
        told.emit(place, "system", "note", text, attrs)?;
    }
    Ok(())
}

fn user<S: Sink>(
    told: &mut EventWriter<'_, S>,
    record: &Record<'_>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let words = decoded(record.text("content"), place);
    match author(record) {
        Some(by) => told.injected(place, "user", by, words.clone())?,
        None => told.person(place, &words, &Wrapping::default())?,
    }
    let attached = record.data.field("attachments").map(Value::elements);
    for attachment in attached.unwrap_or_default() {
        let name = ["displayName", "path", "filePath", "url", "type"];
        let name = name.iter().find_map(|name| attachment.text_of(name));
        let text = format!("[file {}]", shorten(&decoded(name, place)));
        told.emit(place, "user", "note", text, Attrs::new())?;
    }
    // The text that was sent instead: it contains the person's words, and the rest was inserted.
    let sent = decoded(record.text("transformedContent"), place);
    match sent.split_once(words.trim()) {
        Some((before, behind)) if !words.trim().is_empty() => {
            let context = format!("{}\n{}", before.trim(), behind.trim());
            told.injected(place, "user", "context", context.trim().to_owned())
        }
        _ => Ok(()),
    }
}

/// Returns the author of a prompt, unless it is a person.
fn author(record: &Record<'_>) -> Option<&'static str> {
    let source = record.text("source").map(Text::lossy).unwrap_or_default();
    let is_continuation = record.data.field("isAutopilotContinuation");
    if is_continuation.is_some_and(Value::is_true) {
        return Some("autopilot");
    }
    let is_agent = source.starts_with("agent-") || record.agent().is_some();
    match &*source {
        _ if is_agent => Some("agent"),
        "" | "user" => None,
        source if source.starts_with("skill-") => Some("skill"),
        // A schedule, a command of the repository, a server: whatever it is, nobody typed it.
        _ => Some("source"),
    }
}

fn assistant<S: Sink>(
    told: &mut EventWriter<'_, S>,
    state: &mut State,
    record: &Record<'_>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let mut attrs = Attrs::new();
    let id = record
        .text("apiCallId")
        .or_else(|| record.text("messageId"));
    let id = id.map(Text::lossy).unwrap_or_default();
    if state.is_new_call(&id) || id.is_empty() {
        let model = record
            .text("model")
            .map(|model| attr("model", model.lossy()));
        attrs.extend(model);
        // Input tokens are only recorded at the end of the session.
        let tokens = record.data.field("outputTokens").and_then(Value::number);
        attrs.extend(tokens.map(|tokens| attr("output_tokens", tokens.to_string())));
    }
    if let Some(text) = record.text("reasoningText") {
        let told_before = place.events;
        thought(told, state, text, place, attrs.clone())?;
        if place.events > told_before {
            attrs.clear();
        }
    }
    let words = decoded(record.text("content"), place);
    if !words.trim().is_empty() {
        told.assistant(place, "text", words, std::mem::take(&mut attrs))?;
    }
    let requests = record.data.field("toolRequests").map(Value::elements);
    for request in requests.unwrap_or_default() {
        let tool = request.text_of("name").unwrap_or_default().lossy();
        let call = request.text_of("toolCallId").unwrap_or_default().lossy();
        let input = input(request.field("arguments"), place);
        told.tool_call(place, &tool, &call, input, std::mem::take(&mut attrs))?;
    }
    if attrs.iter().any(|(name, _)| name == "output_tokens") {
        // All that the reply had was thoughts that are not shown. Its tokens count.
        let text = "replied without words".to_owned();
        return told.emit(place, "assistant", "note", text, attrs);
    }
    Ok(())
}

/// Emits a thought once, although it is stored both alone and with its message.
fn thought<S: Sink>(
    told: &mut EventWriter<'_, S>,
    state: &mut State,
    text: Text<'_>,
    place: &mut RecordSpan,
    attrs: Attrs,
) -> Result<(), Failure> {
    let text = place.decode(text).into_owned();
    if !state.is_new_thought(&text) {
        return Ok(());
    }
    told.assistant(place, "thinking", text, attrs)
}

/// Emits a call that no message requested; the others were emitted with their message.
fn call<S: Sink>(
    told: &mut EventWriter<'_, S>,
    record: &Record<'_>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let call = record.text("toolCallId").unwrap_or_default().lossy();
    if told.calls.is_open(&call) {
        return Ok(());
    }
    let tool = record.text("toolName").unwrap_or_default().lossy();
    let input = input(record.data.field("arguments"), place);
    told.tool_call(place, &tool, &call, input, Attrs::new())
}

fn result<S: Sink>(
    told: &mut EventWriter<'_, S>,
    record: &Record<'_>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let call = record.text("toolCallId").unwrap_or_default().lossy();
    let result = record.data.field("result");
    let content = result.and_then(|result| {
        let texts = ["content", "detailedContent"].map(|name| result.text_of(name));
        texts
            .into_iter()
            .flatten()
            .find(|text| !text.raw.is_empty())
    });
    let error = record.data.field("error");
    let message = error.and_then(|error| error.text_of("message").or_else(|| error.text()));
    let text = decoded(content.or(message), place);
    let is_error = record.data.field("success") == Some(Value::Scalar(b"false"))
        || exit_code(&text).is_some_and(|code| code != 0);
    told.tool_result(place, &call, text, is_error)
}

/// Parses the exit code in the last line of a shell's output.
fn exit_code(text: &str) -> Option<i64> {
    let last = text.trim_end().rsplit('\n').next()?;
    let (_, code) = last.strip_prefix('<')?.split_once("with exit code ")?;
    code.strip_suffix('>')?.parse().ok()
}

fn compaction<S: Sink>(
    told: &mut EventWriter<'_, S>,
    record: &Record<'_>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    if record.data.field("success") == Some(Value::Scalar(b"false")) {
        return note(told, "compaction error", record.text("error"), place);
    }
    let summary = decoded(record.text("summaryContent"), place);
    let text = match summary.trim() {
        "" => "Conversation compacted".to_owned(),
        _ => summary,
    };
    told.emit(place, "system", "compaction", text, Attrs::new())
}

fn note<S: Sink>(
    told: &mut EventWriter<'_, S>,
    what: &str,
    detail: Option<Text<'_>>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let text = match decoded(detail, place).trim() {
        "" => what.to_owned(),
        detail => format!("{what}: {}", shorten(detail)),
    };
    told.emit(place, "system", "note", text, Attrs::new())
}

fn input(arguments: Option<Value<'_>>, place: &mut RecordSpan) -> String {
    match arguments {
        Some(Value::Text(text)) => place.decode(text).into_owned(),
        Some(value) => place.lossy(compact(value.raw())),
        None => String::new(),
    }
}

fn decoded(text: Option<Text<'_>>, place: &mut RecordSpan) -> String {
    text.map(|text| place.decode(text).into_owned())
        .unwrap_or_default()
}
