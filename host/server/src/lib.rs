//! The HTTP server: API, dashboard, MCP and the schedule of the daemon, in one process. It knows
//! memory only through [`Service`], does nothing for whoever has no token, and has no `GET` with
//! effects.

pub mod api;
mod service;

pub use service::{Caller, Edited, JobControl, JobRequest, Service};
