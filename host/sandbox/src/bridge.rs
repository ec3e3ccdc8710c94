//! The four roles over components: plain types in, plain types out.

mod adapter;
mod convert;
mod explorer;
mod extractor;
mod memory_writer;

pub(crate) use adapter::AdapterBridge;
pub(crate) use explorer::ExplorerBridge;
pub(crate) use extractor::ExtractorBridge;
pub(crate) use memory_writer::MemoryWriterBridge;
