//! Hostile requests. None of them may succeed, and none may reach the service.

use std::io::Write;
use std::time::{Duration, Instant};

use acreta_server::{Limits, Schedule};
use serde_json::{Value, json};

use crate::calls::every_call;
use crate::support::{Answer, Request, Running, TOKEN, quick};

/// A change to a request that would otherwise be accepted.
type Attack = (&'static str, fn(Request) -> Request);

const ON_EVERYTHING: &[Attack] = &[
    ("DNS rebinding", |request| {
        request.with("Host", "evil.example:PORT")
    }),
    ("rebinding to a name like ours", |request| {
        request.with("Host", "localhost.evil.example:PORT")
    }),
    ("rebinding without a port", |request| {
        request.with("Host", "127.0.0.1")
    }),
    ("rebinding to another port", |request| {
        request.with("Host", "127.0.0.1:1")
    }),
    ("an address of another kind", |request| {
        request.with("Host", "2130706433:PORT")
    }),
    ("no host", |request| request.without("Host")),
    ("two hosts", |mut request| {
        request
            .headers
            .push(("Host".to_owned(), "evil.example".to_owned()));
        request
    }),
    ("a foreign origin", |request| {
        request.with("Origin", "https://evil.example")
    }),
    ("a foreign origin that begins like ours", |request| {
        request.with("Origin", "http://127.0.0.1:PORT.evil.example")
    }),
    ("our name over https", |request| {
        request.with("Origin", "https://127.0.0.1:PORT")
    }),
    ("our name on another port", |request| {
        request.with("Origin", "http://127.0.0.1:1")
    }),
    ("another of our names", |request| {
        request.with("Origin", "http://localhost:PORT")
    }),
    ("Origin: null", |request| request.with("Origin", "null")),
    ("an empty origin", |request| request.with("Origin", "")),
    ("an absolute form with another name", |request| {
        let path = format!("http://evil.example{}", request.path);
        Request { path, ..request }
    }),
];

const ON_CALLS: &[Attack] = &[
    ("no token", |request| request.without("Authorization")),
    ("a wrong token", |request| {
        request.with("Authorization", "Bearer 0123456789abcdef0123456789abcdeX")
    }),
    ("the token's beginning", |request| {
        request.with("Authorization", "Bearer 0123456789abcdef")
    }),
    ("an empty token", |request| {
        request.with("Authorization", "Bearer ")
    }),
    ("the token without its scheme", |request| {
        request.with("Authorization", TOKEN)
    }),
    ("the token by another scheme", |request| {
        request.with("Authorization", &format!("Basic {TOKEN}"))
    }),
    ("the token in the query", |request| {
        let separator = if request.path.contains('?') { '&' } else { '?' };
        let path = format!(
            "{}{separator}token={TOKEN}&access_token={TOKEN}",
            request.path
        );
        Request { path, ..request }.without("Authorization")
    }),
    ("the token as the cookie", |request| {
        request
            .without("Authorization")
            .with("Cookie", &format!("acreta={TOKEN}"))
    }),
    ("an invented token", |request| {
        request.with("Authorization", "Bearer 00")
    }),
];

const ON_EFFECTS: &[Attack] = &[
    ("a simple POST of text", |request| {
        request.with("Content-Type", "text/plain")
    }),
    ("a simple POST of a form", |request| {
        request.with("Content-Type", "application/x-www-form-urlencoded")
    }),
    ("a simple POST of parts", |request| {
        request.with("Content-Type", "multipart/form-data; boundary=x")
    }),
    ("text that says it is JSON", |request| {
        request.with("Content-Type", "text/plain; application/json")
    }),
    ("no content type", |request| request.without("Content-Type")),
    ("GET with effect", |request| as_method(request, "GET")),
    ("GET that wants to be a POST", |request| {
        as_method(request, "GET").with("X-HTTP-Method-Override", "POST")
    }),
    ("HEAD", |request| as_method(request, "HEAD")),
    ("OPTIONS", |request| {
        as_method(request, "OPTIONS").with("Access-Control-Request-Method", "POST")
    }),
    ("DELETE", |request| as_method(request, "DELETE")),
    ("PATCH", |request| as_method(request, "PATCH")),
    ("TRACE", |request| as_method(request, "TRACE")),
    ("two content types", |mut request| {
        request
            .headers
            .push(("Content-Type".to_owned(), "text/plain".to_owned()));
        request
    }),
];

const BY_BROWSER: &[Attack] = &[
    ("a browser with a foreign origin", |request| {
        request.with("Origin", "http://evil.example")
    }),
    ("a browser with Origin: null", |request| {
        request.with("Origin", "null")
    }),
    ("a browser from another site", |request| {
        request.with("Sec-Fetch-Site", "cross-site")
    }),
    ("a browser from the same site", |request| {
        request.with("Sec-Fetch-Site", "same-site")
    }),
];

/// Paths that also accept `GET`, without an effect.
const READ_TOO: [&str; 6] = [
    "/api/memories",
    "/api/connect",
    "/api/exclude",
    "/api/model",
    "/api/review",
    "/api/settings",
];

fn as_method(request: Request, method: &str) -> Request {
    let method = method.to_owned();
    let mut request = Request { method, ..request };
    // GET of a path that has a GET is not an attack.
    if request.method == "GET" && READ_TOO.contains(&request.path.as_str()) {
        request.path.push_str("?title=a&agent=claude");
    }
    request
}

/// Sends attacks and counts them.
struct Trial {
    running: Running,
    tried: usize,
    accepted: Vec<String>,
}

impl Trial {
    fn attack(&mut self, name: &str, request: &Request) {
        let answer = self.running.send(request);
        self.judge(
            &format!("{name}: {} {}", request.method, request.path),
            &answer,
        );
    }

    fn raw(&mut self, name: &str, bytes: &[u8]) {
        let answer = self.running.raw(bytes);
        self.judge(name, &answer);
    }

    fn judge(&mut self, name: &str, answer: &Answer) {
        self.tried += 1;
        let told = answer
            .header_names()
            .any(|name| name.starts_with("access-control"));
        if answer.status < 300 && answer.status != 0 || told || answer.text().contains("secret") {
            self.accepted.push(format!("{name}: {}", answer.status));
        }
    }
}

#[test]
fn nothing_is_accepted_and_nothing_reaches_the_service() {
    let mut limits = quick();
    limits.body_time = Duration::from_millis(50);
    limits.head_time = Duration::from_millis(200);
    let running = Running::start_with(limits, Schedule::off());
    let browser = running.browser();
    let before = running.world.calls();
    let mut trial = Trial {
        running,
        tried: 0,
        accepted: Vec::new(),
    };
    for (method, path, body, status, _) in every_call() {
        if status >= 300 {
            continue;
        }
        let plain = Request::new(method, path);
        let plain = match &body {
            Value::Null => plain,
            body => plain.json(body),
        };
        let friendly = plain.clone().token();
        for (name, change) in ON_EVERYTHING {
            trial.attack(name, &change(friendly.clone()));
        }
        if path == "/api/health" {
            continue;
        }
        for (name, change) in ON_CALLS {
            trial.attack(name, &change(friendly.clone()));
        }
        for (name, change) in BY_BROWSER {
            let by_browser = plain.clone().with("Authorization", &browser);
            trial.attack(name, &change(by_browser));
        }
        if method != "GET" {
            // What a browser would send to every port of this host.
            let cookie = format!("acreta={}", browser.trim_start_matches("Bearer "));
            let by_cookie = plain.clone().with("Cookie", &cookie);
            let by_cookie = by_cookie.with("Origin", "http://127.0.0.1:PORT");
            trial.attack("a browser's token as a cookie", &by_cookie);
            for (name, change) in ON_EFFECTS {
                trial.attack(name, &change(friendly.clone()));
            }
        }
    }
    files(&mut trial);
    shapes(&mut trial);
    println!(
        "requests tried {} accepted {}",
        trial.tried,
        trial.accepted.len()
    );
    assert_eq!(trial.accepted, Vec::<String>::new());
    assert_eq!(trial.running.world.calls(), before);
    assert_eq!(trial.running.get("/api/jobs").json(), json!({ "jobs": [] }));
}

/// Paths that leave the folder of the dashboard.
fn files(trial: &mut Trial) {
    let paths = [
        "/../Cargo.toml",
        "/..",
        "/./secret",
        "/.git/config",
        "//etc/passwd",
        "/%2e%2e/etc/passwd",
        "/..%2fetc",
        "/pages/../../etc/passwd",
        "/pages/%2e%2e/%2e%2e/etc",
        "/pages\\..\\etc",
        "/%5c..%5cetc",
        "/index.html%00.js",
        "/pages//app.js",
        "/etc/passwd%0d%0aX: y",
        "/%c0%ae%c0%ae/etc",
    ];
    for path in paths {
        trial.attack("a path out of the folder", &Request::new("GET", path));
    }
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "HEAD"] {
        trial.attack(
            "a file by another method",
            &Request::new(method, "/").json(&json!({})),
        );
    }
}

/// Requests that are too long, too slow, or two in one.
fn shapes(trial: &mut Trial) {
    let ask = || Request::new("POST", "/api/ask").token();
    let long = format!(r#"{{"question":"{}"}}"#, "x".repeat(1024 * 1024));
    trial.attack("a body that is too large", &ask().text(&long));
    let chunks = format!("{:x}\r\n{long}\r\n0\r\n\r\n", long.len());
    let chunked = ask().text(&chunks).with("Transfer-Encoding", "chunked");
    let chunked = String::from_utf8(chunked.bytes(&trial.running)).unwrap();
    let chunked = chunked.replace(&format!("Content-Length: {}\r\n", chunks.len()), "");
    trial.raw("a body of chunks that is too large", chunked.as_bytes());
    trial.attack(
        "a header that is too long",
        &ask().with("X-Long", &"x".repeat(100_000)),
    );
    let mut many = ask().json(&json!({ "question": "a" }));
    many.headers
        .extend((0..100).map(|number| (format!("X-{number}"), "x".to_owned())));
    trial.attack("too many headers", &many);
    trial.attack(
        "a path that is too long",
        &Request::new("GET", &format!("/api/search?q={}", "x".repeat(100_000))).token(),
    );
    let short = ask()
        .text(r#"{"question":"a"}"#)
        .with("Content-Length", "500");
    trial.attack("a body that does not come", &short);
    let both = ask()
        .text(r#"{"question":"a"}"#)
        .with("Content-Length", "4")
        .with("Transfer-Encoding", "chunked");
    trial.attack("two lengths", &both);
    let line = "GET /api/search?q=a\r\nAuthorization: Bearer x\r\n HTTP/1.1\r\n\r\n";
    trial.raw("a line break in the path", line.as_bytes());
    trial.raw("another protocol", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    trial.raw(
        "no protocol",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    );
    let mut stream = trial.running.connect();
    stream
        .write_all(b"GET /api/status HTTP/1.1\r\nHost: ")
        .unwrap();
    let answer = Answer::read(stream);
    trial.judge("a head that does not come", &answer);
}

#[test]
fn refusals_say_which_and_why() {
    let running = Running::start();
    let browser = running.browser();
    let ask = || {
        Request::new("POST", "/api/ask")
            .token()
            .json(&json!({ "question": "a" }))
    };
    let by_browser = || ask().with("Authorization", &browser);
    let cases: &[(Request, u16, &str)] = &[
        (ask().with("Host", "evil.example"), 403, "wrong-host"),
        (ask().with("Origin", "null"), 403, "wrong-origin"),
        (ask().without("Authorization"), 401, "unauthorised"),
        (
            ask().with("Content-Type", "text/plain"),
            415,
            "wrong-content-type",
        ),
        (
            by_browser().with("Origin", "http://evil.example"),
            403,
            "wrong-origin",
        ),
        (
            by_browser().with("Sec-Fetch-Site", "cross-site"),
            403,
            "wrong-origin",
        ),
        (as_method(ask(), "GET"), 405, "method-not-allowed"),
        (
            Request::new("GET", "/api/nothing").token(),
            404,
            "not-found",
        ),
        (Request::new("GET", "/v1/nothing").token(), 404, "not-found"),
        (Request::new("GET", "/api/nothing"), 401, "unauthorised"),
        (
            ask().text(&format!(r#""{}""#, "x".repeat(1024 * 1024))),
            413,
            "too-large",
        ),
    ];
    for (request, status, code) in cases {
        let answer = running.send(request);
        assert_eq!(
            answer.status, *status,
            "{} {}",
            request.method, request.path
        );
        assert_eq!(answer.problem().0, *code, "{}", answer.text());
    }
    let wrong = running.send(&as_method(
        Request::new("POST", "/api/memories").token(),
        "PATCH",
    ));
    assert_eq!(wrong.header("allow"), Some("GET, POST"));
}

#[test]
fn our_own_page_and_names_get_in() {
    let running = Running::start();
    let browser = running.browser();
    let jobs = Request::new("GET", "/api/jobs");
    let ask = Request::new("POST", "/api/ask").json(&json!({ "question": "queue" }));
    let friends = [
        jobs.clone().token().with("Host", "LOCALHOST:PORT"),
        jobs.clone().token().with("Host", "[::1]:PORT"),
        jobs.clone().with("Authorization", &browser),
        jobs.with("Authorization", &browser)
            .with("Cookie", "other=1")
            .with("Sec-Fetch-Site", "none"),
        ask.clone().token(),
        ask.clone()
            .token()
            .with("Content-Type", "application/json; charset=utf-8"),
        ask.clone()
            .with("Authorization", &browser)
            .with("Origin", "http://127.0.0.1:PORT"),
        ask.with("Authorization", &browser)
            .with("Origin", "http://localhost:PORT")
            .with("Host", "localhost:PORT")
            .with("Sec-Fetch-Site", "same-origin"),
    ];
    for request in friends {
        let answer = running.send(&request);
        assert_eq!(
            answer.status,
            200,
            "{:?}: {}",
            request.headers,
            answer.text()
        );
    }
}

#[test]
fn line_breaks_in_values_stay_in_values() {
    let running = Running::start();
    let paths = [
        "/api/search?q=a%0d%0aSet-Cookie:%20x=y",
        "/api/memories/a%0d%0aSet-Cookie:%20x=y",
        "/api/sessions/a%0d%0a/b%00?",
        "/api/memories?project_root=%0d%0aSet-Cookie:%20x=y",
    ];
    for path in paths {
        let answer = running.get(path);
        assert!(answer.header("set-cookie").is_none(), "{path}");
        assert!(answer.json().is_object(), "{path}");
    }
}

/// Connections that send half a head, or nothing, or that are kept after an answer.
#[test]
fn connections_that_say_nothing_keep_nobody_out() {
    let running = Running::start_with(Limits::default(), Schedule::off());
    let beginnings: [&[u8]; 3] = [
        b"",
        b"GET /api/health HTTP/1.1\r\nHost: 127",
        b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n",
    ];
    let port = running.address.port().to_string();
    let mut silent = Vec::new();
    for number in 0..600 {
        let beginning = String::from_utf8_lossy(beginnings[number % beginnings.len()]);
        let mut stream = running.connect();
        // Those before may have been closed meanwhile.
        let _ = stream.write_all(beginning.replace("PORT", &port).as_bytes());
        silent.push(stream);
    }
    let begun = Instant::now();
    for _ in 0..20 {
        assert_eq!(running.get("/api/jobs").status, 200);
    }
    assert!(
        begun.elapsed() < Duration::from_secs(2),
        "{:?}",
        begun.elapsed()
    );
}
