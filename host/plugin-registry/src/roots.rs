//! Folders that no plugin may read, whatever its reason: the whole disk, the home folder, folders that many programs
//! share, keys, acreta's own, and those of another agent.
//!
//! Checked twice: by the spelling of a candidate, with the same result on every machine, and by its real path on this
//! one, with links resolved. Case is ignored, as on many disks.

use acreta_fs::canonical;
use acreta_types::AdapterRoot;
use camino::{Utf8Path, Utf8PathBuf};

use crate::identity::{PluginId, shown};

/// A folder of a known agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownRoot {
    /// The adapter that reads it.
    pub plugin: String,
    pub agent: String,
    /// Spelled as in its description.
    pub candidates: Vec<String>,
}

/// Context for checking the folders that a plugin asks for.
#[derive(Clone, Copy)]
pub struct Neighbours<'a> {
    pub agents: &'a [KnownRoot],
    /// The user's home folder.
    pub home: &'a Utf8Path,
    /// acreta's folders: settings, memory, archive, cache.
    pub own: &'a [Utf8PathBuf],
    /// Resolves a candidate to a path on this machine; `None` if it does not resolve.
    pub expand: &'a dyn Fn(&str) -> Option<Utf8PathBuf>,
}

/// A root that no plugin may read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("it asks for `{}` as root `{root}`, which {reason}", shown(.candidate))]
pub struct RefusedRoot {
    pub root: String,
    pub candidate: String,
    pub reason: RootReason,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RootReason {
    #[error("is the whole disk")]
    Disk,
    #[error("is the whole home folder")]
    Home,
    #[error("has a part `.` or `..`")]
    Upward,
    #[error("is an absolute path")]
    Absolute,
    #[error("is not a valid path below `~`, `<config>`, `<data>` or a variable")]
    Malformed,
    #[error("is shared by many programs")]
    Shared,
    #[error("contains keys")]
    Keys,
    #[error("overlaps with acreta's own folder")]
    Own,
    #[error("overlaps with the folder of {agent}, which `{plugin}` reads")]
    Agent { agent: String, plugin: String },
}

impl RefusedRoot {
    /// Returns advice on how to resolve the error.
    pub fn hint(&self) -> String {
        match &self.reason {
            RootReason::Agent { plugin, .. } => format!(
                "ask for the agent's own folder alone; to read that one instead, change `{plugin}`"
            ),
            RootReason::Malformed | RootReason::Absolute | RootReason::Upward => {
                "write candidates as `~/…`, `$VARIABLE/…`, `<config>/…` or `<data>/…`".to_owned()
            }
            _ => "ask for the agent's own folder alone, such as `~/.my-agent/sessions`".to_owned(),
        }
    }
}

/// Rejects a manifest's roots if `plugin` may not read one of their candidates.
pub fn check_roots(
    plugin: &PluginId,
    roots: &[AdapterRoot],
    neighbours: &Neighbours<'_>,
) -> Result<(), RefusedRoot> {
    for root in roots {
        for candidate in &root.candidates {
            let verdict = written(candidate)
                .and_then(|places| beside_agents(plugin, &places, neighbours.agents))
                .and_then(|()| on_this_machine(plugin, candidate, neighbours));
            verdict.map_err(|reason| RefusedRoot {
                root: root.name.clone(),
                candidate: candidate.clone(),
                reason,
            })?;
        }
    }
    Ok(())
}

/// A candidate path as written: its base and the components below it, in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
struct CandidatePath {
    base: String,
    parts: Vec<String>,
}

impl CandidatePath {
    fn meets(&self, other: &CandidatePath) -> bool {
        let common = self.parts.len().min(other.parts.len());
        self.base == other.base && self.parts[..common] == other.parts[..common]
    }
}

/// Returns the paths that a candidate may mean, if its spelling is allowed.
fn written(candidate: &str) -> Result<Vec<CandidatePath>, RootReason> {
    let places = places(candidate)?;
    let home = |place: &&CandidatePath| place.base == "~";
    for place in places.iter().filter(home) {
        let path = place.parts.join("/");
        if path.is_empty() {
            return Err(RootReason::Home);
        }
        if SHARED.contains(&path.as_str()) {
            return Err(RootReason::Shared);
        }
        if KEYS
            .iter()
            .any(|keys| Utf8Path::new(&path).starts_with(keys))
        {
            return Err(RootReason::Keys);
        }
        if Utf8Path::new(&path).starts_with(".acreta") {
            return Err(RootReason::Own);
        }
    }
    Ok(places)
}

/// Parses a candidate. `<config>` and `<data>` expand to their paths on each system, so that a manifest gets the same
/// answer everywhere.
fn places(candidate: &str) -> Result<Vec<CandidatePath>, RootReason> {
    let path = candidate.to_lowercase().replace('\\', "/");
    if !path.is_empty() && path.bytes().all(|byte| byte == b'/') {
        return Err(RootReason::Disk);
    }
    if path.starts_with('/') || path.as_bytes().get(1) == Some(&b':') {
        return Err(RootReason::Absolute);
    }
    let mut parts = path.split('/').filter(|part| !part.is_empty());
    let head = parts.next().unwrap_or_default();
    let parts: Vec<String> = parts.map(str::to_owned).collect();
    if head == ".." || parts.iter().any(|part| part == "." || part == "..") {
        return Err(RootReason::Upward);
    }
    if candidate.chars().any(acreta_text::is_hidden) || candidate.contains('\n') {
        return Err(RootReason::Malformed);
    }
    let place = |base: &str, above: &str| CandidatePath {
        base: base.to_owned(),
        parts: above
            .split('/')
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .chain(parts.iter().cloned())
            .collect(),
    };
    let at_home = |folders: &[&str]| folders.iter().map(|above| place("~", above)).collect();
    Ok(match head {
        "~" | "$home" | "$userprofile" => vec![place("~", "")],
        "<config>" | "$xdg_config_home" | "$appdata" => at_home(CONFIG),
        "<data>" | "$xdg_data_home" | "$localappdata" => at_home(DATA),
        "$xdg_cache_home" => at_home(&[".cache"]),
        "$xdg_state_home" => at_home(&[".local/state"]),
        _ => {
            let name = head.strip_prefix('$').unwrap_or_default();
            let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
            if name.is_empty() || !name.bytes().all(word) {
                return Err(RootReason::Malformed);
            }
            if name.starts_with("acreta_") {
                return Err(RootReason::Own);
            }
            if WIDE_VARIABLES.contains(&name) {
                return Err(RootReason::Shared);
            }
            vec![place(head, "")]
        }
    })
}

/// Settings folders on Linux, macOS and Windows, below the home folder.
const CONFIG: &[&str] = &[".config", "library/application support", "appdata/roaming"];

/// Data folders on the same systems.
const DATA: &[&str] = &[
    ".local/share",
    "library/application support",
    "appdata/local",
];

/// Folders in the home folder that many programs share.
const SHARED: &[&str] = &[
    ".cache",
    ".config",
    ".local",
    ".local/share",
    ".local/state",
    "appdata",
    "appdata/local",
    "appdata/roaming",
    "desktop",
    "documents",
    "downloads",
    "library",
    "library/application support",
    "library/caches",
];

const KEYS: &[&str] = &[
    ".aws",
    ".config/gcloud",
    ".docker",
    ".gnupg",
    ".kube",
    ".local/share/keyrings",
    ".password-store",
    ".ssh",
    "library/keychains",
];

/// Environment variables that name system-wide folders.
const WIDE_VARIABLES: &[&str] = &[
    "oldpwd",
    "path",
    "programdata",
    "programfiles",
    "pwd",
    "systemdrive",
    "systemroot",
    "temp",
    "tmp",
    "tmpdir",
    "windir",
    "xdg_runtime_dir",
];

fn beside_agents(
    plugin: &PluginId,
    wanted: &[CandidatePath],
    agents: &[KnownRoot],
) -> Result<(), RootReason> {
    for known in others(plugin, agents) {
        let candidates = known.candidates.iter();
        let mut known_places =
            candidates.flat_map(|candidate| places(candidate).unwrap_or_default());
        if known_places.any(|place| wanted.iter().any(|wanted| wanted.meets(&place))) {
            return Err(agent(known));
        }
    }
    Ok(())
}

/// Checks the real paths on this machine: a variable or a link may lead anywhere.
fn on_this_machine(
    plugin: &PluginId,
    candidate: &str,
    neighbours: &Neighbours<'_>,
) -> Result<(), RootReason> {
    let Some(path) = (neighbours.expand)(candidate) else {
        return Ok(());
    };
    let path = real(&path);
    let home = real(neighbours.home);
    if path.parent().is_none() {
        return Err(RootReason::Disk);
    }
    if home.starts_with(&path) {
        return Err(RootReason::Home);
    }
    let meets = |other: &Utf8Path| path.starts_with(other) || other.starts_with(&path);
    if neighbours.own.iter().any(|own| meets(&real(own))) {
        return Err(RootReason::Own);
    }
    if let Ok(inside) = path.strip_prefix(&home).map(acreta_fs::portable) {
        if SHARED.contains(&inside.as_str()) {
            return Err(RootReason::Shared);
        }
        if KEYS.iter().any(|keys| inside.starts_with(keys)) {
            return Err(RootReason::Keys);
        }
    }
    for known in others(plugin, neighbours.agents) {
        let candidates = known.candidates.iter();
        let mut paths = candidates.filter_map(|candidate| (neighbours.expand)(candidate));
        // If an agent's variable names a whole home folder, every request would be rejected.
        if paths.any(|other| !home.starts_with(real(&other)) && meets(&real(&other))) {
            return Err(agent(known));
        }
    }
    Ok(())
}

fn others<'a>(
    plugin: &'a PluginId,
    agents: &'a [KnownRoot],
) -> impl Iterator<Item = &'a KnownRoot> {
    agents
        .iter()
        .filter(move |known| known.plugin != plugin.as_str())
}

fn agent(known: &KnownRoot) -> RootReason {
    RootReason::Agent {
        agent: known.agent.clone(),
        plugin: known.plugin.clone(),
    }
}

/// Resolves links of a path, in lower case; a missing part stays as written.
fn real(path: &Utf8Path) -> Utf8PathBuf {
    let found = path.ancestors().find_map(|existing| {
        let real = canonical(existing).ok()?;
        let rest = path.strip_prefix(existing).ok()?;
        Some(if rest.as_str().is_empty() {
            real
        } else {
            real.join(rest)
        })
    });
    let path = found.unwrap_or_else(|| path.to_owned());
    path.as_str().to_lowercase().into()
}
