//! The indexes that a process keeps open.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use acreta_config::{Config, Home};
use acreta_search::{LocalModel, MemoryIndex};
use acreta_store::Layout;
use acreta_types::locked;
use camino::Utf8PathBuf;

use crate::process::clock::now_ms;

/// Indexes by memory and sentence model. Opening one touches no file; an open one is reused.
#[derive(Clone, Default)]
pub(crate) struct Indexes {
    are_unverified: bool,
    opened: Arc<Mutex<HashMap<IndexKey, OpenIndex>>>,
    models: Arc<Mutex<HashMap<String, Arc<LocalModel>>>>,
}

struct OpenIndex {
    index: Arc<MemoryIndex>,
    /// Used since it was last brought up to date.
    was_asked: bool,
}

/// Base folder of the memory, and folder of the model.
type IndexKey = (Utf8PathBuf, String);

impl Indexes {
    /// Indexes whose checksums are not verified when they are opened.
    pub(crate) fn unverified() -> Self {
        Self {
            are_unverified: true,
            ..Self::default()
        }
    }

    pub(crate) fn of(&self, layout: &Layout, config: &Config, home: &Home) -> Arc<MemoryIndex> {
        let model = config.text("search.model").to_owned();
        let key = (layout.base().to_owned(), model.clone());
        let mut opened = locked(&self.opened);
        let open = || {
            let (layout, faults) = (layout.clone(), acreta_fs::NoFaults::shared());
            OpenIndex {
                index: Arc::new(
                    match model.as_str() {
                        "" => MemoryIndex::new(layout, faults),
                        folder => MemoryIndex::with_model(layout, faults, self.model(folder, home)),
                    }
                    .verified(!self.are_unverified),
                ),
                was_asked: false,
            }
        };
        let opened = opened.entry(key).or_insert_with(open);
        opened.was_asked = true;
        Arc::clone(&opened.index)
    }

    /// Brings the indexes that were used up to date with their files.
    pub(crate) fn bring_up_to_date(&self) {
        let asked: Vec<Arc<MemoryIndex>> = {
            let mut opened = locked(&self.opened);
            let asked = opened.values_mut().filter(|opened| opened.was_asked);
            asked
                .map(|opened| {
                    opened.was_asked = false;
                    Arc::clone(&opened.index)
                })
                .collect()
        };
        for index in asked {
            let now = i64::try_from(now_ms()).unwrap_or(i64::MAX);
            if let Err(error) = index.refresh(now) {
                tracing::debug!(%error, "an index could not be brought up to date");
            }
        }
    }

    /// Returns the model, which is opened at its first use and shared by all indexes.
    fn model(&self, folder: &str, home: &Home) -> Arc<LocalModel> {
        let mut models = locked(&self.models);
        let open = || {
            Arc::new(LocalModel::with_cache(
                &home.expand(folder),
                home.cache(),
                now_ms,
            ))
        };
        Arc::clone(models.entry(folder.to_owned()).or_insert_with(open))
    }
}
