//! Reads the SQLite database of another program that may be writing to it at this moment. The
//! other program is never locked out and none of its files is changed; what is read is one
//! consistent state, write-ahead log included; whoever asks can do nothing but `SELECT`, within
//! bounds. Neither the database nor the one who asks is trusted.

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
