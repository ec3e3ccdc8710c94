//! Finds the session folders of agents on this machine. An adapter names candidates; the result is one existing
//! directory, and never one that contains more than an agent's own files.

use std::collections::BTreeMap;

use acreta_fs::{FsError, canonical};
use acreta_types::AdapterRoot;
use camino::{Utf8Path, Utf8PathBuf};

/// Platform whose folder conventions apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Platform {
    Linux,
    MacOs,
    Windows,
}

/// Values for expanding candidates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    pub platform: Platform,
    pub home: Utf8PathBuf,
    /// The user's settings folder.
    pub config: Utf8PathBuf,
    /// The user's data folder.
    pub data: Utf8PathBuf,
    /// Environment variables.
    pub variables: BTreeMap<String, String>,
}

/// A root that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundRoot {
    pub name: String,
    /// Without links.
    pub path: Utf8PathBuf,
    /// The adapter's patterns, or the one file that a candidate named.
    pub patterns: Vec<String>,
}

/// A root that exists but is rejected.
#[derive(Debug, thiserror::Error)]
pub enum RootError {
    #[error("root `{name}` is refused: `{path}` {reason}")]
    Refused {
        name: String,
        path: Utf8PathBuf,
        reason: &'static str,
    },
    #[error("root `{name}` cannot be read")]
    Fs {
        name: String,
        #[source]
        cause: FsError,
    },
}

impl Places {
    /// Derives the platform's standard folders from the home folder and the environment.
    pub fn new(platform: Platform, home: Utf8PathBuf, variables: BTreeMap<String, String>) -> Self {
        let place = |variable: &str, otherwise: &[&str]| {
            let named = variables.get(variable).map(String::as_str);
            named
                .filter(|path| is_absolute(platform, path))
                .map_or_else(|| join(platform, &home, otherwise), Utf8PathBuf::from)
        };
        let (config, data) = match platform {
            Platform::Linux => (
                place("XDG_CONFIG_HOME", &[".config"]),
                place("XDG_DATA_HOME", &[".local", "share"]),
            ),
            Platform::MacOs => {
                let support = join(platform, &home, &["Library", "Application Support"]);
                (support.clone(), support)
            }
            Platform::Windows => (
                place("APPDATA", &["AppData", "Roaming"]),
                place("LOCALAPPDATA", &["AppData", "Local"]),
            ),
        };
        Self {
            platform,
            home,
            config,
            data,
            variables,
        }
    }
}

/// Expands a candidate (`~/…`, `$VAR/…`, `<config>/…`, `<data>/…`). Returns `None` if its variable is unset, empty or
/// relative, and for any text that is not a candidate.
pub fn expand(candidate: &str, places: &Places) -> Option<Utf8PathBuf> {
    let (head, rest) = candidate.split_once('/').unwrap_or((candidate, ""));
    let base = match head {
        "~" => places.home.as_str(),
        "<config>" => places.config.as_str(),
        "<data>" => places.data.as_str(),
        _ => places.variables.get(head.strip_prefix('$')?)?,
    };
    let parts: Vec<&str> = rest.split('/').filter(|part| !part.is_empty()).collect();
    let leads_astray = |part: &&str| {
        matches!(*part, "." | "..")
            || part.contains('\0')
            || (places.platform == Platform::Windows && part.contains(['\\', ':']))
    };
    if !is_absolute(places.platform, base) || parts.iter().any(leads_astray) {
        return None;
    }
    Some(join(places.platform, Utf8Path::new(base), &parts))
}

/// Returns the first existing candidate of `wanted`; `None` if there is none.
///
/// A candidate that is a file means its folder, with that file as the only pattern. `own` is acreta's own folder, which
/// is never a root.
pub fn find_root(
    wanted: &AdapterRoot,
    places: &Places,
    own: &Utf8Path,
) -> Result<Option<FoundRoot>, RootError> {
    for candidate in &wanted.candidates {
        let Some(path) = expand(candidate, places) else {
            continue;
        };
        let path = match canonical(&path) {
            Ok(path) => path,
            Err(error) if error.is_not_found() => continue,
            Err(cause) => {
                return Err(RootError::Fs {
                    name: wanted.name.clone(),
                    cause,
                });
            }
        };
        let (path, patterns) = match (path.parent(), path.file_name()) {
            (Some(folder), Some(name)) if path.is_file() => {
                (folder.to_owned(), vec![globset::escape(name)])
            }
            _ if path.is_dir() => (path, wanted.patterns.clone()),
            _ => continue,
        };
        let real = |path: &Utf8Path| canonical(path).unwrap_or_else(|_| path.to_owned());
        if let Some(reason) = refusal(&path, &real(&places.home), &real(own)) {
            return Err(RootError::Refused {
                name: wanted.name.clone(),
                path,
                reason,
            });
        }
        return Ok(Some(FoundRoot {
            name: wanted.name.clone(),
            path,
            patterns,
        }));
    }
    Ok(None)
}

/// Returns the reason why a folder cannot be a root. All paths are without links.
fn refusal(root: &Utf8Path, home: &Utf8Path, own: &Utf8Path) -> Option<&'static str> {
    if root.parent().is_none() {
        Some("is the whole disk")
    } else if root == home {
        Some("is the home folder")
    } else if home.starts_with(root) {
        Some("contains the home folder")
    } else if root.starts_with(own) || own.starts_with(root) {
        Some("contains acreta's own files")
    } else {
        None
    }
}

fn is_absolute(platform: Platform, path: &str) -> bool {
    match platform {
        Platform::Linux | Platform::MacOs => path.starts_with('/'),
        Platform::Windows => match path.as_bytes() {
            [letter, b':', b'\\' | b'/', ..] => letter.is_ascii_alphabetic(),
            [b'\\', b'\\', ..] => true,
            _ => false,
        },
    }
}

/// Joins like the given platform, which may differ from the current one.
fn join(platform: Platform, base: &Utf8Path, parts: &[&str]) -> Utf8PathBuf {
    let (separators, separator): (&[char], char) = match platform {
        Platform::Linux | Platform::MacOs => (&['/'], '/'),
        Platform::Windows => (&['/', '\\'], '\\'),
    };
    if parts.is_empty() {
        return base.to_owned();
    }
    let mut joined = base.as_str().trim_end_matches(separators).to_owned();
    for part in parts {
        joined.push(separator);
        joined.push_str(part);
    }
    Utf8PathBuf::from(joined)
}
