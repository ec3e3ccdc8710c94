//! Settings that conflict or have an unusual form.

use acreta_agent_setup::{Agent, Learning, Problem, Setup, apply, needs_catch_up, plan, undo};
use camino::Utf8Path;

use crate::rules::json;
use crate::support::{BINARY, Home, Unsynced, only_added};

#[test]
fn broken_settings_are_told_with_their_place_and_left_alone() {
    let cases = [
        (
            Agent::Claude,
            ".claude.json",
            "{\n  \"a\": 1\n  \"b\": 2\n}\n",
            2,
            9,
        ),
        (Agent::Claude, ".claude/settings.json", "{\"a\": }", 1, 7),
        (Agent::Cursor, ".cursor/mcp.json", "{\n  'a': 1\n}", 2, 3),
        (
            Agent::Gemini,
            ".gemini/settings.json",
            "{\"a\": 0x10}",
            1,
            7,
        ),
        (
            Agent::OpenCode,
            ".config/opencode/opencode.json",
            "{\"ä\": [1, 2}",
            1,
            12,
        ),
        (
            Agent::Codex,
            ".codex/config.toml",
            "model = \"m\"\n[[[\n",
            2,
            3,
        ),
        (
            Agent::Codex,
            ".codex/hooks.json",
            "{\n\t\"hooks\": {",
            2,
            11,
        ),
        (
            Agent::VsCode,
            ".config/Code/User/mcp.json",
            "{ /* open",
            1,
            3,
        ),
    ];
    for (agent, path, text, line, column) in cases {
        let home = Home::with(&[(path, text)]);
        let plan = home.plan(&[agent]);
        assert_eq!(plan.problems.len(), 1, "{path}: {:?}", plan.problems);
        let told = plan.problems[0].to_string();
        let place = format!("{}:{line}:{column}: ", home.path(path));
        assert!(told.starts_with(&place), "{told} is not at {line}:{column}");
        assert!(
            plan.changes
                .iter()
                .all(|change| change.path != home.path(path))
        );
        // Its other files and other agents are still changed.
        assert!(!plan.is_empty());
        let others = home.plan(&Agent::ALL);
        assert_eq!(others.problems.len(), 1);
    }
}

#[test]
fn settings_of_another_shape_are_told_and_left_alone() {
    let cases = [
        (Agent::Claude, ".claude.json", "[]", "an object"),
        (
            Agent::Claude,
            ".claude.json",
            r#"{"mcpServers": "none"}"#,
            "`mcpServers`",
        ),
        (
            Agent::Claude,
            ".claude/settings.json",
            r#"{"hooks": {"SessionStart": {}}}"#,
            "`hooks.SessionStart`",
        ),
        (
            Agent::Claude,
            ".claude/settings.json",
            r#"{"hooks": 1}"#,
            "`hooks`",
        ),
        (
            Agent::Cursor,
            ".cursor/mcp.json",
            r#"{"mcpServers": {}, "mcpServers": {}}"#,
            "`mcpServers` twice",
        ),
        (
            Agent::Codex,
            ".codex/config.toml",
            "mcp_servers = 1",
            "`mcp_servers`",
        ),
        (
            Agent::Codex,
            ".codex/config.toml",
            "mcp_servers = { other = { command = \"o\" } }",
            "`mcp_servers`",
        ),
        (
            Agent::Codex,
            ".codex/config.toml",
            "[hooks]\nSessionStart = []\n",
            "`hooks.SessionStart`",
        ),
    ];
    for (agent, path, text, word) in cases {
        let home = Home::with(&[(path, text)]);
        let plan = home.plan(&[agent]);
        let told: Vec<String> = plan.problems.iter().map(Problem::to_string).collect();
        assert!(
            told.iter().any(|told| told.contains(word)),
            "{text}: {told:?}"
        );
        let changed = plan
            .changes
            .iter()
            .find(|change| change.path == home.path(path));
        // Entries are added where possible; existing ones are never changed.
        assert!(
            changed.is_none_or(|change| only_added(text, &change.after)),
            "{text}"
        );
    }
}

#[test]
fn entries_that_a_person_changed_stay_and_are_told() {
    let hook = |command: &str| {
        format!(
            r#"{{"hooks": {{"SessionEnd": [{{"hooks": [{{"type": "command", "command": "{command}"}}]}}]}}}}"#
        )
    };
    let cases = [
        (
            Agent::Claude,
            ".claude.json",
            r#"{"mcpServers": {"acreta": {"command": "mine"}}}"#.to_owned(),
            "MCP server",
        ),
        (
            Agent::Claude,
            ".claude/settings.json",
            hook("nice acreta hook session-end --agent claude"),
            "hook for the end of a session",
        ),
        (
            Agent::Gemini,
            ".gemini/settings.json",
            hook("/old/acreta hook session-end"),
            "hook for the end of a session",
        ),
        (
            Agent::Claude,
            ".claude/skills/acreta/SKILL.md",
            "mine".to_owned(),
            "skill",
        ),
        (
            Agent::Codex,
            ".codex/config.toml",
            "[mcp_servers.acreta]\ncommand = \"acreta\"\nargs = [\"mcp\"]\nenabled = false\n"
                .to_owned(),
            "MCP server",
        ),
        (
            Agent::Copilot,
            ".copilot/hooks/acreta.json",
            "{}".to_owned(),
            "hooks for sessions, prompts, failed commands and edits",
        ),
        (
            Agent::OpenCode,
            ".config/opencode/plugins/acreta.js",
            String::new(),
            "plugin for sessions, prompts, failed commands and edits",
        ),
    ];
    for (agent, path, text, what) in cases {
        let home = Home::with(&[(path, &text)]);
        for _ in 0..2 {
            let plan = home.plan(&[agent]);
            let kept: Vec<_> = plan
                .kept
                .iter()
                .map(|kept| (kept.path.clone(), kept.what))
                .collect();
            assert_eq!(kept, [(home.path(path), what)]);
            assert!(plan.problems.is_empty());
        }
        let after = home.plan(&[agent]);
        let changed = after
            .changes
            .iter()
            .find(|change| change.path == home.path(path));
        assert!(changed.is_none_or(|change| !change.what.contains(&what)));
    }
}

#[test]
fn codex_gets_its_hooks_where_it_has_others() {
    let settings = "[[hooks.SessionStart]]\nmatcher = \"startup\"\n\n[[hooks.SessionStart.hooks]]\ntype = \"command\"\ncommand = \"other\"\n\n[hooks.state]\n";
    let home = Home::with(&[(".codex/config.toml", settings)]);
    home.connect(&[Agent::Codex]);
    assert!(!home.path(".codex/hooks.json").exists());
    let written: toml_edit::DocumentMut = home.read(".codex/config.toml").parse().unwrap();
    let groups = written["hooks"]["SessionStart"]
        .as_array_of_tables()
        .unwrap();
    assert_eq!(groups.len(), 2);
    let ours = &groups.get(1).unwrap()["hooks"]
        .as_array_of_tables()
        .unwrap();
    let command = ours.get(0).unwrap()["command"].as_str().unwrap();
    assert_eq!(
        command,
        format!("{BINARY} hook session-start --agent codex")
    );
    assert!(home.plan(&[Agent::Codex]).is_empty());

    // Codex's trust records are not hooks, and a file of hooks wins.
    for (settings, hooks) in [("[hooks.state]\n", None), (settings, Some("{}"))] {
        let home = Home::with(&[(".codex/config.toml", settings)]);
        if let Some(hooks) = hooks {
            home.write(".codex/hooks.json", hooks);
        }
        home.connect(&[Agent::Codex]);
        assert!(home.read(".codex/hooks.json").contains("session-end"));
        assert!(!home.read(".codex/config.toml").contains("session-end"));
    }
}

#[test]
fn opencode_gets_its_server_where_it_looks() {
    let version_2 = r#"{"mcp": {"servers": {"other": {"type": "local", "command": ["o"]}}}}"#;
    let named_servers = r#"{"mcp": {"servers": {"type": "local", "command": ["o"]}}}"#;
    let cases = [
        (version_2, "/mcp/servers/acreta"),
        (named_servers, "/mcp/acreta"),
        ("{}", "/mcp/acreta"),
    ];
    for (text, pointer) in cases {
        let home = Home::with(&[
            (".config/opencode/opencode.jsonc", text),
            (".config/opencode/opencode.json", "{}"),
        ]);
        home.connect(&[Agent::OpenCode]);
        let settings = json(&home, ".config/opencode/opencode.jsonc");
        assert_eq!(
            settings.pointer(pointer).unwrap()["type"],
            "local",
            "{text}"
        );
        assert_eq!(home.read(".config/opencode/opencode.json"), "{}");
        assert!(home.plan(&[Agent::OpenCode]).is_empty());
    }
}

#[test]
fn every_edition_of_vs_code_that_is_here_is_connected() {
    let home = Home::with(&[
        (".config/Code - Insiders/User/settings.json", "{}"),
        (".config/VSCodium/User/settings.json", "{}"),
    ]);
    home.connect(&[Agent::VsCode]);
    for edition in ["Code - Insiders", "VSCodium"] {
        let servers = json(&home, &format!(".config/{edition}/User/mcp.json"));
        assert_eq!(servers["servers"]["acreta"]["command"], BINARY);
    }
    assert!(!home.path(".config/Code").exists());
}

/// The one table of how learning starts without the daemon.
#[test]
fn every_agent_says_when_its_sessions_are_read() {
    let home = Home::new();
    let plan = home.plan(&Agent::ALL);
    let agents: Vec<Agent> = plan.notes.iter().map(|note| note.agent).collect();
    assert_eq!(agents, Agent::ALL);
    home.connect(&Agent::ALL);
    for agent in Agent::ALL {
        let expected = match agent {
            Agent::Claude | Agent::Cursor | Agent::Gemini | Agent::Copilot | Agent::Grok => {
                Learning::SessionEnd
            }
            Agent::OpenCode | Agent::Kilo | Agent::Qwen | Agent::Kimi | Agent::Cline => {
                Learning::Turn
            }
            Agent::Codex => Learning::Untrusted,
            Agent::ClaudeDesktop => Learning::Never,
            _ => Learning::NextStart,
        };
        assert_eq!(Learning::of(agent, &home.machine()), expected, "{agent}");
    }
    assert!(needs_catch_up(&home.machine()));
    assert!(!needs_catch_up(&Home::new().machine()));
}

/// Codex passes over a hook that its person did not trust, without a word.
#[test]
fn codex_learns_at_the_end_once_its_hooks_are_trusted() {
    let other =
        r#"{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "other"}]}]}}"#;
    let inline = "[[hooks.SessionStart]]\n\n[[hooks.SessionStart.hooks]]\ntype = \"command\"\ncommand = \"other\"\n";
    // Columns: file that had a hook of somebody else's, its text; the file that gets acreta's.
    for (file, text, own) in [
        (".codex/hooks.json", other, ".codex/hooks.json"),
        (".codex/config.toml", inline, ".codex/config.toml"),
    ] {
        let home = Home::new();
        home.write(file, text);
        let of_codex = || Learning::of(Agent::Codex, &home.machine());
        assert_eq!(
            of_codex(),
            Learning::SessionEnd,
            "nothing of acreta's is there"
        );
        let note = home.plan(&[Agent::Codex]).notes.remove(0);
        assert!(note.text.contains("type /hooks in it"), "{}", note.text);
        home.connect(&[Agent::Codex]);
        assert_eq!(of_codex(), Learning::Untrusted);
        let note = home.plan(&[Agent::Codex]).notes.remove(0);
        assert!(note.text.contains("type /hooks in it"), "{}", note.text);
        let settings = home.read(".codex/config.toml");
        for (place, state, expected) in [
            ("0:0", "trusted_hash = \"sha256:0\"", Learning::Untrusted),
            ("1:0", "enabled = true", Learning::Untrusted),
            (
                "1:0",
                "trusted_hash = \"sha256:0\"\nenabled = false",
                Learning::Untrusted,
            ),
            ("1:0", "trusted_hash = \"sha256:0\"", Learning::SessionEnd),
        ] {
            let path = home.path(own);
            let entry = format!("\n[hooks.state.\"{path}:session_start:{place}\"]\n{state}\n");
            home.write(".codex/config.toml", &format!("{settings}{entry}"));
            assert_eq!(of_codex(), expected, "{file}: {place} {state}");
        }
    }
}

#[test]
fn a_binary_without_a_full_path_is_refused() {
    let home = Home::new();
    let plan = plan(&Setup {
        machine: &home.machine(),
        binary: Utf8Path::new("acreta"),
        agents: &Agent::ALL,
        notes: true,
        plugins: None,
        project: None,
    });
    assert!(plan.is_empty());
    assert!(matches!(
        plan.problems[..],
        [Problem::RelativeBinary { .. }]
    ));
}

#[test]
fn a_program_can_be_connected_without_a_plugin() {
    for agent in [Agent::OpenCode, Agent::Kilo] {
        let name = agent.id();
        let settings = format!(".config/{name}/{name}.json");
        let home = Home::with(&[(&*settings, "{\n  \"instructions\": [\"docs/*.md\"]\n}\n")]);
        let planned = |plugins| {
            plan(&Setup {
                machine: &home.machine(),
                binary: Utf8Path::new(BINARY),
                agents: &[agent],
                notes: true,
                plugins,
                project: None,
            })
        };
        let before = home.snapshot();
        let without = planned(Some(false));
        assert!(without.problems.is_empty(), "{:?}", without.problems);
        assert!(!without.notes[0].text.contains("60 MB"));
        assert!(without.notes[0].text.contains("starts next"), "{agent}");
        let receipt = apply(&without, &home.backups(0), Unsynced::shared()).unwrap();
        let instructions = format!(".config/{name}/acreta.md");
        assert!(home.read(&instructions).contains("memory_search"));
        let listed = &json(&home, &settings)["instructions"];
        let path = home.path(&instructions);
        assert_eq!(*listed, serde_json::json!(["docs/*.md", path]));
        assert!(
            !home
                .path(&format!(".config/{name}/plugins/acreta.js"))
                .exists()
        );
        assert_eq!(Learning::of(agent, &home.machine()), Learning::NextStart);
        // A later `init` that does not say otherwise leaves it so.
        assert!(planned(None).is_empty());
        assert!(planned(Some(true)).diff().contains("plugins/acreta.js"));
        undo(&receipt, Unsynced::shared());
        let mut after = home.snapshot();
        after.retain(|path, _| before.contains_key(path));
        assert_eq!(after, before);
    }
}

/// Gemini CLI lists up to 200 files of the tree in its first request.
#[test]
fn gemini_is_told_to_leave_the_folder_of_memory_out() {
    let table = [
        (None, "/.acreta/\n"),
        (Some("target/"), "target/\n/.acreta/\n"),
        (Some("target/\n"), "target/\n/.acreta/\n"),
        (Some(".acreta\n"), ".acreta\n"),
    ];
    for (before, after) in table {
        let home = Home::new();
        let project = home.path("work");
        home.write("work/README.md", "");
        if let Some(text) = before {
            home.write("work/.geminiignore", text);
        }
        let planned = || {
            plan(&Setup {
                machine: &home.machine(),
                binary: Utf8Path::new(BINARY),
                agents: &[Agent::Gemini],
                notes: true,
                plugins: None,
                project: Some(&project),
            })
        };
        let start = home.snapshot();
        let receipt = apply(&planned(), &home.backups(0), Unsynced::shared()).unwrap();
        assert_eq!(home.read("work/.geminiignore"), after);
        assert!(planned().is_empty());
        undo(&receipt, Unsynced::shared());
        assert_eq!(home.snapshot(), start);
    }
    // A link that came with the repository is left alone.
    let home = Home::with(&[("secret", "x"), ("work/README.md", "")]);
    home.link("work/.geminiignore", "secret");
    let project = home.path("work");
    let plan = plan(&Setup {
        machine: &home.machine(),
        binary: Utf8Path::new(BINARY),
        agents: &[Agent::Gemini],
        notes: true,
        plugins: None,
        project: Some(&project),
    });
    assert!(!plan.diff().contains("/.acreta/"), "{}", plan.diff());
}

#[test]
fn a_plugin_that_makes_a_program_wait_is_told_before() {
    for (agent, waits) in [
        (Agent::OpenCode, true),
        (Agent::Kilo, true),
        (Agent::Grok, false),
    ] {
        let home = Home::new();
        let told = |plan: &acreta_agent_setup::Plan| {
            plan.notes.iter().any(|note| note.text.contains("60 MB"))
        };
        assert_eq!(told(&home.plan(&[agent])), waits, "{agent:?}");
        home.connect(&[agent]);
        assert!(!told(&home.plan(&[agent])));
    }
}
