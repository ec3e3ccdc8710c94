//! Models of a host that grants none: the budget is zero, and every request is refused and counted.

use std::sync::atomic::{AtomicU64, Ordering};

use acreta_types::{Failure, ModelBudget, ModelReply, ModelRequest, ModelUsage, Models};

use super::not_granted;

#[derive(Default)]
pub(crate) struct Refusing {
    asked: AtomicU64,
}

impl Refusing {
    /// Returns the number of requests.
    pub(crate) fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }
}

impl Models for Refusing {
    fn left(&self) -> ModelBudget {
        ModelBudget {
            calls: 0,
            tokens: 0,
        }
    }

    fn complete_all(&self, requests: &[ModelRequest]) -> Vec<Result<ModelReply, Failure>> {
        self.asked
            .fetch_add(requests.len() as u64, Ordering::Relaxed);
        requests.iter().map(|_| Err(not_granted())).collect()
    }

    fn usage(&self) -> ModelUsage {
        ModelUsage::default()
    }
}
