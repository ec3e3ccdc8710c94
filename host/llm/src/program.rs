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
    /// In the order in which they are worth using.
    pub const ALL: [Program; 5] = [
        Program::Claude,
        Program::Codex,
        Program::OpenCode,
        Program::Copilot,
        Program::Gemini,
    ];

    /// Name of the provider and of the executable.
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

    /// The model that is asked for when none is configured. [`OWN_DEFAULT`] leaves it to the program.
    pub fn default_model(self) -> &'static str {
        match self {
            Program::Claude => "haiku",
            // A name of a model saves the program a call in which it chooses one.
            Program::Gemini => "flash",
            Program::Codex | Program::OpenCode | Program::Copilot => OWN_DEFAULT,
        }
    }

    /// The command with which a person logs in.
    pub fn login_command(self) -> &'static str {
        match self {
            Program::Claude => "claude auth login",
            Program::Codex => "codex login",
            Program::OpenCode => "opencode auth login",
            Program::Copilot => "copilot login",
            Program::Gemini => "gemini",
        }
    }

    /// The company that the program sends text to.
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

/// Stands for whatever model a program uses by itself.
pub const OWN_DEFAULT: &str = "default";
