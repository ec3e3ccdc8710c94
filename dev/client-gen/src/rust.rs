//! The Rust client: types and calls. The transport is written by hand, next to them in the package.

use crate::model::{ApiModel, NamedType, Operation, Type, TypeField, TypeShape, pascal_case};

pub(crate) fn api(model: &ApiModel) -> String {
    let mut text = HEAD.to_owned();
    for named in &model.types {
        text.push_str(&definition(named));
    }
    for operation in &model.operations {
        text.push_str(&fields_of(operation));
    }
    text.push_str("\nimpl Client {");
    let methods: Vec<String> = model.operations.iter().map(method).collect();
    text.push_str(&methods.join("\n"));
    text.push_str("}\n");
    text
}

fn definition(named: &NamedType) -> String {
    let (name, doc) = (&named.name, doc("", &named.description));
    match &named.shape {
        TypeShape::Record(fields) => {
            let fields: String = fields.iter().map(member).collect();
            format!("\n{doc}{DERIVED}pub struct {name} {{\n{fields}}}\n")
        }
        TypeShape::Other(Type::Words(words)) => {
            let variant = |word: &str| {
                let variant = pascal_case(word);
                format!("    #[serde(rename = \"{word}\")]\n    {variant},\n")
            };
            let others = words.iter().filter(|word| pascal_case(word) != "Unknown");
            let words: String = others.map(|word| variant(word)).collect();
            format!(
                "\n{doc}{DERIVED_WORD}#[non_exhaustive]\npub enum {name} {{\n{words}{UNKNOWN}}}\n"
            )
        }
        TypeShape::Other(other) => format!("\n{doc}pub type {name} = {};\n", type_name(other)),
    }
}

/// Returns the type for a call's parameters other than its path.
fn fields_of(operation: &Operation) -> String {
    if operation.fields.is_empty() {
        return String::new();
    }
    let fields: String = operation.fields.iter().map(member).collect();
    let (name, call) = (fields_name(operation), &operation.name);
    // Enumerations have no default, so a call that needs one has to name it.
    let needs_word = |field: &TypeField| field.required && !matches!(field.value, Type::Text);
    let usual = match operation.fields.iter().any(needs_word) {
        true => "",
        false => "Default, ",
    };
    format!(
        "\n/// Fields of [`Client::{call}`].\n#[derive(Debug, Clone, {usual}PartialEq, Serialize, Deserialize)]\npub struct {name} {{\n{fields}}}\n"
    )
}

fn fields_name(operation: &Operation) -> String {
    format!("{}Fields", pascal_case(&operation.name))
}

fn member(field: &TypeField) -> String {
    let doc = doc("    ", &field.description);
    let (name, value) = (identifier(&field.name), type_name(&field.value));
    match (field.required, &field.value) {
        (true, _) => format!("{doc}    pub {name}: {value},\n"),
        (false, Type::Nullable(_)) => format!("{doc}{OPTIONAL}    pub {name}: {value},\n"),
        (false, _) => format!("{doc}{OPTIONAL}    pub {name}: Option<{value}>,\n"),
    }
}

fn method(operation: &Operation) -> String {
    let mut arguments = vec!["&self".to_owned()];
    arguments.extend(operation.in_path.iter().map(|name| format!("{name}: &str")));
    let given = match operation.fields.is_empty() {
        true => "Map::new()",
        false => {
            arguments.push(format!("fields: &{}", fields_name(operation)));
            "given(fields)"
        }
    };
    let path = operation
        .in_path
        .iter()
        .fold(operation.path.clone(), |path, name| {
            path.replace(&format!("{{{name}}}"), "{}")
        });
    let parts = operation
        .in_path
        .iter()
        .map(|name| format!(", part({name})"));
    let path = match operation.in_path.is_empty() {
        true => format!("\"{path}\""),
        false => format!("&format!(\"{path}\"{})", parts.collect::<String>()),
    };
    let (answer, call) = match operation.streams {
        true => {
            arguments.push("last_event_id: Option<&str>".to_owned());
            let call = format!("self.stream({path}, {given}, last_event_id)");
            ("Events".to_owned(), call)
        }
        false => {
            let call = format!("self.call(Method::{}, {path}, {given})", operation.method);
            (type_name(&operation.answer), call)
        }
    };
    format!(
        "\n{}    pub fn {}({}) -> Result<{answer}, Error> {{\n        {call}\n    }}\n",
        doc("    ", &operation.summary),
        identifier(&operation.name),
        arguments.join(", "),
    )
}

fn type_name(value: &Type) -> String {
    match value {
        // Unnamed enumerations occur in one place each.
        Type::Text | Type::Words(_) => "String".to_owned(),
        Type::Integer => "i64".to_owned(),
        Type::Number => "f64".to_owned(),
        Type::Truth => "bool".to_owned(),
        Type::Anything => "Value".to_owned(),
        Type::Map => "Map<String, Value>".to_owned(),
        Type::Named(name) => name.clone(),
        Type::List(item) => format!("Vec<{}>", type_name(item)),
        Type::Tuple(items) => {
            let items: Vec<String> = items.iter().map(type_name).collect();
            format!("({})", items.join(", "))
        }
        Type::Nullable(value) => format!("Option<{}>", type_name(value)),
    }
}

fn identifier(name: &str) -> String {
    match KEYWORDS.contains(&name) {
        true => format!("r#{name}"),
        false => name.to_owned(),
    }
}

fn doc(indent: &str, text: &str) -> String {
    let text = acreta_text::one_line(text);
    match text.is_empty() {
        true => String::new(),
        false => format!("{indent}/// {text}\n"),
    }
}

const KEYWORDS: [&str; 12] = [
    "as", "fn", "for", "in", "match", "mod", "move", "ref", "self", "static", "type", "use",
];

const DERIVED: &str = "#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]\n";
const DERIVED_WORD: &str =
    "#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]\n";
const OPTIONAL: &str = "    #[serde(default, skip_serializing_if = \"Option::is_none\")]\n";
const UNKNOWN: &str =
    "    /// A word of a later version.\n    #[serde(rename = \"unknown\", other)]\n    Unknown,\n";

const HEAD: &str = r#"// Types and calls of acreta's HTTP API. Generated from docs/openapi.json.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ureq::http::Method;

use crate::path::part;
use crate::{Client, Error, Events, given};
"#;
