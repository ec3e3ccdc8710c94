//! `acreta init` in homes prepared for every agent: first run, second run, and undo.

use crate::support::{Project, tree};

/// Creates a home in which each agent has left settings of its own format.
fn prepared() -> Project {
    let project = Project::new();
    let files: [(&str, &str); 9] = [
        (
            ".claude.json",
            "{\n  \"numStartups\": 3,\n  \"mcpServers\": {}\n}\n",
        ),
        (
            ".claude/settings.json",
            "{\n  \"model\": \"opus\",\n  \"hooks\": {}\n}\n",
        ),
        (
            ".codex/config.toml",
            "# mine\nmodel = \"gpt-5\" # fast\n\n[profiles.a]\nx = 1\n",
        ),
        (
            ".cursor/mcp.json",
            "{\"mcpServers\":{\"other\":{\"command\":\"x\"}}}",
        ),
        (
            ".config/opencode/opencode.jsonc",
            "{\n  // mine\n  \"theme\": \"dark\",\n}\n",
        ),
        (
            ".gemini/settings.json",
            "{\r\n\t\"theme\": \"Dark\"\r\n}\r\n",
        ),
        (".copilot/config.json", "{}\n"),
        (".config/Code/User/settings.json", "{ /* nothing */ }\n"),
        ("project/.gitignore", "target\n"),
    ];
    for (path, text) in files {
        project.write(path, text.as_bytes());
    }
    project
}

#[test]
fn there_again_and_back_byte_for_byte() {
    let project = prepared();
    let before = tree(project.outside(), &["home"]);
    let dry = project.acreta(&["init", "--dry-run"]).succeeded();
    assert!(dry.stdout.contains("+++ "), "{}", dry.stdout);
    assert!(dry.stdout.contains("acreta"), "{}", dry.stdout);
    let seen = tree(project.outside(), &["home"]);
    assert_eq!(seen, before);

    let done = project
        .acreta(&["init", "--json", "--yes"])
        .succeeded()
        .json();
    let found: Vec<&str> = done["found"]
        .as_array()
        .unwrap()
        .iter()
        .map(|agent| agent["agent"].as_str().unwrap())
        .collect();
    assert_eq!(
        found,
        [
            "claude", "codex", "cursor", "opencode", "gemini", "copilot", "vscode"
        ]
    );
    assert!(done["changes"].as_array().unwrap().len() >= 9, "{done}");
    let connected = tree(project.outside(), &["home"]);
    // `.acreta/.gitignore` says what is not shared.
    let rules = std::fs::read_to_string(project.root().join(".gitignore"));
    assert_eq!(rules.unwrap(), "target\n");

    let again = project.acreta(&["init"]).succeeded();
    assert!(
        again.stderr.contains("connected already"),
        "{}",
        again.stderr
    );
    let twice = tree(project.outside(), &["home"]);
    assert_eq!(twice, connected);

    let listed = project.acreta(&["project", "list", "--json"]).succeeded();
    assert!(
        listed.stdout.contains("\"registered\": true"),
        "{}",
        listed.stdout
    );

    project.acreta(&["init", "--undo"]).succeeded();
    let after = tree(project.outside(), &["home"]);
    assert_eq!(after, before);
    let nothing = project.acreta(&["init", "--undo"]).succeeded();
    assert!(
        nothing.stderr.contains("nothing to undo"),
        "{}",
        nothing.stderr
    );
}

#[test]
fn nothing_is_written_where_nobody_can_be_asked() {
    let project = prepared();
    let before = tree(project.outside(), &["home"]);
    for arguments in [&["init"][..], &["init", "--json"]] {
        let refused = project
            .acreta(arguments)
            .failed(2, "there is no terminal to ask at");
        assert!(refused.stderr.contains("--yes"), "{}", refused.stderr);
        assert_eq!(tree(project.outside(), &["home"]), before, "{arguments:?}");
    }
    let listed = project.acreta(&["project", "list", "--json"]).succeeded();
    assert!(
        !listed.stdout.contains("\"registered\": true"),
        "{}",
        listed.stdout
    );
}

#[test]
fn a_broken_file_is_left_alone_and_named() {
    let project = prepared();
    let broken = "{ \"mcpServers\": { ";
    project.write(".cursor/mcp.json", broken.as_bytes());
    let ran = project.acreta(&["init", "--yes"]).failed(3, "left alone");
    assert!(ran.stderr.contains(".cursor/mcp.json:1:"), "{}", ran.stderr);
    let kept = std::fs::read_to_string(project.outside().join(".cursor/mcp.json")).unwrap();
    assert_eq!(kept, broken);
    let claude = std::fs::read_to_string(project.outside().join(".claude.json")).unwrap();
    assert!(claude.contains("acreta"), "the others are connected");
}

#[test]
fn only_the_agents_that_are_meant() {
    let project = prepared();
    project
        .acreta(&["init", "--agents", "emacs"])
        .failed(2, "unknown agent `emacs`");
    project
        .acreta(&["init", "--agents", "claude", "--yes"])
        .succeeded();
    let text = |path: &str| std::fs::read_to_string(project.outside().join(path)).unwrap();
    assert!(text(".claude.json").contains("acreta"));
    assert!(!text(".codex/config.toml").contains("acreta"));

    let empty = Project::new();
    empty
        .acreta(&["init"])
        .failed(1, "no agent was found on this machine");
    // Its servers are in YAML, which is not edited.
    let settings = empty.outside().join(".continue/config.yaml");
    std::fs::create_dir_all(settings.parent().unwrap()).unwrap();
    std::fs::File::create(&settings).unwrap();
    let told = empty
        .acreta(&["init", "--yes", "--model", "none"])
        .succeeded();
    assert!(
        told.stderr.contains("Continue: found; add the MCP server"),
        "{}",
        told.stderr
    );
}

#[test]
fn opencode_gets_instructions_in_place_of_a_plugin() {
    let project = prepared();
    let init = |more: &[&str]| {
        let arguments = ["init", "--agents", "opencode", "--yes"];
        project.acreta(&[&arguments[..], more].concat()).succeeded()
    };
    let has = |path: &str| {
        project
            .outside()
            .join(".config/opencode")
            .join(path)
            .exists()
    };
    let told = init(&["--plugins", "no"]);
    assert!(!told.stdout.contains("60 MB"), "{}", told.stdout);
    assert!(has("acreta.md") && !has("plugins/acreta.js"));
    // The answer holds.
    init(&[]);
    assert!(!has("plugins/acreta.js"));
    project.acreta(&["init", "--undo"]).succeeded();
    let told = init(&[]);
    assert!(told.stdout.contains("60 MB"), "{}", told.stdout);
    assert!(!has("acreta.md") && has("plugins/acreta.js"));
}

#[cfg(unix)]
#[test]
fn a_home_that_cannot_be_written_stays_as_it_is() {
    use std::os::unix::fs::PermissionsExt;
    let project = prepared();
    let folder = project.outside().join(".codex");
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o555)).unwrap();
    if std::fs::File::create(folder.join("probe")).is_ok() {
        acreta_testing::skip(
            acreta_testing::UNPRIVILEGED,
            "this user may write everywhere",
        );
        return;
    }
    let before = tree(project.outside(), &["home"]);
    project
        .acreta(&["init", "--yes"])
        .failed(1, "every file is as it was");
    let after = tree(project.outside(), &["home"]);
    assert_eq!(after, before);
}

#[test]
fn doctor_names_hooks_that_a_connected_agent_lacks() {
    let project = prepared();
    let told = || project.acreta(&["doctor"]).stdout;
    assert!(!told().contains("has no hook"), "nothing is connected");
    let init = ["init", "--yes", "--agents", "claude,gemini"];
    project.acreta(&init).succeeded();
    assert!(!told().contains("has no hook"), "{}", told());
    // As an earlier version left it.
    let path = project.outside().join(".claude/settings.json");
    let mut settings: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let hooks = settings["hooks"].as_object_mut().unwrap();
    hooks.remove("UserPromptSubmit").unwrap();
    project.write(".claude/settings.json", settings.to_string().as_bytes());
    assert!(
        told().contains("Claude Code has no hook for prompts"),
        "{}",
        told()
    );
    project.acreta(&init).succeeded();
    assert!(!told().contains("has no hook"), "{}", told());
}

#[test]
fn the_tool_that_makes_notes_is_allowed_unless_the_person_says_no() {
    let project = prepared();
    let settings = || {
        let file = project.outside().join(".claude/settings.json");
        std::fs::read_to_string(file).unwrap()
    };
    let before = settings();
    project.acreta(&["init", "--yes", "--notes=no"]).succeeded();
    assert!(!settings().contains("memory_note"), "{}", settings());
    let config = std::fs::read_to_string(project.home().join("config.toml")).unwrap();
    assert!(config.contains("notes = false"), "{config}");
    // The answer stays until there is another.
    project.acreta(&["init", "--yes"]).succeeded();
    assert!(!settings().contains("memory_note"), "{}", settings());
    project
        .acreta(&["init", "--yes", "--notes=yes"])
        .succeeded();
    let connected = settings();
    let allowed: serde_json::Value = serde_json::from_str(&connected).unwrap();
    let allowed = &allowed["permissions"]["allow"];
    assert_eq!(*allowed, serde_json::json!(["mcp__acreta__memory_note"]));
    // What the person allows meanwhile stays.
    let rule = "\"mcp__acreta__memory_note\"";
    let changed = connected.replace(rule, &format!("{rule}, \"Bash(ls)\""));
    project.write(".claude/settings.json", changed.as_bytes());
    project.acreta(&["init", "--undo"]).succeeded();
    let left: serde_json::Value = serde_json::from_str(&settings()).unwrap();
    assert_eq!(
        left["permissions"]["allow"],
        serde_json::json!(["Bash(ls)"])
    );
    assert_eq!(left["hooks"], serde_json::json!({}));
    assert!(before.contains("opus") && left["model"] == "opus");
}
