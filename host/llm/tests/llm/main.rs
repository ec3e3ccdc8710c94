//! Tests of the public interface, against a local server that speaks each protocol and answers by script.

#[cfg(test)]
mod bad_replies;
#[cfg(test)]
mod budget;
#[cfg(test)]
mod command;
#[cfg(test)]
#[cfg(unix)]
mod discover;
#[cfg(test)]
mod kept;
#[cfg(test)]
mod ledger;
#[cfg(test)]
mod ollama;
#[cfg(test)]
mod pace;
#[cfg(test)]
#[cfg(unix)]
mod programs;
#[cfg(test)]
mod property;
#[cfg(test)]
mod replies;
#[cfg(test)]
mod schema;
#[cfg(test)]
mod secrets;
#[cfg(test)]
mod server;
#[cfg(test)]
mod spans;
#[cfg(test)]
mod support;
