//! Shows plugins: `plugin list` and `plugin inspect`.

use std::collections::BTreeMap;
use std::sync::Arc;

use acreta_fs::{Directory, NoFaults};
use acreta_plugin_registry::{
    Dependency, Inspection, MANIFEST, Manifest, Refused, SignatureState, inspect as look,
};
use acreta_types::{Adapter, Description, Job, Limits, PluginLog, Role};
use camino::{Utf8Path, Utf8PathBuf};
use schemars::JsonSchema;
use serde::Serialize;

use crate::plugins::{self, PluginSource};
use crate::{Context, Failure, Kind, connect::permissions, plugins::used, projects::scopes};

#[derive(Debug, Serialize, JsonSchema)]
pub struct Plugins {
    pub plugins: Vec<PluginRow>,
}

/// One plugin in a list.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PluginRow {
    pub id: String,
    /// Null if the component cannot be read.
    pub role: Option<Role>,
    /// `built-in`, or the path of the component.
    pub origin: String,
    pub bytes: usize,
    pub granted: bool,
    /// `not-signed`, `failed` or `verified`; none for a built-in plugin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<&'static str>,
    #[serde(rename = "use")]
    pub used: used::PluginUse,
    pub problem: Option<String>,
    /// The interface it was built for, `acreta:adapter@0.1.0`.
    pub wit: Option<String>,
    /// SHA-256 of the component.
    pub digest: Option<String>,
    /// By the names of their settings.
    pub limits: Option<Limits>,
    /// The folders that it asks to read, if they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub grants: Vec<PluginGrant>,
}

/// A folder that a plugin asks to read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PluginGrant {
    pub root: String,
    /// Possible paths on this machine.
    pub candidates: Vec<String>,
    pub reason: String,
    pub granted: bool,
}

/// Lists the built-in and the installed plugins with the folders that they ask for.
pub fn list_with_grants(context: &Context) -> Result<Plugins, Failure> {
    let mut listed = list(context)?;
    let roots = permissions::roots(context)?;
    for row in &mut listed.plugins {
        let own = roots.iter().filter(|root| root.asked.adapter == row.id);
        let grants = own.map(|root| PluginGrant {
            root: root.asked.wanted.name.clone(),
            candidates: root.asked.wanted.candidates.clone(),
            reason: root.asked.wanted.reason.clone(),
            granted: root.granted,
        });
        row.grants = grants.collect();
    }
    Ok(listed)
}

/// Lists the built-in and the installed plugins.
pub fn list(context: &Context) -> Result<Plugins, Failure> {
    let mut used = match scopes::catalog(context)? {
        Some(catalog) => used::plugins(&catalog)?,
        None => Default::default(),
    };
    let mut rows = Vec::new();
    for (id, source) in plugins::all(context)? {
        let used = used.remove(&id).unwrap_or_default();
        rows.push(match source {
            Ok(source) => {
                let granted = plugins::given(context, &source);
                let inspection = look(&source.bytes()).ok();
                let role = inspection.as_ref().map(|inspection| inspection.role);
                let limits = |role| context.config.limits(&id, Limits::for_role(role));
                let signature = plugins::signature_state(context, &source)?;
                PluginRow {
                    signature: signature.as_ref().map(SignatureState::name),
                    role,
                    wit: inspection.map(|one| format!("acreta:{}@{}", one.role, one.wit)),
                    digest: Some(source.digest.clone()),
                    limits: role.map(limits),
                    grants: Vec::new(),
                    origin: source.origin(),
                    bytes: source.size(),
                    granted: granted.is_ok()
                        && context.grants.get(&id).is_none_or(|grant| grant.granted),
                    used,
                    problem: granted.err().map(|error| error.to_string()),
                    id,
                }
            }
            Err(error) => PluginRow {
                role: None,
                origin: plugins::folder(context).join(&id).into_string(),
                bytes: 0,
                granted: false,
                signature: None,
                used,
                problem: Some(error.to_string()),
                wit: None,
                digest: None,
                limits: None,
                grants: Vec::new(),
                id,
            },
        });
    }
    Ok(Plugins { plugins: rows })
}

/// Returns the component that a file, or a folder with a manifest, stands for.
pub fn component_of(path: &Utf8Path) -> Result<Utf8PathBuf, Failure> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let file = path.join(MANIFEST);
    let directory = Directory::open(path, NoFaults::shared())?;
    if !directory.exists(MANIFEST)? {
        let message = format!("`{path}` has no `{MANIFEST}`");
        return Err(Failure::new(Kind::Missing, message)
            .hint("name a `.wasm` file, or the folder of a plugin"));
    }
    let text = directory.read_to_string(MANIFEST, 256 * 1024)?;
    let manifest =
        Manifest::parse(&file, &text).map_err(|error| Failure::from(Refused::from(error)))?;
    let component = path.join(&manifest.component);
    if !component.is_file() {
        let message = format!("`{component}` is not built yet");
        return Err(
            Failure::new(Kind::Missing, message).hint("its README explains how to build it")
        );
    }
    Ok(component)
}

/// Returns the description of the adapter in a file, from a sandbox that grants nothing.
pub(crate) fn describe_file(
    context: &Context,
    source: &PluginSource,
) -> Result<Description, Failure> {
    let sandbox = plugins::sandbox(context)?;
    let loaded = plugins::prepared(context, &sandbox, &source.digest, || {
        plugins::load(context, &context.config, &sandbox, source)
    })?;
    describe(loaded.into_adapter()?.as_ref())
}

/// Details of one plugin.
#[derive(Debug, Serialize)]
pub struct PluginDetails {
    pub id: String,
    pub origin: String,
    pub role: Role,
    pub wit: String,
    pub digest: String,
    pub bytes: usize,
    /// What the component says about itself: version, authors, licences, source, revision.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<&'static str, String>,
    /// The packages it was built from, if it says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dependencies: Option<Vec<Dependency>>,
    /// Its manifest is in the component, or beside it; a built-in plugin has none.
    pub manifest: ManifestPlace,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<PluginSignature>,
    pub imports: Vec<String>,
    pub directories: &'static str,
    pub limits: Limits,
    /// It has everything it asks for. Otherwise it is shown as it would run without.
    pub granted: bool,
    /// Capabilities that are not granted yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub describes: Option<Description>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub prompts: Vec<PluginPrompt>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ManifestPlace {
    Inside,
    Beside,
    None,
}

#[derive(Debug, Clone, Serialize)]
pub struct PluginSignature {
    /// `not-signed`, `failed` or `verified`.
    pub state: &'static str,
    pub message: String,
}

impl From<SignatureState> for PluginSignature {
    fn from(state: SignatureState) -> Self {
        Self {
            state: state.name(),
            message: state.to_string(),
        }
    }
}

/// A text that a plugin sends to language models.
#[derive(Debug, Serialize)]
pub struct PluginPrompt {
    pub name: String,
    /// The file that replaces it, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    pub text: String,
}

/// Inspects one plugin: an id, a `.wasm` file or the folder of a plugin. Runs it only to have an adapter describe
/// itself, and that needs no grant: a person reads this before they grant anything.
pub fn inspect(context: &Context, plugin: &str) -> Result<PluginDetails, Failure> {
    let source = source(context, plugin)?;
    let sandbox = plugins::sandbox(context)?;
    let given = plugins::given(context, &source);
    let missing = given.as_ref().err().map(ToString::to_string);
    let given = given.unwrap_or_default();
    let loaded = plugins::prepared(context, &sandbox, &source.digest, || {
        plugins::load_with(&given, &context.config, &sandbox, &source)
    })?;
    let Inspection {
        imports,
        prompts,
        embedded,
        ..
    } = look(&source.bytes())
        .map_err(|refused| Failure::new(Kind::Refused, refused.to_string()).hint(refused.hint()))?;
    let info = loaded.info().clone();
    let limits = loaded.limits().clone();
    let describes = match info.role {
        Role::Adapter => Some(describe(loaded.into_adapter()?.as_ref())?),
        _ => None,
    };
    let mut files = context.config.prompts(&source.id);
    let mut prompts: Vec<PluginPrompt> = prompts
        .into_iter()
        .map(|(name, text)| PluginPrompt {
            file: files.remove(&name),
            name,
            text,
        })
        .collect();
    for prompt in &mut prompts {
        if let Some(file) = &prompt.file {
            prompt.text = plugins::prompt(file)?;
        }
    }
    Ok(PluginDetails {
        origin: source.origin(),
        directories: directories(info.role),
        bytes: source.size(),
        id: info.id,
        role: info.role,
        wit: info.wit,
        digest: info.digest,
        manifest: match (&embedded.manifest, &source.manifest) {
            (Some(_), _) => ManifestPlace::Inside,
            (None, Some(_)) => ManifestPlace::Beside,
            (None, None) => ManifestPlace::None,
        },
        metadata: embedded.metadata,
        dependencies: embedded.dependencies,
        signature: plugins::signature_state(context, &source)?.map(PluginSignature::from),
        imports,
        limits,
        granted: missing.is_none(),
        missing,
        describes,
        prompts,
    })
}

fn source(context: &Context, plugin: &str) -> Result<PluginSource, Failure> {
    let path = Utf8Path::new(plugin);
    if plugin.ends_with(".wasm") || path.join(MANIFEST).is_file() {
        plugins::from_file(&component_of(path)?)
    } else {
        plugins::find(context, plugin)
    }
}

fn directories(role: Role) -> &'static str {
    match role {
        Role::Adapter => "its session roots, read-only",
        Role::Extractor => "none",
        Role::Explorer => "/memory, read-only",
        Role::MemoryWriter => "/draft, a fresh folder for each run",
    }
}

struct SilentLog;

impl PluginLog for SilentLog {
    fn write(&self, _plugin: &str, _level: &str, _message: &str) {}
}

fn describe(adapter: &dyn Adapter) -> Result<Description, Failure> {
    let job = Job {
        now_ms: 0,
        seed: 0,
        log: Arc::new(SilentLog),
        models: None,
    };
    adapter
        .describe(&job)
        .result
        .map_err(|error| Failure::new(Kind::Failure, error.to_string()))
}
