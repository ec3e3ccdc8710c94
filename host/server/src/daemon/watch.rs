//! File events under the session folders wake the sync. Where the system reports none, the schedule still finds new
//! sessions.

use acreta_service::{Context, Failure, connect::permissions};
use camino::Utf8PathBuf;
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};

/// Watches until it is dropped.
pub(crate) struct SessionWatch {
    _watcher: RecommendedWatcher,
}

impl SessionWatch {
    /// Calls `wake` for every change under the folders that adapters may read.
    pub(crate) fn start(
        context: &Context,
        wake: impl Fn() + Send + 'static,
    ) -> Result<Option<Self>, Failure> {
        let roots = permissions::roots(context)?;
        let granted = roots.into_iter().filter(|root| root.granted);
        let mut folders: Vec<Utf8PathBuf> = granted.filter_map(|root| root.asked.found).collect();
        folders.sort();
        folders.dedup();
        // A watch covers subfolders.
        let all = folders.clone();
        folders.retain(|folder| {
            let is_within =
                |other: &Utf8PathBuf| other != folder && folder.starts_with(other.as_path());
            !all.iter().any(is_within)
        });
        let heard = move |event: notify::Result<notify::Event>| {
            let is_change = |event: &notify::Event| {
                matches!(event.kind, EventKind::Create(_) | EventKind::Modify(_))
            };
            if event.as_ref().map_or(true, is_change) {
                wake();
            }
        };
        let mut watcher = match notify::recommended_watcher(heard) {
            Ok(watcher) => watcher,
            Err(error) => {
                tracing::warn!(%error, "file events are not available");
                return Ok(None);
            }
        };
        folders.retain(|folder| {
            let watched = watcher.watch(folder.as_std_path(), RecursiveMode::Recursive);
            if let Err(error) = &watched {
                tracing::warn!(%folder, %error, "its file events are not available");
            }
            watched.is_ok()
        });
        tracing::info!(folders = folders.len(), "listening for file events");
        Ok(Some(Self { _watcher: watcher }))
    }
}
