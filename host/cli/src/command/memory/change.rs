//! `acreta memory add|edit|archive|restore|confirm|reject|accept`: changes of memory by a person.

use std::io::Read;
use std::process::Command;

use acreta_service::find::query::wanted_type;
use acreta_service::projects::scopes;
use acreta_service::remember::add::{NoteAuthor, Remember, remember};
use acreta_service::remember::amend::{self, Amendment, Edit, normalised};
use acreta_service::remember::note::NoteRequest;
use acreta_service::{Failure, Kind, remember::editor};

use super::pending;
use crate::args::{AddArguments, EditArguments, MemoryCommand, NoteArguments};
use crate::context::Context;
use crate::output::{json, line, talk};

pub(crate) fn run(command: &MemoryCommand, context: &Context) -> Result<(), Failure> {
    match command {
        MemoryCommand::Note(arguments) => note(arguments, context),
        MemoryCommand::Edit(arguments) => edit(arguments, context),
        MemoryCommand::Archive { ids } => amend(ids, &Amendment::Archive, context),
        MemoryCommand::Restore { ids } => amend(ids, &Amendment::Restore, context),
        MemoryCommand::Confirm { ids } => {
            let (waiting, memories) = pending::apart(ids);
            amend(&memories, &Amendment::Confirm, context)?;
            pending::confirm(&waiting, context)
        }
        MemoryCommand::Reject { ids, proposals } => {
            let (waiting, ids) = pending::apart(ids);
            pending::reject(&waiting, context)?;
            let amendment = if *proposals {
                Amendment::Dismiss
            } else {
                Amendment::Reject
            };
            amend(&ids, &amendment, context)
        }
        MemoryCommand::Accept { id, proposal } => amend(
            std::slice::from_ref(id),
            &Amendment::Accept(*proposal),
            context,
        ),
        other => unreachable!("{other:?} does not change memory"),
    }
}

fn note(arguments: &NoteArguments, context: &Context) -> Result<(), Failure> {
    let request = NoteRequest {
        title: arguments.title.clone(),
        kind: arguments.kind.clone(),
        quotes: arguments.quotes.clone(),
        about: arguments.about.clone(),
        files: arguments.files.clone(),
        replaces: arguments.replaces.clone(),
        agent: arguments.by.clone(),
    };
    let report = acreta_service::remember::note::note(&request, context)?;
    if context.json {
        json(&report);
        return Ok(());
    }
    match &report.id {
        Some(id) => line(&format!(
            "{} {id}: {}",
            report.status.name(),
            report.message
        )),
        None => line(&report.message),
    }
    for one in &report.similar {
        line(&format!("- {} {}", one.id, one.title));
    }
    Ok(())
}

pub(super) fn add(arguments: &AddArguments, context: &Context) -> Result<(), Failure> {
    let request = Remember {
        memory_type: wanted_type(Some(&arguments.memory_type))?,
        kind: arguments.kind.clone(),
        title: arguments.title.clone(),
        body: text_or_stdin(arguments.body.as_deref())?,
        tags: arguments.tags.clone(),
        confidence: Some(arguments.confidence),
        scope: arguments.scope.into(),
        author: NoteAuthor::Person,
    };
    let report = remember(&request, context)?;
    if context.json {
        json(&report);
        return Ok(());
    }
    line(&format!(
        "{} {}",
        report.id.unwrap_or_default(),
        report.path.unwrap_or_default()
    ));
    if report.action == "no_op" {
        talk(&report.message);
    }
    Ok(())
}

fn edit(arguments: &EditArguments, context: &Context) -> Result<(), Failure> {
    let edit = Edit {
        title: arguments.title.clone(),
        body: text_or_stdin(arguments.body.as_deref())?,
        kind: arguments.kind.clone(),
        tags: (!arguments.tags.is_empty()).then(|| arguments.tags.clone()),
        confidence: arguments.confidence,
    };
    let amendment = if edit == Edit::default() {
        let scopes = scopes::configured(context)?;
        let memory = scopes::find_in(context, &scopes, &arguments.id)?.memory;
        let name = memory.path.file_name().unwrap_or("memory.md");
        Amendment::Text(in_editor(name, &memory.text, context)?)
    } else {
        Amendment::Edit(normalised(edit))
    };
    amend(std::slice::from_ref(&arguments.id), &amendment, context)
}

fn amend(ids: &[String], amendment: &Amendment, context: &Context) -> Result<(), Failure> {
    for amended in amend::amend(ids, amendment, &scopes::configured(context)?, context)? {
        if context.json {
            json(&amended);
        } else {
            line(&format!("{} {}", amended.id, amended.path));
            talk(amended.message);
        }
    }
    Ok(())
}

/// Maximum bytes read from stdin.
const STDIN_BYTES: u64 = 1024 * 1024;

fn text_or_stdin(text: Option<&str>) -> Result<Option<String>, Failure> {
    if text != Some("-") {
        return Ok(text.map(ToOwned::to_owned));
    }
    let mut body = String::new();
    let read = std::io::stdin().take(STDIN_BYTES).read_to_string(&mut body);
    match read {
        Ok(_) => Ok(Some(body.trim().to_owned())),
        Err(error) => Err(Failure::saying(format!("stdin cannot be read: {error}"))),
    }
}

/// Opens a text in the person's editor, in a temporary file outside memory.
pub(crate) fn in_editor(name: &str, text: &str, context: &Context) -> Result<String, Failure> {
    let editor = ["VISUAL", "EDITOR"]
        .iter()
        .find_map(|name| context.environment.get(*name))
        .filter(|editor| !editor.trim().is_empty());
    let Some(editor) = editor else {
        return Err(Failure::new(Kind::Usage, "no change was given").hint(
            "give `--title`, `--body`, `--kind`, `--tag` or `--confidence`, or set `EDITOR`",
        ));
    };
    let copy = editor::Copy::of(name, text, context)?;
    let mut words = editor.split_whitespace();
    let program = words.next().unwrap_or_default();
    let status = Command::new(program)
        .args(words)
        .arg(copy.path())
        .status()
        .map_err(|error| {
            Failure::saying(format!("`{editor}` cannot be started: {error}"))
                .hint("set `EDITOR` to an editor")
        })?;
    if !status.success() {
        return Err(Failure::saying(format!(
            "`{editor}` ended with {status}; nothing was changed"
        )));
    }
    copy.read()
}
