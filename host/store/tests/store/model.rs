//! Random commits with random crashes and errors between them, against a model in memory: after recovery the disk is
//! in a state that the model allows.

use std::sync::Arc;
use std::time::Duration;

use acreta_fs::Faults;
use acreta_fs::faults::{Crash, Errno, Failure, Kept, Recorder, Times};
use acreta_store::CommitError;
use proptest::prelude::*;

use crate::support::{FileContents, Project, change};

/// Fault injected into one commit.
#[derive(Debug, Clone)]
enum CommitFault {
    Finished,
    /// Power failure after this share of its operations; of the unsynced effects those stay whose bit is set.
    Crash {
        share: f64,
        kept: u64,
    },
    /// Its n-th operation fails, once.
    Error {
        nth: usize,
        errno: Errno,
    },
}

#[derive(Debug, Clone)]
struct CommitStep {
    /// File number and new content; `None` removes it.
    edits: Vec<(usize, Option<String>)>,
    fate: CommitFault,
}

const PATHS: [&str; 8] = [
    "memory/decisions/20260101-a.md",
    "memory/decisions/20260101-b.md",
    "memory/learnings/20260101-c.md",
    "memory/archived/decisions/20260101-a.md",
    "memory/summaries/20260101-000000-d.md",
    "meta/evidence/a.json",
    "meta/state/a.json",
    "meta/state/b.json",
];

fn step() -> impl Strategy<Value = CommitStep> {
    let edit = (
        0..PATHS.len(),
        proptest::option::weighted(0.7, "[a-z]{0,6}"),
    );
    let fate = prop_oneof![
        2 => Just(CommitFault::Finished),
        4 => (0.0..=1.0, any::<u64>()).prop_map(|(share, kept)| CommitFault::Crash { share, kept }),
        2 => (0..120_usize, 0..4_usize).prop_map(|(nth, errno)| CommitFault::Error { nth, errno: Errno::ALL[errno] }),
    ];
    (proptest::collection::vec(edit, 1..6), fate)
        .prop_map(|(edits, fate)| CommitStep { edits, fate })
}

/// Runs one commit with its fault and returns the project after recovery.
fn play(
    project: Project,
    number: usize,
    step: &CommitStep,
    old: &FileContents,
    new: &FileContents,
) -> Result<Project, TestCaseError> {
    let before = project.image();
    let recorder = Arc::new(match step.fate {
        CommitFault::Error { nth, errno } => Recorder::failing(Failure {
            kind: None,
            nth,
            errno,
            times: Times::Once,
        }),
        _ => Recorder::new(),
    });
    let store = project.store(Arc::clone(&recorder) as Arc<dyn Faults>);
    let result = match store.lock(Duration::ZERO) {
        Ok(lock) => store
            .commit(&lock, &change(&format!("run-{number}"), old, new))
            .map(drop),
        Err(_) => Err(CommitError::Hook("not even locked".into())),
    };
    drop(store);
    let (project, must_be_new) = match step.fate {
        CommitFault::Crash { share, kept } => {
            let log = recorder.log();
            let length = (share * log.len() as f64) as usize;
            let crash = Crash::after(&before, &project.root, &log[..length]);
            let image = crash.image(|effect| match kept >> (effect % 32 * 2) & 3 {
                0 => Kept::Lost,
                1 => Kept::Half,
                _ => Kept::Whole,
            });
            (Project::from_image(&image), length == log.len())
        }
        _ => (project, result.is_ok()),
    };

    let (store, lock) = project.locked();
    let recovery = store
        .recover(&lock)
        .map_err(|error| TestCaseError::fail(error.to_string()))?;
    prop_assert_eq!(recovery.conflicts().count(), 0);
    prop_assert!(store.recover(&lock).unwrap().is_empty());
    let files = project.files();
    prop_assert!(files == *new || files == *old, "mixed: {:#?}", files);
    prop_assert!(files == *new || !must_be_new, "a finished commit was lost");
    drop((store, lock));
    Ok(project)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 150,
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(1),
        ..ProptestConfig::default()
    })]

    #[test]
    fn disk_and_model_agree_after_every_recovery(steps in proptest::collection::vec(step(), 1..8)) {
        let mut model = FileContents::new();
        let mut project = Project::new();
        for (number, step) in steps.iter().enumerate() {
            let mut wanted = model.clone();
            for (file, content) in &step.edits {
                match content {
                    Some(content) => wanted.insert(PATHS[*file].to_owned(), content.clone().into_bytes()),
                    None => wanted.remove(PATHS[*file]),
                };
            }
            project = play(project, number, step, &model, &wanted)?;
            model = project.files();
        }
    }
}
