//! Converts OpenHands' events to acreta's.

use std::collections::HashSet;

use acreta_sdk::adapter::author::Wrapping;
use acreta_sdk::adapter::calls::Calls;
use acreta_sdk::adapter::document::Item;
use acreta_sdk::adapter::json::{Text, Value, compact};
use acreta_sdk::adapter::{Attrs, EventWriter, Failure, RecordSpan, Reply, Sink, Unique};

use crate::event::{Event, Kind};

/// Actions without information about the work: changes of state, and requests whose answer has it.
const SILENT_ACTIONS: [&str; 9] = [
    "null",
    "change_agent_state",
    "recall",
    "condensation_request",
    "pause",
    "resume",
    "stop",
    "start",
    "loop_recovery",
];
const SILENT_OBSERVATIONS: [&str; 2] = ["null", "think"];

/// Actions that are tool calls, and observations that are results.
const TOOLS: [&str; 16] = [
    "run",
    "run_ipython",
    "read",
    "write",
    "edit",
    "browse",
    "browse_interactive",
    "call_tool_mcp",
    "mcp",
    "delegate",
    "task_tracking",
    "push",
    "send_pr",
    "download",
    "success",
    "user_rejected",
];

/// Exit code of a command that still runs.
const STILL_RUNNING: i64 = -1;

/// Author of text in the person's position.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Audience {
    Person,
    /// A benchmark: the text is the task.
    Benchmark,
}

pub(crate) struct Telling<'s, S> {
    event_writer: EventWriter<'s, S>,
    audience: Audience,
    ids: Unique,
    /// Replies of the model whose tokens were emitted.
    replies: HashSet<String>,
    /// The last call, for versions that do not record which one is answered.
    last_call: String,
}

impl<'s, S: Sink> Telling<'s, S> {
    pub(crate) fn new(sink: &'s mut S, audience: Audience) -> Self {
        Self {
            event_writer: EventWriter::new(sink, Calls::default()),
            audience,
            ids: Unique::default(),
            replies: HashSet::new(),
            last_call: String::new(),
        }
    }

    pub(crate) fn finish(self) -> Result<(), Failure> {
        self.event_writer.finish().map(|_| ())
    }

    pub(crate) fn diagnose(&mut self, place: &RecordSpan, message: &str) {
        self.event_writer.diagnose(place, message);
    }

    /// Emits the task, if no event has it.
    pub(crate) fn task(&mut self, place: &RecordSpan, text: String) -> Result<(), Failure> {
        let mut place = named(place, "task");
        self.event_writer.injected(&mut place, "user", "task", text)
    }

    /// Emits the error of the task's evaluation.
    pub(crate) fn error(&mut self, place: &RecordSpan, text: String) -> Result<(), Failure> {
        if text.is_empty() {
            return Ok(());
        }
        let mut place = named(place, "error");
        self.event_writer
            .emit(&mut place, "system", "note", text, Attrs::new())
    }

    /// Emits one event.
    pub(crate) fn event(&mut self, item: Item<'_>) -> Result<(), Failure> {
        let event = Event(item.value);
        let mut place = RecordSpan::new(event.id(), item.start, item.end, event.at_ms());
        self.ids.name(&mut place, &format!("@{}", item.start));
        match event.kind() {
            Some(Kind::Action(name)) => self.action(event, &name.lossy(), &mut place)?,
            Some(Kind::Observation(name)) => self.observation(event, &name.lossy(), &mut place)?,
            None => self.event_writer.diagnose_once(
                &place,
                "an event that is neither an action nor an observation",
            ),
        }
        self.event_writer.close(&place);
        Ok(())
    }

    fn action(
        &mut self,
        event: Event<'_>,
        name: &str,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        match name {
            "message" => self.message(event, place),
            "system" => {
                let text = detail(event, "content", place);
                self.event_writer
                    .injected(place, "system", "system-prompt", text)
            }
            "think" => {
                let (thought, mut reply) = (detail(event, "thought", place), self.reply(event));
                self.event_writer
                    .assistant(place, "thinking", thought, reply.take())
            }
            "finish" | "reject" => self.end(event, place),
            "condensation" => {
                let summary = detail(event, "summary", place);
                self.compaction(place, summary)
            }
            silent if SILENT_ACTIONS.contains(&silent) => Ok(()),
            tool => {
                if !TOOLS.contains(&tool) {
                    self.event_writer.unknown(place, "actions", tool);
                }
                self.call(event, tool, place)
            }
        }
    }

    fn message(&mut self, event: Event<'_>, place: &mut RecordSpan) -> Result<(), Failure> {
        let text = detail(event, "content", place);
        let waits = event
            .detail("wait_for_response")
            .is_some_and(Value::is_true);
        // Without a source, only the agent waits for an answer.
        let unnamed = if waits { "agent" } else { "user" };
        let source = event.source().map_or(unnamed.into(), Text::lossy);
        let role = match (&*source, self.audience) {
            ("agent", _) => {
                let mut reply = self.reply(event);
                self.event_writer
                    .assistant(place, "text", text, reply.take())?;
                "assistant"
            }
            ("user", Audience::Person) => {
                self.event_writer
                    .person(place, &text, &Wrapping::default())?;
                "user"
            }
            ("user", Audience::Benchmark) => {
                self.event_writer.injected(place, "user", "task", text)?;
                "user"
            }
            _ => {
                self.event_writer
                    .injected(place, "user", "environment", text)?;
                "user"
            }
        };
        let images = event.detail("image_urls").map(Value::elements);
        for _ in images.unwrap_or_default() {
            let note = "[image]".to_owned();
            self.event_writer
                .emit(place, role, "note", note, Attrs::new())?;
        }
        Ok(())
    }

    /// Emits the agent's last words.
    fn end(&mut self, event: Event<'_>, place: &mut RecordSpan) -> Result<(), Failure> {
        let mut reply = self.reply(event);
        for name in ["thought", "final_thought"] {
            let text = detail(event, name, place);
            if !text.is_empty() {
                self.event_writer
                    .assistant(place, "text", text, reply.take())?;
            }
        }
        if place.events > 0 {
            return Ok(());
        }
        let text = event.0.text_of("message").map(|text| place.decode(text));
        let text = text.unwrap_or_default().into_owned();
        self.event_writer
            .assistant(place, "text", text, reply.take())
    }

    fn call(
        &mut self,
        event: Event<'_>,
        name: &str,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        let mut reply = self.reply(event);
        let thought = detail(event, "thought", place);
        if !thought.trim().is_empty() {
            self.event_writer
                .assistant(place, "text", thought, reply.take())?;
        }
        let made = event.call();
        let is_server = name == "call_tool_mcp";
        let named = event.detail_text("name").filter(|_| is_server);
        let tool = named.or_else(|| made?.tool).map(Text::lossy);
        let tool = tool.unwrap_or(name.into());
        let call = match made {
            Some(made) => made.id.lossy().into_owned(),
            None if !place.record.is_empty() => place.record.clone(),
            None => place.event_id(),
        };
        let input = made.and_then(|made| made.input());
        let input = input.or_else(|| event.detail_text("command"));
        let input = input.or_else(|| event.detail_text("code"));
        let input = match input {
            Some(text) => place.decode(text).into_owned(),
            None => {
                let details = event.0.field("args").unwrap_or(event.0);
                place.lossy(compact(details.raw()))
            }
        };
        self.last_call.clone_from(&call);
        if event.source().is_some_and(|source| source.is("user")) {
            self.event_writer.calls.open(&call, &tool);
            return self
                .event_writer
                .emit(place, "user", "note", input, Attrs::new());
        }
        self.event_writer
            .tool_call(place, &tool, &call, input, reply.take())
    }

    fn observation(
        &mut self,
        event: Event<'_>,
        name: &str,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        match name {
            silent if SILENT_OBSERVATIONS.contains(&silent) => Ok(()),
            "agent_state_changed" => {
                let reason = detail(event, "reason", place);
                self.note(place, reason)
            }
            "recall" => self.recall(event, place),
            "condense" => {
                let summary = detail(event, "content", place);
                self.compaction(place, summary)
            }
            "error" if self.answered(event).is_none() => {
                let text = detail(event, "content", place);
                self.note(place, text)
            }
            "chat" | "message" | "loop_detection" => {
                let text = detail(event, "content", place);
                self.note(place, text)
            }
            tool => {
                if tool != "error" && !TOOLS.contains(&tool) {
                    self.event_writer.unknown(place, "observations", tool);
                }
                self.result(event, tool, place)
            }
        }
    }

    fn result(
        &mut self,
        event: Event<'_>,
        name: &str,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        let call = self.answered(event).unwrap_or_else(|| event.cause());
        let text = detail(event, "content", place);
        let failed = event
            .exit_code()
            .is_some_and(|code| code != 0 && code != STILL_RUNNING);
        let is_error = failed
            || matches!(name, "error" | "user_rejected")
            || event.detail("error").is_some_and(Value::is_true);
        let waiting = self.event_writer.calls.close(&call);
        let named = event.detail_text("name").filter(|_| name == "mcp");
        let tool = named.map(|tool| tool.lossy().into_owned()).or(waiting);
        let tool = tool.unwrap_or_else(|| name.to_owned());
        self.event_writer
            .result_of(place, Some(&tool), &call, text, is_error)
    }

    /// Returns the call that an observation answers.
    fn answered(&self, event: Event<'_>) -> Option<String> {
        if let Some(call) = event.call() {
            return Some(call.id.lossy().into_owned());
        }
        let cause = event.cause();
        let call = if cause.is_empty() {
            &self.last_call
        } else {
            &cause
        };
        self.event_writer.calls.is_open(call).then(|| call.clone())
    }

    /// Emits text inserted from the repository and from knowledge files. Other fields describe secrets.
    fn recall(&mut self, event: Event<'_>, place: &mut RecordSpan) -> Result<(), Failure> {
        const INSTRUCTIONS: [&str; 3] = [
            "repo_instructions",
            "additional_agent_instructions",
            "conversation_instructions",
        ];
        for name in INSTRUCTIONS {
            let text = detail(event, name, place);
            self.event_writer
                .injected(place, "user", "instructions", text)?;
        }
        let knowledge = event.detail("microagent_knowledge").map(Value::elements);
        for file in knowledge.unwrap_or_default() {
            if let Some(text) = file.text_of("content") {
                let text = place.decode(text).into_owned();
                self.event_writer
                    .injected(place, "user", "microagent", text)?;
            }
        }
        Ok(())
    }

    fn compaction(&mut self, place: &mut RecordSpan, summary: String) -> Result<(), Failure> {
        if summary.is_empty() {
            return Ok(());
        }
        self.event_writer
            .emit(place, "system", "compaction", summary, Attrs::new())
    }

    fn note(&mut self, place: &mut RecordSpan, text: String) -> Result<(), Failure> {
        if text.is_empty() {
            return Ok(());
        }
        self.event_writer
            .emit(place, "system", "note", text, Attrs::new())
    }

    /// Returns model and tokens of the reply that contains an action, the first time.
    fn reply(&mut self, event: Event<'_>) -> Reply {
        let Some(call) = event.call() else {
            return Reply::default();
        };
        let is_first = match call.reply() {
            Some(id) => self.replies.insert(id.lossy().into_owned()),
            None => true,
        };
        if !is_first {
            return Reply::default();
        }
        let model = call.model().map(Text::lossy);
        Reply::new(model.as_deref(), call.tokens())
    }
}

fn detail(event: Event<'_>, name: &str, place: &mut RecordSpan) -> String {
    let text = event.detail_text(name).map(|text| place.decode(text));
    text.unwrap_or_default().into_owned()
}

/// Builds a place for an event about the whole record.
fn named(place: &RecordSpan, what: &str) -> RecordSpan {
    RecordSpan {
        id: Some(format!("@{}:{what}", place.start)),
        ..place.clone()
    }
}
