//! The review queue of the invented world. Decisions remove items, undo restores the last ones.

use acreta_server::api::*;

use super::texts::HOSTILE;
use super::world::{Memory, World};
use super::{belongs, scope_of};

/// Returns all undecided items, most urgent first.
pub(crate) fn items(world: &World, project: &str) -> Vec<ReviewItem> {
    let active = |memory: &&Memory| {
        belongs(memory, project)
            && memory.detail.row.status == Status::Active
            && memory.detail.row.memory_type != MemoryType::Summary
    };
    let memories: Vec<&Memory> = world.memories.iter().filter(active).collect();
    let mut items = Vec::new();
    if let [older, newer, ..] = memories.as_slice() {
        items.push(conflict(newer, older));
    }
    let proposed = memories
        .iter()
        .filter(|memory| !memory.detail.proposals.is_empty());
    items.extend(proposed.take(3).map(|memory| proposal(memory, project)));
    if !memories.is_empty() {
        items.extend((0..3).map(|number| pending(number, world.now_ms)));
    }
    let untrusted = memories
        .iter()
        .filter(|memory| memory.detail.row.trust == Trust::Untrusted);
    items.extend(untrusted.take(40).map(|memory| waiting(memory, project)));
    let decided: Vec<&String> = world.decided.iter().flatten().collect();
    items.retain(|item| !decided.contains(&&item.id));
    items
}

pub(crate) fn counts(items: &[ReviewItem]) -> ReviewCounts {
    let of = |kind| items.iter().filter(|item| item.kind == kind).count() as u64;
    ReviewCounts {
        total: items.len() as u64,
        conflicts: of(ReviewKind::Conflict),
        proposals: of(ReviewKind::Proposal),
        pending: of(ReviewKind::Pending),
        untrusted: of(ReviewKind::Untrusted),
    }
}

pub(crate) fn past(world: &World) -> Vec<PastDecision> {
    let last = world.decided.last().into_iter().flatten();
    last.map(|id| PastDecision {
        id: id.clone(),
        action: "accept".to_owned(),
        title: format!("What {id} said"),
        at_ms: world.now_ms,
    })
    .collect()
}

pub(crate) fn detail(item: ReviewItem, now_ms: u64) -> ReviewDetail {
    let quote = HOSTILE[item.title.len() % HOSTILE.len()];
    let turn = |role: &str, text: &str, quoted| Turn {
        event_id: format!("e{}", text.len()),
        role: role.to_owned(),
        at_ms: Some(now_ms),
        text: text.to_owned(),
        quoted,
    };
    let said = format!("{} Let us keep it that way: {quote}", item.title);
    let effects = item.actions.iter().filter(|one| !one.needs_keep);
    ReviewDetail {
        evidence: vec![ReviewEvidence {
            agent: "claude".to_owned(),
            session_id: "session-0001".to_owned(),
            event_id: "e1".to_owned(),
            role: "user".to_owned(),
            at_ms: Some(now_ms),
            quote: said.clone(),
            turns: vec![
                turn(
                    "assistant",
                    "The retries hide the real failure. Shall I make it give up after three tries, with `backoff` in between?",
                    false,
                ),
                turn("user", &said, true),
                turn(
                    "assistant",
                    "Done: **three tries**, then the dead letter box.\n\n- `backoff` in between\n- a warning in the log",
                    false,
                ),
            ],
        }],
        effects: effects.map(|one| effect(&item, one.action)).collect(),
        alike: vec![AlikeMemory {
            id: super::world::id(7),
            title: "A memory that is worded alike".to_owned(),
        }],
        item,
    }
}

pub(crate) fn effect(item: &ReviewItem, action: ReviewAction) -> ActionEffect {
    let (sentence, sign) = match action {
        ReviewAction::Accept => ("becomes confirmed (untrusted until now)", '+'),
        ReviewAction::Reject => (
            "leaves memory; the same evidence does not bring it back",
            '-',
        ),
        ReviewAction::Edit => ("is confirmed by you in your words", '+'),
        ReviewAction::Merge => ("goes into the archive", '-'),
        ReviewAction::Supersede => ("is superseded: readable, and not used", ' '),
    };
    let body = item
        .memories
        .first()
        .map_or("", |memory| memory.body.as_str());
    let lines = body.lines().map(|line| format!("{sign}{line}\n"));
    ActionEffect {
        action,
        summary: vec![format!("“{}” {sentence}", item.title)],
        files: vec![FileDiff {
            path: "learnings/20260101-retries.md".to_owned(),
            diff: format!(
                " learning · retries\n \n{sign}# {}\n{sign}\n{}",
                item.title,
                lines.collect::<String>()
            ),
        }],
        problem: None,
    }
}

fn text(memory: &Memory) -> ReviewMemory {
    let row = &memory.detail.row;
    ReviewMemory {
        id: Some(row.id.clone()),
        kind: row.kind.clone(),
        title: row.title.clone(),
        body: memory.detail.body.clone(),
        tags: row.tags.clone(),
        trust: row.trust.name().to_owned(),
    }
}

fn offered(action: ReviewAction, label: &str) -> OfferedAction {
    OfferedAction {
        action,
        label: label.to_owned(),
        needs_keep: false,
    }
}

fn conflict(newer: &Memory, older: &Memory) -> ReviewItem {
    ReviewItem {
        id: "c-000000000001".to_owned(),
        kind: ReviewKind::Conflict,
        scope: "project".to_owned(),
        title: newer.detail.row.title.clone(),
        memories: vec![text(newer), text(older)],
        why: format!(
            "it contradicts “{}”: one says never, the other always",
            older.detail.row.title
        ),
        at_ms: Some(newer.created_ms),
        actions: vec![
            offered(ReviewAction::Accept, "keep both"),
            offered(ReviewAction::Edit, "edit the newer"),
            offered(ReviewAction::Reject, "reject the newer"),
            offered(ReviewAction::Merge, "merge into the newer"),
            offered(ReviewAction::Supersede, "the newer replaces the older"),
        ],
    }
}

fn proposal(memory: &Memory, project: &str) -> ReviewItem {
    let row = &memory.detail.row;
    let proposal = &memory.detail.proposals[0];
    ReviewItem {
        id: format!("r-{}", row.id.to_lowercase()),
        kind: ReviewKind::Proposal,
        scope: scope_of(memory, project),
        title: row.title.clone(),
        memories: vec![text(memory)],
        why: format!("maintenance would change it: {}", proposal.reason),
        at_ms: Some(memory.created_ms),
        actions: vec![
            offered(ReviewAction::Accept, "take the change"),
            offered(ReviewAction::Reject, "keep it as it is"),
        ],
    }
}

fn pending(number: usize, now_ms: u64) -> ReviewItem {
    const SAID: [&str; 3] = [
        "Always run the migrations before the smoke test",
        "Never push to the release branch on a Friday",
        "Use `uv` and not `pip` in the tools folder",
    ];
    ReviewItem {
        id: format!("p-00000000000{number}"),
        kind: ReviewKind::Pending,
        scope: "project".to_owned(),
        title: SAID[number].to_owned(),
        memories: vec![ReviewMemory {
            id: None,
            kind: "convention".to_owned(),
            title: SAID[number].to_owned(),
            body: format!("{}.", SAID[number]),
            tags: vec!["habits".to_owned()],
            trust: "untrusted".to_owned(),
        }],
        why: "you said it once: it is not a memory until you accept it or say it again".to_owned(),
        at_ms: Some(now_ms),
        actions: vec![
            offered(ReviewAction::Accept, "remember it"),
            offered(ReviewAction::Edit, "remember it in your words"),
            offered(ReviewAction::Reject, "let it go"),
        ],
    }
}

fn waiting(memory: &Memory, project: &str) -> ReviewItem {
    let row = &memory.detail.row;
    let merge = OfferedAction {
        needs_keep: true,
        ..offered(ReviewAction::Merge, "merge into another")
    };
    ReviewItem {
        id: format!("u-{}", row.id.to_lowercase()),
        kind: ReviewKind::Untrusted,
        scope: scope_of(memory, project),
        title: row.title.clone(),
        memories: vec![text(memory)],
        why: "only the output of tools says so, not a person".to_owned(),
        at_ms: Some(memory.created_ms),
        actions: vec![
            offered(ReviewAction::Accept, "confirm it"),
            offered(ReviewAction::Edit, "edit and confirm it"),
            offered(ReviewAction::Reject, "reject it"),
            merge,
        ],
    }
}
