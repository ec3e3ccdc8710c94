//! The machine as passed in: home, variables and platform. Derives the paths of each agent's files; does not access the
//! disk.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};

/// The platform whose conventions apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Platform {
    Linux,
    MacOs,
    Windows,
}

/// Home, variables and system of the person whose agents are connected.
#[derive(Debug, Clone)]
pub struct Machine {
    pub home: Utf8PathBuf,
    pub variables: BTreeMap<String, String>,
    pub platform: Platform,
}

impl Platform {
    /// Returns the platform this was built for.
    pub fn current() -> Self {
        if cfg!(windows) {
            Platform::Windows
        } else if cfg!(target_os = "macos") {
            Platform::MacOs
        } else {
            Platform::Linux
        }
    }
}

impl Machine {
    /// Returns a path in the home folder.
    pub(crate) fn at_home(&self, relative: &str) -> Utf8PathBuf {
        self.home.join(relative)
    }

    /// Returns the folder a variable names, or one in the home folder. A relative path in the variable is ignored.
    pub(crate) fn folder(&self, variable: &str, relative: &str) -> Utf8PathBuf {
        self.variable_folder(variable)
            .unwrap_or_else(|| self.at_home(relative))
    }

    pub(crate) fn variable_folder(&self, variable: &str) -> Option<Utf8PathBuf> {
        self.variables
            .get(variable)
            .map(Utf8PathBuf::from)
            .filter(|path| path.is_absolute())
    }

    /// Returns the folder of desktop programs' settings.
    pub(crate) fn application_folder(&self) -> Utf8PathBuf {
        match self.platform {
            Platform::Linux => self.folder("XDG_CONFIG_HOME", ".config"),
            Platform::MacOs => self.at_home("Library/Application Support"),
            Platform::Windows => self.folder("APPDATA", "AppData/Roaming"),
        }
    }

    /// Returns the folder of settings of programs that follow the XDG rules on every system.
    pub(crate) fn config_folder(&self) -> Utf8PathBuf {
        self.folder("XDG_CONFIG_HOME", ".config")
    }

    pub(crate) fn data_folder(&self) -> Utf8PathBuf {
        self.folder("XDG_DATA_HOME", ".local/share")
    }

    pub(crate) fn opencode_folder(&self) -> Utf8PathBuf {
        self.config_folder().join("opencode")
    }

    pub(crate) fn claude_folder(&self) -> Utf8PathBuf {
        self.folder("CLAUDE_CONFIG_DIR", ".claude")
    }

    /// Returns the path of Claude Code's own state, with the servers of the user: next to its folder, or within the one
    /// that a variable names.
    pub(crate) fn claude_state(&self) -> Utf8PathBuf {
        match self.variable_folder("CLAUDE_CONFIG_DIR") {
            Some(folder) => folder.join(".claude.json"),
            None => self.at_home(".claude.json"),
        }
    }

    pub(crate) fn codex_folder(&self) -> Utf8PathBuf {
        self.folder("CODEX_HOME", ".codex")
    }

    pub(crate) fn gemini_folder(&self) -> Utf8PathBuf {
        match self.variable_folder("GEMINI_CLI_HOME") {
            Some(home) => home.join(".gemini"),
            None => self.at_home(".gemini"),
        }
    }

    pub(crate) fn copilot_folder(&self) -> Utf8PathBuf {
        self.folder("COPILOT_HOME", ".copilot")
    }

    pub(crate) fn kilo_folder(&self) -> Utf8PathBuf {
        self.config_folder().join("kilo")
    }

    pub(crate) fn pi_folder(&self) -> Utf8PathBuf {
        self.folder("PI_CODING_AGENT_DIR", ".pi/agent")
    }

    pub(crate) fn zed_settings(&self) -> Utf8PathBuf {
        let folder = match self.platform {
            Platform::Windows => self.application_folder().join("Zed"),
            Platform::Linux | Platform::MacOs => self.config_folder().join("zed"),
        };
        folder.join("settings.json")
    }

    pub(crate) fn qwen_folder(&self) -> Utf8PathBuf {
        self.folder("QWEN_HOME", ".qwen")
    }

    pub(crate) fn cline_data(&self) -> Utf8PathBuf {
        let data = self.variable_folder("CLINE_DATA_DIR");
        data.unwrap_or_else(|| self.cline_folder().join("data"))
    }

    pub(crate) fn cline_folder(&self) -> Utf8PathBuf {
        self.folder("CLINE_DIR", ".cline")
    }

    pub(crate) fn grok_folder(&self) -> Utf8PathBuf {
        self.folder("GROK_HOME", ".grok")
    }

    pub(crate) fn kimi_folder(&self) -> Utf8PathBuf {
        self.folder("KIMI_CODE_HOME", ".kimi-code")
    }

    /// Returns the folder of an extension for VS Code, which its first edition keeps.
    pub(crate) fn roo_storage(&self) -> Utf8PathBuf {
        let storage = "Code/User/globalStorage/rooveterinaryinc.roo-cline";
        self.application_folder().join(storage)
    }

    pub(crate) fn openclaude_folder(&self) -> Utf8PathBuf {
        self.folder("OPENCLAUDE_CONFIG_DIR", ".openclaude")
    }

    /// Returns the path of OpenClaude's own state, with the servers of the user: as with Claude Code.
    pub(crate) fn openclaude_state(&self) -> Utf8PathBuf {
        match self.variable_folder("OPENCLAUDE_CONFIG_DIR") {
            Some(folder) => folder.join(".openclaude.json"),
            None => self.at_home(".openclaude.json"),
        }
    }

    pub(crate) fn openclaw_folder(&self) -> Utf8PathBuf {
        self.folder("OPENCLAW_STATE_DIR", ".openclaw")
    }

    /// Returns Forge's folder: an earlier one if it is there.
    pub(crate) fn forge_folder(&self) -> Utf8PathBuf {
        let earlier = self.at_home("forge");
        let named = self.variable_folder("FORGE_CONFIG");
        named.unwrap_or_else(|| match crate::files::exists(&earlier.join(".forge.db")) {
            true => earlier,
            false => self.at_home(".forge"),
        })
    }

    pub(crate) fn vibe_folder(&self) -> Utf8PathBuf {
        self.folder("VIBE_HOME", ".vibe")
    }

    /// Returns the path of a program with one of these names on the search path.
    pub(crate) fn program(&self, names: &[&str]) -> Option<Utf8PathBuf> {
        let (separator, endings): (char, &[&str]) = match self.platform {
            Platform::Windows => (';', &[".exe", ".cmd"]),
            Platform::Linux | Platform::MacOs => (':', &[""]),
        };
        let path = self.variables.get("PATH")?;
        path.split(separator)
            .map(Utf8Path::new)
            .filter(|folder| folder.is_absolute())
            .flat_map(|folder| names.iter().map(move |name| folder.join(name)))
            .flat_map(|program| {
                endings
                    .iter()
                    .map(move |ending| format!("{program}{ending}"))
            })
            .map(Utf8PathBuf::from)
            .find(|program| crate::files::exists(program))
    }
}
