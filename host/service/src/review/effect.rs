//! The effect of a decision for people: a sentence per memory, and the difference of the text that people read.

use acreta_lead::MemoryEffect;
use acreta_store::{Memory, Status, Trust};
use similar::TextDiff;

use super::{ActionEffect, FileDiff, ReviewAction};

/// Lines around a difference.
const AROUND: usize = 3;

pub(super) fn of(action: ReviewAction, effects: &[MemoryEffect]) -> ActionEffect {
    ActionEffect {
        action,
        summary: effects.iter().filter_map(sentence).collect(),
        files: effects.iter().map(file).collect(),
        problem: None,
    }
}

/// An effect on no file.
pub(super) fn saying(action: ReviewAction, sentence: &str) -> ActionEffect {
    ActionEffect {
        action,
        summary: vec![sentence.to_owned()],
        files: Vec::new(),
        problem: None,
    }
}

pub(super) fn impossible(action: ReviewAction, problem: String) -> ActionEffect {
    ActionEffect {
        action,
        summary: Vec::new(),
        files: Vec::new(),
        problem: Some(problem),
    }
}

fn sentence(effect: &MemoryEffect) -> Option<String> {
    let title = &effect.title;
    let text = match (&effect.before, effect.status) {
        (_, _) if effect.rejected => {
            format!("“{title}” leaves memory; the same evidence does not bring it back")
        }
        (_, Status::Archived) => format!("“{title}” goes into the archive"),
        (_, Status::Superseded) => format!("“{title}” is superseded: readable, and not used"),
        (None, _) => format!("“{title}” becomes a memory, confirmed by you"),
        (Some(before), Status::Active) if effect.confirmed => match before.trust() {
            Trust::Confirmed => format!("“{title}” is confirmed by you"),
            trust => format!("“{title}” becomes confirmed ({} until now)", trust.name()),
        },
        (Some(_), Status::Active) => format!("“{title}” stays"),
    };
    Some(text)
}

fn file(effect: &MemoryEffect) -> FileDiff {
    let before = effect.before.as_deref().map(readable).unwrap_or_default();
    let after = match effect.status {
        Status::Archived => String::new(),
        _ => match Memory::parse(
            effect.memory_type,
            effect.path.clone().into(),
            effect.text.clone(),
        ) {
            Ok(memory) => readable(&memory),
            Err(_) => effect.text.clone(),
        },
    };
    FileDiff {
        path: effect.path.clone(),
        diff: diff(&before, &after),
    }
}

/// The text that people read: kind, tags and body.
fn readable(memory: &Memory) -> String {
    let kind = match memory.kind() {
        "" => memory.memory_type.name(),
        kind => kind,
    };
    let tags = memory.front_matter.tags.join(", ");
    let tags = if tags.is_empty() {
        String::new()
    } else {
        format!(" · {tags}")
    };
    format!("{kind}{tags}\n\n{}\n", memory.body().trim())
}

/// A unified difference without its heads; empty where nothing differs.
fn diff(before: &str, after: &str) -> String {
    let diff = TextDiff::from_lines(before, after);
    let mut text = String::new();
    for (number, group) in diff.grouped_ops(AROUND).iter().enumerate() {
        if number > 0 {
            text.push_str(" …\n");
        }
        for change in group
            .iter()
            .flat_map(|operation| diff.iter_changes(operation))
        {
            let sign = match change.tag() {
                similar::ChangeTag::Delete => '-',
                similar::ChangeTag::Insert => '+',
                similar::ChangeTag::Equal => ' ',
            };
            text.push(sign);
            text.push_str(change.value().trim_end_matches('\n'));
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_shows_lines_with_signs_and_leaves_out_the_middle() {
        let middle = "x\n".repeat(9);
        let table = [
            ("a\n".to_owned(), "a\n".to_owned(), String::new()),
            (String::new(), "a\nb\n".to_owned(), "+a\n+b\n".to_owned()),
            ("a\n".to_owned(), String::new(), "-a\n".to_owned()),
            (
                "a\nb".to_owned(),
                "a\nc".to_owned(),
                " a\n-b\n+c\n".to_owned(),
            ),
            (
                format!("a\n{middle}b\n"),
                format!("c\n{middle}d\n"),
                "-a\n+c\n x\n x\n x\n …\n x\n x\n x\n-b\n+d\n".to_owned(),
            ),
        ];
        for (before, after, expected) in table {
            assert_eq!(diff(&before, &after), expected);
        }
    }
}
