//! Valid requests with random damage: the router answers each or closes, it has no error of its own, and without the
//! token nothing reaches the service.

use std::io::Write;
use std::time::Duration;

use acreta_server::Schedule;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestRunner;
use serde_json::Value;

use crate::calls::every_call;
use crate::support::{Answer, Request, Running, quick};

/// Texts with a meaning to a parser of requests.
const PIECES: &[&[u8]] = &[
    b"\r\n",
    b"\n",
    b"\r\n\r\n",
    b"\0",
    b"\xff",
    b"%00",
    b"%2f",
    b"%",
    b"..",
    b"//",
    b"?",
    b"&",
    b"&limit=-1",
    b"=",
    b"#",
    b" ",
    b"HTTP/1.0",
    b"Transfer-Encoding: chunked\r\n",
    b"Content-Length: 5\r\n",
    b"Expect: 100-continue\r\n",
    b"Range: bytes=0-\r\n",
    b"{",
    b"[[[[[[[[",
    b"\"",
    b"\\ud800",
    b"null",
    b"1e999",
    b"18446744073709551616",
    b"\xe2\x80\xae",
];

/// The removed length, the inserted text, and their place.
type Edit = (Index, usize, &'static [u8]);

fn damaged(mut bytes: Vec<u8>, edits: &[Edit]) -> Vec<u8> {
    for (at, length, piece) in edits {
        let start = at.index(bytes.len() + 1);
        let end = bytes.len().min(start + length);
        bytes.splice(start..end, piece.iter().copied());
    }
    bytes
}

#[test]
fn damaged_requests_are_answered_and_reach_nothing_without_the_token() {
    let mut limits = quick();
    limits.body_time = Duration::from_millis(50);
    limits.head_time = Duration::from_millis(50);
    let running = Running::start_with(limits, Schedule::off());
    let send = |bytes: &[u8]| {
        let mut stream = running.connect();
        let time = Some(Duration::from_secs(5));
        stream.set_read_timeout(time).unwrap();
        // The server may have answered and closed before everything is written.
        let _ = stream.write_all(bytes);
        Answer::read(stream)
    };
    // Events come until somebody closes.
    let mut calls = every_call();
    calls.retain(|(_, path, ..)| !path.contains("/events"));
    let edit = (any::<Index>(), 0..4_usize, prop::sample::select(PIECES));
    let made = (
        any::<Index>(),
        any::<bool>(),
        prop::collection::vec(edit, 1..4),
    );
    let config = ProptestConfig {
        cases: u32::try_from(acreta_testing::count("ACRETA_TEST_FUZZ", 200)).unwrap(),
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let outcome = TestRunner::new(config).run(&made, |(call, has_token, edits)| {
        let (method, path, body, ..) = call.get(&calls);
        let mut request = Request::new(method, path);
        if *body != Value::Null {
            request = request.json(body);
        }
        if has_token {
            request = request.token();
        }
        let before = running.world.calls().len();
        let bytes = damaged(request.bytes(&running), &edits);
        let answer = send(&bytes);
        let text = String::from_utf8_lossy(&bytes);
        prop_assert!(answer.status < 500, "{} for {text:?}", answer.status);
        prop_assert!(
            has_token || running.world.calls().len() == before,
            "{text:?}"
        );
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
    assert_eq!(running.get("/api/health").status, 200);
}
