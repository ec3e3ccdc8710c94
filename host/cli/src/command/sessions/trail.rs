//! `acreta sessions files|blame|how`.

use acreta_service::sessions::{self, TrailRequest};
use acreta_service::{Failure, process::clock};
use serde_json::json as value;

use super::{ONE_LINE, one_line};
use crate::args::TrailArguments;
use crate::context::Context;
use crate::output::{count, json, line, table, talk};

pub(super) fn files(arguments: &TrailArguments, context: &Context) -> Result<(), Failure> {
    let files = sessions::files(&request(arguments, context), context)?;
    if context.json {
        json(&value!({ "files": files }));
        return Ok(());
    }
    if files.is_empty() {
        nothing(arguments);
        return Ok(());
    }
    let mut rows = vec![vec![
        "file".to_owned(),
        "sessions".to_owned(),
        "changes".to_owned(),
    ]];
    rows.extend(files.into_iter().map(|file| {
        vec![
            file.path,
            file.sessions.to_string(),
            file.changes.to_string(),
        ]
    }));
    table(&rows);
    Ok(())
}

pub(super) fn blame(arguments: &TrailArguments, context: &Context) -> Result<(), Failure> {
    let changes = sessions::blame(&request(arguments, context), context)?;
    if context.json {
        json(&value!({ "changes": changes }));
        return Ok(());
    }
    if changes.is_empty() {
        nothing(arguments);
    }
    for change in &changes {
        let time = change.at_ms.map(clock::shown).unwrap_or_default();
        let tool = one_line(change.tool.as_deref().unwrap_or("tool"), ONE_LINE);
        let failed = if change.has_failed == Some(true) {
            ", failed"
        } else {
            ""
        };
        line(&format!(
            "{time}  {}  {}  {tool}{failed}",
            change.session, change.event
        ));
        if let Some(asked) = &change.asked {
            line(&format!("  asked: {}", one_line(asked, ONE_LINE)));
        }
    }
    Ok(())
}

pub(super) fn how(arguments: &TrailArguments, context: &Context) -> Result<(), Failure> {
    let used = sessions::how(&request(arguments, context), context)?;
    if context.json {
        json(&value!({ "commands": used }));
        return Ok(());
    }
    if used.is_empty() {
        nothing(arguments);
    }
    for used in &used {
        line(&one_line(&used.command, ONE_LINE * 2));
        let time = used.at_ms.map(clock::shown).unwrap_or_default();
        line(&format!(
            "  worked {}, failed {}, last in {}  {time}",
            count(used.worked, "time", "times"),
            count(used.failed, "time", "times"),
            used.session
        ));
    }
    Ok(())
}

fn request(arguments: &TrailArguments, context: &Context) -> TrailRequest {
    TrailRequest {
        text: arguments.text.join(" "),
        project: (!arguments.all_projects).then(|| context.project.clone()),
        limit: arguments.limit,
    }
}

fn nothing(arguments: &TrailArguments) {
    talk(match arguments.all_projects {
        true => "nothing found",
        false => "nothing found in this project; `--all-projects` searches all",
    });
}
