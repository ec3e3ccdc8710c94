//! One-time work left by an earlier version. The schema migration records it for the projects of that moment; projects
//! registered later are never included.

use camino::{Utf8Path, Utf8PathBuf};

use crate::values::ColumnReader;
use crate::{Catalog, CatalogError};

impl Catalog {
    /// Returns the roots whose state files may still contain confirmations; an empty path is the global scope.
    pub fn old_confirmations(&self) -> Result<Vec<Utf8PathBuf>, CatalogError> {
        self.read(|connection| {
            connection
                .prepare("SELECT root FROM old_confirmations ORDER BY root")?
                .query_map([], |row| ColumnReader::new(row).path())?
                .collect()
        })
    }

    /// Records that the confirmations of a root were migrated.
    pub fn forget_old_confirmations(&self, root: &Utf8Path) -> Result<(), CatalogError> {
        self.write(|connection| {
            connection.execute(
                "DELETE FROM old_confirmations WHERE root = ?1",
                [root.as_str()],
            )?;
            Ok(())
        })
    }
}
