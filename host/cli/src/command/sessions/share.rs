//! `acreta sessions export|resume|handoff`, and the session of a commit.

use std::io::IsTerminal;
use std::process::Command;

use acreta_service::sessions::{
    self, AgentCommand, CommitSession, ExportFormat, ExportedSession, KnownFrom, PromptRange,
    SessionExport,
};
use acreta_service::{Failure, Kind};
use serde_json::json as value;

use super::{ONE_LINE, one_line};
use crate::args::{
    ExportSessionArguments, HandoffArguments, ResumeSessionArguments, SessionExportFormat,
};
use crate::context::Context;
use crate::output::{VisibleWriter, count, json, line, raw, talk, warn};

/// Number of removed words of a kind that a preview lists.
const VALUES: usize = 20;

pub(super) fn export(arguments: &ExportSessionArguments, context: &Context) -> Result<(), Failure> {
    let request = SessionExport {
        id: arguments.id.clone(),
        format: match arguments.format {
            SessionExportFormat::Original => ExportFormat::Original,
            SessionExportFormat::Jsonl => ExportFormat::Jsonl,
            SessionExportFormat::Html => ExportFormat::Html,
            SessionExportFormat::Markdown => ExportFormat::Markdown,
        },
        output: arguments.output.clone(),
        range: PromptRange {
            from: arguments.from.clone(),
            to: arguments.to.clone(),
        },
        anonymous: arguments.anonymous.as_deref().map(|answer| answer == "yes"),
        hide: arguments.hide.clone(),
        preview: arguments.preview,
    };
    let out = std::io::stdout().lock();
    let exported = match out.is_terminal() && !context.json {
        true => sessions::export(&request, &mut VisibleWriter::new(out), context)?,
        false => sessions::export(&request, &mut { out }, context)?,
    };
    if context.json && (request.preview || exported.output.is_some()) {
        json(&exported);
        return Ok(());
    }
    if request.preview {
        preview(&exported);
        return Ok(());
    }
    if let Some(taken) = exported
        .taken_out
        .as_ref()
        .filter(|taken| !taken.is_empty())
    {
        let kinds = taken
            .iter()
            .map(|(name, kind)| format!("{name} {}", kind.times));
        let kinds: Vec<String> = kinds.collect();
        talk(&format!(
            "removed: {}; `--preview` lists them",
            kinds.join(", ")
        ));
    }
    let Some(file) = &exported.output else {
        return Ok(());
    };
    talk(&format!(
        "{}/{} written to {file}",
        exported.agent, exported.id
    ));
    if let Some(command) = &exported.resume {
        talk(&format!(
            "put it back as {} and resume it with `{command}`",
            exported.original_file
        ));
    }
    Ok(())
}

fn preview(exported: &ExportedSession) {
    let Some(taken) = &exported.taken_out else {
        talk(
            "nothing is removed beyond what the archive is without; `--anonymous yes` removes names",
        );
        return;
    };
    for (name, kind) in taken.iter() {
        line(&format!("{name}  {}", count(kind.times, "time", "times")));
        for (value, times) in kind.values.iter().take(VALUES) {
            line(&format!("  {times:>5}  {}", one_line(value, ONE_LINE)));
        }
        let more = kind.values.len().saturating_sub(VALUES);
        if more > 0 {
            line(&format!("         and {more} more"));
        }
    }
    talk(match taken.is_empty() {
        true => "nothing would be removed; nothing was written",
        false => "this would be removed; nothing was written",
    });
}

pub(super) fn resume(arguments: &ResumeSessionArguments, context: &Context) -> Result<(), Failure> {
    let resumption = sessions::resume(&arguments.id, !(arguments.print || context.json), context)?;
    if context.json {
        json(&resumption);
    } else if arguments.print {
        line(&resumption.command.to_string());
    }
    let file = &resumption.file;
    if resumption.is_restored {
        talk(&format!(
            "{file} was deleted by its agent and is put back, as it was archived: without secrets"
        ));
    } else if resumption.is_file_missing {
        talk(&format!(
            "{file} was deleted by its agent; without `--print` it is put back first"
        ));
    }
    tell_source(&resumption.command);
    match arguments.print || context.json {
        true => Ok(()),
        false => start(&resumption.command),
    }
}

pub(super) fn handoff(arguments: &HandoffArguments, context: &Context) -> Result<(), Failure> {
    let handoff = sessions::handoff(&arguments.id, arguments.to.as_deref(), context)?;
    if context.json {
        json(&handoff);
        return Ok(());
    }
    let Some(command) = &handoff.command else {
        raw(&handoff.text);
        return Ok(());
    };
    tell_source(command);
    if arguments.print {
        raw(&format!("{command}\n"));
        return Ok(());
    }
    start(command)
}

fn tell_source(command: &AgentCommand) {
    if let Some(note) = command.note {
        talk(note);
    }
    if command.known_from == KnownFrom::Documentation {
        warn(&format!(
            "`{}` was not tried: the command is as its documentation has it",
            command.program
        ));
    }
}

/// Runs an agent in place of this command, at the same terminal.
fn start(command: &AgentCommand) -> Result<(), Failure> {
    let mut process = Command::new(&command.program);
    process.args(&command.arguments);
    if let Some(directory) = &command.directory {
        process.current_dir(directory);
        talk(&format!("starting {} in {directory}", command.program));
    }
    let status = process.status().map_err(|error| {
        let message = format!("`{}` cannot be started: {error}", command.program);
        Failure::new(Kind::Missing, message)
            .hint("install it, or use `--print` and run the command where it is")
    })?;
    match status.success() {
        true => Ok(()),
        false => Err(Failure::saying(format!(
            "`{}` ended with {status}",
            command.program
        ))),
    }
}

/// Returns the session of a commit, if there is just one and it can be shown; otherwise lists them.
pub(super) fn only_session<'a>(found: &'a [CommitSession], context: &Context) -> Option<&'a str> {
    let mut here = found.iter().filter(|session| session.is_here);
    if let (Some(session), None, 1) = (here.next(), here.next(), found.len()) {
        return Some(&session.session);
    }
    if context.json {
        json(&value!({ "sessions": found }));
        return None;
    }
    for session in found {
        let how = match (session.is_named, session.is_here) {
            (true, true) => "named by the commit",
            (true, false) => "named by the commit; not on this machine",
            (false, _) => "git printed the commit in it",
        };
        line(&format!("{}  {how}", session.session));
    }
    None
}
