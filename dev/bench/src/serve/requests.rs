//! Measures the daemon with 64 clients and with paging through the list of memories, and the hooks.

use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::Outcome;
use crate::serve::Options;
use crate::serve::bare::BareServer;
use crate::serve::daemon::{Client, Daemon};
use crate::serve::home::{Home, words};
use crate::serve::times::{Times, rounded, timed};

const CALM: &str =
    "[serve]\nsync_minutes = 0\nmaintain_minutes = 0\nwatch = false\n[hooks]\nlearn = true\n";

/// Starts of each hook.
const STARTS: usize = 40;

pub(crate) fn bench(options: &Options) -> Outcome<()> {
    let home = Home::new(&options.binary, CALM)?;
    home.remember(options.memories)?;
    home.acreta(&["memory", "search", "warm the index"])?;
    let daemon = Daemon::start(&home)?;
    let connect = || daemon.client();
    let project = home.project();
    let search = |number: usize| {
        let words = words(number + 7_000_000, 3).replace(' ', "+");
        (
            "GET",
            format!("/api/search?q={words}&limit=10"),
            String::new(),
        )
    };
    let explore = |_: usize| {
        let body = json!({ "project_root": project });
        ("POST", "/v1/explore".to_owned(), body.to_string())
    };
    let page = |number: usize| {
        let offset = number * 7_919 % options.memories.max(1);
        let path = format!("/api/memories?sort=rank&limit=100&offset={offset}");
        ("GET", path, String::new())
    };
    let facets = |_: usize| {
        let path = "/api/memories?sort=rank&limit=100&facets=true";
        ("GET", path.to_owned(), String::new())
    };
    // Not measured: data that is read once.
    load(&connect, 1, 2, &page)?;
    load(&connect, 2, 20, &search)?;
    load(&connect, 2, 4, &explore)?;
    let one = load(&connect, 1, options.requests / 32, &search)?;
    let (_, path, _) = search(0);
    let bare = BareServer::start(&options.bare, &connect()?.raw("GET", &path, "")?.1)?;
    let bare_load = load(
        &|| bare.client(),
        options.clients,
        options.requests,
        &search,
    )?;
    drop(bare);
    let searches = load(&connect, options.clients, options.requests, &search)?;
    let explores = load(&connect, options.clients, options.requests / 4, &explore)?;
    let pages = load(&connect, 1, options.requests / 32, &page)?;
    let first_pages = load(&connect, 1, options.requests / 64, &facets)?;
    let resident = daemon.resident_mb();
    if !daemon.end()? {
        return Err("the daemon did not end well".into());
    }
    let brief = json!({ "session_id": "1", "cwd": project }).to_string();
    let hook_start = hook(&home, "session-start", &brief)?;
    let hook_end = hook(&home, "session-end", &brief)?;
    let nothing = median(|| std::process::Command::new("true").status().map(|_| ()))?;

    println!(
        "{:<38}{:>10}{:>10}{:>12}",
        "", "p50 ms", "p99 ms", "requests/s"
    );
    for (name, told) in [
        ("search, one client".to_owned(), &one),
        (format!("search, {} clients", options.clients), &searches),
        (
            format!("a bare axum handler, {} clients", options.clients),
            &bare_load,
        ),
        (format!("explore, {} clients", options.clients), &explores),
        ("a page of memories, one client".to_owned(), &pages),
        ("the first page with facets".to_owned(), &first_pages),
    ] {
        println!(
            "{name:<38}{:>10.2}{:>10.2}{:>12.0}",
            told.times.percentile(50),
            told.times.percentile(99),
            told.rate
        );
    }
    println!("{:<38}{hook_start:>10.2}", "hook session-start");
    println!("{:<38}{hook_end:>10.2}", "hook session-end");
    println!("{:<38}{nothing:>10.2}", "true");
    println!(
        "{} memories, {} MB resident",
        options.memories,
        resident.map_or(0.0, f64::round)
    );
    println!(
        "{}",
        json!({
            "search_p50_ms": rounded(searches.times.percentile(50)),
            "search_p99_ms": rounded(searches.times.percentile(99)),
            "search_one_p50_ms": rounded(one.times.percentile(50)),
            "explore_p50_ms": rounded(explores.times.percentile(50)),
            "explore_p99_ms": rounded(explores.times.percentile(99)),
            "page_p50_ms": rounded(pages.times.percentile(50)),
            "page_p99_ms": rounded(pages.times.percentile(99)),
            "facets_p50_ms": rounded(first_pages.times.percentile(50)),
            "requests_s": searches.rate.round(),
            "of_bare_handler": rounded(searches.rate / bare_load.rate),
            "hook_start_ms": rounded(hook_start),
            "hook_end_ms": rounded(hook_end),
            "true_ms": rounded(nothing),
            "rss_mb": resident.map(rounded),
        })
    );
    Ok(())
}

struct Load {
    times: Times,
    rate: f64,
}

/// Sends requests from several clients at once, each on a separate connection.
fn load(
    connect: &(dyn Fn() -> Outcome<Client> + Sync),
    clients: usize,
    requests: usize,
    request: &(dyn Fn(usize) -> (&'static str, String, String) + Sync),
) -> Outcome<Load> {
    let each = (requests / clients).max(1);
    let start = Instant::now();
    let times = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..clients)
            .map(|client| {
                scope.spawn(move || -> Result<Vec<Duration>, String> {
                    let mut connection = connect().map_err(|error| error.to_string())?;
                    let mut times = Vec::new();
                    for number in 0..each {
                        let (method, path, body) = request(client * each + number);
                        let (answer, time) = timed(|| connection.ask(method, &path, &body));
                        answer.map_err(|error| error.to_string())?;
                        times.push(time);
                    }
                    Ok(times)
                })
            })
            .collect();
        let mut all = Vec::new();
        for thread in threads {
            all.extend(
                thread
                    .join()
                    .map_err(|_| "a client panicked".to_owned())??,
            );
        }
        Ok::<_, String>(all)
    })?;
    let rate = times.len() as f64 / start.elapsed().as_secs_f64();
    Ok(Load {
        times: Times::new(times),
        rate,
    })
}

fn hook(home: &Home, name: &str, said: &str) -> Outcome<f64> {
    median(|| {
        let mut hook = home
            .command(&["hook", name, "--agent", "claude"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        if let Some(mut input) = hook.stdin.take() {
            std::io::Write::write_all(&mut input, said.as_bytes())?;
        }
        hook.wait().map(|_| ())
    })
}

/// Returns the median time in milliseconds.
fn median(work: impl Fn() -> std::io::Result<()>) -> Outcome<f64> {
    work()?;
    let mut times = Vec::new();
    for _ in 0..STARTS {
        let (done, time) = timed(&work);
        done?;
        times.push(time);
    }
    Ok(Times::new(times).percentile(50))
}
