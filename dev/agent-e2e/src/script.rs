//! Tickets: the suite's tasks for an agent, the model's answers, and what the model saw of them.
//!
//! The model keeps no state between requests except its notes. The ticket of a request is the last one whose prompt is
//! in the conversation, and its step is the number of results after that prompt, so a program may repeat a request or
//! ask for a title without getting the next step.

mod steps;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use acreta_agent_e2e::scripted::{Answer, Item, Protocol, Request, Tool, ToolForm};
use serde_json::{Value, json};

use steps::ToolStep;
pub(crate) use steps::is_call_of;

/// Answer to requests without a ticket: titles, summaries, checks.
pub(crate) const ASIDE: &str = "Notes about the work";
pub(crate) const SUMMARY: &str = "<state_snapshot><summary>The tickets so far are finished; nothing is open.</summary></state_snapshot>";

/// Sentence that every shell command prints.
pub(crate) const PRINTED: &str = "Signatures are not checked before a release.";

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TicketStep {
    Shell,
    /// Runs this command.
    Run(&'static str),
    Write,
    Search,
    Add,
    /// Notes a quote, with acreta's tool, or in a shell where the agent has no server.
    Note {
        title: &'static str,
        quote: &'static str,
        in_shell: bool,
    },
    /// Starts a subagent on a separate ticket.
    Delegate(u32),
    /// Waits for the subagent if it works in the background; otherwise there is nothing to call.
    Wait,
}

#[derive(Debug, Clone)]
pub(crate) struct Ticket {
    pub(crate) number: u32,
    pub(crate) prompt: String,
    pub(crate) steps: Vec<TicketStep>,
    /// Directory in which the agent runs.
    pub(crate) directory: PathBuf,
    /// Number of tokens that each request of this ticket reports.
    pub(crate) input_tokens: u64,
}

/// Observations of a ticket, by the number of results that the request had.
#[derive(Debug, Clone, Default)]
pub(crate) struct SeenTicket {
    pub(crate) answers: BTreeMap<usize, Answer>,
    pub(crate) results: BTreeMap<usize, String>,
    /// Bodies of all requests of the ticket.
    pub(crate) bodies: Vec<String>,
    /// Bodies of related requests: titles and the like.
    pub(crate) beside: Vec<String>,
}

#[derive(Default)]
struct Notes {
    tickets: BTreeMap<u32, Ticket>,
    seen: BTreeMap<u32, SeenTicket>,
    compactions: usize,
    has_no_tools: bool,
    subagent: &'static str,
}

/// Shared by the suite, which opens tickets, and the model, which answers.
#[derive(Clone, Default)]
pub(crate) struct Script(Arc<Mutex<Notes>>);

const SEARCHERS: [&str; 4] = [
    "ToolSearch",
    "tool_search",
    "tool_search_tool",
    "search_tool",
];

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

    pub(crate) fn seen(&self, number: u32) -> SeenTicket {
        self.notes().seen.get(&number).cloned().unwrap_or_default()
    }

    pub(crate) fn compactions(&self) -> usize {
        self.notes().compactions
    }

    /// Returns the model's answer to a request.
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
        let last_result = results.last().cloned().unwrap_or_default();
        for (number, text) in results.into_iter().enumerate() {
            seen.results.entry(number).or_insert(text);
        }
        if let Some(answer) = seen.answers.get(&count) {
            let is_said =
                |item: &Item| matches!(item, Item::Assistant(text) if text.contains(&answer.text));
            // Some agents ask whether that was all.
            return match answer.call.is_none() && items[at..].iter().any(is_said) {
                true => Answer::text(ASIDE),
                false => answer.clone(),
            };
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
                TicketStep::Delegate(number) => notes.tickets.get(number).cloned(),
                _ => None,
            };
            let asked = ToolStep {
                request,
                tools: &tools,
                ticket: &ticket,
                number: done + 1,
                has_searched,
                last_result: &last_result,
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
            // Only in the last answer, or the agent would compact in the middle of the ticket.
            input_tokens: if is_last { ticket.input_tokens } else { 120 },
        };
        let seen = notes.seen.entry(number).or_default();
        seen.answers.insert(count, answer.clone());
        answer
    }
}

/// Reports whether a request asks for a summary, which agents append to the conversation.
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

/// Reports whether a request goes to an agent that only summarises, with the conversation as its prompt.
fn is_summary_agent(request: &Request) -> bool {
    let system = request.body["messages"][0]["content"].to_string();
    system.contains("summarization agent")
}

/// Returns the schema of a request for JSON.
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
