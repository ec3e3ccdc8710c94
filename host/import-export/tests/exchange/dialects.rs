//! The files of Claude, Cursor and basic-memory, and `AGENTS.md`.

use acreta_import_export::Format;

use crate::support::{fixture, outline, read, reasons};

#[test]
fn claude_sections_become_notes() {
    let imported = read("CLAUDE.md", fixture("CLAUDE.md"), Format::Auto);
    assert_eq!(
        outline(&imported),
        [
            "5 context Harbor moves cargo manifests between ports",
            "17 procedure Build: `make harbor`",
            "18 procedure Test: `make check`",
            "19 procedure `make seed`: fills the local database with invented ports",
            "21 procedure Commands",
            "27 convention Use four spaces in Python, tabs in Go",
            "28 pitfall Never edit files under `gen/` because the next build overwrites them",
            "29 convention Errors: wrap them with the port's code",
            "36 context The planner's tests need the fake clock",
            "40 procedure Before a release",
            "49 context Suite: unit; Command: `make unit`; Time: 20 s",
            "50 context Suite: soak; Command: `make soak`; Time: 1 h",
        ]
    );
    assert_eq!(
        reasons(&imported),
        [
            "3 is a badge or a picture",
            "7 points to another file; import that one",
            "10 is a table of contents",
            "12 is a table of contents",
            "13 is a table of contents",
            "32 is empty",
            "44 is an HTML comment",
            "54 is a file tree",
            "60 is a list of tasks, not knowledge",
            "62 is a list of tasks, not knowledge",
            "64 is about the licence",
            "66 is about the licence",
        ]
    );
}

#[test]
fn a_memory_index_points_to_its_topics() {
    let index = read("MEMORY.md", fixture("MEMORY.md"), Format::Auto);
    assert_eq!(
        outline(&index),
        [
            "8 context The staging database is reset every night at 03:00 UTC",
            "9 preference I prefer answers that start with the command to run",
        ]
    );
    assert_eq!(index.skipped.len(), 2);
    let topic = read(
        "feedback_berths.md",
        fixture("feedback_berths.md"),
        Format::Auto,
    );
    assert_eq!(
        outline(&topic),
        ["7 convention Berths are given by length, never by arrival"]
    );
    assert_eq!(topic.notes[0].key.as_deref(), Some("feedback_berths"));
    assert!(topic.notes[0].body.contains("**Why:** long ships"));
}

#[test]
fn topics_are_typed_by_their_front_matter() {
    let cases = [
        ("type: user", "preference"),
        ("type: feedback", "convention"),
        ("type: project", "context"),
        ("metadata:\n  type: user", "preference"),
    ];
    for (line, kind) in cases {
        let text = format!(
            "---\nname: Night shifts\ndescription: Who works at night\n{line}\n---\nInes works at night.\n"
        );
        let imported = read("nights.md", &text, Format::Auto);
        assert_eq!(imported.format, Format::Claude, "{line}");
        assert_eq!(imported.notes[0].title, "Night shifts", "{line}");
        assert_eq!(imported.notes[0].kind, kind, "{line}");
    }
    let long = format!(
        "---\nname: Night shifts\ntype: project\n---\n{}",
        "- Ines works at night on Mondays.\n".repeat(30)
    );
    let imported = read("nights.md", &long, Format::Auto);
    assert_eq!(imported.notes.len(), 30);
    assert!(
        imported.notes[0]
            .body
            .contains("Ines works at night on Mondays.")
    );
}

#[test]
fn agents_sections_become_notes() {
    let imported = read("AGENTS.md", fixture("AGENTS.md"), Format::Auto);
    assert_eq!(
        outline(&imported),
        [
            "7 procedure Install the toolchain with `mise install`, then run `make deps`",
            "11 convention Commit messages start with the area: `planner: …`",
            "12 convention Public functions carry a doc comment",
            "13 decision We decided to keep manifests in SQLite over Postgres: ports have no database servers",
            "17 convention Keep them under 400 lines",
        ]
    );
    assert!(
        imported.notes[4]
            .body
            .ends_with("Context: Harbor agents guide / Pull requests")
    );
}

#[test]
fn cursor_rules_say_what_they_are_for() {
    let imported = read("planner.mdc", fixture("planner.mdc"), Format::Auto);
    assert_eq!(
        outline(&imported),
        [
            "6 convention Type every public function",
            "7 convention Prefer dataclasses over dictionaries",
            "11 convention Plans are pure: they take a clock and return a schedule",
        ]
    );
    assert_eq!(
        imported.notes[0].body,
        "Type every public function\n\nContext: Rules for the planner: scheduling and berths / files planner/**/*.py, *.pyi"
    );
    assert_eq!(
        reasons(&imported),
        ["9 points to another file; import that one"]
    );
    let legacy = read(
        ".cursorrules",
        "You write Go.\n\nReturn errors early.\n",
        Format::Auto,
    );
    assert_eq!(outline(&legacy), ["1 convention You write Go"]);
}

#[test]
fn observations_and_relations_become_notes() {
    let imported = read("basic.md", fixture("basic.md"), Format::Auto);
    assert_eq!(imported.format, Format::BasicMemory);
    assert_eq!(
        outline(&imported),
        [
            "11 context The service predicts the water level at each quay for the next three days",
            "14 decision Predictions are cached for ten minutes (load test in March)",
            "15 pitfall The feed repeats an hour when the clock goes back",
            "16 context Deployed to staging",
            "20 context Tide Service depends on Station Feed",
        ]
    );
    let gotcha = &imported.notes[2];
    assert_eq!(gotcha.tags, ["tides", "service", "time", "feed"]);
    assert!(gotcha.body.ends_with("Context: Tide Service"));
    assert_eq!(
        gotcha.key.as_deref(),
        Some(
            "services/tide-service/observations/gotcha/the-feed-repeats-an-hour-when-the-clock-goes-back"
        )
    );
    assert_eq!(gotcha.created_ms, Some(1_770_076_800_000));
    assert_eq!(
        reasons(&imported),
        [
            "17 is a task, not knowledge",
            "21 is a link that says only that there is one",
        ]
    );
}
