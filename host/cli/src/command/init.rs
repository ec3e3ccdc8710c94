//! `acreta init`: connects the agents on this machine, and undoes that.

use acreta_service::connect::init::{
    self, ConnectionPlan, ConnectionReport, ConnectionRequest, Plan, TakenBack,
};
use acreta_service::{Failure, Kind, process::clock, projects::configure, projects::registry};
use camino::Utf8Path;
use serde_json::json as value;

use crate::args::InitArguments;
use crate::consent::{Preset, agrees, agrees_or_shows, is_terminal};
use crate::context::Context;
use crate::output::{count, json, line, talk, warn};

pub(crate) fn run(arguments: &InitArguments, context: &Context) -> Result<(), Failure> {
    if arguments.undo {
        return take_back(context);
    }
    let asks = is_terminal() && !arguments.yes && !arguments.dry_run;
    let notes = arguments.notes.as_deref().map(|answer| answer == "yes");
    let notes = notes.or_else(|| init::may_note(context));
    let notes = notes.or_else(|| (!asks || context.json).then_some(true));
    let program = super::serve::program()?;
    let may_note = notes.unwrap_or(false);
    let mut request = ConnectionRequest {
        names: &arguments.agents,
        program: &program,
        notes: may_note,
        commits: arguments.commits,
        plugins: arguments.plugins.as_deref().map(|answer| answer == "yes"),
    };
    let mut connection = init::plan(&request, context)?;
    if asks && !context.json && request.plugins.is_none() && connection.adds_slow_plugin() {
        request.plugins = Some(ask_for_plugins()?);
        connection = init::plan(&request, context)?;
    }
    let plan = &connection.plan;
    if !context.json {
        show(&connection, asks);
        for name in &connection.read_only {
            talk(&format!(
                "{name}: found; add the MCP server `acreta mcp` to its YAML settings yourself; sessions are read"
            ));
        }
    }
    let writes = !arguments.dry_run && !plan.is_empty();
    let files = count(plan.changes.len() as u64, "file", "files");
    let agreed = writes
        && agrees_or_shows(
            &format!("write {files}?"),
            Preset::Yes,
            arguments.yes,
            &|| show_diff(plan),
        )?;
    let backup = match agreed {
        true => Some(init::write(plan, context)?),
        false => None,
    };
    // Also if no file changes: the project may be new.
    let takes_in = !arguments.dry_run && (agreed || plan.is_empty());
    let is_new = match connection.project.as_deref().filter(|_| takes_in) {
        Some(project) => init::register(project, context)?,
        None => false,
    };
    if context.json {
        json(&ConnectionReport::new(
            &connection,
            arguments.dry_run,
            backup,
        ));
    } else {
        conclude(plan, arguments, agreed, backup.as_deref());
        if let Some(project) = connection.project.as_ref().filter(|_| is_new) {
            talk(&format!(
                "{project} is registered: its sessions become memory"
            ));
            if let Some(shipped) = registry::shipped(context, project)? {
                warn(&shipped);
            }
        }
    }
    if arguments.notes.is_some() && !arguments.dry_run {
        allow_notes(may_note, context)?;
    }
    let mut chosen = Ok(());
    if !arguments.dry_run && (takes_in || arguments.model.is_some()) {
        let may_ask = !arguments.yes && !context.json;
        chosen = super::model::ask(arguments.model.as_deref(), may_ask, context);
        if notes.is_none() && ask_for_notes(context)? {
            request.notes = true;
            let connection = init::plan(&request, context)?;
            if !connection.plan.is_empty() {
                init::write(&connection.plan, context)?;
            }
        }
        if may_ask {
            super::embed::offer(context);
        }
    }
    match plan.problems.len() {
        0 => chosen,
        problems => Err(Failure::new(
            Kind::Partial,
            format!(
                "{} left alone",
                count(problems as u64, "file was", "files were")
            ),
        )
        .hint("fix them, and run `acreta init` again")),
    }
}

/// Asks whether OpenCode and its forks get a plugin.
fn ask_for_plugins() -> Result<bool, Failure> {
    talk(
        "OpenCode and Kilo Code get what memory knows by a plugin: a brief, and what bears on prompts,",
    );
    talk(
        "edits and failed commands. Their first start with any plugin takes about a minute, in which",
    );
    talk("they install a library of 60 MB from npm. Without it they have acreta's tools, and");
    talk("instructions to use them.");
    agrees("Connect them by a plugin?", Preset::Yes, false)
}

/// Asks whether agents may make notes, and records the answer: it is asked once.
fn ask_for_notes(context: &Context) -> Result<bool, Failure> {
    talk("");
    talk("May your agents note what you say, for later sessions?");
    talk(
        "They quote you, and a note counts once your words in the session prove it. No further model",
    );
    talk(
        "is asked, and nothing leaves this machine. The tool `memory_note` alone needs no permission",
    );
    talk("from then on, in agents that have a list of permissions (Claude Code, Qwen Code).");
    let may_note = agrees("Allow notes?", Preset::Yes, false)?;
    allow_notes(may_note, context)?;
    Ok(may_note)
}

fn allow_notes(may_note: bool, context: &Context) -> Result<(), Failure> {
    configure::set("hooks.notes", &may_note.to_string(), false, context)?;
    Ok(())
}

/// Shows what `init` would do. Before a question the files are enough: the diff is long, and one key away.
fn show(connection: &ConnectionPlan, asks: bool) {
    let plan = &connection.plan;
    let agents = connection.agents.iter();
    let names: Vec<&str> = agents.map(|agent| agent.name()).collect();
    talk(&format!("agents: {}", names.join(", ")));
    match asks {
        true => plan.files().iter().for_each(|file| line(file)),
        false => show_diff(plan),
    }
    for kept in &plan.kept {
        warn(&format!(
            "{} has its own {}, which is left unchanged",
            kept.path, kept.what
        ));
    }
    for problem in &plan.problems {
        warn(&format!("left alone: {problem}"));
    }
    for note in &plan.notes {
        line(&format!("{}: {}", note.agent.name(), note.text));
    }
}

fn show_diff(plan: &Plan) {
    for text in plan.diff().lines() {
        line(text);
    }
}

fn conclude(plan: &Plan, arguments: &InitArguments, agreed: bool, backup: Option<&Utf8Path>) {
    let files = count(plan.changes.len() as u64, "file", "files");
    if plan.is_empty() {
        if plan.problems.is_empty() {
            talk("everything is connected already");
        }
    } else if arguments.dry_run {
        talk(&format!("dry run, nothing changed: {files} would be"));
    } else if !agreed {
        talk("nothing was changed");
    }
    if let Some(backup) = backup {
        talk(&format!(
            "{files} written; copies of the previous files are in {backup}, and `acreta init --undo` restores them"
        ));
    }
}

/// Undoes every `init`, the latest first.
fn take_back(context: &Context) -> Result<(), Failure> {
    let taken = init::take_back(context)?;
    if taken.is_empty() {
        talk("nothing to undo: `acreta init` wrote nothing");
        return Ok(());
    }
    let mut refused = 0;
    for taken in &taken {
        tell(taken, context);
        refused += taken.undone.refused.len();
    }
    match refused {
        0 => Ok(()),
        refused => Err(Failure::new(
            Kind::Partial,
            format!(
                "{} left as it is",
                count(refused as u64, "file was", "files were")
            ),
        )
        .hint(format!(
            "copies of the previous files are in {}",
            init::backups(context)
        ))),
    }
}

fn tell(taken: &TakenBack, context: &Context) {
    let undone = &taken.undone;
    if context.json {
        let refused: Vec<_> = undone
            .refused
            .iter()
            .map(|refusal| value!({ "path": refusal.path, "why": refusal.why.to_string() }))
            .collect();
        return json(&value!({
            "restored": undone.restored,
            "removed": undone.removed,
            "taken_out": undone.taken_out,
            "already": undone.already,
            "refused": refused,
        }));
    }
    for path in &undone.restored {
        line(&format!("restored  {path}"));
    }
    for path in &undone.removed {
        line(&format!("removed   {path}"));
    }
    for path in &undone.taken_out {
        line(&format!("taken out {path}"));
    }
    for refusal in &undone.refused {
        warn(&format!("{}: {}", refusal.path, refusal.why));
    }
    let when = clock::shown(taken.at_ms);
    talk(&format!("what `init` wrote at {when} UTC is undone"));
}
