//! Notices that Codex showed to the person. Most of them repeat the conversation; emitted are the person's words that
//! are recorded nowhere else, errors, and changes of its course.

use acreta_sdk::adapter::json::{Text, Value, compact};
use acreta_sdk::adapter::{Attrs, Failure, RecordSpan, Sink, shorten};

use crate::emit::EventWriter;
use crate::state::Stream;

/// Notices that repeat the conversation or have nothing of it.
const SILENT: &[&str] = &[
    "account/rateLimits/updated",
    "agent_message",
    "agent_message_content_delta",
    "agent_reasoning",
    "agent_reasoning_raw_content",
    "agent_reasoning_section_break",
    "apply_patch_approval_request",
    "background_event",
    "collab_agent_interaction_begin",
    "collab_agent_interaction_end",
    "collab_agent_spawn_begin",
    "collab_agent_spawn_end",
    "collab_close_begin",
    "collab_close_end",
    "collab_resume_begin",
    "collab_resume_end",
    "collab_waiting_begin",
    "collab_waiting_end",
    "context_compacted",
    "deprecation_notice",
    "dynamic_tool_call_request",
    "dynamic_tool_call_response",
    "exec_approval_request",
    "exec_command_begin",
    "exec_command_output_delta",
    "exited_review_mode",
    "guardian_assessment",
    "guardian_warning",
    "hook_completed",
    "hook_started",
    "image_generation_begin",
    "image_generation_end",
    "item_started",
    "mcp_startup_complete",
    "mcp_startup_update",
    "mcp_tool_call_begin",
    "model_reroute",
    "patch_apply_begin",
    "plan_update",
    "request_user_input",
    "session_configured",
    "shutdown_complete",
    "sub_agent_activity",
    "task_started",
    "terminal_interaction",
    "thread_name_updated",
    "turn_diff",
    "turn_started",
    "undo_started",
    "view_image_tool_call",
    "warning",
    "web_search_begin",
    "web_search_end",
];

impl<S: Sink> EventWriter<'_, S> {
    pub(crate) fn notice(
        &mut self,
        notice: Value<'_>,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        let kind = notice.text_of("type").map(Text::lossy).unwrap_or_default();
        match &*kind {
            "user_message" => {
                let message = notice.field("message");
                self.heard(message.as_slice(), Stream::Event, place)
            }
            "item_completed" => self.completed(notice, place),
            "token_count" => {
                if let Some(info) = notice.field("info") {
                    self.state.reply().count(info);
                }
                match self.state.reply().is_said() {
                    // Older versions do not record that the turn ended.
                    true => self.turn_complete(place),
                    false => Ok(()),
                }
            }
            "task_complete" | "turn_complete" => self.turn_complete(place),
            "patch_apply_end" | "mcp_tool_call_end" | "exec_command_end" => {
                if is_failure(notice) {
                    let call = notice.text_of("call_id").unwrap_or_default();
                    self.state.fail(&call.lossy());
                }
                Ok(())
            }
            "thread_settings_applied" => {
                // The last record of a copied history.
                self.state.thread.copied = None;
                Ok(())
            }
            "turn_aborted" => {
                let reason = notice.text_of("reason").unwrap_or_default();
                self.note("turn aborted", Some(reason), place)
            }
            "error" | "stream_error" => {
                let error = notice.field("error").unwrap_or(notice);
                let message = error.text_of("message").or_else(|| error.text());
                self.note("error", message, place)
            }
            "thread_rolled_back" => {
                let turns = notice.field("num_turns").and_then(Value::number);
                let text = format!("{} turns rolled back", turns.unwrap_or(1));
                self.told.emit(place, "system", "note", text, Attrs::new())
            }
            "undo_completed" => self.note("undone", notice.text_of("message"), place),
            "entered_review_mode" => {
                let hint = notice.text_of("user_facing_hint");
                self.note("review", hint.or_else(|| notice.text_of("prompt")), place)
            }
            "thread_goal_updated" => self.goal(notice, place),
            silent if SILENT.contains(&silent) => Ok(()),
            other => {
                self.told.unknown(place, "notices", other);
                Ok(())
            }
        }
    }

    /// Newer versions record finished items in place of notices. All except the person's words and the commands of a
    /// script repeat the conversation.
    fn completed(&mut self, notice: Value<'_>, place: &mut RecordSpan) -> Result<(), Failure> {
        let Some(item) = notice.field("item") else {
            return Ok(());
        };
        let kind = item.text_of("type").map(Text::lossy).unwrap_or_default();
        match &*kind {
            "UserMessage" => {
                let content = item.field("content").map(Value::elements);
                self.heard(&content.unwrap_or_default(), Stream::Event, place)
            }
            "CommandExecution" => self.executed(item, place),
            _ => Ok(()),
        }
    }

    /// A command that ended. One that the agent called itself has its result in the conversation; one that a script of
    /// the agent called is only recorded here. One that the person typed is neither.
    fn executed(&mut self, item: Value<'_>, place: &mut RecordSpan) -> Result<(), Failure> {
        let call = item.text_of("id").map(Text::lossy).unwrap_or_default();
        let is_error = is_failure(item);
        if self.told.calls.is_open(&call) {
            if is_error {
                self.state.fail(&call);
            }
            return Ok(());
        }
        let source = item.text_of("source").map(Text::lossy).unwrap_or_default();
        let Some(command) = item.field("command") else {
            return Ok(());
        };
        if !call.starts_with("exec-") || source.starts_with("user") {
            return Ok(());
        }
        let input = format!("{{\"command\":{}}}", place.lossy(compact(command.raw())));
        self.told
            .tool_call(place, "exec_command", &call, input, Attrs::new())?;
        let output = item.text_of("aggregated_output");
        let output = output.map(|text| place.decode(text)).unwrap_or_default();
        self.told
            .tool_result(place, &call, output.into_owned(), is_error)
    }

    /// Handles the end of a turn: emits the tokens of a reply that no event followed.
    fn turn_complete(&mut self, place: &mut RecordSpan) -> Result<(), Failure> {
        if !self.state.reply().is_counted() {
            return Ok(());
        }
        let attrs = self.state.reply().take();
        let text = "turn finished".to_owned();
        self.told.emit(place, "system", "note", text, attrs)
    }

    /// A goal that the person set; it is repeated whenever its state changes.
    fn goal(&mut self, notice: Value<'_>, place: &mut RecordSpan) -> Result<(), Failure> {
        let goal = notice.field("goal").unwrap_or(notice);
        let objective = goal.text_of("objective").map(|text| place.decode(text));
        let Some(objective) = objective.filter(|text| self.state.is_new_goal(text)) else {
            return Ok(());
        };
        let text = format!("goal: {}", shorten(&objective));
        self.told.emit(place, "user", "note", text, Attrs::new())
    }

    fn note(
        &mut self,
        what: &str,
        detail: Option<Text<'_>>,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        let detail = detail.map(|text| place.decode(text)).unwrap_or_default();
        let text = match detail.trim() {
            "" => what.to_owned(),
            detail => format!("{what}: {}", shorten(detail)),
        };
        self.told.emit(place, "system", "note", text, Attrs::new())
    }
}

/// Reports whether a call ended in failure, in any of the forms of the kinds of calls.
fn is_failure(notice: Value<'_>) -> bool {
    let result = notice.field("result");
    notice.field("success") == Some(Value::Scalar(b"false"))
        || notice
            .field("exit_code")
            .is_some_and(|code| code != Value::Scalar(b"0"))
        || result.is_some_and(|result| {
            let answer = result
                .field("Ok")
                .and_then(|answer| answer.field("isError"));
            result.field("Err").is_some() || answer.is_some_and(Value::is_true)
        })
}
