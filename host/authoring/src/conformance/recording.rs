//! The lines of a recording: one per call, in order, as JSON with its fields in a fixed order and
//! without spaces. No line has a time or a place of the machine it was written on.
//!
//! What comes from outside, replies of models and hits of a search, is heard by the plugin as it stands in
//! the line, when it is recorded and when it is replayed: writing a number down changes neither.

use std::collections::{HashMap, VecDeque};
use std::sync::Mutex;

use acreta_model::{Call, Cursor, Failure, PluginError, PluginFault};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::conformance::ports::lock;

/// Of the lines' shape; a reader that knows another one refuses nothing and finds a difference.
pub(crate) const FORMAT: u32 = 1;

/// Where answers from outside come from.
pub(crate) enum Source {
    Live,
    /// By call and arguments, in the order they were recorded.
    Recorded(Mutex<HashMap<(String, String), VecDeque<String>>>),
}

/// What is written down while a plugin runs.
pub(crate) struct Tape {
    source: Source,
    lines: Mutex<Vec<String>>,
    broke: Mutex<Option<PluginError>>,
}

/// A result of a host call, or the host's failure.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Reply<T> {
    Ok(T),
    Failure(Failure),
}

/// What an exported function gave.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Returned<T> {
    Ok(T),
    Failure(Failure),
    Fault(Fault),
}

#[derive(Serialize)]
struct Fault {
    kind: &'static str,
    message: String,
}

#[derive(Serialize)]
struct Line<'a, A, R> {
    call: &'a str,
    arguments: A,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<R>,
}

/// A line as it is read again.
#[derive(Deserialize)]
struct Read<'a> {
    call: String,
    #[serde(borrow)]
    arguments: &'a RawValue,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
}

/// A cursor, its state in hex.
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

impl<T> From<Result<T, Failure>> for Reply<T> {
    fn from(result: Result<T, Failure>) -> Self {
        match result {
            Ok(value) => Reply::Ok(value),
            Err(failure) => Reply::Failure(failure),
        }
    }
}

impl<T> From<Reply<T>> for Result<T, Failure> {
    fn from(reply: Reply<T>) -> Self {
        match reply {
            Reply::Ok(value) => Ok(value),
            Reply::Failure(failure) => Err(failure),
        }
    }
}

impl Source {
    /// The answers in a recording. A line that cannot be read answers nothing: it shows as a difference.
    pub(crate) fn recorded(text: &str) -> Self {
        let mut answers: HashMap<_, VecDeque<String>> = HashMap::new();
        for line in text.lines() {
            let Ok(read) = serde_json::from_str::<Read<'_>>(line) else {
                continue;
            };
            if let Some(result) = read.result {
                answers
                    .entry((read.call, read.arguments.get().to_owned()))
                    .or_default()
                    .push_back(result.get().to_owned());
            }
        }
        Source::Recorded(Mutex::new(answers))
    }
}

impl Tape {
    pub(crate) fn new(source: Source) -> Self {
        Self {
            source,
            lines: Mutex::default(),
            broke: Mutex::default(),
        }
    }

    /// All lines, and the first call that broke down.
    pub(crate) fn finish(&self) -> (Vec<String>, Option<PluginError>) {
        let lines = std::mem::take(&mut *lock(&self.lines));
        (lines, lock(&self.broke).take())
    }

    /// A call that has no result worth a word.
    pub(crate) fn told(&self, call: &str, arguments: impl Serialize) {
        self.push(call, arguments, None::<()>);
    }

    /// A host call that is answered from the case itself.
    pub(crate) fn answered(&self, call: &str, arguments: impl Serialize, result: impl Serialize) {
        self.push(call, arguments, Some(result));
    }

    /// A host call that is answered from outside; `None` where a replay has no answer to it.
    pub(crate) fn asked<T: Serialize + DeserializeOwned>(
        &self,
        call: &str,
        arguments: impl Serialize,
        live: impl FnOnce() -> T,
    ) -> Option<T> {
        let arguments = written(&arguments);
        let answer = match &self.source {
            Source::Live => Some(written(&live())),
            Source::Recorded(answers) => lock(answers)
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

    /// What an exported function gave. A guest's own failure is a result; the rest is a breakdown.
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
                        let fault = Fault {
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
        let line = Line {
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
        PluginFault::Start { .. } => "start",
    }
}
