//! A registry for containers (Debian's `docker-registry`) on this machine, with or without a login. It ends with the test.

use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub(crate) struct Registry {
    _folder: tempfile::TempDir,
    process: Child,
    /// Host and port.
    pub(crate) place: String,
}

/// User and password of a registry with a login.
pub(crate) const USER: &str = "me";
pub(crate) const PASSWORD: &str = "secret";

/// The password, hashed by `crypt` with bcrypt, as `htpasswd -B` does.
const HASH: &str = "$2y$05$abcdefghijklmnopqrstuuOQiyCxlgf/oeuTqixKmWdcYUh4Hjl0a";

impl Registry {
    /// Starts a registry, or says why that is not possible.
    pub(crate) fn start(has_login: bool) -> Option<Self> {
        let is_there = Command::new("docker-registry").arg("--version").output();
        if !is_there.is_ok_and(|output| output.status.success()) {
            acreta_testing::skip(acreta_testing::DOCKER_REGISTRY, "no registry to push to");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let place = free.local_addr().unwrap().to_string();
        drop(free);
        let root = folder.path().display();
        let auth = match has_login {
            true => format!("auth:\n  htpasswd:\n    realm: test\n    path: {root}/htpasswd\n"),
            false => String::new(),
        };
        let configuration = format!(
            "version: 0.1\nlog:\n  level: error\nstorage:\n  filesystem:\n    rootdirectory: {root}/data\nhttp:\n  addr: {place}\n{auth}"
        );
        let file = folder.path().join("config.yml");
        #[expect(clippy::disallowed_methods, reason = "a test's own scratch file")]
        for (name, text) in [
            ("config.yml", configuration),
            ("htpasswd", format!("{USER}:{HASH}\n")),
        ] {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let process = Command::new("docker-registry")
            .arg("serve")
            .arg(file)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let registry = Self {
            _folder: folder,
            process,
            place,
        };
        registry.wait();
        Some(registry)
    }

    pub(crate) fn reference(&self, rest: &str) -> String {
        format!("oci://{}/{rest}", self.place)
    }

    fn wait(&self) {
        let begun = Instant::now();
        while std::net::TcpStream::connect(&self.place).is_err() {
            assert!(
                begun.elapsed() < Duration::from_secs(30),
                "docker-registry does not answer"
            );
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
