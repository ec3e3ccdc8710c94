//! The HTTP server: API, dashboard, MCP and the schedule of the daemon, in one process. It accesses memory only through
//! [`Service`], does nothing for callers without a token, and has no `GET` with effects.

pub mod api;
mod auth;
mod connection;
mod correlation;
pub mod daemon;
pub mod dashboard;
mod dispatch;
mod events;
mod hub;
mod input;
mod jobs;
mod login;
mod mcp;
mod openapi;
mod options;
mod refusal;
mod routes;
mod schedule;
mod serve;
mod server;
mod service;
mod slots;
mod work;

pub use openapi::document;
pub use options::{Asset, Assets, Control, Limits, Options, Random, Schedule, Surroundings};
pub use serve::{Ended, ServeError, serve};
pub use service::{Call, Caller, JobControl, JobRequest, Service, UseCase};
