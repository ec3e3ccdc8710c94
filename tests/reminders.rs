//! Reminders to make notes, which agents get at prompts, and the notes of a session after its compaction.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Project, fixture};

const LONG: &str = "please rename the field everywhere";

impl Project {
    /// Sends a prompt and returns the text that its agent gets.
    fn sent(&self, session: &str, prompt: &str) -> String {
        let said = json!({ "session_id": session, "cwd": self.root(), "prompt": prompt });
        let arguments = ["--agent", "claude", "--json"];
        let ran = self.hook("prompt", &arguments, said.to_string().as_bytes());
        ran.succeeded().json()["text"].as_str().unwrap().to_owned()
    }

    /// Starts a session and returns its brief.
    fn started(&self, session: &str, source: &str) -> String {
        let said = json!({ "session_id": session, "cwd": self.root(), "source": source });
        let ran = self.hook("session-start", &[], said.to_string().as_bytes());
        ran.succeeded().stdout
    }

    /// Records a note as if an agent had made it.
    fn noted(&self, id: &str, session: &str, outcome: (&str, Option<&str>)) {
        let base = self.root().canonicalize().unwrap().join(".acreta");
        let base = base.to_str().unwrap();
        let database = rusqlite::Connection::open(self.home().join("state.db")).unwrap();
        let (outcome, reason) = outcome;
        let far = i64::MAX / 2;
        let quote = format!("Always {id}.");
        database
            .execute(
                "INSERT INTO notes VALUES (?1, ?2, 'claude', ?3, ?4, ?5, ?6)",
                rusqlite::params![base, id, session, far, outcome, reason],
            )
            .unwrap();
        database
            .execute(
                "INSERT INTO pending VALUES (?1, ?2, 'mcp', ?3, '', ?4, 'convention', ?2, '{}', 0, 0, ?5)",
                rusqlite::params![base, id, session, quote, far],
            )
            .unwrap();
    }
}

#[test]
fn an_agent_is_reminded_at_every_third_prompt_of_a_registered_project() {
    let project = Project::new();
    let reminded = |session: &str, prompts: &[&str]| -> Vec<bool> {
        let texts = prompts.iter().map(|prompt| project.sent(session, prompt));
        texts.map(|text| text.contains("memory_note")).collect()
    };
    assert_eq!(reminded("a", &[LONG; 3]), [false; 3], "not registered");
    project.acreta(&["project", "add"]).succeeded();
    assert!(!project.memory().exists(), "there is nothing to recall");
    assert_eq!(
        reminded("b", &[LONG, LONG, LONG, LONG]),
        [false, false, true, false]
    );
    let short = ["yes do that", LONG, "go on", LONG, LONG];
    assert_eq!(reminded("c", &short), [false, false, false, false, true]);
    // Together with a memory, and like it between the marks that adapters cut out.
    let title = "Amounts are kept in integer cents";
    let body = "Floating point loses a cent in every thousand invoices.";
    let add = [
        "memory",
        "add",
        title,
        "--body",
        body,
        "--kind",
        "convention",
    ];
    project.acreta(&add).succeeded();
    reminded("d", &[LONG, LONG]);
    let both = project.sent(
        "d",
        "Should invoice amounts be floats or integer cents here?",
    );
    assert!(both.contains(title) && both.contains("verbatim"), "{both}");
    for part in both.split("<acreta-brief>") {
        let outside = part.rsplit("</acreta-brief>").next().unwrap();
        assert_eq!(outside.trim(), "", "{both}");
    }
    // An agent that made a note needs no reminder; the note of another session does not count.
    project.noted("squash", "e", ("waiting", None));
    assert_eq!(reminded("e", &[LONG; 3]), [false; 3]);
    assert_eq!(reminded("f", &[LONG; 3]), [false, false, true]);
    project.write("home/config.toml", b"[hooks]\nnotes = false\n");
    assert_eq!(reminded("g", &[LONG; 3]), [false; 3]);
}

#[test]
fn after_a_compaction_a_session_is_told_its_own_notes_again() {
    let project = Project::new();
    project.acreta(&["project", "add"]).succeeded();
    for number in 0..10 {
        project.noted(&format!("squash-{number}"), "a", ("waiting", None));
    }
    project.noted("proven", "a", ("proven", None));
    project.noted("other", "b", ("waiting", None));
    for has_memory in [false, true] {
        let told = project.started("a", "compact");
        let notes: Vec<&str> = told.lines().filter(|line| line.contains(" — ")).collect();
        assert_eq!(notes.len(), 8, "{told}");
        assert_eq!(notes[0], "- squash-7 — “Always squash-7.”");
        assert!(told.starts_with("<acreta-brief>\n"), "{told}");
        assert_eq!(told.contains("Use pnpm"), has_memory, "{told}");
        for (session, source) in [("a", "startup"), ("c", "compact"), ("", "compact")] {
            let told = project.started(session, source);
            assert!(!told.contains("squash"), "{session} {source}: {told}");
        }
        assert!(project.started("b", "compact").contains("- other — "));
        let add = [
            "memory",
            "add",
            "Use pnpm, never npm",
            "--kind",
            "convention",
        ];
        project.acreta(&add).succeeded();
    }
    project.noted("refused", "b", ("refused", Some("not the person's words")));
    let status = project.acreta(&["status", "--json"]).succeeded().json();
    let expected = json!({
        "made": 13, "proven": 1, "refused": 1, "refused_here": { "not the person's words": 1 },
    });
    assert_eq!(status["notes"]["claude"], expected);
    let status = project.acreta(&["status"]).succeeded().stderr;
    for line in [
        "13 notes by claude: 1 proven, 1 refused",
        "not the person's words",
    ] {
        assert!(status.contains(line), "{status}");
    }
}

#[test]
fn before_a_compaction_the_session_is_archived_even_if_nothing_is_learnt() {
    let project = Project::new();
    project.acreta(&["project", "add"]).succeeded();
    project.write("home/config.toml", b"[hooks]\nlearn = false\n");
    let session = std::fs::read_to_string(fixture("claude/demo-queue-retries.jsonl")).unwrap();
    let root = project.root();
    let session = session.replace("/home/dev/ledger", root.to_str().unwrap());
    project.write(".claude/projects/ledger/session.jsonl", session.as_bytes());
    let said = json!({ "cwd": root, "hook_event_name": "PreCompact", "trigger": "auto" });
    let arguments = ["--agent", "claude"];
    let ran = project.hook("compact", &arguments, said.to_string().as_bytes());
    assert_eq!(ran.succeeded().stdout, "", "agents would read it");
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let listed = project.acreta(&["sessions", "list", "--all-projects", "--json"]);
        let listed: Value = listed.succeeded().json();
        if listed.to_string().contains("\"archived\"") {
            break;
        }
        assert!(Instant::now() < deadline, "nothing was archived: {listed}");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(!project.memory().exists(), "nothing is learnt");
}
