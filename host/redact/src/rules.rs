//! The rules: which literal gives a secret away, and what the secret looks like from there on.
//! Flat tables by theme; beside [`crate::tokens::by_form`] nothing else decides what is a secret.
//!
//! A pattern is matched where a keyword starts, whatever the keyword's case. What its first group
//! holds is replaced; without a group the whole match is. So that time stays linear, every
//! repetition is bounded or stops at a character that lets the keyword stand before it
//! (see [`Before::RunStart`]). Quotes and ends of lines may be escaped to any depth.

use std::ops::Range;

use crate::value::{Before, Likeness};

#[macro_use]
mod parts;
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

/// All rules, in the order of their tables.
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
    /// Lower case, at least three bytes; looked for in any case.
    pub(crate) keywords: &'static [&'static str],
    pub(crate) before: Before,
    pub(crate) finder: Finder,
    /// Tells whether the match starts with a name that may say it is no secret: `token_id`, `secretName`.
    pub(crate) named: bool,
    pub(crate) likeness: Likeness,
    /// Knows the name beside the secret, not the secret: any other rule's id is preferred.
    pub(crate) general: bool,
    /// A token that its prefix gives away: it may be broken over lines and literals, or stand backwards.
    pub(crate) token: bool,
}

/// How a rule finds its secrets.
#[derive(Clone, Copy)]
pub(crate) enum Finder {
    Pattern(&'static str),
    /// Gets the text and where the keyword stands, and tells each secret's place.
    Code(Code),
}

type Code = fn(&str, Range<usize>, &mut dyn FnMut(Range<usize>));

impl std::fmt::Debug for Rule {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.id)
    }
}

/// The common case: a token that its prefix gives away.
const TOKEN: Rule = Rule {
    id: "",
    keywords: &[],
    before: Before::WordStart,
    finder: Finder::Pattern(""),
    named: false,
    likeness: Likeness::Any,
    general: false,
    token: true,
};

/// A secret that what stands before it gives away.
const CONTEXT: Rule = Rule {
    before: Before::Anything,
    token: false,
    ..TOKEN
};

/// A token by its prefix alone.
const fn token(id: &'static str, keywords: &'static [&'static str], pattern: &'static str) -> Rule {
    Rule {
        id,
        keywords,
        finder: Finder::Pattern(pattern),
        ..TOKEN
    }
}

/// A random value beside a vendor's name.
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
