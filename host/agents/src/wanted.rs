//! What each agent's files should say, as a table of entries. The only place that knows the names
//! of another program's files and keys.

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::{Value, json};

use crate::agent::vscode_folders;
use crate::command::{Event, Shell, hook, shell_of};
use crate::files::{Links, exists, read_text};
use crate::json::Document;
use crate::{Agent, Machine, Setup, texts, toml};

/// Codex stops the end of a session after three seconds, whatever it is told.
const START_SECONDS: u32 = 10;
const END_SECONDS: u32 = 3;

/// One entry in one file.
pub(crate) struct Want {
    pub(crate) agent: Option<Agent>,
    pub(crate) path: Utf8PathBuf,
    pub(crate) links: Links,
    pub(crate) what: &'static str,
    pub(crate) thing: Thing,
}

pub(crate) enum Thing {
    /// A key of JSON that is acreta's.
    Key {
        at: Vec<String>,
        value: Value,
    },
    /// A key of JSON that the file cannot do without; whatever it says already is right.
    Base {
        at: Vec<String>,
        value: Value,
    },
    /// An element of a JSON list, known by the command it runs.
    Item {
        at: Vec<String>,
        value: Value,
        event: Event,
    },
    TomlServer,
    TomlHook {
        key: &'static str,
        event: Event,
        command: String,
        timeout: u32,
    },
    /// A whole file.
    File {
        text: String,
    },
    /// Lines of a `.gitignore`.
    Rules,
}

/// Everything that should be there for one agent.
pub(crate) fn of_agent(agent: Agent, setup: &Setup<'_>) -> Vec<Want> {
    let table = Table {
        agent,
        machine: setup.machine,
        binary: setup.binary,
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
        Agent::Pi => vec![table.shared_skill()],
    }
}

/// What a project's own files should say.
pub(crate) fn of_project(project: &Utf8Path) -> Want {
    Want {
        agent: None,
        path: project.join(".gitignore"),
        links: Links::Refused,
        what: "what git leaves alone",
        thing: Thing::Rules,
    }
}

struct Table<'a> {
    agent: Agent,
    machine: &'a Machine,
    binary: &'a Utf8Path,
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
        wants.extend(self.hook_groups(&folder.join("settings.json")));
        wants.push(self.skill(folder.join("skills/acreta/SKILL.md")));
        wants
    }

    fn codex(&self) -> Vec<Want> {
        let folder = self.machine.codex_folder();
        let (settings, hooks) = (folder.join("config.toml"), folder.join("hooks.json"));
        let mut wants = vec![self.want(&settings, "MCP server", Thing::TomlServer)];
        // Codex warns at every start when one folder has hooks in both forms.
        let inline = !exists(&hooks)
            && read_text(&settings)
                .ok()
                .flatten()
                .is_some_and(|text| toml::has_hooks(&settings, &text).unwrap_or(false));
        match inline {
            false => wants.extend(self.hook_groups(&hooks)),
            true => wants.extend(Event::BOTH.map(|event| {
                let thing = Thing::TomlHook {
                    key: pascal(event),
                    event,
                    command: self.command(event),
                    timeout: seconds(event),
                };
                self.want(&settings, hook_name(event), thing)
            })),
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
        for event in Event::BOTH {
            let value = json!({"command": self.command(event), "timeout": seconds(event)});
            wants.push(self.item(&hooks, camel(event), value, event));
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

    /// OpenCode and its forks: settings of this name in a folder, and plugins beside them.
    fn opencode_like(&self, folder: &Utf8Path, name: &str) -> Vec<Want> {
        let settings = ["jsonc", "json"]
            .map(|ending| folder.join(format!("{name}.{ending}")))
            .into_iter()
            .find(|path| exists(path))
            .unwrap_or_else(|| folder.join(format!("{name}.json")));
        let mut server = json!({"type": "local", "command": [self.binary, "mcp"]});
        // The form of version 1 is read by both; where version 2's is in use, entries of the other
        // would not be seen.
        let at: &[&str] = match names_servers(&settings) {
            true => &["mcp", "servers", "acreta"],
            false => {
                server["enabled"] = json!(true);
                &["mcp", "acreta"]
            }
        };
        let plugin = Thing::File {
            text: texts::opencode_plugin(self.binary, self.agent),
        };
        vec![
            self.server(settings, at, server),
            self.want(
                &folder.join("plugins/acreta.js"),
                "plugin for the start and end of a session",
                plugin,
            ),
            self.shared_skill(),
        ]
    }

    fn gemini(&self) -> Vec<Want> {
        self.gemini_like(self.machine.gemini_folder().join("settings.json"))
    }

    fn qwen(&self) -> Vec<Want> {
        self.gemini_like(self.machine.qwen_folder().join("settings.json"))
    }

    /// Gemini CLI and its forks: servers and hooks in one file, times in milliseconds.
    fn gemini_like(&self, settings: Utf8PathBuf) -> Vec<Want> {
        let server = json!({"command": self.binary, "args": ["mcp"]});
        let mut wants = vec![self.server(settings.clone(), &["mcpServers", "acreta"], server)];
        for event in Event::BOTH {
            let hook = json!({
                "name": format!("acreta-{}", event.subcommand()),
                "type": "command",
                "command": self.command(event),
                "timeout": seconds(event) * 1000,
            });
            wants.push(self.item(&settings, pascal(event), json!({"hooks": [hook]}), event));
        }
        wants.push(self.shared_skill());
        wants
    }

    /// The program for the terminal; its hooks know no start and end of a session.
    fn cline(&self) -> Vec<Want> {
        let settings = "settings/cline_mcp_settings.json";
        let server = json!({"command": self.binary, "args": ["mcp"]});
        vec![
            self.server(
                self.machine.cline_data().join(settings),
                &["mcpServers", "acreta"],
                server,
            ),
            self.shared_skill(),
        ]
    }

    /// What a hook says at the start of a session never reaches Grok Build's model.
    fn grok(&self) -> Vec<Want> {
        let settings = self.machine.grok_folder().join("config.toml");
        let event = Event::End;
        let hook = Thing::TomlHook {
            key: pascal(event),
            event,
            command: self.command(event),
            timeout: seconds(event),
        };
        vec![
            self.want(&settings, "MCP server", Thing::TomlServer),
            self.want(&settings, hook_name(event), hook),
            self.shared_skill(),
        ]
    }

    fn kimi(&self) -> Vec<Want> {
        let server = json!({"command": self.binary, "args": ["mcp"]});
        vec![
            self.server(
                self.machine.kimi_folder().join("mcp.json"),
                &["mcpServers", "acreta"],
                server,
            ),
            self.shared_skill(),
        ]
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

    /// A file of its own: Copilot reads every file in the folder.
    fn copilot_hooks(&self) -> Want {
        let entry = |event| {
            json!([{
                "type": "command",
                "bash": hook(Shell::Posix, self.binary, event, Agent::Copilot),
                "powershell": hook(Shell::Power, self.binary, event, Agent::Copilot),
                "timeoutSec": seconds(event),
            }])
        };
        let hooks = json!({
            "version": 1,
            "hooks": {"sessionStart": entry(Event::Start), "sessionEnd": entry(Event::End)},
        });
        let path = self.machine.copilot_folder().join("hooks/acreta.json");
        let text = format!("{hooks:#}\n");
        self.want(
            &path,
            "hooks for the start and end of a session",
            Thing::File { text },
        )
    }

    /// Hooks in the form that Claude Code brought up and Codex took over.
    fn hook_groups(&self, path: &Utf8Path) -> [Want; 2] {
        Event::BOTH.map(|event| {
            let hook = json!({
                "type": "command",
                "command": self.command(event),
                "timeout": seconds(event),
            });
            self.item(path, pascal(event), json!({"hooks": [hook]}), event)
        })
    }

    fn item(&self, path: &Utf8Path, key: &str, value: Value, event: Event) -> Want {
        let at = keys(&["hooks", key]);
        self.want(path, hook_name(event), Thing::Item { at, value, event })
    }

    fn server(&self, path: Utf8PathBuf, at: &[&str], value: Value) -> Want {
        let at = keys(at);
        self.want(&path, "MCP server", Thing::Key { at, value })
    }

    /// The folder that all agents but Claude Code look into.
    fn shared_skill(&self) -> Want {
        self.skill(self.machine.at_home(".agents/skills/acreta/SKILL.md"))
    }

    fn skill(&self, path: Utf8PathBuf) -> Want {
        let text = texts::SKILL.to_owned();
        self.want(&path, "skill", Thing::File { text })
    }

    fn want(&self, path: &Utf8Path, what: &'static str, thing: Thing) -> Want {
        Want {
            agent: Some(self.agent),
            path: path.to_owned(),
            links: Links::Followed,
            what,
            thing,
        }
    }

    fn command(&self, event: Event) -> String {
        let shell = shell_of(self.agent, self.machine.platform);
        hook(shell, self.binary, event, self.agent)
    }
}

/// Whether OpenCode's settings list servers below `mcp.servers`, as its version 2 does. In version 1
/// that would be a server of this name, which has a type.
fn names_servers(settings: &Utf8Path) -> bool {
    let Ok(Some(text)) = read_text(settings) else {
        return false;
    };
    Document::parse(&text).is_ok_and(|document| {
        let value = document.value();
        let servers = &value["mcp"]["servers"];
        servers.is_object() && !servers["type"].is_string()
    })
}

fn keys(at: &[&str]) -> Vec<String> {
    at.iter().map(|&key| key.to_owned()).collect()
}

fn pascal(event: Event) -> &'static str {
    match event {
        Event::Start => "SessionStart",
        Event::End => "SessionEnd",
    }
}

fn camel(event: Event) -> &'static str {
    match event {
        Event::Start => "sessionStart",
        Event::End => "sessionEnd",
    }
}

fn hook_name(event: Event) -> &'static str {
    match event {
        Event::Start => "hook for the start of a session",
        Event::End => "hook for the end of a session",
    }
}

fn seconds(event: Event) -> u32 {
    match event {
        Event::Start => START_SECONDS,
        Event::End => END_SECONDS,
    }
}
