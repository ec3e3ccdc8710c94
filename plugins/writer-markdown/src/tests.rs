//! Whole files, natively: golden texts, names, and the values that YAML parsers read.

use std::fs;

use acreta_sdk::memory_writer::{Action, Candidate, Context, Failure, Session, Summary};
use proptest::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{TypeEntry, apply};

/// 2026-02-20T10:11:12Z
const CREATED: u64 = 1_771_582_272_345;
const DAY: u64 = 86_400_000;

fn types() -> Vec<TypeEntry> {
    [
        ("decision", "decisions"),
        ("learning", "learnings"),
        ("summary", "summaries"),
    ]
    .map(|(name, folder)| TypeEntry {
        name: name.to_owned(),
        folder: folder.to_owned(),
        has_kinds: name == "learning",
    })
    .into()
}

fn context() -> Context {
    Context {
        run_id: "sync-20260220-101500-7f3a".to_owned(),
        now_ms: CREATED + DAY,
        repo_name: "acme".to_owned(),
        raw_trace_path: "meta/traces/sessions/claude/s-1.jsonl".to_owned(),
        coding_agent: "claude".to_owned(),
        attrs: Vec::new(),
    }
}

fn session() -> Session {
    Session {
        id: "s-1".to_owned(),
        agent: "claude".to_owned(),
        path: "/claude/s-1.jsonl".to_owned(),
        project_dir: None,
        parent: None,
        started_ms: None,
        updated_ms: None,
        revision: String::new(),
        attrs: Vec::new(),
    }
}

fn action(id: &str) -> Action {
    Action {
        id: id.to_owned(),
        operation: "add".to_owned(),
        memory_id: "01JMHXK2V0Z3N4P5Q6R7S8T9VW".to_owned(),
        target: None,
        current: None,
        sources: Vec::new(),
        created_ms: CREATED,
        updated_ms: CREATED + DAY,
        related: Vec::new(),
        candidate: None,
        summary: None,
        session: Some(session()),
        attrs: Vec::new(),
    }
}

fn memory(category: &str, title: &str, body: &str) -> Action {
    let candidate = Candidate {
        id: "c-1".to_owned(),
        category: category.to_owned(),
        kind: if category == "learning" {
            "pitfall"
        } else {
            ""
        }
        .to_owned(),
        title: title.to_owned(),
        body: body.to_owned(),
        confidence: 0.85,
        tags: vec!["queue".to_owned(), "c++, old".to_owned()],
        evidence: Vec::new(),
        attrs: Vec::new(),
    };
    Action {
        candidate: Some(candidate),
        ..action("a-1")
    }
}

fn summary(title: &str) -> Action {
    let summary = Summary {
        title: title.to_owned(),
        description: "What happened: a lot".to_owned(),
        body: "Asked for a queue.".to_owned(),
        tags: Vec::new(),
        evidence: Vec::new(),
        attrs: Vec::new(),
    };
    Action {
        summary: Some(summary),
        ..action("a-2")
    }
}

/// Paths and texts of the draft, in the order of the actions.
fn draft(actions: &[Action]) -> Result<Vec<(String, String)>, Failure> {
    let root = TempDir::new().unwrap();
    let written = apply(root.path(), &types(), &context(), actions)?;
    let files = written.into_iter().map(|written| {
        let text = fs::read_to_string(root.path().join(&written.path)).unwrap();
        (written.path, text)
    });
    Ok(files.collect())
}

fn one(action: Action) -> (String, String) {
    draft(&[action]).unwrap().remove(0)
}

/// The front matter as any YAML parser reads it.
fn fields(text: &str) -> Value {
    let (front_matter, _) = text
        .strip_prefix("---\n")
        .unwrap()
        .split_once("\n---\n")
        .unwrap();
    serde_saphyr::from_str(front_matter).unwrap_or_else(|error| panic!("{front_matter}: {error}"))
}

#[test]
fn a_decision() {
    let (path, text) = one(Action {
        related: vec!["01JMHXK2V0Z3N4P5Q6R7S8T9VX".to_owned()],
        ..memory(
            "decision",
            "Use SQLite: not Redis",
            "One file.\r\n\r\nNo service to install.  ",
        )
    });
    assert_eq!(path, "decisions/20260220-use-sqlite-not-redis.md");
    let expected = r#"---
id: 01JMHXK2V0Z3N4P5Q6R7S8T9VW
title: "Use SQLite: not Redis"
created: 2026-02-20T10:11:12Z
updated: 2026-02-21T10:11:12Z
source: claude/s-1
confidence: 0.85
tags: [queue, "c++, old"]
related: [01JMHXK2V0Z3N4P5Q6R7S8T9VX]
---

# Use SQLite: not Redis

One file.

No service to install.
"#;
    assert_eq!(text, expected);
}

#[test]
fn a_learning() {
    let (path, text) = one(memory("learning", "Ports clash", "Run one test at a time."));
    assert_eq!(path, "learnings/20260220-ports-clash.md");
    let expected = r#"---
id: 01JMHXK2V0Z3N4P5Q6R7S8T9VW
title: Ports clash
kind: pitfall
created: 2026-02-20T10:11:12Z
updated: 2026-02-21T10:11:12Z
source: claude/s-1
confidence: 0.85
tags: [queue, "c++, old"]
related: []
---

# Ports clash

Run one test at a time.
"#;
    assert_eq!(text, expected);
}

#[test]
fn a_summary() {
    let (path, text) = one(summary("A queue for the CLI"));
    assert_eq!(path, "summaries/20260220-101112-a-queue-for-the-cli.md");
    let expected = r#"---
id: 01JMHXK2V0Z3N4P5Q6R7S8T9VW
title: A queue for the CLI
description: "What happened: a lot"
date: 2026-02-20
time: "10:11:12"
coding_agent: claude
raw_trace_path: meta/traces/sessions/claude/s-1.jsonl
run_id: sync-20260220-101500-7f3a
repo_name: acme
tags: []
related: []
created: 2026-02-20T10:11:12Z
updated: 2026-02-21T10:11:12Z
---

# A queue for the CLI

Asked for a queue.
"#;
    assert_eq!(text, expected);
}

#[test]
fn an_update_keeps_the_path_and_what_a_person_added() {
    let current = "---\nid: old\nowner: Ada # since May\ntitle: Old\nreview:\n  - 2026-03-01\nsource: codex/9\n\
                   created: 2020-01-01T00:00:00Z\n---\n\n# Old\n\nOld text.\n";
    let update = Action {
        operation: "update".to_owned(),
        target: Some("decisions/My own name.md".to_owned()),
        current: Some(current.to_owned()),
        ..memory("decision", "New", "New text.")
    };
    let (path, text) = one(update.clone());
    assert_eq!(path, "decisions/My own name.md");
    let expected = r#"---
id: 01JMHXK2V0Z3N4P5Q6R7S8T9VW
title: New
created: 2026-02-20T10:11:12Z
updated: 2026-02-21T10:11:12Z
source: claude/s-1
confidence: 0.85
tags: [queue, "c++, old"]
related: []
owner: Ada # since May
review:
  - 2026-03-01
---

# New

New text.
"#;
    assert_eq!(text, expected);
    let again = Action {
        current: Some(text.clone()),
        ..update
    };
    assert_eq!(one(again).1, text, "a second update changes nothing");
}

#[test]
fn without_a_session_the_source_is_what_the_file_says_or_the_agent() {
    let merge = Action {
        operation: "merge".to_owned(),
        target: Some("decisions/a.md".to_owned()),
        current: Some("---\nsource: \"codex/9\"\n---\n".to_owned()),
        session: None,
        ..memory("decision", "New", "")
    };
    assert_eq!(fields(&one(merge.clone()).1)["source"], json!("codex/9"));
    let add = Action {
        current: None,
        ..merge
    };
    assert_eq!(fields(&one(add).1)["source"], json!("claude"));
}

#[test]
fn names_do_not_clash_within_a_draft() {
    let taken = Action {
        target: Some("decisions/20260220-SAME-2.md".to_owned()),
        ..memory("decision", "Elsewhere", "")
    };
    let actions = [
        memory("decision", "Same", ""),
        memory("decision", "same!", ""),
        memory("learning", "Same", ""),
        memory("decision", "日本語", ""),
        memory("decision", "", ""),
        taken,
    ];
    let paths: Vec<String> = draft(&actions)
        .unwrap()
        .into_iter()
        .map(|(path, _)| path)
        .collect();
    let expected = [
        "decisions/20260220-same.md",
        "decisions/20260220-same-3.md",
        "learnings/20260220-same.md",
        "decisions/20260220-untitled.md",
        "decisions/20260220-untitled-2.md",
        "decisions/20260220-SAME-2.md",
    ];
    assert_eq!(paths, expected);
}

#[test]
fn what_cannot_be_written_fails_the_call() {
    let with_target = |target: &str| Action {
        target: Some(target.to_owned()),
        ..memory("decision", "T", "")
    };
    let both = Action {
        summary: summary("S").summary,
        ..memory("decision", "T", "")
    };
    let late = Action {
        created_ms: u64::MAX,
        ..memory("decision", "T", "")
    };
    let cases = [
        (vec![action("empty")], "invalid-action"),
        (vec![both], "invalid-action"),
        (vec![memory("poem", "T", "")], "unknown-type"),
        (vec![late], "invalid-time"),
        (vec![with_target("../decisions/a.md")], "invalid-target"),
        (vec![with_target("/decisions/a.md")], "invalid-target"),
        (vec![with_target("")], "invalid-target"),
        (
            vec![with_target("decisions/a.md"), with_target("decisions/A.md")],
            "invalid-target",
        ),
    ];
    for (actions, code) in cases {
        assert_eq!(draft(&actions).unwrap_err().code, code);
    }
}

proptest! {
    #[test]
    fn every_title_and_tag_is_read_back(title in any::<String>(), tag in any::<String>(), body in any::<String>()) {
        let mut action = memory("decision", &title, &body);
        if let Some(candidate) = &mut action.candidate {
            candidate.tags = vec![tag.clone()];
        }
        let (path, text) = one(action);
        let fields = fields(&text);
        prop_assert_eq!(&fields["title"], &json!(title));
        prop_assert_eq!(&fields["tags"], &json!([tag]));
        prop_assert!(path.starts_with("decisions/20260220-") && path.ends_with(".md"));
        prop_assert!(text.ends_with('\n') && !text.contains('\r') && !text.contains('\0'));
    }
}
