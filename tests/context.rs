//! `acreta context …` in a small repository: its output, files it never opens, and that asking twice changes nothing.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use serde_json::Value;

use crate::support::Project;

/// A repository with two modules, a binary, a test, and a file with a secret.
fn repository() -> Project {
    let project = Project::new();
    let files = [
        (
            "Cargo.toml",
            "[package]\nname = \"ledger\"\nversion = \"0.1.0\"\n",
        ),
        (
            "src/main.rs",
            "mod queue;\nmod store;\nfn main() {\n    queue::push(store::open());\n}\n",
        ),
        (
            "src/queue.rs",
            "/// Retries a batch.\npub fn push(batch: u32) -> u32 {\n    batch\n}\n",
        ),
        (
            "src/store.rs",
            "/// Opens a batch.\npub fn open() -> u32 {\n    7\n}\n",
        ),
        ("tests/queue.rs", "#[test]\nfn pushes() {}\n"),
        (".env", "LEDGER_TOKEN=canary-7f3a9c\n"),
    ];
    for (path, text) in files {
        project.write(&format!("project/{path}"), text.as_bytes());
    }
    project.git(&["init", "--quiet"]);
    project.git(&["add", "--all", "--force"]);
    project.git(&["commit", "--quiet", "-m", "first"]);
    project
}

fn ask(project: &Project, arguments: &[&str]) -> Value {
    let arguments: Vec<&str> = [&["context"], arguments, &["--json"]].concat();
    project.acreta(&arguments).succeeded().json()
}

fn changes(answer: &Value) -> Vec<String> {
    let files = answer["delta"]["files"].as_array().unwrap();
    files
        .iter()
        .map(|file| {
            let change = file["change"].as_str().unwrap();
            format!("{change} {}", file["path"].as_str().unwrap())
        })
        .collect()
}

#[test]
fn a_project_is_explored_once_and_then_known() {
    let project = repository();
    let first = ask(&project, &["explore"]);
    assert_eq!(first["cache_status"], "miss");
    let keys: Vec<&str> = first
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(
        keys,
        [
            "command",
            "project_root",
            "project_id",
            "cache_status",
            "freshness",
            "stats",
            "delta",
            "slice"
        ]
    );
    let entry_points = first["slice"]["entry_points"].to_string();
    assert!(entry_points.contains("src/main.rs"), "{entry_points}");
    let commands = first["slice"]["commands"].to_string();
    assert!(commands.contains("cargo test"), "{commands}");
    let again = || {
        project
            .acreta(&["context", "explore", "--json"])
            .succeeded()
            .stdout
    };
    // A file written at the moment of the scan is read again until that moment has passed.
    let settled = (0..500).map(|_| again()).find(|answer| {
        let answer: Value = serde_json::from_str(answer).unwrap();
        assert_eq!(answer["cache_status"], "hit");
        assert_eq!(answer["freshness"], "fresh");
        answer["stats"]["rehashed_entries"] == 0
    });
    let settled = settled.expect("nothing is read again at last");
    assert_eq!(settled, again(), "the same question, the same bytes");
}

#[test]
fn a_delta_keeps_nothing_and_exploring_does() {
    let project = repository();
    ask(&project, &["explore"]);
    project.write("project/src/store.rs", b"pub fn open() -> u32 { 8 }\n");
    project.write("project/src/cache.rs", b"pub fn warm() {}\n");
    let expected = ["added src/cache.rs", "modified src/store.rs"];
    for _ in 0..2 {
        let delta = ask(&project, &["delta"]);
        assert_eq!(delta["freshness"], "dirty");
        assert_eq!(changes(&delta), expected);
    }
    assert_eq!(changes(&ask(&project, &["explore"])), expected);
    assert!(changes(&ask(&project, &["delta"])).is_empty());
    let since = ask(&project, &["delta", "--since", "HEAD"]);
    assert_eq!(changes(&since), expected);
    let refreshed = ask(&project, &["refresh"]);
    assert_eq!(refreshed["cache_status"], "refreshed");
    let text = project
        .acreta(&["context", "delta", "--since", "HEAD"])
        .succeeded();
    assert!(text.stdout.contains("M src/store.rs"), "{}", text.stdout);
    assert!(text.stdout.contains("A src/cache.rs"), "{}", text.stdout);
}

#[test]
fn secrets_are_listed_by_name_and_never_shown() {
    let project = repository();
    let allow = "[context.sensitive]\nallow = [\".env\"]\ndeny = [\"src/queue.rs\"]\n";
    project.write("project/.acreta/config.toml", allow.as_bytes());
    let query = ["--query", "canary-7f3a9c push a batch LEDGER_TOKEN"];
    let explored = project
        .acreta(
            &[
                &["context", "explore", "--detail", "verbose", "--json"],
                &query[..],
            ]
            .concat(),
        )
        .succeeded();
    let answer = explored.json();
    let skipped = answer["stats"]["skipped"].to_string();
    for path in [".env", "src/queue.rs"] {
        assert!(skipped.contains(&format!("\"{path}\"")), "{skipped}");
    }
    assert!(!explored.stdout.contains("canary"), "{}", explored.stdout);
    assert!(
        explored.stderr.contains("context.sensitive.allow"),
        "a project nobody vouched for must not loosen it: {}",
        explored.stderr
    );
    let answer = ask(&project, &["explore", "--query", "canary-7f3a9c"]);
    let matches = answer["matches"].to_string();
    assert!(!matches.contains(".env"), "it was read: {matches}");
}

#[test]
fn memory_says_which_of_two_files_a_task_is_about() {
    let project = repository();
    let module = |name: &str| format!("pub fn settle_{name}() {{}} // settles invoices\n");
    for name in ["alpha", "omega"] {
        let path = format!("project/src/{name}.rs");
        project.write(&path, module(name).as_bytes());
    }
    let ask_first = || {
        let answer = ask(&project, &["explore", "--query", "invoices settle wrongly"]);
        answer["matches"][0]["path"].as_str().unwrap().to_owned()
    };
    let before = ask_first();
    let other = match before.as_str() {
        "src/alpha.rs" => "src/omega.rs",
        _ => "src/alpha.rs",
    };
    let body = format!("When invoices settle wrongly the cause is the rounding in `{other}`.");
    project
        .acreta(&[
            "memory",
            "add",
            "Invoices settle wrongly by rounding",
            "--body",
            &body,
        ])
        .succeeded();
    assert_eq!(ask_first(), other);
}

#[test]
fn a_budget_is_kept_and_savings_are_counted() {
    let project = repository();
    let long = "pub fn one_of_many(argument: u32) -> u32 { argument + 1 }\n".repeat(400);
    let main = format!("mod queue;\nfn main() {{}}\n{long}");
    project.write("project/src/main.rs", main.as_bytes());
    let nothing = project.acreta(&["context", "gain"]).succeeded();
    assert!(nothing.stderr.contains("no answers about this project"));
    let small = project
        .acreta(&["context", "explore", "--json", "--budget", "200"])
        .succeeded();
    assert!(
        acreta_text::count_tokens(&small.stdout) <= 201,
        "{}",
        small.stdout
    );
    assert_eq!(small.json()["truncated"], true);
    ask(&project, &["explore"]);
    let gain = project
        .acreta(&["context", "gain", "--json"])
        .succeeded()
        .json();
    assert_eq!(gain["served"], 2);
    assert_eq!(gain["hits"], 1);
    assert!(gain["served_tokens"].as_u64() > Some(100));
    assert!(gain["file_tokens"].as_u64() > gain["served_tokens"].as_u64());
}

#[test]
fn what_cannot_be_explored_is_said() {
    let project = repository();
    let file = project.root().join("Cargo.toml");
    let table = [
        (
            vec!["explore", file.to_str().unwrap()],
            2,
            "is not a directory",
        ),
        (
            vec!["explore", "/no/such/place"],
            1,
            "could not read the project",
        ),
        (
            vec!["delta", "--since", "no-such-revision"],
            2,
            "unknown revision",
        ),
        (vec!["delta", "--since=--output=x"], 2, "revision"),
        (vec!["explore", "--detail", "endless"], 2, "invalid value"),
        (vec!["watch", "--interval", "0"], 2, "0 is not in"),
    ];
    for (arguments, code, message) in table {
        let arguments = [&["context"], arguments.as_slice()].concat();
        project.acreta(&arguments).failed(code, message);
    }
}

#[test]
fn a_watch_tells_of_a_change() {
    let project = repository();
    let mut watch = project
        .command(&["context", "watch", "--json", "--interval", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = String::new();
    let mut stderr = BufReader::new(watch.stderr.take().unwrap());
    stderr.read_line(&mut said).unwrap();
    assert!(said.contains("watching 6 files"), "{said}");
    project.write("project/src/store.rs", b"pub fn open() -> u32 { 9 }\n");
    let mut told = String::new();
    let mut stdout = BufReader::new(watch.stdout.take().unwrap());
    stdout.read_line(&mut told).unwrap();
    watch.kill().unwrap();
    watch.wait().unwrap();
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(changes(&told), ["modified src/store.rs"]);
}
