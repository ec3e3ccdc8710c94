//! `acreta sessions list|search|export|cures`; `show` and `trail` have
//! files of their own.

mod show;
mod trail;

use std::io::IsTerminal;

use acreta_service::sessions::{
    self, ExportFormat, SessionExport, SessionListRequest, SessionRow, SessionSearch,
};
use acreta_service::{Failure, process::clock, recall::cures};
use serde_json::json as value;

use crate::args::{
    ExportSessionArguments, ListSessionsArguments, SearchSessionsArguments, SessionExportFormat,
    SessionsCommand, WhichSessions,
};
use crate::context::Context;
use crate::output::{VisibleWriter, count, json, line, table, talk, warn};

/// Maximum characters of a title in the list, and of one line of a tool call.
const TITLE: usize = 60;
const ONE_LINE: usize = 120;

pub(crate) fn run(command: &SessionsCommand, context: &Context) -> Result<(), Failure> {
    match command {
        SessionsCommand::List(arguments) => list(arguments, context),
        SessionsCommand::Show(arguments) => show::show(arguments, context),
        SessionsCommand::Search(arguments) => search(arguments, context),
        SessionsCommand::Files(arguments) => trail::files(arguments, context),
        SessionsCommand::Blame(arguments) => trail::blame(arguments, context),
        SessionsCommand::How(arguments) => trail::how(arguments, context),
        SessionsCommand::Export(arguments) => export(arguments, context),
        SessionsCommand::Cures => list_cures(context),
    }
}

fn list_cures(context: &Context) -> Result<(), Failure> {
    let known = cures::list(context)?;
    if context.json {
        json(&value!({ "cures": known }));
        return Ok(());
    }
    if known.is_empty() {
        talk("no cure is known in this project; `acreta sync` collects them from sessions");
        return Ok(());
    }
    for known in &known {
        let cure = &known.cure;
        let mark = if known.is_offered { "" } else { "  (once)" };
        line(&format!(
            "failed    {}{mark}",
            one_line(&cure.failed, ONE_LINE)
        ));
        for command in &cure.commands {
            line(&format!("cured by  {}", one_line(command, ONE_LINE)));
        }
        let when = cure.at_ms.map(clock::shown).unwrap_or_default();
        line(&format!(
            "          {}, last in {} {when}\n",
            count(cure.times, "time", "times"),
            cure.session
        ));
    }
    Ok(())
}

fn project(which: &WhichSessions, context: &Context) -> Option<camino::Utf8PathBuf> {
    (!which.all_projects).then(|| context.project.clone())
}

fn list(arguments: &ListSessionsArguments, context: &Context) -> Result<(), Failure> {
    let which = &arguments.which;
    let request = SessionListRequest {
        agent: which.agent.clone(),
        project: project(which, context),
        since: which.since.clone(),
        until: which.until.clone(),
        text: arguments.text.clone(),
        limit: arguments.limit,
        recovered: true,
        ..SessionListRequest::default()
    };
    let listed = sessions::list(&request, context)?;
    if context.json {
        json(&listed);
        return Ok(());
    }
    if listed.sessions.is_empty() {
        talk(match which.all_projects {
            true => "no matching session; `acreta sync` finds those of your agents",
            false => "no matching session in this project; `--all-projects` includes all projects",
        });
        return Ok(());
    }
    let mut head = vec!["session", "changed", "copy"];
    if which.all_projects {
        head.push("project");
    }
    head.push("title");
    let mut rows = vec![head.into_iter().map(str::to_owned).collect::<Vec<_>>()];
    rows.extend(listed.sessions.iter().map(|session| {
        let mut cells = vec![
            key(session),
            session.updated_ms.map(clock::shown).unwrap_or_default(),
            session.copy.name().to_owned(),
        ];
        if which.all_projects {
            cells.push(session.project.clone().unwrap_or_default());
        }
        let title = session.title.as_deref().unwrap_or_default();
        cells.push(match session.relation {
            Some(relation) => format!("({relation}) {}", one_line(title, TITLE)),
            None => one_line(title, TITLE),
        });
        cells
    }));
    table(&rows);
    let more = listed.total.saturating_sub(listed.sessions.len() as u64);
    if more > 0 {
        talk(&format!("and {more} more; `--limit N` shows more"));
    }
    Ok(())
}

fn one_line(text: &str, characters: usize) -> String {
    let start: String = text.chars().take(characters * 8).collect();
    let words: Vec<&str> = start.split_whitespace().collect();
    let joined = words.join(" ");
    match joined.char_indices().nth(characters) {
        Some((at, _)) => format!("{}…", &joined[..at]),
        None => joined,
    }
}

fn search(arguments: &SearchSessionsArguments, context: &Context) -> Result<(), Failure> {
    let which = &arguments.which;
    let text = arguments.text.join(" ");
    // Who names a project means that one.
    let names_project = text
        .split_whitespace()
        .any(|word| word.starts_with("project:"));
    let request = SessionSearch {
        text,
        agent: which.agent.clone(),
        project: project(which, context).filter(|_| !names_project),
        since: which.since.clone(),
        until: which.until.clone(),
        limit: arguments.limit,
        newest: arguments.newest,
        patience: None,
    };
    let found = sessions::search(&request, context)?;
    if context.json {
        json(&found);
        return Ok(());
    }
    for session in &found.unreadable {
        warn(&format!(
            "{}/{}: {}",
            session.agent, session.session, session.cause
        ));
    }
    let mut last = String::new();
    for hit in &found.hits {
        let session = format!("{}/{}", hit.agent, hit.session);
        if session != last {
            let title = hit.title.as_deref().unwrap_or_default();
            line(format!("{session}  {}", one_line(title, TITLE)).trim_end());
            last = session;
        }
        let time = hit.at_ms.map(clock::shown).unwrap_or_default();
        let who = one_line(hit.tool.as_deref().unwrap_or(&hit.role), TITLE);
        line(&format!(
            "  {time}  {}  {who}: {}",
            one_line(&hit.event, TITLE),
            hit.snippet
        ));
    }
    let all = count(found.searched, "session", "sessions");
    let mut report = match (found.hits.is_empty(), which.all_projects) {
        (true, true) => format!("nothing found in {all}"),
        (true, false) => "nothing found in this project; `--all-projects` searches all".to_owned(),
        (false, _) => {
            format!("searched {all}; `acreta sessions show ID --around EVENT` shows a place")
        }
    };
    if found.left > 0 {
        report.push_str(&format!(
            "; {} not indexed yet, as another process is doing so",
            found.left
        ));
    }
    talk(&report);
    Ok(())
}

fn export(arguments: &ExportSessionArguments, context: &Context) -> Result<(), Failure> {
    let request = SessionExport {
        id: arguments.id.clone(),
        format: match arguments.format {
            SessionExportFormat::Original => ExportFormat::Original,
            SessionExportFormat::Jsonl => ExportFormat::Jsonl,
        },
        output: arguments.output.clone(),
    };
    let out = std::io::stdout().lock();
    let exported = match out.is_terminal() && !context.json {
        true => sessions::export(&request, &mut VisibleWriter::new(out), context)?,
        false => sessions::export(&request, &mut { out }, context)?,
    };
    let Some(file) = &exported.output else {
        return Ok(());
    };
    if context.json {
        json(&exported);
        return Ok(());
    }
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

fn key(session: &SessionRow) -> String {
    format!("{}/{}", session.agent, session.id)
}
