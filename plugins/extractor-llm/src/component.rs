//! The component: binds the ports to the host. Everything else is told by the host's settings and
//! its table of memory types.

use acreta_sdk::extractor::host::{config, llm, log, registry};
use acreta_sdk::extractor::{Guest, Reader, Session};

use crate::{
    Budget, Candidate, Event, Failure, Journal, Level, Models, Ports, Reply, Request, Settings,
    Summary, Trace,
};

struct Component;

impl Guest for Component {
    fn extract(_session: Session, events: &Reader) -> Result<Vec<Candidate>, Failure> {
        let trace = Pages(events);
        crate::extract(ports(&trace), &settings(), &registry::memory_types())
    }

    fn summarise(_session: Session, events: &Reader) -> Result<Summary, Failure> {
        let trace = Pages(events);
        crate::summarise(ports(&trace), &settings())
    }
}

fn ports<'a>(trace: &'a Pages<'a>) -> Ports<'a> {
    Ports {
        trace,
        models: &Host,
        journal: &Host,
    }
}

fn settings() -> Settings {
    let (settings, ignored) = Settings::read(config::get);
    for message in ignored {
        log::write("warn", &message);
    }
    settings
}

struct Pages<'a>(&'a Reader);

impl Trace for Pages<'_> {
    fn rewind(&self) {
        self.0.rewind();
    }

    fn next(&self) -> Result<Vec<Event>, Failure> {
        self.0.next(PAGE)
    }

    fn read(&self, event_id: &str) -> Result<Option<Event>, Failure> {
        self.0.read(event_id)
    }

    fn find(&self, text: &str, limit: u32) -> Result<Vec<Event>, Failure> {
        self.0.find(text, limit)
    }
}

/// Bytes of text asked for at a time.
const PAGE: u32 = 1024 * 1024;

struct Host;

impl Models for Host {
    fn left(&self) -> Budget {
        llm::left()
    }

    fn complete_all(&self, requests: Vec<Request>) -> Vec<Result<Reply, Failure>> {
        llm::complete_all(&requests)
    }
}

impl Journal for Host {
    fn write(&self, level: Level, message: &str) {
        let level = match level {
            Level::Info => "info",
            Level::Warn => "warn",
        };
        log::write(level, message);
    }
}

acreta_sdk::extractor::export!(Component);
