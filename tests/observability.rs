//! Output of a run for observers: events, a log, spans. None of it can fail a run.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::mpsc;
use std::time::Duration;

use serde_json::Value;

use crate::daemon::calm;
use crate::support::{Daemon, Project, fixture, lay_out};

fn session() -> String {
    fixture("claude/demo-queue-retries.jsonl")
        .display()
        .to_string()
}

#[test]
fn a_run_can_be_looked_at_afterwards() {
    let project = Project::new();
    let trace = session();
    let run = project
        .acreta(&["run", &trace, "--json"])
        .succeeded()
        .json();
    let id = run["run_id"].as_str().unwrap();
    let shown = project
        .acreta(&["runs", "show", id, "--json"])
        .succeeded()
        .json();
    let events = shown["events"].as_array().unwrap();
    let ends = |name: &str| {
        let ended = |event: &&Value| event["kind"] == "end" && event["name"] == name;
        events.iter().filter(ended).count()
    };
    assert_eq!((ends("run"), ends("step")), (1, 8), "{shown}");
    assert!(ends("plugin") >= 4, "{shown}");
    assert!(
        events.iter().all(|event| event["request_id"].is_string()),
        "{shown}"
    );
    let text = project.acreta(&["runs", "show", id]).succeeded().stdout;
    assert!(text.contains("adapter-claude"), "{text}");
    assert!(text.contains(" ms"), "{text}");
    let log = std::fs::read_to_string(project.home().join("logs/acreta.log")).unwrap();
    let lines: Vec<&str> = log.lines().filter(|line| line.contains(id)).collect();
    assert!(lines.len() > 20, "{log}");
    assert!(
        lines.iter().all(|line| line.contains("request_id=")),
        "{log}"
    );
}

/// A request with its own id, the job it created, and the resulting run are found by each of their ids.
#[test]
fn everything_about_a_request_a_job_or_a_run_is_found_by_its_id() {
    let project = calm();
    lay_out(&project, &|bytes| bytes);
    project
        .acreta(&["project", "add", "--also", "/home/dev/ledger"])
        .succeeded();
    let daemon = Daemon::start(&project);
    let body = r#"{"max_sessions":2}"#;
    let answer = daemon.raw(&format!(
        "POST /api/sync HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nX-Request-Id: nightly-42\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        daemon.address, daemon.token, body.len(),
    ));
    assert!(
        answer.headers.contains("x-request-id: nightly-42"),
        "{answer:?}"
    );
    let accepted = answer.ok();
    assert_eq!(accepted["state"], "accepted", "{accepted}");
    let done = daemon.finished(&accepted);
    assert!(done["result"]["ran"].as_u64() > Some(0), "{done}");
    assert!(daemon.end().success());

    let lines = |arguments: &[&str]| {
        let mut all = vec!["logs"];
        all.extend(arguments);
        project.acreta(&all).succeeded().stdout
    };
    let request = lines(&["--request", "nightly-42"]);
    let of_request = "message=answered method=POST path=/api/sync status=202 milliseconds=";
    assert!(request.contains(of_request), "{request}");
    for state in ["accepted", "queued", "running", "completed"] {
        let told =
            format!("name=job.state request_id=nightly-42 job_id=job-nightly-42-1 state={state}");
        assert!(request.contains(&told), "{state}: {request}");
    }
    assert!(
        request.contains("name=sync.started"),
        "the job's own process: {request}"
    );
    assert!(
        request.contains("kind=end name=step"),
        "its runs: {request}"
    );
    assert!(
        request
            .lines()
            .all(|line| line.contains("request_id=nightly-42")),
        "{request}"
    );
    assert_eq!(
        lines(&["--job", "job-nightly-42"]),
        request,
        "a job of the daemon, by a prefix"
    );

    let run = project
        .acreta(&["runs", "list", "--json"])
        .succeeded()
        .json();
    let run = run[0]["run_id"].as_str().unwrap().to_owned();
    let of_run = lines(&["--run", &run]);
    assert!(of_run.contains("kind=end name=run"), "{of_run}");
    assert!(
        of_run
            .lines()
            .all(|line| line.contains(&format!("run_id={run}"))),
        "{of_run}"
    );
    let queued = of_run
        .lines()
        .next()
        .unwrap()
        .split("job_id=")
        .nth(1)
        .unwrap();
    let queued = queued.split(' ').next().unwrap();
    let of_job = lines(&["--job", queued]);
    for told in [
        "state=accepted",
        "state=queued",
        "kind=begin name=job",
        "state=completed",
    ] {
        assert!(of_job.contains(told), "{told}: {of_job}");
    }
    let json = project
        .acreta(&["logs", "--run", &run, "--json"])
        .succeeded()
        .json();
    assert_eq!(json.as_array().unwrap().len(), of_run.lines().count());

    project
        .acreta(&["logs", "--request", "nobody"])
        .failed(1, "no events of");
    project
        .acreta(&["logs", "--run", &run[..5]])
        .failed(2, "matches several runs");
    project
        .acreta(&["logs", "--run", "a", "--job", "b"])
        .failed(2, "cannot be used with");
}

#[test]
fn a_log_that_cannot_be_written_fails_nothing() {
    let project = Project::new();
    project.write("home/logs", b"a file where a folder should be");
    project.acreta(&["run", &session(), "--json"]).succeeded();
}

/// Accepts one request and returns its first line and body.
fn receiver() -> (String, mpsc::Receiver<(String, Vec<u8>)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let (sender, received) = mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            stream
                .set_read_timeout(Some(Duration::from_secs(5)))
                .unwrap();
            let mut bytes = Vec::new();
            let mut piece = [0; 65536];
            loop {
                let read = stream.read(&mut piece).unwrap_or(0);
                bytes.extend_from_slice(&piece[..read]);
                let text = String::from_utf8_lossy(&bytes).to_lowercase();
                let Some(head) = text.find("\r\n\r\n") else {
                    if read == 0 {
                        break;
                    }
                    continue;
                };
                let length = text.split("content-length: ").nth(1);
                let length = length.and_then(|rest| rest.split("\r\n").next());
                let length: usize = length.and_then(|length| length.parse().ok()).unwrap_or(0);
                if read == 0 || bytes.len() >= head + 4 + length {
                    break;
                }
            }
            let _ = stream
                .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            let first = String::from_utf8_lossy(&bytes);
            let first = first.lines().next().unwrap_or_default().to_owned();
            let _ = sender.send((first, bytes));
        }
    });
    (address, received)
}

#[test]
fn spans_are_sent_when_that_is_asked_for_and_hold_no_text() {
    let project = Project::new();
    let (address, received) = receiver();
    let run = |traced: bool| {
        let mut command = project.command(&["run", &session(), "--json"]);
        command.env("ACRETA_TRACING__ENDPOINT", format!("http://{address}"));
        if traced {
            command.env("ACRETA_TRACING", "1");
        }
        assert!(command.output().unwrap().status.success());
    };
    run(false);
    assert!(received.try_recv().is_err(), "off by default");
    run(true);
    let (first, body) = received.recv_timeout(Duration::from_secs(10)).unwrap();
    assert_eq!(first, "POST /v1/traces HTTP/1.1");
    let text = String::from_utf8_lossy(&body);
    for name in ["run", "step", "plugin", "adapter-claude"] {
        assert!(text.contains(name), "{name}");
    }
    let said = project.statements();
    for (title, _) in said {
        assert!(!text.contains(&title), "{title} is nobody's business");
    }
}

#[test]
fn spans_of_a_request_belong_to_the_callers_trace() {
    let mut project = calm();
    let (address, received) = receiver();
    project.configure(&format!(
        "[tracing]\nenabled = true\nendpoint = \"http://{address}\""
    ));
    let daemon = Daemon::start(&project);
    let answer = daemon.raw(&format!(
        "GET /api/status HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nTraceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\nConnection: close\r\n\r\n",
        daemon.address, daemon.token,
    ));
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(daemon.end().success());
    let trace = 0x0af7_6519_16cd_43dd_8448_eb21_1c80_319c_u128.to_be_bytes();
    let caller = 0xb7ad_6b71_6920_3331_u64.to_be_bytes();
    let is_sent = |body: &[u8], id: &[u8]| body.windows(id.len()).any(|part| part == id);
    let mut bodies = Vec::new();
    while let Ok((_, body)) = received.recv_timeout(Duration::from_secs(10)) {
        bodies.extend(body);
        if is_sent(&bodies, &trace) && is_sent(&bodies, &caller) {
            return;
        }
    }
    panic!("no span under the caller's in {} bytes", bodies.len());
}

#[test]
fn a_receiver_that_is_not_there_costs_nothing() {
    let project = Project::new();
    let mut command = project.command(&["run", &session(), "--json"]);
    command
        .env("ACRETA_TRACING", "1")
        .env("ACRETA_TRACING__ENDPOINT", "http://127.0.0.1:9");
    assert!(command.output().unwrap().status.success());
}
