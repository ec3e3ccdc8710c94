//! Reads the SQLite database of another program that may be writing to it. The other program is never locked out and
//! none of its files is changed; the result is one consistent state, including the write-ahead log; a caller can only
//! `SELECT`, within limits. Neither the database nor the caller is trusted.

mod connection;
mod database;
mod error;
mod functions;
mod gate;
mod limits;
mod page;
mod platform;
mod snapshot;
mod source;
mod value;
mod worker;

pub use database::{Database, Rows};
pub use error::DatabaseError;
pub use limits::DatabaseLimits;
pub use snapshot::SnapshotKind;
pub use value::Value;
