//! The life of a plugin in one file: built, installed, updated, revoked, rolled back, and verified in CI.

use std::time::{Duration, Instant};

use camino::Utf8Path;

use crate::support::{Project, component, files, fixture};

pub(crate) const ID: &str = "mine";

/// Returns the manifest of a memory-writer.
pub(crate) fn manifest(version: &str, more: &str) -> String {
    format!(
        "id = \"{ID}\"\nversion = \"{version}\"\nrole = \"memory-writer\"\ncomponent = \"mine.wasm\"\ndescription = \"For tests.\"\nauthors = [\"A. Author\"]\nlicense = \"MIT\"\n{more}\n"
    )
}

/// Returns a memory-writer with its manifest inside. Every version is another component.
pub(crate) fn built(version: &str, more: &str) -> Vec<u8> {
    let (path, manifest) = (Utf8Path::new("plugin.toml"), manifest(version, more));
    acreta_plugin_registry::embed(&component("writer-markdown"), path, &manifest, None, None)
        .unwrap()
}

/// Requests more than the role has.
pub(crate) const MORE: &str =
    "[limits.memory_bytes]\nvalue = 536870912\nreason = \"It keeps everything.\"";

#[test]
fn a_built_plugin_is_one_file_that_says_everything() {
    let project = Project::new();
    let manifest = "id = \"mine\"\nversion = \"0.1.0\"\nrole = \"memory-writer\"\ncomponent = \"mine.wasm\"\ndescription = \"For tests.\"\nlicense = \"MIT\"\n";
    let toml = project.write("mine/plugin.toml", manifest.as_bytes());
    let folder = toml.parent().unwrap().to_str().unwrap();
    project
        .acreta(&["plugin", "build", folder])
        .failed(1, "is not built yet");
    // The script makes the component; it is run in the folder.
    project.write("mine/original.wasm", &component("writer-markdown"));
    project.write(
        "mine/build.sh",
        b"echo building\ncp original.wasm mine.wasm\n",
    );
    let build = ["plugin", "build", folder, "--revision", "abc123", "--json"];
    project.write("mine/requirements.txt", b"componentize-py==0.25.1\n");
    let made = project.acreta(&build).succeeded();
    assert!(made.stderr.contains("building"), "{}", made.stderr);
    let made = made.json();
    assert_eq!(made["metadata"]["revision"], "abc123", "{made}");
    let again = project.acreta(&build).succeeded().json();
    assert_eq!(again["sha256"], made["sha256"], "the same bytes");

    // One file, elsewhere.
    let file = project.outside().join("mine/mine.wasm");
    let alone = project.write("downloads/any-name.wasm", &std::fs::read(&file).unwrap());
    let alone = alone.to_str().unwrap();
    let checked = project
        .acreta(&["plugin", "check", alone])
        .succeeded()
        .stdout;
    for says in [
        "mine (memory-writer 0.1.0)",
        "licenses: MIT",
        "revision: abc123",
        "built from: 1 package, and 0 to build it",
        "signature: not signed",
        "its manifest is inside",
    ] {
        assert!(checked.contains(says), "{says}: {checked}");
    }
    let shown = project
        .acreta(&["plugin", "inspect", alone])
        .succeeded()
        .stdout;
    for says in [
        "inside the component",
        "abc123",
        "not signed",
        "  componentize-py 0.25.1 (pypi)",
    ] {
        assert!(shown.contains(says), "{says}: {shown}");
    }
    project.write("mine/build.sh", b"exit 3\n");
    project.acreta(&build).failed(1, "failed (exit status: 3)");

    // What lies beside it must say the same.
    project.write(
        "mine/plugin.toml",
        manifest.replace("MIT", "GPL-3.0-only").as_bytes(),
    );
    for command in ["check", "inspect", "install"] {
        project
            .acreta(&["plugin", command, folder])
            .failed(1, "differ in license");
    }
    project
        .acreta(&["plugin", "install", alone, "--yes"])
        .succeeded();
    let listed = project
        .acreta(&["plugin", "list", "--json"])
        .succeeded()
        .json();
    let mine = listed["plugins"].as_array().unwrap().iter();
    let mine = mine.clone().find(|row| row["id"] == "mine").unwrap();
    assert_eq!(mine["signature"], "not-signed", "{mine}");
}

/// An update installs what a person saw, and grants nothing.
#[test]
fn an_update_shows_what_changes_and_grants_nothing() {
    let mut project = Project::new();
    let file = project.write("mine.wasm", &built("0.2.0", ""));
    let file = file.to_str().unwrap();
    project
        .acreta(&["plugin", "install", file, "--yes", "--grant"])
        .succeeded();
    let current = project.acreta(&["plugin", "update", "--yes"]).succeeded();
    assert!(current.stderr.contains("is what its source has"));
    let version = |project: &Project| {
        let lock = std::fs::read_to_string(project.home().join("acreta.lock")).unwrap();
        let line = lock
            .lines()
            .find(|line| line.starts_with("version"))
            .unwrap();
        line.to_owned()
    };
    // A person who confirms has granted nothing yet.
    project.write("mine.wasm", &built("0.3.0", MORE));
    let updated = project
        .acreta(&["plugin", "update", ID, "--confirm"])
        .succeeded();
    assert!(
        updated.stderr.contains("acreta plugin grant mine"),
        "{}",
        updated.stderr
    );
    project.configure("[plugins]\nwriter = \"mine\"");
    let trace = fixture("claude/demo-queue-retries.jsonl");
    let run = ["run", trace.to_str().unwrap()];
    project.acreta(&run).failed(1, "mine");
    project
        .acreta(&["plugin", "rollback", ID, "--yes"])
        .succeeded();
    assert_eq!(version(&project), "version = \"0.2.0\"");
    project.acreta(&run).succeeded();
}

/// No network is asked: the list is on this machine.
#[test]
fn a_revoked_component_does_not_run_and_is_named() {
    let mut project = Project::new();
    let file = project.write("mine.wasm", &built("0.1.0", ""));
    let file = file.to_str().unwrap();
    project
        .acreta(&["plugin", "install", file, "--yes", "--grant"])
        .succeeded();
    project.configure("[plugins]\nwriter = \"mine\"\nindexes = [\"~/index.json\"]");
    let digest = acreta_plugin_registry::Digest::of(&built("0.1.0", ""));
    project.write(
        "index.json",
        format!(
            "{{\"plugins\": [], \"revoked\": [{{\"sha256\": \"{}\", \"reason\": \"it loses memories\"}}]}}",
            digest.hex()
        )
        .as_bytes(),
    );
    let trace = fixture("claude/demo-queue-retries.jsonl");
    let run = ["run", trace.to_str().unwrap()];
    project.acreta(&run).succeeded();
    let outdated = project.acreta(&["plugin", "outdated"]).succeeded().stdout;
    assert!(
        outdated.contains("revoked: it loses memories"),
        "{outdated}"
    );

    // The index is gone, and so is nothing that it revoked.
    project.write("index.json", b"{\"plugins\": []}");
    let says = "was revoked: it loses memories";
    project.acreta(&run).failed(1, says);
    let tried = ["run", trace.to_str().unwrap(), "--plugin", file];
    project.acreta(&tried).failed(1, says);
    project
        .acreta(&["plugin", "install", file, "--yes"])
        .failed(1, says);
    let status = project.acreta(&["status"]).succeeded().stderr;
    assert!(status.contains("plugin `mine` was revoked"), "{status}");
    let doctor = project.acreta(&["doctor"]);
    let doctor = format!("{}{}", doctor.stdout, doctor.stderr);
    assert!(doctor.contains("plugin `mine` was revoked"), "{doctor}");
    project
        .acreta(&["plugin", "revoke", &digest.to_string(), "--undo"])
        .succeeded();
    project.acreta(&run).succeeded();
}

#[test]
fn an_index_promises_a_digest() {
    let mut project = Project::new();
    let file = project.write("mine.wasm", &built("0.1.0", ""));
    project
        .acreta(&["plugin", "install", file.to_str().unwrap(), "--yes"])
        .succeeded();
    project
        .acreta(&["plugin", "search"])
        .failed(2, "no index is set");
    project.configure("[plugins]\nindexes = [\"~/index.json\", \"~/missing.json\"]");
    let newer = project.write("new/mine-0.2.0.wasm", &built("0.2.0", ""));
    let index = |promised: &[u8]| {
        let index = serde_json::json!({ "plugins": [{
            "id": "mine", "role": "memory-writer", "description": "Keeps everything.", "keywords": ["hoard"],
            "versions": [{
                "version": "0.2.0", "source": newer.to_str().unwrap(),
                "sha256": acreta_plugin_registry::Digest::of(promised).hex(),
            }],
        }]});
        project.write("index.json", index.to_string().as_bytes());
    };
    index(b"something else");
    project
        .acreta(&["plugin", "update", ID, "--yes", "--confirm"])
        .failed(1, "is not what the index says");
    index(&built("0.2.0", ""));
    let found = project.acreta(&["plugin", "search", "HOARD"]).succeeded();
    assert!(
        found.stdout.contains("mine 0.2.0 (memory-writer)"),
        "{}",
        found.stdout
    );
    assert!(
        found.stderr.contains("missing.json` is left out"),
        "{}",
        found.stderr
    );
    let none = project.acreta(&["plugin", "search", "hoard", "adapter"]);
    assert!(none.succeeded().stdout.is_empty());
    let outdated = project
        .acreta(&["plugin", "outdated", "--json"])
        .succeeded();
    assert_eq!(outdated.json()["plugins"][0]["state"], "newer");
    // It comes from elsewhere, so a script needs a word.
    project
        .acreta(&["plugin", "update", ID, "--yes"])
        .failed(1, "it came from");
    project
        .acreta(&["plugin", "update", ID, "--yes", "--confirm"])
        .succeeded();
}

#[test]
fn a_lock_is_verified_in_ci() {
    let project = Project::new();
    let file = project.write("project/mine.wasm", &built("0.1.0", ""));
    let path = file.to_str().unwrap();
    project.acreta(&["plugin", "lock", path]).succeeded();
    let ok = project.acreta(&["plugin", "verify"]).succeeded().stdout;
    assert!(ok.starts_with("ok    mine 0.1.0 (not-signed)"), "{ok}");
    let list = format!(
        "{{\"revoked\": [{{\"sha256\": \"{}\", \"reason\": \"it loses memories\"}}]}}",
        acreta_plugin_registry::Digest::of(&built("0.1.0", "")).hex()
    );
    project.write("project/revoked.json", list.as_bytes());
    let revoked = project.acreta(&["plugin", "verify", "--revoked", "revoked.json"]);
    let revoked = revoked.failed(1, "1 plugin is not what the lock says");
    assert!(
        revoked.stdout.contains("it loses memories"),
        "{}",
        revoked.stdout
    );
    // Another file under the same name, and none at all.
    project.write(
        "project/mine.wasm",
        &built("0.1.0", "homepage = \"https://example.org\""),
    );
    let changed = project
        .acreta(&["plugin", "verify"])
        .failed(1, "is not what");
    assert!(
        changed.stdout.contains("is locked, sha256:"),
        "{}",
        changed.stdout
    );
    #[expect(clippy::disallowed_methods, reason = "a test takes a file away")]
    std::fs::remove_file(&file).unwrap();
    project
        .acreta(&["plugin", "verify"])
        .failed(1, "is not what");
    let elsewhere = project.write("elsewhere/it.wasm", &built("0.1.0", ""));
    project
        .acreta(&["plugin", "verify", elsewhere.to_str().unwrap()])
        .succeeded();
}

/// Neither whoever installs waits for compiling, nor, later, the first run.
#[test]
fn an_installed_plugin_is_compiled_in_the_background() {
    let project = Project::new();
    let file = project.write("mine.wasm", &built("0.1.0", ""));
    let cache = project.outside().join("cache");
    let install = ["plugin", "install", file.to_str().unwrap(), "--yes"];
    let install = [&install[..], &["--cache-dir", cache.to_str().unwrap()]].concat();
    let compiles = || {
        let said = project.acreta(&install).succeeded().stderr;
        said.contains("preparing it in the background")
    };
    assert!(compiles());
    let has_code = || {
        let mut files = files(&cache).into_iter();
        files.any(|file| file.extension().is_some_and(|kind| kind == "cwasm"))
    };
    let begun = Instant::now();
    while !has_code() {
        assert!(begun.elapsed() < Duration::from_secs(300), "not compiled");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(!compiles());
}
