//! `acreta-server-fake [--port N] [--memories N] [--token TEXT] [--assets FOLDER]`: serves an invented world, and
//! prints its address, its token and a URL for a browser.

mod fake;

use std::io::Read;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use acreta_server::{Asset, Control, Limits, Options, Schedule, Surroundings, serve};

const TOKEN: &str = "fake-token-fake-token-fake-token";

struct Arguments {
    port: u16,
    memories: usize,
    token: String,
}

fn main() -> ExitCode {
    let arguments = match arguments() {
        Ok(arguments) => arguments,
        Err(message) => return complain(&message),
    };
    let fake = fake::Fake::new(arguments.memories, now_ms(), Duration::from_millis(250));
    let options = Options {
        host: "127.0.0.1".to_owned(),
        port: arguments.port,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        token: arguments.token.clone(),
        schedule: Schedule::off(),
        limits: Limits::default(),
        surroundings: Surroundings {
            now_ms: Arc::new(now_ms),
            random: Arc::new(|bytes| std::fs::File::open("/dev/urandom")?.read_exact(bytes)),
        },
        ready: Box::new(move |address| announce(address, &arguments.token)),
    };
    let control = Control::default();
    let ending = control.clone();
    // The parent process closes its input to end it.
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let ended = std::io::stdin().read_to_end(&mut bytes);
        if ended.is_ok() && ASSETS.get().is_some_and(|assets| assets.ends_with_input) {
            ending.shut_down();
        }
    });
    match serve(options, fake, asset, &control) {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            let hint = error.hint().unwrap_or_default();
            complain(&format!("{error}: {hint}"))
        }
    }
}

struct Files {
    folder: Option<PathBuf>,
    ends_with_input: bool,
}

static ASSETS: OnceLock<Files> = OnceLock::new();

/// Reads the file from the folder on each request; without a folder, returns a placeholder page.
fn asset(path: &str) -> Option<Asset> {
    let folder = ASSETS.get().and_then(|files| files.folder.as_ref());
    let Some(folder) = folder else {
        let page = "<!doctype html><title>acreta</title><p>There is no dashboard here.";
        return (path == "index.html").then(|| Asset {
            bytes: page.as_bytes().into(),
            content_type: "text/html; charset=utf-8".into(),
            etag: None,
        });
    };
    let bytes = std::fs::read(folder.join(path)).ok()?;
    let content_type = match path.rsplit_once('.')?.1 {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "json" => "application/json",
        "png" => "image/png",
        _ => "application/octet-stream",
    };
    Some(Asset {
        bytes: bytes.into(),
        content_type: content_type.into(),
        etag: None,
    })
}

fn arguments() -> Result<Arguments, String> {
    let mut found = Arguments {
        port: 8765,
        memories: 96,
        token: TOKEN.to_owned(),
    };
    let mut files = Files {
        folder: None,
        ends_with_input: false,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        if name == "--end-with-input" {
            files.ends_with_input = true;
            continue;
        }
        let value = arguments
            .next()
            .ok_or_else(|| format!("`{name}` needs a value"))?;
        let wrong = |_| format!("`{value}` is no number");
        match name.as_str() {
            "--port" => found.port = value.parse().map_err(wrong)?,
            "--memories" => found.memories = value.parse().map_err(wrong)?,
            "--token" => found.token = value,
            "--assets" => files.folder = Some(value.into()),
            _ => return Err(format!("unknown argument `{name}`")),
        }
    }
    let _ = ASSETS.set(files);
    Ok(found)
}

#[expect(clippy::print_stdout, reason = "whoever started it waits for this")]
fn announce(address: SocketAddr, token: &str) {
    println!("address={address} token={token}");
}

#[expect(clippy::print_stderr, reason = "it is a program")]
fn complain(message: &str) -> ExitCode {
    eprintln!("{message}");
    ExitCode::FAILURE
}

#[expect(clippy::disallowed_methods, reason = "it is a program")]
fn now_ms() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}
