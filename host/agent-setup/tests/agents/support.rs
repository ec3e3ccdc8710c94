//! A home in a temporary folder, and snapshots of its content.

#![expect(
    clippy::disallowed_methods,
    reason = "tests prepare homes as a person would, outside of acreta's own door"
)]

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use acreta_agent_setup::{Agent, Machine, Plan, Platform, Receipt, Setup, apply, plan};
use acreta_fs::Faults;
use camino::{Utf8Path, Utf8PathBuf};

pub(crate) const BINARY: &str = "/opt/acreta/bin/acreta";

pub(crate) struct Home {
    _folder: tempfile::TempDir,
    top: Utf8PathBuf,
    pub(crate) variables: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Node {
    Folder,
    Link(Utf8PathBuf),
    File(String),
}

impl Home {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let top = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
        fs::create_dir(top.join("home")).unwrap();
        Self {
            _folder: folder,
            top,
            variables: BTreeMap::new(),
        }
    }

    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let home = Self::new();
        for (path, text) in files {
            home.write(path, text);
        }
        home
    }

    pub(crate) fn path(&self, relative: &str) -> Utf8PathBuf {
        self.top.join("home").join(relative)
    }

    /// Returns the folder for the backups of the `n`th change; outside of the home, so that homes can be compared.
    pub(crate) fn backups(&self, n: usize) -> Utf8PathBuf {
        self.top.join(format!("backups-{n}"))
    }

    pub(crate) fn write(&self, relative: &str, text: &str) {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, relative: &str) -> String {
        fs::read_to_string(self.path(relative)).unwrap()
    }

    pub(crate) fn remove(&self, relative: &str) {
        fs::remove_file(self.path(relative)).unwrap();
    }

    pub(crate) fn link(&self, relative: &str, to: &str) {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let to = self.path(to);
        #[cfg(unix)]
        std::os::unix::fs::symlink(to, path).unwrap();
        #[cfg(windows)]
        match to.is_dir() {
            true => std::os::windows::fs::symlink_dir(to, path).unwrap(),
            false => std::os::windows::fs::symlink_file(to, path).unwrap(),
        }
    }

    pub(crate) fn machine(&self) -> Machine {
        Machine {
            home: self.path("").as_str().trim_end_matches('/').into(),
            variables: self.variables.clone(),
            platform: Platform::Linux,
        }
    }

    pub(crate) fn plan(&self, agents: &[Agent]) -> Plan {
        plan(&Setup {
            machine: &self.machine(),
            binary: Utf8Path::new(BINARY),
            agents,
            notes: true,
            plugins: None,
            project: None,
        })
    }

    /// Plans and applies without any problems.
    pub(crate) fn connect(&self, agents: &[Agent]) -> Receipt {
        let plan = self.plan(agents);
        assert!(plan.problems.is_empty(), "{:?}", plan.problems);
        apply(&plan, &self.backups(0), Unsynced::shared()).unwrap()
    }

    /// Returns everything in the home, by path.
    pub(crate) fn snapshot(&self) -> BTreeMap<Utf8PathBuf, Node> {
        let mut nodes = BTreeMap::new();
        let mut folders = vec![self.path("")];
        while let Some(folder) = folders.pop() {
            for entry in folder.read_dir_utf8().unwrap() {
                let path = entry.unwrap().into_path();
                let kind = fs::symlink_metadata(&path).unwrap().file_type();
                let node = if kind.is_symlink() {
                    Node::Link(path.read_link_utf8().unwrap())
                } else if kind.is_dir() {
                    folders.push(path.clone());
                    Node::Folder
                } else {
                    Node::File(fs::read_to_string(&path).unwrap())
                };
                nodes.insert(path, node);
            }
        }
        nodes
    }
}

/// Never fails and does not wait for the disk: these homes are temporary.
#[derive(Debug)]
pub(crate) struct Unsynced;

impl Unsynced {
    pub(crate) fn shared() -> Arc<dyn Faults> {
        Arc::new(Unsynced)
    }
}

impl Faults for Unsynced {
    fn passes_syncs(&self) -> bool {
        false
    }
}

/// Returns the paths of an agent's settings on Linux.
pub(crate) fn settings_of(agent: Agent) -> &'static [&'static str] {
    match agent {
        Agent::Claude => &[".claude.json", ".claude/settings.json"],
        Agent::Codex => &[".codex/config.toml", ".codex/hooks.json"],
        Agent::Cursor => &[".cursor/mcp.json", ".cursor/hooks.json"],
        Agent::OpenCode => &[".config/opencode/opencode.json"],
        Agent::Gemini => &[".gemini/settings.json"],
        Agent::Copilot => &[".copilot/mcp-config.json"],
        Agent::VsCode => &[".config/Code/User/mcp.json"],
        Agent::Kilo => &[".config/kilo/kilo.json"],
        Agent::Qwen => &[".qwen/settings.json"],
        Agent::Cline => &[".cline/data/settings/cline_mcp_settings.json"],
        Agent::Grok => &[".grok/config.toml"],
        Agent::Kimi => &[".kimi-code/mcp.json", ".kimi-code/config.toml"],
        Agent::Pi => &[],
        Agent::Droid => &[".factory/mcp.json"],
        Agent::Amp => &[".config/amp/settings.json"],
        Agent::Zed => &[".config/zed/settings.json"],
        Agent::Windsurf => &[".codeium/windsurf/mcp_config.json"],
        Agent::Crush => &[".config/crush/crush.json"],
        Agent::Kiro => &[".kiro/settings/mcp.json"],
        Agent::Roo => &[
            ".config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
        ],
        Agent::OpenClaude => &[".openclaude.json"],
        Agent::OpenClaw => &[".openclaw/openclaw.json"],
        Agent::OhMyPi => &[".omp/agent/mcp.json"],
        Agent::Forge => &[".forge/.mcp.json"],
        Agent::Vibe => &[".vibe/config.toml"],
        Agent::ClaudeDesktop => &[".config/Claude/claude_desktop_config.json"],
    }
}

/// Reports whether `before` is `after` without some of its bytes, in order.
pub(crate) fn only_added(before: &str, after: &str) -> bool {
    let mut rest = after.bytes();
    before.bytes().all(|byte| rest.any(|other| other == byte))
}
