//! One request of a chat in VS Code and its answer: text in pieces, thoughts, tool calls.

use acreta_sdk::adapter::author::Wrapping;
use acreta_sdk::adapter::json::{Text, Value, compact};
use acreta_sdk::adapter::{Attrs, EventWriter, Failure, RecordSpan, Reply, Sink, Tokens, shorten};

/// Parts of an answer without information about the work.
const SILENT: &[&str] = &[
    "agentDetection",
    "clearToPreviousToolInvocation",
    "codeCitation",
    "codeblockUri",
    "command",
    "confirmation",
    "disabledClaudeHooks",
    "elicitation",
    "elicitation2",
    "elicitationSerialized",
    "extensions",
    "externalToolInvocationUpdate",
    "hook",
    "markdownVuln",
    "mcpServersStarting",
    "mcpServersStartingSerialized",
    "move",
    "multiDiffData",
    "notebookEdit",
    "prepareToolInvocation",
    "progressMessage",
    "progressTask",
    "progressTaskResult",
    "progressTaskSerialized",
    "pullRequest",
    "questionCarousel",
    "reference",
    "references",
    "textEdit",
    "treeData",
    "undoStop",
    "usedContext",
    "usage",
];

/// Maximum number of attachments that are named.
const MOST_ATTACHED: usize = 32;

/// Attachments that VS Code adds by itself.
const IMPLICIT: &[&str] = &[
    "implicit",
    "promptFile",
    "promptText",
    "tool",
    "toolset",
    "workspace",
];

pub(crate) fn emit<S: Sink>(
    told: &mut EventWriter<'_, S>,
    request: Value<'_>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let words = request
        .field("message")
        .map(|message| words(message, place));
    told.person(place, &words.unwrap_or_default(), &Wrapping::default())?;
    attached(told, request, place)?;
    let mut answer = Answer {
        reply: reply(request),
        text: String::new(),
    };
    let parts = request.field("response").map(Value::elements);
    for part in parts.unwrap_or_default() {
        answer.part(told, part, place)?;
    }
    answer.flush(told, place)?;
    let error = request
        .field("result")
        .and_then(|result| result.field("errorDetails"));
    let error = error.and_then(|error| error.text_of("message"));
    if let Some(message) = error {
        let note = format!("error: {}", shorten(&place.decode(message)));
        told.emit(place, "system", "note", note, Attrs::new())?;
    }
    if request.field("isCanceled").is_some_and(Value::is_true) {
        let note = "aborted".to_owned();
        told.emit(place, "system", "note", note, Attrs::new())?;
    }
    Ok(())
}

/// Returns the person's text: a string, or parts of one.
fn words(message: Value<'_>, place: &mut RecordSpan) -> String {
    if let Some(text) = message.text().or_else(|| message.text_of("text")) {
        return place.decode(text).into_owned();
    }
    let parts = message
        .field("parts")
        .map(Value::elements)
        .unwrap_or_default();
    let texts = parts.iter().filter_map(|part| part.text_of("text"));
    texts.map(|text| place.decode(text).into_owned()).collect()
}

/// Emits the attachments of a request.
fn attached<S: Sink>(
    told: &mut EventWriter<'_, S>,
    request: Value<'_>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let variables = request
        .field("variableData")
        .and_then(|data| data.field("variables"));
    let variables = variables.map(Value::elements).unwrap_or_default();
    for variable in variables.iter().take(MOST_ATTACHED) {
        let kind = variable.text_of("kind").unwrap_or_default().lossy();
        if IMPLICIT.contains(&&*kind) {
            continue;
        }
        let name = place.decode(variable.text_of("name").unwrap_or_default());
        let note = format!("[file {}]", shorten(&name));
        told.emit(place, "user", "note", note, Attrs::new())?;
    }
    Ok(())
}

/// Returns model and tokens of an answer.
fn reply(request: Value<'_>) -> Reply {
    let model = request.text_of("modelId").map(Text::lossy);
    let result = request.field("result");
    let tokens = ["usage", "metadata"].iter().find_map(|name| {
        let usage = result?.field(name)?;
        let number = |name: &str| usage.field(name).and_then(Value::number);
        let output = number("completionTokens").or_else(|| number("outputTokens"))?;
        Some(Tokens::new(number("promptTokens")?, output))
    });
    Reply::new(model.as_deref(), tokens)
}

/// An answer being emitted. Its text comes in pieces, with names of files between them.
struct Answer {
    reply: Reply,
    text: String,
}

impl Answer {
    fn part<S: Sink>(
        &mut self,
        told: &mut EventWriter<'_, S>,
        part: Value<'_>,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        let kind = part.text_of("kind").map(Text::lossy).unwrap_or_default();
        match &*kind {
            "" => self.push(part.field("value"), place),
            "markdownContent" => self.push(part.field("content"), place),
            "inlineReference" => {
                let reference = part.field("inlineReference");
                let name = part.text_of("name");
                let name = name.or_else(|| reference.and_then(|target| target.text_of("name")));
                let name = name.map(|name| place.decode(name).into_owned());
                let name = name.or_else(|| reference.and_then(|target| file_name(target, place)));
                self.text
                    .push_str(&format!("`{}`", name.unwrap_or_default()));
            }
            "thinking" => {
                self.flush(told, place)?;
                let thought = match part.field("value") {
                    Some(Value::Text(text)) => place.decode(text).into_owned(),
                    Some(list) => {
                        let texts = list.elements().into_iter().filter_map(Value::text);
                        texts.map(|text| place.decode(text).into_owned()).collect()
                    }
                    None => String::new(),
                };
                if !thought.trim().is_empty() {
                    let attrs = self.reply.take();
                    told.assistant(place, "thinking", thought, attrs)?;
                }
            }
            "toolInvocationSerialized" | "toolInvocation" => {
                self.flush(told, place)?;
                let attrs = self.reply.take();
                tool(told, part, place, attrs)?;
            }
            "textEditGroup" | "notebookEditGroup" | "workspaceEdit" => {
                self.flush(told, place)?;
                let file = part.field("uri").and_then(|uri| file_name(uri, place));
                let note = format!("[edited {}]", file.as_deref().unwrap_or("files"));
                let attrs = self.reply.take();
                told.emit(place, "assistant", "note", note, attrs)?;
            }
            "warning" => {
                self.flush(told, place)?;
                let text = message(part.field("content"), place).unwrap_or_default();
                let note = format!("warning: {}", shorten(&text));
                told.emit(place, "system", "note", note, Attrs::new())?;
            }
            silent if SILENT.contains(&silent) => {}
            other => told.unknown(place, "parts of an answer", other),
        }
        Ok(())
    }

    fn push(&mut self, text: Option<Value<'_>>, place: &mut RecordSpan) {
        if let Some(text) = message(text, place) {
            self.text.push_str(&text);
        }
    }

    /// Emits the text so far.
    fn flush<S: Sink>(
        &mut self,
        told: &mut EventWriter<'_, S>,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        let text = std::mem::take(&mut self.text);
        if text.trim().is_empty() {
            return Ok(());
        }
        told.assistant(place, "text", text, self.reply.take())
    }
}

/// A tool call and its result. Input and output are stored only for some tools; for the others there is a sentence.
fn tool<S: Sink>(
    told: &mut EventWriter<'_, S>,
    part: Value<'_>,
    place: &mut RecordSpan,
    attrs: Attrs,
) -> Result<(), Failure> {
    let name = part.text_of("toolId").unwrap_or_default().lossy();
    let call = part.text_of("toolCallId").unwrap_or_default().lossy();
    let details = part.field("resultDetails");
    let specific = part.field("toolSpecificData");
    let command = specific.and_then(|data| data.field("commandLine").or(data.field("command")));
    let input = details.and_then(|details| details.field("input"));
    let input = input.or_else(|| {
        let lines = ["toolEdited", "userEdited", "original"];
        let line = lines.iter().find_map(|name| command?.field(name));
        line.or(command)
    });
    let input = input.or_else(|| specific.and_then(|data| data.field("rawInput")));
    let input = match input {
        Some(value @ (Value::Object(_) | Value::List(_))) => place.lossy(compact(value.raw())),
        _ => message(input, place)
            .or_else(|| message(part.field("invocationMessage"), place))
            .unwrap_or_default(),
    };
    told.tool_call(place, &name, &call, input, attrs)?;

    let shown = specific.and_then(|data| data.field("terminalCommandOutput"));
    let output = details.and_then(|details| outputs(details, place));
    let output = output.or_else(|| message(shown.and_then(|shown| shown.field("text")), place));
    let output = output.or_else(|| message(part.field("pastTenseMessage"), place));
    let state = specific.and_then(|data| data.field("terminalCommandState"));
    let code = state.and_then(|state| state.field("exitCode"));
    let is_error = details.is_some_and(|details| {
        let is_error = details.field("isError");
        is_error.is_some_and(Value::is_true)
    }) || code.is_some_and(|code| !matches!(code, Value::Scalar(b"0" | b"null")));
    told.tool_result(place, &call, output.unwrap_or_default(), is_error)
}

/// Renders a tool's result: a text, or a list of texts and other content.
fn outputs(details: Value<'_>, place: &mut RecordSpan) -> Option<String> {
    let output = details.field("output")?;
    if let Some(text) = message(Some(output), place) {
        return Some(text);
    }
    let texts: Vec<_> = output
        .elements()
        .into_iter()
        .map(|part| match part.field("isText") {
            Some(Value::Scalar(b"false")) => "[data]".to_owned(),
            _ => message(Some(part), place).unwrap_or_default(),
        })
        .collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// Returns a text, or the text of a formatted one.
fn message(text: Option<Value<'_>>, place: &mut RecordSpan) -> Option<String> {
    let text = text.and_then(|text| text.text().or_else(|| text.text_of("value")))?;
    Some(place.decode(text).into_owned())
}

/// Returns the name of the file that a reference points to.
fn file_name(reference: Value<'_>, place: &mut RecordSpan) -> Option<String> {
    let address = reference.field("uri").unwrap_or(reference);
    let path = ["path", "fsPath"]
        .iter()
        .find_map(|name| address.text_of(name));
    let path = place.decode(path?);
    Some(path.rsplit(['/', '\\']).next().unwrap_or(&path).to_owned())
        .filter(|name| !name.is_empty())
}
