//! Secrets out of text. Everything an adapter emits passes through here before it is archived,
//! logged, indexed or shown to a model, so what this crate misses is everywhere.
//!
//! One pass over the text looks for the literal keywords of all rules at once; a rule's pattern is
//! tried only where one of its keywords stands, anchored there. Time is linear in the text.
//! Redacting twice changes nothing.

mod counts;
mod keywords;
mod redactor;
mod rules;
mod value;

#[cfg(test)]
mod tests;

pub use counts::Counts;
pub use redactor::{Redacted, Redactor, RuleError};

/// The ids of all rules, in the order of their table.
pub fn rule_ids() -> impl Iterator<Item = &'static str> {
    rules::RULES.iter().map(|rule| rule.id)
}
