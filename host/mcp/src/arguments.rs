//! Arguments of a call, checked against the schema that clients were given. All errors are reported at once, so that a
//! client can correct its call.

use acreta_text::head;
use rmcp::model::JsonObject;
use serde_json::Value;

use crate::quote::shown;

/// Arguments that match their schema.
pub(crate) struct Arguments(JsonObject);

impl Arguments {
    /// Checks the arguments; the error lists everything that is wrong.
    pub(crate) fn checked(given: Option<JsonObject>, schema: &JsonObject) -> Result<Self, String> {
        let mut given = given.unwrap_or_default();
        // Clients send null for arguments that a model left out.
        given.retain(|_, value| !value.is_null());
        let properties = schema.get("properties").and_then(Value::as_object);
        let required = schema.get("required").and_then(Value::as_array);
        let mut problems = unknown(&given, properties);
        for (name, shape) in properties.into_iter().flatten() {
            let is_required = |names: &Vec<Value>| names.iter().any(|one| one == name.as_str());
            match given.get(name) {
                Some(value) => problems.extend(problem(name, shape, value)),
                None if required.is_some_and(is_required) => {
                    problems.push(format!("`{name}` is missing"));
                }
                None => {}
            }
        }
        if problems.is_empty() {
            Ok(Self(given))
        } else {
            Err(problems.join("; "))
        }
    }

    /// Returns a text argument, empty if it was not given.
    pub(crate) fn text(&self, name: &str) -> String {
        self.optional_text(name).unwrap_or_default()
    }

    pub(crate) fn optional_text(&self, name: &str) -> Option<String> {
        self.0.get(name)?.as_str().map(str::to_owned)
    }

    pub(crate) fn texts(&self, name: &str) -> Vec<String> {
        let items = self.0.get(name).and_then(Value::as_array);
        let texts = items.into_iter().flatten().filter_map(Value::as_str);
        texts.map(str::to_owned).collect()
    }

    pub(crate) fn number(&self, name: &str) -> Option<usize> {
        whole(self.0.get(name)?)
    }

    /// Returns a flag, false if it was not given.
    pub(crate) fn flag(&self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or(false)
    }
}

/// Returns the unknown names, shortened for display: a client can send any number of any length.
fn unknown(given: &JsonObject, properties: Option<&JsonObject>) -> Vec<String> {
    let known: Vec<&String> = properties.into_iter().flat_map(JsonObject::keys).collect();
    let names: Vec<&String> = given.keys().filter(|name| !known.contains(name)).collect();
    if names.is_empty() {
        return Vec::new();
    }
    let mut listed: Vec<String> = names
        .iter()
        .take(NAMES_SHOWN)
        .map(|name| format!("`{}`", shown(head(name, NAME_BYTES))))
        .collect();
    if names.len() > NAMES_SHOWN {
        listed.push(format!("{} more", names.len() - NAMES_SHOWN));
    }
    let known: Vec<&str> = known.into_iter().map(String::as_str).collect();
    vec![format!(
        "unknown arguments: {} (expected: {})",
        listed.join(", "),
        known.join(", ")
    )]
}

fn problem(name: &str, shape: &Value, value: &Value) -> Option<String> {
    let expected = |what: &str| Some(format!("`{name}` must be {what}, not {}", kind_of(value)));
    match shape["type"].as_str() {
        Some("array") => {
            let texts: Option<Vec<&str>> = value
                .as_array()
                .and_then(|items| items.iter().map(Value::as_str).collect());
            let most = bound(shape, "maxItems");
            match texts {
                Some(texts) if texts.len() > most => Some(format!(
                    "`{name}` has {} items; at most {most} are allowed",
                    texts.len()
                )),
                Some(texts) => texts
                    .into_iter()
                    .find_map(|text| text_problem(name, text, bound(&shape["items"], "maxLength"))),
                None => expected("a list of texts"),
            }
        }
        Some("integer") => {
            let (least, most) = (bound(shape, "minimum"), bound(shape, "maximum"));
            match whole(value) {
                Some(number) if (least..=most).contains(&number) => None,
                _ if value.is_number() => Some(format!(
                    "`{name}` must be a whole number from {least} to {most}"
                )),
                _ => expected("a number"),
            }
        }
        Some("boolean") if value.is_boolean() => None,
        Some("boolean") => expected("true or false"),
        _ => match (value.as_str(), shape["enum"].as_array()) {
            (None, _) => expected("a text"),
            (Some(text), None) => text_problem(name, text, bound(shape, "maxLength")),
            (Some(text), Some(names)) if names.iter().any(|known| known == text) => None,
            (Some(_), Some(names)) => {
                let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
                Some(format!("`{name}` must be one of: {}", names.join(", ")))
            }
        },
    }
}

/// Returns a bound of a schema. Every text, list and number has its own; a test of the file would fail otherwise.
fn bound(shape: &Value, name: &str) -> usize {
    shape[name].as_u64().map_or(0, |bound| bound as usize)
}

fn text_problem(name: &str, text: &str, most: usize) -> Option<String> {
    if text.trim().is_empty() {
        return Some(format!("`{name}` is empty"));
    }
    // Bytes first: counting the characters of a very long text is wasted work.
    if text.len() > most && text.chars().nth(most).is_some() {
        return Some(format!(
            "`{name}` is {} bytes long; at most {most} characters are allowed",
            text.len()
        ));
    }
    None
}

/// Parses a whole number; clients may write 5.0 for 5.
fn whole(value: &Value) -> Option<usize> {
    if let Some(number) = value.as_u64() {
        return usize::try_from(number).ok();
    }
    let number = value.as_f64()?;
    let fits = number.fract() == 0.0 && (0.0..=1e9).contains(&number);
    fits.then_some(number as usize)
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

const NAMES_SHOWN: usize = 8;
const NAME_BYTES: usize = 64;
