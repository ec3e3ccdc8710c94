//! Finds the project of a directory: its main checkout, so that all worktrees of a repository share one memory.

use acreta_fs::{Directory, EntryKind, NoFaults, canonical};
use camino::{Utf8Path, Utf8PathBuf};

/// The project that a directory belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectRoot {
    pub path: Utf8PathBuf,
    pub marker: Marker,
    /// The checkout that contains the start directory, if it is a worktree of `path`.
    pub worktree: Option<Utf8PathBuf>,
}

/// The marker that makes a directory a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marker {
    Git,
    Acreta,
    /// No marker: the start directory itself is used.
    Nothing,
}

/// Returns the nearest ancestor with `.git` or `.acreta`, links resolved; the start itself if there is none.
///
/// A worktree leads to its main checkout; a submodule is a project of its own.
pub fn project_root(start: &Utf8Path) -> ProjectRoot {
    nearest(start, None)
}

/// Like [`project_root`], but does not take `global`, the folder of the global scope, for a project's `.acreta`.
pub fn project_root_outside(start: &Utf8Path, global: &Utf8Path) -> ProjectRoot {
    let global = canonical(global).unwrap_or_else(|_| global.to_owned());
    nearest(start, Some(&global))
}

fn nearest(start: &Utf8Path, global: Option<&Utf8Path>) -> ProjectRoot {
    let start = canonical(start)
        .or_else(|_| camino::absolute_utf8(start))
        .unwrap_or_else(|_| start.to_owned());
    for candidate in start.ancestors() {
        let Ok(directory) = Directory::open(candidate, NoFaults::shared()) else {
            continue;
        };
        match directory.metadata(".git").map(|found| found.kind) {
            Ok(EntryKind::File) => return checkout(&directory),
            Ok(EntryKind::Directory | EntryKind::Symlink) => return root(candidate, Marker::Git),
            _ => {}
        }
        let is_folder = directory
            .metadata(".acreta")
            .is_ok_and(|found| found.kind == EntryKind::Directory);
        if is_folder && global != Some(&candidate.join(".acreta")) {
            return root(candidate, Marker::Acreta);
        }
    }
    root(&start, Marker::Nothing)
}

fn root(path: &Utf8Path, marker: Marker) -> ProjectRoot {
    ProjectRoot {
        path: path.to_owned(),
        marker,
        worktree: None,
    }
}

/// Resolves a directory whose `.git` is a file: a worktree, a submodule, or a repository stored elsewhere.
fn checkout(directory: &Directory) -> ProjectRoot {
    match acreta_git::main_checkout(directory.path()) {
        Some(main) if main != directory.path() => ProjectRoot {
            path: main,
            marker: Marker::Git,
            worktree: Some(directory.path().to_owned()),
        },
        _ => root(directory.path(), Marker::Git),
    }
}
