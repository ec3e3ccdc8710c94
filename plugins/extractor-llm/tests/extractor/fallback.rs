//! Results if a model fails, completely or in part, or is not available.

use extractor_llm::{Level, Request, Settings};

use crate::support::{
    Log, Script, by, content, extract, failure, keeps_all_but, number_of, proposal, proposals,
    registry, rules, step,
};
use crate::whole::{PORT, TABS, dialogue, good, repeated, small};

#[test]
fn a_small_budget_reads_the_windows_in_which_the_person_says_most() {
    let session = repeated();
    let all = Script::new(good);
    extract(&session, &all, &Log::default(), &small());
    let windows = all.count("window");
    // One call is left for the verification.
    let (models, log) = (Script::new(good).with_budget(3, 1_000_000), Log::default());
    let found = extract(&session, &models, &log, &small());
    assert_eq!(models.steps(), ["window", "window", "verify"]);
    let voice = |request: &Request| content(request).matches("look at this part").count();
    let asked = models.asked.borrow();
    let mut heard: Vec<usize> = all.asked.borrow().iter().take(windows).map(voice).collect();
    heard.sort_unstable();
    let least = asked.iter().take(2).map(voice).min().expect("two windows");
    assert!(least >= heard[windows - 3], "{least} of {heard:?}");
    assert!(log.holds(
        Level::Warn,
        &format!("{} of {windows} windows were not read", windows - 2)
    ));
    assert!(found.iter().any(|one| by(one) == "model"));
    // Too little for a window and the verification: nothing is spent.
    for (calls, tokens) in [(1, 1_000_000), (0, 1_000_000), (100, 9_000)] {
        let (models, log) = (Script::new(good).with_budget(calls, tokens), Log::default());
        let found = extract(&dialogue(), &models, &log, &small());
        assert_eq!(models.steps(), [""; 0], "{calls} calls, {tokens} tokens");
        assert_eq!(found.len(), rules(&dialogue()).len());
        assert!(log.holds(Level::Warn, "budget"), "{:?}", log.0);
    }
}

#[test]
fn without_a_provider_the_rules_stand() {
    for code in [
        "no-provider",
        "budget",
        "not-granted",
        "unavailable",
        "timeout",
        "refused",
    ] {
        let (session, log) = (dialogue(), Log::default());
        let models = Script::new(move |_| Err(failure(code)));
        let found = extract(&session, &models, &log, &Settings::default());
        let own: Vec<(String, String)> = found
            .iter()
            .map(|one| (one.id.clone(), one.title.clone()))
            .collect();
        let expected: Vec<(String, String)> = rules(&session)
            .into_iter()
            .map(|one| (one.id, one.title))
            .collect();
        assert!(!expected.is_empty(), "the rules find something here");
        assert_eq!(own, expected, "{code}");
        assert!(found.iter().all(|one| by(one) == "rules"));
        assert!(log.holds(Level::Warn, code), "{:?}", log.0);
        assert_eq!(models.count("verify"), 0, "there is nothing to look at");
    }
}

#[test]
fn one_window_that_fails_costs_one_window() {
    let models = Script::new(|request| {
        if step(request) == "window" && content(request).contains("Round 0") {
            return Err(failure("timeout"));
        }
        good(request)
    });
    let log = Log::default();
    let found = extract(&repeated(), &models, &log, &small());
    assert!(found.iter().any(|one| by(one) == "model"), "{found:?}");
    assert!(log.holds(Level::Warn, "1 of "), "{:?}", log.0);
    assert!(log.holds(Level::Warn, "timeout"), "{:?}", log.0);
}

#[test]
fn replies_that_are_no_such_json_are_no_replies() {
    for nonsense in [
        "<html>502</html>",
        "",
        "[]",
        "{\"add\": 3}",
        "{\"add\": [",
        "null",
    ] {
        let log = Log::default();
        let models = Script::new(move |_| Ok(nonsense.to_owned()));
        let found = extract(&dialogue(), &models, &log, &Settings::default());
        assert_eq!(found.len(), rules(&dialogue()).len(), "{nonsense}");
        assert!(found.iter().all(|one| by(one) == "rules"), "{nonsense}");
        assert!(
            log.holds(Level::Warn, "invalid-reply"),
            "{nonsense}: {:?}",
            log.0
        );
    }
}

#[test]
fn of_what_nobody_looked_at_again_only_the_surest_stays() {
    for reply in [Err("unavailable"), Ok("{}"), Ok("sorry, I cannot do that")] {
        let log = Log::default();
        let models = Script::new(move |request| match step(request).as_str() {
            "window" => {
                let mut unsure = proposal(
                    "preference",
                    "Indent with tabs because of narrow screens",
                    number_of(request, TABS).expect("is in the window"),
                    TABS,
                );
                unsure["confidence"] = 0.7.into();
                let number = number_of(request, PORT).expect("is in the window");
                proposals(&[
                    unsure,
                    proposal("pitfall", "Tests share port 4711", number, PORT),
                ])
            }
            _ => reply.map(str::to_owned).map_err(failure),
        });
        let found = extract(&dialogue(), &models, &log, &Settings::default());
        let titles: Vec<&str> = found.iter().map(|one| one.title.as_str()).collect();
        assert_eq!(titles, ["Tests share port 4711"], "{reply:?}");
        assert!(log.holds(Level::Warn, "not everything could be verified"));
    }
}

#[test]
fn a_failure_that_lasts_is_not_asked_for_again() {
    for (code, most) in [("logged-out", 2), ("rate-limited", 2), ("timeout", 3)] {
        let models = Script::new(move |request| {
            if step(request) == "window" && !content(request).contains("Part 1 of") {
                return Err(failure(code));
            }
            good(request)
        });
        let log = Log::default();
        let found = extract(&repeated(), &models, &log, &small());
        assert_eq!(models.count("window"), most, "{code}");
        assert!(
            found.iter().any(|one| by(one) == "model"),
            "{code}: {found:?}"
        );
        assert!(
            log.holds(Level::Warn, "more windows were not asked for"),
            "{:?}",
            log.0
        );
    }
}

#[test]
fn many_proposals_are_looked_at_in_batches() {
    let settings = Settings {
        window_tokens: 1_500,
        ..Settings::default()
    };
    let many = |request: &Request| {
        let list: Vec<_> = (0..8)
            .filter_map(|nth| {
                let number = number_of(request, PORT)?;
                let title = format!("alpha{number}x{nth} beta{number}x{nth} gamma{number}x{nth}");
                let mut one = proposal("pitfall", &title, number, PORT);
                one["confidence"] = 0.7.into();
                Some(one)
            })
            .collect();
        proposals(&list)
    };
    let models = Script::new(move |request| match step(request).as_str() {
        "window" => many(request),
        _ if content(request).contains("\n#1 learning") => Err(failure("timeout")),
        _ => keeps_all_but(request, &[]),
    });
    let log = Log::default();
    let found = extract(&repeated(), &models, &log, &settings);
    let asked = models.asked.borrow();
    let looks: Vec<&str> = asked
        .iter()
        .filter(|request| step(request) == "verify")
        .map(content)
        .collect();
    assert!(looks.len() > 1, "{:?}", models.steps());
    let proposed: usize = looks.iter().map(|look| look.matches("\n#").count()).sum();
    let failed = looks[0].matches("\n#").count();
    assert!(looks.iter().all(|look| look.len() <= 1_500 * 3 + 500));
    let kept = found.iter().filter(|one| by(one) == "model").count();
    assert_eq!((kept, failed > 0), (proposed - failed, true), "{:?}", log.0);
    assert!(looks[0].contains(" agent]: "), "{}", looks[0]);
    assert!(log.holds(Level::Warn, "not everything could be verified"));
}

#[test]
fn a_trace_that_cannot_be_read_is_a_failure() {
    struct Broken;
    impl extractor_llm::Trace for Broken {
        fn rewind(&self) {}
        fn next(&self) -> Result<Vec<extractor_llm::Event>, extractor_llm::Failure> {
            Err(failure("io"))
        }
        fn read(&self, _: &str) -> Result<Option<extractor_llm::Event>, extractor_llm::Failure> {
            Err(failure("io"))
        }
        fn find(
            &self,
            _: &str,
            _: u32,
        ) -> Result<Vec<extractor_llm::Event>, extractor_llm::Failure> {
            Err(failure("io"))
        }
    }
    let (models, log) = (Script::new(good), Log::default());
    let ports = extractor_llm::Ports {
        trace: &Broken,
        models: &models,
        journal: &log,
    };
    let outcome = extractor_llm::extract(ports, &Settings::default(), &registry());
    assert_eq!(outcome.expect_err("cannot be read").code, "io");
}
