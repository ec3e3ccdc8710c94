//! The server through its own doors: a client in memory, a client over pipes, another client, HTTP
//! requests, and raw bytes.

mod bad_input;
mod fake;
mod http_doors;
mod listing;
mod results;
mod support;
mod wire;
