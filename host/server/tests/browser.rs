//! The dashboard in Chromium: `browser.mjs` with playwright-core against the real server over an invented world. Runs
//! if node and Chromium are installed, and otherwise prints that it was skipped. playwright-core and axe-core come from
//! the `node_modules` folder that `ACRETA_PLAYWRIGHT` names, or from a separate cache that npm fills once.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "server/world/mod.rs"]
mod world;

use std::io::Read;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use acreta_server::{Asset, Control, Limits, Options, Schedule, Surroundings, serve};

const TOKEN: &str = "browser-token-browser-token-browser";
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/browser.mjs");
/// About twenty of them are active and in the first project.
const SMALL: usize = 34;
/// More than a thousand of them are active and in the first project.
const LARGE: usize = 1_800;
/// Events of the longest session: several times what a page may have in its document.
const LONGEST: usize = 2_000;

#[test]
fn every_page_in_a_real_browser() {
    let tools = match Tools::find() {
        Ok(tools) => tools,
        Err(missing) => {
            acreta_testing::skip(acreta_testing::BROWSER, missing);
            return;
        }
    };
    let [usual, empty, small, large] = std::thread::scope(|scope| {
        let worlds = [(96, LONGEST), (0, 0), (SMALL, 200), (LARGE, 200)];
        worlds
            .map(|(memories, longest)| scope.spawn(move || Running::start(memories, longest)))
            .map(|starting| starting.join().unwrap())
    });
    let mut command = Command::new("node");
    command
        .arg(SCRIPT)
        .env("ACRETA_ORIGIN", usual.origin())
        .env("ACRETA_EMPTY_ORIGIN", empty.origin())
        .env("ACRETA_SMALL_ORIGIN", small.origin())
        .env("ACRETA_LARGE_ORIGIN", large.origin())
        .env("ACRETA_PLAYWRIGHT", &tools.modules)
        .env("ACRETA_TOKEN", TOKEN)
        .env("ACRETA_CHROMIUM", &tools.chromium);
    let status = command.status().unwrap();
    assert!(status.success(), "browser checks failed: {status}");
    for server in [usual, empty, small, large] {
        server.stop();
    }
}

/// Package names for npm.
const PACKAGES: [&str; 2] = ["playwright-core@1.65.0", "axe-core@4.14.0"];

struct Tools {
    chromium: PathBuf,
    /// With playwright-core and usually axe-core.
    modules: PathBuf,
}

impl Tools {
    fn find() -> Result<Self, &'static str> {
        let works = |command: &mut Command| {
            let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
            quiet.status().is_ok_and(|status| status.success())
        };
        if !works(Command::new("node").arg("--version")) {
            return Err("there is no node");
        }
        let modules = match std::env::var_os("ACRETA_PLAYWRIGHT") {
            Some(folder) => PathBuf::from(folder),
            None => {
                let cache = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("browser-tools");
                let modules = cache.join("node_modules");
                let has = |name: &str| modules.join(name).is_dir();
                if !has("playwright-core") || !has("axe-core") {
                    std::fs::create_dir_all(&cache).map_err(|_| "its cache cannot be made")?;
                    let mut npm = Command::new("npm");
                    npm.args(["install", "--no-audit", "--no-fund", "--ignore-scripts"]);
                    works(npm.arg("--prefix").arg(&cache).args(PACKAGES));
                }
                modules
            }
        };
        if !modules.join("playwright-core").is_dir() {
            return Err(
                "there is no playwright-core, and npm could not fetch it; ACRETA_PLAYWRIGHT may name a node_modules folder",
            );
        }
        let names = ["chromium", "chromium-browser", "google-chrome"];
        let paths = std::env::var_os("PATH").unwrap_or_default();
        let chromium = std::env::split_paths(&paths)
            .flat_map(|folder| names.map(|name| folder.join(name)))
            .find(|path| path.is_file());
        chromium
            .map(|chromium| Self { chromium, modules })
            .ok_or("there is no chromium")
    }
}

/// A server on its own port.
struct Running {
    address: SocketAddr,
    control: Control,
    thread: JoinHandle<()>,
}

impl Running {
    fn start(memories: usize, longest: usize) -> Self {
        let (ready, address) = mpsc::channel();
        let control = Control::default();
        let ending = control.clone();
        let options = Options {
            host: "127.0.0.1".to_owned(),
            port: 0,
            version: "0.1.0".to_owned(),
            token: TOKEN.to_owned(),
            schedule: Schedule::off(),
            limits: Limits::default(),
            surroundings: Surroundings {
                now_ms: Arc::new(now_ms),
                random: Arc::new(|bytes| std::fs::File::open("/dev/urandom")?.read_exact(bytes)),
            },
            ready: Box::new(move |address| ready.send(address).unwrap()),
        };
        let world = world::World::new(memories, longest, now_ms(), Duration::from_millis(50));
        let thread = std::thread::spawn(move || {
            serve(options, world, asset, &ending).unwrap();
        });
        Self {
            address: address.recv().unwrap(),
            control,
            thread,
        }
    }

    fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    fn stop(self) {
        self.control.shut_down();
        self.thread.join().unwrap();
    }
}

fn asset(path: &str) -> Option<Asset> {
    let asset = acreta_server::dashboard::asset(path)?;
    Some(Asset {
        bytes: asset.bytes.into(),
        content_type: asset.content_type.into(),
        etag: Some(asset.etag.into()),
    })
}

#[expect(
    clippy::disallowed_methods,
    reason = "codes are real, and so is the browser's clock"
)]
fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}
