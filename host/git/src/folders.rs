//! Locates a repository. The only module that reads `.git` files, `gitdir:` lines and `commondir`.

use camino::{Utf8Path, Utf8PathBuf};

use crate::limits::POINTER_BYTES;
use crate::read;

/// The folders of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GitFolders {
    /// The root of the work tree; `None` for a bare repository.
    pub(crate) work_tree: Option<Utf8PathBuf>,
    /// Folder of this work tree, with `HEAD` and `index`.
    pub(crate) own: Utf8PathBuf,
    /// Folder shared by all work trees, with objects, refs, config and `info`.
    pub(crate) common: Utf8PathBuf,
}

impl GitFolders {
    /// Finds the repository whose checkout is at `root`, or the bare repository `root`.
    pub(crate) fn at(root: &Utf8Path) -> Option<Self> {
        let (own, work_tree) = match git_folder(root) {
            Some(own) => (own, Some(root.to_owned())),
            None if is_bare(root) => (root.to_owned(), None),
            None => return None,
        };
        let common = common_folder(&own).unwrap_or_else(|| own.clone());
        Some(Self {
            work_tree,
            own,
            common,
        })
    }

    /// Finds the repository of the nearest checkout that contains `path`.
    pub(crate) fn containing(path: &Utf8Path) -> Option<Self> {
        path.ancestors().find_map(|root| {
            let found = Self::at(root)?;
            found.work_tree.is_some().then_some(found)
        })
    }
}

/// Returns the main checkout of the worktree at `folder`. Returns `None` if it is not a worktree, or not one that its
/// repository knows: a `.git` file alone must not redirect to another project.
pub fn main_checkout(folder: &Utf8Path) -> Option<Utf8PathBuf> {
    let own = canonical(&pointed_at(folder)?)?;
    let common = common_folder(&own)?;
    let back = read::text(&own.join("gitdir"), POINTER_BYTES)?;
    if canonical(&own.join(back.trim()))? != folder.join(".git") {
        return None;
    }
    // A bare repository has no checkout; then each worktree is independent.
    (common.file_name() == Some(".git")).then(|| common.parent().map(ToOwned::to_owned))?
}

/// Returns the folder that `commondir` of the git folder `own` names, if `own` is one of its `worktrees`. Everything in
/// `own` is written by whoever packed the folder; what lies in `<common>/worktrees` only by the repository's owner.
fn common_folder(own: &Utf8Path) -> Option<Utf8PathBuf> {
    let named = read::text(&own.join("commondir"), POINTER_BYTES)?;
    let own = canonical(own)?;
    let common = canonical(&own.join(named.trim_end_matches(['\n', '\r'])))?;
    (own.parent()? == common.join("worktrees")).then_some(common)
}

/// Returns `.git` itself, or the folder that a `.git` file names.
fn git_folder(root: &Utf8Path) -> Option<Utf8PathBuf> {
    let path = root.join(".git");
    // Follows a link, as git does; its target is only read.
    let folder = if std::fs::metadata(&path).ok()?.is_dir() {
        path
    } else {
        pointed_at(root)?
    };
    folder.join("HEAD").exists().then_some(folder)
}

/// Returns the target of a checkout's `.git` file.
fn pointed_at(root: &Utf8Path) -> Option<Utf8PathBuf> {
    let pointer = read::text(&root.join(".git"), POINTER_BYTES)?;
    let folder = pointer.strip_prefix("gitdir:")?.trim();
    (!folder.is_empty()).then(|| root.join(folder))
}

/// Returns the bare repository that a folder is, or is in, unless the folder belongs to a checkout.
pub fn bare_repository(folder: &Utf8Path) -> Option<&Utf8Path> {
    for root in folder.ancestors() {
        if root.join(".git").exists() {
            return None;
        }
        if is_bare(root) {
            return Some(root);
        }
    }
    None
}

fn is_bare(root: &Utf8Path) -> bool {
    root.join("HEAD").is_file() && root.join("objects").is_dir() && root.join("refs").is_dir()
}

fn canonical(path: &Utf8Path) -> Option<Utf8PathBuf> {
    acreta_fs::canonical(path).ok()
}
