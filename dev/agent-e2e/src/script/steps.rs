//! Maps the steps of a ticket to calls of an agent's tools.

use acreta_agent_e2e::scripted::{Call, Protocol, Request, Tool, ToolForm};
use serde_json::{Value, json};

use super::{PRINTED, SEARCHERS, Ticket, TicketStep};

const SHELLS: [&str; 16] = [
    "Bash",
    "bash",
    "shell",
    "exec_command",
    "shell_command",
    "local_shell",
    "run_shell_command",
    "Shell",
    "execute_command",
    "run_terminal_command",
    "run_commands",
    "Execute",
    "developer__shell",
    "terminal",
    "run_terminal_cmd",
    "execute",
];

const WRITERS: [&str; 13] = [
    "Write",
    "write",
    "write_file",
    "WriteFile",
    "write_to_file",
    "create",
    "Create",
    "create_new_file",
    "createNewFile",
    "edit_file",
    "editor",
    "save",
    "apply_patch",
];

const DELEGATES: [&str; 9] = [
    "Agent",
    "Task",
    "task",
    "spawn_agent",
    "spawn_subagent",
    "invoke_agent",
    "agent",
    "delegate",
    "new_task",
];

/// A step of a ticket that needs a tool.
pub(super) struct ToolStep<'a> {
    pub(super) request: &'a Request,
    pub(super) tools: &'a [Tool],
    pub(super) ticket: &'a Ticket,
    pub(super) number: usize,
    pub(super) has_searched: bool,
    pub(super) last_result: &'a str,
    pub(super) subagent: &'static str,
}

impl ToolStep<'_> {
    /// Returns `None` if the agent has no tool for the step.
    pub(super) fn call(&self, step: &TicketStep, helper: Option<&Ticket>) -> Option<Call> {
        let mark = format!("call-{}-{}", self.ticket.number, self.number);
        match step {
            // A session that changes nothing leaves no trace to compare.
            TicketStep::Shell => self.shell(&format!(
                "echo {mark} | sed s/call/back/; echo '{PRINTED}'; pwd; touch seen"
            )),
            TicketStep::Run(command) => self.shell(command),
            TicketStep::Write => self.write(&mark),
            TicketStep::Search => {
                self.memory("memory_search", &[("query", json!("integer cents"))])
            }
            TicketStep::Add => {
                let title = format!("The exporter of {mark} writes UTF-8 without a mark");
                let body = "Spreadsheets show garbage otherwise.";
                self.memory(
                    "memory_add",
                    &[("title", json!(title)), ("body", json!(body))],
                )
            }
            TicketStep::Note {
                title,
                quote,
                in_shell: true,
            } => self.shell(&format!(
                "acreta memory note '{title}' --kind convention --quote '{quote}'"
            )),
            TicketStep::Note { title, quote, .. } => self.memory(
                "memory_note",
                &[
                    ("title", json!(title)),
                    ("kind", json!("convention")),
                    ("quote", json!([quote])),
                ],
            ),
            TicketStep::Wait => {
                let tool = self.tool(&["wait_agent"])?;
                let started: Value = serde_json::from_str(self.last_result).unwrap_or_default();
                let targets = json!([started["agent_id"]]);
                let wanted = [("targets", targets), ("timeout_ms", json!(120_000))];
                Some(called(tool, tool.arguments(&wanted)))
            }
            TicketStep::Delegate(_) => {
                let tool = self.tool(&DELEGATES)?;
                let prompt = json!(helper?.prompt);
                let kind = json!(self.subagent);
                Some(called(
                    tool,
                    tool.arguments(&[
                        ("prompt", prompt.clone()),
                        ("message", prompt.clone()),
                        ("task", prompt),
                        ("description", json!("One more ticket")),
                        ("name", json!("helper")),
                        ("task_name", json!("helper")),
                        ("subagent_type", kind.clone()),
                        ("agent_name", kind.clone()),
                        ("agent_type", kind),
                        ("run_in_background", json!(false)),
                        ("background", json!(false)),
                        ("mode", json!("sync")),
                    ]),
                ))
            }
        }
    }

    fn tool(&self, names: &[&str]) -> Option<&Tool> {
        let find = |name: &&str| self.tools.iter().find(|tool| tool.name == *name);
        names.iter().find_map(find)
    }

    fn shell(&self, command: &str) -> Option<Call> {
        let tool = self.tool(&SHELLS)?;
        if tool.form == ToolForm::LocalShell {
            return Some(called(tool, json!({ "command": ["bash", "-lc", command] })));
        }
        let command = json!(command);
        Some(called(
            tool,
            tool.arguments(&[
                ("command", command.clone()),
                ("cmd", command.clone()),
                ("commands", command),
                ("description", json!("Look at the project")),
                ("is_background", json!(false)),
                ("run_in_background", json!(false)),
            ]),
        ))
    }

    fn write(&self, mark: &str) -> Option<Call> {
        let name = format!("NOTES-{mark}.md");
        let content = format!("# Notes\n\nwritten in {mark}\n");
        let Some(tool) = self.tool(&WRITERS) else {
            return self.shell(&format!("echo {mark} | tee {name}"));
        };
        if tool.form == ToolForm::Custom {
            let lines: Vec<String> = content.lines().map(|line| format!("+{line}\n")).collect();
            let patch = format!(
                "*** Begin Patch\n*** Add File: {name}\n{}*** End Patch\n",
                lines.concat()
            );
            return Some(called(tool, json!(patch)));
        }
        let path = json!(self.ticket.directory.join(&name));
        let content = json!(content);
        Some(called(
            tool,
            tool.arguments(&[
                ("file_path", path.clone()),
                ("filePath", path.clone()),
                ("path", path.clone()),
                ("filepath", path.clone()),
                ("absolutePath", path),
                ("content", content.clone()),
                ("contents", content.clone()),
                ("file_text", content),
                ("command", json!("create")),
            ]),
        ))
    }

    /// Calls a memory tool, after a tool search if the agent defers its tools.
    fn memory(&self, name: &str, wanted: &[(&str, Value)]) -> Option<Call> {
        let of_name = |tool: &&Tool| tool.name.ends_with(name);
        if let Some(tool) = self.tools.iter().find(of_name) {
            return Some(called(tool, tool.arguments(wanted)));
        }
        let arguments = wanted
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.clone()));
        let arguments = Value::Object(arguments.collect());
        if let Some(tool) = self.tool(&["run_typescript"]) {
            let code = format!(
                "async function main() {{ return await tools.mcp_acreta.{name}({arguments}); }}"
            );
            return Some(called(tool, json!({ "code": code })));
        }
        let searcher = self.tool(&SEARCHERS)?;
        if !self.has_searched {
            let query = match searcher.name.as_str() {
                "ToolSearch" => {
                    "select:mcp__acreta__memory_search,mcp__acreta__memory_add,mcp__acreta__memory_note"
                }
                _ => "acreta memory search add note",
            };
            return Some(called(
                searcher,
                searcher.arguments(&[("query", json!(query))]),
            ));
        }
        if let Some(tool) = self.tool(&["use_tool"]) {
            let target = json!(format!("acreta__{name}"));
            let wanted = json!({ "tool_name": target, "tool_input": arguments });
            return Some(called(tool, wanted));
        }
        let (name, namespace) = match self.request.protocol {
            Protocol::Responses => (name.to_owned(), Some("mcp__acreta".to_owned())),
            _ => (format!("mcp__acreta__{name}"), None),
        };
        Some(Call {
            name,
            namespace,
            form: ToolForm::Function,
            arguments,
        })
    }
}

/// Reports whether a call is of one of acreta's tools, perhaps by way of another tool.
pub(crate) fn is_call_of(call: &Call, tool: &str) -> bool {
    let by_way = ["tool_name", "code"].map(|name| call.arguments[name].as_str());
    call.name.ends_with(tool) || by_way.iter().flatten().any(|text| text.contains(tool))
}

fn called(tool: &Tool, arguments: Value) -> Call {
    Call {
        name: tool.name.clone(),
        namespace: tool.namespace.clone(),
        form: tool.form,
        arguments,
    }
}
