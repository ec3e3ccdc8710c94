//! The document as generators see it: named types and operations, in document order.

use serde_json::Value;

pub(crate) struct ApiModel {
    pub(crate) types: Vec<NamedType>,
    pub(crate) operations: Vec<Operation>,
}

pub(crate) struct NamedType {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) shape: TypeShape,
}

pub(crate) enum TypeShape {
    Record(Vec<TypeField>),
    Other(Type),
}

pub(crate) struct TypeField {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) required: bool,
    pub(crate) value: Type,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Type {
    Text,
    Integer,
    Number,
    Truth,
    Anything,
    /// An object with any keys.
    Map,
    /// One of these texts.
    Words(Vec<String>),
    Named(String),
    List(Box<Type>),
    Tuple(Vec<Type>),
    Nullable(Box<Type>),
}

pub(crate) struct Operation {
    pub(crate) name: String,
    pub(crate) summary: String,
    /// In upper case.
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) in_path: Vec<String>,
    /// Fields of the query of a `GET`, or of the body of any other method.
    pub(crate) fields: Vec<TypeField>,
    pub(crate) answer: Type,
    /// The answer is a stream of such values.
    pub(crate) streams: bool,
}

impl ApiModel {
    pub(crate) fn of(document: &Value) -> Self {
        let schemas = &document["components"]["schemas"];
        let types = entries(schemas).map(|(name, schema)| NamedType {
            name: name.clone(),
            description: text(&schema["description"]),
            shape: shape(schema),
        });
        let mut operations = Vec::new();
        for (path, methods) in entries(&document["paths"]) {
            for (method, operation) in entries(methods) {
                operations.push(read_operation(path, method, operation, schemas));
            }
        }
        Self {
            types: types.collect(),
            operations,
        }
    }
}

fn read_operation(path: &str, method: &str, operation: &Value, schemas: &Value) -> Operation {
    let parameters = operation["parameters"].as_array();
    let parameters = parameters.map(Vec::as_slice).unwrap_or_default();
    let (in_path, in_query): (Vec<&Value>, Vec<&Value>) = parameters
        .iter()
        .partition(|parameter| parameter["in"] == "path");
    let body = &operation["requestBody"]["content"]["application/json"]["schema"];
    let fields = match body.is_null() {
        true => in_query.into_iter().map(parameter).collect(),
        false => fields(resolve(body, schemas)),
    };
    let success = entries(&operation["responses"]).find(|(status, _)| status.starts_with('2'));
    let content = success.map_or(&Value::Null, |(_, response)| &response["content"]);
    let events = &content["text/event-stream"]["x-event"];
    let streams = !events.is_null();
    let answer = match streams {
        true => events,
        false => &content["application/json"]["schema"],
    };
    Operation {
        name: text(&operation["operationId"]),
        summary: text(&operation["summary"]),
        method: method.to_ascii_uppercase(),
        path: path.to_owned(),
        in_path: in_path
            .iter()
            .map(|parameter| text(&parameter["name"]))
            .collect(),
        fields,
        answer: type_of(answer),
        streams,
    }
}

fn parameter(parameter: &Value) -> TypeField {
    TypeField {
        name: text(&parameter["name"]),
        description: text(&parameter["description"]),
        required: parameter["required"] == true,
        value: type_of(&parameter["schema"]),
    }
}

fn resolve<'a>(schema: &'a Value, schemas: &'a Value) -> &'a Value {
    match schema["$ref"]
        .as_str()
        .and_then(|path| path.rsplit('/').next())
    {
        Some(name) => &schemas[name],
        None => schema,
    }
}

fn shape(schema: &Value) -> TypeShape {
    match schema["type"] == "object" && schema.get("properties").is_some() {
        true => TypeShape::Record(fields(schema)),
        false => TypeShape::Other(type_of(schema)),
    }
}

/// Returns the fields, required ones first.
fn fields(schema: &Value) -> Vec<TypeField> {
    let required = schema["required"].as_array();
    let required = required.map(Vec::as_slice).unwrap_or_default();
    let mut fields: Vec<TypeField> = entries(&schema["properties"])
        .map(|(name, property)| TypeField {
            name: name.clone(),
            description: text(&property["description"]),
            required: required.iter().any(|known| known == name),
            value: type_of(property),
        })
        .collect();
    fields.sort_by_key(|field| !field.required);
    fields
}

fn type_of(schema: &Value) -> Type {
    if let Some(path) = schema["$ref"].as_str() {
        let name = path.rsplit('/').next().unwrap_or(path);
        return Type::Named(name.to_owned());
    }
    if let Some(words) = words(schema) {
        return Type::Words(words);
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let some = choices.iter().find(|choice| choice["type"] != "null");
        let some = some.map_or(Type::Anything, type_of);
        return Type::Nullable(Box::new(some));
    }
    match &schema["type"] {
        Value::String(kind) => plain(kind, schema),
        Value::Array(kinds) => {
            let some = kinds
                .iter()
                .filter_map(Value::as_str)
                .find(|kind| *kind != "null");
            let some = some.map_or(Type::Anything, |kind| plain(kind, schema));
            Type::Nullable(Box::new(some))
        }
        _ => Type::Anything,
    }
}

fn plain(kind: &str, schema: &Value) -> Type {
    match kind {
        "string" => Type::Text,
        "integer" => Type::Integer,
        "number" => Type::Number,
        "boolean" => Type::Truth,
        "object" => Type::Map,
        "array" => match schema["prefixItems"].as_array() {
            Some(items) => Type::Tuple(items.iter().map(type_of).collect()),
            None => Type::List(Box::new(type_of(&schema["items"]))),
        },
        _ => Type::Anything,
    }
}

/// Returns the words of an enumeration, with or without descriptions in the schema.
fn words(schema: &Value) -> Option<Vec<String>> {
    let mut words = Vec::new();
    if let Some(values) = schema["enum"].as_array() {
        words.extend(values.iter().filter_map(Value::as_str).map(str::to_owned));
    }
    if let Some(value) = schema["const"].as_str() {
        words.push(value.to_owned());
    }
    for choice in schema["oneOf"].as_array().into_iter().flatten() {
        words.extend(self::words(choice)?);
    }
    (!words.is_empty()).then_some(words)
}

fn entries(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or("").to_owned()
}

/// Converts `add_memory` and `not-found` to type names: `AddMemory`, `NotFound`.
pub(crate) fn pascal_case(name: &str) -> String {
    let mut pascal = String::new();
    for part in name.split(['_', '-']) {
        let (first, rest) = part.split_at(part.len().min(1));
        pascal.push_str(&first.to_ascii_uppercase());
        pascal.push_str(rest);
    }
    pascal
}
