//! The extractor role: finds in a session what is worth remembering, and summarises the session.
//!
//! An extractor has no access to files. It pages through [`Events`] and calls a [`Host`]; both are the sandbox's in a
//! component and lists in a test.
//!
//! ```
//! use acreta_sdk::extractor::{
//!     Candidate, Events, Evidence, Extractor, Failure, Host, Session, Summary,
//! };
//!
//! struct Rules;
//!
//! acreta_sdk::extractor!(Rules);
//!
//! impl Extractor for Rules {
//!     fn extract(
//!         _session: &Session,
//!         events: &impl Events,
//!         _host: &impl Host,
//!     ) -> Result<Vec<Candidate>, Failure> {
//!         let mut found = Vec::new();
//!         events.each(|event| {
//!             if (&*event.role, &*event.kind) == ("user", "text") && event.text.contains("always") {
//!                 found.push(Candidate {
//!                     id: format!("c{}", found.len()),
//!                     category: "learning".to_owned(),
//!                     kind: "convention".to_owned(),
//!                     title: event.text.clone(),
//!                     body: event.text.clone(),
//!                     confidence: 0.8,
//!                     tags: Vec::new(),
//!                     evidence: vec![Evidence::new(event, &event.text)],
//!                     attrs: Vec::new(),
//!                 });
//!             }
//!             Ok(())
//!         })?;
//!         Ok(found)
//!     }
//!
//!     fn summarise(
//!         _session: &Session,
//!         _events: &impl Events,
//!         _host: &impl Host,
//!     ) -> Result<Summary, Failure> {
//!         Err(Failure::new("nothing", "this extractor tells no summaries"))
//!     }
//! }
//!
//! # #[cfg(feature = "testing")]
//! # {
//! use acreta_sdk::extractor::testing::{EventList, ScriptedHost, event, session};
//!
//! let events = EventList::new(vec![event("e1", "user", "text", "always run the linter")]);
//! let found = Rules::extract(&session(), &events, &ScriptedHost::default())?;
//! assert_eq!(found[0].evidence[0].event_id, "e1");
//! # }
//! # Ok::<(), Failure>(())
//! ```

#[doc(hidden)]
#[rustfmt::skip]
#[allow(unsafe_code, unreachable_pub, clippy::all, clippy::restriction, reason = "generated")]
pub mod bindings;

#[cfg(feature = "testing")]
pub mod testing;

pub use crate::bindings::acreta::host;
pub use crate::bindings::acreta::types::types::{
    Attrs, Candidate, Event, Evidence, Failure, Origin, Session, Summary,
};
pub use bindings::export;
pub use bindings::exports::acreta::extractor::extractor::{Guest, Reader};
pub use host::llm::{Budget, Message, Reply, Request};
pub use host::registry::MemoryType;

/// Bytes of text that [`Events::each`] requests at a time.
const PAGE: u32 = 1024 * 1024;

/// Finds memory candidates in a session and summarises it.
pub trait Extractor {
    /// Returns what is worth remembering; an empty list is a valid result.
    fn extract(
        session: &Session,
        events: &impl Events,
        host: &impl Host,
    ) -> Result<Vec<Candidate>, Failure>;

    /// Summarises what was asked, done, decided and left open.
    fn summarise(
        session: &Session,
        events: &impl Events,
        host: &impl Host,
    ) -> Result<Summary, Failure>;
}

/// The events of one session, in pages.
pub trait Events {
    /// Returns the number of events.
    fn count(&self) -> u64;
    /// Starts again from the first event.
    fn rewind(&self);
    /// Returns the next events, up to `max_bytes` of text but at least one; empty at the end.
    fn next(&self, max_bytes: u32) -> Result<Vec<Event>, Failure>;
    /// Returns one event by its id.
    fn read(&self, event_id: &str) -> Result<Option<Event>, Failure>;
    /// Finds events whose text contains `text`, ignoring case, from the start, at most `limit`.
    fn find(&self, text: &str, limit: u32) -> Result<Vec<Event>, Failure>;

    /// Calls `visit` with every event from the first on, a page at a time.
    fn each(&self, mut visit: impl FnMut(&Event) -> Result<(), Failure>) -> Result<(), Failure>
    where
        Self: Sized,
    {
        self.rewind();
        loop {
            let page = self.next(PAGE)?;
            if page.is_empty() {
                return Ok(());
            }
            page.iter().try_for_each(&mut visit)?;
        }
    }
}

impl Events for Reader {
    fn count(&self) -> u64 {
        Reader::count(self)
    }

    fn rewind(&self) {
        Reader::rewind(self);
    }

    fn next(&self, max_bytes: u32) -> Result<Vec<Event>, Failure> {
        Reader::next(self, max_bytes)
    }

    fn read(&self, event_id: &str) -> Result<Option<Event>, Failure> {
        Reader::read(self, event_id)
    }

    fn find(&self, text: &str, limit: u32) -> Result<Vec<Event>, Failure> {
        Reader::find(self, text, limit)
    }
}

/// The host functions that an extractor may call, apart from events.
pub trait Host {
    /// Lists the types of memory. An extractor must not hard-code any.
    fn memory_types(&self) -> Vec<MemoryType>;
    /// Returns one of the plugin's own settings, as JSON text.
    fn setting(&self, key: &str) -> Option<String>;
    /// Writes to the run's log; `level` is `error`, `warn`, `info` or `debug`.
    fn log(&self, level: &str, message: &str);
    /// Returns the rest of the run's budget for models.
    fn left(&self) -> Budget;
    /// Sends all requests to models at once; returns replies in the order of the requests, `not-granted` without a
    /// grant.
    fn complete_all(&self, requests: &[Request]) -> Vec<Result<Reply, Failure>>;
}

/// The sandbox's host.
pub struct Sandbox;

impl Host for Sandbox {
    fn memory_types(&self) -> Vec<MemoryType> {
        host::registry::memory_types()
    }

    fn setting(&self, key: &str) -> Option<String> {
        host::config::get(key)
    }

    fn log(&self, level: &str, message: &str) {
        host::log::write(level, message);
    }

    fn left(&self) -> Budget {
        host::llm::left()
    }

    fn complete_all(&self, requests: &[Request]) -> Vec<Result<Reply, Failure>> {
        host::llm::complete_all(requests)
    }
}

impl Evidence {
    /// Quotes an event; the quote has to occur in it verbatim.
    pub fn new(event: &Event, quote: &str) -> Self {
        Self {
            event_id: event.id.clone(),
            quote: quote.to_owned(),
        }
    }
}

/// Exports a type that implements [`extractor::Extractor`](crate::extractor::Extractor) as the
/// component's extractor.
#[macro_export]
macro_rules! extractor {
    ($extractor:ty) => {
        #[cfg(target_family = "wasm")]
        const _: () = {
            use $crate::extractor as role;

            struct AcretaExport;

            impl role::Guest for AcretaExport {
                fn extract(
                    session: role::Session,
                    events: &role::Reader,
                ) -> Result<Vec<role::Candidate>, role::Failure> {
                    <$extractor as role::Extractor>::extract(&session, events, &role::Sandbox)
                }

                fn summarise(
                    session: role::Session,
                    events: &role::Reader,
                ) -> Result<role::Summary, role::Failure> {
                    <$extractor as role::Extractor>::summarise(&session, events, &role::Sandbox)
                }
            }

    role::export!(AcretaExport with_types_in role::bindings);
        };
    };
}
