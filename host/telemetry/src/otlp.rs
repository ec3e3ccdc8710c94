//! Spans on their way to an OTLP receiver: over HTTP and protobuf, in batches, by a thread of their own. A
//! receiver that is not there, hangs or refuses costs its spans and one warning.

use std::io::Read;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use opentelemetry::trace::{
    SpanContext, SpanId, SpanKind, Status, TraceFlags, TraceId, TraceState,
};
use opentelemetry::{InstrumentationScope, KeyValue};
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{
    Protocol, RetryPolicy, SpanExporter as Exporter, WithExportConfig, WithHttpConfig,
};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{
    BatchConfigBuilder, BatchSpanProcessor, IdGenerator, RandomIdGenerator, SpanData, SpanEvents,
    SpanExporter, SpanLinks, SpanProcessor,
};
use ureq::Agent;
use ureq::http::{HeaderMap, HeaderName, HeaderValue, Uri};

use crate::clean::{Cleaner, SENT};
use crate::fields::{Fields, Value};
use crate::said::Ids;
use crate::voice::{Once, Voice};
use crate::{Otlp, StartError};

/// Where a span stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    trace: TraceId,
    span: SpanId,
    parent: SpanId,
    /// The parent is a span of another program.
    is_remote: bool,
}

/// Trace and span of a `traceparent` as W3C writes it; none that is not well-formed.
fn remote(traceparent: &str) -> Option<(TraceId, SpanId)> {
    let mut parts = traceparent.split('-').skip(1);
    let trace = TraceId::from_hex(parts.next()?).ok()?;
    let span = SpanId::from_hex(parts.next()?).ok()?;
    (trace != TraceId::INVALID && span != SpanId::INVALID).then_some((trace, span))
}

/// A span that has ended.
pub(crate) struct Finished<'a> {
    pub(crate) name: &'static str,
    pub(crate) place: Place,
    pub(crate) started: SystemTime,
    pub(crate) ended: SystemTime,
    pub(crate) ids: &'a Ids,
    pub(crate) fields: &'a Fields,
    pub(crate) texts: &'a Fields,
}

#[derive(Debug)]
pub(crate) struct Sender {
    processor: BatchSpanProcessor,
    chance: RandomIdGenerator,
    include_http: bool,
}

impl Sender {
    /// Checks what it is given; nothing is sent yet.
    pub(crate) fn new(
        options: &Otlp,
        cleaner: Cleaner,
        voice: Arc<Voice>,
    ) -> Result<Self, StartError> {
        let endpoint = endpoint(&options.endpoint, &cleaner)?;
        let exporter = Exporter::builder()
            .with_http()
            .with_endpoint(&endpoint)
            .with_protocol(Protocol::HttpBinary)
            .with_timeout(TIMEOUT)
            .with_retry_policy(RetryPolicy::disabled())
            .with_http_client(Client {
                agent: agent(),
                shown: cleaner.text("endpoint", &endpoint, SENT),
                endpoint,
                headers: headers(&options.headers)?,
                voice,
                unsent: Once::default(),
            })
            .build()
            .map_err(|cause| StartError::Otlp {
                cause: cause.into(),
            })?;
        // What is not said here would be taken from the environment; what is left has no effect here.
        let batches = BatchConfigBuilder::default()
            .with_max_queue_size(2_048)
            .with_max_export_batch_size(512)
            .with_scheduled_delay(Duration::from_secs(2))
            .build();
        let mut processor = BatchSpanProcessor::new(Cleaned { exporter, cleaner }, batches);
        let service = [
            KeyValue::new("service.name", "acreta"),
            KeyValue::new("service.version", env!("CARGO_PKG_VERSION")),
        ];
        processor.set_resource(&Resource::builder_empty().with_attributes(service).build());
        Ok(Self {
            processor,
            chance: RandomIdGenerator::default(),
            include_http: options.include_http,
        })
    }

    /// The place of a new span under another, or under the span of a caller's `traceparent`.
    pub(crate) fn place(&self, above: Option<Place>, traceparent: Option<&str>) -> Place {
        let span = self.chance.new_span_id();
        if let Some((trace, parent)) = traceparent.and_then(remote) {
            return Place {
                trace,
                span,
                parent,
                is_remote: true,
            };
        }
        Place {
            trace: above.map_or_else(|| self.chance.new_trace_id(), |above| above.trace),
            span,
            parent: above.map_or(SpanId::INVALID, |above| above.span),
            is_remote: false,
        }
    }

    /// Never waits: what does not fit is dropped.
    pub(crate) fn send(&self, span: Finished<'_>) {
        let Place {
            trace,
            span: id,
            parent,
            is_remote,
        } = span.place;
        let is_sent = |name: &str| self.include_http || name != ERROR;
        let inherited = [
            ("run_id", &span.ids.run_id),
            ("request_id", &span.ids.request_id),
            ("job_id", &span.ids.job_id),
        ];
        let inherited = inherited
            .into_iter()
            .filter(|(name, _)| !span.fields.has(name))
            .filter_map(|(name, id)| Some(KeyValue::new(name, id.clone()?)));
        let attributes = span
            .fields
            .iter()
            .filter(|(name, _)| is_sent(name))
            .chain(span.texts.iter().filter(|_| self.include_http))
            .map(|(name, value)| attribute(name, value))
            .chain(inherited)
            .collect();
        self.processor.on_end(SpanData {
            span_context: SpanContext::new(trace, id, TraceFlags::SAMPLED, false, TraceState::NONE),
            parent_span_id: parent,
            parent_span_is_remote: is_remote,
            span_kind: match span.name {
                "llm" => SpanKind::Client,
                "request" => SpanKind::Server,
                _ => SpanKind::Internal,
            },
            name: span.name.into(),
            start_time: span.started,
            end_time: span.ended,
            attributes,
            dropped_attributes_count: 0,
            events: SpanEvents::default(),
            links: SpanLinks::default(),
            status: if span.fields.tell_failure() {
                Status::error("")
            } else {
                Status::Unset
            },
            instrumentation_scope: InstrumentationScope::builder("acreta").build(),
        });
    }

    /// Sends what is left, as far as that is possible in so much time.
    pub(crate) fn end(&self, within: Duration) {
        // It was said already if nobody is there to take it.
        let _sent = self.processor.shutdown_with_timeout(within);
    }
}

/// The field that says why something failed: whose words that are is not known.
const ERROR: &str = "error";

/// How long one delivery may take.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The most of an answer that is looked at.
const ANSWER: u64 = 64 * 1024;

fn attribute(name: &'static str, value: &Value) -> KeyValue {
    match value {
        Value::Text(text) => KeyValue::new(name, text.clone()),
        Value::Signed(number) => KeyValue::new(name, *number),
        Value::Unsigned(number) => KeyValue::new(name, i64::try_from(*number).unwrap_or(i64::MAX)),
        Value::Float(number) => KeyValue::new(name, *number),
        Value::Bool(is) => KeyValue::new(name, *is),
    }
}

fn endpoint(given: &str, cleaner: &Cleaner) -> Result<String, StartError> {
    let base = given.trim().trim_end_matches('/');
    let endpoint = match base.strip_suffix("/v1/traces") {
        Some(_) => base.to_owned(),
        None => format!("{base}/v1/traces"),
    };
    let is_url = endpoint.parse::<Uri>().is_ok_and(|uri| {
        matches!(uri.scheme_str(), Some("http" | "https"))
            && uri.host().is_some_and(|host| !host.is_empty())
    });
    if is_url {
        return Ok(endpoint);
    }
    Err(StartError::Endpoint {
        endpoint: cleaner.text("endpoint", given, 200),
    })
}

fn headers(given: &[(String, String)]) -> Result<HeaderMap, StartError> {
    let mut headers = HeaderMap::new();
    for (name, value) in given {
        let (Ok(key), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value))
        else {
            return Err(StartError::Header { name: name.clone() });
        };
        headers.insert(key, value);
    }
    Ok(headers)
}

/// As for models: no redirects, which would carry headers elsewhere, and no proxy from the environment.
fn agent() -> Agent {
    Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .proxy(None)
        .timeout_connect(Some(Duration::from_secs(2)))
        .timeout_global(Some(TIMEOUT))
        .user_agent(concat!("acreta/", env!("CARGO_PKG_VERSION")))
        .build()
        .new_agent()
}

/// Takes secrets out of whatever is sent, on the thread that sends.
#[derive(Debug)]
struct Cleaned {
    exporter: Exporter,
    cleaner: Cleaner,
}

impl SpanExporter for Cleaned {
    async fn export(&self, mut batch: Vec<SpanData>) -> OTelSdkResult {
        for attribute in batch.iter_mut().flat_map(|span| &mut span.attributes) {
            if let opentelemetry::Value::String(text) = &attribute.value {
                let name = attribute.key.as_str();
                attribute.value = self.cleaner.text(name, text.as_str(), SENT).into();
            }
        }
        self.exporter.export(batch).await
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}

/// The way out. Takes nothing but the body from a request: address and headers are those that were given
/// at the start, whatever variables the exporter looked at.
struct Client {
    agent: Agent,
    endpoint: String,
    /// The endpoint as it may be shown.
    shown: String,
    headers: HeaderMap,
    voice: Arc<Voice>,
    unsent: Once,
}

impl Client {
    fn post(&self, body: &[u8]) -> Result<Response<Bytes>, ureq::Error> {
        let mut request = self.agent.post(&self.endpoint);
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let request = request.header("content-type", "application/x-protobuf");
        let mut response = request.send(body)?;
        let mut answer = Vec::new();
        let reader = response.body_mut().as_reader();
        reader.take(ANSWER).read_to_end(&mut answer)?;
        let mut taken = Response::new(Bytes::from(answer));
        *taken.status_mut() = response.status();
        Ok(taken)
    }

    fn unsent(&self, why: &dyn std::fmt::Display) {
        let endpoint = &self.shown;
        self.voice.say(&self.unsent, || {
            tracing::warn!(%endpoint, %why, "traces do not reach their receiver");
        });
    }
}

#[async_trait]
impl HttpClient for Client {
    /// Blocks: it is called on the exporter's own thread.
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        match self.post(request.body()) {
            Ok(response) => {
                if !response.status().is_success() {
                    self.unsent(&response.status());
                }
                Ok(response)
            }
            Err(error) => {
                self.unsent(&error);
                Err(error.into())
            }
        }
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Client").field(&self.shown).finish()
    }
}
