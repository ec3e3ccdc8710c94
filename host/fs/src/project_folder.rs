//! The name of acreta's folder in a project, its position in a path, and what of it is not shared.

use camino::Utf8Path;

/// Name of acreta's folder in a project.
pub const PROJECT_FOLDER: &str = ".acreta";

/// Parts of a project's folder that can be rebuilt or belong to one machine, relative to it; folders end with `/`. They
/// are not committed to git.
pub const LOCAL_PARTS: [&str; 5] = [
    "index/",
    "meta/commit/",
    "meta/lock",
    "meta/traces/",
    "workspace/",
];

/// Line of `.gitignore` in a project's folder that keeps summaries and their sidecars out of git: the folders
/// `memory/summaries` and `meta/summaries`.
pub const SUMMARIES_IGNORED: &str = "summaries/";

/// Reports whether the text of a project's `.gitignore` keeps summaries out of git.
pub fn ignores_summaries(gitignore: &str) -> bool {
    gitignore
        .lines()
        .any(|line| line.trim() == SUMMARIES_IGNORED)
}

/// Splits a path before the first component that is a project's folder; `None` if there is none.
pub(crate) fn split(path: &Utf8Path) -> Option<(&Utf8Path, &Utf8Path)> {
    let folders = path.ancestors();
    let first = folders.filter(|folder| folder.file_name() == Some(PROJECT_FOLDER));
    let outside = first.last()?.parent()?;
    Some((outside, path.strip_prefix(outside).ok()?))
}

/// Reports whether a relative path is a project's folder or lies in one.
pub(crate) fn is_inside(relative: &Utf8Path) -> bool {
    relative
        .components()
        .any(|part| part.as_str() == PROJECT_FOLDER)
}
