//! What agents used: `acreta usage`, from sessions whose agents repeat their counts, add them up, or record none.

use serde_json::{Value, json};

use crate::support::Project;

/// Claude Code repeats the counts of a reply on the record of every block, and only the last has all tokens out.
const CLAUDE: &str = r#"{"type":"user","uuid":"u1","sessionId":"S","cwd":"DIR","version":"2.1.0","timestamp":"2026-05-11T23:50:00.000Z","message":{"role":"user","content":"How many boats are in the harbour?"}}
{"type":"assistant","uuid":"a1","sessionId":"S","cwd":"DIR","version":"2.1.0","timestamp":"2026-05-11T23:50:05.000Z","message":{"id":"m1","role":"assistant","model":"claude-opus-4-6","content":[{"type":"text","text":"I count them."}],"usage":{"input_tokens":10,"cache_creation_input_tokens":90,"cache_read_input_tokens":900,"output_tokens":1}}}
{"type":"assistant","uuid":"a2","sessionId":"S","cwd":"DIR","version":"2.1.0","timestamp":"2026-05-11T23:50:06.000Z","message":{"id":"m1","role":"assistant","model":"claude-opus-4-6","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"boats"}}],"usage":{"input_tokens":10,"cache_creation_input_tokens":90,"cache_read_input_tokens":900,"output_tokens":40}}}
{"type":"user","uuid":"u2","sessionId":"S","cwd":"DIR","version":"2.1.0","timestamp":"2026-05-11T23:50:07.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"boats: command not found"}]}}
{"type":"assistant","uuid":"a3","sessionId":"S","cwd":"DIR","version":"2.1.0","timestamp":"2026-05-12T00:01:00.000Z","message":{"id":"m2","role":"assistant","model":"own-model","content":[{"type":"text","text":"Nobody knows."}],"usage":{"input_tokens":5,"output_tokens":2}}}
"#;

/// Codex counts the whole session, repeats a count that did not change, and leaves a request that failed out of `last`.
const CODEX: &str = r#"{"timestamp":"2026-05-12T10:00:00.000Z","type":"session_meta","payload":{"id":"019e1a00-0000-7000-8000-000000000001","timestamp":"2026-05-12T10:00:00.000Z","cwd":"DIR","originator":"codex_cli_rs","cli_version":"0.77.0"}}
{"timestamp":"2026-05-12T10:00:00.100Z","type":"turn_context","payload":{"cwd":"DIR","model":"gpt-5-codex"}}
{"timestamp":"2026-05-12T10:00:01.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Paint the boat green."}]}}
{"timestamp":"2026-05-12T10:00:05.000Z","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":100,"cached_input_tokens":60,"output_tokens":10},"last_token_usage":{"input_tokens":100,"cached_input_tokens":60,"output_tokens":10}}}}
{"timestamp":"2026-05-12T10:00:05.100Z","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":100,"cached_input_tokens":60,"output_tokens":10},"last_token_usage":{"input_tokens":100,"cached_input_tokens":60,"output_tokens":10}}}}
{"timestamp":"2026-05-12T10:00:06.000Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"It is green."}]}}
{"timestamp":"2026-05-12T10:00:09.000Z","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":500,"cached_input_tokens":300,"output_tokens":30},"last_token_usage":{"input_tokens":200,"cached_input_tokens":120,"output_tokens":10}}}}
{"timestamp":"2026-05-12T10:00:10.000Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"And it is dry."}]}}
"#;

/// Droid records no tokens in its sessions.
const DROID: &str = r#"{"type":"session_start","id":"d1","title":"Boats","owner":"mira","version":2,"cwd":"DIR"}
{"type":"message","id":"1","timestamp":"2026-05-12T11:00:00.000Z","message":{"role":"user","content":[{"type":"text","text":"Where is the boat?"}]}}
{"type":"message","id":"2","timestamp":"2026-05-12T11:00:05.000Z","message":{"role":"assistant","content":[{"type":"text","text":"On the lake."}]}}
"#;

impl Project {
    /// Adds a session for each of three agents, as if they had run in the project.
    fn with_usage(self) -> Self {
        let root = std::fs::canonicalize(self.root()).unwrap();
        let of = |text: &str| text.replace("DIR", root.to_str().unwrap()).into_bytes();
        self.write(".claude/projects/boats/S.jsonl", &of(CLAUDE));
        let codex = "rollout-2026-05-12T10-00-00-019e1a00-0000-7000-8000-000000000001.jsonl";
        self.write(&format!(".codex/sessions/2026/05/12/{codex}"), &of(CODEX));
        self.write(".factory/sessions/boats/d1.jsonl", &of(DROID));
        self.acreta(&["sync", "--json"]).succeeded();
        self
    }

    fn usage(&self, arguments: &[&str]) -> Value {
        let fixed = ["usage", "--since", "2026-05-01", "--json"];
        self.acreta(&[&fixed, arguments].concat())
            .succeeded()
            .json()
    }
}

fn row<'a>(report: &'a Value, name: &str) -> &'a Value {
    let rows = report["rows"].as_array().unwrap();
    let row = rows.iter().find(|row| row["name"] == name);
    row.unwrap_or_else(|| panic!("no {name} in {report:#}"))
}

#[test]
fn what_agents_record_is_counted_once() {
    let project = Project::new().with_usage();
    let agents = project.usage(&["--by", "agent"]);
    let claude = row(&agents, "claude");
    let expected = [
        ("sessions", json!(1)),
        ("prompts", json!(1)),
        ("tool_calls", json!(1)),
        ("failed_calls", json!(1)),
        ("active_minutes", json!(2)),
        ("input_tokens", json!(1005)),
        ("output_tokens", json!(42)),
        ("cache_read_tokens", json!(900)),
        ("cache_write_tokens", json!(90)),
        ("unpriced_tokens", json!(7)),
    ];
    for (name, value) in expected {
        assert_eq!(claude[name], value, "{name} of {claude}");
    }
    // 10 fresh at $5 a million, 900 read at a tenth, 90 written at five quarters, 40 out at $25.
    let dollars = (10.0 * 5.0 + 900.0 * 0.5 + 90.0 * 6.25 + 40.0 * 25.0) / 1e6;
    assert!((claude["estimated_dollars"].as_f64().unwrap() - dollars).abs() < 1e-9);

    let codex = row(&agents, "codex");
    assert_eq!(codex["input_tokens"], 500, "{codex}");
    assert_eq!(codex["output_tokens"], 30, "{codex}");
    assert_eq!(codex["cache_read_tokens"], 300, "{codex}");

    let droid = row(&agents, "droid");
    for name in ["input_tokens", "output_tokens", "estimated_dollars"] {
        assert_eq!(droid[name], Value::Null, "{name} of {droid}");
    }
    assert_eq!(droid["sessions_without_tokens"], 1);
    assert_eq!(agents["total"]["sessions"], 3);
    assert_eq!(agents["total"]["input_tokens"], 1505);

    let days = project.usage(&[]);
    assert_eq!(row(&days, "2026-05-11")["output_tokens"], 40, "{days}");
    assert_eq!(row(&days, "2026-05-12")["output_tokens"], 32, "{days}");
    let models = project.usage(&["--by", "model", "--agent", "claude"]);
    assert_eq!(row(&models, "own-model")["input_tokens"], 5, "{models}");
    let later = project.usage(&["--since", "2026-05-12"]);
    assert_eq!(later["rows"].as_array().unwrap().len(), 1, "{later}");
    let here = project.usage(&["--by", "project", "--this-project"]);
    assert_eq!(here["total"]["sessions"], 3, "{here}");
}

#[test]
fn usage_is_a_table_for_people_and_programs() {
    let project = Project::new().with_usage();
    let asked = |arguments: &[&str]| {
        let fixed = ["usage", "--since", "2026-05-01"];
        project.acreta(&[&fixed, arguments].concat()).succeeded()
    };
    let table = asked(&["--by", "agent"]);
    let line = |name: &str| {
        let line = table.stdout.lines().find(|line| line.starts_with(name));
        line.unwrap_or_else(|| panic!("no {name} in {}", table.stdout))
            .split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(line("droid")[7..], ["?", "?", "?", "?"]);
    assert_eq!(line("all")[7..10], ["1.5k+", "1.2k+", "72+"]);
    for said in [
        "1 session recorded no tokens",
        "estimates at the list prices",
    ] {
        assert!(table.stderr.contains(said), "{}", table.stderr);
    }
    let csv = asked(&["--by", "model", "--csv"]).stdout;
    let first = csv.lines().next().unwrap();
    assert!(first.starts_with("name,sessions,"), "{csv}");
    let columns = first.split(',').count();
    assert!(
        csv.lines().all(|line| line.split(',').count() == columns),
        "{csv}"
    );
    assert!(csv.contains("\nown-model,1,0,0,0,0,"), "{csv}");
    // Nothing happened today.
    let status = project.acreta(&["usage", "--statusline"]).succeeded();
    assert_eq!(status.stdout.trim(), "acreta: nothing counted today");
    let wrong = project.acreta(&["usage", "--since", "yesterday"]);
    assert_eq!(wrong.code, 2, "{}", wrong.stderr);
}

#[test]
fn a_purged_session_is_not_counted() {
    let project = Project::new().with_usage();
    assert_eq!(project.usage(&[])["total"]["input_tokens"], 1505);
    project
        .acreta(&["memory", "purge", "--session", "S", "--yes"])
        .succeeded();
    let left = project.usage(&[]);
    assert_eq!(left["total"]["input_tokens"], 500, "{left}");
    assert_eq!(left["total"]["sessions"], 2, "{left}");
}
