//! A day's budget for models that workers of several machines share: the server holds it, and no worker asks a model
//! without it.

use std::process::Stdio;
use std::sync::mpsc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::Value;

use super::{Crew, Team};
use crate::models::{about_the_queue, say};
use crate::support::{Provider, ran};

const SESSIONS: usize = 5;

impl Team {
    /// Configures a model for the workers of two machines.
    fn ask_model(&self, provider: &Provider, budget: &str) {
        let config = format!(
            "[team]\nclone_url = \"{{remote}}.git\"\n{}[llm.budget]\n{budget}\n",
            provider.settings(&["extract"])
        );
        for machine in 0..2 {
            let path = format!("worker-{machine}/.acreta/config.toml");
            self.ann.write(&path, config.as_bytes());
        }
    }

    /// Returns the JSON output of a command on Ann's machine.
    fn shown(&self, arguments: &[&str]) -> Value {
        let mut command = self.ann.command(arguments);
        let output = self.with_addresses(&mut command).output().unwrap();
        ran(output).succeeded().json()
    }

    /// Returns the number of sessions that wait for a model, and the reasons.
    fn waiting(&self) -> (u64, Vec<String>) {
        let status = self.shown(&["status", "--json"]);
        let lines = status["waiting_for_model"].as_array().unwrap();
        let sessions = lines.iter().map(|line| line["sessions"].as_u64().unwrap());
        let codes = lines
            .iter()
            .map(|line| line["code"].as_str().unwrap().to_owned());
        (sessions.sum(), codes.collect())
    }
}

fn utc_day() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_secs()
        / 86_400
}

/// Each machine has a home of its own, so that only the server can know what the other one spent.
#[test]
fn workers_of_two_machines_never_exceed_their_day_together() {
    // Columns: the limit; the number of calls it allows if that is known.
    let table = [
        ("day_tokens = 1", Some(0)),
        ("day_calls = 1", Some(1)),
        ("day_calls = 4", Some(4)),
        ("day_tokens = 5000", None),
    ];
    for (limit, calls) in table {
        // A budget is that of a UTC day, so a case that sees two of them proves nothing.
        loop {
            let day = utc_day();
            let Some(found) = learn_within(limit) else {
                return;
            };
            if utc_day() == day {
                found.check(limit, calls);
                break;
            }
        }
    }
}

struct Learnt {
    calls: u64,
    completed: (usize, usize),
    waiting: (u64, Vec<String>),
    queue: Value,
    spent: Value,
}

/// Lets four workers learn; `None` if there is no PostgreSQL.
fn learn_within(limit: &str) -> Option<Learnt> {
    let team = Team::new()?;
    (0..SESSIONS).for_each(|index| team.session(index));
    team.alone();
    let provider = Provider::new(|asked| Ok(say(asked, &about_the_queue)));
    team.ask_model(&provider, limit);
    team.enqueue(&[]);
    // Each machine takes part; then all of them at once.
    for machine in [0, 1] {
        let done = team.work(machine, &["--once"]).succeeded().json();
        assert_eq!(done["completed"], 1, "{limit}: {done}");
    }
    let workers = [0, 0, 1, 1].map(|machine| {
        let mut worker = team.worker(machine, &["--until-idle"]);
        worker.stdout(Stdio::piped()).stderr(Stdio::piped());
        worker.spawn().unwrap()
    });
    for worker in workers {
        ran(worker.wait_with_output().unwrap()).succeeded();
    }
    Some(Learnt {
        calls: provider.calls(),
        completed: team.completed(),
        waiting: team.waiting(),
        queue: team.shown(&["queue", "list", "--json"]),
        spent: team.shown(&["status", "--json"])["models_today"].clone(),
    })
}

impl Learnt {
    fn check(&self, limit: &str, calls: Option<u64>) {
        if let Some(calls) = calls {
            assert_eq!(self.calls, calls, "{limit}");
        }
        // Rules have read what the model did not, each session once, and no attempt was lost.
        assert_eq!(self.completed, (SESSIONS, SESSIONS), "{limit}");
        let jobs = self.queue.to_string();
        assert!(!jobs.contains("\"failed\""), "{limit}: {jobs}");
        let (sessions, codes) = &self.waiting;
        assert_eq!(codes, &["budget"], "{limit}");
        assert!(*sessions > 0, "{limit}");
        if self.calls == 0 {
            assert_eq!(*sessions, SESSIONS as u64, "{limit}");
            return;
        }
        // Ann's machine asks no model itself, and sees what workers spent for her project.
        assert_eq!(self.spent["calls"], self.calls, "{limit}");
        if let Some(most) = limit.strip_prefix("day_tokens = ") {
            let most: u64 = most.parse().unwrap();
            let tokens = self.spent["tokens"].as_u64().unwrap();
            assert!((1..=most).contains(&tokens), "{limit}: {tokens}");
        }
    }
}

/// What waited for the budget is read by the model later, on another machine.
#[test]
fn a_session_that_waited_for_the_budget_is_read_again_by_a_worker() {
    let Some(team) = Team::new() else {
        return;
    };
    (0..2).for_each(|index| team.session(index));
    team.alone();
    let provider = Provider::new(|asked| Ok(say(asked, &about_the_queue)));
    team.ask_model(&provider, "day_tokens = 1");
    team.enqueue(&[]);
    team.work(0, &["--until-idle"]).succeeded();
    assert_eq!(team.waiting(), (2, vec!["budget".to_owned()]));
    assert_eq!(provider.calls(), 0);
    // Nothing is tried before its time.
    team.ask_model(&provider, "day_calls = 100");
    team.work(1, &["--once"]).succeeded();
    assert_eq!(provider.calls(), 0);
    team.server.execute("UPDATE readings SET retry_at_ms = 0");
    while team.waiting().0 > 0 {
        let done = team.work(1, &["--once"]).succeeded().json();
        assert_eq!(done["completed"], 1, "{done}");
    }
    assert!(provider.calls() > 0);
    assert_eq!(team.completed(), (4, 2), "each session twice");
}

/// The server quits while a model answers, so that neither this call can be settled nor the next one reserved.
#[test]
fn without_the_server_no_model_is_asked_and_nothing_waits() {
    let Some(mut team) = Team::new() else {
        return;
    };
    (0..2).for_each(|index| team.session(index));
    team.alone();
    let (asked, first) = mpsc::channel();
    let (gone, is_gone) = mpsc::channel::<()>();
    let is_gone = std::sync::Mutex::new(is_gone);
    let provider = Provider::new(move |request| {
        if asked.send(()).is_ok() {
            // The sender is dropped once the server has quit.
            let _ = is_gone.lock().unwrap().recv();
        }
        Ok(say(request, &about_the_queue))
    });
    team.ask_model(&provider, "day_calls = 100");
    team.enqueue(&[]);
    let crew = Crew::start(&team, &[0, 1]);
    first.recv_timeout(Duration::from_secs(120)).unwrap();
    team.server.quit();
    drop(gone);
    // Longer than a worker waits for a lost connection, twice.
    std::thread::sleep(Duration::from_secs(12));
    assert_eq!(
        provider.calls(),
        1,
        "a call that cannot be reserved is not made"
    );
    team.server.resume();
    let until = Instant::now() + Duration::from_secs(240);
    while team.completed().1 < 2 {
        assert!(Instant::now() < until, "{:?}", team.completed());
        std::thread::sleep(Duration::from_millis(500));
    }
    drop(crew);
    // The model has read everything: no reading by rules was published meanwhile.
    assert_eq!(team.waiting(), (0, Vec::new()));
    let spent = &team.shown(&["status", "--json"])["models_today"];
    assert_eq!(spent["calls"], provider.calls(), "{spent}");
}
