//! One use case, several interfaces: the same request through the command line, HTTP and MCP gives the same report, and
//! decisions that belong to a person are not available to agents.

use serde_json::{Value, json};

use crate::daemon::calm;
use crate::mcp::Client;
use crate::support::{Daemon, Project};

/// Verbs that only a person may use.
const PERSONS_OWN: [&str; 7] = [
    "grant", "install", "connect", "purge", "trust", "confirm", "review",
];

/// A project with all three interfaces open.
struct Interfaces {
    project: Project,
    daemon: Daemon,
    agent: Client,
}

impl Interfaces {
    fn open() -> Self {
        let project = calm();
        project.acreta(&["project", "add"]).succeeded();
        Self {
            daemon: Daemon::start(&project),
            agent: Client::start(&project),
            project,
        }
    }

    fn add_by_hand(&self, title: &str, body: &str) -> Value {
        let arguments = ["memory", "add", title, "--body", body, "--json"];
        self.project.acreta(&arguments).succeeded().json()
    }
}

/// A memory that was written within the grain of file times is indexed again by the next reader, and its older copy counts
/// in all scores until the index is merged.
fn without_scores(found: &Value) -> Value {
    let mut found = found.clone();
    for hit in found["hits"].as_array_mut().unwrap() {
        assert!(hit["score"].take().as_f64().unwrap() > 0.0, "{hit}");
    }
    found
}

fn texts<'a>(rows: &'a Value, field: &str) -> Vec<&'a str> {
    let rows = rows.as_array().unwrap().iter();
    rows.map(|row| row[field].as_str().unwrap()).collect()
}

#[test]
fn a_note_is_remembered_alike() {
    let mut doors = Interfaces::open();
    let note =
        |title: &str| json!({ "title": title, "body": format!("{title}, and not in Redis.") });
    let (first, second, third) = (
        "The queue of the importer is in SQLite",
        "The cache of the renderer is in LMDB",
        "The ledger of the exporter is in Postgres",
    );
    let by_hand = doors.add_by_hand(first, &format!("{first}, and not in Redis."));
    let over_http = doors.daemon.post("/api/memories", &note(second)).ok();
    let by_agent = doors.agent.call("memory_add", note(third)).unwrap();
    for (door, report) in [
        ("command line", &by_hand),
        ("http", &over_http),
        ("mcp", &by_agent),
    ] {
        assert_eq!(report["action"], "add", "{door}: {report}");
        let path = report["path"].as_str().unwrap();
        assert!(path.starts_with("learnings/"), "{door}: {path}");
        assert!(report["id"].is_string(), "{door}: {report}");
        assert!(report["message"].is_string(), "{door}: {report}");
    }

    // A repetition is not a second memory, whoever says it.
    let again = doors.add_by_hand(second, &format!("{second}, and not in Redis."));
    let over_http = doors.daemon.post("/api/memories", &note(second)).ok();
    for (door, report) in [("command line", &again), ("http", &over_http)] {
        assert_eq!(
            (report["action"].as_str(), report["id"].as_str()),
            (Some("no_op"), over_http["id"].as_str()),
            "{door}: {report}"
        );
    }
    assert_eq!(again["message"], over_http["message"]);

    // Refused for the same reason.
    let secret = format!("The deploy key is ghp_{}", "a1B2c3D4e5".repeat(4));
    let arguments = ["memory", "add", "Deploying", "--body", &secret];
    let by_hand = doors.project.acreta(&arguments);
    let reason = by_hand.stderr.lines().next().unwrap_or_default();
    let reason = reason.trim_start_matches("error: ").to_owned();
    assert!(reason.starts_with("this is not remembered"), "{reason}");
    by_hand.failed(2, &reason);
    let body = json!({ "title": "Deploying", "body": secret });
    let over_http = doors.daemon.post("/api/memories", &body);
    assert!(over_http.status >= 400, "{over_http:?}");
    assert!(over_http.body.contains(&reason), "{over_http:?}");
    let by_agent = doors.agent.call("memory_add", body).unwrap_err();
    assert!(by_agent.contains(&reason), "{by_agent}");
    assert!(doors.daemon.end().success());
}

#[test]
fn memories_are_found_and_shown_alike() {
    let mut doors = Interfaces::open();
    for (title, body) in [
        (
            "The queue is in SQLite",
            "Jobs wait in SQLite, because Redis lost some.",
        ),
        ("Redis is gone", "Redis was removed with the old queue."),
        (
            "Releases are tagged by hand",
            "A person tags a release after the checks.",
        ),
    ] {
        doors.add_by_hand(title, body);
    }
    let project = &doors.project;
    let by_hand = project
        .acreta(&["memory", "search", "redis queue", "--json"])
        .succeeded()
        .json();
    let over_http = doors.daemon.get("/api/search?q=redis%20queue").ok();
    let by_agent = doors
        .agent
        .call("memory_search", json!({ "query": "redis queue" }))
        .unwrap();
    let found = texts(&by_hand["hits"], "id");
    assert_eq!(found.len(), 2, "{by_hand}");
    assert_eq!(without_scores(&by_hand), without_scores(&over_http));
    assert_eq!(found, texts(&by_agent["hits"], "id"), "{by_agent}");

    let id = found[0];
    let by_hand = project
        .acreta(&["memory", "show", id, "--json"])
        .succeeded()
        .json();
    let over_http = doors.daemon.get(&format!("/api/memories/{id}")).ok();
    assert_eq!(by_hand, over_http);
    let by_agent = doors.agent.call("memory_get", json!({ "id": id })).unwrap();
    let by_agent = match by_agent.get("memory") {
        Some(memory) => memory.clone(),
        None => by_agent,
    };
    for field in ["title", "kind", "trust", "path"] {
        let expected = &by_hand["memory"][field];
        assert_eq!(expected, &by_agent[field], "{field}: {by_agent}");
    }

    for question in [
        "jobs that wait in the queue",
        "Who empties the queue of jobs?",
    ] {
        let by_hand = project
            .acreta(&["ask", question, "--json"])
            .succeeded()
            .json();
        let body = json!({ "question": question });
        let over_http = doors.daemon.post("/api/ask", &body).ok();
        let by_agent = doors.agent.call("ask", body).unwrap();
        assert_eq!(by_hand, over_http, "{question}");
        for field in ["answered", "answer", "by"] {
            assert_eq!(by_hand[field], by_agent[field], "{field}: {by_agent}");
        }
        for rows in ["sources", "nearest"] {
            let expected = texts(&by_hand[rows], "id");
            assert_eq!(expected, texts(&by_agent[rows], "id"), "{rows}");
        }
    }
    assert!(doors.daemon.end().success());
}

#[test]
fn briefs_are_looked_up_alike() {
    let doors = Interfaces::open();
    doors.add_by_hand("Use pnpm, never npm", "The lock file is pnpm's.");
    assert_ne!(doors.project.start(), "");
    let by_hand = doors
        .project
        .acreta(&["brief", "show", "--json"])
        .succeeded()
        .json();
    assert_eq!(by_hand["briefs"].as_array().unwrap().len(), 1, "{by_hand}");
    assert_eq!(by_hand, doors.daemon.get("/api/briefs?limit=1").ok());
    let by_session = doors.daemon.get("/api/briefs?session=1").ok();
    assert_eq!(by_hand, by_session);
    assert!(doors.daemon.end().success());
}

/// The reports of a command and of a call of HTTP, which must be the same document.
#[test]
fn reports_are_the_same_document() {
    let project = calm();
    project.acreta(&["project", "add"]).succeeded();
    project.demo_in("a", &project.root());
    project.acreta(&["sync"]).succeeded();
    let daemon = Daemon::start(&project);
    let run = daemon.get("/api/runs").ok()["runs"][0]["run_id"].clone();
    let run = run.as_str().unwrap();
    let (by_run, over_run) = (["runs", "show", run, "--json"], format!("/api/runs/{run}"));
    let table: [(&[&str], &str, &str); 10] = [
        (&["status", "--json"], "/api/status", ""),
        (&["runs", "list", "--json"], "/api/runs?limit=20", "/runs"),
        (&["queue", "list", "--json"], "/api/queue", "/jobs"),
        (
            &["sessions", "list", "--all-projects", "--json"],
            "/api/sessions",
            "",
        ),
        (&["connect", "list", "--json"], "/api/connect", ""),
        (
            &["connect", "exclude", "--json"],
            "/api/exclude",
            "/folders",
        ),
        (&["project", "list", "--json"], "/api/project/list", ""),
        (&["model", "list", "--json"], "/api/model", ""),
        (
            &["usage", "--since", "2020-01-01", "--json"],
            "/api/usage?since=2020-01-01",
            "",
        ),
        (&["review", "--list", "--json"], "/api/review", ""),
    ];
    for (arguments, path, part) in table {
        let by_hand = project.acreta(arguments).succeeded().json();
        let over_http = daemon.get(path).ok();
        assert_eq!(Some(&by_hand), over_http.pointer(part), "{path}");
    }
    // A person sees a result in their terminal; a GET has no effect.
    let by_hand = project.acreta(&by_run).succeeded().json();
    let mut over_http = daemon.get(&over_run).ok();
    over_http["shown"] = by_hand["shown"].clone();
    assert_eq!(by_hand, over_http);
    assert!(daemon.end().success());
}

#[test]
fn memories_are_changed_alike() {
    let doors = Interfaces::open();
    let one = doors.add_by_hand("One of two", "The first of two notes about the parser.");
    let two = doors.add_by_hand(
        "Another entirely",
        "Migrations run before the server starts.",
    );
    let (one, two) = (one["id"].as_str().unwrap(), two["id"].as_str().unwrap());
    for change in ["archive", "restore", "confirm", "reject"] {
        let arguments = ["memory", change, one, "--json"];
        let by_hand = doors.project.acreta(&arguments).succeeded().json();
        let path = format!("/api/memories/{two}/{change}");
        let over_http = doors.daemon.post(&path, &json!({})).ok();
        for field in ["changed", "message"] {
            assert_eq!(by_hand[field], over_http[field], "{change} {field}");
        }
    }
    assert!(doors.daemon.end().success());
}

#[test]
fn a_codebase_is_explored_alike() {
    let mut doors = Interfaces::open();
    doors
        .project
        .write("project/src/parser.rs", b"pub fn parse_header() {}\n");
    doors
        .project
        .write("project/src/main.rs", b"mod parser;\nfn main() {}\n");
    let query = "parse the header";
    let by_hand = doors
        .project
        .acreta(&["context", "explore", "--query", query, "--json"])
        .succeeded()
        .json();
    let body = json!({ "project_root": doors.project.root(), "query": query });
    let over_http = doors.daemon.post("/v1/explore", &body).ok();
    let by_agent = doors
        .agent
        .call("context_explore", json!({ "query": query }))
        .unwrap();
    let matches = texts(&by_hand["matches"], "path");
    assert_eq!(matches.first(), Some(&"src/parser.rs"), "{by_hand}");
    assert_eq!(matches, texts(&over_http["matches"], "path"));
    let by_agent = match by_agent.get("report") {
        Some(report) => report.clone(),
        None => by_agent,
    };
    assert_eq!(matches, texts(&by_agent["matches"], "path"), "{by_agent}");
    assert!(doors.daemon.end().success());
}

#[test]
fn agents_have_no_door_to_what_is_a_persons_own() {
    let project = calm();
    let mut agent = Client::start(&project);
    let tools = agent.ask("tools/list", json!({}));
    let tools = &tools["result"]["tools"];
    assert!(!texts(tools, "name").is_empty());
    for name in texts(tools, "name") {
        for verb in PERSONS_OWN {
            assert!(!name.contains(verb), "agents are offered `{name}`");
        }
    }
}

/// The command line parses and renders. It does everything through the service.
#[test]
fn the_command_line_knows_the_service_alone() {
    let file = acreta_plugin_build::workspace_root().join("host/cli/Cargo.toml");
    let text = std::fs::read_to_string(file).unwrap();
    let (_, rest) = text.split_once("[dependencies]").unwrap();
    let own: Vec<&str> = rest
        .lines()
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.strip_prefix("acreta-")?.split(['.', ' ']).next())
        .collect();
    assert_eq!(own, ["mcp", "server", "service", "telemetry", "types"]);
}
