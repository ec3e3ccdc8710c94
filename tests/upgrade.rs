//! Data of earlier versions, as each release left it (`tests/upgrade`): this version reads it without loss, and
//! continues from there without doing anything twice.

use std::path::{Path, PathBuf};

use rusqlite::Connection;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::support::{Project, files};

/// A home and a project as a version left them.
struct Old {
    version: String,
    project: Project,
    /// One line for each memory: status, trust, type, kind and title.
    expected: Vec<String>,
}

fn releases() -> Vec<PathBuf> {
    let folder = acreta_plugin_build::workspace_root().join("tests/upgrade");
    let entries = std::fs::read_dir(folder).unwrap();
    let mut releases: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    releases.retain(|path| path.is_dir());
    releases.sort();
    assert!(!releases.is_empty(), "no data of any release");
    releases
}

fn lay_out(release: &Path) -> Old {
    let project = Project::new();
    let root = project.outside().to_str().unwrap().to_owned();
    let filled = |bytes: Vec<u8>| match String::from_utf8(bytes) {
        Ok(text) => text.replace("{ROOT}", &root).into_bytes(),
        Err(error) => error.into_bytes(),
    };
    let mut expected = Vec::new();
    for file in files(release) {
        let relative = file.strip_prefix(release).unwrap().to_str().unwrap();
        let bytes = filled(std::fs::read(&file).unwrap());
        let relative = relative
            .replace("dot-acreta", ".acreta")
            .replace("/gitignore", "/.gitignore");
        match relative.as_str() {
            "expected.txt" => {
                let text = String::from_utf8(bytes).unwrap();
                // Summaries were grounded once; now they tell what was done and are not.
                let now = |line: &str| line.replace(" grounded summary", " untrusted summary");
                expected = text.lines().map(now).collect();
            }
            "home/state.sql" => {
                let database = Connection::open(project.home().join("state.db")).unwrap();
                let dump = String::from_utf8(bytes).unwrap();
                database.execute_batch(&dump).unwrap();
            }
            "home/trust/words.jsonl" => {
                // Named by the folder of the memory that they are about.
                let base = format!("{root}/project/.acreta");
                let key = acreta_text::hex(&Sha256::digest(base));
                let name = format!("home/trust/project-{}.jsonl", &key[..16]);
                project.write(&name, &bytes);
            }
            _ => {
                let relative = match relative.strip_prefix("sessions/") {
                    Some(session) => format!(".claude/projects/bakery/{session}"),
                    None => relative,
                };
                project.write(&relative, &bytes);
            }
        }
    }
    let version = release.file_name().unwrap().to_str().unwrap().to_owned();
    let component = acreta_plugin_build::workspace_root()
        .join("tests/released")
        .join(&version)
        .join("sample-adapter.wasm");
    let component = std::fs::read(component).unwrap();
    project.write("home/plugins/sample-adapter/component.wasm", &component);
    expected.sort();
    Old {
        version,
        project,
        expected,
    }
}

impl Old {
    fn json(&self, arguments: &[&str]) -> Value {
        let arguments = [arguments, &["--json"]].concat();
        self.project.acreta(&arguments).succeeded().json()
    }

    /// Returns active and archived memories, in the format of `expected.txt`.
    fn memories(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for archived in [&[][..], &["--archived"]] {
            let listed = self.json(&[&["memory", "list"], archived].concat());
            for memory in listed["memories"].as_array().unwrap() {
                let text = |name: &str| memory[name].as_str().unwrap();
                let what = format!("{} {}", text("type"), text("kind"));
                lines.push(format!(
                    "{} {} {}: {}",
                    text("status"),
                    text("trust"),
                    what.trim_end(),
                    text("title")
                ));
            }
        }
        lines.sort();
        lines.dedup();
        lines
    }

    fn session(&self, name: &str) -> PathBuf {
        let folder = self.project.outside().join(".claude/projects/bakery");
        folder.join(format!("{name}.jsonl"))
    }
}

#[test]
fn nothing_of_an_earlier_version_is_lost() {
    for release in releases() {
        let old = lay_out(&release);
        let version = &old.version;
        assert_eq!(old.memories(), old.expected, "{version}");
        // Evidence, by its quotes.
        let found = old.json(&[
            "memory",
            "search",
            "whole cents floats",
            "--type",
            "learning",
        ]);
        let id = found["hits"][0]["id"].as_str().unwrap();
        let shown = old.project.acreta(&["memory", "show", id]).succeeded();
        let quote = ": “Always keep prices as whole cents, never as floats.”";
        assert!(shown.stdout.contains(quote), "{version}: {}", shown.stdout);
        // Settings of the user, and of the project that they trusted.
        for (key, value) in [("runs.keep", 7), ("extract.max_candidates", 9)] {
            let setting = old.json(&["config", "get", key]);
            assert_eq!(setting["value"], value, "{version}: {setting}");
        }
        // Lock and grant.
        let listed = old.json(&["plugin", "list"]);
        let plugins = listed["plugins"].as_array().unwrap();
        let sample = plugins.iter().find(|row| row["id"] == "sample-adapter");
        let sample = sample.unwrap();
        assert_eq!(sample["granted"], true, "{version}: {sample}");
        assert_eq!(sample["problem"], Value::Null, "{version}: {sample}");
        // The state database.
        let sessions = old.json(&["sessions", "list"]);
        let sessions = sessions["sessions"].as_array().unwrap().len();
        assert_eq!(sessions, 2, "{version}");
        let runs = old.project.acreta(&["runs", "list"]).succeeded().stdout;
        assert_eq!(runs.matches("completed").count(), 2, "{version}: {runs}");
        let doctor = old.project.acreta(&["doctor"]);
        assert_ne!(doctor.code, 1, "{version}: {}", doctor.stdout);
        let database = Connection::open(old.project.home().join("state.db")).unwrap();
        let intact: String = database
            .query_row("PRAGMA integrity_check", [], |row| row.get(0))
            .unwrap();
        assert_eq!(intact, "ok", "{version}");
    }
}

#[test]
fn work_goes_on_where_an_earlier_version_left_it() {
    for release in releases() {
        let old = lay_out(&release);
        let version = &old.version;
        // The files are different, their sessions are the same.
        let synced = old.json(&["sync"]);
        assert_eq!(synced["ran"], 0, "{version}: {synced}");
        assert_eq!(synced["failed"], 0, "{version}: {synced}");
        assert_eq!(old.memories(), old.expected, "{version}");
        // A session that was learnt from before, once more.
        let known = old.session("1a2b3c4d-0000-4000-8000-00000000aaaa");
        let report = old.project.run(&known);
        // A summary is told anew; memories keep their ids and titles.
        let learnt = |all: &[String]| -> Vec<String> {
            let is_learnt = |line: &&String| !line.contains(" summary: ");
            all.iter().filter(is_learnt).cloned().collect()
        };
        assert_eq!(
            learnt(&old.memories()),
            learnt(&old.expected),
            "{version}: {report}"
        );
        // And a new one.
        let text = std::fs::read_to_string(&known).unwrap();
        let text = text
            .replace("1a2b3c4d", "1a2b3c4f")
            .replace("2026-04-02", "2026-04-09")
            .replace(
                "Always keep prices as whole cents, never as floats.",
                "Never print a customer's name on the receipt.",
            )
            .replace("run `make check` before every commit", "sign every tag");
        old.project.write(
            ".claude/projects/bakery/1a2b3c4f-0000-4000-8000-00000000aaaa.jsonl",
            text.as_bytes(),
        );
        let synced = old.json(&["sync"]);
        assert_eq!(synced["ran"], 1, "{version}: {synced}");
        let memories = old.memories();
        for known in &learnt(&old.expected) {
            assert!(
                memories.contains(known),
                "{version}: {known} is not in {memories:#?}"
            );
        }
        let is_new = |line: &&String| line.contains("Never print a customer's name");
        assert!(memories.iter().any(|line| is_new(&line)), "{memories:#?}");
        let maintained = old.json(&["maintain", "--dry-run"]);
        assert_eq!(maintained["counts"]["merged"], 0, "{version}: {maintained}");
        // The locked plugin runs as before.
        let session = acreta_plugin_build::workspace_root()
            .join("tests/released")
            .join(version)
            .join("session.jsonl");
        let component = old
            .project
            .home()
            .join("plugins/sample-adapter/component.wasm");
        let frozen = old.json(&[
            "run",
            session.to_str().unwrap(),
            "--frozen",
            "--plugin",
            component.to_str().unwrap(),
            "--memory-root",
            old.project.outside().join("frozen").to_str().unwrap(),
        ]);
        assert_eq!(
            frozen["session"]["agent"], "sample-adapter@sample-adapter",
            "{version}: {frozen}"
        );
    }
}

/// What a later version wrote is refused with a word that says so, or read as far as it is known; it is never overwritten.
#[test]
fn data_of_a_later_version_is_refused_or_kept() {
    let old = lay_out(&releases()[0]);
    let project = &old.project;
    let at = |path: &str| project.outside().join(path);
    let read = |path: &str| std::fs::read_to_string(at(path)).unwrap();
    let set_version = |version: i64| {
        let database = Connection::open(at("home/state.db")).unwrap();
        let found: i64 = database
            .query_row("PRAGMA user_version", [], |row| row.get(0))
            .unwrap();
        let set = database.pragma_update(None, "user_version", version);
        set.unwrap();
        found
    };
    old.json(&["status"]);
    let known = set_version(9999);
    let refused: [&[&str]; 4] = [
        &["status"],
        &["sync"],
        &["memory", "add", "Never print twice"],
        &["maintain"],
    ];
    for command in refused {
        project
            .acreta(command)
            .failed(1, "has schema version 9999")
            .failed(1, "`acreta self check` says how to update");
    }
    let listed = project.acreta(&["memory", "list"]).succeeded();
    assert!(
        listed.stderr.contains("has schema version 9999"),
        "{}",
        listed.stderr
    );
    project.acreta(&["self", "check"]).succeeded();
    assert_eq!(set_version(known), 9999);

    // Files that grant something: a key that is not known may be a restriction.
    let grants = read("home/grants.toml");
    let later = format!("{grants}\n[sample-adapter.later]\nkey = 1\n");
    project.write("home/grants.toml", later.as_bytes());
    project
        .acreta(&["plugin", "list"])
        .failed(1, "unknown key `sample-adapter.later`")
        .failed(1, "if a later acreta wrote the file");
    assert_eq!(read("home/grants.toml"), later);
    project.write("home/grants.toml", grants.as_bytes());
    let lock = read("home/acreta.lock");
    let later = format!("later = 1\n{lock}");
    project.write("home/acreta.lock", later.as_bytes());
    let listed = project.acreta(&["plugin", "list"]).succeeded().stdout;
    assert!(listed.contains("unknown key `later`"), "{listed}");
    assert_eq!(read("home/acreta.lock"), later);
    project.write("home/acreta.lock", lock.as_bytes());

    // A setting that is not known is told, and the others count.
    let config = read("home/config.toml");
    let later = format!("{config}\n[later]\nkey = 1\n");
    project.write("home/config.toml", later.as_bytes());
    let told = project.acreta(&["config", "get", "runs.keep"]).succeeded();
    assert!(told.stderr.contains("`later.key`"), "{}", told.stderr);
    assert_eq!(told.stdout.trim(), "7");
    project.write("home/config.toml", config.as_bytes());

    // A memory whose state is not known is listed without it, and its file stays as it is.
    const ACTIVE: &str = "\"status\": \"active\"";
    let meta = files(&project.root().join(".acreta/meta"));
    let text = |path: &PathBuf| std::fs::read_to_string(path).unwrap_or_default();
    let mut states = meta.into_iter().filter(|path| text(path).contains(ACTIVE));
    let sidecar = states.next().unwrap();
    let later = text(&sidecar).replace("\"active\"", "\"paused\"");
    let relative = sidecar.strip_prefix(project.outside()).unwrap();
    project.write(relative.to_str().unwrap(), later.as_bytes());
    let listed = project.acreta(&["memory", "list"]).succeeded();
    assert!(listed.stderr.contains("`paused`"), "{}", listed.stderr);
    project.acreta(&["maintain"]).succeeded();
    assert_eq!(text(&sidecar), later);
}
