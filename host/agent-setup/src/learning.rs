//! How learning from an agent's sessions starts on a machine without the daemon: by a hook where the agent has one that
//! runs, otherwise with the next start of anything (see `acreta_service::recall::lifecycle::catch_up`).

use camino::Utf8Path;

use crate::command::{HookEvent, is_hook};
use crate::files::{exists, read_text, resolve};
use crate::json::JsonDocument;
use crate::moments::{STOP, moments};
use crate::wanted::plugin_file;
use crate::{Agent, Machine, detect, read_only, toml};

/// The event that starts learning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Learning {
    /// A hook when a session ends.
    SessionEnd,
    /// A hook after each turn.
    Turn,
    /// None of its own: the next hook or command, of whichever agent.
    NextStart,
    /// Like [`Learning::NextStart`], until the person trusts its hooks.
    Untrusted,
    /// The hook or plugin that would start it is missing.
    Unconnected,
    /// There is no adapter for its sessions.
    Never,
}

impl Learning {
    pub fn of(agent: Agent, machine: &Machine) -> Self {
        let mut hooks = moments(agent).iter();
        let end = hooks.find(|hook| hook.event == HookEvent::End);
        match (agent, end) {
            (Agent::ClaudeDesktop, _) => Learning::Never,
            // Their plugin is called when the agent becomes idle.
            (Agent::OpenCode | Agent::Kilo | Agent::Cline, _) if has_plugin(agent, machine) => {
                Learning::Turn
            }
            // It runs Copilot's hooks, but for the end of a session.
            (Agent::VsCode, _) | (_, None) => Learning::NextStart,
            (Agent::Codex, _) if has_untrusted_hooks(machine) => Learning::Untrusted,
            (_, Some(hook)) if hook.key == STOP.key => Learning::Turn,
            (_, Some(_)) => Learning::SessionEnd,
        }
    }

    /// Returns the moment, for a sentence that begins with "sessions are read".
    pub fn moment(self) -> &'static str {
        match self {
            Learning::SessionEnd => "when they end",
            Learning::Turn => "after each turn",
            Learning::NextStart => "when an agent or `acreta` starts next, or by `acreta sync`",
            Learning::Untrusted => {
                "when an agent or `acreta` starts next, until you trust its hooks (type /hooks in it)"
            }
            Learning::Unconnected => "when you run `acreta run` (`acreta init` connects it)",
            Learning::Never => "by nobody: no adapter knows where they are",
        }
    }

    /// Reports whether no hook of its own starts it.
    pub fn needs_another(self) -> bool {
        matches!(self, Learning::NextStart | Learning::Untrusted)
    }
}

/// Reports whether this machine has an agent whose sessions nothing of its own tells of.
pub fn needs_catch_up(machine: &Machine) -> bool {
    let mut found = detect(machine).into_iter();
    found.any(|found| Learning::of(found.agent, machine).needs_another())
        || !read_only(machine).is_empty()
}

fn has_plugin(agent: Agent, machine: &Machine) -> bool {
    plugin_file(agent, machine).is_some_and(|path| exists(&path))
}

/// Reports whether Codex has acreta's hooks but does not run them: it runs a hook once its person trusted it, and
/// otherwise passes it over without a word. It records trust in `hooks.state."FILE:EVENT:GROUP:HOOK"`. Settings that
/// cannot be read count as trusted: they are reported elsewhere.
fn has_untrusted_hooks(machine: &Machine) -> bool {
    let folder = machine.codex_folder();
    let (settings, hooks) = (folder.join("config.toml"), folder.join("hooks.json"));
    let text = |path: &Utf8Path| read_text(path).ok().flatten().unwrap_or_default();
    let settings_text = text(&settings);
    let listed = start_commands(&text(&hooks));
    let (file, place) = match position(&listed) {
        Some(place) => (&hooks, Some(place)),
        None => {
            let inline = toml::start_commands(&settings, &settings_text);
            (&settings, position(&inline))
        }
    };
    let Some((group, hook)) = place else {
        return false;
    };
    let key = |file: &Utf8Path| format!("{file}:session_start:{group}:{hook}");
    let mut keys = vec![key(file)];
    keys.extend(resolve(file).map(|file| key(&file)));
    let trusted = toml::trusted_hooks(&settings, &settings_text);
    trusted.is_some_and(|trusted| !keys.iter().any(|key| trusted.contains(key)))
}

/// Returns the position of acreta's hook: its group and its index in it.
fn position(groups: &[Vec<String>]) -> Option<(usize, usize)> {
    groups.iter().enumerate().find_map(|(group, commands)| {
        let mut commands = commands.iter();
        let hook = commands.position(|command| is_hook(command, HookEvent::Start))?;
        Some((group, hook))
    })
}

/// Returns the commands of `hooks.SessionStart` in a file of hooks, by group.
fn start_commands(text: &str) -> Vec<Vec<String>> {
    let whole = JsonDocument::parse(text)
        .map(|document| document.value())
        .ok();
    let groups = whole.map(|whole| whole["hooks"]["SessionStart"].clone());
    let groups = groups.and_then(|groups| groups.as_array().cloned());
    let commands = |group: &serde_json::Value| {
        let hooks = group["hooks"].as_array().cloned().unwrap_or_default();
        let command = |hook: &serde_json::Value| hook["command"].as_str().unwrap_or("").to_owned();
        hooks.iter().map(command).collect()
    };
    groups.unwrap_or_default().iter().map(commands).collect()
}
