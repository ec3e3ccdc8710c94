//! Private temporary directories that remove themselves, and staging of single files in them.

use std::io::Read;

use camino::{Utf8Path, Utf8PathBuf};
use cap_std::ambient_authority;
use cap_std::fs::Dir;

use crate::operation::{Operation, OperationKind};
use crate::pending::unique;
use crate::{Directory, EntryKind, FsError, canonical, path};

/// A new directory that only its owner can enter; removed with its content on drop.
#[derive(Debug)]
pub struct Scratch {
    parent: Directory,
    name: Utf8PathBuf,
    directory: Directory,
    closed: bool,
}

/// Method by which a file was staged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StagingMethod {
    Linked,
    Copied,
}

/// Creates a new directory `<prefix>-…` in `parent`.
pub fn scratch(parent: &Directory, prefix: &str) -> Result<Scratch, FsError> {
    let private = parent.private();
    let name = unique(|suffix| {
        let name = Utf8PathBuf::from(format!("{prefix}-{suffix}"));
        path::check(&name)?;
        private.create_dir(&name)?;
        Ok(name)
    })?;
    let directory = parent.subdirectory(&name)?;
    Ok(Scratch {
        parent: parent.clone(),
        name,
        directory,
        closed: false,
    })
}

impl Scratch {
    pub fn path(&self) -> &Utf8Path {
        self.directory.path()
    }

    pub fn directory(&self) -> &Directory {
        &self.directory
    }

    /// Removes it now and returns whether that succeeded.
    pub fn close(mut self) -> Result<(), FsError> {
        self.closed = true;
        self.parent.remove_dir_all(&self.name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if !self.closed {
            // Best effort; `close` reports errors.
            let _ = self.parent.remove_dir_all(&self.name);
        }
    }
}

/// Stages the regular file `source` in `into` as `name`: by hard link, or by copy if that is impossible.
///
/// A linked file must not be written to: it is the source itself.
pub fn stage_file(
    source: &Utf8Path,
    into: &Directory,
    name: impl AsRef<Utf8Path>,
) -> Result<StagingMethod, FsError> {
    let name = into.check(name.as_ref())?;
    // Resolve a symbolic link to a file; a hard link to it would be a symbolic link again.
    let source = canonical(source)?;
    let fail = |cause| FsError::new(OperationKind::Read, source.clone(), cause);
    let (Some(folder), Some(file_name)) = (source.parent(), source.file_name()) else {
        return Err(FsError::NotRegular {
            path: source,
            kind: EntryKind::Directory,
        });
    };
    let holder = Directory::open(folder, into.faults())?;
    let mut reader = holder.open_reader(file_name)?;

    let target = into.absolute(name);
    let from = Dir::open_ambient_dir(folder, ambient_authority()).map_err(fail)?;
    let linked = into.change(Operation::link(&source, &target), || {
        from.hard_link(file_name, &into.handle, name)
    });
    match linked {
        Ok(()) => return Ok(StagingMethod::Linked),
        Err(error @ (FsError::AlreadyExists { .. } | FsError::Sync { .. })) => return Err(error),
        // Another device, another owner, or a file system without hard links.
        Err(_) => {}
    }

    let mut copy = into.pending(name)?;
    let mut buffer = vec![0; 1024 * 1024];
    loop {
        let count = reader.read(&mut buffer).map_err(fail)?;
        if count == 0 {
            break;
        }
        copy.append(&buffer[..count])?;
    }
    copy.commit()?;
    Ok(StagingMethod::Copied)
}
