//! Shutdown of the server, and failures to start.

use std::io::{BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use acreta_server::{Control, Ended, Schedule, ServeError, serve};
use serde_json::json;

use crate::support::{Answer, NOW_MS, Request, Running, asset, options, quick, read_head};
use crate::world::World;

#[test]
fn what_is_under_way_is_answered_listeners_end_and_jobs_are_cancelled() {
    let running = Running::start();
    let mut listener = running.connect();
    listener
        .write_all(&Request::new("GET", "/api/events").token().bytes(&running))
        .unwrap();
    let mut listener = BufReader::new(listener);
    assert_eq!(read_head(&mut listener).0, 200);
    let mut asking = running.connect();
    let search = Request::new("GET", "/api/search?q=wait").token();
    asking.write_all(&search.bytes(&running)).unwrap();
    running.world.until_waiting(1);
    running.post("/api/sync", &json!({ "agent": "wait" }));
    running.world.until_waiting(2);
    // An idle connection.
    let health = Request::new("GET", "/api/health").bytes(&running);
    let health = String::from_utf8(health).unwrap();
    let health = health.replace("Connection: close\r\n", "");
    let mut idle = running.connect();
    idle.write_all(health.as_bytes()).unwrap();
    let mut idle = BufReader::new(idle);
    assert_eq!(read_head(&mut idle).0, 200);
    let body = r#"{"status":"ok","version":"0.0.0-test"}"#;
    idle.read_exact(&mut vec![0; body.len()]).unwrap();

    running.control.shut_down();
    let mut rest = Vec::new();
    listener.read_to_end(&mut rest).unwrap();
    assert_eq!(idle.read_to_end(&mut Vec::new()).unwrap(), 0);
    running.world.open_gate();
    assert_eq!(Answer::read(asking).status, 200);
    let address = running.address;
    let ended = running.end();
    assert_eq!(
        ended,
        Ended {
            connections_cut: 0,
            jobs_cut: 0
        }
    );
    assert!(std::net::TcpStream::connect(address).is_err());
}

#[test]
fn who_does_not_end_is_cut_off() {
    let mut limits = quick();
    limits.last_time = Duration::from_millis(50);
    let running = Running::start_with(limits, Schedule::off());
    running.post("/api/sync", &json!({ "agent": "deaf" }));
    let mut asking = running.connect();
    let search = Request::new("GET", "/api/search?q=wait").token();
    asking.write_all(&search.bytes(&running)).unwrap();
    running.world.until_waiting(2);
    let world = Arc::clone(&running.world);
    let ended = running.end();
    // The connection of the first request may be idle or closed by now.
    assert_eq!(ended.jobs_cut, 1);
    assert!((1..=2).contains(&ended.connections_cut), "{ended:?}");
    world.open_gate();
}

#[test]
fn a_port_that_is_taken_is_an_error_with_a_hint() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let clock = Arc::new(AtomicU64::new(NOW_MS));
    let world = World::new(0, 0, NOW_MS, Duration::ZERO);
    let begin = options(port, quick(), Schedule::off(), Arc::clone(&clock), |_| {
        panic!("it began")
    });
    let error = serve(begin, world, asset, &Control::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("could not listen on `127.0.0.1:{port}`")
    );
    assert!(error.hint().unwrap().contains("serve.port"));

    let world = World::new(0, 0, NOW_MS, Duration::ZERO);
    let mut short = options(0, quick(), Schedule::off(), clock, |_| panic!("it began"));
    short.token = "short".to_owned();
    let error = serve(short, world, asset, &Control::default()).unwrap_err();
    assert!(matches!(error, ServeError::Token), "{error}");
}

#[test]
fn a_client_that_takes_nothing_is_let_go() {
    let mut limits = quick();
    limits.write_time = Duration::from_millis(50);
    limits.connections = 1;
    let running = Running::start_with(limits, Schedule::off());
    let mut greedy = running.connect();
    // More answers than the system buffers; each is some 100 kB.
    let ask = Request::new("GET", "/api/openapi.json").token();
    let ask = String::from_utf8(ask.bytes(&running)).unwrap();
    let ask = ask.replace("Connection: close\r\n", "").repeat(400);
    let _ = greedy.write_all(ask.as_bytes());
    // The only slot becomes free again.
    assert_eq!(running.get("/api/jobs").status, 200);
}
