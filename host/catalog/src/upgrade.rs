//! What an earlier version left to be done once. The schema's step writes it down for the projects of that
//! moment; a project that comes later is never among them.

use camino::{Utf8Path, Utf8PathBuf};

use crate::values::Columns;
use crate::{Catalog, CatalogError};

impl Catalog {
    /// Roots whose memory may still call things confirmed in its state files; an empty path is the
    /// global scope.
    pub fn old_confirmations(&self) -> Result<Vec<Utf8PathBuf>, CatalogError> {
        self.read(|connection| {
            connection
                .prepare("SELECT root FROM old_confirmations ORDER BY root")?
                .query_map([], |row| Columns::new(row).path())?
                .collect()
        })
    }

    /// Notes that those of a root were taken over.
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
