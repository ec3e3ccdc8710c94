//! The lines of a recording: one per call, in order, as JSON with its fields in a fixed order and without spaces. No
//! line contains a time or a path of the machine that wrote it.
//!
//! The plugin receives outside answers (replies of models, hits of a search) exactly as the line has them, both when
//! recording and when replaying, so that serialising a number cannot change the result.

use std::collections::{HashMap, VecDeque};
use std::sync::Mutex;

use acreta_types::{Call, Cursor, Failure, PluginError, PluginFault};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::conformance::ports::lock;

/// Version of the format of lines; a reader of another version reports a difference, not an error.
pub(crate) const FORMAT: u32 = 1;

/// Source of outside answers.
pub(crate) enum ReplaySource {
    Live,
    /// By call and arguments, in the order in which they were recorded.
    Recorded(Mutex<HashMap<(String, String), VecDeque<String>>>),
}

/// The lines recorded while a plugin runs.
pub(crate) struct Tape {
    source: ReplaySource,
    lines: Mutex<Vec<String>>,
    broke: Mutex<Option<PluginError>>,
}

/// A result of a host call, or the host's failure.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum HostReply<T> {
    Ok(T),
    Failure(Failure),
}

/// The result of an exported function.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Returned<T> {
    Ok(T),
    Failure(Failure),
    Fault(RecordedFault),
}

#[derive(Serialize)]
struct RecordedFault {
    kind: &'static str,
    message: String,
}

#[derive(Serialize)]
struct RecordedLine<'a, A, R> {
    call: &'a str,
    arguments: A,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<R>,
}

/// A parsed line.
#[derive(Deserialize)]
struct ParsedLine<'a> {
    call: String,
    #[serde(borrow)]
    arguments: &'a RawValue,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
}

/// A cursor, with its state in hex.
#[derive(Serialize)]
pub(crate) struct CursorLine {
    offset: u64,
    state: String,
}

impl From<&Cursor> for CursorLine {
    fn from(cursor: &Cursor) -> Self {
        Self {
            offset: cursor.offset,
            state: acreta_text::hex(&cursor.state),
        }
    }
}

impl<T> From<Result<T, Failure>> for HostReply<T> {
    fn from(result: Result<T, Failure>) -> Self {
        match result {
            Ok(value) => HostReply::Ok(value),
            Err(failure) => HostReply::Failure(failure),
        }
    }
}

impl<T> From<HostReply<T>> for Result<T, Failure> {
    fn from(reply: HostReply<T>) -> Self {
        match reply {
            HostReply::Ok(value) => Ok(value),
            HostReply::Failure(failure) => Err(failure),
        }
    }
}

impl ReplaySource {
    /// Reads the answers in a recording. A line that cannot be parsed provides no answer, and shows as a difference.
    pub(crate) fn recorded(text: &str) -> Self {
        let mut answers: HashMap<_, VecDeque<String>> = HashMap::new();
        for line in text.lines() {
            let Ok(read) = serde_json::from_str::<ParsedLine<'_>>(line) else {
                continue;
            };
            if let Some(result) = read.result {
                answers
                    .entry((read.call, read.arguments.get().to_owned()))
                    .or_default()
                    .push_back(result.get().to_owned());
            }
        }
        ReplaySource::Recorded(Mutex::new(answers))
    }
}

impl Tape {
    pub(crate) fn new(source: ReplaySource) -> Self {
        Self {
            source,
            lines: Mutex::default(),
            broke: Mutex::default(),
        }
    }

    /// Returns all lines, and the first call that broke down.
    pub(crate) fn finish(&self) -> (Vec<String>, Option<PluginError>) {
        let lines = std::mem::take(&mut *lock(&self.lines));
        (lines, lock(&self.broke).take())
    }

    /// Records a call without a result.
    pub(crate) fn told(&self, call: &str, arguments: impl Serialize) {
        self.push(call, arguments, None::<()>);
    }

    /// Records a host call that is answered from the case itself.
    pub(crate) fn answered(&self, call: &str, arguments: impl Serialize, result: impl Serialize) {
        self.push(call, arguments, Some(result));
    }

    /// Records a host call that is answered from outside; `None` if a replay has no answer to it.
    pub(crate) fn asked<T: Serialize + DeserializeOwned>(
        &self,
        call: &str,
        arguments: impl Serialize,
        live: impl FnOnce() -> T,
    ) -> Option<T> {
        let arguments = written(&arguments);
        let answer = match &self.source {
            ReplaySource::Live => Some(written(&live())),
            ReplaySource::Recorded(answers) => lock(answers)
                .get_mut(&(call.to_owned(), arguments.get().to_owned()))
                .and_then(VecDeque::pop_front)
                .and_then(|text| RawValue::from_string(text).ok()),
        };
        let heard = answer
            .as_ref()
            .and_then(|answer| serde_json::from_str(answer.get()).ok());
        self.push(call, arguments, answer);
        heard
    }

    /// Records the result of an exported function. A guest's own failure is a result; other errors are breakdowns.
    pub(crate) fn returned<T, R: Serialize>(
        &self,
        call: &str,
        arguments: impl Serialize,
        returned: Call<T>,
        shape: impl FnOnce(&T) -> R,
    ) -> Option<T> {
        match returned.result {
            Ok(value) => {
                self.push(call, arguments, Some(Returned::Ok(shape(&value))));
                Some(value)
            }
            Err(error) => {
                let result: Returned<()> = match &error.fault {
                    PluginFault::Failed(failure) => Returned::Failure(failure.clone()),
                    fault => {
                        let fault = RecordedFault {
                            kind: kind_of(fault),
                            message: fault.to_string(),
                        };
                        lock(&self.broke).get_or_insert_with(|| error.clone());
                        Returned::Fault(fault)
                    }
                };
                self.push(call, arguments, Some(result));
                None
            }
        }
    }

    fn push<R: Serialize>(&self, call: &str, arguments: impl Serialize, result: Option<R>) {
        let line = RecordedLine {
            call,
            arguments,
            result,
        };
        lock(&self.lines).push(written(&line).get().to_owned());
    }
}

fn written(value: &impl Serialize) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).expect("plain data can be written as JSON")
}

fn kind_of(fault: &PluginFault) -> &'static str {
    match fault {
        PluginFault::Failed(_) => "failed",
        PluginFault::Limit { .. } => "limit",
        PluginFault::Trap { .. } => "trap",
        PluginFault::Junk { .. } => "junk",
        PluginFault::Stopped => "stopped",
        PluginFault::Start { .. } => "start",
    }
}
