//! The files that are acreta's own: the skill, the same for every agent, and the plugin of OpenCode and
//! its forks. They are constants but for the path of the binary and the name of the agent; nothing of
//! any memory is in them.

use camino::Utf8Path;
use serde_json::Value;

use crate::Agent;

/// How to use memory, for an agent. Of acreta's tools it may use those that read without asking
/// (`allowed-tools` of the standard for skills); what changes memory is left to the person's approval.
/// Agents that do not know the key pass it over.
pub(crate) const SKILL: &str = include_str!("texts/SKILL.md");

const OPENCODE_PLUGIN: &str = include_str!("texts/opencode.js");

pub(crate) fn opencode_plugin(binary: &Utf8Path, agent: Agent) -> String {
    // A JSON string is a JavaScript string too.
    OPENCODE_PLUGIN
        .replace("\"@BINARY@\"", &Value::from(binary.as_str()).to_string())
        .replace("@AGENT@", agent.id())
}
