//! Restores memories of an export as they were: id, text, evidence and state. A memory that is not restored is reported
//! with its reason, and one that is here already is left alone. What is restored counts as learnt here only if one of
//! this user's ledgers has it: an export can be forged like a repository.

use std::collections::BTreeSet;

use acreta_store::{
    Change, Memory, Sidecar, Snapshot, Words, adopt_ledger, check_text, is_id, is_memory_name,
    name_with_id,
};
use serde_json::Value;

use crate::error::RunError;
use crate::memory::files::ChangeCollector;
use crate::memory::planned::{contributions_of, milliseconds};
use crate::memory::workspace::instant;
use crate::memory::writable::WritableMemory;
use crate::people::notes::{NotesReport, RefusedNote};
use crate::run::report::{Action, ActionRecord, Counts};

impl WritableMemory {
    /// Writes memories of an export, each with its place in the file. `also` is memory of another scope, whose ids are
    /// not used twice. With `dry_run`, only reports what it would do.
    pub fn restore(
        &mut self,
        memories: Vec<(Memory, String)>,
        also: &Snapshot,
        dry_run: bool,
    ) -> Result<NotesReport, RunError> {
        let mut files = ChangeCollector::open(
            self.store.layout(),
            &self.snapshot.memories,
            &self.options.faults,
        )?;
        let (mut actions, mut refused, mut restored) = (Vec::new(), Vec::new(), Vec::new());
        let mut seen = BTreeSet::new();
        for (memory, place) in memories {
            let mut here = self.snapshot.iter().chain(also.iter());
            let judged = match here.find(|one| one.id == memory.id) {
                _ if !seen.insert(memory.id.clone()) => {
                    Err("has an id that came before".to_owned())
                }
                Some(here) if is_same(here, &memory) => Ok(Action::NoOp),
                Some(_) => Err("is here already, with another text, evidence or state".to_owned()),
                None => self.acceptable(&memory).map(|()| Action::Add),
            };
            let action = match judged {
                Ok(action) => action,
                Err(reason) => {
                    refused.push(RefusedNote {
                        title: memory.title().to_owned(),
                        place,
                        reason,
                    });
                    continue;
                }
            };
            let mut path = None;
            if action == Action::Add {
                let wanted = memory.path.with_file_name(self.file_name(&memory));
                path = Some(files.put_memory(None, wanted, &memory.text).to_string());
                let sidecar = Sidecar {
                    id: memory.id.clone(),
                    state: memory.state.clone(),
                    evidence: memory.evidence.clone(),
                };
                if sidecar.state.is_some() || sidecar.evidence.is_some() {
                    files.put_sidecar(memory.memory_type, &sidecar)?;
                }
            }
            actions.push(ActionRecord {
                candidate_id: None,
                action,
                memory_id: memory.id.clone(),
                title: memory.title().to_owned(),
                path,
                overlap: None,
                reason: place,
            });
            restored.push(memory);
        }
        let change = Change {
            run_id: self.run_id("import"),
            files: files.into_changes(),
        };
        if !dry_run && !change.files.is_empty() {
            let layout = self.store.layout();
            if layout.words_file().is_some() && Words::load(layout).repository().is_none() {
                adopt_ledger(layout)?;
            }
            self.store
                .commit_restored(self.lock()?, &change, &restored)?;
            self.read_again()?;
        }
        Ok(NotesReport {
            counts: Counts::of(&actions),
            actions,
            refused,
            pending: Vec::new(),
            dry_run,
        })
    }

    /// Applies the checks of a draft, and looks for secrets in everything that would be written.
    fn acceptable(&self, memory: &Memory) -> Result<(), String> {
        if !is_id(&memory.id) {
            return Err("has an id that is not a plain name".to_owned());
        }
        check_text(&memory.id, &memory.path, &memory.text)
            .map_err(|error| format!("cannot be written: {error}"))?;
        let sidecars = [
            serde_json::to_value(&memory.evidence),
            serde_json::to_value(&memory.state),
        ];
        let mut texts = vec![memory.text.as_str()];
        let sidecars: Vec<Value> = sidecars.into_iter().flatten().collect();
        sidecars
            .iter()
            .for_each(|value| add_texts(value, &mut texts));
        let mut redacted = texts
            .into_iter()
            .map(|text| self.options.redactor.redact(text));
        match redacted.find_map(|one| one.counts.iter().next().map(|(rule, _)| rule.to_owned())) {
            Some(rule) => Err(format!("contains a secret ({rule})")),
            None => Ok(()),
        }
    }

    /// Returns its own name, or one of its date and title if a person chose a name of another form.
    fn file_name(&self, memory: &Memory) -> String {
        let own = memory.path.file_name().unwrap_or_default();
        if is_memory_name(own) && !own.starts_with("00000000") {
            return own.to_owned();
        }
        let created = memory
            .front_matter
            .created
            .as_deref()
            .and_then(milliseconds);
        let date = instant(created.unwrap_or(self.options.now_ms)).strftime("%Y%m%d");
        let name = format!("{date}-{}.md", acreta_text::slug(memory.title()));
        name_with_id(&name, &memory.id)
    }
}

/// Reports whether a memory is already here as the export has it.
fn is_same(here: &Memory, exported: &Memory) -> bool {
    here.content_digest() == exported.content_digest()
        && here.status() == exported.status()
        && contributions_of(here) == contributions_of(exported)
}

/// Adds every text of a sidecar. Digests are random by nature, and no secrets.
fn add_texts<'a>(value: &'a Value, texts: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => {
            let is_digest = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
            if !is_digest {
                texts.push(text);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| add_texts(item, texts)),
        Value::Object(fields) => fields.values().for_each(|field| add_texts(field, texts)),
        _ => {}
    }
}
