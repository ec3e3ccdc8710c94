//! Input of a program: its command line, the prompt, its part of the environment, and nothing else.

use acreta_llm::Program;

use super::{ANSWERS, FakeProgram};
use crate::support::{KEY, SCHEMA, ask, ask_for_json};

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
        let fake = FakeProgram::saying(program, answer);
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
        let mut fake = FakeProgram::saying(program, answer);
        let names = |fake: &FakeProgram| -> Vec<String> {
            let environment = fake.read("environment");
            let names = environment.lines().filter_map(|line| line.split_once('='));
            let names = names.map(|(name, _)| name.to_owned());
            // Variables of the shell itself.
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
        let mut expected: Vec<&str> =
            ["ACRETA_CALL", "ACRETA_CHILD", "HOME", "HTTPS_PROXY", "PATH"].to_vec();
        expected.extend(own);
        expected.sort_unstable();
        assert_eq!(names(&fake), expected, "{program:?}");

        // A key is passed on only where the user chose it.
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
fn codex_sees_a_link_to_its_login_and_no_instructions() {
    let behaviour = "ls -A $CODEX_HOME > $SEEN/home; readlink $CODEX_HOME/auth.json > $SEEN/link\n\
                     if [ -e $SEEN/../renew ]; then rm $CODEX_HOME/auth.json; echo new > $CODEX_HOME/auth.json; fi\n\
                     cat $SEEN/../answer";
    let fake = FakeProgram::new(Program::Codex, behaviour);
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

    // A login that the program renewed by replacing the file is moved back to the user.
    fake.write("renew", "");
    fake.home
        .session()
        .complete(&ask_for_json("And now?"))
        .unwrap();
    assert_eq!(std::fs::read_to_string(&login).unwrap(), "new\n");
    assert_eq!(fake.left(), ["empty", "lock"]);
}

#[test]
fn codex_gives_no_model_the_tools_of_its_catalog() {
    let behaviour = "cp $SEEN/../model/codex/call-*/models.json $SEEN/models; cat $SEEN/../answer";
    let fake = FakeProgram::new(Program::Codex, behaviour);
    fake.write("answer", ANSWERS[1].1);
    fake.write("user/.codex/auth.json", "canary-login");
    let ask = || fake.home.session().complete(&ask_for_json("How many?"));
    // A version without a catalog.
    ask().unwrap();
    assert!(!fake.read("arguments").contains("model_catalog_json"));
    fake.write(
        "models",
        r#"{"models":[{"slug":"new","tool_mode":"code_mode_only","multi_agent_version":"v2","apply_patch_tool_type":"freeform","experimental_supported_tools":["clock"],"context_window":272000},{"slug":"old","context_window":9}]}"#,
    );
    fake.home
        .session()
        .complete(&ask_for_json("And now?"))
        .unwrap();
    let arguments = fake.read("arguments");
    assert!(arguments.lines().any(|line| line == "agents.enabled=false"));
    assert!(
        arguments
            .lines()
            .any(|line| line.starts_with("model_catalog_json=") && line.ends_with("/models.json\"")),
        "{arguments}"
    );
    let catalog: serde_json::Value = serde_json::from_str(&fake.read("models")).unwrap();
    let expected = serde_json::json!({ "models": [
        {
            "slug": "new", "tool_mode": null, "multi_agent_version": null,
            "apply_patch_tool_type": null, "experimental_supported_tools": [], "context_window": 272000,
        },
        { "slug": "old", "context_window": 9 },
    ] });
    assert_eq!(catalog, expected);
}

#[test]
fn a_text_without_schema_and_a_longer_conversation_are_one_prompt() {
    use acreta_llm::{Message, Speaker};
    let fake = FakeProgram::saying(
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
