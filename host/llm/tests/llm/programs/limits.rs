//! Cases in which a program is not started, and the cost of a plan.

use acreta_llm::{
    Budget, Code, DayBudget, FileLedger, Mode, Money, PriceTable, Program, ProviderKind, RunBudget,
};
use acreta_types::with_causes;

use super::{ANSWERS, FakeProgram};
use crate::support::{KEY, ask_for_json};

#[test]
fn a_limited_program_is_not_started_before_its_time() {
    let fake = FakeProgram::new(
        Program::Codex,
        "if [ -e \"$SEEN/../ready\" ]; then cat \"$SEEN/../answer\"; else cat \"$SEEN/../limit\"; exit 1; fi",
    );
    fake.write("answer", ANSWERS[1].1);
    // If its login file exists, the program is not asked for it.
    fake.write("user/.codex/auth.json", "{}");
    fake.write(
        "limit",
        r#"{"type":"turn.failed","error":{"message":"You've hit your usage limit, try again in 2 hours."}}"#,
    );
    let start = fake.home.clock_ms();
    let until = Some(start + 7_200_000);
    assert_eq!(fake.fails().retry_at_ms(), until);
    assert_eq!(fake.starts(), 1);
    fake.write("ready", "");
    // Also applies to a session of another process.
    for later in [0, 3_600_000, 7_199_999] {
        fake.home.clock.set(start + later);
        let error = fake.fails();
        assert_eq!(
            (error.code(), error.retry_at_ms()),
            (Code::RateLimited, until)
        );
        assert!(
            with_causes(&error).contains("usage limit"),
            "{}",
            with_causes(&error)
        );
    }
    assert_eq!(fake.starts(), 1);
    let folder = fake.home.ledger_folder();
    let ledger = FileLedger::new(&folder);
    let spent = acreta_llm::spending(&ledger, &folder, DayBudget::default(), start).unwrap();
    assert_eq!(spent.blocked.len(), 1);
    assert_eq!(
        (spent.blocked[0].provider.as_str(), spent.calls),
        ("main", 0)
    );

    fake.home.clock.set(start + 7_200_000);
    fake.home
        .session()
        .complete(&ask_for_json("How many?"))
        .unwrap();
    assert_eq!(fake.starts(), 2);
    let blocked = acreta_llm::spending(&ledger, &folder, DayBudget::default(), start)
        .unwrap()
        .blocked;
    assert!(blocked.is_empty(), "a success clears it: {blocked:?}");
}

#[test]
fn opencode_is_not_asked_without_a_provider_of_the_users() {
    let fake = FakeProgram::saying(Program::OpenCode, ANSWERS[2].1);
    #[expect(clippy::disallowed_methods, reason = "a test's own scratch file")]
    std::fs::remove_file(
        fake.home
            .path()
            .join("user/.local/share/opencode/auth.json"),
    )
    .unwrap();
    assert_eq!(fake.fails().code(), Code::LoggedOut);
    assert_eq!(
        fake.starts(),
        0,
        "a free hosted model would have been asked"
    );
    fake.write(
        "user/.config/opencode/opencode.jsonc",
        "{ // mine\n \"model\": \"local/q\", \"plugin\": [\"x\"], \"mcp\": { \"m\": {} },\n\
         \"provider\": { \"local\": { \"options\": { \"baseURL\": \"http://127.0.0.1:1\", \"apiKey\": \"canary-key\" } },\n\
         \"gate\": { \"options\": { \"apiKey\": \"{env:TEST_KEY}\" } } } }",
    );
    let script = "cat $XDG_CONFIG_HOME/opencode/opencode.json > $SEEN/config; cat $SEEN/../answer";
    let told = FakeProgram::new(Program::OpenCode, script);
    told.write("answer", ANSWERS[2].1);
    let config = fake
        .home
        .path()
        .join("user/.config/opencode/opencode.jsonc");
    told.write(
        "user/.config/opencode/opencode.jsonc",
        &std::fs::read_to_string(config).unwrap(),
    );
    told.home
        .session()
        .complete(&ask_for_json("How many?"))
        .unwrap();
    let config: serde_json::Value = serde_json::from_str(&told.read("config")).unwrap();
    assert_eq!(config["model"], "local/q");
    assert_eq!(
        config["provider"]["local"]["options"]["baseURL"],
        "http://127.0.0.1:1"
    );
    assert_eq!(
        config["provider"]["gate"]["options"]["apiKey"],
        "{env:TEST_KEY}"
    );
    assert!(!told.read("config").contains("canary"), "{config}");
    assert!(
        config.get("mcp").is_none() && config.get("plugin").is_none(),
        "{config}"
    );
    assert!(
        told.read("environment")
            .contains(&format!("TEST_KEY={KEY}\n"))
    );
    let prompt = config["agent"]["acreta"]["prompt"].as_str().unwrap();
    assert!(
        prompt.contains("\"answer\""),
        "the schema is told in words: {prompt}"
    );
}

#[test]
fn a_plan_costs_no_dollars_but_counts_calls() {
    let (_, answer, ..) = ANSWERS[0];
    let mut fake = FakeProgram::saying(Program::Claude, answer);
    fake.home.settings.prices = PriceTable::builtin();
    // The plan is priced by the name of the program.
    let provider = fake.home.settings.providers.remove("main").unwrap();
    fake.home
        .settings
        .providers
        .insert("claude".to_owned(), provider);
    for role in fake.home.settings.roles.values_mut() {
        role.main.provider = "claude".to_owned();
    }
    let budget = DayBudget {
        calls: Some(2),
        tokens: None,
        cost: Money::from_dollars(0.0001),
    };
    fake.home.settings.budget = Budget {
        per_run: RunBudget::default(),
        per_day: budget,
    };
    for words in ["One?", "Two?"] {
        fake.home.session().complete(&ask_for_json(words)).unwrap();
    }
    let session = fake.home.session();
    assert_eq!(session.left().calls, Some(0));
    let error = session.complete(&ask_for_json("Three?")).unwrap_err();
    assert_eq!(error.code(), Code::Budget);
    assert!(
        error.to_string().contains("the day's budget of 2 calls"),
        "{error}"
    );
    assert_eq!(fake.starts(), 2);

    let now = fake.home.clock_ms();
    let folder = fake.home.ledger_folder();
    let spent = acreta_llm::spending(&FileLedger::new(&folder), &folder, budget, now).unwrap();
    assert_eq!(
        (spent.calls, spent.calls_limit, spent.tokens),
        (2, Some(2), 38)
    );
    assert_eq!((spent.dollars, spent.list_dollars), (0.0, 0.5));
    assert!(spent.is_used_up());

    // With the user's key the call is billed, so the budget in dollars applies.
    fake.home.settings.budget.per_day.calls = None;
    let provider = fake.home.settings.providers.get_mut("claude").unwrap();
    let ProviderKind::Agent(agent) = &mut provider.kind else {
        panic!("it is an agent program");
    };
    agent.key_env = Some("TEST_KEY".to_owned());
    let error = fake
        .home
        .session()
        .complete(&ask_for_json("Four?"))
        .unwrap_err();
    assert!(
        error.to_string().contains("the day's budget is $0.0001"),
        "{error}"
    );
}

#[test]
fn a_tape_starts_no_program() {
    let fake = FakeProgram::saying(Program::Claude, ANSWERS[0].1);
    let tape = fake.home.path().join("tape.jsonl");
    let mut home = fake.home;
    home.mode = Mode::Record(tape.clone());
    home.session().complete(&ask_for_json("How many?")).unwrap();
    home.mode = Mode::Replay(tape);
    home.environment.insert("PATH".to_owned(), String::new());
    let reply = home.session().complete(&ask_for_json("How many?")).unwrap();
    assert_eq!(reply.content, r#"{"answer":7}"#);
}
