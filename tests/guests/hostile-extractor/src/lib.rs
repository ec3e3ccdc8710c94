//! An extractor that attacks the sandbox if its config says so (`attack`, see `hostile-attacks`). Otherwise it is
//! honest: one candidate that quotes the first thing the user said.

mod honest;
mod junk;

use acreta_sdk::extractor::{Candidate, Failure, Guest, Reader, Session, Summary, host};
use hostile_attacks::Turn;

pub struct Hostile;

impl Guest for Hostile {
    fn extract(_session: Session, events: &Reader) -> Result<Vec<Candidate>, Failure> {
        match turn("extract") {
            Turn::Honest => honest::extract(events),
            Turn::Reported(message) => Err(failure("report", message)),
            Turn::Special(order) if order.attack == "junk" => junk::extract(events),
            // Costs the host a search of the whole session each time.
            Turn::Special(order) if order.attack == "finds" => loop {
                events.find("no such words anywhere", 1_000)?;
            },
            Turn::Special(order) => Err(failure("unknown-attack", order.attack)),
        }
    }

    fn summarise(_session: Session, events: &Reader) -> Result<Summary, Failure> {
        match turn("summarise") {
            Turn::Honest => honest::summarise(events),
            Turn::Reported(message) => Err(failure("report", message)),
            Turn::Special(order) if order.attack == "junk" => Ok(junk::summary()),
            Turn::Special(order) => Err(failure("unknown-attack", order.attack)),
        }
    }
}

fn turn(stage: &str) -> Turn {
    hostile_attacks::turn(stage, "extract", host::config::get, host::log::write)
}

fn failure(code: &str, message: String) -> Failure {
    Failure {
        code: code.to_owned(),
        message,
        retryable: false,
    }
}

#[cfg(target_family = "wasm")]
acreta_sdk::extractor::export!(Hostile);
