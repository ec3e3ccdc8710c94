//! `acreta project add|list|remove|trust`.

use acreta_service::clock::now_ms;
use acreta_service::{Failure, projects, scopes};
use acreta_store::Layout;
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::json as value;

use crate::args::ProjectCommand;
use crate::context::Context;
use crate::output::{json, table, talk};

pub(crate) fn run(command: &ProjectCommand, context: &Context) -> Result<(), Failure> {
    match command {
        ProjectCommand::Add { folder, also } => add(context, folder.as_deref(), also),
        ProjectCommand::List => list(context),
        ProjectCommand::Remove { folder } => remove(context, folder.as_deref()),
        ProjectCommand::Trust { undo } => trust(context, *undo),
    }
}

fn add(context: &Context, folder: Option<&Utf8Path>, also: &[Utf8PathBuf]) -> Result<(), Failure> {
    let root = projects::root_of(context, folder)?;
    let (project, _) = projects::add(context, &root)?;
    for path in also {
        scopes::open_catalog(context)?.add_former_path(project.id, path)?;
        let former = Layout::for_project(path).with_words_in(&context.home.words());
        acreta_store::move_words(&former, &context.layout(&root))?;
    }
    talk(&format!(
        "{root} is registered: its memory is read, and `acreta sync` learns from its sessions"
    ));
    Ok(())
}

fn list(context: &Context) -> Result<(), Failure> {
    let catalog = scopes::open_catalog(context)?;
    let projects = catalog.projects()?;
    let waiting = catalog.waiting()?;
    if context.json {
        let projects: Vec<_> = projects
            .iter()
            .map(|project| {
                value!({
                    "root": project.root,
                    "registered": project.registered,
                    "exists": project.root.is_dir(),
                    "root_commit": project.identity.root_commit,
                    "remote": project.identity.remote,
                })
            })
            .collect();
        let waiting: Vec<_> = waiting
            .iter()
            .map(|waiting| value!({ "project": waiting.place, "sessions": waiting.sessions }))
            .collect();
        json(&value!({ "projects": projects, "waiting": waiting }));
        return Ok(());
    }
    let mut rows = vec![
        ["project", "taken in", "waiting"]
            .map(str::to_owned)
            .to_vec(),
    ];
    for project in &projects {
        let line = waiting
            .iter()
            .find(|line| line.place.as_ref() == Some(&project.root));
        rows.push(vec![
            project.root.to_string(),
            if project.registered { "yes" } else { "no" }.to_owned(),
            line.map_or(0, |line| line.sessions).to_string(),
        ]);
    }
    for line in &waiting {
        let place = line.place.as_ref();
        let is_listed = projects.iter().any(|project| Some(&project.root) == place);
        if !is_listed {
            let place = place.map_or("no project", |place| place.as_str());
            rows.push(vec![
                place.to_owned(),
                "no".to_owned(),
                line.sessions.to_string(),
            ]);
        }
    }
    table(&rows);
    Ok(())
}

fn remove(context: &Context, folder: Option<&Utf8Path>) -> Result<(), Failure> {
    let catalog = scopes::open_catalog(context)?;
    // One that is gone from disk can be left out, too.
    let root = match folder {
        Some(folder) if !folder.is_dir() => folder.to_owned(),
        folder => projects::root_of(context, folder)?,
    };
    match catalog.unregister(&root, now_ms())? {
        Some(project) => {
            let layout = Layout::for_project(&project.root);
            catalog.purge_pending_of(layout.base().as_str())?;
            talk(&format!(
                "{} is left out from now on; its memory stays as it is",
                project.root
            ));
            Ok(())
        }
        None => Err(Failure::saying(format!("`{root}` is no known project"))
            .hint("`acreta project list` shows them")),
    }
}

fn trust(context: &Context, undo: bool) -> Result<(), Failure> {
    let mut trust = context.trust.clone();
    let project = &context.project;
    let message = if undo {
        match trust.revoke(project)? {
            true => format!("{project} is no longer trusted"),
            false => format!("{project} was not trusted"),
        }
    } else {
        match trust.trust(project)? {
            true => {
                format!("{project} is trusted: its config may now choose plugins and shape memory")
            }
            false => format!("{project} is trusted already"),
        }
    };
    talk(&message);
    Ok(())
}
