//! Projects of `plugin new`, using only the commands of `docs/plugins.md`: every role in every language, created, built,
//! checked, tested, installed and run on a session.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Project, fixture, ran};

const NAME: &str = "my-agent";

/// Creates an adapter from nothing until it is used.
fn from_nothing(language: &str) {
    let Some(build) = builder(language) else {
        return;
    };
    let project = Project::new();
    let here = |arguments: &[&str], folder: &Path| {
        ran(project
            .command(arguments)
            .current_dir(folder)
            .output()
            .unwrap())
    };
    here(
        &["plugin", "new", "adapter", NAME, "--lang", language],
        project.outside(),
    )
    .succeeded();
    let folder = project.outside().join(NAME);
    here(&["plugin", "check", "."], &folder).failed(1, "is not built yet");
    build(&project, &folder);
    let checked = here(&["plugin", "check", ".", "--json"], &folder)
        .succeeded()
        .json();
    assert_eq!(checked["role"], "adapter", "{checked}");
    // The template contains enough for every check of its role.
    let tested = here(&["plugin", "test", "."], &folder).succeeded().stdout;
    assert!(
        tested.contains("26 passed, 0 failed, 0 skipped"),
        "{tested}"
    );
    let session = folder.join(format!("fixtures/{NAME}/session.jsonl"));
    let session = session.to_str().unwrap();
    here(
        &[
            "plugin", "test", ".", "--record", "session", "--input", session,
        ],
        &folder,
    )
    .succeeded();
    let tested = here(&["plugin", "test", "."], &folder).succeeded().stdout;
    assert!(tested.contains("0 failed"), "{tested}");
    assert!(tested.contains("case session"), "{tested}");

    // On another path and with only the folder, it does the same.
    let elsewhere = project.outside().join("elsewhere");
    copy(&folder.join("cases"), &elsewhere.join("cases"));
    for name in ["plugin.toml", "my-agent.wasm"] {
        std::fs::copy(folder.join(name), elsewhere.join(name)).unwrap();
    }
    here(&["plugin", "test", ".", "--replay"], &elsewhere).succeeded();

    let installed = here(&["plugin", "install", ".", "--yes"], &folder).succeeded();
    assert!(
        installed.stdout.contains("asks for"),
        "{}",
        installed.stdout
    );
    let waiting = project
        .acreta(&["plugin", "list", "--json"])
        .succeeded()
        .json();
    let row = |listed: &serde_json::Value| {
        let plugins = listed["plugins"].as_array().unwrap();
        plugins
            .iter()
            .find(|row| row["id"] == NAME)
            .unwrap()
            .clone()
    };
    let problem = row(&waiting)["problem"].as_str().unwrap().to_owned();
    assert!(problem.contains("is not granted"), "{problem}");
    // A person inspects before they grant; the folder works like the id.
    for plugin in [NAME, "."] {
        let shown = here(&["plugin", "inspect", plugin], &folder)
            .succeeded()
            .stdout;
        assert!(shown.contains("asks for"), "{plugin}: {shown}");
        let says_no = shown.contains("granted      no: ");
        assert_eq!(says_no, plugin == NAME, "{plugin}: {shown}");
    }
    let unread = project.acreta(&["run", session]);
    let unread = unread.failed(1, "no adapter knows").stderr;
    let command = format!("`acreta plugin grant {NAME}`");
    assert!(unread.contains(&command), "{unread}");
    project
        .acreta(&["plugin", "grant", NAME, "--yes"])
        .succeeded();
    let run = project
        .acreta(&["run", session, "--json"])
        .succeeded()
        .json();
    let agent = format!("{NAME}@{NAME}");
    assert_eq!(run["session"]["agent"], agent, "{run}");
    assert!(run["session"]["events"].as_u64().unwrap() > 0, "{run}");
    // The sample session contains a rule, which is learnt.
    let learnt = run["actions"].as_array().unwrap();
    let rule = "Always run `make check` before you say it is done";
    assert!(learnt.iter().any(|one| one["title"] == rule), "{run}");
    let used = project
        .acreta(&["plugin", "list", "--json"])
        .succeeded()
        .json();
    assert_eq!(row(&used)["use"]["runs"], 1, "{used}");

    // A long session, too, with short and with long lines.
    let long = project.write("long.jsonl", long_session().as_bytes());
    let long = ["run", long.to_str().unwrap(), "--dry-run", "--json"];
    let run = project.acreta(&long).succeeded().json();
    assert_eq!(run["session"]["events"], 200, "{run}");

    // Also where its sessions are stored, and only there.
    let home = project.outside().join(format!(".{NAME}/sessions/s.jsonl"));
    std::fs::create_dir_all(home.parent().unwrap()).unwrap();
    std::fs::copy(session, &home).unwrap();
    let synced = project.acreta(&["sync", "--json"]).succeeded().json();
    let agents = synced["agents"].as_array().unwrap();
    assert!(agents.iter().any(|line| line["agent"] == agent), "{synced}");
    let remove = ["plugin", "remove", NAME];
    project.acreta(&remove).failed(2, "there is no terminal");
    project
        .acreta(&[&remove[..], &["--yes"]].concat())
        .succeeded();
    let gone = project.acreta(&["plugin", "list"]).succeeded().stdout;
    assert!(!gone.contains(NAME), "{gone}");
}

/// Returns a session of 20 MB.
fn long_session() -> String {
    let mut session =
        format!("{{\"type\":\"session\",\"agent\":\"{NAME}\",\"session\":\"long\"}}\n");
    for number in 0..200 {
        let words = if number % 34 == 5 { 330_000 } else { 400 };
        let text = format!("{number:09} ").repeat(words);
        let line = format!("{{\"type\":\"tool_result\",\"call\":\"c\",\"text\":\"{text}\"}}\n");
        session.push_str(&line);
    }
    session
}

fn copy(from: &Path, to: &Path) {
    for file in crate::support::files(from) {
        let target = to.join(file.strip_prefix(from).unwrap());
        std::fs::create_dir_all(target.parent().unwrap()).unwrap();
        std::fs::copy(file, target).unwrap();
    }
}

/// Lets a command find cargo, as in a person's shell.
pub(crate) fn with_cargo(command: &mut Command) -> &mut Command {
    for (name, folder) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
        let own = std::env::home_dir().map(|home| home.join(folder).into_os_string());
        command.envs(std::env::var_os(name).or(own).map(|path| (name, path)));
    }
    command
        .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
        .env("CARGO_NET_OFFLINE", "true")
        .env("CARGO_TARGET_DIR", stamped_target())
}

/// The target folder of all projects of `plugin new`.
fn stamped_target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("stamped-plugins")
}

/// Runs `acreta plugin build` in the folder of a project of `plugin new`.
pub(crate) type Builder = Box<dyn Fn(&Project, &Path)>;

/// Returns what builds a project in this language; `None`, and says so, without the tools of the language.
pub(crate) fn builder(language: &str) -> Option<Builder> {
    let tools = |variable: &str, need, what: &str| {
        let tools = std::env::var_os(variable);
        if tools.is_none() {
            acreta_testing::skip(need, what);
        }
        tools
    };
    let build = |project: &Project, folder: &Path, tool: &OsStr| {
        let mut command = project.command(&["plugin", "build", "."]);
        let command = with_cargo(&mut command).env("COMPONENTIZE_PY", tool);
        ran(command.current_dir(folder).output().unwrap()).succeeded();
    };
    Some(match language {
        "rust" => Box::new(move |project, folder| build(project, folder, OsStr::new(""))),
        #[cfg(unix)]
        "js" => {
            let need = acreta_testing::COMPONENTIZE_JS;
            let tools = tools("ACRETA_COMPONENTIZE_JS", need, "no componentize-js")?;
            Box::new(move |project, folder| {
                // In place of `npm install`.
                std::os::unix::fs::symlink(&tools, folder.join("node_modules")).unwrap();
                build(project, folder, OsStr::new(""));
            })
        }
        "python" => {
            let need = acreta_testing::COMPONENTIZE_PY;
            let tool = tools("ACRETA_COMPONENTIZE_PY", need, "no componentize-py")?;
            Box::new(move |project, folder| build(project, folder, &tool))
        }
        other => panic!("nothing builds {other} here"),
    })
}

#[test]
fn a_rust_adapter_from_nothing_to_its_first_session() {
    from_nothing("rust");
}

#[cfg(unix)]
#[test]
fn a_js_adapter_from_nothing_to_its_first_session() {
    from_nothing("js");
}

#[test]
fn a_python_adapter_from_nothing_to_its_first_session() {
    from_nothing("python");
}

/// The other roles: a new project becomes one file that does what its role requires, is installed, and takes part in a run.
fn every_other_role(language: &str) {
    let Some(build) = builder(language) else {
        return;
    };
    for role in ["extractor", "explorer", "memory-writer"] {
        let project = Project::new();
        let name = format!("my-{role}");
        let folder = project.outside().join(&name);
        let here = |arguments: &[&str], folder: &Path| {
            let mut command = project.command(arguments);
            ran(with_cargo(&mut command)
                .current_dir(folder)
                .output()
                .unwrap())
            .succeeded()
        };
        let new = ["plugin", "new", role, &name, "--lang", language];
        here(&new, project.outside());
        build(&project, &folder);
        let checked = here(&["plugin", "check", "."], &folder).stdout;
        assert!(
            checked.contains("its manifest is inside"),
            "{role}: {checked}"
        );
        let tested = here(&["plugin", "test", "."], &folder).stdout;
        assert!(tested.contains(" 0 failed"), "{role}: {tested}");
        let file = folder.join(&name).with_extension("wasm");
        let file = file.to_str().unwrap();
        here(&["plugin", "install", file, "--yes"], project.outside());

        let session = fixture("claude/demo-queue-retries.jsonl");
        let run = ["run", session.to_str().unwrap(), "--plugin", file];
        let run = project.acreta(&[&run[..], &["--no-llm", "--json"]].concat());
        let run = run.succeeded().json();
        assert!(!run["actions"].as_array().unwrap().is_empty(), "{run}");
        let used = run["metrics"]["plugins"].as_array().unwrap();
        let used = used.iter().find(|plugin| plugin["id"] == *name);
        assert!(used.unwrap()["calls"].as_u64().unwrap() > 0, "{run}");
    }
}

#[test]
fn every_other_role_in_rust() {
    every_other_role("rust");
}

#[cfg(unix)]
#[test]
fn every_other_role_in_javascript() {
    every_other_role("js");
}

#[test]
fn every_other_role_in_python() {
    every_other_role("python");
}
