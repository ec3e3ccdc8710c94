//! Sends spans to an OTLP receiver: over HTTP and protobuf, in batches, on a separate thread. If the receiver is
//! unreachable, hangs or refuses, its spans are dropped and one warning is logged.

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

use crate::clean::Cleaner;
use crate::fields::{FieldValue, Fields};
use crate::unclean::InheritedIds;
use crate::voice::{Once, Voice};
use crate::{Otlp, StartError};

/// Position of a span in its trace.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SpanPosition {
    trace: TraceId,
    span: SpanId,
    parent: SpanId,
    /// The parent is a span of another process.
    is_remote: bool,
}

/// Parses trace and span from a W3C `traceparent`; returns `None` if it is malformed.
fn remote(traceparent: &str) -> Option<(TraceId, SpanId)> {
    let mut parts = traceparent.split('-').skip(1);
    let trace = TraceId::from_hex(parts.next()?).ok()?;
    let span = SpanId::from_hex(parts.next()?).ok()?;
    (trace != TraceId::INVALID && span != SpanId::INVALID).then_some((trace, span))
}

/// A span that has ended.
pub(crate) struct Finished<'a> {
    pub(crate) name: &'static str,
    pub(crate) place: SpanPosition,
    pub(crate) started: SystemTime,
    pub(crate) ended: SystemTime,
    pub(crate) ids: &'a InheritedIds,
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
    /// Validates the options; sends nothing yet.
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
            .with_http_client(OtlpClient {
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
        // All values are set explicitly, because missing ones would be read from the environment; the remaining ones
        // have no effect here.
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

    /// Returns the position of a new span below another one, or below the caller's `traceparent`.
    pub(crate) fn place(
        &self,
        above: Option<SpanPosition>,
        traceparent: Option<&str>,
    ) -> SpanPosition {
        let span = self.chance.new_span_id();
        if let Some((trace, parent)) = traceparent.and_then(remote) {
            return SpanPosition {
                trace,
                span,
                parent,
                is_remote: true,
            };
        }
        SpanPosition {
            trace: above.map_or_else(|| self.chance.new_trace_id(), |above| above.trace),
            span,
            parent: above.map_or(SpanId::INVALID, |above| above.span),
            is_remote: false,
        }
    }

    /// Never blocks: a span that does not fit is dropped.
    pub(crate) fn send(&self, span: Finished<'_>) {
        let SpanPosition {
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

    /// Sends the remaining spans within the given time.
    pub(crate) fn end(&self, within: Duration) {
        // The failure was logged already if nobody receives.
        let _sent = self.processor.shutdown_with_timeout(within);
    }
}

/// Field with the cause of a failure. Its author is unknown, so it may contain any text.
const ERROR: &str = "error";

/// Maximum bytes of one text that is sent.
const SENT: usize = 32 * 1024;

/// Timeout of one delivery.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum bytes read of a response.
const ANSWER: u64 = 64 * 1024;

fn attribute(name: &'static str, value: &FieldValue) -> KeyValue {
    match value {
        FieldValue::Text(text) => KeyValue::new(name, text.clone()),
        FieldValue::Signed(number) => KeyValue::new(name, *number),
        FieldValue::Unsigned(number) => {
            KeyValue::new(name, i64::try_from(*number).unwrap_or(i64::MAX))
        }
        FieldValue::Float(number) => KeyValue::new(name, *number),
        FieldValue::Bool(is) => KeyValue::new(name, *is),
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

/// Follows no redirects, which would carry headers elsewhere, and uses no proxy from the environment. The agent for
/// models does the same.
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

/// Redacts everything that is sent, on the sending thread.
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

/// The HTTP client. It takes only the body from a request: address and headers are those given at the start, whatever
/// environment variables the exporter read.
struct OtlpClient {
    agent: Agent,
    endpoint: String,
    /// The endpoint without secrets, for messages.
    shown: String,
    headers: HeaderMap,
    voice: Arc<Voice>,
    unsent: Once,
}

impl OtlpClient {
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
            tracing::warn!(%endpoint, %why, "spans could not be sent to the OTLP receiver");
        });
    }
}

#[async_trait]
impl HttpClient for OtlpClient {
    /// Blocks; it is called on the exporter's own thread.
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

impl std::fmt::Debug for OtlpClient {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Client").field(&self.shown).finish()
    }
}
