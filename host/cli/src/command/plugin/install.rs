//! `acreta plugin install|remove|grant|lock`: shows a person what they agree to.

use acreta_service::Failure;
use acreta_service::plugins::install::{self, Abilities, Agreement, InstallPlan, Wish};
use camino::Utf8Path;
use serde_json::json as value;

use crate::args::{GrantArguments, InstallArguments};
use crate::consent::{Preset, agrees};
use crate::context::Context;
use crate::output::{json, line, talk};

pub(super) fn install(arguments: &InstallArguments, context: &Context) -> Result<(), Failure> {
    let plan = install::plan(&arguments.source, context)?;
    if !context.json {
        show(&plan);
    }
    let is_asked = !arguments.yes && !arguments.confirm;
    if !agrees("install it?", Preset::No, !is_asked)? {
        talk("nothing was installed");
        return Ok(());
    }
    let waits = !plan.missing.is_empty() && !arguments.grant;
    let agreement = Agreement {
        // A person who saw the changes and agreed has confirmed them.
        confirms_changes: arguments.confirm || is_asked,
        grants: arguments.grant,
    };
    let installed = install::install(plan, agreement, context)?;
    let compiles = compile_in_background(&installed.id, context);
    if context.json {
        json(&installed);
        return Ok(());
    }
    let id = &installed.id;
    line(&format!(
        "{id} {} sha256:{}",
        installed.version, installed.sha256
    ));
    match waits {
        true => talk(&format!(
            "installed; it has no permissions until `acreta plugin grant {id}`"
        )),
        false => talk("installed"),
    }
    if compiles {
        talk(COMPILING);
    }
    if installed.role == "adapter" {
        speaks_for_none(id);
    }
    Ok(())
}

pub(super) const COMPILING: &str =
    "preparing it in the background (once); a run that needs it earlier waits";

/// Reports whether a plugin is being compiled. One that cannot be is compiled, and named, when it is first used.
pub(super) fn compile_in_background(id: &str, context: &Context) -> bool {
    install::compile_in_background(id, context).unwrap_or_default()
}

pub(super) fn remove(id: &str, yes: bool, context: &Context) -> Result<(), Failure> {
    if !yes {
        talk(&format!(
            "{id}, its grant and the version kept for `rollback` are removed"
        ));
    }
    if !agrees("remove it?", Preset::No, yes)? {
        talk("nothing was removed");
        return Ok(());
    }
    install::remove(id, context)?;
    talk(&format!("{id} and its grant are removed"));
    Ok(())
}

pub(super) fn grant(arguments: &GrantArguments, context: &Context) -> Result<(), Failure> {
    let id = &arguments.id;
    if arguments.revoke {
        install::revoke(id, context)?;
        talk(&format!("the grant of {id} is revoked"));
        return Ok(());
    }
    let wishes = install::wishes(id, context)?;
    if !context.json {
        show_wishes(&wishes);
        for project in &arguments.project {
            line(&format!("speaks for {project}: its sessions become memory"));
        }
    }
    if !agrees("grant it?", Preset::No, arguments.yes)? {
        talk("nothing was granted");
        return Ok(());
    }
    let granted = install::grant(id, &arguments.project, context)?;
    if context.json {
        json(&value!({ "id": id, "granted": granted }));
    } else {
        talk(&format!("{id} is granted what it asks for"));
        if arguments.project.is_empty() && reads_sessions(&granted) {
            speaks_for_none(id);
        }
    }
    Ok(())
}

fn reads_sessions(granted: &Abilities) -> bool {
    granted
        .reads
        .as_object()
        .is_some_and(|reads| !reads.is_empty())
}

fn speaks_for_none(id: &str) {
    talk(&format!(
        "its sessions become memory of the projects that you name: `acreta plugin grant {id} --project DIR`"
    ));
}

pub(super) fn lock(
    wanted: &[String],
    output: Option<&Utf8Path>,
    context: &Context,
) -> Result<(), Failure> {
    let lock = install::lock(wanted, output, context)?;
    for plugin in &lock.plugins {
        line(&format!(
            "{} {} sha256:{}",
            plugin.id, plugin.version, plugin.sha256
        ));
    }
    talk(&format!("{} is written", lock.file));
    Ok(())
}

pub(super) fn show(plan: &InstallPlan) {
    let manifest = &plan.manifest;
    line(&format!(
        "{} {} ({}): {}",
        manifest.id, manifest.version, manifest.role, manifest.description
    ));
    for (name, text) in &plan.inspection.embedded.metadata {
        if !["description", "version"].contains(name) {
            line(&format!("{name:<9} {text}"));
        }
    }
    line(&format!("from      {}", plan.source));
    line(&format!("digest    sha256:{}", plan.digest.hex()));
    line(&format!("signature {}", plan.signature_state()));
    show_wishes(&plan.wishes);
    for change in &plan.changes {
        line(&format!("changed   {change}"));
    }
}

fn show_wishes(wishes: &[Wish]) {
    if wishes.is_empty() {
        line("asks for nothing beyond its role");
    }
    for wish in wishes {
        line(&format!("asks for  {}: {}", wish.what, wish.reason));
    }
}
