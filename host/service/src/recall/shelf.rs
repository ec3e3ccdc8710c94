//! The memories that may be recalled, found through the index without updating it.

use std::collections::BTreeSet;
use std::sync::Arc;

use acreta_fs::NoFaults;
use acreta_search::{Filter, Freshness, Hit, MemoryIndex, Query};
use acreta_store::{Layout, Memory, SHORT_ID, Store, WordsFile, telling_part};
use acreta_types::{MemoryType, Status, Trust};

use super::gate::Vocabulary;
use crate::find::short_ids::ShortIds;
use crate::process::clock::now_ms;
use crate::projects::scopes::{self, MemoryScope};
use crate::{Context, Failure};

/// Maximum number of files that are compared with their index at once.
const FEW_FILES: usize = 400;

/// Number of passages embedded in the background after a prompt, if there is a sentence model: a few seconds of work.
const EMBEDDED: usize = 2048;

/// Folders whose memory files are counted.
const FOLDERS: [&str; 2] = ["memory/decisions", "memory/learnings"];

/// The scopes that commands use.
pub(crate) struct Shelf {
    scopes: Vec<ScopeOnShelf>,
    /// Number of memories in the indexes.
    memories: u64,
    pub(crate) needs_refresh: bool,
}

struct ScopeOnShelf {
    layout: Layout,
    index: Arc<MemoryIndex>,
    store: Store,
    words: WordsFile,
}

/// A hit and its scope.
pub(crate) struct ShelfHit {
    scope: usize,
    pub(crate) hit: Hit,
}

/// A query for memories.
pub(crate) struct ShelfQuery<'a> {
    pub(crate) text: String,
    pub(crate) types: &'a [MemoryType],
    pub(crate) kinds: &'a [&'a str],
    pub(crate) limit: usize,
    pub(crate) words_only: bool,
}

impl Shelf {
    pub(crate) fn open(context: &Context) -> Result<Self, Failure> {
        let mut on_shelf = Vec::new();
        for scope in scopes::configured(context)? {
            let index = scope.index(context);
            on_shelf.push(ScopeOnShelf {
                index,
                store: Store::open(scope.layout.clone(), NoFaults::shared())?,
                words: WordsFile::new(&scope.layout),
                layout: scope.layout,
            });
        }
        Ok(Self {
            scopes: on_shelf,
            memories: 0,
            needs_refresh: false,
        })
    }

    /// Returns the best hits of each scope.
    pub(crate) fn look(&mut self, looked: &ShelfQuery<'_>) -> Result<Vec<ShelfHit>, Failure> {
        let now = i64::try_from(now_ms()).unwrap_or(i64::MAX);
        let query = Query {
            limit: looked.limit,
            words_only: looked.words_only,
            filter: Filter {
                types: looked.types.iter().copied().collect(),
                kinds: looked.kinds.iter().map(|&kind| kind.to_owned()).collect(),
                // Accounts of sessions have no trust of their own; `take` looks at what was found.
                trusts: Trust::ALL
                    .into_iter()
                    .filter(|trust| {
                        *trust >= Trust::Grounded || looked.types.contains(&MemoryType::Summary)
                    })
                    .collect(),
                statuses: BTreeSet::from([Status::Active]),
                ..Filter::default()
            },
            ..Query::new(looked.text.clone())
        };
        let mut hits = Vec::new();
        for (number, scope) in self.scopes.iter().enumerate() {
            let mut peeked = scope.index.peek(&query, now)?;
            if peeked.freshness != Freshness::Fresh {
                if has_few_files(&scope.layout) && scope.index.try_refresh(now)? {
                    peeked = scope.index.peek(&query, now)?;
                } else {
                    self.needs_refresh |= peeked.freshness == Freshness::Outdated;
                }
            }
            self.memories += peeked.memories;
            // The model is not prepared, or has not embedded some memories yet.
            let mut hits_of_scope = peeked.hits.iter();
            self.needs_refresh |= !looked.words_only
                && scope.index.has_model()
                && hits_of_scope.any(|hit| hit.closeness.is_none());
            let found = peeked.hits.into_iter();
            hits.extend(found.map(|hit| ShelfHit { scope: number, hit }));
        }
        Ok(hits)
    }

    /// Returns how common terms are in all scopes.
    pub(crate) fn vocabulary<'a>(
        &self,
        terms: impl Iterator<Item = &'a str> + Clone,
    ) -> Result<Vocabulary, Failure> {
        let mut vocabulary = Vocabulary {
            memories: self.memories,
            ..Vocabulary::default()
        };
        for scope in &self.scopes {
            for (term, frequency) in scope.index.frequencies(terms.clone())? {
                *vocabulary.frequencies.entry(term).or_default() += frequency;
            }
        }
        Ok(vocabulary)
    }

    /// Returns short ids of these memories, unique among all in the indexes.
    pub(crate) fn short_ids(&self, wanted: &[(usize, Memory)]) -> Result<ShortIds, Failure> {
        let start = |id: &str| {
            let part = telling_part(id);
            part.get(..SHORT_ID).unwrap_or(part).to_uppercase()
        };
        let starts: BTreeSet<String> = wanted.iter().map(|(_, memory)| start(&memory.id)).collect();
        let mut ids = Vec::new();
        for scope in &self.scopes {
            let alike = scope.index.ids()?.into_iter();
            ids.extend(alike.filter(|id| starts.contains(&start(id))));
        }
        let wanted = wanted.iter().map(|(_, memory)| memory.id.as_str());
        Ok(ShortIds::new(ids.iter().map(String::as_str).chain(wanted)))
    }

    /// Returns the current memory of a hit; `None` if it was removed, is untrusted, stale or superseded.
    pub(crate) fn take(&self, hit: &ShelfHit) -> Result<Option<Memory>, Failure> {
        let scope = &self.scopes[hit.scope];
        let (words, of, path) = (&scope.words, hit.hit.memory_type, &hit.hit.path);
        let memory = scope.store.read_with(words, of, path)?;
        Ok(memory.filter(|memory| {
            let is_doubtful = memory.state.as_ref().is_some_and(|state| {
                state.stale || state.rejected || state.superseded_by.is_some()
            });
            let is_account = memory.memory_type == MemoryType::Summary;
            memory.status() == Status::Active
                && !is_doubtful
                && (is_account || memory.trust() >= Trust::Grounded)
        }))
    }

    /// Leaves out the older of two memories that contradict each other.
    pub(crate) fn without_outdated(
        &self,
        memories: Vec<(usize, Memory)>,
        context: &Context,
    ) -> Vec<(usize, Memory)> {
        let update_overlap = context.config.float("decide.update_overlap");
        let mut outdated = BTreeSet::new();
        for (number, scope) in self.scopes.iter().enumerate() {
            let own = memories.iter().filter(|(of, _)| *of == number);
            let own = own.map(|(_, memory)| memory);
            let conflicts = acreta_pipeline::conflicts(own, &scope.layout, update_overlap);
            let certain = conflicts.into_iter().filter(|conflict| conflict.is_certain);
            outdated.extend(certain.map(|conflict| conflict.older.id));
        }
        let stays = |memory: &Memory| !outdated.contains(&memory.id);
        let memories = memories.into_iter();
        memories.filter(|(_, memory)| stays(memory)).collect()
    }
}

impl ShelfHit {
    pub(crate) fn scope(&self) -> usize {
        self.scope
    }
}

/// Returns whether a memory has so few files that a hook has time to look at all of them.
pub(crate) fn has_few_files(layout: &Layout) -> bool {
    let folders = FOLDERS.iter().map(|folder| layout.base().join(folder));
    let entries = folders.filter_map(|folder| folder.read_dir_utf8().ok());
    entries.flatten().take(FEW_FILES + 1).count() <= FEW_FILES
}

/// Compares the indexes for recall with their files, unless another process is doing so.
pub(crate) fn refresh(context: &Context) -> Result<(), Failure> {
    let now = i64::try_from(now_ms()).unwrap_or(i64::MAX);
    for scope in scopes::configured(context)? {
        let index = MemoryScope::index(&scope, context);
        index.try_refresh(now)?;
        index.embed(EMBEDDED, now)?;
    }
    Ok(())
}
