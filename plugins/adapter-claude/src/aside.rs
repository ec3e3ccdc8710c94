//! Records outside the conversation: system records, attachments, the queue of prompts.
//!
//! Most of them emit nothing. A prompt that only the queue or an attachment has is emitted, because a person typed it.

use acreta_sdk::adapter::json::{Text, Value, compact};
use acreta_sdk::adapter::{Attrs, Failure, RecordSpan, Sink, attr, shorten};

use crate::emit::EventWriter;
use crate::place::Speaker;
use crate::record::{Content, Record};
use crate::state::Prompt;

/// System records without information about the work.
const SILENT: [&str; 4] = [
    "turn_duration",
    "stop_hook_summary",
    "session_start",
    "away_summary",
];

/// Maximum number of nested objects that are searched for an error's message.
const ERROR_DEPTH: usize = 4;

impl<S: Sink> EventWriter<'_, S> {
    pub(crate) fn system(
        &mut self,
        record: &Record<'_>,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        let subtype = record.subtype.map(Text::lossy).unwrap_or_default();
        let content = record.content.and_then(Value::text);
        match &*subtype {
            "compact_boundary" => {
                let text =
                    content.map_or("Conversation compacted".into(), |text| place.decode(text));
                let trigger = record
                    .compaction
                    .and_then(|details| details.field("trigger"));
                let trigger = trigger
                    .and_then(Value::text)
                    .map(|text| attr("trigger", text.lossy()));
                let attrs = trigger.into_iter().collect();
                self.told
                    .emit(place, "system", "compaction", text.into_owned(), attrs)
            }
            "local_command" => match content {
                Some(text) => self.user_content(&Content::Text(text), &Speaker::Person, place),
                None => Ok(()),
            },
            silent if SILENT.contains(&silent) => Ok(()),
            _ => {
                let prompt = record.message.as_ref().map(|message| &message.content);
                if let Some(Content::Text(text)) = prompt {
                    let text = place.decode(*text).into_owned();
                    return self.told.injected(place, "system", "system-prompt", text);
                }
                let detail = content.map(|text| place.decode(text).into_owned());
                let detail = detail.or_else(|| record.error.map(|error| error_text(error, place)));
                let Some(detail) = detail.filter(|detail| !detail.trim().is_empty()) else {
                    return Ok(());
                };
                let text = match &*subtype {
                    "" => shorten(&detail).to_owned(),
                    named => format!("{named}: {}", shorten(&detail)),
                };
                self.told.emit(place, "system", "note", text, Attrs::new())
            }
        }
    }

    pub(crate) fn attachment(
        &mut self,
        record: &Record<'_>,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        let Some(attachment) = record.attachment else {
            return Ok(());
        };
        let text = |name: &str| attachment.field(name).and_then(Value::text);
        let kind = text("type").map(Text::lossy).unwrap_or_default();
        match &*kind {
            "queued_command" => {
                let speaker = if record.is_of_agent() {
                    Speaker::Tooling("agent".to_owned())
                } else if attachment.field("isMeta").is_some_and(Value::is_true) {
                    Speaker::Tooling("meta".to_owned())
                } else {
                    let origin = attachment.field("origin");
                    Speaker::of_origin(origin.and_then(|origin| origin.field("kind")?.text()))
                };
                match attachment.field("prompt").map(Content::of) {
                    Some(prompt) => self.user_content(&prompt, &speaker, place),
                    None => Ok(()),
                }
            }
            "goal_status" => {
                let Some(goal) = text("condition") else {
                    return Ok(());
                };
                let is_met = attachment.field("met").is_some_and(Value::is_true);
                let state = if is_met { "goal met" } else { "goal" };
                let note = format!("{state}: {}", shorten(&place.decode(goal)));
                self.told.emit(place, "user", "note", note, Attrs::new())
            }
            "file" => match text("filename") {
                Some(name) => {
                    let note = format!("[file {}]", shorten(&place.decode(name)));
                    self.told.emit(place, "user", "note", note, Attrs::new())
                }
                None => Ok(()),
            },
            "nested_memory" => {
                let content = attachment
                    .field("content")
                    .and_then(|memory| memory.field("content"));
                self.injected(content, "memory-file", place)
            }
            hook if hook.starts_with("hook_") => {
                self.injected(attachment.field("content"), "hook", place)
            }
            _ => Ok(()),
        }
    }

    /// Emits text that the tooling inserted: a string or a list of strings.
    fn injected(
        &mut self,
        content: Option<Value<'_>>,
        by: &str,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        let texts = match content {
            Some(Value::Text(text)) => vec![text],
            Some(list) => list
                .elements()
                .into_iter()
                .filter_map(Value::text)
                .collect(),
            None => Vec::new(),
        };
        let texts: Vec<_> = texts.into_iter().map(|text| place.decode(text)).collect();
        self.told.injected(place, "user", by, texts.join("\n"))
    }

    /// Follows the rules of the queue: a dequeued prompt comes as a `user` record; one removed without its text was
    /// handed to the agent during its work and is recorded nowhere else; one removed with its text comes as an
    /// attachment; one taken back was never sent.
    pub(crate) fn queue_operation(
        &mut self,
        record: &Record<'_>,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        let content = record.content.and_then(Value::text);
        match (
            &*record.operation.map(Text::lossy).unwrap_or_default(),
            content,
        ) {
            ("enqueue", Some(text)) => {
                let text = place.decode(text).into_owned();
                let (start, end) = (place.start, place.end);
                let at_ms = place.at_ms;
                let prompt = Prompt {
                    at_ms,
                    start,
                    end,
                    ..Prompt::default()
                };
                self.state.queue_prompt(prompt, text);
            }
            ("dequeue", _) => {
                self.state.next_prompt();
            }
            ("remove", Some(text)) => self.state.drop_prompt(&place.decode(text)),
            ("remove", None) => {
                if let Some(prompt) = self.state.next_prompt() {
                    return self.queued(prompt, place);
                }
            }
            ("popAll", _) => self.state.forget_prompts(),
            _ => {}
        }
        Ok(())
    }

    /// Emits a prompt at the place where it was typed.
    fn queued(&mut self, prompt: Prompt, place: &mut RecordSpan) -> Result<(), Failure> {
        let mut typed = RecordSpan {
            record: String::new(),
            start: prompt.start,
            end: prompt.end,
            at_ms: prompt.at_ms,
            attrs: std::mem::take(&mut place.attrs),
            ..RecordSpan::default()
        };
        if prompt.truncated_bytes > 0 {
            typed
                .attrs
                .push(attr("truncated_bytes", prompt.truncated_bytes.to_string()));
        }
        self.user_words(&prompt.text, &Speaker::Person, &mut typed)
    }
}

/// Returns the message inside an error, else the error itself.
fn error_text(error: Value<'_>, place: &mut RecordSpan) -> String {
    let mut inner = error;
    for _ in 0..ERROR_DEPTH {
        if let Some(text) = inner
            .field("message")
            .and_then(Value::text)
            .or(inner.text())
        {
            return place.decode(text).into_owned();
        }
        match inner.field("error") {
            Some(deeper) => inner = deeper,
            None => break,
        }
    }
    match error {
        Value::Object(b"{}") | Value::Scalar(_) => String::new(),
        other => place.lossy(compact(other.raw())),
    }
}
