//! A file stream with a budget: a guest that fills the disk is stopped at its draft limit.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use wasmtime_wasi::async_trait;
use wasmtime_wasi::p2::{OutputStream, Pollable, StreamError, StreamResult};

use crate::limits::OverLimit;

/// Bytes a call may still write, shared by all its streams.
#[derive(Clone)]
pub(crate) struct WriteBudget {
    allowed: u64,
    used: Arc<AtomicU64>,
}

impl WriteBudget {
    pub(crate) fn new(allowed: u64) -> Self {
        Self {
            allowed,
            used: Arc::default(),
        }
    }

    pub(crate) fn take(&self, bytes: u64) -> Result<(), OverLimit> {
        let used = self
            .used
            .fetch_add(bytes, Ordering::Relaxed)
            .saturating_add(bytes);
        if used > self.allowed {
            return Err(OverLimit {
                limit: "draft_bytes",
                allowed: self.allowed,
                used,
            });
        }
        Ok(())
    }
}

/// Forwards everything and subtracts each write from the budget.
pub(crate) struct BudgetedStream {
    pub(crate) inner: Box<dyn OutputStream>,
    pub(crate) budget: WriteBudget,
}

#[async_trait]
impl Pollable for BudgetedStream {
    async fn ready(&mut self) {
        self.inner.ready().await;
    }
}

#[async_trait]
impl OutputStream for BudgetedStream {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        self.budget
            .take(bytes.len() as u64)
            .map_err(|over| StreamError::Trap(over.into()))?;
        self.inner.write(bytes)
    }

    fn flush(&mut self) -> StreamResult<()> {
        self.inner.flush()
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        self.inner.check_write()
    }

    async fn cancel(&mut self) {
        self.inner.cancel().await;
    }
}
