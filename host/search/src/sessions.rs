//! An index of archived sessions: one document for each passage of a conversation, and one for each session, with its
//! version. It is a cache that is built from the archive: whatever is wrong with it, it is thrown away and built again.
//!
//! ```text
//! claude/31f… @ rev 7   "Retry budget of the queue"      the session: one document
//!   user       e1       why does the queue give up?      a passage: who, when, which tool, which files
//!   tool       e2  Bash error: budget is used up
//! ```

mod document;
mod find;
mod tokenizer;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use acreta_fs::{Directory, FsError, Lock, LockError, Metadata, NoFaults};
use camino::{Utf8Path, Utf8PathBuf};
use tantivy::merge_policy::LogMergePolicy;
use tantivy::tokenizer::TextAnalyzer;
use tantivy::{Index, IndexReader, IndexSettings, IndexWriter, ReloadPolicy, TantivyError, Term};

use crate::SearchError;
use crate::opened::{damaged, guarded};
use crate::schema::tokenizers;
use crate::unsynced::{UnsyncedDirectory, close_to_others};
use document::{PASSAGE, SessionFields};
use tokenizer::PassageTokenizer;

pub use document::{IndexedSession, SessionAct, SessionHead, SessionPassage, written_line};
pub use find::{FoundPassage, FoundSession, SessionOrder, SessionQuery};

/// Memory of the writer. More makes fewer and larger segments.
const WRITER_BYTES: usize = 50_000_000;

/// Share of deleted documents with which a segment is written anew: they take room until then.
const MOST_DELETED: f32 = 0.3;

/// File that is locked by whoever writes the index, and the time in which a writer ends.
const LOCK: &str = "lock";
const WAIT: Duration = Duration::from_secs(120);

/// Large, since a hit's text is one of many in a conversation and compresses well with its neighbours.
const STORE_BLOCK_BYTES: usize = 16 * 1024;

/// File that tantivy replaces at each commit.
const META: &str = "meta.json";

/// Subfolder of the cache; named after the version of its format, so that another version does not open it.
const FOLDER: &str = "v1";

/// A searchable index of sessions.
pub struct SessionIndex {
    folder: Utf8PathBuf,
    opened: Mutex<OpenedSessions>,
}

#[derive(Clone)]
struct OpenedSessions {
    index: Index,
    reader: IndexReader,
    /// The newest commit that the reader has.
    seen: Arc<Mutex<Option<Metadata>>>,
    fields: SessionFields,
}

impl SessionIndex {
    /// Opens the index in a folder, or creates an empty one there.
    pub fn open(folder: &Utf8Path) -> Result<Self, SearchError> {
        let folder = Self::folder_in(folder);
        let opened = match guarded(|| OpenedSessions::open(&folder)) {
            Ok(opened) => opened,
            Err(_) => {
                let _lock = lock(&folder, WAIT)?;
                // Another process may have created it meanwhile.
                match guarded(|| OpenedSessions::open(&folder)) {
                    Ok(opened) => opened,
                    Err(_) => Self::create(&folder)?,
                }
            }
        };
        Ok(Self {
            folder,
            opened: Mutex::new(opened),
        })
    }

    /// Throws away what is in the folder, and creates an empty index.
    fn create(folder: &Utf8Path) -> Result<OpenedSessions, SearchError> {
        let of_disk = |cause| SearchError::Memory {
            path: folder.to_owned(),
            cause,
        };
        clear(folder).map_err(of_disk)?;
        Directory::open_or_create_private(folder, NoFaults::shared()).map_err(of_disk)?;
        let created = OpenedSessions::create(folder).map_err(|cause| engine(folder, cause))?;
        close(folder);
        Ok(created)
    }

    /// Returns the folder that the index has in the one it is opened with.
    pub fn folder_in(folder: &Utf8Path) -> Utf8PathBuf {
        folder.join(FOLDER)
    }

    /// Returns the folder of the index. What others put there goes when the index is thrown away.
    pub fn folder(&self) -> &Utf8Path {
        &self.folder
    }

    /// Throws the index away, with every byte of it. A deletion would only hide a session. Waits for a process that is writing:
    /// its commit would bring back what it read before.
    pub fn reset(&self) -> Result<(), SearchError> {
        let _lock = lock(&self.folder, WAIT)?;
        let opened = Self::create(&self.folder)?;
        *self.lock() = opened;
        Ok(())
    }

    /// Returns the sessions in the index, each with what the caller counted in it.
    pub fn heads(&self) -> Result<Vec<(SessionHead, String)>, SearchError> {
        self.read(|opened| opened.fields.heads(&opened.reader.searcher()))
    }

    /// Adds sessions, replacing those with the same key, and removes those with the keys `gone`. Another process may be
    /// doing so: then nothing changes, and the result is `false`.
    pub fn update(
        &self,
        sessions: impl IntoIterator<Item = IndexedSession>,
        gone: &[String],
    ) -> Result<bool, SearchError> {
        let _lock = match lock(&self.folder, Duration::ZERO) {
            Err(SearchError::Locked {
                cause: LockError::Busy { .. },
                ..
            }) => return Ok(false),
            lock => lock?,
        };
        let opened = self.opened();
        let written = guarded(|| {
            let mut writer = match opened.writer() {
                Err(TantivyError::LockFailure(..)) => return Ok(false),
                writer => writer?,
            };
            let key = |key: &str| Term::from_field_text(opened.fields.key, key);
            for gone in gone {
                writer.delete_term(key(gone));
            }
            for session in sessions {
                writer.delete_term(key(&session.head.key()));
                for document in opened.fields.documents(&session) {
                    writer.add_document(document)?;
                }
            }
            writer.commit()?;
            writer.wait_merging_threads()?;
            Ok(true)
        });
        close(&self.folder);
        written.map_err(|cause| engine(&self.folder, cause.0))
    }

    /// Answers a query, best session first or newest first.
    pub fn search(&self, query: &SessionQuery) -> Result<Vec<FoundSession>, SearchError> {
        self.read(|opened| find::find(&opened.reader.searcher(), &opened.fields, query))
    }

    /// Returns the number of documents, and in how many of them each term is.
    pub fn frequencies<'a>(
        &self,
        terms: impl Iterator<Item = &'a str> + Clone,
    ) -> Result<(u64, BTreeMap<String, u64>), SearchError> {
        self.read(|opened| {
            let searcher = opened.reader.searcher();
            let text = opened.fields.searched().text;
            let counted = terms.clone().map(|term| {
                let count = searcher.doc_freq(&Term::from_field_text(text, term))?;
                Ok((term.to_owned(), count))
            });
            let counted: tantivy::Result<_> = counted.collect();
            Ok((searcher.num_docs(), counted?))
        })
    }

    /// Reads the index; if it is damaged, it is thrown away, and the answer is that of an empty one.
    fn read<T>(
        &self,
        action: impl Fn(&OpenedSessions) -> tantivy::Result<T>,
    ) -> Result<T, SearchError> {
        let read = || {
            let opened = self.opened();
            opened.follow(&self.folder)?;
            action(&opened)
        };
        match guarded(read) {
            Ok(answer) => Ok(answer),
            Err(_) => {
                self.reset()?;
                guarded(|| action(&self.opened())).map_err(|cause| engine(&self.folder, cause.0))
            }
        }
    }

    fn opened(&self) -> OpenedSessions {
        self.lock().clone()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, OpenedSessions> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenedSessions {
    fn open(folder: &Utf8Path) -> tantivy::Result<Self> {
        let index = Index::open(UnsyncedDirectory::open(folder.as_std_path())?)?;
        let (schema, _) = SessionFields::schema();
        match index.schema() == schema {
            true => Self::new(index),
            false => Err(damaged()),
        }
    }

    fn create(folder: &Utf8Path) -> tantivy::Result<Self> {
        let (schema, _) = SessionFields::schema();
        let settings = IndexSettings {
            docstore_blocksize: STORE_BLOCK_BYTES,
            ..IndexSettings::default()
        };
        let builder = Index::builder().schema(schema).settings(settings);
        Self::new(builder.open_or_create(UnsyncedDirectory::open(folder.as_std_path())?)?)
    }

    fn new(mut index: Index) -> tantivy::Result<Self> {
        let tokenizers = tokenizers();
        tokenizers.register(PASSAGE, TextAnalyzer::from(PassageTokenizer::default()));
        index.set_tokenizers(tokenizers);
        let reader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()?;
        let (_, fields) = SessionFields::schema();
        Ok(Self {
            index,
            reader,
            seen: Arc::default(),
            fields,
        })
    }

    /// Loads what another process committed. To open all segments anew takes longer than most searches.
    fn follow(&self, folder: &Utf8Path) -> tantivy::Result<()> {
        let folder = Directory::open(folder, NoFaults::shared());
        // Stat before opening: a commit in between is loaded by the next search.
        let now = folder.and_then(|folder| folder.metadata(META)).ok();
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if now.is_none() || *seen != now {
            self.reader.reload()?;
            *seen = now;
        }
        Ok(())
    }

    fn writer(&self) -> tantivy::Result<IndexWriter> {
        let writer: IndexWriter = self.index.writer_with_num_threads(1, WRITER_BYTES)?;
        let mut policy = LogMergePolicy::default();
        policy.set_del_docs_ratio_before_merge(MOST_DELETED);
        writer.set_merge_policy(Box::new(policy));
        Ok(writer)
    }
}

/// Takes the lock of those who write the index in a folder; it lies beside the folder, and stays when the index is thrown away.
fn lock(folder: &Utf8Path, wait: Duration) -> Result<Lock, SearchError> {
    let beside = folder.parent().unwrap_or(folder);
    let beside = Directory::open_or_create_private(beside, NoFaults::shared());
    let locked = beside.map_err(LockError::from);
    let locked = locked.and_then(|beside| beside.lock(LOCK, wait));
    locked.map_err(|cause| SearchError::Locked {
        path: folder.to_owned(),
        cause,
    })
}

fn close(folder: &Utf8Path) {
    if let Ok(folder) = Directory::open(folder, NoFaults::shared()) {
        close_to_others(&folder);
    }
}

/// Removes a folder with all it holds.
fn clear(folder: &Utf8Path) -> Result<(), FsError> {
    let (Some(parent), Some(name)) = (folder.parent(), folder.file_name()) else {
        return Ok(());
    };
    let removed =
        Directory::open(parent, NoFaults::shared()).and_then(|parent| parent.remove_dir_all(name));
    match removed {
        Err(error) if !error.is_not_found() => Err(error),
        _ => Ok(()),
    }
}

fn engine(folder: &Utf8Path, cause: TantivyError) -> SearchError {
    SearchError::Engine {
        path: folder.to_owned(),
        cause,
    }
}
