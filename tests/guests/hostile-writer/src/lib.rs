//! A memory-writer that attacks the sandbox, or spoils its draft, if its config says so (`attack`, see
//! `hostile-attacks` and [`DRAFT_ATTACKS`]). Otherwise it is honest: one good file for each action.

mod draft;
mod honest;
mod junk;
mod spoil;

use std::path::Path;

use acreta_sdk::memory_writer::{Action, Context, Failure, Guest, Written, host};
use hostile_attacks::Turn;

pub use draft::{DRAFT_ATTACKS, ODD_NAMES};
pub use spoil::BAD_FRONT_MATTER;

pub struct Hostile;

impl Guest for Hostile {
    fn apply(context: Context, actions: Vec<Action>) -> Result<Vec<Written>, Failure> {
        let root = Path::new("/draft");
        match hostile_attacks::turn("apply", "apply", host::config::get, host::log::write) {
            Turn::Honest => honest::apply(root, &folders(), &context, &actions),
            Turn::Reported(message) => Err(failure("report", message)),
            Turn::Special(order) if order.attack == "junk" => Ok(junk::written(&actions)),
            Turn::Special(order) => {
                let written = honest::apply(root, &folders(), &context, &actions)?;
                draft::spoil(root, &order, written)
            }
        }
    }
}

/// Returns each type's folder.
fn folders() -> Vec<(String, String)> {
    host::registry::memory_types()
        .into_iter()
        .map(|entry| (entry.name, entry.folder))
        .collect()
}

fn failure(code: &str, message: String) -> Failure {
    Failure {
        code: code.to_owned(),
        message,
        retryable: false,
    }
}

#[cfg(target_family = "wasm")]
acreta_sdk::memory_writer::export!(Hostile);
