//! Detection of a machine's agents.

use acreta_agent_setup::{Agent, detect};

use crate::support::Home;

fn found(home: &Home) -> Vec<Agent> {
    detect(&home.machine())
        .into_iter()
        .map(|detected| detected.agent)
        .collect()
}

#[test]
fn an_agent_is_known_by_its_own_files() {
    let cases: [(&str, &[Agent]); 39] = [
        (".claude.json", &[Agent::Claude]),
        (".claude/settings.json", &[Agent::Claude]),
        (".claude/projects/p/s.jsonl", &[Agent::Claude]),
        (".claude/skills/acreta/SKILL.md", &[]),
        (".codex/config.toml", &[Agent::Codex]),
        (".cursor/mcp.json", &[Agent::Cursor]),
        (".config/Cursor/User/settings.json", &[Agent::Cursor]),
        (".config/opencode/opencode.json", &[Agent::OpenCode]),
        (".local/share/opencode/opencode.db", &[Agent::OpenCode]),
        (".gemini/settings.json", &[Agent::Gemini]),
        (".gemini/antigravity/x", &[]),
        (".copilot/session-state/s/events.jsonl", &[Agent::Copilot]),
        (".copilot/hooks/acreta.json", &[]),
        (".config/Code/User/settings.json", &[Agent::VsCode]),
        (".config/Code - Insiders/User/x", &[Agent::VsCode]),
        (".config/kilo/kilo.json", &[Agent::Kilo]),
        (".local/share/kilo/kilo.db", &[Agent::Kilo]),
        (".qwen/settings.json", &[Agent::Qwen]),
        (".cline/data/sessions/s/s.json", &[Agent::Cline]),
        (".grok/config.toml", &[Agent::Grok]),
        (".kimi-code/config.toml", &[Agent::Kimi]),
        (".pi/agent/settings.json", &[Agent::Pi]),
        (".factory/settings.json", &[Agent::Droid]),
        (".local/share/amp/threads/t.json", &[Agent::Amp]),
        (".config/zed/settings.json", &[Agent::Zed]),
        (".codeium/windsurf/mcp_config.json", &[Agent::Windsurf]),
        (".config/crush/crush.json", &[Agent::Crush]),
        (".kiro/settings/mcp.json", &[Agent::Kiro]),
        (
            ".config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/t/x",
            &[Agent::VsCode, Agent::Roo],
        ),
        (".openclaude/projects/p/s.jsonl", &[Agent::OpenClaude]),
        (".openclaw/openclaw.json", &[Agent::OpenClaw]),
        (".omp/agent/sessions/s.jsonl", &[Agent::OhMyPi]),
        (".forge/.forge.db", &[Agent::Forge]),
        ("forge/.forge.db", &[Agent::Forge]),
        (".vibe/config.toml", &[Agent::Vibe]),
        (
            ".config/Claude/claude_desktop_config.json",
            &[Agent::ClaudeDesktop],
        ),
        (".continue/config.yaml", &[]),
        (".agents/skills/acreta/SKILL.md", &[]),
        (".bashrc", &[]),
    ];
    for (path, agents) in cases {
        assert_eq!(found(&Home::with(&[(path, "")])), agents, "{path}");
    }
}

#[test]
fn a_program_on_the_search_path_is_enough() {
    let cases = [
        ("claude", Agent::Claude),
        ("codex", Agent::Codex),
        ("cursor-agent", Agent::Cursor),
        ("opencode", Agent::OpenCode),
        ("gemini", Agent::Gemini),
        ("copilot", Agent::Copilot),
        ("code", Agent::VsCode),
        ("kilo", Agent::Kilo),
        ("qwen", Agent::Qwen),
        ("cline", Agent::Cline),
        ("grok", Agent::Grok),
        ("kimi", Agent::Kimi),
        ("pi", Agent::Pi),
        ("openclaude", Agent::OpenClaude),
        ("openclaw", Agent::OpenClaw),
        ("omp", Agent::OhMyPi),
        ("vibe", Agent::Vibe),
    ];
    for (program, agent) in cases {
        let mut home = Home::with(&[(&format!("bin/{program}"), "")]);
        let path = format!("relative:/nowhere:{}", home.path("bin"));
        home.variables.insert("PATH".to_owned(), path);
        let detected = detect(&home.machine());
        assert_eq!(detected.len(), 1, "{program}");
        assert_eq!(detected[0].agent, agent);
        assert_eq!(detected[0].sign, home.path("bin").join(program));
    }
}

#[test]
fn folders_that_variables_name_are_looked_into_and_written_to() {
    let cases = [
        ("CLAUDE_CONFIG_DIR", "c", "c/.claude.json", Agent::Claude),
        ("CODEX_HOME", "x", "x/config.toml", Agent::Codex),
        (
            "GEMINI_CLI_HOME",
            "g",
            "g/.gemini/settings.json",
            Agent::Gemini,
        ),
        ("COPILOT_HOME", "p", "p/mcp-config.json", Agent::Copilot),
        (
            "XDG_CONFIG_HOME",
            "o",
            "o/opencode/opencode.json",
            Agent::OpenCode,
        ),
        (
            "XDG_CONFIG_HOME",
            "v",
            "v/Code/User/mcp.json",
            Agent::VsCode,
        ),
        ("XDG_CONFIG_HOME", "k", "k/kilo/kilo.json", Agent::Kilo),
        ("QWEN_HOME", "q", "q/settings.json", Agent::Qwen),
        ("GROK_HOME", "r", "r/config.toml", Agent::Grok),
        ("KIMI_CODE_HOME", "m", "m/mcp.json", Agent::Kimi),
        (
            "OPENCLAUDE_CONFIG_DIR",
            "u",
            "u/.openclaude.json",
            Agent::OpenClaude,
        ),
        (
            "OPENCLAW_STATE_DIR",
            "w",
            "w/openclaw.json",
            Agent::OpenClaw,
        ),
        ("FORGE_CONFIG", "f", "f/.mcp.json", Agent::Forge),
        ("VIBE_HOME", "b", "b/config.toml", Agent::Vibe),
        (
            "CLINE_DATA_DIR",
            "l",
            "l/settings/cline_mcp_settings.json",
            Agent::Cline,
        ),
        (
            "CLINE_DIR",
            "i",
            "i/data/settings/cline_mcp_settings.json",
            Agent::Cline,
        ),
    ];
    for (variable, folder, settings, agent) in cases {
        let mut home = Home::with(&[(settings, "")]);
        let value = home.path(folder).into_string();
        home.variables.insert(variable.to_owned(), value);
        assert_eq!(found(&home), [agent], "{variable}");
        home.connect(&[agent]);
        assert!(home.read(settings).contains("acreta"), "{variable}");
        // A relative folder is ignored.
        home.variables
            .insert(variable.to_owned(), folder.to_owned());
        assert_eq!(found(&home), [], "{variable}");
    }
}

#[test]
fn connecting_makes_no_agent_appear() {
    let home = Home::with(&[(".config/Code/User/settings.json", "{}")]);
    home.connect(&[Agent::VsCode]);
    assert_eq!(found(&home), [Agent::VsCode]);
}

#[test]
fn agents_that_cannot_be_connected_are_found_all_the_same() {
    let home = Home::with(&[
        (".local/share/goose/sessions/sessions.db", ""),
        (".continue/sessions/s.json", ""),
        (".hermes/state.db", ""),
        (".local/share/gptme/logs/c/conversation.jsonl", ""),
        (".claude.json", ""),
    ]);
    let found = acreta_agent_setup::read_only(&home.machine());
    let names: Vec<&str> = found.iter().map(|found| found.name).collect();
    assert_eq!(names, ["Continue", "Goose", "Hermes Agent", "gptme"]);
}

#[test]
fn ids_lead_back_to_agents() {
    for agent in Agent::ALL {
        assert_eq!(Agent::of_id(agent.id()), Some(agent));
    }
    assert_eq!(Agent::of_id("emacs"), None);
}
