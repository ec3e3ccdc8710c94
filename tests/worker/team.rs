//! A developer's machine, workers with homes of their own, one server, one storage and one remote.

#![expect(
    clippy::disallowed_methods,
    reason = "a test's own scratch files, and the number of sessions"
)]

mod bad_days;
mod budget;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::support::postgres::PostgresServer;
use crate::support::{Project, Ran, Tree, fixture, ran, tree};

/// What belongs to one machine, as `.acreta/.gitignore` lists it.
const LOCAL: [&str; 5] = [
    "index",
    "meta/commit",
    "meta/lock",
    "meta/traces",
    "workspace",
];

const BRANCH: &str = "acreta/memory";

/// Workers publish what git would commit.
const SHARED: &str = "[memory]\nsummaries = \"shared\"\n";

struct Team {
    ann: Project,
    server: PostgresServer,
}

impl Team {
    /// Returns a team with an empty remote branch, or `None` if there is no PostgreSQL.
    fn new() -> Option<Self> {
        let server = PostgresServer::start()?;
        let ann = Project::new();
        ann.write("project/README.md", b"# Ledger\n");
        ann.write("home/config.toml", SHARED.as_bytes());
        ann.git(&["init", "--quiet", "--initial-branch=main", "."]);
        ann.git(&["add", "README.md"]);
        ann.git(&["commit", "--quiet", "--message=first"]);
        let team = Self { ann, server };
        let remote = team.remote();
        let remote = remote.to_str().unwrap();
        team.ann
            .git(&["init", "--quiet", "--bare", "--initial-branch=main", remote]);
        team.ann.git(&["remote", "add", "origin", remote]);
        team.ann.git(&["push", "--quiet", "origin", "main"]);
        std::fs::create_dir_all(team.storage()).unwrap();
        Some(team)
    }

    fn remote(&self) -> PathBuf {
        self.ann.outside().join("remote.git")
    }

    fn storage(&self) -> PathBuf {
        self.ann.outside().join("storage")
    }

    /// Writes a session of Ann's. Some sessions agree, and each is of another day.
    fn session(&self, index: usize) {
        let name = [
            "claude/demo-queue-retries.jsonl",
            "claude/demo-release-pitfall.jsonl",
        ][index % 2];
        let text = std::fs::read_to_string(fixture(name)).unwrap();
        let value = |key: &str| {
            let start = text.find(key).unwrap() + key.len();
            text[start..].split('"').next().unwrap().to_owned()
        };
        let (id, cwd) = (value("\"sessionId\":\""), value("\"cwd\":\""));
        let day = value("\"timestamp\":\"")[..10].to_owned();
        let own = format!("5e551000-0000-4000-8000-{index:012}");
        let variant = ["x", "y", "z", "a", "b"][index % 5];
        let text = text
            .replace(&id, &own)
            .replace(&cwd, self.ann.root().to_str().unwrap())
            .replace(
                &day,
                &format!("2026-{:02}-{:02}", 1 + index / 28 % 12, 1 + index % 28),
            )
            .replace("retr", &format!("retr{variant}"));
        (self.ann).write(&format!(".claude/projects/p/{own}.jsonl"), text.as_bytes());
    }

    /// Lets one machine learn from all sessions by itself, returns its files, and forgets everything.
    fn alone(&self) -> Tree {
        let synced = self.ann.acreta(&["sync", "--json"]).succeeded().json();
        assert_eq!(synced["failed"], 0, "{synced}");
        let folder = self.ann.root().join(".acreta");
        let files = tree(&folder, &LOCAL);
        assert!(files.len() > 4, "{files:?}");
        std::fs::remove_dir_all(folder).unwrap();
        std::fs::remove_dir_all(self.ann.home()).unwrap();
        let config = format!("[team]\nlearn = \"workers\"\n{SHARED}");
        self.ann.write("home/config.toml", config.as_bytes());
        files
    }

    fn with_addresses<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.env("ACRETA_STATE_URL", self.server.url(None)).env(
            "ACRETA_ARCHIVE_URL",
            format!("file://{}", self.storage().display()),
        )
    }

    /// Archives and enqueues Ann's sessions.
    fn enqueue(&self, arguments: &[&str]) -> Value {
        let mut command = self.ann.command(&["sync", "--json"]);
        let output = self.with_addresses(command.args(arguments)).output();
        let synced = ran(output.unwrap()).succeeded().json();
        assert_eq!(synced["ran"], 0, "workers learn: {synced}");
        synced
    }

    /// Returns a worker of the machine with this number.
    fn worker(&self, machine: usize, arguments: &[&str]) -> Command {
        let home = format!("worker-{machine}");
        let config = format!("[team]\nclone_url = \"{{remote}}.git\"\n{SHARED}");
        let folder = self.ann.outside().join(&home);
        if !folder.exists() {
            self.ann
                .write(&format!("{home}/.acreta/config.toml"), config.as_bytes());
        }
        let mut command = self.ann.command(&["worker", "--json"]);
        self.with_addresses(&mut command)
            .args(arguments)
            .current_dir(&folder)
            .env("HOME", &folder)
            .env("ACRETA_HOME", folder.join(".acreta"))
            .env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command
    }

    fn work(&self, machine: usize, arguments: &[&str]) -> Ran {
        ran(self.worker(machine, arguments).output().unwrap())
    }

    fn git(&self, arguments: &[&str]) -> String {
        let output = Command::new("git")
            .arg("--git-dir")
            .arg(self.remote())
            .args(arguments)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Returns the files of `.acreta` on the branch.
    fn published(&self) -> Tree {
        let folder = tempfile::tempdir().unwrap();
        let archive = folder.path().join("branch.tar");
        self.git(&[
            "archive",
            "--output",
            archive.to_str().unwrap(),
            BRANCH,
            ".acreta",
        ]);
        let unpacked = Command::new("tar")
            .args(["-x", "-f"])
            .arg(&archive)
            .current_dir(folder.path())
            .status();
        assert!(unpacked.unwrap().success());
        tree(&folder.path().join(".acreta"), &[])
    }

    /// Returns the jobs that are not done.
    fn jobs(&self) -> Vec<Value> {
        let mut queue = self.ann.command(&["queue", "list", "--json"]);
        let queue = ran(self.with_addresses(&mut queue).output().unwrap());
        let queue = queue.succeeded().json();
        let jobs = queue["jobs"].as_array().or(queue.as_array());
        jobs.cloned().unwrap_or_default()
    }

    fn commits(&self) -> usize {
        self.git(&["rev-list", "--count", BRANCH])
            .trim()
            .parse()
            .unwrap()
    }

    /// Returns the number of completed runs, and of sessions that they learnt from.
    fn completed(&self) -> (usize, usize) {
        let mut command = self
            .ann
            .command(&["runs", "list", "--limit", "1000", "--json"]);
        let output = self.with_addresses(&mut command).output().unwrap();
        let runs = ran(output).succeeded().json();
        let runs = runs.as_array().unwrap().iter();
        let done: Vec<&str> = runs
            .filter(|run| run["state"] == "completed")
            .map(|run| run["session"].as_str().unwrap())
            .collect();
        let sessions: std::collections::BTreeSet<&str> = done.iter().copied().collect();
        (done.len(), sessions.len())
    }
}

/// Asserts that two trees are equal, and names what differs.
#[track_caller]
fn assert_same(found: &Tree, expected: &Tree, context: &str) {
    let names = found.keys().chain(expected.keys());
    let differing: std::collections::BTreeSet<&String> = names
        .filter(|name| found.get(*name) != expected.get(*name))
        .collect();
    assert!(differing.is_empty(), "{context}: {differing:#?}");
}

/// Workers that run in the background and are stopped at the end.
struct Crew(Vec<Child>);

impl Crew {
    fn start(team: &Team, machines: &[usize]) -> Self {
        let start = |machine: &usize| {
            let mut worker = team.worker(*machine, &[]);
            worker.stdout(Stdio::null()).stderr(Stdio::null());
            worker.spawn().unwrap()
        };
        Self(machines.iter().map(start).collect())
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        for worker in &mut self.0 {
            let _ = worker.kill();
            let _ = worker.wait();
        }
    }
}

fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// `ACRETA_TEST_SESSIONS` sets the number of sessions.
#[test]
fn four_workers_in_any_order_write_what_one_machine_writes() {
    let Some(team) = Team::new() else {
        return;
    };
    let number = acreta_testing::count("ACRETA_TEST_SESSIONS", 12);
    (0..number).for_each(|index| team.session(index));
    let expected = team.alone();

    // Sessions come in an order that is not that of their times, while workers run.
    let sessions = team.ann.outside().join(".claude/projects/p");
    let waiting = team.ann.outside().join("waiting");
    std::fs::rename(&sessions, &waiting).unwrap();
    std::fs::create_dir_all(&sessions).unwrap();
    let mut names: Vec<PathBuf> = crate::support::files(&waiting);
    names.sort_by_key(|path| {
        let name = path.file_name().unwrap().as_encoded_bytes();
        name.iter()
            .fold(7_u32, |sum, byte| sum.wrapping_mul(31) ^ u32::from(*byte))
    });
    // A worker that runs on would keep the project while there are jobs. Here each does one job and is started again, so
    // that all of them take part.
    let is_over = std::sync::atomic::AtomicBool::new(false);
    let began = std::time::Instant::now();
    let one_by_one = |machine: usize| {
        let mut completed = 0;
        loop {
            let is_last = is_over.load(std::sync::atomic::Ordering::SeqCst);
            let done = team.work(machine, &["--once"]).succeeded().json();
            completed += done["completed"].as_u64().unwrap();
            if is_last && done["completed"] == 0 && team.completed().0 >= number {
                return completed;
            }
            assert!(
                began.elapsed().as_secs() < 60 + 10 * number as u64,
                "{done}"
            );
        }
    };
    let shares: Vec<u64> = std::thread::scope(|scope| {
        let workers: Vec<_> = [0, 0, 1, 1]
            .map(|machine| {
                let one_by_one = &one_by_one;
                scope.spawn(move || one_by_one(machine))
            })
            .into_iter()
            .collect();
        for batch in names.chunks(names.len().div_ceil(4)) {
            for path in batch {
                std::fs::rename(path, sessions.join(path.file_name().unwrap())).unwrap();
            }
            team.enqueue(&[]);
        }
        is_over.store(true, std::sync::atomic::Ordering::SeqCst);
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap())
            .collect()
    });
    let took = began.elapsed();

    assert_same(&team.published(), &expected, "four workers");
    let (runs, learnt) = team.completed();
    assert_eq!((runs, learnt), (number, number), "each session once");
    let took_part = shares.iter().filter(|share| **share > 0).count();
    assert!(took_part > 1, "one worker did everything: {shares:?}");
    println!(
        "{number} sessions through four workers in {took:?}, {shares:?} each; {} files, {} commits",
        expected.len(),
        team.commits()
    );
    // The user's checkout is not touched, and neither is its branch.
    assert!(!exists(&team.ann.root().join(".acreta/memory")));
    assert_eq!(team.git(&["rev-list", "--count", "main"]).trim(), "1");
}

#[test]
fn doing_a_job_again_changes_nothing() {
    let Some(team) = Team::new() else {
        return;
    };
    (0..2).for_each(|index| team.session(index));
    let expected = team.alone();
    team.enqueue(&[]);
    let worked = team.work(0, &["--until-idle"]).succeeded().json();
    assert_eq!(
        (&worked["completed"], &worked["not_completed"]),
        (&2.into(), &0.into()),
        "{worked}"
    );
    assert_same(&team.published(), &expected, "one worker");
    let commits = team.commits();
    team.enqueue(&["--force"]);
    // Another machine, with clones of its own.
    let worked = team.work(1, &["--until-idle"]).succeeded().json();
    assert_eq!(worked["completed"], 2, "{worked}");
    assert_same(&team.published(), &expected, "again");
    assert_eq!(
        team.commits(),
        commits,
        "nothing changed, so nothing was committed"
    );

    // Only the named projects.
    team.enqueue(&["--force"]);
    let worked = team
        .work(1, &["--until-idle", "--projects", "example.com/other"])
        .succeeded()
        .json();
    assert_eq!(worked["completed"], 0, "{worked}");
    let worked = team
        .work(1, &["--once", "--projects", "other,remote"])
        .succeeded()
        .json();
    assert_eq!(worked["completed"], 1, "{worked}");
}
