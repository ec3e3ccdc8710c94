//! Locations of acreta's own folders, derived from the environment.

use acreta_fs::{Directory, FsError, NoFaults, native, resolve_links};
use camino::{Utf8Path, Utf8PathBuf};

use crate::{ConfigError, Environment};

/// The folder for temporary files in the cache.
const SCRATCH: &str = "scratch";

/// The user's folders. Asking for one creates nothing. A link that the user put in place of one is resolved here,
/// because nothing follows links in a folder named `.acreta` later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home {
    user: Option<Utf8PathBuf>,
    folder: Utf8PathBuf,
    cache: Utf8PathBuf,
}

impl Home {
    /// Uses `ACRETA_HOME` and `ACRETA_CACHE_DIR` if they are set, and the home folder otherwise.
    pub fn new(environment: &Environment) -> Result<Self, ConfigError> {
        let home_variable = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
        let user = absolute(environment, home_variable)?;
        let in_home = |relative: &str| {
            user.as_ref()
                .map(|user| native(&user.join(relative)))
                .ok_or(ConfigError::NoHome)
        };
        let folder = match absolute(environment, "ACRETA_HOME")? {
            Some(folder) => folder,
            None => in_home(".acreta")?,
        };
        let cache = match absolute(environment, "ACRETA_CACHE_DIR")? {
            Some(cache) => cache,
            // The XDG specification says that a relative path is to be ignored.
            None => match absolute(environment, "XDG_CACHE_HOME") {
                Ok(Some(caches)) => caches.join("acreta"),
                _ if cfg!(target_os = "macos") => in_home("Library/Caches/acreta")?,
                _ if cfg!(windows) => match absolute(environment, "LOCALAPPDATA") {
                    Ok(Some(local)) => local.join("acreta").join("cache"),
                    _ => in_home("AppData/Local/acreta/cache")?,
                },
                _ => in_home(".cache/acreta")?,
            },
        };
        Ok(Self {
            user,
            folder: resolve_links(&folder),
            cache: resolve_links(&cache),
        })
    }

    /// Returns the user's home folder, if it is known.
    pub fn user(&self) -> Option<&Utf8Path> {
        self.user.as_deref()
    }

    /// `~/.acreta`.
    pub fn folder(&self) -> &Utf8Path {
        &self.folder
    }

    /// Returns the cache folder, which can be deleted at any time: compiled plugins and the like.
    pub fn cache(&self) -> &Utf8Path {
        &self.cache
    }

    /// The key that compiled plugins in the cache are authenticated with.
    pub fn cache_key_file(&self) -> Utf8PathBuf {
        self.folder.join("cache.key")
    }

    pub fn config_file(&self) -> Utf8PathBuf {
        self.folder.join("config.toml")
    }

    pub fn trust_file(&self) -> Utf8PathBuf {
        self.folder.join("trust.toml")
    }

    /// The user's trust records: what they confirmed, and what reviewers they accept confirmed.
    pub fn words(&self) -> Utf8PathBuf {
        self.folder.join("trust")
    }

    /// What agents were told and prompts they were sent, with the cached inputs of briefs. It belongs to this home: a
    /// purge deletes it, and a cache may serve several homes.
    pub fn briefs(&self) -> Utf8PathBuf {
        self.folder.join("briefs")
    }

    /// Cached numbers of items that wait for review, by scope.
    pub fn review_counts(&self) -> Utf8PathBuf {
        self.cache.join("review")
    }

    /// The file with the plugins' grants.
    pub fn grants_file(&self) -> Utf8PathBuf {
        self.folder.join("grants.toml")
    }

    /// The lock file of installed plugins.
    pub fn lock_file(&self) -> Utf8PathBuf {
        self.folder.join("acreta.lock")
    }

    /// The state database: catalog, queue and runs.
    pub fn state_file(&self) -> Utf8PathBuf {
        resolve_links(&self.folder.join("state.db"))
    }

    /// Archived raw sessions.
    pub fn archive(&self) -> Utf8PathBuf {
        resolve_links(&self.folder.join("archive"))
    }

    /// The index of archived sessions: a cache that belongs to this home.
    pub fn session_index(&self) -> Utf8PathBuf {
        resolve_links(&self.folder.join("session-index"))
    }

    /// Temporary folder for staged files, drafts and snapshots.
    pub fn scratch(&self) -> Utf8PathBuf {
        resolve_links(&self.cache.join(SCRATCH))
    }

    /// Folder of installed plugins, unless `plugins.folder` is set.
    pub fn plugins(&self) -> Utf8PathBuf {
        resolve_links(&self.folder.join("plugins"))
    }

    /// Removes access of other users from the home folder and the cache, if they exist. Looks into them only if others
    /// can, or if `thorough`. Returns the changed paths and the errors.
    pub fn close_to_others(&self, thorough: bool) -> (Vec<Utf8PathBuf>, Vec<FsError>) {
        let mut all = (Vec::new(), Vec::new());
        for folder in [&self.folder, &self.cache] {
            let Ok(directory) = Directory::open(folder, NoFaults::shared()) else {
                continue;
            };
            if !thorough && !directory.is_open_to_others().unwrap_or(false) {
                continue;
            }
            let (closed, problems) = directory.close_to_others(Some(Utf8Path::new(SCRATCH)));
            all.0.extend(closed);
            all.1.extend(problems);
        }
        all
    }

    /// Expands a leading `~/` to the home folder; returns any other path unchanged.
    pub fn expand(&self, path: &str) -> Utf8PathBuf {
        match (path.strip_prefix("~/"), &self.user) {
            (Some(relative), Some(user)) => native(&user.join(relative)),
            _ if path == "~" => self.user.clone().unwrap_or_else(|| path.into()),
            _ => path.into(),
        }
    }
}

/// Reads a variable as an absolute path; an empty one counts as unset.
fn absolute(
    environment: &Environment,
    variable: &'static str,
) -> Result<Option<Utf8PathBuf>, ConfigError> {
    match environment.get(variable).filter(|value| !value.is_empty()) {
        None => Ok(None),
        Some(value) if Utf8Path::new(value).is_absolute() => Ok(Some(native(Utf8Path::new(value)))),
        Some(value) => Err(ConfigError::RelativePath {
            variable,
            value: value.clone(),
        }),
    }
}
