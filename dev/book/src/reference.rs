//! The reference chapters that no person writes: command line, HTTP API and tools of MCP, made of what the program says of
//! itself. (The chapter of the settings is an example of `acreta-config`, which has their table.)

use std::fmt::Write as _;

use serde_json::Value;

use crate::commands::{self, HelpOf};
use crate::markdown::slug;

/// Section of a help text that is the same for all commands.
const GLOBAL: &str = "\nGlobal options:\n";

/// Returns the chapter of the command line: the help text of every command.
pub fn command_line(help_of: HelpOf<'_>) -> String {
    let mut text = String::from(
        "# Command line\n\nThe help text of every command, as `acreta COMMAND --help` prints it.\n",
    );
    // `worker` is not in the list of commands unless the program was built for it.
    let commands = commands::all(help_of, "worker");
    let globals = commands
        .iter()
        .filter_map(|(_, help)| help.split_once(GLOBAL));
    let global = globals.map(|(_, global)| global.trim_end()).next();
    for (words, help) in &commands {
        let name = words.join(" ");
        let (own, rest) = help.split_once(GLOBAL).unwrap_or((help, ""));
        let own = match Some(rest.trim_end()) == global {
            true => own,
            false => help,
        };
        let _ = write!(
            text,
            "\n## `{}`\n\n```text\n{}\n```\n",
            format!("acreta {name}").trim_end(),
            own.trim_end()
        );
    }
    if let Some(global) = global {
        let _ = write!(
            text,
            "\n## Options of every command\n\n```text\n{global}\n```\n"
        );
    }
    text
}

/// Returns the chapter of the HTTP API, from `docs/openapi.json`.
pub fn http(openapi: &Value) -> String {
    let mut text = String::from(
        "# HTTP API\n\nEvery route of the daemon, made from [`openapi.json`](../openapi.json). \
         [The daemon](../daemon.md) says who may call it. An answer that is no success is a [`ProblemBody`](#problembody).\n\n## Routes\n",
    );
    for (path, methods) in entries(&openapi["paths"]) {
        for (method, route) in entries(methods) {
            let _ = write!(
                text,
                "\n### {} {path}\n\n{}.\n",
                method.to_uppercase(),
                sentence(&route["summary"])
            );
            let description = sentence(&route["description"]);
            if !description.is_empty() {
                let _ = write!(text, "\n{description}.\n");
            }
            let parameters = route["parameters"]
                .as_array()
                .map_or(&[][..], Vec::as_slice);
            if !parameters.is_empty() {
                text.push_str("\n| parameter | in | type | |\n|---|---|---|---|\n");
            }
            for parameter in parameters {
                let _ = writeln!(
                    text,
                    "| `{}` | {} | {} | {} |",
                    word(&parameter["name"]),
                    word(&parameter["in"]),
                    kind(&parameter["schema"]),
                    remark(parameter, parameter["required"] == true)
                );
            }
            let body = &route["requestBody"]["content"]["application/json"]["schema"];
            if !body.is_null() {
                let _ = write!(text, "\nBody: {}\n", kind(body));
            }
            let done = entries(&route["responses"]).find(|(code, _)| code.starts_with('2'));
            if let Some((code, answer)) = done {
                let contents = entries(&answer["content"]);
                let contents = contents.map(|(media, content)| match media {
                    "application/json" => kind(&content["schema"]),
                    media => format!("`{media}`"),
                });
                let contents: Vec<String> = contents.collect();
                let _ = write!(text, "\nAnswer {code}: {}\n", contents.join(" or "));
            }
        }
    }
    text.push_str("\n## Types\n");
    for (name, schema) in entries(&openapi["components"]["schemas"]) {
        let _ = write!(text, "\n### {name}\n");
        let description = sentence(&schema["description"]);
        if !description.is_empty() {
            let _ = write!(text, "\n{description}.\n");
        }
        fields(&mut text, schema);
    }
    text
}

/// Returns the chapter of the tools, resources and prompts of MCP, from the server's answers to the lists of each.
pub fn mcp(tools: &Value, templates: &Value, prompts: &Value) -> String {
    let mut text = String::from(
        "# MCP\n\nWhat an agent is offered by `acreta mcp`, and by the [daemon](../daemon.md) under `/mcp`. \
         [What the agent sees](../agents.md#what-the-agent-sees) says when it is used.\n\n## Tools\n",
    );
    for tool in tools["tools"].as_array().into_iter().flatten() {
        let _ = write!(
            text,
            "\n### `{}`\n\n{}.\n",
            word(&tool["name"]),
            sentence(&tool["description"])
        );
        let hints = [
            ("readOnlyHint", "reads only"),
            ("destructiveHint", "asks to be approved"),
        ];
        let hints: Vec<&str> = hints
            .into_iter()
            .filter(|(name, _)| tool["annotations"][name] == true)
            .map(|(_, said)| said)
            .collect();
        if !hints.is_empty() {
            let _ = write!(text, "\nMarked as: {}.\n", hints.join(", "));
        }
        fields(&mut text, &tool["inputSchema"]);
    }
    text.push_str("\n## Resources\n\n| address | |\n|---|---|\n");
    for template in templates["resourceTemplates"]
        .as_array()
        .into_iter()
        .flatten()
    {
        let _ = writeln!(
            text,
            "| `{}` | {} |",
            word(&template["uriTemplate"]),
            cell(&template["description"])
        );
    }
    text.push_str("\n## Prompts\n\n| prompt | arguments | |\n|---|---|---|\n");
    for prompt in prompts["prompts"].as_array().into_iter().flatten() {
        let arguments = prompt["arguments"].as_array().into_iter().flatten();
        let arguments: Vec<String> = arguments
            .map(|argument| format!("`{}`", word(&argument["name"])))
            .collect();
        let _ = writeln!(
            text,
            "| `{}` | {} | {} |",
            word(&prompt["name"]),
            arguments.join(", "),
            cell(&prompt["description"])
        );
    }
    text
}

/// Writes the fields of an object, or the values of an enumeration.
fn fields(text: &mut String, schema: &Value) {
    let properties: Vec<(&str, &Value)> = entries(&schema["properties"]).collect();
    if properties.is_empty() {
        values(text, schema);
        return;
    }
    let required = schema["required"].as_array().map_or(&[][..], Vec::as_slice);
    text.push_str("\n| field | type | |\n|---|---|---|\n");
    for (name, property) in properties {
        let _ = writeln!(
            text,
            "| `{name}` | {} | {} |",
            kind(property),
            remark(property, required.iter().any(|one| one == name))
        );
    }
}

fn values(text: &mut String, schema: &Value) {
    let mut rows: Vec<(String, String)> = Vec::new();
    let mut add = |one: &Value| {
        for value in one["enum"].as_array().into_iter().flatten() {
            rows.push((word(value).to_owned(), String::new()));
        }
        if one.get("const").is_some() {
            rows.push((word(&one["const"]).to_owned(), cell(&one["description"])));
        }
    };
    add(schema);
    let choices = schema["oneOf"].as_array().into_iter().flatten();
    choices.clone().for_each(&mut add);
    if !rows.is_empty() {
        text.push_str("\n| value | |\n|---|---|\n");
        for (value, said) in rows {
            let _ = writeln!(text, "| `{value}` | {said} |");
        }
        return;
    }
    for choice in choices.filter(|choice| choice.get("properties").is_some()) {
        fields(text, choice);
    }
}

/// Names the type of a schema, with a link where it has a name.
fn kind(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.rsplit('/').next().unwrap_or_default();
        return format!("[{name}](#{})", slug(name));
    }
    let choices = schema["anyOf"].as_array().or(schema["oneOf"].as_array());
    if let Some(choices) = choices {
        let choices: Vec<String> = choices.iter().map(kind).collect();
        return choices.join(" or ");
    }
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<String> = values
            .iter()
            .map(|one| format!("`{}`", word(one)))
            .collect();
        return values.join(", ");
    }
    let base = match &schema["type"] {
        Value::String(name) if name == "array" => format!("list of {}", kind(&schema["items"])),
        Value::String(name) if schema["additionalProperties"].is_object() => {
            format!("{name} of {}", kind(&schema["additionalProperties"]))
        }
        Value::String(name) => name.clone(),
        Value::Array(names) => {
            let names: Vec<&str> = names.iter().map(word).collect();
            names.join(" or ")
        }
        _ => "any".to_owned(),
    };
    match (schema["minimum"].as_u64(), schema["maximum"].as_u64()) {
        (Some(least), Some(most)) => format!("{base} from {least} to {most}"),
        _ => base,
    }
}

fn remark(of: &Value, is_required: bool) -> String {
    let mut said = cell(&of["description"]);
    let default = of.get("default").or(of["schema"].get("default"));
    if let Some(default) = default.filter(|default| !default.is_null()) {
        let _ = write!(said, " Default: `{default}`.");
    }
    match is_required {
        true => format!("**required** {said}").trim_end().to_owned(),
        false => said.trim_start().to_owned(),
    }
}

fn entries(object: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let object = object.as_object().into_iter().flatten();
    object.map(|(name, value)| (name.as_str(), value))
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Returns a text without the stop at its end, one line, safe in markdown outside of code.
fn sentence(value: &Value) -> String {
    cell(value).trim_end_matches('.').to_owned()
}

/// Returns a text as a cell of a table.
fn cell(value: &Value) -> String {
    let line = word(value).split_whitespace().collect::<Vec<_>>().join(" ");
    line.replace('|', "\\|").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn types_have_names_and_links() {
        for (schema, expected) in [
            (
                json!({ "$ref": "#/components/schemas/ProblemBody" }),
                "[ProblemBody](#problembody)",
            ),
            (
                json!({ "type": "array", "items": { "type": "string" } }),
                "list of string",
            ),
            (json!({ "type": ["string", "null"] }), "string or null"),
            (
                json!({ "type": "integer", "minimum": 0, "maximum": 9 }),
                "integer from 0 to 9",
            ),
            (json!({ "type": "string", "enum": ["a", "b"] }), "`a`, `b`"),
            (
                json!({ "anyOf": [{ "$ref": "x/T" }, { "type": "null" }] }),
                "[T](#t) or null",
            ),
            (json!(true), "any"),
        ] {
            assert_eq!(kind(&schema), expected, "{schema}");
        }
    }

    #[test]
    fn options_of_every_command_are_told_once() {
        let help = |words: &[&str]| {
            let text = match words {
                [] => {
                    "Usage: acreta <COMMAND>\n\nCommands:\n  run  Learn\n\nOptions:\n  -h, --help  Print help\n"
                }
                ["run"] => {
                    "Learn\n\nUsage: acreta run\n\nGlobal options:\n      --json  Print JSON\n"
                }
                _ => return None,
            };
            Some(text.to_owned())
        };
        let chapter = command_line(&help);
        assert_eq!(chapter.matches("--json").count(), 1, "{chapter}");
        assert!(
            chapter.contains("## `acreta run`\n\n```text\nLearn\n\nUsage: acreta run\n```\n"),
            "{chapter}"
        );
        assert!(chapter.contains("## Options of every command"), "{chapter}");
    }
}
