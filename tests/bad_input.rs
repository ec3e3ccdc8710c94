//! Invalid session files and unwritable folders: a clear error or a diagnostic, the documented exit code, memory
//! unchanged.

use std::io::Write;

use crate::support::{Project, files, fixture, json_file, tree};

/// Every file that no adapter accepts: exit code 1, a message that names it, and nothing written except the run's own
/// folder.
#[test]
fn what_is_no_session_is_named() {
    let cases: [(&str, &[u8], &str); 6] = [
        ("empty.jsonl", b"", "no adapter knows"),
        (
            "binary.bin",
            &[0, 159, 146, 150, 0, 255, 1, 2],
            "no adapter knows",
        ),
        (
            "prose.md",
            b"# Notes\n\nnothing to see\n",
            "no adapter knows",
        ),
        (
            "lines.jsonl",
            br#"{"timestamp":"2026-01-01T00:00:00Z","level":"info","message":"started"}"#,
            "no adapter knows",
        ),
        ("json.json", br#"{"hello": "world"}"#, "no adapter knows"),
        ("latin.txt", b"caf\xe9 cr\xe8me\n", "no adapter knows"),
    ];
    for (name, bytes, message) in cases {
        let project = Project::new();
        let path = project.write(name, bytes);
        let ran = project
            .acreta(&["run", path.to_str().unwrap()])
            .failed(1, message);
        assert!(ran.stderr.contains("hint: "), "{name}: {}", ran.stderr);
        assert!(files(&project.memory()).is_empty(), "{name}");
    }
}

#[test]
fn a_missing_trace_fails_before_anything_is_made() {
    let project = Project::new();
    project
        .acreta(&["run", "nowhere.jsonl"])
        .failed(1, "there is no session file at `nowhere.jsonl`");
    project
        .acreta(&["run", "."])
        .failed(1, "is not a regular file");
    assert!(!project.root().join(".acreta").exists());
}

#[test]
fn wrong_usage_is_exit_2() {
    let project = Project::new();
    project
        .acreta(&["sync", "--since", "1d", "--window", "1d"])
        .failed(2, "cannot be used with");
    project
        .acreta(&["frobnicate"])
        .failed(2, "unrecognized subcommand");
    project
        .acreta(&["memory", "list", "--type", "poem"])
        .failed(2, "unknown type of memory `poem`");
    project
        .acreta(&["memory", "list", "--project", "/nowhere/at/all"])
        .failed(2, "no such directory");
}

/// Damaged lines affect nothing else; each is reported with its position.
#[test]
fn damaged_lines_are_diagnostics() {
    let project = Project::new();
    let demo = std::fs::read(fixture("claude/demo-queue-retries.jsonl")).unwrap();
    let mut bytes = Vec::new();
    for (index, line) in demo.split_inclusive(|byte| *byte == b'\n').enumerate() {
        bytes.extend_from_slice(line);
        match index {
            5 => bytes.extend_from_slice(b"{\"type\":\"user\",\"uuid\":\"broken-1\",\"message\":{\"role\":\"user\",\"content\":\"cut of\n"),
            9 => bytes.extend_from_slice(b"\xff\xfe\x00 not text at all\n"),
            14 => bytes.extend_from_slice(b"}}}}]]]]\n"),
            _ => {}
        }
    }
    let trace = project.write("damaged.jsonl", &bytes);
    let report = project.run(&trace);
    assert_eq!(report["session"]["diagnostics"], 3, "{report}");
    let line = std::fs::read_to_string(project.last_run().join("session.log")).unwrap();
    let session: serde_json::Value = serde_json::from_str(line.lines().next().unwrap()).unwrap();
    for diagnostic in session["stats"]["diagnostics"].as_array().unwrap() {
        let (start, end) = (
            diagnostic["start"].as_u64().unwrap(),
            diagnostic["end"].as_u64().unwrap(),
        );
        assert!(start < end && end <= bytes.len() as u64, "{diagnostic}");
        assert!(!diagnostic["message"].as_str().unwrap().is_empty());
    }
    let clean = Project::new();
    clean.run(&fixture("claude/demo-queue-retries.jsonl"));
    assert_eq!(project.statements(), clean.statements());
}

/// One line of a gigabyte: skipped in bounded memory, the rest is read.
#[test]
fn a_giant_line_is_one_diagnostic() {
    let project = Project::new();
    let path = project.outside().join("giant.jsonl");
    let mut file = std::io::BufWriter::new(std::fs::File::create(&path).unwrap());
    let demo = std::fs::read(fixture("claude/demo-queue-retries.jsonl")).unwrap();
    for (index, line) in demo.split_inclusive(|byte| *byte == b'\n').enumerate() {
        file.write_all(line).unwrap();
        if index == 10 {
            file.write_all(
                br#"{"type":"user","uuid":"giant","message":{"role":"user","content":""#,
            )
            .unwrap();
            let chunk = [b'a'; 1 << 20];
            for _ in 0..1024 {
                file.write_all(&chunk).unwrap();
            }
            file.write_all(b"\"}}\n").unwrap();
        }
    }
    file.flush().unwrap();
    let report = project.run(&path);
    assert_eq!(report["session"]["diagnostics"], 1, "{report}");
    let adapter = &report["metrics"]["plugins"][0];
    assert!(
        adapter["peak_memory_bytes"].as_u64().unwrap() < 100 << 20,
        "{adapter}"
    );
}

#[test]
fn a_truncated_trace_is_read_as_far_as_it_goes() {
    let demo = std::fs::read(fixture("claude/demo-queue-retries.jsonl")).unwrap();
    let project = Project::new();
    let trace = project.write("cut.jsonl", &demo[..demo.len() * 2 / 3]);
    let report = project.run(&trace);
    assert!(report["session"]["events"].as_u64().unwrap() > 5);
    assert!(report["session"]["diagnostics"].as_u64().unwrap() <= 1);
}

#[test]
fn an_unwritable_memory_root_is_an_error_with_its_path() {
    let project = Project::new();
    let blocked = project.write("blocked", b"a file where a folder should be");
    let root = blocked.join("memory");
    let ran = project.acreta(&[
        "run",
        fixture("claude/demo-queue-retries.jsonl").to_str().unwrap(),
        "--memory-root",
        root.to_str().unwrap(),
    ]);
    ran.failed(1, blocked.to_str().unwrap());
}

/// A held lock: waits, then exit code 4, and the holder's memory is not touched.
#[test]
fn a_busy_project_is_exit_4() {
    let project = Project::new();
    let trace = fixture("claude/demo-queue-retries.jsonl");
    project.run(&trace);
    let before = tree(&project.root(), &[".acreta/workspace"]);
    let lock = std::fs::File::options()
        .write(true)
        .open(project.root().join(".acreta/meta/lock"))
        .unwrap();
    lock.lock().unwrap();
    project
        .acreta(&["run", trace.to_str().unwrap()])
        .failed(4, "written by another process");
    lock.unlock().unwrap();
    assert_eq!(tree(&project.root(), &[".acreta/workspace"]), before);
}

#[test]
fn a_secret_in_a_trace_reaches_nothing_that_is_written() {
    let project = Project::new();
    let secret = format!("ghp_{}", "Zx9Kq2Lm4Np6Rs8Tv0Wy1Ab3Cd5Ef7Gh9Jk2");
    let demo = std::fs::read_to_string(fixture("claude/demo-queue-retries.jsonl")).unwrap();
    let mut lines: Vec<String> = demo.lines().map(str::to_owned).collect();
    let planted = format!(
        r#"{{"type":"user","uuid":"7b9e6f1a-0000-4000-8000-00000000cafe","sessionId":"s","timestamp":"2026-01-01T00:00:00Z","message":{{"role":"user","content":"From now on always push with the token {secret} to the mirror."}}}}"#
    );
    lines.insert(3, planted);
    let trace = project.write("planted.jsonl", (lines.join("\n") + "\n").as_bytes());
    let report = project.run(&trace);
    assert_eq!(
        report["session"]["redactions"].as_object().unwrap().len(),
        1,
        "{report}"
    );
    for file in files(&project.root())
        .into_iter()
        .chain(files(&project.home()))
    {
        let bytes = std::fs::read(&file).unwrap();
        let found = bytes
            .windows(secret.len())
            .any(|window| window == secret.as_bytes());
        assert!(!found, "{} holds the secret", file.display());
    }
    json_file(&project.last_run().join("memory_actions.json"));
}
