//! Implements the four role traits on top of components.

mod adapter;
mod convert;
mod explorer;
mod extractor;
mod memory_writer;

use std::sync::Arc;

use acreta_types::{Adapter, Explorer, Extractor, MemoryWriter};

use crate::plugin::{LoadError, Plugin};
use adapter::AdapterBridge;
use explorer::ExplorerBridge;
use extractor::ExtractorBridge;
use memory_writer::MemoryWriterBridge;

impl Plugin {
    pub fn into_adapter(self) -> Result<Arc<dyn Adapter>, LoadError> {
        Ok(Arc::new(AdapterBridge::new(self)?))
    }

    pub fn into_extractor(self) -> Result<Arc<dyn Extractor>, LoadError> {
        Ok(Arc::new(ExtractorBridge::new(self)?))
    }

    pub fn into_explorer(self) -> Result<Arc<dyn Explorer>, LoadError> {
        Ok(Arc::new(ExplorerBridge::new(self)?))
    }

    pub fn into_memory_writer(self) -> Result<Arc<dyn MemoryWriter>, LoadError> {
        Ok(Arc::new(MemoryWriterBridge::new(self)?))
    }
}
