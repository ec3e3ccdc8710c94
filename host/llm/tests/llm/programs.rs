//! Agent programs as models, with programs of the test's own in their place: what they are given,
//! how each of their ends is told, and that nothing is left behind.

use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use acreta_llm::{
    AgentSettings, Budget, Code, DayBudget, LlmError, Mode, ModelChoice, Money, PriceTable,
    Program, ProviderKind, ProviderSettings, RoleSettings, RunBudget,
};
use acreta_model::with_causes;
use camino::Utf8PathBuf;

use crate::support::{Home, KEY, SCHEMA, ask, ask_for_json};

/// A home with one fake program, which writes down how it was started and then does as it is told.
struct Fake {
    home: Home,
    program: Program,
}

impl Fake {
    fn new(program: Program, behaviour: &str) -> Self {
        let mut home = Home::with(ProviderKind::Agent(AgentSettings::new(program)));
        *home.provider() = ProviderSettings::agent(program);
        home.provider().timeout = Duration::from_secs(20);
        for role in home.settings.roles.values_mut() {
            *role = RoleSettings {
                main: ModelChoice::new("main", program.default_model()),
                fallback: None,
            };
        }
        let fake = Self { home, program };
        let (bin, seen) = (fake.home.path().join("bin"), fake.seen(""));
        let script = format!(
            "#!/bin/sh\ncd_is=$(pwd)\necho x >> {seen}/starts\nprintf '%s\\n' \"$@\" > {seen}/arguments\n\
             env | sort > {seen}/environment\necho $cd_is > {seen}/folder\nls -A > {seen}/listing\n\
             nice > {seen}/nice\ncat > {seen}/stdin\nSEEN={seen}\n{behaviour}\n"
        );
        fake.write(&format!("bin/{}", program.name()), &script);
        let path = bin.join(program.name());
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
        fake.write("seen/starts", "");
        fake.write("user/.local/share/opencode/auth.json", "{}");
        let variables = [
            ("PATH", format!("{bin}:/usr/bin:/bin")),
            ("HOME", fake.home.path().join("user").into_string()),
            ("ANTHROPIC_API_KEY", "sk-ant-canary-0123456789".to_owned()),
            ("OPENAI_API_KEY", "sk-canary-0123456789".to_owned()),
            ("AWS_SECRET_ACCESS_KEY", "aws-canary-0123456789".to_owned()),
            ("CLAUDECODE", "1".to_owned()),
            ("HTTPS_PROXY", "http://proxy.example:3128".to_owned()),
        ];
        let mut fake = fake;
        for (name, value) in variables {
            fake.home.environment.insert(name.to_owned(), value);
        }
        fake
    }

    /// Answers with this text on stdout.
    fn saying(program: Program, stdout: &str) -> Self {
        let fake = Self::new(program, "cat \"$SEEN/../answer\"");
        fake.write("answer", stdout);
        fake
    }

    fn write(&self, relative: &str, text: &str) {
        let path = self.home.path().join(relative);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        #[expect(clippy::disallowed_methods, reason = "a test's own scratch file")]
        std::fs::write(path, text).unwrap();
    }

    fn seen(&self, name: &str) -> Utf8PathBuf {
        match name {
            "" => self.home.path().join("seen"),
            name => self.home.path().join("seen").join(name),
        }
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.seen(name)).unwrap_or_default()
    }

    fn starts(&self) -> usize {
        self.read("starts").lines().count()
    }

    fn agent(&mut self) -> &mut AgentSettings {
        match &mut self.home.provider().kind {
            ProviderKind::Agent(agent) => agent,
            _ => panic!("it is an agent program"),
        }
    }

    fn fails(&self) -> LlmError {
        let session = self.home.session();
        session.complete(&ask_for_json("How many?")).unwrap_err()
    }

    /// All files below the folder in which programs run.
    fn left(&self) -> Vec<String> {
        let folder = self.home.path().join("model").join(self.program.name());
        let entries = folder.read_dir_utf8().unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().to_owned())
            .collect();
        names.sort();
        names
    }
}

/// A program, its output, the tokens in it, and the price it names.
type WellSaid = (Program, &'static str, Option<(u64, u64)>, f64);

/// Each program's output when all is well.
const ANSWERS: [WellSaid; 5] = [
    (
        Program::Claude,
        r#"{"type":"result","subtype":"success","is_error":false,"result":"x","structured_output":{"answer":7},"total_cost_usd":0.25,"usage":{"input_tokens":10,"cache_read_input_tokens":3,"cache_creation_input_tokens":2,"output_tokens":4}}"#,
        Some((15, 4)),
        0.25,
    ),
    (
        Program::Codex,
        concat!(
            r#"{"type":"thread.started","thread_id":"t"}"#,
            "\n",
            r#"{"type":"item.completed","item":{"type":"error","message":"a warning"}}"#,
            "\n",
            r#"{"type":"item.completed","item":{"type":"agent_message","text":"{\"answer\":7}"}}"#,
            "\n",
            r#"{"type":"turn.completed","usage":{"input_tokens":15,"cached_input_tokens":3,"output_tokens":4}}"#,
        ),
        Some((15, 4)),
        0.0,
    ),
    (
        Program::OpenCode,
        concat!(
            r#"{"type":"step_start","part":{}}"#,
            "\n",
            r#"{"type":"text","part":{"text":"{\"answer\":7}"}}"#,
            "\n",
            r#"{"type":"step_finish","part":{"tokens":{"input":10,"output":3,"reasoning":1,"cache":{"read":3,"write":2}},"cost":0.5}}"#,
        ),
        Some((15, 4)),
        0.5,
    ),
    (
        Program::Copilot,
        concat!(
            r#"{"type":"user.message","data":{"content":"How many?"}}"#,
            "\n",
            r#"{"type":"assistant.message","data":{"content":"{\"answer\":7}"}}"#,
            "\n",
            r#"{"type":"result","exitCode":0,"usage":{"premiumRequests":1}}"#,
        ),
        None,
        0.0,
    ),
    (
        Program::Gemini,
        r#"{"response":"{\"answer\":7}","stats":{"models":{"m":{"tokens":{"input":12,"prompt":15,"candidates":3,"thoughts":1,"cached":3}}}}}"#,
        Some((15, 4)),
        0.0,
    ),
];

/// Words of each command line, in this order.
const COMMAND_LINES: [(Program, &[&str]); 5] = [
    (
        Program::Claude,
        &[
            "-p",
            "--safe-mode",
            "--strict-mcp-config",
            "--tools",
            "--no-session-persistence",
            "--output-format",
            "json",
            "--system-prompt-file",
            "--json-schema",
            "--model",
            "haiku",
        ],
    ),
    (
        Program::Codex,
        &[
            "exec",
            "--ephemeral",
            "--ignore-user-config",
            "--ignore-rules",
            "--json",
            "--output-schema",
            "features.hooks=false",
            "features.shell_tool=false",
            "-",
        ],
    ),
    (
        Program::OpenCode,
        &["run", "--pure", "--format", "json", "--agent", "acreta"],
    ),
    (
        Program::Copilot,
        &[
            "--no-custom-instructions",
            "--available-tools",
            "none",
            "--disable-builtin-mcps",
        ],
    ),
    (
        Program::Gemini,
        &[
            "-p",
            "-o",
            "json",
            "-e",
            "none",
            "--skip-trust",
            "-m",
            "flash",
        ],
    ),
];

#[test]
fn a_program_gets_the_prompt_and_nothing_else_and_leaves_nothing() {
    for (program, answer, tokens, price) in ANSWERS {
        let fake = Fake::saying(program, answer);
        let session = fake.home.session();
        let reply = session.complete(&ask_for_json("How many?")).unwrap();
        assert_eq!(reply.content, r#"{"answer":7}"#, "{program:?}");
        if let Some(tokens) = tokens {
            assert_eq!(
                (reply.input_tokens, reply.output_tokens),
                tokens,
                "{program:?}"
            );
        }
        let usage = session.usage();
        assert_eq!(usage.list_price.dollars(), price, "{program:?}");

        let (_, expected) =
            COMMAND_LINES[Program::ALL.iter().position(|it| *it == program).unwrap()];
        let arguments = fake.read("arguments");
        let mut lines = arguments.lines();
        for word in expected {
            assert!(
                lines.any(|line| line == *word),
                "{program:?}: no {word} in {arguments}"
            );
        }
        let stdin = fake.read("stdin");
        match program {
            // Its own system prompt stays, so ours is part of the prompt.
            Program::Copilot => {
                assert!(stdin.starts_with("You are brief.") && stdin.ends_with("How many?"))
            }
            _ => assert_eq!(stdin, "How many?", "{program:?}"),
        }
        let folder = format!("model/{}/empty", program.name());
        assert!(fake.read("folder").trim().ends_with(&folder), "{program:?}");
        assert_eq!(fake.read("listing"), "", "{program:?}");
        assert_eq!(fake.read("nice").trim(), "10", "{program:?}");
        assert_eq!(fake.left(), ["empty", "lock"], "{program:?}");
    }
}

#[test]
fn a_program_sees_its_own_part_of_the_environment() {
    for (program, answer, ..) in ANSWERS {
        let mut fake = Fake::saying(program, answer);
        let names = |fake: &Fake| -> Vec<String> {
            let environment = fake.read("environment");
            let names = environment.lines().filter_map(|line| line.split_once('='));
            let names = names.map(|(name, _)| name.to_owned());
            // The shell's own.
            names
                .filter(|name| !["PWD", "OLDPWD", "SHLVL", "_"].contains(&name.as_str()))
                .collect()
        };
        fake.home
            .session()
            .complete(&ask_for_json("How many?"))
            .unwrap();
        let own: &[&str] = match program {
            Program::Claude => &[
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
                "CLAUDE_CODE_MAX_RETRIES",
                "DISABLE_AUTOUPDATER",
            ],
            Program::Codex => &[],
            Program::OpenCode => &[
                "OPENCODE_DB",
                "OPENCODE_DISABLE_AUTOUPDATE",
                "OPENCODE_DISABLE_CLAUDE_CODE",
                "OPENCODE_DISABLE_MODELS_FETCH",
                "OPENCODE_DISABLE_PROJECT_CONFIG",
                "XDG_CONFIG_HOME",
            ],
            Program::Copilot => &["COPILOT_AUTO_UPDATE", "COPILOT_HOME"],
            Program::Gemini => &["GEMINI_CLI_HOME", "GEMINI_SYSTEM_MD"],
        };
        let mut expected: Vec<&str> = ["ACRETA_CHILD", "HOME", "HTTPS_PROXY", "PATH"].to_vec();
        expected.extend(own);
        expected.sort_unstable();
        assert_eq!(names(&fake), expected, "{program:?}");

        // A key is passed on where the user chose it, and to nobody else.
        fake.agent().key_env = Some("TEST_KEY".to_owned());
        fake.home
            .session()
            .complete(&ask_for_json("And now?"))
            .unwrap();
        let variable = match program {
            Program::Claude => "ANTHROPIC_API_KEY",
            Program::Codex => "CODEX_API_KEY",
            Program::OpenCode => "TEST_KEY",
            Program::Copilot => "COPILOT_PROVIDER_API_KEY",
            Program::Gemini => "GEMINI_API_KEY",
        };
        let environment = fake.read("environment");
        assert!(
            environment.contains(&format!("{variable}={KEY}\n")),
            "{environment}"
        );
    }
}

#[test]
fn every_end_of_a_program_has_its_code() {
    use Program::{Claude, Codex, Copilot, Gemini, OpenCode};
    // Stdout, stderr and exit code; the code, and in how many minutes to ask again.
    type Case = (Program, &'static str, &'static str, i32, Code, Option<u64>);
    let cases: &[Case] = &[
        (
            Claude,
            r#"{"is_error":true,"subtype":"success","result":"Not logged in · Please run /login"}"#,
            "",
            1,
            Code::LoggedOut,
            None,
        ),
        (
            Claude,
            r#"{"is_error":true,"api_error_status":401,"result":"Failed to authenticate"}"#,
            "",
            1,
            Code::LoggedOut,
            None,
        ),
        (
            Claude,
            r#"{"is_error":true,"api_error_status":429,"result":"You've hit your limit · resets 11am"}"#,
            "",
            1,
            Code::RateLimited,
            Some(120),
        ),
        (
            Claude,
            r#"{"is_error":true,"api_error_status":429,"result":"API Error: 429"}"#,
            "",
            1,
            Code::RateLimited,
            Some(60),
        ),
        (
            Claude,
            r#"{"is_error":true,"api_error_status":529,"result":"Overloaded"}"#,
            "",
            1,
            Code::Provider,
            None,
        ),
        (
            Claude,
            r#"{"is_error":true,"subtype":"error_max_budget_usd","terminal_reason":"budget_exhausted"}"#,
            "",
            1,
            Code::Provider,
            None,
        ),
        (
            Claude,
            r#"{"is_error":true,"result":"Prompt is too long"}"#,
            "",
            1,
            Code::TooLarge,
            None,
        ),
        (
            Claude,
            r#"{"is_error":false,"subtype":"success","result":"I would rather not."}"#,
            "",
            0,
            Code::InvalidReply,
            None,
        ),
        (
            Claude,
            "",
            "error: unknown option '--safe-mode'",
            1,
            Code::Provider,
            None,
        ),
        (
            Codex,
            r#"{"type":"turn.failed","error":{"message":"You’ve hit your usage limit. Upgrade to Plus or try again at 10:05 AM."}}"#,
            "",
            1,
            Code::RateLimited,
            Some(65),
        ),
        (
            Codex,
            r#"{"type":"turn.failed","error":{"message":"exceeded retry limit, last status: 429 Too Many Requests"}}"#,
            "",
            1,
            Code::RateLimited,
            Some(60),
        ),
        (
            Codex,
            r#"{"type":"turn.failed","error":{"message":"unexpected status 401 Unauthorized: no"}}"#,
            "",
            1,
            Code::LoggedOut,
            None,
        ),
        (Codex, "", "Not logged in", 1, Code::LoggedOut, None),
        (
            Codex,
            r#"{"type":"turn.started"}"#,
            "",
            0,
            Code::InvalidReply,
            None,
        ),
        (
            Codex,
            "",
            "error: unexpected argument '--ephemeral' found",
            2,
            Code::Provider,
            None,
        ),
        (
            OpenCode,
            r#"{"type":"error","error":{"name":"APIError","data":{"statusCode":401,"message":"no"}}}"#,
            "",
            1,
            Code::LoggedOut,
            None,
        ),
        (
            OpenCode,
            r#"{"type":"error","error":{"name":"APIError","data":{"statusCode":429,"message":"try again in 2 hours"}}}"#,
            "",
            1,
            Code::RateLimited,
            Some(120),
        ),
        (
            OpenCode,
            r#"{"type":"error","error":{"name":"UnknownError","data":{"message":"boom"}}}"#,
            "",
            1,
            Code::Provider,
            None,
        ),
        (
            Copilot,
            "",
            "Error: No authentication information found.",
            1,
            Code::LoggedOut,
            None,
        ),
        (
            Copilot,
            r#"{"type":"session.error","data":{"errorType":"quota","statusCode":429,"message":"no premium requests left, retry-after: 300"}}"#,
            "",
            1,
            Code::RateLimited,
            Some(5),
        ),
        (
            Copilot,
            r#"{"type":"session.error","data":{"errorType":"authentication","statusCode":401}}"#,
            "",
            1,
            Code::LoggedOut,
            None,
        ),
        (
            Gemini,
            "",
            "{\n \"error\": {\"type\":\"Error\",\"message\":\"you must specify the GEMINI_API_KEY\",\"code\":41}}",
            41,
            Code::LoggedOut,
            None,
        ),
        (
            Gemini,
            "",
            "A warning.\n{\n\"error\": {\"message\":\"API key not valid\",\"code\":401}}",
            145,
            Code::LoggedOut,
            None,
        ),
        (
            Gemini,
            "",
            "{\n\"error\": {\"message\":\"Quota exceeded. Please retry in 30s.\",\"code\":429}}",
            173,
            Code::RateLimited,
            None,
        ),
        (
            Gemini,
            r#"{"response":""}"#,
            "",
            0,
            Code::InvalidReply,
            None,
        ),
    ];
    for (program, stdout, stderr, exit, code, minutes) in cases {
        let behaviour =
            format!("cat \"$SEEN/../answer\"\ncat \"$SEEN/../complaint\" >&2\nexit {exit}");
        let fake = Fake::new(*program, &behaviour);
        fake.write("answer", stdout);
        fake.write("complaint", stderr);
        // It is 08:00 UTC, 09:00 for the user.
        let now = fake.home.clock_ms();
        let error = fake.fails();
        let told = format!("{program:?} {stdout}{stderr}: {}", with_causes(&error));
        assert_eq!(error.code(), *code, "{told}");
        assert_eq!(fake.left(), ["empty", "lock"], "{told}");
        if let Some(minutes) = minutes {
            assert_eq!(error.retry_at_ms(), Some(now + minutes * 60_000), "{told}");
        }
        assert_eq!(
            error.retry_at_ms().is_some(),
            *code == Code::RateLimited,
            "{told}"
        );
        if *code == Code::LoggedOut {
            let help = error.help().unwrap_or_default();
            assert!(help.contains(program.login_command()), "{told}");
        }
        if stderr.contains("unknown option") || stderr.contains("unexpected argument") {
            assert!(
                error.help().unwrap_or_default().contains("update"),
                "{told}"
            );
        }
    }
}

#[test]
fn junk_floods_hangs_and_absence_are_told_apart() {
    for program in Program::ALL {
        let cases = [
            ("echo '%%% no json'", Code::InvalidReply, "no JSON"),
            ("true", Code::InvalidReply, "wrote nothing"),
            (
                "exec head -c 10000000 /dev/zero",
                Code::TooLarge,
                "8388608 bytes",
            ),
            ("kill -9 $$", Code::Provider, "said nothing"),
        ];
        for (behaviour, code, says) in cases {
            let fake = Fake::new(program, behaviour);
            let error = fake.fails();
            let told = format!("{program:?} {behaviour}: {}", with_causes(&error));
            assert_eq!(error.code(), code, "{told}");
            assert!(with_causes(&error).contains(says), "{told}");
        }
        let mut absent = Fake::new(program, "");
        absent.agent().command = Some("no-such-program-anywhere".to_owned());
        let error = absent.fails();
        assert!(with_causes(&error).contains("is not installed"), "{error}");
        assert_eq!(absent.starts(), 0);
    }
    let mut slow = Fake::new(Program::Codex, "sleep 600 & sleep 600");
    slow.home.provider().timeout = Duration::from_millis(400);
    assert_eq!(slow.fails().code(), Code::Timeout);
    assert_eq!(slow.left(), ["empty", "lock"]);
    // One that repeats a refused call until its time is over.
    let mut limited = Fake::new(
        Program::Gemini,
        "echo 'Attempt 1 failed with status 429. Retrying with backoff...' >&2; sleep 600",
    );
    limited.home.provider().timeout = Duration::from_millis(2_000);
    let error = limited.fails();
    assert_eq!(error.code(), Code::RateLimited, "{}", with_causes(&error));
    // One that says so when it is told to end.
    let mut told = Fake::new(
        Program::Copilot,
        "trap 'cat $SEEN/../answer; exit 1' TERM\nsleep 600 & wait",
    );
    told.write(
        "answer",
        r#"{"type":"model.call_final_result","data":{"result":"http_429"}}"#,
    );
    told.home.provider().timeout = Duration::from_millis(2_000);
    let error = told.fails();
    assert_eq!(error.code(), Code::RateLimited, "{}", with_causes(&error));
    // A session that speaks of limits is none.
    let mut quoting = Fake::new(
        Program::Copilot,
        "echo '{\"type\":\"user.message\",\"data\":{\"content\":\"usage limit\"}}'; sleep 600",
    );
    quoting.home.provider().timeout = Duration::from_millis(1_000);
    assert_eq!(quoting.fails().code(), Code::Timeout);
}

#[test]
fn a_limited_program_is_not_started_before_its_time() {
    let fake = Fake::new(
        Program::Codex,
        "if [ -e \"$SEEN/../ready\" ]; then cat \"$SEEN/../answer\"; else cat \"$SEEN/../limit\"; exit 1; fi",
    );
    fake.write("answer", ANSWERS[1].1);
    // With its login at hand it is not asked for it.
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
    // A session of another process, too.
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
    let ledger = fake.home.ledger();
    let spent = acreta_llm::spending(&ledger, DayBudget::default(), start).unwrap();
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
    let blocked = acreta_llm::spending(&ledger, DayBudget::default(), start)
        .unwrap()
        .blocked;
    assert!(blocked.is_empty(), "a success clears it: {blocked:?}");
}

#[test]
fn codex_sees_a_link_to_its_login_and_no_instructions() {
    let behaviour = "ls -A $CODEX_HOME > $SEEN/home; readlink $CODEX_HOME/auth.json > $SEEN/link\n\
                     if [ -e $SEEN/../renew ]; then rm $CODEX_HOME/auth.json; echo new > $CODEX_HOME/auth.json; fi\n\
                     cat $SEEN/../answer";
    let fake = Fake::new(Program::Codex, behaviour);
    fake.write("answer", ANSWERS[1].1);
    fake.write("user/.codex/auth.json", "canary-login");
    fake.write("user/.codex/AGENTS.md", "Answer in verse.");
    fake.write(
        "user/.codex/config.toml",
        "model = \"m\"\nmodel_provider = \"gate\"\n[mcp_servers.x]\ncommand = \"x\"\n\
         [model_providers.gate]\nbase_url = \"http://gate.example\"\nenv_key = \"TEST_KEY\"\n\
         experimental_bearer_token = \"canary-token\"\n",
    );
    fake.home
        .session()
        .complete(&ask_for_json("How many?"))
        .unwrap();
    assert_eq!(fake.read("home"), "auth.json\nconfig.toml\n");
    let login = fake.home.path().join("user/.codex/auth.json");
    assert_eq!(fake.read("link").trim(), login.as_str());
    let arguments = fake.read("arguments");
    for setting in [
        "model=\"m\"",
        "model_provider=\"gate\"",
        "model_providers.gate.base_url=\"http://gate.example\"",
        "model_providers.gate.env_key=\"TEST_KEY\"",
    ] {
        assert!(
            arguments.lines().any(|line| line == setting),
            "{setting}: {arguments}"
        );
    }
    assert!(!arguments.contains("canary-token") && !arguments.contains("mcp_servers"));
    assert!(
        fake.read("environment")
            .contains(&format!("TEST_KEY={KEY}\n"))
    );
    assert_eq!(std::fs::read_to_string(&login).unwrap(), "canary-login");

    // A login that the program renewed by replacing the file goes back to the user.
    fake.write("renew", "");
    fake.home
        .session()
        .complete(&ask_for_json("And now?"))
        .unwrap();
    assert_eq!(std::fs::read_to_string(&login).unwrap(), "new\n");
    assert_eq!(fake.left(), ["empty", "lock"]);
}

#[test]
fn opencode_is_not_asked_without_a_provider_of_the_users() {
    let fake = Fake::saying(Program::OpenCode, ANSWERS[2].1);
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
    let told = Fake::new(Program::OpenCode, script);
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
    let mut fake = Fake::saying(Program::Claude, answer);
    fake.home.settings.prices = PriceTable::builtin();
    // The plan has its price by the name of the program.
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
    let spent = acreta_llm::spending(&fake.home.ledger(), budget, now).unwrap();
    assert_eq!(
        (spent.calls, spent.calls_limit, spent.tokens),
        (2, Some(2), 38)
    );
    assert_eq!((spent.dollars, spent.list_dollars), (0.0, 0.5));
    assert!(spent.is_used_up());

    // With a key of the user's it is billed, so the budget in dollars counts.
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
fn a_text_without_schema_and_a_longer_conversation_are_one_prompt() {
    use acreta_llm::{Message, Speaker};
    let fake = Fake::saying(
        Program::Claude,
        r#"{"is_error":false,"result":"Yes.","usage":{"input_tokens":1,"output_tokens":1}}"#,
    );
    let mut request = ask("Is it?");
    request
        .messages
        .push(Message::new(Speaker::Assistant, "Maybe."));
    request
        .messages
        .push(Message::new(Speaker::User, "Say yes or no."));
    let reply = fake.home.session().complete(&request).unwrap();
    assert_eq!(reply.content, "Yes.");
    let stdin = fake.read("stdin");
    let order = ["Is it?", "Your earlier reply", "Maybe.", "Say yes or no."];
    let places: Vec<usize> = order
        .iter()
        .map(|words| stdin.find(words).unwrap())
        .collect();
    assert!(places.is_sorted(), "{stdin}");
    assert!(!fake.read("arguments").contains("--json-schema"));
    assert!(SCHEMA.contains("answer"));
}

#[test]
fn a_tape_starts_no_program() {
    let fake = Fake::saying(Program::Claude, ANSWERS[0].1);
    let tape = fake.home.path().join("tape.jsonl");
    let mut home = fake.home;
    home.mode = Mode::Record(tape.clone());
    home.session().complete(&ask_for_json("How many?")).unwrap();
    home.mode = Mode::Replay(tape);
    home.environment.insert("PATH".to_owned(), String::new());
    let reply = home.session().complete(&ask_for_json("How many?")).unwrap();
    assert_eq!(reply.content, r#"{"answer":7}"#);
}
