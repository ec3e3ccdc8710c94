//! Where agents keep their sessions on this machine. An adapter names candidates; here they become
//! one directory that exists, and never one that holds more than an agent's own files.

use std::collections::BTreeMap;

use acreta_fs::{FsError, canonical};
use acreta_model::AdapterRoot;
use camino::{Utf8Path, Utf8PathBuf};

/// Whose rules about folders hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Platform {
    Linux,
    MacOs,
    Windows,
}

/// What candidates are expanded with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    pub platform: Platform,
    pub home: Utf8PathBuf,
    /// Where programs keep their settings.
    pub config: Utf8PathBuf,
    /// Where programs keep their data.
    pub data: Utf8PathBuf,
    /// The environment.
    pub variables: BTreeMap<String, String>,
}

/// A root as it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundRoot {
    pub name: String,
    /// Without links.
    pub path: Utf8PathBuf,
    /// The adapter's, or the one file that a candidate named.
    pub patterns: Vec<String>,
}

/// A root that exists and is not used.
#[derive(Debug, thiserror::Error)]
pub enum RootError {
    #[error("root `{name}` is refused: `{path}` {reason}")]
    Refused {
        name: String,
        path: Utf8PathBuf,
        reason: &'static str,
    },
    #[error("root `{name}` cannot be looked at")]
    Fs {
        name: String,
        #[source]
        cause: FsError,
    },
}

impl Places {
    /// The folders that a platform's conventions give, from the home folder and the environment.
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

/// The path that a candidate (`~/…`, `$VAR/…`, `<config>/…`, `<data>/…`) stands for. `None` when its
/// variable is unset, empty or relative, and for everything that is no candidate.
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

/// The first candidate of `wanted` that exists; `None` when none does.
///
/// A candidate that is a file stands for the folder it lies in, with that file as the only pattern.
/// `own` is acreta's own folder, which is nobody's root.
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

/// Why a folder is no root. All paths are without links.
fn refusal(root: &Utf8Path, home: &Utf8Path, own: &Utf8Path) -> Option<&'static str> {
    if root.parent().is_none() {
        Some("is the whole disk")
    } else if root == home {
        Some("is the home folder")
    } else if home.starts_with(root) {
        Some("holds the home folder")
    } else if root.starts_with(own) || own.starts_with(root) {
        Some("holds acreta's own files")
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

/// Joins as the platform does, which need not be the one this runs on.
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
