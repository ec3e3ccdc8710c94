//! The todo list of a run, as seen in the run's folder during the run.

use std::cell::RefCell;

use acreta_pipeline::{Progress, RunError, STEPS, TodoState};
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;

use crate::fakes::{FakeRepository, Project, ScriptedSession};

const RULE: (&str, &str) = ("Tabs", "Indent with tabs in every file.");

/// Reads the folder at each step.
#[derive(Default)]
struct StepRecorder {
    folder: RefCell<Utf8PathBuf>,
    /// Each change, and the states in the report at that time.
    seen: RefCell<Vec<(&'static str, TodoState, Vec<String>)>>,
    /// Cancels the run once this step is completed.
    cancel_after: Option<&'static str>,
    may_not_commit: bool,
}

impl StepRecorder {
    fn report(&self) -> Value {
        let folder = self.folder.borrow();
        let actions = ["memory_actions.json", "maintain_actions.json"];
        let text = actions
            .iter()
            .find_map(|name| std::fs::read_to_string(folder.join(name)).ok());
        serde_json::from_str(&text.unwrap()).unwrap()
    }

    fn states(&self) -> Vec<String> {
        let report = self.report();
        let todos = report["todos"].as_array().unwrap().iter();
        todos
            .map(|todo| todo["state"].as_str().unwrap().to_owned())
            .collect()
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.folder.borrow().join("agent.log")).unwrap()
    }
}

impl Progress for StepRecorder {
    fn started(&self, _run_id: &str, run_folder: &Utf8Path) {
        *self.folder.borrow_mut() = run_folder.to_owned();
    }

    fn step(&self, step: &'static str, state: TodoState) {
        if matches!(state, TodoState::InProgress | TodoState::Completed) {
            let states = self.states();
            self.seen.borrow_mut().push((step, state, states));
        }
    }

    fn is_cancelled(&self) -> bool {
        let seen = self.seen.borrow();
        let completed = |step| {
            let mut seen = seen.iter();
            seen.any(|(known, state, _)| *known == step && *state == TodoState::Completed)
        };
        self.cancel_after.is_some_and(completed)
    }

    fn may_commit(&self) -> bool {
        !self.may_not_commit
    }
}

/// Returns the states of a list whose current step is at this index.
fn states(steps: usize, place: usize, state: &str) -> Vec<String> {
    let of = |at: usize| match at.cmp(&place) {
        std::cmp::Ordering::Less => "completed",
        std::cmp::Ordering::Equal => state,
        std::cmp::Ordering::Greater => "pending",
    };
    (0..steps).map(|at| of(at).to_owned()).collect()
}

#[test]
fn every_state_is_written_down_as_it_happens() {
    let watch = StepRecorder::default();
    let project = Project::new();
    project
        .watched(&ScriptedSession::new("s1", 1_000, &[RULE]), &watch)
        .unwrap();
    let mut expected = Vec::new();
    for (place, step) in STEPS.into_iter().enumerate() {
        for state in [TodoState::InProgress, TodoState::Completed] {
            expected.push((step, state, states(STEPS.len(), place, state.name())));
        }
    }
    assert_eq!(*watch.seen.borrow(), expected);

    let report = watch.report();
    let mut before = String::new();
    for todo in report["todos"].as_array().unwrap() {
        let time = |name: &str| todo[name].as_str().unwrap().to_owned();
        assert!(before <= time("started"), "{todo}");
        assert!(time("started") <= time("ended"), "{todo}");
        before = time("ended");
    }
    // Each log line has its own time.
    let log = watch.log();
    for step in STEPS {
        let place = |level: &str, state: &str| {
            let line = format!("level={level} step={step} msg=\"{state}\"");
            log.find(&line)
                .unwrap_or_else(|| panic!("no {line} in\n{log}"))
        };
        assert!(place("debug", "pending") < place("info", "in_progress"));
        assert!(place("info", "in_progress") < place("info", "completed"));
    }
}

#[test]
fn a_run_that_ends_early_says_which_steps_it_did_not_run() {
    let said = ScriptedSession::new("s1", 1_000, &[RULE]);
    let empty = ScriptedSession {
        events: 0,
        ..ScriptedSession::new("s1", 1_000, &[])
    };
    let untold = ScriptedSession {
        summary: "",
        ..ScriptedSession::new("s1", 1_000, &[])
    };
    let cancelled = StepRecorder {
        cancel_after: Some("summarise"),
        ..StepRecorder::default()
    };
    let lost = StepRecorder {
        may_not_commit: true,
        ..StepRecorder::default()
    };
    // Columns: the session, the observer, the final states, the log level of skipped steps, and the note.
    let table = [
        (
            &empty,
            StepRecorder::default(),
            "completed completed skipped skipped skipped skipped skipped completed",
            "info",
            "nothing was said in this session; steps not run: extract, summarise, explore, decide, write",
        ),
        (
            &untold,
            StepRecorder::default(),
            "completed completed completed completed skipped skipped skipped completed",
            "info",
            "nothing in this session is worth keeping; steps not run: explore, decide, write",
        ),
        (
            &said,
            cancelled,
            "completed completed completed completed skipped skipped skipped skipped",
            "warn",
            "the run was cancelled; steps not run: explore, decide, write, report",
        ),
        (
            &said,
            lost,
            "completed completed completed completed completed completed failed skipped",
            "warn",
            "the run lost its lease to another worker; steps not run: report",
        ),
    ];
    for (says, watch, expected, level, note) in table {
        let project = Project::new();
        let result = project.watched(says, &watch);
        match &result {
            Ok(report) => assert_eq!(report.note.as_deref(), Some(note)),
            Err(error) => assert!(
                matches!(error, RunError::Cancelled | RunError::LeaseLost),
                "{error}"
            ),
        }
        let report = watch.report();
        assert_eq!(report["note"], note);
        let found = watch.states();
        assert_eq!(found.join(" "), expected, "{note}");
        let log = watch.log();
        for (step, state) in STEPS.iter().zip(&found) {
            let level = match state.as_str() {
                "skipped" => level,
                "failed" => "error",
                _ => "info",
            };
            let line = format!("level={level} step={step} msg=\"{state}\"");
            assert!(log.contains(&line), "no {line} in\n{log}");
            let todos = report["todos"].as_array().unwrap();
            let todo = todos.iter().find(|todo| todo["step"] == *step).unwrap();
            assert!(todo["ended"].is_string(), "{todo}");
            assert_eq!(todo["started"].is_string(), state != "skipped", "{todo}");
        }
    }
}

#[test]
fn a_maintenance_writes_its_steps_down_too() {
    let project = Project::new();
    project.run(&ScriptedSession::new("s1", 1_000, &[RULE]));
    let has = FakeRepository {
        present: Vec::new(),
        deleted: Vec::new(),
    };
    let options = project.maintain_options(1_700_000_100_000, has);
    let watch = StepRecorder {
        cancel_after: Some("verify"),
        ..StepRecorder::default()
    };
    let error = acreta_pipeline::maintain(&options, &watch).unwrap_err();
    assert!(matches!(error, RunError::Cancelled), "{error}");
    assert_eq!(
        watch.states().join(" "),
        "completed completed skipped skipped skipped skipped"
    );
    assert_eq!(
        watch.report()["note"],
        "the run was cancelled; steps not run: explore, decide, write, report"
    );
}

#[test]
fn a_session_without_a_summary_is_told_by_what_was_found() {
    let project = Project::new();
    let untold = ScriptedSession {
        summary: "",
        ..ScriptedSession::new("s1", 1_000, &[RULE])
    };
    let report = project.run(&untold);
    assert_eq!(report.counts.add, 2, "the rule and a summary");
    let summary = report.summary_path.expect("a summary was written");
    let text = std::fs::read_to_string(summary).unwrap();
    assert!(text.contains(RULE.0), "{text}");

    // A summary that is there stays.
    let project = Project::new();
    let told = project.run(&ScriptedSession::new("s1", 1_000, &[RULE]));
    let before = std::fs::read_to_string(told.summary_path.unwrap()).unwrap();
    let grown = ScriptedSession {
        events: 4,
        ..untold
    };
    let report = project.run(&grown);
    let after = std::fs::read_to_string(report.summary_path.unwrap()).unwrap();
    assert_eq!(after, before);
}
