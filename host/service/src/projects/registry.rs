//! Projects that have memory, and whose memory is read. Only the user registers projects: a folder that came with a
//! repository registers nothing.

use acreta_fs::{Directory, NoFaults, canonical};
use acreta_session_archive::{identity_of, is_other_repository};
pub use acreta_state::Project;
use acreta_state::{RecordedDirectory, SessionFilter, WaitingSessions};
use acreta_store::{Layout, adopt_ledger, project_root_outside, start_ledger};
use acreta_sync::is_of_plugin;
use acreta_types::MemoryType;
use camino::{Utf8Path, Utf8PathBuf};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::process::clock::now_ms;
use crate::{Context, Failure, Kind, counted, process::state, projects::scopes};

/// Registration of a project by this user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Registration {
    /// Its memory is read, and its sessions become memory.
    Registered,
    /// Not registered, and without memory.
    Unknown,
    /// Not registered, but with memory that came with it. Nothing is read from it.
    Shipped,
    /// Another repository is at the path of one that was known. Nothing is read from it, as nobody registered it.
    Replaced,
    /// A bare repository, or a folder in one: it has no checkout, and nothing is written to it.
    Bare,
}

impl Registration {
    /// Returns why nothing is read from a project, and what registers it; `None` if its memory is read.
    pub(crate) fn refusal(self, root: &Utf8Path) -> Option<String> {
        let why = match self {
            Registration::Registered | Registration::Unknown => return None,
            Registration::Bare => return Some(bare_message(root)),
            Registration::Shipped => {
                format!("`{root}/.acreta` came with the project, which is not registered")
            }
            Registration::Replaced => format!(
                "`{root}` is another repository than the one that was registered there: its root commit differs"
            ),
        };
        Some(format!(
            "{why}: nothing is read from it; `acreta project add {root}` registers it"
        ))
    }
}

fn bare_message(root: &Utf8Path) -> String {
    format!("`{root}` is in a bare repository, which has no checkout: it has no memory")
}

/// Fails for a bare repository, or a folder in one.
pub(crate) fn refuse_bare(root: &Utf8Path) -> Result<(), Failure> {
    match acreta_git::bare_repository(root) {
        None => Ok(()),
        Some(_) => Err(Failure::new(Kind::Refused, bare_message(root))
            .hint("run acreta in a checkout of it (`git worktree add`, `git clone`), or with `--project CHECKOUT`")),
    }
}

/// Entries of a project's folder that are memory, or can become it.
const MEMORY: [&str; 7] = [
    "memory",
    "meta/memories",
    "meta/summaries",
    "meta/evidence",
    "meta/state",
    "meta/traces",
    "meta/commit",
];

impl Context {
    /// Returns the layout of a project's memory, with the user's trust records. It is closed if the project brought its
    /// memory along and is not registered.
    pub fn layout(&self, root: &Utf8Path) -> Layout {
        let layout = Layout::for_project(root).with_words_in(&self.home.words());
        let registration = registration(self, root);
        if registration == Registration::Registered
            && self.process.kept.is_first_ledger(root)
            && known(self, root).is_some_and(|project| project.registered)
            && !self.is_frozen()
            && let Err(error) = adopt_ledger(&layout)
        {
            tracing::warn!(project = %root, %error, "the ledger of the project could not be started");
        }
        match registration.refusal(root) {
            None => layout,
            Some(why) => {
                // Without its database, acreta does not know what is registered.
                let why = match state::location(self) {
                    Ok(_) => why,
                    Err(failure) => format!("{failure}; {}", failure.hints.join("; ")),
                };
                say_unregistered(self, root, &why);
                layout.closed()
            }
        }
    }
}

/// Returns the registration of a project. If the database cannot be read, the project is not registered.
pub fn registration(context: &Context, root: &Utf8Path) -> Registration {
    let folder = root.join(".acreta");
    let is_admitted = context.process.admits && root == context.project;
    // In the home folder it is the user's own folder, with the global memory.
    let is_own = folder == context.home.folder()
        || canonical(&folder)
            .is_ok_and(|folder| canonical(context.home.folder()).is_ok_and(|own| own == folder));
    if !is_own && acreta_git::bare_repository(root).is_some() {
        return Registration::Bare;
    }
    if context.is_frozen() || is_admitted || is_own {
        return Registration::Registered;
    }
    // A project that once was at this path does not register the one that is there now.
    let known = known(context, root).filter(|project| project.root == root);
    if let Some(project) = known {
        let checkouts = &context.process.kept.checkouts;
        if checkouts.is_other(root, &project.identity) {
            return Registration::Replaced;
        }
        if project.registered {
            return Registration::Registered;
        }
    }
    match MEMORY
        .iter()
        .any(|name| has_files(&folder.join(name), DEEPEST))
    {
        true => Registration::Shipped,
        false => Registration::Unknown,
    }
}

/// Returns whether a folder contains any file. Runs that change nothing leave empty folders; anything nested deeper
/// than memory counts as a file.
fn has_files(folder: &Utf8Path, depth: usize) -> bool {
    let Ok(entries) = folder.read_dir_utf8() else {
        return folder.symlink_metadata().is_ok_and(|found| !found.is_dir());
    };
    entries.flatten().any(|entry| {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        !is_folder || depth == 0 || has_files(entry.path(), depth - 1)
    })
}

const DEEPEST: usize = 5;

fn known(context: &Context, root: &Utf8Path) -> Option<Project> {
    let project = scopes::catalog(context).and_then(|catalog| match catalog {
        Some(catalog) => Ok(catalog.project_at(root)?),
        None => Ok(None),
    });
    project.unwrap_or_else(|error| {
        let why = format!("nothing is read from `{root}/.acreta`: {error}");
        say_unregistered(context, root, &why);
        None
    })
}

/// Reports once per process that a project's memory is ignored, why, and which command registers it.
pub(crate) fn say_unregistered(context: &Context, root: &Utf8Path, why: &str) {
    if context.process.kept.is_first(root) {
        context.warn(why);
        tracing::info!(project = %root, "the project is not registered: its memory is not read");
    }
}

/// Registers the current project before something is written to it, unless it counts as registered. A project that
/// brought memory along is refused.
pub fn register_for_writing(context: &Context, layout: &Layout) -> Result<(), Failure> {
    let root = &context.project;
    if layout.base() != Layout::for_project(root).base() {
        return Ok(());
    }
    refuse_bare(root)?;
    match registration(context, root) {
        Registration::Registered => Ok(()),
        Registration::Unknown => add(context, root).map(|_| ()),
        Registration::Shipped => {
            state::location(context)?;
            // A database that cannot be read knows no project.
            if let Some(catalog) = scopes::catalog(context)? {
                catalog.project_at(root)?;
            }
            let message = format!("`{root}` is not registered, and memory came with it");
            Err(Failure::new(Kind::Refused, message).hint(format!(
                "`acreta project add {root}` registers it, and its memory is read"
            )))
        }
        other @ (Registration::Replaced | Registration::Bare) => {
            let message = other.refusal(root).unwrap_or_default();
            Err(Failure::new(Kind::Refused, message))
        }
    }
}

/// Returns the project that a folder belongs to, or the current one.
pub fn root_of(context: &Context, folder: Option<&Utf8Path>) -> Result<Utf8PathBuf, Failure> {
    let root = match folder {
        None => context.project.clone(),
        Some(folder) if folder.is_dir() => project_root_outside(folder, context.home.folder()).path,
        Some(folder) => {
            let message = format!("no such directory: `{folder}`");
            return Err(Failure::new(Kind::Usage, message)
                .hint("if the project moved, add it where it is now, with `--also` its old path"));
        }
    };
    let home = context.home.user().map(acreta_fs::canonical);
    if home.is_some_and(|home| home.is_ok_and(|home| home == root)) {
        return Err(Failure::saying(
            "the home folder is not a project: its memory is the global one",
        )
        .hint("`acreta config set sync.without_project global` learns from such sessions"));
    }
    Ok(root)
}

/// Registers a project: its memory is read, and its sessions become memory. Returns whether it was not registered
/// before.
pub fn add(context: &Context, root: &Utf8Path) -> Result<(Project, bool), Failure> {
    refuse_bare(root)?;
    let catalog = scopes::open_catalog(context)?;
    let known = catalog.project_at(root)?;
    let is_new = known
        .is_none_or(|project| !project.registered || is_other_repository(root, &project.identity));
    let identity = identity_of(root);
    if is_new {
        start_ledger(&Layout::for_project(root).with_words_in(&context.home.words()))?;
    }
    let project = catalog.register(root, &identity, now_ms())?;
    if is_new {
        forget_index(root);
    }
    Ok((project, is_new))
}

/// Returns what a person is told of memory that came with a project; `None` if there is none that waits for them.
pub fn shipped(context: &Context, root: &Utf8Path) -> Result<Option<String>, Failure> {
    let snapshot = scopes::snapshot(context, &context.layout(root))?;
    let memories = snapshot.iter().filter(|memory| {
        let is_told = memory.memory_type != MemoryType::Summary && !memory.is_archived();
        is_told && memory.is_foreign()
    });
    let memories = memories.count() as u64;
    Ok((memories > 0).then(|| {
        format!(
            "{} came with the repository: untrusted, and agents are not told unless they ask, until you accept them; \
             `acreta review` shows them, `acreta memory trust accept` accepts all",
            counted(memories, "memory", "memories")
        )
    }))
}

/// Removes an index that came with a project: it is a cache that only acreta should create.
fn forget_index(root: &Utf8Path) {
    let removed = Directory::open(root, NoFaults::shared())
        .and_then(|root| root.subdirectory(".acreta"))
        .and_then(|folder| folder.remove_dir_all("index"));
    if let Err(error) = removed
        && !error.is_not_found()
    {
        tracing::warn!(%error, "an index that came with the project could not be removed");
    }
}

/// Adds paths that a project had before it moved: sessions from there belong to it. At once if a built-in adapter found
/// them, which alone is trusted with the folder that it names; the next sync judges the others.
pub fn add_former_paths(
    context: &Context,
    project: &Project,
    former: &[Utf8PathBuf],
) -> Result<(), Failure> {
    let catalog = scopes::open_catalog(context)?;
    for path in former {
        catalog.add_former_path(project.id, path)?;
        for sessions in catalog.unassigned()? {
            let RecordedDirectory::Directory(folder) = &sessions.place else {
                continue;
            };
            if Utf8Path::new(folder).starts_with(path) && !is_of_plugin(&sessions.agent) {
                catalog.assign_place(&sessions, None, project.id)?;
            }
        }
        let former = Layout::for_project(path).with_words_in(&context.home.words());
        acreta_store::move_words(&former, &context.layout(&project.root))?;
    }
    Ok(())
}

/// The known projects, and folders whose sessions wait for registration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Projects {
    pub projects: Vec<ProjectRow>,
    pub waiting: Vec<WaitingRow>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProjectRow {
    #[schemars(with = "String")]
    pub root: Utf8PathBuf,
    pub registered: bool,
    /// False if the folder is gone, or on another machine.
    pub exists: bool,
    pub root_commit: Option<String>,
    pub remote: Option<String>,
    /// Number of its known sessions.
    pub sessions: u64,
    /// Number of its active memories.
    pub memories: u64,
    /// The project's own settings apply.
    pub trusted: bool,
    /// The project used by requests that name none.
    pub current: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct WaitingRow {
    /// `None` for sessions of no project.
    #[schemars(with = "Option<String>")]
    pub project: Option<Utf8PathBuf>,
    /// False if the folder is gone, or on another machine.
    pub exists: bool,
    /// The adapter that may not speak for the project, if the project is registered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adapter: Option<String>,
    pub sessions: u64,
}

impl From<WaitingSessions> for WaitingRow {
    fn from(waiting: WaitingSessions) -> Self {
        Self {
            exists: waiting.place.as_ref().is_some_and(|place| place.is_dir()),
            project: waiting.place,
            adapter: waiting.adapter,
            sessions: waiting.sessions,
        }
    }
}

/// Returns why the sessions of an adapter wait in a registered project, and the command that lets it speak.
pub fn unheard(adapter: &str, project: &Utf8Path) -> String {
    format!(
        "adapter `{adapter}` may not speak for `{project}`; \
         `acreta plugin grant {adapter} --project {project}` lets it"
    )
}

pub fn list(context: &Context) -> Result<Projects, Failure> {
    let catalog = scopes::open_catalog(context)?;
    let mut projects = Vec::new();
    for project in catalog.projects()? {
        let sessions = catalog.sessions(&SessionFilter {
            project: Some(project.id),
            ..SessionFilter::default()
        })?;
        let scope = scopes::MemoryScope {
            name: project.root.to_string(),
            layout: context.layout(&project.root),
        };
        let has_memory = project.registered && scope.layout.has_memory().unwrap_or(false);
        let memories = match has_memory {
            true => {
                let snapshot = scope.lately(context)?;
                let active = snapshot.memories.iter();
                active.filter(|memory| !memory.is_archived()).count() as u64
            }
            false => 0,
        };
        projects.push(ProjectRow {
            registered: project.registered,
            exists: project.root.is_dir(),
            root_commit: project.identity.root_commit,
            remote: project.identity.remote,
            sessions: sessions.len() as u64,
            memories,
            trusted: context.trust.is_trusted(&project.root),
            current: project.root == context.project,
            root: project.root,
        });
    }
    let waiting = catalog.waiting()?.into_iter().map(WaitingRow::from);
    Ok(Projects {
        projects,
        waiting: waiting.collect(),
    })
}

/// A project to register.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewProject {
    #[schemars(with = "String", length(min = 1, max = 4096))]
    pub path: Utf8PathBuf,
    /// Path that it had before it moved: its sessions from there become memory, too.
    #[schemars(with = "Option<String>", length(min = 1, max = 4096))]
    pub former: Option<Utf8PathBuf>,
}

/// A project that is known.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KnownProject {
    #[schemars(with = "String", length(min = 1, max = 4096))]
    pub path: Utf8PathBuf,
}

/// Whether a project's own settings apply.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProjectTrust {
    pub trusted: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProjectChanged {
    /// The main checkout.
    #[schemars(with = "String")]
    pub path: Utf8PathBuf,
    pub changed: bool,
    pub message: String,
}

/// Registers a project by its absolute path.
pub fn register(request: &NewProject, context: &Context) -> Result<ProjectChanged, Failure> {
    let folder = &request.path;
    if !folder.is_absolute() {
        let message = format!("`{folder}` is not absolute");
        return Err(Failure::new(Kind::Usage, message).hint("give an absolute path"));
    }
    let root = root_of(context, Some(folder))?;
    let (project, is_new) = add(context, &root)?;
    add_former_paths(context, &project, request.former.as_slice())?;
    let changed = is_new || request.former.is_some();
    let message = match changed {
        true => "registered; the next sync learns from its sessions",
        false => "it was registered already",
    };
    Ok(ProjectChanged {
        path: project.root,
        changed,
        message: message.to_owned(),
    })
}

/// Unregisters a project. Its memory stays.
pub fn unregister(request: &KnownProject, context: &Context) -> Result<ProjectChanged, Failure> {
    Ok(ProjectChanged {
        path: remove(context, Some(&request.path))?,
        changed: true,
        message: "no longer registered; its memory stays where it is".to_owned(),
    })
}

/// Trusts the settings of the current project, or revokes that.
pub fn set_trust(request: &ProjectTrust, context: &Context) -> Result<ProjectChanged, Failure> {
    let message = match request.trusted {
        true => "the settings in the project apply",
        false => "the settings in the project do not apply",
    };
    Ok(ProjectChanged {
        path: context.project.clone(),
        changed: trust(context, request.trusted)?,
        message: message.to_owned(),
    })
}

/// Unregisters a project. Its memory stays.
pub fn remove(context: &Context, folder: Option<&Utf8Path>) -> Result<Utf8PathBuf, Failure> {
    let catalog = scopes::open_catalog(context)?;
    // A folder that no longer exists can be removed, too.
    let root = match folder {
        Some(folder) if !folder.is_dir() => folder.to_owned(),
        folder => root_of(context, folder)?,
    };
    match catalog.unregister(&root, now_ms())? {
        Some(project) => {
            let layout = Layout::for_project(&project.root);
            catalog.purge_pending_of(layout.base().as_str())?;
            Ok(project.root)
        }
        None => {
            let message = format!("`{root}` is not a known project");
            Err(Failure::new(Kind::Missing, message).hint("`acreta project list` shows them"))
        }
    }
}

/// Trusts the settings of the current project, or revokes that. Returns whether anything changed.
pub fn trust(context: &Context, is_trusted: bool) -> Result<bool, Failure> {
    let mut trust = context.trust.clone();
    Ok(match is_trusted {
        true => trust.trust(&context.project)?,
        false => trust.revoke(&context.project)?,
    })
}
