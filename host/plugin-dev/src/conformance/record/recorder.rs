//! Ports that record their requests and answers.

use std::sync::{Arc, Mutex};

use acreta_types::{
    Attrs, Event, EventSink, Failure, MemorySearch, ModelBudget, ModelReply, ModelRequest,
    ModelUsage, Models, PluginLog, SearchHit, SharedModels, SharedSearch, SharedSink, SharedTrace,
    TraceReader,
};
use serde_json::json;

use crate::conformance::ports::Pages;
use crate::conformance::recording::{HostReply, Tape};

pub(super) struct RecordedLog(pub(super) Arc<Tape>);

impl PluginLog for RecordedLog {
    fn write(&self, _plugin: &str, level: &str, message: &str) {
        self.0
            .told("log.write", json!({"level": level, "message": message}));
    }
}

pub(super) struct RecordedModels {
    tape: Arc<Tape>,
    inner: SharedModels,
}

impl RecordedModels {
    pub(super) fn new(tape: Arc<Tape>, inner: SharedModels) -> Self {
        Self { tape, inner }
    }
}

impl Models for RecordedModels {
    fn left(&self) -> ModelBudget {
        let left = self.tape.asked("llm.left", json!({}), || self.inner.left());
        left.unwrap_or(ModelBudget {
            calls: 0,
            tokens: 0,
        })
    }

    fn complete_all(&self, requests: &[ModelRequest]) -> Vec<Result<ModelReply, Failure>> {
        let replies: Option<Vec<HostReply<ModelReply>>> =
            self.tape
                .asked("llm.complete-all", json!({"requests": requests}), || {
                    let replies = self.inner.complete_all(requests);
                    replies.into_iter().map(HostReply::from).collect()
                });
        match replies {
            Some(replies) => replies.into_iter().map(Result::from).collect(),
            None => requests.iter().map(|_| Err(not_recorded())).collect(),
        }
    }

    fn usage(&self) -> ModelUsage {
        self.inner.usage()
    }
}

pub(super) struct RecordedSearch {
    tape: Arc<Tape>,
    inner: SharedSearch,
}

impl RecordedSearch {
    pub(super) fn shared(tape: &Arc<Tape>, inner: SharedSearch) -> SharedSearch {
        Arc::new(Self {
            tape: Arc::clone(tape),
            inner,
        })
    }
}

impl MemorySearch for RecordedSearch {
    fn find(&self, query: &str, limit: u32, filter: &Attrs) -> Result<Vec<SearchHit>, Failure> {
        let arguments = json!({"query": query, "limit": limit, "filter": filter.0});
        let hits: Option<HostReply<Vec<SearchHit>>> =
            self.tape.asked("search.find", arguments, || {
                self.inner.find(query, limit, filter).into()
            });
        hits.map_or_else(|| Err(not_recorded()), Result::from)
    }
}

/// A trace of the case. Only ids of events are recorded, since the events are in the case's folder.
pub(super) struct RecordedTrace {
    tape: Arc<Tape>,
    pages: Pages,
}

impl RecordedTrace {
    pub(super) fn shared(tape: &Arc<Tape>, events: &Arc<Vec<Event>>) -> SharedTrace {
        Arc::new(Mutex::new(Self {
            tape: Arc::clone(tape),
            pages: Pages::new(events),
        }))
    }
}

impl TraceReader for RecordedTrace {
    fn count(&self) -> u64 {
        let count = self.pages.count();
        self.tape.answered("trace.count", json!({}), count);
        count
    }

    fn next(&mut self, max_bytes: u32) -> Result<Vec<Event>, Failure> {
        let events = self.pages.next(max_bytes)?;
        let arguments = json!({"max_bytes": max_bytes});
        self.tape.answered("trace.next", arguments, ids(&events));
        Ok(events)
    }

    fn read(&mut self, event_id: &str) -> Result<Option<Event>, Failure> {
        let event = self.pages.read(event_id)?;
        let arguments = json!({"event_id": event_id});
        self.tape
            .answered("trace.read", arguments, ids(event.as_slice()));
        Ok(event)
    }

    fn find(&mut self, text: &str, limit: u32) -> Result<Vec<Event>, Failure> {
        let events = self.pages.find(text, limit)?;
        let arguments = json!({"text": text, "limit": limit});
        self.tape.answered("trace.find", arguments, ids(&events));
        Ok(events)
    }

    fn rewind(&mut self) {
        self.tape.told("trace.rewind", json!({}));
        self.pages.rewind();
    }
}

pub(super) struct RecordedSink {
    tape: Arc<Tape>,
}

impl RecordedSink {
    pub(super) fn shared(tape: &Arc<Tape>) -> SharedSink {
        Arc::new(Mutex::new(Self {
            tape: Arc::clone(tape),
        }))
    }
}

impl EventSink for RecordedSink {
    fn emit(&mut self, batch: Vec<Event>) -> Result<(), Failure> {
        #[derive(serde::Serialize)]
        struct Arguments<'a> {
            batch: &'a [Event],
        }
        self.tape
            .answered("sink.emit", Arguments { batch: &batch }, HostReply::Ok(()));
        Ok(())
    }

    fn diagnose(&mut self, record: &str, start: u64, end: u64, message: &str) {
        let arguments = json!({"record": record, "start": start, "end": end, "message": message});
        self.tape.told("sink.diagnose", arguments);
    }
}

fn ids(events: &[Event]) -> Vec<&str> {
    events.iter().map(|event| event.id.as_str()).collect()
}

fn not_recorded() -> Failure {
    Failure {
        code: "not-recorded".to_owned(),
        message: "the recording has no answer to this".to_owned(),
        retryable: false,
    }
}
