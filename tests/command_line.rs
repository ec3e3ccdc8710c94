//! Successful and failing calls of each command. stdout is data, stderr is messages.

use crate::support::{Project, fixture, ran};

#[test]
fn help_starts_with_what_it_is() {
    let project = Project::new();
    let help = project.acreta(&["--help"]).succeeded().stdout;
    assert!(
        help.starts_with("File-first memory for coding agents"),
        "{help}"
    );
    let commands = [
        "run", "sync", "status", "doctor", "queue", "runs", "connect", "memory", "ask", "maintain",
        "context", "hook", "plugin", "config", "project",
    ];
    for command in commands {
        assert!(help.contains(&format!("\n  {command}")), "{help}");
    }
    assert!(help.contains("Exit codes: 0 done"), "{help}");
    let help = project.acreta(&["run", "--help"]).succeeded().stdout;
    assert!(help.starts_with("Learn from a session file,"), "{help}");
}

#[test]
fn a_command_of_memory_is_named_to_whoever_forgets_the_word() {
    let project = Project::new();
    for name in ["export", "import", "purge"] {
        let refused = project.acreta(&[name]).failed(2, "unrecognized subcommand");
        let right = format!("'memory {name}'");
        assert!(refused.stderr.contains(&right), "{}", refused.stderr);
    }
}

#[test]
fn a_purge_of_nothing_says_so() {
    let project = Project::new();
    let purge = ["memory", "purge", "--session", "nope"];
    project
        .acreta(&purge)
        .failed(1, "nothing here is from that source");
}

#[test]
fn a_run_prints_data_on_stdout_and_talk_on_stderr() {
    let project = Project::new();
    let ran = project
        .acreta(&[
            "run",
            fixture("claude/demo-queue-retries.jsonl").to_str().unwrap(),
            "--explain",
        ])
        .succeeded();
    assert!(
        ran.stdout.lines().next().unwrap().starts_with("+ "),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("\n    summaries/"), "{}", ran.stdout);
    assert!(ran.stdout.contains("taken   0."), "{}", ran.stdout);
    assert!(
        ran.stderr.contains("events of claude session"),
        "{}",
        ran.stderr
    );
    assert!(
        !ran.stdout.contains('\u{1b}') && !ran.stderr.contains('\u{1b}'),
        "colours into a pipe"
    );
}

#[test]
fn the_json_payload_has_the_promised_keys() {
    let project = Project::new();
    let report = project.run(&fixture("claude/demo-queue-retries.jsonl"));
    for key in [
        "run_id",
        "run_folder",
        "artifacts",
        "counts",
        "written_memory_paths",
        "summary_path",
        "metrics",
    ] {
        assert!(!report[key].is_null(), "no {key} in {report}");
    }
    for key in [
        "candidates",
        "summaries",
        "denied",
        "explorer_fan_out",
        "explorer_ms",
        "total_ms",
        "plugins",
        "llm",
    ] {
        assert!(
            !report["metrics"][key].is_null(),
            "no metrics.{key} in {report}"
        );
    }
    assert_eq!(report["metrics"]["summaries"], 1);
    assert_eq!(report["metrics"]["denied"], 0);
    for path in report["written_memory_paths"].as_array().unwrap() {
        assert!(
            std::path::Path::new(path.as_str().unwrap()).is_file(),
            "{path}"
        );
    }
}

#[test]
fn memory_is_listed_and_shown_by_a_prefix() {
    let project = Project::new();
    let empty = project.acreta(&["memory", "list"]).succeeded();
    assert_eq!(empty.stdout, "");
    assert!(empty.stderr.contains("no memory yet"), "{}", empty.stderr);
    project.run(&fixture("claude/demo-queue-retries.jsonl"));
    let listed = project
        .acreta(&["memory", "list", "--type", "decision", "--json"])
        .succeeded()
        .json();
    let decision = &listed["memories"][0];
    assert_eq!(decision["type"], "decision");
    assert_eq!(decision["trust"], "grounded");
    let id = decision["id"].as_str().unwrap();
    let shown = project
        .acreta(&["memory", "show", &id.to_lowercase()])
        .succeeded()
        .stdout;
    assert!(
        shown.contains(decision["title"].as_str().unwrap()),
        "{shown}"
    );
    assert!(shown.contains("from claude session"), "{shown}");
    assert!(shown.contains("user ("), "{shown}");
    project
        .acreta(&["memory", "show", "zzz"])
        .failed(1, "no such memory: `zzz`");
    project
        .acreta(&["memory", "show", "00"])
        .failed(2, "`00` matches");
}

#[test]
fn a_broken_memory_file_is_reported_with_its_place() {
    let project = Project::new();
    project.run(&fixture("claude/demo-queue-retries.jsonl"));
    project.write(
        "project/.acreta/memory/decisions/20260101-broken.md",
        b"---\nid: 01J\ntitle: one\ntitle: two\n---\n\nbody\n",
    );
    let listed = project.acreta(&["memory", "list"]).succeeded();
    assert!(
        listed
            .stderr
            .contains("memory/decisions/20260101-broken.md:4:"),
        "{}",
        listed.stderr
    );
}

#[test]
fn settings_have_layers_and_say_where_they_come_from() {
    let mut project = Project::new();
    project.configure("[decide]\nupdate_overlap = 0.8");
    project.write(
        "project/.acreta/config.toml",
        b"[extract]\nmax_candidates = 5\n",
    );
    project.acreta(&["project", "trust"]).succeeded();
    let origin = |key: &str, environment: &[(&str, &str)]| {
        let mut command = project.command(&["config", "list", "--json"]);
        command.envs(environment.iter().copied());
        let listed = crate::support::ran(command.output().unwrap())
            .succeeded()
            .json();
        let entry = listed["settings"]
            .as_array()
            .unwrap()
            .iter()
            .find(|entry| entry["key"] == key)
            .unwrap()
            .clone();
        (
            entry["value"].to_string(),
            entry["origin"].as_str().unwrap().to_owned(),
        )
    };
    assert_eq!(
        origin("runs.keep", &[]),
        ("50".to_owned(), "built-in".to_owned())
    );
    let (value, from) = origin("decide.update_overlap", &[]);
    assert_eq!(value, "0.8");
    assert!(from.ends_with("home/config.toml"), "{from}");
    let (value, from) = origin("extract.max_candidates", &[]);
    assert_eq!(value, "5");
    assert!(from.ends_with("project/.acreta/config.toml"), "{from}");
    let (value, from) = origin(
        "extract.max_candidates",
        &[("ACRETA_EXTRACT__MAX_CANDIDATES", "7")],
    );
    assert_eq!(
        (value.as_str(), from.as_str()),
        ("7", "$ACRETA_EXTRACT__MAX_CANDIDATES")
    );
    let listed = project
        .acreta(&["config", "list", "--origin"])
        .succeeded()
        .stdout;
    assert!(listed.contains("runs.keep = 50"), "{listed}");
}

#[test]
fn a_setting_is_changed_in_place() {
    let mut project = Project::new();
    project.configure("# mine\n[decide]\nupdate_overlap = 0.8 # because");
    project
        .acreta(&["config", "set", "decide.update_overlap", "0.9"])
        .succeeded();
    assert_eq!(
        project
            .acreta(&["config", "get", "decide.update_overlap"])
            .succeeded()
            .stdout,
        "0.9\n"
    );
    let file = std::fs::read_to_string(project.home().join("config.toml")).unwrap();
    assert!(
        file.contains("# mine") && file.contains("# because"),
        "{file}"
    );
    project
        .acreta(&["config", "set", "decide.update_overlap", "a lot"])
        .failed(2, "decide.update_overlap");
    project
        .acreta(&["config", "set", "decide.update_overlapp", "1"])
        .failed(2, "did you mean");
    project
        .acreta(&["config", "get", "no.such.key"])
        .failed(2, "unknown setting");
}

/// A cloned repository cannot silence, loosen, redirect or delete anything, even if it is trusted; settings that shape
/// memory apply if it is.
#[test]
fn a_project_cannot_loosen_anything() {
    let project = Project::new();
    project.write(
        "project/.acreta/config.toml",
        b"[plugins]\nfolder = \"/tmp/evil\"\nadapters = []\n[redact]\nallow = [\"/.*/\"]\n[runs]\nkeep = 1\n\
          [plugin.adapter-claude.limits]\nwall_ms = 99999999\n[hooks]\nlearn = false\n",
    );
    let get = |key: &str| project.acreta(&["config", "get", key]);
    let folder = get("plugins.folder").succeeded();
    assert_eq!(folder.stdout, "\"\"\n");
    let told = |ran: &crate::support::Ran| {
        let count = |words: &str| ran.stderr.matches(words).count();
        (
            count("only your own config can set it"),
            count("acreta project trust"),
        )
    };
    assert_eq!(told(&folder), (5, 1), "{}", folder.stderr);
    get("plugin.adapter-claude.limits.wall_ms").failed(1, "is not set");
    assert_ne!(get("plugins.adapters").succeeded().stdout, "[]\n");
    project.acreta(&["project", "trust"]).succeeded();
    let folder = get("plugins.folder").succeeded();
    assert_eq!(folder.stdout, "\"\"\n");
    assert_eq!(told(&folder), (5, 0), "{}", folder.stderr);
    assert_eq!(get("plugins.adapters").succeeded().stdout, "[]\n");
    project.acreta(&["project", "trust", "--undo"]).succeeded();
    assert_ne!(get("plugins.adapters").succeeded().stdout, "[]\n");
    let listed = project.acreta(&["config", "list", "--json"]).succeeded();
    let ignored = listed.json()["ignored"].clone();
    assert_eq!(ignored.as_array().unwrap().len(), 6, "{ignored}");
    assert!(ignored.to_string().contains("runs.keep"), "{ignored}");
    let doctor = project.acreta(&["doctor"]);
    for part in [
        "hooks.learn",
        "project/.acreta/config.toml:",
        "can stop acreta from learning",
    ] {
        assert!(doctor.stdout.contains(part), "{part}: {}", doctor.stdout);
    }
    let set = ["config", "set", "runs.keep", "1", "--in-project"];
    project.acreta(&set).failed(2, "can delete run folders");
}

#[test]
fn plugins_are_listed_with_their_origin() {
    let project = Project::new();
    project.install("mine", &crate::support::component("hostile-writer"));
    project.write("home/plugins/mine/component.wasm", b"not wasm");
    let listed = project
        .acreta(&["plugin", "list", "--json"])
        .succeeded()
        .json();
    let plugins = listed["plugins"].as_array().unwrap();
    let find = |id: &str| plugins.iter().find(|plugin| plugin["id"] == id).unwrap();
    assert_eq!(find("adapter-claude")["role"], "adapter");
    assert_eq!(find("writer-markdown")["origin"], "built-in");
    assert!(
        find("mine")["problem"]
            .as_str()
            .unwrap()
            .contains("not a WebAssembly file")
    );
    let inspected = project
        .acreta(&["plugin", "inspect", "adapter-claude"])
        .succeeded()
        .stdout;
    assert!(inspected.contains("read-only"), "{inspected}");
    assert!(inspected.contains("~/.claude/projects"), "{inspected}");
    project
        .acreta(&["plugin", "inspect", "nothing"])
        .failed(1, "no such plugin: `nothing`");
}

/// Text of a session is printed escaped.
#[test]
fn escapes_in_a_session_are_shown_not_obeyed() {
    const HIDDEN: &str = "\u{1b}[2J\u{9b}31m\u{202e}\u{e0041}";
    let project = Project::new();
    project.acreta(&["project", "add"]).succeeded();
    project.write(
        "project/.acreta/memory/decisions/20260101-red.md",
        "---\nid: 01J8Z3QK4V5W6X7Y8Z9A0B1C2D\ntitle: \"red \\e[31m alert\"\ncreated: 2026-01-01T00:00:00Z\nupdated: 2026-01-01T00:00:00Z\nsource: hand\nconfidence: 1\ntags: []\nrelated: []\n---\n\nbody HIDDEN\n".replace("HIDDEN", HIDDEN).as_bytes(),
    );
    let shown = project
        .acreta(&["memory", "show", "01J8Z3"])
        .succeeded()
        .stdout;
    assert!(
        !shown.contains('\u{1b}') && !shown.contains('\u{202e}'),
        "{shown:?}"
    );
    let listed = project.acreta(&["memory", "list"]).succeeded().stdout;
    assert!(
        !listed.contains('\u{1b}') && listed.contains("\\u{1b}"),
        "{listed:?}"
    );
    // In JSON the value stays what it is.
    for arguments in [
        &["memory", "show", "01J8Z3", "--json"][..],
        &["memory", "export", "--as", "json"],
        &["memory", "export", "--as", "jsonl"],
    ] {
        let ran = project.acreta(arguments).succeeded();
        for hidden in ['\u{1b}', '\u{9b}', '\u{202e}', '\u{e0041}'] {
            assert!(!ran.stdout.contains(hidden), "{arguments:?}: {ran:?}");
        }
        assert!(ran.stdout.contains("\\u202e"), "{arguments:?}: {ran:?}");
        let value: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        // Written without the escapes.
        let value = value.to_string();
        assert!(value.contains(&HIDDEN[4..]), "{arguments:?}: {value}");
    }
    // A file that is redirected is what it is; at a terminal it is shown.
    let export = ["memory", "export", "--as", "markdown"];
    let piped = project.acreta(&export).succeeded().stdout;
    assert!(piped.contains(HIDDEN), "{piped:?}");
    let Some(shown) = project.at_a_terminal("memory export --as markdown") else {
        return;
    };
    assert!(shown.contains("body \\u{1b}[2J"), "{shown:?}");
    assert!(!shown.contains("\u{1b}[2J"), "{shown:?}");
}

#[test]
fn shells_and_manuals_know_every_command() {
    let project = Project::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = project.acreta(&["completions", shell]).succeeded().stdout;
        for word in ["acreta", "memory", "dry-run"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    let folder = project.outside().join("man/man1");
    project
        .acreta(&["man", &folder.to_string_lossy()])
        .succeeded();
    for (page, says) in [
        ("acreta.1", "File\\-first memory"),
        ("acreta-memory-search.1", "memory search"),
    ] {
        let text = std::fs::read_to_string(folder.join(page)).unwrap();
        assert!(text.contains(says), "{page}: {text}");
    }
}

#[test]
fn a_password_in_a_variable_is_not_shown() {
    let project = Project::new();
    let url = "postgres://reader:correct-horse-7@db.example:5432/acreta";
    for arguments in [
        &["config", "list"][..],
        &["config", "list", "--origin"],
        &["config", "list", "--json"],
        &["config", "get", "state.url"],
        &["config", "get", "state.url", "--json"],
    ] {
        let mut command = project.command(arguments);
        let ran = ran(command.env("ACRETA_STATE__URL", url).output().unwrap()).succeeded();
        assert!(
            ran.stdout.contains("db.example"),
            "{arguments:?}: {}",
            ran.stdout
        );
        let all = format!("{}{}", ran.stdout, ran.stderr);
        assert!(!all.contains("correct-horse"), "{arguments:?}: {all}");
    }
}

/// A limit on the size of files, as on a disk without room.
#[cfg(unix)]
#[test]
fn doctor_notices_that_nothing_can_be_written() {
    let project = Project::new();
    let doctor = project.command(&["doctor", "--json"]);
    let mut shell = std::process::Command::new("sh");
    shell
        .args(["-c", "trap '' XFSZ; ulimit -f 256; exec \"$0\" \"$@\""])
        .arg(doctor.get_program())
        .args(doctor.get_args())
        .current_dir(project.root())
        .env_clear()
        .envs(
            doctor
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        );
    let ran = ran(shell.output().unwrap());
    let checks = ran.json_before_failure();
    let home = checks.as_array().unwrap().iter();
    let home = home
        .filter(|check| check["name"] == "home")
        .collect::<Vec<_>>();
    assert_eq!(home.len(), 1, "{checks}");
    assert_eq!(home[0]["health"], "broken", "{checks}");
}
