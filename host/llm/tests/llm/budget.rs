//! Budgets stop a call before it is made, per run and per day, between threads and between processes.

use acreta_fs::{Directory, NoFaults};
use acreta_llm::{Budget, Code, DayBudget, Money, Price, RunBudget};
use acreta_types::with_causes;

use crate::server::{ScriptedServer, ServerStep};
use crate::support::{ModelHome, ask};

const DAY_MS: u64 = 24 * 60 * 60 * 1000;

fn per_run(budget: RunBudget) -> Budget {
    Budget {
        per_run: budget,
        ..Budget::default()
    }
}

fn per_day(budget: DayBudget) -> Budget {
    Budget {
        per_day: budget,
        ..Budget::default()
    }
}

#[test]
fn a_call_that_does_not_fit_is_not_made() {
    let dollars = |amount: f64| Money::from_dollars(amount);
    let cases = [
        (
            per_run(RunBudget {
                calls: Some(0),
                ..RunBudget::default()
            }),
            "budget of 0 calls",
        ),
        (
            per_run(RunBudget {
                tokens: Some(150),
                ..RunBudget::default()
            }),
            "the run's budget is 150 tokens",
        ),
        (
            per_run(RunBudget {
                cost: dollars(0.0001),
                ..RunBudget::default()
            }),
            "the run's budget is $0.0001",
        ),
        (
            per_day(DayBudget {
                calls: None,
                tokens: Some(150),
                cost: None,
            }),
            "the day's budget is 150 tokens",
        ),
        (
            per_day(DayBudget {
                calls: None,
                tokens: None,
                cost: dollars(0.0001),
            }),
            "the day's budget is $0.0001",
        ),
    ];
    for (budget, says) in cases {
        let server = ScriptedServer::start([ServerStep::openai("Yes.", (20, 2))]);
        let mut home = ModelHome::openai(&server).budget(budget);
        home.settings
            .prices
            .set("model", Price::per_million(1.0, 1.0).unwrap());
        let session = home.session();
        let error = session.complete(&ask("Is it?")).unwrap_err();
        assert_eq!(error.code(), Code::Budget, "{says}");
        assert!(error.to_string().contains(says), "{error}");
        assert_eq!(
            (server.calls().len(), session.usage().calls),
            (0, 0),
            "{says}"
        );
    }
}

#[test]
fn what_a_call_did_not_take_is_given_back() {
    let server = ScriptedServer::start([ServerStep::openai("Yes.", (20, 2))]);
    let budget = Budget {
        per_run: RunBudget {
            calls: Some(3),
            tokens: Some(300),
            cost: None,
        },
        per_day: DayBudget {
            calls: None,
            tokens: Some(1_000),
            cost: None,
        },
    };
    let home = ModelHome::openai(&server).budget(budget);
    let session = home.session();
    for question in 0..3 {
        session
            .complete(&ask(&format!("Is it {question}?")))
            .unwrap();
    }
    let left = session.left();
    assert_eq!(
        (left.calls, left.tokens, left.cost),
        (Some(0), Some(300 - 66), None)
    );
    let error = session.complete(&ask("Is it 3?")).unwrap_err();
    assert_eq!(error.code(), Code::Budget);
    // Earlier requests are still answered from the cache.
    assert!(session.complete(&ask("Is it 2?")).unwrap().cached);
    assert_eq!(home.session().left().tokens, Some(300));
}

#[test]
fn a_batch_waits_for_its_own_reservations() {
    // Budget for one worst case at a time, and for the actual usage of all.
    let server = ScriptedServer::start([ServerStep::openai("Yes.", (20, 2))]);
    let home = ModelHome::openai(&server).budget(Budget {
        per_run: RunBudget {
            tokens: Some(330),
            ..RunBudget::default()
        },
        per_day: DayBudget {
            calls: None,
            tokens: Some(330),
            cost: None,
        },
    });
    let session = home.session();
    let requests: Vec<_> = (0..6)
        .map(|index| ask(&format!("Is it {index}?")))
        .collect();
    let replies = session.complete_all(&requests);
    assert!(replies.iter().all(Result::is_ok), "{replies:?}");
    assert_eq!(session.left().tokens, Some(330 - 6 * 22));
}

#[test]
fn an_unknown_price_is_refused_where_dollars_are_counted() {
    let server = ScriptedServer::start([ServerStep::openai("Yes.", (20, 2))]);
    let dollar = Money::from_dollars(1.0);
    for budget in [
        per_run(RunBudget {
            cost: dollar,
            ..RunBudget::default()
        }),
        per_day(DayBudget {
            calls: None,
            tokens: None,
            cost: dollar,
        }),
    ] {
        let session = ModelHome::openai(&server).budget(budget).session();
        let error = session.complete(&ask("Is it?")).unwrap_err();
        assert_eq!(error.code(), Code::Budget);
        assert!(
            error
                .to_string()
                .contains("price of the model is not known"),
            "{error}"
        );
    }
    assert!(server.calls().is_empty());
}

#[test]
fn what_a_provider_claims_beyond_the_possible_is_disputed() {
    let server = ScriptedServer::start([ServerStep::openai("Yes.", (1_000_000, u64::MAX))]);
    let home = ModelHome::openai(&server).budget(per_run(RunBudget {
        tokens: Some(400),
        ..RunBudget::default()
    }));
    let session = home.session();
    session.complete(&ask("Is it?")).unwrap();
    let usage = session.usage();
    assert!(usage.input_tokens + usage.output_tokens <= 400);
    assert_eq!(usage.output_tokens, 100);
    assert!(usage.disputed_tokens > 1_000_000);
}

#[test]
fn every_day_has_its_own_account_whatever_the_clock_does() {
    let server = ScriptedServer::start([ServerStep::openai("Yes.", (90, 90))]);
    let home = ModelHome::openai(&server).budget(per_day(DayBudget {
        calls: None,
        tokens: Some(300),
        cost: None,
    }));
    let day = 20_000 * DAY_MS;
    let steps = [
        ("a fresh day", day, true),
        ("the same day", day + DAY_MS - 1, false),
        ("the next day", day + DAY_MS, true),
        ("back by a day", day + 5, false),
        ("back to the start of time", 0, true),
        ("still there", 1_000, false),
        ("forward again", day + DAY_MS + 5, false),
        ("far in the future", u64::MAX, true),
        ("and back", day + 7, false),
    ];
    for (index, (name, now, fits)) in steps.into_iter().enumerate() {
        home.clock.set(now);
        // Each session counts as a separate process for the ledger.
        let reply = home.session().complete(&ask(&format!("Is it {index}?")));
        assert_eq!(reply.is_ok(), fits, "{name}: {reply:?}");
    }
}

#[test]
fn two_that_race_stay_under_the_day_together() {
    let server = ScriptedServer::start([ServerStep::openai("Yes.", (30, 100))]);
    let home = ModelHome::openai(&server).budget(per_day(DayBudget {
        calls: None,
        tokens: Some(1_000),
        cost: None,
    }));
    let sessions = [home.session(), home.session(), home.session()];
    let replies: usize = std::thread::scope(|scope| {
        let workers: Vec<_> = sessions
            .iter()
            .enumerate()
            .map(|(who, session)| {
                scope.spawn(move || {
                    let ask = |index| session.complete(&ask(&format!("{who} asks {index}")));
                    (0..8).filter(|index| ask(*index).is_ok()).count()
                })
            })
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap())
            .sum()
    });
    // 1000 tokens are seven calls of 130; a worst case held at the end may exclude one.
    assert!((5..=7).contains(&replies), "{replies}");
    assert_eq!(server.calls().len(), replies);
    let spent: u64 = sessions
        .iter()
        .map(|session| session.usage())
        .map(|usage| usage.input_tokens + usage.output_tokens)
        .sum();
    assert_eq!(home.session().left().tokens, Some(1_000 - spent));
}

#[test]
fn the_worst_case_is_on_disk_while_a_call_is_under_way() {
    // The ledger as a crash at this point would leave it.
    let home = ModelHome::command("cat ../ledger/spending.json");
    let session = home.session();
    let during = session.complete(&ask("Is it?")).unwrap().content;
    let after = std::fs::read_to_string(home.path().join("ledger/spending.json")).unwrap();
    let tokens = |text: &str| -> u64 {
        let books: serde_json::Value = serde_json::from_str(text).unwrap();
        books["days"][0]["tokens"].as_u64().unwrap()
    };
    let usage = session.usage();
    assert_eq!(tokens(&after), usage.input_tokens + usage.output_tokens);
    assert!(tokens(&during) >= usage.input_tokens + 100, "{during}");
}

#[test]
fn books_that_cannot_be_read_stop_all_spending() {
    let server = ScriptedServer::start([ServerStep::openai("Yes.", (20, 2))]);
    for text in ["", "{", "[]", r#"{"version":2,"days":[]}"#, "\u{0}\u{1}"] {
        let home = ModelHome::openai(&server).budget(per_day(DayBudget {
            calls: None,
            tokens: Some(1_000),
            cost: None,
        }));
        let session = home.session();
        let ledger = Directory::open(&home.path().join("ledger"), NoFaults::shared()).unwrap();
        ledger.replace("spending.json", text.as_bytes()).unwrap();
        let error = session.complete(&ask("Is it?")).unwrap_err();
        assert_eq!(error.code(), Code::NoLedger, "{text}");
        assert!(with_causes(&error).contains("spending.json"), "{error}");
        assert!(error.help().unwrap().contains("remove"), "{text}");
        assert_eq!(session.left().tokens, Some(0));
    }
    assert!(server.calls().is_empty());
}
