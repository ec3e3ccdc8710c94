//! Compares the sessions that acreta normalised with what the model saw: every prompt, call and result in order, no
//! more and no less, each in the project where it happened.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::archive;
use crate::script::{ASIDE, SUMMARY, Script, SeenTicket, Ticket, TicketStep};

/// Outcome of a comparison.
#[derive(Debug, Default)]
pub(crate) struct Compared {
    pub(crate) sessions: usize,
    /// Number of events that match what the model saw.
    pub(crate) events: usize,
    /// Differences by ticket; those without a ticket are under zero.
    pub(crate) differences: BTreeMap<u32, Vec<String>>,
}

/// A ticket, and the project whose memory it belongs to.
pub(crate) struct ExpectedTicket {
    pub(crate) ticket: Ticket,
    pub(crate) project: PathBuf,
}

#[derive(Debug, Clone, PartialEq)]
enum SeenPart {
    Prompt(String),
    Words(String),
    Call(String),
    Result(String),
}

/// One session as acreta normalised it.
struct NormalisedSession {
    project: PathBuf,
    name: String,
    parts: Vec<SeenPart>,
}

/// The folders of acreta's data.
pub(crate) struct DataFolders<'a> {
    pub(crate) agent: &'a str,
    pub(crate) projects: &'a [PathBuf],
    /// The archive of the agent's raw sessions.
    pub(crate) archive: &'a Path,
}

/// Compares all sessions of an agent. A subagent's session is archived but not learnt from, so it need not be
/// normalised.
pub(crate) fn compare(
    kept: &DataFolders<'_>,
    script: &Script,
    expected: &[ExpectedTicket],
) -> Compared {
    let mut compared = Compared::default();
    let archive = archive::texts(kept.archive);
    let mut found: BTreeMap<u32, Vec<&NormalisedSession>> = BTreeMap::new();
    let traces = traces(kept, script);
    let helpers = helpers(&script.tickets());
    compared.sessions = traces.len();
    for trace in &traces {
        for number in session(trace, script, &mut compared) {
            found.entry(number).or_default().push(trace);
        }
    }
    for ExpectedTicket { ticket, project } in expected {
        let is_helper = helpers.contains(&ticket.number);
        let missing = archive::missing(&archive, ticket, &script.seen(ticket.number));
        compared.note_all(ticket.number, &missing);
        if is_helper && !found.contains_key(&ticket.number) {
            compared.sessions += 1;
            compared.events += script.seen(ticket.number).answers.len() * 3 - missing.len();
            continue;
        }
        let differences = compared.differences.entry(ticket.number).or_default();
        match found.get(&ticket.number).map_or(&[][..], Vec::as_slice) {
            [] => differences.push("not in any session".to_owned()),
            [trace] if trace.project == *project => {}
            [trace] => differences.push(format!("in {}", name(&trace.project))),
            [first, second, ..] => {
                differences.push(format!(
                    "in two sessions, {} and {}",
                    first.name, second.name
                ));
            }
        }
    }
    compared.differences.retain(|_, list| !list.is_empty());
    compared
}

fn name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// Compares one session and returns its tickets. A subagent's part may be inside the part of the agent that started it.
fn session(trace: &NormalisedSession, script: &Script, compared: &mut Compared) -> Vec<u32> {
    let tickets = script.tickets();
    let helpers = helpers(&tickets);
    let mut found = Vec::new();
    let mut open: Vec<OpenTicket> = Vec::new();
    for part in &trace.parts {
        if let SeenPart::Prompt(text) = part {
            let asked = tickets.iter().find(|ticket| ticket.prompt == text.trim());
            let number = asked.map_or(0, |ticket| ticket.number);
            if !helpers.contains(&number) {
                open.drain(..).for_each(|open| open.end(compared));
            }
            if number == 0 {
                compared.note(0, format!("a prompt that nobody typed: {}", short(text)));
                continue;
            }
            found.push(number);
            compared.events += 1;
            let awaited = parts(&script.seen(number));
            open.push(OpenTicket { number, awaited });
            continue;
        }
        while open.len() > 1 && open.last().is_some_and(|open| open.awaited.is_empty()) {
            open.pop();
        }
        let (number, wanted) = match open.last_mut() {
            Some(open) => (open.number, open.awaited.pop_front()),
            None => (0, None),
        };
        let is_aside =
            matches!(part, SeenPart::Words(text) if [ASIDE, SUMMARY].contains(&text.trim()));
        match wanted {
            Some(wanted) if fits(&wanted, part) => compared.events += 1,
            wanted if is_aside => {
                if let (Some(open), Some(wanted)) = (open.last_mut(), wanted) {
                    open.awaited.push_front(wanted);
                }
            }
            Some(wanted) => {
                compared.note(
                    number,
                    format!("{} instead of {}", told(part), told(&wanted)),
                );
            }
            None => compared.note(number, format!("too much: {}", told(part))),
        }
    }
    open.into_iter().for_each(|open| open.end(compared));
    found
}

/// A ticket with expected parts left.
struct OpenTicket {
    number: u32,
    awaited: VecDeque<SeenPart>,
}

impl OpenTicket {
    fn end(self, compared: &mut Compared) {
        for part in self.awaited {
            compared.note(self.number, format!("missing: {}", told(&part)));
        }
    }
}

impl Compared {
    fn note_all(&mut self, ticket: u32, differences: &[String]) {
        let noted = self.differences.entry(ticket).or_default();
        noted.extend_from_slice(differences);
    }

    fn note(&mut self, ticket: u32, difference: String) {
        self.differences.entry(ticket).or_default().push(difference);
    }
}

/// Returns what the model saw of a ticket after its prompt.
fn parts(seen: &SeenTicket) -> VecDeque<SeenPart> {
    let mut parts = VecDeque::new();
    for (number, answer) in &seen.answers {
        parts.push_back(SeenPart::Words(answer.text.clone()));
        if let Some(call) = &answer.call {
            parts.push_back(SeenPart::Call(format!("{} {}", call.name, call.arguments)));
            let result = seen.results.get(number).cloned();
            parts.push_back(SeenPart::Result(result.unwrap_or_default()));
        }
    }
    parts
}

/// Reports whether two parts match: a call if all its arguments are present, a result if it is the text that the model
/// saw or if one contains the other.
fn fits(wanted: &SeenPart, found: &SeenPart) -> bool {
    match (wanted, found) {
        (SeenPart::Words(wanted), SeenPart::Words(found)) => wanted.trim() == found.trim(),
        (SeenPart::Call(wanted), SeenPart::Call(found)) => {
            let marks = marks(wanted);
            !marks.is_empty() && marks.iter().all(|mark| found.contains(mark))
                || marks.is_empty()
                    && (name_of(found).ends_with(name_of(wanted)) || is_code_for(wanted, found))
        }
        (SeenPart::Result(wanted), SeenPart::Result(found)) => {
            let (wanted, found) = (squeezed(wanted), squeezed(found));
            wanted == found
                || !found.is_empty() && wanted.contains(&found)
                || !wanted.is_empty() && found.contains(&wanted)
                || !marks(&wanted).is_empty() && marks(&wanted) == marks(&found)
                || has_ids(&wanted, &found)
        }
        _ => false,
    }
}

fn name_of(call: &str) -> &str {
    let name = call.split(' ').next().unwrap_or(call);
    name.rsplit(['.', ':', '/']).next().unwrap_or(name)
}

/// Reports whether a call runs code that calls a tool. Vibe's model calls the tools of servers only so, and its session has
/// the call that the code made.
fn is_code_for(wanted: &str, found: &str) -> bool {
    wanted.contains(&format!("tools.mcp_acreta.{}(", name_of(found)))
}

/// Reports whether a result is acreta's answer to code, which gets the structured form: the other has the same ids.
fn has_ids(wanted: &str, found: &str) -> bool {
    let Ok(answer) = serde_json::from_str::<Value>(wanted) else {
        return false;
    };
    let hits = answer["hits"].as_array().into_iter().flatten();
    let ids: Vec<&str> = std::iter::once(&answer)
        .chain(hits)
        .filter_map(|one| one["id"].as_str())
        .collect();
    !ids.is_empty() && ids.iter().all(|id| found.contains(id))
}

/// Returns the marks of calls and results: `call-7-1`, `back-7-1`.
fn marks(text: &str) -> Vec<String> {
    let mut marks = Vec::new();
    for word in ["call-", "back-"] {
        for (at, _) in text.match_indices(word) {
            let digits = text[at + word.len()..]
                .chars()
                .take_while(|letter| letter.is_ascii_digit() || *letter == '-');
            let digits: String = digits.collect();
            if digits.starts_with(|letter: char| letter.is_ascii_digit()) {
                marks.push(format!("{word}{}", digits.trim_end_matches('-')));
            }
        }
    }
    marks.sort();
    marks.dedup();
    marks
}

fn squeezed(text: &str) -> String {
    let text = text.replace("\\n", "\n").replace("\\\"", "\"");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn short(text: &str) -> String {
    let text = squeezed(text);
    match text.chars().count() > 90 {
        true => text.chars().take(90).chain("…".chars()).collect(),
        false => text,
    }
}

fn told(part: &SeenPart) -> String {
    match part {
        SeenPart::Prompt(text) => format!("prompt `{}`", short(text)),
        SeenPart::Words(text) => format!("words `{}`", short(text)),
        SeenPart::Call(text) => format!("call `{}`", short(text)),
        SeenPart::Result(text) => format!("result `{}`", short(text)),
    }
}

/// Reads all normalised sessions of an agent in these projects.
fn traces(kept: &DataFolders<'_>, script: &Script) -> Vec<NormalisedSession> {
    let tickets = script.tickets();
    let mut traces = Vec::new();
    for project in kept.projects {
        let folder = project
            .join(".acreta/meta/traces/sessions")
            .join(kept.agent);
        let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| {
                path.extension()
                    .is_some_and(|extension| extension == "jsonl")
            })
            .collect();
        paths.sort();
        for path in paths {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let events = text
                .lines()
                .filter_map(|line| serde_json::from_str(line).ok());
            traces.push(NormalisedSession {
                project: project.clone(),
                name: name(&path),
                parts: events
                    .filter_map(|event: Value| part(&event, &tickets))
                    .collect(),
            });
        }
    }
    traces
}

/// Returns the tickets of subagents.
fn helpers(tickets: &[Ticket]) -> Vec<u32> {
    let steps = tickets.iter().flat_map(|ticket| &ticket.steps);
    let helpers = steps.filter_map(|step| match step {
        TicketStep::Delegate(number) => Some(*number),
        _ => None,
    });
    helpers.collect()
}

/// Converts an event that the model saw or said. A helper's prompt is an agent's text, not a person's.
fn part(event: &Value, tickets: &[Ticket]) -> Option<SeenPart> {
    let text = event["text"].as_str()?.to_owned();
    Some(match (event["role"].as_str()?, event["kind"].as_str()?) {
        ("user", "text") => SeenPart::Prompt(text),
        ("user", "injected") => {
            let helpers = helpers(tickets);
            let is_prompt = |ticket: &&Ticket| {
                helpers.contains(&ticket.number) && text.contains(&ticket.prompt)
            };
            SeenPart::Prompt(tickets.iter().find(is_prompt)?.prompt.clone())
        }
        ("assistant", "text") => SeenPart::Words(text),
        (_, "tool-call") => {
            let tool = event["attrs"]["tool"].as_str().unwrap_or_default();
            SeenPart::Call(format!("{tool} {text}"))
        }
        // Answers of acreta's own tools are recalled memory and marked as such.
        (_, "tool-result") | ("tool", "injected") => SeenPart::Result(text),
        _ => return None,
    })
}
