//! `acreta plugin install|remove|grant|lock`: what a person decides about plugins of others.

use acreta_plugins::{
    Capabilities, Consent, Digest, FetchOptions, InstallPlan, KnownRoot, Lock, Locked, Neighbours,
    PluginId, Rules, Source, ToChanges, ToWishes, Wish, fetch, inspect,
};
use acreta_service::clock::now_ms;
use acreta_service::{Failure, Kind, connect, plugins};
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::json as value;

use crate::args::{GrantArguments, InstallArguments};
use crate::consent::{Preset, agrees};
use crate::context::Context;
use crate::output::{json, line, talk};

pub(super) fn install(arguments: &InstallArguments, context: &Context) -> Result<(), Failure> {
    let source = Source::parse(&arguments.source).map_err(|error| {
        let hint = error.hint;
        Failure::new(Kind::Usage, error.to_string()).hint(hint)
    })?;
    let fetched = fetch(&source, &FetchOptions::default()).map_err(|error| {
        let hint = error.hint();
        let mut failure = Failure::from_error(&error);
        failure.hints.extend(hint);
        failure
    })?;
    let library = plugins::library(context)?;
    let signatures = plugins::signatures(context)?;
    let agents = known_roots(context)?;
    let own = [
        context.home.folder().to_owned(),
        context.home.cache().to_owned(),
    ];
    let home = context.home.user().unwrap_or(Utf8Path::new("/"));
    let expand = |candidate: &str| acreta_service::settings::place_of(context, candidate);
    let builtin = plugins::builtin_ids();
    let plan = library.plan(
        fetched,
        &Rules {
            builtin: &builtin,
            neighbours: Neighbours {
                agents: &agents,
                home,
                own: &own,
                expand: &expand,
            },
            signatures: &signatures,
        },
    )?;
    if !context.json {
        show(&plan);
    }
    let is_asked = !arguments.yes && !arguments.confirm;
    if !agrees("install it?", Preset::No, !is_asked)? {
        talk("nothing is installed");
        return Ok(());
    }
    let consent = Consent {
        // Whoever was shown the changes and agreed has confirmed them.
        changes: match arguments.confirm || is_asked {
            true => ToChanges::Confirmed,
            false => ToChanges::Unconfirmed,
        },
        wishes: match arguments.grant {
            true => ToWishes::Granted,
            false => ToWishes::Later,
        },
    };
    let id = plan.manifest.id.clone();
    let waits = !plan.missing.is_empty() && !arguments.grant;
    let locked = library.install(plan, consent, now_ms())?;
    if context.json {
        json(&as_json(&id, &locked));
    } else {
        line(&format!(
            "{id} {} sha256:{}",
            locked.version,
            locked.digest.hex()
        ));
        if waits {
            talk(&format!(
                "installed; it may do nothing until `acreta plugin grant {id}`"
            ));
        } else {
            talk("installed");
        }
    }
    Ok(())
}

pub(super) fn remove(id: &str, context: &Context) -> Result<(), Failure> {
    plugins::library(context)?.remove(&plugin_id(id)?)?;
    talk(&format!("{id} is removed, and its grant with it"));
    Ok(())
}

pub(super) fn grant(arguments: &GrantArguments, context: &Context) -> Result<(), Failure> {
    let library = plugins::library(context)?;
    let id = plugin_id(&arguments.id)?;
    if arguments.revoke {
        library.revoke(&id)?;
        talk(&format!("{id} is granted nothing any more"));
        return Ok(());
    }
    let signatures = plugins::signatures(context)?;
    let manifest = library.load(&id, &signatures)?.manifest;
    let wishes = manifest.wishes();
    if !context.json {
        show_wishes(&wishes);
    }
    if !agrees("grant it?", Preset::No, arguments.yes)? {
        talk("nothing is granted");
        return Ok(());
    }
    let grant = library.grant(&id, &signatures, now_ms())?;
    if context.json {
        json(&value!({ "id": id.as_str(), "granted": capabilities(&grant.given) }));
    } else {
        talk(&format!("{id} is granted what it asks for"));
    }
    Ok(())
}

pub(super) fn lock(
    wanted: &[String],
    output: Option<&Utf8Path>,
    context: &Context,
) -> Result<(), Failure> {
    let library = plugins::library(context)?;
    let installed = library.lock()?;
    let mut lock = Lock::default();
    if wanted.is_empty() {
        lock = installed.clone();
    }
    for name in wanted {
        if let Ok(id) = PluginId::new(name)
            && let Some(locked) = installed.plugins.get(&id)
        {
            lock.plugins.insert(id, locked.clone());
            continue;
        }
        let (id, locked) = of_file(name)?;
        lock.plugins.insert(id, locked);
    }
    let file = match output {
        Some(file) => file.to_owned(),
        None => context.project.join(acreta_plugins::LOCK),
    };
    lock.write(&file)?;
    for (id, locked) in &lock.plugins {
        line(&format!(
            "{id} {} sha256:{}",
            locked.version,
            locked.digest.hex()
        ));
    }
    talk(&format!("{file} is written"));
    Ok(())
}

/// A plugin that is not installed, locked with what it asks for but models: whoever writes the lock has
/// it before their eyes.
fn of_file(name: &str) -> Result<(PluginId, Locked), Failure> {
    let file = super::component_of(Utf8Path::new(name))?;
    let source = plugins::from_file(&file)?;
    let inspection = inspect(&source.bytes).map_err(|refused| {
        Failure::new(Kind::Refused, format!("`{file}`: {refused}")).hint(refused.hint())
    })?;
    let manifest = source.manifest.as_ref();
    let asked = manifest.map(|manifest| manifest.asks()).unwrap_or_default();
    let version = manifest.map(|manifest| manifest.version.clone());
    let locked = Locked {
        version: version.unwrap_or(semver::Version::new(0, 0, 0)),
        role: inspection.role,
        digest: Digest::of(&source.bytes),
        wit: inspection.wit,
        signed_by: None,
        granted: Capabilities {
            llm: None,
            reads: Default::default(),
            limits: asked.limits.clone(),
        },
        asked,
        source: Source::File(Utf8PathBuf::from(file.file_name().unwrap_or_default())),
        resolved: None,
    };
    Ok((plugin_id(&source.id)?, locked))
}

fn plugin_id(id: &str) -> Result<PluginId, Failure> {
    PluginId::new(id).map_err(|error| {
        let hint = error.hint();
        Failure::new(Kind::Usage, error.to_string()).hint(hint)
    })
}

/// The folders of agents that are known already: nobody else is given them.
fn known_roots(context: &Context) -> Result<Vec<KnownRoot>, Failure> {
    Ok(connect::builtin_roots(context)?
        .into_iter()
        .map(|root| KnownRoot {
            plugin: root.asked.adapter,
            agent: root.asked.agent,
            candidates: root.asked.wanted.candidates,
        })
        .collect())
}

fn show(plan: &InstallPlan) {
    let manifest = &plan.manifest;
    line(&format!(
        "{} {} ({}): {}",
        manifest.id, manifest.version, manifest.role, manifest.description
    ));
    line(&format!("from      {}", plan.source));
    line(&format!("digest    sha256:{}", plan.digest.hex()));
    line(&format!(
        "signed    {}",
        plan.signed_by().unwrap_or("by nobody you trust")
    ));
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

fn as_json(id: &PluginId, locked: &Locked) -> serde_json::Value {
    value!({
        "id": id.as_str(),
        "version": locked.version.to_string(),
        "role": locked.role.name(),
        "sha256": locked.digest.hex(),
        "source": locked.source.to_string(),
        "wit": locked.wit,
        "signed_by": locked.signed_by,
        "asked": capabilities(&locked.asked),
        "granted": capabilities(&locked.granted),
    })
}

fn capabilities(given: &Capabilities) -> serde_json::Value {
    let llm = given
        .llm
        .as_ref()
        .map(|llm| value!({ "purposes": llm.purposes, "calls": llm.calls, "tokens": llm.tokens }));
    value!({ "reads": given.reads, "llm": llm, "limits": given.limits })
}
