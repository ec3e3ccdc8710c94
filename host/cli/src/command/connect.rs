//! `acreta connect list|add|remove`.

use acreta_service::{Failure, connect};
use serde_json::json as value;

use crate::args::ConnectCommand;
use crate::context::Context;
use crate::output::{json, table, talk};

pub(crate) fn run(command: &ConnectCommand, context: &Context) -> Result<(), Failure> {
    match command {
        ConnectCommand::List => list(context),
        ConnectCommand::Add { agent, root } => {
            connect::add(context, agent, root.as_deref())?;
            talk(&format!("sessions of {agent} are read at the next sync"));
            Ok(())
        }
        ConnectCommand::Remove { agent } => {
            connect::remove(context, agent)?;
            talk(&format!(
                "sessions of {agent} are not read any more; what was learnt and archived stays"
            ));
            Ok(())
        }
    }
}

fn list(context: &Context) -> Result<(), Failure> {
    let mut rows = vec![
        ["agent", "read", "where", "adapter"]
            .map(str::to_owned)
            .to_vec(),
    ];
    let mut lines = Vec::new();
    for connect::Root {
        asked: root,
        granted,
    } in connect::roots(context)?
    {
        lines.push(value!({
            "agent": root.agent,
            "adapter": root.adapter,
            "root": root.wanted.name,
            "granted": granted,
            "path": root.found,
            "looked_in": root.wanted.candidates,
            "reason": root.wanted.reason,
            "deletes_after_days": root.deletes_after_days,
        }));
        let place = match &root.found {
            Some(path) => path.to_string(),
            None => format!("not found ({})", root.wanted.candidates.join(", ")),
        };
        rows.push(vec![
            root.agent,
            if granted { "yes" } else { "no" }.to_owned(),
            place,
            root.adapter,
        ]);
    }
    if context.json {
        json(&lines);
    } else {
        table(&rows);
    }
    Ok(())
}
