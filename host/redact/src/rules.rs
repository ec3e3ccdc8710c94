//! The rules: the literals that indicate a secret, and the pattern of the secret from there on. Flat tables by theme;
//! apart from [`crate::tokens::by_form`] nothing else decides what is a secret.
//!
//! A pattern is matched at the start of a keyword, ignoring the keyword's case. Its first group is replaced; without a
//! group the whole match is. To keep time linear, every repetition is bounded or stops at a character that may precede
//! the keyword (see [`Before::RunStart`]). Quotes and line breaks may be escaped to any depth.

use std::ops::Range;

use crate::value::{Before, Likeness};

mod addresses;
mod blocks;
mod clouds;
mod commands;
mod hosts;
mod models;
mod names;
mod services;
mod systems;
mod vendors;

/// Returns all rules, in the order of their tables.
pub(crate) fn all() -> impl Iterator<Item = &'static Rule> {
    [
        blocks::RULES,
        clouds::RULES,
        hosts::RULES,
        models::RULES,
        services::RULES,
        vendors::RULES,
        commands::RULES,
        addresses::RULES,
        systems::RULES,
        names::RULES,
    ]
    .into_iter()
    .flatten()
}

pub(crate) struct Rule {
    pub(crate) id: &'static str,
    /// Lower case, at least three bytes; matched in any case.
    pub(crate) keywords: &'static [&'static str],
    pub(crate) before: Before,
    /// A cheap look at the text from the keyword on: true wherever the pattern may match. Matching costs hundreds of
    /// times as much.
    pub(crate) needs: fn(&[u8]) -> bool,
    pub(crate) finder: Finder,
    /// The match starts with a name that may rule out a secret: `token_id`, `secretName`.
    pub(crate) named: bool,
    pub(crate) likeness: Likeness,
    /// Identifies the name next to the secret, not the secret: any other rule's id is preferred.
    pub(crate) general: bool,
    /// A token identified by its prefix: it may be split over lines and literals, or be reversed.
    pub(crate) token: bool,
}

/// Takes the range of each secret.
pub(crate) type Report<'a> = &'a mut dyn FnMut(Range<usize>);

/// Method by which a rule finds its secrets.
#[derive(Clone, Copy)]
pub(crate) enum Finder {
    Pattern(&'static str),
    /// Gets the text and the range of the keyword, and reports the range of each secret.
    Code(fn(&str, Range<usize>, Report<'_>)),
    /// As `Code`, for one that reads far: returns the end of what needs no other look. Keywords before it are left out,
    /// or each byte of a text full of them would be read thousands of times.
    Far(fn(&str, Range<usize>, Report<'_>) -> usize),
}

impl std::fmt::Debug for Rule {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.id)
    }
}

/// The common case: a token identified by its prefix.
const TOKEN: Rule = Rule {
    id: "",
    keywords: &[],
    before: Before::WordStart,
    needs: |_| true,
    finder: Finder::Pattern(""),
    named: false,
    likeness: Likeness::Any,
    general: false,
    token: true,
};

/// A secret identified by the text before it.
const CONTEXT: Rule = Rule {
    before: Before::Anything,
    token: false,
    ..TOKEN
};

/// Builds a rule for a token identified by its prefix alone.
const fn token(id: &'static str, keywords: &'static [&'static str], pattern: &'static str) -> Rule {
    Rule {
        id,
        keywords,
        finder: Finder::Pattern(pattern),
        ..TOKEN
    }
}

/// Builds a rule for a random value next to a vendor's name.
const fn beside(
    id: &'static str,
    keywords: &'static [&'static str],
    pattern: &'static str,
) -> Rule {
    Rule {
        id,
        keywords,
        finder: Finder::Pattern(pattern),
        likeness: Likeness::Random(2.8),
        ..CONTEXT
    }
}
