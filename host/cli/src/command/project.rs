//! `acreta project add|list|remove|trust`.

use acreta_service::{Failure, projects::registry};
use camino::{Utf8Path, Utf8PathBuf};

use crate::args::ProjectCommand;
use crate::context::Context;
use crate::output::{json, table, talk, warn};

pub(crate) fn run(command: &ProjectCommand, context: &Context) -> Result<(), Failure> {
    match command {
        ProjectCommand::Add { folder, also } => add(context, folder.as_deref(), also),
        ProjectCommand::List => list(context),
        ProjectCommand::Remove { folder } => {
            let root = registry::remove(context, folder.as_deref())?;
            talk(&format!(
                "{root} is no longer registered; its memory stays as it is"
            ));
            Ok(())
        }
        ProjectCommand::Trust { undo } => trust(context, *undo),
    }
}

fn add(context: &Context, folder: Option<&Utf8Path>, also: &[Utf8PathBuf]) -> Result<(), Failure> {
    let root = registry::root_of(context, folder)?;
    let (project, _) = registry::add(context, &root)?;
    registry::add_former_paths(context, &project, also)?;
    talk(&format!(
        "{root} is registered: its memory is read, and `acreta sync` learns from its sessions"
    ));
    if let Some(shipped) = registry::shipped(context, &root)? {
        warn(&shipped);
    }
    Ok(())
}

fn list(context: &Context) -> Result<(), Failure> {
    let known = registry::list(context)?;
    if context.json {
        json(&known);
        return Ok(());
    }
    let mut rows = vec![
        ["project", "taken in", "waiting"]
            .map(str::to_owned)
            .to_vec(),
    ];
    for project in &known.projects {
        let lines = known.waiting.iter();
        let lines = lines.filter(|line| line.project.as_ref() == Some(&project.root));
        rows.push(vec![
            project.root.to_string(),
            if project.registered { "yes" } else { "no" }.to_owned(),
            lines.map(|line| line.sessions).sum::<u64>().to_string(),
        ]);
    }
    for line in &known.waiting {
        let place = line.project.as_ref();
        let mut listed = known.projects.iter();
        if !listed.any(|project| Some(&project.root) == place) {
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

fn trust(context: &Context, undo: bool) -> Result<(), Failure> {
    let project = &context.project;
    talk(&match (undo, registry::trust(context, !undo)?) {
        (true, true) => format!("{project} is no longer trusted"),
        (true, false) => format!("{project} was not trusted"),
        (false, true) => {
            format!("{project} is trusted: its config may now choose plugins and shape memory")
        }
        (false, false) => format!("{project} is trusted already"),
    });
    Ok(())
}
