//! Sources of plugins: the binary itself, the library of what a person installed, or a file that is tried once.
//! Built-in plugins run in the same sandbox as any other; any other runs only if it is what was confirmed, and with
//! what was granted.

pub mod builtin;
mod dependencies;
pub mod develop;
pub mod inspect;
pub mod install;
pub mod lifecycle;
mod login;
pub mod publish;
pub mod scaffold;
pub mod try_out;
pub mod used;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::slice;
use std::sync::Arc;

use acreta_config::{Config, Value};
use acreta_llm::Purpose;
pub use acreta_pipeline::NOTES;
use acreta_pipeline::Plugins;
use acreta_plugin_registry::{
    Capabilities, Demand, Digest, KnownRoot, Library, MANIFEST, Manifest, Neighbours, Paths,
    PluginId, Refused, RefusedRoot, SignaturePolicy, SignatureState, check_roots, check_same,
    embedded, granted_roots, inspect, require, signature_names,
};
use acreta_sandbox::{CodeKey, ComponentSource, Loaded, Plugin, Sandbox, SandboxOptions, Settings};
use acreta_types::{AdapterRoot, Description, Limits, Role, Threads};
use camino::{Utf8Path, Utf8PathBuf};

use crate::learn::sync_options::place_of;
use crate::plugins::builtin::Builtin;
use crate::process::preparing::Preparation;
use crate::{Context, Failure, Kind, models::opened};

/// Maximum size of a plugin file.
const PLUGIN_BYTES: u64 = 256 * 1024 * 1024;

/// Maximum size of a prompt or manifest.
const TEXT_BYTES: u64 = 256 * 1024;

/// A plugin that can be loaded.
#[derive(Clone)]
pub struct PluginSource {
    pub id: String,
    pub origin: PluginOrigin,
    /// SHA-256 of the component, in hex.
    pub digest: String,
    component: Component,
    /// Its metadata and requested capabilities; `None` for built-in plugins and bare files.
    pub manifest: Option<Manifest>,
    /// The signature beside the component.
    pub signature: Option<String>,
}

/// Location of a component's bytes. Most uses of a plugin need only its digest.
#[derive(Clone)]
enum Component {
    Packed(Builtin),
    Read(Vec<u8>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PluginOrigin {
    Builtin,
    /// In the person's library.
    Installed(Utf8PathBuf),
    /// Tried without being installed: it has only its role's rights.
    File(Utf8PathBuf),
}

impl PluginSource {
    pub fn is_builtin(&self) -> bool {
        self.origin == PluginOrigin::Builtin
    }

    /// Returns the component; a built-in one is decompressed at every call.
    pub fn bytes(&self) -> Cow<'_, [u8]> {
        match &self.component {
            Component::Packed(builtin) => Cow::Owned(builtin.component()),
            Component::Read(bytes) => Cow::Borrowed(bytes),
        }
    }

    /// Returns the size of the component in bytes.
    pub fn size(&self) -> usize {
        match &self.component {
            Component::Packed(builtin) => builtin.size,
            Component::Read(bytes) => bytes.len(),
        }
    }

    /// Returns the description of a built-in adapter, without compiling it.
    pub(crate) fn described(&self) -> Option<&'static Description> {
        let is_builtin = self.is_builtin();
        is_builtin.then(|| builtin::descriptions().get(&self.id))?
    }

    /// Formats the origin for a person.
    pub fn origin(&self) -> String {
        match &self.origin {
            PluginOrigin::Builtin => "built-in".to_owned(),
            PluginOrigin::Installed(path) | PluginOrigin::File(path) => path.to_string(),
        }
    }
}

impl ComponentSource for PluginSource {
    fn digest(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.digest)
    }

    fn bytes(&self) -> Cow<'_, [u8]> {
        self.bytes()
    }

    fn is_own(&self) -> bool {
        self.is_builtin()
    }
}

/// Returns the ids of the built-in plugins.
pub fn builtin_ids() -> BTreeSet<String> {
    builtin::ids().map(str::to_owned).collect()
}

/// Returns the folder of installed plugins.
pub fn folder(context: &Context) -> Utf8PathBuf {
    match context.config.text("plugins.folder") {
        "" => context.home.plugins(),
        folder => context.home.expand(folder),
    }
}

/// Opens the library of installed plugins.
pub fn library(context: &Context) -> Result<Library, Failure> {
    let paths = Paths {
        plugins: folder(context),
        lock: context.home.folder().join(acreta_plugin_registry::LOCK),
        grants: context.home.grants_file(),
        revoked: context.home.folder().join("revoked.json"),
    };
    Ok(Library::open(paths, acreta_fs::NoFaults::shared())?)
}

/// Returns whose signatures count, and whether one is required.
pub fn signatures(context: &Context) -> Result<SignaturePolicy, Failure> {
    let demand = match context.config.text("plugins.signatures") {
        "required" => Demand::Required,
        _ => Demand::WhenPresent,
    };
    let keys = context.config.text_list("plugins.trusted_keys");
    SignaturePolicy::new(demand, &keys).map_err(|error| {
        let mut failure = Failure::from_error(&error);
        failure.kind = Kind::Usage;
        failure.hint("`plugins.trusted_keys` holds the second line of minisign's `.pub` files, and the text of cosign's")
    })
}

/// Returns the state of a plugin's signature; a built-in one is part of acreta.
pub(crate) fn signature_state(
    context: &Context,
    source: &PluginSource,
) -> Result<Option<SignatureState>, Failure> {
    if source.is_builtin() {
        return Ok(None);
    }
    let signature = source.signature.as_deref();
    Ok(Some(signatures(context)?.state(&source.bytes(), signature)))
}

/// A name, and the plugin with that name or the reason why there is none.
pub type NamedPlugin = (String, Result<PluginSource, Failure>);

/// Returns all plugins by id; one that differs from what was confirmed is an error with the reason.
pub fn all(context: &Context) -> Result<Vec<NamedPlugin>, Failure> {
    let mut all: Vec<NamedPlugin> = builtin_ids()
        .into_iter()
        .map(|id| {
            let source = builtin::find(&id).map(carried);
            (id.clone(), source.ok_or_else(|| unknown(context, &id)))
        })
        .collect();
    if !context.is_frozen() && folder(context).is_dir() {
        for entry in library(context)?.all(&signatures(context)?)? {
            let id = entry.id.to_string();
            let source = entry.state.map(|plugin| installed(context, plugin));
            all.push((id, source.map_err(Failure::from)));
        }
    }
    all.sort_by(|left, right| left.0.cmp(&right.0));
    Ok(all)
}

/// Finds the plugin with an id.
pub fn find(context: &Context, id: &str) -> Result<PluginSource, Failure> {
    for file in &context.process.tried {
        let source = from_file(file)?;
        if source.id == id {
            return Ok(source);
        }
    }
    if let Some(builtin) = builtin::find(id) {
        return Ok(carried(builtin));
    }
    let is_there = !context.is_frozen() && folder(context).join(id).join(MANIFEST).is_file();
    match PluginId::new(id) {
        Ok(name) if is_there => {
            let plugin = library(context)?.load(&name, &signatures(context)?)?;
            Ok(installed(context, plugin))
        }
        _ => Err(unknown(context, id)),
    }
}

fn carried(builtin: Builtin) -> PluginSource {
    PluginSource {
        id: builtin.id.to_owned(),
        origin: PluginOrigin::Builtin,
        digest: builtin.digest.to_owned(),
        component: Component::Packed(builtin),
        manifest: None,
        signature: None,
    }
}

fn installed(context: &Context, plugin: acreta_plugin_registry::Installed) -> PluginSource {
    let id = plugin.manifest.id.to_string();
    PluginSource {
        origin: PluginOrigin::Installed(folder(context).join(&id)),
        id,
        digest: plugin.digest.hex(),
        component: Component::Read(plugin.component),
        manifest: Some(plugin.manifest),
        signature: plugin.signature,
    }
}

fn unknown(context: &Context, id: &str) -> Failure {
    let known: Vec<&str> = builtin::ids().collect();
    let message = format!("no such plugin: `{id}`");
    let hint = match context.is_frozen() {
        true => "a frozen run uses built-in plugins and those given by `--plugin FILE`".to_owned(),
        false => format!(
            "built-in plugins are {}; `acreta plugin install` installs others",
            known.join(", ")
        ),
    };
    Failure::new(Kind::Missing, message).hint(hint)
}

/// Returns the digest of the plugin with an id, and whether it is built in.
pub fn digest(context: &Context, id: &str) -> Result<(String, bool), Failure> {
    let source = find(context, id)?;
    Ok((source.digest.clone(), source.is_builtin()))
}

/// Reads a plugin from a file, with the manifest inside it or, if it is for it, beside it. Both must say the same.
pub fn from_file(file: &Utf8Path) -> Result<PluginSource, Failure> {
    let parent = file.parent().filter(|parent| !parent.as_str().is_empty());
    let directory = acreta_fs::Directory::open(
        parent.unwrap_or(Utf8Path::new(".")),
        acreta_fs::NoFaults::shared(),
    )?;
    let name = file.file_name().unwrap_or_default();
    let bytes = directory.read(name, PLUGIN_BYTES)?;
    let place = directory.path().join(MANIFEST);
    let beside = match directory.exists(MANIFEST)? {
        true => {
            let text = directory.read_to_string(MANIFEST, TEXT_BYTES)?;
            let manifest = Manifest::parse(&place, &text).map_err(Refused::from)?;
            Some(manifest).filter(|manifest| manifest.component == name)
        }
        false => None,
    };
    let embedded = embedded(&bytes).map_err(|problem| {
        Failure::new(Kind::Refused, format!("`{file}` is refused: {problem}"))
            .hint("`acreta plugin build` writes manifest and metadata into a component")
    })?;
    let manifest = match embedded.manifest {
        Some(text) => {
            let manifest = Manifest::parse(file, &text).map_err(Refused::from)?;
            if let Some(beside) = &beside {
                check_same(&manifest, beside, place.as_str())?;
            }
            Some(manifest)
        }
        None => beside,
    };
    let mut signature = None;
    for name in signature_names(name) {
        if signature.is_none() && directory.exists(&name)? {
            signature = Some(directory.read_to_string(&name, TEXT_BYTES)?);
        }
    }
    let id = manifest.as_ref().map(|manifest| manifest.id.to_string());
    Ok(PluginSource {
        id: id.unwrap_or_else(|| file.file_stem().unwrap_or("plugin").to_owned()),
        origin: PluginOrigin::File(file.to_owned()),
        digest: acreta_store::digest(&bytes),
        component: Component::Read(bytes),
        manifest,
        signature,
    })
}

/// Returns a plugin's capabilities beyond its role. If it asks for more than was decided about, it is refused with the
/// command that grants it.
pub fn given(context: &Context, source: &PluginSource) -> Result<Capabilities, Failure> {
    if let Some(lock) = &context.process.frozen
        && !source.is_builtin()
    {
        let locked = PluginId::new(&source.id)
            .ok()
            .and_then(|id| lock.plugins.get(&id));
        return match locked {
            Some(locked) if locked.digest.hex() == source.digest => Ok(locked.granted.clone()),
            Some(locked) => Err(Failure::new(
                Kind::Refused,
                format!(
                    "plugin `{}` differs from the lock: {} instead of {}",
                    source.id,
                    source.digest,
                    locked.digest.hex()
                ),
            )
            .hint("a frozen run uses only locked plugins; `acreta plugin lock` rewrites the lock")),
            None => Err(Failure::new(
                Kind::Refused,
                format!("plugin `{}` is not in the lock", source.id),
            )
            .hint("`acreta plugin lock` writes the lock of a project")),
        };
    }
    if !source.is_builtin()
        && let Ok(digest) = Digest::from_hex(&source.digest)
        && let Some(reason) = library(context)?.revocations()?.reason(&digest)
    {
        let message = format!("plugin `{}` was revoked: {reason}", source.id);
        return Err(Failure::new(Kind::Refused, message)
            .hint("`acreta plugin revoke --list` shows what is revoked, and by whom"));
    }
    match (&source.origin, &source.manifest) {
        (PluginOrigin::Installed(_), Some(manifest)) => {
            require(manifest, &context.grants).map_err(|error| {
                let hint = error.hint();
                Failure::new(Kind::Refused, error.to_string()).hint(hint)
            })?;
            let grant = context.grants.get(&source.id);
            Ok(grant.map(|grant| grant.given.clone()).unwrap_or_default())
        }
        _ => Ok(Capabilities::default()),
    }
}

/// Returns the folders an adapter may ask for; `None` if its own description applies.
pub fn roots(context: &Context, source: &PluginSource) -> Option<Vec<AdapterRoot>> {
    let manifest = source.manifest.as_ref()?;
    match source.origin {
        PluginOrigin::Installed(_) => {
            let mut roots = granted_roots(manifest, &context.grants);
            // A folder that was granted may be a link to another by now.
            with_neighbours(context, |neighbours| {
                roots.retain(|root| {
                    let checked = check_roots(&manifest.id, slice::from_ref(root), &neighbours);
                    let refused = |refused: &RefusedRoot| {
                        context.warn_once(&format!("plugin `{}`: {refused}", source.id));
                    };
                    checked.inspect_err(refused).is_ok()
                });
            });
            Some(roots)
        }
        _ => Some(Vec::new()),
    }
}

/// Calls a function with everything that bounds the folders of plugins.
pub(crate) fn with_neighbours<T>(context: &Context, check: impl FnOnce(Neighbours<'_>) -> T) -> T {
    let described = builtin::descriptions().iter();
    let agents: Vec<KnownRoot> = described
        .flat_map(|(plugin, description)| {
            description.roots.iter().map(|root| KnownRoot {
                plugin: plugin.clone(),
                agent: description.agent.clone(),
                candidates: root.candidates.clone(),
            })
        })
        .collect();
    check(Neighbours {
        agents: &agents,
        home: context.home.user().unwrap_or(Utf8Path::new("/")),
        own: &[
            context.home.folder().to_owned(),
            context.home.cache().to_owned(),
        ],
        expand: &|candidate| place_of(context, candidate),
    })
}

/// Returns the sandbox with its cache of compiled plugins.
pub fn sandbox(context: &Context) -> Result<Arc<Sandbox>, Failure> {
    context.process.kept.sandboxes.of(SandboxOptions {
        cache_dir: context.home.cache().to_owned(),
        cache_key: cache_key(context),
        compiler: context.process.compiler.clone(),
        scratch_dir: context.home.scratch(),
        traps: context.process.traps.clone(),
    })
}

/// Returns the key of compiled plugins. A frozen run uses nothing of the user's own: without a given key it loads no code
/// that another process compiled.
fn cache_key(context: &Context) -> CodeKey {
    let given = context.environment.get("ACRETA_CACHE_KEY");
    match given.filter(|key| !key.is_empty()) {
        Some(key) => CodeKey::Given(key.clone()),
        None if context.process.frozen.is_some() => CodeKey::Process,
        None => CodeKey::File(context.home.cache_key_file()),
    }
}

/// Loads a plugin with its configured limits and settings.
pub fn load(
    context: &Context,
    config: &Config,
    sandbox: &Sandbox,
    source: &PluginSource,
) -> Result<Plugin, Failure> {
    load_with(&given(context, source)?, config, sandbox, source)
}

/// Loads a plugin with the given capabilities.
pub(crate) fn load_with(
    given: &Capabilities,
    config: &Config,
    sandbox: &Sandbox,
    source: &PluginSource,
) -> Result<Plugin, Failure> {
    let plugin = sandbox.load(
        &source.id,
        source,
        |role| config.limits(&source.id, given.limits(Limits::for_role(role))),
        settings(config, source)?,
    )?;
    if plugin.loaded() == Loaded::Compiled {
        tracing::info!(plugin = source.id, "compiled");
    }
    Ok(plugin)
}

/// Loads one plugin, and tells a person who waits that it is compiled first.
pub(crate) fn prepared<T>(
    context: &Context,
    sandbox: &Sandbox,
    digest: &str,
    load: impl FnOnce() -> T,
) -> T {
    let listener = &context.process.preparing;
    Preparation::of("plugins", listener, sandbox, [digest].into_iter()).during(digest, load)
}

/// Returns the settings for a plugin: its own ones, the language of memories if it is an extractor, and prompts that
/// replace its own.
fn settings(config: &Config, source: &PluginSource) -> Result<Settings, Failure> {
    let as_json = |value: &Value| serde_json::to_string(value).unwrap_or_default();
    let mut settings: Settings = config
        .settings(&source.id)
        .into_iter()
        .map(|(key, value)| (key, as_json(&value)))
        .collect();
    let schema = source.manifest.iter().flat_map(|manifest| &manifest.config);
    for (key, setting) in schema {
        match (settings.get(key), &setting.default) {
            (Some(text), _) => {
                let value = serde_json::from_str(text).unwrap_or_default();
                if !setting.accepts(&value) {
                    let message = format!(
                        "`plugin.{}.settings.{key}` is {text}, and must be {}",
                        source.id,
                        setting.kind.name()
                    );
                    return Err(Failure::new(Kind::Usage, message).hint(&setting.description));
                }
            }
            (None, Some(default)) => {
                settings.insert(key.clone(), default.to_string());
            }
            (None, None) => {}
        }
    }
    let is_extractor = match &source.manifest {
        Some(manifest) => manifest.role == Role::Extractor,
        None => source.id.starts_with("extractor-"),
    };
    if let Some(language) = config.get("memory.language").filter(|_| is_extractor) {
        settings
            .entry("language".to_owned())
            .or_insert_with(|| as_json(language));
    }
    for (name, file) in config.prompts(&source.id) {
        let text = prompt(&file)?;
        settings.insert(format!("prompt.{name}"), as_json(&Value::Text(text)));
    }
    Ok(settings)
}

/// Reads a prompt that replaces a plugin's own.
pub fn prompt(file: &str) -> Result<String, Failure> {
    let path = Utf8Path::new(file);
    let parent = path.parent().filter(|parent| !parent.as_str().is_empty());
    let parent = parent.unwrap_or(Utf8Path::new("."));
    let directory = acreta_fs::Directory::open(parent, acreta_fs::NoFaults::shared())?;
    Ok(directory.read_to_string(path.file_name().unwrap_or_default(), TEXT_BYTES)?)
}

/// Returns the plugins of a role that are tried in this process. In a frozen run these must be all that the lock names:
/// anything else would silently replace them.
fn tried(context: &Context, role: Role) -> Result<Vec<String>, Failure> {
    let mut ids = Vec::new();
    for file in &context.process.tried {
        let source = from_file(file)?;
        let inspection = inspect(&source.bytes()).map_err(|refused| {
            let message = format!("`{file}` is not a valid acreta plugin: {refused}");
            Failure::new(Kind::Refused, message).hint(refused.hint())
        })?;
        if inspection.role == role {
            ids.push(source.id);
        }
    }
    let locked = context.process.frozen.iter().flat_map(|lock| &lock.plugins);
    for (id, _) in locked.filter(|(_, locked)| locked.role == role) {
        if !ids.iter().any(|given| given == id.as_str()) {
            let message = format!("`acreta.lock` names the {role} `{id}`, which was not given");
            return Err(Failure::new(Kind::Refused, message).hint(
                "give its file with `--plugin FILE`; `acreta plugin lock` writes another lock",
            ));
        }
    }
    Ok(ids)
}

/// Returns the configured extractors, in order.
pub fn extractors(context: &Context, config: &Config) -> Result<Vec<String>, Failure> {
    let tried = tried(context, Role::Extractor)?;
    if !tried.is_empty() {
        return Ok(tried);
    }
    let chain = config.text_list("plugins.extractors");
    if !chain.is_empty() {
        return Ok(chain);
    }
    let found_by = match config.text("plugins.extractor") {
        "auto" if opened::is_configured(config, Purpose::Extract) => "extractor-llm",
        "auto" => "extractor-rules",
        id => id,
    };
    Ok(vec![NOTES.to_owned(), found_by.to_owned()])
}

/// Returns the configured explorers.
pub fn explorers(context: &Context, config: &Config) -> Result<Vec<String>, Failure> {
    let tried = tried(context, Role::Explorer)?;
    if !tried.is_empty() {
        return Ok(tried);
    }
    let named = config.text_list("plugins.explorers").into_iter();
    Ok(named
        .map(|id| match id.as_str() {
            "auto" if opened::is_configured(config, Purpose::Extract) => "explorer-llm".to_owned(),
            "auto" => "explorer-overlap".to_owned(),
            _ => id,
        })
        .collect())
}

/// Returns the configured memory-writer.
pub fn writer(context: &Context, config: &Config) -> Result<String, Failure> {
    let tried = tried(context, Role::MemoryWriter)?.into_iter().next();
    Ok(tried.unwrap_or_else(|| config.text("plugins.writer").to_owned()))
}

/// Returns the adapters that are tried, those that the configuration names, in its order, and those that are installed
/// and granted.
pub fn adapter_ids(context: &Context) -> Result<Vec<String>, Failure> {
    let mut ids = tried(context, Role::Adapter)?;
    ids.extend(context.config.text_list("plugins.adapters"));
    if !context.is_frozen() && folder(context).is_dir() {
        for entry in library(context)?.all(&signatures(context)?)? {
            let id = entry.id.to_string();
            if !context.grants.is_granted(&id, false) || ids.contains(&id) {
                continue;
            }
            match entry.state {
                Ok(plugin) if plugin.manifest.role == Role::Adapter => ids.push(id),
                Ok(_) => {}
                Err(refused) => context.warn_once(&format!(
                    "plugin `{id}` is left out: {}",
                    Failure::from(refused)
                )),
            }
        }
    }
    Ok(ids)
}

/// Returns the installed adapters that nobody granted anything, which are not asked, with the folders they ask for.
pub(crate) fn ungranted_adapters(context: &Context) -> Vec<(String, Vec<AdapterRoot>)> {
    if context.is_frozen() || !folder(context).is_dir() {
        return Vec::new();
    }
    let all = signatures(context).and_then(|policy| Ok(library(context)?.all(&policy)?));
    let entries = all.into_iter().flatten();
    let plugins = entries.filter_map(|entry| entry.state.ok());
    let adapters = plugins.filter(|plugin| plugin.manifest.role == Role::Adapter);
    adapters
        .map(|plugin| (plugin.manifest.id.to_string(), plugin.manifest.roots))
        .filter(|(id, _)| !context.grants.is_granted(id, false))
        .collect()
}

/// Compiles uncached plugins in parallel. An error is ignored here and occurs again when they are loaded.
fn compile(
    sources: &BTreeMap<&str, PluginSource>,
    sandbox: &Sandbox,
    load: impl Fn(&str) -> Result<(), Failure> + Sync,
) {
    let missing: Vec<&str> = sources
        .iter()
        .filter(|(_, source)| !sandbox.is_compiled(&source.digest))
        .map(|(id, _)| *id)
        .collect();
    if missing.len() > 1 {
        Threads::at_most(missing.len()).map(&missing, |id| load(id).is_ok());
    }
}

/// Returns the other configured plugins of a run.
pub fn chosen(context: &Context, config: &Config, sandbox: &Sandbox) -> Result<Plugins, Failure> {
    let (extractors, explorers) = (extractors(context, config)?, explorers(context, config)?);
    let writer = writer(context, config)?;
    let ids = extractors.iter().chain(&explorers).chain([&writer]);
    let sources = ids
        .map(|id| Ok((id.as_str(), find(context, id)?)))
        .collect::<Result<BTreeMap<&str, PluginSource>, Failure>>()?;
    let digests = sources.values().map(|source| source.digest.as_str());
    let preparation = Preparation::of("plugins", &context.process.preparing, sandbox, digests);
    let load = |id: &str| {
        let source = &sources[id];
        preparation.during(&source.digest, || load(context, config, sandbox, source))
    };
    compile(&sources, sandbox, |id| load(id).map(drop));
    let extractors = extractors
        .iter()
        .map(|id| Ok(load(id)?.into_extractor()?))
        .collect::<Result<_, Failure>>()?;
    let explorers = explorers
        .iter()
        .map(|id| Ok(load(id)?.into_explorer()?))
        .collect::<Result<_, Failure>>()?;
    Ok(Plugins {
        adapters: Vec::new(),
        extractors,
        explorers,
        writer: load(&writer)?.into_memory_writer()?,
    })
}
