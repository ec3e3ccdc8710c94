//! The index of one scope's memory. Answers always match the files: hits are compared with the disk before they are
//! returned, and an unusable index is rebuilt or, if that is impossible, bypassed.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use acreta_fs::Faults;
use acreta_store::Layout;
use acreta_types::locked;
use camino::Utf8PathBuf;

use crate::changes::{ChangeNotes, ComparisonRecord, remove};
use crate::files::MemoryFiles;
use crate::meaning::{EmbeddedQuestion, Meaning};
use crate::opened::{
    BUILDING, CHECKED, Damaged, Due, IndexLocation, LOCK, OpenFailure, OpenedIndex, TANTIVY,
    VECTORS_LOCK, begin_check, damaged, guarded, lock, open_on_disk, write_checked,
};
use crate::passage_index::PassageIndex;
use crate::refresh::{self, RefreshOutcome, Refreshed};
use crate::updating::UpdateLock;
use crate::verify::{self, VerifiedHits};
use crate::weights::{EMBEDDED_BY_REFRESH, EMBEDDED_BY_SEARCH, SMALL_INDEX_MEMORIES};
use crate::{Embedded, Query, SearchError, SearchResults, SentenceModel, Source};

/// Searchable memory of one scope. Creating it does no I/O.
pub struct MemoryIndex {
    layout: Layout,
    faults: Arc<dyn Faults>,
    opened: Mutex<Option<Arc<OpenedIndex>>>,
    /// Held by the thread of this process that updates the index.
    pub(crate) updating: UpdateLock,
    meaning: Option<Meaning>,
    is_verified: bool,
}

/// Maximum number of repeated searches after hits turned out to have changed.
const ROUNDS: usize = 3;

/// Maximum time to wait for another thread or process that writes the index.
const OTHERS: Duration = Duration::from_secs(2);

impl MemoryIndex {
    pub fn new(layout: Layout, faults: Arc<dyn Faults>) -> Self {
        Self {
            layout,
            faults,
            opened: Mutex::new(None),
            updating: UpdateLock::default(),
            meaning: None,
            is_verified: true,
        }
    }

    /// Sets whether the checksums of a small index are verified when it is opened, as they are by default. Without, a
    /// damaged index may hide memories until the next comparison; hits are compared with their files either way.
    #[must_use]
    pub fn verified(mut self, is_verified: bool) -> Self {
        self.is_verified = is_verified;
        self
    }

    /// Like [`Self::new`], with semantic search. If the model fails, searches warn and use words only.
    pub fn with_model(
        layout: Layout,
        faults: Arc<dyn Faults>,
        model: Arc<dyn SentenceModel>,
    ) -> Self {
        Self {
            meaning: Some(Meaning::new(model)),
            ..Self::new(layout, faults)
        }
    }

    pub fn has_model(&self) -> bool {
        self.meaning.is_some()
    }

    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Answers a query. Applies changes announced by the store. Compares all files with the index if files were added,
    /// removed or replaced, if the last comparison is older than a minute, or if the index is small; otherwise compares
    /// only the hits. Writes nothing but the index.
    pub fn search(&self, query: &Query, now_ms: i64) -> Result<SearchResults, SearchError> {
        let Some(files) = self.files()? else {
            return Ok(SearchResults {
                hits: Vec::new(),
                source: Source::Nothing,
                warning: None,
            });
        };
        let mut opened = self.current(&files, now_ms)?;
        let (asked, warning) = self.ask(&files, query);
        let (mut rounds, mut was_rebuilt) = (0, false);
        loop {
            let answer =
                guarded(|| verify::answer(&opened.index, &files, query, now_ms, asked.as_ref()));
            let VerifiedHits { hits, changed } = match answer {
                Ok(answer) => answer,
                // A freshly built index is not damaged: the cause is elsewhere.
                Err(Damaged(cause)) if was_rebuilt || !opened.is_on_disk() => {
                    return Err(self.engine(cause));
                }
                Err(_) => {
                    opened = self.rebuilt(&files, now_ms)?.0;
                    was_rebuilt = true;
                    continue;
                }
            };
            rounds += 1;
            let looks_again = !changed.is_empty() && rounds < ROUNDS;
            if looks_again && self.read_again(&opened, &files, &changed, now_ms) {
                continue;
            }
            return Ok(SearchResults {
                hits: verify::with_fresh(hits, &changed, &files, query, now_ms),
                source: opened.source(),
                warning,
            });
        }
    }

    /// Compares the index with all files and verifies its checksums. With a model, embeds some passages;
    /// [`Self::embed`] continues with the others.
    pub fn refresh(&self, now_ms: i64) -> Result<Refreshed, SearchError> {
        let Some(files) = self.files()? else {
            return Ok(Refreshed::nothing(RefreshOutcome::NoMemory));
        };
        let turn = self.updating.enter(OTHERS);
        let (opened, mut refreshed) = self.checked(&files, now_ms)?;
        drop(turn);
        refreshed.embedded = self.embed_some(&opened, &files, EMBEDDED_BY_REFRESH);
        Ok(refreshed)
    }

    /// Embeds up to `at_most` passages without a vector; does nothing without a model. Takes as long as the model does,
    /// without blocking others.
    pub fn embed(&self, at_most: usize, now_ms: i64) -> Result<Embedded, SearchError> {
        let Some(files) = self.files()? else {
            return Ok(Embedded::default());
        };
        let opened = match self.open(&files) {
            Ok(opened) => opened,
            Err(_) => self.checked(&files, now_ms)?.0,
        };
        Ok(self.embed_some(&opened, &files, at_most))
    }

    pub(crate) fn files(&self) -> Result<Option<MemoryFiles>, SearchError> {
        MemoryFiles::open(&self.layout, &self.faults).map_err(|cause| SearchError::Memory {
            path: self.layout.base().to_owned(),
            cause,
        })
    }

    /// Returns the index to search, compared with the disk if that is due.
    fn current(&self, files: &MemoryFiles, now_ms: i64) -> Result<Arc<OpenedIndex>, SearchError> {
        let ready = |may_be_late: bool| {
            let opened = self.open(files).ok();
            opened.filter(|opened| match opened.due(files, now_ms) {
                Due::Not => !differs_if_small(opened, files, now_ms),
                Due::Sometime => may_be_late,
                Due::Announced | Due::Now => false,
            })
        };
        if let Some(opened) = ready(false) {
            return Ok(opened);
        }
        let turn = self.updating.enter(Duration::ZERO).or_else(|| {
            // Another thread is updating. If an answer from a minute ago is good enough, use it.
            match ready(true) {
                Some(_) => None,
                None => self.updating.enter(OTHERS),
            }
        });
        if turn.is_none()
            && let Ok(opened) = self.open(files)
        {
            return Ok(opened);
        }
        if let Some(opened) = ready(false) {
            return Ok(opened);
        }
        let opened = match self.apply_notes(files, now_ms) {
            Some(opened) => opened,
            None => self.checked(files, now_ms)?.0,
        };
        drop(turn);
        self.embed_some(&opened, files, EMBEDDED_BY_SEARCH);
        Ok(opened)
    }

    /// Like [`Self::ask`], but only if the model answers at once.
    pub(crate) fn ask_quickly(
        &self,
        files: &MemoryFiles,
        query: &Query,
    ) -> Option<EmbeddedQuestion<'_>> {
        let is_quick = self.meaning.as_ref().is_some_and(Meaning::is_quick);
        is_quick.then(|| self.ask(files, query).0)?
    }

    /// Returns the index with announced changes applied; `None` if everything has to be compared.
    pub(crate) fn apply_notes(&self, files: &MemoryFiles, now_ms: i64) -> Option<Arc<OpenedIndex>> {
        let opened = self.open(files).ok()?;
        if opened.due(files, now_ms) != Due::Announced {
            return None;
        }
        let _lock = lock(files, LOCK, OTHERS).ok()?;
        // The previous holder of the lock may have applied them.
        let opened = self.open(files).ok()?;
        let notes = ChangeNotes::read(files);
        let mut checked = locked(&opened.checked).clone()?;
        if !notes.is_whole() || !checked.follow(&notes, files) {
            return None;
        }
        let taken_in = guarded(|| {
            opened.index.reload()?;
            let paths = notes.paths(files, &opened.index.snapshot())?;
            refresh::some(&opened.index, files, &paths, now_ms)
        });
        if !matches!(taken_in, Ok(true)) {
            return None;
        }
        write_checked(files, CHECKED, &checked);
        notes.forget(files);
        opened.note_written(files);
        *locked(&opened.checked) = Some(checked);
        Some(opened)
    }

    /// Embeds the question; the second value is a warning if that failed.
    fn ask(
        &self,
        files: &MemoryFiles,
        query: &Query,
    ) -> (Option<EmbeddedQuestion<'_>>, Option<String>) {
        let Some(meaning) = &self.meaning else {
            return (None, None);
        };
        if query.limit == 0 || query.words_only || query.text.trim().is_empty() {
            return (None, None);
        }
        meaning.follow(&files.base);
        match meaning.ask(&query.text) {
            Ok(asked) => (Some(asked), None),
            Err(failure) => (None, Some(failure.warning())),
        }
    }

    /// Embeds some passages without a vector, unless another process is doing so.
    fn embed_some(&self, opened: &OpenedIndex, files: &MemoryFiles, at_most: usize) -> Embedded {
        let Some(meaning) = &self.meaning else {
            return Embedded::default();
        };
        let (lock, at_most) = match lock(files, VECTORS_LOCK, Duration::ZERO) {
            Ok(lock) => (Some(lock), at_most),
            Err(OpenFailure::Busy) => (None, 0),
            Err(_) => (None, at_most),
        };
        meaning.follow(&files.base);
        let base = lock.as_ref().map(|_| &files.base);
        let snapshot = opened.index.snapshot();
        guarded(|| meaning.embed(&snapshot, base, at_most)).unwrap_or_default()
    }

    /// Returns the index compared with everything on disk, unless another process is doing so.
    pub(crate) fn checked(
        &self,
        files: &MemoryFiles,
        now_ms: i64,
    ) -> Result<(Arc<OpenedIndex>, Refreshed), SearchError> {
        let Ok(opened) = self.open(files) else {
            return self.rebuilt(files, now_ms);
        };
        if !opened.is_on_disk() {
            return self.rebuilt(files, now_ms);
        }
        let wait = match opened.due(files, now_ms) {
            Due::Now | Due::Announced => OTHERS,
            Due::Not | Due::Sometime => Duration::ZERO,
        };
        let lock = match lock(files, LOCK, wait) {
            Ok(lock) => lock,
            Err(OpenFailure::Busy) => {
                return Ok((opened, Refreshed::nothing(RefreshOutcome::Busy)));
            }
            // An index that cannot be updated may miss new files.
            Err(_) => return self.rebuilt(files, now_ms),
        };
        let notes = ChangeNotes::read(files);
        let checked = begin_check(files, now_ms);
        let refreshed = guarded(|| {
            if !opened.index.is_whole()? {
                return Err(damaged());
            }
            opened.index.reload()?;
            refresh::everything(&opened.index, files, now_ms, RefreshOutcome::Current)
        });
        match refreshed {
            Ok(refreshed) => {
                notes.forget(files);
                opened.note_checked(files, checked);
                Ok((opened, refreshed))
            }
            Err(_) => {
                drop(lock);
                self.rebuilt(files, now_ms)
            }
        }
    }

    /// Rebuilds the index, on disk if possible, otherwise in memory.
    fn rebuilt(
        &self,
        files: &MemoryFiles,
        now_ms: i64,
    ) -> Result<(Arc<OpenedIndex>, Refreshed), SearchError> {
        let built = match self.build_on_disk(files, now_ms) {
            // Another process may finish soon; then there is nothing to build.
            Err(OpenFailure::Busy) => {
                drop(lock(files, LOCK, OTHERS));
                match open_on_disk(files, true) {
                    Ok(opened) => Ok((opened, Refreshed::nothing(RefreshOutcome::Busy))),
                    Err(_) => self.build_on_disk(files, now_ms),
                }
            }
            other => other,
        };
        let (opened, refreshed) = match built {
            Ok(built) => built,
            Err(_) => {
                let index = PassageIndex::in_memory()?;
                let looked = ComparisonRecord::now(files, now_ms);
                let refreshed =
                    refresh::everything(&index, files, now_ms, RefreshOutcome::InMemory)
                        .map_err(|cause| self.engine(cause))?;
                let opened = OpenedIndex {
                    index,
                    place: IndexLocation::Memory,
                    checked: Mutex::new(Some(looked)),
                };
                (opened, refreshed)
            }
        };
        let opened = Arc::new(opened);
        *locked(&self.opened) = Some(Arc::clone(&opened));
        Ok((opened, refreshed))
    }

    fn build_on_disk(
        &self,
        files: &MemoryFiles,
        now_ms: i64,
    ) -> Result<(OpenedIndex, Refreshed), OpenFailure> {
        let _lock = lock(files, LOCK, Duration::ZERO)?;
        let base = &files.base;
        let unwritable = |_| OpenFailure::Unwritable;
        // The record of the last comparison does not apply to the new index.
        remove(base, CHECKED).map_err(unwritable)?;
        remove(base, BUILDING).map_err(unwritable)?;
        base.create_dir(BUILDING).map_err(unwritable)?;
        let folder = base.subdirectory(BUILDING).map_err(unwritable)?;
        let notes = ChangeNotes::read(files);
        let checked = begin_check(files, now_ms);
        let built = guarded(|| {
            let index = PassageIndex::create(Some(folder.path()))?;
            refresh::everything(&index, files, now_ms, RefreshOutcome::Rebuilt)
        });
        let refreshed = built.map_err(|_| OpenFailure::Unwritable)?;
        // Moved into place as a whole: nobody sees a partial index.
        remove(base, TANTIVY).map_err(unwritable)?;
        base.rename(BUILDING, TANTIVY).map_err(unwritable)?;
        let opened = open_on_disk(files, true)?;
        notes.forget(files);
        opened.note_checked(files, checked);
        Ok((opened, refreshed))
    }

    /// Opens the index, including commits by others.
    pub(crate) fn open(&self, files: &MemoryFiles) -> Result<Arc<OpenedIndex>, OpenFailure> {
        let mut place = locked(&self.opened);
        if let Some(opened) = &*place {
            let usable = match &opened.place {
                IndexLocation::Memory => true,
                IndexLocation::Disk(seen) => opened.follow(files, &mut locked(seen)),
            };
            if usable {
                return Ok(Arc::clone(opened));
            }
        }
        *place = None;
        let opened = Arc::new(open_on_disk(files, self.is_verified)?);
        *place = Some(Arc::clone(&opened));
        Ok(opened)
    }

    /// Rereads changed files into the index; returns whether searching again is worthwhile.
    fn read_again(
        &self,
        opened: &OpenedIndex,
        files: &MemoryFiles,
        changed: &[Utf8PathBuf],
        now_ms: i64,
    ) -> bool {
        let _lock = match &opened.place {
            IndexLocation::Memory => None,
            IndexLocation::Disk(_) => match lock(files, LOCK, Duration::ZERO) {
                Ok(lock) => Some(lock),
                Err(_) => return false,
            },
        };
        let written = guarded(|| {
            opened.index.reload()?;
            refresh::some(&opened.index, files, changed, now_ms)
        });
        opened.note_written(files);
        written.is_ok()
    }

    fn engine(&self, cause: tantivy::TantivyError) -> SearchError {
        SearchError::Engine {
            path: self.layout.base().to_owned(),
            cause,
        }
    }
}

/// Reports whether files differ from a small index. Comparing a few hundred is cheap, so even files written in place
/// are noticed by the next search.
fn differs_if_small(opened: &OpenedIndex, files: &MemoryFiles, now_ms: i64) -> bool {
    opened.index.snapshot().memories() <= SMALL_INDEX_MEMORIES
        && guarded(|| refresh::differs(&opened.index, files, now_ms)).unwrap_or(true)
}
