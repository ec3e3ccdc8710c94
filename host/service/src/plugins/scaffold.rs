//! Creates a plugin and checks one without running it: `plugin new` and `plugin check`.

use std::collections::BTreeMap;

use acreta_fs::{Directory, NoFaults};
pub use acreta_plugin_dev::Language;
use acreta_plugin_dev::stamp;
use acreta_plugin_registry::{Dependency, SignatureState, host_interfaces, inspect};
use acreta_types::Role;
use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;

use crate::plugins::inspect::{ManifestPlace, PluginSignature, component_of, describe_file};
use crate::{Context, Failure, Kind, plugins};

/// The version of the contract between host and plugins.
pub use acreta_plugin_registry::WIT_VERSION;

/// A plugin project that was created.
#[derive(Debug, Clone, Serialize)]
pub struct NewPlugin {
    pub folder: Utf8PathBuf,
    pub files: Vec<String>,
    /// The command that builds it.
    pub build: &'static str,
}

/// Writes the files of a new plugin into a folder of its name.
pub fn begin(
    role: &str,
    name: &str,
    language: Language,
    parent: &Utf8Path,
) -> Result<NewPlugin, Failure> {
    let named = Role::ALL.into_iter().find(|known| known.name() == role);
    let role = named.ok_or_else(|| {
        let roles = Role::ALL.map(|role| format!("`{role}`")).join(", ");
        let message = format!("unknown role `{role}` (expected one of {roles})");
        Failure::new(Kind::Usage, message)
    })?;
    let files = stamp(role, name, language).map_err(|error| {
        let hint = error.hint();
        Failure::new(Kind::Usage, error.to_string()).hint(hint)
    })?;
    let folder = parent.join(name);
    if folder.exists() {
        let message = format!("`{folder}` exists already");
        return Err(Failure::new(Kind::Usage, message).hint("choose another name"));
    }
    let directory = Directory::open_or_create(&folder, NoFaults::shared())?;
    for file in &files {
        let path = Utf8Path::new(&file.path);
        if let Some(parent) = path.parent().filter(|parent| !parent.as_str().is_empty()) {
            directory.create_dir_all(parent)?;
        }
        directory.replace_unsynced(path, &file.bytes)?;
    }
    Ok(NewPlugin {
        folder,
        files: files.into_iter().map(|file| file.path).collect(),
        build: language.build_command(),
    })
}

/// A component and its problems.
#[derive(Debug, Clone, Serialize)]
pub struct PluginCheck {
    pub file: Utf8PathBuf,
    pub id: String,
    pub role: &'static str,
    pub wit: String,
    pub sha256: String,
    pub bytes: usize,
    pub imports: Vec<String>,
    pub wishes: Vec<CheckedWish>,
    /// Where its manifest is.
    pub manifest: ManifestPlace,
    /// What the component says about itself.
    pub metadata: BTreeMap<&'static str, String>,
    /// The packages it was built from, if it says so.
    pub dependencies: Option<Vec<Dependency>>,
    pub signature: Option<PluginSignature>,
    pub problems: Vec<String>,
    /// The interfaces of acreta that its role has.
    #[serde(skip)]
    pub interfaces: Vec<&'static str>,
}

#[derive(Debug, Clone, Serialize)]
pub struct CheckedWish {
    pub what: String,
    pub reason: String,
}

/// Checks a component, or the one of a folder with a manifest, against the contract and against its manifest.
pub fn check(plugin: &Utf8Path, context: &Context) -> Result<PluginCheck, Failure> {
    let file = component_of(plugin)?;
    let source = plugins::from_file(&file)?;
    let inspection = inspect(&source.bytes()).map_err(|refused| {
        Failure::new(Kind::Refused, format!("`{file}`: {refused}")).hint(refused.hint())
    })?;
    let mut problems = Vec::new();
    if let Some(manifest) = &source.manifest {
        if manifest.role != inspection.role {
            problems.push(format!(
                "`plugin.toml` says {}, the component is a {}",
                manifest.role, inspection.role
            ));
        }
        if manifest
            .digest
            .is_some_and(|digest| digest.hex() != source.digest)
        {
            problems.push(format!(
                "the digest in `plugin.toml` differs from the component's: sha256:{}",
                source.digest
            ));
        }
        if inspection.role == Role::Adapter && problems.is_empty() {
            let description = describe_file(context, &source)?;
            problems.extend(manifest.differences(&description));
        }
    }
    let embedded = inspection.embedded;
    let signature = plugins::signature_state(context, &source)?;
    if let Some(SignatureState::Failed(problem)) = &signature {
        problems.push(problem.to_string());
    }
    let manifest = source.manifest.as_ref();
    if let Some(manifest) = manifest.filter(|_| embedded.manifest.is_some()) {
        let expected = manifest.metadata().into_iter();
        problems.extend(
            expected
                .filter(|(name, text)| {
                    embedded
                        .metadata
                        .get(name)
                        .is_some_and(|found| found != text)
                })
                .map(|(name, _)| format!("its metadata `{name}` differs from its manifest")),
        );
    }
    let wishes = manifest.map(|manifest| manifest.wishes());
    let wishes = wishes.unwrap_or_default().into_iter();
    Ok(PluginCheck {
        id: source.id,
        role: inspection.role.name(),
        wit: inspection.wit,
        sha256: source.digest,
        bytes: inspection.bytes,
        imports: inspection.imports,
        wishes: wishes
            .map(|wish| CheckedWish {
                what: wish.what.to_string(),
                reason: wish.reason,
            })
            .collect(),
        manifest: match (&embedded.manifest, &source.manifest) {
            (Some(_), _) => ManifestPlace::Inside,
            (None, Some(_)) => ManifestPlace::Beside,
            (None, None) => ManifestPlace::None,
        },
        metadata: embedded.metadata,
        dependencies: embedded.dependencies,
        signature: signature.map(PluginSignature::from),
        problems,
        interfaces: host_interfaces(inspection.role).to_vec(),
        file,
    })
}
