//! Links in a project's `.acreta`. A repository can contain links, so neither a folder of that name nor anything
//! beneath it is reached through one: access is refused before anything is opened.

use camino::{Utf8Path, Utf8PathBuf};

use crate::project_folder::{is_inside, split};
use crate::{Directory, EntryKind, FsError, OperationKind, canonical, path};

/// Resolves the links in the part of a path where links are refused. For paths that the user chose, such as a home
/// folder on another disk.
pub fn resolve_links(path: &Utf8Path) -> Utf8PathBuf {
    let Some((outside, inside)) = split(path) else {
        return path.to_owned();
    };
    inside
        .components()
        .fold(outside.to_owned(), |resolved, part| {
            let next = resolved.join(part);
            match next.symlink_metadata() {
                Ok(found) if found.file_type().is_symlink() => canonical(&next).unwrap_or(next),
                _ => next,
            }
        })
}

impl Directory {
    /// Validates the path of a file or directory, and that no refused link leads to it.
    pub(crate) fn check<'a>(&self, relative: &'a Utf8Path) -> Result<&'a Utf8Path, FsError> {
        let relative = path::check(relative)?;
        self.check_ancestors(relative)?;
        Ok(relative)
    }

    /// Like [`Self::check`], but also accepts `.` for this directory itself.
    pub(crate) fn check_directory<'a>(
        &self,
        relative: &'a Utf8Path,
    ) -> Result<&'a Utf8Path, FsError> {
        match relative.as_str() {
            path::HERE => Ok(relative),
            _ => self.check(relative),
        }
    }

    /// Reports whether a link at this path is refused.
    pub(crate) fn refuses_link_at(&self, relative: &Utf8Path) -> bool {
        self.refuses_links() || is_inside(relative)
    }

    /// Returns the error for an unexpected file type; a refused link has its own error.
    pub(crate) fn unwanted(
        &self,
        relative: &Utf8Path,
        kind: EntryKind,
        otherwise: impl FnOnce(Utf8PathBuf, EntryKind) -> FsError,
    ) -> FsError {
        let path = self.absolute(relative);
        if kind == EntryKind::Symlink && self.refuses_link_at(relative) {
            FsError::Link { path }
        } else {
            otherwise(path, kind)
        }
    }

    fn check_ancestors(&self, relative: &Utf8Path) -> Result<(), FsError> {
        if !self.refuses_link_at(relative) {
            return Ok(());
        }
        let mut ancestors: Vec<&Utf8Path> = relative.ancestors().skip(1).collect();
        ancestors.retain(|ancestor| !ancestor.as_str().is_empty());
        for ancestor in ancestors.into_iter().rev() {
            if !self.refuses_link_at(ancestor) {
                continue;
            }
            match self.lstat(ancestor) {
                Ok(found) if found.is_symlink() => {
                    let path = self.absolute(ancestor);
                    return Err(FsError::Link { path });
                }
                Ok(_) => {}
                // The operation itself reports that it is missing.
                Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Ok(()),
                Err(cause) => {
                    let path = self.absolute(ancestor);
                    return Err(FsError::new(OperationKind::Read, path, cause));
                }
            }
        }
        Ok(())
    }
}
