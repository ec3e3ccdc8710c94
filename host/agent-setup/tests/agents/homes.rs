//! Every agent with every kind of home: connected, connected again, rewritten by the agent, and undone to the byte.

use acreta_agent_setup::{Agent, Receipt, undo};

use crate::rules;
use crate::support::{Home, Unsynced, settings_of};

type Prepare = fn(&Home, Agent);

const KINDS: [(&str, Prepare); 8] = [
    ("nothing at all", |_, _| {}),
    ("empty files", |home, agent| {
        write_all(home, agent, |_| String::new())
    }),
    ("own settings and comments", |home, agent| {
        write_all(home, agent, own)
    }),
    ("other servers and hooks", |home, agent| {
        write_all(home, agent, foreign)
    }),
    ("windows line ends and a byte order mark", |home, agent| {
        write_all(home, agent, |path| {
            format!("\u{feff}{}", foreign(path).replace('\n', "\r\n"))
        });
    }),
    ("tabs and no last line end", |home, agent| {
        write_all(home, agent, |path| {
            foreign(path).replace("  ", "\t").trim_end().to_owned()
        });
    }),
    ("all in one line", |home, agent| {
        write_all(home, agent, packed)
    }),
    ("links into another folder", |home, agent| {
        for path in settings_of(agent) {
            let kept = format!("dotfiles/{}", path.replace('/', "-"));
            home.write(&kept, &foreign(path));
            home.link(path, &kept);
        }
    }),
];

#[test]
fn every_home_comes_back_as_it_was() {
    for (kind, prepare) in KINDS {
        for agent in Agent::ALL {
            let home = Home::new();
            prepare(&home, agent);
            there_and_back(&home, &[agent], &format!("{agent}, {kind}"));
        }
    }
}

#[test]
fn all_agents_at_once() {
    for (kind, prepare) in KINDS {
        let home = Home::new();
        for agent in Agent::ALL {
            prepare(&home, agent);
        }
        there_and_back(&home, &Agent::ALL, kind);
    }
}

#[test]
fn what_others_have_is_still_there() {
    for agent in Agent::ALL {
        let home = Home::new();
        for path in settings_of(agent) {
            home.write(path, &foreign(path));
        }
        home.connect(&[agent]);
        for path in settings_of(agent) {
            let after = home.read(path).replace(',', "");
            for line in foreign(path).replace(',', "").lines() {
                let line = line.trim().trim_end_matches(']');
                assert!(after.contains(line), "{agent}: {line}\n{after}");
            }
        }
    }
}

#[test]
fn one_agent_after_the_other_and_back_in_reverse() {
    let home = Home::new();
    let start = home.snapshot();
    let mut receipts = Vec::new();
    for (n, agent) in Agent::ALL.into_iter().enumerate() {
        let plan = home.plan(&[agent]);
        receipts
            .push(acreta_agent_setup::apply(&plan, &home.backups(n), Unsynced::shared()).unwrap());
    }
    for agent in Agent::ALL {
        rules::check(&home, agent);
    }
    for receipt in receipts.iter().rev() {
        assert!(undo(receipt, Unsynced::shared()).is_complete());
    }
    assert_eq!(home.snapshot(), start);
}

#[test]
fn the_diff_shows_each_file_and_only_added_lines() {
    let home = Home::new();
    home.write(".gemini/settings.json", &foreign(".gemini/settings.json"));
    let plan = home.plan(&[Agent::Gemini]);
    let diff = plan.diff();
    for change in &plan.changes {
        assert!(diff.contains(&format!("+++ {}", change.target)), "{diff}");
    }
    assert!(diff.contains("--- /dev/null"), "the skill is new");
    assert!(diff.contains("+    \"acreta\": {"), "{diff}");
    let removed: Vec<&str> = diff
        .lines()
        .filter(|line| line.starts_with('-') && !line.starts_with("---"))
        .collect();
    // The line that ends an object gets its comma.
    assert!(
        removed.iter().all(|line| line.ends_with(['}', ']'])),
        "{removed:?}"
    );
    assert!(home.plan(&[]).diff().is_empty());
}

fn there_and_back(home: &Home, agents: &[Agent], what: &str) {
    let start = home.snapshot();
    home.connect(agents);
    for &agent in agents {
        rules::check(home, agent);
    }
    let again = home.plan(agents);
    assert!(again.is_empty(), "{what}: {}", again.diff());
    assert!(again.kept.is_empty(), "{what}: {:?}", again.kept);

    let receipt = Receipt::read(&home.backups(0)).unwrap();
    let undone = undo(&receipt, Unsynced::shared());
    assert!(undone.is_complete(), "{what}: {:?}", undone.refused);
    assert_eq!(home.snapshot(), start, "{what}");
    // Repeating it is harmless.
    let again = undo(&receipt, Unsynced::shared());
    assert_eq!(again.already.len(), receipt.written.len(), "{what}");
    assert_eq!(home.snapshot(), start, "{what}");
}

fn write_all(home: &Home, agent: Agent, text: impl Fn(&str) -> String) {
    for path in settings_of(agent) {
        home.write(path, &text(path));
    }
}

/// Settings of a person without servers and hooks. Files that agents read as plain JSON have no comments.
fn own(path: &str) -> String {
    if path.ends_with(".toml") {
        return "# my settings\nmodel = \"m\" # the good one\n\n[features]\nweb = true\n"
            .to_owned();
    }
    match path {
        ".codex/hooks.json" => "{\n  \"description\": \"mine\"\n}\n".to_owned(),
        ".claude.json"
        | ".claude/settings.json"
        | ".copilot/mcp-config.json"
        | ".cline/data/settings/cline_mcp_settings.json"
        | ".kimi-code/mcp.json" => {
            "{\n    \"numStartups\": 7,\n    \"theme\": \"dark\"\n}\n".to_owned()
        }
        _ => "// mine\n{\n  /* first */ \"theme\": \"dark\", // dark\n\n  \"list\": [1, 2,], // kept\n  // the end\n}\n"
            .to_owned(),
    }
}

/// Settings with servers and hooks of other tools.
fn foreign(path: &str) -> String {
    let text = match path {
        ".codex/config.toml" | ".grok/config.toml" => {
            "model = \"m\"\n\n[mcp_servers.other]\ncommand = \"other\"\nargs = [\"serve\"]\n\n[projects.\"/work\"]\ntrust_level = \"trusted\"\n"
        }
        ".vibe/config.toml" => {
            "active_model = \"m\"\n\n[[mcp_servers]]\nname = \"other\"\ntransport = \"stdio\"\ncommand = \"other\"\n\n[tools.bash]\npermission = \"ask\"\n"
        }
        ".kimi-code/config.toml" => {
            "default_model = \"m\"\n\n[[hooks]]\nevent = \"UserPromptSubmit\"\ncommand = \"other prompt\"\n\n[providers.p]\ntype = \"kimi\"\n"
        }
        ".cursor/hooks.json" => {
            "{\n  \"version\": 1,\n  \"hooks\": {\n    \"sessionStart\": [{ \"command\": \"other start\" }],\n    \"stop\": [\n      { \"command\": \"other stop\" }\n    ]\n  }\n}\n"
        }
        ".claude/settings.json" | ".codex/hooks.json" => {
            "{\n  \"hooks\": {\n    \"SessionStart\": [\n      {\n        \"matcher\": \"startup\",\n        \"hooks\": [\n          { \"type\": \"command\", \"command\": \"other start\" }\n        ]\n      }\n    ],\n    \"Stop\": []\n  }\n}\n"
        }
        ".config/opencode/opencode.json" | ".config/kilo/kilo.json" => {
            "{\n  \"$schema\": \"https://opencode.ai/config.json\",\n  // servers\n  \"mcp\": {\n    \"other\": { \"type\": \"local\", \"command\": [\"other\"] }, // mine\n  },\n}\n"
        }
        ".config/Code/User/mcp.json" => {
            "{\n  \"servers\": {\n    \"other\": { \"type\": \"stdio\", \"command\": \"other\" } // mine\n  },\n  \"inputs\": []\n}\n"
        }
        ".gemini/settings.json" | ".qwen/settings.json" => {
            "{\n  \"mcpServers\": {\n    \"other\": {\n      \"command\": \"other\"\n    }\n  },\n  \"hooks\": {\n    \"BeforeTool\": [],\n    \"SessionStart\": [\n      { \"matcher\": \"startup\", \"hooks\": [{ \"type\": \"command\", \"command\": \"other\" }] }\n    ]\n  }\n}\n"
        }
        _ => {
            "{\n  \"mcpServers\": {\n    \"other\": {\n      \"command\": \"other\"\n    }\n  },\n  \"last\": null\n}\n"
        }
    };
    text.to_owned()
}

fn packed(path: &str) -> String {
    match path {
        ".codex/config.toml" | ".grok/config.toml" => {
            "mcp_servers.other.command = \"other\"".to_owned()
        }
        ".kimi-code/config.toml" => "default_model = \"m\"".to_owned(),
        ".vibe/config.toml" => "active_model = \"m\"".to_owned(),
        ".cursor/hooks.json" => r#"{"version":1,"hooks":{}}"#.to_owned(),
        ".codex/hooks.json" => r#"{"hooks":{"Stop":[]}}"#.to_owned(),
        ".claude/settings.json" => r#"{ "hooks": { "SessionEnd": [] } }"#.to_owned(),
        _ => r#"{"a":1,"mcpServers":{"other":{"command":"other"}},"b":[]}"#.to_owned(),
    }
}
