//! JSON schemas of the results, as sent to clients. They are constants: published keys stay.

use acreta_types::MEMORY_TYPES;
use serde_json::{Map, Value, json};

pub(crate) fn search_schema() -> Value {
    let hit = object(&[
        ("id", text()),
        ("type", memory_type()),
        ("kind", text()),
        ("title", text()),
        ("snippet", text()),
        ("trust", trust()),
        ("status", status()),
        ("scope", text()),
        ("source", text()),
        ("date", text()),
    ])
    .without(&["kind"]);
    object(&[
        ("notice", text()),
        ("query", text()),
        ("hits", list(hit)),
        ("next_cursor", text()),
        ("tokens", number()),
    ])
    .without(&["next_cursor"])
}

pub(crate) fn memory_schema() -> Value {
    let evidence = object(&[
        ("source", text()),
        ("date", text()),
        ("role", text()),
        ("quote", text()),
    ])
    .whole();
    object(&[
        ("notice", text()),
        ("id", text()),
        ("type", memory_type()),
        ("kind", text()),
        ("title", text()),
        ("body", text()),
        ("tags", list(text())),
        ("related", list(text())),
        ("path", text()),
        ("scope", text()),
        ("trust", trust()),
        ("status", status()),
        ("source", text()),
        ("date", text()),
        ("origin", text()),
        ("evidence", list(evidence)),
        ("truncated", flag()),
        ("tokens", number()),
    ])
    .without(&["kind", "origin"])
}

pub(crate) fn added_schema() -> Value {
    object(&[
        ("action", text()),
        ("id", text()),
        ("path", text()),
        ("message", text()),
        ("tokens", number()),
    ])
    .without(&["id", "path"])
}

pub(crate) fn noted_schema() -> Value {
    let similar = object(&[("id", text()), ("title", text())]).without(&[]);
    object(&[
        ("status", text()),
        ("id", text()),
        ("similar", list(similar)),
        ("message", text()),
        ("tokens", number()),
    ])
    .without(&["id"])
}

pub(crate) fn forgotten_schema() -> Value {
    object(&[("message", text()), ("tokens", number())]).whole()
}

pub(crate) fn changed_schema() -> Value {
    object(&[
        ("id", text()),
        ("path", text()),
        ("changed", flag()),
        ("message", text()),
        ("tokens", number()),
    ])
    .whole()
}

pub(crate) fn report_schema() -> Value {
    object(&[
        ("notice", text()),
        ("report", json!({ "type": "object" })),
        ("tokens", number()),
    ])
    .whole()
}

pub(crate) fn answer_schema() -> Value {
    let source = object(&[
        ("number", number()),
        ("id", text()),
        ("title", text()),
        ("path", text()),
        ("scope", text()),
        ("trust", trust()),
        ("source", text()),
        ("date", text()),
        ("passage", text()),
        ("sure", number()),
    ])
    .whole();
    object(&[
        ("notice", text()),
        ("question", text()),
        ("answered", flag()),
        ("answer", text()),
        ("sources", list(source.clone())),
        ("nearest", list(source)),
        ("sessions", list(session_hit())),
        ("by", text()),
        ("truncated", flag()),
        ("tokens", number()),
    ])
    .whole()
}

pub(crate) fn sessions_schema() -> Value {
    object(&[
        ("notice", text()),
        ("query", text()),
        ("hits", list(session_hit())),
        ("tokens", number()),
    ])
    .whole()
}

pub(crate) fn session_schema() -> Value {
    object(&[
        ("notice", text()),
        ("session", text()),
        ("title", text()),
        ("events", list(session_event(&[]))),
        ("offset", number()),
        ("total", number()),
        ("next_offset", number()),
        ("tokens", number()),
    ])
    .without(&["next_offset"])
}

fn session_hit() -> Value {
    session_event(&[("trust", trust()), ("session", text()), ("title", text())])
}

fn session_event(more: &[(&str, Value)]) -> Value {
    let event = [
        ("event", text()),
        ("role", text()),
        ("tool", text()),
        ("date", text()),
        ("text", text()),
    ];
    let fields: Vec<(&str, Value)> = more.iter().cloned().chain(event).collect();
    object(&fields).without(&["tool"])
}

/// Keys and their schemas.
struct SchemaFields(Map<String, Value>);

impl SchemaFields {
    /// An object in which all keys are required.
    fn whole(self) -> Value {
        self.without(&[])
    }

    /// An object in which these keys are optional.
    fn without(self, optional: &[&str]) -> Value {
        let keys = self.0.keys();
        let required: Vec<&String> = keys
            .filter(|key| !optional.contains(&key.as_str()))
            .collect();
        json!({ "type": "object", "required": required, "properties": self.0 })
    }
}

fn object(fields: &[(&str, Value)]) -> SchemaFields {
    let fields = fields.iter();
    SchemaFields(
        fields
            .map(|(key, value)| ((*key).to_owned(), value.clone()))
            .collect(),
    )
}

fn list(items: Value) -> Value {
    json!({ "type": "array", "items": items })
}

fn text() -> Value {
    json!({ "type": "string" })
}

fn number() -> Value {
    json!({ "type": "integer", "minimum": 0 })
}

fn flag() -> Value {
    json!({ "type": "boolean" })
}

fn memory_type() -> Value {
    let names: Vec<&str> = MEMORY_TYPES.iter().map(|entry| entry.name).collect();
    json!({ "type": "string", "enum": names })
}

fn trust() -> Value {
    json!({ "type": "string", "enum": ["untrusted", "grounded", "reviewed", "confirmed"] })
}

fn status() -> Value {
    json!({ "type": "string", "enum": ["active", "archived", "superseded"] })
}
