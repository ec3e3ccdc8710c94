//! Takes one consistent state of a database that its program may be writing, without disturbing it:
//! no lock is taken, and SQLite never learns the name of the original, beside which it would make
//! files. All it opens lies in a private folder that goes away with the snapshot.
//!
//! **Write-ahead log.** Writers only append to the log. A checkpoint copies committed pages from the
//! log into the main file; the log starts over only when all of it is there, and then its header
//! gets new salts before anything else is written. So the main file is taken first and the log
//! after it, and the log's header is compared before and after. If it is the same, every page that
//! a checkpoint changed in our copy, wholly or in part, has its newest content in our log, and the
//! log is what counts. Commits in between do no harm, and SQLite passes over the end of a log that
//! is torn or not committed, since its checksums are chained.
//!
//! **Rollback journal.** Here pages are changed in place once their old content is in the journal.
//! The main file is taken first and a journal after it, and neither may change meanwhile: every
//! commit changes the counter in the main file's header, and all other writing happens while there
//! is a journal. SQLite then rolls back our copy. A journal that names other files is not followed:
//! SQLite would read them, and may delete one.
//!
//! **Large databases** are not copied if it can be helped. Where the file system can share blocks
//! the main file is cloned, which is a copy in all but cost. Elsewhere it gets a second name in our
//! folder; SQLite opens that read-only and finds our copy of the log beside it. Then the main file
//! is still the program's own, and a checkpoint may put pages into it that are newer than our log.
//! So a [`Watch`] looks at it after every call, before anything is handed out. It goes by the time
//! of the last write, which can be relied upon because a file written to after, or in the same tick
//! as, its second name was made is not taken: any later write gives it a later time.
//!
//! A process that closes a file gives up all its POSIX locks on it. We hold none: nothing else in
//! this process may open the same database.

use std::io::{Read, Seek, SeekFrom};
use std::time::Duration;

use acreta_fs::{Directory, FsError, OperationKind, Scratch};
use camino::{Utf8Path, Utf8PathBuf};

use crate::source::{Mark, Moment, Part, Source};
use crate::{DatabaseError, DatabaseLimits, connection, platform};

/// How a database was made readable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SnapshotKind {
    Copied,
    /// Copied by the file system, which shares the blocks.
    Cloned,
    /// Read in place, and only as long as it does not change.
    Linked,
}

/// A private folder with a database in it, removed on drop.
#[derive(Debug)]
pub(crate) struct Snapshot {
    scratch: Scratch,
    kind: SnapshotKind,
    watch: Option<Watch>,
}

/// Notices when a file that is read in place changes.
#[derive(Debug, Clone)]
pub(crate) struct Watch {
    source: Utf8PathBuf,
    folder: Directory,
    first: Mark,
}

impl Snapshot {
    pub(crate) fn take(
        source: &Source,
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

    pub(crate) fn watch(&self) -> Option<Watch> {
        self.watch.clone()
    }

    /// What SQLite is to open.
    pub(crate) fn path(&self) -> Utf8PathBuf {
        self.scratch.path().join(NAME)
    }

    /// One try; `None` if the files changed in a way that may have spoilt it.
    fn attempt(
        source: &Source,
        into: &Directory,
        limits: &DatabaseLimits,
    ) -> Result<Option<Self>, DatabaseError> {
        let before = source.marks(Moment::Before)?;
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
            bring.copy(Part::Main)?;
            SnapshotKind::Copied
        };
        for (part, mark) in [(Part::Log, &before.log), (Part::Journal, &before.journal)] {
            if mark.is_some() && !bring.copy(part)? {
                return Ok(None);
            }
        }

        let after = source.marks(Moment::After)?;
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

impl Watch {
    /// An error if the file is no longer what it was when the snapshot was taken.
    pub(crate) fn check(&self) -> Result<(), DatabaseError> {
        if Mark::of(&self.folder, NAME)? == self.first {
            return Ok(());
        }
        Err(DatabaseError::Changed {
            path: self.source.clone(),
        })
    }
}

/// Brings the files of one source into one folder.
struct Bring<'a> {
    source: &'a Source,
    folder: Directory,
    allowed: u64,
    /// Bytes that may still be copied.
    left: u64,
}

impl Bring<'_> {
    fn target(&self) -> Utf8PathBuf {
        self.folder.path().join(NAME)
    }

    /// Whether the file system could do it.
    fn clone_main(&self) -> Result<bool, DatabaseError> {
        if platform::clone_file(self.source.path(), &self.target()).is_ok() {
            return Ok(true);
        }
        match self.folder.remove_file(NAME) {
            Err(error) if !error.is_not_found() => Err(error.into()),
            _ => Ok(false),
        }
    }

    /// Whether the file could be given a second name: not across file systems, and not always for
    /// a file of somebody else's.
    fn link_main(&self) -> bool {
        platform::link_file(self.source.path(), &self.target()).is_ok()
    }

    /// Begins to watch the linked main file; `None` if a later write might go unnoticed, or if it
    /// is not a finished state of the file that was looked at before.
    fn watch(&self, main: &Mark) -> Result<Option<Watch>, DatabaseError> {
        // The folder got this time when the second name was made in it: from the same clock, and
        // on the same file system.
        let linked_ns = self.folder.metadata(".")?.modified_ns;
        let first = Mark::of(&self.folder, NAME)?;
        let is_settled = first.modified_ns != 0 && first.modified_ns < linked_ns;
        // Asked after the mark was taken: a transaction that began later will show as a write.
        let is_whole = self.source.journal()?.is_none();
        Ok(
            (is_settled && is_whole && first.identity == main.identity).then(|| Watch {
                source: self.source.path().to_owned(),
                folder: self.folder.clone(),
                first,
            }),
        )
    }

    /// Copies one file; `false` if it is no longer there.
    fn copy(&mut self, part: Part) -> Result<bool, DatabaseError> {
        let mut reader = match self.source.open(part) {
            Ok(reader) => reader,
            Err(error) if error.is_not_found() && part != Part::Main => return Ok(false),
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

    /// Undoes the unfinished transaction in the copy.
    fn roll_back(&self, limits: &DatabaseLimits) -> Result<(), DatabaseError> {
        let name = Part::Journal.of(NAME);
        if self.names_other_files(&name)? {
            return Err(DatabaseError::Busy {
                path: self.source.path().to_owned(),
                reason: "a transaction over several databases is not finished",
            });
        }
        // Rolling back makes the file as long as the journal says.
        if Mark::of(&self.folder, &name)?.journalled_bytes() > self.allowed {
            return Err(self.too_large());
        }
        connection::roll_back(&self.target())
            .map_err(|cause| DatabaseError::from_sqlite(self.source.path(), limits, cause))
    }

    /// Whether the journal ends with the name of a super-journal.
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

/// The main file in the folder of a snapshot.
const NAME: &str = "main.db";
const ATTEMPTS: u32 = 3;
/// Between attempts: longer than a tick of the file system's clock.
const PAUSE: Duration = Duration::from_millis(20);
const CHUNK_BYTES: usize = 1024 * 1024;
/// A journal begins with it, and ends with it if it names a super-journal.
const JOURNAL_MAGIC: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];
