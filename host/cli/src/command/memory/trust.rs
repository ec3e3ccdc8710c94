//! `acreta memory trust export|import|accept`.

use std::io::Read;

use acreta_service::remember::trust::RepositoryPolicy;
use acreta_service::{Failure, read_text, remember::trust};
use camino::Utf8Path;

use crate::args::TrustCommand;
use crate::context::Context;
use crate::output::{count, json, raw, talk};

/// Maximum bytes of an export that are read.
const EXPORT_BYTES: u64 = 64 * 1024 * 1024;

pub(super) fn run(command: &TrustCommand, context: &Context) -> Result<(), Failure> {
    match command {
        TrustCommand::Export { scope } => {
            raw(&trust::export((*scope).into(), context));
            Ok(())
        }
        TrustCommand::Accept {
            always,
            stop,
            scope,
        } => {
            let later = match (always, stop) {
                (true, _) => Some(RepositoryPolicy::Accept),
                (_, true) => Some(RepositoryPolicy::Ask),
                _ => None,
            };
            let accepted = trust::accept(later, (*scope).into(), context)?;
            if context.json {
                json(&accepted);
                return Ok(());
            }
            let memories = count(accepted.memories, "memory is", "memories are");
            let later = match accepted.later {
                RepositoryPolicy::Accept => "what comes by git later is accepted as well",
                RepositoryPolicy::Ask => "what comes by git later waits for you",
            };
            talk(&format!("{memories} accepted; {later}"));
            Ok(())
        }
        TrustCommand::Import {
            file,
            reviewer,
            scope,
        } => {
            let accepted = trust::import(&read(file)?, reviewer, (*scope).into(), context)?;
            if context.json {
                json(&accepted);
            } else {
                talk(&format!(
                    "{} of {} accepted; {} as they saw it",
                    count(accepted.words, "word", "words"),
                    accepted.reviewer,
                    count(accepted.reviewed, "memory reads", "memories read"),
                ));
            }
            Ok(())
        }
    }
}

fn read(file: &Utf8Path) -> Result<String, Failure> {
    if file == "-" {
        let mut text = String::new();
        let stdin = std::io::stdin().lock();
        stdin
            .take(EXPORT_BYTES)
            .read_to_string(&mut text)
            .map_err(|error| Failure::saying(format!("stdin cannot be read: {error}")))?;
        return Ok(text);
    }
    read_text(file, EXPORT_BYTES)
}
