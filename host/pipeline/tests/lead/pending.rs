//! Uncertain candidates: they wait, become memory when another session repeats them, in whatever order the sessions
//! are read, and stay away once a person rejected them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use acreta_pipeline::{PendingQuote, PendingQuotes, PendingUpdate};
use proptest::prelude::*;

use crate::fakes::{Project, ScriptedSession};

/// Waiting quotes by session and id; repeated and rejected ids.
#[derive(Default)]
struct FakePendingQuotes {
    quotes: Mutex<BTreeMap<(String, String), PendingQuote>>,
    repeated: Mutex<BTreeSet<String>>,
    rejected: Mutex<BTreeSet<String>>,
}

impl FakePendingQuotes {
    /// Returns the waiting quotes, each with its number of sessions.
    fn waits(&self) -> BTreeMap<String, usize> {
        let repeated = self.repeated.lock().unwrap();
        let mut waits = BTreeMap::new();
        for quote in self.quotes.lock().unwrap().values() {
            if !repeated.contains(&quote.id) {
                *waits.entry(quote.quote.clone()).or_insert(0) += 1;
            }
        }
        waits
    }
}

impl PendingQuotes for FakePendingQuotes {
    fn seen(&self, _now_ms: u64) -> Result<Vec<PendingQuote>, String> {
        let rejected = self.rejected.lock().unwrap();
        let quotes = self.quotes.lock().unwrap();
        let all = quotes.values().cloned().map(|mut quote| {
            quote.rejected = rejected.contains(&quote.id);
            quote
        });
        Ok(all.collect())
    }

    fn keep(&self, update: &PendingUpdate) -> Result<(), String> {
        let mut quotes = self.quotes.lock().unwrap();
        quotes.retain(|(session, _), _| *session != update.session_id);
        for quote in &update.quotes {
            let key = (update.session_id.clone(), quote.id.clone());
            quotes.insert(key, quote.clone());
        }
        self.repeated
            .lock()
            .unwrap()
            .extend(update.repeated.iter().cloned());
        Ok(())
    }
}

fn project() -> (Project, Arc<FakePendingQuotes>) {
    let shelf = Arc::new(FakePendingQuotes::default());
    let mut project = Project::new();
    project.waiting = Some(shelf.clone());
    (project, shelf)
}

/// Returns title, body and sessions of every active memory.
fn remembered(project: &Project) -> BTreeSet<(String, String, Vec<String>)> {
    let memories = project.memories().into_iter();
    memories
        .filter(|memory| !memory.is_archived() && !memory.path.starts_with("summaries"))
        .map(|memory| {
            let evidence = memory.evidence.as_ref().unwrap();
            let sessions = evidence
                .contributions
                .iter()
                .map(|one| one.session_id.clone());
            let sessions: BTreeSet<String> = sessions.collect();
            // The text below the heading.
            let body = memory.body().trim().rsplit("\n\n").next();
            let body = body.unwrap_or_default().to_owned();
            (
                memory.title().to_owned(),
                body,
                sessions.into_iter().collect(),
            )
        })
        .collect()
}

const TABS: (&str, &str) = (
    "? Use tabs in the parser",
    "please use tabs in the parser sources",
);
const TABS_AGAIN: (&str, &str) = (
    "? Tabs in the parser",
    "use tabs in the parser sources please now",
);
const SURE: (&str, &str) = (
    "! Use tabs in the parser",
    "please use tabs in the parser sources",
);
const LOGS: (&str, &str) = (
    "? Short log lines",
    "log lines should stay under a hundred columns",
);
const NAMES: (&str, &str) = (
    "? Names in English",
    "identifiers and comments are written in English",
);

#[test]
fn what_is_not_sure_waits_until_another_session_says_it_again() {
    let (project, shelf) = project();
    let report = project.run(&ScriptedSession::new("one", 10, &[TABS, LOGS]));
    assert_eq!(report.counts.add, 1, "the summary alone: {report:?}");
    assert!(remembered(&project).is_empty());
    assert_eq!(shelf.waits().len(), 2);

    // Repetition within the session does not count.
    project.run(&ScriptedSession {
        events: 5,
        ..ScriptedSession::new("one", 12, &[TABS, LOGS])
    });
    assert!(remembered(&project).is_empty());

    project.run(&ScriptedSession::new("two", 20, &[TABS]));
    let both = vec!["one".to_owned(), "two".to_owned()];
    let expected = (
        "Use tabs in the parser".to_owned(),
        format!("> {}", TABS.1),
        both,
    );
    assert_eq!(remembered(&project), BTreeSet::from([expected]));
    assert_eq!(shelf.waits().into_keys().collect::<Vec<_>>(), [LOGS.1]);
}

#[test]
fn what_a_person_rejected_stays_rejected() {
    let (project, shelf) = project();
    project.run(&ScriptedSession::new("one", 10, &[TABS]));
    let ids: Vec<String> = shelf
        .quotes
        .lock()
        .unwrap()
        .keys()
        .map(|(_, id)| id.clone())
        .collect();
    shelf.rejected.lock().unwrap().extend(ids);
    project.run(&ScriptedSession::new("two", 20, &[TABS]));
    project.run(&ScriptedSession::new("three", 30, &[TABS_AGAIN]));
    assert!(remembered(&project).is_empty());
}

#[test]
fn what_no_person_said_does_not_wait() {
    let (project, shelf) = project();
    let mut says = ScriptedSession::new("one", 10, &[TABS]);
    says.role = "assistant";
    project.run(&says);
    assert!(shelf.waits().is_empty());
    assert!(remembered(&project).is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Any order of sessions gives the same memories, with the same sessions behind each, and the same waiting quotes.
    #[test]
    fn the_order_of_sessions_does_not_matter(
        said in proptest::collection::vec(
            proptest::sample::subsequence(vec![TABS, LOGS, NAMES, SURE], 0..=3), 3),
        order in Just(vec![0_usize, 1, 2]).prop_shuffle(),
    ) {
        let sessions = ["one", "two", "three"];
        let says = |index: usize| {
            // No session says the same statement twice, as certain and as uncertain.
            let mut said = said[index].clone();
            if said.contains(&SURE) {
                said.retain(|one| *one != TABS);
            }
            ScriptedSession::new(sessions[index], 10 * (index as u64 + 1), &said)
        };
        let (plain, plain_shelf) = project();
        let (mixed, mixed_shelf) = project();
        for (index, place) in order.into_iter().enumerate() {
            plain.run(&says(index));
            mixed.run(&says(place));
        }
        prop_assert_eq!(remembered(&plain), remembered(&mixed));
        prop_assert_eq!(plain_shelf.waits(), mixed_shelf.waits());
    }
}
