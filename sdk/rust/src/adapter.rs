//! The adapter role: reads one agent's session files and emits them as events.
//!
//! An adapter interprets its agent's records. The modules here do the rest: they find records in files that are damaged
//! or still growing ([`journal`], [`objects`], [`document`], [`outline`]), read JSON without building values
//! ([`json`]), split messages into blocks ([`blocks`], [`chat`]), determine the author of a text ([`author`]), match results to
//! calls ([`calls`]), find the directory of a session ([`overview()`]), and make ids that are the same on every read
//! ([`RecordSpan`], [`Unique`]).
//!
//! A whole adapter for an agent that writes one JSON object per line:
//!
//! ```
//! use acreta_sdk::adapter::json::Value;
//! use acreta_sdk::adapter::objects::Typed;
//! use acreta_sdk::adapter::{
//!     Adapter, Attrs, Cursor, Description, Failure, Fields, RecordSpan, Root, Session, Sign, Sink,
//!     journal, overview, time, author,
//! };
//!
//! struct Parrot;
//!
//! acreta_sdk::adapter!(Parrot);
//!
//! const FIELDS: Fields<'_> = Fields {
//!     id: &["session"],
//!     time: &["time"],
//!     directory: &["cwd"],
//! };
//!
//! impl Adapter for Parrot {
//!     fn describe() -> Description {
//!         let reason = "Parrot keeps its conversations here; they are read and never changed.";
//!         let root = Root::new("parrot", &["~/.parrot"], &["**/*.jsonl"], reason);
//!         Description::new("parrot", vec![root])
//!     }
//!
//!     fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
//!         let sign = |record: Value<'_>| match record.text_of("type") {
//!             Some(kind) if kind.is("parrot") => Sign::Own,
//!             Some(kind) if kind.is("ask") || kind.is("say") => Sign::Said,
//!             _ => Sign::Nothing,
//!         };
//!         let seen = overview::<Typed>(path, &FIELDS, sign)?;
//!         Ok(seen.map(|seen| seen.session("parrot", path)).into_iter().collect())
//!     }
//!
//!     fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
//!         journal::read::<Typed, (), _>(&session.path, from, sink, |told, (), record, span| {
//!             let time = record.field("time").and_then(time::instant);
//!             let mut place = RecordSpan::new("", span.0, span.1, time);
//!             let text = place.text(*record, "text");
//!             match record.text_of("type") {
//!                 Some(kind) if kind.is("ask") => {
//!                     told.person(&mut place, &text, &author::Wrapping::default())?
//!                 }
//!                 Some(kind) if kind.is("say") => {
//!                     told.assistant(&mut place, "text", text, Attrs::new())?
//!                 }
//!                 _ => {}
//!             }
//!             told.close(&place);
//!             Ok(())
//!         })
//!     }
//! }
//!
//! # #[cfg(feature = "testing")]
//! # {
//! use acreta_sdk::adapter::testing::Scratch;
//!
//! let told = Scratch::<Parrot>::new("talk.jsonl").told(concat!(
//!     r#"{"type":"parrot","session":"s1","cwd":"/home/mira/boat"}"#, "\n",
//!     r#"{"type":"ask","time":"2026-03-01T10:00:00Z","text":"Who is a clever bird?"}"#, "\n",
//!     r#"{"type":"say","text":"I am."}"#, "\n",
//! ));
//! assert_eq!(
//!     told.texts(),
//!     [("user", "text", "Who is a clever bird?"), ("assistant", "text", "I am.")]
//! );
//! # }
//! ```

#[doc(hidden)]
#[rustfmt::skip]
#[allow(unsafe_code, unreachable_pub, clippy::all, clippy::restriction, reason = "generated")]
pub mod bindings;

pub mod author;
pub mod blocks;
pub mod calls;
pub mod chat;
pub mod cursor;
pub mod database;
pub mod document;
mod event_writer;
pub mod failure;
pub mod file_probe;
pub mod journal;
pub mod json;
pub mod objects;
pub mod outline;
mod output;
mod overview;
pub mod parts;
pub mod path;
mod record_span;
mod reply;
mod speaker;
#[cfg(feature = "testing")]
#[expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "runs in tests only, on files of their own"
)]
pub mod testing;
pub mod time;
mod unique;

pub use crate::bindings::acreta::host;
pub use crate::bindings::acreta::types::types::{Attrs, Event, Failure, Origin, Session};
pub use bindings::export;
pub use bindings::exports::acreta::adapter::adapter::{Cursor, Description, Guest, Root};
pub use event_writer::EventWriter;
pub use overview::{Fields, Overview, Sign, overview};
pub use record_span::{RecordSpan, attr, shorten};
pub use reply::{Reply, Tokens};
pub use speaker::Speaker;
pub use unique::Unique;

/// Reads one agent's session files. Opens the paths it is given with `std::fs`, which in a component reaches only the
/// granted roots.
pub trait Adapter {
    /// Describes what the adapter reads and which roots it requests.
    fn describe() -> Description;

    /// Lists the sessions in one file; empty if the file is not this agent's. Decides by content, never by name.
    fn sessions(path: &str) -> Result<Vec<Session>, Failure>;

    /// Emits the session's events from `from` on and returns the cursor at which it stopped. Fails with
    /// `invalid-cursor` if the session was rewritten since.
    fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure>;
}

/// Drops sessions without an id, which nobody could name.
pub fn with_ids(mut sessions: Vec<Session>) -> Vec<Session> {
    sessions.retain(|session| !session.id.is_empty());
    sessions
}

/// Receives an adapter's events: the host in a component, a list in a test.
pub trait Sink {
    /// Hands over events in order; an error ends the read.
    fn emit(&mut self, batch: Vec<Event>) -> Result<(), Failure>;
    /// Reports a line or row that could not be read.
    fn diagnose(&mut self, record: &str, start: u64, end: u64, message: &str);
}

/// The host's sink.
pub struct HostSink;

impl Sink for HostSink {
    fn emit(&mut self, batch: Vec<Event>) -> Result<(), Failure> {
        host::sink::emit(&batch)
    }

    fn diagnose(&mut self, record: &str, start: u64, end: u64, message: &str) {
        host::sink::diagnose(record, start, end, message);
    }
}

/// Returns one of the adapter's own settings as JSON text; `None` if it is not set, and outside a component.
pub fn setting(key: &str) -> Option<String> {
    if cfg!(target_family = "wasm") {
        host::config::get(key)
    } else {
        None
    }
}

impl Description {
    /// Describes an adapter of this agent that requests these directories.
    pub fn new(agent: &str, roots: Vec<Root>) -> Self {
        Self {
            agent: agent.to_owned(),
            roots,
            attrs: Attrs::new(),
        }
    }
}

impl Root {
    /// Requests a directory by name: its possible locations, the patterns of session files in it, and the reason for
    /// reading them, which is shown to the person who grants it.
    pub fn new(name: &str, candidates: &[&str], patterns: &[&str], reason: &str) -> Self {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        Self {
            name: name.to_owned(),
            candidates: owned(candidates),
            patterns: owned(patterns),
            reason: reason.to_owned(),
        }
    }
}

/// The start of a session.
impl Default for Cursor {
    fn default() -> Self {
        Self {
            offset: 0,
            state: Vec::new(),
        }
    }
}

impl Session {
    /// Returns the session under the name of another agent, for forks that store sessions in the same format.
    #[must_use]
    pub fn of_agent(mut self, agent: &str) -> Self {
        agent.clone_into(&mut self.agent);
        self
    }
}

/// Exports a type that implements [`adapter::Adapter`](crate::adapter::Adapter) as the component's
/// adapter.
#[macro_export]
macro_rules! adapter {
    ($adapter:ty) => {
        #[cfg(target_family = "wasm")]
        const _: () = {
            use $crate::adapter as role;

            struct AcretaExport;

            impl role::Guest for AcretaExport {
                fn describe() -> role::Description {
                    <$adapter as role::Adapter>::describe()
                }

                fn sessions(path: String) -> Result<Vec<role::Session>, role::Failure> {
                    <$adapter as role::Adapter>::sessions(&path).map(role::with_ids)
                }

                fn read(
                    session: role::Session,
                    from: role::Cursor,
                ) -> Result<role::Cursor, role::Failure> {
                    <$adapter as role::Adapter>::read(&session, &from, &mut role::HostSink)
                }
            }

    role::export!(AcretaExport with_types_in role::bindings);
        };
    };
}
