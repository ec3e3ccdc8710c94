//! Content of a message's pieces.

use acreta_sdk::adapter::author::{Author, Wrapping};
use acreta_sdk::adapter::blocks::words;
use acreta_sdk::adapter::json::{Text, Value};
use acreta_sdk::adapter::{Attrs, EventWriter, Failure, RecordSpan, Reply, Sink, Speaker, Tokens};

const WRAPPING: Wrapping = Wrapping {
    wrappers: &[
        ("<turn-context>", Author::Injected("environment")),
        ("<info-msg>", Author::Injected("environment")),
    ],
    inserts: &[("<system-reminder>", "</system-reminder>", "system-reminder")],
};

/// One message, from either store.
pub(crate) struct Message<'a> {
    pub(crate) role: &'a str,
    /// A list of pieces.
    pub(crate) content: Option<Value<'a>>,
    pub(crate) metadata: Option<Value<'a>>,
}

impl Message<'_> {
    pub(crate) fn emit<S: Sink>(
        &self,
        told: &mut EventWriter<'_, S>,
        place: &mut RecordSpan,
        speaker: Speaker,
    ) -> Result<(), Failure> {
        let Some(list @ Value::List(_)) = self.content else {
            told.diagnose(place, "the content is not a JSON list");
            return Ok(());
        };
        let mut reply = self.reply();
        // What stands beside a tool's result is the program's.
        let is_result = |piece: Value<'_>| {
            piece
                .text_of("type")
                .is_some_and(|it| it.is("toolResponse"))
        };
        let speaker = match list.elements().into_iter().any(is_result) {
            true => Speaker::Agent,
            false => speaker,
        };
        for piece in list.elements() {
            self.piece(piece, told, place, speaker, &mut reply)?;
        }
        Ok(())
    }

    fn piece<S: Sink>(
        &self,
        piece: Value<'_>,
        told: &mut EventWriter<'_, S>,
        place: &mut RecordSpan,
        speaker: Speaker,
        reply: &mut Reply,
    ) -> Result<(), Failure> {
        let kind = piece.text_of("type").map(Text::lossy).unwrap_or_default();
        match &*kind {
            "text" => {
                let text = place.text(piece, "text");
                match self.role {
                    "user" if self.is_hidden() => told.injected(place, "user", "context", text),
                    "user" => speaker.prompt(told, place, &text, &WRAPPING),
                    _ if text.trim().is_empty() => Ok(()),
                    _ => told.assistant(place, "text", text, reply.take()),
                }
            }
            "thinking" | "reasoning" => {
                let name = match piece.text_of("thinking") {
                    Some(_) => "thinking",
                    None => "text",
                };
                let text = place.text(piece, name);
                match text.trim() {
                    "" => Ok(()),
                    _ => told.assistant(place, "thinking", text, reply.take()),
                }
            }
            "toolRequest" | "frontendToolRequest" => {
                let id = place.text(piece, "id");
                let value = piece.field("toolCall").and_then(|call| call.field("value"));
                let tool = value.and_then(|value| value.text_of("name"));
                let tool = tool.map(Text::lossy).unwrap_or_default();
                let input = place.shown(value.and_then(|value| value.field("arguments")));
                told.tool_call(place, &tool, &id, input, reply.take())
            }
            "toolResponse" => {
                let id = place.text(piece, "id");
                let (text, is_error) = answer(piece, place);
                told.tool_result(place, &id, text, is_error)
            }
            "image" => told.emit(place, "user", "note", "[image]".to_owned(), Attrs::new()),
            "systemNotification" | "contextLengthExceeded" => {
                let note = place.text(piece, "msg");
                told.emit(place, "system", "note", note, Attrs::new())
            }
            "conversationCompacted" | "summarizationRequested" => {
                let text = place.text(piece, "msg");
                told.emit(place, "system", "compaction", text, Attrs::new())
            }
            "redactedThinking" | "toolConfirmationRequest" | "actionRequired" => Ok(()),
            other => {
                told.unknown(place, "contents", other);
                Ok(())
            }
        }
    }

    /// Reports whether text under the name of the user was inserted by the program: only the model sees it.
    fn is_hidden(&self) -> bool {
        let shown = self
            .metadata
            .and_then(|metadata| metadata.field("userVisible"));
        shown == Some(Value::Scalar(b"false"))
    }

    fn reply(&self) -> Reply {
        let of = |name| self.metadata.and_then(|metadata| metadata.field(name));
        let inference = of("inference");
        let model = inference.and_then(|inference| {
            let served = inference.text_of("model");
            served.or_else(|| inference.text_of("requestedModel"))
        });
        let number = |name: &str| of("usage").and_then(|usage| usage.field(name)?.number());
        let tokens = number("inputTokens").zip(number("outputTokens"));
        let tokens = tokens.map(|(input, output)| Tokens::new(input, output));
        Reply::new(model.map(Text::lossy).as_deref(), tokens)
    }
}

/// Renders a tool's result, and reports whether it is an error.
fn answer(piece: Value<'_>, place: &mut RecordSpan) -> (String, bool) {
    let Some(result) = piece.field("toolResult") else {
        return (String::new(), false);
    };
    if let Some(error) = result.field("error") {
        return (place.shown(Some(error)), true);
    }
    // Versions before `isError` store the list itself.
    let value = result.field("value");
    let content = value.and_then(|value| value.field("content")).or(value);
    let failed = value.and_then(|value| value.field("isError"));
    (words(content, place), failed.is_some_and(Value::is_true))
}
