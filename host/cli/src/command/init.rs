//! `acreta init`: connects the agents on this machine, and takes that back.

use acreta_agents::{
    Agent, ApplyError, Detected, Machine, Plan, Platform, ReadOnly, Receipt, Setup, Undone, apply,
    detect, plan, read_only, undo,
};
use acreta_fs::NoFaults;
use acreta_service::clock::now_ms;
use acreta_service::{Failure, Kind, clock, projects};
use acreta_store::{Marker, project_root_outside};
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::json as value;

use crate::args::InitArguments;
use crate::consent::{Preset, agrees};
use crate::context::Context;
use crate::output::{count, json, line, talk, warn};

pub(crate) fn run(arguments: &InitArguments, context: &Context) -> Result<(), Failure> {
    if arguments.undo {
        return take_back(context);
    }
    let machine = machine(context)?;
    let found = detect(&machine);
    let readable = read_only(&machine);
    let agents = wanted(&arguments.agents, &found)?;
    let project = project(context);
    let binary = super::serve::program()?;
    let plan = plan(&Setup {
        machine: &machine,
        project: project.as_deref(),
        binary: &binary,
        agents: &agents,
    });
    if !context.json {
        show(&plan, &agents);
        for found in &readable {
            let name = found.name;
            talk(&format!(
                "{name}: found; cannot be connected; sessions are read"
            ));
        }
    }
    let writes = !arguments.dry_run && !plan.is_empty();
    let files = count(plan.changes.len() as u64, "file", "files");
    let agreed = writes && agrees(&format!("write {files}?"), Preset::Yes, arguments.yes)?;
    let backup = match agreed {
        true => Some(write(&plan, context)?),
        false => None,
    };
    // Also when every file is as it should be: the project may be new.
    let takes_in = !arguments.dry_run && (agreed || plan.is_empty());
    let taken_in = match project.filter(|_| takes_in) {
        Some(project) => take_in(&project, context)?,
        None => None,
    };
    if context.json {
        json(&as_json(
            &found,
            &readable,
            &plan,
            arguments.dry_run,
            backup.as_deref(),
        ));
    } else {
        conclude(&plan, arguments, agreed, backup.as_deref());
        if let Some(project) = &taken_in {
            talk(&format!(
                "{project} is taken in: its sessions become memory"
            ));
        }
    }
    if !arguments.dry_run && (takes_in || arguments.model.is_some()) {
        let may_ask = !arguments.yes && !context.json;
        super::model::ask(arguments.model.as_deref(), may_ask, context)?;
    }
    match plan.problems.len() {
        0 => Ok(()),
        problems => Err(Failure::new(
            Kind::Partial,
            format!(
                "{} left alone",
                count(problems as u64, "file was", "files were")
            ),
        )
        .hint("mend them, and run `acreta init` again")),
    }
}

fn machine(context: &Context) -> Result<Machine, Failure> {
    let Some(home) = context.home.user() else {
        let message = "the home folder is not known: no agent's settings can be found";
        return Err(Failure::saying(message).hint("set `HOME`"));
    };
    Ok(Machine {
        home: home.to_owned(),
        variables: context.environment.clone().into_iter().collect(),
        platform: Platform::current(),
    })
}

fn wanted(names: &[String], found: &[Detected]) -> Result<Vec<Agent>, Failure> {
    if names.is_empty() {
        let agents: Vec<Agent> = found.iter().map(|found| found.agent).collect();
        if agents.is_empty() {
            return Err(
                Failure::saying("no agent was found on this machine").hint(format!(
                    "acreta connects {}; `--agents NAME` connects one that was not found",
                    known()
                )),
            );
        }
        return Ok(agents);
    }
    let of = |name: &String| {
        Agent::of_id(name.trim()).ok_or_else(|| {
            let message = format!("`init` does not know the agent `{name}`");
            Failure::new(Kind::Usage, message).hint(format!("it knows {}", known()))
        })
    };
    names.iter().map(of).collect()
}

fn known() -> String {
    Agent::ALL.map(Agent::id).join(", ")
}

/// The repository a person is in, if it is one.
fn project(context: &Context) -> Option<Utf8PathBuf> {
    let root = project_root_outside(&context.project, context.home.folder());
    let is_home = context.home.user() == Some(root.path.as_path());
    (root.marker != Marker::Nothing && !is_home).then_some(root.path)
}

fn show(plan: &Plan, agents: &[Agent]) {
    let names: Vec<&str> = agents.iter().map(|agent| agent.name()).collect();
    talk(&format!("agents: {}", names.join(", ")));
    for text in plan.diff().lines() {
        line(text);
    }
    for kept in &plan.kept {
        warn(&format!(
            "{} has its own {}; it stays as it is",
            kept.path, kept.what
        ));
    }
    for problem in &plan.problems {
        warn(&format!("left alone: {problem}"));
    }
}

/// Where copies and receipts lie, one folder for each time.
fn backups(context: &Context) -> Utf8PathBuf {
    context.home.folder().join("connected")
}

fn write(plan: &Plan, context: &Context) -> Result<Utf8PathBuf, Failure> {
    let folder = backups(context).join(format!("{}", now_ms()));
    match apply(plan, &folder, NoFaults::shared()) {
        Ok(_) => Ok(folder),
        Err(error) => {
            let hint = error.hint();
            let kind = match &error {
                ApplyError::Partial { .. } => Kind::Partial,
                _ => Kind::Failure,
            };
            let mut failure = Failure::from_error(&error);
            failure.kind = kind;
            failure.hints.extend(hint.map(str::to_owned));
            Err(failure)
        }
    }
}

/// The project, if it was not taken in before.
fn take_in(project: &Utf8Path, context: &Context) -> Result<Option<Utf8PathBuf>, Failure> {
    let (project, is_new) = projects::add(context, project)?;
    Ok(is_new.then_some(project.root))
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
        talk("nothing is changed");
    }
    if let Some(backup) = backup {
        talk(&format!(
            "{files} written; copies of what was there are in {backup}, and `acreta init --undo` puts them back"
        ));
    }
    if agreed || plan.is_empty() {
        for note in &plan.notes {
            line(&format!("{}: {}", note.agent.name(), note.text));
        }
    }
}

fn as_json(
    found: &[Detected],
    readable: &[ReadOnly],
    plan: &Plan,
    dry_run: bool,
    backup: Option<&Utf8Path>,
) -> serde_json::Value {
    let found: Vec<_> = found
        .iter()
        .map(|found| value!({ "agent": found.agent.id(), "name": found.agent.name() }))
        .collect();
    let changes: Vec<_> = plan
        .changes
        .iter()
        .map(|change| {
            let agents: Vec<&str> = change.agents.iter().map(|agent| agent.id()).collect();
            value!({
                "path": change.path,
                "what": change.what,
                "agents": agents,
                "new": change.before.is_none(),
            })
        })
        .collect();
    let kept: Vec<_> = plan
        .kept
        .iter()
        .map(|kept| value!({ "path": kept.path, "what": kept.what }))
        .collect();
    let notes: Vec<_> = plan
        .notes
        .iter()
        .map(|note| value!({ "agent": note.agent.id(), "text": note.text }))
        .collect();
    let problems: Vec<String> = plan.problems.iter().map(ToString::to_string).collect();
    let readable: Vec<&str> = readable.iter().map(|found| found.name).collect();
    value!({
        "found": found,
        "read_only": readable,
        "changes": changes,
        "kept": kept,
        "problems": problems,
        "notes": notes,
        "dry_run": dry_run,
        "backup": backup,
    })
}

/// Undoes every `init`, the latest first.
fn take_back(context: &Context) -> Result<(), Failure> {
    let folder = backups(context);
    let mut times: Vec<String> = match folder.read_dir_utf8() {
        Ok(entries) => entries
            .flatten()
            .map(|entry| entry.file_name().to_owned())
            .filter(|name| name.parse::<u64>().is_ok())
            .collect(),
        Err(_) => Vec::new(),
    };
    if times.is_empty() {
        talk("nothing to take back: `acreta init` wrote nothing");
        return Ok(());
    }
    times.sort_by_key(|name| std::cmp::Reverse(name.parse::<u64>().unwrap_or(0)));
    let directory = acreta_fs::Directory::open(&folder, NoFaults::shared())?;
    let mut refused = 0;
    for time in &times {
        let receipt =
            Receipt::read(&folder.join(time)).map_err(|error| Failure::from_error(&error))?;
        let undone = undo(&receipt, NoFaults::shared());
        tell(&undone, time, context);
        refused += undone.refused.len();
        if undone.is_complete() {
            directory.remove_dir_all(time)?;
        }
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
        .hint(format!("copies of what was there are in {folder}"))),
    }
}

fn tell(undone: &Undone, time: &str, context: &Context) {
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
    let when = time.parse().map(clock::shown).unwrap_or_default();
    talk(&format!("what `init` wrote at {when} UTC is taken back"));
}
