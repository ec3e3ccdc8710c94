//! An adapter that attacks the sandbox if its config says so (`attack`, see `hostile-attacks`). Otherwise it is honest:
//! one session with two events for any file that starts with `{"hostile"`, of the agent
//! and in the directory that its config names (`agent`, `project_dir`).

mod endless;
mod honest;
mod junk;
mod secrets;

use acreta_sdk::adapter::{Cursor, Description, Failure, Guest, Session, host};
use hostile_attacks::Turn;

pub struct Hostile;

impl Guest for Hostile {
    fn describe() -> Description {
        match turn("describe") {
            Turn::Honest => honest::describe(),
            Turn::Reported(report) => Description {
                attrs: vec![("report".to_owned(), report)],
                ..honest::describe()
            },
            Turn::Special(_) => junk::describe(),
        }
    }

    fn sessions(path: String) -> Result<Vec<Session>, Failure> {
        if let Some(secret) = secrets::ordered() {
            return secrets::sessions(&path, &secret);
        }
        match turn("sessions") {
            Turn::Honest => honest::sessions(&path),
            Turn::Reported(message) => Err(failure("report", message)),
            Turn::Special(order) if order.attack == "junk" => Ok(junk::sessions(&path)),
            Turn::Special(order) => Err(failure("unknown-attack", order.attack)),
        }
    }

    fn read(session: Session, from: Cursor) -> Result<Cursor, Failure> {
        if let Some(secret) = secrets::ordered() {
            return secrets::read(&session, &secret);
        }
        match turn("read") {
            Turn::Honest => honest::read(&session, &from),
            Turn::Reported(message) => Err(failure("report", message)),
            Turn::Special(order) => match order.attack.as_str() {
                "junk" => junk::read(),
                "queries" => endless::queries().map(|()| from),
                "empty-events" => endless::empty_events().map(|()| from),
                "empty-diagnostics" => endless::empty_diagnostics(),
                _ => Err(failure("unknown-attack", order.attack)),
            },
        }
    }
}

fn turn(stage: &str) -> Turn {
    hostile_attacks::turn(stage, "read", host::config::get, host::log::write)
}

fn failure(code: &str, message: String) -> Failure {
    Failure {
        code: code.to_owned(),
        message,
        retryable: false,
    }
}

#[cfg(target_family = "wasm")]
acreta_sdk::adapter::export!(Hostile);
