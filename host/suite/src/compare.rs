//! Compares the sessions that acreta normalised with what the model saw: every prompt, call and result
//! in order, no more and no less, each in the project where it happened.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::script::{ASIDE, SUMMARY, Script, Seen, Step, Ticket};

/// Outcome of a comparison.
#[derive(Debug, Default)]
pub(crate) struct Compared {
    pub(crate) sessions: usize,
    /// Events that were found as the model saw them.
    pub(crate) events: usize,
    /// Differences by ticket; those of no ticket are under zero.
    pub(crate) differences: BTreeMap<u32, Vec<String>>,
}

/// A ticket, and the project whose memory it belongs to.
pub(crate) struct Expected {
    pub(crate) ticket: Ticket,
    pub(crate) project: PathBuf,
}

#[derive(Debug, Clone, PartialEq)]
enum Part {
    Prompt(String),
    Words(String),
    Call(String),
    Result(String),
}

/// One session as acreta normalised it.
struct Trace {
    project: PathBuf,
    name: String,
    parts: Vec<Part>,
}

/// Compares all sessions of an agent.
pub(crate) fn compare(
    agent: &str,
    projects: &[PathBuf],
    script: &Script,
    expected: &[Expected],
) -> Compared {
    let mut compared = Compared::default();
    let mut found: BTreeMap<u32, Vec<&Trace>> = BTreeMap::new();
    let traces = traces(agent, projects, script);
    compared.sessions = traces.len();
    for trace in &traces {
        for number in session(trace, script, &mut compared) {
            found.entry(number).or_default().push(trace);
        }
    }
    for Expected { ticket, project } in expected {
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

/// Walks one session and returns the tickets that were in it.
fn session(trace: &Trace, script: &Script, compared: &mut Compared) -> Vec<u32> {
    let tickets = script.tickets();
    let mut found = Vec::new();
    let (mut ticket, mut awaited) = (0, VecDeque::new());
    for part in &trace.parts {
        if let Part::Prompt(text) = part {
            leftovers(ticket, &mut awaited, compared);
            let asked = tickets.iter().find(|ticket| ticket.prompt == text.trim());
            let Some(asked) = asked else {
                compared.note(0, format!("a prompt that nobody typed: {}", short(text)));
                ticket = 0;
                continue;
            };
            ticket = asked.number;
            awaited = parts(&script.seen(ticket));
            found.push(ticket);
            compared.events += 1;
            continue;
        }
        let is_aside = matches!(part, Part::Words(text) if [ASIDE, SUMMARY].contains(&text.trim()));
        match awaited.pop_front() {
            Some(wanted) if fits(&wanted, part) => compared.events += 1,
            wanted if is_aside => awaited.extend(wanted.into_iter().rev()),
            Some(wanted) => {
                compared.note(
                    ticket,
                    format!("{} instead of {}", told(part), told(&wanted)),
                );
            }
            None => compared.note(ticket, format!("too much: {}", told(part))),
        }
    }
    leftovers(ticket, &mut awaited, compared);
    found
}

fn leftovers(ticket: u32, awaited: &mut VecDeque<Part>, compared: &mut Compared) {
    for part in awaited.drain(..) {
        compared.note(ticket, format!("missing: {}", told(&part)));
    }
}

impl Compared {
    fn note(&mut self, ticket: u32, difference: String) {
        self.differences.entry(ticket).or_default().push(difference);
    }
}

/// What the model saw of a ticket behind its prompt.
fn parts(seen: &Seen) -> VecDeque<Part> {
    let mut parts = VecDeque::new();
    for (number, answer) in &seen.answers {
        parts.push_back(Part::Words(answer.text.clone()));
        if let Some(call) = &answer.call {
            parts.push_back(Part::Call(format!("{} {}", call.name, call.arguments)));
            let result = seen.results.get(number).cloned();
            parts.push_back(Part::Result(result.unwrap_or_default()));
        }
    }
    parts
}

/// A call fits if all its arguments are there, a result if it is the text that the model saw or if
/// one of both only has something around it.
fn fits(wanted: &Part, found: &Part) -> bool {
    match (wanted, found) {
        (Part::Words(wanted), Part::Words(found)) => wanted.trim() == found.trim(),
        (Part::Call(wanted), Part::Call(found)) => {
            let marks = marks(wanted);
            !marks.is_empty() && marks.iter().all(|mark| found.contains(mark))
                || marks.is_empty() && name_of(wanted) == name_of(found)
        }
        (Part::Result(wanted), Part::Result(found)) => {
            let (wanted, found) = (squeezed(wanted), squeezed(found));
            wanted == found
                || !found.is_empty() && wanted.contains(&found)
                || !wanted.is_empty() && found.contains(&wanted)
                || !marks(&wanted).is_empty() && marks(&wanted) == marks(&found)
        }
        _ => false,
    }
}

fn name_of(call: &str) -> &str {
    let name = call.split(' ').next().unwrap_or(call);
    name.rsplit(['.', ':', '/']).next().unwrap_or(name)
}

/// Marks of calls and results: `call-7-1`, `back-7-1`.
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

fn told(part: &Part) -> String {
    match part {
        Part::Prompt(text) => format!("prompt `{}`", short(text)),
        Part::Words(text) => format!("words `{}`", short(text)),
        Part::Call(text) => format!("call `{}`", short(text)),
        Part::Result(text) => format!("result `{}`", short(text)),
    }
}

/// All normalised sessions of an agent in these projects.
fn traces(agent: &str, projects: &[PathBuf], script: &Script) -> Vec<Trace> {
    let mut traces = Vec::new();
    for project in projects {
        let folder = project.join(".acreta/meta/traces/sessions").join(agent);
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
            traces.push(Trace {
                project: project.clone(),
                name: name(&path),
                parts: events
                    .filter_map(|event: Value| part(&event, script))
                    .collect(),
            });
        }
    }
    traces
}

/// An event that the model saw or said. A helper's prompt is an agent's word, not a person's.
fn part(event: &Value, script: &Script) -> Option<Part> {
    let text = event["text"].as_str()?.to_owned();
    Some(match (event["role"].as_str()?, event["kind"].as_str()?) {
        ("user", "text") => Part::Prompt(text),
        ("user", "injected") => {
            let tickets = script.tickets();
            let helpers = tickets.iter().flat_map(|ticket| &ticket.steps);
            let helpers: Vec<u32> = helpers
                .filter_map(|step| match step {
                    Step::Delegate(number) => Some(*number),
                    _ => None,
                })
                .collect();
            let is_prompt = |ticket: &&Ticket| {
                helpers.contains(&ticket.number) && text.contains(&ticket.prompt)
            };
            Part::Prompt(tickets.iter().find(is_prompt)?.prompt.clone())
        }
        ("assistant", "text") => Part::Words(text),
        (_, "tool-call") => {
            let tool = event["attrs"]["tool"].as_str().unwrap_or_default();
            Part::Call(format!("{tool} {text}"))
        }
        (_, "tool-result") => Part::Result(text),
        _ => return None,
    })
}
