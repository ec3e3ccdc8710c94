//! `acreta config list|get|set`.

use acreta_config::{KeyEntry, Origin, set, set_in_project};
use acreta_service::project_config;
use acreta_service::{Failure, Kind};

use crate::args::ConfigCommand;
use crate::context::Context;
use crate::output::{json, line, table, talk};

pub(crate) fn run(command: &ConfigCommand, context: &Context) -> Result<(), Failure> {
    match command {
        ConfigCommand::List { origin } => {
            list(context, *origin);
            Ok(())
        }
        ConfigCommand::Get { key } => get(context, key),
        ConfigCommand::Set {
            key,
            value,
            in_project,
        } => {
            let (file, value) = if *in_project {
                let file = project_config(&context.project);
                let value = set_in_project(&file, key, value)?;
                (file, value)
            } else {
                let file = context.home.config_file();
                let value = set(&file, key, value)?;
                (file, value)
            };
            talk(&format!("{key} = {value} in {file}"));
            Ok(())
        }
    }
}

fn list(context: &Context, with_origin: bool) {
    let entries = context.config.entries();
    if context.json {
        let rows: Vec<_> = entries
            .iter()
            .map(|entry| {
                serde_json::json!({
                    "key": entry.path, "value": entry.value, "origin": origin_text(&entry.origin)
                })
            })
            .collect();
        let ignored: Vec<_> = context
            .warnings
            .iter()
            .map(|warning| {
                serde_json::json!({
                    "key": warning.key,
                    "origin": origin_text(&warning.origin),
                    "reason": warning.to_string(),
                })
            })
            .collect();
        return json(&serde_json::json!({ "settings": rows, "ignored": ignored }));
    }
    let cells: Vec<Vec<String>> = entries
        .iter()
        .map(|entry| {
            let mut row = vec![format!("{} = {}", entry.path, entry.value)];
            if with_origin {
                row.push(origin_text(&entry.origin));
            }
            row
        })
        .collect();
    table(&cells);
}

fn origin_text(origin: &Origin) -> String {
    match origin {
        Origin::Builtin => "built-in".to_owned(),
        Origin::File(path) => path.to_string(),
        Origin::Environment(name) => format!("${name}"),
        Origin::Flag => "flag".to_owned(),
    }
}

fn get(context: &Context, key: &str) -> Result<(), Failure> {
    match context.config.get(key) {
        Some(value) if context.json => json(&serde_json::json!({ "key": key, "value": value })),
        Some(value) => line(&value.to_string()),
        None if KeyEntry::of(key).is_some() => {
            return Err(Failure::new(Kind::Failure, format!("`{key}` is not set")));
        }
        None => {
            return Err(
                Failure::new(Kind::Usage, format!("there is no setting `{key}`"))
                    .hint("`acreta config list` shows them all"),
            );
        }
    }
    Ok(())
}
