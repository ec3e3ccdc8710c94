//! `acreta plugin search|outdated|update|rollback|revoke|verify`.

use acreta_service::plugins::install::{self, Agreement, InstallPlan};
use acreta_service::plugins::lifecycle::{self, SourceState};
use acreta_service::{Failure, Kind};
use serde_json::json as value;

use super::install::{COMPILING, compile_in_background, show};
use crate::args::{RevokeArguments, RollbackArguments, UpdateArguments, VerifyArguments};
use crate::consent::{Preset, agrees};
use crate::context::Context;
use crate::output::{count, json, line, table, talk};

pub(super) fn search(words: &[String], context: &Context) -> Result<(), Failure> {
    let found = lifecycle::search(words, context)?;
    if context.json {
        json(&value!({ "plugins": found }));
        return Ok(());
    }
    for plugin in &found {
        line(&format!(
            "{} {} ({}): {}",
            plugin.id, plugin.version, plugin.role, plugin.description
        ));
        line(&match (&plugin.revoked, &plugin.installed) {
            (Some(reason), _) => format!("  revoked: {reason}"),
            (None, Some(version)) => format!("  {version} is installed"),
            (None, None) => format!("  acreta plugin install {}", plugin.source),
        });
    }
    if found.is_empty() {
        talk("nothing was found");
    }
    Ok(())
}

pub(super) fn outdated(context: &Context) -> Result<(), Failure> {
    let rows = lifecycle::outdated(context)?;
    if context.json {
        json(&value!({ "plugins": rows }));
        return Ok(());
    }
    let mut cells = vec![
        ["plugin", "installed", "available", "", "from"]
            .map(str::to_owned)
            .to_vec(),
    ];
    cells.extend(rows.iter().map(|row| {
        let state = match row.state {
            SourceState::Current => "",
            SourceState::Newer => "newer",
            SourceState::Changed => "changed under the same version or tag",
            SourceState::Older => "older",
            SourceState::Revoked => "revoked",
            SourceState::Unknown => "unknown",
        };
        vec![
            row.id.clone(),
            row.installed.clone(),
            row.available.clone().unwrap_or_default(),
            match &row.problem {
                Some(problem) => format!("{state}: {problem}"),
                None => state.to_owned(),
            },
            row.source.clone(),
        ]
    }));
    table(&cells);
    let newer = rows.iter().filter(|row| row.state == SourceState::Newer);
    match newer.count() as u64 {
        0 => {}
        newer => talk(&format!(
            "{}: `acreta plugin update` shows what changes",
            count(
                newer,
                "plugin has a newer version",
                "plugins have newer versions"
            )
        )),
    }
    Ok(())
}

pub(super) fn update(arguments: &UpdateArguments, context: &Context) -> Result<(), Failure> {
    let ids = match arguments.ids.is_empty() {
        true => lifecycle::installed(context)?,
        false => arguments.ids.clone(),
    };
    let mut updated = Vec::new();
    for id in &ids {
        match lifecycle::plan_update(id, context)? {
            None => talk(&format!("{id} is what its source has")),
            Some(plan) => updated.extend(update_one(plan, arguments, context)?),
        }
    }
    if context.json {
        json(&value!({ "updated": updated }));
    }
    Ok(())
}

fn update_one(
    plan: InstallPlan,
    arguments: &UpdateArguments,
    context: &Context,
) -> Result<Option<install::Installed>, Failure> {
    let id = plan.manifest.id.to_string();
    if !context.json {
        show(&plan);
    }
    if plan.is_older() && !arguments.older {
        let message = format!("`{id}`: its source has an older version; nothing was changed");
        return Err(Failure::new(Kind::Refused, message).hint(
            "`--older` accepts it; `acreta plugin rollback` puts the version before back in place",
        ));
    }
    let unusual = plan.unusual().into_iter().map(ToString::to_string);
    let unusual: Vec<String> = unusual.collect();
    if arguments.yes && !arguments.confirm && !unusual.is_empty() {
        let message = format!(
            "`{id}` changed in more than its version: {}",
            unusual.join("; ")
        );
        return Err(
            Failure::new(Kind::Refused, message).hint("look at it, and accept it with `--confirm`")
        );
    }
    let agreed = arguments.yes || arguments.confirm;
    if !agrees(&format!("update {id}?"), Preset::No, agreed)? {
        talk("nothing was changed");
        return Ok(None);
    }
    changed(plan, context).map(Some)
}

pub(super) fn rollback(arguments: &RollbackArguments, context: &Context) -> Result<(), Failure> {
    let plan = lifecycle::plan_rollback(&arguments.id, context)?;
    if !context.json {
        show(&plan);
    }
    if !agrees("put this version back?", Preset::No, arguments.yes)? {
        talk("nothing was changed");
        return Ok(());
    }
    let installed = changed(plan, context)?;
    if context.json {
        json(&installed);
    }
    Ok(())
}

/// Installs another version that a person agreed to. Grants stay as they were.
fn changed(plan: InstallPlan, context: &Context) -> Result<install::Installed, Failure> {
    let waits = !plan.missing.is_empty();
    let agreement = Agreement {
        confirms_changes: true,
        grants: false,
    };
    let installed = install::install(plan, agreement, context)?;
    let id = &installed.id;
    let compiles = compile_in_background(id, context);
    if !context.json {
        line(&format!(
            "{id} {} sha256:{}",
            installed.version, installed.sha256
        ));
        talk(&match waits {
            true => format!(
                "it asks for more than it was granted, and does not run until `acreta plugin grant {id}`; `acreta plugin rollback {id}` takes this back"
            ),
            false => format!("`acreta plugin rollback {id}` takes this back"),
        });
        if compiles {
            talk(COMPILING);
        }
    }
    Ok(installed)
}

pub(super) fn revoke(arguments: &RevokeArguments, context: &Context) -> Result<(), Failure> {
    let Some(component) = &arguments.component else {
        let revoked = lifecycle::revoked(context)?;
        if context.json {
            json(&value!({ "revoked": revoked }));
            return Ok(());
        }
        for entry in &revoked {
            let by = entry.from.as_deref().unwrap_or("you");
            let plugin = entry.plugin.as_deref().unwrap_or_default();
            line(&format!(
                "sha256:{} {plugin} by {by}: {}",
                entry.sha256, entry.reason
            ));
        }
        if revoked.is_empty() {
            talk("nothing is revoked");
        }
        return Ok(());
    };
    let is_new = lifecycle::revoke(component, &arguments.reason, arguments.undo, context)?;
    talk(&match (arguments.undo, is_new) {
        (false, true) => format!("{component} is revoked: it does not run on this machine"),
        (false, false) => format!("{component} was revoked already"),
        (true, true) => format!("{component} is not revoked any more"),
        (true, false) => format!("{component} was not revoked"),
    });
    Ok(())
}

pub(super) fn verify(arguments: &VerifyArguments, context: &Context) -> Result<(), Failure> {
    let verified = lifecycle::verify(
        arguments.lock.as_deref(),
        &arguments.plugins,
        arguments.revoked.as_deref(),
        context,
    )?;
    let failed = verified.iter().filter(|one| !one.problems.is_empty());
    let failed = failed.count() as u64;
    if context.json {
        json(&value!({ "plugins": verified }));
    } else {
        for plugin in &verified {
            let verdict = if plugin.problems.is_empty() {
                "ok  "
            } else {
                "FAIL"
            };
            line(&format!(
                "{verdict}  {} {} ({}) {}",
                plugin.id, plugin.version, plugin.signature, plugin.source
            ));
            for problem in &plugin.problems {
                line(&format!("      {problem}"));
            }
        }
    }
    match failed {
        0 => Ok(()),
        failed => Err(Failure::new(
            Kind::Refused,
            format!(
                "{} not what the lock says",
                count(failed, "plugin is", "plugins are")
            ),
        )
        .hint("`acreta plugin lock` writes another lock, if the change is wanted")),
    }
}
