//! Identity of a project beyond its current path: which repository it is, and which project the sessions of a folder belong
//! to that is gone. An ambiguous folder belongs to none.

mod remote;
mod spelling;

use acreta_git::GitRepository;
use acreta_types::Identity;
use camino::{Utf8Path, Utf8PathBuf};
use md5::Md5;
use sha2::{Digest, Sha256};

pub use remote::normalised_remote;
pub use spelling::other_spelling;
use spelling::{hashed_spellings, is_same_place, is_windows};

/// Facts about a directory in which a session ran, if it cannot be looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DirectoryFacts {
    /// It no longer exists.
    Gone { path: Utf8PathBuf },
    /// Only the slug that an agent made of its path: `-home-ann-my-proj`.
    Slug(String),
    /// Only a hash of its path, in hex: SHA-256 or MD5.
    Hash(String),
}

/// A project in the catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownProject {
    pub id: String,
    pub root: Utf8PathBuf,
    /// Its former paths, and removed checkouts.
    pub former_paths: Vec<Utf8PathBuf>,
}

/// Returns the identity of a main checkout's repository. Empty if `root` is not one; a part that cannot be determined,
/// for example because history is broken, is `None`.
pub fn identity_of(root: &Utf8Path) -> Identity {
    let Ok(repository) = GitRepository::at(root) else {
        return Identity::default();
    };
    Identity {
        root_commit: repository.root_commit(),
        remote: repository
            .remote_url()
            .and_then(|url| normalised_remote(&url)),
    }
}

/// Returns true if another repository than the one with this identity is at `root`: it has commits, and the root commit
/// is not among them. A repository that got its first commit, or another remote, is still the same one. The history of
/// a shallow clone is cut off, so there the remote must differ as well.
pub fn is_other_repository(root: &Utf8Path, identity: &Identity) -> bool {
    let Some(commit) = &identity.root_commit else {
        return false;
    };
    let Ok(repository) = GitRepository::at(root) else {
        return false;
    };
    if repository.head().is_none() || repository.has_commit(commit) != Some(false) {
        return false;
    }
    let remote = repository
        .remote_url()
        .and_then(|url| normalised_remote(&url));
    let has_other_remote =
        matches!((&identity.remote, &remote), (Some(old), Some(new)) if old != new);
    !repository.is_shallow() || has_other_remote
}

/// Finds the project of a directory among the known ones, by its id. `None` if there is none, or several possible ones.
pub fn resolve<'a>(facts: &DirectoryFacts, known: &'a [KnownProject]) -> Option<&'a str> {
    let project = match facts {
        DirectoryFacts::Gone { path } => gone(path, known),
        DirectoryFacts::Slug(slug) => by_slug(slug, known),
        DirectoryFacts::Hash(hash) => by_hash(hash, known),
    };
    project.map(|project| project.id.as_str())
}

/// Returns the project with the deepest current or former path that contains `path`. At the same depth the current one
/// wins.
fn gone<'a>(path: &Utf8Path, known: &'a [KnownProject]) -> Option<&'a KnownProject> {
    path.ancestors().find_map(|ancestor| {
        let is_here = |path: &Utf8PathBuf| is_same_place(path.as_str(), ancestor.as_str());
        let now = known.iter().find(|project| is_here(&project.root));
        let before = known
            .iter()
            .filter(|project| project.former_paths.iter().any(is_here));
        match now {
            Some(project) => Some(Some(project)),
            // Ambiguous if it belonged to two projects: a path further up is less specific, not more.
            None => before.clone().next().map(|_| only(before)),
        }
    })?
}

fn by_slug<'a>(slug: &str, known: &'a [KnownProject]) -> Option<&'a KnownProject> {
    let wanted = slug_of(slug);
    let is_wanted = |path: &Utf8PathBuf| {
        let slug = slug_of(path.as_str());
        slug == wanted || (is_windows(path.as_str()) && slug.eq_ignore_ascii_case(&wanted))
    };
    only(
        known
            .iter()
            .filter(|project| places(project).any(is_wanted)),
    )
}

/// Converts a path to an agent's folder name: everything but letters and digits becomes `-`, counted in UTF-16 units
/// like JavaScript. Some agents leave out the leading one.
fn slug_of(path: &str) -> String {
    let mut slug = String::with_capacity(path.len());
    for character in path.trim_start_matches(['/', '-']).chars() {
        if character.is_ascii_alphanumeric() {
            slug.push(character);
        } else {
            slug.extend(std::iter::repeat_n('-', character.len_utf16()));
        }
    }
    slug
}

fn by_hash<'a>(hash: &str, known: &'a [KnownProject]) -> Option<&'a KnownProject> {
    let hash_of: fn(&str) -> String = match hash.len() {
        64 => |path| acreta_text::hex(&Sha256::digest(path)),
        32 => |path| acreta_text::hex(&Md5::digest(path)),
        _ => return None,
    };
    let hash = hash.to_ascii_lowercase();
    let path = known.iter().flat_map(places).find(|path| {
        let mut spellings = hashed_spellings(path.as_str()).into_iter();
        spellings.any(|path| hash_of(&path) == hash)
    })?;
    gone(path, known)
}

/// Returns the current and former paths of a project.
fn places(project: &KnownProject) -> impl Iterator<Item = &Utf8PathBuf> {
    std::iter::once(&project.root).chain(&project.former_paths)
}

/// Returns the single element, if there is exactly one.
fn only<'a>(mut projects: impl Iterator<Item = &'a KnownProject>) -> Option<&'a KnownProject> {
    let first = projects.next()?;
    projects.next().is_none().then_some(first)
}
