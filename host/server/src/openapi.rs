//! Generates the OpenAPI document from the table of routes.

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::api::ProblemBody;
use crate::auth::RequiredAccess;
use crate::input::without_null;
use crate::routes::{Handler, Route, table};

/// Returns an OpenAPI 3.1 document, in the order of the table.
pub fn document(version: &str) -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut requests = settings.clone().into_generator();
    let mut reports = settings.for_serialize().into_generator();
    let mut paths = Map::new();
    for route in table() {
        let operation = operation(&route, &mut requests, &mut reports);
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        path[route.method.as_str().to_ascii_lowercase()] = operation;
    }
    reports.subschema_for::<ProblemBody>();
    let mut schemas = reports.take_definitions(true);
    schemas.values_mut().for_each(never_null);
    for (name, schema) in requests.take_definitions(true) {
        schemas.entry(name).or_insert(schema);
    }
    schemas.sort_keys();
    let mut schemas = Value::Object(schemas);
    tidy(&mut schemas);
    let mut paths = Value::Object(paths);
    tidy(&mut paths);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "acreta",
            "version": version,
            "description": "Memory of coding agents. MCP over streamable HTTP is under `/mcp`.",
        },
        "servers": [{ "url": "http://127.0.0.1:8765" }],
        "security": [{ "token": [] }],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "token": { "type": "http", "scheme": "bearer" },
            },
        },
    })
}

fn operation(
    route: &Route,
    requests: &mut SchemaGenerator,
    reports: &mut SchemaGenerator,
) -> Value {
    let mut parameters = Vec::new();
    for name in route.path_names() {
        parameters.push(json!({
            "name": name,
            "in": "path",
            "required": true,
            "schema": { "type": "string", "minLength": 1 },
        }));
    }
    if !route.has_effects() {
        for field in route.shape(requests).fields {
            let mut schema = field.schema;
            let description = schema
                .as_object_mut()
                .and_then(|schema| schema.remove("description"));
            let mut parameter = json!({
                "name": field.name,
                "in": "query",
                "required": field.required,
                "schema": schema,
            });
            if let Some(description) = description {
                parameter["description"] = description;
            }
            parameters.push(parameter);
        }
    }
    let mut operation = json!({
        "operationId": route.name,
        "summary": route.summary,
        "parameters": parameters,
        "responses": responses(route, reports),
        "x-effects": route.has_effects(),
    });
    if route.has_effects() {
        operation["requestBody"] = json!({
            "required": true,
            "content": { "application/json": { "schema": route.request(requests) } },
        });
    }
    if route.access == RequiredAccess::Open {
        operation["security"] = json!([]);
    }
    operation
}

fn responses(route: &Route, generator: &mut SchemaGenerator) -> Value {
    let schema = (route.response)(generator);
    let content = match route.handler {
        Handler::Events => {
            json!({ "text/event-stream": { "schema": { "type": "string" }, "x-event": schema } })
        }
        Handler::UseCase(_) | Handler::Server(_) => {
            json!({ "application/json": { "schema": schema } })
        }
    };
    let mut responses = Map::new();
    let success =
        json!({ "description": "Done", "headers": request_id_header(), "content": content });
    responses.insert(route.success.as_str().to_owned(), success);
    for (status, description) in PROBLEMS {
        let needs_body = ["408", "409", "413", "415"].contains(status);
        if needs_body && !route.has_effects()
            || *status == "401" && route.access == RequiredAccess::Open
        {
            continue;
        }
        let problem = json!({
            "description": description,
            "headers": request_id_header(),
            "content": {
                "application/json": { "schema": generator.subschema_for::<ProblemBody>() },
            },
        });
        responses.insert((*status).to_owned(), problem);
    }
    Value::Object(responses)
}

fn request_id_header() -> Value {
    json!({ "x-request-id": { "required": true, "schema": { "type": "string" } } })
}

const PROBLEMS: &[(&str, &str)] = &[
    ("400", "The request is invalid; the message names the error"),
    ("401", "Missing or wrong token"),
    (
        "403",
        "Refused: a foreign origin or host, an unregistered project, or a gate",
    ),
    ("404", "Not found"),
    ("408", "The body did not arrive in time"),
    ("409", "It changed since it was read"),
    ("413", "The body is too large"),
    ("415", "The body is not `application/json`"),
    ("500", "It failed"),
    ("503", "Busy; retry later"),
    ("504", "Timed out"),
];

/// Removes null from optional properties, because answers omit missing values.
fn never_null(schema: &mut Value) {
    let required = schema["required"].clone();
    let required = required.as_array().map(Vec::as_slice).unwrap_or_default();
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for (name, property) in properties.into_iter().flatten() {
        if !required.iter().any(|known| known == name) {
            *property = without_null(property.take());
        }
    }
}

/// Removes Rust's integer formats, which OpenAPI does not know.
fn tidy(value: &mut Value) {
    match value {
        Value::Object(object) => {
            let rust = |format: &Value| {
                let format = format.as_str().unwrap_or("");
                format.starts_with("uint") || format.starts_with("int") || format == "double"
            };
            if object.get("format").is_some_and(rust) {
                object.remove("format");
            }
            object.values_mut().for_each(tidy);
        }
        Value::Array(values) => values.iter_mut().for_each(tidy),
        _ => {}
    }
}
