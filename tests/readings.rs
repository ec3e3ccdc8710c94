//! Sessions that a model should read: the message if it does not, and that it reads them later. Also that acreta never
//! learns from sessions it caused itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};

use serde_json::json;

use crate::support::{Project, Provider, fixture, ran};

const DEMO: &str = "claude/demo-queue-retries.jsonl";

/// A model that finds nothing, or answers with an HTTP error status.
fn provider(status: &Arc<AtomicU16>) -> Provider {
    let status = Arc::clone(status);
    Provider::new(move |asked| {
        let has = |field: &str| asked.fields.iter().any(|name| name == field);
        match status.load(Ordering::SeqCst) {
            200 if has("add") => Ok(json!({ "add": [], "change": [], "withdraw": [] }).to_string()),
            200 if has("memories") => Ok(json!({ "memories": [], "dropped": [] }).to_string()),
            200 => Ok(json!({
                "title": "A session", "description": "Something was done.",
                "body": "## Asked\nSomething.\n\n## Done\nIt was done.", "open": [],
            })
            .to_string()),
            status => Err(status),
        }
    })
}

/// Makes everything that waits due.
fn time_passes(project: &Project) {
    let database = rusqlite::Connection::open(project.home().join("state.db")).unwrap();
    let changed = database.execute(
        "UPDATE readings SET retry_at_ms = 1 WHERE wait_code NOTNULL",
        [],
    );
    assert!(changed.unwrap() > 0);
}

#[test]
fn a_fallback_is_told_everywhere_and_made_good_later() {
    let status = Arc::new(AtomicU16::new(401));
    let provider = provider(&status);
    let mut project = Project::new();
    project.configure(&provider.settings(&["extract"]));
    let trace = fixture(DEMO);
    let run = project
        .acreta(&["run", trace.to_str().unwrap()])
        .succeeded();
    let last = run.stderr.lines().last().unwrap();
    assert_eq!(
        last,
        "Read without a model: local has no key, or does not accept it. \
         1 session waits and will be read later."
    );
    let by_rules = project.statements();
    assert!(!by_rules.is_empty());

    let runs = project
        .acreta(&["runs", "list", "--json"])
        .succeeded()
        .json();
    let id = runs[0]["run_id"].as_str().unwrap().to_owned();
    let shown = project.acreta(&["runs", "show", &id]).succeeded().stdout;
    assert!(
        shown.contains("read by   rules (rules, incomplete)"),
        "{shown}"
    );
    assert!(shown.contains("because   no-key: "), "{shown}");
    assert!(shown.contains("models    "), "{shown}");

    for arguments in [&["status"][..], &["queue", "list"]] {
        let told = project.acreta(arguments).succeeded().stderr;
        let expected = "1 session waits for a model: local has no key, or does not accept it";
        assert!(told.contains(expected), "{arguments:?}: {told}");
    }
    let status_json = project.acreta(&["status", "--json"]).succeeded().json();
    assert_eq!(status_json["waiting_for_model"][0]["code"], "no-key");
    let doctor = project.acreta(&["doctor"]);
    assert_eq!(doctor.code, 3, "{}", doctor.stdout);
    assert!(
        doctor
            .stdout
            .contains("1 of the last 1 session was read without the model"),
        "{}",
        doctor.stdout
    );

    // No model is asked before its time.
    status.store(200, Ordering::SeqCst);
    let asked = provider.calls();
    project.acreta(&["sync", "--json"]).succeeded();
    assert_eq!(provider.calls(), asked);
    time_passes(&project);
    let report = project.acreta(&["sync", "--json"]).succeeded().json();
    assert_eq!(
        (&report["ran"], &report["fallback"]),
        (&1.into(), &json!(null)),
        "{report}"
    );
    let reading = &report["runs"][0]["reading"];
    assert_eq!(reading["reader"], "local/scripted", "{report}");
    assert_eq!(
        (&reading["strength"], &reading["complete"]),
        (&"model".into(), &false.into())
    );
    let kept = project.statements();
    assert!(
        !kept.is_empty(),
        "a model that finds nothing takes nothing back"
    );

    // A weaker reading of the same session changes nothing, and reports that.
    let again = project
        .acreta(&["run", trace.to_str().unwrap(), "--no-llm"])
        .succeeded();
    assert!(
        again.stderr.contains("memory stays as it is"),
        "{}",
        again.stderr
    );
    assert_eq!(project.statements(), kept);
    let quiet = project.acreta(&["sync", "--json"]).succeeded().json();
    assert_eq!(quiet["ran"], 0, "{quiet}");
}

#[test]
fn a_failing_model_archives_nothing_that_it_found_before() {
    let status = Arc::new(AtomicU16::new(200));
    let provider = provider(&status);
    let mut project = Project::new();
    project.configure(&provider.settings(&["extract"]));
    let trace = fixture(DEMO);
    let report = project.run(&trace);
    assert_eq!(report["reading"]["complete"], true, "{report}");
    let summary = report["summary_path"].clone();
    status.store(500, Ordering::SeqCst);
    #[expect(clippy::disallowed_methods, reason = "a test's own scratch folder")]
    std::fs::remove_dir_all(project.home().join("replies")).unwrap();
    let report = project.run(&trace);
    let reading = &report["reading"];
    assert_eq!(reading["complete"], false, "{report}");
    assert_eq!(report["counts"]["archived"], 0);
    assert!(
        project.statements().is_empty(),
        "rules add nothing to what a model read"
    );
    assert!(std::path::Path::new(summary.as_str().unwrap()).is_file());
}

/// A model's program that nobody waits for any longer would go on, and be paid for.
#[cfg(unix)]
#[test]
fn a_models_program_ends_with_the_acreta_that_started_it() {
    use std::os::unix::fs::PermissionsExt;
    use std::time::{Duration, Instant};
    let mut project = Project::new();
    let started = project.outside().join("started");
    let script = format!(
        "#!/bin/sh\nsleep 600 &\necho $! $$ > {0}.new; mv {0}.new {0}\nsleep 600\n",
        started.display()
    );
    let program = project.write("bin/claude", script.as_bytes());
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&program, executable).unwrap();
    project.configure("[llm.roles.extract]\nprovider = \"claude\"");
    let trace = fixture(DEMO);
    let mut command = project.command(&["run", trace.to_str().unwrap()]);
    let path = format!("{}:/usr/bin:/bin", program.parent().unwrap().display());
    let mut acreta = command
        .env("PATH", path)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while !started.exists() {
        assert!(Instant::now() < deadline, "the program was not started");
        std::thread::sleep(Duration::from_millis(20));
    }
    acreta.kill().unwrap();
    acreta.wait().unwrap();
    let processes = std::fs::read_to_string(&started).unwrap();
    for process in processes.split_whitespace() {
        let is_running = || {
            let listed = std::process::Command::new("ps")
                .args(["-o", "stat=", "-p", process])
                .output()
                .unwrap();
            let state = String::from_utf8_lossy(&listed.stdout).trim().to_owned();
            !state.is_empty() && !state.starts_with('Z')
        };
        while is_running() {
            assert!(Instant::now() < deadline, "process {process} runs on");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

#[test]
fn an_agent_that_acreta_started_gets_no_answer() {
    let project = Project::new();
    project
        .acreta(&[
            "memory",
            "add",
            "Use pnpm, never npm",
            "--body",
            "As agreed.",
        ])
        .succeeded();
    let before = crate::support::files(&project.home());
    for arguments in [
        &["hook", "session-start", "--agent", "claude"][..],
        &["hook", "session-end", "--agent", "claude"],
        &["mcp"],
    ] {
        let mut command = project.command(arguments);
        command
            .env("ACRETA_CHILD", "1")
            .stdin(std::process::Stdio::null());
        let done = ran(command.output().unwrap()).succeeded();
        let said = (done.stdout.as_str(), done.stderr.as_str());
        assert_eq!(said, ("", ""), "{arguments:?}");
    }
    assert_eq!(
        crate::support::files(&project.home()),
        before,
        "nothing is opened"
    );
}

#[test]
fn maintenance_asks_about_what_rules_leave_open_and_only_proposes() {
    let provider = Provider::new(|asked| {
        assert!(asked.fields.iter().any(|name| name == "verdicts"));
        Ok(json!({ "verdicts": [{
            "question": 1, "verdict": "same", "archive": "A", "reason": "B names the port, too.",
        }, {
            "question": 9, "verdict": "same", "archive": "A", "reason": "Nobody asked this.",
        }] })
        .to_string())
    });
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
    project.configure(&provider.settings(&["extract"]));
    let before = project.statements();
    project.acreta(&["maintain", "--no-llm"]).succeeded();
    assert_eq!(provider.calls(), 0);
    let report = project.acreta(&["maintain", "--json"]).succeeded().json();
    assert_eq!(provider.calls(), 1, "{report}");
    assert_eq!(report["counts"]["proposed"], 1, "{report}");
    assert_eq!(report["metrics"]["llm"]["calls"], 1, "{report}");
    let reason = report["actions"][0]["reason"].as_str().unwrap();
    assert!(
        reason.contains("says the same, according to local/scripted: B names the port, too."),
        "{reason}"
    );
    assert_eq!(project.statements(), before, "nothing is archived");
    // A repeated question is answered from the cache, and a proposal is not made twice.
    let again = project.acreta(&["maintain", "--json"]).succeeded().json();
    assert_eq!(
        (provider.calls(), &again["counts"]["proposed"]),
        (1, &0.into())
    );
}
