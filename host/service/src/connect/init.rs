//! Connects the agents on this machine, and undoes that: `init`. Planned first, so that the person sees what they agree
//! to.

use acreta_agent_setup::{
    Agent, ApplyError, Learning, Machine, Platform, Receipt, Setup, apply, detect, needs_catch_up,
    plan as plan_files, read_only, undo,
};
pub use acreta_agent_setup::{Detected, Plan, Undone};
use acreta_config::Origin;
use acreta_fs::{Directory, NoFaults};
use acreta_store::{Marker, project_root_outside};
use camino::{Utf8Path, Utf8PathBuf};
use schemars::JsonSchema;
use serde::Serialize;

use crate::connect::commit_hook;
use crate::process::clock::now_ms;
use crate::{Context, Failure, Kind, projects::registry};

/// Changes that connecting would make.
pub struct ConnectionPlan {
    /// The agents on this machine.
    pub found: Vec<Detected>,
    /// Names of agents that are found but cannot be connected: only their sessions are read.
    pub read_only: Vec<&'static str>,
    /// The agents that are connected.
    pub agents: Vec<Agent>,
    /// The repository that is set up with them, if the person is in one.
    pub project: Option<Utf8PathBuf>,
    pub plan: Plan,
}

/// What the person wants connected.
#[derive(Debug, Clone, Copy)]
pub struct ConnectionRequest<'a> {
    /// The agents, or empty for all that are found.
    pub names: &'a [String],
    /// The `acreta` that agents run.
    pub program: &'a Utf8Path,
    /// Allows the tool that makes notes.
    pub notes: bool,
    /// Adds the git hook that names sessions in commits.
    pub commits: bool,
    /// See [`Setup::plugins`].
    pub plugins: Option<bool>,
}

impl ConnectionPlan {
    /// Reports whether an agent gets a plugin for which its first start waits.
    pub fn adds_slow_plugin(&self) -> bool {
        let is_slow = |agent: &Agent| matches!(agent, Agent::OpenCode | Agent::Kilo);
        let mut changes = self.plan.changes.iter();
        changes.any(|change| {
            change.agents.iter().any(is_slow)
                && change.what.iter().any(|what| what.starts_with("plugin"))
        })
    }
}

/// Plans connecting agents.
pub fn plan(request: &ConnectionRequest<'_>, context: &Context) -> Result<ConnectionPlan, Failure> {
    let machine = machine(context)?;
    let found = detect(&machine);
    let readable = read_only(&machine);
    let agents = wanted(request.names, &found, readable.is_empty())?;
    let project = project(context);
    let mut plan = plan_files(&Setup {
        machine: &machine,
        binary: request.program,
        agents: &agents,
        notes: request.notes,
        plugins: request.plugins,
        project: project.as_deref(),
    });
    if request.commits {
        plan.changes
            .extend(commit_hook::plan(request.program, context)?);
    }
    Ok(ConnectionPlan {
        found,
        read_only: readable.iter().map(|found| found.name).collect(),
        agents,
        project,
        plan,
    })
}

/// Returns the person's answer to whether agents may note what they say; `None` if they were not asked yet.
pub fn may_note(context: &Context) -> Option<bool> {
    let entries = context.config.entries();
    let is_said = entries
        .iter()
        .any(|entry| entry.path == "hooks.notes" && !matches!(entry.origin, Origin::Builtin));
    is_said.then(|| context.config.boolean("hooks.notes"))
}

/// Applies a plan. Returns the folder with copies of the previous files.
pub fn write(plan: &Plan, context: &Context) -> Result<Utf8PathBuf, Failure> {
    let folder = backups(context).join(now_ms().to_string());
    match apply(plan, &folder, NoFaults::shared()) {
        Ok(_) => {
            commit_hook::enable(&plan.changes)?;
            Ok(folder)
        }
        Err(error) => {
            let hint = error.hint();
            let kind = match &error {
                ApplyError::Partial { .. } => Kind::Partial,
                _ => Kind::Failure,
            };
            let mut failure = Failure::from_error(&error);
            failure.kind = kind;
            failure.hints.extend(hint.map(str::to_owned));
            Err(failure)
        }
    }
}

/// Registers the project of a connection. Returns whether it was not registered before.
pub fn register(project: &Utf8Path, context: &Context) -> Result<bool, Failure> {
    Ok(registry::add(context, project)?.1)
}

/// One `init` that was undone.
pub struct TakenBack {
    pub at_ms: u64,
    pub undone: Undone,
}

/// Undoes every `init`, the latest first.
pub fn take_back(context: &Context) -> Result<Vec<TakenBack>, Failure> {
    let folder = backups(context);
    let mut times: Vec<u64> = match folder.read_dir_utf8() {
        Ok(entries) => entries
            .flatten()
            .filter_map(|entry| entry.file_name().parse().ok())
            .collect(),
        Err(_) => return Ok(Vec::new()),
    };
    times.sort_unstable_by(|left, right| right.cmp(left));
    let directory = Directory::open(&folder, NoFaults::shared())?;
    let mut taken = Vec::new();
    for at_ms in times {
        let name = at_ms.to_string();
        let receipt =
            Receipt::read(&folder.join(&name)).map_err(|error| Failure::from_error(&error))?;
        let undone = undo(&receipt, NoFaults::shared());
        if undone.is_complete() {
            directory.remove_dir_all(&name)?;
        }
        taken.push(TakenBack { at_ms, undone });
    }
    Ok(taken)
}

/// Returns hooks that connected agents lack, by the agent's name: they were connected by an earlier version, or
/// somebody removed the hooks.
pub(crate) fn missing_hooks(
    context: &Context,
) -> Result<Vec<(&'static str, &'static str)>, Failure> {
    let Ok(folders) = backups(context).read_dir_utf8() else {
        return Ok(Vec::new());
    };
    let receipts = folders.flatten().map(|entry| Receipt::read(entry.path()));
    let written = receipts
        .filter_map(Result::ok)
        .flat_map(|receipt| receipt.written);
    let mut agents: Vec<Agent> = written.flat_map(|written| written.agents).collect();
    agents.sort_unstable();
    agents.dedup();
    let missing = lacking(&machine(context)?, &agents, context).into_iter();
    let hooks = missing.filter(|(_, what)| what.contains("hook"));
    Ok(hooks.map(|(agent, what)| (agent.name(), what)).collect())
}

/// Returns what `init` would add for these agents.
fn lacking(machine: &Machine, agents: &[Agent], context: &Context) -> Vec<(Agent, &'static str)> {
    let plan = plan_files(&Setup {
        machine,
        // Hooks are recognised whichever binary they run.
        binary: &context.home.folder().join("acreta"),
        agents,
        notes: false,
        plugins: None,
        project: None,
    });
    let mut lacking = Vec::new();
    for change in &plan.changes {
        for what in &change.what {
            lacking.extend(change.agents.iter().map(|agent| (*agent, *what)));
        }
    }
    lacking
}

/// Returns for each agent of this machine when its sessions are read without the daemon, by agent.
pub(crate) fn learning(context: &Context) -> Vec<AgentLearning> {
    let Ok(machine) = machine(context) else {
        return Vec::new();
    };
    let agents: Vec<Agent> = detect(&machine).iter().map(|found| found.agent).collect();
    let lacking = lacking(&machine, &agents, context);
    let lacks_hook = |agent: Agent| {
        let mut own = lacking.iter().filter(|(other, _)| *other == agent);
        own.any(|(_, what)| what.contains("hook") || what.contains("plugin"))
    };
    let learning = agents.iter().map(|agent| {
        let learning = match Learning::of(*agent, &machine) {
            Learning::SessionEnd | Learning::Turn if lacks_hook(*agent) => Learning::Unconnected,
            learning => learning,
        };
        AgentLearning {
            agent: agent.id(),
            name: agent.name(),
            read: learning.moment(),
            trusted: learning != Learning::Untrusted,
        }
    });
    learning.collect()
}

/// When an agent's sessions are read without the daemon.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AgentLearning {
    pub agent: &'static str,
    #[serde(skip)]
    pub name: &'static str,
    /// `when they end`, `after each turn`, …
    pub read: &'static str,
    /// False if it has acreta's hooks and does not run them, because its person did not trust them yet.
    pub trusted: bool,
}

/// Reports whether an agent of this machine has no hook of its own that starts learning.
pub(crate) fn has_silent_agent(context: &Context) -> bool {
    machine(context).is_ok_and(|machine| needs_catch_up(&machine))
}

/// Returns the folder of copies and receipts, with one subfolder for each `init`.
pub fn backups(context: &Context) -> Utf8PathBuf {
    context.home.folder().join("connected")
}

/// A connection as JSON.
#[derive(Debug, Serialize)]
pub struct ConnectionReport {
    found: Vec<FoundAgent>,
    read_only: Vec<&'static str>,
    changes: Vec<PlannedChange>,
    kept: Vec<KeptSetting>,
    problems: Vec<String>,
    notes: Vec<AgentNote>,
    dry_run: bool,
    backup: Option<Utf8PathBuf>,
}

#[derive(Debug, Serialize)]
struct FoundAgent {
    agent: &'static str,
    name: &'static str,
}

#[derive(Debug, Serialize)]
struct PlannedChange {
    path: Utf8PathBuf,
    what: Vec<&'static str>,
    agents: Vec<&'static str>,
    new: bool,
}

#[derive(Debug, Serialize)]
struct KeptSetting {
    path: Utf8PathBuf,
    what: String,
}

#[derive(Debug, Serialize)]
struct AgentNote {
    agent: &'static str,
    text: String,
}

impl ConnectionReport {
    pub fn new(connection: &ConnectionPlan, dry_run: bool, backup: Option<Utf8PathBuf>) -> Self {
        let plan = &connection.plan;
        let found = connection.found.iter().map(|found| FoundAgent {
            agent: found.agent.id(),
            name: found.agent.name(),
        });
        let changes = plan.changes.iter().map(|change| PlannedChange {
            path: change.path.clone(),
            what: change.what.clone(),
            agents: change.agents.iter().map(|agent| agent.id()).collect(),
            new: change.before.is_none(),
        });
        let kept = plan.kept.iter().map(|kept| KeptSetting {
            path: kept.path.clone(),
            what: kept.what.to_string(),
        });
        let notes = plan.notes.iter().map(|note| AgentNote {
            agent: note.agent.id(),
            text: note.text.clone(),
        });
        Self {
            found: found.collect(),
            read_only: connection.read_only.clone(),
            changes: changes.collect(),
            kept: kept.collect(),
            problems: plan.problems.iter().map(ToString::to_string).collect(),
            notes: notes.collect(),
            dry_run,
            backup,
        }
    }
}

fn machine(context: &Context) -> Result<Machine, Failure> {
    let Some(home) = context.home.user() else {
        let message = "the home folder is unknown, so no agent's settings can be found";
        return Err(Failure::saying(message).hint("set `HOME`"));
    };
    Ok(Machine {
        home: home.to_owned(),
        variables: context.environment.clone().into_iter().collect(),
        platform: Platform::current(),
    })
}

/// Returns the agents to connect. It is an error if there is none, and none whose sessions can be read.
fn wanted(
    names: &[String],
    found: &[Detected],
    is_nothing_readable: bool,
) -> Result<Vec<Agent>, Failure> {
    if names.is_empty() {
        let agents: Vec<Agent> = found.iter().map(|found| found.agent).collect();
        if agents.is_empty() && is_nothing_readable {
            return Err(
                Failure::saying("no agent was found on this machine").hint(format!(
                    "acreta connects {}; `--agents NAME` connects one that was not found",
                    known()
                )),
            );
        }
        return Ok(agents);
    }
    let of = |name: &String| {
        Agent::of_id(name.trim()).ok_or_else(|| {
            let message = format!("unknown agent `{name}`");
            Failure::new(Kind::Usage, message).hint(format!("expected one of {}", known()))
        })
    };
    names.iter().map(of).collect()
}

fn known() -> String {
    Agent::ALL.map(Agent::id).join(", ")
}

/// Returns the repository that the person is in, if any.
fn project(context: &Context) -> Option<Utf8PathBuf> {
    let root = project_root_outside(&context.project, context.home.folder());
    let is_home = context.home.user() == Some(root.path.as_path());
    (root.marker != Marker::Nothing && !is_home).then_some(root.path)
}
