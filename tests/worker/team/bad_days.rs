//! Bad days: workers that die at every point, a server that crashes, storage that fails, full disks. Each ends with the files of a single machine.

use super::{BRANCH, Team, assert_same};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::Crew;
use crate::support::ran;

const SECOND: &str = ".claude/projects/p/5e551000-0000-4000-8000-000000000001.jsonl";

/// Every point at which a worker can be killed.
const POINTS: [&str; 8] = [
    "claimed",
    "checked-out",
    "step-begun",
    "step-done",
    "learnt",
    "pushed",
    "ran",
    "completed",
];

#[test]
fn a_worker_that_is_killed_anywhere_loses_nothing() {
    let Some(team) = Team::new() else {
        return;
    };
    (0..2).for_each(|index| team.session(index));
    let expected = team.alone();
    let mut completed = 0;
    for (round, point) in POINTS.iter().enumerate() {
        team.enqueue(if round == 0 { &[] } else { &["--force"] });
        let killed = team
            .worker(0, &["--until-idle"])
            .env("ACRETA_ABORT_AT", format!("{point}:1"))
            .output()
            .unwrap();
        assert_eq!(killed.status.code(), None, "{point} is passed: {killed:?}");
        // The next worker of the machine finds the dead one's job at once.
        team.work(0, &["--until-idle"]).succeeded();
        assert_same(&team.published(), &expected, point);
        completed += 2;
        assert_eq!(
            team.completed(),
            (completed, 2),
            "{point}: each session once in each round"
        );
        team.git(&["update-ref", "-d", &format!("refs/heads/{BRANCH}")]);
    }
}

/// Two workers of one machine and two of another go on while the server is away, three times.
#[test]
fn a_server_that_crashes_while_workers_run_loses_nothing() {
    let Some(mut team) = Team::new() else {
        return;
    };
    const SESSIONS: usize = 6;
    (0..SESSIONS).for_each(|index| team.session(index));
    let expected = team.alone();
    team.enqueue(&[]);
    let crew = Crew::start(&team, &[0, 0, 1, 1, 2, 2]);
    for _ in 0..3 {
        std::thread::sleep(Duration::from_millis(1500));
        team.server.crash(Duration::from_millis(1500));
    }
    // These workers, and no other, do what is left.
    let until = Instant::now() + Duration::from_secs(240);
    while team.completed().0 < SESSIONS {
        assert!(Instant::now() < until, "{:?}", team.completed());
        std::thread::sleep(Duration::from_millis(500));
    }
    drop(crew);
    assert_same(&team.published(), &expected, "after three crashes");
    assert_eq!(team.completed(), (SESSIONS, SESSIONS));
}

/// A worker is stopped when it has learnt and not pushed, another machine takes its job when the lease has expired, and
/// then the first one wakes up.
#[test]
fn a_worker_that_sleeps_past_its_lease_changes_nothing() {
    let Some(team) = Team::new() else {
        return;
    };
    (0..2).for_each(|index| team.session(index));
    let expected = team.alone();
    team.enqueue(&[]);
    let mut sleeper = team
        .worker(0, &["--once"])
        .env("ACRETA_ABORT_AT", "learnt:1:stop")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let until = Instant::now() + Duration::from_secs(60);
    while !is_stopped(sleeper.id()) {
        assert!(Instant::now() < until && sleeper.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(50));
    }
    // The lease is a minute long; this waits for it.
    team.work(1, &["--until-idle"]).succeeded();
    let commits = team.commits();
    let woken = Command::new("kill")
        .args(["-s", "CONT", &sleeper.id().to_string()])
        .status();
    assert!(woken.unwrap().success());
    let slept = ran(sleeper.wait_with_output().unwrap());
    let summary = slept.json_before_failure();
    assert_eq!(
        summary["completed"], 0,
        "its job is not its own any more: {summary}"
    );
    assert_eq!(team.commits(), commits, "it pushed nothing");
    assert_same(&team.published(), &expected, "after it woke up");
    assert_eq!(team.completed(), (2, 2));
}

fn is_stopped(process: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit(") ")
        .next()
        .is_some_and(|rest| rest.starts_with('T'))
}

#[test]
fn storage_that_fails_delays_jobs_and_costs_no_attempt() {
    let Some(team) = Team::new() else {
        return;
    };
    (0..2).for_each(|index| team.session(index));
    let expected = team.alone();
    let second = team.ann.outside().join(SECOND);
    std::fs::remove_file(&second).unwrap();
    team.enqueue(&[]);
    let away = team.ann.outside().join("away");
    std::fs::rename(team.storage(), &away).unwrap();
    let tried = team.work(0, &["--once"]);
    let summary = tried.json_before_failure();
    assert_eq!(
        (&summary["completed"], &summary["not_completed"]),
        (&0.into(), &1.into())
    );
    let job = &team.jobs()[0];
    assert_eq!(
        (&job["state"], &job["attempt"]),
        (&"queued".into(), &0.into()),
        "{job}"
    );
    assert!(job["cause"].as_str().unwrap().contains("storage"), "{job}");

    // A session that is recorded meanwhile is archived here, and its agent deletes it before storage is back.
    team.session(1);
    let mut sync = team.ann.command(&["sync", "--json"]);
    let failed = ran(team.with_addresses(&mut sync).output().unwrap());
    assert_ne!(failed.code, 0);
    assert!(failed.stdout.contains("mount"), "{}", failed.stdout);
    std::fs::remove_file(&second).unwrap();
    std::fs::rename(&away, team.storage()).unwrap();
    team.enqueue(&[]);
    let worked = team.work(0, &["--until-idle"]).succeeded().json();
    assert_eq!(worked["completed"], 2, "{worked}");
    assert_same(&team.published(), &expected, "after the failure");
    assert_eq!(team.completed(), (2, 2));
}

/// Disks of several sizes are full at several moments: at the clone, in the run, at the commit.
#[test]
fn a_full_disk_delays_jobs_and_costs_no_attempt() {
    let Some(team) = Team::new() else {
        return;
    };
    (0..2).for_each(|index| team.session(index));
    let expected = team.alone();
    team.enqueue(&[]);
    let clones = team.ann.outside().join("worker-0/.acreta/clones");
    let mut full = 0;
    for kilobytes in [48, 120, 160, 200, 240, 320, 480] {
        let inner = team.worker(0, &["--once"]);
        std::fs::create_dir_all(&clones).unwrap();
        let mut worker = Command::new("unshare");
        worker.args(["--mount", "--map-root-user", "sh", "-c"]);
        worker.arg(format!(
            "mount -t tmpfs -o size={kilobytes}k none '{}' || exit 99; exec \"$0\" \"$@\"",
            clones.display()
        ));
        worker.arg(inner.get_program()).args(inner.get_args());
        for (name, value) in inner.get_envs() {
            match value {
                Some(value) => worker.env(name, value),
                None => worker.env_remove(name),
            };
        }
        if let Some(folder) = inner.get_current_dir() {
            worker.current_dir(folder);
        }
        let tried = ran(worker.output().unwrap());
        if tried.code == 99 || tried.stderr.contains("unshare:") {
            acreta_testing::skip(acreta_testing::NAMESPACES, tried.stderr.trim());
            return;
        }
        let left = team.jobs();
        for job in &left {
            assert_eq!(
                (&job["state"], &job["attempt"]),
                (&"queued".into(), &0.into()),
                "{kilobytes} KB: {job} {}",
                tried.stderr
            );
        }
        let causes = left.iter().filter_map(|job| job["cause"].as_str());
        full += causes
            .filter(|cause| cause.to_lowercase().contains("no space left"))
            .count();
        team.server
            .execute("UPDATE jobs SET not_before_ms = 0, cause = NULL WHERE state = 'queued'");
    }
    assert!(full > 1, "no disk was full");
    let worked = team.work(0, &["--until-idle"]).succeeded().json();
    assert_eq!(worked["not_completed"], 0, "{worked}");
    assert_same(&team.published(), &expected, "with space");
    assert_eq!(team.completed(), (2, 2));
}
