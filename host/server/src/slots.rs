//! The limit on open connections. A connection that waits for the head of a request, be it half sent or never begun,
//! holds a slot only until somebody else needs it: at the limit, the one that has waited longest is closed. So clients
//! that open connections and say nothing cannot keep others out. Connections with a request or an answer under way
//! keep their slots.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

pub(crate) struct Slots {
    limit: usize,
    /// Open connections, oldest first.
    open: Mutex<Vec<Arc<Slot>>>,
    freed: Notify,
}

/// The slot of one connection. It is freed on drop.
pub(crate) struct HeldSlot {
    slots: Arc<Slots>,
    slot: Arc<Slot>,
}

#[derive(Default)]
struct Slot {
    /// Number of requests that are being answered.
    answering: AtomicUsize,
    evicted: Notify,
}

/// Marks a connection as answering until it is dropped.
pub(crate) struct Answering(Arc<Slot>);

impl Slots {
    pub(crate) fn new(limit: usize) -> Arc<Self> {
        Arc::new(Self {
            limit,
            open: Mutex::default(),
            freed: Notify::new(),
        })
    }

    /// Takes a slot, if necessary that of a connection without a request. Waits if all have one.
    pub(crate) async fn take(self: &Arc<Self>) -> HeldSlot {
        loop {
            let freed = self.freed.notified();
            if let Some(slot) = self.try_take() {
                let slots = Arc::clone(self);
                return HeldSlot { slots, slot };
            }
            freed.await;
        }
    }

    fn try_take(&self) -> Option<Arc<Slot>> {
        let mut open = self.open();
        if open.len() >= self.limit {
            let is_idle = |slot: &Arc<Slot>| slot.answering.load(Ordering::Acquire) == 0;
            let oldest = open.iter().position(is_idle)?;
            open.remove(oldest).evicted.notify_one();
        }
        let slot = Arc::<Slot>::default();
        open.push(Arc::clone(&slot));
        Some(slot)
    }

    fn open(&self) -> MutexGuard<'_, Vec<Arc<Slot>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HeldSlot {
    /// Returns once the slot was given to another connection.
    pub(crate) async fn evicted(&self) {
        self.slot.evicted.notified().await;
    }

    /// Returns a function that marks the connection as answering.
    pub(crate) fn marker(&self) -> impl Fn() -> Answering + use<> {
        let slots = Arc::clone(&self.slots);
        let slot = Arc::clone(&self.slot);
        move || {
            // Under the lock: a slot is evicted or answers, never both.
            let _open = slots.open();
            slot.answering.fetch_add(1, Ordering::AcqRel);
            Answering(Arc::clone(&slot))
        }
    }
}

impl Drop for HeldSlot {
    fn drop(&mut self) {
        self.slots
            .open()
            .retain(|slot| !Arc::ptr_eq(slot, &self.slot));
        self.slots.freed.notify_one();
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.answering.fetch_sub(1, Ordering::AcqRel);
    }
}
