//! Describes the effect of a decision: a sentence per memory, and the difference of the readable text.

use super::{ActionEffect, FileDiff, ReviewAction};
use crate::remember::diff::diff;
use acreta_pipeline::MemoryEffect;
use acreta_store::{Memory, Status, Trust};

pub(super) fn of(action: ReviewAction, effects: &[MemoryEffect]) -> ActionEffect {
    ActionEffect {
        action,
        summary: effects.iter().filter_map(sentence).collect(),
        files: effects.iter().map(file).collect(),
        problem: None,
    }
}

/// Returns an effect that changes no file.
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

/// Returns the readable text: kind, tags and body.
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
