//! Where plugins come from: the binary itself, or a file of the same id in the plugin folder.
//! Built-ins take the same way into the sandbox as any other.

use std::borrow::Cow;
use std::sync::Arc;

use acreta_config::{Config, Value};
use acreta_lead::Plugins;
use acreta_llm::Purpose;
use acreta_model::{Adapter, Limits};
use acreta_sandbox::{Loaded, Plugin, Sandbox, SandboxOptions, Settings};
use camino::{Utf8Path, Utf8PathBuf};

use crate::Context;
use crate::deferred::Deferred;
use crate::models;
use crate::{Failure, Kind};

mod builtin {
    include!(concat!(env!("OUT_DIR"), "/builtin.rs"));
}

/// Largest plugin file that is read.
const PLUGIN_BYTES: u64 = 256 * 1024 * 1024;

/// Longest prompt that is read.
const PROMPT_BYTES: u64 = 256 * 1024;

/// A plugin that could be loaded.
pub struct Source {
    pub id: String,
    /// None when it is built in.
    pub file: Option<Utf8PathBuf>,
    /// SHA-256 of the component, in hex.
    pub digest: String,
    pub bytes: Cow<'static, [u8]>,
}

impl Source {
    pub fn origin(&self) -> String {
        match &self.file {
            Some(file) => file.to_string(),
            None => "built-in".to_owned(),
        }
    }
}

/// The folder of plugins that a person put there.
pub fn folder(context: &Context) -> Utf8PathBuf {
    match context.config.text("plugins.folder") {
        "" => context.home.plugins(),
        folder => context.home.expand(folder),
    }
}

/// Every plugin there is, by id; a file takes the place of a built-in.
pub fn all(context: &Context) -> Result<Vec<Source>, Failure> {
    let mut ids: Vec<String> = builtin::BUILTIN
        .iter()
        .map(|(id, ..)| (*id).to_owned())
        .collect();
    if let Ok(entries) = folder(context).read_dir_utf8() {
        for entry in entries.flatten() {
            if let Some(id) = entry.file_name().strip_suffix(".wasm") {
                ids.push(id.to_owned());
            }
        }
    }
    ids.sort();
    ids.dedup();
    ids.iter().map(|id| find(context, id)).collect()
}

/// The plugin of an id.
pub fn find(context: &Context, id: &str) -> Result<Source, Failure> {
    let file = folder(context).join(format!("{id}.wasm"));
    if file.is_file() {
        return from_file(&file);
    }
    if let Some((_, digest, bytes)) = builtin::BUILTIN.iter().find(|(known, ..)| *known == id) {
        return Ok(Source {
            id: id.to_owned(),
            file: None,
            digest: (*digest).to_owned(),
            bytes: Cow::Borrowed(bytes),
        });
    }
    let known: Vec<&str> = builtin::BUILTIN.iter().map(|(id, ..)| *id).collect();
    let message = format!("there is no plugin `{id}`");
    Err(Failure::new(Kind::Failure, message).hint(format!(
        "built in are {}; others are `.wasm` files in {}",
        known.join(", "),
        folder(context)
    )))
}

/// The digest of the plugin of an id, and whether it is built in.
pub fn digest(context: &Context, id: &str) -> Result<(String, bool), Failure> {
    let source = find(context, id)?;
    Ok((source.digest, source.file.is_none()))
}

pub fn from_file(file: &Utf8Path) -> Result<Source, Failure> {
    let parent = file.parent().filter(|parent| !parent.as_str().is_empty());
    let directory = acreta_fs::Directory::open(
        parent.unwrap_or(Utf8Path::new(".")),
        acreta_fs::NoFaults::shared(),
    )?;
    let bytes = directory.read(file.file_name().unwrap_or_default(), PLUGIN_BYTES)?;
    Ok(Source {
        id: file.file_stem().unwrap_or("plugin").to_owned(),
        file: Some(file.to_owned()),
        digest: acreta_store::digest(&bytes),
        bytes: Cow::Owned(bytes),
    })
}

/// The sandbox with its cache of compiled plugins.
pub fn sandbox(context: &Context) -> Result<Sandbox, Failure> {
    Ok(Sandbox::new(&SandboxOptions {
        cache_dir: context.home.cache().to_owned(),
        scratch_dir: context.home.scratch(),
    })?)
}

/// Loads a plugin with the limits and settings that are configured for it.
pub fn load(config: &Config, sandbox: &Sandbox, source: &Source) -> Result<Plugin, Failure> {
    let as_json = |value: &Value| serde_json::to_string(value).unwrap_or_default();
    let mut settings: Settings = config
        .settings(&source.id)
        .into_iter()
        .map(|(key, value)| (key, as_json(&value)))
        .collect();
    for (name, file) in config.prompts(&source.id) {
        let text = prompt(&file)?;
        settings.insert(format!("prompt.{name}"), as_json(&Value::Text(text)));
    }
    let plugin = sandbox.load(
        &source.id,
        &source.bytes,
        |role| config.limits(&source.id, Limits::for_role(role)),
        settings,
    )?;
    if plugin.loaded() == Loaded::Compiled {
        tracing::info!(plugin = source.id, "compiled");
    }
    Ok(plugin)
}

/// A prompt that takes the place of a plugin's own.
pub fn prompt(file: &str) -> Result<String, Failure> {
    let path = Utf8Path::new(file);
    let parent = path.parent().filter(|parent| !parent.as_str().is_empty());
    let parent = parent.unwrap_or(Utf8Path::new("."));
    let directory = acreta_fs::Directory::open(parent, acreta_fs::NoFaults::shared())?;
    Ok(directory.read_to_string(path.file_name().unwrap_or_default(), PROMPT_BYTES)?)
}

/// The extractor that a configuration means.
pub fn extractor(config: &Config) -> &str {
    match config.text("plugins.extractor") {
        "auto" if models::is_configured(config, Purpose::Extract) => "extractor-llm",
        "auto" => "extractor-rules",
        id => id,
    }
}

/// The adapters that the configuration names, in its order. A built-in one is loaded when it is
/// asked; what is wrong with a person's own is said before anything is done.
pub fn adapters(
    context: &Context,
    sandbox: &Arc<Sandbox>,
) -> Result<Vec<Arc<dyn Adapter>>, Failure> {
    let config = &context.config;
    let mut adapters: Vec<Arc<dyn Adapter>> = Vec::new();
    for id in config.text_list("plugins.adapters") {
        let source = find(context, &id)?;
        adapters.push(match source.file {
            None => Arc::new(Deferred::new(source, config, sandbox)),
            Some(_) => load(config, sandbox, &source)?.into_adapter()?,
        });
    }
    Ok(adapters)
}

/// The other plugins that a configuration chooses for a run.
pub fn chosen(
    context: &Context,
    config: &Config,
    sandbox: &Sandbox,
    notice: &dyn Fn(&str),
) -> Result<Plugins, Failure> {
    let load = |id: &str| {
        notice(id);
        load(config, sandbox, &find(context, id)?)
    };
    let explorers = config
        .text_list("plugins.explorers")
        .iter()
        .map(|id| Ok(load(id)?.into_explorer()?))
        .collect::<Result<_, Failure>>()?;
    Ok(Plugins {
        adapters: Vec::new(),
        extractor: load(extractor(config))?.into_extractor()?,
        explorers,
        writer: load(config.text("plugins.writer"))?.into_memory_writer()?,
    })
}
