//! `acreta sessions list|search|forget|cures`; `show` has a file of its own, `files`, `blame` and `how` are in `trail`, `export`,
//! `resume` and `handoff` in `share`.

mod share;
mod show;
mod trail;

use acreta_service::sessions::{self, SessionListRequest, SessionRow, SessionSearch};
use acreta_service::{Failure, process::clock, recall::cures};
use serde_json::json as value;

use crate::args::{
    ForgetSessionArguments, ListSessionsArguments, SearchSessionsArguments, SessionsCommand,
    WhichSessions,
};
use crate::command::memory::print_purged;
use crate::consent::{Preset, agrees};
use crate::context::Context;
use crate::output::{count, json, line, table, talk, warn};

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
        SessionsCommand::Export(arguments) => share::export(arguments, context),
        SessionsCommand::Resume(arguments) => share::resume(arguments, context),
        SessionsCommand::Handoff(arguments) => share::handoff(arguments, context),
        SessionsCommand::Forget(arguments) => forget(arguments, context),
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
    if found.left_out > 0 {
        report.push_str(&format!(
            "; {} left out, since the index is full (`sessions.index_mb`)",
            count(found.left_out, "older session is", "older sessions are")
        ));
    }
    talk(&report);
    Ok(())
}

fn forget(arguments: &ForgetSessionArguments, context: &Context) -> Result<(), Failure> {
    if !arguments.yes {
        let forgotten = sessions::forget(&arguments.id, true, context)?;
        if context.json {
            json(
                &value!({ "session": forgotten.session, "known": forgotten.is_known, "purged": forgotten.purged }),
            );
            return Ok(());
        }
        print_purged(&forgotten.purged);
        if !agrees(&format!("forget {}?", forgotten.session), Preset::No, false)? {
            talk("nothing was changed");
            return Ok(());
        }
    }
    let forgotten = sessions::forget(&arguments.id, false, context)?;
    if context.json {
        json(
            &value!({ "session": forgotten.session, "known": forgotten.is_known, "purged": forgotten.purged }),
        );
        return Ok(());
    }
    print_purged(&forgotten.purged);
    talk(&match forgotten.is_known {
        true => format!(
            "{} is forgotten, and will not be read again",
            forgotten.session
        ),
        false => format!(
            "acreta has nothing of {}, and will not read it",
            forgotten.session
        ),
    });
    Ok(())
}

fn key(session: &SessionRow) -> String {
    format!("{}/{}", session.agent, session.id)
}
