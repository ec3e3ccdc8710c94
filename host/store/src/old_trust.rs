//! Confirmations that earlier versions stored in `meta/state`, where a repository could write them too. Read once,
//! when a user's endorsements move to their own folder, and never again.

use serde::Deserialize;

use crate::load::SIDECAR_BYTES;
use crate::{Memory, Store, StoreError};

/// The field of an old state file that is no longer part of it.
#[derive(Deserialize)]
struct OldState {
    id: String,
    #[serde(default)]
    trust: String,
}

impl Store {
    /// Returns the memories that their state file calls confirmed. The file does not say who confirmed them.
    pub fn called_confirmed(&self) -> Result<Vec<Memory>, StoreError> {
        let Some(directory) = self.existing()? else {
            return Ok(Vec::new());
        };
        let snapshot = self.load()?;
        let is_called_so = |memory: &&Memory| {
            let path = format!("meta/state/{}.json", memory.id);
            let bytes = directory.read(path, SIDECAR_BYTES).unwrap_or_default();
            serde_json::from_slice(&bytes)
                .is_ok_and(|state: OldState| state.id == memory.id && state.trust == "confirmed")
        };
        Ok(snapshot.iter().filter(is_called_so).cloned().collect())
    }
}
