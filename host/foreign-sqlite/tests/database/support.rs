//! A program with a database, and a scratch folder to read it from.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use acreta_foreign_sqlite::{Database, DatabaseError, DatabaseLimits, SnapshotKind, Value};
use acreta_fs::{Directory, Faults, NoFaults, Operation};
use camino::{Utf8Path, Utf8PathBuf};
use rusqlite::Connection;

pub(crate) const MIB: u64 = 1024 * 1024;

pub(crate) struct TestProgram {
    _guard: tempfile::TempDir,
    root: Utf8PathBuf,
}

/// Content and modification time of the files in a folder.
pub(crate) type Listing = BTreeMap<String, (Vec<u8>, SystemTime)>;

impl TestProgram {
    pub(crate) fn new() -> Self {
        let guard = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(guard.path().canonicalize().unwrap()).unwrap();
        for folder in ["agent", "scratch"] {
            std::fs::create_dir(root.join(folder)).unwrap();
        }
        Self {
            _guard: guard,
            root,
        }
    }

    pub(crate) fn agent(&self) -> Utf8PathBuf {
        self.root.join("agent")
    }

    pub(crate) fn path(&self) -> Utf8PathBuf {
        self.agent().join("state.vscdb")
    }

    /// Opens the program's own connection, in the given journal mode.
    pub(crate) fn writer(&self, journal_mode: &str) -> Connection {
        let writer = Connection::open(self.path()).unwrap();
        let mode: String = writer
            .query_row(
                &format!("PRAGMA journal_mode = {journal_mode}"),
                [],
                |row| row.get(0),
            )
            .unwrap();
        assert_eq!(mode, journal_mode);
        writer
    }

    /// Creates a database with this SQL and closes it.
    pub(crate) fn make(&self, sql: &str) {
        self.writer("delete").execute_batch(sql).unwrap();
    }

    pub(crate) fn open(&self) -> Result<Database, DatabaseError> {
        self.open_with(DatabaseLimits::default())
    }

    pub(crate) fn open_with(&self, limits: DatabaseLimits) -> Result<Database, DatabaseError> {
        Database::open(&self.path(), &self.scratch(NoFaults::shared()), limits)
    }

    pub(crate) fn scratch(&self, faults: Arc<dyn Faults>) -> Directory {
        Directory::open(&self.root.join("scratch"), faults).unwrap()
    }

    /// Returns the remaining entries of the scratch folder.
    pub(crate) fn left_over(&self) -> Vec<String> {
        listing(&self.root.join("scratch")).into_keys().collect()
    }

    pub(crate) fn listing(&self) -> Listing {
        listing(&self.agent())
    }
}

pub(crate) fn listing(folder: &Utf8Path) -> Listing {
    let mut listing = Listing::new();
    for entry in folder.read_dir_utf8().unwrap() {
        let entry = entry.unwrap();
        let content = std::fs::read(entry.path()).unwrap_or_default();
        let modified = entry.metadata().unwrap().modified().unwrap();
        listing.insert(entry.file_name().to_owned(), (content, modified));
    }
    listing
}

/// Writes a file as another program would.
#[expect(
    clippy::disallowed_methods,
    reason = "the files of the program are not written through our door"
)]
pub(crate) fn write(path: &Utf8Path, content: impl AsRef<[u8]>) {
    std::fs::write(path, content).unwrap();
}

/// Returns limits under which every database counts as large.
pub(crate) fn in_place() -> DatabaseLimits {
    DatabaseLimits {
        small_bytes: 0,
        ..DatabaseLimits::default()
    }
}

/// Returns true if it is read in place. A file system that shares blocks avoids that.
pub(crate) fn is_linked(database: &Database) -> bool {
    match database.snapshot() {
        SnapshotKind::Linked => true,
        SnapshotKind::Cloned => false,
        SnapshotKind::Copied => panic!("neither linked nor cloned"),
    }
}

/// Returns all rows of a query.
pub(crate) fn rows(database: &Database, sql: &str) -> Result<Vec<Vec<Value>>, DatabaseError> {
    let mut rows = database.query(sql, &[])?;
    let mut all = Vec::new();
    loop {
        let page = rows.next(100, 1_000_000)?;
        if page.is_empty() {
            return Ok(all);
        }
        all.extend(page);
    }
}

/// Returns the single number of a query.
pub(crate) fn number(database: &Database, sql: &str) -> i64 {
    match rows(database, sql).unwrap().as_slice() {
        [row] => match row.as_slice() {
            [Value::Integer(number)] => *number,
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

/// Calls a function before each write into the scratch folder.
pub(crate) struct Meanwhile {
    act: Mutex<Box<Act>>,
    seen: Mutex<Vec<String>>,
}

type Act = dyn FnMut(&Operation<'_>) -> io::Result<()> + Send;

impl Meanwhile {
    pub(crate) fn new(
        act: impl FnMut(&Operation<'_>) -> io::Result<()> + Send + 'static,
    ) -> Arc<Self> {
        Arc::new(Self {
            act: Mutex::new(Box::new(act)),
            seen: Mutex::default(),
        })
    }

    /// Returns the number of snapshots that were started.
    pub(crate) fn attempts(&self) -> usize {
        let seen = self.seen.lock().unwrap();
        seen.iter()
            .filter(|kind| *kind == "create directory")
            .count()
    }
}

impl Faults for Meanwhile {
    fn before(&self, operation: &Operation<'_>) -> io::Result<()> {
        self.seen.lock().unwrap().push(operation.kind.to_string());
        (self.act.lock().unwrap())(operation)
    }
}

impl fmt::Debug for Meanwhile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Meanwhile").finish_non_exhaustive()
    }
}
