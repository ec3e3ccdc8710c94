//! Parses a request of any protocol into one conversation and one list of tools.

use serde_json::{Value, json};

use crate::scripted::Protocol;

/// One message, call or result.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    User(String),
    Assistant(String),
    Call(String),
    Result(String),
}

/// Form of a tool's call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolForm {
    Function,
    /// Takes free text (Responses alone).
    Custom,
    LocalShell,
    /// Finds tools that were not sent (Responses alone).
    ToolSearch,
}

#[derive(Debug, Clone)]
pub struct Tool {
    pub name: String,
    pub namespace: Option<String>,
    pub form: ToolForm,
    pub schema: Value,
}

pub(crate) fn items(protocol: Protocol, body: &Value) -> Vec<Item> {
    let mut items = Vec::new();
    match protocol {
        Protocol::Messages => {
            for message in list(&body["messages"]) {
                messages_item(message, &mut items);
            }
        }
        Protocol::Chat => {
            for message in list(&body["messages"]) {
                chat_item(message, &mut items);
            }
        }
        Protocol::Responses => match &body["input"] {
            Value::String(text) => items.push(Item::User(text.clone())),
            input => {
                for item in list(input) {
                    responses_item(item, &mut items);
                }
            }
        },
        Protocol::Gemini => {
            for content in list(&body["contents"]) {
                for part in list(&content["parts"]) {
                    gemini_part(content["role"] == "user", part, &mut items);
                }
            }
        }
    }
    items
}

pub(crate) fn tools(protocol: Protocol, body: &Value) -> Vec<Tool> {
    let mut tools = Vec::new();
    for tool in list(&body["tools"]) {
        match protocol {
            Protocol::Messages => tools.push(function(tool, &tool["input_schema"])),
            Protocol::Chat => {
                tools.push(function(&tool["function"], &tool["function"]["parameters"]))
            }
            Protocol::Responses => responses_tool(tool, &mut tools),
            Protocol::Gemini => {
                for declared in list(&tool["functionDeclarations"]) {
                    let schema = match &declared["parametersJsonSchema"] {
                        Value::Null => &declared["parameters"],
                        schema => schema,
                    };
                    tools.push(function(declared, schema));
                }
            }
        }
    }
    tools
}

fn function(tool: &Value, schema: &Value) -> Tool {
    Tool {
        name: text(&tool["name"]),
        namespace: None,
        form: ToolForm::Function,
        schema: schema.clone(),
    }
}

fn responses_tool(tool: &Value, tools: &mut Vec<Tool>) {
    let kind = text(&tool["type"]);
    if kind == "namespace" {
        for inner in list(&tool["tools"]) {
            let mut inner = function(inner, &inner["parameters"]);
            inner.namespace = Some(text(&tool["name"]));
            tools.push(inner);
        }
        return;
    }
    let mut made = function(tool, &tool["parameters"]);
    made.form = match kind.as_str() {
        "custom" => ToolForm::Custom,
        "local_shell" => ToolForm::LocalShell,
        "tool_search" => ToolForm::ToolSearch,
        _ => ToolForm::Function,
    };
    if made.name.is_empty() {
        made.name = kind;
    }
    tools.push(made);
}

fn messages_item(message: &Value, items: &mut Vec<Item>) {
    if message["role"] == "system" {
        return;
    }
    let is_user = message["role"] == "user";
    let say = |text: String| match is_user {
        true => Item::User(text),
        false => Item::Assistant(text),
    };
    if let Value::String(words) = &message["content"] {
        return items.push(say(words.clone()));
    }
    let mut words = String::new();
    for block in list(&message["content"]) {
        match block["type"].as_str() {
            Some("tool_result") => items.push(Item::Result(text(&block["content"]))),
            Some("tool_use") => {
                if !words.is_empty() {
                    items.push(say(std::mem::take(&mut words)));
                }
                items.push(Item::Call(text(&block["name"])));
            }
            Some("text") => {
                words.push_str(&text(&block["text"]));
                words.push('\n');
            }
            _ => {}
        }
    }
    if !words.is_empty() {
        items.push(say(words));
    }
}

fn chat_item(message: &Value, items: &mut Vec<Item>) {
    let words = text(&message["content"]);
    match message["role"].as_str() {
        Some("tool") => items.push(Item::Result(words)),
        Some("user") => items.push(Item::User(words)),
        Some("assistant") => {
            if !words.is_empty() {
                items.push(Item::Assistant(words));
            }
            for call in list(&message["tool_calls"]) {
                items.push(Item::Call(text(&call["function"]["name"])));
            }
        }
        _ => {}
    }
}

fn responses_item(item: &Value, items: &mut Vec<Item>) {
    let kind = item["type"].as_str().unwrap_or("message");
    let words = text(&item["content"]);
    match (kind, item["role"].as_str()) {
        ("message", Some("user")) => items.push(Item::User(words)),
        ("message", Some("assistant")) => items.push(Item::Assistant(words)),
        ("tool_search_output", _) => items.push(Item::Result(item.to_string())),
        (kind, _) if kind.ends_with("_call_output") => {
            items.push(Item::Result(text(&item["output"])));
        }
        (kind, _) if kind.ends_with("_call") => {
            let name = item["name"].as_str().unwrap_or(kind);
            items.push(Item::Call(name.to_owned()));
        }
        _ => {}
    }
}

fn gemini_part(is_user: bool, part: &Value, items: &mut Vec<Item>) {
    if part["functionResponse"].is_object() {
        let response = &part["functionResponse"]["response"];
        let words = match &response["output"] {
            Value::String(output) => output.clone(),
            _ => response.to_string(),
        };
        items.push(Item::Result(words));
    } else if part["functionCall"].is_object() {
        items.push(Item::Call(text(&part["functionCall"]["name"])));
    } else if let Some(words) = part["text"].as_str() {
        items.push(match is_user {
            true => Item::User(words.to_owned()),
            false => Item::Assistant(words.to_owned()),
        });
    }
}

/// Returns all text of a content, in any wrapping.
fn text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let parts: Vec<String> = parts.iter().map(text).collect();
            parts.join("\n")
        }
        Value::Object(_) => match (&content["text"], &content["content"]) {
            (Value::String(text), _) => text.clone(),
            (_, Value::Null) => content["type"]
                .as_str()
                .map_or_else(String::new, |kind| format!("[{kind}]")),
            (_, content) => text(content),
        },
        _ => String::new(),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

impl Tool {
    /// Returns arguments that fit the schema: the wanted ones that it knows, and placeholders for other required ones.
    pub fn arguments(&self, wanted: &[(&str, Value)]) -> Value {
        let mut arguments = serde_json::Map::new();
        let properties = self.schema["properties"].as_object();
        for (name, value) in wanted {
            let Some(property) = properties.and_then(|properties| properties.get(*name)) else {
                continue;
            };
            let is_list = matches!(property["type"].as_str(), Some("array" | "ARRAY"));
            let value = match (is_list, value) {
                (true, Value::String(text)) if *name == "command" => json!(["bash", "-lc", text]),
                (true, Value::String(text)) => json!([text]),
                _ => value.clone(),
            };
            arguments.insert((*name).to_owned(), value);
        }
        for name in list(&self.schema["required"])
            .iter()
            .filter_map(Value::as_str)
        {
            if !arguments.contains_key(name) {
                arguments.insert(
                    name.to_owned(),
                    placeholder(&self.schema["properties"][name]),
                );
            }
        }
        Value::Object(arguments)
    }
}

fn placeholder(property: &Value) -> Value {
    if let Some(first) = list(&property["enum"]).first() {
        return first.clone();
    }
    let kind = property["type"].as_str().unwrap_or("string");
    match kind.to_lowercase().as_str() {
        "boolean" => json!(false),
        "integer" | "number" => json!(10),
        "array" => json!([]),
        "object" => json!({}),
        _ => json!("scripted"),
    }
}
