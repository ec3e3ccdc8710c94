//! Which agents' sessions may be read.

use std::collections::BTreeSet;

use acreta_plugins::Grant;
use acreta_sync::{AgentRoot, Selection, agent_roots};
use camino::Utf8Path;

use crate::{Context, Failure, Kind, LazyWorkshop, plugins, scopes, settings};

/// A folder that an adapter asks for, and whether it may read it.
pub struct Root {
    pub asked: AgentRoot,
    pub granted: bool,
}

/// The roots of every adapter, whether it is granted or not.
pub fn roots(context: &Context) -> Result<Vec<Root>, Failure> {
    of(context, &LazyWorkshop::ungranted(context)?)
}

/// The roots of the adapters that acreta carries itself, whatever is configured.
pub fn builtin_roots(context: &Context) -> Result<Vec<Root>, Failure> {
    let is_adapter = |id: &String| id.starts_with("adapter-");
    let ids = plugins::builtin_ids().into_iter().filter(is_adapter);
    of(context, &LazyWorkshop::of(context, ids.collect())?)
}

fn of(context: &Context, workshop: &LazyWorkshop<'_>) -> Result<Vec<Root>, Failure> {
    let catalog = scopes::open_catalog(context)?;
    let options = settings::sync_options(context, Selection::default())?;
    let mut roots = Vec::new();
    for asked in agent_roots(&catalog, &options, workshop)? {
        let (_, is_builtin) = plugins::digest(context, &asked.adapter)?;
        roots.push(Root {
            granted: context.grants.is_granted(&asked.adapter, is_builtin),
            asked,
        });
    }
    Ok(roots)
}

/// Lets the adapter of an agent read its folders, or the one that is named.
pub fn add(context: &Context, agent: &str, folder: Option<&Utf8Path>) -> Result<(), Failure> {
    let (adapter, names) = adapter_of(&roots(context)?, agent)?;
    let mut grant = context.grants.get(&adapter).cloned().unwrap_or_default();
    grant.granted = true;
    grant.roots.clear();
    if let Some(folder) = folder {
        let Ok(path) = acreta_fs::canonical(folder) else {
            let message = format!("there is nothing at `{folder}`");
            return Err(Failure::new(Kind::Usage, message));
        };
        let [name] = &names[..] else {
            let message = format!("`{agent}` has {} roots, not one", names.len());
            return Err(Failure::saying(message)
                .hint("its sessions can be read one by one with `acreta run FILE`"));
        };
        grant.roots.insert(name.clone(), path);
    }
    context.grants.clone().set(&adapter, grant)?;
    Ok(())
}

/// From now on nothing of the agent is read. What was learnt and archived stays.
pub fn remove(context: &Context, agent: &str) -> Result<(), Failure> {
    let (adapter, _) = adapter_of(&roots(context)?, agent)?;
    context.grants.clone().set(&adapter, Grant::default())?;
    Ok(())
}

/// The adapter of an agent, and the names of its roots.
fn adapter_of(roots: &[Root], agent: &str) -> Result<(String, Vec<String>), Failure> {
    let asked = roots.iter().map(|root| &root.asked);
    let own: Vec<&AgentRoot> = asked
        .clone()
        .filter(|root| root.agent == agent || root.adapter == agent)
        .collect();
    let Some(first) = own.first() else {
        let known: BTreeSet<&str> = asked.map(|root| root.agent.as_str()).collect();
        let known: Vec<&str> = known.into_iter().collect();
        let message = format!("no adapter with a folder of its own reads `{agent}`");
        return Err(
            Failure::new(Kind::Usage, message).hint(format!("there are {}", known.join(", ")))
        );
    };
    let names = own.iter().map(|root| root.wanted.name.clone()).collect();
    Ok((first.adapter.clone(), names))
}
