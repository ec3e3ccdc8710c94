//! The records of Kimi Code: a log of all changes of an agent's state.
//!
//! Messages and loop events are the conversation. A prompt is logged when it is typed and again when it becomes a
//! message: it is emitted once, where it was typed.

use acreta_sdk::adapter::author::{Author, Piece};
use acreta_sdk::adapter::json::{Text, Value};
use acreta_sdk::adapter::{Attrs, EventWriter, Failure, RecordSpan, Sink, Speaker, shorten};

use crate::content::{WRAPPING, joined};
use crate::emit::{self, Call, State};

/// Names of the token counts: output first.
const TOKENS: [&str; 4] = [
    "output",
    "inputOther",
    "inputCacheRead",
    "inputCacheCreation",
];

/// Types of records without conversation, by their prefix.
const BOOKKEEPING: [&str; 31] = [
    "metadata",
    "forked",
    "turn.ended",
    "tools.",
    "llm.tools_snapshot",
    "mcp.",
    "permission.set_mode",
    "full_compaction.",
    "micro_compaction.",
    "plan_mode.",
    "plan.",
    "swarm_mode.",
    "tower_mode.",
    "context.update_token_count",
    "goal.update",
    "goal.clear",
    "goal.account_usage",
    "goal.continuation",
    "interaction.",
    "interruptionReminder.",
    "prompt.accepted",
    "prompt.completed",
    "agent.message.appended",
    "agent.turn.",
    "file_history.",
    "subagent.",
    "runtime.",
    "staleGuard.",
    "task.",
    "token_counting.",
    "cron.",
];

pub(crate) fn record<S: Sink>(
    told: &mut EventWriter<'_, S>,
    state: &mut State,
    speaker: Speaker,
    kind: &str,
    record: Value<'_>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    match kind {
        "turn.prompt" | "turn.steer" => {
            let origin = record
                .field("origin")
                .and_then(|origin| origin.text_of("kind"));
            if origin.is_some_and(|kind| kind.is("user")) {
                return emit::typed(told, state, record.field("input"), place);
            }
            Ok(())
        }
        "context.append_message" => match record.field("message") {
            Some(message) => self::message(told, state, speaker, message, place),
            None => without(told, place, "a message"),
        },
        "context.append_loop_event" => match record.field("event") {
            Some(event) => self::event(told, state, event, place),
            None => without(told, place, "an event"),
        },
        "context.apply_compaction" => {
            let summary = record
                .field("summary")
                .or_else(|| record.field("contextSummary"));
            let text = match summary {
                Some(message @ Value::Object(_)) => joined(message.field("content"), place),
                summary => joined(summary, place),
            };
            let author = Author::Compaction;
            told.piece(place, Piece { author, text })
        }
        "config.update" | "profile.bind" | "plugin.session_start" => {
            let (text, by) = match kind {
                "plugin.session_start" => (record.text_of("content"), "plugin"),
                _ => (record.text_of("systemPrompt"), "system-prompt"),
            };
            let text = text.map(|text| place.decode(text).into_owned());
            told.injected(place, "system", by, text.unwrap_or_default())
        }
        "llm.request" => {
            let is_reply = !record
                .text_of("kind")
                .is_some_and(|kind| kind.is("compaction"));
            let model = record.text_of("model").filter(|_| is_reply);
            state.model = model.map(|model| model.lossy().into_owned());
            Ok(())
        }
        "usage.record" => match record.field("usage") {
            Some(usage) => emit::usage(told, usage, TOKENS, record.text_of("model"), place),
            None => Ok(()),
        },
        "permission.record_approval_result" => approval(told, record, place),
        "context.clear" => note(told, place, "context cleared".to_owned()),
        "context.undo" => {
            let count = record.field("count").and_then(Value::number).unwrap_or(1);
            note(told, place, format!("took back the last prompts: {count}"))
        }
        "turn.cancel" => note(told, place, "interrupted".to_owned()),
        "goal.create" => match record.text_of("objective") {
            Some(goal) => {
                let goal = format!("goal: {}", shorten(&place.decode(goal)));
                note(told, place, goal)
            }
            None => Ok(()),
        },
        known if BOOKKEEPING.iter().any(|start| known.starts_with(start)) => Ok(()),
        other => {
            told.unknown(place, "records", other);
            Ok(())
        }
    }
}

fn without<S: Sink>(
    told: &mut EventWriter<'_, S>,
    place: &RecordSpan,
    what: &str,
) -> Result<(), Failure> {
    told.diagnose(
        place,
        &format!("a record of the conversation without {what}"),
    );
    Ok(())
}

/// Emits an action of the person.
fn note<S: Sink>(
    told: &mut EventWriter<'_, S>,
    place: &mut RecordSpan,
    text: String,
) -> Result<(), Failure> {
    told.emit(place, "user", "note", text, Attrs::new())
}

fn message<S: Sink>(
    told: &mut EventWriter<'_, S>,
    state: &mut State,
    speaker: Speaker,
    message: Value<'_>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let content = message.field("content");
    let role = message.text_of("role").map(Text::lossy).unwrap_or_default();
    match &*role {
        "user" => user(
            told,
            state,
            speaker,
            message.field("origin"),
            content,
            place,
        ),
        "system" => {
            let text = joined(content, place);
            told.injected(place, "system", "system-prompt", text)
        }
        "tool" => {
            let id = message
                .text_of("toolCallId")
                .map(Text::lossy)
                .unwrap_or_default();
            let is_error = message.field("isError").is_some_and(Value::is_true);
            let text = joined(content, place);
            told.tool_result(place, &id, text, is_error)
        }
        "assistant" => {
            for part in content.map(Value::elements).unwrap_or_default() {
                emit::answer(told, state, part, place)?;
            }
            let calls = message.field("toolCalls").map(Value::elements);
            for call in calls.unwrap_or_default() {
                // The first version of the protocol has name and arguments one level down.
                let function = call.field("function").unwrap_or(call);
                let call = Call {
                    id: call.text_of("id"),
                    name: function.text_of("name"),
                    arguments: function.field("arguments"),
                };
                emit::call(told, state, call, place)?;
            }
            Ok(())
        }
        other => {
            told.unknown(place, "messages", other);
            Ok(())
        }
    }
}

/// Emits a message in a person's name; its origin gives the author.
fn user<S: Sink>(
    told: &mut EventWriter<'_, S>,
    state: &mut State,
    speaker: Speaker,
    origin: Option<Value<'_>>,
    content: Option<Value<'_>>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let field = |name: &str| origin.and_then(|origin| origin.text_of(name));
    let kind = field("kind").map(Text::lossy).unwrap_or_default();
    let by: &str = match &*kind {
        "user" => return emit::prompt(told, state, Speaker::Person, content, place),
        "" => return emit::prompt(told, state, speaker, content, place),
        "compaction_summary" => {
            let text = joined(content, place);
            let author = Author::Compaction;
            return told.piece(place, Piece { author, text });
        }
        "shell_command" if field("phase").is_some_and(|phase| phase.is("input")) => {
            let command = joined(content, place);
            let typed = acreta_sdk::adapter::author::element(&command, "bash-input");
            return note(told, place, typed.unwrap_or(&command).to_owned());
        }
        "shell_command" => "bash",
        "skill_activation" => "skill",
        "plugin_command" => "command",
        "hook_result" => "hook",
        "task" => "task-notification",
        "cron_job" | "cron_missed" => "cron",
        "injection" => &field("variant")
            .map(Text::lossy)
            .unwrap_or("injection".into()),
        "system_trigger" => &field("name").map(Text::lossy).unwrap_or("system".into()),
        other => other,
    };
    let command = field("skillName").or_else(|| field("commandName"));
    let typed = field("skillArgs").or_else(|| field("commandArgs"));
    let is_typed = field("trigger").is_some_and(|trigger| trigger.is("user-slash"));
    if let (Some(command), Some(typed), true) = (command, typed, is_typed) {
        let typed = place.decode(typed).into_owned();
        for piece in acreta_sdk::adapter::author::split(&typed, &WRAPPING) {
            let author = match piece.author {
                Author::Own => Author::Command(&command.lossy()),
                other => other,
            };
            told.piece(place, Piece { author, ..piece })?;
        }
    }
    let text = joined(content, place);
    told.injected(place, "user", shorten(by), text)
}

/// Emits a step of the loop in which the model answers and tools run.
fn event<S: Sink>(
    told: &mut EventWriter<'_, S>,
    state: &mut State,
    event: Value<'_>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let text = |name: &str| event.text_of(name);
    match &*text("type").map(Text::lossy).unwrap_or_default() {
        "content.part" => match event.field("part") {
            Some(part) => emit::answer(told, state, part, place),
            None => without(told, place, "a part"),
        },
        "tool.call" => {
            let call = Call {
                id: text("toolCallId"),
                name: text("name"),
                arguments: event.field("args"),
            };
            emit::call(told, state, call, place)
        }
        "tool.result" => {
            let id = text("toolCallId").map(Text::lossy).unwrap_or_default();
            let result = event.field("result");
            let field = |name: &str| result.and_then(|result| result.field(name));
            let output = joined(field("output"), place);
            let is_error = field("isError").is_some_and(Value::is_true);
            told.tool_result(place, &id, output, is_error)
        }
        "step.begin" | "step.end" => Ok(()),
        other => {
            told.unknown(place, "events", other);
            Ok(())
        }
    }
}

/// A request for permission to run a tool. The result shows what the person allowed.
fn approval<S: Sink>(
    told: &mut EventWriter<'_, S>,
    record: Value<'_>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let result = record.field("result");
    let field = |name: &str| result.and_then(|result| result.text_of(name));
    let decision = field("decision").map(Text::lossy).unwrap_or_default();
    if decision == "approved" || decision.is_empty() {
        return Ok(());
    }
    let action = record.text_of("action").map(|action| place.decode(action));
    let what = format!("{decision}: {}", shorten(&action.unwrap_or_default()));
    let call = record
        .text_of("toolCallId")
        .map(Text::lossy)
        .unwrap_or_default();
    emit::refusal(told, &what, field("feedback"), &call, place)
}
