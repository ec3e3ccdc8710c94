//! Output on stderr for a person.

use std::fmt;

use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::filter::{FilterExt, LevelFilter, filter_fn};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, MakeWriter};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::{EnvFilter, Layer};

use crate::TEXTS;

/// Prints lines without a time: warnings as every command prints its own or, with a filter, with level and origin.
/// Invalid filter directives are ignored.
pub(crate) fn layer<S, W>(filter: &str, writer: W) -> impl Layer<S>
where
    S: Subscriber + for<'lookup> LookupSpan<'lookup>,
    W: for<'writer> MakeWriter<'writer> + Send + Sync + 'static,
{
    let chosen = EnvFilter::builder()
        .with_default_directive(LevelFilter::WARN.into())
        .parse_lossy(filter);
    let lines = tracing_subscriber::fmt::layer().with_writer(writer);
    let lines = match filter {
        "" => lines.event_format(Plain).boxed(),
        _ => lines.without_time().boxed(),
    };
    lines.with_filter(chosen.and(filter_fn(|metadata| metadata.target() != TEXTS)))
}

/// Formats a warning as commands print theirs.
struct Plain;

impl<S, F> FormatEvent<S, F> for Plain
where
    S: Subscriber + for<'lookup> LookupSpan<'lookup>,
    F: for<'writer> FormatFields<'writer> + 'static,
{
    fn format_event(
        &self,
        _context: &FmtContext<'_, S, F>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut sentence = Sentence::default();
        event.record(&mut sentence);
        let text = sentence.message + &sentence.fields + &sentence.cause;
        writeln!(writer, "warning: {}", acreta_text::visible(&text))
    }
}

/// A message, ` name=value` of its fields, and `: cause`.
#[derive(Default)]
struct Sentence {
    message: String,
    fields: String,
    cause: String,
}

impl Visit for Sentence {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        match field.name() {
            "message" => self.message = format!("{value:?}"),
            "error" => self.cause = format!(": {value:?}"),
            name => self.fields.push_str(&format!(" {name}={value:?}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    use tracing_subscriber::layer::SubscriberExt;

    use super::*;

    #[derive(Clone, Default)]
    struct Page(Arc<Mutex<Vec<u8>>>);

    impl Write for Page {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_person_sees_what_was_asked_for() {
        let table = [
            ("", "warning:"),
            ("nonsense=!!,,", "WARN"),
            ("error", ""),
            ("info", "INFO WARN"),
            ("acreta_telemetry=debug,off", "DEBUG INFO WARN"),
            ("trace", "DEBUG INFO WARN"),
        ];
        for (filter, expected) in table {
            let page = Page::default();
            let writer = page.clone();
            let subscriber =
                tracing_subscriber::registry().with(layer(filter, move || writer.clone()));
            tracing::subscriber::with_default(subscriber, || {
                tracing::trace!(target: TEXTS, request = "what was asked", "text");
                tracing::debug!("said");
                tracing::info!("said");
                tracing::warn!("said");
            });
            let shown = String::from_utf8(page.0.lock().unwrap().clone()).unwrap();
            let levels: Vec<_> = shown
                .lines()
                .filter_map(|line| line.split_whitespace().next())
                .collect();
            assert_eq!(levels.join(" "), expected, "{filter}: {shown}");
            assert!(!shown.contains("what was asked"), "{filter}");
        }
    }

    #[test]
    fn a_warning_is_a_sentence() {
        let page = Page::default();
        let writer = page.clone();
        let subscriber = tracing_subscriber::registry().with(layer("", move || writer.clone()));
        tracing::subscriber::with_default(subscriber, || {
            let error = std::io::Error::other("no room\u{1b}[31m");
            tracing::warn!(%error, path = "a.db", "events could not be stored");
        });
        let shown = String::from_utf8(page.0.lock().unwrap().clone()).unwrap();
        let expected = "warning: events could not be stored path=\"a.db\": no room\\u{1b}[31m\n";
        assert_eq!(shown, expected);
    }
}
