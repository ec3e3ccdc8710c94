//! Login and logout of a browser.

use std::sync::atomic::Ordering;

use serde_json::json;

use crate::support::{Request, Running};

fn code(running: &Running) -> String {
    let url = running.post("/api/login/code", &json!({})).json()["url"].clone();
    let url = url.as_str().unwrap();
    let start = format!("http://127.0.0.1:{}/#code=", running.address.port());
    url.strip_prefix(&start).unwrap().to_owned()
}

fn login(code: &str) -> Request {
    Request::new("POST", "/api/login").json(&json!({ "code": code }))
}

#[test]
fn a_code_works_once() {
    let running = Running::start();
    let code = code(&running);
    let first = running.send(&login(&code));
    assert_eq!(first.status, 200);
    // A cookie would go to every port of this host, whoever listens there.
    assert!(first.header("set-cookie").is_none());
    assert!(first.json()["token"].is_string());
    let second = running.send(&login(&code));
    assert_eq!(
        (second.status, second.problem().0.as_str()),
        (403, "wrong-code")
    );
}

#[test]
fn a_code_is_good_for_half_a_minute_and_a_login_for_a_week() {
    let running = Running::start();
    let late = code(&running);
    let waiting = || running.get("/api/login/codes").json()["waiting"].clone();
    assert_eq!(waiting(), 1);
    running.clock.fetch_add(30_000, Ordering::Relaxed);
    assert_eq!(waiting(), 0);
    assert_eq!(running.send(&login(&late)).status, 403);
    let jobs = Request::new("GET", "/api/jobs").with("Authorization", &running.browser());
    running.clock.fetch_add(6 * 86_400_000, Ordering::Relaxed);
    assert_eq!(running.send(&jobs).status, 200);
    running.clock.fetch_add(86_400_000, Ordering::Relaxed);
    assert_eq!(running.send(&jobs).status, 401);
}

#[test]
fn codes_that_were_never_given_do_not_work() {
    let running = Running::start();
    let real = code(&running);
    for wrong in [
        "x",
        &real[..63],
        &format!("{real}0"),
        &real.to_uppercase().replace('0', "1"),
    ] {
        let answer = running.send(&login(wrong));
        assert_eq!(answer.status, 403, "{wrong}");
    }
    assert_eq!(running.send(&login(&real)).status, 200);
    // A foreign page cannot even try.
    let foreign = login(&code(&running)).with("Origin", "http://evil.example");
    assert_eq!(running.send(&foreign).status, 403);
    assert_eq!(
        running
            .send(&Request::new("POST", "/api/login/code").json(&json!({})))
            .status,
        401
    );
}

#[test]
fn who_goes_out_is_out() {
    let running = Running::start();
    let (one, other) = (running.browser(), running.browser());
    let out = Request::new("POST", "/api/logout").json(&json!({}));
    let out = running.send(
        &out.with("Authorization", &one)
            .with("Origin", "http://127.0.0.1:PORT"),
    );
    assert_eq!(out.status, 200);
    let jobs = |browser: &str| Request::new("GET", "/api/jobs").with("Authorization", browser);
    assert_eq!(running.send(&jobs(&one)).status, 401);
    assert_eq!(running.send(&jobs(&other)).status, 200);
}
