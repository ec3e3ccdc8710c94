//! A plugin of any role, behind its trait.

use std::sync::Arc;

use acreta_types::{Adapter, Explorer, Extractor, MemoryWriter, PluginInfo, Role};

/// The plugin under test. The caller loads it without grants.
#[derive(Clone)]
pub enum Plugin {
    Adapter(Arc<dyn Adapter>),
    Extractor(Arc<dyn Extractor>),
    Explorer(Arc<dyn Explorer>),
    MemoryWriter(Arc<dyn MemoryWriter>),
}

impl Plugin {
    pub fn role(&self) -> Role {
        match self {
            Plugin::Adapter(_) => Role::Adapter,
            Plugin::Extractor(_) => Role::Extractor,
            Plugin::Explorer(_) => Role::Explorer,
            Plugin::MemoryWriter(_) => Role::MemoryWriter,
        }
    }

    pub fn info(&self) -> &PluginInfo {
        match self {
            Plugin::Adapter(plugin) => plugin.info(),
            Plugin::Extractor(plugin) => plugin.info(),
            Plugin::Explorer(plugin) => plugin.info(),
            Plugin::MemoryWriter(plugin) => plugin.info(),
        }
    }
}
