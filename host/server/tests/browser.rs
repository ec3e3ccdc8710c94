//! The dashboard in Chromium: `browser.mjs` with playwright-core against the real server over an invented world.
//! Runs where node, playwright-core (`ACRETA_PLAYWRIGHT` names a `node_modules` folder, or node finds it) and
//! Chromium are; says that it was skipped where they are not.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "../../server/tests/server/fake/mod.rs"]
mod fake;

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
/// Of which more than ten thousand are active and of the first project.
const LARGE: usize = 18_000;

#[test]
fn every_page_in_a_real_browser() {
    let tools = match Tools::find() {
        Ok(tools) => tools,
        Err(missing) => {
            eprintln!("skipped: {missing}");
            return;
        }
    };
    let usual = Running::start(96);
    let large = Running::start(LARGE);
    let mut command = Command::new("node");
    command
        .arg(SCRIPT)
        .env("ACRETA_ORIGIN", usual.origin())
        .env("ACRETA_LARGE_ORIGIN", large.origin())
        .env("ACRETA_TOKEN", TOKEN)
        .env("ACRETA_CHROMIUM", &tools.chromium);
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    println!("{said}");
    assert!(
        output.status.success(),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    usual.stop();
    large.stop();
}

struct Tools {
    chromium: PathBuf,
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
        // The script looks for it in the same way.
        let looks = "const path = require('node:path'); const folder = process.env.ACRETA_PLAYWRIGHT; \
                     require('node:module').createRequire(folder ? path.join(folder, '..', 'package.json') : process.argv[1])\
                     ('playwright-core')";
        if !works(Command::new("node").args(["-e", looks, SCRIPT])) {
            return Err(
                "there is no playwright-core; ACRETA_PLAYWRIGHT may name a node_modules folder",
            );
        }
        let names = ["chromium", "chromium-browser", "google-chrome"];
        let paths = std::env::var_os("PATH").unwrap_or_default();
        let chromium = std::env::split_paths(&paths)
            .flat_map(|folder| names.map(|name| folder.join(name)))
            .find(|path| path.is_file());
        chromium
            .map(|chromium| Self { chromium })
            .ok_or("there is no chromium")
    }
}

/// A server on a port of its own.
struct Running {
    address: SocketAddr,
    control: Control,
    thread: JoinHandle<()>,
}

impl Running {
    fn start(memories: usize) -> Self {
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
        let world = fake::Fake::new(memories, now_ms(), Duration::from_millis(50));
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
    reason = "cookies and codes are real, and so is the browser's clock"
)]
fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}
