//! Changes of memory by others while a run asks its plugins, which may take minutes. They need no patience, nothing of
//! them is lost, and the result is the same as if they had been made before the run.

use std::cell::Cell;

use acreta_pipeline::{Note, NoteSource, Progress, TodoState};
use acreta_types::MemoryType;

use crate::fakes::{Project, ScriptedSession};

const NOW: u64 = 1_700_000_000_000;
const RULE: (&str, &str) = ("Tabs", "Indent with tabs in every file.");

/// Does something once, when a step begins.
struct At<'a> {
    step: &'static str,
    work: &'a dyn Fn(),
    is_done: Cell<bool>,
}

impl<'a> At<'a> {
    fn new(step: &'static str, work: &'a dyn Fn()) -> Self {
        let is_done = Cell::new(false);
        Self {
            step,
            work,
            is_done,
        }
    }
}

impl Progress for At<'_> {
    fn step(&self, step: &'static str, state: TodoState) {
        if step == self.step && state == TodoState::InProgress && !self.is_done.replace(true) {
            (self.work)();
        }
    }
}

fn add_note(project: &Project, title: &str, body: &str) {
    let note = Note {
        memory_type: MemoryType::Learning,
        kind: "convention".to_owned(),
        title: title.to_owned(),
        body: body.to_owned(),
        tags: Vec::new(),
        confidence: 0.9,
        at_ms: None,
        quote: body.to_owned(),
        place: String::new(),
    };
    // Waits for no lock.
    let added = project
        .writable(NOW)
        .remember(vec![note], &NoteSource::Person, false);
    assert_eq!(added.unwrap().counts.add, 1);
}

#[test]
fn a_note_during_a_run_is_like_a_note_before_it() {
    let notes = [
        ("Branches are deleted", "Delete a branch after its merge."),
        // What the session says, as the person's own word, and the opposite.
        RULE,
        ("Tabs", "Never indent with tabs in any file."),
    ];
    for (title, body) in notes {
        for relation in [None, Some("same"), Some("contradiction")] {
            let says = ScriptedSession {
                relation,
                ..ScriptedSession::new("s1", 1_000, &[RULE])
            };
            let before = Project::new();
            add_note(&before, title, body);
            before.run(&says);
            for step in ["normalise", "extract", "summarise", "explore"] {
                let project = Project::new();
                let add = || add_note(&project, title, body);
                project.watched(&says, &At::new(step, &add)).unwrap();
                assert_eq!(
                    project.bytes(),
                    before.bytes(),
                    "{title}, {relation:?}, at {step}"
                );
            }
        }
    }
}

#[test]
fn of_two_runs_over_one_session_the_later_state_counts() {
    let grown = ScriptedSession {
        events: 5,
        ..ScriptedSession::new(
            "s1",
            2_000,
            &[RULE, ("Spaces", "Put spaces around operators.")],
        )
    };
    let before = Project::new();
    before.run(&grown);
    for step in ["extract", "explore"] {
        let project = Project::new();
        let other = || drop(project.run(&grown));
        let early = ScriptedSession::new("s1", 1_000, &[RULE]);
        let report = project.watched(&early, &At::new(step, &other)).unwrap();
        let note = report.note.unwrap();
        assert!(note.contains("a later state of this session"), "{note}");
        assert_eq!(project.bytes(), before.bytes(), "at {step}");
    }
}

#[test]
fn memory_that_never_rests_does_not_hold_up_a_run() {
    // Each of its steps begins once, so this observer changes memory whenever it is asked whether to go on.
    struct Restless<'a>(&'a Project, Cell<u64>);
    impl Progress for Restless<'_> {
        fn step(&self, step: &'static str, state: TodoState) {
            if step == "explore" && state == TodoState::InProgress {
                self.is_cancelled();
            }
        }

        fn is_cancelled(&self) -> bool {
            let number = self.1.replace(self.1.get() + 1);
            if self.0.writable_is_free() {
                let title = format!("Rule {number} of word{number} and term{number}");
                add_note(
                    self.0,
                    &title,
                    &format!("Say word{number}, not term{number}."),
                );
            }
            false
        }
    }
    let project = Project::new();
    let says = ScriptedSession::new("s1", 1_000, &[RULE]);
    let report = project
        .watched(&says, &Restless(&project, Cell::new(0)))
        .unwrap();
    assert_eq!(report.counts.add, 2, "the rule and the summary");
    let statements = project.statements();
    assert!(statements.contains_key(RULE.0), "{statements:?}");
    assert!(statements.len() > 4, "no note is lost: {statements:?}");
}
