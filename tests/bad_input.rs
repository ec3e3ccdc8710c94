//! Invalid session files and unwritable folders: a clear error or a diagnostic, the documented exit code, memory
//! unchanged.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::support::{Project, files, fixture, json_file, ran, tree};

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

/// Lines that are nested a million deep, or hold what JSON and text should not, affect nothing else.
#[test]
fn deep_and_odd_lines_cost_themselves() {
    let levels = 1_000_000;
    let said = |content: &str| {
        format!(
            "{{\"type\":\"user\",\"uuid\":\"odd\",\"message\":{{\"role\":\"user\",\"content\":{content}}}}}\n"
        )
    };
    let odd = [
        "[".repeat(levels) + "\n",
        said(&("[".repeat(levels) + &"]".repeat(levels))),
        said(&("{\"a\":".repeat(levels) + "1" + &"}".repeat(levels))),
        said("\"a lone \\ud800 surrogate\""),
        said("\"a \\u0000 in the text\""),
        "\0\0\0\0\n".to_owned(),
        "\u{feff}{}\n".to_owned(),
        "\r\n".to_owned(),
    ];
    let demo = std::fs::read_to_string(fixture("claude/demo-queue-retries.jsonl")).unwrap();
    let clean = Project::new();
    clean.run(&fixture("claude/demo-queue-retries.jsonl"));
    let expected = clean.statements();
    let project = Project::new();
    let mut text = String::from("\u{feff}");
    for (index, line) in demo.lines().enumerate() {
        text.push_str(line);
        text.push_str("\r\n");
        if let Some(odd) = index.checked_sub(4).and_then(|index| odd.get(index)) {
            text.push_str(odd);
        }
    }
    let report = project.run(&project.write("odd.jsonl", text.as_bytes()));
    assert_eq!(project.statements(), expected, "{report}");
    let diagnostics = report["session"]["diagnostics"].as_u64().unwrap();
    assert!((1..=odd.len() as u64).contains(&diagnostics), "{report}");
    let peak = &report["metrics"]["plugins"][0]["peak_memory_bytes"];
    assert!(peak.as_u64().unwrap() < 100 << 20, "{peak}");
    println!(
        "{} odd lines: {diagnostics} diagnostics, {peak} bytes at most",
        odd.len()
    );
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

/// A mistake of a machine: how it is made and which command meets it, exit code, and parts of the message.
#[cfg(unix)]
type Mistake<'a> = (fn(&Project) -> Command, i32, &'a [&'a str]);

#[cfg(unix)]
const MISTAKES: &[Mistake] = &[
    // A session that never ends.
    (
        |project| {
            let pipe = project.outside().join("pipe.jsonl");
            let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
            assert!(made.success());
            project.command(&["run", pipe.to_str().unwrap()])
        },
        1,
        &["pipe.jsonl` is not a regular file", "hint: "],
    ),
    // Files where folders belong, and the other way round.
    (
        |project| {
            let file = project.write("in-the-way", b"");
            let mut command = project.command(&["status"]);
            command.env("ACRETA_HOME", file);
            command
        },
        1,
        &["/in-the-way/", "Not a directory", "`ACRETA_HOME`"],
    ),
    (
        |project| {
            project.write("project/.acreta", b"");
            project.command(&["add", "Builds need LANG=C"])
        },
        1,
        &[
            "/.acreta` is a regular file",
            "hint: acreta needs this name",
        ],
    ),
    (
        |project| {
            std::fs::create_dir(project.home().join("config.toml")).unwrap();
            project.command(&["status"])
        },
        1,
        &["/config.toml` is a directory", "hint: "],
    ),
    (
        |project| {
            std::fs::create_dir(project.home().join("state.db")).unwrap();
            project.command(&["status"])
        },
        1,
        &["/state.db`", "hint: check that "],
    ),
    (
        |project| {
            let file = project.write("cache", b"");
            let demo = fixture("claude/demo-queue-retries.jsonl");
            let mut command = project.command(&["run", demo.to_str().unwrap()]);
            command.env("ACRETA_CACHE_DIR", file);
            command
        },
        1,
        &["/cache", "Not a directory", "`ACRETA_CACHE_DIR`"],
    ),
    // An editor of Windows.
    (
        |project| {
            let text = "[runs]\nkeep = 7\n".encode_utf16();
            let bytes: Vec<u8> = text.flat_map(u16::to_le_bytes).collect();
            project.write("home/config.toml", &[&[0xff, 0xfe][..], &bytes].concat());
            project.command(&["status"])
        },
        1,
        &["/config.toml` is not valid UTF-8", "hint: save it as UTF-8"],
    ),
    // A damaged database does not mean that nothing was registered.
    (
        |project| {
            project.acreta(&["add", "Builds need LANG=C"]).succeeded();
            for name in ["state.db-wal", "state.db-shm"] {
                project.write(&format!("home/{name}"), b"");
            }
            project.write("home/state.db", &[7; 5000]);
            project.command(&["add", "Deploys happen on Tuesday"])
        },
        1,
        &["state.db` is damaged", "hint: move "],
    ),
    (
        |project| {
            std::os::unix::fs::symlink(".claude", project.outside().join(".claude")).unwrap();
            project.command(&["sync"])
        },
        3,
        &[
            "warning: claude: root `claude` cannot be read",
            "/.claude",
            "symbolic links",
        ],
    ),
    (
        |project| {
            project.write(".claude/settings.json", b"[]");
            project.command(&["init", "--yes"])
        },
        3,
        &["settings.json` has something else than an object at its top"],
    ),
    // A folder that was deleted, and a disk that is full.
    (
        |project| {
            let gone = project.outside().join("gone");
            std::fs::create_dir(&gone).unwrap();
            let own = project.command(&["status"]);
            let mut shell = Command::new("sh");
            shell.args(["-c", "rmdir ../gone; exec \"$0\" status"]);
            shell.arg(own.get_program()).current_dir(gone).env_clear();
            shell
                .env("PATH", "/usr/bin:/bin")
                .env("ACRETA_HOME", project.home());
            shell
        },
        1,
        &["the current directory cannot be read", "hint: "],
    ),
    #[cfg(target_os = "linux")]
    (
        |project| {
            let full = std::fs::File::options().write(true).open("/dev/full");
            let mut command = project.command(&["config", "list"]);
            command.stdout(full.unwrap());
            command
        },
        1,
        &["the output could not be written: No space left"],
    ),
];

#[cfg(unix)]
#[test]
fn what_a_machine_has_in_the_first_week_is_told_with_a_remedy() {
    for (mistake, code, said) in MISTAKES {
        let project = Project::new();
        let mut command = mistake(&project);
        let ran = ran(command.stderr(Stdio::piped()).output().unwrap());
        let ran = ran.failed(*code, said[0]);
        for part in *said {
            assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
        }
        assert!(!ran.stderr.contains("is not registered"), "{}", ran.stderr);
    }
}

/// Files use such a time for "never"; calendars do not reach it.
#[test]
fn a_time_that_no_calendar_has_is_ignored() {
    let demo = std::fs::read_to_string(fixture("claude/demo-queue-retries.jsonl")).unwrap();
    let never = demo.replace(
        "\"timestamp\":\"2026-05-11T08:",
        "\"timestamp\":\"9999-12-31T23:",
    );
    assert_ne!(demo, never);
    let project = Project::new();
    let report = project.run(&project.write("never.jsonl", never.as_bytes()));
    assert!(
        report["session"]["diagnostics"].as_u64().unwrap() > 0,
        "{report}"
    );
    assert_eq!(project.statements().len(), 2);
}

/// Thousands of them are known without an adapter.
#[test]
fn empty_session_files_cost_nothing() {
    let project = Project::new();
    for number in 0..300 {
        project.write(&format!(".claude/projects/p/{number}.jsonl"), b"");
    }
    let cache = project.outside().join("cache");
    let mut command = project.command(&["sync", "--json"]);
    command.env("ACRETA_CACHE_DIR", &cache);
    let report = ran(command.output().unwrap()).succeeded().json();
    assert_eq!(report["discovered"], 0, "{report}");
    assert!(files(&cache.join("compiled")).is_empty());
}

#[cfg(unix)]
#[test]
fn a_path_of_several_lines_is_one_row() {
    let project = Project::new();
    let odd = project.outside().join("two\nlines\tand \u{1b}[31m");
    std::fs::create_dir_all(odd.join(".git")).unwrap();
    let mut command = project.command(&["add", "Builds need LANG=C"]);
    ran(command.current_dir(&odd).output().unwrap()).succeeded();
    let listed = project.acreta(&["project", "list"]).succeeded().stdout;
    assert_eq!(listed.lines().count(), 2, "{listed}");
    assert!(listed.contains("two\\nlines\\tand \\u{1b}[31m"), "{listed}");
}

/// A hundred files by hand do not fill the screen.
#[test]
fn ten_problems_of_memory_files_are_told() {
    let project = Project::new();
    for number in 10..23 {
        let id = format!("01JB8Z000000000000000000{number}");
        let text = format!(
            "---\nid: {id}\ntitle: Rule {number}\nkind: convention\ncreated: 2026-01-01T00:00:00Z\nupdated: 2026-01-01T00:00:00Z\nconfidence: 0.9\n---\n\n# Rule {number}\n"
        );
        let file = format!("learnings/20260101-rule-{number}.md");
        let path = project.memory().join(file);
        project.write(path.to_str().unwrap(), text.as_bytes());
    }
    project.acreta(&["project", "add"]).succeeded();
    let ran = project.acreta(&["memory", "list"]).succeeded();
    assert_eq!(
        ran.stderr.matches("front matter has no `source`").count(),
        10
    );
    assert!(
        ran.stderr.contains("and 3 more like these"),
        "{}",
        ran.stderr
    );
}

/// Whoever can commit a file cannot keep acreta from working in a project.
#[test]
fn a_committed_file_does_not_silence_a_project() {
    let project = Project::new();
    project.acreta(&["memory", "add", "Own rule"]).succeeded();
    let works = |context: &str| {
        let brief = project.start();
        assert!(brief.contains("Own rule"), "{context}: {brief}");
        let trace = fixture("claude/demo-queue-retries.jsonl");
        project.run(&trace);
        project.acreta(&["sync"]).succeeded();
        let doctor = project.acreta(&["doctor"]);
        format!("{}{}", doctor.stdout, doctor.stderr)
    };
    for content in [&b"x"[..], &[0xff; 100], &[b'#'; 2 * 1024 * 1024]] {
        let file = project.write("project/.acreta/config.toml", content);
        let listed = project.acreta(&["memory", "list"]).succeeded();
        assert!(
            listed.stderr.contains("/config.toml: ignored: "),
            "{}",
            listed.stderr
        );
        let told = works("config.toml");
        assert!(told.contains("/config.toml: ignored: "), "{told}");
        #[expect(clippy::disallowed_methods, reason = "a test's own scratch file")]
        std::fs::remove_file(file).unwrap();
    }

    // A journal with a right checksum that a commit would never write.
    let digest = acreta_store::digest("evil");
    for (number, target) in ["../x", ".gitignore/beneath-a-file", "meta/lock"]
        .into_iter()
        .enumerate()
    {
        let files = format!(
            "[{{\"target\":\"{target}\",\"old\":null,\"new\":\"{digest}\",\"staged\":\"000000\"}}]"
        );
        let sha256 = acreta_store::digest(&files);
        let journal = format!("project/.acreta/meta/commit/evil-{number}");
        let manifest = format!("{{\"sha256\":\"{sha256}\",\"files\":{files}}}");
        project.write(&format!("{journal}/manifest.json"), manifest.as_bytes());
        project.write(&format!("{journal}/000000"), b"evil");
        let title = format!("Rule number {number} of this project");
        project.acreta(&["memory", "add", &title]).succeeded();
        let told = works(target);
        let name = format!("/.damaged-evil-{number}` is not a change of memory");
        assert!(told.contains(&name), "{target}: {told}");
    }
    assert!(!project.root().join("x").exists());
}
