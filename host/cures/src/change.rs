//! Compares a failed command with one that worked: is the second a correction of the first?

use crate::shell::{ShellCommand, ShellLine, is_option};
use crate::signature::Causes;
use crate::word_lists::word_list;

/// Maximum number of words that may differ.
const MOST_CHANGED: usize = 4;

/// Reports whether `worked` is `failed` with a correction that the failure calls for.
pub(crate) fn is_corrected(failed: &ShellLine, worked: &ShellLine, causes: &Causes) -> bool {
    let (old, new) = (failed.work(), worked.work());
    match (old.as_slice(), new.as_slice()) {
        ([old], [new]) => is_changed_rightly(old, new, causes),
        _ => false,
    }
}

/// Reports whether a line ends with all commands of another, in the same order.
pub(crate) fn includes(whole: &ShellLine, part: &ShellLine) -> bool {
    let (whole, part) = (whole.work(), part.work());
    !part.is_empty() && whole.ends_with(&part)
}

fn is_changed_rightly(old: &ShellCommand, new: &ShellCommand, causes: &Causes) -> bool {
    if old == new {
        return false;
    }
    let is_same_line = old.words == new.words;
    if is_same_line {
        // `GIT_EDITOR=true git rebase --continue`.
        return !new.environment.is_empty()
            && old
                .environment
                .iter()
                .all(|one| new.environment.contains(one));
    }
    if old.environment != new.environment {
        return false;
    }
    runs_otherwise(&old.words, &new.words)
        || has_known_verb(&old.words, &new.words, causes)
        || has_better_options(&old.words, &new.words, causes)
}

/// Reports whether another program runs the same arguments: `python x` and `python3 x`, `tsc` and `npx tsc`.
fn runs_otherwise(old: &[String], new: &[String]) -> bool {
    let (Some(program), Some(other)) = (old.first(), new.first()) else {
        return false;
    };
    if let Some(runner) = new.len().checked_sub(old.len()).filter(|more| *more > 0)
        && new.ends_with(old)
    {
        return word_list("runners").contains(&new[..runner].join(" ").as_str());
    }
    let is_alias = ALIASES
        .iter()
        .any(|names| names.contains(&program.as_str()) && names.contains(&other.as_str()));
    is_alias && old.len() > 1 && old[1..] == new[1..]
}

const ALIASES: &[&[&str]] = &[
    &["python", "python3", "py"],
    &["pip", "pip3"],
    &["docker-compose", "docker compose"],
    &["npm", "pnpm", "yarn", "bun"],
    &["node", "nodejs"],
    &["make", "gmake"],
    &["sed", "gsed"],
    &["timeout", "gtimeout"],
];

/// Reports whether an unknown verb was corrected: `rtk bun run test`, if rtk has no command `bun`, becomes `bun run
/// test` or `rtk test bun run test`.
fn has_known_verb(old: &[String], new: &[String], causes: &Causes) -> bool {
    let Some(verb) = old.get(1).filter(|verb| names(&causes.raw, verb)) else {
        return false;
    };
    let is_unwrapped = !is_option(verb) && new == &old[1..];
    let is_inserted = new.first() == old.first()
        && new.get(1).is_some_and(|word| !is_option(word))
        && new.get(2..) == old.get(1..);
    is_unwrapped || is_inserted
}

/// Reports whether options were added, or words that the failure complains about were removed or replaced.
fn has_better_options(old: &[String], new: &[String], causes: &Causes) -> bool {
    if old.first() != new.first() {
        return false;
    }
    let gone = only_in(old, new);
    let added = only_in(new, old);
    if gone.len() + added.len() > MOST_CHANGED || gone.len() + added.len() == 0 {
        return false;
    }
    let complained = |word: &&String| names(&causes.raw, word);
    let is_plain =
        |word: &&String| word.len() <= 40 && !word.contains(['/', '\\', ' ', '$', '*', '"', '\'']);
    let is_lesser = added
        .iter()
        .any(|word| word_list("narrowing").contains(&word.split('=').next().unwrap_or(word)));
    if is_lesser || !added.iter().all(is_plain) {
        return false;
    }
    match gone.as_slice() {
        [] => {
            // The value of a new option follows it.
            let is_option_or_value = |word: &&String| {
                let at = new.iter().position(|one| one == *word).unwrap_or(0);
                is_option(word)
                    || (at > 0 && is_option(&new[at - 1]) && added.contains(&&new[at - 1]))
            };
            added.iter().all(is_option_or_value) && added.iter().any(|word| is_option(word))
        }
        gone => {
            let are_options = gone.iter().chain(&added).all(|word| is_option(word));
            (are_options && gone.iter().any(complained))
                || (gone.iter().all(complained) && keeps_aim(old, new, gone, &added))
                || is_shortened_list(gone, &added, causes)
        }
    }
}

/// Reports whether the verb was replaced, or a plain word was left out. A different argument is a different goal.
fn keeps_aim(old: &[String], new: &[String], gone: &[&String], added: &[&String]) -> bool {
    let is_verb = old.get(1) == gone.first().copied()
        && new.get(1) == added.first().copied()
        && gone.len() == 1;
    let is_left_out = added.is_empty() && !gone.iter().any(|word| word.contains(['/', '\\', '.']));
    is_left_out || is_verb
}

/// Reports whether a list was shortened: `--json a,b,c` to `--json a,c` if the failure names `b`.
fn is_shortened_list(gone: &[&String], added: &[&String], causes: &Causes) -> bool {
    let ([gone], [added]) = (gone, added) else {
        return false;
    };
    let parts = |word: &str| word.split(',').map(str::to_owned).collect::<Vec<_>>();
    let (before, after) = (parts(gone), parts(added));
    let left: Vec<&String> = before.iter().filter(|part| !after.contains(part)).collect();
    before.len() > 1
        && !left.is_empty()
        && after.iter().all(|part| before.contains(part))
        && left.iter().all(|part| names(&causes.raw, part))
}

/// Reports whether a text contains a word: as a whole, or as the option of a longer word.
fn names(text: &str, word: &str) -> bool {
    let word = word.split('=').next().unwrap_or(word);
    word.len() >= 2
        && text
            .split(|one: char| one.is_whitespace() || "\"'`()[]<>,:;".contains(one))
            .any(|part| {
                part.trim_end_matches('.') == word
                    || (is_option(word) && part == word.trim_start_matches('-'))
            })
}

fn only_in<'a>(one: &'a [String], other: &[String]) -> Vec<&'a String> {
    one.iter().filter(|word| !other.contains(word)).collect()
}
