//! A PostgreSQL server in a temporary folder, reachable through a socket in it. It ends with the test, or with the
//! thread that started it.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub(crate) struct PostgresServer {
    folder: tempfile::TempDir,
    binaries: PathBuf,
    postmaster: Child,
}

impl PostgresServer {
    /// Starts a server, or says why that is not possible.
    pub(crate) fn start() -> Option<Self> {
        let Some(binaries) = binaries() else {
            acreta_testing::skip(acreta_testing::POSTGRESQL, "PostgreSQL is not installed");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        if id(&["-u"]) == 0 {
            let user = Some(id(&["-u", "postgres"]));
            std::os::unix::fs::chown(folder.path(), user, None).unwrap();
        }
        let data = folder.path().join("data");
        let made = program(&binaries, folder.path(), "initdb")
            .args([
                "--no-sync",
                "--auth=trust",
                "--username=acreta",
                "--encoding=UTF8",
            ])
            .args(["--locale=C", "--pgdata"])
            .arg(&data)
            .output()
            .unwrap();
        assert!(made.status.success(), "{made:?}");
        let server = Self {
            postmaster: postmaster(&binaries, folder.path()),
            folder,
            binaries,
        };
        server.wait();
        Some(server)
    }

    /// Ends the server in the middle of whatever it does, waits, and starts it again: it recovers from its log.
    pub(crate) fn crash(&mut self, away: Duration) {
        self.quit();
        std::thread::sleep(away);
        self.resume();
    }

    /// Starts a server that has quit.
    pub(crate) fn resume(&mut self) {
        self.postmaster = postmaster(&self.binaries, self.folder.path());
        self.wait();
    }

    fn wait(&self) {
        let until = Instant::now() + Duration::from_secs(60);
        let is_ready = || {
            let mut command = Command::new(self.binaries.join("pg_isready"));
            command
                .arg("-h")
                .arg(self.folder.path())
                .args(["-U", "acreta", "-q"]);
            command.status().unwrap().success()
        };
        while !is_ready() {
            assert!(Instant::now() < until, "PostgreSQL does not answer");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Ends the server in the middle of whatever it does.
    pub(crate) fn quit(&mut self) {
        let id = self.postmaster.id().to_string();
        let _ = Command::new("kill").args(["-s", "QUIT", &id]).status();
        let _ = self.postmaster.wait();
    }

    /// Runs a statement in the database of the tests.
    pub(crate) fn execute(&self, sql: &str) {
        let mut command = Command::new(self.binaries.join("psql"));
        command
            .arg("-h")
            .arg(self.folder.path())
            .args(["-U", "acreta", "-q", "-c", sql, "postgres"]);
        assert!(command.status().unwrap().success(), "{sql}");
    }

    /// Returns the address, with a password if one is given; the server asks for none.
    pub(crate) fn url(&self, password: Option<&str>) -> String {
        let socket = self.folder.path().to_str().unwrap().replace('/', "%2F");
        let password = password.map_or(String::new(), |password| format!(":{password}"));
        format!("postgres://acreta{password}@{socket}/postgres")
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        self.quit();
    }
}

/// Returns a program of PostgreSQL, which refuses to run as root and ends with this thread.
fn program(binaries: &Path, folder: &Path, name: &str) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "QUIT"]);
    if id(&["-u"]) == 0 {
        command.args([
            "--reuid",
            "postgres",
            "--regid",
            "postgres",
            "--clear-groups",
        ]);
    }
    command.arg(binaries.join(name)).current_dir(folder);
    command
}

fn postmaster(binaries: &Path, folder: &Path) -> Child {
    program(binaries, folder, "postgres")
        .args(["-c", "listen_addresses=", "-c", "fsync=off", "-D"])
        .arg(folder.join("data"))
        .arg("-k")
        .arg(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Finds the server programs; Debian keeps them outside `PATH`.
fn binaries() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql");
    let versions = versions.into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    let path = std::env::var_os("PATH").unwrap_or_default();
    folders.extend(std::env::split_paths(&path));
    let has = |folder: &Path, name: &str| folder.join(name).is_file();
    folders.into_iter().find(|folder| {
        ["initdb", "postgres", "pg_isready"]
            .iter()
            .all(|name| has(folder, name))
    })
}

fn id(arguments: &[&str]) -> u32 {
    let output = Command::new("id").args(arguments).output().unwrap();
    String::from_utf8(output.stdout)
        .unwrap()
        .trim()
        .parse()
        .unwrap()
}
