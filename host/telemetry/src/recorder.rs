//! The layer that turns spans and events into rows and sent spans. It only records; the threads behind the queues do
//! everything that takes time.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::{LookupSpan, SpanRef};

use crate::Clock;
use crate::clean::between;
use crate::fields::Fields;
use crate::otlp::{Finished, Sender, SpanPosition};
use crate::queue::Queue;
use crate::unclean::{InheritedIds, UncleanRow};

/// Target of events with a model's prompt and answer, as fields `request` and `response`. They belong to the
/// surrounding span, are sent only if `include_http` is set, and are never written to disk.
pub const TEXTS: &str = "acreta_llm::texts";

pub(crate) struct Recorder {
    clock: Clock,
    /// Id for everything outside of a request span.
    request_id: Option<String>,
    rows: Option<Arc<Queue<UncleanRow>>>,
    sender: Option<Arc<Sender>>,
    spans: AtomicU64,
}

/// A span that has not ended.
struct OpenSpan {
    number: u64,
    parent: Option<u64>,
    started: SystemTime,
    fields: Fields,
    /// Its position in its trace.
    place: Option<SpanPosition>,
    texts: Fields,
}

impl Recorder {
    pub(crate) fn new(
        clock: Clock,
        request_id: Option<String>,
        rows: Option<Arc<Queue<UncleanRow>>>,
        sender: Option<Arc<Sender>>,
    ) -> Self {
        Self {
            clock,
            request_id,
            rows,
            sender,
            spans: AtomicU64::new(1),
        }
    }

    /// Returns whether an event is recorded: acreta's own, from `info` upwards.
    pub(crate) fn wants(metadata: &Metadata<'_>, texts: bool) -> bool {
        if metadata.target() == TEXTS {
            return texts;
        }
        *metadata.level() <= Level::INFO && metadata.target().starts_with("acreta")
    }

    fn write_down(&self, said: impl FnOnce() -> UncleanRow) {
        if let Some(rows) = &self.rows {
            let mut said = said();
            if said.ids.request_id.is_none() {
                said.ids.request_id.clone_from(&self.request_id);
            }
            rows.push(said);
        }
    }
}

impl<S> Layer<S> for Recorder
where
    S: Subscriber + for<'lookup> LookupSpan<'lookup>,
{
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else {
            return;
        };
        let parent = span.parent();
        let (parent, above) = parent
            .as_ref()
            .and_then(|parent| {
                let extensions = parent.extensions();
                let open = extensions.get::<OpenSpan>()?;
                Some((Some(open.number), open.place))
            })
            .unwrap_or_default();
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        let open = OpenSpan {
            number: self.spans.fetch_add(1, Ordering::Relaxed),
            parent,
            started: (self.clock)(),
            fields: fields.clone(),
            place: self
                .sender
                .as_ref()
                .map(|sender| sender.place(above, fields.text("traceparent"))),
            texts: Fields::default(),
        };
        let (at, number) = (open.started, open.number);
        span.extensions_mut().insert(open);
        self.write_down(|| UncleanRow {
            at,
            level: level_name(attributes.metadata().level()),
            kind: "begin",
            name: attributes.metadata().name(),
            ids: InheritedIds::around(&span),
            span: Some(number),
            parent,
            duration: None,
            fields,
        });
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        if let Some(span) = context.span(id)
            && let Some(open) = span.extensions_mut().get_mut::<OpenSpan>()
        {
            values.record(&mut open.fields);
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let span = context.event_span(event);
        if event.metadata().target() == TEXTS {
            if let Some(span) = span
                && let Some(open) = span.extensions_mut().get_mut::<OpenSpan>()
            {
                event.record(&mut open.texts);
            }
            return;
        }
        self.write_down(|| {
            let mut fields = Fields::default();
            event.record(&mut fields);
            let ids = span.as_ref().map(InheritedIds::around).unwrap_or_default();
            let inside = span.and_then(|span| Some(span.extensions().get::<OpenSpan>()?.number));
            UncleanRow {
                at: (self.clock)(),
                level: level_name(event.metadata().level()),
                kind: "event",
                name: event_name(event.metadata()),
                ids: InheritedIds::of(&fields).or(ids),
                span: None,
                parent: inside,
                duration: None,
                fields,
            }
        });
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let Some(span) = context.span(&id) else {
            return;
        };
        let ids = InheritedIds::around(&span);
        let Some(open) = span.extensions_mut().remove::<OpenSpan>() else {
            return;
        };
        let ended = (self.clock)();
        if let (Some(sender), Some(place)) = (&self.sender, open.place) {
            sender.send(Finished {
                name: span.name(),
                place,
                started: open.started,
                ended,
                ids: &ids,
                fields: &open.fields,
                texts: &open.texts,
            });
        }
        self.write_down(|| UncleanRow {
            at: ended,
            level: if open.fields.tell_failure() {
                "error"
            } else {
                level_name(span.metadata().level())
            },
            kind: "end",
            name: span.name(),
            ids,
            span: Some(open.number),
            parent: open.parent,
            duration: Some(between(open.started, ended)),
            fields: open.fields,
        });
    }
}

impl InheritedIds {
    /// The names of these fields.
    pub(crate) const NAMES: [&str; 4] = ["run_id", "request_id", "job_id", "project"];

    fn of(fields: &Fields) -> Self {
        let text = |name: &str| fields.text(name).map(str::to_owned);
        Self {
            run_id: text("run_id"),
            request_id: text("request_id"),
            job_id: text("job_id"),
            project: text("project"),
        }
    }

    /// Returns the ids of a span; missing ones are inherited from its parents.
    fn around<S>(span: &SpanRef<'_, S>) -> Self
    where
        S: for<'lookup> LookupSpan<'lookup>,
    {
        span.scope().fold(Self::default(), |ids, span| {
            let extensions = span.extensions();
            match extensions.get::<OpenSpan>() {
                Some(open) => ids.or(Self::of(&open.fields)),
                None => ids,
            }
        })
    }

    fn or(self, other: Self) -> Self {
        Self {
            run_id: self.run_id.or(other.run_id),
            request_id: self.request_id.or(other.request_id),
            job_id: self.job_id.or(other.job_id),
            project: self.project.or(other.project),
        }
    }
}

/// Returns the event's name, or `log` if it was given none.
fn event_name(metadata: &'static Metadata<'static>) -> &'static str {
    let name = metadata.name();
    if name.starts_with("event ") {
        "log"
    } else {
        name
    }
}

fn level_name(level: &Level) -> &'static str {
    match *level {
        Level::ERROR => "error",
        Level::WARN => "warn",
        Level::INFO => "info",
        Level::DEBUG => "debug",
        Level::TRACE => "trace",
    }
}
