//! Permissions to read agents' sessions, and folders that are excluded for every agent.

use std::collections::BTreeSet;

use acreta_plugin_registry::Grant;
use acreta_state::SessionFilter;
use acreta_sync::{AgentRoot, Excluded, Selection, agent_roots};
use camino::{Utf8Path, Utf8PathBuf};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::learn::sync_options::{EXCLUDE, excluded};
use crate::{
    Context, Failure, Kind, LazySyncEnvironment, learn::sync_options, plugins, projects::scopes,
};

/// A folder that an adapter asks for, and whether it may read it.
pub struct RootPermission {
    pub asked: AgentRoot,
    pub granted: bool,
}

/// Returns the roots of every adapter, granted or not.
pub fn roots(context: &Context) -> Result<Vec<RootPermission>, Failure> {
    of(context, &LazySyncEnvironment::ungranted(context)?)
}

fn of(
    context: &Context,
    workshop: &LazySyncEnvironment<'_>,
) -> Result<Vec<RootPermission>, Failure> {
    let catalog = scopes::open_catalog(context)?;
    let options = sync_options::sync_options(context, Selection::default())?;
    let mut roots = Vec::new();
    for asked in agent_roots(&catalog, &options, workshop)? {
        let (_, is_builtin) = plugins::digest(context, &asked.adapter)?;
        roots.push(RootPermission {
            granted: context.grants.is_granted(&asked.adapter, is_builtin),
            asked,
        });
    }
    Ok(roots)
}

/// A folder of sessions that an adapter asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Connection {
    pub agent: String,
    /// The plugin that reads its sessions.
    pub adapter: String,
    /// Name of the folder.
    pub root: String,
    pub granted: bool,
    /// Absent if it is not on this machine.
    #[schemars(with = "Option<String>")]
    pub path: Option<Utf8PathBuf>,
    /// Possible paths.
    pub looked_in: Vec<String>,
    pub reason: String,
    /// Absent if the agent does not delete its sessions.
    pub deletes_after_days: Option<u64>,
    /// Number of the agent's known sessions.
    pub sessions: u64,
}

/// Lists the folders of every adapter, granted or not.
pub fn list(context: &Context) -> Result<Vec<Connection>, Failure> {
    let counts = scopes::open_catalog(context)?.counts()?.sessions;
    let rows = roots(context)?.into_iter().map(|root| {
        let asked = root.asked;
        let own = counts.iter().filter(|line| line.agent == asked.agent);
        Connection {
            sessions: own.map(|line| line.sessions).sum(),
            agent: asked.agent,
            adapter: asked.adapter,
            root: asked.wanted.name,
            granted: root.granted,
            path: asked.found,
            looked_in: asked.wanted.candidates,
            reason: asked.wanted.reason,
            deletes_after_days: asked.deletes_after_days,
        }
    });
    Ok(rows.collect())
}

/// The agent to connect.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewConnection {
    #[schemars(length(min = 1, max = 64))]
    pub agent: String,
    /// A folder of sessions. Default: where the agent usually stores them.
    #[schemars(with = "Option<String>", length(min = 1, max = 4096))]
    pub root: Option<Utf8PathBuf>,
}

/// Starts reading an agent's sessions, and returns its folders.
pub fn connect(request: &NewConnection, context: &Context) -> Result<Vec<Connection>, Failure> {
    add(request, context)?;
    of_agent(&request.agent, context)
}

/// Stops reading an agent's sessions, and returns its folders.
pub fn disconnect(agent: &str, context: &Context) -> Result<Vec<Connection>, Failure> {
    remove(context, agent)?;
    of_agent(agent, context)
}

/// Returns the folders of an agent, with the permissions as they are now.
fn of_agent(agent: &str, context: &Context) -> Result<Vec<Connection>, Failure> {
    let context = Context::open(&context.process, &context.project)?;
    let mut rows = list(&context)?;
    rows.retain(|row| row.agent == agent || row.adapter == agent);
    Ok(rows)
}

/// Lets an agent's adapter read its usual folders, or the named one.
pub fn add(request: &NewConnection, context: &Context) -> Result<(), Failure> {
    let (agent, folder) = (request.agent.as_str(), request.root.as_deref());
    let (adapter, names) = adapter_of(&roots(context)?, agent)?;
    let mut grant = context.grants.get(&adapter).cloned().unwrap_or_default();
    grant.granted = true;
    grant.roots.clear();
    if let Some(folder) = folder {
        let Ok(path) = acreta_fs::canonical(folder) else {
            let message = format!("folder `{folder}` does not exist");
            return Err(Failure::new(Kind::Usage, message));
        };
        let [name] = &names[..] else {
            let message = format!(
                "`{agent}` has {} session folders; `--root` needs an agent with exactly one",
                names.len()
            );
            return Err(Failure::saying(message)
                .hint("its sessions can be read one by one with `acreta run FILE`"));
        };
        grant.roots.insert(name.clone(), path);
    }
    context.grants.clone().set(&adapter, grant)?;
    Ok(())
}

/// Stops reading the agent's sessions. What was learnt and archived stays.
pub fn remove(context: &Context, agent: &str) -> Result<(), Failure> {
    let (adapter, _) = adapter_of(&roots(context)?, agent)?;
    context.grants.clone().set(&adapter, Grant::default())?;
    Ok(())
}

/// Folders whose sessions are not read, for every agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExcludedFolders {
    #[schemars(with = "Vec<String>")]
    pub folders: Vec<Utf8PathBuf>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExcludedFolder {
    #[schemars(with = "String", length(min = 1, max = 4096))]
    pub folder: Utf8PathBuf,
}

/// Result of a change of the excluded folders.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Exclusions {
    /// The named folder, as stored.
    #[schemars(with = "String")]
    pub folder: Utf8PathBuf,
    /// All excluded folders.
    #[schemars(with = "Vec<String>")]
    pub excluded: Vec<Utf8PathBuf>,
    /// Number of the folder's sessions that were archived before. They stay.
    pub archived: u64,
}

/// Excludes a folder and its subfolders: from now on their sessions are neither archived nor learnt from.
pub fn exclude(folder: &Utf8Path, context: &Context) -> Result<Exclusions, Failure> {
    let folder = absolute(folder)?;
    let mut all = excluded(context);
    if !all.contains(&folder) {
        all.push(folder.clone());
        put_excluded(&all, context)?;
    }
    let one = Excluded::new([folder.clone()]);
    let known = scopes::open_catalog(context)?.sessions(&SessionFilter::default())?;
    let of_it = known.iter().filter(|known| one.has_session(&known.session));
    Ok(Exclusions {
        archived: of_it.filter(|known| known.archive.is_some()).count() as u64,
        folder,
        excluded: all,
    })
}

/// Removes an exclusion. The next sync reads every session file again.
pub fn include(folder: &Utf8Path, context: &Context) -> Result<Exclusions, Failure> {
    let all = excluded(context);
    // A folder that no longer exists is compared as it was written.
    let named = absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let (of_it, rest): (Vec<_>, Vec<_>) = all
        .into_iter()
        .partition(|one| *one == named || one == folder);
    if of_it.is_empty() {
        let message = format!("`{named}` is not excluded");
        return Err(Failure::new(Kind::Missing, message)
            .hint("`acreta connect list` shows the excluded folders"));
    }
    put_excluded(&rest, context)?;
    scopes::open_catalog(context)?.look_again()?;
    Ok(Exclusions {
        folder: named,
        excluded: rest,
        archived: 0,
    })
}

fn put_excluded(folders: &[Utf8PathBuf], context: &Context) -> Result<(), Failure> {
    // A JSON array of texts is also a TOML array.
    let value = serde_json::to_string(folders).map_err(|error| Failure::from_error(&error))?;
    acreta_config::set(&context.home.config_file(), EXCLUDE, &value)?;
    Ok(())
}

/// Returns a folder with links resolved. A folder that does not exist must be absolute.
fn absolute(folder: &Utf8Path) -> Result<Utf8PathBuf, Failure> {
    match acreta_fs::canonical(folder) {
        Ok(found) => Ok(found),
        Err(_) if folder.is_absolute() => Ok(folder.to_owned()),
        Err(_) => {
            let message = format!("folder `{folder}` does not exist");
            Err(Failure::new(Kind::Usage, message)
                .hint("give the absolute path of a folder that no longer exists"))
        }
    }
}

/// Returns the adapter of an agent, and the names of its roots.
fn adapter_of(roots: &[RootPermission], agent: &str) -> Result<(String, Vec<String>), Failure> {
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
