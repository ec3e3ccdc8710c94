//! Installs, removes, grants and locks third-party plugins, by a person's decision. Planned first, so that the person
//! sees what they agree to. Never offered to agents.

use acreta_plugin_registry::{
    Capabilities, Consent, Digest, Lock, Locked, PluginId, Refused, Rules, Source, ToChanges,
    ToWishes, fetch,
};
pub use acreta_plugin_registry::{InstallPlan, Wish};
use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;

use crate::plugins::inspect::component_of;
use crate::plugins::login;
use crate::process::background::in_background;
use crate::process::clock::now_ms;
use crate::{Context, Failure, Kind, plugins};

/// An installed or locked plugin.
#[derive(Debug, Clone, Serialize)]
pub struct Installed {
    pub id: String,
    pub version: String,
    pub role: &'static str,
    pub sha256: String,
    pub source: String,
    pub wit: String,
    pub signed_by: Option<String>,
    pub asked: Abilities,
    pub granted: Abilities,
}

/// Capabilities of a plugin beyond its role.
#[derive(Debug, Clone, Serialize)]
pub struct Abilities {
    pub reads: serde_json::Value,
    pub llm: Option<ModelAbility>,
    pub limits: serde_json::Value,
}

#[derive(Debug, Clone, Serialize)]
pub struct ModelAbility {
    pub purposes: serde_json::Value,
    pub calls: serde_json::Value,
    pub tokens: serde_json::Value,
}

/// A person's answer to a plan.
#[derive(Debug, Clone, Copy)]
pub struct Agreement {
    /// They saw the changes to an installed plugin and confirmed them.
    pub confirms_changes: bool,
    /// They grant what it asks for at once.
    pub grants: bool,
}

/// Fetches a plugin and plans its installation. Writes nothing and runs nothing of it.
pub fn plan(source: &str, context: &Context) -> Result<InstallPlan, Failure> {
    let source = Source::parse(source).map_err(|error| {
        let hint = error.hint;
        Failure::new(Kind::Usage, error.to_string()).hint(hint)
    })?;
    plan_source(&source, context)
}

pub(crate) fn plan_source(source: &Source, context: &Context) -> Result<InstallPlan, Failure> {
    let options = login::options(source, context)?;
    let fetched = fetch(source, &options).map_err(|error| {
        let hint = error.hint();
        let mut failure = Failure::from_error(&error);
        failure.hints.extend(hint);
        failure
    })?;
    let library = plugins::library(context)?;
    with_rules(context, |rules| library.plan(fetched, rules))
}

/// Calls a function with the rules of this machine.
pub(crate) fn with_rules<T>(
    context: &Context,
    plan: impl FnOnce(&Rules<'_>) -> Result<T, Refused>,
) -> Result<T, Failure> {
    let signatures = plugins::signatures(context)?;
    let builtin = plugins::builtin_ids();
    let plan = plugins::with_neighbours(context, |neighbours| {
        plan(&Rules {
            builtin: &builtin,
            neighbours,
            signatures: &signatures,
        })
    });
    Ok(plan?)
}

/// Installs a plan that a person agreed to.
pub fn install(
    plan: InstallPlan,
    agreement: Agreement,
    context: &Context,
) -> Result<Installed, Failure> {
    let consent = Consent {
        changes: match agreement.confirms_changes {
            true => ToChanges::Confirmed,
            false => ToChanges::Unconfirmed,
        },
        wishes: match agreement.grants {
            true => ToWishes::Granted,
            false => ToWishes::Later,
        },
    };
    let id = plan.manifest.id.clone();
    let locked = plugins::library(context)?.install(plan, consent, now_ms())?;
    Ok(Installed::new(&id, &locked))
}

/// Starts a process that compiles an installed plugin, unless it is compiled. Reports whether it did. A run that comes
/// earlier than its result waits for it.
pub fn compile_in_background(id: &str, context: &Context) -> Result<bool, Failure> {
    let source = plugins::find(context, id)?;
    let program = context.process.compiler.as_deref();
    let is_compiled = plugins::sandbox(context)?.is_compiled(&source.digest);
    let Some(program) = program.filter(|_| !is_compiled) else {
        return Ok(false);
    };
    let cache = context.home.cache().as_str();
    let arguments = ["plugin", "compile", id, "--cache-dir", cache];
    in_background(program, &arguments, context.home.folder())?;
    Ok(true)
}

/// Compiles an installed plugin. Nothing of it runs.
pub fn compile(id: &str, context: &Context) -> Result<(), Failure> {
    let (source, sandbox) = (plugins::find(context, id)?, plugins::sandbox(context)?);
    let nothing = Capabilities::default();
    plugins::prepared(context, &sandbox, &source.digest, || {
        plugins::load_with(&nothing, &context.config, &sandbox, &source).map(drop)
    })
}

/// Removes a plugin and its grant.
pub fn remove(id: &str, context: &Context) -> Result<(), Failure> {
    Ok(plugins::library(context)?.remove(&plugin_id(id)?)?)
}

/// Returns what an installed plugin asks for beyond its role.
pub fn wishes(id: &str, context: &Context) -> Result<Vec<Wish>, Failure> {
    let signatures = plugins::signatures(context)?;
    let installed = plugins::library(context)?.load(&plugin_id(id)?, &signatures)?;
    Ok(installed.manifest.wishes())
}

/// Grants an installed plugin what it asks for and, if it is an adapter, lets its sessions become memory of the
/// projects of these folders.
pub fn grant(id: &str, projects: &[Utf8PathBuf], context: &Context) -> Result<Abilities, Failure> {
    let signatures = plugins::signatures(context)?;
    let projects = projects.iter();
    let projects = projects
        .map(|folder| crate::projects::registry::root_of(context, Some(folder)))
        .collect::<Result<Vec<_>, Failure>>()?;
    let library = plugins::library(context)?;
    let grant = library.grant(&plugin_id(id)?, &projects, &signatures, now_ms())?;
    Ok(Abilities::from(&grant.given))
}

/// Revokes a plugin's grant.
pub fn revoke(id: &str, context: &Context) -> Result<(), Failure> {
    Ok(plugins::library(context)?.revoke(&plugin_id(id)?)?)
}

/// A lock file that was written.
#[derive(Debug, Clone)]
pub struct WrittenLock {
    pub file: Utf8PathBuf,
    pub plugins: Vec<Installed>,
}

/// Writes a lock file of installed plugins and of component files; of all installed ones if none is named.
pub fn lock(
    wanted: &[String],
    output: Option<&Utf8Path>,
    context: &Context,
) -> Result<WrittenLock, Failure> {
    let installed = plugins::library(context)?.lock()?;
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
        None => context.project.join(acreta_plugin_registry::LOCK),
    };
    lock.write(&file)?;
    let plugins = lock.plugins.iter();
    Ok(WrittenLock {
        file,
        plugins: plugins
            .map(|(id, locked)| Installed::new(id, locked))
            .collect(),
    })
}

impl Installed {
    fn new(id: &PluginId, locked: &Locked) -> Self {
        Self {
            id: id.as_str().to_owned(),
            version: locked.version.to_string(),
            role: locked.role.name(),
            sha256: locked.digest.hex(),
            source: locked.source.to_string(),
            wit: locked.wit.clone(),
            signed_by: locked.signed_by.clone(),
            asked: Abilities::from(&locked.asked),
            granted: Abilities::from(&locked.granted),
        }
    }
}

impl From<&Capabilities> for Abilities {
    fn from(given: &Capabilities) -> Self {
        let value = |value: serde_json::Result<serde_json::Value>| value.unwrap_or_default();
        Self {
            reads: value(serde_json::to_value(&given.reads)),
            llm: given.llm.as_ref().map(|llm| ModelAbility {
                purposes: value(serde_json::to_value(&llm.purposes)),
                calls: value(serde_json::to_value(llm.calls)),
                tokens: value(serde_json::to_value(llm.tokens)),
            }),
            limits: value(serde_json::to_value(&given.limits)),
        }
    }
}

/// Locks a plugin that is not installed, with everything it asks for except models: the person who writes the lock sees
/// it.
fn of_file(name: &str) -> Result<(PluginId, Locked), Failure> {
    let file = component_of(Utf8Path::new(name))?;
    let source = plugins::from_file(&file)?;
    let inspection = acreta_plugin_registry::inspect(&source.bytes()).map_err(|refused| {
        Failure::new(Kind::Refused, format!("`{file}`: {refused}")).hint(refused.hint())
    })?;
    let manifest = source.manifest.as_ref();
    let asked = manifest.map(|manifest| manifest.asks()).unwrap_or_default();
    let version = manifest.map(|manifest| manifest.version.clone());
    let locked = Locked {
        version: version.unwrap_or(semver::Version::new(0, 0, 0)),
        role: inspection.role,
        digest: Digest::of(&source.bytes()),
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

pub(crate) fn plugin_id(id: &str) -> Result<PluginId, Failure> {
    PluginId::new(id).map_err(|error| {
        let hint = error.hint();
        Failure::new(Kind::Usage, error.to_string()).hint(hint)
    })
}
