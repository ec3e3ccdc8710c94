//! Jobs: a sync or a maintenance, each in a separate process with the same code and locks as when a person starts it. A
//! job that is told to stop returns its claims.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::api::{JobProgress, MaintainRequest, SyncRequest};
use crate::{Caller, JobControl, JobRequest};
use acreta_service::{Failure, projects::scopes};
use acreta_store::Layout;
use camino::Utf8Path;
use serde_json::{Value, json};

use crate::daemon::Daemon;

/// Set to `1` in the environment of a process that has to end at the next safe point when its stdin is closed. Windows
/// has no signal for this. There, a job also notices this way that its daemon died.
pub const ENDS_WITH_INPUT: &str = "ACRETA_ENDS_WITH_INPUT";

/// Interval between two polls of a process.
const LOOK: Duration = Duration::from_millis(50);

/// Number of polls before a process that was told to stop is killed: five seconds, half of the time in which the daemon
/// itself ends (`Limits::last_time`), so that none outlives it.
const PATIENCE: u32 = 100;

impl Daemon {
    pub(crate) fn work_on(
        &self,
        caller: &Caller,
        job: &JobRequest,
        control: &dyn JobControl,
    ) -> Result<Value, Failure> {
        match job {
            JobRequest::Sync(request) => {
                let context = self.context(None)?;
                // Outside of every project: a daemon must not register one.
                let arguments = sync_arguments(request);
                self.run(caller, &arguments, context.home.folder(), control)
            }
            JobRequest::Maintain(request) => self.maintain(caller, request, control),
        }
    }

    fn maintain(
        &self,
        caller: &Caller,
        request: &MaintainRequest,
        control: &dyn JobControl,
    ) -> Result<Value, Failure> {
        let context = self.context(None)?;
        let projects = match &request.project_root {
            Some(root) => vec![Utf8Path::new(root.as_str()).to_owned()],
            None => scopes::registered_projects(&context)?,
        };
        let projects: Vec<_> = projects
            .into_iter()
            .filter(|root| Layout::for_project(root).has_memory().unwrap_or(false))
            .collect();
        let mut arguments = vec!["maintain".to_owned()];
        if request.dry_run {
            arguments.push("--dry-run".to_owned());
        }
        let mut reports = Vec::new();
        for (done, project) in projects.iter().enumerate() {
            if control.is_cancelled() {
                break;
            }
            control.progress(JobProgress {
                done: done as u64,
                total: Some(projects.len() as u64),
                message: project.to_string(),
            });
            let report = self.run(caller, &arguments, project, control)?;
            reports.push(json!({ "project": project, "report": report }));
        }
        Ok(json!({ "projects": reports }))
    }

    /// Runs `acreta` in a folder and returns the JSON it printed.
    fn run(
        &self,
        caller: &Caller,
        arguments: &[String],
        folder: &Utf8Path,
        control: &dyn JobControl,
    ) -> Result<Value, Failure> {
        acreta_fs::Directory::open_or_create_private(folder, acreta_fs::NoFaults::shared())?;
        let mut command = Command::new(&self.program);
        command
            .args(arguments)
            .arg("--json")
            .current_dir(folder)
            .env("ACRETA_REQUEST_ID", &caller.request_id)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // An interrupt at the daemon's terminal is for the daemon, which stops its jobs itself.
        acreta_fs::detach(&mut command);
        if cfg!(windows) {
            command.env(ENDS_WITH_INPUT, "1").stdin(Stdio::piped());
        }
        let mut child = command.spawn().map_err(|error| {
            Failure::saying(format!("`{}` cannot be started: {error}", self.program))
        })?;
        let (output, errors) = (gather(child.stdout.take()), gather(child.stderr.take()));
        let status = wait(&mut child, control)?;
        let (output, errors) = (joined(output), joined(errors));
        let value: Value = serde_json::from_str(&output).unwrap_or_default();
        match status.code() {
            // A partial success still has a result.
            Some(0 | 3) => Ok(value),
            _ => Err(failure(&value, &errors)),
        }
    }
}

fn sync_arguments(request: &SyncRequest) -> Vec<String> {
    let mut arguments = vec!["sync".to_owned(), "--background".to_owned()];
    let mut option = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            arguments.push(format!("--{name}={value}"));
        }
    };
    option("agent", request.agent.clone());
    option("since", request.since.clone());
    let most = request.max_sessions;
    option("max-sessions", most.map(|most| most.to_string()));
    if request.force {
        arguments.push("--force".to_owned());
    }
    if request.dry_run {
        arguments.push("--dry-run".to_owned());
    }
    arguments
}

type Gathered = Option<std::thread::JoinHandle<String>>;

/// Reads a pipe to its end on a separate thread, because the process would otherwise block on a full pipe.
fn gather(pipe: Option<impl Read + Send + 'static>) -> Gathered {
    let mut pipe = pipe?;
    Some(std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // If the pipe breaks, the part read so far is used.
        let _ = pipe.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    }))
}

fn joined(gathered: Gathered) -> String {
    gathered
        .and_then(|thread| thread.join().ok())
        .unwrap_or_default()
}

fn wait(child: &mut Child, control: &dyn JobControl) -> Result<std::process::ExitStatus, Failure> {
    let mut patience = None;
    loop {
        let ended = child
            .try_wait()
            .map_err(|error| Failure::saying(format!("the job cannot be waited for: {error}")))?;
        if let Some(status) = ended {
            return Ok(status);
        }
        patience = match patience {
            None if control.is_cancelled() => {
                stop(child);
                Some(PATIENCE)
            }
            None => None,
            Some(0) => {
                // It does not react. The next job resumes its work.
                let _ = child.kill();
                Some(PATIENCE)
            }
            Some(left) => Some(left - 1),
        };
        std::thread::sleep(LOOK);
    }
}

/// Asks a process to stop at the next safe point.
#[cfg(unix)]
fn stop(child: &mut Child) {
    let Ok(id) = i32::try_from(child.id()) else {
        return;
    };
    if let Some(id) = rustix::process::Pid::from_raw(id) {
        let _ = rustix::process::kill_process(id, rustix::process::Signal::TERM);
    }
}

#[cfg(windows)]
fn stop(child: &mut Child) {
    drop(child.stdin.take());
}

fn failure(value: &Value, errors: &str) -> Failure {
    let error = &value["error"];
    let list = |name: &str| -> Vec<String> {
        let texts = error[name].as_array().into_iter().flatten();
        texts
            .filter_map(Value::as_str)
            .map(ToOwned::to_owned)
            .collect()
    };
    match error["message"].as_str() {
        Some(message) => {
            let mut failure = Failure::saying(message);
            failure.causes = list("causes");
            failure.hints = list("hints");
            failure
        }
        None => {
            let last = errors.lines().last().unwrap_or("no message");
            Failure::saying(format!("the job failed: {last}"))
        }
    }
}
