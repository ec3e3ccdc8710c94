//! The files that belong to acreta: the skill, identical for every agent, and the plugins of
//! agents that load JavaScript: OpenCode and its forks, Pi, Cline.
//! They are constant except for the path of the binary and the name of the agent; they contain nothing of any memory.

use camino::Utf8Path;
use serde_json::Value;

use crate::Agent;

/// Instructions for an agent on using memory. It may use acreta's read-only tools without asking (`allowed-tools` of
/// the standard for skills); tools that change memory need the person's approval. Agents that do not know the key
/// ignore it.
pub(crate) const SKILL: &str = include_str!("texts/SKILL.md");

/// How a plugin asks acreta: the beginning of each.
const HOOK: &str = include_str!("texts/hook.js");
const OPENCODE: &str = include_str!("texts/opencode.js");
const PI: &str = include_str!("texts/pi.js");
const CLINE: &str = include_str!("texts/cline.js");

/// What stands in every request of an agent without acreta's plugin.
pub(crate) const INSTRUCTIONS: &str = include_str!("texts/INSTRUCTIONS.md");

/// Returns the plugin of an agent.
pub(crate) fn plugin(binary: &Utf8Path, agent: Agent) -> String {
    let own = match agent {
        Agent::Pi => PI,
        Agent::Cline => CLINE,
        _ => OPENCODE,
    };
    // A JSON string is a JavaScript string too.
    format!("{HOOK}{own}")
        .replace("\"@BINARY@\"", &Value::from(binary.as_str()).to_string())
        .replace("@AGENT@", agent.id())
}
