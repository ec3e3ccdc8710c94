//! Jobs: accepted at once, one of a kind at a time, cancelled on request; and the schedule.

use std::time::Duration;

use acreta_server::Schedule;
use serde_json::{Value, json};

use crate::support::{Request, Running, quick};

fn ask(running: &Running, body: Value) -> String {
    let answer = running.post("/api/sync", &body);
    assert_eq!(answer.status, 202, "{}", answer.text());
    answer.json()["job_id"].as_str().unwrap().to_owned()
}

fn job(running: &Running, id: &str) -> Value {
    running.get(&format!("/api/jobs/{id}")).json()
}

/// Blocks until the job has ended.
fn ended(running: &Running, id: &str) -> Value {
    loop {
        let job = job(running, id);
        if job.get("finished_ms").is_some() {
            return job;
        }
    }
}

#[test]
fn one_sync_at_a_time_and_the_same_one_does_not_wait_twice() {
    let running = Running::start();
    let first = ask(&running, json!({ "agent": "wait" }));
    running.world.until_waiting(1);
    assert_eq!(job(&running, &first)["state"], "running");
    let second = ask(&running, json!({}));
    assert_eq!(ask(&running, json!({})), second);
    assert_ne!(ask(&running, json!({ "dry_run": true })), second);
    assert_eq!(job(&running, &second)["state"], "queued");
    assert_eq!(
        running.get("/api/daemon").json()["schedule"]["sync"]["running"],
        true
    );
    running.world.open_gate();
    let done = ended(&running, &second);
    assert_eq!(done["state"], "completed");
    assert_eq!(done["result"]["ran"], 3);
    assert_eq!(done["progress"]["total"], 12);
    assert_eq!(job(&running, &first)["state"], "completed");
}

#[test]
fn jobs_are_cancelled_waiting_or_running() {
    let running = Running::start();
    let first = ask(&running, json!({ "agent": "wait" }));
    running.world.until_waiting(1);
    let second = ask(&running, json!({}));
    let cancel = |id: &str| {
        running
            .post(&format!("/api/jobs/{id}/cancel"), &json!({}))
            .json()
    };
    assert_eq!(cancel(&second)["state"], "cancelled");
    assert_eq!(cancel(&first)["state"], "running");
    let done = ended(&running, &first);
    assert_eq!(done["state"], "cancelled");
    assert_eq!(done["result"]["interrupted"], true);
    assert_eq!(cancel(&first), done);
}

#[test]
fn a_job_that_fails_or_breaks_down_says_so_and_the_next_one_runs() {
    let running = Running::start();
    let failed = ended(&running, &ask(&running, json!({ "agent": "fail" })));
    assert_eq!(failed["state"], "failed");
    assert_eq!(failed["error"]["message"], "the sync failed");
    assert_eq!(failed["error"]["causes"], json!(["it was asked to"]));
    let broken = ended(&running, &ask(&running, json!({ "agent": "panic" })));
    assert_eq!(broken["state"], "failed");
    let fine = ended(&running, &ask(&running, json!({})));
    assert_eq!(fine["state"], "completed");
}

#[test]
fn only_so_many_are_remembered_and_only_so_many_wait() {
    let running = Running::start();
    for number in 0..205 {
        ended(
            &running,
            &ask(&running, json!({ "max_sessions": number + 1 })),
        );
    }
    let jobs = running.get("/api/jobs").json()["jobs"].clone();
    assert_eq!(jobs.as_array().unwrap().len(), 200);
    ask(&running, json!({ "agent": "wait" }));
    running.world.until_waiting(1);
    for number in 0..16 {
        ask(&running, json!({ "max_sessions": number + 1 }));
    }
    let refused = running.post("/api/sync", &json!({ "max_sessions": 100 }));
    assert_eq!(refused.status, 503);
}

#[test]
fn the_schedule_asks_for_both_and_files_wake_a_sync() {
    let schedule = Schedule {
        sync: Some(Duration::from_secs(3600)),
        maintain: Some(Duration::from_millis(1)),
        settle: Duration::ZERO,
    };
    let running = Running::start_with(quick(), schedule);
    let calls = |start: &str| {
        running
            .world
            .calls()
            .iter()
            .filter(|call| call.starts_with(start))
            .count()
    };
    while calls("Sync") < 1 || calls("Maintain") < 2 {}
    let status = running.get("/api/daemon").json();
    assert_eq!(status["schedule"]["sync"]["every_seconds"], 3600);
    assert!(status["schedule"]["sync"]["next_ms"].as_u64().unwrap() > crate::support::NOW_MS);
    running.control.wake_sync();
    while calls("Sync") < 2 {}
}

#[test]
fn what_is_off_is_off() {
    let running = Running::start();
    let schedule = running.get("/api/daemon").json()["schedule"].clone();
    let off = json!({ "running": false });
    assert_eq!(schedule, json!({ "sync": off, "maintain": off }));
}

#[test]
fn a_job_is_accepted_first_and_found_by_a_prefix_of_its_id() {
    let running = Running::start();
    let named = |id: &str, body: Value| {
        let request = Request::new("POST", "/api/sync").token().json(&body);
        running.send(&request.with("X-Request-Id", id)).json()
    };
    let first = named("night-1", json!({ "agent": "wait" }));
    running.world.until_waiting(1);
    let second = named("night-2", json!({}));
    assert_eq!(
        (&first["state"], &second["state"]),
        (&json!("accepted"), &json!("accepted"))
    );
    let again = named("night-3", json!({}));
    let kept = (&again["job_id"], &again["state"], &again["request_id"]);
    assert_eq!(
        kept,
        (&second["job_id"], &json!("queued"), &json!("night-2"))
    );

    assert_eq!(job(&running, "job-night-1")["id"], first["job_id"]);
    let several = running.get("/api/jobs/job-night");
    assert_eq!(
        (several.status, several.json()["error"]["code"].as_str()),
        (400, Some("invalid"))
    );
    assert_eq!(running.get("/api/jobs/job-day").status, 404);
    let cancelled = running
        .post("/api/jobs/job-night-2/cancel", &json!({}))
        .json();
    assert_eq!(cancelled["state"], "cancelled");
    running.world.open_gate();
    assert_eq!(ended(&running, "job-night-1")["state"], "completed");
}
