//! The index of one scope's memory, and asking it. An answer is always what the files say: hits are
//! compared with the disk before they are given, and an index that cannot be used is built anew or,
//! where that cannot be, done without.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use acreta_fs::Faults;
use acreta_model::locked;
use acreta_store::Layout;
use camino::Utf8PathBuf;

use crate::changes::{Checked, Told, remove};
use crate::files::Files;
use crate::meaning::{Asked, Meaning};
use crate::opened::{
    BUILDING, CHECKED, Damaged, Due, Fault, LOCK, Opened, Place, TANTIVY, VECTORS_LOCK,
    begin_check, damaged, guarded, lock, open_on_disk, write_checked,
};
use crate::passage_index::PassageIndex;
use crate::refresh::{self, RefreshOutcome, Refreshed};
use crate::updating::Updating;
use crate::verify::{self, Answer};
use crate::weights::{COMPARED_AT_A_GLANCE, EMBEDDED_BY_REFRESH, EMBEDDED_BY_SEARCH};
use crate::{Embedded, Found, Query, SearchError, SentenceModel, Source};

/// One scope's memory, searchable. Opening it touches nothing.
pub struct MemoryIndex {
    layout: Layout,
    faults: Arc<dyn Faults>,
    opened: Mutex<Option<Arc<Opened>>>,
    /// Held by whoever brings it up to date, for all others in this process.
    pub(crate) updating: Updating,
    meaning: Option<Meaning>,
}

/// How often a search looks again after hits turned out to have changed.
const ROUNDS: usize = 3;

/// How long another thread or process that writes the index is waited for.
const OTHERS: Duration = Duration::from_secs(2);

impl MemoryIndex {
    pub fn new(layout: Layout, faults: Arc<dyn Faults>) -> Self {
        Self {
            layout,
            faults,
            opened: Mutex::new(None),
            updating: Updating::default(),
            meaning: None,
        }
    }

    /// The same, asked by meaning too. A model that fails is told about and done without.
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

    /// Answers a query. Takes in what the store told of changes. Compares everything with the disk when files were added,
    /// removed or replaced by others, or that was not done for a minute, or it takes no time; otherwise only the hits it
    /// gives. Writes nothing but the index.
    pub fn search(&self, query: &Query, now_ms: i64) -> Result<Found, SearchError> {
        let Some(files) = self.files()? else {
            return Ok(Found {
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
            let Answer { hits, changed } = match answer {
                Ok(answer) => answer,
                // A fresh index that cannot answer is not damaged: the fault lies elsewhere.
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
            return Ok(Found {
                hits: verify::with_fresh(hits, &changed, &files, query, now_ms),
                source: opened.source(),
                warning,
            });
        }
    }

    /// Compares everything with the disk now, and with its own checksums. With a model some passages
    /// get vectors; [`Self::embed`] goes on with the others.
    pub fn refresh(&self, now_ms: i64) -> Result<Refreshed, SearchError> {
        let Some(files) = self.files()? else {
            return Ok(Refreshed::nothing(RefreshOutcome::NoMemory));
        };
        let turn = self.updating.enter(OTHERS);
        let (opened, mut refreshed) = self.checked(&files, now_ms)?;
        drop(turn);
        refreshed.embedded = self.give_vectors(&opened, &files, EMBEDDED_BY_REFRESH);
        Ok(refreshed)
    }

    /// Gives vectors to at most so many passages that have none; nothing without a model. Takes as
    /// long as the model does, and nobody waits for it.
    pub fn embed(&self, at_most: usize, now_ms: i64) -> Result<Embedded, SearchError> {
        let Some(files) = self.files()? else {
            return Ok(Embedded::default());
        };
        let opened = match self.open(&files) {
            Ok(opened) => opened,
            Err(_) => self.checked(&files, now_ms)?.0,
        };
        Ok(self.give_vectors(&opened, &files, at_most))
    }

    pub(crate) fn files(&self) -> Result<Option<Files>, SearchError> {
        Files::open(&self.layout, &self.faults).map_err(|cause| SearchError::Memory {
            path: self.layout.base().to_owned(),
            cause,
        })
    }

    /// The index to ask, compared with the disk if that is due.
    fn current(&self, files: &Files, now_ms: i64) -> Result<Arc<Opened>, SearchError> {
        let ready = |may_be_late: bool| {
            let opened = self.open(files).ok();
            opened.filter(|opened| match opened.due(files, now_ms) {
                Due::Not => !differs_at_a_glance(opened, files, now_ms),
                Due::Sometime => may_be_late,
                Due::Told | Due::Now => false,
            })
        };
        if let Some(opened) = ready(false) {
            return Ok(opened);
        }
        let turn = self.updating.enter(Duration::ZERO).or_else(|| {
            // Somebody is at it. Who needs no more than an answer of a minute ago has one.
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
        let opened = match self.told(files, now_ms) {
            Some(opened) => opened,
            None => self.checked(files, now_ms)?.0,
        };
        drop(turn);
        self.give_vectors(&opened, files, EMBEDDED_BY_SEARCH);
        Ok(opened)
    }

    /// [`Self::ask`], if the model answers at once.
    pub(crate) fn ask_quickly(&self, files: &Files, query: &Query) -> Option<Asked<'_>> {
        let is_quick = self.meaning.as_ref().is_some_and(Meaning::is_quick);
        is_quick.then(|| self.ask(files, query).0)?
    }

    /// The index with what the store told of changes; `None` if everything is to be compared.
    pub(crate) fn told(&self, files: &Files, now_ms: i64) -> Option<Arc<Opened>> {
        let opened = self.open(files).ok()?;
        if opened.due(files, now_ms) != Due::Told {
            return None;
        }
        let _lock = lock(files, LOCK, OTHERS).ok()?;
        // Whoever had the lock before may have taken them in.
        let opened = self.open(files).ok()?;
        let told = Told::read(files);
        let mut checked = locked(&opened.checked).clone()?;
        if !told.is_whole() || !checked.follow(&told, files) {
            return None;
        }
        let taken_in = guarded(|| {
            opened.index.reload()?;
            let paths = told.paths(files, &opened.index.snapshot())?;
            refresh::some(&opened.index, files, &paths, now_ms)
        });
        if !matches!(taken_in, Ok(true)) {
            return None;
        }
        write_checked(files, CHECKED, &checked);
        told.forget(files);
        opened.note_written(files);
        *locked(&opened.checked) = Some(checked);
        Some(opened)
    }

    /// The question by its meaning, or why there is none to be had.
    fn ask(&self, files: &Files, query: &Query) -> (Option<Asked<'_>>, Option<String>) {
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

    /// Vectors for some passages that have none, unless another process is at that.
    fn give_vectors(&self, opened: &Opened, files: &Files, at_most: usize) -> Embedded {
        let Some(meaning) = &self.meaning else {
            return Embedded::default();
        };
        let (lock, at_most) = match lock(files, VECTORS_LOCK, Duration::ZERO) {
            Ok(lock) => (Some(lock), at_most),
            Err(Fault::Busy) => (None, 0),
            Err(_) => (None, at_most),
        };
        meaning.follow(&files.base);
        let base = lock.as_ref().map(|_| &files.base);
        let snapshot = opened.index.snapshot();
        guarded(|| meaning.embed(&snapshot, base, at_most)).unwrap_or_default()
    }

    /// The index, compared with everything on disk if nobody else is at it.
    pub(crate) fn checked(
        &self,
        files: &Files,
        now_ms: i64,
    ) -> Result<(Arc<Opened>, Refreshed), SearchError> {
        let Ok(opened) = self.open(files) else {
            return self.rebuilt(files, now_ms);
        };
        if !opened.is_on_disk() {
            return self.rebuilt(files, now_ms);
        }
        let wait = match opened.due(files, now_ms) {
            Due::Now | Due::Told => OTHERS,
            Due::Not | Due::Sometime => Duration::ZERO,
        };
        let lock = match lock(files, LOCK, wait) {
            Ok(lock) => lock,
            Err(Fault::Busy) => return Ok((opened, Refreshed::nothing(RefreshOutcome::Busy))),
            // What cannot be brought up to date cannot be trusted to find what is new.
            Err(_) => return self.rebuilt(files, now_ms),
        };
        let told = Told::read(files);
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
                told.forget(files);
                opened.note_checked(files, checked);
                Ok((opened, refreshed))
            }
            Err(_) => {
                drop(lock);
                self.rebuilt(files, now_ms)
            }
        }
    }

    /// An index built from nothing: on disk if it can be, else in memory.
    fn rebuilt(&self, files: &Files, now_ms: i64) -> Result<(Arc<Opened>, Refreshed), SearchError> {
        let built = match self.build_on_disk(files, now_ms) {
            // Whoever is at it may be done soon, and then there is nothing to build.
            Err(Fault::Busy) => {
                drop(lock(files, LOCK, OTHERS));
                match open_on_disk(files) {
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
                let looked = Checked::now(files, now_ms);
                let refreshed =
                    refresh::everything(&index, files, now_ms, RefreshOutcome::InMemory)
                        .map_err(|cause| self.engine(cause))?;
                let opened = Opened {
                    index,
                    place: Place::Memory,
                    checked: Mutex::new(Some(looked)),
                };
                (opened, refreshed)
            }
        };
        let opened = Arc::new(opened);
        *locked(&self.opened) = Some(Arc::clone(&opened));
        Ok((opened, refreshed))
    }

    fn build_on_disk(&self, files: &Files, now_ms: i64) -> Result<(Opened, Refreshed), Fault> {
        let _lock = lock(files, LOCK, Duration::ZERO)?;
        let base = &files.base;
        let unwritable = |_| Fault::Unwritable;
        // What was compared with the files is not what will be there.
        remove(base, CHECKED).map_err(unwritable)?;
        remove(base, BUILDING).map_err(unwritable)?;
        base.create_dir(BUILDING).map_err(unwritable)?;
        let folder = base.subdirectory(BUILDING).map_err(unwritable)?;
        let told = Told::read(files);
        let checked = begin_check(files, now_ms);
        let built = guarded(|| {
            let index = PassageIndex::create(Some(folder.path()))?;
            refresh::everything(&index, files, now_ms, RefreshOutcome::Rebuilt)
        });
        let refreshed = built.map_err(|_| Fault::Unwritable)?;
        // It comes into its place whole: nobody ever asks half an index.
        remove(base, TANTIVY).map_err(unwritable)?;
        base.rename(BUILDING, TANTIVY).map_err(unwritable)?;
        let opened = open_on_disk(files)?;
        told.forget(files);
        opened.note_checked(files, checked);
        Ok((opened, refreshed))
    }

    /// The index that is there, with what others committed meanwhile.
    pub(crate) fn open(&self, files: &Files) -> Result<Arc<Opened>, Fault> {
        let mut place = locked(&self.opened);
        if let Some(opened) = &*place {
            let usable = match &opened.place {
                Place::Memory => true,
                Place::Disk(seen) => opened.follow(files, &mut locked(seen)),
            };
            if usable {
                return Ok(Arc::clone(opened));
            }
        }
        *place = None;
        let opened = Arc::new(open_on_disk(files)?);
        *place = Some(Arc::clone(&opened));
        Ok(opened)
    }

    /// Takes changed files into the index; says whether it is worth asking again.
    fn read_again(
        &self,
        opened: &Opened,
        files: &Files,
        changed: &[Utf8PathBuf],
        now_ms: i64,
    ) -> bool {
        let _lock = match &opened.place {
            Place::Memory => None,
            Place::Disk(_) => match lock(files, LOCK, Duration::ZERO) {
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

/// Reports whether files are not as a small index knows them. Comparing a few hundred is cheap, so that even a
/// file that was written in place is seen by the next search.
fn differs_at_a_glance(opened: &Opened, files: &Files, now_ms: i64) -> bool {
    opened.index.snapshot().memories() <= COMPARED_AT_A_GLANCE
        && guarded(|| refresh::differs(&opened.index, files, now_ms)).unwrap_or(true)
}
