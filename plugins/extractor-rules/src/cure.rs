//! Detects a failed command, the command that cured it, and the repetition of this cure. One occurrence may be an
//! accident; a cure that was needed twice in one session will be needed in the next.

use acreta_text::bounds;
use std::collections::VecDeque;

use crate::command::{Command, is_misuse};
use crate::draft::{Certainty, Draft, quote};

/// The cures of a session.
#[derive(Debug, Default)]
pub(crate) struct Cures(Vec<Cure>);

#[derive(Debug)]
struct Cure {
    failed: Command,
    worked: Command,
    /// The words that the cure removed and added.
    change: CommandChange,
    times: u32,
}

#[derive(Debug, PartialEq, Eq)]
struct CommandChange {
    gone: Vec<String>,
    new: Vec<String>,
}

impl Cures {
    /// Checks whether the successful command at `position` cures one that failed shortly before.
    pub(crate) fn look(&mut self, recent: &VecDeque<Command>, position: usize) {
        let worked = &recent[position];
        let before = recent.iter().take(position).rev().take(NEAR);
        let mut failed = before.filter(|command| command.failed && is_misuse(&command.complaint));
        let Some((failed, change)) =
            failed.find_map(|failed| Some((failed, change(&failed.line, &worked.line)?)))
        else {
            return;
        };
        if let Some(known) = self.0.iter_mut().find(|cure| cure.change == change) {
            // A failure is cured only once.
            known.times +=
                u32::from(known.failed.order != failed.order && known.worked.order != worked.order);
        } else if self.0.len() < MOST_CURES {
            self.0.push(Cure {
                failed: failed.clone(),
                worked: worked.clone(),
                change,
                times: 1,
            });
        }
    }

    /// Drafts the cures that were applied at least twice.
    pub(crate) fn drafts(&self) -> Vec<Draft> {
        self.0
            .iter()
            .filter(|cure| cure.times >= 2)
            .filter_map(Cure::draft)
            .take(MOST_TOLD)
            .collect()
    }
}

impl Cure {
    fn draft(&self) -> Option<Draft> {
        let (failed, worked) = (shown(&self.failed.line), shown(&self.worked.line));
        let complaint = acreta_text::head(self.failed.complaint.trim(), LONGEST_COMPLAINT)
            .replace(['`', '"'], "'");
        let long = format!("Run `{worked}`, not `{failed}`");
        let words = |words: &[String]| words.join(" ");
        let title = if long.chars().count() <= bounds::MADE_TITLE {
            long
        } else if self.change.gone.is_empty() {
            format!("`{}` needs `{}`", head(&failed), words(&self.change.new))
        } else if self.change.new.is_empty() {
            format!(
                "`{}` fails with `{}`",
                head(&failed),
                words(&self.change.gone)
            )
        } else {
            format!(
                "Use `{}`, not `{}`",
                words(&self.change.new),
                words(&self.change.gone)
            )
        };
        Draft {
            order: self.failed.order,
            place: CURE_PLACE,
            kind: "pitfall",
            title,
            body: format!(
                "`{failed}` fails with \"{complaint}\"; `{worked}` works. Seen {} times in one session.",
                self.times
            ),
            certainty: Certainty::Sure,
            evidence: vec![
                quote(&self.failed.result_id, &self.failed.complaint),
                quote(&self.worked.event_id, first_word(&self.worked.line)),
            ],
        }
        .checked()
    }
}

/// Returns the difference between two lines that run the same command; `None` if they are not alike.
fn change(failed: &str, worked: &str) -> Option<CommandChange> {
    let (old, new): (Vec<&str>, Vec<&str>) = (shown_words(failed), shown_words(worked));
    let only = |one: &[&str], other: &[&str]| -> Vec<String> {
        one.iter()
            .filter(|word| !other.contains(word))
            .map(|word| (*word).to_owned())
            .collect()
    };
    let change = CommandChange {
        gone: only(&old, &new),
        new: only(&new, &old),
    };
    let shared = old.len() - change.gone.len();
    let small = change.gone.len() + change.new.len() <= 3
        && !(change.gone.is_empty() && change.new.is_empty());
    // A different path or quoted text is different work, not another way to do it.
    let spelt = |word: &String| {
        word.len() <= 30 && !word.contains(['/', '"', '\'', '$', '(', ')', '*', '='])
    };
    (shared >= 1
        && small
        && is_same_work(&old, &new, &change)
        && change.gone.iter().chain(&change.new).all(spelt))
    .then_some(change)
}

/// Reports whether two commands do the same work: only flags differ, or only the words before the command.
fn is_same_work(old: &[&str], new: &[&str], change: &CommandChange) -> bool {
    let flags = change
        .gone
        .iter()
        .chain(&change.new)
        .all(|word| word.starts_with('-'));
    flags
        || (old.len() >= 2
            && new.len() >= 2
            && old.last() == new.last()
            && old.first() != new.first())
}

/// Returns the words of the command itself, without its folder and without filters of its output.
fn shown_words(line: &str) -> Vec<&str> {
    let part = line
        .split("&&")
        .map(str::trim)
        .find(|part| !part.starts_with("cd ") && !part.is_empty());
    let part = part.unwrap_or(line).split([';', '|']).next().unwrap_or("");
    part.split_whitespace()
        .take_while(|word| !word.starts_with("2>") && *word != ">")
        .collect()
}

fn shown(line: &str) -> String {
    acreta_text::head(&shown_words(line).join(" "), LONGEST_SHOWN)
        .trim_end()
        .to_owned()
}

fn head(line: &str) -> &str {
    let end = line
        .match_indices(' ')
        .nth(1)
        .map_or(line.len(), |(at, _)| at);
    &line[..end]
}

fn first_word(line: &str) -> &str {
    shown_words(line).first().copied().unwrap_or("")
}

const NEAR: usize = 4;
const MOST_CURES: usize = 32;
const MOST_TOLD: usize = 3;
const LONGEST_COMPLAINT: usize = 120;
const LONGEST_SHOWN: usize = 90;
const CURE_PLACE: usize = 2000;
