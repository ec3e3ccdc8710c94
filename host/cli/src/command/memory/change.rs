//! `acreta memory add|edit|archive|restore|confirm|reject|accept`: what a person does to memory.

use std::io::Read;
use std::process::Command;

use acreta_lead::{Amendment, Desk, Edit, Note, NoteSource};
use acreta_model::MemoryType;
use acreta_service::desk;
use acreta_service::find::wanted_type;
use acreta_service::scopes::{self, Scoped};
use acreta_service::{Failure, Kind};
use acreta_store::{Layout, Memory};

use super::{load, pending};
use crate::args::{AddArguments, EditArguments, MemoryCommand};
use crate::context::Context;
use crate::output::{json, line, talk};

pub(crate) fn run(command: &MemoryCommand, context: &Context) -> Result<(), Failure> {
    match command {
        MemoryCommand::Add(arguments) => add(arguments, context),
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
        other => unreachable!("{other:?} is no change of memory"),
    }
}

fn add(arguments: &AddArguments, context: &Context) -> Result<(), Failure> {
    let memory_type = wanted_type(Some(&arguments.memory_type))?.unwrap_or(MemoryType::Learning);
    let kind = match &arguments.kind {
        Some(kind) => kind.clone(),
        None if memory_type == MemoryType::Learning => "insight".to_owned(),
        None => String::new(),
    };
    let body = match text_or_stdin(arguments.body.as_deref())? {
        Some(body) => body,
        None => arguments.title.clone(),
    };
    let note = Note {
        memory_type,
        kind,
        title: arguments.title.trim().to_owned(),
        quote: body.clone(),
        body,
        tags: sorted(&arguments.tags),
        confidence: arguments.confidence,
        at_ms: None,
        place: String::new(),
    };
    let scope = arguments.scope.of(context);
    let mut desk = desk::open(context, scope.layout)?;
    let report = desk.remember(vec![note], &NoteSource::Person, false)?;
    if let Some(refused) = report.refused.first() {
        return Err(Failure::new(
            Kind::Usage,
            format!("this is not remembered: it {}", refused.reason),
        ));
    }
    if context.json {
        json(&report);
        return Ok(());
    }
    for action in &report.actions {
        let path = action.path.as_deref().unwrap_or_default();
        line(&format!("{} {path}", action.memory_id));
        if action.action == acreta_lead::Action::NoOp {
            talk(&format!("nothing added: {}", action.reason));
        }
    }
    Ok(())
}

fn edit(arguments: &EditArguments, context: &Context) -> Result<(), Failure> {
    let memories = load(context)?;
    let scoped = scopes::find(&memories, &arguments.id)?;
    let edit = Edit {
        title: arguments.title.clone(),
        body: text_or_stdin(arguments.body.as_deref())?,
        kind: arguments.kind.clone(),
        tags: (!arguments.tags.is_empty()).then(|| sorted(&arguments.tags)),
        confidence: arguments.confidence,
    };
    let amendment = if edit == Edit::default() {
        Amendment::Text(in_editor(&scoped.memory, context)?)
    } else {
        Amendment::Edit(edit)
    };
    let mut desk = desk::open(context, scoped.layout.clone())?;
    report(&mut desk, &[scoped], &amendment, context)
}

fn amend(ids: &[String], amendment: &Amendment, context: &Context) -> Result<(), Failure> {
    if ids.is_empty() {
        return Ok(());
    }
    let memories = load(context)?;
    // All are found before the first is changed.
    let mut wanted: Vec<&Scoped> = Vec::new();
    for id in ids {
        wanted.push(scopes::find(&memories, id)?);
    }
    let mut layouts: Vec<&Layout> = Vec::new();
    for scoped in &wanted {
        if !layouts.contains(&&scoped.layout) {
            layouts.push(&scoped.layout);
        }
    }
    for layout in layouts {
        let mut desk = desk::open(context, layout.clone())?;
        let here: Vec<&Scoped> = wanted
            .iter()
            .filter(|scoped| scoped.layout == *layout)
            .copied()
            .collect();
        report(&mut desk, &here, amendment, context)?;
    }
    Ok(())
}

fn report(
    desk: &mut Desk,
    wanted: &[&Scoped],
    amendment: &Amendment,
    context: &Context,
) -> Result<(), Failure> {
    for scoped in wanted {
        let amended = desk.amend(&scoped.memory.id, amendment)?;
        if context.json {
            json(&amended);
        } else {
            line(&format!("{} {}", amended.id, amended.path));
            talk(amended.message);
        }
    }
    Ok(())
}

fn sorted(tags: &[String]) -> Vec<String> {
    let mut tags: Vec<String> = tags.iter().map(|tag| tag.trim().to_owned()).collect();
    tags.sort();
    tags.dedup();
    tags
}

/// Most that is read from stdin.
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

/// Lets a person change the text, in a file of its own outside memory.
fn in_editor(memory: &Memory, context: &Context) -> Result<String, Failure> {
    let editor = ["VISUAL", "EDITOR"]
        .iter()
        .find_map(|name| context.environment.get(*name))
        .filter(|editor| !editor.trim().is_empty());
    let Some(editor) = editor else {
        return Err(
            Failure::new(Kind::Usage, "nothing to change is given").hint(
                "give `--title`, `--body`, `--kind`, `--tag` or `--confidence`, or set `EDITOR`",
            ),
        );
    };
    let faults = acreta_fs::NoFaults::shared();
    let scratch = acreta_fs::Directory::open_or_create_private(&context.home.scratch(), faults)?;
    let folder = acreta_fs::scratch(&scratch, "edit")?;
    let directory = acreta_fs::Directory::open(folder.path(), acreta_fs::NoFaults::shared())?;
    let name = memory.path.file_name().unwrap_or("memory.md");
    directory.append(name, memory.text.as_bytes())?;
    let mut words = editor.split_whitespace();
    let program = words.next().unwrap_or_default();
    let status = Command::new(program)
        .args(words)
        .arg(folder.path().join(name))
        .status()
        .map_err(|error| {
            Failure::saying(format!("`{editor}` cannot be started: {error}"))
                .hint("`EDITOR` names the editor")
        })?;
    if !status.success() {
        return Err(Failure::saying(format!(
            "`{editor}` ended with {status}; nothing is changed"
        )));
    }
    Ok(directory.read_to_string(name, acreta_store::MEMORY_BYTES)?)
}
