//! `acreta model embed`: a sentence model from a hub or a folder. The hub is a server on this machine that answers like
//! a real one, with a redirect to the files.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;

use crate::support::Project;

const NAME: &str = "all-MiniLM-L6-v2";

/// Answers every path with a redirect, and its target with some bytes of the right length for `config.json`.
fn hub() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let place = listener.local_addr().unwrap();
    // Ends with the test's process.
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut lines = BufReader::new(&stream).lines().map_while(Result::ok);
            let first = lines.next().unwrap_or_default();
            while lines.next().is_some_and(|line| !line.is_empty()) {}
            let answer = match first.contains("/files/") {
                true => format!(
                    "HTTP/1.1 200 OK\r\ncontent-length: 612\r\nconnection: close\r\n\r\n{}",
                    "x".repeat(612)
                ),
                false => "HTTP/1.1 302 Found\r\nlocation: /files/x?signed=1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_owned(),
            };
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    format!("http://{place}")
}

#[test]
fn a_model_is_fetched_only_when_a_person_agrees_and_used_only_if_it_is_the_right_one() {
    let project = Project::new();
    let run = |arguments: &[&str]| project.acreta(arguments);
    run(&["config", "set", "search.hub", &hub()]).succeeded();
    let shown = run(&["model", "embed", "show"]).succeeded();
    assert!(shown.stdout.contains("92 MB"), "{}", shown.stdout);
    run(&["model", "embed", "get", "no-such-model"]).failed(2, NAME);
    // There is no terminal: the size is shown, and nothing is downloaded.
    let asked = run(&["model", "embed", "get", NAME]).failed(2, "--yes");
    assert!(asked.stderr.contains("92 MB"), "{}", asked.stderr);
    let models = project.home().join("models");
    assert!(!models.exists());
    run(&["model", "embed", "get", NAME, "--yes"]).failed(1, "does not match its digest");
    let used = run(&["config", "get", "search.model"]).succeeded();
    assert!(!used.stdout.contains("models"), "{}", used.stdout);
    run(&["model", "embed", "get", "./nowhere"]).failed(1, "nowhere");
    run(&["model", "embed", "off"]).succeeded();
}
