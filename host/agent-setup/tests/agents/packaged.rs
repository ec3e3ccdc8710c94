//! The plugins in `packaging/` have the hooks and the server that `init` writes, with `acreta` from the path.

use acreta_agent_setup::Agent;
use camino::Utf8Path;
use serde_json::Value;

use crate::support::{BINARY, Home};

#[test]
fn packaged_hooks_are_those_of_init() {
    // The agent, where `init` writes its hooks, the hooks and the servers in its plugin.
    let cases = [
        (
            Agent::Claude,
            ".claude/settings.json",
            "claude/plugins/acreta/hooks/hooks.json",
            "claude/plugins/acreta/.mcp.json",
        ),
        (
            Agent::Codex,
            ".codex/hooks.json",
            "codex/plugins/acreta/hooks/hooks.json",
            "codex/plugins/acreta/.mcp.json",
        ),
        (
            Agent::Gemini,
            ".gemini/settings.json",
            "gemini/hooks/hooks.json",
            "gemini/gemini-extension.json",
        ),
    ];
    let packaging = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging");
    let packaged = |file: &str| -> Value {
        let text = std::fs::read_to_string(packaging.join(file)).unwrap();
        serde_json::from_str(&text).unwrap()
    };
    for (agent, written, hooks, server) in cases {
        let home = Home::new();
        home.connect(&[agent]);
        let text = home.read(written).replace(BINARY, "acreta");
        let written: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(packaged(hooks)["hooks"], written["hooks"], "{agent}");
        let server = &packaged(server)["mcpServers"]["acreta"];
        assert_eq!(server["command"], "acreta", "{agent}");
        assert_eq!(server["args"], serde_json::json!(["mcp"]), "{agent}");
    }
}
