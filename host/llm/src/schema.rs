//! JSON schemas of replies, and the check of a reply. The keywords that plugins use are checked exactly; a schema with
//! any other keyword is rejected when it is parsed, so that nothing passes unchecked.

use serde_json::{Map, Value};

/// A schema that can be checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    text: String,
    value: Value,
}

/// A schema that cannot be checked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the schema cannot be used: {reason}")]
pub struct SchemaError {
    pub reason: String,
}

impl Schema {
    pub fn parse(text: &str) -> Result<Self, SchemaError> {
        let value: Value = serde_json::from_str(text).map_err(|cause| SchemaError {
            reason: format!("it is not JSON: {cause}"),
        })?;
        understood(&value, "").map_err(|reason| SchemaError { reason })?;
        Ok(Self {
            text: text.to_owned(),
            value,
        })
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Returns the JSON in a reply if it fits; otherwise its first few problems.
    ///
    /// Removes the code fences and the thinking that models put around JSON.
    pub fn check(&self, reply: &str) -> Result<String, Vec<String>> {
        let json = bare(reply);
        let value: Value = serde_json::from_str(json)
            .map_err(|cause| vec![format!("the reply is no JSON: {cause}")])?;
        let mut problems = Vec::new();
        fits(&self.value, &value, "", &mut problems);
        if problems.is_empty() {
            Ok(json.to_owned())
        } else {
            problems.truncate(MOST_PROBLEMS);
            Err(problems)
        }
    }
}

const MOST_PROBLEMS: usize = 8;

/// Keywords that do not affect validation.
const REMARKS: [&str; 6] = [
    "$schema",
    "title",
    "description",
    "default",
    "examples",
    "format",
];

const TYPES: [&str; 7] = [
    "object", "array", "string", "number", "integer", "boolean", "null",
];

/// Returns an error for a part of a schema that is not supported.
fn understood(schema: &Value, path: &str) -> Result<(), String> {
    let Value::Object(keywords) = schema else {
        return match schema {
            Value::Bool(_) => Ok(()),
            _ => Err(format!("`{}` is not a schema", place(path))),
        };
    };
    for (keyword, value) in keywords {
        let here = format!("{path}/{keyword}");
        let fine = match keyword.as_str() {
            "type" => names(value).is_some_and(|names| {
                names.iter().all(|name| TYPES.contains(name)) && !names.is_empty()
            }),
            "required" => names(value).is_some_and(|_| value.is_array()),
            "properties" => {
                let Value::Object(properties) = value else {
                    return Err(format!("`{here}` is not an object"));
                };
                for (name, schema) in properties {
                    understood(schema, &format!("{here}/{name}"))?;
                }
                true
            }
            "additionalProperties" | "items" => {
                understood(value, &here)?;
                true
            }
            "anyOf" => {
                let Value::Array(choices) = value else {
                    return Err(format!("`{here}` is not a list"));
                };
                for choice in choices {
                    understood(choice, &here)?;
                }
                !choices.is_empty()
            }
            "enum" => value.is_array(),
            "const" => true,
            "minItems" | "maxItems" | "minLength" | "maxLength" => value.is_u64(),
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => value.is_number(),
            remark if REMARKS.contains(&remark) => true,
            _ => return Err(format!("keyword `{here}` is not supported")),
        };
        if !fine {
            return Err(format!("`{here}` has an invalid value"));
        }
    }
    Ok(())
}

fn fits(schema: &Value, value: &Value, path: &str, problems: &mut Vec<String>) {
    let keywords = match schema {
        Value::Object(keywords) => keywords,
        Value::Bool(false) => {
            return problems.push(format!("`{}` must not be there", place(path)));
        }
        _ => return,
    };
    if problems.len() >= MOST_PROBLEMS {
        return;
    }
    if let Some(types) = keywords.get("type").and_then(names)
        && !types.iter().any(|name| is_of(value, name))
    {
        let wanted = types.join(" or ");
        return problems.push(format!("`{}` must be {wanted}", place(path)));
    }
    if let Some(Value::Array(allowed)) = keywords.get("enum")
        && !allowed.contains(value)
    {
        let allowed: Vec<String> = allowed.iter().map(Value::to_string).collect();
        problems.push(format!(
            "`{}` must be one of {}",
            place(path),
            allowed.join(", ")
        ));
    }
    if let Some(only) = keywords.get("const")
        && only != value
    {
        problems.push(format!("`{}` must be {only}", place(path)));
    }
    if let Some(Value::Array(choices)) = keywords.get("anyOf") {
        let fits_one = choices.iter().any(|choice| {
            let mut wrong = Vec::new();
            fits(choice, value, path, &mut wrong);
            wrong.is_empty()
        });
        if !fits_one {
            problems.push(format!(
                "`{}` fits none of the forms it may have",
                place(path)
            ));
        }
    }
    match value {
        Value::Object(members) => object_fits(keywords, members, path, problems),
        Value::Array(items) => array_fits(keywords, items, path, problems),
        Value::String(text) => {
            let length = text.chars().count() as u64;
            let bounds = ("minLength", "maxLength", "characters");
            size_fits(keywords, bounds, length, path, problems);
        }
        Value::Number(_) => number_fits(keywords, value, path, problems),
        Value::Null | Value::Bool(_) => {}
    }
}

fn object_fits(
    keywords: &Map<String, Value>,
    members: &Map<String, Value>,
    path: &str,
    problems: &mut Vec<String>,
) {
    for name in keywords.get("required").and_then(names).unwrap_or_default() {
        if !members.contains_key(name) {
            problems.push(format!("`{path}/{name}` is missing"));
        }
    }
    let properties = keywords.get("properties").and_then(Value::as_object);
    for (name, member) in members {
        let here = format!("{path}/{name}");
        match properties.and_then(|properties| properties.get(name)) {
            Some(schema) => fits(schema, member, &here, problems),
            None => {
                if let Some(schema) = keywords.get("additionalProperties") {
                    fits(schema, member, &here, problems);
                }
            }
        }
    }
}

fn array_fits(
    keywords: &Map<String, Value>,
    items: &[Value],
    path: &str,
    problems: &mut Vec<String>,
) {
    let bounds = ("minItems", "maxItems", "items");
    size_fits(keywords, bounds, items.len() as u64, path, problems);
    if let Some(schema) = keywords.get("items") {
        for (index, item) in items.iter().enumerate() {
            fits(schema, item, &format!("{path}/{index}"), problems);
        }
    }
}

fn size_fits(
    keywords: &Map<String, Value>,
    (least, most, unit): (&str, &str, &str),
    size: u64,
    path: &str,
    problems: &mut Vec<String>,
) {
    let bound = |name| keywords.get(name).and_then(Value::as_u64);
    if let Some(least) = bound(least).filter(|least| size < *least) {
        problems.push(format!(
            "`{}` must have at least {least} {unit}",
            place(path)
        ));
    }
    if let Some(most) = bound(most).filter(|most| size > *most) {
        problems.push(format!("`{}` must have at most {most} {unit}", place(path)));
    }
}

fn number_fits(
    keywords: &Map<String, Value>,
    value: &Value,
    path: &str,
    problems: &mut Vec<String>,
) {
    let Some(number) = value.as_f64() else { return };
    for keyword in ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] {
        let Some(bound) = keywords.get(keyword).and_then(Value::as_f64) else {
            continue;
        };
        let holds = match keyword {
            "minimum" => number >= bound,
            "maximum" => number <= bound,
            "exclusiveMinimum" => number > bound,
            _ => number < bound,
        };
        if !holds {
            problems.push(format!("`{}` is against `{keyword}` {bound}", place(path)));
        }
    }
}

fn is_of(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "boolean" => value.is_boolean(),
        _ => value.is_null(),
    }
}

/// Reads one name or a list of names; `None` if there is any other value.
fn names(value: &Value) -> Option<Vec<&str>> {
    match value {
        Value::String(name) => Some(vec![name]),
        Value::Array(names) => names.iter().map(Value::as_str).collect(),
        _ => None,
    }
}

fn place(path: &str) -> &str {
    if path.is_empty() { "/" } else { path }
}

/// Strips the thinking before a reply's JSON and the fence around it.
fn bare(reply: &str) -> &str {
    let mut text = reply.trim();
    if let Some(thoughts) = text.strip_prefix("<think>")
        && let Some((_, rest)) = thoughts.split_once("</think>")
    {
        text = rest.trim();
    }
    let fenced = text
        .strip_prefix("```")
        .and_then(|text| text.strip_suffix("```"))
        .and_then(|text| text.split_once('\n'));
    fenced.map_or(text, |(_, inside)| inside.trim())
}
