//! At which moments each agent lets acreta speak, and what it calls them. Checked in the programs themselves: an event whose
//! hooks cannot add to what the model sees is not listed.

use crate::Agent;
use crate::command::Event;

/// One moment of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Moment {
    pub(crate) event: Event,
    /// The agent's name for it.
    pub(crate) key: &'static str,
    /// The tools it is about, as a regular expression; all of them if there is none.
    pub(crate) tools: Option<&'static str>,
}

impl Moment {
    const fn new(event: Event, key: &'static str) -> Self {
        Self {
            event,
            key,
            tools: None,
        }
    }

    const fn of_tools(event: Event, key: &'static str, tools: &'static str) -> Self {
        Self {
            event,
            key,
            tools: Some(tools),
        }
    }
}

const START: Moment = Moment::new(Event::Start, "SessionStart");
const END: Moment = Moment::new(Event::End, "SessionEnd");
const PROMPT: Moment = Moment::new(Event::Prompt, "UserPromptSubmit");

/// The moments of an agent, in the order in which they are written.
pub(crate) fn moments(agent: Agent) -> &'static [Moment] {
    match agent {
        Agent::Claude => &CLAUDE,
        Agent::Codex => &CODEX,
        Agent::Gemini => &GEMINI,
        Agent::Qwen => &QWEN,
        Agent::Cursor => &CURSOR,
        Agent::Copilot | Agent::VsCode => &COPILOT,
        Agent::Grok => &GROK,
        Agent::Kimi => &KIMI,
        // Theirs are in a plugin of ours.
        Agent::OpenCode | Agent::Kilo => &[],
        Agent::Cline | Agent::Pi => &[],
    }
}

/// Its `PostToolUse` is for what succeeded.
const CLAUDE: [Moment; 5] = [
    START,
    END,
    PROMPT,
    Moment::of_tools(Event::Failure, "PostToolUseFailure", "Bash"),
    Moment::of_tools(
        Event::Edit,
        "PreToolUse",
        "Edit|MultiEdit|Write|NotebookEdit",
    ),
];

const CODEX: [Moment; 5] = [
    START,
    END,
    PROMPT,
    Moment::of_tools(Event::Failure, "PostToolUse", "Bash"),
    Moment::of_tools(Event::Edit, "PreToolUse", "apply_patch|Edit|Write"),
];

/// The model sees a hook's text only after a tool ran, beside the tool's result.
const GEMINI: [Moment; 5] = [
    START,
    END,
    Moment::new(Event::Prompt, "BeforeAgent"),
    Moment::of_tools(Event::Failure, "AfterTool", "run_shell_command"),
    Moment::of_tools(Event::Edit, "AfterTool", "replace|write_file"),
];

/// As in Gemini CLI.
const QWEN: [Moment; 5] = [
    START,
    END,
    PROMPT,
    Moment::of_tools(Event::Failure, "PostToolUse", "run_shell_command"),
    Moment::of_tools(Event::Edit, "PostToolUse", "edit|write_file"),
];

/// Of its hooks in the middle of a session only this one adds to what the model sees.
const CURSOR: [Moment; 3] = [
    Moment::new(Event::Start, "sessionStart"),
    Moment::new(Event::End, "sessionEnd"),
    Moment::of_tools(Event::Failure, "postToolUse", "Shell"),
];

/// VS Code runs the same hooks.
const COPILOT: [Moment; 5] = [
    Moment::new(Event::Start, "sessionStart"),
    Moment::new(Event::End, "sessionEnd"),
    Moment::new(Event::Prompt, "userPromptSubmitted"),
    Moment::new(Event::Failure, "postToolUseFailure"),
    Moment::new(Event::Edit, "preToolUse"),
];

/// Text that hooks print at the start of a session and at a prompt never reaches the model.
const GROK: [Moment; 2] = [END, Moment::of_tools(Event::Failure, "PostToolUse", "Bash")];

/// The other hooks run beside the session, and nobody waits for them.
const KIMI: [Moment; 1] = [PROMPT];
