//! Schemas for a strict response format: every object is closed and all its properties are required. An optional
//! property becomes nullable, and the `null` is removed from the answer again.

use serde_json::{Map, Value, json};

/// Returns the strict form of a schema; `None` if there is none, as for an object with arbitrary names.
pub(super) fn adapted(schema: &Value) -> Option<Value> {
    (schema.get("type") == Some(&json!("object"))).then(|| closed(schema))?
}

/// Converts an answer to the strict form into one to the original schema. Text that is not JSON stays unchanged.
pub(super) fn loosened(schema: &Value, answer: &str) -> String {
    let Ok(mut value) = serde_json::from_str::<Value>(answer) else {
        return answer.to_owned();
    };
    without_nulls(schema, &mut value);
    value.to_string()
}

/// Keywords that a strict format rejects. The answer is checked against the original schema.
const DROPPED: [&str; 7] = [
    "$schema",
    "default",
    "examples",
    "format",
    "maxLength",
    "minLength",
    "title",
];

fn closed(schema: &Value) -> Option<Value> {
    let keywords = schema.as_object()?;
    let mut strict = Map::new();
    for (keyword, value) in keywords {
        let adapted = match keyword.as_str() {
            dropped if DROPPED.contains(&dropped) => continue,
            "properties" | "required" | "additionalProperties" => continue,
            "items" => closed(value)?,
            "anyOf" => {
                let choices = value.as_array()?.iter().map(closed);
                Value::Array(choices.collect::<Option<_>>()?)
            }
            _ => value.clone(),
        };
        strict.insert(keyword.clone(), adapted);
    }
    if may_be(schema, "object") {
        let properties = keywords.get("properties")?.as_object()?;
        if is_open(keywords) && properties.is_empty() {
            return None;
        }
        let required = required(schema);
        let mut adapted = Map::new();
        for (name, property) in properties {
            let property = closed(property)?;
            let property = match required.contains(&name.as_str()) {
                true => property,
                false => nullable(property),
            };
            adapted.insert(name.clone(), property);
        }
        strict.insert("required".to_owned(), adapted.keys().cloned().collect());
        strict.insert("properties".to_owned(), Value::Object(adapted));
        strict.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
    Some(Value::Object(strict))
}

fn is_open(keywords: &Map<String, Value>) -> bool {
    keywords.get("additionalProperties") != Some(&Value::Bool(false))
}

fn nullable(mut schema: Value) -> Value {
    if let Some(allowed) = schema.get_mut("enum").and_then(Value::as_array_mut)
        && !allowed.contains(&Value::Null)
    {
        allowed.push(Value::Null);
    }
    match schema.get_mut("type") {
        Some(Value::String(name)) if name != "null" => {
            schema["type"] = json!([name.clone(), "null"]);
            schema
        }
        Some(Value::Array(names)) => {
            if !names.contains(&json!("null")) {
                names.push(json!("null"));
            }
            schema
        }
        Some(_) => schema,
        None => json!({ "anyOf": [schema, { "type": "null" }] }),
    }
}

fn without_nulls(schema: &Value, value: &mut Value) {
    match value {
        Value::Object(fields) => {
            let required = required(schema);
            let properties = schema.get("properties").and_then(Value::as_object);
            let Some(properties) = properties else {
                return;
            };
            fields.retain(|name, value| {
                let known = properties.get(name);
                let may_be_null = known.is_none_or(|known| may_be(known, "null"));
                !value.is_null() || may_be_null || required.contains(&name.as_str())
            });
            for (name, value) in fields.iter_mut() {
                if let Some(property) = properties.get(name) {
                    without_nulls(property, value);
                }
            }
        }
        Value::Array(items) => {
            if let Some(schema) = schema.get("items") {
                items
                    .iter_mut()
                    .for_each(|item| without_nulls(schema, item));
            }
        }
        _ => {}
    }
}

fn required(schema: &Value) -> Vec<&str> {
    let names = schema.get("required").and_then(Value::as_array);
    names
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

fn may_be(schema: &Value, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(one)) => one == name,
        Some(Value::Array(several)) => several.iter().any(|one| one == name),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Schema;

    #[test]
    fn every_object_is_closed_and_every_property_required() {
        let cases = [
            (
                json!({ "type": "object", "properties": { "a": { "type": "string", "minLength": 3 } } }),
                Some(json!({
                    "type": "object", "required": ["a"], "additionalProperties": false,
                    "properties": { "a": { "type": ["string", "null"] } },
                })),
            ),
            (
                json!({
                    "type": "object", "required": ["list"], "title": "T",
                    "properties": { "list": { "type": "array", "maxItems": 4, "items": {
                        "type": "object", "required": ["kind"], "properties": {
                            "kind": { "enum": ["x", "y"] },
                            "note": { "enum": ["n"], "type": "string" },
                            "any": { "anyOf": [{ "type": "string" }, { "type": "integer" }] },
                        },
                    } } },
                }),
                Some(json!({
                    "type": "object", "required": ["list"], "additionalProperties": false,
                    "properties": { "list": { "type": "array", "maxItems": 4, "items": {
                        "type": "object", "required": ["kind", "note", "any"],
                        "additionalProperties": false, "properties": {
                            "kind": { "enum": ["x", "y"] },
                            "note": { "enum": ["n", null], "type": ["string", "null"] },
                            "any": { "anyOf": [
                                { "anyOf": [{ "type": "string" }, { "type": "integer" }] },
                                { "type": "null" },
                            ] },
                        },
                    } } },
                })),
            ),
            // A map with arbitrary names, and schemas that are not objects.
            (
                json!({ "type": "object", "additionalProperties": { "type": "string" } }),
                None,
            ),
            (
                json!({ "type": "array", "items": { "type": "string" } }),
                None,
            ),
        ];
        for (schema, strict) in cases {
            assert_eq!(adapted(&schema), strict, "{schema}");
        }
    }

    #[test]
    fn an_answer_fits_the_schema_again() {
        let schema = json!({
            "type": "object", "required": ["a"], "additionalProperties": false,
            "properties": {
                "a": { "type": ["string", "null"] },
                "b": { "type": "string" },
                "c": { "type": ["integer", "null"] },
                "d": { "type": "array", "items": {
                    "type": "object", "properties": { "e": { "type": "string" } },
                } },
            },
        });
        let answer = r#"{"a":null,"b":null,"c":null,"d":[{"e":null},{"e":"x"}]}"#;
        let loosened = loosened(&schema, answer);
        assert_eq!(loosened, r#"{"a":null,"c":null,"d":[{},{"e":"x"}]}"#);
        let schema = Schema::parse(&schema.to_string()).unwrap();
        assert!(schema.check(answer).is_err());
        assert!(schema.check(&loosened).is_ok());
        assert_eq!(super::loosened(schema.value(), "no JSON"), "no JSON");
    }
}
