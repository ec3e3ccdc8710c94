//! Reads a canonical trace (one JSON object per line, the file named by the first argument) and prints the cost of
//! reading it: calls and request bytes by step, with a model that finds nothing. With a further argument `find` the
//! model finds three things in each window, so that the list of findings and the final verification are counted; `show`
//! prints the requests themselves.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Write as _;

use acreta_sdk::extractor::Origin;
use extractor_llm::{
    Budget, Event, Failure, Journal, Level, MemoryType, Models, Ports, Reply, Request, Settings,
    Trace,
};
use serde_json::{Value, json};

#[derive(serde::Deserialize)]
struct Line {
    id: String,
    role: String,
    kind: String,
    at_ms: Option<u64>,
    text: String,
    #[serde(default)]
    attrs: BTreeMap<String, String>,
}

struct Session {
    events: Vec<Event>,
    next: RefCell<usize>,
}

impl Trace for Session {
    fn rewind(&self) {
        self.next.replace(0);
    }

    fn next(&self) -> Result<Vec<Event>, Failure> {
        let start = *self.next.borrow();
        let end = (start + 200).min(self.events.len());
        self.next.replace(end);
        Ok(self.events[start..end].to_vec())
    }

    fn read(&self, event_id: &str) -> Result<Option<Event>, Failure> {
        Ok(self.events.iter().find(|one| one.id == event_id).cloned())
    }

    fn find(&self, text: &str, limit: u32) -> Result<Vec<Event>, Failure> {
        let text = text.to_lowercase();
        let events = self.events.iter();
        let found = events.filter(|one| one.text.to_lowercase().contains(&text));
        Ok(found.take(limit as usize).cloned().collect())
    }
}

/// A model that records requests and, if `finds` is set, finds three things per window.
#[derive(Default)]
struct Counter {
    asked: RefCell<Vec<Request>>,
    finds: bool,
}

/// Picks quotable lines of the record: the first of each third of it.
fn findings(content: &str) -> Vec<Value> {
    let lines: Vec<(u64, &str)> = content
        .lines()
        .filter_map(|line| {
            let (head, text) = line.strip_prefix('[')?.split_once("] ")?;
            let (number, voice) = head.split_once(' ')?;
            let is_spoken = matches!(voice, "person" | "agent") && text.len() > 60;
            is_spoken.then(|| Some((number.parse().ok()?, text)))?
        })
        .collect();
    let thirds = lines.chunks(lines.len().div_ceil(3).max(1));
    let found = thirds.filter_map(|third| third.first()).map(|(number, text)| {
        let words = |limit: usize| text.chars().take(limit).collect::<String>();
        json!({
            "type": "decision", "kind": "", "title": words(70), "body": format!("{}.", words(240)),
            "confidence": 0.9, "evidence": [{"event": number, "quote": words(120)}],
        })
    });
    found.collect()
}

impl Models for Counter {
    fn left(&self) -> Budget {
        Budget {
            calls_left: 1_000,
            tokens_left: 1_000_000_000,
        }
    }

    fn complete_all(&self, requests: Vec<Request>) -> Vec<Result<Reply, Failure>> {
        let answer = |request: Request| {
            let add = if self.finds {
                findings(&request.messages[1].content)
            } else {
                Vec::new()
            };
            let content = match request.attrs[0].1.as_str() {
                "window" => json!({"add": add, "change": [], "withdraw": []}),
                "verify" => json!({"memories": [], "dropped": []}),
                "navigate" => {
                    json!({"add": add, "change": [], "withdraw": [], "actions": [], "done": false})
                }
                _ => {
                    json!({"title": "A session", "description": "", "body": "Nothing.", "open": []})
                }
            };
            self.asked.borrow_mut().push(request);
            Ok(Reply {
                content: content.to_string(),
                input_tokens: 0,
                output_tokens: 0,
                cached: false,
            })
        };
        requests.into_iter().map(answer).collect()
    }
}

impl Journal for Counter {
    fn write(&self, _level: Level, _message: &str) {}
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let path = arguments.first().ok_or("name the file of a trace")?;
    let is_set = |name: &str| arguments.iter().any(|argument| argument == name);
    let mut events = Vec::new();
    for line in std::fs::read_to_string(path)?.lines() {
        events.push(event(serde_json::from_str(line)?));
    }
    let bytes: usize = events.iter().map(|event| event.text.len()).sum();
    let count = events.len();
    let session = Session {
        events,
        next: RefCell::new(0),
    };
    let models = Counter {
        finds: is_set("find"),
        ..Counter::default()
    };
    let ports = Ports {
        trace: &session,
        models: &models,
        journal: &models,
    };
    let settings = Settings::default();
    let failed = |failure: Failure| failure.message;
    extractor_llm::extract(ports, &settings, &registry()).map_err(failed)?;
    extractor_llm::summarise(ports, &settings).map_err(failed)?;
    let mut steps: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut out = std::io::stdout().lock();
    for request in models.asked.borrow().iter() {
        let size: usize = request.messages.iter().map(|one| one.content.len()).sum();
        let step = steps.entry(request.attrs[0].1.clone()).or_default();
        step.0 += 1;
        step.1 += size;
        if is_set("show") {
            for message in &request.messages {
                writeln!(out, "=== {}\n{}", message.role, message.content)?;
            }
        }
    }
    let total: usize = steps.values().map(|(_, bytes)| bytes).sum();
    let calls: usize = steps.values().map(|(calls, _)| calls).sum();
    let result = json!({
        "events": count, "text_bytes": bytes, "calls": calls, "request_bytes": total,
        "tokens": total / 3, "steps": steps,
    });
    writeln!(out, "{result}")?;
    Ok(())
}

fn event(line: Line) -> Event {
    Event {
        id: line.id,
        origin: Origin {
            record: String::new(),
            start: 0,
            end: 0,
        },
        role: line.role,
        kind: line.kind,
        at_ms: line.at_ms,
        text: line.text,
        attrs: line.attrs.into_iter().collect(),
    }
}

fn registry() -> Vec<MemoryType> {
    let entry = |name: &str, kinds: &[&str]| MemoryType {
        name: name.to_owned(),
        kinds: kinds.iter().map(|kind| (*kind).to_owned()).collect(),
        folder: String::new(),
        definition: String::new(),
        example: String::new(),
    };
    vec![
        entry("decision", &[]),
        entry(
            "learning",
            &[
                "insight",
                "procedure",
                "friction",
                "pitfall",
                "preference",
                "convention",
                "context",
            ],
        ),
    ]
}
