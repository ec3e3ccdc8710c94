//! The files of a database where its program keeps them: the main file and, beside it, a
//! write-ahead log or a rollback journal. They are looked at and read, never opened in another way.

use std::io::Read;

use acreta_fs::{Directory, FsError, NoFaults, Reader};
use camino::{Utf8Path, Utf8PathBuf};

use crate::DatabaseError;

/// Where a database lies.
#[derive(Debug)]
pub(crate) struct Source {
    path: Utf8PathBuf,
    folder: Directory,
    name: String,
}

/// How the files look at one moment.
#[derive(Debug)]
pub(crate) struct Marks {
    pub(crate) main: Mark,
    /// Only a log with a header: anything shorter holds nothing.
    pub(crate) log: Option<Mark>,
    /// Only a journal of a transaction that is not finished.
    pub(crate) journal: Option<Mark>,
}

/// What tells one state of a file from another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) bytes: u64,
    pub(crate) modified_ns: i64,
    pub(crate) identity: Option<(u64, u64)>,
    header: Vec<u8>,
}

/// When files are looked at: around the time in which they are taken. The journal is looked at on
/// the side of that time, so that no transaction can be at work in between without being seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    Before,
    After,
}

/// Which file of a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Main,
    Log,
    Journal,
}

impl Part {
    /// The name of this part of the database `name`.
    pub(crate) fn of(self, name: &str) -> String {
        let suffix = match self {
            Part::Main => "",
            Part::Log => "-wal",
            Part::Journal => "-journal",
        };
        format!("{name}{suffix}")
    }
}

impl Source {
    pub(crate) fn new(path: &Utf8Path) -> Result<Self, FsError> {
        let folder = path.parent().filter(|folder| !folder.as_str().is_empty());
        Ok(Self {
            path: path.to_owned(),
            folder: Directory::open(folder.unwrap_or(Utf8Path::new(".")), NoFaults::shared())?,
            name: path.file_name().unwrap_or_default().to_owned(),
        })
    }

    pub(crate) fn path(&self) -> &Utf8Path {
        &self.path
    }

    pub(crate) fn open(&self, part: Part) -> Result<Reader, FsError> {
        self.folder.open_reader(part.of(&self.name))
    }

    /// Looks at all files. The main file must be there and be a database.
    pub(crate) fn marks(&self, moment: Moment) -> Result<Marks, DatabaseError> {
        let (main, log, journal);
        match moment {
            Moment::Before => {
                main = Mark::of(&self.folder, &self.name)?;
                log = self.optional(Part::Log)?;
                journal = self.journal()?;
            }
            Moment::After => {
                journal = self.journal()?;
                log = self.optional(Part::Log)?;
                main = Mark::of(&self.folder, &self.name)?;
            }
        }
        // An unfinished transaction may have left anything at the beginning of the main file.
        if journal.is_none() {
            self.check_header(&main)?;
        }
        Ok(Marks {
            main,
            log: log.filter(|log| log.header.len() >= LOG_HEADER_BYTES),
            journal,
        })
    }

    /// The journal, if there is one of a transaction that is not finished.
    pub(crate) fn journal(&self) -> Result<Option<Mark>, FsError> {
        let journal = self.optional(Part::Journal)?;
        Ok(journal.filter(|journal| journal.header.first().is_some_and(|byte| *byte > 0)))
    }

    fn optional(&self, part: Part) -> Result<Option<Mark>, FsError> {
        match Mark::of(&self.folder, &part.of(&self.name)) {
            Ok(mark) => Ok(Some(mark)),
            Err(error) if error.is_not_found() => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn check_header(&self, main: &Mark) -> Result<(), DatabaseError> {
        let reason = if main.bytes == 0 {
            "it is empty"
        } else if !main.header.starts_with(MAIN_MAGIC) {
            "it is another kind of file, or encrypted"
        } else if main.header.len() < HEADER_BYTES {
            "it ends within its header"
        } else {
            return Ok(());
        };
        Err(DatabaseError::NotADatabase {
            path: self.path.clone(),
            reason,
        })
    }
}

impl Marks {
    /// Whether files that were taken between these marks and `later`, the main file first, make a
    /// consistent whole. See [`crate::snapshot`] for the reasons.
    pub(crate) fn hold_until(&self, later: &Marks) -> bool {
        match (&self.log, &later.log) {
            (Some(log), Some(later_log)) => {
                log.identity == later_log.identity
                    && log.header[..LOG_HEADER_BYTES] == later_log.header[..LOG_HEADER_BYTES]
                    && log.bytes <= later_log.bytes
                    && self.main.identity == later.main.identity
                    && self.journal == later.journal
            }
            (None, None) => self.main == later.main && self.journal == later.journal,
            _ => false,
        }
    }
}

impl Mark {
    /// Looks at a regular file; its size and time are taken before its header.
    pub(crate) fn of(folder: &Directory, name: &str) -> Result<Self, FsError> {
        let metadata = folder.metadata(name)?;
        let mut header = Vec::with_capacity(HEADER_BYTES);
        let reader = folder.open_reader(name)?;
        reader
            .take(HEADER_BYTES as u64)
            .read_to_end(&mut header)
            .map_err(|cause| FsError::Io {
                path: folder.path().join(name),
                action: acreta_fs::OperationKind::Read,
                cause,
            })?;
        Ok(Self {
            bytes: metadata.bytes,
            modified_ns: metadata.modified_ns,
            identity: metadata.identity,
            header,
        })
    }

    /// Bytes the database had before the transaction of this journal began.
    pub(crate) fn journalled_bytes(&self) -> u64 {
        let number = |at: usize| match self.header.get(at..at + 4) {
            Some(&[a, b, c, d]) => u64::from(u32::from_be_bytes([a, b, c, d])),
            _ => 0,
        };
        number(16) * number(24)
    }
}

/// The header of a main file, which has the change counter in it.
const HEADER_BYTES: usize = 100;
const MAIN_MAGIC: &[u8] = b"SQLite format 3\0";
/// The header of a log: it ends with the salts and their checksum.
const LOG_HEADER_BYTES: usize = 32;
