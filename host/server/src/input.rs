//! Parses the bytes of a request into its type. An error names the unknown, missing or invalid field.

use axum::body::Body;
use bytes::Bytes;
use http::{HeaderMap, StatusCode, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use schemars::{JsonSchema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::api::ProblemCode;
use crate::options::Limits;
use crate::refusal::Refusal;

/// The fields of a request's type, from its schema.
#[derive(Debug, Clone)]
pub(crate) struct RequestShape {
    pub(crate) fields: Vec<RequestField>,
}

#[derive(Debug, Clone)]
pub(crate) struct RequestField {
    pub(crate) name: String,
    pub(crate) required: bool,
    /// Without null: in a query, a missing value is left out.
    pub(crate) schema: Value,
}

impl RequestShape {
    pub(crate) fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Self {
        let schema = T::json_schema(generator).to_value();
        let required: Vec<&str> = texts(&schema["required"]);
        let properties = schema["properties"].as_object().cloned();
        let fields = properties.unwrap_or_default().into_iter();
        let fields = fields.map(|(name, schema)| RequestField {
            required: required.contains(&name.as_str()),
            schema: without_null(schema),
            name,
        });
        Self {
            fields: fields.collect(),
        }
    }

    /// Refuses names that are not among the fields.
    fn check_names<'a>(&self, names: impl Iterator<Item = &'a str>) -> Result<(), Refusal> {
        let known = |name: &str| self.fields.iter().any(|field| field.name == name);
        let unknown: Vec<String> = names
            .filter(|name| !known(name))
            .map(|name| format!("`{}`", head(name)))
            .collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let there: Vec<&str> = self
            .fields
            .iter()
            .map(|field| field.name.as_str())
            .collect();
        let there = match there.is_empty() {
            true => "expected none".to_owned(),
            false => format!("expected: {}", there.join(", ")),
        };
        let fields = if unknown.len() == 1 {
            "field"
        } else {
            "fields"
        };
        let unknown = unknown.join(", ");
        Err(Refusal::invalid(format!(
            "unknown {fields} {unknown} ({there})"
        )))
    }

    /// Parses the parameters of a query, each as its field's type.
    pub(crate) fn read_query(&self, query: &str) -> Result<Value, Refusal> {
        let pairs: Vec<_> = form_urlencoded::parse(query.as_bytes()).collect();
        self.check_names(pairs.iter().map(|(name, _)| name.as_ref()))?;
        let mut values = Map::new();
        for (name, text) in pairs {
            let field = self.fields.iter().find(|field| field.name == name);
            let kind = field.map_or("", |field| field.schema["type"].as_str().unwrap_or(""));
            let value = value_of(kind, &text);
            if values.insert(name.to_string(), value).is_some() {
                return Err(Refusal::invalid(format!("`{name}` is given twice")));
            }
        }
        Ok(Value::Object(values))
    }

    /// Parses an object with known fields.
    pub(crate) fn read_body(&self, bytes: &[u8]) -> Result<Value, Refusal> {
        if bytes.is_empty() {
            let empty = Refusal::malformed("the body is empty");
            return Err(empty.hint("send a JSON object, `{}` if there are no fields"));
        }
        let value: Value = serde_json::from_slice(bytes)
            .map_err(|error| Refusal::malformed(format!("the body is not JSON: {error}")))?;
        let Some(object) = value.as_object() else {
            return Err(Refusal::invalid("the body must be an object"));
        };
        self.check_names(object.keys().map(String::as_str))?;
        Ok(value)
    }
}

impl RequestShape {
    /// Checks every value against the bounds of its schema. Types are checked when the value is read.
    pub(crate) fn check_bounds(&self, input: &mut Value) -> Result<(), Refusal> {
        for field in &self.fields {
            if let Some(value) = input.get_mut(&field.name) {
                check_bounds(&field.name, &field.schema, value)?;
            }
        }
        Ok(())
    }
}

fn check_bounds(path: &str, schema: &Value, value: &mut Value) -> Result<(), Refusal> {
    let bound = |name: &str| schema[name].as_u64();
    match value {
        Value::String(text) => {
            // Characters, as the schema counts them.
            let length = text.chars().count() as u64;
            if length == 0 && bound("minLength").is_some_and(|least| least > 0) {
                return Err(Refusal::invalid(format!("`{path}`: must not be empty")));
            }
            if let Some(most) = bound("maxLength").filter(|most| length > *most) {
                let message = format!("`{path}`: must have at most {most} characters");
                return Err(Refusal::invalid(message));
            }
        }
        Value::Number(number) if schema["type"] == "integer" => {
            // JSON has one kind of number: `5.0` is five.
            let whole = number.as_f64().filter(|_| number.is_f64());
            let whole = whole.filter(|one| one.fract() == 0.0 && one.abs() < 9e15);
            if let Some(whole) = whole {
                *number = (whole as i64).into();
            }
            let (least, most) = (bound("minimum").unwrap_or(0), bound("maximum"));
            let is_within = |most: &u64| {
                let value = number.as_u64();
                number.is_f64() || value.is_some_and(|value| (least..=*most).contains(&value))
            };
            if let Some(most) = most.filter(|most| !is_within(most)) {
                return Err(Refusal::invalid(format!(
                    "`{path}`: invalid value: integer `{number}`, expected a whole number from {least} to {most}"
                )));
            }
        }
        Value::Array(items) => {
            let count = items.len() as u64;
            if let Some(most) = bound("maxItems").filter(|most| count > *most) {
                let message = format!("`{path}` has {count} items; at most {most}");
                return Err(Refusal::invalid(message));
            }
            if let Some(least) = bound("minItems").filter(|least| count < *least) {
                let message = format!("`{path}` has {count} items; at least {least}");
                return Err(Refusal::invalid(message));
            }
            for (place, item) in items.iter_mut().enumerate() {
                check_bounds(&format!("{path}[{place}]"), &schema["items"], item)?;
            }
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                let schema = without_null(schema["properties"][name].clone());
                check_bounds(&format!("{path}.{name}"), &schema, value)?;
            }
        }
        _ => {}
    }
    Ok(())
}

/// Converts a value to its type; an error names the invalid field.
pub(crate) fn typed<T: DeserializeOwned>(value: Value) -> Result<T, Refusal> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string();
        let cause = error.into_inner();
        Refusal::invalid(match path.as_str() {
            "." => cause.to_string(),
            path => format!("`{path}`: {cause}"),
        })
    })
}

/// Reads the whole body, within the limits.
pub(crate) async fn body(body: Body, limits: &Limits) -> Result<Bytes, Refusal> {
    let limited = Limited::new(body, limits.body_bytes);
    let Ok(read) = tokio::time::timeout(limits.body_time, limited.collect()).await else {
        let message = "the body did not arrive in time";
        return Err(Refusal::new(
            StatusCode::REQUEST_TIMEOUT,
            ProblemCode::TooSlow,
            message,
        ));
    };
    match read {
        Ok(read) => Ok(read.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => {
            let message = format!("the body has more than {} bytes", limits.body_bytes);
            Err(Refusal::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                ProblemCode::TooLarge,
                message,
            ))
        }
        Err(error) => Err(Refusal::malformed(format!("the body was cut off: {error}"))),
    }
}

/// Requires JSON, because a page cannot send it to another origin without a preflight.
pub(crate) fn check_is_json(headers: &HeaderMap) -> Result<(), Refusal> {
    let mut given = headers.get_all(header::CONTENT_TYPE).iter();
    let (first, second) = (given.next(), given.next());
    let text = first.and_then(|value| value.to_str().ok()).unwrap_or("");
    let mut parts = text.split(';').map(str::trim);
    let kind = parts.next().unwrap_or("");
    let rest_fits = parts.all(|part| part.eq_ignore_ascii_case("charset=utf-8"));
    if second.is_none() && rest_fits && kind.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    let message = "the content type must be `application/json`";
    Err(Refusal::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        ProblemCode::WrongContentType,
        message,
    ))
}

fn value_of(kind: &str, text: &str) -> Value {
    let plain = text
        .trim_start_matches('-')
        .starts_with(|c: char| c.is_ascii_digit());
    match kind {
        "integer" if plain => match (text.parse::<u64>(), text.parse::<i64>()) {
            (Ok(number), _) => number.into(),
            (_, Ok(number)) => number.into(),
            _ => text.into(),
        },
        "boolean" if text == "true" => true.into(),
        "boolean" if text == "false" => false.into(),
        _ => text.into(),
    }
}

/// Returns the schema of a value without null.
pub(crate) fn without_null(mut schema: Value) -> Value {
    if let Some(Value::Array(kinds)) = schema.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_slice() {
            schema["type"] = only.clone();
        }
    }
    if let Some(Value::Array(choices)) = schema.get_mut("anyOf") {
        choices.retain(|choice| choice["type"] != "null");
        if let [only] = choices.as_slice() {
            let mut only = only.clone();
            let description = schema.get("description").cloned();
            if let (Some(description), Some(object)) = (description, only.as_object_mut()) {
                object.insert("description".to_owned(), description);
            }
            return only;
        }
    }
    schema
}

fn texts(value: &Value) -> Vec<&str> {
    let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().filter_map(Value::as_str).collect()
}

fn head(name: &str) -> String {
    name.chars().take(80).collect()
}
