//! The agent programs that can answer as a model.

/// An agent program that can answer as a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Program {
    Claude,
    Codex,
    OpenCode,
    Copilot,
    Gemini,
}

impl Program {
    /// In order of preference.
    pub const ALL: [Program; 5] = [
        Program::Claude,
        Program::Codex,
        Program::OpenCode,
        Program::Copilot,
        Program::Gemini,
    ];

    /// Returns the name of the provider and of the executable.
    pub fn name(self) -> &'static str {
        match self {
            Program::Claude => "claude",
            Program::Codex => "codex",
            Program::OpenCode => "opencode",
            Program::Copilot => "copilot",
            Program::Gemini => "gemini",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|program| program.name() == name)
    }

    /// Returns the model to use if none is configured. [`OWN_DEFAULT`] leaves the choice to the program.
    pub fn default_model(self) -> &'static str {
        match self {
            Program::Claude => "haiku",
            // Naming a model saves the program a call that selects one.
            Program::Gemini => "flash",
            Program::Codex | Program::OpenCode | Program::Copilot => OWN_DEFAULT,
        }
    }

    /// Returns the command with which a person logs in.
    pub fn login_command(self) -> &'static str {
        match self {
            Program::Claude => "claude auth login",
            Program::Codex => "codex login",
            Program::OpenCode => "opencode auth login",
            Program::Copilot => "copilot login",
            Program::Gemini => "gemini",
        }
    }

    /// Returns the company that the program sends text to.
    pub fn company(self) -> &'static str {
        match self {
            Program::Claude => "Anthropic",
            Program::Codex => "OpenAI",
            Program::OpenCode => "the provider you chose in OpenCode",
            Program::Copilot => "GitHub",
            Program::Gemini => "Google",
        }
    }
}

/// Stands for the program's own default model.
pub const OWN_DEFAULT: &str = "default";
