//! The agents of the suite: one file each.

mod aider;
mod claude;
mod cline;
mod codex;
mod continue_cli;
mod copilot;
mod droid;
mod gemini;
mod gptme;
mod grok;
mod kilo;
mod kimi;
mod opencode;
mod pi;
mod qwen;
mod vibe;

use crate::cache::Package;
use crate::scratch::Scratch;

pub(crate) const ALL: [&Program; 16] = [
    &claude::PROGRAM,
    &codex::PROGRAM,
    &opencode::PROGRAM,
    &gemini::PROGRAM,
    &copilot::PROGRAM,
    &pi::PROGRAM,
    &kimi::PROGRAM,
    &continue_cli::PROGRAM,
    &aider::PROGRAM,
    &qwen::PROGRAM,
    &cline::PROGRAM,
    &kilo::PROGRAM,
    &grok::PROGRAM,
    &droid::PROGRAM,
    &gptme::PROGRAM,
    &vibe::PROGRAM,
];

/// An API key that is not valid anywhere.
pub(crate) const KEY: &str = "scripted-key-0123456789";

type Arguments = fn(&AgentTurn<'_>) -> Vec<String>;

/// Commands and features of an agent. `None` means that the agent does not offer it.
pub(crate) struct Program {
    /// Name of the agent in acreta's adapter.
    pub(crate) name: &'static str,
    pub(crate) package: Package,
    pub(crate) binary: &'static str,
    /// Files of the scratch home that point the agent at the model.
    pub(crate) settings: fn(&Scratch) -> Vec<(String, String)>,
    pub(crate) variables: fn(&Scratch) -> Vec<(&'static str, String)>,
    /// One turn in a new session.
    pub(crate) fresh: Arguments,
    /// One more turn in the newest session of the directory.
    pub(crate) resume: Option<Arguments>,
    /// One more turn in a session that began in another directory.
    pub(crate) elsewhere: Option<Arguments>,
    /// Returns the id of the newest session, for agents that resume by it.
    pub(crate) newest: fn(&Scratch) -> Option<String>,
    pub(crate) compaction: Compaction,
    /// The kind of subagent that takes any task.
    pub(crate) subagent: Option<&'static str>,
    pub(crate) has_tools: bool,
    /// The agent's own command that lists connected servers, and its expected output.
    pub(crate) connected: Option<(&'static [&'static str], &'static str)>,
    /// Commands that the agent needs before its first turn.
    pub(crate) prepare: fn(&Scratch) -> Vec<Vec<String>>,
    /// Connections that the agent supports. None is checked while `acreta init` does not know the agent.
    pub(crate) init: Init,
    /// The brief comes with the result of the first tool, so that the first request does not have it.
    pub(crate) is_briefed_by_tool: bool,
}

#[derive(Clone, Copy)]
pub(crate) struct Init {
    pub(crate) server: bool,
    pub(crate) brief: bool,
    /// Relevant memories reach the model with a prompt, those about a file before it is written, and the cure of a
    /// failed command with its result.
    pub(crate) prompt: bool,
    pub(crate) failure: bool,
    pub(crate) edit: bool,
}

pub(crate) enum Compaction {
    None,
    /// A command makes the agent compact the newest session of the directory.
    Told(Arguments),
    /// It compacts by itself when the model reports a request of this many tokens.
    Tokens(u64),
}

/// One prompt, and the session that it goes to.
pub(crate) struct AgentTurn<'a> {
    pub(crate) prompt: &'a str,
    pub(crate) session: &'a str,
}

/// Everything.
pub(crate) const ALL_MOMENTS: Init = Init {
    server: true,
    brief: true,
    prompt: true,
    failure: true,
    edit: true,
};

/// Tools alone.
pub(crate) const SERVER: Init = Init {
    server: true,
    ..NOTHING
};

const NOTHING: Init = Init {
    server: false,
    brief: false,
    prompt: false,
    failure: false,
    edit: false,
};

/// Defaults of an agent without features; the files of programs override them.
pub(crate) const PLAIN: Program = Program {
    name: "",
    package: Package::Npm(""),
    binary: "",
    settings: |_| Vec::new(),
    variables: |_| Vec::new(),
    fresh: |turn| words(&["-p", turn.prompt]),
    resume: None,
    elsewhere: None,
    newest: |_| None,
    compaction: Compaction::None,
    subagent: None,
    has_tools: true,
    connected: None,
    prepare: |_| Vec::new(),
    init: NOTHING,
    is_briefed_by_tool: false,
};

pub(crate) fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// Returns the newest file under a folder of the home whose name has this ending.
pub(crate) fn newest_file(
    scratch: &Scratch,
    folder: &str,
    end: &str,
) -> Option<std::path::PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![scratch.home().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(end) {
                let time = entry.metadata().and_then(|metadata| metadata.modified());
                found.extend(time.ok().map(|time| (time, path)));
            }
        }
    }
    found.into_iter().max().map(|(_, path)| path)
}
