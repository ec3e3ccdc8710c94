//! The wanted content of each agent's files, as a table of entries. Only this module knows the names of other programs'
//! files and keys.

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::{Value, json};

use crate::agent::vscode_folders;
use crate::command::{HookEvent, Shell, hook, shell_of};
use crate::files::{exists, read_text};
use crate::json::JsonDocument;
use crate::moments::{AgentHook, moments};
use crate::{Agent, Machine, Setup, texts, toml};

/// Codex stops the end of a session after three seconds, regardless of the setting.
const START_SECONDS: u32 = 10;
const END_SECONDS: u32 = 3;

/// Within a session acreta answers in a fifth of a second or not at all.
const MOMENT_SECONDS: u32 = 5;

/// One entry in one file.
pub(crate) struct Want {
    pub(crate) agent: Agent,
    pub(crate) path: Utf8PathBuf,
    pub(crate) what: &'static str,
    pub(crate) thing: Thing,
}

pub(crate) enum Thing {
    /// A key of JSON that is acreta's.
    Key {
        at: Vec<String>,
        value: Value,
    },
    /// A JSON key that the file requires; any existing value is fine.
    Base {
        at: Vec<String>,
        value: Value,
    },
    /// An element of a JSON list; a hook is identified by its command.
    Item {
        at: Vec<String>,
        value: Value,
        event: Option<HookEvent>,
    },
    TomlServer,
    /// A server in a list of all servers, as Mistral Vibe has it.
    TomlListedServer,
    TomlHook {
        moment: AgentHook,
        command: String,
        timeout: u32,
    },
    /// A hook in a list of all events, as Kimi Code has it.
    TomlListedHook {
        moment: AgentHook,
        command: String,
        timeout: u32,
    },
    /// A whole file.
    File {
        text: String,
    },
    /// A line of an ignore file that leaves acreta's folder out.
    Ignored,
}

/// The forms of a line that ignores acreta's folder; the first is written.
pub(crate) const IGNORED: [&str; 4] = ["/.acreta/", "/.acreta", ".acreta/", ".acreta"];

/// Returns all wanted entries for one agent.
pub(crate) fn of_agent(agent: Agent, setup: &Setup<'_>) -> Vec<Want> {
    let table = Table {
        agent,
        machine: setup.machine,
        binary: setup.binary,
        notes: setup.notes,
        plugins: setup.plugins,
        project: setup.project,
    };
    match agent {
        Agent::Claude => table.claude(),
        Agent::Codex => table.codex(),
        Agent::Cursor => table.cursor(),
        Agent::OpenCode => table.opencode(),
        Agent::Gemini => table.gemini(),
        Agent::Copilot => table.copilot(),
        Agent::VsCode => table.vscode(),
        Agent::Kilo => table.kilo(),
        Agent::Qwen => table.qwen(),
        Agent::Cline => table.cline(),
        Agent::Grok => table.grok(),
        Agent::Kimi => table.kimi(),
        Agent::Vibe => vec![table.want(
            &setup.machine.vibe_folder().join("config.toml"),
            "MCP server",
            Thing::TomlListedServer,
        )],
        Agent::Pi => table
            .plugin()
            .into_iter()
            .chain([table.shared_skill()])
            .collect(),
        _ => table.server_alone(),
    }
}

struct Table<'a> {
    agent: Agent,
    machine: &'a Machine,
    binary: &'a Utf8Path,
    notes: bool,
    plugins: Option<bool>,
    project: Option<&'a Utf8Path>,
}

impl Table<'_> {
    fn claude(&self) -> Vec<Want> {
        let server = json!({"type": "stdio", "command": self.binary, "args": ["mcp"], "env": {}});
        let folder = self.machine.claude_folder();
        let mut wants = vec![self.server(
            self.machine.claude_state(),
            &["mcpServers", "acreta"],
            server,
        )];
        let settings = folder.join("settings.json");
        wants.extend(self.hook_groups(&settings));
        wants.extend(self.permission(&settings));
        wants.push(self.skill(folder.join("skills/acreta/SKILL.md")));
        wants
    }

    fn codex(&self) -> Vec<Want> {
        let folder = self.machine.codex_folder();
        let (settings, hooks) = (folder.join("config.toml"), folder.join("hooks.json"));
        let mut wants = vec![self.want(&settings, "MCP server", Thing::TomlServer)];
        // Codex warns at every start if one folder has hooks in both forms.
        let inline = !exists(&hooks)
            && read_text(&settings)
                .ok()
                .flatten()
                .is_some_and(|text| toml::has_hooks(&settings, &text).unwrap_or(false));
        match inline {
            false => wants.extend(self.hook_groups(&hooks)),
            true => wants.extend(self.toml_hooks(&settings)),
        }
        wants.push(self.shared_skill());
        wants
    }

    fn cursor(&self) -> Vec<Want> {
        let folder = self.machine.at_home(".cursor");
        let server = json!({"type": "stdio", "command": self.binary, "args": ["mcp"]});
        let hooks = folder.join("hooks.json");
        let version = Thing::Base {
            at: keys(&["version"]),
            value: json!(1),
        };
        let mut wants = vec![
            self.server(folder.join("mcp.json"), &["mcpServers", "acreta"], server),
            self.want(&hooks, "version of the file", version),
        ];
        for moment in moments(self.agent) {
            let event = moment.event;
            let mut value = json!({"command": self.command(event), "timeout": seconds(event)});
            if let Some(tools) = moment.tools {
                value["matcher"] = json!(tools);
            }
            wants.push(self.item(&hooks, *moment, value));
        }
        wants.push(self.shared_skill());
        wants
    }

    fn opencode(&self) -> Vec<Want> {
        self.opencode_like(&self.machine.opencode_folder(), "opencode")
    }

    fn kilo(&self) -> Vec<Want> {
        self.opencode_like(&self.machine.kilo_folder(), "kilo")
    }

    /// OpenCode and its forks: settings of this name in a folder, and plugins next to them.
    fn opencode_like(&self, folder: &Utf8Path, name: &str) -> Vec<Want> {
        let settings = ["jsonc", "json"]
            .map(|ending| folder.join(format!("{name}.{ending}")))
            .into_iter()
            .find(|path| exists(path))
            .unwrap_or_else(|| folder.join(format!("{name}.json")));
        let mut server = json!({"type": "local", "command": [self.binary, "mcp"]});
        // Both versions read the form of version 1; if version 2's is in use, entries of the other would not be seen.
        let at: &[&str] = match names_servers(&settings) {
            true => &["mcp", "servers", "acreta"],
            false => {
                server["enabled"] = json!(true);
                &["mcp", "acreta"]
            }
        };
        let mut wants = vec![self.server(settings.clone(), at, server)];
        match self.plugins.unwrap_or(!has_instructions(folder)) {
            true => wants.extend(self.plugin()),
            false => wants.extend(self.instructions(&settings, &folder.join(INSTRUCTIONS))),
        }
        wants.push(self.shared_skill());
        wants
    }

    /// What stands in for the plugin.
    fn instructions(&self, settings: &Utf8Path, path: &Utf8Path) -> [Want; 2] {
        let what = "instructions";
        let listed = Thing::Item {
            at: keys(&["instructions"]),
            value: json!(path),
            event: None,
        };
        let text = texts::INSTRUCTIONS.to_owned();
        [
            self.want(settings, what, listed),
            self.want(path, what, Thing::File { text }),
        ]
    }

    fn plugin(&self) -> Option<Want> {
        let path = plugin_file(self.agent, self.machine)?;
        let text = texts::plugin(self.binary, self.agent);
        let what = "plugin for sessions, prompts, failed commands and edits";
        Some(self.want(&path, what, Thing::File { text }))
    }

    /// Agents of which acreta only knows where servers are listed.
    fn server_alone(&self) -> Vec<Want> {
        let machine = self.machine;
        let usual: &[&str] = &["mcpServers", "acreta"];
        let (path, at) = match self.agent {
            Agent::Droid => (machine.at_home(".factory/mcp.json"), usual),
            Agent::Amp => (
                machine.config_folder().join("amp/settings.json"),
                &["amp.mcpServers", "acreta"][..],
            ),
            Agent::Zed => (machine.zed_settings(), &["context_servers", "acreta"][..]),
            Agent::Windsurf => (machine.at_home(".codeium/windsurf/mcp_config.json"), usual),
            Agent::Crush => (
                machine.config_folder().join("crush/crush.json"),
                &["mcp", "acreta"][..],
            ),
            Agent::Kiro => (machine.at_home(".kiro/settings/mcp.json"), usual),
            Agent::Roo => (
                machine.roo_storage().join("settings/mcp_settings.json"),
                usual,
            ),
            Agent::OpenClaude => (machine.openclaude_state(), usual),
            Agent::OpenClaw => (
                machine.openclaw_folder().join("openclaw.json"),
                &["mcp", "servers", "acreta"][..],
            ),
            Agent::OhMyPi => (machine.at_home(".omp/agent/mcp.json"), usual),
            Agent::Forge => (machine.forge_folder().join(".mcp.json"), usual),
            _ => (
                machine
                    .application_folder()
                    .join("Claude/claude_desktop_config.json"),
                usual,
            ),
        };
        let mut server = json!({"command": self.binary, "args": ["mcp"]});
        let is_typed = [Agent::Droid, Agent::Crush, Agent::OpenClaude, Agent::OhMyPi];
        if is_typed.contains(&self.agent) {
            server["type"] = json!("stdio");
        }
        vec![self.server(path, at, server)]
    }

    fn gemini(&self) -> Vec<Want> {
        let mut wants = self.gemini_like(self.machine.gemini_folder().join("settings.json"));
        // It lists the names of the project's files in every session, and its setting for a further ignore file does not
        // reach that list. A link in a repository may lead anywhere.
        let ignore = self.project.map(|project| project.join(".geminiignore"));
        let ignore = ignore.filter(|path| !path.is_symlink());
        wants.extend(ignore.map(|path| self.want(&path, "ignored folder", Thing::Ignored)));
        wants
    }

    fn qwen(&self) -> Vec<Want> {
        let settings = self.machine.qwen_folder().join("settings.json");
        let mut wants = self.gemini_like(settings.clone());
        wants.extend(self.permission(&settings));
        wants
    }

    /// Gemini CLI and its forks: servers and hooks in one file, times in milliseconds.
    fn gemini_like(&self, settings: Utf8PathBuf) -> Vec<Want> {
        let server = json!({"command": self.binary, "args": ["mcp"]});
        let mut wants = vec![self.server(settings.clone(), &["mcpServers", "acreta"], server)];
        for moment in moments(self.agent) {
            let event = moment.event;
            let hook = json!({
                "name": format!("acreta-{}", event.subcommand()),
                "type": "command",
                "command": self.command(event),
                "timeout": seconds(event) * 1000,
            });
            wants.push(self.item(&settings, *moment, group(*moment, hook)));
        }
        wants.push(self.shared_skill());
        wants
    }

    /// The terminal program.
    fn cline(&self) -> Vec<Want> {
        let settings = "settings/cline_mcp_settings.json";
        let server = json!({"command": self.binary, "args": ["mcp"]});
        let mut wants = vec![self.server(
            self.machine.cline_data().join(settings),
            &["mcpServers", "acreta"],
            server,
        )];
        wants.extend(self.plugin());
        wants.push(self.shared_skill());
        wants
    }

    fn grok(&self) -> Vec<Want> {
        let settings = self.machine.grok_folder().join("config.toml");
        let mut wants = vec![self.want(&settings, "MCP server", Thing::TomlServer)];
        wants.extend(self.toml_hooks(&settings));
        wants.push(self.shared_skill());
        wants
    }

    fn kimi(&self) -> Vec<Want> {
        let server = json!({"command": self.binary, "args": ["mcp"]});
        let folder = self.machine.kimi_folder();
        let mut wants =
            vec![self.server(folder.join("mcp.json"), &["mcpServers", "acreta"], server)];
        let settings = folder.join("config.toml");
        wants.extend(moments(self.agent).iter().map(|moment| {
            let thing = Thing::TomlListedHook {
                moment: *moment,
                command: self.command(moment.event),
                timeout: seconds(moment.event),
            };
            self.want(&settings, hook_name(moment.event), thing)
        }));
        wants.push(self.shared_skill());
        wants
    }

    fn copilot(&self) -> Vec<Want> {
        let folder = self.machine.copilot_folder();
        let server =
            json!({"type": "local", "command": self.binary, "args": ["mcp"], "tools": ["*"]});
        vec![
            self.server(
                folder.join("mcp-config.json"),
                &["mcpServers", "acreta"],
                server,
            ),
            self.copilot_hooks(),
            self.shared_skill(),
        ]
    }

    fn vscode(&self) -> Vec<Want> {
        let server = json!({"type": "stdio", "command": self.binary, "args": ["mcp"]});
        let folders = vscode_folders(self.machine);
        let mut used: Vec<&Utf8PathBuf> = folders.iter().filter(|path| exists(path)).collect();
        if used.is_empty() {
            used.extend(folders.first());
        }
        let mut wants: Vec<Want> = used
            .into_iter()
            .map(|folder| {
                self.server(
                    folder.join("mcp.json"),
                    &["servers", "acreta"],
                    server.clone(),
                )
            })
            .collect();
        // VS Code reads the hooks of the Copilot CLI.
        wants.push(self.copilot_hooks());
        wants.push(self.shared_skill());
        wants
    }

    /// A separate file: Copilot reads every file in the folder.
    fn copilot_hooks(&self) -> Want {
        let entry = |event| -> Value {
            json!([{
                "type": "command",
                "bash": hook(Shell::Posix, self.binary, event, Agent::Copilot),
                "powershell": hook(Shell::Power, self.binary, event, Agent::Copilot),
                "timeoutSec": seconds(event),
            }])
        };
        let entries = moments(Agent::Copilot).iter();
        let entries: serde_json::Map<String, Value> = entries
            .map(|moment| (moment.key.to_owned(), entry(moment.event)))
            .collect();
        let hooks = json!({"version": 1, "hooks": entries});
        let path = self.machine.copilot_folder().join("hooks/acreta.json");
        let text = format!("{hooks:#}\n");
        self.want(
            &path,
            "hooks for sessions, prompts, failed commands and edits",
            Thing::File { text },
        )
    }

    /// Hooks in the form of Claude Code, which Codex also uses.
    fn hook_groups(&self, path: &Utf8Path) -> Vec<Want> {
        let groups = moments(self.agent).iter().map(|moment| {
            let hook = json!({
                "type": "command",
                "command": self.command(moment.event),
                "timeout": seconds(moment.event),
            });
            self.item(path, *moment, group(*moment, hook))
        });
        groups.collect()
    }

    /// Returns the hooks in TOML.
    fn toml_hooks(&self, settings: &Utf8Path) -> Vec<Want> {
        let hooks = moments(self.agent).iter().map(|moment| {
            let thing = Thing::TomlHook {
                moment: *moment,
                command: self.command(moment.event),
                timeout: seconds(moment.event),
            };
            self.want(settings, hook_name(moment.event), thing)
        });
        hooks.collect()
    }

    fn item(&self, path: &Utf8Path, moment: AgentHook, value: Value) -> Want {
        let thing = Thing::Item {
            at: keys(&["hooks", moment.key]),
            value,
            event: Some(moment.event),
        };
        self.want(path, hook_name(moment.event), thing)
    }

    /// Allows the tool that makes notes, and no other, in the form of Claude Code, which Qwen Code also reads.
    fn permission(&self, settings: &Utf8Path) -> Option<Want> {
        let thing = Thing::Item {
            at: keys(&["permissions", "allow"]),
            value: json!("mcp__acreta__memory_note"),
            event: None,
        };
        let what = "permission for the tool memory_note";
        self.notes.then(|| self.want(settings, what, thing))
    }

    fn server(&self, path: Utf8PathBuf, at: &[&str], value: Value) -> Want {
        let at = keys(at);
        self.want(&path, "MCP server", Thing::Key { at, value })
    }

    /// The folder that all agents except Claude Code read.
    fn shared_skill(&self) -> Want {
        self.skill(self.machine.at_home(".agents/skills/acreta/SKILL.md"))
    }

    fn skill(&self, path: Utf8PathBuf) -> Want {
        let text = texts::SKILL.to_owned();
        self.want(&path, "skill", Thing::File { text })
    }

    fn want(&self, path: &Utf8Path, what: &'static str, thing: Thing) -> Want {
        Want {
            agent: self.agent,
            path: path.to_owned(),
            what,
            thing,
        }
    }

    fn command(&self, event: HookEvent) -> String {
        let shell = shell_of(self.agent, self.machine.platform);
        hook(shell, self.binary, event, self.agent)
    }
}

/// Returns the file of acreta's plugin in an agent that loads one.
pub(crate) fn plugin_file(agent: Agent, machine: &Machine) -> Option<Utf8PathBuf> {
    Some(match agent {
        Agent::OpenCode => machine.opencode_folder().join("plugins/acreta.js"),
        Agent::Kilo => machine.kilo_folder().join("plugins/acreta.js"),
        Agent::Cline => machine.cline_folder().join("plugins/acreta.js"),
        Agent::Pi => machine.pi_folder().join("extensions/acreta.js"),
        _ => return None,
    })
}

/// Reports whether OpenCode or a fork was connected without a plugin.
fn has_instructions(folder: &Utf8Path) -> bool {
    exists(&folder.join(INSTRUCTIONS))
}

const INSTRUCTIONS: &str = "acreta.md";

/// Reports whether OpenCode's settings list servers below `mcp.servers`, as its version 2 does. In version 1 that would
/// be a server of this name, which has a type.
fn names_servers(settings: &Utf8Path) -> bool {
    let Ok(Some(text)) = read_text(settings) else {
        return false;
    };
    JsonDocument::parse(&text).is_ok_and(|document| {
        let value = document.value();
        let servers = &value["mcp"]["servers"];
        servers.is_object() && !servers["type"].is_string()
    })
}

fn keys(at: &[&str]) -> Vec<String> {
    at.iter().map(|&key| key.to_owned()).collect()
}

/// Builds a hook group: a hook and the tools it is for.
fn group(moment: AgentHook, hook: Value) -> Value {
    match moment.tools {
        Some(tools) => json!({"matcher": tools, "hooks": [hook]}),
        None => json!({"hooks": [hook]}),
    }
}

fn hook_name(event: HookEvent) -> &'static str {
    match event {
        HookEvent::Start => "hook for the start of a session",
        HookEvent::End => "hook for the end of a session",
        HookEvent::Prompt => "hook for prompts",
        HookEvent::Failure => "hook for failed commands",
        HookEvent::Edit => "hook for edits",
        HookEvent::Compact => "hook for compactions",
    }
}

fn seconds(event: HookEvent) -> u32 {
    match event {
        HookEvent::Start => START_SECONDS,
        HookEvent::End => END_SECONDS,
        _ => MOMENT_SECONDS,
    }
}
