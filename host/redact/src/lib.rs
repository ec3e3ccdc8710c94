//! Removes secrets from text. Everything an adapter emits passes through here before it is archived, logged, indexed or
//! shown to a model, so a secret that this crate misses gets everywhere.
//!
//! One pass over the text searches for the literal keywords of all rules at once; a rule's pattern is tried only at its
//! keywords, anchored there. If the pass or a cheap check finds encoded text, it is decoded, scanned in turn, and
//! redacted at its place in the original. Time is linear in the text. Redacting twice changes nothing.

#[macro_use]
mod fragments;
mod armor;
mod assignment;
mod blobs;
mod calls;
mod chosen;
mod common;
mod counts;
mod dumps;
mod edits;
mod extent;
mod files;
mod forms;
mod judge;
mod keywords;
mod letters;
mod named;
mod names;
mod nearby;
mod numbers;
mod password;
mod paths;
mod personal;
mod phrases;
mod pieces;
mod positional;
mod printers;
mod random;
mod redactor;
mod rulebook;
mod rules;
mod seen;
mod spoken;
mod sql;
mod structures;
mod tables;
mod tokens;
mod value;
mod view;
mod vocabulary;
mod wallets;
mod work;

#[cfg(test)]
mod tests;

pub use counts::Counts;
pub use personal::{PersonalRedactor, TakenOut};
pub use redactor::{FoundSecret, Redacted, Redactor, RuleError};
pub use seen::SeenSecrets;

/// Returns the ids of all rules, in the order of their table.
pub fn rule_ids() -> impl Iterator<Item = &'static str> {
    rules::all().map(|rule| rule.id)
}
