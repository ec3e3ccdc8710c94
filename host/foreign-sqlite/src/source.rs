//! The original files of a database: the main file and, beside it, a write-ahead log or a rollback journal. They are
//! only inspected and read as plain files.

use std::io::Read;

use acreta_fs::{Directory, FsError, NoFaults, Reader};
use camino::{Utf8Path, Utf8PathBuf};

use crate::DatabaseError;

/// Location of a database.
#[derive(Debug)]
pub(crate) struct DatabaseSource {
    path: Utf8PathBuf,
    folder: Directory,
    name: String,
}

/// State of the files at one moment.
#[derive(Debug)]
pub(crate) struct FileMarks {
    pub(crate) main: FileMark,
    /// Only a log with a complete header: a shorter one is empty.
    pub(crate) log: Option<FileMark>,
    /// Only the journal of an unfinished transaction.
    pub(crate) journal: Option<FileMark>,
}

/// Identifies a state of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileMark {
    pub(crate) bytes: u64,
    pub(crate) modified_ns: i64,
    pub(crate) identity: Option<(u64, u64)>,
    header: Vec<u8>,
}

/// Says if the files are inspected before or after they are taken. The order in which the journal is checked depends on
/// it, so that no transaction in between goes unnoticed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InspectionTime {
    Before,
    After,
}

/// A file of a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DatabaseFile {
    Main,
    Log,
    Journal,
}

impl DatabaseFile {
    /// Returns the file name of this part of the database `name`.
    pub(crate) fn of(self, name: &str) -> String {
        let suffix = match self {
            DatabaseFile::Main => "",
            DatabaseFile::Log => "-wal",
            DatabaseFile::Journal => "-journal",
        };
        format!("{name}{suffix}")
    }
}

impl DatabaseSource {
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

    pub(crate) fn open(&self, part: DatabaseFile) -> Result<Reader, FsError> {
        self.folder.open_reader(part.of(&self.name))
    }

    /// Inspects all files. The main file must exist and be a database.
    pub(crate) fn marks(&self, moment: InspectionTime) -> Result<FileMarks, DatabaseError> {
        let (main, log, journal);
        match moment {
            InspectionTime::Before => {
                main = FileMark::of(&self.folder, &self.name)?;
                log = self.optional(DatabaseFile::Log)?;
                journal = self.journal()?;
            }
            InspectionTime::After => {
                journal = self.journal()?;
                log = self.optional(DatabaseFile::Log)?;
                main = FileMark::of(&self.folder, &self.name)?;
            }
        }
        // An unfinished transaction may have left anything at the start of the main file.
        if journal.is_none() {
            self.check_header(&main)?;
        }
        Ok(FileMarks {
            main,
            log: log.filter(|log| log.header.len() >= LOG_HEADER_BYTES),
            journal,
        })
    }

    /// Returns the journal of an unfinished transaction, if there is one.
    pub(crate) fn journal(&self) -> Result<Option<FileMark>, FsError> {
        let journal = self.optional(DatabaseFile::Journal)?;
        Ok(journal.filter(|journal| journal.header.first().is_some_and(|byte| *byte > 0)))
    }

    fn optional(&self, part: DatabaseFile) -> Result<Option<FileMark>, FsError> {
        match FileMark::of(&self.folder, &part.of(&self.name)) {
            Ok(mark) => Ok(Some(mark)),
            Err(error) if error.is_not_found() => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn check_header(&self, main: &FileMark) -> Result<(), DatabaseError> {
        let reason = if main.bytes == 0 {
            "it is empty"
        } else if !main.header.starts_with(MAIN_MAGIC) {
            "it is another kind of file, or encrypted"
        } else if main.header.len() < HEADER_BYTES {
            "it is truncated within its header"
        } else {
            return Ok(());
        };
        Err(DatabaseError::NotADatabase {
            path: self.path.clone(),
            reason,
        })
    }
}

impl FileMarks {
    /// Returns true if files that were taken between these marks and `later`, the main file first, are consistent. See
    /// [`crate::snapshot`] for the reasons.
    pub(crate) fn hold_until(&self, later: &FileMarks) -> bool {
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

impl FileMark {
    /// Inspects a regular file; its size and time are read before its header.
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

    /// Returns the size of the database before the transaction of this journal began.
    pub(crate) fn journalled_bytes(&self) -> u64 {
        let number = |at: usize| match self.header.get(at..at + 4) {
            Some(&[a, b, c, d]) => u64::from(u32::from_be_bytes([a, b, c, d])),
            _ => 0,
        };
        number(16) * number(24)
    }
}

/// Length of the main file's header, which contains the change counter.
const HEADER_BYTES: usize = 100;
const MAIN_MAGIC: &[u8] = b"SQLite format 3\0";
/// Length of a log's header, which ends with the salts and their checksum.
const LOG_HEADER_BYTES: usize = 32;
