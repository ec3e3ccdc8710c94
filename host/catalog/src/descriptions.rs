//! Cached descriptions of adapters, by digest of the component: asked once, not at every start.

use crate::backend::{OptionalExtension, TransactionStop};
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

    pub fn put_description(&self, digest: &str, json: &str) -> Result<(), CatalogError> {
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
