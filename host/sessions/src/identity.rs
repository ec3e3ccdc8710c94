//! Who a project is, beyond the path it lies at today. A folder that moved stays the same project,
//! a clone or a fork is another one, and what cannot be told apart is nobody's.

mod remote;
mod spelling;

use acreta_git::GitRepository;
use acreta_model::Identity;
use camino::{Utf8Path, Utf8PathBuf};
use md5::Md5;
use sha2::{Digest, Sha256};

pub use remote::normalised_remote;
pub use spelling::other_spelling;
use spelling::{hashed_spellings, is_same_place, is_windows};

/// What is known of the directory a session ran in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DirectoryFacts {
    /// It exists. `root` is its main checkout, or the directory itself outside of repositories.
    Living {
        root: Utf8PathBuf,
        identity: Identity,
    },
    /// It does not exist any more.
    Gone { path: Utf8PathBuf },
    /// Only what an agent made of its path: `-home-ann-my-proj`.
    Slug(String),
    /// Only a hash of its path, in hex: SHA-256 or MD5.
    Hash(String),
}

/// A project as the catalog has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownProject {
    pub id: String,
    pub root: Utf8PathBuf,
    pub root_exists: bool,
    pub identity: Identity,
    /// Where it lay before, and checkouts of it that are gone.
    pub former_paths: Vec<Utf8PathBuf>,
}

/// Which project a session belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolution {
    Existing(String),
    /// A known project whose folder lies at `to` now.
    Moved {
        id: String,
        to: Utf8PathBuf,
    },
    NewProject {
        root: Utf8PathBuf,
    },
    /// None, or more than one that it could be.
    Unknown,
}

/// Who the repository of a main checkout is. Empty when `root` is not one; a part that cannot be
/// determined, for example because history is broken, is none.
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

/// Finds the project of a directory among those that are known.
pub fn resolve(facts: &DirectoryFacts, known: &[KnownProject]) -> Resolution {
    match facts {
        DirectoryFacts::Living { root, identity } => living(root, identity, known),
        DirectoryFacts::Gone { path } => existing(gone(path, known)),
        DirectoryFacts::Slug(slug) => existing(by_slug(slug, known)),
        DirectoryFacts::Hash(hash) => existing(by_hash(hash, known)),
    }
}

fn existing(project: Option<&KnownProject>) -> Resolution {
    project.map_or(Resolution::Unknown, |project| {
        Resolution::Existing(project.id.clone())
    })
}

fn living(root: &Utf8Path, identity: &Identity, known: &[KnownProject]) -> Resolution {
    if let Some(project) = known.iter().find(|project| project.root == root) {
        return Resolution::Existing(project.id.clone());
    }
    // Only what left its place can have come here: of two clones that live each is itself.
    let left = known.iter().filter(|project| {
        !project.root_exists && identity.root_commit.is_some() && project.identity == *identity
    });
    match only(left) {
        Some(project) => Resolution::Moved {
            id: project.id.clone(),
            to: root.to_owned(),
        },
        None => Resolution::NewProject {
            root: root.to_owned(),
        },
    }
}

/// The project with the deepest place, present or former, that holds `path`. At the same depth the
/// one that lies there now is meant.
fn gone<'a>(path: &Utf8Path, known: &'a [KnownProject]) -> Option<&'a KnownProject> {
    path.ancestors().find_map(|ancestor| {
        let is_here = |path: &Utf8PathBuf| is_same_place(path.as_str(), ancestor.as_str());
        let now = known.iter().find(|project| is_here(&project.root));
        let before = known
            .iter()
            .filter(|project| project.former_paths.iter().any(is_here));
        match now {
            Some(project) => Some(Some(project)),
            // Nobody's when it was two projects': a place further up says less, not more.
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

/// A path as agents make a folder name of it: everything but letters and digits is a `-`, counted as
/// JavaScript counts. Some leave out the one in front.
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

/// Where a project lies and lay.
fn places(project: &KnownProject) -> impl Iterator<Item = &Utf8PathBuf> {
    std::iter::once(&project.root).chain(&project.former_paths)
}

/// The only one there is.
fn only<'a>(mut projects: impl Iterator<Item = &'a KnownProject>) -> Option<&'a KnownProject> {
    let first = projects.next()?;
    projects.next().is_none().then_some(first)
}
