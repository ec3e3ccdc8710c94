//! Output on stderr for a person.

use tracing::Subscriber;
use tracing_subscriber::filter::{FilterExt, LevelFilter, filter_fn};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::{EnvFilter, Layer};

use crate::TEXTS;

/// Prints lines without a time. Invalid filter directives are ignored.
pub(crate) fn layer<S, W>(filter: &str, writer: W) -> impl Layer<S>
where
    S: Subscriber + for<'lookup> LookupSpan<'lookup>,
    W: for<'writer> MakeWriter<'writer> + Send + Sync + 'static,
{
    let chosen = EnvFilter::builder()
        .with_default_directive(LevelFilter::WARN.into())
        .parse_lossy(filter);
    tracing_subscriber::fmt::layer()
        .with_writer(writer)
        .without_time()
        .with_filter(chosen.and(filter_fn(|metadata| metadata.target() != TEXTS)))
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
            ("", "WARN"),
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
}
