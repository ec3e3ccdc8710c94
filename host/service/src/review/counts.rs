//! Counts of waiting items. Counting compares all of memory, so each scope's counts are cached with the user's caches
//! until its memory changes. `status` and the reports of decisions count again if it did; the start of a session reads
//! the last counts, even if memory has changed since.

use acreta_fs::{Directory, NoFaults};
use acreta_store::{Layout, digest};
use serde::{Deserialize, Serialize};

use super::{ReviewCounts, ReviewKind, items};
use crate::process::clock::now_ms;
use crate::process::stamps::{self, TakenStamps};
use crate::projects::scopes::{self, MemoryScope};
use crate::remember::pending::{self, PendingState};
use crate::{Context, Failure};

const FILE_BYTES: u64 = 64 * 1024;

/// Maximum age: a text edited in place changes no folder.
const LONGEST_MS: u64 = 60 * 60 * 1000;

#[derive(Debug, Default, Serialize, Deserialize)]
struct KeptCount {
    stamps: TakenStamps,
    /// The threshold with which contradictions were found.
    update_overlap: f64,
    counts: ReviewCounts,
    /// Records of the catalog that waited when they were last counted.
    pending: ReviewCounts,
}

/// Counts the waiting items.
pub fn waiting(context: &Context) -> Result<ReviewCounts, Failure> {
    let mut total = ReviewCounts::default();
    for scope in scopes::browsed(context)? {
        if pending::are_shown_of(&scope.layout, context) {
            total.add(pending_of(&scope.layout, context)?);
        }
        if scope.layout.has_memory()? {
            total.add(of_scope(&scope, context)?);
        }
    }
    Ok(total)
}

/// Returns the counts of the last counting. Opens no database: every session start calls it.
pub(crate) fn last_counted(context: &Context) -> ReviewCounts {
    let mut total = ReviewCounts::default();
    let own = read(&context.layout(&context.project), context);
    total.add(own.unwrap_or_default().pending);
    for scope in scopes::browsed(context).unwrap_or_default() {
        total.add(read(&scope.layout, context).unwrap_or_default().counts);
    }
    total
}

pub(super) fn count(kinds: impl Iterator<Item = ReviewKind>) -> ReviewCounts {
    let mut counts = ReviewCounts::default();
    for kind in kinds {
        counts.total += 1;
        match kind {
            ReviewKind::Conflict => counts.conflicts += 1,
            ReviewKind::Proposal => counts.proposals += 1,
            ReviewKind::Pending => counts.pending += 1,
            ReviewKind::Untrusted => counts.untrusted += 1,
        }
    }
    counts
}

fn of_scope(scope: &MemoryScope, context: &Context) -> Result<ReviewCounts, Failure> {
    let update_overlap = context.config.float("decide.update_overlap");
    let before = read(&scope.layout, context).unwrap_or_default();
    if now_ms().abs_diff(before.stamps.looked_ms()) < LONGEST_MS
        && before.update_overlap.to_bits() == update_overlap.to_bits()
        && before.stamps.are_current(&stamps::of_memory(&scope.layout))
    {
        return Ok(before.counts);
    }
    let stamps = TakenStamps::take(|| stamps::of_memory(&scope.layout));
    let found = items::in_scope(scope, context)?;
    let kept = KeptCount {
        stamps,
        update_overlap,
        counts: count(found.iter().map(|one| one.item.kind)),
        pending: before.pending,
    };
    write(&kept, &scope.layout, context);
    Ok(kept.counts)
}

fn pending_of(layout: &Layout, context: &Context) -> Result<ReviewCounts, Failure> {
    let records = pending::records_of(layout, context)?;
    let waiting = records
        .iter()
        .filter(|one| one.state == PendingState::Waiting);
    let counts = count(waiting.map(|_| ReviewKind::Pending));
    let mut kept = read(layout, context).unwrap_or_default();
    if kept.pending != counts {
        kept.pending = counts;
        write(&kept, layout, context);
    }
    Ok(counts)
}

fn file(layout: &Layout) -> String {
    format!("{}.json", digest(layout.base().as_str()))
}

fn read(layout: &Layout, context: &Context) -> Option<KeptCount> {
    let folder = Directory::open(&context.home.review_counts(), NoFaults::shared()).ok()?;
    let text = folder.read_to_string(file(layout), FILE_BYTES).ok()?;
    serde_json::from_str(&text).ok()
}

fn write(kept: &KeptCount, layout: &Layout, context: &Context) {
    if let Ok(text) = serde_json::to_vec(kept) {
        // Only a cache: without it everything is counted once more.
        let _ =
            Directory::open_or_create_private(&context.home.review_counts(), NoFaults::shared())
                .and_then(|folder| folder.private().replace_unsynced(file(layout), &text));
    }
}

impl ReviewCounts {
    fn add(&mut self, other: Self) {
        self.total += other.total;
        self.conflicts += other.conflicts;
        self.proposals += other.proposals;
        self.pending += other.pending;
        self.untrusted += other.untrusted;
    }
}
