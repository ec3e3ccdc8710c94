//! Use cases through the public door of the service, each in a scratch home with a project of its own.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod amending;
mod exclusions;
mod looking;
mod maintaining;
mod purging;
mod queueing;
mod registering;
mod remembering;
mod reviewing;
mod world;
