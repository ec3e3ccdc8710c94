//! A scripted session and a scripted model, and the invariants of every run.

use std::cell::{Cell, RefCell};

use acreta_sdk::extractor::Origin;
use extractor_llm::{
    Budget, Candidate, Event, Failure, Journal, Level, MemoryType, Models, Ports, Reply, Request,
    Settings, Summary, Trace,
};
use serde_json::{Value, json};

/// Voice, as the transcript names it, and text.
pub(crate) type ScriptedStep<'a> = (&'a str, &'a str);

pub(crate) fn event(number: u64, voice: &str, text: &str) -> Event {
    let (role, kind, attrs): (&str, &str, &[(&str, &str)]) = match voice {
        "person" => ("user", "text", &[]),
        "agent" => ("assistant", "text", &[]),
        "thinking" => ("assistant", "thinking", &[]),
        "call" => ("assistant", "tool-call", &[("tool", "Bash")]),
        "ask" => ("assistant", "tool-call", &[("tool", "AskUserQuestion")]),
        "result" => ("tool", "tool-result", &[("tool", "Bash")]),
        "error" => (
            "tool",
            "tool-result",
            &[("tool", "Bash"), ("is_error", "true")],
        ),
        "answer" => ("tool", "tool-result", &[("tool", "AskUserQuestion")]),
        "injected" => ("user", "injected", &[]),
        "subagent" => ("user", "text", &[("agent_id", "a1")]),
        other => panic!("no such voice: {other}"),
    };
    Event {
        id: format!("session-0123456789/event-{number}"),
        origin: Origin {
            record: String::new(),
            start: 0,
            end: 0,
        },
        role: role.to_owned(),
        kind: kind.to_owned(),
        at_ms: None,
        text: text.to_owned(),
        attrs: attrs
            .iter()
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect(),
    }
}

/// Events generated on demand, so that a test holds no long session in memory.
pub(crate) struct Session {
    count: u64,
    make: Box<dyn Fn(u64) -> Event>,
    next: Cell<u64>,
    /// Number of passes from the start.
    pub(crate) passes: Cell<u32>,
}

impl Session {
    pub(crate) fn of(steps: &[ScriptedStep<'_>]) -> Self {
        let events: Vec<Event> = steps
            .iter()
            .zip(1..)
            .map(|((voice, text), number)| event(number, voice, text))
            .collect();
        Self::made(events.len() as u64, move |number| {
            events[number as usize - 1].clone()
        })
    }

    /// `make` builds the event of a number, from 1.
    pub(crate) fn made(count: u64, make: impl Fn(u64) -> Event + 'static) -> Self {
        Self {
            count,
            make: Box::new(make),
            next: Cell::new(1),
            passes: Cell::new(0),
        }
    }

    fn all(&self) -> impl Iterator<Item = Event> {
        (1..=self.count).map(|number| (self.make)(number))
    }
}

impl Trace for Session {
    fn rewind(&self) {
        self.next.set(1);
        self.passes.set(self.passes.get() + 1);
    }

    fn next(&self) -> Result<Vec<Event>, Failure> {
        let start = self.next.get();
        let end = (start + 50).min(self.count + 1);
        self.next.set(end);
        Ok((start..end).map(|number| (self.make)(number)).collect())
    }

    fn read(&self, event_id: &str) -> Result<Option<Event>, Failure> {
        let number = event_id
            .rsplit('-')
            .next()
            .and_then(|digits| digits.parse().ok());
        let number = number.filter(|number| (1..=self.count).contains(number));
        Ok(number.map(|number| (self.make)(number)))
    }

    fn find(&self, text: &str, limit: u32) -> Result<Vec<Event>, Failure> {
        let wanted = text.to_lowercase();
        let found = self.all();
        let found = found.filter(|event| event.text.to_lowercase().contains(&wanted));
        Ok(found.take(limit as usize).collect())
    }
}

type Answers = dyn Fn(&Request) -> Result<String, Failure>;

/// A model that answers by a function and records its requests.
pub(crate) struct Script {
    answers: Box<Answers>,
    left: Cell<Budget>,
    pub(crate) asked: RefCell<Vec<Request>>,
    /// Number of requests in each call.
    pub(crate) batches: RefCell<Vec<usize>>,
}

impl Script {
    pub(crate) fn new(answers: impl Fn(&Request) -> Result<String, Failure> + 'static) -> Self {
        Self {
            answers: Box::new(answers),
            left: Cell::new(Budget {
                calls_left: 1_000,
                tokens_left: 100_000_000,
            }),
            asked: RefCell::default(),
            batches: RefCell::default(),
        }
    }

    pub(crate) fn with_budget(self, calls_left: u32, tokens_left: u64) -> Self {
        self.left.set(Budget {
            calls_left,
            tokens_left,
        });
        self
    }

    pub(crate) fn steps(&self) -> Vec<String> {
        self.asked.borrow().iter().map(step).collect()
    }

    pub(crate) fn count(&self, wanted: &str) -> usize {
        self.steps().iter().filter(|step| *step == wanted).count()
    }
}

impl Models for Script {
    fn left(&self) -> Budget {
        self.left.get()
    }

    fn complete_all(&self, requests: Vec<Request>) -> Vec<Result<Reply, Failure>> {
        self.batches.borrow_mut().push(requests.len());
        let answer = |request: Request| {
            let mut left = self.left.get();
            if left.calls_left == 0 {
                return Err(failure("budget"));
            }
            left.calls_left -= 1;
            self.left.set(left);
            let reply = (self.answers)(&request);
            self.asked.borrow_mut().push(request);
            reply.map(|content| Reply {
                content,
                input_tokens: 1,
                output_tokens: 1,
                cached: false,
            })
        };
        requests.into_iter().map(answer).collect()
    }
}

/// The run's log.
#[derive(Default)]
pub(crate) struct Log(pub(crate) RefCell<Vec<(Level, String)>>);

impl Journal for Log {
    fn write(&self, level: Level, message: &str) {
        self.0.borrow_mut().push((level, message.to_owned()));
    }
}

impl Log {
    pub(crate) fn holds(&self, level: Level, text: &str) -> bool {
        let lines = self.0.borrow();
        lines
            .iter()
            .any(|(at, line)| *at == level && line.contains(text))
    }
}

pub(crate) fn failure(code: &str) -> Failure {
    Failure {
        code: code.to_owned(),
        message: "it did not work".to_owned(),
        retryable: false,
    }
}

pub(crate) fn registry() -> Vec<MemoryType> {
    let entry = |name: &str, kinds: &[&str]| MemoryType {
        name: name.to_owned(),
        kinds: kinds.iter().map(|kind| (*kind).to_owned()).collect(),
        folder: format!("{name}s"),
        definition: format!("What a {name} is."),
        example: format!("A good {name}."),
    };
    let kinds = ["insight", "procedure", "friction", "pitfall"];
    let others = ["preference", "convention", "context"];
    vec![
        entry("decision", &[]),
        entry("learning", &[&kinds[..], &others].concat()),
        entry("summary", &[]),
    ]
}

/// Runs the extractor and checks the invariants: every quote is in its event, texts are short, ids are unique, and
/// every candidate names its extractor.
pub(crate) fn extract(
    session: &Session,
    models: &Script,
    log: &Log,
    settings: &Settings,
) -> Vec<Candidate> {
    let ports = Ports {
        trace: session,
        models,
        journal: log,
    };
    let candidates = extractor_llm::extract(ports, settings, &registry()).expect("never fails");
    let mut ids = std::collections::BTreeSet::new();
    for one in &candidates {
        assert!(ids.insert(one.id.clone()), "{} stands twice", one.id);
        assert!(!one.evidence.is_empty(), "{}", one.title);
        for evidence in &one.evidence {
            let event = session.read(&evidence.event_id).expect("readable");
            let event = event.expect("evidence names an event");
            assert!(event.text.contains(&evidence.quote), "{evidence:?}");
            assert!(!evidence.quote.trim().is_empty() && evidence.quote.len() <= 400);
        }
        let length = one.title.chars().count() + one.body.chars().count();
        assert!(
            by(one) == "rules" || one.title.chars().count() <= 80,
            "{one:?}"
        );
        assert!(length <= 500 && !one.title.contains('\n'), "{one:?}");
        assert!((0.0..=1.0).contains(&one.confidence));
        assert_eq!(one.kind.is_empty(), one.category == "decision");
        assert!(["model", "rules"].contains(&by(one)), "{one:?}");
    }
    candidates
}

pub(crate) fn summarise(session: &Session, models: &Script, log: &Log) -> Summary {
    let ports = Ports {
        trace: session,
        models,
        journal: log,
    };
    let summary = extractor_llm::summarise(ports, &Settings::default()).expect("never fails");
    for evidence in &summary.evidence {
        let event = session.read(&evidence.event_id).expect("readable");
        let text = event.expect("evidence names an event").text;
        assert!(text.contains(&evidence.quote), "{evidence:?}");
    }
    assert!(summary.body.split_whitespace().count() <= 300);
    summary
}

/// Returns the offline extractor's result for the same session.
pub(crate) fn rules(session: &Session) -> Vec<Candidate> {
    let events: Vec<Event> = session.all().collect();
    extractor_rules::read(&events).candidates
}

pub(crate) fn by(candidate: &Candidate) -> &str {
    let mut attrs = candidate.attrs.iter();
    attrs
        .find(|(key, _)| key == "by")
        .map_or("", |(_, value)| value)
}

/// Returns the step that a request belongs to.
pub(crate) fn step(request: &Request) -> String {
    request.attrs[0].1.clone()
}

pub(crate) fn content(request: &Request) -> &str {
    &request.messages[1].content
}

/// Returns the record in a request.
pub(crate) fn record(request: &Request) -> &str {
    let shown = content(request).split("⟦record⟧").nth(1).unwrap_or("");
    shown.split("⟦end of record⟧").next().unwrap_or("")
}

/// Returns the list of findings in a request.
pub(crate) fn findings(request: &Request) -> &str {
    let shown = content(request).split("⟦findings so far⟧").nth(1);
    let shown = shown.unwrap_or("").split("⟦end of").next();
    shown.unwrap_or("").trim()
}

/// Returns the number of the first line of the record that contains `text`.
pub(crate) fn number_of(request: &Request, text: &str) -> Option<u64> {
    let record = record(request);
    let at = record.find(text)?;
    let head = record[..at].rfind("\n[")?;
    let digits = record[head + 2..].split(' ').next()?;
    digits.parse().ok()
}

/// Builds a proposal that cites one event.
pub(crate) fn proposal(kind: &str, title: &str, number: u64, quote: &str) -> Value {
    let category = if kind.is_empty() {
        "decision"
    } else {
        "learning"
    };
    json!({
        "type": category, "kind": kind, "title": title, "body": format!("{title}, as was said."),
        "confidence": 0.9, "evidence": [{"event": number, "quote": quote}],
    })
}

pub(crate) fn proposals(list: &[Value]) -> Result<String, Failure> {
    changes(list, &[], &[])
}

/// Builds a reply that adds, changes and withdraws.
pub(crate) fn changes(
    add: &[Value],
    change: &[Value],
    withdraw: &[Value],
) -> Result<String, Failure> {
    Ok(json!({"add": add, "change": change, "withdraw": withdraw}).to_string())
}

/// Proposes `title` for each window that contains `quote`.
pub(crate) fn finds(request: &Request, found: &[(&str, &str, &str)]) -> Result<String, Failure> {
    let list: Vec<Value> = found
        .iter()
        .filter_map(|(kind, title, quote)| {
            let number = number_of(request, quote)?;
            Some(proposal(kind, title, number, quote))
        })
        .collect();
    proposals(&list)
}

/// Keeps every proposal unchanged, except those whose text contains one of `dropped`.
pub(crate) fn keeps_all_but(request: &Request, dropped: &[&str]) -> Result<String, Failure> {
    let mut memories = Vec::new();
    let mut fallen = Vec::new();
    for block in content(request).split("\n#").skip(1) {
        let Some((number, rest)) = block.split_once(' ') else {
            continue;
        };
        let Ok(number) = number.parse::<usize>() else {
            continue;
        };
        let line = |name: &str| {
            let start = rest.find(name)? + name.len();
            rest[start..].lines().next()
        };
        let (title, body) = (line("title: ").unwrap_or(""), line("body: ").unwrap_or(""));
        if dropped.iter().any(|text| title.contains(text)) {
            fallen.push(json!({"item": number, "reason": "reversed"}));
            continue;
        }
        let kind = rest.split(", ").next().unwrap_or("");
        let (category, kind) = kind.split_once('/').unwrap_or((kind, ""));
        memories.push(json!({
            "items": [number], "type": category, "kind": kind, "title": title, "body": body, "confidence": 0.85,
        }));
    }
    Ok(json!({"memories": memories, "dropped": fallen}).to_string())
}
