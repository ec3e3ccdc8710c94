//! `acreta connect list|add|remove|exclude`.

use acreta_service::connect::permissions::{self, NewConnection};
use acreta_service::{Failure, learn::sync_options};
use camino::Utf8Path;

use crate::args::ConnectCommand;
use crate::context::Context;
use crate::output::{count, json, line, table, talk};

pub(crate) fn run(command: &ConnectCommand, context: &Context) -> Result<(), Failure> {
    match command {
        ConnectCommand::List => list(context),
        ConnectCommand::Add { agent, root } => {
            let request = NewConnection {
                agent: agent.clone(),
                root: root.clone(),
            };
            permissions::add(&request, context)?;
            talk(&format!("sessions of {agent} are read at the next sync"));
            Ok(())
        }
        ConnectCommand::Exclude { folder, remove } => exclude(folder.as_deref(), *remove, context),
        ConnectCommand::Remove { agent } => {
            permissions::remove(context, agent)?;
            talk(&format!(
                "sessions of {agent} are no longer read; what was learnt and archived stays"
            ));
            Ok(())
        }
    }
}

fn exclude(folder: Option<&Utf8Path>, remove: bool, context: &Context) -> Result<(), Failure> {
    let Some(folder) = folder else {
        let excluded = sync_options::excluded(context);
        match context.json {
            true => json(&excluded),
            false if excluded.is_empty() => talk("no folder is excluded"),
            false => excluded.iter().for_each(|folder| line(folder.as_str())),
        }
        return Ok(());
    };
    let changed = match remove {
        true => permissions::include(folder, context)?,
        false => permissions::exclude(folder, context)?,
    };
    if context.json {
        json(&changed);
        return Ok(());
    }
    let folder = &changed.folder;
    match remove {
        true => talk(&format!(
            "sessions of {folder} are read again at the next sync"
        )),
        false => talk(&format!("sessions of {folder} are no longer read")),
    }
    if changed.archived > 0 {
        talk(&format!(
            "{} archived before: `acreta memory purge --session ID` removes one with everything learnt from it",
            count(changed.archived, "session was", "sessions were")
        ));
    }
    Ok(())
}

fn list(context: &Context) -> Result<(), Failure> {
    let connections = permissions::list(context)?;
    if context.json {
        json(&connections);
        return Ok(());
    }
    let mut rows = vec![["agent", "read", "where"].map(str::to_owned).to_vec()];
    for root in connections {
        let place = match &root.path {
            Some(path) => path.to_string(),
            // Variables come first, and are rarely set. JSON has all candidates.
            None => {
                let candidates = &root.looked_in;
                let usual = candidates.iter().find(|place| !place.starts_with('$'));
                let usual = usual.or(candidates.first());
                format!("not found ({})", usual.map_or("", String::as_str))
            }
        };
        let place = match root.adapter == format!("adapter-{}", root.agent) {
            true => place,
            false => format!("{place}, by {}", root.adapter),
        };
        rows.push(vec![
            root.agent,
            if root.granted { "yes" } else { "no" }.to_owned(),
            place,
        ]);
    }
    table(&rows);
    for folder in sync_options::excluded(context) {
        line(&format!("excluded: {folder}"));
    }
    Ok(())
}
