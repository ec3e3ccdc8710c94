//! Takes a consistent snapshot of a database that its program may be writing, without disturbing it: no lock is taken,
//! and SQLite never gets the path of the original, beside which it would create files. It only opens files in a private
//! folder that is removed with the snapshot.
//!
//! **Write-ahead log.** Writers only append to the log. A checkpoint copies committed pages from the log into the main
//! file; the log starts over only when all of it has been copied, and then its header gets new salts before anything
//! else is written. So the main file is taken first and the log after it, and the log's header is compared before and
//! after. If it is unchanged, every page that a checkpoint changed in our copy, completely or partly, has its newest
//! content in our log, which takes precedence. Commits in between do no harm, and SQLite ignores a torn or uncommitted
//! end of the log, because its checksums are chained.
//!
//! **Rollback journal.** Here pages are changed in place once their old content is in the journal. The main file is
//! taken first and a journal after it, and neither may change meanwhile: every commit changes the counter in the main
//! file's header, and all other writes happen while a journal exists. SQLite then rolls back our copy. A journal that
//! names other files is rejected: SQLite would read them, and might delete one.
//!
//! **Large databases** are not copied if possible. If the file system can share blocks, the main file is cloned, which
//! is a cheap copy. Otherwise it gets a hard link in our folder; SQLite opens that read-only and finds our copy of the
//! log beside it. The main file is then still the program's own, and a checkpoint may write pages into it that are
//! newer than our log. So a [`LinkWatch`] checks it after every call, before anything is returned. It uses the
//! modification time, which is reliable because a file that was written after, or in the same tick as, the creation of
//! its link is not accepted: any later write gives it a later time.
//!
//! A process that closes a file gives up all its POSIX locks on it. We hold none: nothing else in this process may open
//! the same database.

use std::io::{Read, Seek, SeekFrom};
use std::time::Duration;

use acreta_fs::{Directory, FsError, OperationKind, Scratch};
use camino::{Utf8Path, Utf8PathBuf};

use crate::source::{DatabaseFile, DatabaseSource, FileMark, InspectionTime};
use crate::{DatabaseError, DatabaseLimits, connection, platform};

/// Way in which a snapshot was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SnapshotKind {
    Copied,
    /// Copied by the file system, which shares the blocks.
    Cloned,
    /// Read in place, and valid only while it does not change.
    Linked,
}

/// A private folder with a database, removed on drop.
#[derive(Debug)]
pub(crate) struct DatabaseSnapshot {
    scratch: Scratch,
    kind: SnapshotKind,
    watch: Option<LinkWatch>,
}

/// Detects changes of a file that is read in place.
#[derive(Debug, Clone)]
pub(crate) struct LinkWatch {
    source: Utf8PathBuf,
    folder: Directory,
    first: FileMark,
}

impl DatabaseSnapshot {
    pub(crate) fn take(
        source: &DatabaseSource,
        into: &Directory,
        limits: &DatabaseLimits,
    ) -> Result<Self, DatabaseError> {
        for attempt in 0..ATTEMPTS {
            if attempt > 0 {
                std::thread::sleep(PAUSE);
            }
            if let Some(snapshot) = Self::attempt(source, into, limits)? {
                return Ok(snapshot);
            }
        }
        Err(DatabaseError::Busy {
            path: source.path().to_owned(),
            reason: "it kept changing while it was copied",
        })
    }

    pub(crate) fn kind(&self) -> SnapshotKind {
        self.kind
    }

    pub(crate) fn watch(&self) -> Option<LinkWatch> {
        self.watch.clone()
    }

    /// Returns the path that SQLite opens.
    pub(crate) fn path(&self) -> Utf8PathBuf {
        self.scratch.path().join(NAME)
    }

    /// Makes one attempt; returns `None` if the files changed in a way that may have corrupted it.
    fn attempt(
        source: &DatabaseSource,
        into: &Directory,
        limits: &DatabaseLimits,
    ) -> Result<Option<Self>, DatabaseError> {
        let before = source.marks(InspectionTime::Before)?;
        let scratch = acreta_fs::scratch(into, "database")?;
        let mut bring = Bring {
            source,
            folder: scratch.directory().private(),
            allowed: limits.snapshot_bytes,
            left: limits.snapshot_bytes,
        };

        let is_large = before.main.bytes > limits.small_bytes;
        let mut watch = None;
        let kind = if is_large && bring.clone_main()? {
            SnapshotKind::Cloned
        } else if is_large && before.journal.is_none() && bring.link_main() {
            let Some(settled) = bring.watch(&before.main)? else {
                return Ok(None);
            };
            watch = Some(settled);
            SnapshotKind::Linked
        } else {
            bring.copy(DatabaseFile::Main)?;
            SnapshotKind::Copied
        };
        for (part, mark) in [
            (DatabaseFile::Log, &before.log),
            (DatabaseFile::Journal, &before.journal),
        ] {
            if mark.is_some() && !bring.copy(part)? {
                return Ok(None);
            }
        }

        let after = source.marks(InspectionTime::After)?;
        if !before.hold_until(&after) {
            return Ok(None);
        }
        if before.journal.is_some() {
            bring.roll_back(limits)?;
        }
        Ok(Some(Self {
            scratch,
            kind,
            watch,
        }))
    }
}

impl LinkWatch {
    /// Returns an error if the file has changed since the snapshot was taken.
    pub(crate) fn check(&self) -> Result<(), DatabaseError> {
        if FileMark::of(&self.folder, NAME)? == self.first {
            return Ok(());
        }
        Err(DatabaseError::Changed {
            path: self.source.clone(),
        })
    }
}

/// Brings the files of one source into one folder.
struct Bring<'a> {
    source: &'a DatabaseSource,
    folder: Directory,
    allowed: u64,
    /// Number of bytes that may still be copied.
    left: u64,
}

impl Bring<'_> {
    fn target(&self) -> Utf8PathBuf {
        self.folder.path().join(NAME)
    }

    /// Clones the main file; returns true if the file system supports it.
    fn clone_main(&self) -> Result<bool, DatabaseError> {
        if platform::clone_file(self.source.path(), &self.target()).is_ok() {
            return Ok(true);
        }
        match self.folder.remove_file(NAME) {
            Err(error) if !error.is_not_found() => Err(error.into()),
            _ => Ok(false),
        }
    }

    /// Links the main file; returns true on success. Fails across file systems, and sometimes for another user's file.
    fn link_main(&self) -> bool {
        platform::link_file(self.source.path(), &self.target()).is_ok()
    }

    /// Starts to watch the linked main file; returns `None` if a later write might go unnoticed, or if it is not a
    /// complete state of the file checked before.
    fn watch(&self, main: &FileMark) -> Result<Option<LinkWatch>, DatabaseError> {
        // The folder got this time when the link was created in it: from the same clock, and on the same file system.
        let linked_ns = self.folder.metadata(".")?.modified_ns;
        let first = FileMark::of(&self.folder, NAME)?;
        let is_settled = first.modified_ns != 0 && first.modified_ns < linked_ns;
        // Checked after the mark was taken: a transaction that began later will show as a write.
        let is_whole = self.source.journal()?.is_none();
        Ok(
            (is_settled && is_whole && first.identity == main.identity).then(|| LinkWatch {
                source: self.source.path().to_owned(),
                folder: self.folder.clone(),
                first,
            }),
        )
    }

    /// Copies one file; returns `false` if it is gone.
    fn copy(&mut self, part: DatabaseFile) -> Result<bool, DatabaseError> {
        let mut reader = match self.source.open(part) {
            Ok(reader) => reader,
            Err(error) if error.is_not_found() && part != DatabaseFile::Main => return Ok(false),
            Err(error) => return Err(error.into()),
        };
        if reader.size() > self.left {
            return Err(self.too_large());
        }
        let name = part.of(NAME);
        let mut buffer = vec![0; CHUNK_BYTES];
        loop {
            let count = reader
                .read(&mut buffer)
                .map_err(|cause| read_error(self.source.path(), cause))?;
            if count == 0 {
                return Ok(true);
            }
            // It may have grown since it was opened.
            self.left = self
                .left
                .checked_sub(count as u64)
                .ok_or_else(|| self.too_large())?;
            self.folder.append(&name, &buffer[..count])?;
        }
    }

    /// Rolls back the unfinished transaction in the copy.
    fn roll_back(&self, limits: &DatabaseLimits) -> Result<(), DatabaseError> {
        let name = DatabaseFile::Journal.of(NAME);
        if self.names_other_files(&name)? {
            return Err(DatabaseError::Busy {
                path: self.source.path().to_owned(),
                reason: "a transaction over several databases is not finished",
            });
        }
        // A rollback sets the file to the length in the journal.
        if FileMark::of(&self.folder, &name)?.journalled_bytes() > self.allowed {
            return Err(self.too_large());
        }
        connection::roll_back(&self.target())
            .map_err(|cause| DatabaseError::from_sqlite(self.source.path(), limits, cause))
    }

    /// Returns true if the journal ends with the name of a super-journal.
    fn names_other_files(&self, journal: &str) -> Result<bool, DatabaseError> {
        let mut reader = self.folder.open_reader(journal)?;
        let start = reader.size().saturating_sub(JOURNAL_MAGIC.len() as u64);
        let mut end = Vec::new();
        reader
            .seek(SeekFrom::Start(start))
            .and_then(|_| reader.read_to_end(&mut end))
            .map_err(|cause| read_error(self.source.path(), cause))?;
        Ok(end == JOURNAL_MAGIC)
    }

    fn too_large(&self) -> DatabaseError {
        DatabaseError::TooLarge {
            path: self.source.path().to_owned(),
            allowed: self.allowed,
        }
    }
}

fn read_error(path: &Utf8Path, cause: std::io::Error) -> DatabaseError {
    DatabaseError::Fs(FsError::Io {
        path: path.to_owned(),
        action: OperationKind::Read,
        cause,
    })
}

/// Name of the main file in a snapshot's folder.
const NAME: &str = "main.db";
const ATTEMPTS: u32 = 3;
/// Pause between attempts: longer than a tick of the file system's clock.
const PAUSE: Duration = Duration::from_millis(20);
const CHUNK_BYTES: usize = 1024 * 1024;
/// A journal begins with it, and ends with it if it names a super-journal.
const JOURNAL_MAGIC: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];
