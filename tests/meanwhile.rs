//! Memory while a model is asked and does not answer: people and agents write, and nothing is lost.

use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use serde_json::json;

use crate::mcp::Client;
use crate::models::{about_the_queue, say};
use crate::support::{Project, Provider, Ran, fixture, ran};

/// Time after which a request that was expected counts as missing.
const PATIENCE: Duration = Duration::from_secs(120);

/// Holds up the answers to some requests.
#[derive(Clone, Default)]
struct Gate(Arc<(Mutex<GateState>, Condvar)>);

#[derive(Default)]
struct GateState {
    is_reached: bool,
    is_open: bool,
}

impl Gate {
    fn pass(&self) {
        let (state, changed) = &*self.0;
        state.lock().unwrap().is_reached = true;
        changed.notify_all();
        let wait = changed.wait_while(state.lock().unwrap(), |state| !state.is_open);
        drop(wait.unwrap());
    }

    fn until_reached(&self) {
        let (state, changed) = &*self.0;
        let state = state.lock().unwrap();
        let wait = changed.wait_timeout_while(state, PATIENCE, |state| !state.is_reached);
        assert!(wait.unwrap().0.is_reached, "the model was not asked");
    }

    fn open(&self) {
        self.0.0.lock().unwrap().is_open = true;
        self.0.1.notify_all();
    }
}

/// A model that does not answer requests for this field while the gate is shut.
fn slow_at(field: &'static str, gate: &Gate) -> Provider {
    let gate = gate.clone();
    Provider::new(move |asked| {
        let has = |field: &str| asked.fields.iter().any(|name| name == field);
        if has(field) {
            gate.pass();
        }
        Ok(match has("verdicts") {
            true => json!({ "verdicts": [{
                "question": 1, "verdict": "same", "archive": "A", "reason": "B says it, too.",
            }] })
            .to_string(),
            false => say(asked, &about_the_queue),
        })
    })
}

fn ids(project: &Project) -> Vec<String> {
    let listed = project.acreta(&["memory", "list", "--json"]).succeeded();
    let listed = listed.json();
    let memories = listed["memories"].as_array().unwrap().iter();
    let own = memories.filter(|memory| memory["type"] != "summary");
    own.map(|memory| memory["id"].as_str().unwrap().to_owned())
        .collect()
}

/// Runs a command whose model does not answer, does `work` meanwhile, and lets the model answer.
fn during(project: &Project, gate: &Gate, arguments: &[&str], work: impl FnOnce()) -> Ran {
    let command = project
        .command(arguments)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    gate.until_reached();
    work();
    gate.open();
    ran(command.wait_with_output().unwrap()).succeeded()
}

/// Writes a session of the project to where Claude Code has them.
fn with_session(project: &Project) {
    let session = std::fs::read_to_string(fixture("claude/demo-queue-retries.jsonl")).unwrap();
    let recorded = "/home/dev/ledger";
    assert!(session.contains(recorded));
    let session = session.replace(recorded, project.root().to_str().unwrap());
    project.write(".claude/projects/demo/session.jsonl", session.as_bytes());
}

#[test]
fn memory_is_written_while_a_model_that_reads_a_session_hangs() {
    // The step of a run that hangs: reading the session, or comparing with memory.
    for hangs_at in ["add", "answers"] {
        let gate = Gate::default();
        let provider = slow_at(hangs_at, &gate);
        let mut project = Project::new();
        let known = "Webhook jobs are kept in a Redis list";
        project.acreta(&["memory", "add", known]).succeeded();
        let known = ids(&project).remove(0);
        with_session(&project);
        project.configure(&provider.settings(&["extract"]));
        during(&project, &gate, &["sync"], || {
            let title = "Invoices are numbered per year";
            project.acreta(&["memory", "add", title]).succeeded();
            project.acreta(&["memory", "confirm", &known]).succeeded();
            project.acreta(&["memory", "archive", &known]).succeeded();
        });
        let titles: Vec<String> = project.statements().into_iter().map(|one| one.0).collect();
        for title in [
            "Invoices are numbered per year",
            "Webhook jobs live in a PostgreSQL table",
        ] {
            assert!(titles.contains(&title.to_owned()), "{hangs_at}: {titles:?}");
        }
        assert!(!ids(&project).contains(&known), "it stays archived");
    }
}

#[test]
fn memory_is_written_while_a_model_that_maintains_it_hangs() {
    let gate = Gate::default();
    let provider = slow_at("verdicts", &gate);
    let mut project = Project::new();
    for (title, body) in [
        (
            "The proxy of the build machine takes a port",
            "Start the server of the build machine elsewhere.",
        ),
        (
            "The build machine runs a proxy on port 8080",
            "The server of the build machine needs another port.",
        ),
    ] {
        let arguments = ["memory", "add", title, "--body", body, "--kind", "pitfall"];
        project.acreta(&arguments).succeeded();
    }
    let [first, second] = <[String; 2]>::try_from(ids(&project)).unwrap();
    project.configure(&provider.settings(&["extract"]));
    during(&project, &gate, &["maintain"], || {
        let title = "Invoices are numbered per year";
        project.acreta(&["memory", "add", title]).succeeded();
        for id in [&first, &second] {
            project.acreta(&["memory", "archive", id]).succeeded();
        }
    });
    assert_eq!(ids(&project).len(), 1, "what was archived stays so");
    // The model was asked about memories that were archived meanwhile: nothing is proposed about them.
    let shown = project.acreta(&["memory", "show", &first, "--json"]);
    let shown = shown.succeeded().stdout;
    assert!(!shown.contains("B says it, too."), "{shown}");
}

/// The person decides while the session is read: it is told without a cause, and it is not done.
#[test]
fn a_session_that_is_cancelled_meanwhile_is_not_done() {
    let gate = Gate::default();
    let provider = slow_at("add", &gate);
    let mut project = Project::new();
    project.acreta(&["project", "add"]).succeeded();
    with_session(&project);
    project.configure(&provider.settings(&["extract"]));
    let synced = during(&project, &gate, &["sync"], || {
        let jobs = project.acreta(&["queue", "list", "--json"]).succeeded();
        let jobs = jobs.json();
        let id = jobs[0]["id"].as_str().unwrap();
        project.acreta(&["queue", "cancel", id]).succeeded();
    });
    assert!(
        synced.stderr.contains(" is cancelled\n"),
        "{}",
        synced.stderr
    );
    let status = project.acreta(&["status"]).succeeded().stdout;
    assert!(status.contains("claude  cancelled  1"), "{status}");
    assert!(!status.contains("done"), "{status}");
}

/// Whoever holds the lock: an agent does not try again, so its note waits.
#[test]
fn a_note_of_an_agent_needs_no_lock() {
    let project = Project::new();
    project.acreta(&["memory", "add", "First"]).succeeded();
    let lock = project.root().join(".acreta/meta/lock");
    let lock = std::fs::File::options().write(true).open(lock).unwrap();
    lock.lock().unwrap();
    let mut client = Client::start(&project);
    let quote = "deploys happen on tuesdays";
    let note = json!({ "title": "Deploys", "kind": "convention", "quote": [quote] });
    let noted = client.call("memory_note", note).unwrap();
    assert_eq!(noted["status"], "noted", "{noted}");
    let body = "The tests share port 8080, so run them one by one.";
    let finding = json!({ "title": "Tests share a port", "body": body, "kind": "pitfall" });
    let added = client.call("memory_add", finding).unwrap();
    assert_eq!(added["action"], "pending", "{added}");
    lock.unlock().unwrap();
    let waiting = project.acreta(&["memory", "pending"]).succeeded().stdout;
    assert_eq!(waiting.lines().count(), 2, "{waiting}");
    let id = added["id"].as_str().unwrap();
    project.acreta(&["memory", "confirm", id]).succeeded();
    assert_eq!(ids(&project).len(), 2);
}
