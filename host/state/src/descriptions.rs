//! Cached descriptions of adapters, by digest of the component: asked once, not at every start.

use crate::backend::{OptionalExtension, TransactionStop};
use crate::values::clean;
use crate::{Catalog, CatalogError};

impl Catalog {
    /// Returns the stored description of the adapter with this digest.
    pub fn description(&self, digest: &str) -> Result<Option<String>, CatalogError> {
        self.read(|connection| {
            connection
                .prepare("SELECT json FROM descriptions WHERE digest = ?1")?
                .query_row([digest], |row| row.get(0))
                .optional()
        })
    }

    /// A description with a secret in it is not stored: it is asked for every time.
    pub fn put_description(&self, digest: &str, json: &str) -> Result<(), CatalogError> {
        if clean(json) != json {
            return Ok(());
        }
        self.write(|connection| {
            connection.execute(
                "INSERT INTO descriptions (digest, json) VALUES (?1, ?2)
                 ON CONFLICT (digest) DO UPDATE SET json = excluded.json",
                [digest, json],
            )?;
            Ok::<_, TransactionStop<CatalogError>>(())
        })
    }
}
