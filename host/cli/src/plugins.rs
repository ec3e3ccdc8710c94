//! Where plugins come from: the binary itself, or a file of the same id in the plugin folder.
//! Built-ins take the same way into the sandbox as any other.

use std::borrow::Cow;

use acreta_lead::Plugins;
use acreta_model::Limits;
use acreta_sandbox::{Loaded, Plugin, Sandbox, SandboxOptions, Settings};
use camino::{Utf8Path, Utf8PathBuf};

use crate::context::Context;
use crate::failure::{CliError, Kind};

mod builtin {
    include!(concat!(env!("OUT_DIR"), "/builtin.rs"));
}

/// Largest plugin file that is read.
const PLUGIN_BYTES: u64 = 256 * 1024 * 1024;

/// A plugin that could be loaded.
pub(crate) struct Source {
    pub(crate) id: String,
    /// None when it is built in.
    pub(crate) file: Option<Utf8PathBuf>,
    pub(crate) bytes: Cow<'static, [u8]>,
}

impl Source {
    pub(crate) fn origin(&self) -> String {
        match &self.file {
            Some(file) => file.to_string(),
            None => "built-in".to_owned(),
        }
    }
}

/// The folder of plugins that a person put there.
pub(crate) fn folder(context: &Context) -> Utf8PathBuf {
    match context.config.text("plugins.folder") {
        "" => context.home.plugins(),
        folder => context.home.expand(folder),
    }
}

/// Every plugin there is, by id; a file takes the place of a built-in.
pub(crate) fn all(context: &Context) -> Result<Vec<Source>, CliError> {
    let mut ids: Vec<String> = builtin::BUILTIN
        .iter()
        .map(|(id, _)| (*id).to_owned())
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
pub(crate) fn find(context: &Context, id: &str) -> Result<Source, CliError> {
    let file = folder(context).join(format!("{id}.wasm"));
    if file.is_file() {
        return from_file(&file);
    }
    if let Some((_, bytes)) = builtin::BUILTIN.iter().find(|(builtin, _)| *builtin == id) {
        return Ok(Source {
            id: id.to_owned(),
            file: None,
            bytes: Cow::Borrowed(bytes),
        });
    }
    let known: Vec<&str> = builtin::BUILTIN.iter().map(|(id, _)| *id).collect();
    let message = format!("there is no plugin `{id}`");
    Err(CliError::new(Kind::Failure, message).hint(format!(
        "built in are {}; others are `.wasm` files in {}",
        known.join(", "),
        folder(context)
    )))
}

pub(crate) fn from_file(file: &Utf8Path) -> Result<Source, CliError> {
    let parent = file.parent().filter(|parent| !parent.as_str().is_empty());
    let directory = acreta_fs::Directory::open(
        parent.unwrap_or(Utf8Path::new(".")),
        acreta_fs::NoFaults::shared(),
    )?;
    let bytes = directory.read(file.file_name().unwrap_or_default(), PLUGIN_BYTES)?;
    Ok(Source {
        id: file.file_stem().unwrap_or("plugin").to_owned(),
        file: Some(file.to_owned()),
        bytes: Cow::Owned(bytes),
    })
}

/// The sandbox with its cache of compiled plugins.
pub(crate) fn sandbox(context: &Context) -> Result<Sandbox, CliError> {
    Ok(Sandbox::new(&SandboxOptions {
        cache_dir: context.home.cache().to_owned(),
    })?)
}

/// Loads a plugin with the limits and settings that are configured for it.
pub(crate) fn load(
    context: &Context,
    sandbox: &Sandbox,
    source: &Source,
    notice: &dyn Fn(&str),
) -> Result<Plugin, CliError> {
    let settings: Settings = context
        .config
        .settings(&source.id)
        .into_iter()
        .map(|(key, value)| (key, serde_json::to_string(&value).unwrap_or_default()))
        .collect();
    notice(&source.id);
    let plugin = sandbox.load(
        &source.id,
        &source.bytes,
        |role| context.config.limits(&source.id, Limits::for_role(role)),
        settings,
    )?;
    if plugin.loaded() == Loaded::Compiled {
        tracing::info!(plugin = source.id, "compiled");
    }
    Ok(plugin)
}

/// The plugins that the configuration chooses for a run.
pub(crate) fn chosen(
    context: &Context,
    sandbox: &Sandbox,
    notice: &dyn Fn(&str),
) -> Result<Plugins, CliError> {
    let load = |id: &str| load(context, sandbox, &find(context, id)?, notice);
    let adapters = context
        .config
        .text_list("plugins.adapters")
        .iter()
        .map(|id| Ok(load(id)?.into_adapter()?))
        .collect::<Result<_, CliError>>()?;
    let explorers = context
        .config
        .text_list("plugins.explorers")
        .iter()
        .map(|id| Ok(load(id)?.into_explorer()?))
        .collect::<Result<_, CliError>>()?;
    Ok(Plugins {
        adapters,
        extractor: load(context.config.text("plugins.extractor"))?.into_extractor()?,
        explorers,
        writer: load(context.config.text("plugins.writer"))?.into_memory_writer()?,
    })
}
