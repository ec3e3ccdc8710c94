//! Checks on an adapter's description of itself.

use std::collections::BTreeSet;

use super::super::{Outcome, Reason, ensure, failed};
use super::{Root, Subject};

pub(super) fn answers<S: Subject>(subject: &S) -> Outcome<S::Error> {
    let description = subject.describe()?;
    Ok(format!(
        "reads `{}` in {} roots",
        description.agent,
        description.roots.len()
    ))
}

pub(super) fn stable<S: Subject>(subject: &S) -> Outcome<S::Error> {
    let (first, second) = (subject.describe()?, subject.describe()?);
    ensure(first == second, "twice the same", || {
        format!("first {first:?}, then {second:?}")
    })?;
    Ok("twice the same".to_owned())
}

pub(super) fn agent_name<S: Subject>(subject: &S) -> Outcome<S::Error> {
    let agent = subject.describe()?.agent;
    let is_name = is_plain(&agent) && !agent.contains('_');
    ensure(is_name, "small letters, digits and hyphens", || {
        format!("`{agent}`")
    })?;
    Ok(format!("`{agent}`"))
}

pub(super) fn root_names<S: Subject>(subject: &S) -> Outcome<S::Error> {
    let roots = subject.describe()?.roots;
    // An adapter without roots reads only files that a person names.
    let mut names = BTreeSet::new();
    for root in &roots {
        let name = &root.name;
        ensure(is_plain(name), "a plain name", || format!("root `{name}`"))?;
        ensure(names.insert(name), "unique names", || {
            format!("two roots `{name}`")
        })?;
        check_places(root)?;
    }
    Ok(format!("{} roots", roots.len()))
}

fn check_places<E>(root: &Root) -> Result<(), Reason<E>> {
    let Root {
        name,
        candidates,
        patterns,
        ..
    } = root;
    for (what, list) in [("candidates", candidates), ("patterns", patterns)] {
        ensure(!list.is_empty(), &format!("at least one of {what}"), || {
            format!("root `{name}` has no {what}")
        })?;
    }
    if let Some(candidate) = candidates.iter().find(|candidate| !is_place(candidate)) {
        return Err(failed(
            "candidates as `~/…`, `$VARIABLE/…`, `<config>/…` or `<data>/…`",
            format!("root `{name}` may lie at `{candidate}`"),
        ));
    }
    let is_pattern = |pattern: &str| {
        !pattern.is_empty()
            && !pattern.starts_with('/')
            && pattern.split('/').all(|part| part != "..")
    };
    match patterns.iter().find(|pattern| !is_pattern(pattern)) {
        Some(pattern) => Err(failed(
            "patterns relative to the root",
            format!("root `{name}` has the pattern `{pattern}`"),
        )),
        None => Ok(()),
    }
}

/// Reports whether a candidate is a path inside a person's own directory, not the directory itself.
fn is_place(candidate: &str) -> bool {
    let Some((start, rest)) = candidate.split_once('/') else {
        // A variable may name the folder itself.
        return is_variable(candidate);
    };
    let is_start = matches!(start, "~" | "<config>" | "<data>") || is_variable(start);
    let is_part = |part: &str| !part.is_empty() && part != "." && part != "..";
    is_start && rest.split('/').all(is_part)
}

fn is_variable(text: &str) -> bool {
    let name = text.strip_prefix('$').unwrap_or_default();
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !name.is_empty() && name.bytes().all(is_letter)
}

pub(super) fn root_reasons<S: Subject>(subject: &S) -> Outcome<S::Error> {
    let roots = subject.describe()?.roots;
    for Root { name, reason, .. } in &roots {
        let trimmed = reason.trim();
        let is_sentence = !trimmed.is_empty()
            && trimmed.chars().count() <= REASON
            && !trimmed.contains('\n')
            && !trimmed.chars().any(is_hidden);
        ensure(
            is_sentence,
            "one plain sentence of at most 300 characters",
            || format!("root `{name}` says `{reason}`"),
        )?;
    }
    Ok(format!("{} roots with reasons", roots.len()))
}

/// Maximum length of a reason, in characters.
const REASON: usize = 300;

/// Reports whether a name has 1 to 64 lower-case letters, digits, hyphens and underscores.
fn is_plain(name: &str) -> bool {
    let plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_');
    (1..=64).contains(&name.len()) && name.bytes().all(plain)
}

/// Reports whether a character changes how text looks without being visible itself; joiners are spelling. The host has
/// the same rule; a test there compares the two.
pub fn is_hidden(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' => true,
        '\u{2028}'..='\u{202e}' => true,
        '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{e0000}'..='\u{e01ef}' => true,
        other => other.is_control(),
    }
}
