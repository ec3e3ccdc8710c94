//! Cuts answers to a token budget.

use acreta_text::count_tokens;

use crate::answer::response::Response;

/// Shortens lists until the answer has at most `budget` tokens. Fields that cannot be shortened stay, so a very small
/// budget is exceeded.
pub(crate) fn fit(response: Response, budget: usize) -> Response {
    if count_tokens(&response.to_json()) <= budget {
        return response;
    }
    let (mut low, mut high) = (0, STEPS);
    let mut best = cut(&response, 0);
    while low < high {
        let middle = (low + high).div_ceil(2);
        let candidate = cut(&response, middle);
        if count_tokens(&candidate.to_json()) <= budget {
            low = middle;
            best = candidate;
        } else {
            high = middle - 1;
        }
    }
    best
}

const STEPS: usize = 64;

/// Cuts each list to its share of `step` out of [`STEPS`]. With a query, the lists of the overview get half the share of
/// the matches.
fn cut(response: &Response, step: usize) -> Response {
    let mut response = response.clone();
    response.truncated = true;
    let share = |length: usize| (length * step).div_ceil(STEPS);
    if let Some(delta) = &mut response.delta {
        delta.files.truncate(share(delta.files.len()));
        if let Some(dependents) = &mut delta.dependents {
            dependents.files.truncate(share(dependents.files.len()));
        }
    }
    response
        .stats
        .skipped
        .truncate(share(response.stats.skipped.len()));
    let has_matches = response.matches.is_some();
    if let Some(slice) = &mut response.slice {
        // With a task, the general overview matters less.
        let share = |length: usize| {
            let length = share(length);
            if has_matches { length / 2 } else { length }
        };
        slice.entry_points.truncate(share(slice.entry_points.len()));
        slice.hot_paths.truncate(share(slice.hot_paths.len()));
        slice.top_imports.truncate(share(slice.top_imports.len()));
        slice.commands.truncate(share(slice.commands.len()));
        slice.tests.truncate(share(slice.tests.len()));
        slice.languages.truncate(share(slice.languages.len()));
    }
    if let Some(matches) = &mut response.matches {
        matches.truncate(share(matches.len()));
        if step * 2 < STEPS {
            matches.iter_mut().for_each(|found| found.segments.clear());
        }
    }
    response
}
