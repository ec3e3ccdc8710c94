//! The extractor that asks a model: windows of a session are read by a model, everything it says is
//! checked against the trace, and a last look over all of it decides what stays. The offline
//! extractor reads along, and whatever the model cannot give comes from it.
//!
//! A provider's failure is never an error, no request is larger than a window and the prompt around
//! it, what is held in memory does not grow with the trace, and the same trace asks the same requests
//! byte for byte. Everything it needs from outside comes through [`Ports`].

mod batch;
mod cite;
#[cfg(target_family = "wasm")]
mod component;
mod extract;
mod fence;
mod navigate;
mod outline;
mod pool;
mod ports;
mod reply;
mod request;
mod script;
mod settings;
mod shorten;
mod study;
mod summarise;
mod transcript;
mod verify;
mod windows;

pub use acreta_sdk::extractor::host::llm::{Budget, Message, Reply, Request};
pub use acreta_sdk::extractor::host::registry::MemoryType;
pub use acreta_sdk::extractor::{Candidate, Event, Evidence, Failure, Summary};
pub use extract::extract;
pub use ports::{Journal, Level, Models, Ports, Trace};
pub use settings::{Prompts, Settings};
pub use summarise::summarise;
