//! A program as a provider. It reads the request as JSON and writes the reply, as JSON with
//! `content` or as plain text. It sees `PATH`, `HOME` and what is configured of the environment,
//! runs in the run folder, and when its time is over it is killed with all it started.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use camino::Utf8Path;
use serde_json::{Value, json};

use crate::exchange::{Answer, Exchange, Failed, Stop, count};
use crate::http::MOST_BYTES;
use crate::scrub::Scrubber;
use crate::settings::CommandSettings;
use crate::{Code, LlmError};

/// What a run of the program is given besides the request.
pub(crate) struct Place<'a> {
    pub(crate) folder: &'a Utf8Path,
    pub(crate) environment: &'a BTreeMap<String, String>,
    pub(crate) timeout: Duration,
    pub(crate) is_cancelled: &'a dyn Fn() -> bool,
}

pub(crate) fn ask(
    settings: &CommandSettings,
    exchange: &Exchange<'_>,
    place: &Place<'_>,
    scrubber: &Scrubber,
) -> Result<Answer, Failed> {
    let program = &settings.program;
    let mut child = command(settings, exchange, place)
        .spawn()
        .map_err(|cause| {
            Failed::for_good(
                LlmError::new(Code::Provider, format!("`{program}` could not be started"))
                    .because(cause.to_string())
                    .hint("check the command of this provider in the user config"),
            )
        })?;
    let deadline = Instant::now() + place.timeout;
    feed(&mut child, request(exchange));
    let output = collect(child.stdout.take(), MOST_BYTES + 1);
    let complaints = collect(child.stderr.take(), COMPLAINT_BYTES);

    let ended = wait_for(&output, deadline, place.is_cancelled).and_then(|output| {
        Ok((
            output,
            wait_for_exit(&mut child, deadline, place.is_cancelled)?,
        ))
    });
    let (output, succeeded) = ended.map_err(|end| {
        kill(&mut child);
        Failed::maybe_paid(end.error(program, place.timeout))
    })?;
    if !succeeded {
        let said = complaints.recv_timeout(COMPLAINT_WAIT).unwrap_or_default();
        let said = scrubber.excerpt(&String::from_utf8_lossy(&said));
        return Err(Failed::maybe_paid(
            LlmError::new(Code::Provider, format!("`{program}` failed")).because(
                if said.is_empty() {
                    "it said nothing about it".to_owned()
                } else {
                    said
                },
            ),
        ));
    }
    answer(&output).map_err(|reason| {
        Failed::maybe_paid(LlmError::new(
            Code::InvalidReply,
            format!("`{program}` {reason}"),
        ))
    })
}

/// Where agents keep their sessions, as the variables that move them, and the folder for each.
const SESSION_FOLDERS: [(&str, &str); 10] = [
    ("CLAUDE_CONFIG_DIR", "claude"),
    ("CODEX_HOME", "codex"),
    ("CONTINUE_GLOBAL_DIR", "continue"),
    ("COPILOT_HOME", "copilot"),
    ("GEMINI_CLI_HOME", "gemini"),
    ("KIMI_CODE_HOME", "kimi-code"),
    ("KIMI_SHARE_DIR", "kimi"),
    ("KIRO_HOME", "kiro"),
    ("PI_CODING_AGENT_DIR", "pi"),
    ("XDG_DATA_HOME", "data"),
];

const COMPLAINT_BYTES: u64 = 16 * 1024;
const COMPLAINT_WAIT: Duration = Duration::from_millis(200);
const POLL: Duration = Duration::from_millis(5);

/// Why a program was stopped.
enum Unfinished {
    Late,
    Cancelled,
    TooLarge,
}

impl Unfinished {
    fn error(self, program: &str, timeout: Duration) -> LlmError {
        match self {
            Unfinished::Late => LlmError::new(
                Code::Timeout,
                format!(
                    "`{program}` gave no reply within {} s and was stopped",
                    timeout.as_secs_f32()
                ),
            )
            .retryable(),
            Unfinished::Cancelled => {
                LlmError::new(Code::Cancelled, format!("`{program}` was stopped"))
            }
            Unfinished::TooLarge => LlmError::new(
                Code::TooLarge,
                format!("`{program}` wrote more than {MOST_BYTES} bytes"),
            ),
        }
    }
}

fn command(settings: &CommandSettings, exchange: &Exchange<'_>, place: &Place<'_>) -> Command {
    let mut command = Command::new(&settings.program);
    command
        .args(
            settings
                .arguments
                .iter()
                .map(|argument| argument.replace("{model}", exchange.model)),
        )
        .current_dir(place.folder)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let configured = settings.environment.iter().map(String::as_str);
    for name in ["PATH", "HOME"].into_iter().chain(configured) {
        if let Some(value) = place.environment.get(name) {
            command.env(name, value);
        }
    }
    if settings.persist_sessions_in_workspace {
        for (name, folder) in SESSION_FOLDERS {
            command.env(name, place.folder.join("agent").join(folder));
        }
    }
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
}

fn request(exchange: &Exchange<'_>) -> String {
    json!({
        "purpose": exchange.purpose,
        "model": exchange.model,
        "messages": exchange.messages,
        "json_schema": exchange.schema.map(crate::Schema::value),
        "max_output_tokens": exchange.max_output_tokens,
    })
    .to_string()
}

fn feed(child: &mut Child, request: String) {
    let Some(mut stdin) = child.stdin.take() else {
        return;
    };
    std::thread::spawn(move || {
        // A program that does not read to the end may answer all the same.
        let _ = stdin.write_all(request.as_bytes());
    });
}

/// All that comes out of a pipe, once it is closed or has given `most` bytes.
fn collect(pipe: Option<impl Read + Send + 'static>, most: u64) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(pipe) = pipe {
            // What was read before an error is what there is.
            let _ = pipe.take(most).read_to_end(&mut bytes);
        }
        // Nobody listens any more when it took too long.
        let _ = sender.send(bytes);
    });
    receiver
}

fn wait_for(
    output: &Receiver<Vec<u8>>,
    deadline: Instant,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Vec<u8>, Unfinished> {
    loop {
        match output.recv_timeout(POLL) {
            Ok(bytes) if bytes.len() as u64 > MOST_BYTES => return Err(Unfinished::TooLarge),
            Ok(bytes) => return Ok(bytes),
            Err(RecvTimeoutError::Disconnected) => return Ok(Vec::new()),
            Err(RecvTimeoutError::Timeout) => goes_on(deadline, is_cancelled)?,
        }
    }
}

fn wait_for_exit(
    child: &mut Child,
    deadline: Instant,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<bool, Unfinished> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status.success()),
            Ok(None) => goes_on(deadline, is_cancelled)?,
            Err(_) => return Ok(false),
        }
        std::thread::sleep(POLL);
    }
}

fn goes_on(deadline: Instant, is_cancelled: &dyn Fn() -> bool) -> Result<(), Unfinished> {
    if is_cancelled() {
        Err(Unfinished::Cancelled)
    } else if Instant::now() >= deadline {
        Err(Unfinished::Late)
    } else {
        Ok(())
    }
}

/// Ends a program that has not been waited for, with its whole group: its id is still its own.
fn kill(child: &mut Child) {
    // Best effort: it may have ended by itself meanwhile.
    #[cfg(unix)]
    if let Ok(id) = i32::try_from(child.id())
        && let Some(group) = rustix::process::Pid::from_raw(id)
    {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// JSON with `content`, or `result` as some agents call it, or the text itself.
fn answer(output: &[u8]) -> Result<Answer, &'static str> {
    let text = str::from_utf8(output).map_err(|_| "wrote something that is not UTF-8")?;
    let text = text.trim();
    if text.is_empty() {
        return Err("wrote nothing");
    }
    let whole: Option<Value> = serde_json::from_str(text).ok();
    let named = whole.as_ref().and_then(|whole| {
        let content = whole.get("content").or_else(|| whole.get("result"))?;
        Some((content.as_str()?, whole.get("usage").unwrap_or(whole)))
    });
    let (content, usage) = match named {
        Some((content, usage)) => (content, Some(usage)),
        None => (text, None),
    };
    let tokens = usage.and_then(|usage| {
        Some((
            count(usage, "input_tokens")?,
            count(usage, "output_tokens")?,
        ))
    });
    Ok(Answer {
        content: content.to_owned(),
        tokens,
        stop: Stop::Done,
    })
}
