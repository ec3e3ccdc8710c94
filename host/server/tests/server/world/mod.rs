//! A home with projects, memories, sessions, runs and a queue, and the real service over it. The service is wrapped: it
//! notes every call, some words make a search fail, panic or wait, and a job takes steps instead of a process.

#![allow(
    clippy::unwrap_used,
    reason = "a world that cannot be made fails the test"
)]
#![allow(dead_code, reason = "the tests use different parts")]

mod contents;
mod sessions;
mod talk;
mod texts;

use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use acreta_mcp::Backend;
use acreta_server::api::JobProgress;
use acreta_server::daemon::Daemon;
use acreta_server::{Call, Caller, JobControl, JobRequest, Service, UseCase};
use acreta_service::learn::runs::EventRow;
use acreta_service::projects::{registry, scopes};
use acreta_service::{Context, Failure, Kind, Process};
use acreta_state::{EventKind, EventLevel, NewEvent};
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::{Map, Value, json};

pub(crate) use texts::HOSTILE;

/// The projects as tests write them; the first part stands for the folder of the world.
pub(crate) const PROJECTS: &[&str] = &[
    "/home/sam/code/lantern",
    "/home/sam/code/paper mill",
    "/home/sam/code/<b>quote\"s & co</b>",
];
const HOME: &str = "/home/sam";

pub(crate) struct World {
    folder: Utf8PathBuf,
    _scratch: tempfile::TempDir,
    process: Process,
    daemon: Daemon,
    /// Jobs of the queue.
    jobs: Vec<String>,
    calls: Mutex<Vec<String>>,
    gate: Gate,
    /// Duration of one step of a job.
    pace: Duration,
}

/// Blocks calls that contain `wait`.
#[derive(Default)]
struct Gate {
    state: Mutex<(usize, bool)>,
    changed: Condvar,
}

impl World {
    /// Makes a world of so many memories. `longest` is the number of events of its longest session, `pace` the duration of
    /// one step of a job.
    pub(crate) fn new(memories: usize, longest: usize, now_ms: u64, pace: Duration) -> Arc<Self> {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().canonicalize().unwrap();
        let folder = Utf8PathBuf::try_from(folder).unwrap();
        for name in ["home", "sessions", "code/unregistered", ".claude/projects"] {
            std::fs::create_dir_all(folder.join(name)).unwrap();
        }
        // Compiled plugins are the same for all tests.
        let cache = concat!(env!("CARGO_TARGET_TMPDIR"), "/acreta-cache");
        let environment = [
            ("HOME", folder.as_str()),
            ("ACRETA_HOME", folder.join("home").as_str()),
            ("ACRETA_CACHE_DIR", cache),
            ("ACRETA_CACHE_KEY", "the tests share one key and one cache"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
        let process = Process {
            // Compiling two adapters is fast, compiling all is not. Claude Code is on this machine, and Codex is not.
            flags: vec![(
                "plugins.adapters".to_owned(),
                "[\"adapter-claude\", \"adapter-codex\"]".to_owned(),
            )],
            ..Process::silent(environment.into())
        };
        for project in PROJECTS {
            let root = within(&folder, project);
            std::fs::create_dir_all(&root).unwrap();
            let context = Context::open(&process, &root).unwrap();
            registry::add(&context, &root).unwrap();
        }
        let first = within(&folder, PROJECTS[0]);
        let contents = contents::Contents {
            folder: &folder,
            process: &process,
            now_ms,
            longest,
        };
        let jobs = contents.write(memories);
        Arc::new(Self {
            daemon: Daemon::new(process.clone(), &first, Utf8Path::new("acreta")),
            folder,
            _scratch: scratch,
            process,
            jobs,
            calls: Mutex::default(),
            gate: Gate::default(),
            pace,
        })
    }

    /// Replaces what tests cannot know: the folder of the world, and the ids of jobs (`JOB-0`).
    pub(crate) fn named(&self, text: &str) -> String {
        let mut text = text.replace(HOME, self.folder.as_str());
        for (number, job) in self.jobs.iter().enumerate() {
            text = text.replace(&format!("JOB-{number}/"), &format!("{job}/"));
        }
        text
    }

    pub(crate) fn project(&self, number: usize) -> String {
        self.named(PROJECTS[number])
    }

    /// The calls of use cases, and the jobs.
    pub(crate) fn calls(&self) -> Vec<String> {
        self.calls.lock().unwrap().clone()
    }

    /// Appends an event to the log.
    pub(crate) fn note(&self, name: &str) {
        let context = Context::open(&self.process, Utf8Path::new(&self.project(0))).unwrap();
        let event = NewEvent {
            at_ms: 1,
            level: EventLevel::Info,
            kind: EventKind::Event,
            name: name.to_owned(),
            run_id: None,
            request_id: None,
            project: Some(context.project.clone()),
            fields: Map::new(),
        };
        let catalog = scopes::open_catalog(&context).unwrap();
        catalog.append_events(&[event]).unwrap();
    }

    /// Blocks until `count` calls wait.
    pub(crate) fn until_waiting(&self, count: usize) {
        let state = self.gate.state.lock().unwrap();
        drop(
            self.gate
                .changed
                .wait_while(state, |state| state.0 < count)
                .unwrap(),
        );
    }

    pub(crate) fn open_gate(&self) {
        self.gate.state.lock().unwrap().1 = true;
        self.gate.changed.notify_all();
    }

    /// Waits until the gate opens or `given_up` returns true.
    fn wait(&self, given_up: impl Fn() -> bool) {
        let mut state = self.gate.state.lock().unwrap();
        state.0 += 1;
        self.gate.changed.notify_all();
        while !state.1 && !given_up() {
            let look_again = Duration::from_millis(5);
            state = self.gate.changed.wait_timeout(state, look_again).unwrap().0;
        }
        state.0 -= 1;
    }

    fn called(&self, caller: &Caller, what: String) {
        assert!(!caller.request_id.is_empty());
        self.calls.lock().unwrap().push(what);
    }
}

fn within(folder: &Utf8Path, path: &str) -> Utf8PathBuf {
    folder.join(path.strip_prefix(HOME).unwrap().trim_start_matches('/'))
}

impl Service for World {
    fn is_registered(&self, project_root: &str) -> Result<bool, Failure> {
        self.daemon.is_registered(project_root)
    }

    fn answer(&self, use_case: &UseCase, call: &Call) -> Result<Vec<u8>, Failure> {
        let path: Vec<&str> = call.path.iter().map(|(_, value)| value.as_str()).collect();
        let what = format!("{} {}", use_case.name, path.join(" "));
        self.called(&call.caller, what.trim_end().to_owned());
        let text = call.input["q"].as_str().unwrap_or_default();
        match (use_case.name, text) {
            ("search", "panic") => panic!("the world was asked to"),
            ("search", "busy") => {
                return Err(Failure::new(Kind::Busy, "another process is writing"));
            }
            ("search", "fail") => {
                let mut failure = Failure::saying("the index is broken");
                failure.causes.push("it was asked to".to_owned());
                return Err(failure);
            }
            ("search", "wait") => self.wait(|| false),
            _ => {}
        }
        self.daemon.answer(use_case, call)
    }

    fn backend(&self, project_root: Option<&str>) -> Result<Arc<dyn Backend>, Failure> {
        self.daemon.backend(project_root)
    }

    fn run_job(
        &self,
        caller: &Caller,
        job: &JobRequest,
        control: &dyn JobControl,
    ) -> Result<Value, Failure> {
        self.called(caller, format!("{job:?}"));
        let agent = match job {
            JobRequest::Sync(request) => request.agent.as_deref().unwrap_or(""),
            JobRequest::Maintain(_) => "",
        };
        match agent {
            "wait" => self.wait(|| control.is_cancelled()),
            "deaf" => self.wait(|| false),
            "panic" => panic!("the world was asked to"),
            "fail" => {
                let mut failure = Failure::saying("the sync failed");
                failure.causes.push("it was asked to".to_owned());
                return Err(failure);
            }
            _ => {}
        }
        let steps = 12;
        for step in 0..steps {
            if control.is_cancelled() {
                return Ok(json!({ "interrupted": true, "ran": step }));
            }
            control.progress(JobProgress {
                done: step,
                total: Some(steps),
                message: format!("session {step} {}", HOSTILE[step as usize % HOSTILE.len()]),
            });
            self.note("extract");
            if !self.pace.is_zero() {
                std::thread::sleep(self.pace);
            }
        }
        Ok(
            json!({ "discovered": steps, "archived": 0, "queued": 3, "ran": 3, "interrupted": false }),
        )
    }

    fn newest_event(&self) -> Result<u64, Failure> {
        self.daemon.newest_event()
    }

    fn events_after(&self, sequence: u64, limit: u64) -> Result<Vec<EventRow>, Failure> {
        self.daemon.events_after(sequence, limit)
    }
}
