//! The pass over a text: keywords, then the rules of those keywords, then decoded parts, and the replacement.
//! Overlapping finds are merged under the id of the most specific rule.

use std::borrow::Cow;
use std::ops::Range;

use regex::Regex;
use regex_lite::Regex as Pattern;
use sha2::{Digest as _, Sha256};

use crate::blobs::{self, DigitRun};
use crate::edits::{self, Mark};
use crate::keywords::Owner;
use crate::names::names_secret_property;
use crate::rulebook::RULEBOOK;
use crate::rules::Finder;
use crate::view::View;
use crate::{
    Counts, chosen, dumps, files, forms, numbers, printers, random, tokens, wallets, work,
};

/// An allow-list entry that is not a valid regular expression.
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

/// A secret and its range in the original text, encoded or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundSecret {
    pub range: Range<usize>,
    /// The id of the rule that found it.
    pub rule: &'static str,
}

/// Removes secrets from text. Created once and shared.
#[derive(Debug)]
pub struct Redactor {
    allowed: Vec<Regex>,
    is_strict: bool,
}

impl Redactor {
    /// `allow` lists values that are never redacted: literally, or, between slashes, as a regular expression
    /// (`/test-[0-9]+/`). An entry must match a whole value.
    pub fn new(allow: &[String]) -> Result<Self, RuleError> {
        let allowed = allow.iter().map(|entry| allowed(entry));
        Ok(Self {
            allowed: allowed.collect::<Result<_, _>>()?,
            is_strict: false,
        })
    }

    /// Returns a redactor for text that becomes memory or goes to others: also removes words that only look like a
    /// chosen secret. With the same allow-list.
    pub fn strict(&self) -> Self {
        Self {
            allowed: self.allowed.clone(),
            is_strict: true,
        }
    }

    /// Replaces every secret in `text` by `[redacted:<rule>]`.
    pub fn redact<'a>(&self, text: &'a str) -> Redacted<'a> {
        let mut counts = Counts::default();
        let text = self.redact_into(text, &mut counts);
        Redacted { text, counts }
    }

    /// Like [`Redactor::redact`], but adds to existing counts.
    pub fn redact_into<'a>(&self, text: &'a str, counts: &mut Counts) -> Cow<'a, str> {
        self.redact_noting(text, counts, &mut |_, _| {})
    }

    /// Like [`Redactor::redact_into`], and calls `note` with each secret as it is written and the id of its rule.
    pub(crate) fn redact_noting<'a>(
        &self,
        text: &'a str,
        counts: &mut Counts,
        note: &mut dyn FnMut(&str, &'static str),
    ) -> Cow<'a, str> {
        let mut text = Cow::Borrowed(text);
        // Repeats after a find: a secret next to another one may be recognisable only now. A chain of them that is longer than
        // any real one goes with the rest of its line, then of its paragraph, then with all that follows.
        for round in 0..2 * ROUNDS {
            let mut finds = self.find(&text);
            if finds.is_empty() {
                break;
            }
            let end = match round {
                0..ROUNDS => None,
                ROUNDS => Some("\n"),
                _ if round < ROUNDS + ROUNDS / 2 => Some("\n\n"),
                _ => Some("\0"),
            };
            if let Some(end) = end {
                finds = up_to(&text, finds, end);
            }
            for find in &finds {
                note(&text[find.range.clone()], find.rule);
            }
            text = Cow::Owned(replaced(&text, &finds, counts));
        }
        text
    }

    /// Redacts a text in place.
    pub fn clean(&self, text: &mut String) {
        if let Cow::Owned(clean) = self.redact_into(text, &mut Counts::default()) {
            *text = clean;
        }
    }

    /// Replaces an id that contains a secret by a hash of it: the same id always gets the same one, and different ids
    /// stay different.
    pub fn clean_id(&self, id: &mut String) {
        if !self.find(id).is_empty() {
            let hash = Sha256::digest(id.as_bytes());
            let hash: String = hash[..8].iter().map(|it| format!("{it:02x}")).collect();
            *id = format!("redacted-{hash}");
        }
    }

    /// Reports whether a command, or the arguments of a call, print a secret alone: a file that consists of one, or one
    /// that the command gets or makes.
    pub fn reads_secret(&self, command: &str) -> bool {
        files::reads_secret(command) || printers::prints_secret(command)
    }

    /// Like [`Redactor::redact_into`] for the output of such a command: also redacts words that are alone on their
    /// line.
    pub fn redact_contents<'a>(&self, text: &'a str, counts: &mut Counts) -> Cow<'a, str> {
        self.redact_contents_noting(text, counts, &mut |_, _| {})
    }

    /// Like [`Redactor::redact_contents`], and calls `note` as [`Redactor::redact_noting`] does.
    pub(crate) fn redact_contents_noting<'a>(
        &self,
        text: &'a str,
        counts: &mut Counts,
        note: &mut dyn FnMut(&str, &'static str),
    ) -> Cow<'a, str> {
        let mut finds = Vec::new();
        files::contents(text, |range| {
            if !self.is_allowed(&text[range.clone()]) {
                let rule = files::RULE;
                finds.push(FoundSecret { range, rule });
            }
        });
        if finds.is_empty() {
            return self.redact_noting(text, counts, note);
        }
        for find in &finds {
            note(&text[find.range.clone()], find.rule);
        }
        let text = replaced(text, &finds, counts);
        let clean = self.redact_noting(&text, counts, note).into_owned();
        Cow::Owned(clean)
    }

    /// Returns all secrets in order, without overlaps.
    pub fn find(&self, text: &str) -> Vec<FoundSecret> {
        let mut finds = Vec::new();
        self.scan(text, 0, &mut finds);
        if self.is_strict {
            chosen::find(text, &mut |span| {
                self.push_form(text, span, chosen::RULE, &mut finds)
            });
        }
        finds.retain(|find| !find.span.is_empty());
        if finds.len() > 1 {
            finds.sort_by_key(|find| (find.span.start, find.span.end));
            finds = self.merged(finds);
        }
        let found = |find: Find| FoundSecret {
            range: find.span,
            rule: RULEBOOK.rules[find.rule].id,
        };
        finds.into_iter().map(found).collect()
    }

    /// Adds the secrets of a text and of its decoded parts.
    fn scan(&self, text: &str, depth: usize, finds: &mut Vec<Find>) {
        let bytes = text.as_bytes();
        let mut marks: Vec<(usize, Mark)> = Vec::new();
        let mut keywords: Vec<usize> = Vec::new();
        let mut dumped: Vec<usize> = Vec::new();
        let mut numbers: Vec<usize> = Vec::new();
        let mut rotated: Vec<usize> = Vec::new();
        let mut is_mail = false;
        // Where rules that read far have read to.
        let mut far: Vec<(usize, usize)> = Vec::new();
        work::did(text.len());
        RULEBOOK
            .keywords
            .find(bytes, |at, length, owner| match owner {
                Owner::Rule(rule) => {
                    keywords.push(at);
                    let it = RULEBOOK.rules[rule];
                    if it.before.holds(bytes, at) && (it.needs)(&bytes[at..]) {
                        self.try_rule(rule, text, at, length, &mut far, finds);
                    }
                }
                Owner::Reversed(rule) => self.try_reversed(rule, text, at + length, finds),
                Owner::Encoding => {
                    is_mail |= matches!(bytes[at], b'=' | b'u' | b'U');
                    marks.extend(edits::mark(bytes, at).map(|mark| (at, mark)));
                }
                Owner::Escaped => marks.push((at, Mark::Hides)),
                Owner::Dump => dumped.push(at),
                Owner::Numbers => numbers.push(at),
                Owner::Rotated => rotated.push(at),
            });
        if depth == DEPTH {
            return;
        }
        edits::rare_places(bytes, |at| {
            marks.extend(edits::mark(bytes, at).map(|mark| (at, mark)));
        });
        if is_mail {
            edits::soft_breaks(bytes, |at| {
                marks.extend(edits::mark(bytes, at).map(|mark| (at, mark)));
            });
        }
        if !marks.is_empty() {
            marks.sort_unstable_by_key(|(at, _)| *at);
            keywords.sort_unstable();
            for window in edits::windows(text, &marks, &keywords) {
                if let Some(view) = edits::decoded(text, window) {
                    self.scan_view(&view, depth, finds);
                }
            }
        }
        let mut covered = 0;
        dumped.sort_unstable();
        for at in dumped {
            if at >= covered
                && let Some((view, end)) = dumps::decoded(text, at)
            {
                covered = end;
                self.scan_view(&view, depth, finds);
            }
        }
        let mut covered = 0;
        numbers.sort_unstable();
        for at in numbers {
            if at >= covered {
                let (view, end) = numbers::decoded(text, at);
                covered = end;
                if let Some(span) = wallets::key_pair(text, at) {
                    covered = span.end;
                    self.push_form(text, span, "wallet-key", finds);
                }
                if let Some(view) = view {
                    self.scan_view(&view, depth, finds);
                }
            }
        }
        let mut covered = 0;
        rotated.sort_unstable();
        for at in rotated {
            if at >= covered {
                let view = tokens::turned(text, at);
                covered = view.source(0..view.text.len()).end;
                self.scan_view(&view, DEPTH - 1, finds);
            }
        }
        let mut covered = 0;
        blobs::runs(bytes, |run| {
            if run.start < covered {
                return;
            }
            if let Some((span, id)) = forms::by_form(text, run.clone()) {
                self.push_form(text, span, id, finds);
            } else if let Some(span) = random::assigned(text, &run) {
                self.push_form(text, span, "secret-assignment", finds);
            }
            if !blobs::is_promising(&bytes[run.clone()]) {
                return;
            }
            let run = DigitRun::from(bytes, run);
            covered = run.source.end;
            for view in run.decoded(text) {
                self.scan_view(&view, depth, finds);
            }
        });
    }

    fn scan_view(&self, view: &View, depth: usize, finds: &mut Vec<Find>) {
        let first = finds.len();
        self.scan(&view.text, depth + 1, finds);
        for find in &mut finds[first..] {
            find.span = view.source(find.span.clone());
        }
    }

    /// Adds the secrets of one rule whose keyword starts at `at`.
    fn try_rule(
        &self,
        index: usize,
        text: &str,
        at: usize,
        length: usize,
        far: &mut Vec<(usize, usize)>,
        finds: &mut Vec<Find>,
    ) {
        let rule = RULEBOOK.rules[index];
        let mut found = |span: Range<usize>| {
            if !self.is_allowed(&text[span.clone()]) {
                finds.push(Find { span, rule: index });
            }
        };
        match rule.finder {
            Finder::Pattern(_) => {
                let span = self.matched(index, text, at);
                if rule.token
                    && let Some(span) = self.joined(index, text, at, span.as_ref())
                {
                    finds.push(Find { span, rule: index });
                }
                finds.extend(span.map(|span| Find { span, rule: index }));
            }
            Finder::Code(find) => find(text, at..at + length, &mut found),
            Finder::Far(find) => {
                let reached = far.iter().position(|(rule, _)| *rule == index);
                if reached.is_some_and(|it| at < far[it].1) {
                    return;
                }
                let end = find(text, at..at + length, &mut found);
                match reached {
                    Some(reached) => far[reached].1 = end,
                    None => far.push((index, end)),
                }
            }
        }
    }

    /// Joins a token from several pieces: as many as there are without words, else as few as make one.
    fn joined(
        &self,
        index: usize,
        text: &str,
        at: usize,
        first: Option<&Range<usize>>,
    ) -> Option<Range<usize>> {
        let joined = tokens::joined(text, at, first, false)?;
        if let Some(span) = self.matched(index, &joined.view.text, 0) {
            return Some(joined.view.source(span));
        }
        let joined = tokens::joined(text, at, first, true)?;
        joined.ends.iter().find_map(|end| {
            let span = self.matched(index, &joined.view.text[..*end], 0)?;
            Some(joined.view.source(span))
        })
    }

    fn matched(&self, index: usize, text: &str, at: usize) -> Option<Range<usize>> {
        let rule = RULEBOOK.rules[index];
        let Finder::Pattern(pattern) = rule.finder else {
            return None;
        };
        let pattern = RULEBOOK.patterns[index].get_or_init(|| {
            Pattern::new(&format!(r"\A(?:{pattern})"))
                .expect("the tests compile every pattern of the table")
        });
        work::did_match(index, &text.as_bytes()[at..]);
        let captures = pattern.captures(&text[at..])?;
        let value = captures
            .iter()
            .skip(1)
            .flatten()
            .next()
            .or(captures.get(0))?;
        if (rule.named && names_secret_property(&text[at..at + value.start()]))
            || !rule.likeness.holds(value.as_str())
            || self.is_allowed(value.as_str())
        {
            return None;
        }
        Some(at + value.start()..at + value.end())
    }

    /// Tries a token whose reversed keyword ends at `end`.
    fn try_reversed(&self, index: usize, text: &str, end: usize, finds: &mut Vec<Find>) {
        let Some(backwards) = tokens::reversed(text, end) else {
            return;
        };
        if let Some(span) = self.matched(index, &backwards, 0) {
            let span = end - span.end..end - span.start;
            finds.push(Find { span, rule: index });
        }
    }

    fn push_form(&self, text: &str, span: Range<usize>, id: &str, finds: &mut Vec<Find>) {
        let rule = RULEBOOK.rules.iter().position(|rule| rule.id == id);
        if let Some(rule) = rule
            && !self.is_allowed(&text[span.clone()])
        {
            finds.push(Find { span, rule });
        }
    }

    fn is_allowed(&self, value: &str) -> bool {
        self.allowed.iter().any(|allowed| allowed.is_match(value))
    }

    /// Merges overlapping finds; `finds` is sorted by start.
    fn merged(&self, finds: Vec<Find>) -> Vec<Find> {
        let mut merged: Vec<Find> = Vec::with_capacity(finds.len());
        for find in finds {
            match merged.last_mut() {
                Some(last) if find.span.start < last.span.end => {
                    last.span.end = last.span.end.max(find.span.end);
                    if RULEBOOK.rules[last.rule].general && !RULEBOOK.rules[find.rule].general {
                        last.rule = find.rule;
                    }
                }
                _ => merged.push(find),
            }
        }
        merged
    }
}

/// More than any text needs that was not constructed for it.
const ROUNDS: usize = 8;

/// Maximum depth of nested encodings.
const DEPTH: usize = 4;

#[derive(Debug)]
struct Find {
    span: Range<usize>,
    rule: usize,
}

/// Extends finds, which are in order, up to the next `end`, or to the end of the text.
fn up_to(text: &str, finds: Vec<FoundSecret>, end: &str) -> Vec<FoundSecret> {
    let mut lines: Vec<FoundSecret> = Vec::with_capacity(finds.len());
    for mut find in finds {
        let is_covered = lines
            .last()
            .is_some_and(|last| find.range.start < last.range.end);
        if !is_covered {
            let rest = &text[find.range.end..];
            find.range.end += rest.find(end).unwrap_or(rest.len());
            lines.push(find);
        }
    }
    lines
}

/// Replaces finds, which are in order and do not overlap.
pub(crate) fn replaced(text: &str, finds: &[FoundSecret], counts: &mut Counts) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut copied = 0;
    for find in finds {
        clean.push_str(&text[copied..find.range.start]);
        clean.push_str("[redacted:");
        clean.push_str(find.rule);
        clean.push(']');
        copied = find.range.end;
        counts.record(find.rule);
    }
    clean.push_str(&text[copied..]);
    clean
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
