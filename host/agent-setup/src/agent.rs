//! The supported agents, and detection of those on this machine. An agent is present if one of its own folders, files
//! or programs is; files that acreta writes do not count.

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
    Kilo,
    Qwen,
    Cline,
    Grok,
    Kimi,
    Pi,
    Droid,
    Amp,
    Zed,
    Windsurf,
    Crush,
    Kiro,
    Roo,
    OpenClaude,
    OpenClaw,
    #[serde(rename = "omp")]
    OhMyPi,
    Forge,
    Vibe,
    #[serde(rename = "claude-desktop")]
    ClaudeDesktop,
}

/// A detected agent, and the evidence for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detected {
    pub agent: Agent,
    pub sign: Utf8PathBuf,
}

impl Agent {
    pub const ALL: [Agent; 26] = [
        Agent::Claude,
        Agent::Codex,
        Agent::Cursor,
        Agent::OpenCode,
        Agent::Gemini,
        Agent::Copilot,
        Agent::VsCode,
        Agent::Kilo,
        Agent::Qwen,
        Agent::Cline,
        Agent::Grok,
        Agent::Kimi,
        Agent::Pi,
        Agent::Droid,
        Agent::Amp,
        Agent::Zed,
        Agent::Windsurf,
        Agent::Crush,
        Agent::Kiro,
        Agent::Roo,
        Agent::OpenClaude,
        Agent::OpenClaw,
        Agent::OhMyPi,
        Agent::Forge,
        Agent::Vibe,
        Agent::ClaudeDesktop,
    ];

    /// Returns the id used in commands and settings.
    pub fn id(self) -> &'static str {
        match self {
            Agent::Claude => "claude",
            Agent::Codex => "codex",
            Agent::Cursor => "cursor",
            Agent::OpenCode => "opencode",
            Agent::Gemini => "gemini",
            Agent::Copilot => "copilot",
            Agent::VsCode => "vscode",
            Agent::Kilo => "kilo",
            Agent::Qwen => "qwen",
            Agent::Cline => "cline",
            Agent::Grok => "grok",
            Agent::Kimi => "kimi",
            Agent::Pi => "pi",
            Agent::Droid => "droid",
            Agent::Amp => "amp",
            Agent::Zed => "zed",
            Agent::Windsurf => "windsurf",
            Agent::Crush => "crush",
            Agent::Kiro => "kiro",
            Agent::Roo => "roo",
            Agent::OpenClaude => "openclaude",
            Agent::OpenClaw => "openclaw",
            Agent::OhMyPi => "omp",
            Agent::Forge => "forge",
            Agent::Vibe => "vibe",
            Agent::ClaudeDesktop => "claude-desktop",
        }
    }

    /// Returns the display name.
    pub fn name(self) -> &'static str {
        match self {
            Agent::Claude => "Claude Code",
            Agent::Codex => "Codex",
            Agent::Cursor => "Cursor",
            Agent::OpenCode => "OpenCode",
            Agent::Gemini => "Gemini CLI",
            Agent::Copilot => "Copilot CLI",
            Agent::VsCode => "VS Code",
            Agent::Kilo => "Kilo Code",
            Agent::Qwen => "Qwen Code",
            Agent::Cline => "Cline",
            Agent::Grok => "Grok Build",
            Agent::Kimi => "Kimi Code",
            Agent::Pi => "Pi",
            Agent::Droid => "Droid",
            Agent::Amp => "Amp",
            Agent::Zed => "Zed",
            Agent::Windsurf => "Windsurf",
            Agent::Crush => "Crush",
            Agent::Kiro => "Kiro",
            Agent::Roo => "Roo Code",
            Agent::OpenClaude => "OpenClaude",
            Agent::OpenClaw => "OpenClaw",
            Agent::OhMyPi => "Oh My Pi",
            Agent::Forge => "Forge",
            Agent::Vibe => "Mistral Vibe",
            Agent::ClaudeDesktop => "Claude Desktop",
        }
    }

    pub fn of_id(id: &str) -> Option<Self> {
        Agent::ALL.into_iter().find(|agent| agent.id() == id)
    }

    /// Lists its own folders and files, any of which shows that it was used here.
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
                machine.data_folder().join("opencode"),
            ],
            // Other tools of the same maker share the folder.
            Agent::Gemini => ["settings.json", "projects.json", "tmp"]
                .map(|name| machine.gemini_folder().join(name))
                .into(),
            Agent::Copilot => ["config.json", "mcp-config.json", "session-state"]
                .map(|name| machine.copilot_folder().join(name))
                .into(),
            Agent::VsCode => vscode_folders(machine),
            Agent::Kilo => vec![machine.kilo_folder(), machine.data_folder().join("kilo")],
            Agent::Qwen => vec![machine.qwen_folder()],
            Agent::Cline => vec![machine.cline_data()],
            Agent::Grok => vec![machine.grok_folder()],
            Agent::Kimi => vec![machine.kimi_folder()],
            Agent::Pi => vec![machine.pi_folder()],
            Agent::Droid => vec![machine.at_home(".factory")],
            Agent::Amp => vec![
                machine.config_folder().join("amp"),
                machine.data_folder().join("amp/threads"),
            ],
            Agent::Zed => vec![
                machine.zed_settings(),
                machine.data_folder().join("zed/threads"),
            ],
            Agent::Windsurf => vec![machine.at_home(".codeium/windsurf")],
            Agent::Crush => vec![
                machine.config_folder().join("crush"),
                machine.data_folder().join("crush"),
            ],
            Agent::Kiro => vec![machine.at_home(".kiro")],
            Agent::Roo => vec![machine.roo_storage()],
            Agent::OpenClaude => vec![machine.openclaude_state(), machine.openclaude_folder()],
            Agent::OpenClaw => vec![machine.openclaw_folder()],
            Agent::OhMyPi => vec![machine.at_home(".omp/agent")],
            Agent::Forge => [".forge.db", ".mcp.json", ".forge.toml"]
                .map(|name| machine.forge_folder().join(name))
                .into(),
            Agent::Vibe => vec![machine.vibe_folder()],
            Agent::ClaudeDesktop => vec![machine.application_folder().join("Claude")],
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
            Agent::Kilo => &["kilo"],
            Agent::Qwen => &["qwen"],
            Agent::Cline => &["cline"],
            Agent::Grok => &["grok"],
            Agent::Kimi => &["kimi"],
            Agent::Pi => &["pi"],
            Agent::Droid => &["droid"],
            Agent::Amp => &["amp"],
            Agent::Zed => &["zed", "zeditor"],
            Agent::Windsurf => &["windsurf"],
            Agent::Crush => &["crush"],
            Agent::Kiro => &["kiro", "kiro-cli"],
            Agent::OpenClaude => &["openclaude"],
            Agent::OpenClaw => &["openclaw"],
            Agent::OhMyPi => &["omp"],
            Agent::Vibe => &["vibe"],
            // Other programs are called `forge`.
            Agent::Roo | Agent::Forge | Agent::ClaudeDesktop => &[],
        }
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// Detects the agents of this machine, in the order of [`Agent::ALL`].
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

/// An agent that cannot be connected but whose sessions are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadOnly {
    pub name: &'static str,
    pub sign: Utf8PathBuf,
}

/// Lists agents of this machine that acreta cannot connect: they keep their servers in YAML, which it does not edit, or
/// behind a switch of the person's (gptme).
pub fn read_only(machine: &Machine) -> Vec<ReadOnly> {
    let table = [
        ("Continue", machine.at_home(".continue/config.yaml")),
        ("Continue", machine.at_home(".continue/sessions")),
        ("Goose", machine.config_folder().join("goose/config.yaml")),
        ("Goose", machine.data_folder().join("goose/sessions")),
        (
            "Hermes Agent",
            machine.folder("HERMES_HOME", ".hermes").join("config.yaml"),
        ),
        (
            "Hermes Agent",
            machine.folder("HERMES_HOME", ".hermes").join("state.db"),
        ),
        ("gptme", machine.config_folder().join("gptme/config.toml")),
        ("gptme", machine.data_folder().join("gptme/logs")),
    ];
    let found = table.into_iter().filter(|(_, sign)| exists(sign));
    let mut found: Vec<_> = found.map(|(name, sign)| ReadOnly { name, sign }).collect();
    found.dedup_by_key(|found| found.name);
    found
}

/// Lists the user folders of each edition of VS Code, the usual one first.
pub(crate) fn vscode_folders(machine: &Machine) -> Vec<Utf8PathBuf> {
    ["Code", "Code - Insiders", "VSCodium"]
        .map(|edition| machine.application_folder().join(edition).join("User"))
        .into()
}
