//! The pass over a text: keywords, then the rules of those keywords, then the replacement.
//! Overlapping finds become one, under the id of the rule that knows most.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

use regex::Regex;

use crate::Counts;
use crate::keywords::Keywords;
use crate::rules::RULES;
use crate::value::names_no_secret;

/// An allow-list entry that is no regular expression.
#[derive(Debug, thiserror::Error)]
#[error("`{entry}` is not a regular expression")]
pub struct RuleError {
    pub entry: String,
    #[source]
    pub cause: Box<dyn std::error::Error + Send + Sync>,
}

/// A text without its secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redacted<'a> {
    pub text: Cow<'a, str>,
    pub counts: Counts,
}

/// Takes secrets out of text. Made once and shared.
#[derive(Debug)]
pub struct Redactor {
    keywords: Keywords,
    /// Compiled when a keyword of theirs is first seen: most runs meet a few of them only.
    patterns: Vec<OnceLock<Regex>>,
    allowed: Vec<Regex>,
}

impl Redactor {
    /// `allow` lists values that are never redacted: as they are, or, between slashes, as a regular
    /// expression (`/test-[0-9]+/`). An entry covers a value only as a whole.
    pub fn new(allow: &[String]) -> Result<Self, RuleError> {
        let keywords = RULES
            .iter()
            .enumerate()
            .flat_map(|(index, rule)| rule.keywords.iter().map(move |keyword| (*keyword, index)));
        Ok(Self {
            keywords: Keywords::new(keywords),
            patterns: RULES.iter().map(|_| OnceLock::new()).collect(),
            allowed: allow
                .iter()
                .map(|entry| allowed(entry))
                .collect::<Result<_, _>>()?,
        })
    }

    /// `text` with every secret replaced by `[redacted:<rule>]`.
    pub fn redact<'a>(&self, text: &'a str) -> Redacted<'a> {
        let mut counts = Counts::default();
        let text = self.redact_into(text, &mut counts);
        Redacted { text, counts }
    }

    /// As [`Redactor::redact`], adding to counts that are already there.
    pub fn redact_into<'a>(&self, text: &'a str, counts: &mut Counts) -> Cow<'a, str> {
        let mut text = Cow::Borrowed(text);
        // Again where something was found: a secret that leaned on another stands free now.
        for _ in 0..ROUNDS {
            let finds = self.find(&text);
            if finds.is_empty() {
                break;
            }
            text = Cow::Owned(replaced(&text, &finds, counts));
        }
        text
    }

    /// All secrets in order, none overlapping another.
    fn find(&self, text: &str) -> Vec<Find> {
        let mut finds: Vec<Find> = Vec::new();
        self.keywords.find(text.as_bytes(), |at, rule| {
            if RULES[rule].before.holds(text.as_bytes(), at)
                && let Some(span) = self.try_rule(rule, text, at)
            {
                finds.push(Find { span, rule });
            }
        });
        if finds.len() > 1 {
            finds.sort_by_key(|find| (find.span.start, find.span.end));
            finds = merged(finds);
        }
        finds
    }

    /// The secret of one rule whose keyword starts at `at`.
    fn try_rule(&self, index: usize, text: &str, at: usize) -> Option<Range<usize>> {
        let rule = &RULES[index];
        let pattern = self.patterns[index].get_or_init(|| {
            Regex::new(&format!(r"\A(?:{})", rule.pattern))
                .expect("the tests compile every pattern of the table")
        });
        let captures = pattern.captures(&text[at..])?;
        let value = captures
            .iter()
            .skip(1)
            .flatten()
            .next()
            .or(captures.get(0))?;
        if (rule.named && names_no_secret(&text[at..at + value.start()]))
            || !rule.likeness.holds(value.as_str())
            || self
                .allowed
                .iter()
                .any(|allowed| allowed.is_match(value.as_str()))
        {
            return None;
        }
        Some(at + value.start()..at + value.end())
    }
}

/// More than any text needs that was not made to need them.
const ROUNDS: usize = 4;

#[derive(Debug)]
struct Find {
    span: Range<usize>,
    rule: usize,
}

fn replaced(text: &str, finds: &[Find], counts: &mut Counts) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut copied = 0;
    for find in finds {
        let id = RULES[find.rule].id;
        clean.push_str(&text[copied..find.span.start]);
        clean.push_str("[redacted:");
        clean.push_str(id);
        clean.push(']');
        copied = find.span.end;
        counts.record(id);
    }
    clean.push_str(&text[copied..]);
    clean
}

/// Joins finds that overlap; `finds` is sorted by start.
fn merged(finds: Vec<Find>) -> Vec<Find> {
    let mut merged: Vec<Find> = Vec::with_capacity(finds.len());
    for find in finds {
        match merged.last_mut() {
            Some(last) if find.span.start < last.span.end => {
                last.span.end = last.span.end.max(find.span.end);
                if RULES[last.rule].general && !RULES[find.rule].general {
                    last.rule = find.rule;
                }
            }
            _ => merged.push(find),
        }
    }
    merged
}

fn allowed(entry: &str) -> Result<Regex, RuleError> {
    let pattern = match entry
        .strip_prefix('/')
        .and_then(|rest| rest.strip_suffix('/'))
    {
        Some(pattern) => format!(r"\A(?:{pattern})\z"),
        None => format!(r"\A{}\z", regex::escape(entry)),
    };
    Regex::new(&pattern).map_err(|cause| RuleError {
        entry: entry.to_owned(),
        cause: cause.into(),
    })
}
