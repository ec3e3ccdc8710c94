//! A reviewer's decision: an amendment or a note that is previewed before it is made and can be undone. Every memory
//! that stays in use becomes `confirmed`.

use std::sync::Arc;

use acreta_store::{Memory, Status, Word, Words};
use acreta_types::MemoryType;
use serde::{Deserialize, Serialize};

use crate::error::RunError;
use crate::memory::former::FormerFiles;
use crate::memory::planned::{PlannedMemory, TextChange};
use crate::memory::writable::WritableMemory;
use crate::memory::write::PreparedChange;
use crate::people::amend::{Amendment, refused};
use crate::people::notes::{Note, NoteSource};

/// The effect of a decision, made or only planned.
#[derive(Debug, Clone)]
pub struct Decided {
    pub message: String,
    pub effects: Vec<MemoryEffect>,
    /// `None` for a preview, and if nothing changed.
    pub reversal: Option<Reversal>,
}

/// One memory before and after a decision.
#[derive(Debug, Clone)]
pub struct MemoryEffect {
    /// The current memory; `None` for a new one.
    pub before: Option<Arc<Memory>>,
    pub memory_type: MemoryType,
    pub id: String,
    pub title: String,
    /// Path after the decision, relative to the memory root.
    pub path: String,
    /// Its whole file after the decision.
    pub text: String,
    pub status: Status,
    /// A person rejected it.
    pub rejected: bool,
    /// The user endorses it after the decision.
    pub confirmed: bool,
}

/// Data for undoing a decision. It contains the user's endorsements, so it belongs in the user's state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reversal {
    files: FormerFiles,
    words: Vec<FormerWord>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct FormerWord {
    memory: String,
    word: Option<Word>,
}

impl WritableMemory {
    /// Decides on a memory. Changes nothing in a preview.
    pub fn decide(&mut self, id: &str, amendment: &Amendment) -> Result<Decided, RunError> {
        let mut change = self.plan_amendment(id, amendment)?;
        if let Amendment::Accept(_) = amendment {
            for planned in &mut change.planned {
                planned.confirms |= matches!(planned.text, TextChange::Written(_));
            }
        }
        let prepared = self.prepare_amendment(&change)?;
        self.finish(&change.planned, &prepared, change.message.to_owned())
    }

    /// Creates a memory from a person's note. Changes nothing in a preview.
    pub fn decide_note(&mut self, note: Note) -> Result<Decided, RunError> {
        let change = self.plan_notes(vec![note], &NoteSource::Person)?;
        if let Some(one) = change.refused.first() {
            return Err(refused(format!("not remembered: it {}", one.reason)));
        }
        let action = change.plan.actions.first();
        let message = action.map_or(String::new(), |action| action.reason.clone());
        self.finish(&change.plan.planned, &change.prepared, message)
    }

    /// Undoes a decision: restores files and endorsements. Fails if a file changed since.
    pub fn take_back(&mut self, reversal: &Reversal) -> Result<(), RunError> {
        let change = reversal.files.change_back(self.run_id("undo"));
        if !change.files.is_empty() {
            self.store.commit(self.lock()?, &change)?;
        }
        let words = reversal.words.iter();
        let words: Vec<(&str, Option<&Word>)> = words
            .map(|former| (former.memory.as_str(), former.word.as_ref()))
            .collect();
        self.store.put_back_words(self.lock()?, &words)?;
        self.read_again()
    }

    fn finish(
        &mut self,
        planned: &[PlannedMemory],
        prepared: &PreparedChange,
        message: String,
    ) -> Result<Decided, RunError> {
        let effects = planned.iter().map(|one| self.effect(one, prepared));
        let mut decided = Decided {
            message,
            effects: effects.collect(),
            reversal: None,
        };
        if self.lock().is_err() || !prepared.changes_something() {
            return Ok(decided);
        }
        let mut files = FormerFiles::default();
        files.add(&self.options, &prepared.change)?;
        let known = Words::load(self.store.layout());
        let words = prepared.words.keys().map(|memory| FormerWord {
            memory: memory.clone(),
            word: known.about(memory).find(|word| word.by.is_none()).cloned(),
        });
        decided.reversal = Some(Reversal {
            files,
            words: words.collect(),
        });
        self.commit(prepared)?;
        Ok(decided)
    }

    fn effect(&self, planned: &PlannedMemory, prepared: &PreparedChange) -> MemoryEffect {
        let path = &prepared.paths[&planned.id];
        let layout = self.store.layout();
        let mut files = prepared.change.files.iter();
        let file = files.find(|file| layout.in_memory(&file.path) == Some(path));
        let written = file.and_then(|file| file.new.as_ref());
        let text = written.map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let mut memories = self.snapshot.memories.iter();
        let before = memories.find(|memory| memory.id == planned.id).cloned();
        let said = || before.as_ref().map(|memory| memory.text.clone());
        MemoryEffect {
            memory_type: planned.memory_type,
            id: planned.id.clone(),
            title: planned.title().to_owned(),
            path: path.to_string(),
            text: text.or_else(said).unwrap_or_default(),
            status: planned.state.status,
            rejected: planned.state.rejected,
            confirmed: planned.confirms,
            before,
        }
    }
}
