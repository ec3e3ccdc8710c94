//! The extractor that uses a model: a session is read in windows, in order; a list of findings is carried from one to
//! the next, everything in it is checked against the trace, and a final verification decides what stays. The offline
//! extractor replaces it if no model is available.
//!
//! A provider's failure is never an error, no request is larger than a window and its prompt, memory use does not grow
//! with the trace, and equal traces give equal requests byte for byte. Everything it needs from outside comes through
//! [`Ports`].

mod batch;
mod call;
mod cite;
#[cfg(target_family = "wasm")]
mod component;
mod cues;
mod digest;
mod extract;
mod failure;
mod findings;
mod navigate;
mod offline;
mod outline;
mod person;
mod ports;
mod quote;
mod reply;
mod request;
mod script;
mod settings;
mod shorten;
mod study;
mod summarise;
mod transcript;
mod types;
mod verify;
mod windows;
mod wording;
mod words;

pub use acreta_sdk::extractor::host::llm::{Budget, Message, Reply, Request};
pub use acreta_sdk::extractor::host::registry::MemoryType;
pub use acreta_sdk::extractor::{Candidate, Event, Evidence, Failure, Summary};
pub use extract::extract;
pub use ports::{Journal, Level, Models, Ports, Trace};
pub use settings::{Prompts, Settings};
pub use summarise::summarise;
