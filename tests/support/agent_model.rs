//! The scripted model behind real agent programs: texts in, texts out.

use acreta_agent_e2e::scripted::{Answer, Call, Model, Protocol, Request};
use serde_json::Value;

use super::ProviderRequest;

/// Answers until the test ends.
pub(crate) struct AgentModel(Model);

impl AgentModel {
    pub(crate) fn new(
        script: impl Fn(&ProviderRequest) -> Result<String, u16> + Send + Sync + 'static,
    ) -> Self {
        let answers = move |request: &Request| {
            let content = script(&asked(request))?;
            Ok(answer(request, content))
        };
        Self(Model::start(answers).unwrap())
    }

    pub(crate) fn url(&self) -> String {
        self.0.url()
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.0.requests()
    }
}

/// Claude takes its answer as the input of a tool if there is one; it asks once more with the result, and then expects
/// text.
fn answer(request: &Request, content: String) -> Answer {
    if request.protocol != Protocol::Messages {
        return Answer::text(content);
    }
    let tool = request.tools().into_iter().next();
    let input: Option<Value> = serde_json::from_str(&content).ok();
    match tool.zip(input) {
        Some(_) if request.body.to_string().contains("tool_result") => Answer::text("Done."),
        Some((tool, arguments)) => Answer {
            call: Some(Call {
                name: tool.name,
                namespace: None,
                form: tool.form,
                arguments,
            }),
            ..Answer::text("")
        },
        None => Answer::text(content),
    }
}

/// Returns all strings of the conversation, and the fields that the answer must have: from the schema sent as such, or
/// from the one in the text.
fn asked(request: &Request) -> ProviderRequest {
    let body = &request.body;
    let (parts, schema) = match request.protocol {
        Protocol::Messages => (
            vec![&body["system"], &body["messages"]],
            &body["tools"][0]["input_schema"],
        ),
        Protocol::Responses => (
            vec![&body["instructions"], &body["input"]],
            &body["text"]["format"]["schema"],
        ),
        Protocol::Chat => (vec![&body["messages"]], &Value::Null),
        Protocol::Gemini => (
            vec![&body["systemInstruction"], &body["contents"]],
            &Value::Null,
        ),
    };
    let mut text = String::new();
    parts.into_iter().for_each(|part| collect(part, &mut text));
    let in_words = text.split("It must fit this JSON schema:\n").nth(1);
    let in_words = in_words.and_then(|rest| {
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        values.next()?.ok()
    });
    let schema = match schema {
        Value::Null => in_words.unwrap_or_default(),
        schema => schema.clone(),
    };
    let fields = schema["properties"].as_object();
    let fields = fields.into_iter().flat_map(|fields| fields.keys().cloned());
    ProviderRequest {
        fields: fields.collect(),
        text,
    }
}

fn collect(value: &Value, into: &mut String) {
    match value {
        Value::String(text) => {
            into.push_str(text);
            into.push('\n');
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, into)),
        Value::Object(fields) => {
            let texts = fields
                .iter()
                .filter(|(name, _)| ["text", "content", "parts", "input"].contains(&name.as_str()));
            texts.for_each(|(_, value)| collect(value, into));
        }
        _ => {}
    }
}
