//! A real PostgreSQL in a temporary folder for the duration of a test: it is stopped at the end, or by the kernel if
//! the test process dies first.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use acreta_state::{Catalog, CatalogOptions, LeaseClock, Server};

/// Variable with the address of the server that was started for the suite.
pub(crate) const ADDRESS: &str = "ACRETA_TEST_POSTGRES";

const USER: &str = "acreta";

pub(crate) struct TestServer {
    folder: tempfile::TempDir,
    binaries: PathBuf,
    postmaster: Option<Child>,
    settings: Vec<String>,
}

impl TestServer {
    /// Starts a server, or prints why that is not possible.
    pub(crate) fn start() -> Option<Self> {
        Self::start_with(&["fsync=off"])
    }

    /// Like [`TestServer::start`], with settings.
    pub(crate) fn start_with(settings: &[&str]) -> Option<Self> {
        let Some(binaries) = binaries() else {
            acreta_testing::skip(acreta_testing::POSTGRESQL, "PostgreSQL is not installed");
            return None;
        };
        let mut server = Self {
            folder: tempfile::tempdir().unwrap(),
            binaries,
            postmaster: None,
            settings: settings.iter().map(|&one| one.to_owned()).collect(),
        };
        if is_root() {
            let user = id_of("postgres", "-u");
            std::os::unix::fs::chown(server.folder.path(), Some(user), None).unwrap();
        }
        // English collation, so that a query which relies on the database's collation is noticed.
        let made = server
            .command("initdb")
            .args(["--no-sync", "--auth=trust", "--encoding=UTF8", "--locale=C"])
            .args(["--locale-provider=icu", "--icu-locale=en-US", "--username"])
            .args([USER, "--pgdata"])
            .arg(server.data())
            .output()
            .unwrap();
        assert!(made.status.success(), "{made:?}");
        server.run();
        Some(server)
    }

    /// Starts the server on its existing data, and waits until it answers.
    pub(crate) fn run(&mut self) {
        let log = std::fs::File::create(self.folder.path().join("log")).unwrap();
        let postmaster = self
            .command("postgres")
            .arg("-D")
            .arg(self.data())
            .arg("-k")
            .arg(self.folder.path())
            .args(["-c", "listen_addresses="])
            .args(self.settings.iter().flat_map(|one| ["-c", one]))
            .args(["-c", "max_connections=200", "-c", "restart_after_crash=on"])
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        self.postmaster = Some(postmaster);
        let until = Instant::now() + Duration::from_secs(60);
        while let Err(error) = connect(&self.address("public")) {
            assert!(Instant::now() < until, "no answer: {error}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Stops the server: `INT` closes connections and shuts down, `QUIT` and `KILL` leave the state of a crash.
    pub(crate) fn stop(&mut self, signal: &str) {
        let Some(mut postmaster) = self.postmaster.take() else {
            return;
        };
        let id = postmaster.id().to_string();
        let told = Command::new("kill").args(["-s", signal, &id]).status();
        assert!(told.unwrap().success());
        postmaster.wait().unwrap();
        // After a KILL its children exit by themselves, and the next start waits for them.
        #[expect(clippy::disallowed_methods, reason = "a file of the server's")]
        let _ = std::fs::remove_file(self.data().join("postmaster.pid"));
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn schema(&self) -> TestSchema {
        TestSchema::new(&self.address(""))
    }

    /// Returns the address as `key=value`, with a schema to use.
    pub(crate) fn address(&self, schema: &str) -> String {
        address(&self.folder.path().display().to_string(), schema)
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Builds a command for a PostgreSQL program, as a user that it accepts, which ends with this thread.
    fn command(&self, name: &str) -> Command {
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "QUIT"]);
        if is_root() {
            command.args([
                "--reuid",
                "postgres",
                "--regid",
                "postgres",
                "--clear-groups",
            ]);
        }
        command
            .arg(self.binaries.join(name))
            .current_dir(self.folder.path());
        command
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.stop("QUIT");
    }
}

/// A separate schema on a server, dropped at the end.
pub(crate) struct TestSchema {
    address: String,
    name: String,
}

impl TestSchema {
    /// Creates one on the suite's server, if this process runs the suite.
    pub(crate) fn of_suite() -> Option<Self> {
        #[expect(clippy::disallowed_methods, reason = "the suite starts itself again")]
        let folder = std::env::var(ADDRESS).ok()?;
        Some(Self::new(&address(&folder, "")))
    }

    fn new(address: &str) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("t{}_{number}", std::process::id());
        let schema = Self {
            address: format!("{address}{name}'"),
            name,
        };
        let sql = format!("CREATE SCHEMA {}", schema.name);
        schema.client().batch_execute(&sql).unwrap();
        schema
    }

    pub(crate) fn server(&self) -> Server {
        Server::new(&self.address, None).unwrap()
    }

    /// Opens a catalog whose leases use the clock of the test.
    pub(crate) fn open(&self, options: CatalogOptions) -> Catalog {
        let options = CatalogOptions {
            lease_clock: LeaseClock::Caller,
            ..options
        };
        Catalog::connect(&self.server(), options).unwrap()
    }

    /// Connects a plain PostgreSQL client.
    pub(crate) fn client(&self) -> postgres::Client {
        connect(&self.address).unwrap()
    }
}

impl Drop for TestSchema {
    fn drop(&mut self) {
        if let Ok(mut client) = connect(&self.address) {
            let sql = format!(
                "SET client_min_messages = error; DROP SCHEMA {} CASCADE",
                self.name
            );
            let _ = client.batch_execute(&sql);
        }
    }
}

/// Without a schema the text ends where the schema's name and a quote are to follow.
fn address(folder: &str, schema: &str) -> String {
    let end = if schema.is_empty() { "" } else { "'" };
    format!("host={folder} user={USER} dbname=postgres options='-csearch_path={schema}{end}")
}

fn connect(address: &str) -> Result<postgres::Client, postgres::Error> {
    postgres::Client::connect(address, postgres::NoTls)
}

/// Finds the server programs; Debian keeps them outside `PATH`.
fn binaries() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten();
    let mut folders: Vec<PathBuf> = versions
        .filter_map(|version| Some(version.ok()?.path().join("bin")))
        .collect();
    folders.sort();
    folders.reverse();
    let path = std::env::var_os("PATH").unwrap_or_default();
    folders.extend(std::env::split_paths(&path));
    let has = |folder: &Path, name: &str| folder.join(name).is_file();
    folders
        .into_iter()
        .find(|folder| has(folder, "initdb") && has(folder, "postgres"))
}

fn is_root() -> bool {
    id_of("", "-u") == 0
}

fn id_of(user: &str, which: &str) -> u32 {
    let mut command = Command::new("id");
    command.arg(which);
    if !user.is_empty() {
        command.arg(user);
    }
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.trim().parse().unwrap()
}
