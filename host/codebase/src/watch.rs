//! Watches a project: collects native file events until they pause, then does one update and reports one delta. Falls
//! back to polling if there are no events. Lost events cost one full scan, never a wrong delta.

use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use notify::event::{AccessKind, AccessMode};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::ContextError;
use crate::Detail;
use crate::answer::response::{Command, Response};
use crate::artifact::detection::ChangeDetection;
use crate::artifact::format::Artifact;
use crate::artifact::update::CurrentArtifact;
use crate::context::{Context, OpenProject};
use crate::scan::journal::{self, WatchJournal};
use crate::scan::tree::mark;

/// Quiet time after the last event before changes are processed.
const PAUSE: Duration = Duration::from_millis(60);

/// Event reported by a watch.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The watch has started.
    Started { files: u64, source: Source },
    /// Something changed; the artifact is up to date again.
    Changed(Box<Response>),
    /// Nothing happened for an interval; the callback may stop the watch.
    Idle,
}

/// Mechanism by which changes are detected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    Events,
    Polling,
}

/// Options of a watch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Following {
    /// Polling interval without file events, and interval of [`Event::Idle`].
    pub interval: Duration,
    pub detail: Detail,
}

impl Following {
    pub fn every(interval: Duration) -> Self {
        Self {
            interval,
            detail: Detail::Compact,
        }
    }
}

impl Context {
    /// Watches a project until `tell` returns `Break`.
    pub fn watch(
        &self,
        project: &Utf8Path,
        following: Following,
        tell: &mut dyn FnMut(Event) -> ControlFlow<()>,
    ) -> Result<(), ContextError> {
        let project = self.project(project)?;
        let _held = self
            .store
            .directory()
            .lock(journal::lock_name(&project.id), Duration::from_secs(1))
            .map_err(ContextError::Busy)?;
        let current = self.update(&project, ChangeDetection::FullScan)?;
        let done =
            match FileEvents::start(&project, self.store.directory().path(), &current.artifact) {
                Ok(events) => self.follow(&project, events, following, tell),
                Err(_) => self.poll(&project, &current, following, tell),
            };
        // Best effort: a journal without its lock is not read.
        let _ = self
            .store
            .directory()
            .remove_file(journal::name(&project.id));
        done
    }

    fn poll(
        &self,
        project: &OpenProject,
        current: &CurrentArtifact,
        following: Following,
        tell: &mut dyn FnMut(Event) -> ControlFlow<()>,
    ) -> Result<(), ContextError> {
        let files = current.stats.file_count;
        let source = Source::Polling;
        let mut event = Event::Started { files, source };
        loop {
            if tell(event).is_break() {
                return Ok(());
            }
            std::thread::sleep(following.interval);
            let current = self.update(project, ChangeDetection::FullScan)?;
            event = self.event(project, current, following.detail);
        }
    }

    fn follow(
        &self,
        project: &OpenProject,
        mut events: FileEvents,
        following: Following,
        tell: &mut dyn FnMut(Event) -> ControlFlow<()>,
    ) -> Result<(), ContextError> {
        // Scan once more now that events arrive: from here on nothing is missed.
        let mut current = self.update(project, ChangeDetection::FullScan)?;
        events.follow_folders(&current.artifact);
        let mut journal = WatchJournal {
            since: current.artifact.meta.generation,
            ..WatchJournal::default()
        };
        journal.write(&self.store, &project.id)?;
        let files = current.stats.file_count;
        let source = Source::Events;
        if tell(Event::Started { files, source }).is_break() {
            return Ok(());
        }
        loop {
            let has_changes = !journal.paths.is_empty() || journal.is_overflown;
            let wait = if has_changes {
                PAUSE
            } else {
                following.interval
            };
            let heard = events.hear(wait);
            if heard.is_lost {
                journal.is_overflown = true;
            }
            let known = journal.paths.len();
            journal.paths.extend(heard.paths);
            if heard.is_lost || journal.paths.len() != known {
                journal.write(&self.store, &project.id)?;
            }
            for call in heard.calls {
                // The removal is the answer to the caller.
                let _ = self.store.directory().remove_file(&call);
            }
            if heard.is_quiet && has_changes {
                let how = if journal.is_overflown {
                    ChangeDetection::FullScan
                } else {
                    ChangeDetection::Paths(&journal.paths)
                };
                current = self.update(project, how)?;
                let new_folders = events.follow_folders(&current.artifact);
                journal = WatchJournal {
                    since: current.artifact.meta.generation,
                    is_overflown: false,
                    // Entries created before these folders were watched caused no event.
                    paths: new_folders,
                };
                journal.write(&self.store, &project.id)?;
                if !current.delta.is_empty()
                    && tell(self.event(project, current, following.detail)).is_break()
                {
                    return Ok(());
                }
            } else if heard.is_quiet && tell(Event::Idle).is_break() {
                return Ok(());
            }
        }
    }

    fn event(&self, project: &OpenProject, mut current: CurrentArtifact, detail: Detail) -> Event {
        if current.delta.is_empty() {
            return Event::Idle;
        }
        let delta = self.shown_delta(&mut current, project, detail);
        Event::Changed(Box::new(Response {
            command: Command::Delta,
            project_root: project.root.path().to_string(),
            project_id: project.id.clone(),
            cache_status: current.status,
            freshness: current.freshness,
            stats: current.stats,
            delta: Some(delta),
            slice: None,
            matches: None,
            truncated: false,
        }))
    }
}

/// Native events about a project's folders, and about calls in the cache folder.
struct FileEvents {
    watcher: RecommendedWatcher,
    receiver: Receiver<notify::Result<notify::Event>>,
    root: Utf8PathBuf,
    cache: Utf8PathBuf,
    calls: String,
    followed: HashSet<String>,
}

#[derive(Default)]
struct EventBatch {
    paths: BTreeSet<String>,
    calls: Vec<String>,
    is_lost: bool,
    is_quiet: bool,
}

impl FileEvents {
    fn start(project: &OpenProject, cache: &Utf8Path, artifact: &Artifact) -> notify::Result<Self> {
        let (sender, receiver) = mpsc::channel();
        let mut watcher = notify::recommended_watcher(sender)?;
        let cache = acreta_fs::canonical(cache).unwrap_or(cache.to_owned());
        watcher.watch(cache.as_std_path(), RecursiveMode::NonRecursive)?;
        if let Some(repository) = &project.repository {
            watcher.watch(
                repository.folder().as_std_path(),
                RecursiveMode::NonRecursive,
            )?;
        }
        let mut events = Self {
            watcher,
            receiver,
            root: project.root.path().to_owned(),
            cache,
            calls: journal::call_prefix(&project.id),
            followed: HashSet::new(),
        };
        events.try_follow(artifact)?;
        Ok(events)
    }

    /// Watches folders that are not watched yet, and returns them.
    fn follow_folders(&mut self, artifact: &Artifact) -> BTreeSet<String> {
        self.try_follow(artifact).unwrap_or_default()
    }

    fn try_follow(&mut self, artifact: &Artifact) -> notify::Result<BTreeSet<String>> {
        let tables = artifact.tables();
        let mut new = BTreeSet::new();
        if !EACH_FOLDER {
            if self.followed.insert(String::new()) {
                self.watcher
                    .watch(self.root.as_std_path(), RecursiveMode::Recursive)?;
            }
            return Ok(new);
        }
        let mut present = HashSet::with_capacity(tables.folder_count() as usize);
        for index in 0..tables.folder_count() {
            let path = tables.folder_path(index);
            present.insert(path.to_owned());
            if self.followed.contains(path) {
                continue;
            }
            let absolute = self.root.join(path);
            match self
                .watcher
                .watch(absolute.as_std_path(), RecursiveMode::NonRecursive)
            {
                Ok(()) => {
                    self.followed.insert(path.to_owned());
                    if tables.folder(index).marks & mark::PARTIAL == 0 {
                        new.insert(path.to_owned());
                    }
                }
                // Removed again; the removal caused an event.
                Err(_) if !absolute.exists() => {}
                Err(error) => return Err(error),
            }
        }
        // A folder that reappears under its old name is a new one.
        self.followed.retain(|path| present.contains(path));
        Ok(new)
    }

    /// Waits for events and drains the queue.
    fn hear(&mut self, wait: Duration) -> EventBatch {
        let mut heard = EventBatch::default();
        match self.receiver.recv_timeout(wait) {
            Ok(event) => self.take(event, &mut heard),
            Err(RecvTimeoutError::Timeout) => heard.is_quiet = true,
            Err(RecvTimeoutError::Disconnected) => {
                heard.is_lost = true;
                heard.is_quiet = true;
                std::thread::sleep(wait);
            }
        }
        while let Ok(event) = self.receiver.try_recv() {
            self.take(event, &mut heard);
        }
        heard
    }

    fn take(&mut self, event: notify::Result<notify::Event>, heard: &mut EventBatch) {
        let Ok(event) = event else {
            heard.is_lost = true;
            return;
        };
        if event.need_rescan() {
            heard.is_lost = true;
        }
        let is_change = match event.kind {
            EventKind::Access(AccessKind::Close(AccessMode::Write)) => true,
            EventKind::Access(_) => false,
            _ => true,
        };
        if !is_change {
            return;
        }
        for path in event.paths {
            let Some(path) = path.to_str().map(Utf8Path::new) else {
                continue;
            };
            if let Ok(call) = path.strip_prefix(&self.cache) {
                if call.as_str().starts_with(&self.calls) {
                    heard.calls.push(call.as_str().to_owned());
                }
            } else if let Ok(path) = path.strip_prefix(&self.root).map(acreta_fs::portable) {
                if matches!(
                    event.kind,
                    EventKind::Remove(_) | EventKind::Modify(notify::event::ModifyKind::Name(_))
                ) {
                    self.followed.remove(path.as_str());
                }
                heard.paths.insert(path.as_str().to_owned());
            }
        }
    }
}

/// On Linux, folders are watched one by one, so ignored ones cost nothing.
const EACH_FOLDER: bool = cfg!(target_os = "linux");
