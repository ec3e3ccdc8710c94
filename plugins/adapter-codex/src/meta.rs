//! The session's description in the first record of a file.

use acreta_sdk::adapter::json::{Text, Value};
use acreta_sdk::adapter::time::instant;

use crate::record::Record;

/// The description of a thread, wrapped (`session_meta`) or bare.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Meta<'a>(Value<'a>);

/// Location of the beginning of a forked thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Base {
    /// Suffix of the name of its file.
    pub(crate) rollout: String,
    /// The part of that file that belongs to the fork: bytes, and records by their number.
    pub(crate) end_offset: u64,
    pub(crate) end_ordinal: u64,
}

/// Relation of a thread to the one it came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    Subagent,
    Fork,
}

impl<'a> Meta<'a> {
    /// Returns `None` if the record is not a description.
    pub(crate) fn of(record: &Record<'a>) -> Option<Self> {
        let is_meta = record.is("session_meta") && record.is_wrapped() || record.is_bare_header();
        is_meta.then(|| Self(record.content()))
    }

    pub(crate) fn id(self) -> Option<String> {
        self.text("id")
    }

    pub(crate) fn directory(self) -> Option<String> {
        self.text("cwd")
    }

    pub(crate) fn version(self) -> Option<String> {
        self.text("cli_version")
    }

    pub(crate) fn branch(self) -> Option<String> {
        self.0.field("git")?.text_of("branch").map(decoded)
    }

    pub(crate) fn started_ms(self) -> Option<u64> {
        self.0.field("timestamp").and_then(instant)
    }

    /// Reports whether only another agent talks to this one.
    pub(crate) fn is_subagent(self) -> bool {
        let source = self.0.field("source");
        let is_started_by_tooling = source.is_some_and(|source| {
            source.field("subagent").is_some() || source.field("internal").is_some()
        });
        is_started_by_tooling
            || self.0.text_of("parent_thread_id").is_some()
            || self
                .0
                .text_of("thread_source")
                .is_some_and(|source| source.is("subagent"))
    }

    /// Returns the thread's relation to the one it came from, if any, and that one's id if it is known.
    pub(crate) fn relation(self) -> Option<(Relation, Option<String>)> {
        if self.is_subagent() {
            let spawned = self.0.field("source").and_then(|source| {
                let spawn = source.field("subagent")?.field("thread_spawn")?;
                spawn.text_of("parent_thread_id")
            });
            let parent = self.text("parent_thread_id");
            let parent = parent.or_else(|| spawned.map(decoded));
            return Some((Relation::Subagent, parent));
        }
        let parent = self.text("forked_from_id");
        let parent = parent.or_else(|| self.base().map(|base| base.rollout))?;
        Some((Relation::Fork, Some(parent)))
    }

    /// Returns the first number of a subagent's own records; earlier ones are its parent's.
    pub(crate) fn own_from(self) -> Option<u64> {
        self.0.field("subagent_history_start_ordinal")?.number()
    }

    pub(crate) fn base(self) -> Option<Base> {
        let base = self.0.field("history_base")?;
        let number = |name: &str| base.field(name).and_then(Value::number);
        Some(Base {
            rollout: base.text_of("thread_id").map(decoded)?,
            end_offset: number("end_byte_offset").unwrap_or(u64::MAX),
            end_ordinal: number("end_ordinal_exclusive").unwrap_or(u64::MAX),
        })
    }

    fn text(self, name: &str) -> Option<String> {
        let text = self.0.text_of(name).map(decoded)?;
        (!text.is_empty()).then_some(text)
    }
}

fn decoded(text: Text<'_>) -> String {
    text.lossy().into_owned()
}
