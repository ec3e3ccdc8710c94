//! Live events: sent as they happen, in order, and again to a listener that reconnects.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use acreta_server::Schedule;
use serde_json::{Value, json};

use crate::support::{Request, Running, quick, read_head};
use crate::world::PROJECTS;

struct Listener {
    status: u16,
    headers: Vec<(String, String)>,
    lines: BufReader<TcpStream>,
}

impl Listener {
    fn open(running: &Running, request: &Request) -> Self {
        let mut stream = running.connect();
        stream.write_all(&request.bytes(running)).unwrap();
        let mut lines = BufReader::new(stream);
        let (status, headers) = read_head(&mut lines);
        Self {
            status,
            headers,
            lines,
        }
    }

    fn new(running: &Running) -> Self {
        let listener = Self::open(running, &request());
        assert_eq!(listener.status, 200);
        listener
    }

    /// Returns the rest of the next line with this prefix; `None` at the end.
    fn next_line(&mut self, start: &str) -> Option<String> {
        loop {
            let mut line = String::new();
            if self.lines.read_line(&mut line).unwrap_or(0) == 0 {
                return None;
            }
            if let Some(rest) = line.trim_end().strip_prefix(start) {
                return Some(rest.trim().to_owned());
            }
        }
    }

    fn next(&mut self) -> Option<Value> {
        let line = self.next_line("data:")?;
        Some(serde_json::from_str(&line).unwrap())
    }

    fn names(&mut self, count: usize) -> Vec<String> {
        let name = |_| self.next().unwrap()["name"].as_str().unwrap().to_owned();
        (0..count).map(name).collect()
    }
}

fn request() -> Request {
    Request::new("GET", "/api/events").token()
}

#[test]
fn events_and_jobs_are_told_to_everybody_who_listens() {
    let running = Running::start();
    let mut listeners = [Listener::new(&running), Listener::new(&running)];
    let content_type = listeners[0]
        .headers
        .iter()
        .find(|(name, _)| name == "content-type");
    assert_eq!(content_type.unwrap().1, "text/event-stream");
    // The first line states where the stream begins.
    for listener in &mut listeners {
        assert!(listener.next_line("id:").is_some());
    }
    running.world.note("one");
    running.world.note("two");
    for listener in &mut listeners {
        assert_eq!(listener.names(2), ["one", "two"]);
    }
    let asked = running.post("/api/maintain", &json!({})).json();
    for listener in &mut listeners {
        let mut states = Vec::new();
        while states.last().map(String::as_str) != Some("completed") {
            let event = listener.next().unwrap();
            if event["kind"] == "job" {
                assert_eq!(event["fields"]["job_id"], asked["job_id"]);
                assert_eq!(event["request_id"], asked["request_id"]);
                let name = event["name"].as_str().unwrap().to_owned();
                if states.last() != Some(&name) {
                    states.push(name);
                }
            }
        }
        assert_eq!(states, ["accepted", "queued", "running", "completed"]);
    }
}

#[test]
fn who_comes_back_hears_what_was_missed_and_nothing_twice() {
    let running = Running::start();
    let mut first = Listener::new(&running);
    running.world.note("heard");
    let heard = first.next().unwrap();
    assert_eq!(heard["name"], "heard");
    drop(first);
    running.world.note("missed");
    let job = running.post("/api/maintain", &json!({})).json()["job_id"].clone();
    let path = format!("/api/jobs/{}", job.as_str().unwrap());
    while running.get(&path).json()["state"] != "completed" {}
    let again = request().with("Last-Event-ID", heard["id"].as_str().unwrap());
    let mut second = Listener::open(&running, &again);
    let mut names = vec![second.names(1).remove(0)];
    while names.last().map(String::as_str) != Some("completed") {
        names.push(second.names(1).remove(0));
    }
    assert_eq!(
        names.iter().filter(|name| *name == "missed").count(),
        1,
        "{names:?}"
    );
    assert_eq!(names[0], "missed");
    assert_eq!(
        names.iter().filter(|name| *name == "extract").count(),
        12,
        "{names:?}"
    );
    assert!(!names.contains(&"heard".to_owned()));
    running.world.note("later");
    assert_eq!(second.names(1), ["later"]);
}

#[test]
fn a_listener_of_one_project_hears_of_no_other() {
    let running = Running::start();
    // The log belongs to the first project.
    let other = PROJECTS[1].replace(' ', "%20");
    let mut other = Listener::open(
        &running,
        &Request::new("GET", &format!("/api/events?project_root={other}")).token(),
    );
    let mut own = Listener::open(
        &running,
        &Request::new("GET", &format!("/api/events?project_root={}", PROJECTS[0])).token(),
    );
    running.world.note("private");
    assert_eq!(own.names(1), ["private"]);
    running.post("/api/maintain", &json!({}));
    assert_eq!(other.names(1), ["accepted"]);
}

#[test]
fn there_is_room_for_so_many_and_a_place_gets_free() {
    let mut limits = quick();
    limits.listeners = 2;
    let running = Running::start_with(limits, Schedule::off());
    let mut listeners = vec![Listener::new(&running), Listener::new(&running)];
    let refused = running.send(&request());
    assert_eq!(
        (refused.status, refused.problem().0.as_str()),
        (503, "busy")
    );
    listeners.pop();
    // The server notices with the next event.
    loop {
        running.world.note("look");
        let next = Listener::open(&running, &request());
        if next.status == 200 {
            break;
        }
    }
}

#[test]
fn an_id_that_is_not_ours_is_refused() {
    let running = Running::start();
    for id in ["x", "1", "-1-1", "1-x", "99999999999999999999999-1"] {
        let answer = running.send(&request().with("Last-Event-ID", id));
        assert_eq!(answer.status, 400, "{id}");
        assert!(answer.problem().1.contains("Last-Event-ID"));
    }
}
