//! The host side of `acreta:host`: the functions a guest may call. Each port limits its input and output. Its time counts
//! as the guest's, except that of models, and so does every byte that it keeps for the guest: texts, ids, attributes, and
//! the space that an empty one takes.

use std::time::Instant;

use acreta_types::{
    Attrs, Event, Failure, MEMORY_TYPES, ModelMessage, ModelReply, ModelRequest, Origin,
    SharedTrace,
};
use wasmtime::component::Resource;

use crate::bindings::shared::acreta::host::{config, llm, log, registry, search, sink, trace};
use crate::bindings::shared::acreta::types::types as wit;
use crate::fault::failure_to_wit;
use crate::handles::TraceHandle;
use crate::state::HostState;

/// Maximum text of one page of events; leaves room in the value limit for ids and attributes.
const PAGE_BYTES: u32 = 4 * 1024 * 1024;
/// Maximum number of events that one `find` returns.
const FIND_LIMIT: u32 = 1_000;
const SEARCH_LIMIT: u32 = 100;
/// Maximum length of a log line.
const LOG_LINE_BYTES: usize = 8 * 1024;
const LOG_LEVEL_BYTES: usize = 16;
/// What a line of the log or a diagnostic costs besides its text.
const LINE_BYTES: usize = 64;

impl wit::Host for HostState {}

impl log::Host for HostState {
    fn write(&mut self, level: String, message: String) -> wasmtime::Result<()> {
        let bytes = (message.len() + level.len() + LINE_BYTES) as u64;
        if self.log_used + bytes > self.limits.log_bytes {
            self.log_dropped += bytes;
            return Ok(());
        }
        self.log_used += bytes;
        let message = &message[..message.floor_char_boundary(LOG_LINE_BYTES)];
        let level = &level[..level.floor_char_boundary(LOG_LEVEL_BYTES)];
        self.serve(|state| state.job.log.write(&state.plugin.id, level, message))?;
        Ok(())
    }
}

impl config::Host for HostState {
    fn get(&mut self, key: String) -> wasmtime::Result<Option<String>> {
        Ok(self.settings.get(&key).cloned())
    }
}

impl registry::Host for HostState {
    fn memory_types(&mut self) -> wasmtime::Result<Vec<registry::MemoryType>> {
        Ok(MEMORY_TYPES
            .iter()
            .map(|entry| registry::MemoryType {
                name: entry.name.to_owned(),
                kinds: entry.kinds.iter().map(|&kind| kind.to_owned()).collect(),
                folder: entry.folder.to_owned(),
                definition: entry.definition.to_owned(),
                example: entry.example.to_owned(),
            })
            .collect())
    }
}

impl sink::Host for HostState {
    fn emit(&mut self, batch: Vec<wit::Event>) -> wasmtime::Result<Result<(), wit::Failure>> {
        self.count_emitted(batch.iter().map(event_bytes).sum())?;
        let Some(sink) = self.ports.sink.clone() else {
            return Ok(Err(unavailable("sink")));
        };
        Ok(self.serve(|_| {
            let batch = batch.into_iter().map(event_to_model).collect();
            lock(&sink).emit(batch).map_err(failure_to_wit)
        })?)
    }

    fn diagnose(
        &mut self,
        record: String,
        start: u64,
        end: u64,
        message: String,
    ) -> wasmtime::Result<()> {
        self.count_emitted((record.len() + message.len() + LINE_BYTES) as u64)?;
        if let Some(sink) = self.ports.sink.clone() {
            self.serve(|_| lock(&sink).diagnose(&record, start, end, &message))?;
        }
        Ok(())
    }
}

impl trace::Host for HostState {}

impl trace::HostReader for HostState {
    fn count(&mut self, reader: Resource<TraceHandle>) -> wasmtime::Result<u64> {
        let trace = self.trace(&reader)?;
        Ok(lock(&trace).count())
    }

    fn next(
        &mut self,
        reader: Resource<TraceHandle>,
        max_bytes: u32,
    ) -> wasmtime::Result<Result<Vec<wit::Event>, wit::Failure>> {
        let trace = self.trace(&reader)?;
        Ok(self.serve(|_| events_to_wit(lock(&trace).next(max_bytes.min(PAGE_BYTES))))?)
    }

    fn read(
        &mut self,
        reader: Resource<TraceHandle>,
        event_id: String,
    ) -> wasmtime::Result<Result<Option<wit::Event>, wit::Failure>> {
        let trace = self.trace(&reader)?;
        Ok(self.serve(|_| {
            lock(&trace)
                .read(&event_id)
                .map(|event| event.map(event_to_wit))
                .map_err(failure_to_wit)
        })?)
    }

    fn find(
        &mut self,
        reader: Resource<TraceHandle>,
        text: String,
        limit: u32,
    ) -> wasmtime::Result<Result<Vec<wit::Event>, wit::Failure>> {
        let trace = self.trace(&reader)?;
        Ok(self.serve(|_| events_to_wit(lock(&trace).find(&text, limit.min(FIND_LIMIT))))?)
    }

    fn rewind(&mut self, reader: Resource<TraceHandle>) -> wasmtime::Result<()> {
        let trace = self.trace(&reader)?;
        lock(&trace).rewind();
        Ok(())
    }

    fn drop(&mut self, reader: Resource<TraceHandle>) -> wasmtime::Result<()> {
        self.table.delete(reader)?;
        Ok(())
    }
}

impl HostState {
    fn trace(&self, reader: &Resource<TraceHandle>) -> wasmtime::Result<SharedTrace> {
        Ok(self.table.get(reader)?.0.clone())
    }
}

/// A plugin without a grant has no model.
impl llm::Host for HostState {
    fn left(&mut self) -> wasmtime::Result<llm::Budget> {
        let left = self.job.models.as_ref().map(|models| models.left());
        Ok(llm::Budget {
            calls_left: left.map_or(0, |left| left.calls),
            tokens_left: left.map_or(0, |left| left.tokens),
        })
    }

    fn complete(
        &mut self,
        request: llm::Request,
    ) -> wasmtime::Result<Result<llm::Reply, wit::Failure>> {
        let mut replies = self.complete_all(vec![request])?;
        Ok(replies.pop().unwrap_or_else(|| Err(unavailable("llm"))))
    }

    fn complete_all(
        &mut self,
        requests: Vec<llm::Request>,
    ) -> wasmtime::Result<Vec<Result<llm::Reply, wit::Failure>>> {
        let Some(models) = self.job.models.clone() else {
            return Ok(requests.iter().map(|_| Err(not_granted())).collect());
        };
        let requests: Vec<ModelRequest> = requests.into_iter().map(request_to_model).collect();
        let asked = Instant::now();
        let replies = models.complete_all(&requests);
        self.meter.waited_for_model(asked);
        Ok(replies
            .into_iter()
            .map(|reply| reply.map(reply_to_wit).map_err(failure_to_wit))
            .collect())
    }
}

impl search::Host for HostState {
    fn find(
        &mut self,
        query: String,
        limit: u32,
        filter: wit::Attrs,
    ) -> wasmtime::Result<Result<Vec<search::Hit>, wit::Failure>> {
        let Some(search) = self.ports.search.clone() else {
            return Ok(Err(unavailable("search")));
        };
        Ok(self.serve(|_| {
            let hits = search.find(&query, limit.min(SEARCH_LIMIT), &Attrs(filter));
            hits.map_err(failure_to_wit).map(|hits| {
                hits.into_iter()
                    .map(|hit| search::Hit {
                        id: hit.id,
                        path: hit.path,
                        score: hit.score,
                        snippet: hit.snippet,
                        attrs: Vec::new(),
                    })
                    .collect()
            })
        })?)
    }
}

fn not_granted() -> wit::Failure {
    wit::Failure {
        code: "not-granted".to_owned(),
        message: "this plugin has no grant for a language model".to_owned(),
        retryable: false,
    }
}

fn unavailable(port: &str) -> wit::Failure {
    wit::Failure {
        code: "unavailable".to_owned(),
        message: format!("`{port}` is not available in this call"),
        retryable: false,
    }
}

/// Locks a port, ignoring the poison of an earlier panic.
fn lock<T: ?Sized>(port: &std::sync::Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    port.lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn events_to_wit(events: Result<Vec<Event>, Failure>) -> Result<Vec<wit::Event>, wit::Failure> {
    events
        .map(|events| events.into_iter().map(event_to_wit).collect())
        .map_err(failure_to_wit)
}

fn request_to_model(request: llm::Request) -> ModelRequest {
    ModelRequest {
        purpose: request.purpose,
        messages: request
            .messages
            .into_iter()
            .map(|message| ModelMessage {
                role: message.role,
                content: message.content,
            })
            .collect(),
        json_schema: request.json_schema,
        max_output_tokens: request.max_output_tokens,
    }
}

fn reply_to_wit(reply: ModelReply) -> llm::Reply {
    llm::Reply {
        content: reply.content,
        input_tokens: reply.input_tokens,
        output_tokens: reply.output_tokens,
        cached: reply.cached,
    }
}

/// Returns what keeping an event costs.
fn event_bytes(event: &wit::Event) -> u64 {
    let attributes = event.attrs.iter();
    let attributes =
        attributes.map(|(key, value)| key.len() + value.len() + 2 * size_of::<String>());
    let texts = [
        &event.id,
        &event.origin.record,
        &event.role,
        &event.kind,
        &event.text,
    ];
    let texts: usize = texts.iter().map(|text| text.len()).sum();
    (size_of::<Event>() + texts + attributes.sum::<usize>()) as u64
}

fn event_to_model(event: wit::Event) -> Event {
    Event {
        id: event.id,
        origin: Origin {
            record: event.origin.record,
            start: event.origin.start,
            end: event.origin.end,
        },
        role: event.role,
        kind: event.kind,
        at_ms: event.at_ms,
        text: event.text,
        attrs: Attrs(event.attrs),
    }
}

fn event_to_wit(event: Event) -> wit::Event {
    wit::Event {
        id: event.id,
        origin: wit::Origin {
            record: event.origin.record,
            start: event.origin.start,
            end: event.origin.end,
        },
        role: event.role,
        kind: event.kind,
        at_ms: event.at_ms,
        text: event.text,
        attrs: event.attrs.0,
    }
}
