//! Recorded conversations, for replay instead of the providers. A tape has one JSON line per request with its final
//! outcome, found by digest; a request that occurs several times gets its answers in recorded order.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use acreta_fs::{Directory, FsError, NoFaults};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use crate::exchange::{Exchange, FailedCall, ModelAnswer, StopReason};
use crate::{Code, LlmError};

/// A tape that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TapeError {
    #[error("recorded replies `{path}` cannot be opened")]
    Open {
        path: Utf8PathBuf,
        #[source]
        cause: FsError,
    },
    #[error("recorded replies `{path}` are damaged in line {line}")]
    Damaged {
        path: Utf8PathBuf,
        line: usize,
        #[source]
        cause: serde_json::Error,
    },
    #[error("`{path}` cannot hold recorded replies: it is not a file path")]
    NoFile { path: Utf8PathBuf },
}

pub(crate) struct TapeRecorder {
    directory: Directory,
    name: String,
    turn: Mutex<()>,
}

pub(crate) struct Player {
    path: Utf8PathBuf,
    lines: Mutex<HashMap<String, VecDeque<RecordedOutcome>>>,
}

impl TapeRecorder {
    /// Opens a file for appending, or creates it.
    pub(crate) fn open(path: &Utf8Path) -> Result<Self, TapeError> {
        let (folder, name) = place(path)?;
        let directory = Directory::open_or_create(folder, NoFaults::shared()).map_err(|cause| {
            TapeError::Open {
                path: path.to_owned(),
                cause,
            }
        })?;
        Ok(Self {
            directory: directory.private(),
            name: name.to_owned(),
            turn: Mutex::new(()),
        })
    }

    pub(crate) fn write(
        &self,
        exchange: &Exchange<'_>,
        outcome: &Result<ModelAnswer, FailedCall>,
    ) -> Result<(), LlmError> {
        let line = TapeLine {
            digest: exchange.digest(),
            provider: exchange.provider.to_owned(),
            model: exchange.model.to_owned(),
            outcome: RecordedOutcome::of(outcome),
        };
        let mut text = serde_json::to_string(&line).expect("text can be written as JSON");
        text.push('\n');
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        self.directory
            .append(&self.name, text.as_bytes())
            .map_err(|cause| {
                LlmError::disk(Code::Provider, "the reply could not be recorded", &cause)
            })
    }
}

impl Player {
    pub(crate) fn open(path: &Utf8Path) -> Result<Self, TapeError> {
        let (folder, name) = place(path)?;
        let text = Directory::open(folder, NoFaults::shared())
            .and_then(|directory| directory.read_to_string(name, MOST_BYTES))
            .map_err(|cause| TapeError::Open {
                path: path.to_owned(),
                cause,
            })?;
        let mut lines: HashMap<String, VecDeque<RecordedOutcome>> = HashMap::new();
        for (index, text) in text.lines().enumerate() {
            let line: TapeLine =
                serde_json::from_str(text).map_err(|cause| TapeError::Damaged {
                    path: path.to_owned(),
                    line: index + 1,
                    cause,
                })?;
            lines
                .entry(line.digest)
                .or_default()
                .push_back(line.outcome);
        }
        Ok(Self {
            path: path.to_owned(),
            lines: Mutex::new(lines),
        })
    }

    /// Returns the recorded outcome of a request; the last answer is repeated.
    pub(crate) fn play(&self, exchange: &Exchange<'_>) -> Result<ModelAnswer, FailedCall> {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let outcome = lines.get_mut(&exchange.digest()).and_then(|answers| {
            if answers.len() > 1 {
                answers.pop_front()
            } else {
                answers.front().cloned()
            }
        });
        match outcome {
            Some(outcome) => outcome.into_result(),
            None => Err(FailedCall::for_good(
                LlmError::new(
                    Code::Provider,
                    format!("`{}` has no reply to this request", self.path),
                )
                .hint("record it again: prompts, models or the session have changed"),
            )),
        }
    }
}

#[derive(Serialize, Deserialize)]
struct TapeLine {
    digest: String,
    provider: String,
    model: String,
    outcome: RecordedOutcome,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum RecordedOutcome {
    Answer {
        content: String,
        tokens: Option<(u64, u64)>,
        stop: String,
    },
    Failure {
        code: String,
        message: String,
    },
}

impl RecordedOutcome {
    fn of(outcome: &Result<ModelAnswer, FailedCall>) -> Self {
        match outcome {
            Ok(answer) => RecordedOutcome::Answer {
                content: answer.content.clone(),
                tokens: answer.tokens,
                stop: answer.stop.name().to_owned(),
            },
            Err(failed) => RecordedOutcome::Failure {
                code: failed.error.code().name().to_owned(),
                message: failed.error.message().to_owned(),
            },
        }
    }

    /// A recorded failure is final: all its retries were made.
    fn into_result(self) -> Result<ModelAnswer, FailedCall> {
        match self {
            RecordedOutcome::Answer {
                content,
                tokens,
                stop,
            } => Ok(ModelAnswer {
                content,
                tokens,
                stop: StopReason::named(&stop),
                list_price: None,
            }),
            RecordedOutcome::Failure { code, message } => {
                let code = Code::named(&code).unwrap_or(Code::Provider);
                Err(FailedCall::for_good(LlmError::new(code, message)))
            }
        }
    }
}

impl StopReason {
    fn name(self) -> &'static str {
        match self {
            StopReason::Done => "done",
            StopReason::Length => "length",
            StopReason::Refused => "refused",
        }
    }

    fn named(name: &str) -> Self {
        match name {
            "length" => StopReason::Length,
            "refused" => StopReason::Refused,
            _ => StopReason::Done,
        }
    }
}

const MOST_BYTES: u64 = 1024 * 1024 * 1024;

/// Splits the path of a tape into folder and name.
fn place(path: &Utf8Path) -> Result<(&Utf8Path, &str), TapeError> {
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) if folder.as_str().is_empty() => Ok((Utf8Path::new("."), name)),
        (Some(folder), Some(name)) => Ok((folder, name)),
        _ => Err(TapeError::NoFile {
            path: path.to_owned(),
        }),
    }
}
