//! Checks that everything acreta needs is present, and whether anything is about to be lost: `doctor`.

use std::collections::BTreeSet;

use acreta_fs::{Directory, NoFaults};
use acreta_session_archive::is_other_repository;
use acreta_state::{Catalog, JobFilter, SessionFilter, TaskState};
use acreta_store::Store;
use acreta_sync::{AdapterEntry, AgentRoot, Selection, SyncEnvironment, agent_roots};
use camino::Utf8Path;
use serde::Serialize;

use crate::plugins::lifecycle::revoked_plugins;
use crate::process::clock::{now_ms, shown};
use crate::projects::scopes::MemoryScope;
use crate::remember::add::WriteScope;
use crate::review::conflicts::conflicts;
use crate::{
    Context, Failure, LazySyncEnvironment, connect::init, counted, learn::readings,
    learn::sync_options, process::archive, projects::scopes,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Health {
    Fine,
    Warning,
    Broken,
}

#[derive(Debug, Serialize)]
pub struct Check {
    pub name: String,
    pub health: Health,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl Check {
    fn new(name: &str, health: Health, message: impl Into<String>) -> Self {
        Self {
            name: name.to_owned(),
            health,
            message: message.into(),
            hint: None,
        }
    }

    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// Runs all checks. Also removes other users' access to acreta's own files.
pub fn doctor(context: &Context) -> Result<Vec<Check>, Failure> {
    let mut checks = vec![
        writable("home", context.home.folder()),
        writable("cache", context.home.cache()),
    ];
    checks.extend(permissions(context));
    checks.extend(context.warnings.iter().map(|warning| {
        Check::new("settings", Health::Warning, warning.to_string())
            .hint("`acreta config list --origin` shows which settings count")
    }));
    match scopes::open_catalog(context) {
        Ok(catalog) => {
            checks.push(database(&catalog)?);
            match agents(context, &catalog) {
                Ok(found) => checks.extend(found),
                Err(failure) => checks.push(broken("agents", failure)),
            }
            checks.extend(queue(&catalog)?);
            checks.extend(projects(&catalog)?);
            checks.extend(models(context, &catalog)?);
        }
        Err(failure) => {
            checks.push(broken("catalog", failure));
        }
    }
    checks.extend(revoked(context));
    checks.extend(shared_archive(context));
    checks.extend(hooks(context)?);
    checks.extend(memory(context)?);
    Ok(checks)
}

/// Checks that every project is the repository that was registered at its path.
fn projects(catalog: &Catalog) -> Result<Vec<Check>, Failure> {
    let projects = catalog.projects()?.into_iter();
    let replaced = projects.filter(|project| is_other_repository(&project.root, &project.identity));
    let checks = replaced.map(|project| {
        let root = &project.root;
        let message = format!("another repository than the registered one is at `{root}`");
        let hint = format!("`acreta project add {root}` registers it");
        Check::new("projects", Health::Warning, message).hint(hint)
    });
    Ok(checks.collect())
}

/// Maximum difference between the clocks of this machine and the server: leases go by the server's clock, days of
/// spending and dates of memories by this machine's.
const CLOCKS_APART_MS: u64 = 5_000;

/// Checks the state database: a file that opens is fine; of a server, the versions and its clock are shown.
fn database(catalog: &Catalog) -> Result<Check, Failure> {
    let Some(server) = catalog.server_state(now_ms)? else {
        return Ok(Check::new(
            "catalog",
            Health::Fine,
            catalog.path().to_string(),
        ));
    };
    let ahead_ms = server.clock_ahead_ms;
    let clock = match ahead_ms {
        0.. => format!("its clock is {ahead_ms} ms ahead"),
        _ => format!("its clock is {} ms behind", ahead_ms.unsigned_abs()),
    };
    let message = format!(
        "{}: PostgreSQL {}, schema {}, {clock}",
        catalog.path(),
        server.server_version,
        server.schema_version
    );
    if ahead_ms.unsigned_abs() > CLOCKS_APART_MS {
        return Ok(Check::new("catalog", Health::Warning, message)
            .hint("synchronise the clocks of this machine and the server (NTP)"));
    }
    Ok(Check::new("catalog", Health::Fine, message))
}

fn broken(name: &str, failure: Failure) -> Check {
    let check = Check::new(name, Health::Broken, failure.to_string());
    Check {
        hint: failure.hints.into_iter().next(),
        ..check
    }
}

/// Checks that sessions can be stored where other machines read them.
fn shared_archive(context: &Context) -> Option<Check> {
    match archive::check(context) {
        Ok(None) => None,
        Ok(Some(address)) => {
            let message = format!("{address}: a test object was stored, read and deleted");
            Some(Check::new("archive", Health::Fine, message))
        }
        Err(failure) => Some(broken("archive", failure)),
    }
}

/// Checks that connected agents run every hook they support.
fn hooks(context: &Context) -> Result<Vec<Check>, Failure> {
    let missing = init::missing_hooks(context)?.into_iter();
    let checks = missing.map(|(agent, what)| {
        Check::new("hooks", Health::Warning, format!("{agent} has no {what}"))
            .hint("`acreta init` adds it")
    });
    let untrusted = init::learning(context)
        .into_iter()
        .filter(|one| !one.trusted);
    let untrusted = untrusted.map(|one| {
        let message = format!(
            "{} does not run acreta's hooks: they are not trusted",
            one.name
        );
        let hint = format!("type /hooks in {}, and trust them once", one.name);
        Check::new("hooks", Health::Warning, message).hint(hint)
    });
    Ok(checks.chain(untrusted).collect())
}

/// Checks that no two active memories contradict each other, and that no journal was set aside.
fn memory(context: &Context) -> Result<Vec<Check>, Failure> {
    let layout = MemoryScope::to_write(WriteScope::Project, context).layout;
    let store = Store::open(layout.clone(), NoFaults::shared())?;
    let aside = store.journals_set_aside()?.into_iter().map(|journal| {
        let path = acreta_fs::native(&layout.base().join(journal));
        let message =
            format!("`{path}` is not a change of memory that acreta wrote, and was set aside");
        Check::new("journal", Health::Warning, message)
            .hint("it may have come with the repository: look at it, then delete it")
    });
    let found = conflicts(WriteScope::Project, context)?;
    let checks = found.iter().map(|conflict| {
        let (newer, older) = (&conflict.newer, &conflict.older);
        let message = format!(
            "\"{}\" contradicts the older \"{}\"; briefs tell only the newer one",
            newer.title, older.title
        );
        Check::new("memory", Health::Warning, message).hint(format!(
            "`acreta review show {}` shows both; `acreta review` decides",
            newer.id
        ))
    });
    Ok(aside.chain(checks).collect())
}

fn writable(name: &str, folder: &Utf8Path) -> Check {
    const PROBE: &str = ".doctor";
    // A full disk still takes an empty file.
    const PROBE_BYTES: usize = 1024 * 1024;
    let tried = Directory::open_or_create_private(folder, NoFaults::shared()).and_then(|folder| {
        folder.replace(PROBE, &vec![0; PROBE_BYTES])?;
        folder.remove_file(PROBE)
    });
    match tried {
        Ok(()) => Check::new(name, Health::Fine, folder.to_string()),
        Err(error) => Check::new(name, Health::Broken, Failure::from(error).to_string()).hint(
            "acreta keeps its state there; the folder has to be writable, with room to write",
        ),
    }
}

/// Checks that only the user can read acreta's files; removes other users' access.
fn permissions(context: &Context) -> Vec<Check> {
    let (closed, problems) = context.home.close_to_others(true);
    let mut checks = Vec::new();
    if !closed.is_empty() {
        let files = counted(closed.len() as u64, "file or folder", "files and folders");
        let message = format!("others could read {files} of acreta; fixed");
        checks.push(Check::new("access", Health::Warning, message).hint(format!(
            "the first of them: {}",
            closed.first().map_or("", |path| path.as_str())
        )));
    }
    for error in problems {
        let message = format!("others may read it: {}", Failure::from(error));
        checks.push(
            Check::new("access", Health::Warning, message)
                .hint("only you should have access to it: `chmod go-rwx`"),
        );
    }
    checks
}

/// Names the installed plugins that do not run because their component was revoked.
fn revoked(context: &Context) -> Vec<Check> {
    let check = |(id, reason): (String, String)| {
        let message = format!("plugin `{id}` was revoked and does not run: {reason}");
        Check::new("plugins", Health::Broken, message).hint(format!(
            "`acreta plugin update {id}` looks for another version; `acreta plugin remove {id}` removes it"
        ))
    };
    match revoked_plugins(context) {
        Ok(plugins) => plugins.into_iter().map(check).collect(),
        Err(failure) => vec![broken("plugins", failure)],
    }
}

/// Checks that every adapter that is used or not built in loads, and that every session that its agent will delete is
/// archived.
fn agents(context: &Context, catalog: &Catalog) -> Result<Vec<Check>, Failure> {
    let options = sync_options::sync_options(context, Selection::default())?;
    let workshop = LazySyncEnvironment::new(context)?;
    let mut checks = Vec::new();
    let mut roots = agent_roots(catalog, &options, &workshop)?;
    roots.retain(|root| root.found.is_some());
    let used: BTreeSet<&str> = roots.iter().map(|root| root.adapter.as_str()).collect();
    let is_checked =
        |entry: &&AdapterEntry| entry.described.is_none() || used.contains(entry.id.as_str());
    for entry in workshop.adapters().iter().filter(is_checked) {
        if let Err(message) = workshop.adapter(&entry.id) {
            checks.push(Check::new(&entry.id, Health::Broken, message).hint(format!(
                "`acreta plugin inspect {}` shows details",
                entry.id
            )));
        }
    }
    let not_archived = catalog.not_archived()?;
    for root in &roots {
        let next = next_to_go(catalog, root)?;
        checks.push(agent(root, next, not_archived.get(&root.agent).copied()));
    }
    if roots.is_empty() {
        let check = Check::new("agents", Health::Warning, "no agent's sessions were found");
        checks.push(check.hint("`acreta connect list` shows the folders that were searched"));
    }
    for file in catalog.failed_files()? {
        let message = format!("{}: {}", file.path, file.message);
        checks.push(
            Check::new("unreadable", Health::Warning, message).hint("the next sync retries it"),
        );
    }
    Ok(checks)
}

/// Returns the session that an agent deletes next, and when.
fn next_to_go(catalog: &Catalog, root: &AgentRoot) -> Result<Option<(String, u64)>, Failure> {
    let Some(days) = root.deletes_after_days else {
        return Ok(None);
    };
    let sessions = catalog.sessions(&SessionFilter {
        agent: Some(root.agent.clone()),
        here: true,
        ..SessionFilter::default()
    })?;
    let oldest = sessions
        .into_iter()
        .filter(|known| known.gone_ms.is_none() && known.root == root.wanted.name)
        .filter_map(|known| Some((known.session.updated_ms?, known.session.id)))
        .min();
    Ok(oldest.map(|(updated_ms, id)| {
        let days_ms = days.saturating_mul(24 * 60 * 60 * 1000);
        (id, updated_ms.saturating_add(days_ms))
    }))
}

fn agent(root: &AgentRoot, next: Option<(String, u64)>, not_archived: Option<u64>) -> Check {
    let place = root.found.as_ref().map_or("", |path| path.as_str());
    let keeps = match root.deletes_after_days {
        Some(days) => {
            let next = next.map_or(String::new(), |(id, at_ms)| {
                let day = shown(at_ms);
                let day = day.get(..10).unwrap_or(&day);
                let when = match at_ms > now_ms() {
                    true => format!("on {day}"),
                    false => format!("any moment (since {day})"),
                };
                format!("; next to be deleted: {id}, {when}")
            });
            format!(
                "deletes sessions after {}{next}",
                counted(days, "day", "days")
            )
        }
        None => "does not delete its sessions".to_owned(),
    };
    let message = format!("{place}: {keeps}");
    match not_archived {
        None => Check::new(&root.agent, Health::Fine, message),
        Some(sessions) => {
            let sessions = counted(sessions, "session", "sessions");
            let message = format!("{message}, {sessions} not archived yet");
            Check::new(&root.agent, Health::Warning, message).hint("`acreta sync` archives them")
        }
    }
}

/// Number of readings that are checked, the newest.
const READINGS: u64 = 5;

/// Checks that the configured model reads the sessions.
fn models(context: &Context, catalog: &Catalog) -> Result<Option<Check>, Failure> {
    if !readings::by_model(context, &context.config)? {
        return Ok(None);
    }
    let now = now_ms();
    let newest = catalog.readings(READINGS)?;
    let short = newest.iter().filter(|one| !one.reading.complete).count() as u64;
    let waiting = readings::waiting(&catalog.waiting_readings()?, now);
    if short == 0 && waiting.is_empty() {
        let message = "a model reads the sessions".to_owned();
        return Ok(Some(Check::new("models", Health::Fine, message)));
    }
    let mut message = format!(
        "{short} of the last {} read without the model",
        counted(newest.len() as u64, "session was", "sessions were")
    );
    for line in waiting {
        message = format!("{message}; {line}");
    }
    let last = newest.iter().find_map(|one| one.waits.as_ref());
    let remedy = last.and_then(|wait| readings::remedy(&wait.shortfall));
    let hint = remedy.unwrap_or_else(|| {
        "`acreta runs list` and `acreta runs show RUN` show the reason".to_owned()
    });
    Ok(Some(
        Check::new("models", Health::Warning, message).hint(hint),
    ))
}

fn queue(catalog: &Catalog) -> Result<Vec<Check>, Failure> {
    let dead = catalog.jobs(&JobFilter {
        state: Some(TaskState::Failed),
        dead: Some(true),
        ..JobFilter::default()
    })?;
    let live = catalog.live_jobs()?;
    let mut checks = vec![Check::new(
        "queue",
        Health::Fine,
        format!("{} waiting or running", counted(live, "job", "jobs")),
    )];
    for job in dead {
        let cause = job.cause.unwrap_or_default();
        let message = format!(
            "job {} of {} failed permanently: {cause}",
            job.id, job.session
        );
        checks.push(Check::new("queue", Health::Warning, message).hint(format!(
            "`acreta queue retry {0}` or `acreta queue skip {0}`",
            job.id
        )));
    }
    Ok(checks)
}
