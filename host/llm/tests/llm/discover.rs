//! Discovery of models: fake programs, servers on this machine, keys by name.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;

use acreta_llm::{ModelAccess, ModelOption, Readiness, Whereabouts, discover};
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::json;
use tempfile::TempDir;

use crate::server::{ScriptedServer, ServerStep};

struct FakeMachine {
    folder: TempDir,
    environment: BTreeMap<String, String>,
    servers: Vec<(String, String)>,
}

impl FakeMachine {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(folder.path()).unwrap();
        let environment = [
            ("PATH", format!("{path}/bin:/usr/bin:/bin")),
            ("HOME", format!("{path}/user")),
        ];
        let environment = environment.map(|(name, value)| (name.to_owned(), value));
        Self {
            environment: environment.into(),
            servers: Vec::new(),
            folder,
        }
    }

    fn path(&self) -> &Utf8Path {
        Utf8Path::from_path(self.folder.path()).unwrap()
    }

    fn write(&self, relative: &str, text: &str) -> Utf8PathBuf {
        let path = self.path().join(relative);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        #[expect(clippy::disallowed_methods, reason = "a test's own scratch file")]
        std::fs::write(&path, text).unwrap();
        path
    }

    fn program(&self, name: &str, script: &str) {
        let path = self.write(&format!("bin/{name}"), &format!("#!/bin/sh\n{script}\n"));
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn found(&self) -> Vec<ModelOption> {
        let whereabouts = Whereabouts {
            servers: self.servers.clone(),
            ..Whereabouts::new(&self.environment, self.path())
        };
        discover(&whereabouts)
    }
}

#[test]
fn nothing_is_found_where_nothing_is() {
    assert_eq!(FakeMachine::new().found(), []);
}

#[test]
fn programs_say_themselves_whether_somebody_is_logged_in() {
    let version = "if [ \"$1\" = --version ]; then echo 'tool 2.1.3 (Tool)'; exit; fi\n";
    let claude = |status: &str, exit: i32| {
        format!(
            "{version}[ \"$ACRETA_CHILD$ANTHROPIC_API_KEY\" = 1 ] && echo '{status}'; exit {exit}"
        )
    };
    let cases: [(&str, String, &str, Readiness, ModelAccess); 8] = [
        (
            "claude",
            claude(
                r#"{"loggedIn":true,"authMethod":"claude.ai","subscriptionType":"max"}"#,
                0,
            ),
            "your Claude plan (max)",
            Readiness::Ready,
            ModelAccess::Plan,
        ),
        (
            "claude",
            claude(r#"{"loggedIn":false,"authMethod":"none"}"#, 1),
            "your Claude plan",
            Readiness::LoggedOut,
            ModelAccess::Plan,
        ),
        (
            "claude",
            claude(r#"{"loggedIn":true,"authMethod":"api_key"}"#, 0),
            "your Claude program with its API key",
            Readiness::Ready,
            ModelAccess::ApiKey,
        ),
        (
            "claude",
            claude("junk", 1),
            "your Claude plan",
            Readiness::Unknown,
            ModelAccess::Plan,
        ),
        (
            "codex",
            format!("{version}echo 'Logged in using ChatGPT' >&2"),
            "your Codex plan",
            Readiness::Ready,
            ModelAccess::Plan,
        ),
        (
            "codex",
            format!("{version}echo 'API key configured'"),
            "your Codex program with its API key",
            Readiness::Ready,
            ModelAccess::ApiKey,
        ),
        (
            "codex",
            format!("{version}echo 'Not logged in'; exit 1"),
            "your Codex plan",
            Readiness::LoggedOut,
            ModelAccess::Plan,
        ),
        (
            "codex",
            format!("{version}sleep 60"),
            "your Codex plan",
            Readiness::Unknown,
            ModelAccess::Plan,
        ),
    ];
    for (name, script, label, readiness, access) in cases {
        let mut machine = FakeMachine::new();
        machine.program(name, &script);
        // A key that the program would prefer to its login is hidden from it.
        machine
            .environment
            .insert("ANTHROPIC_API_KEY".to_owned(), " ".to_owned());
        let found = machine.found();
        assert_eq!(found.len(), 1, "{found:?}");
        let option = &found[0];
        assert_eq!(option.provider, name);
        assert_eq!(
            (option.label.as_str(), option.readiness, option.access),
            (label, readiness, access),
            "{script}"
        );
        assert!(
            option
                .destination
                .contains(&format!("through your own {name} program"))
        );
        assert_eq!(
            option.remedy.is_none(),
            readiness == Readiness::Ready,
            "{option:?}"
        );
        if !script.contains("sleep") {
            assert_eq!(option.version.as_deref(), Some("2.1.3"));
        }
    }
}

#[test]
fn logins_without_a_command_are_seen_by_their_files() {
    let machine = |name: &str, file: Option<&str>, variable: Option<&str>| {
        let mut machine = FakeMachine::new();
        machine.program(name, "echo 1.0");
        if let Some(file) = file {
            // The file is unreadable: its existence is enough.
            let path = machine.write(file, "canary");
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o000)).unwrap();
        }
        let variable = variable.map(|name| (name.to_owned(), "canary".to_owned()));
        machine.environment.extend(variable);
        machine.found()
    };
    let cases = [
        (
            "opencode",
            Some("user/.local/share/opencode/auth.json"),
            None,
            Readiness::Ready,
        ),
        ("opencode", None, None, Readiness::Unknown),
        ("copilot", None, Some("GH_TOKEN"), Readiness::Ready),
        (
            "copilot",
            Some("user/.config/gh/hosts.yml"),
            None,
            Readiness::Ready,
        ),
        (
            "copilot",
            Some("user/.copilot/config.json"),
            None,
            Readiness::Unknown,
        ),
        ("copilot", None, None, Readiness::LoggedOut),
        ("gemini", None, Some("GEMINI_API_KEY"), Readiness::Ready),
        (
            "gemini",
            Some("user/.gemini/oauth_creds.json"),
            None,
            Readiness::Unknown,
        ),
        ("gemini", None, None, Readiness::LoggedOut),
    ];
    for (name, file, variable, readiness) in cases {
        let found = machine(name, file, variable);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(
            found[0].readiness, readiness,
            "{name} {file:?} {variable:?}"
        );
        assert!(!format!("{found:?}").contains("canary"));
    }
}

#[test]
fn servers_of_this_machine_are_listed_with_their_models() {
    let ollama = ScriptedServer::start([ServerStep::json(
        200,
        &json!({ "models": [
            { "name": "nomic-embed-text:latest" },
            { "name": "gpt-oss:120b-cloud", "remote_host": "https://ollama.com" },
            { "name": "qwen3:8b" },
            { "name": "llama3.1:8b" },
        ] }),
    )]);
    let studio = ScriptedServer::start([ServerStep::json(
        200,
        &json!({ "data": [{ "id": "gemma" }] }),
    )]);
    let other = ScriptedServer::start([ServerStep::text(200, "<html>It works</html>")]);
    let silent = ScriptedServer::start([ServerStep::Hang]);
    let mut machine = FakeMachine::new();
    let address = |server: &ScriptedServer| server.url();
    machine.servers = vec![
        ("ollama".to_owned(), address(&ollama)),
        ("lmstudio".to_owned(), address(&studio)),
        ("llamacpp".to_owned(), address(&other)),
        ("vllm".to_owned(), address(&silent)),
    ];
    let found = machine.found();
    let labels: Vec<&str> = found.iter().map(|option| option.label.as_str()).collect();
    assert_eq!(
        labels,
        ["qwen3:8b on Ollama (and 1 more)", "gemma on LM Studio"]
    );
    assert_eq!(found[0].models, ["qwen3:8b", "llama3.1:8b"]);
    for option in &found {
        assert_eq!(option.access, ModelAccess::Local);
        assert_eq!(option.destination, "stays on this machine");
    }
}

#[test]
fn keys_are_named_by_their_variables() {
    let mut machine = FakeMachine::new();
    for name in [
        "ANTHROPIC_API_KEY",
        "OPENAI_API_KEY",
        "OPENROUTER_API_KEY",
        "ZAI_API_KEY",
    ] {
        machine
            .environment
            .insert(name.to_owned(), "canary-0123456789".to_owned());
    }
    let found = machine.found();
    let providers: Vec<&str> = found
        .iter()
        .map(|option| option.provider.as_str())
        .collect();
    assert_eq!(providers, ["anthropic", "openai", "openrouter", "zai"]);
    for option in &found {
        assert_eq!(
            (option.access, option.models.len()),
            (ModelAccess::ApiKey, 1)
        );
        assert!(!format!("{option:?}").contains("canary"));
        let prices = acreta_llm::PriceTable::builtin();
        assert!(
            prices.of(&option.provider, &option.models[0]).is_some(),
            "{option:?}"
        );
    }
}
