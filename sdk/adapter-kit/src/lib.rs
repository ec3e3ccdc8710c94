//! What adapters have in common: finding records in files that are damaged or still growing,
//! knowing whose words a text is, and telling events whose ids are the same on every read.
//!
//! An adapter says what its agent's records mean and leaves the rest to this crate. It implements
//! [`Adapter`], is tested natively on real files, and becomes a component by [`component!`].

mod adapter;
pub mod calls;
pub mod cursor;
pub mod database;
pub mod document;
pub mod failure;
pub mod glance;
pub mod journal;
pub mod json;
pub mod objects;
pub mod outline;
mod output;
pub mod path;
mod place;
mod reply;
mod speaker;
mod teller;
#[cfg(feature = "testing")]
#[expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "runs in tests only, on files of their own"
)]
pub mod testing;
pub mod time;
mod unique;
pub mod voice;

#[doc(hidden)]
pub use acreta_sdk;
pub use acreta_sdk::adapter::{Attrs, Cursor, Description, Event, Failure, Root, Session, Sink};
pub use acreta_sdk::lines;
pub use adapter::Adapter;
pub use place::{Place, attr, shorten};
pub use reply::Reply;
pub use speaker::Speaker;
pub use teller::Teller;
pub use unique::Unique;
