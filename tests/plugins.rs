//! Third-party plugins: what is refused before anything is written, what a person confirmed and granted, and what runs
//! without being installed.

use std::path::PathBuf;

use crate::support::{Project, component, fixture};

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

/// An adapter that was not granted is not run to find out if it reads a file; what it asks for says so.
#[test]
fn a_file_that_nobody_reads_names_the_adapter_that_asks_for_it() {
    let mut project = Project::new();
    project.configure("[plugins]\nadapters = []");
    let bytes = component("hostile-adapter");
    for (id, folder, pattern) in [
        ("here", "~/.here", "*.jsonl"),
        ("elsewhere", "~/.elsewhere", "*.jsonl"),
        ("other-kind", "~/.other", "*.db"),
    ] {
        let root = format!(
            "[[roots]]\nname = \"sessions\"\ncandidates = [\"{folder}\"]\npatterns = [\"{pattern}\"]\nreason = \"Because.\""
        );
        let folder = published(&project, id, "adapter", &root, &bytes);
        let install = ["plugin", "install", folder.to_str().unwrap(), "--yes"];
        project.acreta(&install).succeeded();
    }
    let cases = [
        (
            ".here/one.jsonl",
            "asks for the folder of this file",
            &["here"][..],
        ),
        (
            "one.jsonl",
            "asks for files of this kind",
            &["here", "elsewhere"],
        ),
        (
            "one.txt",
            "is installed",
            &["here", "elsewhere", "other-kind"],
        ),
    ];
    for (file, why, named) in cases {
        let file = project.write(file, b"{\"hostile\": true}\n");
        let unread = project.acreta(&["run", file.to_str().unwrap()]);
        let said = unread.failed(1, "no adapter knows").stderr;
        for id in ["here", "elsewhere", "other-kind"] {
            let hint =
                format!("the adapter `{id}` {why} and was not asked: `acreta plugin grant {id}`");
            assert_eq!(said.contains(&hint), named.contains(&id), "{id}: {said}");
            assert_eq!(said.contains(id), named.contains(&id), "{id}: {said}");
        }
    }
}
