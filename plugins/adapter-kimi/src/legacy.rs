//! The records of the older Kimi CLI: the messages of its wire protocol, `{timestamp, message: {type, payload}}`.
//! Streamed text is already joined.

use acreta_sdk::adapter::author::{Author, Piece};
use acreta_sdk::adapter::json::{Text, Value};
use acreta_sdk::adapter::{Attrs, EventWriter, Failure, RecordSpan, Sink, Speaker, attr};

use crate::content::joined;
use crate::emit::{self, Call, State};

/// Names of the token counts: output first.
const TOKENS: [&str; 4] = [
    "output",
    "input_other",
    "input_cache_read",
    "input_cache_creation",
];

/// Messages without conversation.
const BOOKKEEPING: [&str; 13] = [
    "TurnEnd",
    "StepBegin",
    "StepRetry",
    "CompactionBegin",
    "HookTriggered",
    "HookRequest",
    "HookResponse",
    "MCPLoadingBegin",
    "MCPLoadingEnd",
    "ApprovalRequest",
    "QuestionRequest",
    "QuestionResponse",
    "ToolCallRequest",
];

pub(crate) fn message<S: Sink>(
    told: &mut EventWriter<'_, S>,
    state: &mut State,
    speaker: Speaker,
    message: Value<'_>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let kind = message.text_of("type").map(Text::lossy).unwrap_or_default();
    let Some(payload) = message.field("payload") else {
        told.diagnose(place, "a message without a payload");
        return Ok(());
    };
    let text = |name: &str| payload.text_of(name);
    match &*kind {
        "TurnBegin" | "SteerInput" => {
            emit::prompt(told, state, speaker, payload.field("user_input"), place)
        }
        "BtwBegin" => emit::prompt(told, state, speaker, payload.field("question"), place),
        "BtwEnd" => said(
            told,
            "text",
            text("response").or_else(|| text("error")),
            place,
        ),
        "PlanDisplay" => said(told, "note", text("content"), place),
        "ContentPart" => emit::answer(told, state, payload, place),
        "ToolCall" => {
            let function = payload.field("function");
            let call = Call {
                id: text("id"),
                name: function.and_then(|function| function.text_of("name")),
                arguments: function.and_then(|function| function.field("arguments")),
            };
            emit::call(told, state, call, place)
        }
        "ToolCallPart" => {
            told.diagnose_once(place, "arguments of a tool call that came in parts");
            Ok(())
        }
        "ToolResult" => result(told, payload, place),
        "StatusUpdate" => match payload.field("token_usage") {
            Some(usage @ Value::Object(_)) => emit::usage(told, usage, TOKENS, None, place),
            _ => Ok(()),
        },
        "CompactionEnd" => {
            let (author, text) = (Author::Compaction, "Conversation compacted".to_owned());
            told.piece(place, Piece { author, text })
        }
        "StepInterrupted" => {
            let text = "interrupted".to_owned();
            told.emit(place, "system", "note", text, Attrs::new())
        }
        "ApprovalResponse" | "ApprovalRequestResolved" => {
            if text("response").is_some_and(|response| response.is("reject")) {
                return emit::refusal(told, "rejected", text("feedback"), "", place);
            }
            Ok(())
        }
        "HookResolved" => inserted(told, "hook", text("reason"), place),
        "Notification" => inserted(told, "notification", text("body"), place),
        "SubagentEvent" => subagent(told, state, payload, place),
        known if BOOKKEEPING.contains(&known) => Ok(()),
        other => {
            told.unknown(place, "messages", other);
            Ok(())
        }
    }
}

fn said<S: Sink>(
    told: &mut EventWriter<'_, S>,
    kind: &str,
    text: Option<Text<'_>>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let text = text.map(|text| place.decode(text).into_owned());
    told.assistant(place, kind, text.unwrap_or_default(), Attrs::new())
}

fn inserted<S: Sink>(
    told: &mut EventWriter<'_, S>,
    by: &str,
    text: Option<Text<'_>>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let text = text.map(|text| place.decode(text).into_owned());
    told.injected(place, "user", by, text.unwrap_or_default())
}

fn result<S: Sink>(
    told: &mut EventWriter<'_, S>,
    payload: Value<'_>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let id = payload
        .text_of("tool_call_id")
        .map(Text::lossy)
        .unwrap_or_default();
    let returned = payload
        .field("return_value")
        .or_else(|| payload.field("result"));
    let field = |name: &str| returned.and_then(|returned| returned.field(name));
    let mut text = joined(field("output"), place);
    // A message about the output; the only content if a tool fails.
    let message = joined(field("message"), place);
    if !message.trim().is_empty() {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&message);
    }
    let is_error = field("is_error").is_some_and(Value::is_true);
    told.tool_result(place, &id, text, is_error)
}

/// Emits a subagent's actions. A subagent with its own id has its own file, which is its session.
fn subagent<S: Sink>(
    told: &mut EventWriter<'_, S>,
    state: &mut State,
    payload: Value<'_>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let (None, Some(event)) = (payload.text_of("agent_id"), payload.field("event")) else {
        return Ok(());
    };
    // Events do not nest deeper: a subagent does not start another.
    if event
        .text_of("type")
        .is_some_and(|kind| kind.is("SubagentEvent"))
    {
        return Ok(());
    }
    let call = payload
        .text_of("parent_tool_call_id")
        .or_else(|| payload.text_of("task_tool_call_id"));
    if let Some(call) = call {
        place.attrs.push(attr("agent_id", call.lossy()));
    }
    message(told, state, Speaker::Agent, event, place)
}
