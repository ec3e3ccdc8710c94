//! Use cases through the service's public interface, each in a scratch home with its own project.

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
