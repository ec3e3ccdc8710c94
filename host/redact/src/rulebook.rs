//! The compiled rules: the keywords of all of them, and their patterns.

use std::sync::{LazyLock, OnceLock};

use regex_lite::Regex as Pattern;

use crate::keywords::{Keywords, Owner};
use crate::rules::{self, Rule};
use crate::{dumps, edits, numbers, tokens};

/// The compiled rules. They are the same for every redactor, and most commands need none: so they are built once per
/// process, for the first text.
pub(crate) struct Rulebook {
    pub(crate) rules: Vec<&'static Rule>,
    pub(crate) keywords: Keywords,
    /// Compiled at the first occurrence of a keyword, by a crate that compiles fast: a run needs few of them, and each
    /// for a few bytes.
    pub(crate) patterns: Vec<OnceLock<Pattern>>,
}

/// Keywords of three bytes that are specific enough to be searched for in reverse.
const TELLING: &[&str] = &["cio", "eyj", "hf_", "r8_", "sg.", "sk-"];

pub(crate) static RULEBOOK: LazyLock<Rulebook> = LazyLock::new(Rulebook::new);

impl Rulebook {
    fn new() -> Self {
        let rules: Vec<&'static Rule> = rules::all().collect();
        let straight = rules.iter().enumerate().flat_map(|(index, rule)| {
            let owned = move |keyword: &&str| ((*keyword).to_owned(), Owner::Rule(index));
            rule.keywords.iter().map(owned)
        });
        let reversed = rules.iter().enumerate().filter(|(_, rule)| rule.token);
        let reversed = reversed.flat_map(|(index, rule)| {
            let backwards =
                move |keyword: &&str| (keyword.chars().rev().collect(), Owner::Reversed(index));
            let keywords = rule.keywords.iter();
            let telling = |it: &&&str| it.len() > 3 || TELLING.contains(it);
            keywords.filter(telling).map(backwards)
        });
        let marks = edits::MARKS
            .iter()
            .map(|mark| ((*mark).to_owned(), Owner::Encoding))
            .chain([(dumps::MARK.to_owned(), Owner::Dump)])
            .chain(
                numbers::MARKS
                    .iter()
                    .map(|mark| ((*mark).to_owned(), Owner::Numbers)),
            );
        let foreign = rules.iter().flat_map(|rule| rule.keywords);
        let foreign = foreign.filter(|word| !word.is_ascii());
        let foreign = foreign.map(|word| (edits::escaped(word), Owner::Escaped));
        let rotated = rules.iter().filter(|rule| rule.token);
        let rotated = rotated.flat_map(|rule| rule.keywords);
        let rotated = rotated
            .filter(|word| word.len() > 3 && word.contains(['_', '-']))
            .chain(&["password", "secret", "token="])
            .map(|word| (tokens::rotated(word), Owner::Rotated));
        Self {
            keywords: Keywords::new(
                straight
                    .chain(reversed)
                    .chain(marks)
                    .chain(foreign)
                    .chain(rotated),
            ),
            patterns: rules.iter().map(|_| OnceLock::new()).collect(),
            rules,
        }
    }
}
