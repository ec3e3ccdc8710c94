//! Defines a tool as a row of a table, which yields both its description for clients and the check of its arguments.

mod table;

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

pub(crate) use table::TOOLS;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ToolName {
    Search,
    Get,
    Note,
    Add,
    Archive,
    Feedback,
    Explore,
    Delta,
    Ask,
    FindInSessions,
    ReadSession,
    ForgetSession,
}

pub(crate) struct ToolEntry {
    pub(crate) tool: ToolName,
    pub(crate) name: &'static str,
    pub(crate) arguments: &'static [Argument],
    title: &'static str,
    description: &'static str,
    effect: ToolEffect,
    result: fn() -> Value,
}

pub(crate) struct Argument {
    pub(crate) name: &'static str,
    pub(crate) need: Need,
    pub(crate) shape: ArgumentKind,
    pub(crate) description: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    Required,
    Optional,
}

pub(crate) enum ArgumentKind {
    /// A text of one to `most` characters.
    Text {
        most: usize,
    },
    /// A list of texts, with a maximum number and length.
    Texts {
        most: usize,
        characters: usize,
    },
    Number {
        least: usize,
        most: usize,
    },
    Flag,
    OneOf(fn() -> Vec<&'static str>),
}

enum ToolEffect {
    Reads,
    /// Only adds; an identical entry is not added again.
    Adds,
    /// Archives something that can be restored. Repeating it changes nothing.
    PutsAway,
    /// Removes for good. Repeating it changes nothing.
    Removes,
    /// Each call counts.
    Counts,
}

impl ToolEntry {
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        TOOLS.iter().find(|entry| entry.name == name)
    }

    pub(crate) fn to_tool(&self) -> Tool {
        let annotations = ToolAnnotations::new()
            .read_only(matches!(self.effect, ToolEffect::Reads))
            .destructive(matches!(
                self.effect,
                ToolEffect::PutsAway | ToolEffect::Removes
            ))
            .idempotent(!matches!(self.effect, ToolEffect::Counts))
            .open_world(false);
        Tool::new(self.name, self.description, object(self.input_schema()))
            .with_title(self.title)
            .with_raw_output_schema(object((self.result)()))
            .with_annotations(annotations)
    }

    fn input_schema(&self) -> Value {
        let mut properties = JsonObject::new();
        for argument in self.arguments {
            properties.insert(argument.name.to_owned(), argument.schema());
        }
        let required: Vec<&str> = self
            .arguments
            .iter()
            .filter(|argument| argument.need == Need::Required)
            .map(|argument| argument.name)
            .collect();
        json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        })
    }
}

impl Argument {
    fn schema(&self) -> Value {
        let description = self.description;
        match &self.shape {
            ArgumentKind::Text { most } => {
                json!({ "type": "string", "minLength": 1, "maxLength": most, "description": description })
            }
            ArgumentKind::Texts { most, characters } => json!({
                "type": "array",
                "items": { "type": "string", "minLength": 1, "maxLength": characters },
                "maxItems": most,
                "description": description,
            }),
            ArgumentKind::Number { least, most } => {
                json!({ "type": "integer", "minimum": least, "maximum": most, "description": description })
            }
            ArgumentKind::Flag => json!({ "type": "boolean", "description": description }),
            ArgumentKind::OneOf(names) => {
                json!({ "type": "string", "enum": names(), "description": description })
            }
        }
    }
}

/// Default number of hits of a search.
pub(crate) const SEARCH_LIMIT: usize = 5;
/// Default token budget of a codebase report.
pub(crate) const CONTEXT_BUDGET: usize = 1_500;

pub(crate) const VERDICTS: [&str; 3] = ["right", "wrong", "useful"];

fn object(schema: Value) -> Arc<JsonObject> {
    match schema {
        Value::Object(fields) => Arc::new(fields),
        _ => Arc::default(),
    }
}
