//! `acreta review` through the real binary: for scripts, over HTTP, and in a terminal; a rejection outlasts the session
//! that it is about, and agents have no access to it.

use std::fmt::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::daemon::calm;
use crate::mcp::Client;
use crate::support::{Daemon, Project};

const JENKINS: &str = "Releases are tagged by Jenkins";
const CI: &str = "Releases are tagged by CI";
const KEPT: &str = "Build artifacts are always kept for 15 days";
const DEPLOYS: &str = "Deploys go out on Tuesday mornings";

/// Returns a session of Claude Code that is later than everything said today.
fn session(turns: &[(&str, &str)]) -> String {
    let mut text = String::new();
    for (number, (role, said)) in turns.iter().enumerate() {
        let record = json!({
            "type": role, "uuid": format!("00000000-0000-4000-8000-{number:012}"),
            "parentUuid": null, "isSidechain": false, "userType": "external",
            "cwd": "/home/dev/shop", "sessionId": "5d2f6c1e-7a4b-4c39-9b61-d0c4f7a1e822",
            "version": "2.1.146",
            "message": { "role": role, "content": [{ "type": "text", "text": said }] },
            "timestamp": format!("2096-05-11T08:{number:02}:00.000Z"),
        });
        writeln!(text, "{record}").unwrap();
    }
    text
}

/// Returns a project with two contradicting notes of a person.
fn with_conflict() -> Project {
    let project = Project::new();
    for title in [JENKINS, CI] {
        project
            .acreta(&["memory", "add", title, "--kind", "convention"])
            .succeeded();
    }
    project
}

/// Returns a project with a person's note and a later session that contradicts it, and the file of that session.
fn with_proposal() -> (Project, std::path::PathBuf) {
    let project = Project::new();
    project
        .acreta(&["memory", "add", KEPT, "--kind", "convention"])
        .succeeded();
    let text = session(&[
        ("user", "Please look at the build scripts."),
        ("assistant", "They delete artifacts after two weeks."),
        ("user", "Build artifacts are always kept for 30 days."),
        ("assistant", "Understood, I changed the script."),
    ]);
    let file = project.write("session.jsonl", text.as_bytes());
    project.run(&file);
    (project, file)
}

fn queue(project: &Project) -> Value {
    project
        .acreta(&["review", "--list", "--json"])
        .succeeded()
        .json()
}

fn ids(queue: &Value) -> Vec<String> {
    let items = queue["items"].as_array().unwrap().iter();
    items
        .map(|item| item["id"].as_str().unwrap().to_owned())
        .collect()
}

fn titles(project: &Project) -> Vec<String> {
    let listed = project
        .acreta(&["memory", "list", "--json"])
        .succeeded()
        .json();
    let memories = listed["memories"].as_array().unwrap().iter();
    let memories = memories.filter(|memory| memory["type"] != "summary");
    memories
        .map(|memory| memory["title"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn what_is_rejected_stays_rejected_when_its_session_is_read_again() {
    let (project, file) = with_proposal();
    let before = queue(&project);
    assert_eq!(before["waiting"]["proposals"], 1, "{before}");
    let item = &before["items"][0];
    let memory = item["memories"][0]["id"].as_str().unwrap();
    let shown = project
        .acreta(&["review", "show", memory, "--json"])
        .succeeded()
        .json();
    let turns = shown["evidence"][0]["turns"].as_array().unwrap();
    let told: Vec<(&str, bool)> = turns
        .iter()
        .map(|turn| (turn["role"].as_str().unwrap(), turn["quoted"] == true))
        .collect();
    let (person, agent) = ("user", "assistant");
    assert_eq!(
        told,
        [
            (person, false),
            (agent, false),
            (person, true),
            (agent, false)
        ],
        "{shown}"
    );
    let id = item["id"].as_str().unwrap();
    project
        .acreta(&["review", "reject", id, "--yes"])
        .succeeded();
    for _ in 0..2 {
        assert_eq!(titles(&project), [KEPT]);
        assert_eq!(ids(&queue(&project)), Vec::<String>::new());
        project.run(&file);
    }
    // After undo, it waits again.
    project.acreta(&["review", "undo", "--yes"]).succeeded();
    assert_eq!(ids(&queue(&project)), ids(&before));
}

#[test]
fn a_rejected_pending_record_is_not_promoted_by_another_session() {
    let project = calm();
    project.acreta(&["project", "add"]).succeeded();
    let mut agent = Client::start(&project);
    let note = json!({ "title": "Always rebase before merging", "body": "Always rebase before merging.", "kind": "convention" });
    let waits = agent.call("memory_add", note.clone()).unwrap();
    assert_eq!(waits["action"], "pending", "{waits}");
    let waiting = ids(&queue(&project));
    assert_eq!(waiting.len(), 1);
    project
        .acreta(&["review", "reject", &waiting[0], "--yes"])
        .succeeded();
    let again = agent.call("memory_add", note).unwrap();
    assert_eq!(again["action"], "no_op", "{again}");
    assert_eq!(ids(&queue(&project)), Vec::<String>::new());
}

#[test]
fn nothing_is_decided_without_a_terminal_or_a_yes() {
    let project = with_conflict();
    let before = ids(&queue(&project));
    for arguments in [
        ["review", "accept"],
        ["review", "reject"],
        ["review", "merge"],
    ] {
        let [verb, action] = arguments;
        project
            .acreta(&[verb, action, &before[0]])
            .failed(2, "no terminal to ask at");
    }
    let told = project
        .acreta(&["review", "supersede", &before[0], "--dry-run"])
        .succeeded();
    assert!(told.stdout.contains("is superseded"), "{}", told.stdout);
    assert_eq!(ids(&queue(&project)), before);
    project
        .acreta(&["review", "undo", "--yes"])
        .failed(1, "no decision to undo");
    project
        .acreta(&["review", "accept", "u-nothing", "--yes"])
        .failed(1, "no waiting item has the id");
    project
        .acreta(&["review", "supersede", &before[0], "--yes"])
        .succeeded();
    assert_eq!(ids(&queue(&project)), Vec::<String>::new());
    let listed = project.acreta(&["memory", "list"]).succeeded().stdout;
    assert!(
        listed.contains(&format!("{JENKINS} (superseded)")),
        "{listed}"
    );
}

#[test]
fn the_queue_is_the_same_over_http_and_agents_have_no_door_to_it() {
    let project = calm();
    project.acreta(&["project", "add"]).succeeded();
    let daemon = Daemon::start(&project);
    let mut agent = Client::start(&project);
    let note = json!({ "title": DEPLOYS, "body": "They do, says the log.", "kind": "insight" });
    agent.call("memory_add", note).unwrap();
    let over_http = daemon.get("/api/review").ok();
    assert_eq!(over_http, queue(&project));
    assert_eq!(
        daemon.get("/api/status").ok()["review"],
        over_http["waiting"]
    );
    let status = project.acreta(&["status", "--json"]).succeeded().json();
    assert_eq!(status["review"], over_http["waiting"]);
    let told = project.acreta(&["status"]).succeeded().stderr;
    assert!(told.contains("1 item waits for your review"), "{told}");
    let id = over_http["items"][0]["id"].as_str().unwrap();
    let detail = daemon.get(&format!("/api/review/{id}")).ok();
    let shown = project
        .acreta(&["review", "show", id, "--json"])
        .succeeded()
        .json();
    assert_eq!(detail, shown);
    assert_eq!(daemon.get("/api/review/u-nothing").status, 404);

    let decision = json!({ "decisions": [{ "id": id, "action": "accept" }], "dry_run": true });
    let preview = daemon.post("/api/review", &decision).ok();
    assert_eq!(
        preview["decisions"][0]["effect"], detail["effects"][0],
        "{preview}"
    );
    assert_eq!(queue(&project)["waiting"]["total"], 1);
    for wrong in [
        json!({ "decisions": [] }),
        json!({ "decisions": [{ "id": id, "action": "burn" }] }),
        json!({ "decisions": [{ "id": id, "action": "accept", "by": "me" }] }),
        json!({}),
    ] {
        assert_eq!(daemon.post("/api/review", &wrong).status, 400, "{wrong}");
    }
    let decision = json!({ "decisions": [{ "id": id, "action": "accept" }] });
    let report = daemon.post("/api/review", &decision).ok();
    assert_eq!(report["waiting"]["total"], 0, "{report}");
    let memories = daemon.get("/api/memories").ok();
    assert_eq!(memories["memories"][0]["trust"], "confirmed", "{memories}");
    let undone = daemon.post("/api/review/undo", &json!({})).ok();
    assert_eq!(undone["undone"][0]["id"], id, "{undone}");
    assert_eq!(daemon.get("/api/review").ok(), over_http);

    let tools = agent.ask("tools/list", json!({}));
    let tools = tools["result"]["tools"].as_array().unwrap();
    for tool in tools {
        let name = tool["name"].as_str().unwrap();
        assert!(!name.contains("review"), "{name}");
    }
}

#[test]
fn a_person_is_told_once_a_day_and_the_agent_is_not() {
    let project = with_conflict();
    let start = |agent: &str| {
        let mut child = project
            .command(&["hook", "session-start", "--agent", agent])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let said = json!({ "cwd": project.root(), "session_id": agent });
        std::io::Write::write_all(
            &mut child.stdin.take().unwrap(),
            said.to_string().as_bytes(),
        )
        .unwrap();
        let output = child.wait_with_output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    // The start of a session counts nothing itself; the end of a sync and `status` do.
    assert!(!start("claude").contains("review"));
    project.acreta(&["status"]).succeeded();
    // Cursor has no channel to its person, and does not use up the day's reminder.
    assert!(!start("cursor").contains("review"));
    let told: Value = serde_json::from_str(&start("claude")).unwrap();
    assert_eq!(
        told["systemMessage"],
        "acreta: 1 item waits for your review; run `acreta review`"
    );
    let brief = told["hookSpecificOutput"]["additionalContext"]
        .as_str()
        .unwrap();
    assert!(!brief.contains("acreta review"), "{brief}");
    for agent in ["claude", "codex", "gemini"] {
        let again = start(agent);
        assert!(!again.contains("systemMessage"), "{again}");
    }
}

/// Sends keys to `acreta review` in a pseudo-terminal and prints the screen.
const TERMINAL: &str = r#"
import json, os, pty, select, struct, sys, fcntl, termios, time
arguments, keys, wanted = json.loads(sys.argv[1])
process, terminal = pty.fork()
if process == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 80, 140, 0, 0))
    os.execv(arguments[0], arguments)
seen = b""
def read(until, seconds):
    global seen
    start, end = len(seen), time.monotonic() + seconds
    while time.monotonic() < end:
        if select.select([terminal], [], [], 0.05)[0]:
            try:
                seen += os.read(terminal, 65536)
            except OSError:
                return
        if until.encode() in seen[start:]:
            return
    raise SystemExit("never saw " + until + "\n" + seen.decode(errors="replace"))
for key, text in zip(keys, wanted):
    read(text, 60)
    os.write(terminal, key.encode())
while True:
    try:
        part = os.read(terminal, 65536)
    except OSError:
        break
    if not part:
        break
    seen += part
code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
print(json.dumps({"code": code, "text": seen.decode(errors="replace")}))
"#;

/// Returns `None` if there is no Python.
fn in_terminal(project: &Project, arguments: &[&str], played: &[(&str, &str)]) -> Option<Value> {
    if cfg!(not(unix)) || Command::new("python3").arg("--version").output().is_err() {
        acreta_testing::skip(acreta_testing::PYTHON, "nothing plays a terminal");
        return None;
    }
    let acreta = project.command(arguments);
    let mut words = vec![acreta.get_program().to_str().unwrap().to_owned()];
    words.extend(arguments.iter().map(|word| (*word).to_owned()));
    let keys: Vec<&str> = played.iter().map(|(_, key)| *key).collect();
    let wanted: Vec<&str> = played.iter().map(|(text, _)| *text).collect();
    let mut command = Command::new("python3");
    command
        .args(["-c", TERMINAL, &json!([words, keys, wanted]).to_string()])
        .current_dir(project.root())
        .env("TERM", "xterm-256color");
    for (name, value) in acreta.get_envs() {
        if let Some(value) = value {
            command.env(name, value);
        }
    }
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

#[test]
fn the_full_screen_takes_keys_and_gives_the_terminal_back() {
    let project = with_conflict();
    let before = queue(&project);
    let played = [
        ("Effect of each key", "s"),
        ("superseded: ", "u"),
        ("undone: ", "q"),
    ];
    let Some(ran) = in_terminal(&project, &["review"], &played) else {
        return;
    };
    assert_eq!(ran["code"], 0, "{ran}");
    let text = ran["text"].as_str().unwrap();
    for part in [
        "\u{1b}[?1049h",
        "1 item waits",
        JENKINS,
        "[s] the newer replaces the older",
        "is superseded",
        "\u{1b}[?1049l",
        "\u{1b}[?25h",
    ] {
        assert!(text.contains(part), "{part:?} in {text}");
    }
    assert_eq!(ids(&queue(&project)), ids(&before));
}

#[test]
fn prompts_ask_line_by_line() {
    let project = with_conflict();
    let played = [
        ("q quit:", "x\n"),
        ("q quit:", "r\n"),
        ("nothing waits for you", ""),
    ];
    let Some(ran) = in_terminal(&project, &["review", "--plain"], &played) else {
        return;
    };
    assert_eq!(ran["code"], 0, "{ran}");
    assert_eq!(titles(&project), [JENKINS]);
}
