//! The component: connects the ports to the host. Everything else comes from the host's settings and its table of
//! memory types.

use acreta_sdk::extractor::{Events, Extractor, Host, Session};

use crate::{
    Budget, Candidate, Event, Failure, Journal, Level, Models, Ports, Reply, Request, Settings,
    Summary, Trace,
};

struct Component;

impl Extractor for Component {
    fn extract(
        _session: &Session,
        events: &impl Events,
        host: &impl Host,
    ) -> Result<Vec<Candidate>, Failure> {
        let (trace, asked) = (Pages(events), Asked(host));
        let ports = ports(&trace, &asked);
        crate::extract(ports, &settings(host), &host.memory_types())
    }

    fn summarise(
        _session: &Session,
        events: &impl Events,
        host: &impl Host,
    ) -> Result<Summary, Failure> {
        let (trace, asked) = (Pages(events), Asked(host));
        crate::summarise(ports(&trace, &asked), &settings(host))
    }
}

fn ports<'a, E: Events, H: Host>(trace: &'a Pages<'_, E>, asked: &'a Asked<'_, H>) -> Ports<'a> {
    Ports {
        trace,
        models: asked,
        journal: asked,
    }
}

fn settings(host: &impl Host) -> Settings {
    let (settings, ignored) = Settings::read(|key| host.setting(key));
    for message in ignored {
        host.log("warn", &message);
    }
    settings
}

struct Pages<'a, E>(&'a E);

impl<E: Events> Trace for Pages<'_, E> {
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

/// Bytes of text per page.
const PAGE: u32 = 1024 * 1024;

struct Asked<'a, H>(&'a H);

impl<H: Host> Models for Asked<'_, H> {
    fn left(&self) -> Budget {
        self.0.left()
    }

    fn complete_all(&self, requests: Vec<Request>) -> Vec<Result<Reply, Failure>> {
        self.0.complete_all(&requests)
    }
}

impl<H: Host> Journal for Asked<'_, H> {
    fn write(&self, level: Level, message: &str) {
        let level = match level {
            Level::Info => "info",
            Level::Warn => "warn",
        };
        self.0.log(level, message);
    }
}

acreta_sdk::extractor!(Component);
