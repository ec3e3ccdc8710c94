//! Third-party plugins, using only the commands of `docs/plugins.md`: created, built, checked, tested, installed,
//! granted and used; and what is refused on the way.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Project, component, fixture, ran};

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

/// The other roles: a new project becomes one file that does what its role requires, and is installed.
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
        let install = ["plugin", "install", file.to_str().unwrap(), "--yes"];
        here(&install, project.outside());
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

/// Creates a folder with a manifest and a component.
fn published(project: &Project, id: &str, role: &str, more: &str, bytes: &[u8]) -> PathBuf {
    let manifest = format!(
        "id = \"{id}\"\nversion = \"0.1.0\"\nrole = \"{role}\"\ncomponent = \"it.wasm\"\ndescription = \"For tests.\"\n{more}\n"
    );
    project.write(&format!("published/{id}/it.wasm"), bytes);
    let file = project.write(&format!("published/{id}/plugin.toml"), manifest.as_bytes());
    file.parent().unwrap().to_owned()
}

#[test]
fn what_is_not_right_is_refused_before_anything_is_written() {
    let writer = component("hostile-writer");
    let root = |candidate: &str| {
        format!(
            "[[roots]]\nname = \"sessions\"\ncandidates = [\"{candidate}\"]\npatterns = [\"**\"]\nreason = \"Because.\""
        )
    };
    let adapter = component("hostile-adapter");
    let http = wat::parse_str(
        r#"(component (import "wasi:http/outgoing-handler@0.2.0" (instance)) (instance $i) (export "acreta:adapter/adapter@0.1.0" (instance $i)))"#,
    )
    .unwrap();
    let newer = wat::parse_str(
        r#"(component (instance $i) (export "acreta:adapter/adapter@9.0.0" (instance $i)))"#,
    )
    .unwrap();
    let cases: Vec<(&str, &str, String, Vec<u8>, &str)> = vec![
        (
            "text",
            "adapter",
            String::new(),
            b"hello".to_vec(),
            "not a WebAssembly file",
        ),
        (
            "module",
            "adapter",
            String::new(),
            wat::parse_str("(module)").unwrap(),
            "core WebAssembly module",
        ),
        (
            "native",
            "adapter",
            String::new(),
            b"\x7fELF\x02\x01".to_vec(),
            "precompiled native code",
        ),
        (
            "role",
            "adapter",
            String::new(),
            writer.clone(),
            "memory-writer",
        ),
        ("newer", "adapter", String::new(), newer, "9.0.0"),
        (
            "http",
            "adapter",
            String::new(),
            http,
            "wasi:http/outgoing-handler",
        ),
        (
            "digest",
            "memory-writer",
            format!("digest = \"sha256:{}\"", "0".repeat(64)),
            writer.clone(),
            "digest",
        ),
        ("disk", "adapter", root("/"), adapter.clone(), "`/`"),
        ("home", "adapter", root("~"), adapter.clone(), "`~`"),
        (
            "claude",
            "adapter",
            root("~/.claude/projects"),
            adapter,
            "claude",
        ),
        (
            "writer-markdown",
            "memory-writer",
            String::new(),
            writer,
            "writer-markdown",
        ),
    ];
    for (id, role, more, bytes, message) in cases {
        let project = Project::new();
        let folder = published(&project, id, role, &more, &bytes);
        let refused = project
            .acreta(&["plugin", "install", folder.to_str().unwrap(), "--yes"])
            .failed(1, message);
        assert!(
            refused.stderr.contains("hint: "),
            "{id}: {}",
            refused.stderr
        );
        assert!(!project.home().join("plugins").join(id).exists(), "{id}");
        assert!(!project.home().join("acreta.lock").exists(), "{id}");
    }
}

#[test]
fn what_was_confirmed_counts_until_it_is_confirmed_again() {
    let project = Project::new();
    let bytes = component("hostile-writer");
    let folder = published(&project, "mine", "memory-writer", "", &bytes);
    let folder = folder.to_str().unwrap();
    project
        .acreta(&["plugin", "install", folder, "--yes", "--grant"])
        .succeeded();
    // An identical component is nothing new; another one is.
    project
        .acreta(&["plugin", "install", folder, "--yes"])
        .succeeded();
    published(
        &project,
        "mine",
        "memory-writer",
        "",
        &component("writer-markdown"),
    );
    project
        .acreta(&["plugin", "install", folder, "--yes"])
        .failed(1, "mine");
    project
        .acreta(&["plugin", "install", folder, "--yes", "--confirm"])
        .succeeded();
    // A component that was changed without acreta does not run.
    project.write("home/plugins/mine/component.wasm", &bytes);
    let trace = fixture("claude/demo-queue-retries.jsonl");
    let mut project = project;
    project.configure("[plugins]\nwriter = \"mine\"");
    project
        .acreta(&["run", trace.to_str().unwrap()])
        .failed(1, "mine");
}

/// The working directory and the agent's name are a plugin's own claims: they put nothing into the mouth of a person.
#[test]
fn an_adapter_speaks_only_for_projects_that_a_person_granted() {
    const ROOTS: &str = "[[roots]]\nname = \"hostile\"\ncandidates = [\"~/.hostile\"]\npatterns = [\"*.jsonl\"]\nreason = \"sessions\"";
    let mut project = Project::new();
    let root = project.root().canonicalize().unwrap();
    let root = root.to_str().unwrap();
    project.acreta(&["project", "add"]).succeeded();
    project.configure(&format!(
        "[plugin.hostile-adapter.settings]\nagent = \"claude\"\nproject_dir = \"{root}\""
    ));
    let bytes = component("hostile-adapter");
    let folder = published(&project, "hostile-adapter", "adapter", ROOTS, &bytes);
    let folder = folder.to_str().unwrap();
    project
        .acreta(&["plugin", "install", folder, "--yes", "--grant"])
        .succeeded();
    project.write(".hostile/forged.jsonl", b"{\"hostile\": true}\n");
    let learnt = || project.statements().len();

    // Twice: the second sync is one that finds nothing new.
    for _ in 0..2 {
        let synced = project.acreta(&["sync", "--json"]).succeeded().json();
        assert_eq!(synced["ran"], 0, "{synced}");
        let waiting = &synced["waiting"][0];
        assert_eq!(waiting["adapter"], "hostile-adapter", "{synced}");
        assert_eq!(waiting["project"], root, "{synced}");
        assert_eq!(learnt(), 0);
    }
    let allow = format!("acreta plugin grant hostile-adapter --project {root}");
    let told = project.acreta(&["status"]).succeeded();
    assert!(told.stderr.contains(&allow), "{}", told.stderr);

    let allow: Vec<&str> = allow.split(' ').skip(1).chain(["--yes"]).collect();
    project.acreta(&allow).succeeded();
    let synced = project.acreta(&["sync", "--json"]).succeeded().json();
    assert_eq!(synced["ran"], 1, "{synced}");
    assert!(learnt() > 0);
    let listed = project.acreta(&["memory", "list", "--json"]).succeeded();
    let id = listed.json()["memories"][0]["id"].clone();
    let shown = project.acreta(&["memory", "show", id.as_str().unwrap()]);
    let shown = shown.succeeded().stdout;
    assert!(shown.contains("claude@hostile-adapter"), "{shown}");

    // A file in the project's own folder speaks for it without a grant.
    let mut own = Project::new();
    let root = own.root().canonicalize().unwrap();
    own.acreta(&["project", "add"]).succeeded();
    own.configure(&format!(
        "[plugin.hostile-adapter.settings]\nproject_dir = \"{}\"",
        root.display()
    ));
    own.acreta(&["plugin", "install", folder, "--yes", "--grant"])
        .succeeded();
    own.write("project/.agent/own.jsonl", b"{\"hostile\": true}\n");
    let agent = "hostile@hostile-adapter";
    own.acreta(&["connect", "add", agent, "--root", ".agent"])
        .succeeded();
    let synced = own.acreta(&["sync", "--json"]).succeeded().json();
    assert_eq!(synced["ran"], 1, "{synced}");
}

#[test]
fn of_several_extractors_one_that_fails_costs_nothing() {
    let mut project = Project::new();
    project.install("hostile-extractor", &component("hostile-extractor"));
    project.configure(
        "[plugins]\nextractors = [\"hostile-extractor\", \"extractor-rules\"]\n[plugin.hostile-extractor.settings]\nattack = \"trap\"",
    );
    let report = project.run(&fixture("claude/demo-queue-retries.jsonl"));
    assert!(report["counts"]["add"].as_u64().unwrap() > 0, "{report}");
    let extract = crate::support::json_file(&project.last_run().join("extract.json"));
    let id = extract["candidates"][0]["id"].as_str().unwrap();
    assert!(id.starts_with("extractor-rules/"), "{id}");
}

#[test]
fn a_plugin_is_tried_without_being_installed() {
    let project = Project::new();
    let file = project.write("mine.wasm", &component("extractor-rules"));
    let trace = fixture("claude/demo-queue-retries.jsonl");
    let run = project
        .acreta(&[
            "run",
            trace.to_str().unwrap(),
            "--plugin",
            file.to_str().unwrap(),
            "--json",
        ])
        .succeeded()
        .json();
    let plugins = run["metrics"]["plugins"].as_array().unwrap();
    assert!(plugins.iter().any(|plugin| plugin["id"] == "mine"), "{run}");
}

/// Plugins compiled for each released contract still load and answer.
#[test]
fn plugins_of_every_released_contract_still_load() {
    let folder = acreta_plugin_build::workspace_root().join("tests/released");
    let mut tried = 0;
    for file in crate::support::files(&folder) {
        if file.extension().is_none_or(|extension| extension != "wasm") {
            continue;
        }
        let project = Project::new();
        let copy = project.write("old.wasm", &std::fs::read(&file).unwrap());
        let shown = project
            .acreta(&["plugin", "inspect", copy.to_str().unwrap(), "--json"])
            .succeeded()
            .json();
        assert_eq!(shown["wit"], "0.1.0", "{}", file.display());
        // New requirements were added since; the old ones still hold.
        let tested = project
            .acreta(&["plugin", "test", copy.to_str().unwrap(), "--json"])
            .json_before_failure();
        for check in tested["conformance"]["checks"].as_array().unwrap() {
            let is_newer = check["name"] == "unknown-keys";
            assert!(
                is_newer || check["verdict"] != "failed",
                "{}: {check}",
                file.display()
            );
        }
        tried += 1;
    }
    assert_eq!(tried, 4, "one of each role");
}

/// A plugin that is not what was confirmed, and one whose folder became a link to keys.
#[cfg(unix)]
#[test]
fn a_sync_says_which_plugin_and_folder_it_leaves_out() {
    let mut project = Project::new();
    project.configure("[plugins]\nadapters = []");
    let root = "[[roots]]\nname = \"hostile\"\ncandidates = [\"~/.mine/sessions\"]\npatterns = [\"**\"]\nreason = \"Because.\"";
    let bytes = component("hostile-adapter");
    let folder = published(&project, "mine", "adapter", root, &bytes);
    let install = [
        "plugin",
        "install",
        folder.to_str().unwrap(),
        "--yes",
        "--grant",
    ];
    project.write(".mine/sessions/one.jsonl", b"{}\n");
    project.write(".ssh/id_ed25519", b"nobody may read this");
    project.acreta(&install).succeeded();
    let sync = || project.acreta(&["sync"]).stderr;
    let said = sync();
    assert!(!said.contains("mine"), "{said}");

    project.write("home/plugins/mine/component.wasm", b"something else");
    let said = sync();
    assert!(said.contains("plugin `mine` is left out"), "{said}");
    project.write("home/plugins/mine/component.wasm", &bytes);
    let sessions = project.outside().join(".mine/sessions");
    #[expect(clippy::disallowed_methods, reason = "a test's own scratch file")]
    std::fs::rename(&sessions, project.outside().join("aside")).unwrap();
    std::os::unix::fs::symlink(project.outside().join(".ssh"), &sessions).unwrap();
    let said = sync();
    assert!(
        said.contains("plugin `mine`") && said.contains("contains keys"),
        "{said}"
    );
}
