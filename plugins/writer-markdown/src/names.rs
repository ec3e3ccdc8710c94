//! File names within one draft. No two actions get the same name, even ignoring case; an existing file keeps its name.

use std::collections::BTreeSet;
use std::path::{Component, Path};

use acreta_sdk::memory_writer::{Action, Failure};
use acreta_text::slug;

use crate::front_matter::ActionContent;
use crate::time::UtcTime;

#[derive(Debug)]
pub(crate) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// Reserves every action's current path before the first new name is assigned.
    pub(crate) fn reserving(actions: &[Action]) -> Result<Self, Failure> {
        let mut taken = BTreeSet::new();
        for action in actions {
            let Some(target) = &action.target else {
                continue;
            };
            if !is_plain(target) {
                return Err(refusal(action, "which is not a path below the draft"));
            }
            if !taken.insert(target.to_lowercase()) {
                return Err(refusal(action, "which is another action's target as well"));
            }
        }
        Ok(Self { taken })
    }

    /// Assigns `<folder>/<date>-<slug>.md`, for summaries with the time; then `-2`, `-3`, ….
    pub(crate) fn give(
        &mut self,
        folder: &str,
        content: &ActionContent<'_>,
        created: &UtcTime,
    ) -> String {
        let stamp = match content {
            ActionContent::Memory(_) => created.compact_date(),
            ActionContent::Summary(_) => created.compact_date_and_time(),
        };
        let stem = format!("{folder}/{stamp}-{}", slug(content.title()));
        let mut path = format!("{stem}.md");
        let mut number = 2;
        while !self.taken.insert(path.to_lowercase()) {
            path = format!("{stem}-{number}.md");
            number += 1;
        }
        path
    }
}

fn is_plain(path: &str) -> bool {
    !path.is_empty()
        && Path::new(path)
            .components()
            .all(|component| matches!(component, Component::Normal(_)))
}

fn refusal(action: &Action, reason: &str) -> Failure {
    let target = action.target.as_deref().unwrap_or_default();
    Failure {
        code: "invalid-target".to_owned(),
        message: format!("action `{}` has the target `{target}`, {reason}", action.id),
        retryable: false,
    }
}
