//! The files that belong to acreta: the skill, identical for every agent, and the plugin of OpenCode and its forks.
//! They are constant except for the path of the binary and the name of the agent; they contain nothing of any memory.

use camino::Utf8Path;
use serde_json::Value;

use crate::Agent;

/// Instructions for an agent on using memory. It may use acreta's read-only tools without asking (`allowed-tools` of
/// the standard for skills); tools that change memory need the person's approval. Agents that do not know the key
/// ignore it.
pub(crate) const SKILL: &str = include_str!("texts/SKILL.md");

const OPENCODE_PLUGIN: &str = include_str!("texts/opencode.js");

pub(crate) fn opencode_plugin(binary: &Utf8Path, agent: Agent) -> String {
    // A JSON string is a JavaScript string too.
    OPENCODE_PLUGIN
        .replace("\"@BINARY@\"", &Value::from(binary.as_str()).to_string())
        .replace("@AGENT@", agent.id())
}
