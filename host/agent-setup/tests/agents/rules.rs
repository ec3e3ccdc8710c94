//! The requirements of each agent on its settings, written down once according to that agent's own parser, and checked
//! on every written file.

use acreta_agent_setup::Agent;
use serde::Deserialize;
use serde_json::Value;

use crate::support::{BINARY, Home};

/// Fails if an agent would reject the files of this home, or would not find acreta in them.
pub(crate) fn check(home: &Home, agent: Agent) {
    match agent {
        Agent::Claude => {
            let server = &json(home, ".claude.json")["mcpServers"]["acreta"];
            assert_eq!(server["type"], "stdio");
            check_server(server);
            let settings = json(home, ".claude/settings.json");
            check_groups(&settings["hooks"], "claude");
            check_permission(&settings);
        }
        Agent::Codex => check_codex(home),
        Agent::Cursor => {
            check_server(&json(home, ".cursor/mcp.json")["mcpServers"]["acreta"]);
            let hooks = json(home, ".cursor/hooks.json");
            assert_eq!(hooks["version"], 1);
            for (event, command, tools) in [
                ("sessionStart", "session-start", Value::Null),
                ("sessionEnd", "session-end", Value::Null),
                ("postToolUse", "failure", "Shell".into()),
            ] {
                let ours = only(&hooks["hooks"][event], command);
                assert_eq!(ours["command"], command_of(command, "cursor"));
                assert_eq!(ours["matcher"], tools);
                assert!(ours["timeout"].as_u64().unwrap() <= 60, "seconds");
            }
        }
        Agent::OpenCode | Agent::Kilo => {
            let name = agent.id();
            let settings = format!(".config/{name}/{name}.json");
            let server = &json(home, &settings)["mcp"]["acreta"];
            assert_eq!(server["type"], "local");
            assert_eq!(server["command"], serde_json::json!([BINARY, "mcp"]));
            let plugin = home.read(&format!(".config/{name}/plugins/acreta.js"));
            assert!(plugin.contains(&format!("\"--agent\", \"{name}\"")));
            assert!(plugin.contains(&format!("const ACRETA = \"{BINARY}\"")));
            // Version 1 loads `server`, version 2 `id` and `setup`, both of the default export.
            for part in [
                "export default {",
                "id: \"acreta\"",
                "async server(",
                "async setup(",
                "\"chat.message\": ",
                "\"tool.execute.before\": ",
                "\"tool.execute.after\": ",
            ] {
                assert!(plugin.contains(part), "{part}");
            }
        }
        Agent::Gemini | Agent::Qwen => {
            let settings = json(home, &format!(".{}/settings.json", agent.id()));
            check_server(&settings["mcpServers"]["acreta"]);
            check_groups(&settings["hooks"], agent.id());
            let hook = &only(&settings["hooks"]["SessionStart"], "session-start")["hooks"][0];
            assert!(hook["timeout"].as_u64().unwrap() >= 1000, "milliseconds");
            match agent {
                Agent::Qwen => check_permission(&settings),
                _ => assert!(!settings.to_string().contains("memory_note")),
            }
        }
        Agent::Copilot => {
            let server = &json(home, ".copilot/mcp-config.json")["mcpServers"]["acreta"];
            assert_eq!(server["type"], "local");
            assert_eq!(server["tools"], serde_json::json!(["*"]));
            check_server(server);
            check_copilot_hooks(home);
        }
        Agent::VsCode => {
            let server = &json(home, ".config/Code/User/mcp.json")["servers"]["acreta"];
            assert_eq!(server["type"], "stdio");
            check_server(server);
            check_copilot_hooks(home);
        }
        Agent::Cline => {
            let settings = json(home, ".cline/data/settings/cline_mcp_settings.json");
            check_server(&settings["mcpServers"]["acreta"]);
            let plugin = home.read(".cline/plugins/acreta.js");
            for part in ["beforeRun", "afterTool", "afterRun", "appendContext"] {
                assert!(plugin.contains(part), "{part}");
            }
        }
        Agent::Kimi => {
            check_server(&json(home, ".kimi-code/mcp.json")["mcpServers"]["acreta"]);
            let settings = home.read(".kimi-code/config.toml");
            let settings = settings.trim_start_matches('\u{feff}');
            let settings: toml_edit::DocumentMut = settings.parse().unwrap();
            let hooks = settings["hooks"].as_array_of_tables().unwrap();
            for (command, event) in [("prompt", "UserPromptSubmit"), ("session-end", "Stop")] {
                let command = command_of(command, "kimi");
                let ours = hooks
                    .iter()
                    .filter(|hook| hook["command"].as_str() == Some(&*command));
                let events: Vec<_> = ours.map(|hook| hook["event"].as_str()).collect();
                assert_eq!(events, [Some(event)]);
            }
        }
        Agent::Grok => {
            let settings = toml(home, ".grok/config.toml");
            for (event, index, command, tools) in [
                ("SessionEnd", 0, "session-end", None),
                ("PostToolUse", 0, "failure", None),
                ("PostToolUse", 1, "edit", Some("Edit|MultiEdit|Write")),
            ] {
                let group = &settings["hooks"][event][index];
                let matcher = group.get("matcher").and_then(|tools| tools.as_str());
                assert_eq!(matcher, tools);
                let hook = &group["hooks"][0];
                assert_eq!(hook["type"].as_str(), Some("command"));
                let command = command_of(command, "grok");
                assert_eq!(hook["command"].as_str(), Some(&*command));
            }
        }
        Agent::Pi => {
            let plugin = home.read(".pi/agent/extensions/acreta.js");
            for part in [
                "export default function",
                "before_agent_start",
                "tool_result",
            ] {
                assert!(plugin.contains(part), "{part}");
            }
        }
        Agent::Vibe => {
            let settings = home.read(".vibe/config.toml");
            let settings = settings.trim_start_matches('\u{feff}');
            let settings: toml_edit::DocumentMut = settings.parse().unwrap();
            let servers = settings["mcp_servers"].as_array_of_tables().unwrap();
            let ours = servers
                .iter()
                .filter(|server| server["name"].as_str() == Some("acreta"));
            let commands: Vec<_> = ours.map(|server| server["command"].as_str()).collect();
            assert_eq!(commands, [Some(BINARY)]);
            return;
        }
        Agent::OpenClaw => {
            let settings = json(home, crate::support::settings_of(Agent::OpenClaw)[0]);
            check_server(&settings["mcp"]["servers"]["acreta"]);
            return;
        }
        agent => {
            let key = match agent {
                Agent::Amp => "amp.mcpServers",
                Agent::Zed => "context_servers",
                Agent::Crush => "mcp",
                _ => "mcpServers",
            };
            let settings = json(home, crate::support::settings_of(agent)[0]);
            check_server(&settings[key]["acreta"]);
            return;
        }
    }
    check_skill(&home.read(match agent {
        Agent::Claude => ".claude/skills/acreta/SKILL.md",
        _ => ".agents/skills/acreta/SKILL.md",
    }));
}

/// Parses JSON with comments and trailing commas, which is more than Claude Code accepts and as much as OpenCode,
/// Gemini CLI and VS Code do; a file without comments must be plain JSON.
pub(crate) fn json(home: &Home, path: &str) -> Value {
    let text = home.read(path);
    let text = text.trim_start_matches('\u{feff}');
    let lenient = lenient(text);
    if !text.contains("//") && !text.contains("/*") && !text.contains(",\n}") {
        assert_eq!(serde_json::from_str::<Value>(text).unwrap(), lenient);
    }
    lenient
}

pub(crate) fn lenient(text: &str) -> Value {
    let parsed = jsonc_parser::parse_to_ast(text, &Default::default(), &Default::default());
    parsed.unwrap().value.unwrap().into()
}

fn check_server(server: &Value) {
    assert_eq!(server["command"], BINARY);
    assert_eq!(server["args"], serde_json::json!(["mcp"]));
}

/// Checks hooks as groups with an optional matcher: Claude Code and agents with the same form.
fn check_groups(hooks: &Value, agent: &str) {
    for (event, command, tool) in moments(agent) {
        let group = only(&hooks[event], command);
        match group["matcher"].as_str() {
            Some(tools) => assert!(tools.split('|').any(|one| one == *tool), "{tools}"),
            None => assert_eq!(*tool, ""),
        }
        let handlers = group["hooks"].as_array().unwrap();
        assert_eq!(handlers.len(), 1);
        assert_eq!(handlers[0]["type"], "command");
        assert_eq!(handlers[0]["command"], command_of(command, agent));
    }
}

/// Checks that one tool is allowed, once.
fn check_permission(settings: &Value) {
    let allowed = settings["permissions"]["allow"].as_array().unwrap().iter();
    let ours: Vec<&Value> = allowed
        .filter(|rule| rule.to_string().contains("acreta"))
        .collect();
    assert_eq!(ours, ["mcp__acreta__memory_note"]);
}

/// Returns the events whose hooks add to the model's input, and a tool that each applies to.
fn moments(agent: &str) -> &'static [(&'static str, &'static str, &'static str)] {
    match agent {
        "claude" => &[
            ("SessionStart", "session-start", ""),
            ("SessionEnd", "session-end", ""),
            ("PreCompact", "compact", ""),
            ("UserPromptSubmit", "prompt", ""),
            ("PostToolUseFailure", "failure", "Bash"),
            ("PreToolUse", "edit", "Write"),
        ],
        "gemini" => &[
            ("SessionStart", "session-start", ""),
            ("SessionEnd", "session-end", ""),
            ("PreCompress", "compact", ""),
            ("BeforeAgent", "prompt", ""),
            ("AfterTool", "failure", "run_shell_command"),
            ("AfterTool", "edit", "write_file"),
        ],
        "qwen" => &[
            ("SessionStart", "session-start", ""),
            ("Stop", "session-end", ""),
            ("PreCompact", "compact", ""),
            ("UserPromptSubmit", "prompt", ""),
            ("PostToolUseFailure", "failure", "run_shell_command"),
            ("PostToolUse", "edit", "write_file"),
        ],
        _ => &[],
    }
}

fn command_of(command: &str, agent: &str) -> String {
    format!("{BINARY} hook {command} --agent {agent}")
}

/// Returns the only element of a list that is acreta's.
fn only<'a>(list: &'a Value, command: &str) -> &'a Value {
    let wanted = format!("hook {command} ");
    let ours: Vec<&Value> = list
        .as_array()
        .unwrap()
        .iter()
        .filter(|value| value.to_string().contains(&wanted))
        .collect();
    assert_eq!(ours.len(), 1, "{list}");
    ours[0]
}

/// The form of Codex's `hooks.json`: no unknown keys at the top, handlers distinguished by their type.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CodexHooks {
    #[serde(rename = "description")]
    _description: Option<String>,
    hooks: std::collections::BTreeMap<String, Vec<CodexGroup>>,
}

#[derive(Deserialize)]
struct CodexGroup {
    #[serde(rename = "matcher")]
    _matcher: Option<String>,
    hooks: Vec<CodexHandler>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum CodexHandler {
    Command {
        command: String,
        timeout: Option<u64>,
    },
}

/// Parses settings in TOML that contain acreta's server.
fn toml(home: &Home, path: &str) -> toml_edit::DocumentMut {
    let text = home.read(path);
    let settings: toml_edit::DocumentMut = text.trim_start_matches('\u{feff}').parse().unwrap();
    let server = &settings["mcp_servers"]["acreta"];
    assert_eq!(server["command"].as_str(), Some(BINARY));
    assert_eq!(server["args"][0].as_str(), Some("mcp"));
    settings
}

fn check_codex(home: &Home) {
    toml(home, ".codex/config.toml");

    let text = home.read(".codex/hooks.json");
    let hooks: CodexHooks = serde_json::from_str(text.trim_start_matches('\u{feff}')).unwrap();
    for (event, command, most) in [
        ("SessionStart", "session-start", 600),
        ("SessionEnd", "session-end", 3),
        ("PreCompact", "compact", 600),
        ("UserPromptSubmit", "prompt", 600),
        ("PostToolUse", "failure", 600),
        ("PreToolUse", "edit", 600),
    ] {
        let wanted = command_of(command, "codex");
        let found = hooks.hooks[event]
            .iter()
            .flat_map(|group| &group.hooks)
            .filter(|handler| {
                let CodexHandler::Command { command, timeout } = handler;
                *command == wanted && timeout.is_some_and(|seconds| seconds <= most)
            });
        assert_eq!(found.count(), 1, "{event}");
    }
}

fn check_copilot_hooks(home: &Home) {
    let hooks = json(home, ".copilot/hooks/acreta.json");
    assert_eq!(hooks["version"], 1);
    for (event, command) in [
        ("sessionStart", "session-start"),
        ("sessionEnd", "session-end"),
        ("userPromptSubmitted", "prompt"),
        ("postToolUse", "failure"),
        ("preToolUse", "edit"),
    ] {
        let hook = &hooks["hooks"][event][0];
        assert_eq!(hook["type"], "command");
        assert_eq!(hook["bash"], command_of(command, "copilot"));
        assert_eq!(
            hook["powershell"],
            format!("& '{BINARY}' hook {command} --agent copilot")
        );
    }
}

/// Checks the standard for skills: front matter with the folder's name and a description of one line.
fn check_skill(text: &str) {
    let head = text
        .strip_prefix("---\n")
        .unwrap()
        .split_once("\n---\n")
        .unwrap()
        .0;
    let lines: Vec<&str> = head.lines().collect();
    assert_eq!(lines[0], "name: acreta");
    let description = lines[1].strip_prefix("description: ").unwrap();
    assert!((1..=1024).contains(&description.len()));
    // A colon and a space would make it a mapping in YAML, a number sign a comment.
    assert!(!description.contains(": ") && !description.contains(" #"));
    let allowed = lines[2].strip_prefix("allowed-tools: ").unwrap();
    assert_eq!(allowed.split(' ').collect::<Vec<_>>(), reading_tools());
    assert_eq!(lines.len(), 3);
}

/// Returns the read-only tools of the MCP server, as Claude Code names them.
fn reading_tools() -> Vec<String> {
    let tools: Value = serde_json::from_str(include_str!("../../../mcp/src/tools.json")).unwrap();
    let reads = |tool: &&Value| tool["annotations"]["readOnlyHint"] == true;
    tools
        .as_array()
        .unwrap()
        .iter()
        .filter(reads)
        .map(|tool| format!("mcp__acreta__{}", tool["name"].as_str().unwrap()))
        .collect()
}
