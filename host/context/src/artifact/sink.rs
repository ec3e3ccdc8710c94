//! Where facts go as they are gathered: written in large pieces, so that a cold build holds few of
//! them at a time. Nothing but what later steps need of them stays in memory.

use std::collections::HashMap;

use acreta_symbols::Import;
use xxhash_rust::xxh3::xxh3_64;

use crate::ContextError;
use crate::answer::response::Reason;
use crate::artifact::facts::View;
use crate::artifact::store::Store;
use crate::scan::content::{Content, Job};
use crate::scan::tree::{FactsAt, mark};

/// Facts are written in pieces of this size.
pub(crate) const PIECE: usize = 1024 * 1024;

/// What is needed of new facts after they were written.
#[derive(Debug, Default)]
pub(crate) struct Fresh {
    pub(crate) imports: Vec<Import>,
    pub(crate) manifest: Option<String>,
    pub(crate) entry: Option<acreta_symbols::EntryKind>,
}

/// The file that facts go to.
#[derive(Debug, Clone, Default)]
pub(crate) struct FactsFile {
    pub(crate) name: String,
    pub(crate) bytes: u64,
}

/// What is done with facts that were gathered.
pub(crate) enum Keeping<'a> {
    /// Nothing is written.
    Nothing,
    Facts {
        store: &'a Store,
        file: FactsFile,
    },
}

/// What reading a file told, without its facts, which are written already.
#[derive(Debug, Default)]
pub(crate) struct Read {
    pub(crate) hash: Option<u64>,
    pub(crate) marks: u16,
    pub(crate) problem: Option<Reason>,
    pub(crate) facts: Option<FactsAt>,
}

/// Takes facts as they come and writes them in large pieces.
pub(crate) struct Sink<'a> {
    keeping: Keeping<'a>,
    pending: Vec<u8>,
}

impl<'a> Sink<'a> {
    pub(crate) fn new(keeping: Keeping<'a>) -> Self {
        Self {
            keeping,
            pending: Vec::new(),
        }
    }

    pub(crate) fn take(
        &mut self,
        job: &Job,
        content: Content,
        fresh: &mut HashMap<String, Fresh>,
    ) -> Result<Read, ContextError> {
        let mut read = Read {
            hash: content.hash,
            marks: content.marks,
            problem: content.problem,
            facts: None,
        };
        let (Some(facts), Keeping::Facts { file, .. }) = (content.facts, &mut self.keeping) else {
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
        let declared = View::new(&facts.bytes).declared();
        fresh.insert(
            job.path.clone(),
            Fresh {
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
        if let Keeping::Facts { store, file } = &self.keeping
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
            Keeping::Nothing => FactsFile::default(),
            Keeping::Facts { file, .. } => file,
        })
    }
}
