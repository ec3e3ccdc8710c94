//! Writes facts while they are gathered, in large chunks, so that a cold build holds few of them in memory. Only the
//! parts that later steps need stay in memory.

use std::collections::HashMap;

use acreta_symbols::Import;
use xxhash_rust::xxh3::xxh3_64;

use crate::ContextError;
use crate::answer::response::Reason;
use crate::artifact::facts::FactsView;
use crate::artifact::store::ArtifactStore;
use crate::scan::content::{FileContent, ReadJob};
use crate::scan::tree::{FactsAt, mark};

/// Chunk size for writing facts.
pub(crate) const PIECE: usize = 1024 * 1024;

/// The parts of new facts needed after they were written.
#[derive(Debug, Default)]
pub(crate) struct FreshFacts {
    pub(crate) imports: Vec<Import>,
    pub(crate) manifest: Option<String>,
    pub(crate) entry: Option<acreta_symbols::EntryPointKind>,
}

/// The file that facts are written to.
#[derive(Debug, Clone, Default)]
pub(crate) struct FactsFile {
    pub(crate) name: String,
    pub(crate) bytes: u64,
}

/// Destination of gathered facts.
pub(crate) enum FactsDestination<'a> {
    /// Facts are discarded.
    Discard,
    Facts {
        store: &'a ArtifactStore,
        file: FactsFile,
    },
}

/// Result of reading a file, without its facts, which are already written.
#[derive(Debug, Default)]
pub(crate) struct FileReadout {
    pub(crate) hash: Option<u64>,
    pub(crate) marks: u16,
    pub(crate) problem: Option<Reason>,
    pub(crate) facts: Option<FactsAt>,
}

/// Buffers facts and writes them in large chunks.
pub(crate) struct FactsSink<'a> {
    keeping: FactsDestination<'a>,
    pending: Vec<u8>,
}

impl<'a> FactsSink<'a> {
    pub(crate) fn new(keeping: FactsDestination<'a>) -> Self {
        Self {
            keeping,
            pending: Vec::new(),
        }
    }

    pub(crate) fn take(
        &mut self,
        job: &ReadJob,
        content: FileContent,
        fresh: &mut HashMap<String, FreshFacts>,
    ) -> Result<FileReadout, ContextError> {
        let mut read = FileReadout {
            hash: content.hash,
            marks: content.marks,
            problem: content.problem,
            facts: None,
        };
        let (Some(facts), FactsDestination::Facts { file, .. }) =
            (content.facts, &mut self.keeping)
        else {
            return Ok(read);
        };
        if facts.is_test {
            read.marks |= mark::TEST;
        }
        if facts.is_hollow {
            read.marks |= mark::HOLLOW;
        }
        if facts.entry.is_some() {
            read.marks |= mark::ENTRY;
        }
        read.facts = Some(FactsAt::default());
        if facts.bytes.is_empty() {
            return Ok(read);
        }
        let declared = FactsView::new(&facts.bytes).declared();
        fresh.insert(
            job.path.clone(),
            FreshFacts {
                imports: declared.imports,
                manifest: declared.manifest,
                entry: facts.entry,
            },
        );
        read.facts = Some(FactsAt {
            offset: file.bytes,
            bytes: facts.bytes.len() as u32,
            check: xxh3_64(&facts.bytes) as u32,
        });
        file.bytes += facts.bytes.len() as u64;
        self.pending.extend_from_slice(&facts.bytes);
        if self.pending.len() >= PIECE {
            self.flush()?;
        }
        Ok(read)
    }

    fn flush(&mut self) -> Result<(), ContextError> {
        if let FactsDestination::Facts { store, file } = &self.keeping
            && !self.pending.is_empty()
        {
            store.append_facts(&file.name, &self.pending)?;
            self.pending.clear();
        }
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Result<FactsFile, ContextError> {
        self.flush()?;
        Ok(match self.keeping {
            FactsDestination::Discard => FactsFile::default(),
            FactsDestination::Facts { file, .. } => file,
        })
    }
}
