//! Whatever a provider answers, in whatever order, spending stays within the budget.

use acreta_llm::{Budget, DayBudget, Money, Price, RunBudget};
use proptest::prelude::*;
use serde_json::json;

use crate::server::{ScriptedServer, ServerStep};
use crate::support::{ModelHome, ask, ask_for_json};

fn step() -> impl Strategy<Value = ServerStep> {
    let tokens = || (0_u64..2_000, 0_u64..2_000);
    prop_oneof![
        4 => tokens().prop_map(|tokens| ServerStep::openai(r#"{"answer": 7}"#, tokens)),
        2 => tokens().prop_map(|tokens| ServerStep::openai("no json", tokens)),
        1 => any::<(u64, u64)>().prop_map(|tokens| ServerStep::openai("Yes.", tokens)),
        1 => Just(ServerStep::json(200, &json!({ "choices": [{ "message": { "content": "Yes." } }] }))),
        1 => Just(ServerStep::Cut),
        1 => Just(ServerStep::text(200, "<html>")),
        1 => (400_u16..600).prop_map(|status| ServerStep::error(status, "no")),
        1 => Just(ServerStep::error(429, "wait").with("retry-after", "2")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn spent_is_never_more_than_the_budget(
        steps in prop::collection::vec(step(), 1..12),
        run_tokens in 0_u64..6_000,
        day_tokens in 0_u64..6_000,
        calls in 0_u64..12,
        cost in 0.0..0.02_f64,
    ) {
        let budget = Budget {
            per_run: RunBudget {
                calls: Some(calls),
                tokens: Some(run_tokens),
                cost: Money::from_dollars(cost),
            },
            per_day: DayBudget { calls: None, tokens: Some(day_tokens), cost: Money::from_dollars(cost * 1.5) },
        };
        let server = ScriptedServer::start(steps);
        let mut home = ModelHome::openai(&server).budget(budget);
        home.settings.prices.set("model", Price::per_million(3.0, 15.0).unwrap());
        let llm = home.llm();
        let mut day = (0, 0.0);
        for run in 0..2 {
            let session = llm.session(acreta_llm::Run {
                id: format!("run-{run}"),
                folder: home.run_folder(),
            });
            let requests: Vec<_> = (0..6)
                .map(|index| format!("Run {run} asks {index}"))
                .map(|words| if words.ends_with(['1', '3', '5']) { ask_for_json(&words) } else { ask(&words) })
                .collect();
            let before = server.calls().len() as u64;
            session.complete_all(&requests);
            let usage = session.usage();
            let tokens = usage.input_tokens + usage.output_tokens;
            prop_assert!(tokens <= run_tokens, "{tokens} of {run_tokens}");
            prop_assert!(usage.cost.dollars() <= cost + 1e-9);
            prop_assert!(usage.calls <= calls);
            prop_assert_eq!(usage.calls, server.calls().len() as u64 - before);
            let left = session.left();
            prop_assert_eq!(left.calls, Some(calls - usage.calls));
            day.0 += tokens;
            day.1 += usage.cost.dollars();
            let by_run = run_tokens - tokens;
            prop_assert_eq!(left.tokens, Some(by_run.min(day_tokens - day.0)));
        }
        prop_assert!(day.0 <= day_tokens, "{} of {day_tokens}", day.0);
        prop_assert!(day.1 <= cost * 1.5 + 1e-9);
    }
}
