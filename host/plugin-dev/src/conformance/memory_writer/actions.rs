//! Built-in actions on which every writer is tested.

use std::cell::OnceCell;

use acreta_types::{Attrs, Candidate, Session, Summary, WriteAction, WriteContext};

use super::ActionSet;
use crate::conformance::bench::NOW_MS;

pub(super) fn built_in() -> Vec<ActionSet> {
    vec![
        order("every operation", every_operation()),
        order("hard words", hard_words()),
    ]
}

/// Builds an action that adds a decision.
pub(super) fn some_action() -> WriteAction {
    add(1, "decision", "", "Queue in SQLite", BODY)
}

const BODY: &str = "The queue is kept in SQLite instead of Redis, because two processes on one \
                    machine need no server.";

fn every_operation() -> Vec<WriteAction> {
    vec![
        some_action(),
        add(
            2,
            "learning",
            "pitfall",
            "Tests share a port",
            "Run the tests with one thread.",
        ),
        WriteAction {
            target: Some("decisions/20251201-amounts-are-cents.md".to_owned()),
            current: Some(current(3, "", "Amounts are cents")),
            operation: "update".to_owned(),
            ..add(
                3,
                "decision",
                "",
                "Amounts are whole cents",
                "Amounts are whole cents, never fractions.",
            )
        },
        WriteAction {
            target: Some("learnings/20251201-release-from-main.md".to_owned()),
            current: Some(current(4, "kind: procedure\n", "Release from main")),
            operation: "merge".to_owned(),
            sources: vec![id(8), id(9)],
            ..add(
                4,
                "learning",
                "procedure",
                "Release from main",
                "Cut releases from main, after the tests.",
            )
        },
        summary(5, "Moved the queue to SQLite"),
    ]
}

/// Texts that are difficult for YAML, file names and front matter parsers.
fn hard_words() -> Vec<WriteAction> {
    let mut actions = vec![
        add(11, "decision", "", "The same title", BODY),
        add(12, "decision", "", "The same title", BODY),
        add(
            13,
            "decision",
            "",
            "../../etc/passwd",
            "Up and away: `../../etc/passwd`.",
        ),
        add(
            14,
            "learning",
            "insight",
            "yes: \"no\" # {a: [b]} 'c' | > & * !",
            "---\nid: forged\n---\nText.",
        ),
        add(
            15,
            "learning",
            "context",
            "\u{65e5}\u{672c}\u{8a9e}",
            "\u{65e5}\u{672c}\u{8a9e} \u{1f980} e\u{301}.",
        ),
        add(
            16,
            "learning",
            "convention",
            "- 2026-01-01",
            "# A heading\n\n```\n---\n```\n\n- a list",
        ),
        add(
            17,
            "decision",
            "",
            &"long ".repeat(24),
            &"Words and words. ".repeat(20),
        ),
        summary(18, "null"),
    ];
    if let Some(candidate) = actions[3].candidate.as_mut() {
        candidate.tags = ["a: b", "- c", "#d", "true", "1.0"]
            .map(str::to_owned)
            .into();
    }
    actions
}

fn add(number: u64, category: &str, kind: &str, title: &str, body: &str) -> WriteAction {
    WriteAction {
        id: format!("action-{number}"),
        operation: "add".to_owned(),
        memory_id: id(number),
        target: None,
        current: None,
        sources: Vec::new(),
        created_ms: NOW_MS,
        updated_ms: NOW_MS + 3_600_000,
        related: vec![id(7)],
        candidate: Some(Candidate {
            id: id(number),
            category: category.to_owned(),
            kind: kind.to_owned(),
            title: title.trim().to_owned(),
            body: body.trim().to_owned(),
            confidence: 0.75,
            tags: vec!["queue".to_owned(), "two words".to_owned()],
            evidence: Vec::new(),
            attrs: Attrs::default(),
        }),
        summary: None,
        session: Some(session()),
    }
}

fn summary(number: u64, title: &str) -> WriteAction {
    WriteAction {
        candidate: None,
        summary: Some(Summary {
            title: title.to_owned(),
            description: "The queue was moved: \"why\" is said in the decision.".to_owned(),
            body: "Asked for options, chose SQLite, moved the queue. Left open: the old data."
                .to_owned(),
            tags: vec!["queue".to_owned()],
            evidence: Vec::new(),
            attrs: Attrs::default(),
        }),
        ..add(number, "", "", "", "")
    }
}

/// An existing file with a key that a person added.
fn current(number: u64, kind: &str, title: &str) -> String {
    format!(
        "---\nid: {}\ntitle: {title}\n{kind}created: 2025-12-01T08:00:00Z\nupdated: 2025-12-01T08:00:00Z\n\
         source: conformance/one\nconfidence: 0.5\ntags: [money]\nrelated: []\nreviewed_by: Ada\n---\n# {title}\n\n\
         As it was.\n",
        id(number)
    )
}

fn id(number: u64) -> String {
    format!("01JGFJJZ0000000000000000{number:02}")
}

fn session() -> Session {
    Session {
        id: "conformance-session".to_owned(),
        agent: "conformance".to_owned(),
        path: "/conformance/session.jsonl".to_owned(),
        project_dir: Some("/srv/harbour".to_owned()),
        parent: None,
        started_ms: Some(NOW_MS),
        updated_ms: Some(NOW_MS + 3_600_000),
        revision: "1".to_owned(),
        attrs: Attrs::default(),
    }
}

fn order(name: &str, actions: Vec<WriteAction>) -> ActionSet {
    ActionSet {
        name: name.to_owned(),
        context: WriteContext {
            run_id: "run-20260101-000000-conformance".to_owned(),
            now_ms: NOW_MS + 7_200_000,
            repo_name: "harbour".to_owned(),
            raw_trace_path: "meta/traces/sessions/conformance/conformance-session.jsonl".to_owned(),
            coding_agent: "conformance".to_owned(),
        },
        actions,
        drafted: OnceCell::new(),
    }
}
