//! The daemon through the real binary: its answers, its changes, and its end.

use std::process::Command;

use acreta_client::{
    AddMemoryFields, Client, EditMemoryFields, Error, ListMemoriesFields, MaintainFields,
    MemoryType, SearchFields, TaskState,
};
use serde_json::json;

use crate::support::{Daemon, Project, fixture, lay_out, ran};

pub(crate) const CALM: &str = "[serve]\nsync_minutes = 0\nmaintain_minutes = 0\nwatch = false";

pub(crate) fn calm() -> Project {
    let mut project = Project::new();
    project.configure(CALM);
    project
}

/// Every user of a machine can read the arguments of every process.
#[cfg(unix)]
#[test]
fn no_argument_lets_another_user_in() {
    use std::os::unix::fs::PermissionsExt;

    let project = calm();
    let daemon = Daemon::start(&project);
    let bin = project.outside().join("bin");
    // Writes down what it was told, with the page and its mode.
    let script = "#!/bin/sh\nexec >\"${0%/*}/said.new\" 2>&1\necho \"$@\"\nstat -c %a \"$1\"\ncat \"$1\"\nmv \"${0%/*}/said.new\" \"${0%/*}/said\"\n";
    let program = project.write("bin/xdg-open", script.as_bytes());
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", bin.display());
    let mut dashboard = project
        .command(&["dashboard"])
        .env("PATH", path)
        .spawn()
        .unwrap();
    let told = loop {
        match std::fs::read_to_string(bin.join("said")) {
            Ok(told) => break told,
            Err(_) => std::thread::sleep(std::time::Duration::from_millis(20)),
        }
    };
    let mut lines = told.lines();
    let (arguments, mode) = (lines.next().unwrap(), lines.next().unwrap());
    assert!(!arguments.contains("code"), "{told}");
    assert_eq!(mode, "600", "{told}");
    let (_, code) = told.split_once("#code=").unwrap();
    let code = code.split(['"', '&']).next().unwrap();
    let redeem = || daemon.post("/api/login", &json!({ "code": code }));
    redeem().ok();
    assert!(dashboard.wait().unwrap().success());
    assert!(!std::path::Path::new(arguments).exists(), "it is removed");
    assert_eq!(redeem().status, 403);
}

#[test]
fn memory_over_http() {
    let project = calm();
    project.acreta(&["project", "add"]).succeeded();
    let daemon = Daemon::start(&project);
    let health = daemon.raw(&format!(
        "GET /api/health HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
        daemon.address
    ));
    assert_eq!(
        (health.status, health.json()["status"].as_str()),
        (200, Some("ok"))
    );
    assert!(
        health.headers.to_lowercase().contains("x-request-id"),
        "{health:?}"
    );

    let note = json!({ "title": "The queue is in SQLite", "body": "The queue is in SQLite, not in Redis.", "type": "decision" });
    let added = daemon.post("/api/memories", &note).ok();
    let id = added["id"].as_str().unwrap();
    let page = daemon.get("/api/memories?type=decision").ok();
    assert_eq!(
        (&page["total"], &page["memories"][0]["id"]),
        (&json!(1), &json!(id))
    );
    let found = daemon.get("/api/search?q=redis").ok();
    assert_eq!(found["hits"][0]["id"], id, "{found}");
    // A memory is found immediately, whoever added it.
    let zebra = json!({ "title": "Zebra is generated", "body": "The zebra module is generated." });
    daemon.post("/api/memories", &zebra).ok();
    project
        .acreta(&[
            "memory",
            "add",
            "Giraffe",
            "--body",
            "The giraffe library is vendored.",
        ])
        .succeeded();
    for word in ["zebra", "giraffe"] {
        let found = daemon.get(&format!("/api/search?q={word}")).ok();
        assert_eq!(
            found["hits"].as_array().unwrap().len(),
            1,
            "{word}: {found}"
        );
    }
    let asked = daemon
        .post(
            "/api/ask",
            &json!({ "question": "Who may drain the queue?" }),
        )
        .ok();
    assert_eq!(asked["answered"], false, "{asked}");
    assert_eq!(asked["nearest"][0]["title"], "The queue is in SQLite");

    let path = format!("/api/memories/{id}");
    let whole = daemon.get(&path).ok();
    let edit = json!({ "title": "The queue lives in SQLite", "expected_digest": whole["digest"] });
    assert_eq!(daemon.put(&path, &edit).ok()["changed"], true);
    let late = daemon.put(&path, &edit);
    assert_eq!(
        (late.status, late.json()["error"]["code"].as_str()),
        (409, Some("changed-meanwhile"))
    );
    for (change, status) in [
        ("confirm", "active"),
        ("archive", "archived"),
        ("restore", "active"),
        ("reject", "archived"),
    ] {
        daemon.post(&format!("{path}/{change}"), &json!({})).ok();
        assert_eq!(
            daemon.get(&path).ok()["memory"]["status"],
            status,
            "{change}"
        );
    }
    for (asked, found) in [
        ("q=sqlite", 0),
        ("q=sqlite&status=archived", 1),
        ("q=zebra&trust=confirmed", 1),
        ("q=zebra&trust=untrusted", 0),
    ] {
        let page = daemon.get(&format!("/api/search?{asked}")).ok();
        assert_eq!(
            page["hits"].as_array().unwrap().len(),
            found,
            "{asked}: {page}"
        );
    }
    let listed = project
        .acreta(&["memory", "list", "--archived", "--json"])
        .succeeded()
        .json();
    assert_eq!(
        listed["memories"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|memory| memory["title"] == "The queue lives in SQLite")
            .count(),
        1,
        "the files say the same"
    );

    for time in ["yesterday", "2026-13-01"] {
        let answer = daemon.get(&format!("/api/search?q=zebra&since={time}"));
        assert_eq!(answer.status, 400, "{time}: {answer:?}");
    }
    let foreign = daemon.get("/api/memories?project_root=/etc");
    assert_eq!(foreign.status, 403, "{foreign:?}");
    let unknown = daemon.post("/api/ask", &json!({ "question": "a", "colour": "red" }));
    assert_eq!(unknown.status, 400);
    assert!(unknown.body.contains("colour"), "{unknown:?}");
    let root = project.root();
    let explored = daemon
        .post("/v1/explore", &json!({ "project_root": root }))
        .ok();
    assert_eq!(explored["command"], "explore", "{explored}");
    let nothing = daemon.post("/v1/explore", &json!({ "project_root": "/usr" }));
    assert_eq!(nothing.status, 403, "{nothing:?}");
    assert!(daemon.end().success());
}

#[test]
fn the_rust_client_uses_the_real_server() {
    let project = calm();
    project.acreta(&["project", "add"]).succeeded();
    let daemon = Daemon::start(&project);
    let url = format!("http://{}/", daemon.address);
    let client = Client::at(&daemon.token, &url);
    assert_eq!(client.health().unwrap().status, "ok");
    let added = client.add_memory(&AddMemoryFields {
        title: "The queue is in SQLite".to_owned(),
        body: Some("The queue is in SQLite, not in Redis.".to_owned()),
        r#type: Some(MemoryType::Decision),
        ..AddMemoryFields::default()
    });
    let id = added.unwrap().id.unwrap();
    let page = client.list_memories(&ListMemoriesFields {
        r#type: Some(MemoryType::Decision),
        ..ListMemoriesFields::default()
    });
    let page = page.unwrap();
    assert_eq!((page.total, page.memories[0].id.as_str()), (1, id.as_str()));
    let memory = client.get_memory(&id, &Default::default()).unwrap();
    let edited = client.edit_memory(
        &id,
        &EditMemoryFields {
            expected_digest: memory.digest,
            title: Some("The queue stays in SQLite".to_owned()),
            ..EditMemoryFields::default()
        },
    );
    assert!(edited.unwrap().changed);
    let found = client.search(&SearchFields {
        q: "redis".to_owned(),
        ..SearchFields::default()
    });
    assert_eq!(found.unwrap().hits[0].title, "The queue stays in SQLite");
    let accepted = client.maintain(&MaintainFields::default()).unwrap();
    let job = (0..600).find_map(|_| {
        let job = client.get_job(&accepted.job_id).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(50));
        job.finished_ms.map(|_| job)
    });
    assert_eq!(job.unwrap().state, TaskState::Completed);
    let missing = client.get_memory("01J000000000000000000A0003", &Default::default());
    assert!(
        matches!(&missing, Err(Error::Refused { status: 404, .. })),
        "{missing:?}"
    );
}

#[test]
fn a_sync_is_a_job_whose_traces_are_everywhere() {
    let project = calm();
    lay_out(&project, &|bytes| bytes);
    project
        .acreta(&["project", "add", "--also", "/home/dev/ledger"])
        .succeeded();
    let daemon = Daemon::start(&project);
    let job = daemon.post("/api/sync", &json!({}));
    assert_eq!(job.status, 202);
    let view = daemon.finished(&job.json());
    assert_eq!(view["state"], "completed", "{view}");
    assert!(
        view["result"]["discovered"].as_u64().unwrap() > 10,
        "{view}"
    );

    let sessions = daemon.get("/api/sessions?limit=500").ok();
    assert_eq!(
        sessions["total"], view["result"]["discovered"],
        "{sessions}"
    );
    let done = sessions["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["state"] == "done");
    let session = done.expect("one was worked through");
    let path = format!(
        "/api/sessions/{}/{}",
        session["agent"].as_str().unwrap(),
        session["id"].as_str().unwrap()
    );
    let events = daemon.get(&format!("{path}/events?limit=5")).ok();
    let middle = events["events"][1]["id"].as_str().unwrap();
    let around = daemon
        .get(&format!("{path}/events?limit=3&around={middle}"))
        .ok();
    assert!(
        around["events"]
            .as_array()
            .unwrap()
            .iter()
            .any(|event| event["id"] == middle),
        "{around}"
    );
    let whole = daemon.get(&path).ok();
    let run = whole["runs"][0]["run_id"].as_str().unwrap();
    let run = daemon.get(&format!("/api/runs/{run}")).ok();
    assert_eq!(run["state"], "completed", "{run}");
    assert!(
        run["report"]["metrics"]["plugins"]
            .as_array()
            .unwrap()
            .len()
            > 1,
        "{run}"
    );
    for path in [
        "/api/status",
        "/api/overview",
        "/api/runs",
        "/api/queue",
        "/api/plugins",
        "/api/home",
        "/api/timeline",
        "/api/exclude",
        "/api/settings",
        "/api/sessions/search?q=the",
        "/api/connect",
        "/api/project/list",
        "/api/jobs",
    ] {
        daemon.get(path).ok();
    }
    let plugins = daemon.get("/api/plugins").ok();
    let builtin = acreta_plugin_build::BUILTIN.len();
    assert_eq!(
        plugins["plugins"].as_array().unwrap().len(),
        builtin,
        "{plugins}"
    );
    let again = daemon.finished(&daemon.post("/api/sync", &json!({})).ok());
    assert_eq!(
        again["result"]["ran"], 0,
        "a second one finds nothing: {again}"
    );
    let kept = daemon.finished(&daemon.post("/api/maintain", &json!({})).ok());
    assert_eq!(kept["state"], "completed", "{kept}");
    assert!(daemon.end().success());
}

#[test]
fn one_daemon_at_a_time_in_the_background_and_out_again() {
    let project = calm();
    project
        .acreta(&["config", "set", "serve.port", "0"])
        .succeeded();
    let none = project.acreta(&["down"]).succeeded();
    assert!(
        none.stderr.contains("no daemon is running"),
        "{}",
        none.stderr
    );
    project.acreta(&["logs"]).failed(1, "acreta up");
    let up = project.acreta(&["up", "--json"]).succeeded().json();
    let again = project.acreta(&["up"]).succeeded();
    assert!(
        again.stderr.contains("is running already"),
        "{}",
        again.stderr
    );
    project
        .acreta(&["serve", "--port", "0"])
        .failed(4, "a daemon is running already");
    let url = project.acreta(&["dashboard", "--print"]).succeeded().stdout;
    let base = up["url"].as_str().unwrap();
    assert!(url.starts_with(&format!("{base}/#code=")), "{url}");
    // It opens on the project one stands in.
    assert!(!url.contains("project="), "{url}");
    project.acreta(&["project", "add"]).succeeded();
    let url = project.acreta(&["dashboard", "--print"]).succeeded().stdout;
    let root = project.root().canonicalize().unwrap();
    let path = root.to_str().unwrap().replace('/', "%2F");
    assert!(url.trim().ends_with(&format!("&project={path}")), "{url}");
    let log = project.acreta(&["logs"]).succeeded();
    assert!(log.stdout.contains("name=daemon.started"), "{}", log.stdout);
    let own = project.acreta(&["logs", "--daemon"]).succeeded();
    assert!(own.stdout.contains("listening on"), "{}", own.stdout);
    project.acreta(&["down"]).succeeded();
    assert!(!project.home().join("daemon.json").exists());
}

#[test]
fn a_port_that_is_taken_is_told() {
    let project = calm();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    project.acreta(&["serve", "--port", &port]).failed(1, &port);
}

/// A daemon that is stopped while it works returns its jobs: nothing is lost, nothing is done twice.
#[test]
fn an_end_in_the_middle_of_a_sync_loses_nothing() {
    let project = calm();
    lay_out(&project, &|bytes| bytes);
    project
        .acreta(&["project", "add", "--also", "/home/dev/ledger"])
        .succeeded();
    let daemon = Daemon::start(&project);
    let job = daemon.post("/api/sync", &json!({})).ok();
    assert!(job["job_id"].is_string());
    assert!(daemon.end().success());
    let jobs = project
        .acreta(&["queue", "list", "--state", "running", "--json"])
        .succeeded()
        .json();
    assert_eq!(jobs, json!([]), "nobody holds a job");
    project.acreta(&["sync", "--json"]).succeeded();
    let again = project.acreta(&["sync", "--json"]).succeeded().json();
    assert_eq!(
        (&again["ran"], &again["failed"]),
        (&json!(0), &json!(0)),
        "{again}"
    );
}

#[test]
fn a_session_that_is_written_wakes_the_sync() {
    let mut project = Project::new();
    project.configure("[serve]\nsync_minutes = 1000\nmaintain_minutes = 0");
    std::fs::create_dir_all(project.outside().join(".claude/projects/p")).unwrap();
    let daemon = Daemon::start(&project);
    // The one that starts with the daemon.
    let jobs = || {
        daemon.get("/api/jobs").ok()["jobs"]
            .as_array()
            .unwrap()
            .clone()
    };
    let settled = |count: usize| loop {
        let all = jobs();
        if all.len() >= count && all.iter().all(|job| job["state"] == "completed") {
            return all.len();
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    };
    let before = settled(1);
    let session = crate::support::files(&fixture("claude"))
        .into_iter()
        .find(|file| file.extension().is_some_and(|end| end == "jsonl"))
        .unwrap();
    project.write(
        ".claude/projects/p/s.jsonl",
        &std::fs::read(session).unwrap(),
    );
    settled(before + 1);
    let status = daemon.get("/api/status").ok();
    assert_eq!(status["sessions"][0]["agent"], "claude", "{status}");
    assert!(daemon.end().success());
}

/// Requests that a page or another program may try; none is accepted.
#[test]
fn nobody_comes_in_without_the_token() {
    let project = calm();
    let daemon = Daemon::start(&project);
    let (address, token) = (&daemon.address, &daemon.token);
    let with = |method: &str, path: &str, host: &str, headers: &str, body: &str| {
        let length = body.len();
        format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )
    };
    let bearer = format!("Authorization: Bearer {token}\r\n");
    let json = "Content-Type: application/json\r\n";
    let attempts = [
        ("no token", with("GET", "/api/memories", address, "", "")),
        (
            "wrong token",
            with(
                "GET",
                "/api/memories",
                address,
                "Authorization: Bearer 0000000000000000000000000000000000000000000000000000000000000000\r\n",
                "",
            ),
        ),
        (
            "token in the address",
            with(
                "GET",
                &format!("/api/memories?token={token}"),
                address,
                "",
                "",
            ),
        ),
        (
            "rebound name",
            with("GET", "/api/memories", "evil.example", &bearer, ""),
        ),
        (
            "rebound name with the port",
            with(
                "GET",
                "/api/memories",
                &format!("evil.example:{}", address.rsplit(':').next().unwrap()),
                &bearer,
                "",
            ),
        ),
        (
            "foreign origin",
            with(
                "POST",
                "/api/sync",
                address,
                &format!("{bearer}{json}Origin: https://evil.example\r\n"),
                "{}",
            ),
        ),
        (
            "null origin",
            with(
                "POST",
                "/api/sync",
                address,
                &format!("{bearer}{json}Origin: null\r\n"),
                "{}",
            ),
        ),
        (
            "simple post",
            with(
                "POST",
                "/api/sync",
                address,
                "Content-Type: text/plain\r\n",
                "{}",
            ),
        ),
        (
            "simple post with the token",
            with(
                "POST",
                "/api/sync",
                address,
                &format!("{bearer}Content-Type: text/plain\r\n"),
                "{}",
            ),
        ),
        (
            "form",
            with(
                "POST",
                "/api/sync",
                address,
                &format!("{bearer}Content-Type: application/x-www-form-urlencoded\r\n"),
                "a=b",
            ),
        ),
        (
            "get with effect",
            with("GET", "/api/sync", address, &bearer, ""),
        ),
        (
            "mcp without a token",
            with("POST", "/mcp", address, json, "{}"),
        ),
        (
            "mcp from a page",
            with(
                "POST",
                "/mcp",
                address,
                &format!("{bearer}{json}Origin: https://evil.example\r\n"),
                "{}",
            ),
        ),
        (
            "a made-up cookie",
            with("GET", "/api/memories", address, "Cookie: acreta=1\r\n", ""),
        ),
        (
            "out of the assets",
            with("GET", "/../../token", address, "", ""),
        ),
    ];
    let accepted: Vec<&str> = attempts
        .iter()
        .filter(|(_, request)| daemon.raw(request).status < 400)
        .map(|(name, _)| *name)
        .collect();
    println!(
        "requests tried {} accepted {}",
        attempts.len(),
        accepted.len()
    );
    assert!(accepted.is_empty(), "{accepted:?}");
    assert!(daemon.end().success());
}

#[test]
fn the_python_sdk_uses_mcp_over_http() {
    let Some(python) = super::mcp::python() else {
        acreta_testing::skip(acreta_testing::MCP, "python3 has no package `mcp`");
        return;
    };
    let project = calm();
    project.git(&["init", "-q"]);
    project
        .acreta(&[
            "memory",
            "add",
            "The queue is in SQLite",
            "--body",
            "It is.",
        ])
        .succeeded();
    let daemon = Daemon::start(&project);
    let script = acreta_plugin_build::workspace_root().join("tests/support/mcp_http.py");
    let url = format!("http://{}/mcp", daemon.address);
    let done = Command::new(python)
        .arg(script)
        .args([&url, &daemon.token])
        .output()
        .unwrap();
    let done = ran(done).succeeded();
    assert!(done.stdout.contains("called every tool"), "{}", done.stdout);
    assert!(daemon.end().success());
}
