//! Usage of model calls that the state's server does not know yet. It stays here until it is recorded or the process
//! ends; then the server gives the reservation back by itself.

use std::sync::{Arc, Mutex};

use acreta_state::{Catalog, CatalogError, ReservationId, SpendingAmount, SpendingDay};
use acreta_types::locked;

/// Calls that were made and are not recorded. Clones share their state.
#[derive(Clone, Default)]
pub(crate) struct Unsettled(Arc<Mutex<Vec<Settlement>>>);

/// What a call used.
pub(crate) struct Settlement {
    pub(crate) account: String,
    pub(crate) day: u64,
    pub(crate) reservation: ReservationId,
    pub(crate) used: SpendingAmount,
}

impl Unsettled {
    pub(crate) fn add(&self, settlement: Settlement) {
        locked(&self.0).push(settlement);
    }

    /// Records all of them. What fails stays here.
    pub(crate) fn settle(&self, catalog: &Catalog) -> Result<(), CatalogError> {
        let mut waiting = std::mem::take(&mut *locked(&self.0));
        while let Some(one) = waiting.pop() {
            let day = SpendingDay {
                account: &one.account,
                day: one.day,
            };
            if let Err(error) = catalog.settle_spending(day, one.reservation, one.used) {
                waiting.push(one);
                locked(&self.0).append(&mut waiting);
                return Err(error);
            }
        }
        Ok(())
    }
}
