//! Caches of a process between requests: connections to the state database, memory as last read, indexes, sessions
//! that are being read, and the sandbox. All are compared with the disk before use: an answer is never older than the files.

use std::collections::HashSet;
use std::ops::Deref;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use acreta_sandbox::{Sandbox, SandboxOptions};
use acreta_state::{Catalog, CatalogOptions, StateLocation};
use acreta_types::locked;
use camino::{Utf8Path, Utf8PathBuf};

use crate::Failure;
use crate::find::ordered::Listings;
use crate::models::unsettled::Unsettled;
use crate::process::indexes::Indexes;
use crate::process::settings::KnownSettings;
use crate::process::snapshots::Snapshots;
use crate::projects::checkouts::KnownCheckouts;
use crate::review::contradictions::Contradictions;
use crate::sessions::reader::kept::Readings;

/// Maximum number of idle connections; further ones are closed after use.
const CONNECTIONS: usize = 32;

/// Time that a hurried process waits for another one that writes the state database.
const HURRIED_WAIT: Duration = Duration::from_millis(40);

/// Well within the interval after which a search compares by itself.
const UP_TO_DATE: Duration = Duration::from_secs(20);

#[derive(Clone, Default)]
pub struct ProcessCaches {
    pub(crate) settings: KnownSettings,
    pub(crate) indexes: Indexes,
    pub(crate) snapshots: Snapshots,
    pub(crate) listings: Listings,
    pub(crate) contradictions: Contradictions,
    pub(crate) catalogs: Catalogs,
    pub(crate) checkouts: KnownCheckouts,
    pub(crate) sandboxes: Sandboxes,
    pub(crate) unsettled: Unsettled,
    pub(crate) readings: Readings,
    /// Projects that were reported as unregistered.
    said: Arc<Mutex<HashSet<Utf8PathBuf>>>,
    /// Projects that have a ledger of what was learnt here.
    ledgers: Arc<Mutex<HashSet<Utf8PathBuf>>>,
    /// Warnings about settings. Settings are read for every project; a problem in the user's own is reported once.
    warned: Arc<Mutex<HashSet<String>>>,
}

impl ProcessCaches {
    /// Caches of a process that an agent waits for: it waits hardly for others, syncs nothing, and takes an index on disk
    /// as it is.
    pub fn hurried() -> Self {
        Self {
            indexes: Indexes::unverified(),
            catalogs: Catalogs {
                options: CatalogOptions {
                    wait: HURRIED_WAIT,
                    hurried: true,
                    ..CatalogOptions::default()
                },
                ..Catalogs::default()
            },
            ..Self::default()
        }
    }

    /// Returns whether a project has not been reported yet.
    pub(crate) fn is_first(&self, root: &Utf8Path) -> bool {
        locked(&self.said).insert(root.to_owned())
    }

    /// Returns whether the ledger of a project has not been looked at yet.
    pub(crate) fn is_first_ledger(&self, root: &Utf8Path) -> bool {
        locked(&self.ledgers).insert(root.to_owned())
    }

    /// Returns whether a warning has not been reported yet.
    pub(crate) fn is_first_warning(&self, text: &str) -> bool {
        locked(&self.warned).insert(text.to_owned())
    }

    /// Brings used indexes and memory up to date with their files in advance. For a long-lived process; runs until its
    /// end.
    pub fn keep_up_to_date(&self) {
        let (indexes, snapshots) = (self.indexes.clone(), self.snapshots.clone());
        let readings = self.readings.clone();
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(UP_TO_DATE);
                indexes.bring_up_to_date();
                snapshots.bring_up_to_date();
                readings.close_idle();
            }
        });
    }
}

/// Idle connections to the state database.
#[derive(Clone, Default)]
pub(crate) struct Catalogs {
    idle: Arc<Mutex<Vec<Connected>>>,
    options: CatalogOptions,
}

struct Connected {
    catalog: Catalog,
    file: FileIdentity,
}

/// A connection to the state database, returned on drop.
pub struct LentCatalog {
    connected: Option<Connected>,
    idle: Arc<Mutex<Vec<Connected>>>,
}

impl Catalogs {
    /// Returns a connection to the database at a location; creates the file if it is missing.
    pub(crate) fn lend(&self, location: &StateLocation) -> Result<LentCatalog, Failure> {
        let path = &location.label();
        let now = FileIdentity::of(path);
        let waiting = {
            let mut idle = locked(&self.idle);
            // A database that was deleted or replaced is not the one that is open.
            idle.retain(|connected| connected.catalog.path() != path || connected.file == now);
            let known = idle
                .iter()
                .position(|connected| connected.catalog.path() == path);
            known.map(|place| idle.swap_remove(place))
        };
        let connected = match waiting {
            Some(connected) => connected,
            None => Connected {
                catalog: Catalog::open_at(location, self.options.clone())?,
                file: FileIdentity::of(path),
            },
        };
        Ok(LentCatalog {
            connected: Some(connected),
            idle: Arc::clone(&self.idle),
        })
    }
}

impl Deref for LentCatalog {
    type Target = Catalog;

    fn deref(&self) -> &Catalog {
        match &self.connected {
            Some(connected) => &connected.catalog,
            None => unreachable!("it is given back when it is dropped, and not before"),
        }
    }
}

impl Drop for LentCatalog {
    fn drop(&mut self) {
        let mut idle = locked(&self.idle);
        if idle.len() < CONNECTIONS {
            idle.extend(self.connected.take());
        }
    }
}

/// The latest sandbox. Creating one links every interface of every role.
#[derive(Clone, Default)]
pub(crate) struct Sandboxes {
    made: Arc<Mutex<Option<CachedSandbox>>>,
}

/// A sandbox and the options it was created with.
type CachedSandbox = (SandboxOptions, Arc<Sandbox>);

impl Sandboxes {
    pub(crate) fn of(&self, options: SandboxOptions) -> Result<Arc<Sandbox>, Failure> {
        let mut made = locked(&self.made);
        if let Some((known, sandbox)) = made.as_ref()
            && *known == options
            && sandbox.is_usable()
        {
            return Ok(Arc::clone(sandbox));
        }
        let sandbox = Arc::new(Sandbox::new(&options)?);
        *made = Some((options, Arc::clone(&sandbox)));
        Ok(sandbox)
    }
}

/// Identifies a file, so that a replaced one is noticed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileIdentity(Option<(u64, u64)>);

impl FileIdentity {
    #[cfg(unix)]
    fn of(path: &Utf8Path) -> Self {
        use std::os::unix::fs::MetadataExt;
        let metadata = path.metadata().ok();
        Self(metadata.map(|metadata| (metadata.dev(), metadata.ino())))
    }

    /// On this platform an open file cannot be replaced, so an existing one is the one that was opened.
    #[cfg(not(unix))]
    fn of(path: &Utf8Path) -> Self {
        Self(path.is_file().then_some((0, 0)))
    }
}
