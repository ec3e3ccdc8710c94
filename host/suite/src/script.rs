//! Tickets: what the suite asks an agent to do, what the model answers, and what the model saw of it.
//!
//! The model keeps no state between requests but its notes. The ticket of a request is the last one
//! whose prompt stands in the conversation, and its step is the number of results behind that prompt,
//! so a program may repeat a request or ask for a title without getting the next step.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use acreta_scripted::{Answer, Call, Item, Protocol, Request, Tool, ToolForm};
use serde_json::{Value, json};

/// Answers to whatever is no ticket: titles, summaries, checks.
pub(crate) const ASIDE: &str = "Notes about the work";
pub(crate) const SUMMARY: &str = "<state_snapshot><summary>The tickets so far are finished; nothing is open.</summary></state_snapshot>";

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Step {
    Shell,
    Write,
    Search,
    Add,
    /// Starts a subagent on a ticket of its own.
    Delegate(u32),
}

#[derive(Debug, Clone)]
pub(crate) struct Ticket {
    pub(crate) number: u32,
    pub(crate) prompt: String,
    pub(crate) steps: Vec<Step>,
    /// Directory in which the agent runs.
    pub(crate) directory: PathBuf,
    /// Tokens that each request of this ticket is said to have had.
    pub(crate) input_tokens: u64,
}

/// What happened in a ticket, by the number of results that the request had.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seen {
    pub(crate) answers: BTreeMap<usize, Answer>,
    pub(crate) results: BTreeMap<usize, String>,
    /// Bodies of all requests of the ticket.
    pub(crate) bodies: Vec<String>,
    /// Bodies of requests beside it: titles and the like.
    pub(crate) beside: Vec<String>,
}

#[derive(Default)]
struct Notes {
    tickets: BTreeMap<u32, Ticket>,
    seen: BTreeMap<u32, Seen>,
    compactions: usize,
    has_no_tools: bool,
    subagent: &'static str,
}

/// Shared by the suite, which opens tickets, and the model, which answers.
#[derive(Clone, Default)]
pub(crate) struct Script(Arc<Mutex<Notes>>);

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

const WRITERS: [&str; 12] = [
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

const SEARCHERS: [&str; 3] = ["ToolSearch", "tool_search", "tool_search_tool"];

impl Script {
    pub(crate) fn new(has_tools: bool, subagent: Option<&'static str>) -> Self {
        let notes = Notes {
            has_no_tools: !has_tools,
            subagent: subagent.unwrap_or_default(),
            ..Notes::default()
        };
        Self(Arc::new(Mutex::new(notes)))
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn open(&self, ticket: Ticket) {
        self.notes().tickets.insert(ticket.number, ticket);
    }

    pub(crate) fn tickets(&self) -> Vec<Ticket> {
        self.notes().tickets.values().cloned().collect()
    }

    pub(crate) fn seen(&self, number: u32) -> Seen {
        self.notes().seen.get(&number).cloned().unwrap_or_default()
    }

    pub(crate) fn compactions(&self) -> usize {
        self.notes().compactions
    }

    /// The model's answer to a request.
    pub(crate) fn answer(&self, request: &Request) -> Answer {
        let (items, tools) = (request.conversation(), request.tools());
        let mut notes = self.notes();
        let asked = items.iter().enumerate().rev().find_map(|(at, item)| {
            let Item::User(text) = item else { return None };
            let of_item = |ticket: &&Ticket| text.contains(&ticket.prompt);
            let ticket = notes.tickets.values().rev().find(of_item)?;
            Some((at, ticket.clone()))
        });
        if is_summary(&items, asked.as_ref().map(|(at, _)| *at)) || is_summary_agent(request) {
            notes.compactions += 1;
            return Answer::text(SUMMARY);
        }
        if let Some(schema) = wanted_schema(request) {
            let tool = Tool {
                name: String::new(),
                namespace: None,
                form: ToolForm::Function,
                schema,
            };
            return Answer::text(
                tool.arguments(&[("next_speaker", json!("user"))])
                    .to_string(),
            );
        }
        let Some((at, ticket)) = asked else {
            return Answer::text(ASIDE);
        };
        let has_no_tools = notes.has_no_tools;
        let seen = notes.seen.entry(ticket.number).or_default();
        if tools.is_empty() && !has_no_tools {
            seen.beside.push(request.body.to_string());
            return Answer::text(ASIDE);
        }
        seen.bodies.push(request.body.to_string());
        let results = items[at..].iter().filter_map(|item| match item {
            Item::Result(text) => Some(text.clone()),
            _ => None,
        });
        let results: Vec<String> = results.collect();
        let count = results.len();
        for (number, text) in results.into_iter().enumerate() {
            seen.results.entry(number).or_insert(text);
        }
        if let Some(answer) = seen.answers.get(&count) {
            return answer.clone();
        }
        let is_done = |answer: &&Answer| {
            let call = answer.call.as_ref();
            call.is_some_and(|call| !SEARCHERS.contains(&call.name.as_str()))
        };
        let done = seen.answers.values().filter(is_done).count();
        let has_searched = seen.answers.len() > done;
        let step = ticket.steps.get(done);
        let call = step.and_then(|step| {
            let helper = match step {
                Step::Delegate(number) => notes.tickets.get(number).cloned(),
                _ => None,
            };
            let asked = Asked {
                request,
                tools: &tools,
                ticket: &ticket,
                number: done + 1,
                has_searched,
                subagent: notes.subagent,
            };
            asked.call(step, helper.as_ref())
        });
        let number = ticket.number;
        let is_last = call.is_none();
        let answer = Answer {
            text: match &call {
                Some(_) => format!("Working on ticket-{number}, answer {count}."),
                None => format!("Finished ticket-{number}, nothing is left to do."),
            },
            call,
            // Only the last answer, or the agent would compact in the midst of the ticket.
            input_tokens: if is_last { ticket.input_tokens } else { 120 },
        };
        let seen = notes.seen.entry(number).or_default();
        seen.answers.insert(count, answer.clone());
        answer
    }
}

/// A request to sum the conversation up, which agents put behind it.
fn is_summary(items: &[Item], asked_at: Option<usize>) -> bool {
    let last = items.len().checked_sub(1);
    let Some(Item::User(text)) = items.last() else {
        return false;
    };
    let text = text.to_lowercase();
    asked_at != last
        && ["summar", "state_snapshot", "compact"]
            .iter()
            .any(|word| text.contains(word))
}

/// A request to an agent that does nothing else, with the conversation as its prompt.
fn is_summary_agent(request: &Request) -> bool {
    let system = request.body["messages"][0]["content"].to_string();
    system.contains("summarization agent")
}

/// The schema of a request that wants JSON rather than words.
fn wanted_schema(request: &Request) -> Option<Value> {
    if request.protocol != Protocol::Gemini {
        return None;
    }
    let wanted = &request.body["generationConfig"];
    if wanted["responseMimeType"] != "application/json" {
        return None;
    }
    let schema = match &wanted["responseJsonSchema"] {
        Value::Null => &wanted["responseSchema"],
        schema => schema,
    };
    Some(schema.clone())
}

/// A step of a ticket, for which a tool is needed.
struct Asked<'a> {
    request: &'a Request,
    tools: &'a [Tool],
    ticket: &'a Ticket,
    number: usize,
    has_searched: bool,
    subagent: &'static str,
}

impl Asked<'_> {
    /// None if the agent has no tool for the step.
    fn call(&self, step: &Step, helper: Option<&Ticket>) -> Option<Call> {
        let mark = format!("call-{}-{}", self.ticket.number, self.number);
        match step {
            Step::Shell => self.shell(&format!("echo {mark} | sed s/call/back/")),
            Step::Write => self.write(&mark),
            Step::Search => self.memory("memory_search", &[("query", json!("integer cents"))]),
            Step::Add => {
                let title = format!("The exporter of {mark} writes UTF-8 without a mark");
                let body = "Spreadsheets show garbage otherwise.";
                self.memory(
                    "memory_add",
                    &[("title", json!(title)), ("body", json!(body))],
                )
            }
            Step::Delegate(_) => {
                let tool = self.tool(&DELEGATES)?;
                let prompt = json!(helper?.prompt);
                let kind = json!(self.subagent);
                Some(called(
                    tool,
                    tool.arguments(&[
                        ("prompt", prompt.clone()),
                        ("message", prompt.clone()),
                        ("task", prompt.clone()),
                        ("description", json!("One more ticket")),
                        ("name", json!("helper")),
                        ("task_name", json!("helper")),
                        ("subagent_type", kind.clone()),
                        ("agent_name", kind.clone()),
                        ("agent_type", kind),
                        ("run_in_background", json!(false)),
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

    /// A memory tool, looked for first where the agent keeps its tools back.
    fn memory(&self, name: &str, wanted: &[(&str, Value)]) -> Option<Call> {
        let of_name = |tool: &&Tool| tool.name.ends_with(name);
        if let Some(tool) = self.tools.iter().find(of_name) {
            return Some(called(tool, tool.arguments(wanted)));
        }
        let searcher = self.tool(&SEARCHERS)?;
        if !self.has_searched {
            let query = match searcher.name.as_str() {
                "ToolSearch" => "select:mcp__acreta__memory_search,mcp__acreta__memory_add",
                _ => "acreta memory search add",
            };
            return Some(called(
                searcher,
                searcher.arguments(&[("query", json!(query))]),
            ));
        }
        let arguments = wanted
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.clone()));
        let arguments = Value::Object(arguments.collect());
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

fn called(tool: &Tool, arguments: Value) -> Call {
    Call {
        name: tool.name.clone(),
        namespace: tool.namespace.clone(),
        form: tool.form,
        arguments,
    }
}
