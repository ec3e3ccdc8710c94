//! Reading archived sessions: `acreta sessions list|show|search|export`, files with many sessions, excluded folders,
//! and prompts that outlive their session.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::mcp::Client;
use crate::support::{Daemon, Project, Ran, fixture, ran};

const DEMO: &str = "claude/demo-queue-retries.jsonl";
const DEMO_ID: &str = "3e9d6b70-51c8-4a2f-8d14-c7f0a9b2e635";
const CODEX: &str = "codex";

impl Project {
    /// Adds the demo session of Claude to the home, as if it had run in `directory`.
    pub(crate) fn demo_in(&self, slug: &str, directory: &Path) -> PathBuf {
        let text = std::fs::read_to_string(fixture(DEMO)).unwrap();
        let cwd = format!("\"cwd\":\"{}\"", directory.display());
        let text = text.replace("\"cwd\":\"/home/dev/ledger\"", &cwd);
        assert!(text.contains(&cwd));
        self.write(
            &format!(".claude/projects/{slug}/{DEMO_ID}.jsonl"),
            text.as_bytes(),
        )
    }

    pub(crate) fn real_root(&self) -> PathBuf {
        std::fs::canonicalize(self.root()).unwrap()
    }

    pub(crate) fn synced(&self) -> Value {
        self.acreta(&["sync", "--json"]).succeeded().json()
    }

    fn sessions(&self, arguments: &[&str]) -> Ran {
        self.acreta(&[&["sessions"], arguments].concat())
    }

    fn listed(&self, arguments: &[&str]) -> Vec<Value> {
        let arguments = [&["list", "--json"], arguments].concat();
        let listed = self.sessions(&arguments).succeeded().json();
        listed["sessions"].as_array().unwrap().clone()
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "what an agent does to an old session"
)]
fn remove(path: &Path) {
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_rescued_session_is_listed_read_and_searched() {
    let project = Project::new();
    let file = project.demo_in("a", &project.real_root());
    project.synced();
    remove(&file);
    project.synced();

    let listed = project.listed(&[]);
    assert_eq!(listed.len(), 1, "{listed:?}");
    assert_eq!(listed[0]["copy"], "rescued", "{listed:?}");
    assert_eq!(listed[0]["id"], DEMO_ID);
    let table = project.sessions(&["list"]).succeeded().stdout;
    assert!(
        table.contains("rescued") && table.contains(DEMO_ID),
        "{table}"
    );

    let shown = project.sessions(&["show", "3e9d"]).succeeded().stdout;
    let prompt = "Webhook deliveries get lost when the worker restarts.";
    for expected in [
        &format!("session   claude/{DEMO_ID}"),
        "copy      rescued; its agent has deleted",
        "── user 2026-05-11 08:12",
        prompt,
        "── assistant",
        "(1 of ",
        "\n  > ",
        "\n  · thinking: ",
    ] {
        assert!(shown.contains(expected), "{expected:?} in:\n{shown}");
    }
    // Without `--full` a tool call has one line, and an edit its difference.
    for line in shown.lines().filter(|line| line.starts_with("  > ")) {
        assert!(line.chars().count() < 160, "{line}");
    }
    assert!(!shown.contains("\n  <\n"), "{shown}");
    let full = project
        .sessions(&["show", "3e9d", "--full"])
        .succeeded()
        .stdout;
    assert!(full.len() > shown.len(), "{full}");
    assert!(
        full.contains("\n  <\n") && full.contains("(thinking)"),
        "{full}"
    );

    let page = project
        .sessions(&["show", "3e9d", "--json", "--offset", "1", "--limit", "2"])
        .succeeded()
        .json();
    assert_eq!(page["events"].as_array().unwrap().len(), 2, "{page}");
    assert_eq!(page["offset"], 1);

    let found = project
        .sessions(&["search", "DELIVERIES get lost", "--json"])
        .succeeded()
        .json();
    let hit = &found["hits"][0];
    assert_eq!(hit["session"], DEMO_ID, "{found}");
    assert!(
        hit["snippet"]
            .as_str()
            .unwrap()
            .contains("Webhook deliveries")
    );
    let nothing = project.sessions(&["search", "zebra crossing"]).succeeded();
    assert!(nothing.stdout.is_empty() && nothing.stderr.contains("nothing found"));
    let event = hit["event"].as_str().unwrap();
    let around = project.sessions(&["show", "3e9d", "--around", event, "-n", "3"]);
    assert!(around.succeeded().stdout.contains("Webhook deliveries"));
    let prompts = project
        .sessions(&["show", "3e9d", "--role", "user"])
        .succeeded();
    assert!(
        !prompts.stdout.contains("── assistant"),
        "{}",
        prompts.stdout
    );

    project
        .sessions(&["show", "nobody"])
        .failed(1, "no such session: `nobody`");
}

/// A session of an unregistered project was archived and never run: it is read from the archive.
#[test]
fn a_session_that_never_ran_is_read_from_its_copy() {
    let project = Project::new();
    let other = project.outside().join("other");
    std::fs::create_dir_all(other.join(".git")).unwrap();
    let other = std::fs::canonicalize(other).unwrap();
    project.demo_in("a", &other);
    let report = project.synced();
    assert_eq!(
        (&report["archived"], &report["ran"]),
        (&1.into(), &0.into())
    );

    assert!(project.listed(&[]).is_empty());
    let hint = project.sessions(&["list"]).succeeded().stderr;
    assert!(hint.contains("--all-projects"), "{hint}");
    let listed = project.listed(&["--all-projects"]);
    assert_eq!(listed[0]["copy"], "archived", "{listed:?}");
    assert_eq!(listed[0]["state"], "waiting", "{listed:?}");
    for (arguments, expected) in [
        (["--agent", "claude"], 1),
        (["--agent", CODEX], 0),
        (["--since", "2026-05-01"], 1),
        (["--until", "2026-05-01"], 0),
        (["--text", "3E9D6B70"], 1),
        (["--text", "nothing like it"], 0),
    ] {
        let fitting = project.listed(&[&["--all-projects"][..], &arguments].concat());
        assert_eq!(fitting.len(), expected, "{arguments:?}");
    }
    let shown = project.sessions(&["show", DEMO_ID]).succeeded().stdout;
    assert!(shown.contains("Webhook deliveries get lost"), "{shown}");
    let key = format!("claude/{DEMO_ID}");
    let found = project
        .sessions(&["search", "--all-projects", "worker restarts"])
        .succeeded()
        .stdout;
    assert!(found.starts_with(&key), "{found}");

    // As a file: the agent's own bytes, or events.
    let original = project.outside().join("original.jsonl");
    let exported = project
        .sessions(&["export", &key, "-o", original.to_str().unwrap()])
        .succeeded();
    assert!(
        exported.stderr.contains("claude --resume"),
        "{}",
        exported.stderr
    );
    let source = project
        .outside()
        .join(format!(".claude/projects/a/{DEMO_ID}.jsonl"));
    let same = std::fs::read(&original).unwrap() == std::fs::read(source).unwrap();
    assert!(same, "nothing in the fixture is a secret");
    let events = project
        .sessions(&["export", &key, "--as", "jsonl"])
        .succeeded()
        .stdout;
    for line in events.lines() {
        let event: Value = serde_json::from_str(line).unwrap();
        assert!(
            event["role"].is_string() && event["text"].is_string(),
            "{line}"
        );
    }
    assert!(events.lines().count() > 5, "{events}");
}

#[test]
fn a_session_reads_alike_through_every_door() {
    let project = crate::daemon::calm();
    let other = project.outside().join("other");
    std::fs::create_dir_all(other.join(".git")).unwrap();
    project.demo_in("a", &std::fs::canonicalize(other).unwrap());
    project.synced();
    let by_hand = project
        .sessions(&["show", DEMO_ID, "--json"])
        .succeeded()
        .json();
    let daemon = Daemon::start(&project);
    let page = daemon
        .get(&format!("/api/sessions/claude/{DEMO_ID}/events?limit=500"))
        .ok();
    assert_eq!(page["total"], by_hand["total"]);
    let said = |page: &Value| -> Vec<(String, String)> {
        let events = page["events"].as_array().unwrap().iter();
        let text = |event: &Value, key: &str| event[key].as_str().unwrap().to_owned();
        events
            .map(|event| (text(event, "id"), text(event, "text")))
            .collect()
    };
    assert_eq!(said(&page), said(&by_hand));

    // The same as a person reads it: prompts as chapters, a row for each call, the rest of a row on request.
    let of = |path: &str| format!("/api/sessions/claude/{DEMO_ID}/{path}");
    let outline = daemon.get(&of("outline")).ok();
    let rows = daemon.get(&of("rows?limit=200")).ok();
    let all = rows["rows"].as_array().unwrap();
    assert_eq!(
        (&outline["rows"], &outline["events"]),
        (&rows["total"], &page["total"])
    );
    assert_eq!(all.len() as u64, rows["total"]);
    let prompts = all.iter().filter(|row| row["kind"] == "prompt").count();
    assert_eq!(outline["chapters"].as_array().unwrap().len(), prompts);
    let edit = all.iter().find(|row| row["tool"] == "Edit").unwrap();
    assert_eq!(edit["failed"], false, "{edit}");
    let id = edit["id"].as_str().unwrap();
    let body = daemon.get(&of(&format!("rows/{id}"))).ok();
    assert_eq!(body["changes"][0]["path"], edit["text"], "{body}");
    assert!(
        body["changes"][0]["diff"].as_str().unwrap().contains("\n+"),
        "{body}"
    );
    let result = edit["result"].as_str().unwrap();
    let around = daemon
        .get(&of(&format!("rows?limit=5&around={result}")))
        .ok();
    assert_eq!(all[around["around"].as_u64().unwrap() as usize]["id"], id);
    let found = daemon
        .get(&of("find?q=WEBHOOK%20deliveries%20get%20lost"))
        .ok();
    assert_eq!(found["rows"][0], outline["chapters"][0]["row"]);

    // What is purged is not read from what was open.
    project
        .acreta(&["memory", "purge", "--session", DEMO_ID, "--yes"])
        .succeeded();
    assert_eq!(daemon.get(&of("rows")).status, 404);
    assert!(daemon.end().success());
}

#[test]
fn secrets_are_not_in_what_is_read() {
    let project = Project::new();
    let file = project.demo_in("a", &project.real_root());
    let secret = concat!("ghp_", "16C7e42F292c6912E7710c838347Ae178B4a");
    let text = std::fs::read_to_string(&file).unwrap();
    let text = text.replace("No edits yet.", &format!("The token is {secret} for now."));
    project.write(
        &format!(".claude/projects/a/{DEMO_ID}.jsonl"),
        text.as_bytes(),
    );
    project.synced();
    for arguments in [
        &["show", DEMO_ID, "--full"][..],
        &["export", DEMO_ID],
        &["export", DEMO_ID, "--as", "jsonl"],
        &["search", "the token is"],
    ] {
        let printed = project.sessions(arguments).succeeded().stdout;
        assert!(!printed.contains(secret), "{arguments:?}: {printed}");
        assert!(printed.contains("The token is"), "{arguments:?}: {printed}");
    }
}

/// An archive that was tampered with gives an error and not a byte of its text.
#[test]
fn nothing_of_a_replaced_copy_is_printed() {
    let project = Project::new();
    project.demo_in("a", &project.real_root());
    let other = "99999999-2222-4333-8444-555555555555";
    let text = std::fs::read_to_string(fixture(DEMO)).unwrap();
    let text = text.replace(DEMO_ID, other).replace("queue", "zebra");
    project.write(
        &format!(".claude/projects/b/{other}.jsonl"),
        text.as_bytes(),
    );
    project.synced();
    let copies = crate::support::files(&project.home().join("archive/claude"));
    let [first, second] = &copies[..] else {
        panic!("{copies:?}");
    };
    let (own, others) = (
        std::fs::read(first).unwrap(),
        std::fs::read(second).unwrap(),
    );
    for (file, bytes) in [(first, others), (second, own)] {
        let relative = file.strip_prefix(project.outside()).unwrap();
        project.write(relative.to_str().unwrap(), &bytes);
    }
    let printed = project.sessions(&["export", DEMO_ID]);
    assert_eq!(printed.code, 1, "{}", printed.stderr);
    assert_eq!(printed.stdout, "");
}

/// Claude deletes sessions; the prompts stay in its history.
#[test]
fn prompts_outlive_their_session() {
    let project = Project::new();
    let root = project.real_root();
    project.demo_in("a", &root);
    let gone = "11111111-2222-4333-8444-555555555555";
    let line = |id: &str, at: u64, text: &str| {
        serde_json::json!({"display": text, "pastedContents": {}, "timestamp": at,
            "project": root, "sessionId": id})
        .to_string()
    };
    let history = [
        line(
            gone,
            1_778_000_000_000,
            "Why does the importer drop umlauts?",
        ),
        "not a record".to_owned(),
        line(gone, 1_778_000_060_000, "Use NFC everywhere."),
        line(DEMO_ID, 1_778_000_070_000, "This session is known."),
    ];
    project.write(".claude/history.jsonl", history.join("\n").as_bytes());
    project.synced();
    let listed = project.listed(&[]);
    let copies: Vec<(&str, &str)> = listed
        .iter()
        .map(|row| (row["id"].as_str().unwrap(), row["copy"].as_str().unwrap()))
        .collect();
    assert_eq!(copies, [(DEMO_ID, "archived"), (gone, "prompts_only")]);
    let shown = project.sessions(&["show", gone]).succeeded().stdout;
    assert!(shown.contains("prompts only, recovered from"), "{shown}");
    assert!(shown.contains("Use NFC everywhere."), "{shown}");
    let found = project.sessions(&["search", "umlauts"]).succeeded().stdout;
    assert!(found.contains(gone), "{found}");
    project
        .sessions(&["export", gone])
        .failed(1, "only its prompts are left");

    project.acreta(&["connect", "remove", "claude"]).succeeded();
    assert_eq!(project.listed(&[]).len(), 1);
}

#[test]
fn an_excluded_folder_is_neither_archived_nor_learnt() {
    let project = Project::new();
    let root = project.real_root();
    let folder = root.to_str().unwrap();
    project.demo_in("a", &root);
    project.acreta(&["connect", "exclude", folder]).succeeded();
    let listed = project.acreta(&["connect", "list"]).succeeded().stdout;
    assert!(listed.contains(&format!("excluded: {folder}")), "{listed}");
    let report = project.synced();
    for key in ["discovered", "archived", "queued", "ran", "failed"] {
        assert_eq!(report[key], 0, "{key}: {report}");
    }
    assert!(project.listed(&["--all-projects"]).is_empty());

    // A file whose path identifies it is not even opened.
    let slug: String = folder
        .chars()
        .map(|letter| {
            if letter.is_ascii_alphanumeric() {
                letter
            } else {
                '-'
            }
        })
        .collect();
    let unread = project.demo_in(&slug, Path::new("/elsewhere"));
    assert_eq!(project.synced()["discovered"], 0);
    remove(&unread);

    project
        .acreta(&["connect", "exclude", "--remove", folder])
        .succeeded();
    let report = project.synced();
    assert_eq!(
        (&report["archived"], &report["ran"]),
        (&1.into(), &1.into()),
        "{report}"
    );
    project
        .acreta(&["connect", "exclude", "--remove", folder])
        .failed(1, "is not excluded");
}

/// Sessions that were queued and archived before are not learnt from afterwards.
#[test]
fn excluding_a_folder_holds_for_sessions_that_are_known() {
    let project = Project::new();
    let other = project.outside().join("other");
    std::fs::create_dir_all(other.join(".git")).unwrap();
    let other = std::fs::canonicalize(other).unwrap();
    project.demo_in("a", &other);
    project.synced();
    let other = other.to_str().unwrap();
    let said = project
        .acreta(&["connect", "exclude", other])
        .succeeded()
        .stderr;
    assert!(said.contains("1 session was archived before"), "{said}");
    project.acreta(&["project", "add", other]).succeeded();
    let report = project.synced();
    assert_eq!(
        (&report["queued"], &report["ran"]),
        (&0.into(), &0.into()),
        "{report}"
    );

    // A project's own config excludes nothing.
    let project = Project::new();
    project.demo_in("a", &project.real_root());
    project.acreta(&["project", "add"]).succeeded();
    project.acreta(&["project", "trust"]).succeeded();
    let config = format!(
        "[sync]\nexclude = [\"{}\"]\n",
        project.real_root().display()
    );
    project.write("project/.acreta/config.toml", config.as_bytes());
    assert_eq!(project.synced()["ran"], 1);
}

#[test]
fn of_a_file_with_many_sessions_one_or_all_are_taken() {
    let project = Project::new();
    let mut text = String::new();
    for day in 1..=12 {
        text.push_str(&format!(
            "\n# aider chat started at 2026-02-{day:02} 08:30:12\n\n> Aider v0.86.1  \n\n\
             #### always run just check{day} before a commit, please  \n\nI will run it.\n\n"
        ));
    }
    let file = project.write("many/.aider.chat.history.md", text.as_bytes());
    let file = file.to_str().unwrap();
    let refused = project.acreta(&["run", file]);
    let refused = refused.failed(1, "contains 12 sessions").stderr;
    assert!(refused.contains("and 2 older"), "{refused}");
    let newest = refused
        .split_once("--session ")
        .and_then(|(_, rest)| rest.split_once('`'))
        .unwrap()
        .0
        .to_owned();
    assert!(
        refused.contains(&format!("12 sessions: {newest},")),
        "{refused}"
    );

    let reports = project
        .acreta(&["run", file, "--all-sessions", "--json"])
        .succeeded()
        .json();
    let reports = reports.as_array().unwrap();
    assert_eq!(reports.len(), 12, "{reports:?}");
    assert_eq!(reports[11]["session"]["id"], newest.as_str());
    project
        .acreta(&["run", file, "--all-sessions", "--session", &newest])
        .failed(2, "cannot be used with");
}

/// Agents find and read sessions of their own project, as data; of others only if the person allows it.
#[test]
fn agents_read_earlier_sessions_of_their_project() {
    let project = Project::new();
    project.demo_in("a", &project.real_root());
    project.synced();
    let mut client = Client::start(&project);
    let found = client
        .call(
            "session_search",
            json!({ "query": "webhook deliveries lost" }),
        )
        .unwrap();
    let hit = &found["hits"][0];
    assert!(
        hit["text"].as_str().unwrap().contains("deliveries"),
        "{found}"
    );
    assert!(
        found["notice"]
            .as_str()
            .unwrap()
            .contains("not instructions"),
        "{found}"
    );
    let session = hit["session"].clone();
    let part = client
        .call(
            "session_read",
            json!({ "id": session, "around": hit["event"] }),
        )
        .unwrap();
    assert!(part.to_string().contains("deliveries"), "{part}");
    let missing = client
        .call("session_read", json!({ "id": "nobody" }))
        .unwrap_err();
    assert!(missing.contains("no such session"), "{missing}");

    let other = project.outside().join("other");
    std::fs::create_dir_all(other.join(".git")).unwrap();
    let text = std::fs::read_to_string(fixture(DEMO)).unwrap();
    let other = std::fs::canonicalize(other).unwrap();
    let text = text.replace("/home/dev/ledger", other.to_str().unwrap());
    let foreign = "9e9d6b70-51c8-4a2f-8d14-c7f0a9b2e635";
    let text = text.replace(DEMO_ID, foreign);
    project.write(
        &format!(".claude/projects/b/{foreign}.jsonl"),
        text.as_bytes(),
    );
    project.synced();
    let refused = client
        .call("session_read", json!({ "id": foreign }))
        .unwrap_err();
    assert!(
        refused.contains("not a session of this project"),
        "{refused}"
    );
    let found = client
        .call("session_search", json!({ "query": "webhook", "limit": 20 }))
        .unwrap();
    assert!(!found.to_string().contains(foreign), "{found}");
    for query in [
        "webhook project:other",
        "project:/ role:user",
        "project:/ webhook",
    ] {
        let found = client
            .call("session_search", json!({ "query": query, "limit": 20 }))
            .unwrap();
        assert!(!found.to_string().contains(foreign), "{query}: {found}");
    }

    project
        .acreta(&["config", "set", "mcp.sessions", "off"])
        .succeeded();
    let refused = client
        .call("session_search", json!({ "query": "webhook" }))
        .unwrap_err();
    assert!(refused.contains("mcp.sessions"), "{refused}");
}

/// Which files a topic touched, who changed a file or a line and why, and how a command was used.
#[test]
fn what_sessions_did_is_found_by_topic_file_line_and_command() {
    let project = Project::new();
    project.demo_in("a", &project.real_root());
    project.synced();
    let asked = |arguments: &[&str]| project.sessions(&[arguments, &["--json"]].concat());

    let files = asked(&["files", "webhook retries"]).succeeded().json();
    let touched = files["files"].as_array().unwrap();
    let worker = touched.iter().find(|file| {
        let path = file["path"].as_str().unwrap();
        path.ends_with("src/webhook/worker.rs")
    });
    assert!(worker.unwrap()["changes"].as_u64().unwrap() >= 2, "{files}");

    let blamed = asked(&["blame", "src/webhook/worker.rs"])
        .succeeded()
        .json();
    let changes = blamed["changes"].as_array().unwrap();
    assert_eq!(changes.len(), 2, "{blamed}");
    for change in changes {
        assert!(
            change["session"].as_str().unwrap().ends_with(DEMO_ID),
            "{change}"
        );
        assert_eq!(change["tool"], "Edit", "{change}");
        assert!(!change["asked"].as_str().unwrap().is_empty(), "{change}");
    }
    let written =
        "    webhook::jobs::insert(&mut transaction, &Delivery::for_entry(&entry)).await?;";
    let text = std::fs::read_to_string(fixture(DEMO)).unwrap();
    assert!(text.contains(written.trim()), "the fixture has the line");
    project.write(
        "project/src/entries/post.rs",
        format!("// posts entries\n{written}\n").as_bytes(),
    );
    let line = asked(&["blame", "src/entries/post.rs:2"])
        .succeeded()
        .json();
    assert_eq!(line["changes"].as_array().unwrap().len(), 1, "{line}");
    let other = asked(&["blame", "src/entries/post.rs:1"])
        .succeeded()
        .json();
    assert_eq!(other["changes"].as_array().unwrap().len(), 0, "{other}");

    let how = asked(&["how", "cargo test"]).succeeded().json();
    let command = &how["commands"][0];
    assert_eq!(command["command"], "cargo test -p ledger webhook", "{how}");
    assert_eq!(command["worked"], 1, "{how}");
    let unknown = asked(&["how", "terraform"]).succeeded().json();
    assert_eq!(
        unknown["commands"].as_array().unwrap().len(),
        0,
        "{unknown}"
    );
}

/// What was purged is in no file of the index, and what is left is found.
#[test]
fn a_purge_takes_a_session_out_of_the_index() {
    let project = Project::new();
    project.demo_in("a", &project.real_root());
    project.synced();
    project.sessions(&["search", "webhook"]).succeeded();
    let index = project.home().join("session-index");
    let has = |word: &str| {
        let files = std::fs::read_dir(index.join("v1")).unwrap();
        let mut bytes = files.map(|file| std::fs::read(file.unwrap().path()).unwrap_or_default());
        bytes.any(|bytes| {
            bytes
                .windows(word.len())
                .any(|part| part == word.as_bytes())
        })
    };
    assert!(has("webhook"), "the test looks at the right place");
    project
        .acreta(&["memory", "purge", "--session", DEMO_ID, "--yes"])
        .succeeded();
    assert!(!has("webhook"));
    let found = project
        .sessions(&["search", "webhook", "--json"])
        .succeeded();
    assert_eq!(found.json()["hits"].as_array().unwrap().len(), 0);
}

/// Where memory has no answer, what was said in sessions of the project is cited, alike through every door.
#[test]
fn a_question_without_an_answer_cites_sessions() {
    let project = crate::daemon::calm();
    project.demo_in("a", &project.real_root());
    project.synced();
    let question = "From how many seconds does the backoff double?";
    let ask = |arguments: &[&str]| {
        let arguments = [&["ask", question, "--json"], arguments].concat();
        project.acreta(&arguments).succeeded().json()
    };
    let answer = ask(&[]);
    assert_eq!(answer["answered"], false, "{answer}");
    let said = &answer["sessions"][0];
    assert_eq!(said["trust"], "untrusted", "{answer}");
    assert_eq!(
        (&said["session"], &said["role"]),
        (&DEMO_ID.into(), &"assistant".into())
    );
    let passage = said["passage"].as_str().unwrap();
    assert!(
        passage.contains("The backoff doubles from 10 seconds up to one hour."),
        "{passage}"
    );
    let printed = project.acreta(&["ask", question]).succeeded().stdout;
    let (_, cited) = printed
        .split_once("Said in earlier sessions, and never checked:\n")
        .unwrap();
    assert!(
        cited.contains(passage) && cited.contains("(untrusted)"),
        "{printed}"
    );
    // Who asks for certain memories does not mean sessions.
    assert_eq!(ask(&["--type", "decision"])["sessions"], json!([]));
    // A question about nothing that was said.
    let nothing = project.acreta(&["ask", "who painted the harbour?", "--json"]);
    assert_eq!(nothing.succeeded().json()["sessions"], json!([]));

    let daemon = Daemon::start(&project);
    let body = json!({ "question": question });
    assert_eq!(daemon.post("/api/ask", &body).ok(), answer);
    let mut client = Client::start(&project);
    let by_agent = client.call("ask", body.clone()).unwrap();
    let cited = &by_agent["sessions"][0];
    assert_eq!(cited["trust"], "untrusted", "{by_agent}");
    assert_eq!(cited["event"], said["event"], "{by_agent}");
    project
        .acreta(&["config", "set", "mcp.sessions", "off"])
        .succeeded();
    let by_agent = client.call("ask", body).unwrap();
    assert_eq!(by_agent["sessions"], json!([]));
    assert!(daemon.end().success());

    // Sessions of another project are cited if all are meant.
    let other = project.outside().join("other");
    std::fs::create_dir_all(other.join(".git")).unwrap();
    let elsewhere = |arguments: &[&str]| {
        let arguments = [&["ask", question, "--json"], arguments].concat();
        let mut command = project.command(&arguments);
        let answer = ran(command.current_dir(&other).output().unwrap()).succeeded();
        answer.json()["sessions"].as_array().unwrap().len()
    };
    assert_eq!((elsewhere(&[]), elsewhere(&["--all-projects"])), (0, 1));
}
