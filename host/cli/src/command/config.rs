//! `acreta config list|get|set`.

use acreta_service::{Failure, configure};

use crate::args::ConfigCommand;
use crate::context::Context;
use crate::output::{json, line, table, talk};

pub(crate) fn run(command: &ConfigCommand, context: &Context) -> Result<(), Failure> {
    match command {
        ConfigCommand::List { origin } => {
            list(context, *origin);
            Ok(())
        }
        ConfigCommand::Get { key } => {
            let setting = configure::get(key, context)?;
            match context.json {
                true => json(&serde_json::json!({ "key": key, "value": setting.value })),
                false => line(&setting.shown),
            }
            Ok(())
        }
        ConfigCommand::Set {
            key,
            value,
            in_project,
        } => {
            let written = configure::set(key, value, *in_project, context)?;
            talk(&format!("{key} = {} in {}", written.value, written.file));
            Ok(())
        }
    }
}

fn list(context: &Context, with_origin: bool) {
    let settings = configure::list(context);
    if context.json {
        return json(&settings);
    }
    let cells: Vec<Vec<String>> = settings
        .settings
        .iter()
        .map(|setting| {
            let mut row = vec![format!("{} = {}", setting.key, setting.shown)];
            if with_origin {
                row.push(setting.origin.clone());
            }
            row
        })
        .collect();
    table(&cells);
}
