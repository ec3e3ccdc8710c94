//! The agents there are, and which of them this machine has. An agent is here when one of its own
//! folders, files or programs is; nothing that acreta writes counts as a sign.

use std::fmt;

use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

use crate::Machine;
use crate::files::exists;

/// A coding tool that can be connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Agent {
    Claude,
    Codex,
    Cursor,
    OpenCode,
    Gemini,
    Copilot,
    VsCode,
}

/// An agent that is here, and what shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detected {
    pub agent: Agent,
    pub sign: Utf8PathBuf,
}

impl Agent {
    pub const ALL: [Agent; 7] = [
        Agent::Claude,
        Agent::Codex,
        Agent::Cursor,
        Agent::OpenCode,
        Agent::Gemini,
        Agent::Copilot,
        Agent::VsCode,
    ];

    /// As it is written in commands and settings.
    pub fn id(self) -> &'static str {
        match self {
            Agent::Claude => "claude",
            Agent::Codex => "codex",
            Agent::Cursor => "cursor",
            Agent::OpenCode => "opencode",
            Agent::Gemini => "gemini",
            Agent::Copilot => "copilot",
            Agent::VsCode => "vscode",
        }
    }

    /// As people call it.
    pub fn name(self) -> &'static str {
        match self {
            Agent::Claude => "Claude Code",
            Agent::Codex => "Codex",
            Agent::Cursor => "Cursor",
            Agent::OpenCode => "OpenCode",
            Agent::Gemini => "Gemini CLI",
            Agent::Copilot => "Copilot CLI",
            Agent::VsCode => "VS Code",
        }
    }

    pub fn of_id(id: &str) -> Option<Self> {
        Agent::ALL.into_iter().find(|agent| agent.id() == id)
    }

    /// Its own folders and files, any of which shows that it was used here.
    fn signs(self, machine: &Machine) -> Vec<Utf8PathBuf> {
        match self {
            Agent::Claude => vec![
                machine.claude_state(),
                machine.claude_folder().join("settings.json"),
                machine.claude_folder().join("projects"),
            ],
            Agent::Codex => vec![machine.codex_folder()],
            Agent::Cursor => vec![
                machine.at_home(".cursor"),
                machine.application_folder().join("Cursor/User"),
            ],
            Agent::OpenCode => vec![
                machine.opencode_folder(),
                machine
                    .folder("XDG_DATA_HOME", ".local/share")
                    .join("opencode"),
            ],
            // Other tools of the same maker share the folder.
            Agent::Gemini => ["settings.json", "projects.json", "tmp"]
                .map(|name| machine.gemini_folder().join(name))
                .into(),
            Agent::Copilot => ["config.json", "mcp-config.json", "session-state"]
                .map(|name| machine.copilot_folder().join(name))
                .into(),
            Agent::VsCode => vscode_folders(machine),
        }
    }

    fn programs(self) -> &'static [&'static str] {
        match self {
            Agent::Claude => &["claude"],
            Agent::Codex => &["codex"],
            Agent::Cursor => &["cursor", "cursor-agent"],
            Agent::OpenCode => &["opencode"],
            Agent::Gemini => &["gemini"],
            Agent::Copilot => &["copilot"],
            Agent::VsCode => &["code", "code-insiders", "codium"],
        }
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// The agents of this machine, in the order of [`Agent::ALL`].
pub fn detect(machine: &Machine) -> Vec<Detected> {
    Agent::ALL
        .into_iter()
        .filter_map(|agent| {
            let sign = agent
                .signs(machine)
                .into_iter()
                .find(|sign| exists(sign))
                .or_else(|| machine.program(agent.programs()))?;
            Some(Detected { agent, sign })
        })
        .collect()
}

/// The user folders of each edition of VS Code, the usual one first.
pub(crate) fn vscode_folders(machine: &Machine) -> Vec<Utf8PathBuf> {
    ["Code", "Code - Insiders", "VSCodium"]
        .map(|edition| machine.application_folder().join(edition).join("User"))
        .into()
}
