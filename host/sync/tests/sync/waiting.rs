//! Sessions that wait for a model: none is lost, none is read twice, and no request is sent before its time.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use acreta_state::SessionKey;
use acreta_sync::Watcher;
use acreta_types::ReadingStrength;
use proptest::prelude::*;

use crate::library::{ModelBehaviour, NOON, SessionHome};

const HOUR: u64 = 3_600_000;

fn limited(until_ms: u64) -> ModelBehaviour {
    ModelBehaviour::Fails {
        code: "rate-limited",
        retry_at_ms: Some(until_ms),
    }
}

fn waiting(library: &SessionHome) -> u64 {
    let lines = library.catalog().waiting_readings().unwrap();
    lines.iter().map(|line| line.sessions).sum()
}

#[test]
fn a_limit_is_waited_for_and_the_newest_is_read_first() {
    let library = SessionHome::new();
    for number in 1..=3 {
        library.write(number, 2);
    }
    library.answers(limited(NOON + HOUR));
    let report = library.sync();
    assert_eq!(
        (report.ran, report.failed),
        (3, 0),
        "rules read all of them"
    );
    assert_eq!(
        library.asked(),
        ["s3/2!"],
        "the others would only fail, too"
    );
    let fallback = report.fallback.unwrap();
    assert_eq!((fallback.sessions, fallback.waiting), (3, 3));
    assert_eq!(fallback.shortfall.code, "rate-limited");
    assert_eq!(fallback.shortfall.model, "claude/haiku");

    library.answers(ModelBehaviour::Fine);
    library.pass(HOUR - 1);
    assert_eq!(library.sync().ran, 0, "the time has not come");
    assert_eq!(library.asked(), [""; 0]);

    library.pass(1);
    let report = library.sync();
    assert_eq!((report.ran, report.fallback), (3, None));
    assert_eq!(library.asked(), ["s3/2", "s2/2", "s1/2"]);
    assert_eq!(waiting(&library), 0);
    assert_eq!(library.sync().ran, 0, "nothing is read twice");
    assert_eq!(library.asked(), [""; 0]);
}

#[test]
fn the_first_that_fails_again_ends_the_attempts_of_a_sync() {
    let library = SessionHome::new();
    for number in 1..=3 {
        library.write(number, 2);
    }
    library.answers(limited(NOON + HOUR));
    library.sync();
    library.asked();
    library.pass(HOUR);
    library.answers(limited(NOON + 3 * HOUR));
    let report = library.sync();
    assert_eq!(report.ran, 1);
    assert_eq!(library.asked(), ["s3/2!"]);
    assert_eq!(waiting(&library), 3);
    // The next one is tried although the newest still waits.
    library.answers(ModelBehaviour::Fine);
    assert_eq!(library.sync().ran, 2);
    assert_eq!(library.asked(), ["s2/2", "s1/2"]);
    library.pass(2 * HOUR);
    library.sync();
    assert_eq!(library.asked(), ["s3/2"]);
}

#[test]
fn what_does_not_pass_does_not_wait() {
    for (code, waits) in [
        ("budget", 1),
        ("rate-limited", 1),
        ("logged-out", 1),
        ("no-key", 1),
        ("timeout", 1),
        ("provider", 1),
        ("invalid-reply", 1),
        ("refused", 0),
        ("too-large", 0),
    ] {
        let library = SessionHome::new();
        library.write(1, 2);
        library.answers(ModelBehaviour::Fails {
            code,
            retry_at_ms: None,
        });
        let report = library.sync();
        assert_eq!(report.fallback.unwrap().sessions, 1, "{code} is reported");
        assert_eq!(waiting(&library), waits, "{code}");
    }
}

#[test]
fn a_model_that_comes_later_reads_so_many_back() {
    let mut library = SessionHome::new();
    library.catch_up = 2;
    library.has_model.store(false, Ordering::SeqCst);
    for number in 1..=4 {
        library.write(number, 2);
    }
    let report = library.sync();
    assert_eq!((report.ran, report.fallback), (4, None));
    assert_eq!(library.sync().ran, 0);
    library.has_model.store(true, Ordering::SeqCst);
    library.sync();
    assert_eq!(library.asked(), ["s4/2", "s3/2"]);
    library.sync();
    assert_eq!(library.asked(), [""; 0]);
    library.has_model.store(false, Ordering::SeqCst);
    library.write(4, 5);
    library.sync();
    let key = SessionKey::new("fake", "s4");
    let reading = library.catalog().reading(&key).unwrap().unwrap();
    assert_eq!(reading.reading.strength, ReadingStrength::Rules);
    library.has_model.store(true, Ordering::SeqCst);
    library.sync();
    assert_eq!(
        library.asked(),
        ["s4/5"],
        "what grew meanwhile is read again"
    );
}

#[test]
fn a_session_that_is_gone_is_read_from_its_copy() {
    let library = SessionHome::new();
    library.write(1, 2);
    library.answers(limited(NOON + HOUR));
    library.sync();
    library.remove(1);
    library.answers(ModelBehaviour::Fine);
    library.pass(HOUR);
    library.asked();
    let report = library.sync();
    assert_eq!((report.ran, report.failed), (1, 0), "{report:?}");
    assert_eq!(library.asked(), ["s1/2"]);
}

#[derive(Debug, Clone)]
enum WaitingStep {
    Write {
        number: u64,
        more: usize,
    },
    Sync,
    /// A sync that is stopped at its nth point.
    Stopped(usize),
    Pass(u64),
    Answers(usize),
    Model(bool),
}

fn step() -> impl Strategy<Value = WaitingStep> {
    prop_oneof![
        3 => (1..5u64, 1..4usize).prop_map(|(number, more)| WaitingStep::Write { number, more }),
        3 => Just(WaitingStep::Sync),
        2 => (1..25usize).prop_map(WaitingStep::Stopped),
        2 => (1..40u64).prop_map(|quarters| WaitingStep::Pass(quarters * HOUR / 4)),
        2 => (0..5usize).prop_map(WaitingStep::Answers),
        1 => any::<bool>().prop_map(WaitingStep::Model),
    ]
}

struct Stops(AtomicUsize);

impl Watcher for Stops {
    fn fault_point(&self, _point: &str) {
        let left = self.0.load(Ordering::SeqCst);
        self.0.store(left.saturating_sub(1), Ordering::SeqCst);
    }

    fn is_interrupted(&self) -> bool {
        self.0.load(Ordering::SeqCst) == 0
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_lost_and_nothing_is_read_twice(
        steps in proptest::collection::vec(step(), 1..14),
    ) {
        let library = SessionHome::new();
        let mut sizes: BTreeMap<u64, usize> = BTreeMap::new();
        let mut asked = Vec::new();
        let is_stopped = steps.iter().any(|step| matches!(step, WaitingStep::Stopped(_)));
        for step in &steps {
            match step {
                WaitingStep::Write { number, more } => {
                    let size = sizes.entry(*number).or_default();
                    *size += more;
                    library.write(*number, *size);
                }
                WaitingStep::Sync => drop(library.sync()),
                WaitingStep::Stopped(nth) => {
                    library.sync_watched(&Stops(AtomicUsize::new(*nth)));
                }
                WaitingStep::Pass(ms) => library.pass(*ms),
                WaitingStep::Answers(how) => library.answers(match how {
                    0 | 1 => ModelBehaviour::Fine,
                    2 => limited(NOON + 5 * HOUR),
                    3 => ModelBehaviour::Fails { code: "timeout", retry_at_ms: None },
                    _ => ModelBehaviour::Fails { code: "logged-out", retry_at_ms: None },
                }),
                WaitingStep::Model(has) => library.has_model.store(*has, Ordering::SeqCst),
            }
            asked.extend(library.asked());
        }
        library.answers(ModelBehaviour::Fine);
        library.has_model.store(true, Ordering::SeqCst);
        library.pass(48 * HOUR);
        library.sync();
        asked.extend(library.asked());
        for (number, size) in &sizes {
            let key = SessionKey::new("fake", format!("s{number}"));
            let reading = library.catalog().reading(&key).unwrap().unwrap();
            prop_assert_eq!(reading.reading.reader, "claude/haiku");
            prop_assert!(reading.reading.complete && reading.waits.is_none());
            let answered = format!("s{number}/{size}");
            let times = asked.iter().filter(|one| **one == answered).count();
            prop_assert!(times >= 1, "{answered} is missing in {asked:?}");
            // A sync that is stopped after the answer has to ask once more.
            prop_assert!(times == 1 || is_stopped, "{answered} in {asked:?}");
        }
        prop_assert_eq!(waiting(&library), 0);
        library.pass(48 * HOUR);
        prop_assert_eq!(library.sync().ran, 0, "nothing is left");
        prop_assert_eq!(library.asked(), [""; 0]);
    }
}
