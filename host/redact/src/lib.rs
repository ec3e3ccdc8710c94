//! Secrets out of text. Everything an adapter emits passes through here before it is archived,
//! logged, indexed or shown to a model, so what this crate misses is everywhere.
//!
//! One pass over the text looks for the literal keywords of all rules at once; a rule's pattern is
//! tried only where one of its keywords stands, anchored there. Where the pass or a cheap look says that
//! something is encoded, it is decoded, looked at in turn, and redacted where it stands in the original.
//! Time is linear in the text. Redacting twice changes nothing.

mod assignment;
mod blobs;
mod calls;
mod common;
mod counts;
mod dumps;
mod edits;
mod files;
mod forms;
mod judge;
mod keywords;
mod letters;
mod named;
mod names;
mod numbers;
mod phrases;
mod redactor;
mod rulebook;
mod rules;
mod spoken;
mod sql;
mod structures;
mod tables;
mod tokens;
mod value;
mod view;

#[cfg(test)]
mod tests;

pub use counts::Counts;
pub use redactor::{Found, Redacted, Redactor, RuleError};

/// The ids of all rules, in the order of their table.
pub fn rule_ids() -> impl Iterator<Item = &'static str> {
    rules::all().map(|rule| rule.id)
}
