//! Where the state database is: a file of the user, or a server that a team shares. Every caller opens the catalog
//! through `Catalog::open_at`, so that no part of acreta looks into a file while the others use a server.

#[cfg(feature = "postgres")]
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

#[cfg(feature = "postgres")]
use crate::Server;

/// Location of the state database.
#[derive(Debug, Clone)]
pub enum StateLocation {
    /// A SQLite file.
    File(Utf8PathBuf),
    /// A PostgreSQL server.
    #[cfg(feature = "postgres")]
    Server(Arc<Server>),
}

impl StateLocation {
    /// Returns the file's path, or the server's address without its password.
    pub fn label(&self) -> Utf8PathBuf {
        match self {
            StateLocation::File(path) => path.clone(),
            #[cfg(feature = "postgres")]
            StateLocation::Server(server) => server.label().into(),
        }
    }

    /// Returns the path of the database file; `None` for a server.
    pub fn file(&self) -> Option<&Utf8Path> {
        match self {
            StateLocation::File(path) => Some(path),
            #[cfg(feature = "postgres")]
            StateLocation::Server(_) => None,
        }
    }

    /// Reports whether opening the catalog would create nothing. A server counts as existing.
    pub fn exists(&self) -> bool {
        self.file().is_none_or(Utf8Path::is_file)
    }

    /// Reports whether other machines use the same catalog.
    pub fn is_shared(&self) -> bool {
        self.file().is_none()
    }
}

impl From<Utf8PathBuf> for StateLocation {
    fn from(path: Utf8PathBuf) -> Self {
        StateLocation::File(path)
    }
}
