//! `acreta memory trust export|import`: confirmations from one person to another. What somebody else
//! confirmed is reviewed here, never confirmed, and only after this user accepted them by name.

use std::io::Read;

use acreta_fs::{Directory, NoFaults};
use acreta_service::{Failure, Kind, desk};
use acreta_store::{Rung, Word, Words, as_line};
use camino::Utf8Path;

use crate::args::TrustCommand;
use crate::context::Context;
use crate::output::{count, json, raw, talk};

/// Bytes of an export that are read.
const EXPORT_BYTES: u64 = 64 * 1024 * 1024;

/// Characters of a reviewer's name.
const NAME: usize = 100;

pub(super) fn run(command: &TrustCommand, context: &Context) -> Result<(), Failure> {
    match command {
        TrustCommand::Export { scope } => {
            let words = Words::load(&scope.of(context).layout);
            for word in words.iter().filter(|word| is_own(word)) {
                raw(&format!("{}\n", as_line(word)));
            }
            Ok(())
        }
        TrustCommand::Import {
            file,
            reviewer,
            scope,
        } => {
            let reviewer = checked(reviewer)?;
            // What they only accepted from others is not their word.
            let given = Words::parse(&read(file)?);
            let given: Vec<Word> = given.iter().filter(|word| is_own(word)).cloned().collect();
            let mut desk = desk::open(context, scope.of(context).layout)?;
            desk.accept_review(reviewer, &given)?;
            let memories = desk.snapshot().iter();
            let reviewed = memories.filter(|memory| {
                let digest = memory.content_digest();
                let mut words = given.iter();
                words.any(|word| word.memory == memory.id && word.digest == digest)
            });
            let (taken, reviewed) = (given.len() as u64, reviewed.count() as u64);
            if context.json {
                json(&serde_json::json!({
                    "reviewer": reviewer,
                    "words": taken,
                    "reviewed": reviewed,
                }));
            } else {
                talk(&format!(
                    "{} of {reviewer} accepted; {} as they saw it",
                    count(taken, "word", "words"),
                    count(reviewed, "memory reads", "memories read"),
                ));
            }
            Ok(())
        }
    }
}

/// Reports whether whoever exported it said it themselves.
fn is_own(word: &Word) -> bool {
    word.word == Rung::Confirmed && word.by.is_none()
}

fn checked(reviewer: &str) -> Result<&str, Failure> {
    let reviewer = reviewer.trim();
    let is_name = !reviewer.is_empty()
        && reviewer.chars().count() <= NAME
        && acreta_text::visible(reviewer) == reviewer;
    match is_name {
        true => Ok(reviewer),
        false => Err(Failure::new(
            Kind::Usage,
            format!("`--reviewer` takes a name of at most {NAME} plain characters"),
        )),
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
    let whole = camino::absolute_utf8(file).unwrap_or_else(|_| file.to_owned());
    let (Some(folder), Some(name)) = (whole.parent(), whole.file_name()) else {
        return Err(Failure::new(Kind::Usage, format!("`{file}` is not a file")));
    };
    let folder = Directory::open(folder, NoFaults::shared())?;
    Ok(folder.read_to_string(name, EXPORT_BYTES)?)
}
