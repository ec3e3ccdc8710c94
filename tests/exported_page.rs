//! An exported page in a real browser: opened from disk, it asks for nothing. All that Chromium asks for goes to a proxy of
//! the test, which writes it down and answers with nothing. Skipped where there is no Chromium.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::support::{ClaudeSession, Project};

const ID: &str = "5d2f6c1e-7a4b-4c39-9b61-000000000001";

/// Markup that asks for something as soon as it is opened, each from a host of its own.
const ASKING: &str = "<img src=http://img.example/a.png>\n\
    <script src=http://script.example/b.js></script>\n\
    <link rel=stylesheet href=http://link.example/c.css>\n\
    <link rel=preload as=image href=http://preload.example/d.png>\n\
    <meta http-equiv=refresh content='1;url=http://refresh.example/e'>\n\
    <iframe src=http://frame.example/f></iframe>\n\
    <video autoplay src=http://video.example/g.mp4></video>\n\
    <object data=http://object.example/h></object>\n\
    <style>body { background: url(http://style.example/i.png) }</style>\n\
    <form id=f action=http://form.example/j></form><script>document.getElementById('f').submit()</script>\n\
    ![an image](http://markdown.example/k.png)";

/// Longest time that the browser may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// The requests of a browser, by their first lines.
struct Proxy {
    port: u16,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Proxy {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let noted = Arc::clone(&asked);
        std::thread::spawn(move || {
            // A browser opens connections that it may need later: none may wait for another.
            for mut stream in listener.incoming().flatten() {
                let noted = Arc::clone(&noted);
                std::thread::spawn(move || {
                    let mut line = String::new();
                    if BufReader::new(&stream).read_line(&mut line).is_ok() {
                        noted.lock().unwrap().push(line.trim().to_owned());
                    }
                    let _ =
                        stream.write_all(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
                });
            }
        });
        Self { port, asked }
    }

    /// Opens a page from disk until all that it asks for is there, and returns the requests to hosts that it may name: a
    /// browser asks its maker's hosts by itself.
    fn open(&self, chromium: &Path, page: &Path, profile: &Path) -> Vec<String> {
        self.asked.lock().unwrap().clear();
        let mut browser = Command::new(chromium)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--proxy-bypass-list=<-loopback>",
                "--virtual-time-budget=5000",
                "--dump-dom",
            ])
            .arg(format!("--proxy-server=http://127.0.0.1:{}", self.port))
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg(format!("file://{}", page.display()))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let started = Instant::now();
        while browser.try_wait().unwrap().is_none() {
            if started.elapsed() > PATIENCE {
                browser.kill().unwrap();
                panic!("the browser did not end");
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let asked = self.asked.lock().unwrap();
        let asked = asked.iter().filter(|line| line.contains(".example"));
        asked.cloned().collect()
    }
}

fn chromium() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|path| path.is_file())
}

#[test]
fn an_exported_page_asks_for_nothing() {
    let Some(chromium) = chromium() else {
        acreta_testing::skip(acreta_testing::BROWSER, "there is no chromium");
        return;
    };
    let project = Project::new();
    let mut session = ClaudeSession::new(1);
    session.person(&format!("What is this? {ASKING}"));
    session.agent(&format!("A page:\n\n```html\n{ASKING}\n```\n{ASKING}"));
    session.tool(
        "WebFetch",
        &serde_json::json!({ "url": "http://fetched.example/", "prompt": ASKING }),
        ASKING,
        false,
    );
    let root = std::fs::canonicalize(project.root()).unwrap();
    let text = (session.text).replace("/home/dev/shop", root.to_str().unwrap());
    project.write(&format!(".claude/projects/p/{ID}.jsonl"), text.as_bytes());
    project.acreta(&["sync"]).succeeded();
    let page = project.outside().join("page.html");
    let export = ["sessions", "export", ID, "--as", "html", "--out"];
    let arguments = [&export[..], &[page.to_str().unwrap()]].concat();
    project.acreta(&arguments).succeeded();

    let proxy = Proxy::start();
    let profile = project.outside().join("profile");
    let asked = proxy.open(&chromium, &page, &profile);
    assert_eq!(asked, [""; 0], "requests of the exported page");
    let exported = std::fs::read_to_string(&page).unwrap();
    assert!(exported.contains("img.example"), "the page names the hosts");

    // Some of this markup, not escaped and without the policy: the proxy sees what a page asks for.
    let markup: String = ASKING.lines().take(4).collect();
    let open = project.write("open.html", markup.as_bytes());
    let asked = proxy.open(&chromium, &open, &profile);
    for host in ["img.example", "script.example", "preload.example"] {
        assert!(asked.iter().any(|line| line.contains(host)), "{asked:?}");
    }
}
