//! `acreta self`: how the program was installed, and a newer one in its place, from a server on this machine. The program
//! is this binary under a second name, the newer one a script.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::support::{Project, Ran, ran};

/// What a server has for each path: the bytes, and how many of them it sends.
type Files = Arc<Mutex<BTreeMap<String, (Vec<u8>, usize)>>>;

/// Serves files until the test ends, and returns its address.
fn serve(files: &Files) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let files = Arc::clone(files);
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let mut request = String::new();
            while reader.read_line(&mut request).unwrap_or(0) > 0 && !request.ends_with("\r\n\r\n")
            {
            }
            let path = request.split(' ').nth(1).unwrap_or_default();
            let file = files.lock().unwrap().get(path).cloned();
            let (status, (body, sent)) = match file {
                Some(file) => ("200 OK", file),
                None => ("404 Not Found", (Vec::new(), 0)),
            };
            let length = body.len();
            let head = format!(
                "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
            );
            let _ = stream.write_all(head.as_bytes());
            let _ = stream.write_all(&body[..sent]);
        }
    });
    address
}

/// A program that an installer put into a folder, and its place of releases.
struct Installed {
    project: Project,
    /// Beside the binary, so that it needs no copy.
    folder: tempfile::TempDir,
    files: Files,
    url: String,
}

impl Installed {
    fn new() -> Self {
        let files = Files::default();
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        Self {
            project: Project::new(),
            folder,
            url: serve(&files),
            files,
        }
    }

    fn program(&self) -> PathBuf {
        self.folder.path().join("acreta")
    }

    /// Puts this binary in its place, with a receipt.
    fn install(&self) {
        let _ = Command::new("rm").arg("-f").arg(self.program()).status();
        std::fs::hard_link(env!("CARGO_BIN_EXE_acreta"), self.program()).unwrap();
        let receipt = json!({"program": self.program(), "version": "0.0.1", "url": self.url});
        self.project
            .write("home/install.json", receipt.to_string().as_bytes());
    }

    /// Publishes a script as the program of a version.
    fn publish(&self, version: &str, script: &str) {
        let (name, archive) = self.archive(version, script);
        let release = json!({"version": version, "archives": {target(): {
            "name": name, "bytes": archive.len(), "sha256": acreta_text::hex(&Sha256::digest(&archive)),
        }}});
        let release = release.to_string().into_bytes();
        let mut files = self.files.lock().unwrap();
        files.clear();
        files.insert("/release.json".to_owned(), (release.clone(), release.len()));
        files.insert(format!("/{name}"), (archive.clone(), archive.len()));
    }

    fn archive(&self, version: &str, script: &str) -> (String, Vec<u8>) {
        let name = format!("acreta-{version}-{}", target());
        let program = self
            .project
            .write(&format!("stage/{name}/acreta"), script.as_bytes());
        let packed = program.with_file_name("packed.tar.xz");
        for (program, arguments) in [
            ("chmod", vec!["755", program.to_str().unwrap()]),
            (
                "tar",
                vec![
                    "--create",
                    "--xz",
                    "--file",
                    packed.to_str().unwrap(),
                    &format!("{name}/acreta"),
                ],
            ),
        ] {
            let done = Command::new(program)
                .args(arguments)
                .current_dir(self.project.outside().join("stage"))
                .output()
                .unwrap();
            assert!(
                done.status.success(),
                "{}",
                String::from_utf8_lossy(&done.stderr)
            );
        }
        (format!("{name}.tar.xz"), std::fs::read(packed).unwrap())
    }

    /// Changes what is served in place of the archive.
    fn spoil(&self, change: impl Fn(&mut (Vec<u8>, usize))) {
        let mut files = self.files.lock().unwrap();
        let archive = files.iter_mut().find(|(name, _)| name.ends_with(".tar.xz"));
        change(archive.unwrap().1);
    }

    fn acreta(&self, arguments: &[&str]) -> Ran {
        let known = self.project.command(&[]);
        let mut command = Command::new(self.program());
        command
            .args(arguments)
            .current_dir(self.project.root())
            .env_clear();
        for (name, value) in known.get_envs() {
            command.env(name, value.unwrap());
        }
        command.env("PATH", "/usr/bin:/bin");
        ran(command.output().unwrap())
    }

    fn is_replaced(&self) -> bool {
        std::fs::read(self.program()).unwrap().starts_with(b"#!")
    }

    fn entries(&self) -> Vec<String> {
        names(self.folder.path())
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.collect()
}

fn target() -> String {
    let system = match cfg!(target_os = "macos") {
        true => "apple-darwin",
        false => "unknown-linux-musl",
    };
    format!("{}-{system}", std::env::consts::ARCH)
}

fn script(version: &str) -> String {
    format!("#!/bin/sh\necho acreta {version}\n")
}

#[test]
fn a_newer_program_takes_the_place_of_the_old_one_or_nothing_changes() {
    let installed = Installed::new();
    let wrong_elsewhere =
        "#!/bin/sh\ncase $0 in */.acreta-update*) echo acreta 99.0.0 ;; *) exit 9 ;; esac\n";
    type Spoil<'a> = &'a dyn Fn(&Installed);
    let nothing: Spoil<'_> = &|_| ();
    let rows: [(&str, String, Spoil<'_>, i32, &str, bool); 9] = [
        (
            "newer",
            script("99.0.0"),
            nothing,
            0,
            "replaced acreta 0.1.0 with 99.0.0",
            true,
        ),
        (
            "another sum",
            script("99.0.0"),
            &|installed| installed.spoil(|(bytes, _)| bytes[9] ^= 1),
            1,
            "does not match its digest",
            false,
        ),
        (
            "cut off",
            script("99.0.0"),
            &|installed| installed.spoil(|(_, sent)| *sent /= 2),
            1,
            "was interrupted",
            false,
        ),
        (
            "too long",
            script("99.0.0"),
            &|installed| {
                installed.spoil(|(bytes, sent)| {
                    bytes.push(0);
                    *sent += 1;
                });
            },
            1,
            "is larger than",
            false,
        ),
        (
            "gone",
            script("99.0.0"),
            &|installed| {
                let mut files = installed.files.lock().unwrap();
                files.retain(|name, _| name == "/release.json");
            },
            1,
            "status 404",
            false,
        ),
        (
            "no release",
            script("99.0.0"),
            &|installed| installed.files.lock().unwrap().clear(),
            1,
            "there is no `http://127.0.0.1",
            false,
        ),
        (
            "does not run",
            "#!/bin/sh\nexit 3\n".to_owned(),
            nothing,
            1,
            "the new program does not answer as acreta 99.0.0",
            false,
        ),
        (
            "does not run in its place",
            wrong_elsewhere.to_owned(),
            nothing,
            1,
            "the earlier program is in its place again",
            false,
        ),
        (
            "another version",
            script("98.0.0"),
            nothing,
            1,
            "it said `acreta 98.0.0`",
            false,
        ),
    ];
    for (name, program, spoil, code, message, replaced) in rows {
        installed.install();
        installed.publish("99.0.0", &program);
        spoil(&installed);
        let done = installed.acreta(&["self", "update"]);
        println!("{name}: {}", done.stderr);
        done.failed(code, message);
        assert_eq!(installed.is_replaced(), replaced, "{name}");
        assert_eq!(installed.entries(), ["acreta"], "{name}");
    }
}

#[test]
fn an_older_program_is_installed_only_if_that_is_asked_for() {
    let installed = Installed::new();
    installed.install();
    installed.publish("0.0.9", &script("0.0.9"));
    installed
        .acreta(&["self", "update"])
        .failed(1, "older than this")
        .failed(1, "--allow-downgrade");
    assert!(!installed.is_replaced());
    let replaced = installed
        .acreta(&["self", "update", "--allow-downgrade", "--json"])
        .succeeded()
        .json();
    assert_eq!(
        (&replaced["to"], &replaced["replaced"]),
        (&json!("0.0.9"), &json!(true))
    );
    assert!(installed.is_replaced());
    let receipt = std::fs::read(installed.project.home().join("install.json")).unwrap();
    let receipt: Value = serde_json::from_slice(&receipt).unwrap();
    assert_eq!(
        (&receipt["version"], &receipt["url"]),
        (&json!("0.0.9"), &json!(installed.url))
    );
}

#[test]
fn the_newest_version_is_told_and_stays() {
    let installed = Installed::new();
    installed.install();
    let own = env!("CARGO_PKG_VERSION");
    installed.publish(own, &script(own));
    let stays = installed
        .acreta(&["self", "update", "--json"])
        .succeeded()
        .json();
    assert_eq!(stays["replaced"], false);
    assert!(!installed.is_replaced());
    installed.publish("99.0.0", &script("99.0.0"));
    let check = |arguments: &[&str]| {
        let arguments = [&["self", "check", "--json"], arguments].concat();
        installed.acreta(&arguments).succeeded().json()
    };
    let (offline, online) = (check(&[]), check(&["--online"]));
    assert_eq!(offline["installed_by"], "installer");
    assert_eq!(offline["update"], "acreta self update");
    assert_eq!(offline["newest"], Value::Null);
    assert_eq!(online["newest"], "99.0.0");
    let shown = installed.acreta(&["self", "check"]).succeeded().stdout;
    assert!(shown.contains("installed by  installer"), "{shown}");
    // A folder of files serves as well, and broken settings are no hindrance.
    installed.project.write("home/config.toml", b"[[");
    let files = installed.files.lock().unwrap().clone();
    for (name, (bytes, _)) in files {
        installed.project.write(&format!("releases{name}"), &bytes);
    }
    let receipt = json!({
        "program": installed.program(), "version": own,
        "url": format!("file://{}", installed.project.outside().join("releases").display()),
    });
    installed
        .project
        .write("home/install.json", receipt.to_string().as_bytes());
    installed.acreta(&["self", "update"]).succeeded();
    assert!(installed.is_replaced());
}

#[test]
fn what_no_installer_recorded_is_left_to_its_own_way() {
    let project = Project::new();
    project
        .acreta(&["self", "update"])
        .failed(1, "was installed with build")
        .failed(1, "to update it: build it again");
    let check = project
        .acreta(&["self", "check", "--json"])
        .succeeded()
        .json();
    assert_eq!(check["installed_by"], "build");
    project
        .acreta(&["self", "check", "--online"])
        .failed(2, "ACRETA_DOWNLOAD_URL");
    // Nothing was made in the home.
    assert_eq!(names(&project.home()), Vec::<String>::new());
}

/// A daemon of the version before goes on until somebody starts it anew.
#[test]
#[cfg(target_os = "linux")]
fn an_old_daemon_is_told_and_started_anew() {
    use crate::support::Daemon;

    let project = Project::new();
    let daemon = Daemon::start(&project);
    let file = project.home().join("daemon.json");
    let address = std::fs::read_to_string(&file).unwrap();
    let own = env!("CARGO_PKG_VERSION");
    let status = || project.acreta(&["status"]).succeeded().stderr;
    assert!(!status().contains("the daemon"), "{}", status());
    project.write("home/daemon.json", address.replace(own, "0.0.9").as_bytes());
    assert!(
        status().contains("the daemon is still acreta 0.0.9: `acreta up` starts it anew"),
        "{}",
        status()
    );
    let up = project.acreta(&["up"]).succeeded().stderr;
    assert!(up.contains("stopping the daemon of acreta 0.0.9"), "{up}");
    assert!(daemon.end_of_itself().success());
    let address: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    assert_eq!(address["version"], own);
    assert_eq!(status(), "");
    project.acreta(&["down"]).succeeded();
}
