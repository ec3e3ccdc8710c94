//! `acreta connect list|add|remove`.

use std::collections::BTreeSet;

use acreta_catalog::{Catalog, CatalogOptions};
use acreta_plugins::Grant;
use acreta_sync::{AgentRoot, Selection, agent_roots};
use camino::Utf8Path;
use serde_json::json as value;

use crate::args::ConnectCommand;
use crate::context::Context;
use crate::failure::{CliError, Kind};
use crate::output::{json, table, talk};
use crate::workshop::LazyWorkshop;
use crate::{plugins, settings};

pub(crate) fn run(command: &ConnectCommand, context: &Context) -> Result<(), CliError> {
    match command {
        ConnectCommand::List => list(context),
        ConnectCommand::Add { agent, root } => add(context, agent, root.as_deref()),
        ConnectCommand::Remove { agent } => {
            let roots = roots(context)?;
            let (adapter, _) = adapter_of(&roots, agent)?;
            let mut grants = context.grants.clone();
            grants.set(&adapter, Grant::default())?;
            talk(&format!(
                "sessions of {agent} are not read any more; what was learnt and archived stays"
            ));
            Ok(())
        }
    }
}

/// The roots of every adapter, whether it is granted or not.
fn roots(context: &Context) -> Result<Vec<AgentRoot>, CliError> {
    let catalog = Catalog::open(&context.home.state_file(), CatalogOptions::default())?;
    let options = settings::sync_options(context, Selection::default())?;
    let workshop = LazyWorkshop::ungranted(context)?;
    Ok(agent_roots(&catalog, &options, &workshop)?)
}

fn list(context: &Context) -> Result<(), CliError> {
    let mut rows = vec![
        ["agent", "read", "where", "adapter"]
            .map(str::to_owned)
            .to_vec(),
    ];
    let mut lines = Vec::new();
    for root in roots(context)? {
        let (_, is_builtin) = plugins::digest(context, &root.adapter)?;
        let granted = context.grants.is_granted(&root.adapter, is_builtin);
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

fn add(context: &Context, agent: &str, folder: Option<&Utf8Path>) -> Result<(), CliError> {
    let roots = roots(context)?;
    let (adapter, names) = adapter_of(&roots, agent)?;
    let mut grant = context.grants.get(&adapter).cloned().unwrap_or_default();
    grant.granted = true;
    grant.roots.clear();
    if let Some(folder) = folder {
        let Ok(path) = acreta_fs::canonical(folder) else {
            let message = format!("there is nothing at `{folder}`");
            return Err(CliError::new(Kind::Usage, message));
        };
        let [name] = &names[..] else {
            let message = format!("`{agent}` has {} roots, not one", names.len());
            return Err(CliError::failure(message)
                .hint("its sessions can be read one by one with `acreta run FILE`"));
        };
        grant.roots.insert(name.clone(), path);
    }
    let mut grants = context.grants.clone();
    grants.set(&adapter, grant)?;
    talk(&format!("sessions of {agent} are read at the next sync"));
    Ok(())
}

/// The adapter of an agent, and the names of its roots.
fn adapter_of(roots: &[AgentRoot], agent: &str) -> Result<(String, Vec<String>), CliError> {
    let own: Vec<&AgentRoot> = roots
        .iter()
        .filter(|root| root.agent == agent || root.adapter == agent)
        .collect();
    let Some(first) = own.first() else {
        let known: BTreeSet<&str> = roots.iter().map(|root| root.agent.as_str()).collect();
        let known: Vec<&str> = known.into_iter().collect();
        let message = format!("no adapter with a folder of its own reads `{agent}`");
        return Err(
            CliError::new(Kind::Usage, message).hint(format!("there are {}", known.join(", ")))
        );
    };
    let names = own.iter().map(|root| root.wanted.name.clone()).collect();
    Ok((first.adapter.clone(), names))
}
