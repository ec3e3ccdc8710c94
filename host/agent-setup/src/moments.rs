//! The hook events of each agent at which acreta can add context, and their names. Verified in the programs themselves:
//! an event whose hooks should add to the model's input, but cannot, is not listed.

use crate::Agent;
use crate::command::HookEvent;

/// One hook event of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AgentHook {
    pub(crate) event: HookEvent,
    /// The agent's name for it.
    pub(crate) key: &'static str,
    /// The tools it applies to, as a regular expression; `None` for all tools.
    pub(crate) tools: Option<&'static str>,
}

impl AgentHook {
    const fn new(event: HookEvent, key: &'static str) -> Self {
        Self {
            event,
            key,
            tools: None,
        }
    }

    const fn of_tools(event: HookEvent, key: &'static str, tools: &'static str) -> Self {
        Self {
            event,
            key,
            tools: Some(tools),
        }
    }
}

const START: AgentHook = AgentHook::new(HookEvent::Start, "SessionStart");
const END: AgentHook = AgentHook::new(HookEvent::End, "SessionEnd");
const PROMPT: AgentHook = AgentHook::new(HookEvent::Prompt, "UserPromptSubmit");
/// The end of a turn, of agents that tell of the end of a session not at all, or not without a terminal.
pub(crate) const STOP: AgentHook = AgentHook::new(HookEvent::End, "Stop");
const COMPACT: AgentHook = AgentHook::new(HookEvent::Compact, "PreCompact");

/// Returns the hook events of an agent, in the order in which they are written.
pub(crate) fn moments(agent: Agent) -> &'static [AgentHook] {
    match agent {
        Agent::Claude => &CLAUDE,
        Agent::Codex => &CODEX,
        Agent::Gemini => &GEMINI,
        Agent::Qwen => &QWEN,
        Agent::Cursor => &CURSOR,
        Agent::Copilot | Agent::VsCode => &COPILOT,
        Agent::Grok => &GROK,
        Agent::Kimi => &KIMI,
        // Their hooks are in acreta's plugin.
        Agent::OpenCode | Agent::Kilo | Agent::Pi | Agent::Cline => &[],
        Agent::Droid
        | Agent::Amp
        | Agent::Zed
        | Agent::Windsurf
        | Agent::Crush
        | Agent::Kiro
        | Agent::Roo
        | Agent::OpenClaude
        | Agent::OpenClaw
        | Agent::OhMyPi
        | Agent::Forge
        | Agent::Vibe
        | Agent::ClaudeDesktop => &[],
    }
}

/// Its `PostToolUse` only runs after a success.
const CLAUDE: [AgentHook; 6] = [
    START,
    END,
    COMPACT,
    PROMPT,
    AgentHook::of_tools(HookEvent::Failure, "PostToolUseFailure", "Bash"),
    AgentHook::of_tools(
        HookEvent::Edit,
        "PreToolUse",
        "Edit|MultiEdit|Write|NotebookEdit",
    ),
];

const CODEX: [AgentHook; 6] = [
    START,
    END,
    COMPACT,
    PROMPT,
    AgentHook::of_tools(HookEvent::Failure, "PostToolUse", "Bash"),
    AgentHook::of_tools(HookEvent::Edit, "PreToolUse", "apply_patch|Edit|Write"),
];

/// The model sees a hook's text only after a tool ran, with the tool's result.
const GEMINI: [AgentHook; 6] = [
    START,
    END,
    AgentHook::new(HookEvent::Compact, "PreCompress"),
    AgentHook::new(HookEvent::Prompt, "BeforeAgent"),
    AgentHook::of_tools(HookEvent::Failure, "AfterTool", "run_shell_command"),
    AgentHook::of_tools(HookEvent::Edit, "AfterTool", "replace|write_file"),
];

/// As in Gemini CLI, but `PostToolUse` only runs after a success, and `qwen -p` does not run `SessionEnd`.
const QWEN: [AgentHook; 6] = [
    START,
    STOP,
    COMPACT,
    PROMPT,
    AgentHook::of_tools(
        HookEvent::Failure,
        "PostToolUseFailure",
        "run_shell_command",
    ),
    AgentHook::of_tools(HookEvent::Edit, "PostToolUse", "edit|write_file"),
];

/// Of its hooks within a session, only this one adds to the model's input.
const CURSOR: [AgentHook; 3] = [
    AgentHook::new(HookEvent::Start, "sessionStart"),
    AgentHook::new(HookEvent::End, "sessionEnd"),
    AgentHook::of_tools(HookEvent::Failure, "postToolUse", "Shell"),
];

/// VS Code runs the same hooks. `postToolUseFailure` does not run for a command that exits with an error.
const COPILOT: [AgentHook; 5] = [
    AgentHook::new(HookEvent::Start, "sessionStart"),
    AgentHook::new(HookEvent::End, "sessionEnd"),
    AgentHook::new(HookEvent::Prompt, "userPromptSubmitted"),
    AgentHook::new(HookEvent::Failure, "postToolUse"),
    AgentHook::new(HookEvent::Edit, "preToolUse"),
];

/// Text that hooks print at the start of a session and at a prompt never reaches the model, so that the brief comes with
/// the result of the first tool, whichever it is.
const GROK: [AgentHook; 3] = [
    END,
    AgentHook::new(HookEvent::Failure, "PostToolUse"),
    AgentHook::of_tools(HookEvent::Edit, "PostToolUse", "Edit|MultiEdit|Write"),
];

/// The other hooks run asynchronously, and their output is ignored.
const KIMI: [AgentHook; 2] = [STOP, PROMPT];
