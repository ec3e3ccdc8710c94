//! `acreta config list|get|set|unset`.

use acreta_service::{Failure, projects::configure};

use crate::args::ConfigCommand;
use crate::context::Context;
use crate::output::{json, line, talk};

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
            written.note.into_iter().for_each(talk);
            Ok(())
        }
        ConfigCommand::Unset { key, in_project } => {
            let file = configure::unset(key, *in_project, context)?;
            talk(&format!("{key} is no longer set in {file}"));
            Ok(())
        }
    }
}

/// Prints one line for each setting, as TOML with a comment: the variable that sets it, and the origin of its value.
fn list(context: &Context, with_origin: bool) {
    let settings = configure::list(context);
    if context.json {
        return json(&settings);
    }
    let mut lines: Vec<(&str, String)> = Vec::new();
    for setting in &settings.settings {
        let origin = match with_origin {
            true => format!("{}; ", setting.origin),
            false => String::new(),
        };
        let (key, shown, variable) = (&setting.key, &setting.shown, &setting.variable);
        lines.push((key, format!("{key} = {shown}  # {origin}{variable}")));
    }
    for setting in &settings.unset {
        let (key, variable) = (&setting.key, &setting.variable);
        lines.push((key, format!("# {key} is not set; {variable}")));
    }
    lines.sort();
    for (_, text) in lines {
        line(&text);
    }
}
