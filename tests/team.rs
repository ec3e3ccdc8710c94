//! State on a server: `state.url`. Without the feature `team` the setting is refused by name; with it, machines share
//! one catalog.

use std::path::Path;

use serde_json::Value;

use crate::support::{Project, fixture, ran};

#[cfg(not(feature = "team"))]
#[test]
fn a_build_without_the_feature_says_which_one_is_missing() {
    let mut project = Project::new();
    project
        .command(&["status"])
        .env(
            "ACRETA_STATE_URL",
            "postgres://acreta:secret@db.example/acreta",
        )
        .output()
        .map(crate::support::ran)
        .unwrap()
        .failed(
            1,
            "`ACRETA_STATE_URL` is set, but this acreta was built without the feature `team`",
        );
    project.configure("[state]\nurl = \"postgres://acreta@db.example/acreta\"");
    let ran = project.acreta(&["status"]).failed(
        1,
        "`state.url` is set, but this acreta was built without the feature `team`",
    );
    assert!(ran.stderr.contains("--features team"), "{}", ran.stderr);
    assert!(!project.home().join("state.db").exists());
}

/// A setting that this build cannot use is not written, and one that a file has is not told as another problem.
#[cfg(not(feature = "team"))]
#[test]
fn a_build_without_the_feature_does_not_set_a_server() {
    let mut project = Project::new();
    for (key, value) in [
        ("state.url", "postgres://acreta@db.example/acreta"),
        ("archive.url", "s3://bucket/prefix"),
    ] {
        let ran = project.acreta(&["config", "set", key, value]);
        let ran = ran.failed(1, "was built without the feature `team`");
        assert!(ran.stderr.contains("--features team"), "{}", ran.stderr);
        let ran = project.acreta(&["config", "get", key]);
        assert!(!ran.stdout.contains("://"), "{}", ran.stdout);
    }
    project
        .acreta(&["config", "set", "state.url", ""])
        .succeeded();
    let add = ["memory", "add", "Anchors are weighed before sunrise"];
    project.acreta(&add).succeeded();
    project.configure("[state]\nurl = \"postgres://acreta@db.example/acreta\"");
    for arguments in [&["memory", "list"][..], &add] {
        let ran = project.acreta(arguments);
        let cause = "built without the feature `team`";
        assert!(ran.stderr.contains(cause), "{}", ran.stderr);
        assert!(!ran.stderr.contains("not registered"), "{}", ran.stderr);
    }
    project
        .acreta(&["config", "unset", "state.url"])
        .succeeded();
    project.acreta(&add).succeeded();
}

/// The author of a repository does not decide where sessions go.
#[test]
fn a_repository_does_not_choose_the_server_or_the_storage() {
    let project = Project::new();
    let evil = project.outside().join("evil");
    std::fs::create_dir_all(&evil).unwrap();
    let config = format!(
        "[state]\nurl = \"postgres://evil.example/x\"\n[archive]\nurl = \"file://{}/evil\"\n",
        project.outside().display()
    );
    project.write("project/.acreta/config.toml", config.as_bytes());
    project.acreta(&["project", "add"]).succeeded();
    project.acreta(&["project", "trust"]).succeeded();
    project.acreta(&["status"]).succeeded();
    assert!(project.home().join("state.db").exists());
    let listed = project.acreta(&["config", "get", "state.url"]);
    assert!(!listed.stdout.contains("evil"), "{}", listed.stdout);
    project.session_of_fixture();
    project.acreta(&["sync"]).succeeded();
    assert_eq!(std::fs::read_dir(evil).unwrap().count(), 0);
}

/// A folder needs no feature: sessions are there after a sync, `doctor` tries it, and a purge empties it.
#[test]
#[expect(clippy::disallowed_methods, reason = "a test's own scratch folder")]
fn sessions_are_archived_in_a_shared_folder_too() {
    let project = Project::new();
    project.session_of_fixture();
    let shared = project.outside().join("shared");
    let url = format!("file://{}", shared.display());
    let acreta = |arguments: &[&str]| {
        let mut command = project.command(arguments);
        ran(command.env("ACRETA_ARCHIVE_URL", &url).output().unwrap())
    };
    let archived = |folder: &Path| -> Vec<(String, Vec<u8>)> {
        let files = crate::support::files(folder).into_iter();
        // Marks of waiting uploads have other names.
        let files = files.filter(|path| {
            let name = path.file_name().unwrap().to_string_lossy();
            name.ends_with(".zst") && !name.contains('+')
        });
        let named = files.map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read(&path).unwrap())
        });
        named.collect()
    };

    // The folder is not there: the session is archived here, and the sync says what is wrong.
    let synced = acreta(&["sync", "--json"]);
    assert_ne!(synced.code, 0);
    assert!(synced.stdout.contains("mount"), "{}", synced.stdout);
    let own = archived(&project.home().join("archive"));
    assert_eq!(own.len(), 1);
    let doctor = acreta(&["doctor", "--json"]);
    let doctor = doctor.json_before_failure();
    let found = check(&doctor, "archive");
    assert_eq!(found["health"], "broken", "{found}");
    assert!(found["hint"].as_str().unwrap().contains("mount"), "{found}");
    assert!(!shared.exists());

    std::fs::create_dir_all(&shared).unwrap();
    let again = acreta(&["sync", "--json"]).succeeded().json();
    assert_eq!(again["failed"], 0, "{again}");
    assert_eq!(archived(&shared), own);
    let doctor = acreta(&["doctor", "--json"]);
    let doctor = doctor.json_before_failure();
    assert_eq!(check(&doctor, "archive")["health"], "fine", "{doctor}");
    assert_eq!(archived(&shared), own, "the test object is gone");

    // The own copy is lost: the session can still be read.
    std::fs::remove_dir_all(project.home().join("archive/claude")).unwrap();
    let listed = acreta(&["sessions", "list", "--json"]).succeeded().stdout;
    let id = "3e9d6b70-51c8-4a2f-8d14-c7f0a9b2e635";
    assert!(listed.contains(id), "{listed}");
    acreta(&["sessions", "export", id, "--as", "original"]).succeeded();
    assert_eq!(archived(&project.home().join("archive")), []);
}

#[test]
fn an_address_of_storage_is_checked() {
    let project = Project::new();
    let sync = |url: &str| {
        let mut command = project.command(&["sync"]);
        ran(command.env("ACRETA_ARCHIVE_URL", url).output().unwrap())
    };
    let ran = sync("ftp://storage.example/x").failed(1, "`ACRETA_ARCHIVE_URL`");
    assert!(ran.stderr.contains("s3://"), "{}", ran.stderr);
    let ran = sync("s3://bucket/prefix");
    match cfg!(feature = "team") {
        true => ran.failed(1, "`AWS_ACCESS_KEY_ID` is not set"),
        false => ran.failed(1, "built without the feature `team`"),
    };
}

fn check<'a>(doctor: &'a Value, name: &str) -> &'a Value {
    let checks = doctor["checks"].as_array().or(doctor.as_array()).unwrap();
    let mut named = checks.iter().filter(|check| check["name"] == name);
    named
        .next()
        .unwrap_or_else(|| panic!("no check `{name}`: {doctor}"))
}

const DEMO: &str = "claude/demo-queue-retries.jsonl";

impl Project {
    /// Adds the session of a fixture, as if it had run in the project.
    fn session_of_fixture(&self) {
        let text = std::fs::read_to_string(fixture(DEMO)).unwrap();
        let records = text
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let mut directories = records.filter_map(|one| Some(one["cwd"].as_str()?.to_owned()));
        let recorded = directories.next().unwrap();
        let text = text.replace(
            &format!("\"cwd\":\"{recorded}\""),
            &format!("\"cwd\":\"{}\"", self.root().display()),
        );
        self.write(".claude/projects/p/demo.jsonl", text.as_bytes());
    }
}

#[cfg(all(unix, feature = "team"))]
mod on_a_server {
    use std::path::Path;

    use serde_json::Value;

    use super::check;
    use crate::support::postgres::PostgresServer;
    use crate::support::{Project, Ran, ran};

    const URL: &str = "ACRETA_STATE_URL";

    impl Project {
        fn acreta_at(&self, url: &str, arguments: &[&str]) -> Ran {
            ran(self.command(arguments).env(URL, url).output().unwrap())
        }
    }

    fn files(project: &Project) -> Vec<(String, Vec<u8>)> {
        let root = project.memory();
        let files = crate::support::files(&root).into_iter();
        let named = files.map(|path| {
            let name = path
                .strip_prefix(&root)
                .map_or(path.as_path(), |name| name as &Path);
            (name.display().to_string(), std::fs::read(&path).unwrap())
        });
        named.collect()
    }

    #[test]
    fn two_machines_share_a_catalog_and_learn_what_one_with_a_file_learns() {
        let Some(server) = PostgresServer::start() else {
            return;
        };
        let url = server.url(None);
        let (by_file, ann, bob) = (Project::new(), Project::new(), Project::new());
        by_file.session_of_fixture();
        ann.session_of_fixture();

        by_file.acreta(&["sync"]).succeeded();
        let synced = ann.acreta_at(&url, &["sync", "--json"]).succeeded().json();
        assert_eq!(synced["ran"], 1, "{synced}");
        assert!(!ann.home().join("state.db").exists());
        assert!(!files(&ann).is_empty());
        let names = |project| files(project).into_iter().map(|(name, _)| name);
        assert!(names(&ann).eq(names(&by_file)));

        // Nothing is left, for neither machine: Bob has neither the session nor a file of Ann's that is gone.
        for machine in [&ann, &bob] {
            let again = machine
                .acreta_at(&url, &["sync", "--json"])
                .succeeded()
                .json();
            assert_eq!(
                (&again["ran"], &again["failed"]),
                (&0.into(), &0.into()),
                "{again}"
            );
        }
        let again = ann
            .acreta_at(&url, &["sync", "--json", "--force"])
            .succeeded()
            .json();
        assert_eq!(again["ran"], 1, "the session is still there: {again}");
        let ids = [&ann, &bob].map(|one| std::fs::read(one.home().join("machine")).unwrap());
        assert_ne!(ids[0], ids[1]);
    }

    #[test]
    fn doctor_checks_the_server_and_no_output_shows_the_password() {
        let Some(server) = PostgresServer::start() else {
            return;
        };
        let mut project = Project::new();
        let url = server.url(Some("hunter2secret"));
        let ran = project.acreta_at(&url, &["doctor", "--json"]);
        assert!(!format!("{}{}", ran.stdout, ran.stderr).contains("hunter2"));
        let doctor: Value = serde_json::from_str(&ran.stdout).unwrap();
        let catalog = check(&doctor, "catalog");
        assert_eq!(catalog["health"], "fine", "{catalog}");
        let message = catalog["message"].as_str().unwrap();
        assert!(
            message.contains("PostgreSQL") && message.contains("schema 7"),
            "{message}"
        );
        assert!(message.contains("its clock is"), "{message}");

        // A password in a file is refused; one in the environment is not needed there.
        project.configure(&format!("[state]\nurl = \"{url}\""));
        let ran = project.acreta(&["status"]).failed(1, "contains a password");
        assert!(ran.stderr.contains("PGPASSWORD"), "{}", ran.stderr);
        assert!(!ran.stderr.contains("hunter2"), "{}", ran.stderr);

        // A server that is away is an error with its address, not a file that hides it.
        drop(server);
        let ran = project.acreta_at(&url, &["status"]);
        assert!(ran.stderr.contains("postgres://acreta@"), "{}", ran.stderr);
        assert!(!format!("{}{}", ran.stdout, ran.stderr).contains("hunter2"));
        assert!(!project.home().join("state.db").exists());
    }
}
