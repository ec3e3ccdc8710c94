//! A repository ships links in its `.acreta`, to another project's and to files of the user's. No command prints,
//! changes or deletes anything behind a link.
//!
//! Each place of the folder becomes a link in turn, and each command runs over it. The other project must stay
//! unchanged byte for byte, and no command may print a word of it.

#![expect(clippy::disallowed_methods, reason = "a test's own scratch files")]

use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::support::{Project, Ran, fixture, ran, tree};

/// A word that only the other project's memory has.
const SECRET: &str = "zebrafish";

/// Two projects with memory, runs and an index: `project`, from which the attack starts, and `other`.
struct Attack {
    project: Project,
    session: PathBuf,
    /// `.acreta` of the project before any link.
    template: PathBuf,
}

impl Attack {
    fn new() -> Self {
        let mut project = Project::new();
        project.configure("[runs]\nkeep = 1");
        let session = fixture("claude/demo-queue-retries.jsonl");
        let theirs = fixture("claude/demo-release-pitfall.jsonl");
        let attack = Self {
            template: project.outside().join("template"),
            session,
            project,
        };
        let other = attack.other();
        std::fs::create_dir_all(other.join(".git")).unwrap();
        let secret = format!("The {SECRET} tank is cleaned on Mondays");
        attack.populate(&other, &secret, &theirs);
        attack.populate(
            &attack.project.root(),
            "Use pnpm, never npm",
            &attack.session,
        );
        // A purge covers every registered project, but none through a link.
        let remove = ["project", "remove", other.to_str().unwrap()];
        attack.project.acreta(&remove).succeeded();
        copy(&attack.folder(), &attack.template);
        attack
    }

    fn other(&self) -> PathBuf {
        self.project.outside().join("other")
    }

    fn folder(&self) -> PathBuf {
        self.project.root().join(".acreta")
    }

    fn populate(&self, root: &Path, title: &str, session: &Path) {
        let body = format!("{title}, as was agreed by everybody.");
        let add = [
            "memory",
            "add",
            title,
            "--body",
            &body,
            "--kind",
            "convention",
        ];
        let session = session.to_str().unwrap();
        let said = self.said(root);
        for (arguments, said) in [
            (&["project", "add"][..], ""),
            (&add[..], ""),
            (&["run", session][..], ""),
            (&["maintain"][..], ""),
            (&["memory", "search", "agreed"][..], ""),
            (&["hook", "session-start", "--agent", "claude"][..], &said),
        ] {
            self.acreta(root, arguments, said).succeeded();
        }
    }

    fn said(&self, root: &Path) -> String {
        serde_json::json!({
            "session_id": "1", "cwd": root, "transcript_path": self.session,
        })
        .to_string()
    }

    fn acreta(&self, root: &Path, arguments: &[&str], said: &str) -> Ran {
        let mut process = self
            .project
            .command(arguments)
            .current_dir(root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Not every command reads all of it.
        let _ = process.stdin.take().unwrap().write_all(said.as_bytes());
        ran(process.wait_with_output().unwrap())
    }

    /// Restores the project's folder, with a link to the other's in one place.
    fn plant(&self, place: &PlantedLink) {
        let folder = self.folder();
        match std::fs::symlink_metadata(&folder) {
            Ok(found) if found.is_dir() => std::fs::remove_dir_all(&folder).unwrap(),
            Ok(_) => std::fs::remove_file(&folder).unwrap(),
            Err(_) => {}
        }
        copy(&self.template, &folder);
        let at = folder.join(&place.at);
        let leads_to = self.other().join(".acreta").join(&place.leads_to);
        assert!(
            place.dangling || leads_to.exists(),
            "{} is not there",
            leads_to.display()
        );
        match std::fs::symlink_metadata(&at) {
            Ok(found) if found.is_dir() => std::fs::remove_dir_all(&at).unwrap(),
            Ok(_) => std::fs::remove_file(&at).unwrap(),
            Err(_) => std::fs::create_dir_all(at.parent().unwrap()).unwrap(),
        }
        // Without a trailing slash, which would be followed.
        let at: PathBuf = at.components().collect();
        symlink(leads_to, at).unwrap();
    }

    /// Runs every command over a link, and returns what went wrong.
    fn attempt(&self, place: &PlantedLink) -> Vec<String> {
        let other = self.other();
        let before = tree(&other, &[]);
        let mut told = Vec::new();
        for (arguments, said) in self.commands() {
            self.plant(place);
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let done = self.acreta(&self.project.root(), &arguments, &said);
            let name = format!("{} over {:?}", arguments.join(" "), place.at);
            let all = format!("{}{}", done.stdout, done.stderr);
            if all.contains(SECRET) {
                told.push(format!("{name} printed: {all}"));
            }
            if all.contains("panicked") || done.code == 2 {
                told.push(format!("{name} ended with {}: {all}", done.code));
            }
            if arguments[0] == "hook" && (done.code, done.stderr.as_str()) != (0, "") {
                told.push(format!("{name} was heard: {all}"));
            }
            if place.at.is_empty() && place.refused(arguments[0]) {
                let is_plain = done.code == 1
                    && done.stderr.contains("is a symbolic link")
                    && done.stderr.contains("hint: replace the link");
                if !is_plain {
                    told.push(format!("{name} does not say why it fails: {all}"));
                }
            }
            let after = tree(&other, &[]);
            if after != before {
                let changed: Vec<_> = before
                    .iter()
                    .filter(|(path, what)| after.get(*path) != Some(*what))
                    .map(|(path, _)| path.as_str())
                    .chain(
                        after
                            .keys()
                            .filter(|path| !before.contains_key(*path))
                            .map(String::as_str),
                    )
                    .collect();
                told.push(format!("{name} changed {changed:?}"));
                return told;
            }
        }
        told
    }

    fn commands(&self) -> Vec<(Vec<String>, String)> {
        let said = self.said(&self.project.root());
        let mcp = [
            serde_json::json!({
                "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
                    "protocolVersion": "2025-06-18", "capabilities": {},
                    "clientInfo": { "name": "Test Agent", "version": "1" },
                },
            }),
            serde_json::json!({ "jsonrpc": "2.0", "id": 2, "method": "resources/list" }),
            serde_json::json!({
                "jsonrpc": "2.0", "id": 3, "method": "tools/call",
                "params": { "name": "memory_search", "arguments": { "query": "agreed" } },
            }),
        ];
        let mcp: String = mcp.iter().map(|line| format!("{line}\n")).collect();
        let id = own_id(&self.template);
        let run = run_of(&self.template);
        let session = self.session.to_str().unwrap();
        let table: &[(&[&str], &str)] = &[
            (&["run", session], ""),
            (&["run", session, "--mode", "hot"], ""),
            (&["sync"], ""),
            (&["maintain"], ""),
            (&["maintain", "--dry-run"], ""),
            (&["maintain", "--undo", &run], ""),
            (&["context", "explore"], ""),
            (&["context", "explore", "--query", "agreed"], ""),
            (&["context", "delta"], ""),
            (&["hook", "session-start", "--agent", "claude"], &said),
            (&["hook", "session-end", "--agent", "claude"], &said),
            (&["memory", "search", "agreed"], ""),
            (&["memory", "search", SEARCHED], ""),
            (&["memory", "list"], ""),
            (&["memory", "show", &id], ""),
            (&["memory", "export"], ""),
            (
                &[
                    "memory",
                    "add",
                    "Tabs",
                    "--body",
                    "Tabs are used here.",
                    "--kind",
                    "convention",
                ],
                "",
            ),
            (&["memory", "archive", &id], ""),
            (&["memory", "confirm", &id], ""),
            (&["memory", "purge", "--session", SESSION, "--yes"], ""),
            (&["ask", "what was agreed?"], ""),
            (&["runs", "list"], ""),
            (&["runs", "show", &run], ""),
            (&["status"], ""),
            (&["doctor"], ""),
            (&["config", "list"], ""),
            (
                &[
                    "config",
                    "set",
                    "memory.scope",
                    "project_only",
                    "--in-project",
                ],
                "",
            ),
            (&["mcp"], &mcp),
            (&["init", "--undo"], ""),
        ];
        let owned = |(arguments, said): &(&[&str], &str)| {
            let arguments = arguments.iter().map(|one| (*one).to_owned()).collect();
            (arguments, (*said).to_owned())
        };
        table.iter().map(owned).collect()
    }
}

/// The session that only the attacked project learnt from.
const SESSION: &str = "3e9d6b70-51c8-4a2f-8d14-c7f0a9b2e635";

/// A query that finds the other project's memory, if anything does.
const SEARCHED: &str = "tank cleaned on Mondays";

/// A planted link and its target, both relative to a project's `.acreta`.
struct PlantedLink {
    at: String,
    leads_to: String,
    dangling: bool,
}

impl PlantedLink {
    fn same(at: &str) -> Self {
        Self::to(at, at)
    }

    fn to(at: &str, leads_to: &str) -> Self {
        Self {
            at: at.to_owned(),
            leads_to: leads_to.to_owned(),
            dangling: false,
        }
    }

    fn new_name(at: &str, leads_to: &str) -> Self {
        Self {
            dangling: true,
            ..Self::to(at, leads_to)
        }
    }

    /// Returns whether a command needs the folder, and so must fail.
    fn refused(&self, command: &str) -> bool {
        !matches!(command, "hook" | "mcp")
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Returns the first name in a folder, without its extension.
fn first(folder: &Path) -> String {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names.remove(0)
}

/// Returns the id of the convention that a person added.
fn own_id(acreta: &Path) -> String {
    let file = first(&acreta.join("memory/learnings"));
    let text = std::fs::read_to_string(acreta.join("memory/learnings").join(file)).unwrap();
    let id = text.lines().find_map(|line| line.strip_prefix("id: "));
    id.unwrap().trim_matches('"').to_owned()
}

fn run_of(acreta: &Path) -> String {
    first(&acreta.join("workspace"))
}

/// Checks a group of places. Each group has its own test, because each command runs over each place.
fn check(places: &[PlantedLink], attack: &Attack) {
    let mut tried = 0;
    let mut told = Vec::new();
    for place in places {
        tried += attack.commands().len();
        told.extend(attack.attempt(place));
    }
    println!("{tried} commands over {} links", places.len());
    assert_eq!(told, [""; 0]);
}

#[test]
fn the_whole_folder_is_a_link() {
    let attack = Attack::new();
    check(
        &[PlantedLink::same(""), PlantedLink::new_name("", "none")],
        &attack,
    );
}

#[test]
fn memory_is_a_link() {
    let attack = Attack::new();
    let other = attack.other().join(".acreta");
    let file = format!(
        "memory/learnings/{}",
        first(&other.join("memory/learnings"))
    );
    let places = [
        PlantedLink::same("memory"),
        PlantedLink::same("memory/learnings"),
        PlantedLink::to("memory/learnings/20260101-planted.md", &file),
        PlantedLink::to("memory/archived", "memory"),
        PlantedLink::to("memory/archived/learnings", "memory/learnings"),
    ];
    check(&places, &attack);
}

#[test]
fn what_belongs_to_memory_is_a_link() {
    let attack = Attack::new();
    let other = attack.other().join(".acreta");
    let id = own_id(&attack.template);
    let sidecar = |folder: &str| {
        let theirs = own_id(&other);
        PlantedLink::to(
            &format!("meta/{folder}/{id}.json"),
            &format!("meta/{folder}/{theirs}.json"),
        )
    };
    let places = [
        PlantedLink::same("meta"),
        PlantedLink::same("meta/memories"),
        PlantedLink::same("meta/summaries"),
        sidecar("memories"),
        PlantedLink::same("meta/lock"),
        PlantedLink::to("meta/commit", "meta"),
        PlantedLink::same("meta/traces"),
        PlantedLink::same("meta/traces/sessions"),
    ];
    check(&places, &attack);
}

#[test]
fn runs_and_caches_are_links() {
    let attack = Attack::new();
    let own = run_of(&attack.template);
    let theirs = run_of(&attack.other().join(".acreta"));
    let places = [
        PlantedLink::same("workspace"),
        PlantedLink::to(&format!("workspace/{own}"), &format!("workspace/{theirs}")),
        PlantedLink::to(
            "workspace/maintain-20200101-000000-000000",
            &format!("workspace/{theirs}"),
        ),
        PlantedLink::to("workspace/sync-20200101-000000-000000", "memory"),
        PlantedLink::same("index"),
        PlantedLink::same("index/memory"),
        PlantedLink::same("index/memory/meta.json"),
        PlantedLink::same("index/lock"),
        PlantedLink::to("index/building", "index/memory"),
        PlantedLink::to("config.toml", ".gitignore"),
        PlantedLink::new_name("config.toml", "config.toml"),
        PlantedLink::same(".gitignore"),
        PlantedLink::new_name(".gitignore", "new"),
    ];
    check(&places, &attack);
}
